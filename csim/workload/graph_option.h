/* The options by which workloads on graphs and sparse matrices choose their input: graph, scale, degree and seed.
 *
 * graph=copter2, 4elt or mdual is a file of Debian's libmetis-doc; a text with a '/' or a '.' is a METIS .graph or a
 * MatrixMarket .mtx file of the user's; rmat and uniform are made on the spot: 2^scale vertices, degree/2 * 2^scale
 * undirected edges, of R-MAT with the parameters of Graph500 or with four equal quadrants, which is a uniformly random
 * graph. mesh is what a finite-element matrix couples (graph.h, graph_mesh): at most 2^scale vertices, (degree + 1) /
 * 27 of them at a node.
 */
#ifndef CSIM_WORKLOAD_GRAPH_OPTION_H
#define CSIM_WORKLOAD_GRAPH_OPTION_H

#include "workload/graph.h"
#include "workload/program.h"

struct graph_option {
	const char *name;
	uint64_t max_unpacked; /* as graph_open has it */
	uint32_t scale, degree, seed;
};

/* Reads the four options. At test size rmat with 2^12 vertices of degree 16, by default copter2, as in the papers
 * uniform with 2^20 of degree 6. */
int graph_option_read(struct host *h, struct graph_option *o, struct err *e);

/* The same, with another R-MAT at test size, for what takes longer than one step over each edge. */
int graph_option_read_test(struct host *h, uint32_t scale, uint32_t degree, struct graph_option *o, struct err *e);

/* Reads or makes the graph; it has as many rows as columns. */
int graph_option_open(const struct graph_option *o, struct graph *g, struct err *e);

/* The four rows of a workload's table of options; with the two texts that graph_option_read_test got. */
/* clang-format off */
#define GRAPH_OPTION_ROWS_TEST(scale, degree)                                                                              \
	{"graph", "rmat, uniform, mesh, copter2, 4elt, mdual, or a .graph or .mtx file", "rmat / copter2 / uniform"},            \
	{"scale", "of rmat, uniform, mesh: 2^scale vertices", scale " / 16 / 20"},                                            \
	{"degree", "of rmat, uniform, mesh: the mean, even", degree " / 16 / 6"},                                             \
	{"seed", "of rmat and uniform", "1"}
#define GRAPH_OPTION_ROWS GRAPH_OPTION_ROWS_TEST("12", "16")
/* clang-format on */

#endif
