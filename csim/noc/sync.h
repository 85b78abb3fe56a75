/* How far the accesses that order a program's warps (struct trace_sync, trace/trace.h) have got in a run.
 *
 * The trace numbers the modifications of each word and says which of them an access has seen; the model computes no
 * values. The board knows of each modification the tick at which it was performed. An access is performed in one piece
 * per transaction: where its words lie, the modifications that it needs must have been performed; if so its own are
 * performed too, else nothing is done and its warp tries again (sm/waits.h). Of global memory that is where a slice of
 * the L2, or a port to memory, answers; of shared memory the SM, when its banks take the access.
 *
 * A request that is such a transaction has REQ_CLIENT_SYNC for its client and the number of an entry for its token. The
 * entry is in a table of the SM that sends it, and says whom the reply is for. The SM writes it before the request
 * leaves, who answers writes to it before the reply does, and the SM reads it then, so the queues between them keep
 * host threads from touching one at a time.
 *
 * Where a word can be reached through several slices (slices at the SMs, an L2 of two halves) these may be stepped by
 * several host threads at a time: a modification is seen there `margin` ticks after it was performed, a quantum of the
 * run loop (memsys_quantum()), so that the order in which threads come does not matter.
 */
#ifndef CSIM_NOC_SYNC_H
#define CSIM_NOC_SYNC_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/ticks.h"
#include "noc/request.h"
#include "trace/trace.h"

struct sync_word {
	/* By modification: the tick behind that at which it was performed; 0: it has not been. Those of the prefix hold
	 * the latest up to theirs. */
	_Atomic uint64_t *performed;
	_Atomic uint32_t prefix; /* modifications from the first on that are known to have been performed, at least */
};

struct sync_launch {
	const struct trace_sync *trace; /* NULL: no access orders its warps */
	struct sync_word *word;
};

struct sync_entry { /* a transaction on its way */
	const struct sync_launch *of;
	uint64_t line;		/* address of its line's start, as the trace has it */
	uint32_t access;	/* number in the launch */
	uint32_t token;		/* for whom its reply is, within its SM: token and client */
	enum req_client client; /* REQ_CLIENT_LOAD or REQ_CLIENT_STORE */
	uint32_t performed;	/* modifications, when it is answered; */
	bool held;		/* what it needs had been performed */
	bool awaited;		/* its warp's attempt waits for it (sm/waits.h) */
	uint8_t slot;		/* of its warp */
	uint32_t next_free;
};

enum { SYNC_FIRST_CHUNK = 64, SYNC_CHUNKS = 26 };

/* Entries stay where they are, since others than their SM look at them: each chunk is twice as large as the one before
 * it. */
struct sync_table {
	struct region *region; /* where they are; NULL: on the heap */
	struct sync_entry *chunk[SYNC_CHUNKS];
	uint32_t chunks, free;
} __attribute__((aligned(64)));

struct sync_board {
	struct sync_launch *launch; /* by launch of the trace */
	struct sync_table *table;   /* by SM */
	uint32_t launches, sms;
	uint64_t line_mask; /* of an address within its line */
	struct ticks margin;
};

/* Of a run of the trace: NULL if nothing in it orders warps and none sleeps. line: bytes of the L1's lines. */
struct sync_board *sync_board_new(struct arena *a, const struct trace *t, uint32_t sms, uint32_t line, struct ticks margin);
void sync_board_free(struct sync_board *b); /* what the arena does not hold; NULL: nothing */

/* An entry that is free; given back with its number. */
uint32_t sync_take(struct sync_table *t);
void sync_give(struct sync_table *t, uint32_t number);

static inline struct sync_entry *sync_entry(const struct sync_table *t, uint32_t number)
{
	unsigned chunk = 31 - (unsigned)__builtin_clz(number / SYNC_FIRST_CHUNK + 1);

	return &t->chunk[chunk][number - SYNC_FIRST_CHUNK * ((1u << chunk) - 1)];
}

/* A request of REQ_CLIENT_SYNC is answered at `now`. */
void sync_perform(const struct sync_board *b, const struct mem_req *r, struct ticks now);

/* The access of a CTA to its shared memory is performed at `now`. Returns whether what it needs had been performed;
 * adds to *performed the modifications that it performed. */
bool sync_perform_shared(const struct sync_launch *l, uint32_t access, uint32_t cta, struct ticks now, uint64_t *performed);

/* Of what the access needs the first modification that has not been performed at `now`: its item's number; if all have
 * been, UINT32_MAX. */
uint32_t sync_missing(const struct sync_board *b, const struct sync_launch *l, uint32_t access, struct ticks now,
		      uint32_t *modification);

#endif
