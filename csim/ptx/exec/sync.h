/* Which accesses order the warps of a launch, for the trace (struct trace_sync in trace/trace.h).
 *
 * While a launch is executed, the modifications of words that may order warps are numbered, by word: those of atomics,
 * of volatile, relaxed and release stores, and of any store to a word that is known already. An access that reads such
 * a word notes how many modifications it has seen. At the launch's end only the words are kept that a warp has read
 * after another one's modification, with all accesses to them.
 *
 * A word is 4 bytes at a multiple of 4; what narrower accesses touch is a word of its own, at their address.
 */
#ifndef CSIM_PTX_EXEC_SYNC_H
#define CSIM_PTX_EXEC_SYNC_H

#include <stdbool.h>
#include <stdint.h>

#include "trace/trace.h"

struct sync_log; /* of a launch's global memory, or of one CTA's shared memory */

/* An instruction's access, by some lanes of a warp. */
struct sync_access {
	uint32_t cta, warp, record;		  /* its address record's number in the warp */
	uint32_t epoch;				  /* barriers of the whole CTA that are behind the warp */
	uint32_t bytes;				  /* of a lane */
	uint32_t mask, changed;			  /* lanes; those that modify */
	bool reads;				  /* what follows may depend on the value: of a load, a lock, a flag */
	bool waits;				  /* it is in an attempt of a wait (exec.h) */
	uint32_t saw;				  /* modifications of its one word; SYNC_LATEST: all so far */
	const uint8_t *bytes_of[TRACE_WARP_SIZE]; /* of each lane, after the access */
};
#define SYNC_LATEST UINT32_MAX

struct sync_log *sync_log_new(void);
void sync_log_free(struct sync_log *l); /* NULL: nothing */

/* Whether a store to any of these addresses is one to a known word. */
bool sync_log_knows(const struct sync_log *l, uint32_t mask, uint32_t bytes, const uint64_t address[TRACE_WARP_SIZE]);

void sync_log_access(struct sync_log *l, const struct sync_access *a, const uint64_t address[TRACE_WARP_SIZE]);

/* The word of an access of at most 4 bytes: its number. How often it has been modified; its value after the first
 * change of it behind the first `saw` modifications, and *after: how many there were then. False: there is none. */
uint32_t sync_log_word(struct sync_log *l, uint64_t address, uint32_t bytes);
uint32_t sync_log_count(const struct sync_log *l, uint32_t word);
bool sync_log_next(const struct sync_log *l, uint32_t word, uint32_t saw, uint32_t *after, uint32_t *value);

/* An attempt of so many instructions, with so many records, up to and with the access that decides for it. */
struct sync_attempt {
	uint32_t insts, records;
	const struct trace_run *tail; /* what it executes behind that when it fails */
	const uint32_t *sleep;	      /* for how long one that fails sleeps besides: the first, the second, ... */
	uint32_t n_tail, n_sleeps;
};
/* The access that came last decides for it, and no other. */
void sync_log_decides(struct sync_log *l, const struct sync_attempt *a);
/* The access that decided last does not. */
void sync_log_takes_back(struct sync_log *l);

/* The attempt failed: what the warp has logged from that record on has not been. */
void sync_log_cut(struct sync_log *l, uint32_t cta, uint32_t warp, uint32_t record);

/* Whether what the warp has logged last, from that record on, modifies a word. */
bool sync_log_modifies(const struct sync_log *l, uint32_t cta, uint32_t warp, uint32_t record);

/* Whether a warp has read after another one's modification. */
bool sync_log_orders(const struct sync_log *l);
/* There was more than is kept: the log says nothing. */
bool sync_log_is_full(const struct sync_log *l);

/* Puts what n logs have together, for the launch, into the trace. cta: whose shared memory each is of, or
 * TRACE_SYNC_GLOBAL. */
struct sync_part {
	struct sync_log *log;
	uint32_t cta;
};
void sync_write(struct trace_writer *w, const struct sync_part *part, uint32_t n, uint32_t n_ctas);

#endif
