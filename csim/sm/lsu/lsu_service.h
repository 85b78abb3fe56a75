/* Service of a transaction: it is handed to its cache, which takes it or fails it. However transactions come there,
 * from the unit's head, a queue behind it, the MRPB or the TLB, these are the steps; the ways are in lsu_service.c,
 * lsu_queue.c and lsu_mrpb.c.
 *
 * What the cache has failed is `stuck` and goes first: nothing else is handed to a cache until it is taken. It is tried
 * again when the cache has changed (`retry`).
 */
#ifndef CSIM_SM_LSU_LSU_SERVICE_H
#define CSIM_SM_LSU_LSU_SERVICE_H

#include "sm/lsu/lsu.h"

static inline uint64_t lsu_first_byte(const struct coalesce_tx *t)
{
	return t->line + (uint32_t)(t->mask[0] ? __builtin_ctzll(t->mask[0]) : 64 + __builtin_ctzll(t->mask[1]));
}

static inline uint16_t lsu_buffer_of(struct lsu *l, uint64_t addr)
{
	int b;

	if (addr - l->buffer_base < l->buffer_size)
		return l->buffer;
	b = trace_buffer_of(l->trace, addr);
	if (b < 0 || b >= UINT16_MAX)
		return UINT16_MAX;
	l->buffer_base = trace_buffer(l->trace, (uint32_t)b)->base;
	l->buffer_size = trace_buffer(l->trace, (uint32_t)b)->size;
	l->buffer = (uint16_t)b;
	return l->buffer;
}

/* The instruction's next transaction as its access, in virtual addresses. */
static inline void lsu_set_access(struct lsu *l, struct lsu_entry *i)
{
	const struct coalesce_tx *t = &i->tx[i->pos];
	struct l1_access *a = &i->access;

	a->line = t->line;
	a->mask[0] = t->mask[0];
	a->mask[1] = t->mask[1];
	a->buffer = a->local ? UINT16_MAX : lsu_buffer_of(l, lsu_first_byte(t));
	a->lanes = t->lanes;
	a->sync = t->sync;
}

/* That transaction is out of the instruction's hands. */
static inline void lsu_next_transaction(struct lsu_entry *i)
{
	if (++i->pos == i->n)
		i->server = LSU_EMPTY;
}

static inline struct l1 *lsu_cache_of(struct lsu *l, const struct lsu_entry *i)
{
	return i->server == LSU_CONST ? &l->const_cache : &l->l1;
}

/* Hands a transaction to its cache; false: it is stuck there. */
static inline bool lsu_offer(struct lsu *l, uint64_t now, struct l1 *cache, const struct l1_access *a, enum l1_result *r)
{
	*r = l1_access(cache, now, a);
	l->retry = false;
	l->stuck = *r >= L1_FAIL_LINE ? *r : L1_HIT;
	return !l->stuck;
}

/* What is done with a transaction that its cache has taken. */
static inline struct lsu_done lsu_taken(struct lsu *l, uint64_t now, const struct l1_access *a, enum l1_result r)
{
	if (r != L1_HIT)
		return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
	return lsu_serve(l, now, (struct mshr_waiter){a->client, a->token}, a->buffer, NULL);
}

/* Hands over the transaction that lsu_set_access has made ready. */
static inline struct lsu_done lsu_serve_access(struct lsu *l, uint64_t now, struct lsu_entry *i)
{
	enum l1_result r;

	if (!lsu_offer(l, now, lsu_cache_of(l, i), &i->access, &r))
		return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
	lsu_next_transaction(i);
	return lsu_taken(l, now, &i->access, r);
}

/* A cycle for an instruction to which the port belongs. */
static inline struct lsu_done lsu_serve_entry(struct lsu *l, uint64_t now, struct lsu_entry *i)
{
	if (l->stuck && !l->retry)
		return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
	if (!l->stuck)
		lsu_set_access(l, i);
	return lsu_serve_access(l, now, i);
}

/* The same, where the L1 may have banks or a data path of a width. */
static inline struct lsu_done lsu_serve_by_ports(struct lsu *l, uint64_t now, struct lsu_entry *i)
{
	if (!l->ports.on || i->server != LSU_L1)
		return lsu_serve_entry(l, now, i);
	if (l->stuck && !l->retry)
		return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
	return lsu_serve_ports(l, now, i);
}

#endif
