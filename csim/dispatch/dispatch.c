#include "dispatch/dispatch.h"

#include <string.h>

#include "base/panic.h"
#include "dispatch/concurrent.h"
#include "dispatch/group_dispatch.h"
#include "dispatch/policy.h"

const struct dispatch_windows *dispatch_windows_of(const struct dispatch *d, uint32_t launch)
{
	return d->windows && d->windows[launch].ctas ? &d->windows[launch] : NULL;
}

static bool ended(const struct dispatch_program *p)
{
	return p->launch == p->end_launch;
}

bool dispatch_finished(const struct dispatch *d)
{
	for (uint32_t i = 0; i < d->n_programs; i++)
		if (!ended(&d->program[i]))
			return false;
	return true;
}

uint32_t dispatch_launch(const struct dispatch *d)
{
	uint32_t i = 0;

	if (d->concurrent && d->concurrent->n)
		return d->concurrent->run[0].launch;
	while (i + 1 < d->n_programs && ended(&d->program[i]))
		i++;
	return d->program[i].launch;
}

uint32_t dispatch_ended(const struct dispatch *d, uint32_t n)
{
	if (!d->concurrent)
		return n;
	return n < d->concurrent->n_ended ? d->concurrent->ended[n] : dispatch_launch(d);
}

static struct dispatch_program *program_of(struct dispatch *d, uint32_t sm)
{
	return &d->program[d->n_programs > 1 ? d->plan->program_of_sm[sm] : 0];
}

static enum plan_dispatch policy_of(const struct dispatch *d, uint32_t launch)
{
	return d->plan && d->plan->launch ? d->plan->launch[launch].dispatch : DISPATCH_ROUND_ROBIN;
}

static uint32_t ctas_sent(const struct dispatch *d, uint32_t launch)
{
	const struct dispatch_windows *w = dispatch_windows_of(d, launch);
	uint32_t n = trace_launch(d->trace, launch)->n_ctas;

	return w ? windows_ctas(w, n) : n;
}

static void begin_launch(const struct dispatch *d, struct dispatch_program *p, struct ticks now)
{
	enum plan_dispatch own;

	while (d->skipped && !ended(p) && d->skipped[p->launch])
		p->launch++;
	p->window = WINDOW_NONE;
	p->ended = 0;
	p->begun = true;
	p->opens = ticks_after(now, d->launch_latency, d->period);
	if (ended(p))
		return;
	p->to_end = ctas_sent(d, p->launch);
	own = policy_of(d, p->launch);
	p->policy = dispatch_policies[own];
	for (int i = 0; i < DISPATCH_COUNT; i++)
		if (p->state[i])
			dispatch_policies[i]->launch(p->state[i], d, p, i == (int)own);
}

static size_t set_words(uint32_t ctas)
{
	return ((size_t)ctas + 63) / 64;
}

static uint32_t most_ctas(const struct trace *t, uint32_t first, uint32_t end)
{
	uint32_t most = 0;

	for (uint32_t i = first; i < end; i++)
		if (most < trace_launch(t, i)->n_ctas)
			most = trace_launch(t, i)->n_ctas;
	return most;
}

static int init_program(const struct dispatch *d, struct dispatch_program *p, struct arena *a, const struct dispatch_hardware *hw,
			struct err *e)
{
	for (uint32_t i = p->launch; i < p->end_launch; i++) {
		enum plan_dispatch k = policy_of(d, i);

		if (!p->state[k] && dispatch_policies[k]->init(&p->state[k], a, d, p, hw, e) != 0)
			return -1;
	}
	p->ended_set = arena_array(a, set_words(most_ctas(d->trace, p->launch, p->end_launch)), sizeof *p->ended_set);
	begin_launch(d, p, ticks_of(0, d->period));
	return 0;
}

