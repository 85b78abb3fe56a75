#include "throttle/sampler.h"

#include <stdio.h>

#include "base/panic.h"

enum { COUNT_BITS = 32, COMMIT_BITS = 9 /* of a cycle: up to SM_MAX_SCHEDULERS warps */ };

/* Of a cycle: each bank of the L1 looks up a line. */
static uint32_t miss_bits(uint32_t banks)
{
	uint32_t n = 2;

	while (banks >> n)
		n++;
	return n;
}

int sampler_init(struct sampler *s, const struct sampler_config *c, struct err *e)
{
	const struct machine *m = c->machine;
	const struct throttle_params p = {.kernels = m->throttle.entries,
					  .period = m->throttle.period,
					  .periods = m->throttle.m,
					  .watchdog = m->throttle.watchdog,
					  .count_w = COUNT_BITS,
					  .commit_w = COMMIT_BITS,
					  .miss_w = miss_bits(m->l1.banks)};
	char owner[32];

	*s = (struct sampler){.c = *c, .latency = ticks_of(m->throttle.latency, c->sm->period), .clock = clocked_with(c->binder)};
	snprintf(owner, sizeof owner, "sm%u", c->sm->id);
	if (throttle_params_check(&p, e) != 0 || throttle_bind(c->binder, owner, &p, &s->port, e) != 0)
		return err_prefix(e, "throttle");
	return 0;
}

/* ---- the block's clock ---- */

static void edge(struct sampler *s)
{
	s->changed |= s->in.beg_valid || s->in.ord_valid || (s->on && s->due == s->in.now);
	throttle_port_tick(&s->port, s->clock.cycle++, &s->in);
}

/* Goes to `cycle`: those before it have no input, and no period ends in them. */
static void advance(struct sampler *s, uint64_t cycle)
{
	while (clocked_lags(&s->clock, cycle)) {
		s->in = (struct throttle_in){.now = (uint32_t)s->clock.cycle};
		edge(s);
	}
	s->in = (struct throttle_in){.now = (uint32_t)cycle};
}

/* ---- before the SM's cycle ---- */

static void set_limit(struct sampler *s, uint32_t limit)
{
	struct sm *sm = s->c.sm;

	if (limit == s->limit)
		return;
	if (s->limit && !limit)
		s->limited_cycles += s->clock.cycle - s->limited_since;
	if (!s->limit)
		s->limited_since = s->clock.cycle;
	s->limit = limit;
	warp_throttle_order(sm->throttle.state, limit);
	sm->throttle.due = 0;
}

static void show(struct sampler *s)
{
	struct throttle_out out;

	if (!s->changed)
		return;
	s->changed = false;
	throttle_port_eval(&s->port, s->clock.cycle, &s->in, &out);
	s->on = out.on;
	s->due = out.due;
	set_limit(s, out.limited ? out.limit : 0);
	if (out.hold != s->hold)
		l1_hold_open(&s->c.sm->lsu.l1, s->clock.cycle, out.hold);
	s->hold = out.hold;
	s->opened += out.open && !s->open;
	s->open = out.open;
}

static void take_begin(struct sampler *s, struct ticks now)
{
	const struct launch_begin *b = queue_front(s->c.begin, now);
	uint32_t slot;

	if (!b)
		return;
	slot = b->ended ? THROTTLE_NO_SLOT : s->c.slot_of[b->kernel];
	s->in.beg_valid = 1;
	s->in.beg_on = slot != THROTTLE_NO_SLOT;
	s->in.beg_slot = s->in.beg_on ? slot : 0;
	s->in.beg_most = b->most;
	queue_pop(s->c.begin, now);
}

static void take_order(struct sampler *s, struct ticks now)
{
	const struct throttle_order *o = queue_front(s->c.orders, now);

	if (!o)
		return;
	s->in.ord_valid = 1;
	s->in.ord_slot = o->slot;
	s->in.ord_mode = (uint8_t)o->mode;
	s->in.ord_limit = o->limit;
	queue_pop(s->c.orders, now);
}

/* ---- after it ---- */

static uint64_t misses_of(const struct sm *sm)
{
	const struct l1 *l = &sm->lsu.l1;
	uint64_t n = l->policy.bypasses - l->policy.tag_hits;

	for (uint32_t b = 0; b <= l->buffers; b++)
		n += l->count[b].misses;
	return n;
}

static uint64_t grown(uint64_t *last, uint64_t now)
{
	uint64_t by = now - *last;

	*last = now;
	return by;
}

static void count(struct sampler *s)
{
	const struct sm *sm = s->c.sm;
	uint64_t warps = grown(&s->warp_insts, sm->stats.warp_insts), misses = grown(&s->misses, misses_of(sm));

	if (warps)
		s->in.commits = (uint32_t)(s->c.machine->throttle.unit == THROTTLE_PER_WARP_INSTS
						   ? warps
						   : grown(&s->thread_insts, sm_thread_insts(&sm->stats)));
	s->in.misses = (uint8_t)misses;
	s->in.exit = (s->running & ~sm->running) != 0;
	s->running = sm->running;
	PANIC_UNLESS(misses >> miss_bits(s->c.machine->l1.banks) == 0 && s->in.commits >> COMMIT_BITS == 0, "throttle",
		     s->clock.cycle);
}

/* At a period's end. */
static void send(struct sampler *s, struct ticks now)
{
	struct throttle_out out;
	struct ticks when;

	throttle_port_eval(&s->port, s->clock.cycle, &s->in, &out);
	if (!out.msg_valid)
		return;
	PANIC_UNLESS(queue_has_space(s->c.out, now, &when), "throttle", s->clock.cycle);
	*queue_push(s->c.out, ticks_add(now, s->latency)) = (struct throttle_message){
		.slot = out.msg_slot, .commits = out.msg_commits, .misses = out.msg_misses, .most = out.msg_most};
	s->messages++;
}

static bool is_due(const struct sampler *s)
{
	return s->on && s->due == s->in.now;
}

static bool has_input(const struct sampler *s)
{
	return s->in.commits || s->in.misses || s->in.exit || s->in.beg_valid || s->in.ord_valid;
}

static struct ticks next_event(const struct sampler *s, struct ticks now, struct ticks next)
{
	uint64_t period = s->c.sm->period;

	if (s->changed)
		return ticks_after(now, 1, period);
	next = ticks_earlier(next, ticks_earlier(queue_next_arrival(s->c.begin), queue_next_arrival(s->c.orders)));
	return s->on ? ticks_earlier(next, ticks_after(now, (uint32_t)(s->due - s->in.now), period)) : next;
}

struct ticks sampler_step(struct sampler *s, struct ticks now)
{
	struct ticks next;

	advance(s, cycles_in(now, s->c.sm->period));
	show(s);
	take_begin(s, now);
	take_order(s, now);
	next = sm_step(s->c.sm, now);
	count(s);
	if (is_due(s))
		send(s, now);
	if (is_due(s) || has_input(s) || s->clock.every_cycle)
		edge(s);
	return next_event(s, now, next);
}

uint64_t sampler_limited_cycles(const struct sampler *s, uint64_t cycle)
{
	return s->limited_cycles + (s->limit && cycle > s->limited_since ? cycle - s->limited_since : 0);
}
