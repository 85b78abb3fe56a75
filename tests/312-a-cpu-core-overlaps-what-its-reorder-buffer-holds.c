/* 312: cycles of a CPU core against closed formulas: streams of computation, chains, misses that overlap as far as the
 * reorder buffer reaches, the store buffer, the ports, in-order execution; and random programs against the recurrences
 * that define the core. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "support/cpu_bench.h"
#include "support/made_up.h"
#include "support/random.h"

/* A miss takes 40 cycles to the L3 and back, and 200 in memory. */
enum { MISS = 240 };
#define LINE UINT64_C(64)

static uint64_t play(struct cpu_bench *b)
{
	uint64_t cycles;

	cpu_bench_play(b);
	cycles = b->cycles[0];
	cpu_bench_free(b);
	return cycles;
}

static uint64_t div_up(uint64_t a, uint64_t b)
{
	return (a + b - 1) / b;
}

Test(cpu_core, computes_width_instructions_a_cycle)
{
	for (unsigned width = 1; width <= 8; width++) {
		char text[32];
		const char *const set[] = {text, NULL};
		struct cpu_bench *b;

		snprintf(text, sizeof text, "cpu.width=%u", width);
		b = cpu_bench_new(set);
		for (unsigned i = 0; i < 1000; i++)
			cpu_bench_compute(b, 0, 1, 0);
		cr_assert_eq(play(b), div_up(1000, width), "width %u", width);
	}
}

Test(cpu_core, enters_a_block_as_the_instructions_that_it_stands_for)
{
	for (unsigned width = 1; width <= 8; width++) {
		char text[32];
		const char *const set[] = {text, NULL};
		struct cpu_bench *b;
		uint64_t insts = 0;

		snprintf(text, sizeof text, "cpu.width=%u", width);
		b = cpu_bench_new(set);
		for (unsigned i = 0; i < 100; i++) {
			cpu_bench_block(b, 0, 1 + i * i);
			cpu_bench_compute(b, 0, 1, 0);
			insts += 2 + i * i;
		}
		cr_assert_eq(play(b), div_up(insts, width), "width %u", width);
	}
}

/* Stores that miss or hit, each behind a block or behind as many instructions: the same cycle, in order and out of
 * order. Nothing here fills the reorder buffer, in which a block has one entry. */
Test(cpu_core, takes_as_long_for_blocks_as_for_their_instructions_among_stores)
{
	for (unsigned seed = 1; seed <= 30; seed++) {
		const char *const set[] = {"cpu.rob=1024", "cpu.store_buffer=1024",
					   seed % 2 ? "cpu.in_order=true" : "cpu.in_order=false", NULL};
		struct cpu_bench *with = cpu_bench_new(set), *without = cpu_bench_new(set);
		uint64_t random = seed;

		for (unsigned i = 0; i < 200; i++) {
			uint32_t n = 1 + (uint32_t)random_below(&random, 40);
			uint64_t addr = random_below(&random, 100) * LINE;

			cpu_bench_block(with, 0, n);
			for (uint32_t k = 0; k < n; k++)
				cpu_bench_compute(without, 0, 1, 0);
			cpu_bench_store(with, 0, addr, 1);
			cpu_bench_store(without, 0, addr, 1);
		}
		cr_assert_eq(play(with), play(without), "seed %u", seed);
	}
}

/* Each instruction waits for the one before. */
Test(cpu_core, takes_the_sum_of_the_latencies_for_a_chain)
{
	struct cpu_bench *b = cpu_bench_new(NULL);

	for (unsigned i = 0; i < 500; i++)
		cpu_bench_compute(b, 0, 1 + i % 7, i > 0);
	cr_assert_eq(play(b), 500 / 7 * 28 + 1 + 2 + 3);
}

/* Independent instructions of latency L: as many as the buffer holds in each L cycles, if that is less than the width
 * allows. */
