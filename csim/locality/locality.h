/* The locality graph of a launch: which CTAs read the same data, and how much of it.
 *
 * Vertices are CTAs; the weight of (i, j) is the number of data references common to both: elements of arrays (or lines
 * of 128 bytes) that each of them loads at least once from global memory or through a texture. Stores and atomics make
 * no edges. An element is as wide as the narrowest load of its buffer in that launch.
 *
 * Built in two steps. First every element is put with the others that exactly the same CTAs read: a *reader set*, whose
 * weight is the number of its elements (locality/reader_sets.h). Then a CTA's edges are the sum over the sets that it
 * is in. A set of k CTAs costs k * k steps. Sets of more than `cap` CTAs are not made into cliques: they join
 * consecutive readers only (in the order of CTA ids), k - 1 edges of the set's weight. A group cut out of such a chain
 * loses one reference each time the chain is cut, which is what the additional fetch costs. If there would still be
 * more than LOCALITY_EDGES edges, the cap is halved until there are not.
 *
 * SpScore and the counts of references (locality_score) come from the sets themselves: the cap does not touch them.
 *
 * Source: PAVER (paver.txt), sections 3.2 and 3.3, Table 2.
 */
#ifndef CSIM_LOCALITY_LOCALITY_H
#define CSIM_LOCALITY_LOCALITY_H

#include "locality/reader_sets.h"

enum { LOCALITY_CAP = 256, LOCALITY_EDGES = 40000000 /* (i, j) and (j, i) count as two */ };

struct locality_options {
	bool from_trace; /* what was executed; else what follows from the PTX alone */
	bool lines;	 /* count lines of 128 bytes, not elements */
	uint32_t cap;	 /* 0: LOCALITY_CAP */
};

/* Compressed rows: CTA i's neighbours are to[first[i]] .. to[first[i + 1] - 1], ascending, without i itself.
 * Symmetric. */
struct locality_graph {
	uint32_t n;
	uint64_t *first;       /* n + 1 */
	uint32_t *to, *weight; /* weight: at least 1, at most INT32_MAX (where it stays: METIS reads 32 bits) */
	uint32_t cap;	       /* that was in force in the end */
};

/* The graph is in `a`. Fails if the trace cannot be read, or if the program came without PTX and from_trace is
 * false. */
int locality_graph_make(struct locality_graph *g, const struct locality_source *from, uint32_t launch,
			const struct locality_options *o, struct arena *a, struct err *e);

/* The second step alone. cap 0: LOCALITY_CAP. */
void locality_graph_of(struct locality_graph *g, const struct locality_readers *r, uint32_t cap, struct arena *a);

/* What Table 2 says of a launch; exact. */
struct locality_score {
	uint32_t ctas, sharing;			/* sharing: read at least one element that another CTA reads ("Shared
						 * TB") */
	uint64_t elements, shared_elements;	/* that are read at all; by two CTAs or more */
	uint64_t references, shared_references; /* likewise, counted once for each CTA that reads it */
	uint64_t pairs;				/* ordered pairs of different CTAs that share */
	double sp_score;			/* 1 - pairs / ctas^2 */
};
void locality_score(struct locality_score *s, const struct locality_readers *r);

#endif
