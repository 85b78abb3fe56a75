/* What the files of the L2 slice say to one another; nobody else includes this. */
#ifndef CSIM_CACHE_L2_IMPL_H
#define CSIM_CACHE_L2_IMPL_H

#include "base/panic.h"
#include "cache/l2.h"

#define L2_NOBODY UINT32_MAX

/* l2_tags.c: looks up the request at the end of the pipe; L2_STALL_NONE if it went on, else why not. */
enum l2_stall l2_lookup(struct l2 *l, const struct mem_req *r, uint64_t now);

/* The line of MSHR entry `entry` has come. */
void l2_fill(struct l2 *l, uint32_t entry);

/* Answers the next request of l->answering. false: no room in the reply network. */
bool l2_answer(struct l2 *l, uint64_t now);

/* l2_bypass.c: the same three with L2 disabled. */
enum l2_stall l2_pass(struct l2 *l, const struct mem_req *r, uint64_t now);
bool l2_pass_answer(struct l2 *l, uint64_t now);

/* Keeps a request that waits for its line, from its lookup on. */
static inline void l2_wait(struct l2 *l, uint32_t place, const struct mem_req *r, uint64_t now)
{
	l->waiting[place] = *r;
	l->waiting[place].at[REQ_LOOKED_UP] = (uint32_t)now;
}

/* l2.c: whether a reply can be sent at `now`; if not, l->retry says when. */
bool l2_reply_room(struct l2 *l, uint64_t now);
void l2_reply(struct l2 *l, const struct mem_req *r, uint64_t now);

/* l2_memory.c: towards memory. Whether n requests can go down at `now`; if not, l->retry says when. */
bool l2_down_room(struct l2 *l, uint32_t n, uint64_t now);
void l2_send_down(struct l2 *l, const struct dram_req *r, uint64_t now);

/* Asks for a line, of a page with that mode, for an MSHR entry. */
void l2_fetch(struct l2 *l, uint64_t line, uint32_t mode, uint32_t entry, uint64_t now);

/* Writes a slot's dirty line back. */
void l2_write_back(struct l2 *l, uint32_t slot, uint64_t now);

/* The number within the slice of a request's line. */
uint64_t l2_line(const struct l2 *l, const struct mem_req *r, uint64_t now);

/* What has come from memory: when, and the MSHR entry (or token) that it is for. */
uint64_t l2_up_arrival(const struct l2 *l);
uint32_t l2_take_up(struct l2 *l, uint64_t now);

/* At the SMs: takes the acknowledgements that stand before the next line. */
void l2_take_acknowledgements(struct l2 *l, uint64_t now);

/* At the SMs: a step of a flush that is asked for, once nothing else is on its way: writes a dirty line back, or ends it. Returns
 * the next tick at which there is something to do, beside those at which something arrives. */
uint64_t l2_flush_step(struct l2 *l, uint64_t now);

/* The bursts of a line in which a byte of the mask stands. *whole: the mask has all bytes of each of them. */
uint8_t l2_bursts(const struct l2 *l, const uint64_t mask[2], bool *whole);

/* Cycles that an atomic holds the port. */
static inline uint32_t l2_atomic_cycles(const struct mem_req *r)
{
	return r->bytes > 4 ? (r->bytes + 3u) / 4 : 1;
}

#endif
