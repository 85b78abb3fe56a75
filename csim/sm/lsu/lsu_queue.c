#include "sm/lsu/lsu_queue.h"

#include <string.h>

#include "base/ring.h"

struct waiting { /* an instruction behind the entrance, as the unit's head has it */
	enum lsu_head head;
	uint32_t n, pos;
	uint32_t cycles; /* LSU_BANKS: that it takes, */
	bool shared;	 /* of shared memory; else of parameters, */
	uint64_t until;	 /* and, once in service, the cycle in which the last one is served */
	struct l1_access access;
	struct coalesce_tx tx[LSU_MAX_TX];
};

struct lsu_queue {
	uint32_t room, mask; /* instructions behind the entrance, the one in service included */
	uint32_t first, end; /* counted up indefinitely; the ring index is this & mask */
	uint32_t cycles;     /* of the banks, for the entrance */
	bool shared;
	struct waiting inst[];
};

struct lsu_queue *lsu_queue_new(struct arena *a, const struct machine *m)
{
	uint32_t slots = (uint32_t)ring_slots(m->sm.lsu_queue);
	struct lsu_queue *q = arena_alloc(a, sizeof *q + slots * sizeof q->inst[0]);

	q->room = m->sm.lsu_queue;
	q->mask = slots - 1;
	return q;
}

static inline struct waiting *oldest(struct lsu_queue *q)
{
	return q->first == q->end ? NULL : &q->inst[q->first & q->mask];
}

static inline bool has_room(const struct lsu_queue *q)
{
	return q->end - q->first < q->room;
}

bool lsu_queue_waits(const struct lsu_queue *q)
{
	return q->first != q->end;
}

/* ---- the locality table ---- */

static inline bool goes_by_locality(const struct lsu *l, const struct waiting *w)
{
	return __builtin_expect(l->locality.on, 0) && lsu_goes_by_locality(w->head, &w->access);
}

/* About what is served in the next cycle, unless that is asked already. */
static void ask_ahead(struct lsu *l, uint64_t now)
{
	const struct waiting *w = oldest(l->queue);

	if (w && goes_by_locality(l, w) && !l->locality.waiting)
		lsu_ask_locality(l, now, &w->tx[w->pos]);
}

/* ---- from the entrance ---- */

static void move_in(struct lsu *l)
{
	struct lsu_queue *q = l->queue;
	struct waiting *w = &q->inst[q->end & q->mask];

	if (l->head == LSU_EMPTY || !has_room(q))
		return;
	w->head = l->head;
	w->n = l->n;
	w->pos = 0;
	w->cycles = q->cycles;
	w->shared = q->shared;
	w->until = 0;
	w->access = l->access;
	if (w->head != LSU_BANKS)
		memcpy(w->tx, l->tx, w->n * sizeof w->tx[0]);
	l->head = LSU_EMPTY;
	q->end++;
}

/* Known by a record, as a load is: it waits for an unknown time. */
uint64_t lsu_queue_hold_banks(struct lsu *l, uint64_t now, const struct core_inst *in, unsigned slot, uint32_t latency,
			      uint32_t cycles)
{
	uint32_t token = loads_new(&l->loads);
	struct load *d = &l->loads.load[token];

	l->head = LSU_BANKS;
	d->left = 1;
	d->slot = (uint8_t)slot;
	d->n_dst = in->n_dst;
	d->timed = false;
	d->latency = latency;
	d->issued = now;
	for (unsigned i = 0; i < in->n_dst; i++)
		d->reg[i] = in->reg[i];
	l->until = CYCLE_NEVER; /* not before it is the oldest */
	l->queue->cycles = cycles;
	l->queue->shared = in->act == ACT_SHARED;
	l->access = (struct l1_access){.client = REQ_CLIENT_LOAD, .token = token};
	l->in_flight++;
	return CYCLE_NEVER;
}

/* ---- service ---- */

static struct lsu_done banks(struct lsu *l, struct waiting *w, uint64_t now)
{
	struct mshr_waiter who = {REQ_CLIENT_LOAD, w->access.token};

	if (!w->until)
		w->until = now + w->cycles - 1;
	if (now < w->until)
		return (struct lsu_done){LSU_DONE_NOTHING, 0};
	l->queue->first++;
	return lsu_serve(l, now, who, UINT32_MAX, NULL);
}

static struct lsu_done line(struct lsu *l, struct waiting *w, uint64_t now)
{
	struct l1 *cache = w->head == LSU_CONST ? &l->const_cache : &l->l1;
	struct mshr_waiter who = {w->access.client, w->access.token};
	enum l1_result r;

	if (l->stuck && !l->retry)
		return (struct lsu_done){LSU_DONE_NOTHING, 0};
	if (!l->stuck)
		lsu_access_of(l, &w->tx[w->pos], &w->access);
	if (goes_by_locality(l, w))
		locality_answer(&l->locality, now, &w->access.locality);
	r = l1_access(cache, now, &w->access);
	l->retry = false;
	l->stuck = r >= L1_FAIL_LINE ? r : L1_HIT;
	if (l->stuck)
		return (struct lsu_done){LSU_DONE_NOTHING, 0};
	if (goes_by_locality(l, w))
		locality_take(&l->locality, now);
	if (++w->pos == w->n)
		l->queue->first++;
	return r == L1_HIT ? lsu_serve(l, now, who, w->access.buffer, NULL) : (struct lsu_done){LSU_DONE_NOTHING, 0};
}

struct lsu_done lsu_queue_step(struct lsu *l, uint64_t now)
{
	struct lsu_done done = {LSU_DONE_NOTHING, 0};
	struct waiting *w;

	if (!oldest(l->queue)) /* what has just issued is served at once */
		move_in(l);
	w = oldest(l->queue);
	if (w)
		done = w->head == LSU_BANKS ? banks(l, w, now) : line(l, w, now);
	move_in(l);
	ask_ahead(l, now);
	return done;
}

uint64_t lsu_queue_next(const struct lsu *l, uint64_t now)
{
	const struct waiting *w = oldest(l->queue);

	if (l->head != LSU_EMPTY && has_room(l->queue))
		return now + 1;
	if (!w)
		return CYCLE_NEVER;
	if (w->head == LSU_BANKS)
		return w->until > now ? w->until : now + 1;
	return l->stuck && !l->retry ? CYCLE_NEVER : now + 1;
}

/* An access that the banks have not begun has not been one; of another, the cycles beyond the end. */
static void take_back(struct lsu_stats *s, bool shared, uint64_t cycles, bool begun)
{
	if (shared) {
		s->shared_cycles -= cycles;
		s->shared_accesses -= !begun;
	} else {
		s->params -= !begun;
	}
}

void lsu_queue_finish(struct lsu *l, uint64_t cycles)
{
	const struct lsu_queue *q = l->queue;

	if (l->head == LSU_BANKS)
		take_back(&l->stats, q->shared, q->cycles, false);
	for (uint32_t i = q->first; i != q->end; i++) {
		const struct waiting *w = &q->inst[i & q->mask];

		if (w->head != LSU_BANKS)
			continue;
		if (!w->until)
			take_back(&l->stats, w->shared, w->cycles, false);
		else if (w->until >= cycles)
			take_back(&l->stats, w->shared, w->until - cycles + 1, true);
	}
}
