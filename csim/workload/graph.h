/* Sparse graphs and matrices in compressed rows, as kernels want them.
 *
 * Vertices count from 0. Row v's entries are col[rowptr[v]] .. col[rowptr[v + 1]), in ascending column; an undirected
 * edge is in both rows. Errors name file and line. Files may be compressed by gzip.
 */
#ifndef CSIM_WORKLOAD_GRAPH_H
#define CSIM_WORKLOAD_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

struct graph {
	uint32_t n_rows, n_cols; /* vertices: both are the same for a graph */
	uint32_t n_entries;	 /* of col[]; an undirected edge counts twice */
	uint32_t *rowptr, *col;	 /* n_rows + 1 and n_entries elements */
	float *weight;		 /* n_entries elements, or NULL when the file has none */
};

/* Reads a METIS graph (.graph) or a MatrixMarket matrix (.mtx: coordinate, general or symmetric, real, integer or
 * pattern); the latter is recognised by its first line. A METIS vertex weight or size is skipped. max_unpacked: bytes
 * that a file compressed by gzip unpacks to at most; 0: INFILE_UNPACKED. */
int graph_open(struct graph *g, const char *path, uint64_t max_unpacked, struct err *e);
void graph_free(struct graph *g);

/* R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004): 2^scale vertices and edge_factor * 2^scale edges, each put into a
 * quadrant of the matrix with probability a, b, c, 1-a-b-c, `scale` times. Repeated edges and loops are kept; vertices
 * are not permuted. */
struct rmat {
	uint32_t scale;	      /* 1 .. 26 */
	uint32_t edge_factor; /* >= 1 */
	double a, b, c;	      /* Graph500: 0.57 0.19 0.19 */
	uint64_t seed;
	bool undirected; /* also the reverse of each edge */
};
int graph_rmat(struct graph *g, const struct rmat *p, struct err *e);

/* What a finite-element program's matrix couples: `side` nodes along each edge of a cube of hexahedra, `unknowns` at
 * each node, those of a node one after the other, nodes x first. A vertex is an unknown; its neighbours are the other
 * unknowns of its node and all of the up to 26 nodes around it. side and unknowns >= 1. */
int graph_mesh(struct graph *g, uint32_t side, uint32_t unknowns, struct err *e);

/* From n entries (row, col[, weight]) in any order; the arrays stay the caller's. weight may be NULL. */
void graph_from_entries(struct graph *g, uint32_t n_rows, uint32_t n_cols, uint32_t n, const uint32_t *row, const uint32_t *col,
			const float *weight);

/* Makes g the simple undirected graph on the same vertices: each edge is in both rows, once; loops and weights go. */
void graph_make_simple(struct graph *g);

#endif
