#include "sm/subcore.h"

#include "base/panic.h"
#include "base/ring.h"
#include "sm/sm_impl.h"

void subcores_init(struct subcores *c, const struct machine *m)
{
	*c = (struct subcores){.on = true,
			       .room = m->subcore.queue,
			       .mask = (uint32_t)ring_slots(m->subcore.queue) - 1,
			       .interval = m->subcore.interval,
			       .ldst_interval = m->subcore.ldst_interval,
			       .last = m->sm.subcores - 1};
	for (unsigned s = 0; s < m->sm.schedulers; s++)
		c->of[s] = (uint8_t)(s % m->sm.subcores);
}

/* Of a queue that is not empty. */
static inline const struct operands_inst *oldest(const struct subcores *c, unsigned k)
{
	return &c->queue[k].inst[c->queue[k].first & c->mask];
}

/* Queue k has another oldest instruction, or none. */
static inline void look_at_oldest(struct subcores *c, unsigned k)
{
	uint8_t bit = (uint8_t)(1u << k), others = (uint8_t)~bit;
	bool holds = c->queue[k].first != c->queue[k].end;

	c->filled = holds ? c->filled | bit : c->filled & others;
	c->at_ldst = holds && oldest(c, k)->in->unit == UNIT_LDST ? c->at_ldst | bit : c->at_ldst & others;
}

/* The queues whose oldest may find its unit free. */
static inline uint32_t queues_ready(const struct sm *sm)
{
	return sm->subcores.filled & ~(lsu_is_free(&sm->lsu) ? 0u : sm->subcores.at_ldst);
}

void subcore_issue(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask)
{
	struct subcores *c = &sm->subcores;
	unsigned k = c->of[sm_scheduler_of(sm, slot)];
	struct subcore_queue *q = &c->queue[k];
	struct operands_inst *i = &q->inst[q->end++ & c->mask];

	PANIC_UNLESS(q->end - q->first <= c->room, "subcore", sm->now);
	*i = deferred_issue(sm, slot, in, mask);
	i->number = c->issued++;
	if (q->end - q->first == 1)
		look_at_oldest(c, k);
	if (q->end - q->first == c->room)
		c->full |= (uint8_t)(1u << k);
}

/* The first cycle in which the oldest instruction of queue k, one of queues_ready(), can go. */
static inline uint64_t can_go(const struct sm *sm, unsigned k)
{
	const struct subcores *c = &sm->subcores;
	uint64_t unit = c->ldst_next;

	if (!(c->at_ldst >> k & 1)) {
		enum core_unit u = oldest(c, k)->in->unit;

		unit = sm_unit_free(sm, u, sm_all_units(sm, u));
	}
	return unit > c->next[k] ? unit : c->next[k];
}

static void begin(struct sm *sm, const struct operands_inst *i, enum core_unit u)
{
	uint64_t *free_at = sm->unit_free[u];
	unsigned n = 0;

	while (free_at[n] > sm->now)
		n++;
	if (__builtin_expect(sm->profile != NULL, 0))
		profile_takes_unit(sm, i->in, n);
	free_at[n] = sm->now + deferred_begin(sm, i, 0);
	sm->stats.tensor_held += u == UNIT_TENSOR ? free_at[n] - sm->now : 0;
	if (__builtin_expect(sm->pipeline != NULL, 0))
		pipeline_taken(sm, i);
}

static void go(struct sm *sm, unsigned k)
{
	struct subcores *c = &sm->subcores;
	const struct operands_inst i = *oldest(c, k);
	enum core_unit u = i.in->unit;

	c->queue[k].first++;
	look_at_oldest(c, k);
	c->full &= (uint8_t) ~(1u << k);
	c->next[k] = sm->now + c->interval;
	c->last = k;
	if (u != UNIT_LDST) {
		begin(sm, &i, u);
		return;
	}
	c->ldst_next = sm->now + c->ldst_interval;
	deferred_access(sm, &i);
}

void subcore_step(struct sm *sm)
{
	uint32_t all = queues_ready(sm), first = (sm->subcores.last + 1) % SUBCORE_MAX;

	/* behind the last one, then from the first on */
	for (all = (all | all << SUBCORE_MAX) >> first & ((1u << SUBCORE_MAX) - 1); all; all &= all - 1) {
		unsigned k = ((unsigned)__builtin_ctz(all) + first) % SUBCORE_MAX;

		if (queues_ready(sm) >> k & 1 && can_go(sm, k) <= sm->now)
			go(sm, k);
	}
}

uint64_t subcore_next(const struct sm *sm)
{
	uint64_t next = CYCLE_NEVER, t;

	for (uint32_t queues = queues_ready(sm); queues; queues &= queues - 1)
		if ((t = can_go(sm, (unsigned)__builtin_ctz(queues))) < next)
			next = t;
	return next > sm->now ? next : sm->now + 1;
}
