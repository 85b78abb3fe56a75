/* What a run's events cost: each counter times the machine's energy of one such event (machine keys energy.*).
 *
 * Nothing is counted for it while the machine runs that is not a counter of its component: the energies follow from
 * the counters of the run, of a launch or of an array when these are there. Dynamic energies are whole numbers of
 * femtojoules, so those of launches sum to those of the run exactly; static ones are power times time, in whole
 * picojoules. Where the constants come from, and what is left out: docs/energy.md.
 */
#ifndef CSIM_RUN_ENERGY_H
#define CSIM_RUN_ENERGY_H

#include "base/metrics.h"
#include "cache/l1.h"
#include "cache/l2/l2.h"

enum energy_part {
	ENERGY_ISSUE,
	ENERGY_INT,
	ENERGY_FP32,
	ENERGY_FP64,
	ENERGY_SFU,
	ENERGY_TENSOR,
	ENERGY_MEMORY_LANES,
	ENERGY_REGISTERS,
	ENERGY_SHARED,
	ENERGY_CONST,
	ENERGY_L1_TAG,
	ENERGY_L1_DATA,
	ENERGY_L2_TAG,
	ENERGY_L2_DATA,
	ENERGY_NETWORK,
	ENERGY_LINKS,
	ENERGY_ACTIVATE,
	ENERGY_READ,
	ENERGY_WRITE,
	ENERGY_IO,
	ENERGY_REFRESH,
	ENERGY_DYNAMIC_END,
	ENERGY_STATIC_SM = ENERGY_DYNAMIC_END,
	ENERGY_STATIC_DRAM,
	ENERGY_PARTS
};

struct energy {
	uint64_t part[ENERGY_PARTS]; /* fJ */
	/* what quotients divide by: fJ of a microjoule; fs of the time; thousands of instructions of threads */
	uint64_t uj, time, thousands;
};

/* Whether the machine has any energies; without them no metric "energy.*" is shown. */
bool energy_is_known(const struct machine *m);

struct gpu_counts;
/* Of a run or a launch: c.sm.elapsed and c.sm.cycles are the time for which channels and SMs cost static power. */
struct energy energy_of(const struct machine *m, const struct gpu_counts *c);

/* What of it belongs to one array, whose counters these are: L1, L2, and the DRAM's reads for the L2. */
struct energy energy_of_array(const struct machine *m, const struct l1_counts *l1, const struct l2_counts *l2);

enum energy_has { ENERGY_HAS_LINKS = 1, ENERGY_HAS_PRODUCTS = 2 };

extern const struct metric_table energy_metrics; /* of struct energy */

#endif
