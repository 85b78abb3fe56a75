#include "cli/graph_picture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "process/gnuplot.h"

static bool ends_in(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n > m && !strcmp(s + n - m, suffix);
}

int graph_picture_check(const char *path, struct err *e)
{
	if (!ends_in(path, ".svg") && !ends_in(path, ".png"))
		return err_set(e, "--picture %s: must end in .svg or .png", path);
	return 0;
}

/* The heaviest edge of each cell, row by row. */
static uint32_t *make_cells(const struct locality_graph *g, uint32_t n)
{
	uint32_t *cell = xcalloc((size_t)n * n, sizeof *cell);

	for (uint32_t i = 0; i < g->n; i++) {
		for (uint64_t k = g->first[i]; k < g->first[i + 1]; k++) {
			uint32_t *at = &cell[(uint64_t)i * n / g->n * n + (uint64_t)g->to[k] * n / g->n];

			*at = g->weight[k] > *at ? g->weight[k] : *at;
		}
	}
	return cell;
}

/* The cells that are not empty as lines "x y weight", in CTAs: the first of each cell. */
static void put_cells(const struct locality_graph *g, const uint32_t *cell, uint32_t n, FILE *to)
{
	double a_cell = (double)g->n / n;

	fputs("$edges << EOD\n", to);
	for (uint32_t y = 0; y < n; y++)
		for (uint32_t x = 0; x < n; x++)
			if (cell[(size_t)y * n + x])
				fprintf(to, "%.6g %.6g %u\n", x * a_cell, y * a_cell, cell[(size_t)y * n + x]);
	fprintf(to, "EOD\na=%.9g\n", 1.03 * a_cell); /* overlapping: no seams between neighbours */
}

int graph_picture(const struct locality_graph *g, const char *title, struct output *picture, struct err *e)
{
	uint32_t n = g->n < PICTURE_CELLS ? g->n : PICTURE_CELLS, *cell;
	FILE *to;

	if (!g->first[g->n])
		return err_set(e, "--picture %s: the graph has no edge to show", picture->path);
	to = gnuplot_script(picture->path, 820, 680, title, e);
	if (!to)
		return -1;
	cell = make_cells(g, n);
	put_cells(g, cell, n, to);
	free(cell);
	fprintf(to,
		"unset grid\nset border 15\nset xlabel 'CTA'\nset ylabel 'CTA'\nset cblabel 'shared data references' offset 1,0\n"
		"set size square\nset xrange [0:%u]\nset yrange [%u:0]\nset tics out nomirror\nset cbrange [0:*]\n"
		"set palette defined (0 '#c6dbef', 1 '#4292c6', 2 '#08306b')\nunset key\n"
		"plot $edges using 1:2:1:($1+a):2:($2+a):3 with boxxyerror fillstyle solid 1 noborder linecolor palette\n",
		g->n, g->n);
	return gnuplot_draw(to, picture, e);
}
