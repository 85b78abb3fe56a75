/* Streaming bypass (dwt-pric, section 4.1): if more than `rate` % of a period's loads missed, the next period's
 * loads go past the cache. The tags go on being updated, so that the rate is that of a cache in use, and the cache
 * is used again after a period at or below the threshold. A hit on a line that is on its way is no miss; a period
 * without a load changes nothing. Periods are counted from cycle 0, across launches.
 *
 * The block of hw/twins/bypass_monitor.h counts and decides; this is the model's end of its port. A load is of the
 * cycle in which it is accepted, a hold of the one in which it begins or, if a load has come in that cycle, of the
 * next. Cycles in which the block has nothing to do are left out. */
#include "base/panic.h"
#include "hw/clocked.h"
#include "hw/twins/bypass_monitor.h"
#include "policy/cache_policy.h"

struct streaming_bypass {
	struct bypass_monitor_params params;
	struct bypass_monitor_port port;
	struct clocked clock;
	uint64_t last; /* of its period */
	uint64_t end;  /* of the period that the cache has come to: its first cycle that is not part of it */
	bool held;
	uint64_t since; /* the block's cycle in which the hold began */
	bool bypassed;	/* as the block said last */
	bool opened;	/* it has decided so, and the cache has not been notified */
};

static void init(void **state, struct arena *a, const struct machine_bypass *settings)
{
	struct streaming_bypass *s = arena_alloc(a, sizeof *s);

	*s = (struct streaming_bypass){.params = {.rate = settings->rate, .period = settings->period},
				       .last = settings->period - 1,
				       .end = settings->period};
	*state = s;
}

static int bind(void *state, const char *owner, const struct hw_binder *binder, struct err *e)
{
	struct streaming_bypass *s = state;

	s->clock.every_cycle = binder->every_cycle;
	return bypass_monitor_params_check(&s->params, e) == 0 ? bypass_monitor_bind(binder, owner, &s->params, &s->port, e) : -1;
}

/* ---- the block's clock ---- */

static struct bypass_monitor_in inputs(const struct streaming_bypass *s)
{
	uint32_t bits = bypass_monitor_bits(s->params.period);

	return (struct bypass_monitor_in){.now = (uint32_t)(s->clock.cycle & (UINT64_MAX >> (64 - bits))), .hold = s->held};
}

/* What the block says of a cycle, ahead of its load. */
static void look(struct streaming_bypass *s)
{
	struct bypass_monitor_in in = inputs(s);
	struct bypass_monitor_out out;

	bypass_monitor_port_eval(&s->port, s->clock.cycle, &in, &out);
	s->bypassed = out.bypass;
	s->opened |= out.open;
	s->clock.busy = out.busy;
}

static void step(struct streaming_bypass *s, const struct bypass_monitor_in *in)
{
	struct bypass_monitor_out out;
	bool last = s->clock.cycle == s->last;

	bypass_monitor_port_step(&s->port, s->clock.cycle, in, &out);
	s->bypassed = out.bypass;
	s->clock.busy = false;
	s->clock.cycle++;
	if (!last)
		return;
	s->last += s->params.period;
	look(s);
}

static void go_to(struct streaming_bypass *s, uint64_t cycle)
{
	while (s->clock.cycle < cycle)
		if (clocked_lags(&s->clock, cycle < s->last ? cycle : s->last) || (s->clock.cycle == s->last && s->last < cycle)) {
			struct bypass_monitor_in in = inputs(s);

			step(s, &in);
		}
}

/* ---- the policy ---- */

static void change(void *state, const struct machine_bypass *settings, uint64_t cycle)
{
	struct streaming_bypass *s = state;

	go_to(s, cycle);
	s->params.rate = s->port.params.rate = s->port.golden->p.rate = settings->rate;
}

static struct cache_verdict decide(const void *state, const struct cache_load *l)
{
	const struct streaming_bypass *s = state;

	(void)l;
	return (struct cache_verdict){.use = s->bypassed ? CACHE_BYPASS_TAG : CACHE_ALLOCATE};
}

static void observe(void *state, const struct cache_load *l)
{
	struct streaming_bypass *s = state;
	struct bypass_monitor_in in;

	go_to(s, l->cycle);
	PANIC_UNLESS(s->clock.cycle == l->cycle, "streaming bypass", l->cycle);
	in = inputs(s);
	in.acc_valid = 1;
	in.acc_miss = l->found == CACHE_NOT_FOUND;
	step(s, &in);
}

static bool has_opened(struct streaming_bypass *s)
{
	bool opened = s->opened;

	s->opened = false;
	return opened;
}

static bool advance(void *state, uint64_t cycle)
{
	struct streaming_bypass *s = state;

	go_to(s, cycle);
	s->end = cycle - cycle % s->params.period + s->params.period;
	return has_opened(s);
}

static bool hold(void *state, uint64_t cycle, bool open)
{
	struct streaming_bypass *s = state;

	if (open == s->held)
		return false;
	PANIC_UNLESS(open || cycle > s->since, "streaming bypass", cycle);
	go_to(s, cycle);
	s->held = open;
	s->since = s->clock.cycle;
	look(s);
	s->clock.busy = true;
	return has_opened(s);
}

static uint64_t next(const void *state)
{
	const struct streaming_bypass *s = state;

	return s->end;
}

static bool bypassed(const void *state)
{
	const struct streaming_bypass *s = state;

	return s->bypassed;
}

static void finish(void *state, uint64_t cycle)
{
	go_to(state, cycle);
}

const struct cache_policy cache_policy_streaming_bypass = {.name = "streaming",
							   .init = init,
							   .change = change,
							   .bind = bind,
							   .finish = finish,
							   .decide = decide,
							   .observe = observe,
							   .advance = advance,
							   .hold = hold,
							   .next = next,
							   .bypassed = bypassed};
