/* locus diff A.json B.json: what changed between two results, largest relative change first. */
#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>

#include "base/arena.h"
#include "cli/cli.h"

struct diff_args {
	const char *file[2];
	bool all;
};

struct diff_row {
	const char *name;
	double a, b, change; /* (b - a) / |a|; infinite when a is 0 or the name stands on one side only */
	bool in_a, in_b;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct diff_args *a = state->input;

	if (key == 'a') {
		a->all = true;
	} else if (key == ARGP_KEY_ARG && state->arg_num < 2) {
		a->file[state->arg_num] = arg;
	} else if (key == ARGP_KEY_END && state->arg_num != 2) {
		argp_error(state, "needs two JSON files");
	} else {
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option options[] = {
	{"all", 'a', NULL, 0, "also list the figures of single SMs, channels and buffers", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"A.json B.json",
	"Lists the figures that differ between two results of `locus run --json`, aligned, largest relative "
	"change first. Exit status 1 if any differ.\v"
	"Examples:\n  locus run atax --json a.json; locus run atax --l1-index pric --json b.json\n"
	"  locus diff a.json b.json; locus diff --all a.json b.json | head",
	NULL,
	NULL,
	NULL};

static json_t *load_stats(const char *path, json_t **owner, struct err *e)
{
	json_error_t je;
	json_t *stats;
	FILE *f = fopen(path, "r");

	*owner = f ? json_loadf(f, 0, &je) : NULL;
	if (!f || ferror(f))
		err_set(e, "%s: %s", path, strerror(errno));
	if (f)
		fclose(f);
	if (!*owner) {
		err_set(e, "%s:%d:%d: %s", path, je.line > 0 ? je.line : 1, je.column > 0 ? je.column : 1, je.text);
		return NULL;
	}
	stats = json_object_get(*owner, "stats");
	if (!json_is_object(stats))
		err_set(e, "%s: no \"stats\" object: not a result of locus run --json", path);
	return json_is_object(stats) ? stats : NULL;
}

static int by_change(const void *x, const void *y)
{
	const struct diff_row *a = x, *b = y;
	double ca = fabs(a->change), cb = fabs(b->change);

	return ca > cb ? -1 : ca < cb ? 1 : strcmp(a->name, b->name);
}

/* A figure of one SM, channel, scheduler or buffer; the totals have no index or buffer in their names. */
static bool is_detail(const char *name)
{
	return !strncmp(name, "sm.", 3) || !strncmp(name, "buffer.", 7) || !strncmp(name, "channel.", 8);
}

static unsigned collect(json_t *a, json_t *b, bool all, struct diff_row *row)
{
	const char *name;
	json_t *v;
	unsigned n = 0;

	json_object_foreach(a, name, v)
	{
		json_t *w = json_object_get(b, name);
		double x = json_number_value(v), y = json_number_value(w);

		if ((!all && is_detail(name)) || (w && x == y))
			continue;
		row[n++] = (struct diff_row){name, x, y, x != 0 && w ? (y - x) / fabs(x) : INFINITY, true, w != NULL};
	}
	json_object_foreach(b, name, v)
	{
		if ((!all && is_detail(name)) || json_object_get(a, name))
			continue;
		row[n++] = (struct diff_row){name, 0, json_number_value(v), INFINITY, false, true};
	}
	return n;
}

static void print_value(double v, bool present)
{
	if (!present)
		printf(" %16s", "-");
	else if (v == floor(v) && fabs(v) < 1e15)
		printf(" %16.0f", v);
	else
		printf(" %16.6g", v);
}

static void print_rows(const struct diff_row *row, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		printf("  %-36s", row[i].name);
		print_value(row[i].a, row[i].in_a);
		print_value(row[i].b, row[i].in_b);
		if (isinf(row[i].change))
			printf(" %10s\n", !row[i].in_a ? "new" : !row[i].in_b ? "gone" : "from 0");
		else
			printf(" %+9.1f%%\n", 100 * row[i].change);
	}
}

int cli_diff(int argc, char **argv)
{
	struct diff_args args = {0};
	struct err e = {""};
	json_t *owner[2] = {NULL, NULL}, *stats[2] = {NULL, NULL};
	struct diff_row *row = NULL;
	int status = CLI_USAGE;
	unsigned n;

	cli_parse(&argp, argc, argv, &args);
	for (int i = 0; i < 2; i++)
		if (!(stats[i] = load_stats(args.file[i], &owner[i], &e)))
			goto out;
	row = xcalloc(json_object_size(stats[0]) + json_object_size(stats[1]), sizeof *row);
	n = collect(stats[0], stats[1], args.all, row);
	qsort(row, n, sizeof *row, by_change);
	if (n == 0)
		printf("no figure differs\n");
	else
		printf("  %-36s %16.16s %16.16s %10s\n", "figure", "first", "second", "change");
	print_rows(row, n);
	status = n ? CLI_DIFFERS : CLI_OK;
out:
	free(row);
	json_decref(owner[0]);
	json_decref(owner[1]);
	return e.text[0] ? cli_fail(&e) : status;
}
