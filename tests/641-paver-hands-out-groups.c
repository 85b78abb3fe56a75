/* 641: PAVER's hardware, the golden twin, hands out groups as section 5 says, to the cycle, and each CTA once. */
#include <criterion/criterion.h>
#include <string.h>

#include "hw/twins/paver.h"
#include "support/paver_bench.h"

struct rig {
	struct paver golden;
	struct paver_bench b;
};

static struct paver_launch l;

static void rig_open(struct rig *r, uint32_t sms)
{
	struct paver_params p = {.sms = sms, .ptr_w = 16, .tb_w = 16};

	paver_reset(&r->golden, &p);
	paver_bench_init(&r->b, (struct paver_port){.params = p, .golden = &r->golden}, sms);
	r->b.fixed = true;
}

/* ---- which CTA goes where ---- */

static void is_given(const struct rig *r, uint32_t sm, const uint32_t *cta, uint32_t n)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < r->b.n_issued; i++) {
		if (r->b.log[i].sm != sm)
			continue;
		cr_assert_lt(at, n, "SM %u gets CTA %u too", sm, r->b.log[i].cta);
		cr_assert_eq(r->b.log[i].cta, cta[at], "SM %u gets CTA %u as number %u, not %u", sm, r->b.log[i].cta, at, cta[at]);
		at++;
	}
	cr_assert_eq(at, n, "SM %u gets %u CTAs, not %u", sm, at, n);
}

/* Section 5.1: an array of partitions, each an array of CTAs. An SM whose group is exhausted gets the next one: SM 2,
 * whose group has one CTA, is the first, SM 0 the second; SM 1 still has its third CTA when none is left. */
Test(paver, the_groups_go_to_the_sms_in_turn_and_their_ctas_in_order)
{
	static const uint32_t size[5] = {2, 3, 1, 2, 2}, order[10] = {7, 3, 0, 9, 4, 1, 8, 2, 6, 5};
	struct rig r;

	rig_open(&r, 3);
	r.b.contexts = 2;
	r.b.run_min = 50;
	paver_launch_make(&l, 5, size, false);
	memcpy(l.cta, order, sizeof order);
	paver_bench_run(&r.b, &l);
	is_given(&r, 0, (const uint32_t[]){7, 3, 6, 5}, 4);
	is_given(&r, 1, (const uint32_t[]){0, 9, 4}, 3);
	is_given(&r, 2, (const uint32_t[]){1, 8, 2}, 3);
	paver_bench_free(&r.b);
}

/* Figure 7's example of MST-TS, N = x = 2: (0,4), (1,5), then (2), (3), (7), (6) to whom is free. SM 0 was first, its
 * CTAs end first. */
Test(paver, mst_groups_are_x_ctas_for_each_sm_and_then_single_ones)
{
	static const uint32_t size[6] = {2, 2, 1, 1, 1, 1}, order[8] = {0, 4, 1, 5, 2, 3, 7, 6};
	struct rig r;

	rig_open(&r, 2);
	r.b.contexts = 2;
	r.b.run_min = 50;
	paver_launch_make(&l, 6, size, false);
	memcpy(l.cta, order, sizeof order);
	paver_bench_run(&r.b, &l);
	is_given(&r, 0, (const uint32_t[]){0, 4, 2, 7}, 4);
	is_given(&r, 1, (const uint32_t[]){1, 5, 3, 6}, 4);
	paver_bench_free(&r.b);
}

Test(paver, empty_groups_are_passed_over_and_a_launch_without_groups_is_over_at_once)
{
	static const uint32_t size[6] = {0, 0, 3, 0, 1, 0};
	struct rig r;

	rig_open(&r, 2);
	paver_launch_make(&l, 6, size, true);
	paver_bench_run(&r.b, &l);
	cr_assert_eq(r.b.n_issued, 4);
	paver_launch_make(&l, 0, size, true);
	paver_bench_begin(&r.b, &l);
	paver_bench_step(&r.b);
	cr_assert(r.b.out.cfg_ready && !r.b.out.busy);
	paver_bench_free(&r.b);
}

/* ---- timing ---- */

static void expect_request(struct rig *r, uint32_t group, uint32_t index, uint32_t tag)
{
	const struct paver_out *o = &r->b.out;

	paver_bench_step(&r->b);
	cr_assert(o->req_valid, "cycle %u: no request", (unsigned)r->b.cycle - 1);
	cr_assert(o->req_group == group && o->req_index == index && o->req_tag == tag, "cycle %u: %u %u of SM %u",
		  (unsigned)r->b.cycle - 1, o->req_group, o->req_index, o->req_tag);
}

static void expect_none(struct rig *r, unsigned cycles)
{
	for (; cycles; cycles--) {
		paver_bench_step(&r->b);
		cr_assert(!r->b.out.req_valid && !r->b.out.tb_valid[0], "cycle %u", (unsigned)r->b.cycle - 1);
	}
}

