#include "study/plot.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

/* gnuplot's quotes: a " or \ within would end or bend them; no name of ours has one. */
static void bars(const struct study_table *t, FILE *to)
{
	fputs("$data << EOD\n", to);
	for (unsigned r = 0; r < t->rows; r++) {
		if (r && t->row[r].kind != t->row[r - 1].kind) { /* a gap before the means and before what was published */
			fputs("\" \"", to);
			for (unsigned c = 0; c < t->columns; c++)
				fputs(" ?", to);
			putc('\n', to);
		}
		fprintf(to, "\"%s\"", t->row[r].name);
		for (unsigned c = 0; c < t->columns; c++)
			if (isfinite(t->row[r].value[c]))
				fprintf(to, " %.9g", t->row[r].value[c]);
			else
				fputs(" ?", to);
		putc('\n', to);
	}
	fputs("EOD\n", to);
}

static bool has_values(const struct study_table *t, unsigned column)
{
	for (unsigned r = 0; r < t->rows; r++)
		if (isfinite(t->row[r].value[column]))
			return true;
	return false;
}

static bool is_empty(const struct study_table *t)
{
	for (unsigned c = 0; c < t->columns; c++)
		if (has_values(t, c))
			return false;
	return true;
}

int study_plot(const struct study_table *t, const char *dir, struct err *e)
{
	unsigned width = 260 + t->rows * (14 * t->columns + 16);
	unsigned n = 0;
	FILE *g;

	if (is_empty(t))
		return 0;
	g = popen("gnuplot", "w");
	if (!g)
		return err_set(e, "gnuplot cannot be run: %s (make setup installs what is missing)", strerror(errno));
	bars(t, g);
	fprintf(g,
		"set terminal svg size %u,420 font 'sans,12' background 'white'\nset output \"%s/%s.svg\"\n"
		"set title \"%s\" noenhanced\nset ylabel \"%s\" noenhanced\n"
		"set datafile missing '?'\nset style data histograms\nset style histogram clustered gap 1\n"
		"set style fill solid 0.9 noborder\nset grid ytics lc rgb '#dddddd'\nset border 3\nset tics nomirror\n"
		"set xtics rotate by -40 noenhanced\nset key outside right top noenhanced\nset yrange [0:*]\nplot ",
		width < 520 ? 520 : width, dir, t->id, t->title, t->unit);
	for (unsigned c = 0; c < t->columns; c++)
		if (has_values(t, c))
			fprintf(g, "%s$data using %u:xtic(1) title \"%s\"", n++ ? ", " : "", c + 2, t->column[c]);
	putc('\n', g);
	return pclose(g) == 0 ? 0 : err_set(e, "%s/%s.svg: gnuplot failed", dir, t->id);
}
