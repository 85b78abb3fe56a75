/* locus diff BASE.json B.json ...: what changed between results that other commands wrote. */
#include <argp.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "cli/cli.h"
#include "cli/diff_table.h"
#include "session/result_file.h"

struct diff {
	bool all, exit_code;
	const char **path;
	unsigned n;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct diff *d = state->input;

	switch (key) {
	case 'a':
		d->all = true;
		return 0;
	case 'e':
		d->exit_code = true;
		return 0;
	case ARGP_KEY_ARG:
		d->path = xgrow(d->path, d->n, sizeof *d->path);
		d->path[d->n++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (d->n < 2)
			argp_error(state, "needs two JSON files or more");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"all", 'a', NULL, 0, "also list metrics per SM, channel, scheduler and buffer", 0},
	{"exit-code", 'e', NULL, 0, "exit with status 1 if any metric differs", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"BASE.json B.json...",
	"Compares results of `locus run --json` with the first: the speed-up, the headline metrics (cycles, time, IPC, "
	"occupancy, hit rates, DRAM), then the other metrics that differ, the largest relative change first. Metrics that grew "
	"more than a hundredfold, or from 0, come last.\v"
	"Examples:\n  locus run atax --json a.json; locus run atax --l1-index pric --json b.json\n"
	"  locus diff a.json b.json; locus diff --all a.json b.json | head",
	NULL,
	NULL,
	NULL};

/* Returns how many figures differ; -1: a file is no result. */
static int compare(const struct diff *d, struct diff_run *run, struct arena *a, struct err *e)
{
	const char **label = arena_array(a, d->n, sizeof *label);

	for (unsigned i = 0; i < d->n; i++) {
		run[i].whole = result_file_read(d->path[i], e);
		if (!run[i].whole)
			return -1;
	}
	result_file_labels(d->path, d->n, a, label);
	for (unsigned i = 0; i < d->n; i++)
		run[i].label = label[i];
	return (int)diff_table_print(run, d->n, d->all);
}

int cli_diff(int argc, char **argv)
{
	struct diff d = {0};
	struct arena a = {0};
	struct diff_run *run;
	struct err e = {""};
	int rows;

	cli_parse(&argp, argc, argv, &d);
	run = arena_array(&a, d.n, sizeof *run);
	rows = compare(&d, run, &a, &e);
	for (unsigned i = 0; i < d.n; i++)
		json_decref(run[i].whole);
	free(d.path);
	arena_free(&a);
	return rows < 0 ? cli_fail(&e) : d.exit_code && rows ? CLI_DIFFERS : CLI_OK;
}
