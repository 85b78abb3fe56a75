/* Reader sets of a launch: its data, put together by which CTAs read it.
 *
 * Two elements belong to one set if exactly the same CTAs read them. A matrix product of n x n CTAs has 2n sets of n
 * CTAs however large the matrices are. Elements that one CTA alone reads are only counted.
 */
#ifndef CSIM_LOCALITY_READER_SETS_H
#define CSIM_LOCALITY_READER_SETS_H

#include "affine/affine.h"
#include "trace/trace.h"

enum { LOCALITY_LINE = 128 };

struct locality_source {
	struct trace *trace;
	const struct affine_launch *const *analysis; /* by launch; NULL: the program came without PTX */
};

struct locality_readers {
	uint32_t n_ctas, n_sets;
	uint64_t *first;  /* n_sets + 1: into cta */
	uint32_t *cta;	  /* ascending in a set; two or more */
	uint64_t *weight; /* of a set: its elements, or lines */
	uint64_t alone;	  /* elements that one CTA reads */
	/* Loads in the kernel's text. exact: the addresses that are read are known before the launch. possible: all
	 * that may be read is known, and counts as read (affine/spans.h). open: not known before the launch; they make
	 * no edges. From a trace all are exact. */
	struct locality_loads {
		uint32_t exact, possible, open;
	} loads;
};

/* What each CTA was recorded to read; what it reads by its PTX. Freed with locality_readers_free. lines: in lines of
 * 128 bytes. */
int locality_readers_trace(struct locality_readers *r, const struct locality_source *from, uint32_t launch, bool lines,
			   struct err *e);
int locality_readers_static(struct locality_readers *r, const struct locality_source *from, uint32_t launch, bool lines,
			    struct err *e);
void locality_readers_free(struct locality_readers *r);

#endif