int dispatch_init(struct dispatch *d, struct arena *a, const struct dispatch_config *c, struct err *e)
{
	bool several = c->plan && c->plan->n_programs > 1;

	PANIC_UNLESS(c->period && c->cta_latency, "dispatch", 0);
	*d = (struct dispatch){.plan = c->plan,
			       .trace = c->trace,
			       .limit = c->limit,
			       .skipped = c->skipped,
			       .windows = c->windows,
			       .n_sms = c->n_sms,
			       .n_programs = several ? c->plan->n_programs : 1,
			       .period = c->period,
			       .launch_latency = c->launch_latency,
			       .cta_latency = c->cta_latency,
			       .start = c->start,
			       .done = c->done,
			       .begin = c->begin,
			       .most = c->most,
			       .code = c->code,
			       .n_gpcs = c->n_gpcs,
			       .timeline = c->timeline};
	d->live = arena_array(a, d->n_sms, sizeof *d->live);
	d->program = arena_array(a, d->n_programs, sizeof *d->program);
	for (uint32_t i = 0; i < d->n_programs; i++) {
		uint32_t first = several ? c->plan->program[i].first_launch : 0;
		uint32_t n = several ? c->plan->program[i].n_launches : trace_n_launches(c->trace);

		d->program[i] = (struct dispatch_program){.launch = first, .end_launch = first + n};
		if (init_program(d, &d->program[i], a, &c->hardware, e) != 0)
			return -1;
	}
	if (c->concurrent)
		d->concurrent = concurrent_new(a, d, c->concurrent);
	return 0;
}

static void end_cta(struct dispatch *d, uint32_t sm, uint32_t cta, struct ticks now)
{
	struct dispatch_program *p = program_of(d, sm);
	uint64_t bit = UINT64_C(1) << cta % 64;

	PANIC_UNLESS(!ended(p) && cta < trace_launch(d->trace, p->launch)->n_ctas, "dispatch", cycles_in(now, d->period));
	PANIC_UNLESS(d->live[sm] > 0, "dispatch", cycles_in(now, d->period));
	d->ended_again += (p->ended_set[cta / 64] & bit) != 0;
	p->ended_set[cta / 64] |= bit;
	d->live[sm]--;
	p->ended++;
	d->retired++;
	d->end = p->end = now;
	if (d->timeline)
		timeline_end(d->timeline, p->launch, cta, cycles_in(now, d->period));
}

static void take_done(struct dispatch *d, struct ticks now)
{
	const struct cta_done *msg;

	for (uint32_t s = 0; s < d->n_sms; s++)
		while ((msg = queue_front(&d->done[s], now))) {
			end_cta(d, s, msg->cta, now);
			queue_pop(&d->done[s], now);
		}
}

/* ---- slices at the SMs ---- */

void dispatch_flush_slices(struct dispatch *d, struct arena *a, struct memsys *s, struct queue_end own)
{
	d->n_slices = memsys_flushes(s);
	d->slice = arena_array(a, d->n_slices, sizeof *d->slice);
	for (uint32_t i = 0; i < d->n_slices; i++)
		d->slice[i] = (struct dispatch_slice){memsys_flush(s, i, own), memsys_flushed(s, i, own), s->nodes.of_dest[i]};
	for (uint32_t sm = 0; sm < d->n_sms; sm++)
		program_of(d, sm)->modules |= UINT64_C(1) << machine_module_of_sm(&s->m, sm);
}

static void take_flushed(struct dispatch *d, struct ticks now)
{
	const struct l2_flush *f;

	for (uint32_t i = 0; i < d->n_slices; i++)
		while ((f = queue_front(d->slice[i].flushed, now))) {
			d->program[f->program].unflushed--;
			d->end = d->program[f->program].end = now;
			queue_pop(d->slice[i].flushed, now);
		}
}

static void ask_for_flush(struct dispatch *d, struct dispatch_program *p, struct ticks now)
{
	for (uint32_t i = 0; i < d->n_slices; i++) {
		if (!(p->modules >> d->slice[i].module & 1))
			continue;
		*queue_push(d->slice[i].flush, ticks_after(now, 1, d->period)) = (struct l2_flush){(uint32_t)(p - d->program)};
		p->unflushed++;
	}
}

