/* 313: lookup to use in the CPU's L1, L2, L3 and memory, to the cycle; which line each level gives up; what is written
 * where. */
#include <criterion/criterion.h>

#include "support/cpu_bench.h"

#define LINE UINT64_C(64)
enum { L1 = 4, L2 = 14, L3 = 40, MEMORY = 240, L1_SETS = 64, L2_SETS = 1024, L3_SETS = 4096, WAYS = 8, L3_WAYS = 16 };

/* Plays what the lists hold; cycles of the round. */
static uint64_t round_of(struct cpu_bench *b)
{
	cpu_bench_play(b);
	cpu_bench_clear(b);
	return b->cycles[0];
}

/* A load and a use of it, each use one cycle. */
static uint64_t load(struct cpu_bench *b, uint64_t addr)
{
	cpu_bench_load(b, 0, addr, 0);
	return round_of(b);
}

static void bring(struct cpu_bench *b, uint64_t first, uint64_t n, uint64_t step)
{
	for (uint64_t i = 0; i < n; i++)
		cpu_bench_load(b, 0, first + i * step, i > 0);
	round_of(b);
}

Test(cpu_caches, a_load_takes_the_latency_of_the_level_that_has_it)
{
	struct cpu_bench *b = cpu_bench_new(NULL);

	cr_assert_eq(load(b, 0), MEMORY);
	cr_assert_eq(load(b, 0), L1);
	bring(b, L1_SETS * LINE, WAYS, L1_SETS * LINE); /* eight others of its L1 set */
	cr_assert_eq(load(b, 0), L2);
	cr_assert_eq(load(b, 0), L1);
	bring(b, L2_SETS * LINE, WAYS, L2_SETS * LINE); /* eight others of its L2 set */
	cr_assert_eq(load(b, 0), L3);
	bring(b, 3 * L3_SETS * LINE, L3_WAYS, L3_SETS * LINE); /* 16 others of its L3 set */
	cr_assert_eq(load(b, 0), MEMORY);
	cpu_bench_free(b);
}

/* With odd latencies, so that the halves of the way to the L3 differ. */
Test(cpu_caches, latencies_are_the_machines)
{
	const char *const set[] = {"cpu.l1.latency=1", "cpu.l2.latency=7", "cpu.l3.latency=33", NULL};
	struct cpu_bench *b = cpu_bench_new(set);

	cr_assert_eq(load(b, 0), 33 + 200);
	cr_assert_eq(load(b, 0), 1);
	bring(b, L1_SETS * LINE, WAYS, L1_SETS * LINE);
	cr_assert_eq(load(b, 0), 7);
	bring(b, L2_SETS * LINE, WAYS, L2_SETS * LINE);
	cr_assert_eq(load(b, 0), 33);
	cpu_bench_free(b);
}

/* Seven others of its set, and it was used last but one: still there. */
Test(cpu_caches, the_least_recently_used_line_goes)
{
	struct cpu_bench *b = cpu_bench_new(NULL);

	load(b, 0);
	bring(b, L1_SETS * LINE, WAYS - 1, L1_SETS * LINE);
	cr_assert_eq(load(b, 0), L1);
	cr_assert_eq(load(b, WAYS * L1_SETS * LINE), MEMORY); /* takes the place of the first of the seven */
	cr_assert_eq(load(b, 0), L1);
	cr_assert_eq(load(b, L1_SETS * LINE), L2);
	cpu_bench_free(b);
}

/* A second load of a line on its way is done with the first; one that finds its line in the L1 before the data of an L2
 * hit came waits for it. */
Test(cpu_caches, a_line_on_its_way_is_there_for_all_at_once)
{
	struct cpu_bench *b = cpu_bench_new(NULL);

	cpu_bench_load(b, 0, 0, 0);
	cpu_bench_load(b, 0, 8, 0);
	cr_assert_eq(round_of(b), MEMORY);
	cr_assert_eq(b->core[0].cache.stats.l2_reserved, 1);
	cr_assert_eq(b->n_sent, 1);
	bring(b, L1_SETS * LINE, WAYS, L1_SETS * LINE);
	cpu_bench_load(b, 0, 0, 0); /* in the L2; data in cycle 14 */
	cpu_bench_load(b, 0, 8, 0); /* in the L1, a port later: also in cycle 14 */
	cpu_bench_compute(b, 0, 1, 1);
	cr_assert_eq(round_of(b), L2 + 1);
	cpu_bench_free(b);
}

/* Stores: done a cycle after they meet their line in the L1. */
Test(cpu_caches, a_store_takes_a_cycle_in_the_l1)
{
	struct cpu_bench *b = cpu_bench_new(NULL);

	load(b, 0);
	cpu_bench_store(b, 0, 0, 0);
	cr_assert_eq(round_of(b), 2); /* enters 0, retires and is looked up in 1, done in 2 */
	cpu_bench_free(b);
}

