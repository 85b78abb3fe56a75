/* 329: instruction fetch (sm/fetch.h). Cycles follow from its rules: a warp's buffer of fetch.width instructions, one
 * fetch a cycle behind the schedulers' part of it, issue fetch.latency cycles later; 100 cycles to memory and back. */
#include <criterion/criterion.h>

#include "support/program.h"
#include "support/sm_bench.h"

enum { MEMORY = 100, LATENCY = 2 };

static struct bench *fetching(uint32_t width, unsigned insts)
{
	struct bench *b = bench_new();

	b->m.fetch.width = width;
	for (unsigned i = 0; i < insts; i++)
		bench_op(b, OP_INT_ADD, 10 + (int)(i % 64), 1, 2);
	return b;
}

static void play(struct bench *b, unsigned warps, unsigned insts)
{
	bench_launch(b, 1, warps);
	bench_cta(b);
	for (unsigned w = 0; w < warps; w++)
		bench_exec(b, w, 0, insts, UINT32_MAX);
	bench_play(b, 1);
}

/* 16 instructions of 8 bytes are a line. Of its buffer's n the last issues n - 1 cycles behind the first, and the next
 * ones are fetched in that cycle. */
Test(fetch, brings_a_buffer_after_a_buffer_and_a_line_from_memory)
{
	for (uint32_t width = 1; width <= 16; width *= 2) {
		struct bench *b = fetching(width, 64);
		uint64_t at = 0;

		play(b, 1, 64);
		for (unsigned i = 0; i < 64; i++) {
			if (i % 16 == 0)
				at += MEMORY;
			if (i % width == 0)
				at += LATENCY;
			else
				at++;
			cr_assert_eq(bench_issued(b, 0, i), at, "width %u, instruction %u: %lu", width, i, bench_issued(b, 0, i));
		}
		cr_assert_eq(b->n_sent, 4, "a packet a line");
		bench_free(b);
	}
}

/* All ask in cycle 0. The first one's lookup misses, the others find their line on its way; when it is there they are
 * served one a cycle, the lowest slot first. */
Test(fetch, serves_a_warp_a_cycle)
{
	struct bench *b = fetching(2, 2);

	play(b, 8, 2);
	for (unsigned w = 0; w < 8; w++) {
		cr_assert_eq(bench_issued(b, w, 0), MEMORY + w + LATENCY, "warp %u: %lu", w, bench_issued(b, w, 0));
		cr_assert_eq(bench_issued(b, w, 1), MEMORY + w + LATENCY + 1);
	}
	cr_assert_eq(b->n_sent, 1);
	bench_free(b);
}

/* A merge less than there are warps: the last one's lookup fails until the line is there, and is a hit then. The
 * others' turns come first. */
Test(fetch, tries_again_what_the_cache_could_not_take)
{
	struct bench *b = fetching(2, 2);

	b->m.fetch.cache.mshr_merges = 3;
	play(b, 4, 2);
	for (unsigned w = 0; w < 4; w++)
		cr_assert_eq(bench_issued(b, w, 0), MEMORY + w + LATENCY, "warp %u: %lu", w, bench_issued(b, w, 0));
	bench_free(b);
}

/* A branch back into the line that is there: a fetch, no memory. latency.branch is longer than the fetch. */
Test(fetch, follows_a_branch)
{
	struct bench *b = fetching(2, 2);

	bench_op(b, OP_BRANCH, -1, -1, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 3, UINT32_MAX);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 2), 105);
	cr_assert_eq(bench_issued(b, 0, 3), 105 + b->m.op.branch);
	cr_assert_eq(b->n_sent, 1);
	bench_free(b);
}

/* Results of a program, and all invariants, with and without; each warp instruction was fetched. */
Test(fetch, changes_no_result)
{
	static const char *const set[] = {"", "--set fetch.width=1", "--set fetch.width=2 --set icache.mshr_entries=1",
					  "--set fetch.width=4 --set icache.bytes=128 --set icache.assoc=1"};

	for (unsigned i = 0; i < sizeof set / sizeof *set; i++) {
		struct program p = program_run("locus run mergesort --size test --machine gtx480-gs4 %s", set[i]);

		cr_assert_eq(p.status, 0, "%s: %s", set[i], p.err);
		program_free(&p);
	}
}

Test(fetch, refuses_what_cannot_be)
{
	static const struct {
		const char *set, *err;
	} bad[] = {
		{"fetch.width=2 --set vm.enabled=true", "fetch.width: instructions have physical addresses: not with vm.enabled"},
		{"fetch.width=2 --set fetch.inst_bytes=12", "fetch.inst_bytes: 12 is not a power of two"},
		{"fetch.width=2 --set icache.bytes=3K",
		 "icache.bytes: 3072 bytes in lines of 128 and 4 ways do not make a power of "
		 "two of sets"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct program p = program_run("locus run vectoradd --size test --set %s", bad[i].set);

		cr_assert_eq(p.status, 2, "%s", bad[i].set);
		cr_assert(strstr(p.err, bad[i].err), "%s: %s", bad[i].set, p.err);
		program_free(&p);
	}
}
