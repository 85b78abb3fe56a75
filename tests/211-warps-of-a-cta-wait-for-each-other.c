/* Barriers and what passes between the warps of a CTA. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

#define FRAME                                                                                                                      \
	"ld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd2, %rd3;\n"                 \
	".shared .align 4 .b8 tile[4096];\nmov.u32 %r10, tile;\nshl.b32 %r11, %r1, 2;\nadd.u32 %r11, %r10, %r11;\n"

static void run(struct ptx_try *t, const char *body, uint32_t threads)
{
	ptx_try_threads(t, body, threads, NULL, 0);
	cr_assert_eq(t->result, 0, "%s", t->e.text);
}

/* A tree reduction over 256 threads: 0 + 1 + ... + 255, in all threads at the end. */
Test(ptx_barrier, a_tree_reduction_sums_over_all_warps)
{
	struct ptx_try t;

	run(&t,
	    FRAME "st.shared.u32 [%r11], %r1;\nbar.sync 0;\nmov.u32 %r2, 128;\n"
		  "L: setp.ge.u32 %p1, %r1, %r2;\n@%p1 bra SKIP;\nshl.b32 %r3, %r2, 2;\nadd.u32 %r3, %r11, %r3;\n"
		  "ld.shared.u32 %r4, [%r3];\nld.shared.u32 %r5, [%r11];\nadd.u32 %r5, %r5, %r4;\nst.shared.u32 [%r11], %r5;\n"
		  "SKIP: bar.sync 0;\nshr.u32 %r2, %r2, 1;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra L;\n"
		  "ld.shared.u32 %r6, [tile];\nst.global.u32 [%rd2], %r6;\n",
	    256);
	for (int i = 0; i < 256; i++)
		cr_assert_eq(ptx_try_out(&t)[i], 255 * 256 / 2);
	ptx_try_free(&t);
}

/* Warps that have ended do not keep the others waiting. */
Test(ptx_barrier, a_warp_that_has_ended_counts_as_arrived)
{
	struct ptx_try t;

	run(&t,
	    FRAME "setp.ge.u32 %p1, %r1, 64;\n@%p1 exit;\nst.shared.u32 [%r11], 7;\nbarrier.sync 0;\nxor.b32 %r3, %r11, 128;\n"
		  "ld.shared.u32 %r4, [%r3];\nst.global.u32 [%rd2], %r4;\n",
	    128);
	for (int i = 0; i < 128; i++)
		cr_assert_eq(ptx_try_out(&t)[i], i < 64 ? 7u : 0u, "thread %d", i);
	ptx_try_free(&t);
}

/* Two halves of the CTA meet at barriers of their own; then producer and consumer with bar.arrive. */
Test(ptx_barrier, numbered_barriers_serve_groups_of_warps)
{
	struct ptx_try t;

	run(&t,
	    FRAME "setp.lt.u32 %p1, %r1, 64;\n@%p1 bra LOW;\n"
		  "bar.sync 2, 64;\nst.shared.u32 [%r11], 5;\nbar.sync 2, 64;\nxor.b32 %r3, %r11, 128;\nld.shared.u32 %r4, [%r3];\n"
		  "st.global.u32 [%rd2], %r4;\nbar.arrive 3, 128;\nbra END;\n"
		  "LOW: bar.sync 1, 64;\nbar.sync 3, 128;\nld.shared.u32 %r4, [%r11+256];\nadd.u32 %r4, %r4, 1;\nst.global.u32 "
		  "[%rd2], %r4;\n"
		  "END: bar.sync 0;\n",
	    128);
	for (int i = 0; i < 128; i++)
		cr_assert_eq(ptx_try_out(&t)[i], i < 64 ? 6u : 5u, "thread %d: %u", i, ptx_try_out(&t)[i]);
	ptx_try_free(&t);
}

/* As hardware before Volta: a warp that executes a barrier has arrived, whatever its lanes. Lanes 0..15 and 16..31 of
 * each warp come to the barrier on different paths, so that it is passed twice. */
