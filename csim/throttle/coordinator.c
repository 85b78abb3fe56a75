#include "throttle/coordinator.h"

#include "base/panic.h"

enum { COUNT_BITS = 32 };

int coordinator_init(struct coordinator *k, const struct coordinator_config *c, struct err *e)
{
	const struct machine *m = c->machine;
	bool by_cycles = m->throttle.unit == THROTTLE_PER_CYCLES;
	const struct throttle_coordinator_params p = {.sms = c->sms,
						      .kernels = m->throttle.entries,
						      .n = m->throttle.n,
						      .threshold = m->throttle.threshold,
						      .per_cycles = by_cycles ? m->throttle.period : 0,
						      .any = m->throttle.over == THROTTLE_ANY,
						      .count_w = COUNT_BITS};
	uint64_t period = m->clock.period[CLOCK_CORE];

	*k = (struct coordinator){
		.c = *c, .period = period, .latency = ticks_of(m->throttle.latency, period), .clock = clocked_with(c->binder)};
	if (throttle_coordinator_params_check(&p, e) != 0 || throttle_coordinator_bind(c->binder, c->owner, &p, &k->port, e) != 0)
		return err_prefix(e, "throttle");
	return 0;
}

void coordinator_change(struct coordinator *k, const struct machine *m)
{
	k->port.params.threshold = k->port.golden->p.threshold = m->throttle.threshold;
}

/* ---- a cycle ---- */

static const struct throttle_coordinator_in nothing;

static void advance(struct coordinator *k, uint64_t cycle)
{
	while (clocked_lags(&k->clock, cycle))
		throttle_coordinator_port_tick(&k->port, k->clock.cycle++, &nothing);
}

static void take_message(struct coordinator *k, const struct throttle_coordinator_out *o, struct throttle_coordinator_in *in,
			 struct ticks now)
{
	const struct throttle_message *m = o->msg_ready ? queue_front(k->c.in[o->turn], now) : NULL;

	if (!m)
		return;
	in->msg_valid = 1;
	in->msg_slot = m->slot;
	in->msg_commits = m->commits;
	in->msg_misses = m->misses;
	in->msg_most = m->most;
	queue_pop(k->c.in[o->turn], now);
}

static void send_order(struct coordinator *k, const struct throttle_coordinator_out *o, struct throttle_coordinator_in *in,
		       struct ticks now)
{
	struct throttle_order_queue *to;
	struct ticks when;

	if (!o->ord_valid)
		return;
	to = k->c.out[o->turn];
	PANIC_UNLESS(queue_has_space(to, now, &when), "throttle coordinator", k->clock.cycle);
	*queue_push(to, ticks_add(now, k->latency)) =
		(struct throttle_order){.slot = o->ord_slot, .mode = o->ord_mode, .limit = o->ord_limit};
	in->ord_ready = 1;
	k->count.orders++;
}

static void note_vote(struct coordinator *k, const struct throttle_coordinator_out *o)
{
	struct coordinator_kernel *of = &k->kernel[o->ord_slot];

	if (o->dec_mode != THROTTLE_SETTLED)
		return;
	k->count.winners++;
	of->winner = o->dec_winner;
	of->since = k->clock.cycle;
}

static void note_decision(struct coordinator *k, const struct throttle_coordinator_out *o)
{
	if (!o->dec_valid)
		return;
	if (o->dec_mode == THROTTLE_SAMPLE) {
		k->count.rounds++;
		k->kernel[o->ord_slot].rounds++;
	}
	if (o->dec_voted) {
		note_vote(k, o);
		return;
	}
	k->count.periods++;
	k->count.above += o->dec_above;
	k->count.reused += o->dec_mode == THROTTLE_SETTLED;
}

struct ticks coordinator_step(struct coordinator *k, struct ticks now)
{
	struct throttle_coordinator_in in = nothing;
	struct throttle_coordinator_out out;

	advance(k, cycles_in(now, k->period));
	throttle_coordinator_port_eval(&k->port, k->clock.cycle, &in, &out);
	take_message(k, &out, &in, now);
	send_order(k, &out, &in, now);
	note_decision(k, &out);
	if (!in.msg_valid && !out.busy && !k->clock.every_cycle)
		return queue_next_arrival(k->c.in[out.turn]);
	throttle_coordinator_port_tick(&k->port, k->clock.cycle++, &in);
	return in.msg_valid || out.busy ? ticks_after(now, 1, k->period) : queue_next_arrival(k->c.in[out.turn]);
}
