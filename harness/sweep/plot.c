#include "sweep/plot.h"

#include <math.h>
#include <stdbool.h>

#include <stdio.h>
#include <string.h>

#include "process/gnuplot.h"

enum { WIDEST = 30000 /* points: what viewers and memory bear */ };

static unsigned stacks_of(const struct sweep_table *t)
{
	return t->stack ? (t->columns - t->stack_first) / t->stack : 0;
}

static bool is_wanted(const struct sweep_table *t, unsigned column)
{
	if (t->stack)
		return column >= t->stack_first && column < t->stack_first + stacks_of(t) * t->stack;
	return !(t->left_out >> column & 1);
}

static bool is_drawn(const struct sweep_table *t, unsigned column)
{
	for (unsigned r = 0; r < t->rows && is_wanted(t, column); r++)
		if (isfinite(t->row[r].value[column]))
			return true;
	return false;
}

static bool has_bars(const struct sweep_table *t, const struct sweep_row *row)
{
	for (unsigned c = 0; c < t->columns; c++)
		if (is_wanted(t, c) && isfinite(row->value[c]))
			return true;
	return false;
}

/* The rows that have something to show, in order, as a walk: r goes from one to the next, x is the place of its bars.
 * Means, and what was published, stand apart from what is before them. */
struct walk {
	unsigned r, x, n;
	bool parted; /* there is a place that is left free before this one */
	enum sweep_row_kind kind;
};

static bool next_row(const struct sweep_table *t, struct walk *w)
{
	unsigned r = w->n ? w->r + 1 : 0;

	while (r < t->rows && !has_bars(t, &t->row[r]))
		r++;
	if (r == t->rows)
		return false;
	w->parted = w->n && t->row[r].kind != w->kind;
	w->x = w->n ? w->x + 1 + w->parted : 0;
	w->kind = t->row[r].kind;
	w->r = r;
	w->n++;
	return true;
}

static unsigned columns_drawn(const struct sweep_table *t)
{
	unsigned n = 0;

	for (unsigned c = 0; c < t->columns; c++)
		n += is_drawn(t, c);
	return n;
}

/* Bars of a row. */
static unsigned bars_of(const struct sweep_table *t)
{
	return t->stack ? stacks_of(t) : columns_drawn(t);
}

/* Numbers alone, a line of unknown ones for a place that is left free. */
static void put_values(const struct sweep_table *t, FILE *to)
{
	struct walk w = {0};

	fputs("$data << EOD\n", to);
	while (next_row(t, &w)) {
		for (unsigned c = 0; w.parted && c < t->columns; c++)
			fputs(c + 1 < t->columns ? "? " : "?\n", to);
		for (unsigned c = 0; c < t->columns; c++)
			if (isfinite(t->row[w.r].value[c]))
				fprintf(to, "%.9g ", t->row[w.r].value[c]);
			else
				fputs("? ", to);
		putc('\n', to);
	}
	fputs("EOD\n", to);
}

/* Below each group of bars the row's name. */
static void put_names(const struct sweep_table *t, FILE *to)
{
	struct walk w = {0};

	fputs("set xtics rotate by -40 noenhanced (", to);
	while (next_row(t, &w)) {
		if (w.n > 1)
			fputs(", ", to);
		gnuplot_tic(to, t->row[w.r].name);
		fprintf(to, " %u", w.x);
	}
	fprintf(to, ")\nset xrange [-0.7:%u.7]\n", w.x);
}

/* ---- stacks ---- */

/* A block of boxes for part i of the stacks: left, right, bottom, top. */
static void put_part(const struct sweep_table *t, unsigned part, FILE *to)
{
	unsigned n = stacks_of(t);
	double wide = 0.8 / n;
	struct walk w = {0};

	fprintf(to, "$part%u << EOD\n-9 -9 0 0\n", part); /* one at least, out of sight */
	while (next_row(t, &w))
		for (unsigned k = 0; k < n; k++) {
			const double *v = &t->row[w.r].value[t->stack_first + k * t->stack];
			double below = 0, left = w.x - 0.4 + k * wide;

			for (unsigned c = 0; c < part; c++)
				below += isfinite(v[c]) ? v[c] : 0;
			if (isfinite(v[part]))
				fprintf(to, "%.9g %.9g %.9g %.9g\n", left, left + 0.92 * wide, below, below + v[part]);
		}
	fputs("EOD\n", to);
}

