#include "support/dispatch_bench.h"

#include <criterion/criterion.h>

#include "support/made_up.h"
#include "support/random.h"

enum { PERIOD = 10, MOST_CYCLES = 1000000 };

struct trace *dispatch_bench_trace(const uint32_t *ctas, unsigned n)
{
	struct trace_inst inst = {.op = OP_EXIT, .line = 1};
	char name[] = "exit", *names[] = {name};
	struct trace_kernel k = {.name = name, .n_inst = 1, .inst = &inst, .n_names = 1, .names = names, .regs_per_thread = 8};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "ends"}, &e);
	struct trace *t;

	cr_assert_not_null(w, "%s", e.text);
	trace_add_kernel(w, &k);
	for (unsigned l = 0; l < n; l++) {
		cr_assert_eq(trace_launch_begin(w, 0, (uint32_t[]){ctas[l], 1, 1}, (uint32_t[]){32, 1, 1}, 0, &e), 0);
		for (uint32_t c = 0; c < ctas[l]; c++) {
			trace_cta_begin(w, c);
			trace_put_run(w, 0, 0, 1, UINT32_MAX);
			cr_assert_eq(trace_cta_end(w, &e), 0);
		}
		cr_assert_eq(trace_launch_end(w, &e), 0);
	}
	t = trace_writer_finish(w, &e);
	cr_assert_not_null(t, "%s", e.text);
	return t;
}

uint64_t dispatch_bench_same(void *ctx, uint32_t launch, uint32_t cta)
{
	(void)launch;
	(void)cta;
	return *(uint64_t *)ctx;
}

uint64_t dispatch_bench_random(void *ctx, uint32_t launch, uint32_t cta)
{
	(void)launch;
	(void)cta;
	return 1 + random_u64(ctx) % 40;
}

struct bench_sm {
	uint32_t n; /* CTAs it holds */
	struct bench_cta **cta;
};

/* Tells the ends of this cycle, then begins what has arrived. */
static void step_sm(struct dispatch_bench *b, struct bench_sm *s, uint32_t sm, struct dispatch *d, uint64_t cycle)
{
	struct ticks now = ticks_of(cycle, PERIOD);
	const struct cta_start *msg;
	uint32_t kept = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		if (s->cta[i]->end > cycle)
			s->cta[kept++] = s->cta[i];
		else
			*queue_push(&d->done[sm], ticks_after(now, 1, PERIOD)) =
				(struct cta_done){s->cta[i]->launch, s->cta[i]->cta};
	}
	s->n = kept;
	while ((msg = queue_front(&d->start[sm], now))) {
		struct bench_cta *c = &b->ran[b->n++];

		cr_assert_eq(msg->launch, dispatch_launch(d));
		cr_assert_lt(s->n, b->limit, "SM %u holds too many CTAs", sm);
		*c = (struct bench_cta){msg->launch, msg->cta, sm, cycle, cycle + b->cycles(b->ctx, msg->launch, msg->cta)};
		s->cta[s->n++] = c;
		queue_pop(&d->start[sm], now);
	}
}

/* Whether a message has come: the dispatcher sleeps until then, or until the time that it named. */
static bool has_news(const struct dispatch *d, struct ticks now)
{
	for (uint32_t s = 0; s < d->n_sms; s++)
		if (queue_front(&d->done[s], now))
			return true;
	return false;
}

static void check_ran(const struct dispatch_bench *b, struct trace *t, struct arena *a)
{
	uint32_t at = 0;

	for (uint32_t l = 0; l < trace_n_launches(t); l++) {
		uint32_t n = trace_launch(t, l)->n_ctas;
		bool *seen = arena_array(a, n, sizeof *seen);

		for (uint32_t i = 0; i < n; i++, at++) {
			cr_assert_eq(b->ran[at].launch, l);
			cr_assert(!seen[b->ran[at].cta], "CTA %u runs twice", b->ran[at].cta);
			seen[b->ran[at].cta] = true;
		}
	}
}

void dispatch_bench_run(struct dispatch_bench *b, struct trace *t, struct arena *a)
{
	struct cta_start_queue *start = arena_array(a, b->sms, sizeof *start);
	struct cta_done_queue *done = arena_array(a, b->sms, sizeof *done);
	struct bench_sm *sm = arena_array(a, b->sms, sizeof *sm);
	uint32_t *limit = arena_array(a, trace_n_launches(t), sizeof *limit), total = 0;
	struct hw_binder golden = hw_golden_binder(a);
	const struct dispatch_config c = {.n_sms = b->sms,
					  .period = PERIOD,
					  .cta_latency = 1,
					  .trace = t,
					  .limit = limit,
					  .plan = b->plan,
					  .start = start,
					  .done = done,
					  .hardware = {&golden, ticks_of(b->latency, PERIOD)}};
	struct err e = {""};
	struct dispatch d;
	struct ticks next = {0};
	uint64_t cycle;

	golden.every_cycle = b->every_cycle;
	for (uint32_t i = 0; i < b->sms; i++) {
		queue_init(&start[i], a, b->limit, ticks_of(1, PERIOD));
		queue_init(&done[i], a, b->limit, ticks_of(1, PERIOD));
		sm[i].cta = arena_array(a, b->limit, sizeof *sm[i].cta);
	}
	for (uint32_t l = 0; l < trace_n_launches(t); l++) {
		limit[l] = b->limit;
		total += trace_launch(t, l)->n_ctas;
	}
	b->n = 0;
	b->ran = arena_array(a, total, sizeof *b->ran);
	cr_assert_eq(dispatch_init(&d, a, &c, &e), 0, "%s", e.text);
	for (cycle = 0; !dispatch_finished(&d); cycle++) {
		cr_assert_lt(cycle, MOST_CYCLES, "CTAs are left over");
		for (uint32_t i = 0; i < b->sms; i++)
			step_sm(b, &sm[i], i, &d, cycle);
		if (ticks_by(next, ticks_of(cycle, PERIOD)) || has_news(&d, ticks_of(cycle, PERIOD)))
			next = dispatch_step(&d, ticks_of(cycle, PERIOD));
	}
	b->end = cycle - 1;
	cr_assert_eq(b->n, total);
	cr_assert_eq(d.ended_again, 0);
	if (group_dispatch_total(&d, &b->counts))
		cr_assert_eq(b->counts.left_over, 0);
	check_ran(b, t, a);
}
