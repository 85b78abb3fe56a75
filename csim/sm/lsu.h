/* The load/store unit of an SM: one memory instruction at a time, one transaction a core cycle.
 *
 * An instruction that issues in cycle c has its k-th transaction (k = 0..) served in cycle c+1+k: a line at the L1 or the constant
 * cache, or a cycle of the shared memory's banks. The unit takes the next instruction in the cycle in which the last
 * transaction is served, so that transactions follow one another without a gap. A transaction that the cache cannot
 * take (reservation fail) stays at the head and blocks what is behind it; it is tried again when the cache has changed, and the
 * cycles in between are added to the fail's cause at once. With virtual memory a transaction is translated first; one whose
 * page is not known leaves the unit and comes back by itself (sm/translate.h).
 *
 * A load's registers are ready latency - 1 cycles after the cycle in which its last transaction was served: looked up (hit)
 * or brought by the network (miss). Shared memory: shared.latency + conflict cycles - 1 after issue. Parameters: const.latency.
 *
 * Stores and reductions (atomics without a destination) write no register; they are counted by warp until acknowledged, for
 * fences, and by CTA, which ends only when all of its traffic is back.
 *
 * Local memory: word w (4 bytes) of lane l of a warp lies at
 *     local_base + ((sm * sm.warps + warp slot) * words a thread + w) * 128 + 4 l
 * so that lanes that touch the same word fill a line. An access of 8 or 16 bytes touches 2 or 4 such rows.
 */
#ifndef CSIM_SM_LSU_H
#define CSIM_SM_LSU_H

#include <stdbool.h>
#include <stdint.h>

#include "sm/kernel.h"
#include "sm/stall_breakdown.h"
#include "sm/coalesce.h"
#include "sm/load_latency.h"
#include "sm/translate.h"
#include "cache/l1.h"

/* A vector access to local memory goes as up to four rows of words. */
enum { LSU_MAX_WORDS = 4, LSU_MAX_TX = LSU_MAX_WORDS * COALESCE_MAX };

enum lsu_head { LSU_EMPTY, LSU_BANKS /* shared memory, parameters */, LSU_L1, LSU_CONST };

struct lsu_load {      /* a load, or an atomic with a destination, that is on its way; REQ_CLIENT_LOAD, with its number as token */
	uint32_t left; /* transactions that are not yet served */
	uint32_t next_free;
	uint8_t slot, n_dst;
	bool constant;	 /* from the constant cache */
	bool timed;	 /* a load from global memory */
	uint64_t issued; /* in which cycle */
	uint16_t reg[TRACE_MAX_REGS];
};

struct lsu_stats {
	uint64_t instructions, transactions;	 /* at L1 and constant cache */
	uint64_t shared_accesses, shared_cycles; /* instructions; bank cycles that they took */
	uint64_t params;			 /* reads of kernel parameters */
};

struct lsu {
	/* the instruction at the head */
	enum lsu_head head;
	enum l1_result stuck; /* how its next transaction failed; L1_HIT: nothing stands in its way */
	bool retry;	      /* the cache has changed since */
	bool stuck_due;	      /* what is stuck is not the head's but the oldest transaction that is due (sm/translate.h) */
	bool overdue;	      /* a transaction should have had the L1 by now: nothing new may come before it */
	uint32_t n, pos;      /* transactions, and the next one to serve */
	uint64_t until;	      /* LSU_BANKS: the cycle in which the last bank cycle is served, */
	uint8_t cta;	      /* for this CTA slot */
	struct l1_access access;
	uint8_t width; /* of an atomic's operand */

	bool net_full;	      /* the network had no room for the last packet that was offered */
	struct ticks send_at; /* from when on it may have, if there is a packet */

	uint64_t local_base;
	uint64_t buffer_base, buffer_size; /* of the buffer that was touched last */
	uint16_t buffer;
	struct lsu_load *load; /* a pool that grows */
	uint32_t n_loads, free_load;
	uint64_t in_flight; /* loads and atomics that are not complete, stores that are not acknowledged */
	struct lsu_stats stats;
	struct load_counts *latency; /* by buffer; the last one: none */
	uint32_t buffers;
	struct translate translate;
	struct coalesce_tx tx[LSU_MAX_TX];
};

/* Sum over the buffers. */
struct load_counts lsu_load_total(const struct lsu *l);

static inline bool lsu_is_free(const struct lsu *l)
{
	return l->head == LSU_EMPTY && !l->overdue;
}

/* Why an instruction that is ready cannot enter the unit, while it is not free. */
enum stalls lsu_cause(const struct lsu *l);

#endif
