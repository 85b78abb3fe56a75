#include "sm/subcore.h"

#include "base/panic.h"
#include "sm/sm_impl.h"

void subcores_init(struct subcores *c, const struct machine *m)
{
	*c = (struct subcores){.on = true,
			       .room = m->subcore.queue,
			       .interval = m->subcore.interval,
			       .ldst_interval = m->subcore.ldst_interval,
			       .last = m->sm.subcores - 1};
	for (unsigned s = 0; s < m->sm.schedulers; s++)
		c->of[s] = (uint8_t)(s % m->sm.subcores);
}

/* Of a queue that is not empty. */
static inline const struct operands_inst *oldest(const struct subcore_queue *q)
{
	return &q->inst[q->first % SUBCORE_MAX_QUEUE];
}

/* A queue has changed. */
static inline void find_oldest(struct subcores *c, const struct subcore_queue *q)
{
	uint32_t bit = 1u << (q - c->queue);
	bool holds = q->first != q->end;

	c->filled = (c->filled & ~bit) | (holds ? bit : 0);
	c->at_ldst = (c->at_ldst & ~bit) | (holds && oldest(q)->in->unit == UNIT_LDST ? bit : 0);
}

/* The queues whose oldest may find its unit free. */
static inline uint32_t queues_to_ask(const struct sm *sm)
{
	return sm->subcores.filled & ~(lsu_is_free(&sm->lsu) ? 0 : sm->subcores.at_ldst);
}

void subcore_issue(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask)
{
	struct subcores *c = &sm->subcores;
	struct subcore_queue *q = &c->queue[c->of[sm_scheduler_of(sm, slot)]];
	struct operands_inst *i = &q->inst[q->end % SUBCORE_MAX_QUEUE];

	PANIC_UNLESS(q->end - q->first < c->room, "subcore", sm->now);
	*i = deferred_issue(sm, slot, in, mask);
	i->number = c->issued++;
	q->end++;
	find_oldest(c, q);
}

/* The first cycle in which the unit of an instruction can take it; CYCLE_NEVER: the load/store unit says when. */
static inline uint64_t unit_takes(const struct sm *sm, const struct operands_inst *i)
{
	enum core_unit u = i->in->unit;

	if (u != UNIT_LDST)
		return sm_unit_free(sm, u, sm_all_units(sm, u));
	return lsu_is_free(&sm->lsu) ? sm->subcores.ldst_next : CYCLE_NEVER;
}

static inline uint64_t can_go(const struct sm *sm, const struct subcore_queue *q)
{
	uint64_t unit = unit_takes(sm, oldest(q));

	return unit > q->next ? unit : q->next;
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

static void go(struct sm *sm, struct subcore_queue *q)
{
	const struct operands_inst i = *oldest(q);
	enum core_unit u = i.in->unit;

	q->first++;
	find_oldest(&sm->subcores, q);
	q->next = sm->now + sm->subcores.interval;
	if (u != UNIT_LDST) {
		begin(sm, &i, u);
		return;
	}
	sm->subcores.ldst_next = sm->now + sm->subcores.ldst_interval;
	deferred_access(sm, &i);
}

static void step_queues(struct sm *sm, uint32_t queues)
{
	for (; queues; queues &= queues - 1) {
		unsigned k = (unsigned)__builtin_ctz(queues);

		if (can_go(sm, &sm->subcores.queue[k]) > sm->now)
			continue;
		go(sm, &sm->subcores.queue[k]);
		sm->subcores.last = k;
	}
}

void subcore_step(struct sm *sm)
{
	uint32_t all = queues_to_ask(sm), last = sm->subcores.last;
	uint32_t upper = all >> last >> 1 << last << 1; /* behind the last one; then from the first on */

	if (!all)
		return;
	step_queues(sm, upper);
	step_queues(sm, all & ~upper);
}

uint64_t subcore_next(const struct sm *sm)
{
	uint64_t next = CYCLE_NEVER, t;

	for (uint32_t queues = queues_to_ask(sm); queues; queues &= queues - 1)
		if ((t = can_go(sm, &sm->subcores.queue[__builtin_ctz(queues)])) < next)
			next = t;
	return next > sm->now ? next : sm->now + 1;
}