Test(cpu_core, is_bound_by_the_reorder_buffer_when_latencies_are_long)
{
	const char *const set[] = {"cpu.rob=32", NULL};
	struct cpu_bench *b = cpu_bench_new(set);

	/* Group g of 32 enters in 100 g + 0..7, four a cycle, as the group before leaves. */
	for (unsigned i = 0; i < 32 * 10; i++)
		cpu_bench_compute(b, 0, 100, 0);
	cr_assert_eq(play(b), 9 * 100 + 7 + 100);
}

/* A pointer chase: the next load's address is what the last one brought. */
Test(cpu_core, takes_a_miss_for_each_load_of_a_chain)
{
	struct cpu_bench *b = cpu_bench_new(NULL);

	for (unsigned i = 0; i < 50; i++)
		cpu_bench_load(b, 0, i * LINE, i > 0);
	cr_assert_eq(play(b), 50 * MISS);
}

/* n loads of lines that are nowhere, k - 1 instructions between. With a buffer of R, R / k of them are on their way at
 * once; load j of window v enters when instruction k j of the window before leaves. At a width of 1 and k a divisor of
 * R: last load enters in v (MISS) + its place in the window. */
static void misses(unsigned rob, unsigned k, unsigned n)
{
	char text[32];
	const char *const set[] = {text, "cpu.width=1", NULL};
	struct cpu_bench *b;
	uint64_t window = (uint64_t)(n - 1) * k / rob, place = (uint64_t)(n - 1) * k % rob;

	snprintf(text, sizeof text, "cpu.rob=%u", rob);
	b = cpu_bench_new(set);
	for (unsigned i = 0; i < n; i++) {
		cpu_bench_load(b, 0, i * LINE, 0);
		for (unsigned j = 1; j < k && i + 1 < n; j++)
			cpu_bench_compute(b, 0, 1, 0);
	}
	cr_assert_eq(play(b), window * MISS + place + MISS, "buffer of %u, a load every %u, %u loads", rob, k, n);
}

Test(cpu_core, overlaps_the_misses_that_its_reorder_buffer_holds)
{
	for (unsigned n = 1; n <= 130; n++) {
		misses(1, 1, n);
		misses(32, 1, n);
		misses(32, 4, n);
		misses(128, 8, n);
		misses(128, 128, n);
	}
}

/* Four loads a cycle enter, and the L3 takes one a cycle: the last of n is looked up there n - 1 cycles after the
 * first. */
Test(cpu_core, sends_a_line_a_cycle_to_the_l3)
{
	struct cpu_bench *b = cpu_bench_new(NULL);

	for (unsigned i = 0; i < 200; i++)
		cpu_bench_load(b, 0, i * LINE, 0);
	cr_assert_eq(play(b), 199 + MISS);
}

/* n stores of lines that are nowhere, a buffer for s lines: store i enters the buffer in i + 1 (it takes a cycle in the
 * reorder buffer), store s + i when store i leaves, MISS later. */
static void stores(unsigned s, unsigned n)
{
	char text[32];
	const char *const set[] = {text, "cpu.width=1", "cpu.rob=1024", NULL};
	struct cpu_bench *b;

	snprintf(text, sizeof text, "cpu.store_buffer=%u", s);
	b = cpu_bench_new(set);
	for (unsigned i = 0; i < n; i++)
		cpu_bench_store(b, 0, i * LINE, 0);
	cr_assert_eq(play(b), 1 + (uint64_t)((n - 1) / s) * MISS + (n - 1) % s + MISS, "%u stores, a buffer of %u", n, s);
}

Test(cpu_core, stalls_when_the_store_buffer_is_full)
{
	for (unsigned n = 1; n <= 50; n++) {
		stores(1, n);
		stores(4, n);
		stores(16, n);
	}
}

/* What is counted for such a stall: the reorder buffer of 8 is full from cycle 8 on, its oldest store waits for the
 * only place, which is free again every MISS cycles. */
