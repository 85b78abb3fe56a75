#include "cli/diff_table.h"

#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/number.h"
#include "base/utf8.h"
#include "session/result.h"

struct diff_row {
	const char *name, *unit;
	double *value;	/* of each run; NAN: it has no such figure */
	double change;	/* the largest of all runs, relative to the first; infinite if a value came, went or was 0 */
	unsigned order; /* of the groups that the table has one after another; see order_of() */
};

struct diff {
	bool all;
	const struct diff_run *run;
	unsigned n, rows;
	struct diff_row *row;
	struct arena arena;
};

static json_t *stats_of(const struct diff_run *r)
{
	return json_object_get(r->whole, "stats");
}

static json_t *units_of(const struct diff_run *r)
{
	return json_object_get(r->whole, "units");
}

/* As it may go to a terminal, whatever a file has for a name. */
static const char *shown(struct diff *d, const char *text)
{
	return utf8_clean(arena_strdup(&d->arena, text));
}

/* ---- comparing ---- */

/* A figure of one SM, channel, scheduler or buffer, which no table prints: it has no unit, not even an empty one.
 * Results of before units were kept are recognised by their names. */
static bool is_detail(const struct diff_run *r, const char *name)
{
	if (units_of(r))
		return !json_object_get(units_of(r), name);
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
		unit = json_string_value(json_object_get(units_of(&d->run[i]), name));
	return unit ? unit : "";
}

/* A headline (result_headlines) has its place there. The others come after: by relative change, the largest first; then
 * those that grew more than a hundredfold, whose first value is too small to compare with; then those without a first
 * value, or of 0. */
enum { ORDER_OTHERS = 1000, ORDER_TINY, ORDER_NO_BASE };
static const double TINY = 100;

static unsigned order_of(const struct diff_row *r)
{
	for (unsigned i = 0; result_headlines[i]; i++)
		if (!strcmp(result_headlines[i], r->name))
			return i;
	return isinf(r->change) ? ORDER_NO_BASE : r->change > TINY ? ORDER_TINY : ORDER_OTHERS;
}

static void compare(struct diff *d, const char *name)
{
	struct diff_row r = {name, unit_of(d, name), arena_array(&d->arena, d->n, sizeof *r.value), 0, 0};

	for (unsigned i = 0; i < d->n; i++) {
		r.value[i] = figure(&d->run[i], name);
		r.change = fmax(r.change, fabs(relative(r.value[0], r.value[i])));
	}
	r.order = order_of(&r);
	if (r.change > 0)
		d->row[d->rows++] = r;
}

static int by_order(const void *x, const void *y)
{
	const struct diff_row *a = x, *b = y;

	if (a->order != b->order)
		return a->order < b->order ? -1 : 1;
	return a->change > b->change ? -1 : a->change < b->change ? 1 : strcmp(a->name, b->name);
}

static void collect(struct diff *d)
{
	const char *name;
	size_t most = 0;
	json_t *v;

	for (unsigned i = 0; i < d->n; i++)
		most += json_object_size(stats_of(&d->run[i]));
	d->row = arena_array(&d->arena, most + 1, sizeof *d->row);
	for (unsigned i = 0; i < d->n; i++) {
		json_object_foreach(stats_of(&d->run[i]), name, v)
		{
			unsigned k = 0;

			while (k < i && !json_object_get(stats_of(&d->run[k]), name))
				k++;
			if (k == i && (d->all || !is_detail(&d->run[i], name)))
				compare(d, name);
		}
	}
	qsort(d->row, d->rows, sizeof *d->row, by_order);
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

	if (!isinf(change) && fabs(change) <= TINY)
		return change == 0 ? "=" : arena_printf(&d->arena, "%+.1f%%", 100 * change);
	if (!isinf(change))
		return arena_printf(&d->arena, "%.0f times", v / base);
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

/* A block whose Verilog drove the model, is not Locus's, or was not found right. */
static bool is_reported(const json_t *b)
{
	return !json_is_true(json_object_get(b, "own")) || json_is_true(json_object_get(b, "drives")) ||
	       json_integer_value(json_object_get(b, "mismatches")) ||
	       json_integer_value(json_object_get(b, "unread_mismatches")) || json_integer_value(json_object_get(b, "assertions"));
}

static const char *text_of(struct diff *d, const json_t *b, const char *key)
{
	const char *text = json_string_value(json_object_get(b, key));

	return shown(d, text ? text : "?");
}

/* Results of before "xxh64" was kept name the user's files alone. */
static void print_blocks(struct diff *d)
{
	static const char *const counts[][2] = {{"mismatches", "steps differ"},
						{"unread_mismatches", "unread outputs differ"},
						{"assertions", "assertions failed"}};
	const json_t *b;
	char number[32];
	size_t k;

	for (unsigned i = 0; i < d->n; i++)
		json_array_foreach(json_object_get(d->run[i].whole, "blocks"), k, b)
		{
			if (!is_reported(b))
				continue;
			printf("  %s: %s in Verilog, mode %s: %s, XXH64 %s", d->run[i].label, text_of(d, b, "block"),
			       text_of(d, b, "mode"), text_of(d, b, "rtl"), text_of(d, b, "xxh64"));
			for (unsigned c = 0; c < sizeof counts / sizeof counts[0]; c++) {
				json_int_t n = json_integer_value(json_object_get(b, counts[c][0]));

				if (n > 0)
					printf(", %s %s", number_commas((uint64_t)n, number), counts[c][1]);
			}
			putchar('\n');
		}
}

unsigned diff_table_print(const struct diff_run *run, unsigned n, bool all)
{
	struct diff d = {.all = all, .run = run, .n = n};

	collect(&d);
	if (d.rows) {
		print_table(&d);
		print_caution(&d);
	} else {
		printf("no figure differs\n");
	}
	print_blocks(&d);
	arena_free(&d.arena);
	return d.rows;
}
