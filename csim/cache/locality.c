#include "cache/locality.h"

#include "base/panic.h"

int locality_init(struct locality *l, const struct plan_launch *of, const char *owner, const struct hw_binder *binder,
		  struct err *e)
{
	struct locality_table_params p = {.entries = PLAN_LOCALITIES, .addr_w = PLAN_LOCALITY_ADDRESS, .prio_w = 8, .dist_w = 32};

	*l = (struct locality){.of = of, .clock = clocked_with(binder)};
	if (locality_table_bind(binder, owner, &p, &l->port, e) != 0)
		return err_prefix(e, "locality table");
	l->on = true;
	return 0;
}

static void edge(struct locality *l)
{
	locality_table_port_tick(&l->port, l->clock.cycle + l->ahead, &l->in);
	l->in = (struct locality_table_in){0};
	l->clock.busy = l->waiting;
}

static void advance(struct locality *l, uint64_t cycle)
{
	PANIC_UNLESS(cycle >= l->clock.cycle, "locality table", cycle);
	for (; clocked_lags(&l->clock, cycle); l->clock.cycle++)
		edge(l);
}

static void write_entry(struct locality *l, uint32_t index, const struct locality_entry *e)
{
	l->in = (struct locality_table_in){.wr_valid = 1, .wr_index = index};
	if (e) {
		l->in.wr_used = 1;
		l->in.wr_base = e->base;
		l->in.wr_bound = e->bound;
		l->in.wr_prio = e->priority;
		l->in.wr_caching = e->caching;
		l->in.wr_prefetch = e->prefetch;
		l->in.wr_distance = e->distance;
		l->count.written++;
	}
	edge(l);
	l->ahead++;
}

void locality_begin_launch(struct locality *l, uint64_t now, uint32_t launch)
{
	const struct plan_launch *p = &l->of[launch];

	PANIC_UNLESS(!l->waiting, "locality table", now);
	advance(l, now);
	if (l->clock.busy) { /* the last load of the launch before was taken in this very cycle */
		edge(l);
		l->ahead++;
	}
	for (uint32_t i = 0; i < PLAN_LOCALITIES; i++)
		write_entry(l, i, i < p->n_localities ? &p->locality[i] : NULL);
}

void locality_request(struct locality *l, uint64_t now, uint64_t addr)
{
	advance(l, now);
	l->in.look_valid = 1;
	l->in.look_addr = addr & (((uint64_t)1 << PLAN_LOCALITY_ADDRESS) - 1);
	l->addr = addr;
	l->clock.busy = l->waiting = true;
	l->count.lookups++;
}

void locality_answer(struct locality *l, uint64_t now, struct locality_answer *a)
{
	const struct locality_table_out *out = &l->out;

	advance(l, now);
	locality_table_port_eval(&l->port, l->clock.cycle + l->ahead, &l->in, &l->out);
	PANIC_UNLESS(out->ans_valid, "locality table", now);
	*a = (struct locality_answer){.addr = l->addr,
				      .bound = out->ans_bound,
				      .distance = out->ans_distance,
				      .match = out->ans_match,
				      .entry = (uint8_t)out->ans_index,
				      .caching = out->ans_caching,
				      .prefetch = out->ans_prefetch};
}

static void count(struct locality_counts *c, const struct locality_table_out *out)
{
	c->taken++;
	if (!out->ans_match) {
		c->unmatched++;
		return;
	}
	c->caching[out->ans_caching]++;
	c->prefetch[out->ans_prefetch]++;
}

void locality_take(struct locality *l, uint64_t now)
{
	advance(l, now);
	count(&l->count, &l->out);
	l->in.ans_ready = 1;
	l->clock.busy = true;
	l->waiting = false;
}

void locality_finish(struct locality *l, uint64_t cycle)
{
	if (l->on)
		advance(l, cycle);
}
