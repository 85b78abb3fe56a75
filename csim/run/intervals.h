/* Metrics over time: what each of some metrics was in every interval of a run.
 *
 * Names are those of a run's result: "l1.miss_rate" of the whole machine, "sm.3.l1.miss_rate" of an SM,
 * "dram.1.bus_busy" of a channel, "module.0.tlb.hits" of a module; "*" and "?" stand for letters as in a shell. Every
 * row of `locus list metrics` that is made of counters can be had of the whole machine, those of SMs of each SM, those
 * of DRAM of each channel. Beside them are levels ("warps.running", "dram.queue"): what is so when an interval ends.
 *
 * Counts are read at the end of an interval, ahead of what happens in its last tick: cycles of schedulers and fails of
 * the L1 up to that cycle; waits of networks, slices and DRAM once they are over. An interval's are the difference to
 * the one before. So the intervals of a metric sum to the run's, and for a quotient its two parts do. What the machine
 * does after the run's last cycle (acknowledgements, write-backs) belongs to the last interval.
 *
 * Memory is bounded: base/series.h. Units: core cycles.
 */
#ifndef CSIM_RUN_INTERVALS_H
#define CSIM_RUN_INTERVALS_H

#include "base/metrics.h"
#include "base/series.h"

enum { INTERVALS_SAMPLES = 4096, INTERVALS_SERIES = 1024 /* at most */ };

struct interval_series {
	const char *path; /* by which it is wanted: "dram.1.bytes" */
	const char *name; /* "dram.bytes" */
	const char *of;	  /* "total", "sm 3", "channel 1", "module 0" */
	const struct metric *metric;
	int32_t sm;	/* whose it is; -1: of no single SM */
	bool by_unit;	/* of energy: its divisor is a unit, which no interval has a part of, ... */
	uint64_t units; /* ... this one */
};

struct intervals {
	/* wanted */
	uint64_t asked;	     /* core cycles, >= 1 */
	uint32_t most;	     /* samples; 0: INTERVALS_SAMPLES */
	const char *metrics; /* names, with commas between them; NULL: some that most machines have */
	struct arena *arena;

	/* what has come out */
	struct series samples; /* of each series two counters, a and b (struct metric_value) */
	uint32_t n;
	struct interval_series *series;
	uint64_t cycles; /* of the run */
};

/* The value of a series in interval i; false: it is a quotient by nothing. Fractions are in percent. */
bool intervals_value(const struct intervals *v, uint32_t series, uint32_t i, double *out);

/* Likewise: sums over all intervals, as they come from the counters. */
struct metric_value intervals_sum(const struct intervals *v, uint32_t series);

struct gpu_intervals; /* one that is being filled */

#endif
