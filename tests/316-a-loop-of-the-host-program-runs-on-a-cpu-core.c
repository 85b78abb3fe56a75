/* 316: loads and stores of the host program on a CPU core: what a loop over an array costs, a pointer chase,
 * reductions, fences. */
#include <criterion/criterion.h>

#include "cpu/loop_stream.h"
#include "support/cpu_bench.h"

#define LINE UINT64_C(64)
enum { MISS = 240, N = 4096 };

struct list {
	struct stream_steps steps;
	const struct stream_step *step;
	uint64_t n;
};

static bool next(struct stream_steps *s, struct stream_step *out)
{
	struct list *l = (struct list *)s;

	if (l->n == 0)
		return false;
	*out = *l->step++;
	l->n--;
	return true;
}

static void take(struct cpu_bench *b, const struct stream_step *step, uint64_t n)
{
	static struct loop_stream l;
	struct list list = {{next}, step, n};
	struct err e;

	loop_stream_init(&l, &b->m, &list.steps);
	cr_assert_eq(l.feed.begin(&l.feed, 0, 0, &e), 0);
	cpu_bench_clear(b);
	while (l.feed.next(&l.feed, &b->list[0].inst[b->list[0].n])) {
		const struct cpu_inst *in = &b->list[0].inst[b->list[0].n];

		b->in_blocks[0] += in->kind == CPU_COMPUTE ? in->block - 1 : 0;
		cr_assert_lt(++b->list[0].n, CPU_BENCH_INSTS);
	}
}

static uint64_t cycles(struct cpu_bench *b, const struct stream_step *step, uint64_t n)
{
	take(b, step, n);
	cpu_bench_play(b);
	return b->cycles[0];
}

/* Stores to lines that are in the L1, three non-memory instructions with each, four a cycle: one store a cycle. The
 * last one enters in N - 1, its counter in the same cycle; so it begins in N, retires in N + 1 and is done in N + 2. */
Test(loop_stream, one_turn_of_a_loop_takes_its_instructions_over_the_width)
{
	static struct stream_step step[N];
	struct cpu_bench *b = cpu_bench_new(NULL);

	for (unsigned i = 0; i < N; i++)
		step[i] = (struct stream_step){.addr = i % 1024 * 4, .bytes = 4, .non_memory = 3, .store = true};
	cycles(b, step, 1024);
	cr_assert_eq(cycles(b, step, N), N + 2);
	cpu_bench_free(b);
}

/* As above with 36 instructions ahead that make the value: 40 a turn, ten cycles. */
Test(loop_stream, what_makes_a_value_takes_its_instructions_over_the_width_too)
{
	static struct stream_step step[N];
	struct cpu_bench *b = cpu_bench_new(NULL);

	for (unsigned i = 0; i < N; i++)
		step[i] = (struct stream_step){.addr = i % 1024 * 4, .bytes = 4, .value_insts = 36, .non_memory = 3, .store = true};
	cycles(b, step, 1024);
	cr_assert_eq(cycles(b, step, N), 10 * N + 2);
	cr_assert_eq(b->core[0].stats.insts, 40 * (N + 1024));
	cr_assert_eq(b->list[0].inst[0].block, 36);
	cr_assert_eq(b->list[0].inst[4].back[1], 4, "the store waits for its value");
	cpu_bench_free(b);
}

/* One non-memory instruction a turn: its counter is a chain of a cycle a turn, whatever the width. */
Test(loop_stream, a_loop_cannot_turn_faster_than_its_counter)
{
	static struct stream_step step[N];
	struct cpu_bench *b = cpu_bench_new((const char *const[]){"cpu.width=16", NULL});

	for (unsigned i = 0; i < N; i++)
		step[i] = (struct stream_step){.addr = 0, .bytes = 8, .non_memory = 1};
	cycles(b, step, 1);
	/* Counter i begins in i, its load in i + 1. */
	cr_assert_eq(cycles(b, step, N), N + 4);
	cpu_bench_free(b);
}

