/* Limits of warps by kernel: "bfs_expand:4+bfs_update:12" (throttle.kernels) and, for kernels that it does not name,
 * one number for all (throttle.warps).
 *
 * A kernel goes by its name in the trace. Source: dwt-pric, section 4.2: the number of a kernel is kept and used again;
 * docs/studies/comparators.md.
 */
#ifndef CSIM_POLICY_KERNEL_LIMITS_H
#define CSIM_POLICY_KERNEL_LIMITS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "machine/machine.h"

/* *limit: by kernel, warps of a scheduler, 1..64. name: of n kernels. An error names the key. */
int kernel_limits_init(const uint32_t **limit, struct arena *a, const struct machine *m, const char *const *name, uint32_t n,
		       struct err *e);

#endif
