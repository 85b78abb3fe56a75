/* What a run's events cost: each counter times the machine's energy of one such event (machine keys energy.*).
 *
 * Nothing is counted for it while the machine runs that is not a counter of its component: the energies follow from
 * the counters of the run, of a launch or of an array when these are there. Dynamic energies are whole numbers of
 * femtojoules, so those of launches sum to those of the run exactly; static ones are power times time, in whole
 * picojoules. Where the constants come from, and what is left out: docs/explanation/energy.md.
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

/* Kinds of events whose constant may be 0: then energy.left_out.* counts them, and energy.total is without them. */
enum energy_left_out {
	LEFT_OUT_ISSUE,
	LEFT_OUT_ARITHMETIC, /* lanes of classes without a constant */
	LEFT_OUT_MEMORY,
	LEFT_OUT_REGISTERS,
	LEFT_OUT_SHARED,
	LEFT_OUT_CONST,
	LEFT_OUT_L1_TAG,
	LEFT_OUT_L1_DATA,
	LEFT_OUT_L2_TAG,
	LEFT_OUT_L2_DATA,
	LEFT_OUT_NETWORK,
	LEFT_OUT_LINKS,
	LEFT_OUT_HALVES, /* no machine has a constant for them */
	LEFT_OUT_ACTIVATE,
	LEFT_OUT_READ,
	LEFT_OUT_WRITE,
	LEFT_OUT_IO,
	LEFT_OUT_REFRESH,
	LEFT_OUT_SMS,
	LEFT_OUT_CHANNELS,
	LEFT_OUT_KINDS
};

struct energy {
	uint64_t part[ENERGY_PARTS];	   /* fJ */
	uint64_t left_out[LEFT_OUT_KINDS]; /* events */
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

/* The bits after these: bit ENERGY_LEAVES_OUT + kind, the machine has no constant for that kind. */
enum energy_has { ENERGY_HAS_LINKS = 1, ENERGY_HAS_PRODUCTS = 2, ENERGY_LEAVES_OUT = 2 };

/* The bits of kinds without a constant. links: the machine has links. */
unsigned energy_leaves_out(const struct machine *m, bool links);

extern const struct metric_table energy_metrics; /* of struct energy */

#endif
