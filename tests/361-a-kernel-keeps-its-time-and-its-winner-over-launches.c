/* 361: DWT-CS over launches and kernels: a second launch monitors anew and uses the winner again after the first period
 * above the threshold; a kernel's period goes on where its last launch stopped, and so does a sampling that a launch's
 * end cut; kernels without counters are not limited; CTAs whose warps meet at barriers end under any limit; the figures
 * are those of every cycle stepped and of components stepped in reverse. */
#include <criterion/criterion.h>

#include "run/gpu.h"
#include "support/machine.h"
#include "support/reuse.h"

static struct machine dwt_cs(const char *a, const char *b)
{
	const char *const set[] = {"throttle.policy=dwt-cs", "l1.assoc=full",	     "l2.latency=400",
				   a ? a : "throttle.n=2",   b ? b : "throttle.n=2", NULL};

	return machine_with(set);
}

static void play_as(struct gpu_config c, const struct machine *m, const struct reuse *of, struct gpu_result *r)
{
	struct trace *t = reuse_record(of);
	struct err e = {""};

	c.machine = m;
	c.trace = t;
	cr_assert_eq(gpu_run(&c, r, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < r->audit.n; i++)
		cr_assert(r->audit.invariant[i].holds, "%s", r->audit.invariant[i].name);
	trace_close(t);
}

static void play(const struct machine *m, const struct reuse *of, struct gpu_result *r)
{
	play_as((struct gpu_config){.machine = NULL}, m, of, r);
}

static uint64_t value(const struct gpu_result *r, const char *name)
{
	const struct stat_row *row = stats_find(&r->stats, name);

	cr_assert_not_null(row, "%s", name);
	return row->count;
}

/* 16 warps of 16 lines: 8 fit. */
static struct reuse thrashing(unsigned launches, unsigned kernels, unsigned loads)
{
	return (struct reuse){.launches = launches, .kernels = kernels, .ctas = 30, .warps = 8, .lines = 16, .loads = loads};
}

Test(dwt_cs_launches, a_second_launch_uses_the_winner_again)
{
	struct machine m = dwt_cs("throttle.m=8", NULL);
	struct reuse of = thrashing(2, 1, 2600);
	struct gpu_result r;

	play(&m, &of, &r);
	cr_assert_eq(value(&r, "throttle.rounds"), 1);
	cr_assert_eq(value(&r, "throttle.winners"), 1);
	cr_assert_eq(value(&r, "throttle.reused"), 1);
	cr_assert_eq(value(&r, "throttle.kernel.a.winner"), 4);
	/* Above: two before the sampling, one at the begin of the second launch. */
	cr_assert_eq(value(&r, "throttle.periods_above"), 3);
	gpu_result_free(&r);
}

/* Launches far shorter than a period: a kernel's time goes on over them, so that the same number of loads comes to the
 * same decisions, and two kernels that take turns have a time, a sampling and a winner each. */
Test(dwt_cs_launches, shorter_than_a_period_add_up_kernel_by_kernel)
{
	struct machine m = dwt_cs(NULL, NULL);
	struct reuse one = thrashing(30, 1, 5), two = thrashing(80, 2, 5);
	struct gpu_result r;
	uint64_t of_a, of_b;

	play(&m, &one, &r);
	cr_assert_lt(stats_find(&r.launch[0].stats, "cycles")->count, 5000);
	for (unsigned i = 0; i < r.n_launches; i++) /* longer with a warp a scheduler */
		cr_assert_lt(stats_find(&r.launch[i].stats, "cycles")->count, 20000);
	cr_assert_eq(value(&r, "throttle.rounds"), 1);
	cr_assert_eq(value(&r, "throttle.winners"), 1);
	/* As if it had been one launch: message, 15 SMs, decision. */
	cr_assert_eq(value(&r, "throttle.kernel.a.cycle"), 60000 + 8 + 14 + 2);
	gpu_result_free(&r);

	play(&m, &two, &r);
	cr_assert_eq(value(&r, "throttle.rounds"), 2);
	cr_assert_eq(value(&r, "throttle.winners"), 2);
	/* When the second has won, either has run for 60,000 cycles. */
	of_a = value(&r, "throttle.kernel.a.cycle");
	of_b = value(&r, "throttle.kernel.b.cycle");
	cr_assert_gt(of_a < of_b ? of_a : of_b, 60024);
	cr_assert_gt(of_a < of_b ? of_b : of_a, 120000);
	gpu_result_free(&r);
}

Test(dwt_cs_launches, a_kernel_without_counters_is_not_limited)
{
	struct machine m = dwt_cs("throttle.entries=1", NULL);
	struct reuse of = thrashing(2, 2, 1500);
	struct gpu_result r;

	play(&m, &of, &r);
	cr_assert_eq(value(&r, "throttle.rounds"), 1);
	cr_assert_null(stats_find(&r.stats, "throttle.kernel.b.winner"));
	cr_assert_gt(stats_find(&r.launch[0].stats, "sched.throttled")->real, 0);
	cr_assert_eq(stats_find(&r.launch[1].stats, "sched.throttled")->real, 0);
	gpu_result_free(&r);
}

/* All 8 warps of a CTA must reach the barrier though one a scheduler may issue. */
Test(dwt_cs_launches, ctas_whose_warps_meet_end_under_any_limit)
{
	struct machine m = dwt_cs(NULL, NULL);
	struct reuse of = thrashing(1, 1, 1200);
	struct gpu_result r;

	of.meet = true;
	play(&m, &of, &r);
	cr_assert_eq(value(&r, "ctas"), 30);
	cr_assert_eq(value(&r, "barriers"), 30 * 1200);
	cr_assert_eq(value(&r, "throttle.rounds"), 1);
	cr_assert_gt(stats_find(&r.stats, "throttle.limited")->real, 0);
	gpu_result_free(&r);
}

Test(dwt_cs_launches, every_cycle_and_any_order_of_stepping_give_the_same)
{
	struct machine m = dwt_cs("throttle.period=700", "throttle.m=3");
	struct reuse of = thrashing(7, 3, 60);
	struct gpu_result r[3];
	unsigned rows = 0;

	play_as((struct gpu_config){.no_skip = false}, &m, &of, &r[0]);
	play_as((struct gpu_config){.no_skip = true}, &m, &of, &r[1]);
	play_as((struct gpu_config){.reverse = true}, &m, &of, &r[2]);
	cr_assert_gt(value(&r[0], "throttle.winners"), 0);
	for (unsigned i = 1; i < 3; i++)
		for (unsigned k = 0; k < r[0].stats.n; k++, rows++) {
			const struct stat_row *x = &r[0].stats.row[k], *y = &r[i].stats.row[k];

			cr_assert_str_eq(x->name, y->name);
			cr_assert(x->count == y->count && x->real == y->real, "%s", x->name);
		}
	cr_assert_gt(rows, 200);
	for (unsigned i = 0; i < 3; i++)
		gpu_result_free(&r[i]);
}

/* ---- the watchdog ---- */

/* A warp that spins on a lock executes on and on; a trace has only what it did once, in an order in which it got the
 * lock. So a spinning warp is here one that does not end for a long time: after so many periods under the limit there
 * is one in which all warps may issue. */
Test(dwt_cs_launches, a_limit_under_which_no_warp_ends_is_lifted_for_a_period)
{
	struct machine never = dwt_cs("throttle.watchdog=0", "throttle.m=1"), m = dwt_cs("throttle.watchdog=3", "throttle.m=1");
	struct reuse of = thrashing(1, 1, 4000);
	struct gpu_result r[2];

	play(&never, &of, &r[0]);
	play(&m, &of, &r[1]);
	cr_assert_eq(value(&r[0], "throttle.winners"), 1);
	cr_assert_eq(value(&r[1], "throttle.winners"), 1);
	cr_assert_eq(value(&r[0], "throttle.opened"), 0);
	cr_assert_gt(value(&r[1], "throttle.opened"), 0);
	for (unsigned i = 0; i < 2; i++)
		gpu_result_free(&r[i]);
}
