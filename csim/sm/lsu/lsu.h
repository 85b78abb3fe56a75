/* The load/store unit of an SM: one memory instruction at a time, one transaction a core cycle.
 *
 * An instruction that issues in cycle c has its k-th transaction (k = 0..) served in cycle c+1+k: a line at the L1 or
 * the constant cache, or a cycle of the shared memory's banks. The unit takes the next instruction in the cycle in
 * which the last transaction is served, so that transactions follow one another without a gap. A transaction that the
 * cache cannot take (reservation fail) stays at the head and blocks what is behind it; it is tried again when the cache
 * has changed, and the cycles in between are added to the fail's cause at once. With virtual memory a transaction is
 * translated first; one whose page is not known leaves the unit and comes back by itself (sm/lsu/translate.h).
 *
 * A load's registers are ready latency - 1 cycles after the cycle in which its last transaction was served: looked up
 * (hit) or brought by the network (miss). Shared memory: shared.latency + conflict cycles - 1 after issue. Parameters:
 * const.latency.
 *
 * Stores and reductions (atomics without a destination) write no register; they are counted by warp until acknowledged,
 * for fences, and by CTA, which ends only when all of its traffic is back.
 *
 * Local memory: word w (4 bytes) of lane l of a warp is at
 *     local_base + ((sm * sm.warps + warp slot) * words a thread + w) * 128 + 4 l
 * so that lanes that touch the same word fill a line. An access of 8 or 16 bytes touches 2 or 4 such rows.
 *
 * The unit owns the caches, the L1 TLB and the loads' records, and knows nothing of warps: what it is called with for
 * an instruction is a struct lsu_inst, and what has become of it a struct lsu_done, which the SM turns into registers,
 * fences and ended CTAs (sm/sm.c).
 */
#ifndef CSIM_SM_LSU_LSU_H
#define CSIM_SM_LSU_LSU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/panic.h"
#include "sm/inst/kernel.h"
#include "sm/inst/stall_breakdown.h"
#include "sm/lsu/coalesce.h"
#include "sm/lsu/loads.h"
#include "sm/lsu/lsu_ports.h"
#include "sm/lsu/mrpb.h"
#include "cache/monitor.h"
#include "sm/lsu/translate.h"
#include "cache/const_cache.h"
#include "cache/l1.h"
#include "cache/locality.h"

/* A vector access to local memory goes as up to four rows of words. */
enum { LSU_MAX_WORDS = 4, LSU_MAX_TX = LSU_MAX_WORDS * COALESCE_MAX };

struct lsu_inst { /* a memory instruction of a warp, as it issues */
	const struct core_inst *in;
	const struct trace_cta *cta; /* of the warp */
	uint32_t addr;		     /* the number of its address record there */
	uint32_t mask;		     /* lanes; not 0 */
	bool past;		     /* it goes past the L1, as one that is volatile */
};

enum lsu_server { LSU_EMPTY, LSU_BANKS /* shared memory, parameters */, LSU_L1, LSU_CONST };

struct lsu_entry {		/* such an instruction in the unit */
	enum lsu_server server; /* LSU_EMPTY: there is none */
	uint32_t n, pos;	/* transactions, and the next one to serve */
	uint64_t until;		/* LSU_BANKS: the cycle in which the last bank cycle is served, */
	uint8_t cta;		/* for this CTA slot */
	uint32_t row;		/* of the instruction (sm/inst/kernel.h) */
	struct l1_access access;
	struct coalesce_tx tx[LSU_MAX_TX];
};

enum lsu_done_kind {
	LSU_DONE_NOTHING,
	LSU_DONE_LOAD,	/* a load's last transaction is served: its record's number (sm/lsu/loads.h) */
	LSU_DONE_STORE, /* a store's or reduction's transaction is acknowledged: the warp's slot */
	LSU_DONE_BANKS	/* the banks have served an access: the CTA's slot */
};
struct lsu_done {
	enum lsu_done_kind kind : 8;
	uint32_t more : 24; /* LSU_DONE_STORE: further transactions of the same instruction */
	uint32_t which;
};

struct lsu_stats {
	uint64_t instructions, transactions;	 /* at L1 and constant cache */
	uint64_t shared_accesses, shared_cycles; /* instructions; bank cycles that they took */
	uint64_t params;			 /* reads of kernel parameters */
	/* cycles in which a transaction waited for a bank of the L1, for its data path (sm/lsu/lsu_ports.h) */
	uint64_t bank_conflicts, path_cycles;
};

struct lsu {
	/* what it is built of */
	const struct machine *m;
	struct trace *trace; /* whose buffers the counts are by */
	uint32_t sm;
	uint64_t period; /* ticks a core cycle */
	uint64_t local_base;
	uint32_t local_words;	 /* of the launch */
	const uint32_t *l1_ways; /* by launch; NULL: the machine's, always */

	enum l1_result stuck; /* how the transaction that goes next failed; L1_HIT: nothing is in its way */
	bool retry;	      /* the cache has changed since */
	bool stuck_due;	      /* what is stuck is not the head's but the oldest transaction that is due
			       * (sm/lsu/translate.h) */
	bool overdue;	      /* a transaction should have had the L1 by now: nothing new may come before it */

