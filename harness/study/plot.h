/* A table of a study as a picture by gnuplot: groups of bars, a group a row, a colour a column; or a curve a column. */
#ifndef HARNESS_STUDY_PLOT_H
#define HARNESS_STUDY_PLOT_H

#include "base/err.h"
#include "study/table.h"

/* Writes DIR/ID.svg; nothing for a table without a value. */
int study_plot(const struct study_table *t, const char *dir, struct err *e);

#endif
