/* What the memory system counts, as one struct of counters (base/metrics.h), and its metrics. */
#ifndef CSIM_MEMSYS_MEMSYS_METRICS_H
#define CSIM_MEMSYS_MEMSYS_METRICS_H

#include "base/metrics.h"
#include "memsys/memsys.h"

struct memsys_link_counts {
	uint64_t requests, remote; /* to memory; of them, to another module */
	/* of these requests and their replies, within a module and between modules */
	uint64_t inside_bytes, remote_bytes;
	uint64_t carried, busy, ticks; /* bytes over links; ticks for which they were busy, of so many */
};

struct memsys_counts {
	struct net_counts request, reply;		/* of the crossbars at the SMs */
	struct net_counts memory_request, memory_reply; /* l2.side sm: of those below the slices */
	struct l2_counts l2;
	struct class_counts classes; /* of the slices (cache/locality_classes.h) */
	struct l2_stats slices;
	struct l2_half_counts halves;
	struct l2_coalescer_counts coalescers;
	uint64_t dirty_lines; /* of the L2: not counted here but set when a run has ended */
	struct dram_stats dram;
	uint64_t dram_cycles; /* of all channels */
	struct memsys_link_counts link;
};

/* elapsed: since the run began. */
struct memsys_counts memsys_count(const struct memsys *s, struct ticks elapsed);

enum memsys_has {
	MEMSYS_HAS_SLICES_AT_SMS = 1,
	MEMSYS_HAS_SLICES_AT_MEMORY = 2,
	MEMSYS_HAS_BYPASS = 4,
	MEMSYS_HAS_CLASSES = 8,
	MEMSYS_HAS_SECTORS = 16,
	MEMSYS_HAS_BANK_REFRESH = 32,
	MEMSYS_HAS_HALVES = 64,
	MEMSYS_HAS_COALESCERS = 128
};

unsigned memsys_has(const struct memsys *s); /* of these, or-ed */

/* of struct memsys_counts */
extern const struct metric_table memsys_metrics, memsys_link_metrics, memsys_channel_metrics;

/* Adds the metrics "net.*", "l2.*", "dram.*", with several modules "link.*" and "stack.*", and by array
 * "buffer.NAME.l2.*". buffer_names: of s->buffers. */
void memsys_report(const struct memsys *s, struct stats *to, const char *const *buffer_names, struct ticks elapsed);

/* Of a launch, whose counters these are: the metrics that are made of sums. */
void memsys_launch_rows(const struct memsys *s, const struct memsys_counts *c, struct stats *to);

#endif
