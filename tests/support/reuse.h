/* A made-up program of warps that each read lines of their own, again and again.
 *
 * A warp reads its `lines` lines in a circle, each load waiting for the one before it and for `adds` additions. So
 * warps whose lines fit into an L1 together hit from the second time round, and in a fully associative one under LRU
 * whatever is read in a circle of more lines never hits. */
#ifndef TESTS_SUPPORT_REUSE_H
#define TESTS_SUPPORT_REUSE_H

#include "trace/trace.h"

struct reuse {
	unsigned launches, kernels; /* launch i is of kernel i mod kernels */
	unsigned ctas, warps;	    /* of a launch, of a CTA */
	unsigned lines, loads;	    /* of a warp */
	unsigned adds;		    /* between two loads */
	bool meet;		    /* all warps of a CTA at a barrier before each load */
};

struct trace *reuse_record(const struct reuse *r);

#endif
