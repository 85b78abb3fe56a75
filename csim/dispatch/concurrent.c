#include "dispatch/concurrent.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/panic.h"
#include "dispatch/dispatch.h"

static size_t words(uint32_t bits)
{
	return ((size_t)bits + 63) / 64;
}

static void init_launches(struct concurrent *c, struct arena *a, const struct dispatch *d)
{
	uint32_t n = trace_n_launches(d->trace), ctas = 0;

	for (uint32_t i = 0; i < n; i++)
		if (ctas < trace_launch(d->trace, i)->n_ctas)
			ctas = trace_launch(d->trace, i)->n_ctas;
	c->run = arena_array(a, c->most, sizeof *c->run);
	for (uint32_t i = 0; i < c->most; i++) {
		c->run[i].ended_set = arena_array(a, words(ctas), sizeof *c->run[i].ended_set);
		c->run[i].been = arena_array(a, words(d->n_sms), sizeof *c->run[i].been);
	}
}

struct concurrent *concurrent_new(struct arena *a, const struct dispatch *d, const struct concurrent_config *config)
{
	struct concurrent *c = arena_alloc(a, sizeof *c);
	uint32_t n = trace_n_launches(d->trace);

	PANIC_UNLESS(config->most, "dispatch", 0);
	*c = (struct concurrent){.most = config->most < n ? config->most : n, .carveout = config->carveout};
	c->has = occupancy_has(config->machine);
	c->needs = arena_array(a, n, sizeof *c->needs);
	for (uint32_t i = 0; i < n; i++) {
		const struct trace_launch *l = trace_launch(d->trace, i);

		c->needs[i] = occupancy_needs(config->machine, trace_kernel(d->trace, l->kernel), l);
	}
	c->sm = arena_array(a, d->n_sms, sizeof *c->sm);
	for (uint32_t s = 0; s < d->n_sms; s++)
		c->sm[s].shared_bytes = c->has.of[OCCUPANCY_SHARED];
	c->ended = arena_array(a, n, sizeof *c->ended);
	c->times = arena_array(a, n, sizeof *c->times);
	launch_order_init(&c->order, a, d->trace);
	init_launches(c, a, d);
	return c;
}

/* ---- launches ---- */

static void begin_launch(struct dispatch *d, uint32_t launch, struct ticks now)
{
	struct concurrent *c = d->concurrent;
	struct concurrent_launch *r = &c->run[c->n++];

	r->launch = launch;
	r->sent = r->ended = 0;
	r->opens = ticks_after(now, d->launch_latency, d->period);
	memset(r->ended_set, 0, words(trace_launch(d->trace, launch)->n_ctas) * sizeof *r->ended_set);
	memset(r->been, 0, words(d->n_sms) * sizeof *r->been);
	c->times[launch].began = now;
	dispatch_notify_gpcs(d, launch, now);
	if (c->most_seen < c->n)
		c->most_seen = c->n;
}

/* Those behind it move up; what it had points to goes to the end, for the next one that begins. */
static void end_launch(struct dispatch *d, uint32_t i, struct ticks now)
{
	struct concurrent *c = d->concurrent;
	struct concurrent_launch r = c->run[i];

	PANIC_UNLESS(i < c->sending, "dispatch", cycles_in(now, d->period));
	launch_order_end(&c->order, r.launch);
	c->ended[c->n_ended++] = r.launch;
	c->times[r.launch].ended = now;
	c->n--;
	c->sending--;
	memmove(&c->run[i], &c->run[i + 1], (c->n - i) * sizeof *c->run);
	c->run[c->n] = r;
	d->program[0].launch++;
	d->program[0].end = now;
}

static void begin_launches(struct dispatch *d, struct ticks now)
{
	struct concurrent *c = d->concurrent;
	uint32_t launch;

	while (c->n < c->most && (launch = launch_order_begin(&c->order)) != UINT32_MAX)
		begin_launch(d, launch, now);
}

/* ---- CTAs ---- */

static void end_cta(struct dispatch *d, uint32_t sm, const struct cta_done *msg, struct ticks now)
{
	struct concurrent *c = d->concurrent;
	struct concurrent_launch *r = c->run;
	uint64_t bit = UINT64_C(1) << msg->cta % 64;

	while (r < c->run + c->n && r->launch != msg->launch)
		r++;
	PANIC_UNLESS(r < c->run + c->n && msg->cta < trace_launch(d->trace, r->launch)->n_ctas && d->live[sm] > 0, "dispatch",
		     cycles_in(now, d->period));
	d->ended_again += (r->ended_set[msg->cta / 64] & bit) != 0;
	r->ended_set[msg->cta / 64] |= bit;
	for (unsigned i = 0; i < OCCUPANCY_LIMITS; i++)
		c->sm[sm].used.of[i] -= c->needs[r->launch].of[i];
	d->live[sm]--;
	d->retired++;
	d->end = now;
	if (d->timeline)
		timeline_end(d->timeline, r->launch, msg->cta, cycles_in(now, d->period));
	if (++r->ended == trace_launch(d->trace, r->launch)->n_ctas)
		end_launch(d, (uint32_t)(r - c->run), now);
}

static void take_done(struct dispatch *d, struct ticks now)
{
	const struct cta_done *msg;

	for (uint32_t s = 0; s < d->n_sms; s++)
		while ((msg = queue_front(&d->done[s], now))) {
			end_cta(d, s, msg, now);
			queue_pop(&d->done[s], now);
		}
}

