/* A figure or table of a paper as numbers: a row a workload, a column a variant; then means; then what the paper
 * printed.
 *
 * Printed as an aligned Markdown table, which is also what the docs keep; written as CSV, JSON, and an SVG of grouped
 * bars by gnuplot. NAN is a value that is not there, printed as "-".
 */
#ifndef HARNESS_STUDY_TABLE_H
#define HARNESS_STUDY_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"

enum study_row_kind { STUDY_MEASURED, STUDY_MEAN, STUDY_PUBLISHED };
enum study_mean { STUDY_ARITHMETIC, STUDY_GEOMETRIC, STUDY_HARMONIC };
enum { STUDY_MAX_COLUMNS = 16 };

struct study_row {
	const char *name, *group; /* group: NULL, or what the table's was when it was added */
	enum study_row_kind kind;
	double value[STUDY_MAX_COLUMNS];
};

struct study_table {
	struct arena *arena;
	const char *id;	   /* "figure-8": of its files */
	const char *title; /* "Figure 8: speed-up over FGP-Only" */
	const char *first; /* heading of the first column */
	const char *unit;  /* of the values, for the plot's axis */
	const char *column[STUDY_MAX_COLUMNS];
	unsigned columns, rows, room;
	unsigned decimals;
	unsigned digits;   /* in place of decimals, where columns differ in their units; 0: none */
	const char *group; /* of rows that are added from now on: a category of workloads */
	bool curve;	   /* drawn as a line a column over the rows, which are numbers in order; else as bars */
	struct study_row *row;
};

/* columns: names, ended by NULL. */
void study_table_init(struct study_table *t, struct arena *a, const char *id, const char *title, const char *first,
		      const char *unit, const char *const *columns);

/* The values of a new row, to be filled in; NAN until then. */
double *study_table_row(struct study_table *t, enum study_row_kind kind, const char *name);

/* A row of means over the measured rows whose group begins with `group` (NULL: over all), of those that have a value in
 * the column. */
const double *study_table_mean(struct study_table *t, enum study_mean how, const char *name, const char *group);

void study_table_print(const struct study_table *t, FILE *to);
/* DIR/ID.csv, .json and .svg. */
int study_table_save(const struct study_table *t, const char *dir, struct err *e);

#endif