/* A store miss fetches the line; it is written to memory when the L3 gives it up, once, whole, and nothing else is. */
Test(cpu_caches, a_dirty_line_goes_down_level_by_level)
{
	struct cpu_bench *b = cpu_bench_new(NULL);

	cpu_bench_store(b, 0, 5 * LINE, 0);
	cr_assert_eq(round_of(b), 1 + MEMORY);
	cr_assert_eq(b->n_sent, 1);
	cr_assert_eq(b->sent[0].kind, REQ_READ);
	bring(b, (5 + L1_SETS) * LINE, WAYS, L1_SETS * LINE);
	cr_assert_eq(b->core[0].cache.stats.l1_write_backs, 1);
	cr_assert_eq(b->core[0].cache.stats.l2_write_backs, 0);
	bring(b, (5 + L2_SETS) * LINE, WAYS, L2_SETS * LINE);
	cr_assert_eq(b->core[0].cache.stats.l2_write_backs, 1);
	cr_assert_eq(b->l3.stats.writes, 1);
	cr_assert_eq(b->l3.stats.write_hits, 1);
	cr_assert_eq(b->l3.stats.write_backs, 0);
	cr_assert_eq(cpu_l3_dirty_lines(&b->l3), 1);
	bring(b, (5 + 3 * L3_SETS) * LINE, L3_WAYS, L3_SETS * LINE);
	cr_assert_eq(b->l3.stats.write_backs, 1);
	cr_assert_eq(cpu_l3_dirty_lines(&b->l3), 0);
	for (uint32_t i = 0; i < b->n_sent; i++) {
		if (b->sent[i].kind != REQ_WRITE)
			continue;
		cr_assert_eq(b->sent[i].addr, 5 * LINE);
		cr_assert_eq(b->sent[i].mask[0], 0, "the line is the second half of memory's line of 128 bytes");
		cr_assert_eq(b->sent[i].mask[1], UINT64_MAX);
	}
	cpu_bench_free(b);
}

/* A line that is dirty in the L1 when the L2 gives it up: its last bytes go down too. */
Test(cpu_caches, a_line_that_the_l2_gives_up_leaves_the_l1)
{
	/* An L2 of one set of nine ways over an L1 of eight: its victim can still be the L1's. */
	const char *const set[] = {"cpu.l1.bytes=512", "cpu.l2.bytes=576", "cpu.l2.ways=9", NULL};
	struct cpu_bench *b = cpu_bench_new(set);

	for (unsigned i = 0; i < 9; i++)
		bring(b, i * LINE, 1, LINE);
	cpu_bench_store(b, 0, 1 * LINE, 0); /* used in the L1 only: the oldest line of the L2, now that 0 has been
					     * ... */
	round_of(b);
	load(b, 9 * LINE);  /* ... replaced */
	load(b, 10 * LINE); /* the L2 gives 1 up, dirty in the L1 */
	cr_assert_eq(b->core[0].cache.stats.l2_write_backs, 1);
	cr_assert_eq(b->core[0].cache.stats.l1_write_backs, 0);
	cr_assert_eq(load(b, 1 * LINE), L3);
	cpu_bench_free(b);
}

/* Two cores that miss the same line at once: one read of memory, both have it. */
Test(cpu_caches, the_l3_fetches_a_line_once_for_all_cores)
{
	struct cpu_bench *b = cpu_bench_new((const char *const[]){"cpu.count=3", NULL});

	for (unsigned c = 0; c < 3; c++)
		cpu_bench_load(b, c, 7 * LINE, 0);
	round_of(b);
	for (unsigned c = 0; c < 3; c++)
		cr_assert_eq(b->cycles[c], MEMORY, "core %u", c);
	cr_assert_eq(b->n_sent, 1);
	cr_assert_eq(b->l3.stats.misses, 1);
	cr_assert_eq(b->l3.stats.reserved, 2);
	cpu_bench_clear(b);
	cpu_bench_load(b, 1, 8 * LINE, 0);
	round_of(b);
	cpu_bench_load(b, 2, 8 * LINE, 0);
	cpu_bench_play(b);
	cr_assert_eq(b->cycles[2], L3, "another core brought it");
	cpu_bench_free(b);
}

/* An L3 with few MSHR entries: misses go in groups. Two cores share them. */
Test(cpu_caches, the_l3_waits_for_a_free_entry)
{
	struct cpu_bench *b = cpu_bench_new((const char *const[]){"cpu.l3.mshr=4", "cpu.width=1", NULL});

	for (unsigned i = 0; i < 12; i++)
		cpu_bench_load(b, 0, i * LINE, 0);
	/* Loads 0-3 at the L3 in cycles 20-23; 4-7 as these come back, 200 cycles later each; then 8-11. */
	cr_assert_eq(round_of(b), 3 + 2 * 200 + MEMORY);
	cr_assert_gt(b->l3.stats.stuck[1], 0);
	cpu_bench_free(b);
}