static void put_stacks(const struct sweep_table *t, FILE *to)
{
	for (unsigned c = 0; c < t->stack; c++)
		put_part(t, c, to);
	fputs("set style fill solid 1 noborder\nplot ", to);
	for (unsigned c = 0; c < t->stack; c++) {
		fprintf(to, "%s$part%u using (($1+$2)/2):(($3+$4)/2):1:2:3:4 with boxxyerror lc %u title ", c ? ", " : "", c,
			c + 1);
		gnuplot_text(to, t->column[t->stack_first + c]);
	}
	putc('\n', to);
}

/* ---- bars and curves ---- */

static void put_columns(const struct sweep_table *t, FILE *to)
{
	unsigned n = 0;

	put_values(t, to);
	fputs(t->curve ? "set style data linespoints\n"
		       : "set style data histograms\nset style histogram clustered gap 1\nset style fill solid 1 noborder\n",
	      to);
	/* What is as fast as before is at 1. */
	if (!strncmp(t->unit, "speed-up", 8))
		fputs("set arrow from graph 0, first 1 to graph 1, first 1 nohead lc rgb '#57606a' dt 2 back\n", to);
	fputs("plot ", to);
	for (unsigned c = 0; c < t->columns; c++)
		if (is_drawn(t, c)) {
			fprintf(to, "%s$data using %u title ", n++ ? ", " : "", c + 1);
			gnuplot_text(to, t->column[c]);
		}
	putc('\n', to);
}

/* As wide as a page if bars of some pixels go into it. */
static unsigned width_of(const struct sweep_table *t)
{
	enum { PAGE = 960, EDGE = 110, NARROW = 3, WIDE = 14 };
	unsigned bars = bars_of(t) + 1, bar, width;

	if (t->curve)
		return PAGE;
	bar = (PAGE - EDGE) / ((t->rows + 2) * bars);
	bar = bar < NARROW ? NARROW : bar > WIDE ? WIDE : bar;
	width = EDGE + (t->rows + 2) * bars * bar;
	return width < PAGE / 2 ? PAGE / 2 : width > WIDEST ? WIDEST : width;
}

/* What is above the names, and these, which go down at 40 degrees. */
static unsigned height_of(const struct sweep_table *t)
{
	size_t longest = 0;
	struct walk w = {0};

	while (next_row(t, &w))
		longest = strlen(t->row[w.r].name) > longest ? strlen(t->row[w.r].name) : longest;
	return 370 + 4 * (unsigned)(longest < 80 ? longest : 80);
}

int sweep_plot(const struct sweep_table *t, const char *path, struct err *e)
{
	struct output picture;
	FILE *script;

	if (!columns_drawn(t))
		return 0;
	if (output_open(&picture, path, e))
		return -1;
	script = gnuplot_script(path, width_of(t), height_of(t), t->title, e);
	if (!script) {
		output_drop(&picture);
		return -1;
	}
	fputs("set datafile missing '?'\nset yrange [0:*]\nset key outside top left horizontal Left reverse noenhanced samplen "
	      "1.2\n"
	      "set ylabel ",
	      script);
	gnuplot_text(script, t->unit);
	fputs(" noenhanced\n", script);
	put_names(t, script);
	if (t->stack)
		put_stacks(t, script);
	else
		put_columns(t, script);
	return gnuplot_draw(script, &picture, e);
}

int sweep_plot_in(const struct sweep_table *t, const char *dir, struct err *e)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s.svg", dir, t->id);
	return sweep_plot(t, path, e);
}
