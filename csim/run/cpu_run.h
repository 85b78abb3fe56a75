/* A run of a trace's launches on the CPU's cores instead of the SMs.
 *
 * The dispatcher gives the CTAs of a launch in ascending order to the core that has room next. A core runs them one
 * after another; it has one that waits, and as many more as fill its reorder and store buffers (at most 16 in all), so
 * that it never waits for the next one. A launch begins when the CTAs of the one before have ended. The cores, their L3
 * and the dispatcher run on the CPU's clock; memory is the machine's own, reached through the CPU's links. Pages are
 * placed as on the GPU (by the plan, or the machine's default), but a CPU core's translations take no time. The caches
 * keep their lines from launch to launch.
 *
 * Invariants as on the GPU: what goes in comes out, and nothing is faster than its port. docs/explanation/cpu.md.
 */
#ifndef CSIM_RUN_CPU_RUN_H
#define CSIM_RUN_CPU_RUN_H

#include "run/gpu.h"

/* config: machine, trace, plan (its placement), max_cycles (of the CPU), stop, reverse and progress count. The result's
 * cycles are CPU cycles. Fails (e, no result) if the machine has no CPU or the trace cannot be read. On success
 * gpu_result_free() is due.
 */
int cpu_run(const struct gpu_config *c, struct gpu_result *result, struct err *e);

#endif
