#include "sm/subcore.h"

#include "base/panic.h"
#include "sm/sm_impl.h"

void subcores_init(struct subcores *c, const struct machine *m)
{
	*c = (struct subcores){.on = true,
			       .n = m->sm.subcores,
			       .room = m->subcore.queue,
			       .interval = m->subcore.interval,
			       .ldst_interval = m->subcore.ldst_interval,
			       .last = m->sm.subcores - 1};
	for (unsigned s = 0; s < m->sm.schedulers; s++)
		c->of[s] = (uint8_t)(s % m->sm.subcores);
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
	c->held++;
}

static inline const struct operands_inst *oldest(const struct subcore_queue *q)
{
	return q->first == q->end ? NULL : &q->inst[q->first % SUBCORE_MAX_QUEUE];
}

/* The first cycle in which the unit of an instruction can take it; CYCLE_NEVER: the load/store unit says when. */
static uint64_t unit_takes(const struct sm *sm, const struct operands_inst *i)
{
	enum core_unit u = i->in->unit;

	if (u != UNIT_LDST)
		return sm_unit_free(sm, u, sm_all_units(sm, u));
	return lsu_is_free(&sm->lsu) ? sm->subcores.ldst_next : CYCLE_NEVER;
}

static uint64_t can_go(const struct sm *sm, const struct subcore_queue *q)
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
	q->next = sm->now + sm->subcores.interval;
	sm->subcores.held--;
	if (u != UNIT_LDST) {
		begin(sm, &i, u);
		return;
	}
	sm->subcores.ldst_next = sm->now + sm->subcores.ldst_interval;
	deferred_access(sm, &i);
}

void subcore_step(struct sm *sm)
{
	struct subcores *c = &sm->subcores;
	unsigned from = c->last;

	if (!c->held)
		return;
	for (unsigned n = 1; n <= c->n; n++) {
		unsigned k = from + n < c->n ? from + n : from + n - c->n;

		if (!oldest(&c->queue[k]) || can_go(sm, &c->queue[k]) > sm->now)
			continue;
		go(sm, &c->queue[k]);
		c->last = k;
	}
}

uint64_t subcore_next(const struct sm *sm)
{
	uint64_t next = CYCLE_NEVER, t;

	for (unsigned k = 0; sm->subcores.held && k < sm->subcores.n; k++)
		if (oldest(&sm->subcores.queue[k]) && (t = can_go(sm, &sm->subcores.queue[k])) < next)
			next = t;
	return next > sm->now ? next : sm->now + 1;
}
