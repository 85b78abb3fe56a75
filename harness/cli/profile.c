/* locus profile: a program on the cycle model, by instruction and source line. */
#include <stdlib.h>
#include <jansson.h>

#include "cli/cli.h"
#include "cli/model_options.h"
#include "cli/model_report.h"
#include "cli/source_text_options.h"
#include "cuda/program.h"
#include "profile/profile_report.h"
#include "session/result.h"

enum { KEY_ANNOTATE = 1000, KEY_LINES, KEY_SOURCE, MOST_LINES = 1000000 };

struct profile_args {
	struct model_options model;
	bool annotate;
	uint64_t lines;
	const char *source;
	struct cuda_program program; /* argv: NULL: it is none of CUDA */
};

static const struct argp_option options[] = {
	{"annotate", KEY_ANNOTATE, NULL, 0, "print whole kernels: each source line with its PTX", 0},
	{"lines", KEY_LINES, "N", 0, "print the N hottest lines (default: 10)", 0},
	{"source-dir", KEY_SOURCE, "DIR", 0, "also look for source files in DIR", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct profile_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &a->model.from;
		state->child_inputs[2] = &a->model;
		return 0;
	case KEY_ANNOTATE:
		a->annotate = true;
		return 0;
	case KEY_LINES:
		a->lines = cli_argp_number(state, "--lines", arg, 1, MOST_LINES);
		return 0;
	case KEY_SOURCE:
		a->source = cli_argp_folder(state, "--source-dir", arg);
		return 0;
	case ARGP_KEY_ARG: /* of a CUDA program, all behind it is its own */
		if (a->model.from.what || !cuda_program_is(arg))
			return ARGP_ERR_UNKNOWN;
		a->program.argv = &state->argv[state->next - 1];
		a->model.from.what = arg;
		state->next = state->argc;
		return 0;
	case ARGP_KEY_END:
		if (a->program.argv && (a->model.from.size || a->model.from.n_args))
			argp_error(state, "a CUDA program takes its arguments after its name; --size and --arg are for workloads");
		return ARGP_ERR_UNKNOWN;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&program_argp, 0, NULL, 0}, {&accelsim_argp, 0, NULL, 0}, {&model_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"WORKLOAD|FILE.yaml|FILE.ltrace|kernelslist.g\n./PROGRAM [ARGUMENT...]",
	"Runs a program on the cycle model and prints the source lines that take the most scheduler cycles: cycles in which a line "
	"issues, and cycles in which other lines wait for it. A CUDA program is built with -lineinfo for it.\v"
	"Examples:\n  locus profile syrk\n  locus profile syrk --l1-index pric --annotate --json syrk-profile.json",
	children,
	NULL,
	NULL};

static void print(const struct profile_args *a, const struct session *s, const struct profile_report *r)
{
	if (a->annotate)
		profile_report_kernels(r, stdout);
	else
		profile_report_hottest(r, (uint32_t)a->lines, stdout);
	fputc('\n', stdout);
	source_text_report_end(s, stdout);
	if (a->program.argv) {
		char end[96];

		cuda_program_end(&a->program, end);
		printf("  program %s %s\n", a->program.name, end);
	}
}

static int report(const struct profile_args *a, struct session *s, struct output *json, struct err *e)
{
	struct profile_lines lines;
	struct source_text text;
	struct profile_report r = {&lines, &text, s->result.cycles,
				   s->result.cycles * s->machine.sm.count * s->machine.sm.schedulers};
	int rc = 0;

	source_text_of(&text, s, a->source);
	profile_lines_make(&lines, &s->arena, s->source.trace, &s->profile);
	print(a, s, &r);
	if (json->f) {
		json_t *o = result_json(s);

		json_object_set_new(o, "profile", profile_report_json(&r));
		rc = result_write(json, o, e);
	}
	source_text_free(&text);
	if (rc != 0)
		return CLI_USAGE;
	return session_is_sound(s) && !a->program.status ? CLI_OK : CLI_DIFFERS;
}

static bool names_program(int argc, char **argv)
{
	for (int i = 1; i < argc; i++)
		if (cuda_program_is(argv[i]))
			return true;
	return false;
}

int cli_profile(int argc, char **argv)
{
	struct profile_args a = {.lines = 10, .program.memory = -1};
	struct session_options o;
	struct cli_given given;
	struct output json = {0};
	struct err e = {""};
	int status = CLI_USAGE;
	struct session s;

	(names_program(argc, argv) ? cli_parse_in_order : cli_parse_given)(&argp, argc, argv, &a, &given);
	cli_needs(&given, !a.annotate, "lines", "has no effect with --annotate, which prints all lines");
	o = model_options_session(&a.model);
	a.program.max_unpacked = a.model.from.max_unpacked;
	a.model.program.cuda = a.program.argv ? &a.program : NULL;
	if (a.program.argv && cuda_program_open(&a.program, &e) != 0) {
		cuda_program_close(&a.program);
		return cli_fail(&e);
	}
	o.profile = true;
	o.begins = model_report_title;
	if (session_open(&s, &o, &e) == 0 && output_open(&json, a.model.on.json, &e) == 0 && session_source(&s, &e) == 0 &&
	    session_track(&s, &e) == 0 && session_plan(&s, &e) == 0 && session_run(&s, &e) == 0)
		status = report(&a, &s, &json, &e);
	output_drop(&json);
	session_close(&s);
	cuda_program_close(&a.program);
	return e.text[0] ? cli_fail(&e) : status;
}