Test(ptx_barrier, a_barrier_in_divergent_code_counts_warps)
{
	struct ptx_try t;

	run(&t,
	    FRAME
	    "and.b32 %r2, %r1, 16;\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra HIGH;\nst.shared.u32 [%r11], 3;\nbar.sync 0;\nbra MEET;\n"
	    "HIGH: st.shared.u32 [%r11], 4;\nbar.sync 0;\nMEET: xor.b32 %r3, %r11, 128;\nld.shared.u32 %r4, [%r3];\n"
	    "st.global.u32 [%rd2], %r4;\n",
	    64);
	for (int i = 0; i < 64; i++)
		cr_assert_eq(ptx_try_out(&t)[i], i & 16 ? 4u : 3u, "thread %d", i);
	ptx_try_free(&t);
}

/* A warp may spin on a flag that a later warp of its CTA sets: it lets the others run. */
Test(ptx_barrier, a_warp_may_wait_for_a_flag_of_another)
{
	struct ptx_try t;

	run(&t,
	    FRAME "setp.ge.u32 %p1, %r1, 32;\n@%p1 bra SET;\n"
		  "WAIT: ld.volatile.shared.u32 %r4, [tile];\nsetp.eq.u32 %p2, %r4, 0;\n@%p2 bra WAIT;\nst.global.u32 [%rd2], "
		  "%r4;\nret;\n"
		  "SET: st.volatile.shared.u32 [tile], 42;\nst.global.u32 [%rd2], 1;\n",
	    64);
	for (int i = 0; i < 64; i++)
		cr_assert_eq(ptx_try_out(&t)[i], i < 32 ? 42u : 1u, "thread %d", i);
	ptx_try_free(&t);
}

/* Shared memory starts as zeroes in every CTA, whatever the one before left. */
Test(ptx_barrier, a_cta_finds_its_shared_memory_empty)
{
	const uint32_t grid[3] = {3, 1, 1}, block[3] = {32, 1, 1};
	struct ptx_try t;

	ptx_try_run(&t, "",
		    FRAME
		    "mov.u32 %r2, %ctaid.x;\nmul.wide.u32 %rd4, %r2, 128;\nadd.s64 %rd2, %rd2, %rd4;\nld.shared.u32 %r3, [%r11];\n"
		    "st.shared.u32 [%r11], 9;\nst.global.u32 [%rd2], %r3;\n",
		    grid, block, NULL, 0, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (int i = 0; i < 96; i++)
		cr_assert_eq(ptx_try_out(&t)[i], 0);
	ptx_try_free(&t);
}

/* bar.red: of 80 threads in three warps, the last of which is half empty, 40 say yes. The threads of a guarded or
 * divergent one that do not take part have no say. */
Test(ptx_barrier, a_barrier_may_count_and_join_what_its_threads_say)
{
	static const struct {
		const char *body;
		uint32_t want;
	} cases[] = {
		{"bar.red.popc.u32 %r2, 0, %p1;\n", 40},
		{"bar.red.popc.u32 %r2, 3, 96, !%p1;\n", 40},
		{"barrier.red.popc.u32 %r2, 0, %p2;\n", 80},
		{"bar.red.and.pred %p3, 0, %p1; selp.u32 %r2, 1, 2, %p3;\n", 2},
		{"bar.red.and.pred %p3, 0, %p2; selp.u32 %r2, 1, 2, %p3;\n", 1},
		{"bar.red.or.pred %p3, 0, %p1; selp.u32 %r2, 1, 2, %p3;\n", 1},
		{"bar.red.or.pred %p3, 0, !%p2; selp.u32 %r2, 1, 2, %p3;\n", 2},
		{"mov.u32 %r2, 9; @%p4 bar.red.popc.u32 %r2, 0, %p1; @!%p4 mov.u32 %r2, 39;\n", 39},
		{"bar.red.popc.u32 %r3, 0, %p1; bar.red.popc.u32 %r2, 0, %p2; sub.u32 %r2, %r2, %r3;\n", 40},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct ptx_try t;
		char text[1200];

		/* p1: threads below 40; p2: all; p4: all but the first, which says yes */
		snprintf(text, sizeof text,
			 "%ssetp.lt.u32 %%p1, %%r1, 40; setp.lt.u32 %%p2, %%r1, 80; setp.gt.u32 %%p4, %%r1, 0;\n%s"
			 "st.global.u32 [%%rd2], %%r2;\n",
			 FRAME, cases[i].body);
		run(&t, text, 80);
		for (int k = 0; k < 80; k++)
			cr_assert_eq(ptx_try_out(&t)[k], cases[i].want, "%s: thread %d: %u", cases[i].body, k, ptx_try_out(&t)[k]);
		ptx_try_free(&t);
	}
}
