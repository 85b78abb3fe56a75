/* The hardware that tracks a host core's stores, the block `tafe`, at its place in the model: between store buffer and L1 (tafe,
 * section 4.3, Figure 9), with its way to memory.
 *
 *   store buffer --oldest store not yet looked up--> tafe port --taken--> L1
 *                                                        |
 *                                            lines of the metadata (taf/taf_memory.h): APD entries, extent tables
 *
 * The core offers the store that its L1 would see next; the block takes it in the cycle in which it is ready, one a cycle. A
 * command (the hardware's part of taf_paramSetup, taf_register, taf_setRdy, taf_reset) stands in the program as a fence: it is
 * offered when every store before it is in the caches, and the core goes on when the block has taken it. What a store's address and
 * value are the core does not know: whoever makes the instructions announces stores and fences here, in their order, as it gives
 * them out.
 *
 * The block's memory requests are taken at once, one a cycle, in order; a read is answered `store_tracker.latency` cycles later.
 * Requests
 * outside the metadata, which only a wrong block makes, read zero, write nothing and are counted.
 *
 * A cycle without a valid input in which the block is not busy is left out, unless `every_cycle` is set. Units: host cycles.
 */
#ifndef CSIM_CPU_STORE_TRACKER_H
#define CSIM_CPU_STORE_TRACKER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "hw/tafe.h"
#include "machine/machine.h"
#include "taf/taf_memory.h"

struct store_tracker_stats {
	uint64_t stores, commands;		 /* taken by the block */
	uint64_t stalls;			 /* cycles in which a store was offered and not taken */
	uint64_t command_cycles;		 /* cycles in which a command was */
	uint64_t tracked, misses, unowned, wide; /* events of the block, in elements */
	uint64_t reads, writes;			 /* lines */
	uint64_t strays;			 /* requests outside the metadata */
	uint64_t steps;				 /* cycles in which the block was stepped */
};

struct store_tracker_command {	  /* what a fence carries */
	const struct tafe_in *in; /* its cmd_ fields; NULL: no command */
	/* Called when the command has been taken, or, without one, when the stores before are in the caches; may be NULL. */
	void (*then)(void *ctx);
	void *ctx;
};

struct store_tracker_store {
	uint64_t addr, value;
	uint8_t size; /* log2 of its bytes */
};

struct store_tracker {
	struct tafe_port port;
	struct taf_memory *memory;
	uint32_t latency;
	bool every_cycle;

	uint64_t cycle;	 /* the next one to be stepped, or left out */
	bool busy, seen; /* it must be stepped in `cycle`; `out` is of `cycle` */
	struct tafe_in in;
	struct tafe_out out;
	struct {
		bool busy;
		uint64_t due, data[8];
	} read[2]; /* by tag */

	struct store_tracker_store *store; /* ring: announced, not yet taken */
	uint64_t store_mask, store_head, store_tail;
	struct store_tracker_command *command; /* likewise, of fences */
	uint64_t command_mask, command_head, command_tail;
	struct store_tracker_stats stats;
};

/* owner: its name for the binder. The parameters are the machine's (store_tracker.*). */
int store_tracker_init(struct store_tracker *t, struct arena *a, const struct machine *m, const char *owner,
		       const struct hw_binder *binder, struct taf_memory *memory, struct err *e);

/* Announces the next store (bytes: 1, 2, 4 or 8, naturally aligned), the next fence (*in is kept by the caller). */
void store_tracker_store(struct store_tracker *t, uint64_t addr, uint64_t value, uint32_t bytes);
void store_tracker_command(struct store_tracker *t, struct store_tracker_command command);

/* For the core, in a cycle in which it acts: offers the oldest store or fence, each once a cycle at most. True: it has been taken.
 */
bool store_tracker_offer_store(struct store_tracker *t, uint64_t cycle);
bool store_tracker_offer_command(struct store_tracker *t, uint64_t cycle);
/* The edge at the end of a cycle in which the core acts. */
void store_tracker_edge(struct store_tracker *t, uint64_t cycle);

/* It has to be stepped in the next cycle. */
static inline bool store_tracker_busy(const struct store_tracker *t)
{
	return t->busy;
}

#endif
