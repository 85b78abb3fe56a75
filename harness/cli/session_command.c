#include "cli/session_command.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>
#include <unistd.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/model_report.h"
#include "cli/source_text_options.h"
#include "cli/timeline_file.h"
#include "cli/tries_report.h"
#include "profile/profile_report.h"
#include "profile/why_report.h"
#include "report/report_data.h"
#include "session/intervals_file.h"
#include "session/result.h"

struct files {
	struct output json, timeline, csv;
	struct viewer_files viewers;
};

/* What a try needs of the command: its files take the place of the run's. */
struct command {
	struct session *session;
	const struct session_output *to;
	struct files files;
};

static int open_files(struct files *f, const struct session_output *to, struct err *e)
{
	const char *const all[] = {to->json, to->timeline, to->csv, to->viewers.perfetto, to->viewers.konata};

	if (output_distinct(all, sizeof all / sizeof all[0], e) != 0)
		return -1;
	if (output_open(&f->json, to->json, e) != 0 || output_open(&f->timeline, to->timeline, e) != 0)
		return -1;
	if (output_open(&f->csv, to->csv, e) != 0)
		return -1;
	return viewer_files_open(&f->viewers, &to->viewers, e);
}

static void drop_files(struct files *f)
{
	output_drop(&f->json);
	output_drop(&f->timeline);
	output_drop(&f->csv);
	viewer_files_drop(&f->viewers);
}

/* In the process of a try, which says nothing but in its files. */
static int begin_try(void *command, unsigned i, struct err *e)
{
	struct command *c = command;
	struct arena *a = &c->session->arena;
	struct session_output to = *c->to;
	int nowhere = open("/dev/null", O_WRONLY);

	if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
		return err_set(e, "/dev/null: %s", strerror(errno));
	close(nowhere);
	to.json = tries_path(a, to.json, i);
	to.timeline = tries_path(a, to.timeline, i);
	to.csv = tries_path(a, to.csv, i);
	to.viewers.perfetto = tries_path(a, to.viewers.perfetto, i);
	to.viewers.konata = tries_path(a, to.viewers.konata, i);
	drop_files(&c->files);
	return open_files(&c->files, &to, e);
}

static void print_differences(const struct session *s)
{
	if (s->source.differs && !s->programs.n)
		cli_print_error(&s->source.difference);
	for (uint32_t i = 0; i < s->programs.n; i++)
		if (s->programs.one[i].differs)
			cli_print_error(&s->programs.one[i].difference);
}

static void add_report_data(json_t *o, struct session *s)
{
	struct source_text text;

	source_text_of(&text, s, NULL);
	report_data_add(o, s, &text);
	source_text_free(&text);
}

static struct profile_report profile_of(struct session *s, struct profile_lines *lines, struct source_text *text,
					const char *source_dir)
{
	source_text_of(text, s, source_dir);
	profile_lines_make(lines, &s->arena, s->source.trace, &s->profile);
	return (struct profile_report){lines, text, s->result.cycles,
				       s->result.cycles * s->machine.sm.count * s->machine.sm.schedulers};
}

static void add_profile(json_t *o, struct session *s, const char *source_dir)
{
	struct profile_lines lines;
	struct source_text text;
	struct profile_report r = profile_of(s, &lines, &text, source_dir);

	json_object_set_new(o, "profile", profile_report_json(&r));
	source_text_free(&text);
}

static json_t *whole_result(struct session *s, const struct session_output *to)
{
	json_t *o = result_json(s);

	if (to->profile)
		add_profile(o, s, to->source_dir);

	if (s->options->trace_requests)
		json_object_set_new(o, "requests",
				    why_report_json(&s->paths, s->source.trace, &s->machine, s->options->trace_requests));
	if (to->report_data)
		add_report_data(o, s);
	return o;
}

/* For the run's table of tries. */
static int print_run(struct session *s, const struct session_output *to, struct err *e)
{
	json_t *all;
	int failed;

	if (!s->tries.mine)
		return 0;
	all = whole_result(s, to);
	failed = json_dumpf(all, s->tries.result[s->tries.mine - 1], JSON_REAL_PRECISION(12));
	json_decref(all);
	return failed ? err_set(e, "--try: a result cannot be written: %s", strerror(errno)) : 0;
}

