/* What the files of the L2 slice say to one another; nobody else includes this. */
#ifndef CSIM_CACHE_L2_L2_IMPL_H
#define CSIM_CACHE_L2_L2_IMPL_H

#include "base/panic.h"
#include "cache/l2/l2.h"

/* l2_tags.c: looks up a request; L2_STALL_NONE if it went on, else why not. */
enum l2_stall l2_lookup(struct l2 *l, const struct mem_req *r, struct ticks now);

/* What was asked for by that token has come. Returns the MSHR entry that it is for. */
uint32_t l2_fill(struct l2 *l, uint32_t token);

/* Answers the next request of the entry that is being answered. false: no room in the reply network. */
bool l2_answer(struct l2 *l, struct ticks now);

#endif