	bool net_full;	      /* the network had no room for the last packet that was offered */
	struct ticks send_at; /* from when on it may have, if there is a packet */

	uint64_t buffer_base, buffer_size; /* of the buffer that was touched last */
	uint16_t buffer;
	uint8_t operators; /* enum trace_flags of those that the caches honour */
	struct loads loads;
	uint64_t in_flight; /* loads and atomics that are not complete, stores that are not acknowledged */
	struct lsu_stats stats;
	struct translate translate;
	struct lsu_ports ports;	      /* of the L1, if it has more to it than one a cycle */
	struct mrpb mrpb;	      /* ahead of the L1, if the machine has one */
	struct l1 l1, const_cache;    /* data and constant cache */
	struct monitor monitor;	      /* at the L1, if the machine has one */
	struct l1_observer monitored; /* of the L1, for the monitor */
	struct locality locality;     /* likewise, if the plan has localities */
	struct accessor *warps;	      /* by slot, if locality classes are counted; else NULL */
	struct lsu_queue *queue;      /* behind the head, which is its entrance then (sm/lsu/lsu_queue.h); NULL: none */
	struct lsu_entry head;
};

struct lsu_config {
	const struct machine *machine;
	struct trace *trace;
	uint32_t sm;
	uint64_t local_base; /* where local memory is mapped, above all buffers */
	const struct hw_binder *binder;
	struct translate_ports translate;
};

/* Fails as the binder does. */
int lsu_init(struct lsu *l, struct arena *a, const struct lsu_config *c, struct err *e);
void lsu_free(struct lsu *l); /* what the arena does not hold */
/* Loads go by the localities of a plan, which has them: by launch. Right after lsu_init, which fails alike. */
int lsu_use_localities(struct lsu *l, struct arena *a, const struct plan_launch *of, const struct hw_binder *binder, struct err *e);

/* Nothing is in flight. launch: of the trace. local_words: 4-byte words of local memory a thread. `now`, here and
 * below: the present core cycle. The L1 has the ways of l->l1_ways from now on. */
void lsu_begin_launch(struct lsu *l, uint64_t now, uint32_t launch, uint32_t local_words);
/* A launch begins beside others: its first CTA comes. */
void lsu_begin_beside(struct lsu *l, uint64_t now);
/* A CTA of the launch is on the SM from now on, is not any more: prefetches go by what resident CTAs access. */
void lsu_begin_cta(struct lsu *l, uint64_t now, uint32_t cta);
void lsu_end_cta(struct lsu *l, uint64_t now, uint32_t cta);

/* Its warps are in those slots of the SM, in their order: for the locality classes, if l->warps says that they are
 * counted. */
void lsu_begin_warps(struct lsu *l, uint32_t launch, uint32_t cta, uint64_t slots);

/* Starts an instruction; the unit is free. slot: the warp's, cta: the CTA's. Returns the cycle in which its registers
 * can be read, CYCLE_NEVER if that is known only when it is done, which one struct lsu_done reports. A store or
 * reduction has no registers, and each of its transactions (l->head.n) is reported. */
#define LSU_WRITES_NONE 0
uint64_t lsu_issue(struct lsu *l, uint64_t now, const struct lsu_inst *i, unsigned slot); /* ACT_GLOBAL, ACT_LOCAL,
											   * ACT_CONST */
uint64_t lsu_issue_shared(struct lsu *l, uint64_t now, const struct lsu_inst *i, unsigned slot, unsigned cta);

/* Takes a reply from the network in; returns which transactions it serves, oldest first, *n of them, each to be handed
 * on to lsu_serve. */
const struct mshr_waiter *lsu_reply(struct lsu *l, uint64_t now, const struct mem_req *reply, uint32_t *n);

/* The token of a store or reduction: its warp's slot, and its instruction's row above that. */
enum { LSU_SLOT_BITS = 6 };
static inline uint32_t lsu_store_token(unsigned slot, uint32_t row)
{
	return slot | row << LSU_SLOT_BITS;
}
static inline unsigned lsu_slot_of_store(uint32_t token)
{
	return token & ((1u << LSU_SLOT_BITS) - 1);
}

/* The row (sm/inst/kernel.h) of the instruction whose transaction it is: of a REQ_CLIENT_LOAD or REQ_CLIENT_STORE. Of a
 * store it is right if the trace has fewer than LSU_MAX_ROWS instructions. */
enum { LSU_MAX_ROWS = 1 << (32 - LSU_SLOT_BITS) };
static inline uint32_t lsu_row_of(const struct lsu *l, enum req_client client, uint32_t token)
{
	return client == REQ_CLIENT_STORE ? token >> LSU_SLOT_BITS : l->loads.load[token].row;
}

/* Of the instruction for which whatever waits for the unit has to wait; UINT32_MAX: for none. */
uint32_t lsu_row_ahead(const struct lsu *l);

