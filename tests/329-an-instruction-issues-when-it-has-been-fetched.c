/* 329: instruction fetch (sm/fetch.h). Cycles follow from its rules: a warp's buffer of fetch.width instructions, one
 * fetch a cycle behind the schedulers' part of it, issue fetch.latency cycles later; 100 cycles to memory and back. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"
#include "support/sm_bench.h"
#include "trace/folds.h"

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

/* ---- L0s ----
 *
 * Buffers of three, issue three cycles behind a fetch. Eight instructions are a line, which is in the L0 ten cycles
 * behind its lookup in the instruction cache or its arrival from memory. */

enum { L0_LATENCY = 10, TO_ISSUE = 3, COLD = MEMORY + L0_LATENCY };

/* Of so many additions, one of which can issue each cycle. lines: of the L0, which has one set. */
static struct bench *with_l0s(uint32_t lines, uint32_t stream, unsigned insts)
{
	struct bench *b = fetching(3, insts);

	b->m.fetch.latency = TO_ISSUE;
	b->m.fetch.inst_bytes = 16;
	b->m.fetch.cache.mshr_entries = b->m.fetch.cache.miss_queue = 8;
	b->m.l0.c.bytes = lines * 128;
	b->m.l0.c.assoc = lines;
	b->m.l0.stream = stream;
	b->m.l0.latency = L0_LATENCY;
	b->m.sm.schedulers = 1;
	b->m.sm.scheduler = SCHED_GTY;
	b->m.op.int32.interval[0] = 1;
	return b;
}

static void expect(const struct bench *b, unsigned warp, unsigned n, uint64_t cycle)
{
	cr_expect_eq(bench_issued(b, warp, n), cycle, "warp %u, instruction %u: %lu, not %lu", warp, n, bench_issued(b, warp, n),
		     cycle);
}

/* n instructions of a warp, from its first-th on, issue in cycles that follow one another. */
static void expect_all(const struct bench *b, unsigned warp, unsigned first, unsigned n, uint64_t cycle)
{
	for (unsigned i = 0; i < n; i++)
		expect(b, warp, first + i, cycle + i);
}

/* A line's first instruction is looked up in the cycle after its neighbour, 7 behind that line's first one: in 8 + 110
 * cycles from line to line. */
Test(l0, waits_for_each_line_without_a_stream_buffer)
{
	struct bench *b = with_l0s(4, 0, 24);

	play(b, 1, 24);
	for (unsigned line = 0; line < 3; line++)
		expect_all(b, 0, 8 * line, 8, COLD + TO_ISSUE + line * (8 + COLD));
	cr_expect_eq(b->n_sent, 3);
	cr_expect_eq(b->sm.stats.stalls[STALL_ISSUED][0], 24);
	cr_expect_eq(b->sm.stats.stalls[STALL_FETCH][0], COLD + TO_ISSUE + 2 * COLD);
	bench_free(b);
}

/* The lines that follow are asked for in cycles 1 and 2, and are there when they are looked up. */
Test(l0, has_what_the_stream_buffer_asked_for)
{
	struct bench *b = with_l0s(4, 8, 24);

	play(b, 1, 24);
	expect_all(b, 0, 0, 24, COLD + TO_ISSUE);
	cr_expect_eq(b->n_sent, 3, "nothing behind the kernel's end");
	bench_free(b);
}

/* Line 1 is looked up in cycle 118, where line 2 is asked for; that is looked up eight cycles later, and comes 110
 * behind cycle 118. */
Test(l0, waits_for_the_first_line_of_the_stream_buffer)
{
	struct bench *b = with_l0s(4, 1, 24);
	const struct l0_stats *l;

	play(b, 1, 24);
	l = &b->sm.fetch.l0s.l0->stats;
	expect_all(b, 0, 0, 16, COLD + TO_ISSUE);
	expect_all(b, 0, 16, 8, COLD + 8 + COLD + TO_ISSUE);
	cr_expect_eq(l->misses, 1);
	cr_expect_eq(l->stream, 2);
	cr_expect_eq(l->prefetches, 2);
	cr_expect_eq(l->hits, 21);
	bench_free(b);
}

