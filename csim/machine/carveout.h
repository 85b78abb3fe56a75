/* The array that L1 and shared memory of an SM have together (sm.unified_bytes), and how a launch divides it.
 *
 * Shared memory gets one of a few sizes, the carve-outs; the L1 gets the rest. A launch takes the smallest carve-out
 * that holds the shared memory of all CTAs that an SM can hold at a time (machine/occupancy.h, which knows the largest
 * carve-out only): the division never costs a CTA its place, and the L1 gets all that this leaves.
 *
 * The L1 grows by ways: its sets stay as they are, since they are a power of two, which what is left hardly ever is.
 * `l1.bytes` and `l1.assoc` describe it beside the largest carve-out, which is `sm.shared_bytes`.
 *
 * Source: CUDA C++ Programming Guide, "Shared Memory" of compute capability 7.x ("the driver automatically configures
 * the shared memory capacity for each kernel to avoid shared memory occupancy bottlenecks"); GPGPU-Sim 4,
 * gpgpu_adaptive_cache_config, for the smallest size and for ways.
 */
#ifndef CSIM_MACHINE_CARVEOUT_H
#define CSIM_MACHINE_CARVEOUT_H

#include "base/err.h"
#include "machine/machine.h"

struct carveout { /* how the array is divided; of a machine without one, what its keys say */
	uint32_t shared_bytes, l1_bytes;
	uint32_t l1_ways;
};

/* needs: bytes of shared memory, at most sm.shared_bytes. */
struct carveout carveout_for(const struct machine *m, uint64_t needs);

/* For machine_resolve: checks the keys, sets l1.most_ways. */
int carveout_resolve(struct machine *m, struct err *e);

/* The table of carve-outs; nothing if the machine has no such array. */
void carveout_print(const struct machine *m, FILE *to);

#endif
