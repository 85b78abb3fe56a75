/* Accesses that order the warps of an SM's CTAs, and warps that wait (struct trace_sync, trace/trace.h).
 *
 * An access that decides (insts > 0) holds its warp until it, and what else of the attempt needs a modification, has
 * come back. If all of them found what they need performed (noc/sync.h) the warp goes on. Else its attempt has failed:
 * it executes the tail, sleeps if the trace says so, and begins the attempt anew. From its first failure on until the
 * access that failed succeeds the warp is in a *repeated wait*: what it issues is counted apart (wait.insts), and so
 * are the cycles (STALL_WAIT), since how often it tries depends on the machine.
 *
 * Shared memory is looked at as the load/store unit takes the access, whose accesses the banks serve in order.
 *
 * For the warp that decides, and for a tail's run, the stream ends with the run it is in (struct sm_warp, run_end), so
 * that nothing asks for a warp's waits where it issues: see waits_at_end().
 */
#ifndef CSIM_SM_WAITS_H
#define CSIM_SM_WAITS_H

#include <stdbool.h>
#include <stdint.h>

#include "noc/sync.h"
#include "sm/lsu/lsu.h"

enum { WAITS_MAX_WARPS = 64 };

struct sm_cursor { /* where a warp's stream is */
	uint32_t pc, left, run, addr;
	uint32_t next; /* access that comes next */
};

struct sm_wait { /* of a warp's slot */
	/* Its accesses, from the first to behind the last one, by their numbers in the launch; its first record of
	 * addresses and its first run. */
	uint32_t first, end, first_addr, first_run;
	uint32_t next; /* access that comes next */

	uint32_t awaited;  /* of the attempt: what has not come back */
	bool failed;	   /* ... of what has, something did not find what it needs */
	bool decides;	   /* it is held until all has */
	uint32_t deciding; /* by this access */
	uint64_t served;   /* the cycle in which shared memory has served the last of it */

	uint32_t failed_at; /* in a repeated wait: the access, the row of its instruction, ... */
	uint32_t row;
	uint64_t since;	   /* ... and the cycle in which it failed first */
	uint32_t failures; /* ... attempts that have failed since */
	bool in_tail;
	uint32_t tail, tail_end; /* runs of the tail that are still to come */
	struct sm_cursor begin;	 /* of the attempt; while it decides: behind the access */
};

struct sm_waits {
	const struct sync_board *board;
	struct sync_table *table;
	uint64_t performed; /* modifications that the SM knows of */
	struct sm_wait of[WAITS_MAX_WARPS];
};

struct sm;

/* Ahead of the first cycle, of a run in which something orders warps. */
void waits_use(struct sm *sm, struct arena *a, const struct sync_board *b);

/* The CTA, whose warps have begun, has come. */
void waits_begin_cta(struct sm *sm, unsigned cta);

/* The warp issues the access that comes next. */
void waits_issue(struct sm *sm, unsigned slot);
/* The load/store unit, which is free, takes such an access of the warp, as lsu_issue() has it. */
uint64_t waits_access(struct sm *sm, unsigned slot, const struct lsu_inst *i);
/* The warp's stream has ended, with the instruction that it has just issued: whether it goes on all the same. It is
 * scheduled then, not before cycle `earliest`, or held. */
bool waits_at_end(struct sm *sm, unsigned slot, uint64_t earliest);

/* Core cycles, up to the next whole one, of a sleep of so many nanoseconds. */
uint64_t waits_sleep_cycles(const struct sm *sm, uint64_t ns);

/* The row of the access at which the warp, in a repeated wait, has failed. */
uint32_t waits_row(const struct sm *sm, unsigned slot);

/* Cycles up to `cycles` of warps whose repeated waits have not ended. */
uint64_t waits_open_cycles(const struct sm *sm, uint64_t cycles);

/* A reply of REQ_CLIENT_SYNC, ahead of what is done with it: becomes the one that its client expects. If its warp goes
 * on, the registers of this reply are set in the same cycle, and it is scheduled by them then. */
void waits_reply(struct sm *sm, struct mem_req *reply);
/* The unit has taken an access later than it issued: all that the warp is held for may have come back. */
void waits_settle(struct sm *sm, unsigned slot);
/* Likewise, shared memory behind a queue has served an access that is awaited. */
void waits_served(struct sm *sm, unsigned slot);

#endif
