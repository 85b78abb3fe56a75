/* The adjacency matrix of a locality graph as a picture, as PAVER's Figure 5 has it: CTAs along both axes, a point for
 * each pair that shares, the darker the more it shares. */
#ifndef HARNESS_CLI_GRAPH_PICTURE_H
#define HARNESS_CLI_GRAPH_PICTURE_H

#include "locality/locality.h"
#include "process/output.h"

/* By gnuplot, as the name of the file ends: .svg or .png. Of more than PICTURE_CELLS CTAs, several share a cell of the
 * picture, which then has the colour of the heaviest edge within. */
enum { PICTURE_CELLS = 400 };
int graph_picture_check(const char *path, struct err *e); /* before any work is done */
int graph_picture(const struct locality_graph *g, const char *title, struct output *picture, struct err *e);

#endif
