/* locus check: a program's kernels, executed without a model of time, under a checker of their memory accesses. */
#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>

#include "check/check_report.h"
#include "cli/cli.h"
#include "cli/program_options.h"
#include "process/output.h"
#include "session/result.h"

struct check_args {
	struct program_options from;
	unsigned what;
	uint64_t most;
	const char *json;
};

enum { OPT_JSON = 1100, OPT_MOST, OPT_RACES, OPT_UNWRITTEN };

static const struct argp_option options[] = {
	{"races", OPT_RACES, NULL, 0, "only look for races in shared memory", 0},
	{"unwritten", OPT_UNWRITTEN, NULL, 0, "only look for reads of uninitialised shared or local memory", 0},
	{"most", OPT_MOST, "N", 0, "print at most N findings (default: 20)", 0},
	{"json", OPT_JSON, "FILE", 0, "also write all findings as JSON (-: to stdout)", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct check_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->from;
		return 0;
	case OPT_RACES:
		a->what |= FINDINGS_RACES;
		return 0;
	case OPT_UNWRITTEN:
		a->what |= FINDINGS_UNWRITTEN;
		return 0;
	case OPT_MOST:
		a->most = cli_argp_number(state, "--most", arg, 0, FINDINGS_MOST);
		return 0;
	case OPT_JSON:
		a->json = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {{&program_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"WORKLOAD|FILE.yaml",
	"Executes a program and looks for data races in shared memory (two warps of a CTA access a byte, at least one of them "
	"writes, and no barrier separates them) and for reads of uninitialised shared and local memory. Exit status 1 if it finds "
	"one, or if a result is wrong.\v"
	"Examples:\n  locus check reduction --size test\n  locus check traces/examples/spmv.yaml --json spmv-check.json",
	children,
	NULL,
	NULL};

static int save(struct output *to, const struct source *s, const struct findings *f, struct err *e)
{
	if (!to->f)
		return 0;
	return result_write(to,
			    json_pack("{s:o, s:s, s:o}", "locus", result_origin(), "workload", trace_name(s->trace), "findings",
				      check_report_json(f)),
			    e);
}

static void print(const struct check_args *a, const struct source *s, const struct findings *f)
{
	printf("%s: %" PRIu64 " warp instructions in %" PRIu32 " launches\n", trace_name(s->trace), s->executed,
	       trace_n_launches(s->trace));
	check_report_print(f, (uint32_t)a->most, stdout);
	printf("results %s\n", !s->checked ? "not compared (no reference)" : s->differs ? "WRONG" : "agree with the reference");
	fflush(stdout);
	if (s->differs)
		cli_print_error(&s->difference);
}

int cli_check(int argc, char **argv)
{
	struct check_args a = {.most = 20};
	struct findings f = {0};
	struct source_options with = {.findings = &f};
	struct output json = {0};
	struct err e = {""};
	int status = CLI_USAGE;
	struct source s;

	cli_parse(&argp, argc, argv, &a);
	f.what = a.what ? a.what : FINDINGS_ALL;
	if (output_open(&json, a.json, &e) == 0) {
		if (program_options_open(&a.from, &with, &s, &e) == 0) {
			print(&a, &s, &f);
			if (save(&json, &s, &f, &e) == 0)
				status = findings_count(&f) || s.differs ? CLI_DIFFERS : CLI_OK;
			source_close(&s);
		} else if (findings_count(&f)) {
			check_report_print(&f, (uint32_t)a.most, stdout); /* up to where it ended */
		}
	}
	output_drop(&json);
	findings_free(&f);
	return e.text[0] ? cli_fail(&e) : status;
}