/* Whether the slices of its modules have been flushed since the launch's last CTA ended; asks for it first. */
static bool is_flushed(struct dispatch *d, struct dispatch_program *p, struct ticks now)
{
	if (!d->n_slices || !p->ended)
		return true;
	if (!p->flushing)
		ask_for_flush(d, p, now);
	p->flushing = p->unflushed > 0;
	return !p->flushing;
}

/* Passes over the launches that have ended, empty ones included. */
static void pass_ended_launches(struct dispatch *d, struct dispatch_program *p, struct ticks now)
{
	while (!ended(p) && p->ended == p->to_end && is_flushed(d, p, now)) {
		memset(p->ended_set, 0, set_words(trace_launch(d->trace, p->launch)->n_ctas) * sizeof *p->ended_set);
		p->launch++;
		begin_launch(d, p, now);
	}
}

static void notify_begin(struct dispatch *d, struct dispatch_program *p, struct ticks now)
{
	struct launch_begin b = {.ended = ended(p)};

	if (!b.ended) {
		b.kernel = trace_launch(d->trace, p->launch)->kernel;
		b.most = d->most[p->launch];
	}
	for (uint32_t s = 0; s < d->n_sms; s++)
		if (program_of(d, s) == p)
			*queue_push(&d->begin[s], ticks_after(now, 1, d->period)) = b;
}

void dispatch_notify_gpcs(struct dispatch *d, uint32_t launch, struct ticks now)
{
	struct code_begin b = {trace_launch(d->trace, launch)->kernel};
	struct ticks when;

	for (uint32_t i = 0; i < d->n_gpcs; i++)
		if (queue_has_space(&d->code[i], now, &when))
			*queue_push(&d->code[i], ticks_after(now, 1, d->period)) = b;
}

/* To whom launches' begins are told. */
static void notify(struct dispatch *d, struct dispatch_program *p, struct ticks now)
{
	p->begun = false;
	if (d->begin)
		notify_begin(d, p, now);
	if (!ended(p))
		dispatch_notify_gpcs(d, p->launch, now);
}

static bool has_room(const struct dispatch *d, const struct dispatch_program *p, uint32_t s, struct ticks now)
{
	struct ticks when;

	return !ended(p) && !ticks_before(now, p->opens) && d->live[s] < d->limit[p->launch] &&
	       queue_has_space(&d->start[s], now, &when);
}

/* Which window of the launch the CTA that is sent is of. */
static void note_window(const struct dispatch *d, struct dispatch_program *p, uint32_t cta)
{
	const struct dispatch_windows *w = dispatch_windows_of(d, p->launch);

	if (w)
		p->window = window_of(w, cta);
}

static void note_start(struct dispatch *d, const struct dispatch_program *p, uint32_t sm, uint32_t cta, struct ticks now)
{
	const void *state = p->state[policy_of(d, p->launch)];

	timeline_start(d->timeline, p->launch, cta, sm, cycles_in(now, d->period) + d->cta_latency);
	if (p->policy->stolen && p->policy->stolen(state, sm))
		timeline_stolen(d->timeline, p->launch, cta);
}

/* One CTA for each SM with room. Returns true if another could follow in the next cycle. */
static bool send(struct dispatch *d, struct ticks now)
{
	uint32_t first = d->first;
	bool more = false;

	for (uint32_t i = 0; i < d->n_sms; i++) {
		uint32_t s = (first + i) % d->n_sms, cta;
		struct dispatch_program *p = program_of(d, s);
		struct cta_start *msg;

		if (!has_room(d, p, s, now))
			continue;
		cta = p->policy->next(p->state[policy_of(d, p->launch)], d, p, s);
		if (cta == DISPATCH_NONE)
			continue;
		PANIC_UNLESS(cta < trace_launch(d->trace, p->launch)->n_ctas, "dispatch policy", cycles_in(now, d->period));
		msg = queue_push(&d->start[s], ticks_after(now, d->cta_latency, d->period));
		*msg = (struct cta_start){.launch = p->launch, .cta = cta};
		if (d->timeline)
			note_start(d, p, s, cta, now);
		note_window(d, p, cta);
		d->live[s]++;
		d->sent++;
		d->first = (s + 1) % d->n_sms;
		more |= d->live[s] < d->limit[p->launch];
	}
	return more;
}

