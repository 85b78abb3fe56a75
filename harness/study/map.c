#include "study/map.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"

enum { WIDTH = 1200, LEFT = 60, TOP = 60, MOST_COLUMNS = 16384, LINES = 16 };
enum kind { KIND_WHITE, KIND_BLACK, KIND_YELLOW, KIND_RED, KIND_COUNT };
static const char *const colour[KIND_COUNT] = {"#ffffff", "#000000", "#f2c200", "#d01c1c"};

struct draw {
	const struct study_map *map;
	uint64_t pages;	    /* of all arrays */
	uint32_t to_column; /* pages */
	FILE *to;
};

static enum kind kind_of(const struct study_map_array *a, uint32_t page, uint32_t module)
{
	bool estimated = a->estimated[page] >> module & 1, real = a->real[page] >> module & 1;

	return estimated ? (real ? KIND_BLACK : KIND_YELLOW) : real ? KIND_RED : KIND_WHITE;
}

/* The kind that most pages from `page` on have, of as many as a column holds. */
static enum kind column_of(const struct draw *d, const struct study_map_array *a, uint32_t page, uint32_t module)
{
	uint32_t count[KIND_COUNT] = {0};
	enum kind most = KIND_WHITE;

	for (uint32_t i = page; i < page + d->to_column && i < a->n_pages; i++)
		count[kind_of(a, i, module)]++;
	for (int k = 1; k < KIND_COUNT; k++)
		if (count[k] >= count[most])
			most = (enum kind)k;
	return most;
}

/* Runs of one kind along one module's row. */
static void draw_row(const struct draw *d, const struct study_map_array *a, uint64_t before, uint32_t module, enum kind kind)
{
	uint32_t from = 0;
	bool in = false;

	for (uint32_t page = 0;; page += d->to_column) {
		bool now = page < a->n_pages && column_of(d, a, page, module) == kind;

		if (now && !in)
			from = page;
		if (!now && in)
			fprintf(d->to, "M%" PRIu64 " %" PRIu32 "h%" PRIu32 "v1h-%" PRIu32 "z", before + from, module,
				(page < a->n_pages ? page : a->n_pages) - from, (page < a->n_pages ? page : a->n_pages) - from);
		in = now;
		if (page >= a->n_pages)
			return;
	}
}

static void draw_kind(const struct draw *d, enum kind kind)
{
	uint64_t before = 0;

	fprintf(d->to, "<path fill=\"%s\" d=\"", colour[kind]);
	for (uint32_t i = 0; i < d->map->n_arrays; i++) {
		for (uint32_t m = 0; m < d->map->modules; m++)
			draw_row(d, &d->map->array[i], before, m, kind);
		before += d->map->array[i].n_pages;
	}
	fputs("\"/>\n", d->to);
}

/* Text in which XML's own characters may be, and what no XML file may hold. */
static void text(const struct draw *d, const char *s)
{
	char *clean = utf8_clean(xstrdup(s));

	for (const char *p = clean; *p; p++) {
		if (*p == '<' || *p == '&')
			fputs(*p == '<' ? "&lt;" : "&amp;", d->to);
		else
			putc(*p, d->to);
	}
	free(clean);
}

/* Where an array begins, in pixels. */
static double left_of(const struct draw *d, uint32_t array)
{
	uint64_t before = 0;

	for (uint32_t i = 0; i < array; i++)
		before += d->map->array[i].n_pages;
	return LEFT + (double)before / (double)d->pages * WIDTH;
}

/* The line for an array's name: the first in which no earlier name reaches so far. end: by line, where its last name
 * ends. */
static unsigned line_for(const struct draw *d, uint32_t array, double end[LINES])
{
	double x = left_of(d, array);
	unsigned line = 0;

	while (line + 1 < LINES && end[line] > x)
		line++;
	end[line] = x + 8 * (double)(strlen(d->map->array[array].name) + 9);
	return line;
}

static unsigned lines_of(const struct draw *d)
{
	double end[LINES] = {0};
	unsigned most = 0;

	for (uint32_t i = 0; i < d->map->n_arrays; i++) {
		unsigned line = line_for(d, i, end);

		most = line > most ? line : most;
	}
	return most + 1;
}

/* Names below the arrays with how many pages they have, and where they begin. */
static void draw_names(const struct draw *d, unsigned height)
{
	double end[LINES] = {0};

	for (uint32_t i = 0; i < d->map->n_arrays; i++) {
		double x = left_of(d, i);
		unsigned y = TOP + height + 16 + 14 * line_for(d, i, end);

		fprintf(d->to, "<path d=\"M%.2f %uV%u\" stroke=\"#808080\" stroke-width=\"0.5\"/>\n<text x=\"%.2f\" y=\"%u\">", x,
			TOP, y, x + 3, y);
		text(d, d->map->array[i].name);
		fprintf(d->to, " (%" PRIu32 ")</text>\n", d->map->array[i].n_pages);
	}
}

static void draw_key(const struct draw *d)
{
	static const char *const words[KIND_COUNT] = {"neither", "estimated and touched", "estimated only", "touched only"};
	unsigned x = LEFT;

	for (int k = 0; k < KIND_COUNT; k++) {
		fprintf(d->to,
			"<rect x=\"%u\" y=\"32\" width=\"12\" height=\"12\" fill=\"%s\" stroke=\"#808080\" "
			"stroke-width=\"0.5\"/><text x=\"%u\" y=\"43\">%s</text>\n",
			x, colour[k], x + 18, words[k]);
		x += 30 + 8 * (unsigned)strlen(words[k]);
	}
}

void study_map_write(const struct study_map *m, FILE *to)
{
	unsigned row = m->modules > 16 ? 10 : 20, height = row * m->modules;
	struct draw d = {.map = m, .to = to};

	for (uint32_t i = 0; i < m->n_arrays; i++)
		d.pages += m->array[i].n_pages;
	d.to_column = (uint32_t)((d.pages + MOST_COLUMNS - 1) / MOST_COLUMNS);
	d.to_column = d.to_column ? d.to_column : 1;
	fprintf(to,
		"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" font-family=\"sans-serif\" "
		"font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n<text x=\"%u\" y=\"20\" "
		"font-size=\"14\">",
		LEFT + WIDTH + 150, TOP + height + 16 + 14 * lines_of(&d), LEFT);
	text(&d, m->title);
	fputs("</text>\n", to);
	draw_key(&d);
	fprintf(to, "<g transform=\"translate(%u %u) scale(%.8f %u)\">\n", LEFT, TOP, d.pages ? WIDTH / (double)d.pages : 1, row);
	for (int k = KIND_BLACK; k < KIND_COUNT; k++)
		draw_kind(&d, (enum kind)k);
	fprintf(to, "</g>\n<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" fill=\"none\" stroke=\"#808080\"/>\n", LEFT, TOP,
		WIDTH, height);
	draw_names(&d, height);
	for (uint32_t k = 0; k<m->modules; k += m->modules> 16 ? 4 : 1)
		fprintf(to, "<text x=\"%u\" y=\"%u\" text-anchor=\"end\">%" PRIu32 "</text>\n", LEFT - 6, TOP + row * k + row - 1,
			k);
	fprintf(to, "<text x=\"14\" y=\"%u\" transform=\"rotate(-90 14 %u)\" text-anchor=\"middle\">module</text>\n",
		TOP + height / 2, TOP + height / 2);
	fputs("</svg>\n", to);
}