Test(cpu_core, counts_the_cycles_of_a_full_store_buffer)
{
	const char *const set[] = {"cpu.store_buffer=1", "cpu.width=1", "cpu.rob=8", NULL};
	struct cpu_bench *b = cpu_bench_new(set);
	const uint64_t *l;

	for (unsigned i = 0; i < 20; i++)
		cpu_bench_store(b, 0, i * LINE, 0);
	cpu_bench_play(b);
	l = b->core[0].stats.stalls;
	/* The first store is gone in cycle 1, so the buffer is full after nine entries, in cycles 0 to 8. */
	cr_assert_eq(l[CPU_ENTERED], 20);
	cr_assert_eq(l[CPU_MEMORY] + l[CPU_COMPUTES], 0);
	/* Store 9 + i enters in 1 + (1 + i) MISS, the last in 1 + 11 MISS. */
	cr_assert_eq(l[CPU_STORES], 1 + 11 * MISS - 9 - 10);
	cr_assert_eq(l[CPU_DRAINS] + l[CPU_IDLE], b->core[0].counted - (2 + 11 * MISS));
	cpu_bench_free(b);
}

/* Loads of one line after it came: as many a cycle as there are ports. */
Test(cpu_core, looks_up_one_line_a_port_and_cycle)
{
	for (unsigned ports = 1; ports <= 4; ports *= 2) {
		char text[32];
		const char *const set[] = {text, NULL};
		struct cpu_bench *b;

		snprintf(text, sizeof text, "cpu.ports=%u", ports);
		b = cpu_bench_new(set);
		cpu_bench_load(b, 0, 0, 0);
		cpu_bench_play(b);
		cpu_bench_clear(b);
		for (unsigned i = 0; i < 400; i++)
			cpu_bench_load(b, 0, 0, 0);
		cpu_bench_play(b);
		cr_assert_eq(b->cycles[0], 400 / ports - 1 + 4, "%u ports", ports);
		cpu_bench_free(b);
	}
}

/* Two lines, one instruction: done when both are there; it uses two ports. */
Test(cpu_core, a_load_of_two_lines_waits_for_both)
{
	const char *const set[] = {"cpu.ports=1", NULL};
	struct cpu_bench *b = cpu_bench_new(set);

	cpu_bench_load(b, 0, LINE - 2, 0);
	cr_assert_eq(b->list[0].inst[0].n_lines, 2);
	cpu_bench_compute(b, 0, 10, 1);
	cr_assert_eq(play(b), 1 + MISS + 10);
}

/* Fewer lines than the reorder buffer would allow: a refused lookup goes on when a line has come. */
Test(cpu_core, has_as_many_lines_on_their_way_as_mshr_entries)
{
	const char *const set[] = {"cpu.mshr=3", "cpu.width=1", NULL};
	struct cpu_bench *b = cpu_bench_new(set);

	for (unsigned i = 0; i < 12; i++)
		cpu_bench_load(b, 0, i * LINE, 0);
	cr_assert_eq(play(b), 3 * MISS + 2 + MISS);
}

/* load, use, load, use ...: out of order the loads overlap, in order each use holds up the next load. */
Test(cpu_core, in_order_stalls_on_use)
{
	for (unsigned in_order = 0; in_order <= 1; in_order++) {
		const char *const set[] = {in_order ? "cpu.in_order=true" : "cpu.in_order=false", "cpu.width=1", NULL};
		struct cpu_bench *b = cpu_bench_new(set);

		for (unsigned i = 0; i < 20; i++) {
			cpu_bench_load(b, 0, i * LINE, 0);
			cpu_bench_compute(b, 0, 1, 1);
		}
		/* In order: load i + 1 enters the cycle after use i, which enters with the data. */
		cr_assert_eq(play(b), in_order ? 20 * (MISS + 1) : 2 * 19 + MISS + 1);
	}
}