/* Of next and of t, if that is still to come. */
static struct ticks earliest(struct ticks t, struct ticks now, struct ticks next)
{
	return ticks_before(now, t) ? ticks_earlier(t, next) : next;
}

static void before(struct dispatch *d, struct ticks now)
{
	for (uint32_t i = 0; i < d->n_programs; i++)
		for (int k = 0; k < DISPATCH_COUNT && !ended(&d->program[i]); k++)
			if (d->program[i].state[k] && dispatch_policies[k]->before)
				dispatch_policies[k]->before(d->program[i].state[k], d, &d->program[i], now);
}

/* Returns when a policy is to be asked again. */
static struct ticks after(struct dispatch *d, struct ticks now)
{
	struct ticks next = TIME_NEVER;

	for (uint32_t i = 0; i < d->n_programs; i++)
		for (int k = 0; k < DISPATCH_COUNT && !ended(&d->program[i]); k++) {
			const struct dispatch_policy *policy = dispatch_policies[k];
			void *state = d->program[i].state[k];

			if (state && policy->after)
				policy->after(state, d, &d->program[i], now);
			if (state && policy->wake)
				next = ticks_earlier(next, policy->wake(state, d, now));
		}
	return next;
}

struct ticks dispatch_step(struct dispatch *d, struct ticks now)
{
	struct ticks next;
	bool more;

	if (d->concurrent)
		return concurrent_step(d, now);
	take_done(d, now);
	take_flushed(d, now);
	for (uint32_t i = 0; i < d->n_programs; i++)
		pass_ended_launches(d, &d->program[i], now);
	for (uint32_t i = 0; i < d->n_programs; i++)
		if (d->program[i].begun)
			notify(d, &d->program[i], now);
	if (dispatch_finished(d))
		return TIME_NEVER;
	before(d, now);
	more = send(d, now);
	next = after(d, now);
	if (more)
		next = ticks_after(now, 1, d->period);
	for (uint32_t i = 0; i < d->n_programs; i++)
		next = earliest(d->program[i].opens, now, next);
	for (uint32_t s = 0; s < d->n_sms; s++) /* messages that are still on their way */
		next = earliest(queue_next_arrival(&d->done[s]), now, next);
	for (uint32_t i = 0; i < d->n_slices; i++)
		next = earliest(queue_next_arrival(d->slice[i].flushed), now, next);
	return next;
}

/* ---- checkpoints (run/checkpoint.h) ---- */

void dispatch_visit_outside(struct dispatch *d, void (*visit)(void *ctx, void *word), void *ctx)
{
	for (uint32_t i = 0; i < d->n_programs; i++) {
		struct group_dispatch *groups = d->program[i].state[DISPATCH_GROUPS];

		visit(ctx, &d->program[i].policy);
		if (groups)
			visit(ctx, &groups->lists);
	}
}

static uint32_t last_begun(const struct dispatch_program *p)
{
	return ended(p) && p->launch ? p->launch - 1 : p->launch;
}

void dispatch_set_outside(struct dispatch *d)
{
	for (uint32_t i = 0; i < d->n_programs; i++) {
		struct dispatch_program *p = &d->program[i];
		struct group_dispatch *groups = p->state[DISPATCH_GROUPS];
		enum plan_dispatch own;

		if (!p->policy) /* it has no launch */
			continue;
		own = policy_of(d, last_begun(p));
		p->policy = dispatch_policies[own];
		if (groups)
			groups->lists = own == DISPATCH_GROUPS ? d->plan->launch[last_begun(p)].lists : NULL;
	}
}