/* A transaction has been served, of that buffer. at: stamps of its request; NULL: a hit. */
static inline struct lsu_done lsu_serve(struct lsu *l, uint64_t now, struct mshr_waiter w, uint32_t buffer, const struct stamp *at)
{
	if (w.client == REQ_CLIENT_STORE) {
		l->in_flight--;
		return (struct lsu_done){LSU_DONE_STORE, 0, lsu_slot_of_store(w.token)};
	}
	PANIC_UNLESS(w.token < l->loads.n && l->loads.load[w.token].left > 0, "lsu", now);
	if (--l->loads.load[w.token].left > 0)
		return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
	l->in_flight--;
	loads_end(&l->loads, w.token, now, buffer, at);
	return (struct lsu_done){LSU_DONE_LOAD, 0, w.token};
}

/* Loads from global memory go by the locality table. It is asked about a transaction, the instruction's next one, if
 * there is one, in the cycle before the earliest in which that is served. */
static inline bool lsu_goes_by_locality(const struct lsu_entry *i)
{
	return i->server == LSU_L1 && i->access.kind == REQ_READ && !i->access.local && !i->access.bypass;
}
void lsu_request_locality(struct lsu *l, uint64_t now, const struct lsu_entry *i);

/* For a cache: the head's next transaction, or one that is due; there is one. */
struct lsu_done lsu_serve_next(struct lsu *l, uint64_t now);

static inline struct lsu_done lsu_step_head(struct lsu *l, uint64_t now)
{
	if (l->head.server == LSU_BANKS) {
		if (now < l->head.until)
			return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
		l->head.server = LSU_EMPTY;
		l->overdue = translate_is_overdue(&l->translate, now);
		return (struct lsu_done){LSU_DONE_BANKS, 0, l->head.cta};
	}
	if (l->head.server == LSU_EMPTY && translate_n_due(&l->translate) == 0)
		return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
	return lsu_serve_next(l, now);
}

/* Serves a transaction, or ends an access of the banks; what is done with that. Then prefetches, if the L1's port is
 * free. */
struct lsu_done lsu_step_with_policies(struct lsu *l, uint64_t now);
static inline struct lsu_done lsu_step(struct lsu *l, uint64_t now)
{
	if (__builtin_expect(l->l1.needs_step, 0))
		return lsu_step_with_policies(l, now);
	return lsu_step_head(l, now);
}

static inline bool lsu_has_packet(const struct lsu *l)
{
	return l1_has_packet(&l->l1) || l1_has_packet(&l->const_cache);
}

/* Hands a packet, of which there is one, to the network. */
void lsu_send(struct lsu *l, uint64_t now, const struct net_link *to);

/* The core cycle after now in which lsu_step or lsu_send has something to do. */
uint64_t lsu_next(const struct lsu *l, uint64_t now);

/* Closes the counts at the end of a run of `cycles` cycles, which a limit may have cut. */
void lsu_finish(struct lsu *l, uint64_t cycles);

static inline bool lsu_is_free(const struct lsu *l)
{
	return l->head.server == LSU_EMPTY && !l->overdue;
}

/* lsu_queue.c: an access of the banks, for `cycles` cycles, comes into the entrance of a queue. Returns CYCLE_NEVER: a
 * struct lsu_done says when its registers, as a load's, are known. */
uint64_t lsu_queue_hold_banks(struct lsu *l, uint64_t now, const struct core_inst *in, unsigned slot, uint32_t latency,
			      uint32_t cycles);

/* The CTA stays until the banks have served the access, though its warp may end before. */
static inline uint64_t lsu_hold_banks(struct lsu *l, uint64_t now, const struct core_inst *in, unsigned slot, unsigned cta,
				      uint32_t latency, uint32_t cycles)
{
	PANIC_UNLESS(lsu_is_free(l), "lsu", now);
	if (__builtin_expect(l->queue != NULL, 0))
		return lsu_queue_hold_banks(l, now, in, slot, latency, cycles);
	l->head.server = LSU_BANKS;
	l->head.row = in->row;
	l->head.cta = (uint8_t)cta;
	l->head.until = now + cycles;
	return now + latency + cycles - 1;
}

static inline uint64_t lsu_issue_param(struct lsu *l, uint64_t now, const struct core_inst *in, unsigned slot, unsigned cta)
{
	l->stats.params++;
	return lsu_hold_banks(l, now, in, slot, cta, l->m->const_cache.latency, 1);
}

/* lsu_ports.c: a cycle for an instruction to which an L1 of several banks belongs, or of a data path of a width. */
struct lsu_done lsu_serve_ports(struct lsu *l, uint64_t now, struct lsu_entry *i);

/* Why an instruction that is ready cannot enter the unit, while it is not free. */
enum stalls lsu_cause(const struct lsu *l);

/* lsu_lines.c: the transactions of a global, local or constant access, into l->head.tx; how many. Bank cycles of a
 * shared-memory access. */
uint32_t lsu_lines(struct lsu *l, const struct lsu_inst *i, unsigned slot);
uint32_t lsu_bank_cycles(const struct lsu_inst *i, uint32_t banks);

#endif
