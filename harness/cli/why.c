/* locus why: where the loads of a program wait, for what, and for whom. */
#include <jansson.h>

#include "cli/cli.h"
#include "cli/model_options.h"
#include "cli/model_report.h"
#include "cli/source_text_options.h"
#include "cli/viewer_options.h"
#include "profile/why_report.h"
#include "session/result.h"

enum { KEY_LOAD = 1000, KEY_REQUESTS, KEY_LOADS, KEY_SLOWEST, KEY_SOURCE, MOST_LOADS = 1000000 };

struct why_args {
	struct model_options model;
	struct viewer_options viewers;
	const char *load, *requests, *source;
	uint64_t loads, slowest;
};

static const struct argp_option options[] = {
	{"load", KEY_LOAD, "KERNEL:LINE", 0, "only the loads of this source line (default: all)", 0},
	{"requests", KEY_REQUESTS, "FILTER", 0, "only these loads: sm=A-B, addr=A-B, latency=N, every=N", 0},
	{"loads", KEY_LOADS, "N", 0, "print N load instructions (default: 10)", 0},
	{"slowest", KEY_SLOWEST, "N", 0, "print the N slowest loads (default: 5)", 0},
	{"source-dir", KEY_SOURCE, "DIR", 0, "also look for source files in DIR", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct why_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &a->model.from;
		state->child_inputs[2] = &a->model;
		state->child_inputs[3] = &a->viewers;
		return 0;
	case KEY_LOAD:
		a->load = arg;
		return 0;
	case KEY_REQUESTS:
		a->requests = arg;
		return 0;
	case KEY_LOADS:
		a->loads = cli_argp_number(state, "--loads", arg, 0, MOST_LOADS);
		return 0;
	case KEY_SLOWEST:
		a->slowest = cli_argp_number(state, "--slowest", arg, 0, PATH_SLOWEST);
		return 0;
	case KEY_SOURCE:
		a->source = cli_argp_folder(state, "--source-dir", arg);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {{&program_argp, 0, NULL, 0},
					     {&accelsim_argp, 0, NULL, 0},
					     {&model_argp, 0, NULL, 0},
					     {&viewer_options_argp, 0, NULL, 0},
					     {0}};
static const struct argp argp = {
	options,
	parse,
	"WORKLOAD|FILE.yaml|FILE.ltrace|kernelslist.g",
	"Runs a program on the cycle model and prints where its loads from global memory spend their time: the time at each "
	"station, "
	"the resource that they wait for, the lines that hold it, and the slowest loads.\v"
	"Examples:\n  locus why syrk --size test --load syrk:18\n  locus why bfs --requests sm=0,latency=500 --json bfs-why.json",
	children,
	NULL,
	NULL};

static const char *filter_of(const struct why_args *a, struct arena *arena)
{
	const char *requests = a->requests ? a->requests : "all";

	return a->load ? arena_printf(arena, "%s,load=%s", requests, a->load) : requests;
}

static json_t *whole_result(const struct session *s)
{
	json_t *o = result_json(s);

	json_object_set_new(o, "requests", why_report_json(&s->paths, s->source.trace, &s->machine, s->options->trace_requests));
	return o;
}

struct files {
	struct output json;
	struct viewer_files viewers;
};

static int open_files(struct files *f, const struct why_args *a, struct err *e)
{
	const char *const all[] = {a->model.on.json, a->viewers.perfetto, a->viewers.konata};

	if (output_distinct(all, sizeof all / sizeof all[0], e) != 0)
		return -1;
	return output_open(&f->json, a->model.on.json, e) == 0 ? viewer_files_open(&f->viewers, &a->viewers, e) : -1;
}

static int save(struct files *f, const struct session *s, struct err *e)
{
	if (f->json.f && result_write(&f->json, whole_result(s), e) != 0)
		return -1;
	return viewer_files_save(&f->viewers, s, e);
}

static int report(const struct why_args *a, struct session *s, struct files *f, struct err *e)
{
	struct source_text text;
	struct why_report r = {&s->paths, s->source.trace, &s->machine, &text};
	int rc;

	source_text_of(&text, s, a->source);
	why_report_print(&r, (uint32_t)a->loads, (uint32_t)a->slowest, stdout);
	fputc('\n', stdout);
	source_text_report_end(s, stdout);
	viewer_files_print(s, stdout);
	rc = save(f, s, e);
	source_text_free(&text);
	if (rc != 0)
		return CLI_USAGE;
	return session_is_sound(s) ? CLI_OK : CLI_DIFFERS;
}

int cli_why(int argc, char **argv)
{
	struct why_args a = {.loads = 10, .slowest = 5};
	struct session_options o;
	struct arena arena = {0};
	struct files f = {0};
	struct err e = {""};
	int status = CLI_USAGE;
	struct session s;

	cli_parse(&argp, argc, argv, &a);
	o = model_options_session(&a.model);
	o.trace_requests = filter_of(&a, &arena);
	o.begins = model_report_title;
	viewer_options_apply(&a.viewers, &o);
	if (session_open(&s, &o, &e) == 0 && open_files(&f, &a, &e) == 0 && session_source(&s, &e) == 0 &&
	    session_track(&s, &e) == 0 && session_plan(&s, &e) == 0 && session_run(&s, &e) == 0)
		status = report(&a, &s, &f, &e);
	output_drop(&f.json);
	viewer_files_drop(&f.viewers);
	session_close(&s);
	arena_free(&arena);
	return e.text[0] ? cli_fail(&e) : status;
}
