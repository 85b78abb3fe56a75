/* The hardware that tracks a CPU core's stores, the block `tafe`, in the model: a store hook between store buffer and
 * L1 (cpu/store_hook.h; tafe, section 4.3, Figure 9), with its way to memory.
 *
 *   store buffer --oldest store not yet looked up--> tafe block --taken--> L1
 *                                                        |
 *                                            lines of the metadata (taf/taf_memory.h): APD entries, extent tables
 *
 * The block takes the store that it is offered in the cycle in which it is ready, one a cycle, and likewise a command
 * (the hardware's part of taf_paramSetup, taf_register, taf_setRdy, taf_reset), of which the fence has the number.
 * What the command of a number is, and what else comes of it once it is taken, the maker of the instructions knows
 * (struct store_tracker_commands).
 *
 * The block's memory requests are taken at once, one a cycle, in order; a read is answered `store_tracker.latency`
 * cycles later. Requests outside the metadata, which only a wrong block makes, read zero, write nothing and are
 * counted.
 *
 * A cycle without a valid input in which the block is not busy is left out, unless the run wants each. Units: CPU
 * cycles.
 */
#ifndef CSIM_CPU_STORE_TRACKER_H
#define CSIM_CPU_STORE_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cpu/store_hook.h"
#include "hw/clocked.h"
#include "hw/tafe/tafe.h"
#include "machine/machine.h"
#include "taf/taf_memory.h"

struct store_tracker_stats {
	uint64_t stores, commands;			/* taken by the block */
	uint64_t stalls;				/* cycles in which a store was offered and not taken */
	uint64_t command_cycles;			/* cycles in which a command was offered */
	uint64_t tracked, misses, unmatched, saturated; /* events of the block, in elements */
	uint64_t reads, writes;				/* lines */
	uint64_t out_of_range;				/* requests outside the metadata */
	uint64_t steps;					/* cycles in which the block was stepped */
};

/* The commands that the core's fences carry: the first member of the struct of whoever makes the instructions. */
struct store_tracker_commands {
	/* The cmd_ fields of the command with this number; NULL: the block has no part in it, and it is taken at
	 * once. */
	const struct tafe_in *(*find)(const struct store_tracker_commands *c, uint32_t number);
	/* It has been taken: all stores before it are in the caches. */
	void (*taken)(struct store_tracker_commands *c, uint32_t number);
};

struct store_tracker {
	struct cpu_store_hook hook;
	struct store_tracker_commands *commands;
	struct tafe_port port;
	struct taf_memory *memory;
	uint32_t latency;

	struct clocked clock; /* the core's; while it is busy the core ends each cycle */
	bool seen;	      /* `out` is of its cycle */
	struct tafe_in in;
	struct tafe_out out;
	struct {
		bool busy;
		uint64_t due, data[8];
	} read[2]; /* by tag */
	struct store_tracker_stats stats;
};

/* owner: its name for the binder. The parameters are the machine's (store_tracker.*). */
int store_tracker_init(struct store_tracker *t, const struct machine *m, const char *owner, const struct hw_binder *binder,
		       struct store_tracker_commands *commands, struct taf_memory *memory, struct err *e);

#endif