Test(loop_stream, a_chase_takes_a_miss_a_step_and_others_overlap)
{
	struct stream_step step[20];
	struct cpu_bench *b = cpu_bench_new(NULL);

	for (unsigned i = 0; i < 20; i++)
		step[i] = (struct stream_step){.addr = i * LINE, .bytes = 8, .source = 1};
	cr_assert_eq(cycles(b, step, 20), 20 * MISS);
	for (unsigned i = 0; i < 20; i++) /* two chases side by side, the second a cycle behind at the L3 */
		step[i] = (struct stream_step){.addr = (100 + i) * LINE, .bytes = 8, .source = 2};
	cr_assert_eq(cycles(b, step, 20), 10 * MISS + 1);
	cpu_bench_free(b);
}

/* An access of 4 bytes at the end of a line touches the next one too. */
Test(loop_stream, an_access_across_lines_touches_both)
{
	const struct stream_step step = {.addr = LINE - 2, .bytes = 4, .store = true};
	struct cpu_bench *b = cpu_bench_new(NULL);

	take(b, &step, 1);
	cr_assert_eq(b->list[0].n, 1);
	cr_assert_eq(b->list[0].inst[0].n_lines, 2);
	cpu_bench_free(b);
}

Test(loop_stream, a_store_says_what_it_stores_and_a_fence_which_command_it_carries)
{
	const struct stream_step step[] = {
		{.addr = 5 * LINE + 8, .value = 77, .bytes = 8, .non_memory = 1, .store = true},
		{.fence = true, .command = 3},
		{.fence = true},
		{.addr = 2, .value = UINT64_MAX, .bytes = 2, .source = 1, .store = true},
	};
	struct cpu_bench *b = cpu_bench_new(NULL);
	const struct cpu_inst *in = b->list[0].inst;

	take(b, step, 4);
	cr_assert_eq(b->list[0].n, 5);
	cr_assert(in[1].kind == CPU_STORE && in[1].store.addr == 5 * LINE + 8 && in[1].store.value == 77 && in[1].store.bytes == 8);
	cr_assert(in[2].kind == CPU_FENCE && in[2].command == 3);
	cr_assert(in[3].kind == CPU_FENCE && in[3].command == 0);
	cr_assert(in[4].kind == CPU_STORE && in[4].store.addr == 2 && in[4].store.value == UINT64_MAX && in[4].store.bytes == 2);
	cpu_bench_free(b);
}

/* Loads that are in the L1 feed a minimum and a maximum: chains of a cycle a load beside one another, ahead of which
 * the loads run. Load 0 has its data in 4; minimum i begins in 4 + i. */
Test(loop_stream, reductions_of_what_is_loaded_run_beside_one_another)
{
	static struct stream_step step[N];
	struct cpu_bench *b = cpu_bench_new((const char *const[]){"cpu.width=16", NULL});

	for (unsigned uses = 1; uses <= LOOP_STREAM_USES; uses++) {
		for (unsigned i = 0; i < N; i++)
			step[i] = (struct stream_step){.addr = i % 1024 * 4, .bytes = 4, .uses = (uint8_t)uses};
		cycles(b, step, 1024);
		cr_assert_eq(cycles(b, step, N), N + 4, "%u reductions", uses);
	}
	cpu_bench_free(b);
}

/* A store that misses retires in 1 and is done in 1 + MISS; the next one, to a line of the L1, would be done
 * meanwhile. Behind a fence it retires in 1 + MISS and is done a cycle later. */
Test(loop_stream, a_fence_waits_until_the_stores_before_it_are_in_the_caches)
{
	struct cpu_bench *b = cpu_bench_new(NULL);
	const struct stream_step with[] = {{.addr = 0, .bytes = 4, .store = true}},
				 without[] = {{.addr = 100 * LINE, .bytes = 4, .store = true},
					      {.addr = 0, .bytes = 4, .store = true}},
				 fenced[] = {{.addr = 200 * LINE, .bytes = 4, .store = true},
					     {.fence = true},
					     {.addr = 0, .bytes = 4, .store = true}};

	cycles(b, with, 1);
	cr_assert_eq(cycles(b, without, 2), 1 + MISS);
	cr_assert_eq(cycles(b, fenced, 3), 2 + MISS);
	cpu_bench_free(b);
}