/* ... but loads that nothing uses overlap all the same. */
Test(cpu_core, in_order_loads_without_users_overlap)
{
	const char *const set[] = {"cpu.in_order=true", "cpu.width=1", NULL};
	struct cpu_bench *b = cpu_bench_new(set);

	for (unsigned i = 0; i < 20; i++)
		cpu_bench_load(b, 0, i * LINE, 0);
	cr_assert_eq(play(b), 19 + MISS);
}

/* ---- random programs: the recurrences that say what the core is ---- */

enum { N = 3000, SOURCES = 3 };

struct random_inst {
	uint32_t latency, back[SOURCES];
	bool load;
};

static uint64_t most(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Cycle in which the last instruction retires. */
static uint64_t reference(const struct random_inst *p, unsigned width, unsigned rob, bool in_order)
{
	static uint64_t enter[N], done[N], retire[N];

	for (unsigned i = 0; i < N; i++) {
		uint64_t operands = 0;

		for (unsigned k = 0; k < SOURCES; k++)
			if (p[i].back[k] && p[i].back[k] <= i)
				operands = most(operands, done[i - p[i].back[k]]);
		enter[i] = i > 0 ? enter[i - 1] : 0;
		if (i >= width)
			enter[i] = most(enter[i], enter[i - width] + 1);
		if (i >= rob)
			enter[i] = most(enter[i], retire[i - rob]);
		if (in_order)
			enter[i] = most(enter[i], operands);
		done[i] = most(enter[i], operands) + p[i].latency;
		retire[i] = most(done[i], i > 0 ? retire[i - 1] : 0);
		if (i >= width)
			retire[i] = most(retire[i], retire[i - width] + 1);
	}
	return retire[N - 1];
}

static struct random_inst any(uint64_t *seed)
{
	struct random_inst r = {.latency = 1 + (uint32_t)(random_u64(seed) % 12), .load = random_u64(seed) % 4 == 0};

	for (unsigned k = 0; k < SOURCES; k++)
		if (random_u64(seed) % 3 == 0)
			r.back[k] = 1 + (uint32_t)(random_u64(seed) % (random_u64(seed) % 4 ? 8 : 300));
	if (r.load)
		r.latency = 4; /* the line is in the L1 */
	return r;
}

Test(cpu_core, random_programs_take_what_the_recurrences_say)
{
	static struct random_inst p[N];

	for (uint64_t seed = 1; seed <= 24; seed++) {
		uint64_t state = seed, got, want;
		unsigned width = 1 + seed % 6, rob = seed % 5 == 0 ? 1 : 4u << seed % 7;
		bool in_order = seed % 4 == 0;
		char a[32], c[32];
		const char *const set[] = {a, c, in_order ? "cpu.in_order=true" : "cpu.in_order=false", NULL};
		struct cpu_bench *b;

		snprintf(a, sizeof a, "cpu.width=%u", width);
		snprintf(c, sizeof c, "cpu.rob=%u", rob);
		b = cpu_bench_new(set);
		cpu_bench_load(b, 0, 0, 0);
		cpu_bench_play(b);
		cpu_bench_clear(b);
		for (unsigned i = 0; i < N; i++) {
			struct cpu_inst *in;

			p[i] = any(&state);
			if (p[i].load)
				cpu_bench_load(b, 0, 0, 0);
			else
				cpu_bench_compute(b, 0, p[i].latency, 0);
			in = &b->list[0].inst[i];
			in->n_back = SOURCES;
			for (unsigned k = 0; k < SOURCES; k++)
				in->back[k] = p[i].back[k] > i ? 0 : p[i].back[k];
		}
		cpu_bench_play(b);
		got = b->cycles[0];
		want = reference(p, width, rob, in_order);
		cr_assert_eq(got, want, "seed %lu, width %u, buffer %u, %s: %lu cycles, the recurrences say %lu", seed, width, rob,
			     in_order ? "in order" : "out of order", got, want);
		cpu_bench_free(b);
	}
}
