/* A table as a picture by gnuplot: groups of bars, a group a row, a colour a column; or a curve a column. */
#ifndef HARNESS_SWEEP_PLOT_H
#define HARNESS_SWEEP_PLOT_H

#include "base/err.h"
#include "sweep/table.h"

/* Writes the file: PNG if its name ends in .png, else SVG. Nothing for a table without a value. */
int sweep_plot(const struct sweep_table *t, const char *path, struct err *e);

/* DIR/ID.svg. */
int sweep_plot_in(const struct sweep_table *t, const char *dir, struct err *e);

#endif
