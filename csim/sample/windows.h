/* Windows: a launch of many CTAs in pieces, of which a few can stand for all.
 *
 * A window is as many consecutive CTAs as the SMs hold at once, or if these have less than WINDOWS_INSTS warp
 * instructions an SM, several times as many. The first windows, which find caches empty and SMs in step, and the last
 * one, with the rest of the CTAs and the SMs' draining, are simulated always. Of those between some are, each behind
 * WINDOWS_WARM others that are simulated but not measured: CTAs from before the gap are still running then, with their
 * data in the L1s, and the DRAM's queues and the order of write-backs take so long to be what they were. This is
 * SMARTS' detailed warming (Wunderlich et al., ISCA 2003). A window is measured from the dispatch of its first CTA to
 * that of the next window's first, so that the windows' times are all of the launch's
 * (docs/how-to/sample-long-programs.md).
 *
 * The size of a window is what was issued in its time: only the sum of these is known beforehand, the launch's.
 */
#ifndef CSIM_SAMPLE_WINDOWS_H
#define CSIM_SAMPLE_WINDOWS_H

#include "sample/strata.h"

/* INSTS: of an SM. LEAST: windows of a launch; it is not worth dividing into fewer. FIRST, ONE_OF: of those that are
 * alike so many are simulated at first, and one of so many of a large stratum. */
enum {
	WINDOWS_INSTS = 8192,
	WINDOWS_LEAST = 64,
	WINDOWS_FRONT = 2,
	WINDOWS_TAIL = 1,
	WINDOWS_WARM = 2,
	WINDOWS_FIRST = 4,
	WINDOWS_ONE_OF = 50
};

struct windows_on { /* which machine */
	uint32_t sms;
	const uint32_t *resident; /* by launch: CTAs that the SMs hold at once, at least as many as SMs; 0: it cannot be
				   * divided */
};

/* Puts windows in the place of the launches of strata where simulating some windows costs less than some launches. */
void strata_divide(struct strata *s, struct arena *a, const struct trace *t, const struct windows_on *m);

/* Of so many windows that are alike, those that are simulated at first. */
uint32_t windows_first(uint32_t n);

#endif
