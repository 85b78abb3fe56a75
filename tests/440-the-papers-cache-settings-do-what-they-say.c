/* 440: the caches that dwt-pric compares with as settings of the machine (docs/explanation/caches.md): 16, 32, 64 ways
 * and all, hits of one cycle, caches of no bound, and none. Chains of dependent loads, whose hits and misses follow
 * from LRU. */
#include <criterion/criterion.h>
#include <jansson.h>

#include "machine/machine.h"
#include "support/chase.h"
#include "support/machine.h"
#include "support/program.h"

#define SET(...) ((const char *const[]){"dram.refresh=false", __VA_ARGS__, NULL})
#define BASE	 UINT64_C(0x10000000)

static void play(struct chase *c, const char *const *set)
{
	struct machine m = machine_with(set);

	chase_play(c, &m);
}

static uint64_t cost(const struct chase *c, unsigned load)
{
	return c->issued[load + 1] - c->issued[load];
}

/* `rounds` rounds over `lines` lines, `stride` bytes apart. */
static struct chase rounds_over(unsigned lines, uint64_t stride, unsigned rounds)
{
	struct chase c = {.n = lines * rounds};

	for (unsigned i = 0; i < c.n; i++)
		c.addr[i] = BASE + i % lines * stride;
	return c;
}

Test(cache_settings, a_hit_costs_one_cycle_if_the_machine_says_so)
{
	static const char *const latency[] = {"l1.latency=1", "l1.latency=2", "l1.latency=35"};
	static const unsigned cycles[] = {1, 2, 35};

	for (unsigned i = 0; i < 3; i++)
		for (unsigned vm = 0; vm < 2; vm++) {
			struct chase c = rounds_over(1, 0, 100);

			play(&c, SET(latency[i], vm ? "vm.enabled=true" : "vm.enabled=false"));
			for (unsigned k = 1; k < c.n; k++)
				cr_assert_eq(cost(&c, k), cycles[i], "%s: load %u: %lu", latency[i], k, cost(&c, k));
		}
}

/* 16 KB of w ways have 128 / w sets. Lines that far apart are all in one set: w of them stay, w + 1 in turn are each
 * gone again by LRU. */
Test(cache_settings, any_associativity_holds_as_many_lines_of_a_set)
{
	static const struct {
		const char *key;
		unsigned ways;
	} of[] = {{"l1.assoc=4", 4}, {"l1.assoc=16", 16}, {"l1.assoc=32", 32}, {"l1.assoc=64", 64}, {"l1.assoc=full", 128}};

	for (unsigned i = 0; i < sizeof of / sizeof of[0]; i++)
		for (unsigned over = 0; over < 2; over++) {
			unsigned lines = of[i].ways + over;
			struct chase c = rounds_over(lines, 128 / of[i].ways * 128, 3);

			play(&c, SET(of[i].key));
			for (unsigned k = lines; k < c.n; k++)
				cr_assert(over ? cost(&c, k) > 35 : cost(&c, k) == 35, "%s, %u lines: load %u: %lu cycles",
					  of[i].key, lines, k, cost(&c, k));
		}
}

/* All lines are in one set of the machine's own caches. */
Test(cache_settings, a_cache_of_no_bound_misses_each_line_once)
{
	struct chase own = rounds_over(300, 1 << 16, 2), l1 = own, l2 = own;

	play(&own, NULL);
	play(&l1, SET("l1.bytes=64M", "l1.assoc=full"));
	play(&l2, SET("l1.enabled=false", "l2.bytes=64M", "l2.assoc=full"));
	for (unsigned k = 300; k < 600; k++) {
		cr_assert_gt(cost(&own, k), 35);
		cr_assert_eq(cost(&l1, k), 35);
		cr_assert_lt(cost(&l2, k) + 100, cost(&l2, k - 300), "dram.latency is 100: load %u", k);
	}
}

/* Each load costs the way to the DRAM: its pipe of 100, CL of 12 and a burst of 2 cycles of 924 MHz, 35 in the SM. */
Test(cache_settings, without_caches_no_line_is_there_twice)
{
	struct chase c = rounds_over(1, 0, 50);

	play(&c, SET("l1.enabled=false", "l2.enabled=false"));
	for (unsigned k = 0; k < c.n; k++)
		cr_assert_gt(cost(&c, k), 100 + (12 + 2) * 700 / 924 + 35, "load %u: %lu", k, cost(&c, k));
}

static double misses_of_syrk(const char *set)
{
	json_t *stats = program_stats("locus run syrk --size test --set sm.count=1 %s", set);
	double misses = program_stat(stats, "l1.misses");

	json_decref(stats);
	return misses;
}

/* 64 rows of 64 floats, 4 KB apart: 128 lines of A, and as many of C, of which a warp loads one and stores it. */
Test(cache_settings, an_unbounded_l1_misses_the_lines_of_syrk_alone)
{
	cr_assert_eq(misses_of_syrk("--set l1.bytes=64M --set l1.assoc=full"), 256);
	cr_assert_gt(misses_of_syrk(""), 10000);
}

Test(cache_settings, that_cannot_be_are_refused)
{
	struct program p = program_run("locus run syrk --size test --set l1.assoc=all");

	cr_expect(program_is_clean_error(&p));
	cr_expect_not_null(strstr(p.err, "l1.assoc: \"all\" is neither a whole number nor full"), "%s", p.err);
	program_free(&p);
	p = program_run("locus run syrk --size test --set l1.assoc=0");
	cr_expect(program_is_clean_error(&p));
	cr_expect_not_null(strstr(p.err, "l1.assoc: 0 is not in 1..65536"), "%s", p.err);
	program_free(&p);
	p = program_run("locus run syrk --size test --set l1.assoc=full --set l1.bytes=100");
	cr_expect(program_is_clean_error(&p));
	cr_expect_not_null(strstr(p.err, "l1.bytes: 100 bytes"), "%s", p.err);
	program_free(&p);
}