static int save(struct session *s, const struct session_output *to, struct files *f, struct err *e)
{
	if (print_run(s, to, e) != 0)
		return -1;
	if (f->json.f && result_write(&f->json, whole_result(s, to), e) != 0)
		return -1;
	if (s->mismatch < 0 || timeline_file_save(&f->timeline, s, e) != 0)
		return -1;
	if (intervals_csv(&f->csv, s, e) != 0)
		return -1;
	return viewer_files_save(&f->viewers, s, e);
}

static void print_profile(struct session *s, const struct session_output *to)
{
	struct profile_lines lines;
	struct source_text text;
	struct profile_report r;

	if (!to->profile)
		return;
	r = profile_of(s, &lines, &text, to->source_dir);
	fputs("\nprofile by source lines\n", stdout);
	profile_report_hottest(&r, (uint32_t)to->lines, stdout);
	source_text_free(&text);
}

static void print_intervals(const struct intervals *v)
{
	char every[32], asked[32];

	if (!v->asked)
		return;
	printf("\nintervals: %" PRIu32 " of %s core cycles", v->samples.n, number_commas(v->samples.every, every));
	if (v->samples.every != v->asked)
		printf(", joined from %s each to be %d at most", number_commas(v->asked, asked),
		       v->most ? (int)v->most : INTERVALS_SAMPLES);
	putchar('\n');
}

static int report(struct session *s, const struct session_output *to, struct files *f, struct err *e)
{
	int status, of_tries;

	if (to->brief)
		model_report_brief(s, stdout);
	else
		model_report_text(s, to->launches, stdout);
	if (s->hw && (to->brief ? s->mismatch > 0 : s->mismatch >= 0))
		cosim_print(s->hw, stdout);
	print_profile(s, to);
	if (!to->brief)
		print_intervals(&s->intervals);
	viewer_files_print(s, stdout);
	if (!s->tries.mine)
		print_differences(s);
	if (save(s, to, f, e) != 0)
		return CLI_USAGE;
	status = session_is_sound(s) ? CLI_OK : CLI_DIFFERS;
	if (s->checkpoints.skipped.text[0]) {
		err_set(e, "%s", s->checkpoints.skipped.text);
		return CLI_USAGE;
	}
	if (!s->tries.options || s->tries.mine)
		return status;
	of_tries = tries_report(s, to->json, e);
	return of_tries > status ? of_tries : status;
}

static int run(struct session *s, const struct session_output *to, struct files *f, struct err *e)
{
	if (session_source(s, e) != 0 || session_track(s, e) != 0 || session_plan(s, e) != 0 || session_init(s, e) != 0 ||
	    session_run(s, e) != 0)
		return CLI_USAGE;
	return report(s, to, f, e);
}

/* Nothing is measured that would be written nowhere. A checkpoint keeps it for who resumes the run. */
static int check_written(const struct session_options *o, const struct session_output *to, struct err *e)
{
	bool perfetto = to->viewers.perfetto != NULL;

	if (o->checkpoints)
		return 0;
	if (to->report_data && !to->json)
		return err_set(e, "--report-data: needs --json FILE, where the data go");
	if (o->interval && !to->json && !to->csv && !perfetto)
		return err_set(e, "--interval: needs --json FILE, --interval-csv FILE or --perfetto FILE, where the metrics go");
	if (o->trace_requests && !to->json && !perfetto)
		return err_set(e, "--trace-requests: needs --json FILE or --perfetto FILE, where the loads go");
	return 0;
}

int session_command(const struct session_options *o, const struct session_output *to)
{
	struct session_options with = *o;
	struct tries_options tries;
	struct err e = {""};
	struct session s;
	struct command c = {.session = &s, .to = to};
	int status = CLI_USAGE;

	with.begins = to->brief ? NULL : model_report_title;
	if (o->tries) {
		tries = *o->tries;
		tries.begins = begin_try;
		tries.ctx = &c;
		with.tries = &tries;
	}
	/* Who resumes a run may ask for its launches. */
	with.totals_only = !to->launches && !to->json && !o->checkpoints && !o->tries;
	viewer_options_apply(&to->viewers, &with);
	if (session_open(&s, &with, &e) == 0 && check_written(o, to, &e) == 0 && open_files(&c.files, to, &e) == 0)
		status = run(&s, to, &c.files, &e);
	drop_files(&c.files);
	session_close(&s);
	return e.text[0] ? cli_fail(&e) : status;
}
