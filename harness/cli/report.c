/* locus report: results of runs as a page for the browser. It runs nothing. */
#include <argp.h>
#include <stdio.h>

#include "base/arena.h"
#include "cli/cli.h"
#include "cli/report_file.h"
#include "report/report_bundle.h"
#include "session/result_file.h"

struct report_args {
	const char *path[REPORT_RUNS], *bundle[REPORT_BUNDLES], *to;
	unsigned n, n_bundles;
};

enum { KEY_BUNDLE = 1000 };

static const struct argp_option options[] = {
	{"output", 'o', "PATH", 0, "folder for index.html, or an .html file (default: report)", 0},
	{"bundle", KEY_BUNDLE, "DIR", CLI_REPEATABLE, "also show the mismatch bundle DIR; repeatable, up to 16", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct report_args *a = state->input;

	switch (key) {
	case 'o':
		a->to = arg;
		return 0;
	case KEY_BUNDLE:
		if (a->n_bundles == REPORT_BUNDLES)
			argp_error(state, "--bundle: can be given %d times at most", REPORT_BUNDLES);
		a->bundle[a->n_bundles++] = arg;
		return 0;
	case ARGP_KEY_ARG:
		if (a->n == REPORT_RUNS)
			argp_error(state, "takes %d results at most", REPORT_RUNS);
		a->path[a->n++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->n && !a->n_bundles)
			argp_error(state, "needs a JSON file of `locus run --json`, or --bundle");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	options,
	parse,
	"[RUN.json...]",
	"Makes a page for the browser of up to 64 results of `locus run --json`, `locus profile --json` and the like: limits, "
	"stalls, hot lines, memory, caches, time, and what differs between two of them. `locus run --report-data` puts all "
	"that the page draws into a result. Nothing is run.\v"
	"Examples:\n"
	"  locus run syrk --size test --report-data --json linear.json\n"
	"  locus run syrk --size test --report-data --json pric.json --l1-index pric\n"
	"  locus report linear.json pric.json -o report",
	NULL,
	NULL,
	NULL};

static int read_all(const struct report_args *a, struct report_page *p, struct err *e)
{
	for (; p->n < a->n; p->n++)
		if (!(p->run[p->n] = result_file_read(a->path[p->n], e)))
			return -1;
	for (; p->n_bundles < a->n_bundles; p->n_bundles++)
		if (!(p->bundle[p->n_bundles] = report_bundle_read(a->bundle[p->n_bundles], e)))
			return -1;
	return 0;
}

int cli_report(int argc, char **argv)
{
	struct report_args a = {.to = "report"};
	struct report_page p = {.n = 0};
	struct arena arena = {0};
	struct err e = {""};
	int rc;

	cli_parse(&argp, argc, argv, &a);
	result_file_labels(a.path, a.n, &arena, p.label);
	rc = read_all(&a, &p, &e) == 0 ? report_file_write(&p, a.to, &e) : -1;
	report_file_free(&p);
	arena_free(&arena);
	return rc == 0 ? CLI_OK : cli_fail(&e);
}
