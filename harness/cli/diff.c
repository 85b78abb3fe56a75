/* locus diff BASE.json B.json ...: what changed between results: how much faster each is than the first, then each
 * figure that differs, largest relative change first. */
#include <argp.h>
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "session/result.h"
#include "session/result_file.h"

struct diff_run {
	const char *path, *label; /* label: over its column */
	json_t *whole, *stats, *units;
};

struct diff_row {
	const char *name, *unit;
	double *value; /* of each run; NAN: it has no such figure */
	double change; /* the largest of all runs, relative to the first; infinite if a value came, went or was 0 */
};

struct diff {
	bool all, exit_code;
	struct diff_run *run;
	unsigned n, rows;
	struct diff_row *row;
	struct arena arena;
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
		d->run = xrealloc(d->run, (d->n + 1) * sizeof *d->run);
		d->run[d->n++] = (struct diff_run){.path = arg};
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
	{"all", 'a', NULL, 0, "also list the metrics of single SMs, channels and buffers", 0},
	{"exit-code", 'e', NULL, 0, "status 1 if any figure differs", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"BASE.json B.json...",
	"Compares results of `locus run --json` with the first: how much faster each is, and the metrics that differ, largest "
	"relative change first.\v"
	"Examples:\n  locus run atax --json a.json; locus run atax --l1-index pric --json b.json\n"
	"  locus diff a.json b.json; locus diff --all a.json b.json | head",
	NULL,
	NULL,
	NULL};

/* ---- reading ---- */

static int load(struct diff_run *r, struct err *e)
{
	r->whole = result_file_read(r->path, e);
	r->stats = json_object_get(r->whole, "stats");
	r->units = json_object_get(r->whole, "units");
	return r->whole ? 0 : -1;
}

/* As it may go to a terminal, whatever a file has for a name. */
static const char *shown(struct diff *d, const char *text)
{
	return utf8_clean(arena_strdup(&d->arena, text));
}

static void label_runs(struct diff *d)
{
	const char **path = arena_array(&d->arena, d->n, sizeof *path), **label = arena_array(&d->arena, d->n, sizeof *label);

	for (unsigned i = 0; i < d->n; i++)
		path[i] = d->run[i].path;
	result_file_labels(path, d->n, &d->arena, label);
	for (unsigned i = 0; i < d->n; i++)
		d->run[i].label = label[i];
}

/* ---- comparing ---- */

/* A figure of one SM, channel, scheduler or buffer, which no table prints: it has no unit, not even an empty one.
 * Results of before units were kept are recognised by their names. */
static bool is_detail(const struct diff_run *r, const char *name)
{
	if (r->units)
		return !json_object_get(r->units, name);
	return !strncmp(name, "sm.", 3) || !strncmp(name, "buffer.", 7) || !strncmp(name, "channel.", 8);
}

static double figure(const struct diff_run *r, const char *name)
{
	return result_value(r->whole, name);
}

static double relative(double base, double v)
{
	if (v == base || (isnan(v) && isnan(base)))
		return 0;
	return isnan(v) || isnan(base) || base == 0 ? INFINITY : (v - base) / fabs(base);
}

static const char *unit_of(const struct diff *d, const char *name)
{
	const char *unit = NULL;

	for (unsigned i = 0; i < d->n && !unit; i++)
		unit = json_string_value(json_object_get(d->run[i].units, name));
	return unit ? unit : "";
}

static void compare(struct diff *d, const char *name)
{
	struct diff_row r = {name, unit_of(d, name), arena_array(&d->arena, d->n, sizeof *r.value), 0};

	for (unsigned i = 0; i < d->n; i++) {
		r.value[i] = figure(&d->run[i], name);
		r.change = fmax(r.change, fabs(relative(r.value[0], r.value[i])));
	}
	if (r.change > 0)
		d->row[d->rows++] = r;
}

static int by_change(const void *x, const void *y)
{
	const struct diff_row *a = x, *b = y;

	return a->change > b->change ? -1 : a->change < b->change ? 1 : strcmp(a->name, b->name);
}

static void collect(struct diff *d)
{
	const char *name;
	size_t most = 0;
	json_t *v;

	for (unsigned i = 0; i < d->n; i++)
		most += json_object_size(d->run[i].stats);
	d->row = arena_array(&d->arena, most + 1, sizeof *d->row);
	for (unsigned i = 0; i < d->n; i++) {
		json_object_foreach(d->run[i].stats, name, v)
		{
			unsigned k = 0;

			while (k < i && !json_object_get(d->run[k].stats, name))
				k++;
			if (k == i && (d->all || !is_detail(&d->run[i], name)))
				compare(d, name);
		}
	}
	qsort(d->row, d->rows, sizeof *d->row, by_change);
}

/* ---- printing: name, unit, the first run's value, then value and change of each other ---- */

static const char *value_text(struct diff *d, double v, bool percent)
{
	char text[32];

	if (isnan(v))
		return "-";
	if (percent)
		return arena_printf(&d->arena, "%.4g", 100 * v);
	if (v >= 0 && v == floor(v) && v < 1e15)
		return arena_strdup(&d->arena, number_commas((uint64_t)v, text));
	return arena_printf(&d->arena, "%.6g", v);
}

static const char *change_text(struct diff *d, double base, double v)
{
	double change = relative(base, v);

	if (!isinf(change))
		return change == 0 ? "=" : arena_printf(&d->arena, "%+.1f%%", 100 * change);
	return isnan(base) ? "new" : isnan(v) ? "gone" : "from 0";
}

/* How many times faster than the first: by time, since clocks may differ. False: they do not say. */
static bool speed_up(struct diff *d, const char **cell)
{
	const char *by = isnan(figure(&d->run[0], "time")) ? "cycles" : "time";
	double base = figure(&d->run[0], by);
	bool said = false;

	cell[0] = "speed-up";
	cell[1] = "times";
	cell[2] = "1.000";
	for (unsigned i = 1; i < d->n; i++) {
		double v = figure(&d->run[i], by);

		cell[1 + 2 * i] = base > 0 && v > 0 ? arena_printf(&d->arena, "%.3f", base / v) : "-";
		cell[2 + 2 * i] = "";
		said = said || (base > 0 && v > 0);
	}
	return said;
}

/* Without spaces behind the last cell that says something. */
static void print_line(const char *const *cell, size_t columns, const size_t *width)
{
	while (columns && !cell[columns - 1][0])
		columns--;
	for (size_t c = 0; c < columns; c++)
		printf("  %*s", c < 2 ? -(int)width[c] : (int)width[c], cell[c]);
	putchar('\n');
}

static void titles(struct diff *d, const char **cell)
{
	cell[0] = "metric";
	cell[1] = "unit";
	cell[2] = d->run[0].label;
	for (unsigned i = 1; i < d->n; i++) {
		cell[1 + 2 * i] = d->run[i].label;
		cell[2 + 2 * i] = "change";
	}
}

static void values(struct diff *d, const struct diff_row *r, const char **cell)
{
	bool percent = !strcmp(r->unit, "%");

	cell[0] = shown(d, r->name);
	cell[1] = shown(d, r->unit);
	cell[2] = value_text(d, r->value[0], percent);
	for (unsigned i = 1; i < d->n; i++) {
		cell[1 + 2 * i] = value_text(d, r->value[i], percent);
		cell[2 + 2 * i] = change_text(d, r->value[0], r->value[i]);
	}
}

static void print_table(struct diff *d)
{
	size_t columns = 1 + 2 * (size_t)d->n, lines = 0;
	const char **cell = arena_array(&d->arena, (d->rows + 2) * columns, sizeof *cell);
	size_t *width = arena_array(&d->arena, columns, sizeof *width);

	titles(d, cell + columns * lines++);
	lines += speed_up(d, cell + columns * lines);
	for (unsigned i = 0; i < d->rows; i++)
		values(d, &d->row[i], cell + columns * lines++);
	for (size_t i = 0; i < lines * columns; i++)
		if (strlen(cell[i]) > width[i % columns])
			width[i % columns] = strlen(cell[i]);
	for (size_t i = 0; i < lines; i++)
		print_line(cell + i * columns, columns, width);
}

/* A speed-up says little of runs that did not do the same. */
static void print_caution(const struct diff *d)
{
	double base = figure(&d->run[0], "warp_insts");

	for (unsigned i = 1; i < d->n; i++)
		if (relative(base, figure(&d->run[i], "warp_insts")) != 0) {
			printf("  %s issued other instructions than %s: the speed-up does not compare the same work\n",
			       d->run[i].label, d->run[0].label);
		}
}

int cli_diff(int argc, char **argv)
{
	struct diff d = {0};
	struct err e = {""};
	int failed = 0;

	cli_parse(&argp, argc, argv, &d);
	for (unsigned i = 0; i < d.n && !failed; i++)
		failed = load(&d.run[i], &e);
	if (!failed) {
		label_runs(&d);
		collect(&d);
		if (d.rows) {
			print_table(&d);
			print_caution(&d);
		} else {
			printf("no figure differs\n");
		}
	}
	for (unsigned i = 0; i < d.n; i++)
		json_decref(d.run[i].whole);
	free(d.run);
	arena_free(&d.arena);
	return failed ? cli_fail(&e) : d.exit_code && d.rows ? CLI_DIFFERS : CLI_OK;
}
