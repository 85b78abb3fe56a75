#include "sm/lsu/lsu_queue.h"

#include <string.h>

#include "base/ring.h"
#include "sm/lsu/lsu_service.h"

struct waiting {	 /* an instruction behind the entrance; its `until` is 0 before it is in service */
	uint32_t cycles; /* LSU_BANKS: that it takes, */
	bool shared;	 /* of shared memory; else of parameters */
	struct lsu_entry inst;
};

struct lsu_queue {
	uint32_t room, mask; /* instructions behind the entrance, the one in service included */
	uint32_t first, end; /* counted up indefinitely; the ring index is this & mask */
	uint32_t cycles;     /* of the banks, for the entrance */
	bool shared;
	bool entered; /* an access of a cache came into it in this cycle */
	struct waiting slot[];
};

struct lsu_queue *lsu_queue_new(struct arena *a, const struct machine *m)
{
	uint32_t slots = (uint32_t)ring_slots(m->sm.lsu_queue);
	struct lsu_queue *q = arena_alloc(a, sizeof *q + slots * sizeof q->slot[0]);

	q->room = m->sm.lsu_queue;
	q->mask = slots - 1;
	return q;
}

static inline struct waiting *oldest(struct lsu_queue *q)
{
	return q->first == q->end ? NULL : &q->slot[q->first & q->mask];
}

static inline bool has_room(const struct lsu_queue *q)
{
	return q->end - q->first < q->room;
}

bool lsu_queue_waits(const struct lsu_queue *q)
{
	return q->first != q->end;
}

uint32_t lsu_queue_row(const struct lsu_queue *q)
{
	return q->slot[q->first & q->mask].inst.row;
}

void lsu_queue_entered(struct lsu_queue *q)
{
	q->entered = true;
}

bool lsu_queue_has_entered(const struct lsu_queue *q)
{
	return q->entered;
}

/* ---- the locality table ---- */

static inline bool goes_by_locality(const struct lsu *l, const struct waiting *w)
{
	return __builtin_expect(l->locality.on, 0) && lsu_goes_by_locality(&w->inst);
}

/* About what is served in the next cycle, unless that is asked already. */
static void ask_ahead(struct lsu *l, uint64_t now)
{
	const struct waiting *w = oldest(l->queue);

	if (w && goes_by_locality(l, w) && !l->locality.waiting)
		lsu_request_locality(l, now, &w->inst);
}

/* ---- from the entrance ---- */

static void move_in(struct lsu *l)
{
	struct lsu_queue *q = l->queue;
	struct waiting *w = &q->slot[q->end & q->mask];

	if (l->head.server == LSU_EMPTY || !has_room(q))
		return;
	w->cycles = q->cycles;
	w->shared = q->shared;
	memcpy(&w->inst, &l->head, offsetof(struct lsu_entry, tx) + l->head.n * sizeof l->head.tx[0]);
	w->inst.until = 0;
	l->head.server = LSU_EMPTY;
	q->end++;
}

/* Known by a record, as a load is: it waits for an unknown time. */
uint64_t lsu_queue_hold_banks(struct lsu *l, uint64_t now, const struct core_inst *in, unsigned slot, uint32_t latency,
			      uint32_t cycles)
{
	uint32_t token = loads_new(&l->loads);
	struct load *d = &l->loads.load[token];

	l->head.server = LSU_BANKS;
	l->head.n = 0;
	l->head.row = in->row;
	d->left = 1;
	d->slot = (uint8_t)slot;
	d->n_dst = in->n_dst;
	d->timed = false;
	d->latency = latency;
	d->row = in->row;
	d->issued = now;
	for (unsigned i = 0; i < in->n_dst; i++)
		d->reg[i] = in->reg[i];
	l->head.until = CYCLE_NEVER; /* not before it is the oldest */
	l->queue->cycles = cycles;
	l->queue->shared = in->act == ACT_SHARED;
	l->head.access = (struct l1_access){.client = REQ_CLIENT_LOAD, .token = token};
	l->in_flight++;
	return CYCLE_NEVER;
}

/* ---- service ---- */

static struct lsu_done serve_banks(struct lsu *l, uint64_t now, struct waiting *w)
{
	struct lsu_entry *i = &w->inst;

	if (!i->until)
		i->until = now + w->cycles - 1;
	if (now < i->until)
		return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
	i->server = LSU_EMPTY;
	return lsu_serve(l, now, (struct mshr_waiter){REQ_CLIENT_LOAD, i->access.token}, UINT32_MAX, NULL);
}

static struct lsu_done serve_by_locality(struct lsu *l, uint64_t now, struct lsu_entry *i)
{
	uint32_t pos = i->pos;
	struct lsu_done done;

	locality_answer(&l->locality, now, &i->access.locality);
	done = lsu_serve_by_ports(l, now, i);
	if (i->pos != pos)
		locality_take(&l->locality, now);
	return done;
}

static struct lsu_done serve(struct lsu *l, uint64_t now, struct waiting *w)
{
	if (w->inst.server == LSU_BANKS)
		return serve_banks(l, now, w);
	return goes_by_locality(l, w) ? serve_by_locality(l, now, &w->inst) : lsu_serve_by_ports(l, now, &w->inst);
}

struct lsu_done lsu_queue_step(struct lsu *l, uint64_t now)
{
	struct lsu_done done = {LSU_DONE_NOTHING, 0, 0};
	struct waiting *w;

	l->queue->entered = false;
	if (!oldest(l->queue)) /* what has just issued is served at once */
		move_in(l);
	w = oldest(l->queue);
	if (w) {
		done = serve(l, now, w);
		l->queue->first += w->inst.server == LSU_EMPTY;
	}
	move_in(l);
	ask_ahead(l, now);
	return done;
}

uint64_t lsu_queue_next(const struct lsu *l, uint64_t now)
{
	const struct waiting *w = oldest(l->queue);

	if (l->head.server != LSU_EMPTY && (has_room(l->queue) || l->queue->entered))
		return now + 1;
	if (!w)
		return CYCLE_NEVER;
	if (w->inst.server == LSU_BANKS)
		return w->inst.until > now ? w->inst.until : now + 1;
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

	if (l->head.server == LSU_BANKS)
		take_back(&l->stats, q->shared, q->cycles, false);
	for (uint32_t i = q->first; i != q->end; i++) {
		const struct waiting *w = &q->slot[i & q->mask];

		if (w->inst.server != LSU_BANKS)
			continue;
		if (!w->inst.until)
			take_back(&l->stats, w->shared, w->cycles, false);
		else if (w->inst.until >= cycles)
			take_back(&l->stats, w->shared, w->inst.until - cycles + 1, true);
	}
}