static uint64_t carveout_of(const struct concurrent *c, uint32_t launch)
{
	return c->carveout ? c->carveout[launch].shared_bytes : c->has.of[OCCUPANCY_SHARED];
}

static bool has_room(const struct dispatch *d, uint32_t launch, uint32_t s, struct ticks now)
{
	const struct concurrent *c = d->concurrent;
	const struct concurrent_sm *sm = &c->sm[s];
	const struct cta_needs *needs = &c->needs[launch];
	struct ticks when;

	for (unsigned i = 0; i < OCCUPANCY_LIMITS; i++)
		if (sm->used.of[i] + needs->of[i] > c->has.of[i])
			return false;
	if (d->live[s] && sm->used.of[OCCUPANCY_SHARED] + needs->of[OCCUPANCY_SHARED] > sm->shared_bytes)
		return false;
	return queue_has_space(&d->start[s], now, &when);
}

/* What the SM's L1 and constant cache are to do as a CTA of that launch comes; notes it. */
static enum cta_caches caches_for(struct dispatch *d, struct concurrent_launch *r, uint32_t s)
{
	struct concurrent_sm *sm = &d->concurrent->sm[s];
	uint64_t bit = UINT64_C(1) << s % 64, shared = carveout_of(d->concurrent, r->launch);
	bool first = !(r->been[s / 64] & bit), other = !d->live[s] && sm->shared_bytes != shared;

	r->been[s / 64] |= bit;
	if (!d->live[s])
		sm->shared_bytes = shared;
	if (other || (first && !d->live[s]))
		return CTA_CACHES_NEW;
	return first ? CTA_CACHES_CLEAN : CTA_CACHES_STAY;
}

static void send_cta(struct dispatch *d, struct concurrent_launch *r, uint32_t s, struct ticks now)
{
	struct concurrent *c = d->concurrent;
	uint32_t cta = r->sent++;

	*queue_push(&d->start[s], ticks_after(now, d->cta_latency, d->period)) =
		(struct cta_start){.launch = r->launch, .cta = cta, .caches = caches_for(d, r, s)};
	for (unsigned i = 0; i < OCCUPANCY_LIMITS; i++)
		c->sm[s].used.of[i] += c->needs[r->launch].of[i];
	d->live[s]++;
	d->sent++;
	d->first = (s + 1) % d->n_sms;
	if (d->timeline)
		timeline_start(d->timeline, r->launch, cta, s, cycles_in(now, d->period) + d->cta_latency);
	if (r->sent == trace_launch(d->trace, r->launch)->n_ctas)
		c->sending++;
}

/* The launch whose CTAs go to SMs now; NULL. */
static struct concurrent_launch *sender(const struct dispatch *d, struct ticks now)
{
	const struct concurrent *c = d->concurrent;

	return c->sending < c->n && !ticks_before(now, c->run[c->sending].opens) ? &c->run[c->sending] : NULL;
}

/* One CTA for each SM with room. Returns when more could follow without an SM's message. */
static struct ticks send(struct dispatch *d, struct ticks now)
{
	struct concurrent *c = d->concurrent;
	uint32_t first = d->first;
	uint64_t sent = d->sent;

	for (uint32_t i = 0; i < d->n_sms; i++) {
		uint32_t s = (first + i) % d->n_sms;
		struct concurrent_launch *r = sender(d, now);

		if (!r)
			break;
		if (has_room(d, r->launch, s, now))
			send_cta(d, r, s, now);
	}
	if (c->sending == c->n)
		return TIME_NEVER;
	if (!sender(d, now))
		return c->run[c->sending].opens;
	return d->sent > sent ? ticks_after(now, 1, d->period) : TIME_NEVER;
}

struct ticks concurrent_step(struct dispatch *d, struct ticks now)
{
	struct ticks next;

	take_done(d, now);
	begin_launches(d, now);
	next = send(d, now);
	for (uint32_t s = 0; s < d->n_sms; s++) /* messages that are still on their way */
		next = ticks_earlier(queue_next_arrival(&d->done[s]), next);
	return next;
}

/* ---- invariants ---- */

static struct ticks end_of(const struct concurrent *c, uint32_t launch)
{
	return c->order.ended[launch] ? c->times[launch].ended : TIME_NEVER;
}

/* by[i]: when all launches below i had ended. Of those that have begun. */
static uint64_t begun_early(const struct concurrent *c)
{
	const struct trace *t = c->order.trace;
	struct ticks *by = xcalloc((size_t)c->order.n + 1, sizeof *by);
	uint64_t early = 0;

	for (uint32_t i = 0; i < c->order.n; i++)
		by[i + 1] = ticks_before(by[i], end_of(c, i)) ? end_of(c, i) : by[i];
	for (uint32_t i = 0; i < c->order.begun; i++) {
		const struct trace_launch *l = trace_launch(t, c->order.ready[i]);
		struct ticks began = c->times[c->order.ready[i]].began;

		early += ticks_before(began, by[l->below]);
		for (uint32_t w = 0; w < l->n_waits; w++)
			early += ticks_before(began, end_of(c, trace_waits(t, l)[w]));
	}
	free(by);
	return early;
}

void concurrent_audit(const struct concurrent *c, struct audit *a)
{
	audit_equal(a, "launches begun before the launches they depend on had ended", begun_early(c), 0);
	audit_at_most(a, "launches running at the same time <= launch.concurrent", c->most_seen, c->most);
}
