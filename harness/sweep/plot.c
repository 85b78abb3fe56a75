#include "sweep/plot.h"

#include <math.h>
#include <stdbool.h>

#include <stdio.h>
#include <string.h>

#include "process/gnuplot.h"

enum { WIDEST = 30000 /* points: what viewers and memory bear */ };

static bool begins_group(const struct sweep_table *t, unsigned r)
{
	return r && t->row[r].kind != t->row[r - 1].kind;
}

/* Numbers alone, a line of unknown ones before the means and before what was published. */
static void put_values(const struct sweep_table *t, FILE *to)
{
	fputs("$data << EOD\n", to);
	for (unsigned r = 0; r < t->rows; r++) {
		for (unsigned c = 0; begins_group(t, r) && c < t->columns; c++)
			fputs(c + 1 < t->columns ? "? " : "?\n", to);
		for (unsigned c = 0; c < t->columns; c++)
			if (isfinite(t->row[r].value[c]))
				fprintf(to, "%.9g ", t->row[r].value[c]);
			else
				fputs("? ", to);
		putc('\n', to);
	}
	fputs("EOD\n", to);
}

/* Below each group of bars the row's name. */
static void put_names(const struct sweep_table *t, FILE *to)
{
	unsigned x = 0;

	fputs("set xtics rotate by -40 noenhanced (", to);
	for (unsigned r = 0; r < t->rows; r++, x++) {
		x += begins_group(t, r);
		if (r)
			fputs(", ", to);
		gnuplot_tic(to, t->row[r].name);
		fprintf(to, " %u", x);
	}
	fputs(")\n", to);
}

static bool has_values(const struct sweep_table *t, unsigned column)
{
	for (unsigned r = 0; r < t->rows; r++)
		if (isfinite(t->row[r].value[column]))
			return true;
	return false;
}

static bool is_empty(const struct sweep_table *t)
{
	for (unsigned c = 0; c < t->columns; c++)
		if (has_values(t, c))
			return false;
	return true;
}

static void put_script(const struct sweep_table *t, const char *terminal, FILE *to)
{
	unsigned width = 260 + t->rows * (t->curve ? 26 : 14 * t->columns + 16), n = 0;

	put_values(t, to);
	fprintf(to, "set terminal %s size %u,420 font 'sans,12' background 'white'\nset title ", terminal,
		width < 520	 ? 520
		: width > WIDEST ? WIDEST
				 : width);
	gnuplot_text(to, t->title);
	fputs(" noenhanced\nset ylabel ", to);
	gnuplot_text(to, t->unit);
	fputs(" noenhanced\nset datafile missing '?'\nset grid ytics lc rgb '#dddddd'\nset border 3\nset tics nomirror\n"
	      "set key outside right top noenhanced\nset yrange [0:*]\n",
	      to);
	fputs(t->curve ? "set style data linespoints\n"
		       : "set style data histograms\nset style histogram clustered gap 1\nset style fill solid 0.9 noborder\n",
	      to);
	put_names(t, to);
	fputs("plot ", to);
	for (unsigned c = 0; c < t->columns; c++)
		if (has_values(t, c)) {
			fprintf(to, "%s$data using %u title ", n++ ? ", " : "", c + 1);
			gnuplot_text(to, t->column[c]);
		}
	putc('\n', to);
}

static bool is_png(const char *path)
{
	size_t n = strlen(path);

	return n > 4 && !strcmp(path + n - 4, ".png");
}

int sweep_plot(const struct sweep_table *t, const char *path, struct err *e)
{
	struct output picture;
	FILE *script;

	if (is_empty(t))
		return 0;
	if (output_open(&picture, path, e))
		return -1;
	script = gnuplot_script(e);
	if (!script) {
		output_drop(&picture);
		return -1;
	}
	put_script(t, is_png(path) ? "pngcairo" : "svg", script);
	return gnuplot_draw(script, &picture, e);
}

int sweep_plot_in(const struct sweep_table *t, const char *dir, struct err *e)
{
	char path[4096];

	snprintf(path, sizeof path, "%s/%s.svg", dir, t->id);
	return sweep_plot(t, path, e);
}
