/* Strata: the launches of a trace in groups of which a few can stand for all, by what the trace says of each.
 *
 * Alike are launches of one kernel with CTAs of one shape, of which a warp instruction accesses about as many lines of
 * global memory (within a factor of two, as some CTAs of each launch show), and whose warp instructions are within
 * STRATA_SPAN of one another; a stratum of fewer than STRATA_LEAST goes on up to the next larger launches. The first
 * launch of each kernel, which finds the caches without its data, is a stratum by itself. Launches of many CTAs may be
 * divided (sample/windows.h): their units are windows of CTAs.
 *
 * Source: Naderan-Tahan, SeyyedAghaei, Eeckhout, "Sieve" (ISPASS 2023): strata by kernel and instruction count;
 * Baddouh et al., "Principal Kernel Analysis" (MICRO 2021): which features tell kernels apart. The order within a
 * stratum is random (strata_shuffle), so that the first n of it are a simple random sample, for any n.
 */
#ifndef CSIM_SAMPLE_STRATA_H
#define CSIM_SAMPLE_STRATA_H

#include "base/arena.h"
#include "base/err.h"
#include "dispatch/windows.h"
#include "trace/trace.h"

#define STRATA_SPAN 1.25
enum { STRATA_LEAST = 6, STRATA_CTAS = 4 /* of a launch that are looked at */, STRATA_LINE = 128 };

/* Units of a stratum that are simulated at first: so many, and one of so many of a large one; a stratum that has no
 * more than one more is simulated whole. */
enum { STRATA_FIRST = 4, STRATA_ONE_OF = 20 };

struct sample_unit {
	uint32_t launch, window; /* WINDOW_NONE: the launch as a whole */
};

enum stratum_kind {
	STRATUM_LAUNCHES,
	STRATUM_ENDS,	/* first and last windows of launches: all are simulated */
	STRATUM_WINDOWS /* those between; the stratum of ends ahead of it is of the same launches */
};

struct stratum {
	enum stratum_kind kind;
	uint32_t kernel;
	uint32_t first, n;    /* its units are strata.unit[first .. first + n) */
	uint64_t least, most; /* warp instructions of a launch */
	uint64_t warp_insts;  /* of all its launches */
};

struct strata_lines { /* that a launch accesses, as some of its CTAs show */
	uint32_t looked_at;
	double all, own; /* lines of those CTAs together; that each further one adds */
};

struct strata {
	struct stratum *stratum;
	uint32_t n;
	struct sample_unit *unit; /* by stratum */
	uint32_t n_units;
	struct strata_lines *lines;	  /* by launch */
	struct dispatch_windows *windows; /* likewise (sample/windows.h); NULL: none has any */
};

/* Fails if the trace cannot be read. */
int strata_of(struct strata *s, struct arena *a, struct trace *t, struct err *e);

/* Bytes of the lines that so many CTAs of the launch access, each counted once. */
uint64_t strata_bytes(const struct strata *s, uint32_t launch, uint32_t ctas);

uint32_t strata_first(const struct stratum *t);

/* A random order within each stratum, that of the seed. */
void strata_shuffle(struct strata *s, uint64_t seed);

#endif
