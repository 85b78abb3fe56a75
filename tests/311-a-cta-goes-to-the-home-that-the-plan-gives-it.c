/* 311: the dispatcher alone, between SMs that end each CTA some cycles after it came: with affinity every CTA runs once, at the
 * home that Equation 1 of the CODA paper gives it, however long the CTAs take; without a plan CTAs go out in ascending order. */
#include <criterion/criterion.h>

#include "gpu/dispatch.h"
#include "support/made_up.h"

enum { SMS = 8, LIMIT = 3, PERIOD = 10, CAP = 16 };

struct seen {
	uint32_t sm[4096]; /* by CTA, of the current launch */
	uint32_t order[4096], n;
};

/* A trace of launches with as many CTAs, which do nothing but end. */
static struct trace *launches(const uint32_t *ctas, unsigned n)
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

/* Runs all launches; calls `check` when one has ended. */
static void run(struct trace *t, const struct plan *p, uint64_t seed,
		void (*check)(const struct seen *, uint32_t launch, uint32_t ctas))
{
	struct arena a = {0};
	struct queue *start = arena_array(&a, SMS, sizeof *start), *done = arena_array(&a, SMS, sizeof *done);
	uint32_t limit[8] = {LIMIT, LIMIT, LIMIT, LIMIT, LIMIT, LIMIT, LIMIT, LIMIT}, launch = 0;
	uint64_t busy[SMS] = {0};
	struct seen *s = arena_alloc(&a, sizeof *s);
	struct dispatch d;

	for (uint32_t i = 0; i < SMS; i++) {
		queue_init(&start[i], &a, CAP, sizeof(struct sm_start), PERIOD);
		queue_init(&done[i], &a, CAP, sizeof(struct sm_done), PERIOD);
	}
	dispatch_init(&d, &a, SMS, PERIOD, t, limit, p, start, done);
	for (uint64_t now = 0; !dispatch_finished(&d); now += PERIOD) {
		cr_assert_lt(now, 10000000, "CTAs are left over");
		for (uint32_t i = 0; i < SMS; i++) { /* an SM: a CTA after the other, each for some cycles */
			const struct sm_start *msg = queue_front(&start[i], now);

			if (!msg || busy[i] > now)
				continue;
			cr_assert_eq(msg->launch, dispatch_launch(&d));
			s->sm[msg->cta] = i + 1;
			s->order[s->n++] = msg->cta;
			busy[i] = now + PERIOD * (1 + made_up_random(&seed) % 40);
			*(struct sm_done *)queue_push(&done[i], busy[i] + PERIOD) = (struct sm_done){msg->launch, msg->cta};
			queue_pop(&start[i], now);
		}
		dispatch_step(&d, now);
		if (d.program[0].launch != launch) {
			check(s, launch, trace_launch(t, launch)->n_ctas);
			*s = (struct seen){.n = 0};
			launch = d.program[0].launch;
		}
	}
	cr_assert_eq(d.twice, 0);
	arena_free(&a);
}

/* Equal homes of two SMs, six CTAs a turn: block_id / 6 mod 4. */
static void equation_1(const struct seen *s, uint32_t launch, uint32_t ctas)
{
	(void)launch;
	cr_assert_eq(s->n, ctas);
	for (uint32_t c = 0; c < ctas; c++)
		cr_assert_eq((s->sm[c] - 1) / 2, c / 6 % 4, "CTA %u of %u on SM %u", c, ctas, s->sm[c] - 1);
}

Test(dispatch, affinity_keeps_ctas_at_home)
{
	static const uint32_t ctas[] = {1000, 1, 24, 25, 7};
	uint16_t home[SMS] = {0, 0, 1, 1, 2, 2, 3, 3};
	uint32_t blocks[] = {6, 6, 6, 6};
	struct plan_launch l[5];
	struct plan p = {.n_launches = 5, .launch = l, .n_sms = SMS, .n_homes = 4, .home = home};
	struct trace *t = launches(ctas, 5);

	for (int i = 0; i < 5; i++)
		l[i] = (struct plan_launch){DISPATCH_AFFINITY, blocks};
	for (uint64_t seed = 1; seed <= 5; seed++)
		run(t, &p, seed, equation_1);
	trace_close(t);
}

/* Turns of 9, 0 and 3: the home without CTAs stays idle, CTAs 0-8 go to the first, 9-11 to the third. */
static void uneven(const struct seen *s, uint32_t launch, uint32_t ctas)
{
	static const uint32_t home[SMS] = {0, 0, 0, 1, 2, 2, 2, 2};

	(void)launch;
	cr_assert_eq(s->n, ctas);
	for (uint32_t c = 0; c < ctas; c++)
		cr_assert_eq(home[s->sm[c] - 1], c % 12 < 9 ? 0 : 2, "CTA %u", c);
}

Test(dispatch, homes_may_have_turns_of_their_own)
{
	static const uint32_t ctas[] = {500};
	uint16_t home[SMS] = {0, 0, 0, 1, 2, 2, 2, 2};
	uint32_t blocks[] = {9, 0, 3};
	struct plan_launch l = {DISPATCH_AFFINITY, blocks};
	struct plan p = {.n_launches = 1, .launch = &l, .n_sms = SMS, .n_homes = 3, .home = home};
	struct trace *t = launches(ctas, 1);

	run(t, &p, 7, uneven);
	trace_close(t);
}

static void ascending(const struct seen *s, uint32_t launch, uint32_t ctas)
{
	(void)launch;
	cr_assert_eq(s->n, ctas);
	for (uint32_t i = 0; i < SMS; i++) /* the first round: one for each SM in turn */
		cr_assert_eq(s->sm[i], i + 1);
}

/* A launch without affinity between two with it. */
Test(dispatch, each_launch_has_a_policy_of_its_own)
{
	static const uint32_t ctas[] = {200, 200};
	struct plan_launch l[2] = {{DISPATCH_ROUND_ROBIN, NULL}, {DISPATCH_ROUND_ROBIN, NULL}};
	struct plan p = {.n_launches = 2, .launch = l, .n_sms = SMS, .n_homes = 4};
	struct trace *t = launches(ctas, 2);

	run(t, &p, 1, ascending);
	run(t, NULL, 1, ascending);
	trace_close(t);
}
