/* A figure or table of a paper as numbers: a row a workload, a column a variant; then means; then what the paper
 * printed.
 *
 * Printed as an aligned Markdown table, which is also what the docs keep; written as CSV, JSON, and an SVG of grouped
 * bars by gnuplot. NAN is a value that is not there, printed as "-".
 */
#ifndef HARNESS_SWEEP_TABLE_H
#define HARNESS_SWEEP_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"

enum sweep_row_kind { SWEEP_MEASURED, SWEEP_MEAN, SWEEP_PUBLISHED };
enum sweep_mean { SWEEP_ARITHMETIC, SWEEP_GEOMETRIC, SWEEP_HARMONIC };
enum { SWEEP_MAX_COLUMNS = 64 };

struct json_t;

struct sweep_row {
	const char *name, *group; /* group: NULL, or what the table's was when it was added */
	enum sweep_row_kind kind;
	double value[SWEEP_MAX_COLUMNS];
};

struct sweep_table {
	struct arena *arena;
	const char *id;	   /* "figure-8": of its files */
	const char *title; /* "Figure 8: speed-up over FGP-Only" */
	const char *first; /* heading of the first column */
	const char *unit;  /* of the values, for the plot's axis */
	const char *note;  /* a line under the printed table; NULL: none */
	const char *column[SWEEP_MAX_COLUMNS];
	unsigned columns, rows, room;
	unsigned decimals;
	unsigned digits;   /* in place of decimals, where columns differ in their units; 0: none */
	const char *group; /* of rows that are added from now on: a category of workloads */
	bool curve;	   /* drawn as a line a column over the rows, which are numbers in order; else as bars */
	/* The picture: so many columns from stack_first on are parts of a whole, drawn on one another, and the next so
	 * many once more, in a bar beside; 0: each has a bar. Columns of another unit are left out, a bit each. */
	unsigned stack, stack_first;
	uint64_t left_out;
	struct sweep_row *row;
};

/* columns: names, ended by NULL. */
void sweep_table_init(struct sweep_table *t, struct arena *a, const char *id, const char *title, const char *first,
		      const char *unit, const char *const *columns);

/* The values of a new row, to be filled in; NAN until then. */
double *sweep_table_row(struct sweep_table *t, enum sweep_row_kind kind, const char *name);

/* A row of means over the measured rows whose group begins with `group` (NULL: over all), of those that have a value in
 * the column. */
const double *sweep_table_mean(struct sweep_table *t, enum sweep_mean how, const char *name, const char *group);

void sweep_table_print(const struct sweep_table *t, FILE *to);

/* {"id", "title", "unit", "columns": [...], "rows": [{"name", "kind", "values": [...]}]}; null is no value. */
struct json_t *sweep_table_json(const struct sweep_table *t);

/* A field of CSV, in double quotes (RFC 4180); within them one is two. */
void sweep_csv_text(const char *text, FILE *to);

/* DIR/ID.csv, .json and .svg. */
int sweep_table_save(const struct sweep_table *t, const char *dir, struct err *e);

#endif
