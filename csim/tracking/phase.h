/* The tracking phase: what runs before the first launch. The CPU's core makes the stores that initialise the
 * arrays which the program registered, and a tracker keeps the extents of the primary arrays meanwhile (tafe, sections
 * 4.2, 4.3 and 6.2).
 *
 *   hw       the stores pass TAFE's hardware between store buffer and L1 (cpu/store_tracker.h); the tables are those
 *            that it wrote
 *   sw-cpu   taf_setRdy() of a data-dependent array has the CPU read its primary arrays again
 *   sw-gpu   it launches a kernel that does so (tracking/software_tracker.h)
 *
 * Each store has cpu.init_insts non-memory instructions beside it; the program's other instructions are not known. A
 * call of the interface takes store_tracker.call_insts instructions and the loads and stores of its directory entry,
 * and taf_setRdy() and commands of the hardware wait until all stores before them are in the caches. The phase is run
 * twice, with the tracker and without it (nor any call): the difference is the tracker's overhead. The memory system
 * is as at the begin of a run, with pages where the machine puts them by default: what comes from the phase is
 * metadata, from which a planner then places pages (what the stores move over the links once it has: init_traffic.h).
 * Its blocks other than the tracking hardware are golden twins; in the launches they are what the run wants.
 *
 * Arrays that the hardware cannot track are read again by the CPU, and counted: primary arrays that are INDIR, or
 * INDIR_RANGE of two arrays, a second relation of an array, and those for which the comparator table has no entry
 * free.
 */
#ifndef CSIM_TRACKING_PHASE_H
#define CSIM_TRACKING_PHASE_H

#include "base/stats.h"
#include "base/audit.h"
#include "hw/port.h"
#include "machine/machine.h"
#include "taf/taf_memory.h"
#include "trace/trace.h"

enum tracker { TRACK_NONE, TRACK_SW_CPU, TRACK_SW_GPU, TRACK_HW };

struct phase_relations { /* of primary arrays, which a kernel is to read again, in order */
	const struct taf_array *array[TAF_ARRAYS];
	uint32_t n;
};

/* The sw-gpu tracker executes a program and runs it on the whole GPU: whoever can do that brings it. memory: gets the
 * extent tables. *cycles: core cycles of all launches. *invariants: broken ones. */
struct tracking_phase_config;
struct gpu_tracker {
	const void *ctx;
	int (*run)(const void *ctx, const struct tracking_phase_config *c, const struct phase_relations *what,
		   struct taf_memory *memory, uint64_t *cycles, uint64_t *invariants, struct err *e);
};

struct tracking_phase_config {
	const struct machine *machine; /* with CPU cores and links to them */
	struct trace *trace;	       /* its buffers are placed in memory */
	const struct taf *taf;
	enum tracker tracker;
	const struct hw_binder *binder; /* of the tracking hardware; NULL: its golden twin */
	struct gpu_tracker gpu;		/* of sw-gpu; else not looked at */
	const struct plan *plan;	/* init_traffic.h: where pages are; NULL: where the machine puts them */
	bool no_skip;			/* the hardware is stepped in every cycle; the metrics do not change */
	bool reverse;			/* steps the components in reverse order: for tests */
};

struct tracking_phase_result {
	struct taf_memory memory;	  /* the directory, and the extent tables as the tracker left them */
	uint64_t cycles, baseline_cycles; /* of the CPU: with the tracker, without */
	struct stats stats;		  /* tracking.*, store_tracker.* */
	struct audit audit;
};

/* "none", "hw", "sw-cpu" or "sw-gpu". */
int tracker_parse(const char *text, enum tracker *out, struct err *e);

/* On success the caller frees the result. */
int tracking_phase_run(const struct tracking_phase_config *c, struct tracking_phase_result *r, struct err *e);
void tracking_phase_free(struct tracking_phase_result *r);

#endif