/* `rounds` of instructions 0 to n - 1, of which the last is a branch. */
static void loop(struct bench *b, unsigned n, unsigned rounds)
{
	bench_op(b, OP_BRANCH, -1, -1, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	for (unsigned i = 0; i < rounds; i++)
		bench_exec(b, 0, 0, n, UINT32_MAX);
	bench_play(b, 1);
}

/* The branch's target is fetched while the branch takes its time, and if that is short, in three cycles. */
Test(l0, holds_a_loop)
{
	for (uint32_t branch = 1; branch <= 4; branch += 3) {
		struct bench *b = with_l0s(2, 8, 15);
		unsigned to = branch > TO_ISSUE ? branch : TO_ISSUE;

		b->m.op.branch = branch;
		loop(b, 16, 3);
		for (unsigned i = 0; i < 3; i++)
			expect_all(b, 0, 16 * i, 16, COLD + TO_ISSUE + i * (15 + to));
		cr_expect_eq(b->n_sent, 2);
		bench_free(b);
	}
}

/* An L0 of one line, a loop of two: in the second round, too, each line is a miss. The branch issues in cycle 238 or,
 * with a stream buffer, 128; the loop's first line comes from the instruction cache. */
Test(l0, is_too_small_for_a_loop)
{
	for (uint32_t stream = 0; stream <= 1; stream++) {
		struct bench *b = with_l0s(1, stream, 15);
		uint64_t begin = COLD + TO_ISSUE, branch = begin + 15 + (stream ? 0 : COLD);

		loop(b, 16, 2);
		expect_all(b, 0, 0, 8, begin);
		expect(b, 0, 15, branch);
		expect_all(b, 0, 16, 8, branch + L0_LATENCY + TO_ISSUE);
		expect_all(b, 0, 24, 8, branch + L0_LATENCY + TO_ISSUE + 8 + (stream ? 0 : L0_LATENCY));
		cr_expect_eq(b->n_sent, 2);
		cr_expect_eq(b->sm.fetch.l0s.l0->stats.misses, stream ? 2 : 4);
		bench_free(b);
	}
}

/* A branch from line 0 to line 3 finds lines 1 and 2 in the buffer, which begins anew with line 4. The branch back from
 * there to line 1 misses again. */
Test(l0, loses_its_stream_buffer_where_a_branch_goes)
{
	struct bench *b = with_l0s(8, 2, 0);
	uint64_t at = COLD + TO_ISSUE;

	for (unsigned i = 0; i < 40; i++)
		bench_op(b, i == 0 || i == 39 ? OP_BRANCH : OP_INT_ADD, i == 0 || i == 39 ? -1 : 10 + (int)i, -1, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, UINT32_MAX);
	bench_exec(b, 0, 24, 16, UINT32_MAX);
	bench_exec(b, 0, 8, 8, UINT32_MAX);
	bench_play(b, 1);
	expect(b, 0, 0, at);
	expect_all(b, 0, 1, 16, at += COLD + TO_ISSUE);
	expect_all(b, 0, 17, 8, at += 15 + L0_LATENCY + TO_ISSUE);
	cr_expect_eq(b->n_sent, 5);
	cr_expect_eq(b->sm.fetch.l0s.l0->stats.misses, 3);
	cr_expect_eq(b->sm.fetch.l0s.l0->stats.stream, 2, "line 4, and line 2, into which the buffer goes ahead of the warp's end");
	bench_free(b);
}

/* The youngest warp is fetched for until its code ends, as it issues. With buffers of two its third instruction,
 * fetched when the first issues in cycle 113, comes too late to follow the second (Huerta et al., section 5.2): the
 * other warp, fetched for in cycle 112, issues between. */
Test(l0, fetches_for_the_warp_that_issues)
{
	static const uint64_t of_two[2][3] = {{115, 118, 0}, {113, 114, 116}};

	for (uint32_t buffer = 2; buffer <= 3; buffer++) {
		struct bench *b = with_l0s(4, 0, 8);

		b->m.fetch.width = buffer;
		play(b, 2, 8);
		for (unsigned w = 0; w < 2; w++)
			if (buffer == 3)
				expect_all(b, w, 0, 8, COLD + TO_ISSUE + (1 - w) * 8);
			else
				for (unsigned i = 0; i < 2 + w; i++)
					expect(b, w, i, of_two[w][i]);
		cr_expect_eq(b->n_sent, 1);
		bench_free(b);
	}
}

/* Four schedulers with a warp each, in step. Lines from memory come for all at once; the instruction cache has one
 * lookup a cycle: what all ask for in the cycle of their branches comes to one behind the other. */
Test(l0, share_an_instruction_cache)
{
	struct bench *b = with_l0s(1, 0, 15);

	b->m.sm.schedulers = b->m.pipe.sp = 4;
	bench_op(b, OP_BRANCH, -1, -1, -1);
	bench_launch(b, 1, 4);
	bench_cta(b);
	for (unsigned w = 0; w < 4; w++)
		for (unsigned i = 0; i < 2; i++)
			bench_exec(b, w, 0, 16, UINT32_MAX);
	bench_play(b, 1);
	for (unsigned w = 0; w < 4; w++) {
		expect_all(b, w, 0, 8, COLD + TO_ISSUE);
		expect_all(b, w, 8, 8, COLD + 8 + COLD + TO_ISSUE);
		expect_all(b, w, 16, 8, COLD + 8 + COLD + TO_ISSUE + 7 + w + L0_LATENCY + TO_ISSUE);
	}
	cr_expect_eq(b->n_sent, 2);
	bench_free(b);
}

/* An MSHR entry for one of two lines: the second one's lookup fails until the first has come. */
Test(l0, tries_again_what_the_instruction_cache_could_not_take)
{
	struct bench *b = with_l0s(4, 8, 16);

	b->m.fetch.cache.mshr_entries = 1;
	play(b, 1, 16);
	expect_all(b, 0, 0, 8, COLD + TO_ISSUE);
	expect_all(b, 0, 8, 8, MEMORY + COLD + TO_ISSUE);
	bench_free(b);
}

/* Every other one of 16 instructions is folded: eight are left, a line. */
Test(l0, has_no_place_for_what_is_folded)
{
	static struct trace_inst folds[BENCH_MAX_INSTS];

	for (unsigned fold = 0; fold <= 1; fold++) {
		struct bench *b = with_l0s(4, 0, 16);

		memcpy(folds, b->inst, sizeof folds);
		for (unsigned i = 0; i < 16; i += 2)
			folds[i].flags = TRACE_FOLDED;
		b->kernel.folds = folds;
		b->m.sm.fold = fold;
		play(b, 1, 16);
		expect_all(b, 0, 0, 8, COLD + TO_ISSUE);
		cr_expect_eq(b->n_sent, fold ? 1 : 2);
		bench_free(b);
	}
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

/* Likewise with L0s that hold a line or two, with buffers of one, and with room for one miss of all. */
Test(l0, changes_no_result)
{
	static const char *const set[] = {
		"fetch.width=3",
		"fetch.width=1 --set l0.stream=0 --set l0.bytes=128 --set l0.assoc=1",
		"fetch.width=3 --set icache.mshr_entries=1 --set icache.mshr_merges=1 --set icache.miss_queue=1",
		"fetch.width=3 --set icache.bytes=128 --set icache.assoc=1 --set l0.bytes=256 --set l0.assoc=2",
		"fetch.width=8 --set fetch.inst_bytes=4 --set l0.stream=32 --set l0.latency=1",
		"fetch.width=3 --set sm.subcores=1 --set sm.schedulers=2 --set sm.scheduler=lrr --set l0.stream=1"};

	for (unsigned i = 0; i < sizeof set / sizeof *set; i++) {
		struct program p = program_run("locus run mergesort --size test --machine qv100 --set %s", set[i]);

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
		{"fetch.width=9 --set l0.bytes=4K",
		 "fetch.width: with L0s (l0.bytes) a buffer holds at most 8 instructions, not 9"},
		{"fetch.width=2 --set l0.bytes=3K",
		 "l0.bytes: 3072 bytes in lines of 128 and 4 ways do not make a power of two of sets"},
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
