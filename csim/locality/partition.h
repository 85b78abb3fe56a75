/* Cuts of a locality graph: orders and parts of its CTAs that keep together what shares data.
 *
 * METIS does the partitioning, with a fixed seed, so that a graph always gets the same parts. Vertices weigh the same.
 * METIS sums edge weights in 32 bits: where the weights of a graph would sum to more than 2^30 all are divided, to 1 at
 * least. Where there is nothing to gain (no edges) or nothing to choose (as many parts as CTAs) METIS is not asked, and
 * consecutive CTAs stay together.
 *
 * Vertices are a list of CTA numbers, ascending: the part of the graph between them is what is cut. Lists are changed
 * in position.
 *
 * Source: PAVER (paver.txt), section 4; METIS 5.1: Karypis and Kumar.
 */
#ifndef CSIM_LOCALITY_PARTITION_H
#define CSIM_LOCALITY_PARTITION_H

#include "base/err.h"
#include "locality/locality.h"

/* The order in which Prim's algorithm adds the vertices to a maximum spanning tree: the first is the lowest, each next
 * one has the heaviest edge to any that is before it, the lowest of equals. Where none has an edge the lowest that is
 * left is next. */
void partition_prim(const struct locality_graph *g, uint32_t *v, uint32_t n);

/* Into k parts of about the same size with little weight between them; v is sorted by part, ascending within each;
 * first: k + 1 entries, part i is v[first[i]] .. v[first[i + 1] - 1]. Parts may be empty if n < k, or as METIS has
 * it. */
int partition_kway(const struct locality_graph *g, uint32_t *v, uint32_t n, uint32_t k, uint32_t *first, struct err *e);

/* Halves, which differ by one vertex at most, and halves of these, until a part has at most `most` vertices (>= 1); v
 * is sorted by part, left before right, ascending within each. first has room for n + 1 entries. Returns the number of
 * parts, which are never empty; -1 on an error. */
int64_t partition_bisect(const struct locality_graph *g, uint32_t *v, uint32_t n, uint32_t most, uint32_t *first, struct err *e);

/* Weight of the edges between different parts, each edge counted once. */
uint64_t partition_cut(const struct locality_graph *g, const uint32_t *v, uint32_t parts, const uint32_t *first);

#endif
