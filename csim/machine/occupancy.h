/* How many CTAs of a launch an SM holds at a time, and which limit says so.
 *
 * Registers are handed out per warp: regs_per_thread * 32, rounded up to sm.register_unit. Threads count in whole
 * warps. Shared memory is the kernel's static plus the launch's dynamic bytes, and sm.shared_reserve.
 */
#ifndef CSIM_MACHINE_OCCUPANCY_H
#define CSIM_MACHINE_OCCUPANCY_H

#include "base/err.h"
#include "machine/machine.h"
#include "trace/trace.h"

enum occupancy_limit {
	OCCUPANCY_CTAS,
	OCCUPANCY_WARPS,
	OCCUPANCY_THREADS,
	OCCUPANCY_REGISTERS,
	OCCUPANCY_SHARED,
	OCCUPANCY_LIMITS
};

struct occupancy {
	uint32_t ctas; /* at a time on an SM, >= 1 */
	enum occupancy_limit by;
	uint64_t shared_bytes; /* that so many CTAs need */
};

struct cta_needs { /* what a CTA takes of an SM, and what an SM has, of each kind */
	uint64_t of[OCCUPANCY_LIMITS];
};
struct cta_needs occupancy_needs(const struct machine *m, const struct trace_kernel *k, const struct trace_launch *l);
struct cta_needs occupancy_has(const struct machine *m);

extern const char *const occupancy_limit_names[OCCUPANCY_LIMITS]; /* "CTAs", "warps", ... */

/* Fails when not one CTA fits: the message names the limit, what the CTA needs and what the SM has. */
int occupancy_of(const struct machine *m, const struct trace_kernel *k, const struct trace_launch *l, struct occupancy *out,
		 struct err *e);

#endif
