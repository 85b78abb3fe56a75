/* Strata: the launches of a trace in groups of which a few can stand for all, by what the trace says of each.
 *
 * Alike are launches of one kernel with CTAs of one shape, of which a warp instruction accesses about as many lines of
 * global memory (within a factor of two, as some CTAs of each launch show), and whose warp instructions are within
 * STRATA_SPAN of one another; a stratum of fewer than STRATA_LEAST goes on up to the next larger launches. The first
 * launch of each kernel, which finds the caches without its data, is a stratum by itself.
 *
 * Source: Naderan-Tahan, SeyyedAghaei, Eeckhout, "Sieve" (ISPASS 2023): strata by kernel and instruction count;
 * Baddouh et al., "Principal Kernel Analysis" (MICRO 2021): which features tell kernels apart. The order within a
 * stratum is random (strata_shuffle), so that the first n of it are a simple random sample, for any n.
 */
#ifndef CSIM_SAMPLE_STRATA_H
#define CSIM_SAMPLE_STRATA_H

#include "base/arena.h"
#include "base/err.h"
#include "trace/trace.h"

#define STRATA_SPAN 1.25
enum { STRATA_LEAST = 6, STRATA_CTAS = 4 /* of a launch that are looked at */, STRATA_LINE = 128 };

struct stratum {
	uint32_t kernel;
	uint32_t first, n;    /* its launches are strata.launch[first .. first + n) */
	uint64_t least, most; /* warp instructions of a launch */
	uint64_t warp_insts;  /* of all */
};

struct strata {
	struct stratum *stratum;
	uint32_t n;
	uint32_t *launch; /* of the trace, by stratum */
	uint64_t *bytes;  /* by launch: of the lines that it accesses, each counted once, as some of its CTAs show */
};

/* Fails if the trace cannot be read. */
int strata_of(struct strata *s, struct arena *a, struct trace *t, struct err *e);

/* A random order within each stratum, that of the seed. */
void strata_shuffle(struct strata *s, uint64_t seed);

#endif
