/* Divergence: every lane goes its own way, and the trace shows that they meet again where they should. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

#define FRAME                                                                                                                      \
	"ld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd2, %rd3;\nmov.u32 %r2, "    \
	"0;\n"
#define STORE "st.global.u32 [%rd2], %r2;\n"

static void run(struct ptx_try *t, const char *body, uint32_t threads, uint32_t (*want)(uint32_t))
{
	ptx_try_threads(t, body, threads, NULL, 0);
	cr_assert_eq(t->result, 0, "%s", t->e.text);
	for (uint32_t i = 0; i < threads; i++)
		cr_assert_eq(ptx_try_out(t)[i], want(i), "thread %u: %u, want %u", i, ptx_try_out(t)[i], want(i));
	ptx_try_free(t);
}

static uint32_t nested(uint32_t i)
{
	uint32_t v = i % 2 ? (i % 4 == 1 ? 10 : 20) : (i % 3 ? 30 : 40);

	return v + 1;
}

Test(ptx_divergence, nested_branches_give_each_lane_its_own_path)
{
	struct ptx_try t;

	run(&t,
	    FRAME "and.b32 %r3, %r1, 1;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 bra EVEN;\n"
		  "and.b32 %r3, %r1, 3;\nsetp.eq.u32 %p2, %r3, 1;\n@%p2 bra ONE;\nmov.u32 %r2, 20;\nbra.uni MEET1;\n"
		  "ONE: mov.u32 %r2, 10;\nMEET1: bra MEET;\n"
		  "EVEN: rem.u32 %r3, %r1, 3;\nsetp.ne.u32 %p2, %r3, 0;\n@!%p2 bra THIRD;\nmov.u32 %r2, 30;\nbra MEET;\n"
		  "THIRD: mov.u32 %r2, 40;\n"
		  "MEET: add.u32 %r2, %r2, 1;\n" STORE,
	    50, nested);
}

/* Sum of i + (i - 1) + ... : the loop is left by each lane in another round, and has a branch inside. */
static uint32_t triangle(uint32_t i)
{
	uint32_t sum = 0;

	for (uint32_t k = 0; k < i * 7 % 61; k++)
		sum += k % 3 == i % 3 ? 100 : k;
	return sum;
}

Test(ptx_divergence, a_loop_has_a_trip_count_for_each_lane)
{
	struct ptx_try t;

	run(&t,
	    FRAME
	    "mul.lo.u32 %r4, %r1, 7;\nrem.u32 %r4, %r4, 61;\nrem.u32 %r5, %r1, 3;\nmov.u32 %r3, 0;\n"
	    "setp.eq.u32 %p1, %r4, 0;\n@%p1 bra DONE;\n"
	    "LOOP: rem.u32 %r6, %r3, 3;\nsetp.eq.u32 %p2, %r6, %r5;\n@%p2 bra HUNDRED;\nadd.u32 %r2, %r2, %r3;\nbra.uni NEXT;\n"
	    "HUNDRED: add.u32 %r2, %r2, 100;\n"
	    "NEXT: add.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, %r4;\n@%p1 bra LOOP;\n"
	    "DONE:\n" STORE,
	    64, triangle);
}

static uint32_t until_exit(uint32_t i)
{
	return i % 5 == 0 ? 0 : i < 20 ? 1 : 2;
}

/* Lanes end inside a branch, some by a guarded exit; the others go on. */
Test(ptx_divergence, lanes_that_end_early_leave_the_others_alone)
{
	struct ptx_try t;

	run(&t,
	    FRAME "rem.u32 %r3, %r1, 5;\nsetp.eq.u32 %p1, %r3, 0;\n@%p1 exit;\n"
		  "setp.lt.u32 %p2, %r1, 20;\n@%p2 bra LOW;\nmov.u32 %r2, 2;\n" STORE "ret;\n"
		  "LOW: mov.u32 %r2, 1;\n" STORE "ret;\n",
	    50, until_exit);
}

static uint32_t collatz(uint32_t i)
{
	uint32_t n = i + 1, steps = 0;

	for (; n != 1; steps++)
		n = n % 2 ? 3 * n + 1 : n / 2;
	return steps;
}

/* break inside a branch inside a loop: the way out and the way on part at different places. */
Test(ptx_divergence, loops_may_be_left_from_inside_a_branch)
{
	struct ptx_try t;

	run(&t,
	    FRAME "add.u32 %r3, %r1, 1;\n"
		  "TOP: setp.eq.u32 %p1, %r3, 1;\n@%p1 bra OUT;\nand.b32 %r4, %r3, 1;\nsetp.eq.u32 %p2, %r4, 1;\n@%p2 bra ODD;\n"
		  "shr.u32 %r3, %r3, 1;\nadd.u32 %r2, %r2, 1;\nbra TOP;\n"
		  "ODD: mad.lo.u32 %r3, %r3, 3, 1;\nadd.u32 %r2, %r2, 1;\nbra TOP;\n"
		  "OUT:\n" STORE,
	    128, collatz);
}

