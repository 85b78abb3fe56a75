/* A locality graph as a file for METIS's programs (gpmetis, graphchk) and whoever else reads its format.
 *
 * Source: METIS 5.1.0 manual, section 4.1.1: a line with the numbers of vertices and edges and the format 001 (edges
 * have weights), then a line for each vertex with its neighbours, counted from 1, each followed by the weight of the
 * edge. */
#ifndef CSIM_LOCALITY_LOCALITY_METIS_H
#define CSIM_LOCALITY_LOCALITY_METIS_H

#include <stdio.h>

#include "locality/locality.h"

/* comment: is in a line of its own at the top, after "% ". Whether all could be written is for the caller to ask of
 * `to`. */
void locality_metis_write(const struct locality_graph *g, const char *comment, FILE *to);

#endif