Test(paver, a_group_and_its_ctas_are_fetched_on_time)
{
	static const uint32_t size[2] = {2, 1};
	struct rig r;

	rig_open(&r, 1);
	r.b.latency = 3; /* request in u, response in u + 4 */
	paver_launch_make(&l, 2, size, false);
	paver_bench_begin(&r.b, &l); /* taken in cycle 0 */
	expect_none(&r, 1);
	expect_request(&r, 1, 0, 0); /* 2: the group; its entry comes in 6 */
	expect_none(&r, 5);
	expect_request(&r, 0, 0, 0); /* 8: the CTA, which comes in 12 */
	expect_none(&r, 4);
	paver_bench_step(&r.b); /* 13: shown and taken */
	cr_assert(r.b.out.tb_valid[0] && r.b.log[0].cycle == 13);
	expect_none(&r, 1);
	expect_request(&r, 0, 1, 0); /* 15: its successor, taken in 20 */
	expect_none(&r, 4);
	paver_bench_step(&r.b);
	cr_assert(r.b.n_issued == 2 && r.b.log[1].cycle == 20);
	expect_none(&r, 1);
	expect_request(&r, 1, 1, 0); /* 22: as the group is exhausted, the next one */
	paver_bench_free(&r.b);
}

Test(paver, the_sms_ask_one_a_cycle_and_a_request_that_is_not_taken_holds)
{
	static const uint32_t size[3] = {2, 2, 2};
	struct rig r;

	rig_open(&r, 3);
	r.b.latency = 50;
	paver_launch_make(&l, 3, size, false);
	paver_bench_begin(&r.b, &l);
	expect_none(&r, 1);
	expect_request(&r, 1, 0, 0);
	r.golden.dispatch__req_valid = 1; /* as if memory had not taken it yet */
	expect_request(&r, 1, 1, 1);
	expect_request(&r, 1, 2, 2);
	expect_none(&r, 20);
	paver_bench_free(&r.b);
}

/* Off the critical path: a CTA is there when a context gets free, unless CTAs end faster than memory answers. */
Test(paver, a_context_waits_only_when_memory_is_slower_than_ctas_end)
{
	static const uint32_t size[1] = {12};
	struct rig r;

	rig_open(&r, 1);
	r.b.latency = 5;
	r.b.contexts = PAVER_BENCH_CONTEXTS;
	r.b.run_min = 1000;
	paver_launch_make(&l, 1, size, false);
	paver_bench_run(&r.b, &l);
	for (uint32_t i = 1; i < 12; i++) /* all contexts are free: taken, asked in 2, 6 to come, shown in the next */
		cr_assert_eq(r.b.log[i].cycle - r.b.log[i - 1].cycle, 2 + 6 + 1);
	r.b.contexts = 1;
	r.b.run_min = 9;
	for (uint32_t cycles = 0; cycles < 1000; cycles++)
		paver_bench_step(&r.b);
	paver_bench_run(&r.b, &l);
	for (uint32_t i = 1; i < 12; i++) /* a CTA runs for 9: the next one is there when it ends */
		cr_assert_eq(r.b.log[i].cycle - r.b.log[i - 1].cycle, 9);
	paver_bench_free(&r.b);
}

/* ---- whole launches ---- */

Test(paver, equal_groups_mean_no_steal)
{
	static const uint32_t size[15] = {8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8, 8};
	struct rig r;

	rig_open(&r, 15);
	r.b.latency = 30;
	r.b.contexts = 4;
	r.b.run_min = 500;
	paver_launch_make(&l, 15, size, true);
	paver_bench_run(&r.b, &l);
	cr_assert_eq(r.b.steals, 0);
	paver_bench_free(&r.b);
}

static uint64_t cycles_of(bool steal, uint64_t *steals)
{
	static const uint32_t size[4] = {64, 8, 8, 8};
	struct rig r;
	uint64_t cycles;

	rig_open(&r, 4);
	r.b.contexts = 2;
	r.b.run_min = 300;
	paver_launch_make(&l, 4, size, steal);
	paver_bench_run(&r.b, &l);
	cycles = r.b.cycle;
	*steals = r.b.steals;
	paver_bench_free(&r.b);
	return cycles;
}

/* 88 CTAs on 8 contexts are 11 rounds; the longest group alone is 32 rounds on its SM's two. */
Test(paver, stealing_balances_what_the_groups_do_not)
{
	uint64_t steals, with = cycles_of(true, &steals), without;

	cr_assert_gt(steals, 0);
	without = cycles_of(false, &steals);
	cr_assert_eq(steals, 0);
	cr_assert(without > 31 * 300, "%llu", (unsigned long long)without); /* until the last one is issued */
	cr_assert(with >= 10 * 300 && with < 13 * 300, "%llu", (unsigned long long)with);
}

Test(paver, as_many_ctas_as_merge_sort_has_are_issued_once_each_on_80_sms)
{
	static uint32_t size[80];
	struct rig r;

	for (uint32_t g = 0; g < 80; g++)
		size[g] = g ? 300 : 32768 - 79 * 300;
	rig_open(&r, 80);
	r.b.latency = 200;
	r.b.contexts = 8;
	r.b.run_min = 100;
	r.b.run_more = 300;
	paver_launch_make(&l, 80, size, true);
	paver_launch_shuffle(&l, &r.b);
	paver_bench_run(&r.b, &l);
	cr_assert_gt(r.b.steals, 0);
	paver_bench_free(&r.b);
}
