/* 360: DWT-CS on the whole GPU: sampling begins with cycle 20,000, the winner comes with cycle 60,000, that of a second
 * round with cycle 100,000, each when its messages have gone to the coordinator and back, not a cycle earlier or later;
 * the best limit of programs for which it is known in closed form is found exactly. */
#include <criterion/criterion.h>

#include "base/alloc.h"
#include "run/gpu_impl.h"
#include "support/reuse.h"

/* From a period's end in cycle t: the messages arrive at t + latency; SM j's is taken j cycles later; two cycles after
 * the last one's the decision is made; SM j's order leaves 1 + j cycles after it, and holds from the cycle after its
 * arrival on. */
static uint64_t decided(const struct machine *m, uint64_t t)
{
	return t + m->throttle.latency + (m->sm.count - 1) + 2;
}
static uint64_t holds(const struct machine *m, uint64_t t, unsigned sm)
{
	return decided(m, t) + 1 + sm + m->throttle.latency + 1;
}

/* An L2 so far away that a load that hits is worth all that wait for it: then what counts is who hits. */
static struct machine dwt_cs(const char *name, const char *more)
{
	static const char *const set[] = {"l1.assoc=full", "l2.latency=400", "throttle.policy=dwt-cs"};
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, name, "csim/machines", &e), 0, "%s", e.text);
	for (unsigned i = 0; i < sizeof set / sizeof set[0]; i++)
		cr_assert_eq(machine_set(&m, set[i], &e), 0, "%s", e.text);
	cr_assert_eq(machine_set(&m, more, &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	return m;
}

/* Runs the cycles below `cycles` and stops there. */
static struct gpu *run_up_to(const struct machine *m, struct trace *t, uint64_t cycles, struct gpu_config *c)
{
	struct gpu *g = xcalloc(1, sizeof *g);
	struct err e = {""};

	*c = (struct gpu_config){.machine = m, .trace = t, .max_cycles = cycles};
	cr_assert_eq(gpu_build(g, c, &e), 0, "%s", e.text);
	cr_assert_eq(gpu_simulate(g, &e), 0, "%s", e.text);
	return g;
}

static void expect_limit(const struct machine *m, struct trace *t, uint64_t cycle, unsigned sm, uint32_t before, uint32_t after)
{
	struct gpu_config c;

	for (unsigned i = 0; i < 2; i++) {
		struct gpu *g = run_up_to(m, t, cycle + i, &c);

		cr_assert_eq(g->throttle.sampler[sm].limit, i ? after : before, "SM %u has %u in cycle %lu", sm,
			     g->throttle.sampler[sm].limit, cycle + i - 1);
		gpu_free(g);
		free(g);
	}
}

static uint32_t winner(const struct machine *m, struct trace *t, uint64_t cycles)
{
	struct gpu_config c;
	struct gpu *g = run_up_to(m, t, cycles, &c);
	uint32_t n = g->throttle.coordinator[0].kernel[0].winner;

	gpu_free(g);
	free(g);
	return n;
}

/* Two schedulers of 24 warps each; a warp's lines do not fit into the L1 of 128 even if it is alone on the SM. So a
 * load always waits for the L2, and the more warps wait at a time the more is done: 15 wins, then one of 16 to 24. */
static const struct reuse in_vain = {
	.launches = 1, .kernels = 1, .ctas = 15 * 6, .warps = 8, .lines = 131, .loads = 260, .adds = 2};

Test(dwt_cs, begins_to_sample_and_settles_to_the_cycle)
{
	struct machine m = dwt_cs("gtx480", "throttle.m=4");
	struct trace *t = reuse_record(&in_vain);
	uint32_t second;

	cr_assert_eq(winner(&m, t, decided(&m, 100000)), 0, "not before");
	expect_limit(&m, t, holds(&m, 20000, 0), 0, 0, 1);
	expect_limit(&m, t, holds(&m, 20000, 14), 14, 0, 15);
	expect_limit(&m, t, holds(&m, 60000, 0), 0, 1, 16);
	expect_limit(&m, t, holds(&m, 60000, 8), 8, 9, 24);
	expect_limit(&m, t, holds(&m, 60000, 9), 9, 10, 15);
	expect_limit(&m, t, holds(&m, 60000, 14), 14, 15, 15);
	second = winner(&m, t, decided(&m, 100000) + 1);
	cr_assert(second > 15 && second <= 24, "%u", second);
	expect_limit(&m, t, holds(&m, 100000, 0), 0, 16, second);
	expect_limit(&m, t, holds(&m, 100000, 14), 14, 15, second);
	trace_close(t);
}

/* ---- the best limit ---- */

static uint64_t value(const struct gpu_result *r, const char *name)
{
	const struct stat_row *row = stats_find(&r->stats, name);

	cr_assert_not_null(row, "%s", name);
	return row->count;
}

static void play(const struct machine *m, const struct reuse *of, struct gpu_result *r)
{
	struct trace *t = reuse_record(of);
	struct gpu_config c = {.machine = m, .trace = t};
	struct err e = {""};

	cr_assert_eq(gpu_run(&c, r, &e), 0, "%s", e.text);
	cr_assert_eq(r->audit.failed, 0);
	trace_close(t);
}

/* S lines of a fully associative L1 hold the lines of floor(S / k) warps: with so many or fewer, loads hit, and each
 * warp more does more in the same time; with one more, loads miss throughout. Eight periods, in which bringing the
 * lines in weighs little. */
static void expect_best(const char *machine, const char *count, unsigned l1_lines, unsigned lines)
{
	struct machine m = dwt_cs(machine, count);
	struct reuse of = {.launches = 1,
			   .kernels = 1,
			   .ctas = 2 * m.sm.count,
			   .warps = 4 * m.sm.schedulers,
			   .lines = lines,
			   .loads = 2600,
			   .adds = 0};
	struct gpu_result r;

	m.throttle.m = 8;
	cr_assert_eq(m.l1.c.bytes / m.l1.c.line, l1_lines);
	play(&m, &of, &r);
	cr_assert_eq(value(&r, "throttle.kernel.a.winner"), l1_lines / lines / m.sm.schedulers, "%u lines: %lu warps", lines,
		     value(&r, "throttle.kernel.a.winner"));
	cr_assert_eq(value(&r, "throttle.rounds"), 1);
	cr_assert_eq(value(&r, "throttle.kernel.a.cycle"), decided(&m, 100000));
	gpu_result_free(&r);
}

Test(dwt_cs, the_most_warps_whose_lines_fit_are_found)
{
	expect_best("gtx480", "sm.count=15", 128, 13); /* 9 warps: 4 a scheduler */
	expect_best("gtx480", "sm.count=15", 128, 16); /* 8 */
	expect_best("gtx480", "sm.count=15", 128, 20); /* 6 */
	expect_best("gtx480", "sm.count=15", 128, 32); /* 4 */
}

/* 20 SMs for 8 numbers: two or three of each. */
Test(dwt_cs, and_where_there_are_more_sms_than_numbers)
{
	expect_best("titanv", "sm.count=20", 256, 32); /* 8 warps: 2 a scheduler */
}

Test(dwt_cs, what_fits_is_left_alone)
{
	struct machine m = dwt_cs("gtx480", "throttle.m=4");
	struct reuse of = {.launches = 1, .kernels = 1, .ctas = 30, .warps = 8, .lines = 8, .loads = 1500, .adds = 0};
	struct gpu_result r;

	play(&m, &of, &r);
	cr_assert_gt(value(&r, "throttle.periods"), 2);
	cr_assert_eq(value(&r, "throttle.periods_above"), 0);
	cr_assert_eq(value(&r, "throttle.rounds"), 0);
	gpu_result_free(&r);
}
