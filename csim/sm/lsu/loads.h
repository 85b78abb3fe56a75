/* Loads of an SM that are on their way, and how long loads took.
 *
 * A load, or an atomic with a destination, has a record from its issue to its last transaction. Requests carry the
 * record's number as their token (REQ_CLIENT_LOAD). Records are a pool that grows, with a list of the free ones.
 */
#ifndef CSIM_SM_LSU_LOADS_H
#define CSIM_SM_LSU_LOADS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "sm/lsu/load_latency.h"
#include "trace/inst.h"

struct load {
	uint32_t left; /* transactions that are not yet served */
	uint32_t next_free;
	uint8_t slot, n_dst;
	bool timed;	  /* a load from global memory */
	bool awaited;	  /* of shared memory: its warp's attempt waits for it (sm/waits.h) */
	uint32_t latency; /* core cycles from its last transaction to its registers, that one's included */
	uint32_t row;	  /* of its instruction (sm/inst/kernel.h) */
	uint64_t issued;  /* in which cycle */
	uint16_t reg[TRACE_MAX_REGS];
};

struct loads {
	struct region *region; /* where they are (base/region.h); NULL: on the heap */
	struct load *load;
	uint32_t n, free;
	uint32_t buffers;
	uint64_t period;	     /* ticks a core cycle */
	struct load_counts *latency; /* by buffer; the last one: none */
};

void loads_init(struct loads *l, struct arena *a, uint32_t buffers, uint64_t period);
void loads_free(struct loads *l);

/* A free record's number; `left` and what follows next_free are the caller's to fill. */
uint32_t loads_new(struct loads *l);

/* The last transaction of a load, of that buffer, was served in cycle `now`: counts its latency and frees the record,
 * which can be read until the next loads_new. at: stamps of its request; NULL: a hit. */
void loads_end(struct loads *l, uint32_t token, uint64_t now, uint32_t buffer, const struct stamp *at);

/* Sum over the buffers. */
struct load_counts loads_total(const struct loads *l);

#endif
