/* What the files of the L2 slice say to one another; nobody else includes this. */
#ifndef CSIM_CACHE_L2_L2_IMPL_H
#define CSIM_CACHE_L2_L2_IMPL_H

#include "base/panic.h"
#include "cache/l2/l2_half.h"

/* The pipe whose request is looked up; that by which a request is answered. */
static inline struct l2_pipe *l2_pipe_served(struct l2 *l)
{
	return __builtin_expect(l->half != NULL, 0) && l->half->serving ? &l->half->pipe : &l->pipe;
}
static inline struct l2_pipe *l2_pipe_of(struct l2 *l, const struct mem_req *r)
{
	return __builtin_expect(l->half != NULL, 0) && r->requester == REQ_OTHER_HALF ? &l->half->pipe : &l->pipe;
}

/* Reads that come from now on do not join one that is ahead of a write to that address's line, done for the other half:
 * what SMs send has closed its entries as it went into the pipe. */
static inline void l2_close_entries(struct l2 *l, uint64_t addr)
{
	if (l->pipe.coalescer)
		l2_coalescer_close(l->pipe.coalescer, addr);
}

/* l2.c: begins with a line that has come, if none is being answered. */
void l2_take_fill(struct l2 *l, struct ticks now);

/* l2_half.c, of slices of two halves: a write or atomic of the other half's line goes on to it. */
enum l2_stall l2_pass_on(struct l2 *l, const struct mem_req *r, uint64_t line, struct ticks now);

/* Whether the other half can be told that a line of the slice's own is written; tells it that the request does so. */
bool l2_can_notify(struct l2 *l, struct ticks now);
void l2_notify(struct l2 *l, const struct mem_req *r, uint64_t line, struct ticks now);

/* Whether one more copy may be on its way to that slot's set: another way is left. */
bool l2_copy_has_a_way(const struct l2 *l, uint32_t slot);

/* l2_tags.c: looks up a request; L2_STALL_NONE if it went on, else why not. */
enum l2_stall l2_lookup(struct l2 *l, const struct mem_req *r, struct ticks now);

/* What was asked for by that token has come. Returns the MSHR entry that it is for. */
uint32_t l2_fill(struct l2 *l, uint32_t token);

/* Two halves: what the other one had of the sectors that have come, of a line of its own, for the entry. */
void l2_other_half_had(struct l2 *l, uint32_t entry, enum req_found found);

/* Answers the next request of the entry that is being answered. false: no room in the reply network. */
bool l2_answer(struct l2 *l, struct ticks now);

#endif
