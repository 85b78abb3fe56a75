/* A sampled run: some launches, or windows of their CTAs, are simulated, the metrics of all are estimated, with
 * intervals (docs/how-to/sample-long-programs.md).
 *
 * The launches are put in strata (sample/strata.h), and those of many CTAs divided (sample/windows.h). Some units of
 * each stratum are simulated, by a run that passes over the others (gpu_config.skipped, .windows); if the interval of
 * the metric that is asked for is too wide then, more are drawn where that narrows it most, and a further run simulates
 * these, and so on until it is narrow enough or all have been simulated. What is estimated are the metrics of launches,
 * as sums over all launches, and quotients of such sums.
 */
#ifndef CSIM_RUN_GPU_SAMPLED_H
#define CSIM_RUN_GPU_SAMPLED_H

#include "run/gpu.h"
#include "sample/estimate.h"
#include "sample/options.h"
#include "sample/strata.h"

/* Of warming: so many times the bytes of the L2. */
enum { SAMPLE_REACH = 8 };

/* Of an estimate: how far a launch behind others that were not simulated may be from what it is behind those, on
 * average. It widens each interval (docs/how-to/sample-long-programs.md has how it was measured). */
#define SAMPLE_BIAS 0.001

/* Likewise, of what a divided launch's last window has beyond what those ahead of it have for as much work: SMs drain
 * as their CTAs have come out of step, over all windows. */
#define SAMPLE_DRAIN 0.5

struct gpu_estimate {
	const char *name, *unit, *meaning;
	enum stat_kind kind;
	unsigned flags; /* enum stat_flags */
	struct estimate e;
};

struct gpu_sampled {
	struct sample_options options; /* what is asked for, with the arena; the rest is filled */
	struct arena *arena;	       /* of what follows */

	struct strata strata;
	uint32_t *drawn;		     /* by stratum: units that were measured */
	uint32_t launches;		     /* of the trace, ... */
	uint32_t simulated;		     /* ... and of those the simulated ones, whole or some windows of them */
	uint32_t divided;		     /* launches that have windows, ... */
	uint32_t windows, simulated_windows; /* ... how many, and those that were simulated, measured or not */
	uint64_t warp_insts, simulated_warp_insts;
	uint32_t runs; /* that it took */
	struct gpu_estimate *estimate;
	uint32_t n;
};

/* As gpu_run(), with c->sampled. The result has no stats; its launches are those that were simulated, in the order of
 * the trace, its cycles and warp instructions theirs, its audit that of the last run, or of the first that broke an
 * invariant. Fails also if a signal cut it, if no metric of launches has the name that is asked for, and on programs
 * and machines of which launches cannot be passed over: those that run at the same time, virtual memory, policies that
 * learn over launches. */
int gpu_run_sampled(const struct gpu_config *c, struct gpu_result *r, struct err *e);

#endif