/* A guarded instruction changes only the lanes whose guard holds; nothing happens when none does. */
static uint32_t guarded(uint32_t i)
{
	return (i < 7 ? 5 : 0) + (i >= 7 ? 70 : 0);
}

Test(ptx_divergence, a_guarded_instruction_changes_only_its_lanes)
{
	struct ptx_try t;

	run(&t,
	    FRAME "setp.lt.u32 %p1, %r1, 7;\nsetp.gt.u32 %p2, %r1, 1000;\n@%p1 add.u32 %r2, %r2, 5;\n@!%p1 add.u32 %r2, %r2, 70;\n"
		  "@%p2 st.global.u32 [%rd2+1000000], %r2;\n@%p2 mov.u32 %r2, 9;\n" STORE,
	    40, guarded);
}

/* What warp 0 of the only CTA did: its runs. */
static struct trace_cta traced(const char *body, uint32_t threads)
{
	static const struct trace_options options = {.name = "test"};
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {threads, 1, 1};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&options, &e);
	struct trace_cta c = {0};
	struct ptx_try t;
	struct trace *tr;

	ptx_try_run(&t, "", body, grid, block, NULL, 0, w);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	tr = trace_writer_finish(w, &e);
	cr_assert_not_null(tr, "%s", e.text);
	cr_assert_eq(trace_read_cta(tr, 0, 0, &c, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch(tr, 0)->warp_insts, ptx_warp_insts(t.m));
	trace_close(tr);
	ptx_try_free(&t);
	return c;
}

static void expect_runs(const struct trace_cta *c, const struct trace_run *want, unsigned n)
{
	cr_assert_eq(c->warp[0].n_runs, n, "%u runs, want %u", c->warp[0].n_runs, n);
	for (unsigned i = 0; i < n; i++) {
		const struct trace_run *r = &c->runs[c->warp[0].first_run + i];

		cr_assert(r->pc == want[i].pc && r->len == want[i].len && r->mask == want[i].mask,
			  "run %u: pc %u, %u instructions, mask %#x; want %u, %u, %#x", i, r->pc, r->len, r->mask, want[i].pc,
			  want[i].len, want[i].mask);
	}
}

Test(ptx_divergence, the_sides_of_a_branch_run_one_after_the_other_and_meet_at_its_post_dominator)
{
	/* 0 mov, 1 setp, 2 bra, 3 mov, 4 bra, 5 mov, 6 add, 7 ret */
	struct trace_cta c = traced("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 8;\n@%p1 bra LOW;\nmov.u32 %r2, 1;\nbra MEET;\n"
				    "LOW: mov.u32 %r2, 2;\nMEET: add.u32 %r2, %r2, 1;\nret;\n",
				    32);
	static const struct trace_run want[] = {{0, 3, 0xffffffff}, {3, 2, 0xffffff00}, {5, 1, 0xff}, {6, 2, 0xffffffff}};

	expect_runs(&c, want, 4);
	trace_cta_free(&c);
}

Test(ptx_divergence, a_uniform_branch_keeps_all_lanes_together)
{
	/* 0 mov, 1 setp, 2 bra, 3 mov, 4 mov, 5 ret */
	struct trace_cta c = traced("mov.u32 %r1, %ntid.x;\nsetp.eq.u32 %p1, %r1, 20;\n@%p1 bra ON;\nmov.u32 %r2, 1;\n"
				    "ON: mov.u32 %r2, 2;\nret;\n",
				    20);
	static const struct trace_run want[] = {{0, 3, 0xfffff}, {4, 2, 0xfffff}};

	expect_runs(&c, want, 2);
	trace_cta_free(&c);
}

Test(ptx_divergence, a_guarded_instruction_is_a_run_of_its_own_even_with_no_lane)
{
	/* 0 mov, 1 setp, 2 @p mov, 3 mov, 4 setp, 5 @p mov, 6 ret */
	struct trace_cta c = traced("mov.u32 %r1, %tid.x;\nsetp.lt.u32 %p1, %r1, 4;\n@%p1 mov.u32 %r2, 1;\nmov.u32 %r3, 2;\n"
				    "setp.gt.u32 %p1, %r1, 99;\n@%p1 mov.u32 %r2, 1;\nret;\n",
				    32);
	static const struct trace_run want[] = {{0, 2, 0xffffffff}, {2, 1, 0xf}, {3, 2, 0xffffffff}, {5, 1, 0}, {6, 1, 0xffffffff}};

	expect_runs(&c, want, 5);
	trace_cta_free(&c);
}

Test(ptx_divergence, lanes_that_leave_a_loop_wait_behind_it)
{
	/* 0 mov, 1 mov, 2 add, 3 setp, 4 bra, 5 ret: thread i goes round i times, 1 at least */
	struct trace_cta c = traced("mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nL: add.u32 %r2, %r2, 1;\nsetp.lt.u32 %p1, %r2, %r1;\n"
				    "@%p1 bra L;\nret;\n",
				    4);
	static const struct trace_run want[] = {{0, 5, 0xf}, {2, 3, 0xc}, {2, 3, 0x8}, {5, 1, 0xf}};

	expect_runs(&c, want, 4);
	trace_cta_free(&c);
}
