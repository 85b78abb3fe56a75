/* A CTA that waits for what never comes is found, and no honest loop is taken for one. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

#define FRAME                                                                                                                      \
	"ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, "         \
	"%nctaid.x;\n"

static struct ptx_try run(const char *body, uint32_t ctas, uint32_t threads)
{
	const uint32_t grid[3] = {ctas, 1, 1}, block[3] = {threads, 1, 1};
	struct ptx_try t;

	ptx_try_run(&t, "", body, grid, block, NULL, 0, NULL);
	return t;
}

static void stuck(const char *body, uint32_t ctas, uint32_t threads, const char *line)
{
	struct ptx_try t = run(body, ctas, threads);

	cr_assert_eq(t.result, -1, "it ended: %s", body);
	cr_assert(strstr(t.e.text, "no progress"), "%s", t.e.text);
	cr_assert(strstr(t.e.text, line), "%s: %s", line, t.e.text);
	ptx_try_free(&t);
}

/* Each CTA adds one and waits until all have; but 80 SMs of 32 CTAs each hold one less. */
Test(ptx_progress, a_barrier_over_more_ctas_than_fit_is_found)
{
	stuck(FRAME "atom.global.add.u32 %r4, [%rd1], 1;\nWAIT: ld.volatile.global.u32 %r4, [%rd1];\nsetp.lt.u32 %p1, %r4, %r3;\n"
		    "@%p1 bra WAIT;\n",
	      2561, 1, "2560 CTAs can be on the machine together");
	/* a lock that the first CTA takes and never gives back */
	stuck(FRAME "L: atom.global.cas.b32 %r4, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra L;\n", 3, 1, "CTA 1 (1,0,0)");
}

/* A lock that nobody frees: cas fails indefinitely, or exch writes what is there. */
Test(ptx_progress, a_spin_lock_that_is_held_elsewhere_is_found)
{
	stuck(FRAME "st.global.u32 [%rd1], 1;\nL: atom.global.cas.b32 %r4, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra L;\n",
	      1, 1, "test.ptx:21:");
	stuck(FRAME "st.global.u32 [%rd1], 1;\nL: atom.global.exch.b32 %r4, [%rd1], 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra L;\n", 1,
	      1, "no progress");
	/* a store of the same value again and again, and a state that alternates between two */
	stuck(FRAME "mov.u32 %r5, 0;\nL: st.global.u32 [%rd2], 7;\nxor.b32 %r5, %r5, 1;\nld.volatile.global.u32 %r4, [%rd1];\n"
		    "setp.eq.u32 %p1, %r4, 0;\n@%p1 bra L;\n",
	      1, 32, "no progress");
	/* two warps that wait for each other */
	stuck(FRAME ".shared .align 4 .b8 flag[8];\nshr.u32 %r5, %r1, 5;\nshl.b32 %r5, %r5, 2;\nmov.u32 %r6, flag;\nadd.u32 %r6, "
		    "%r6, %r5;\n"
		    "L: ld.volatile.shared.u32 %r4, [%r6];\nsetp.eq.u32 %p1, %r4, 0;\n@%p1 bra L;\nxor.b32 %r6, %r6, "
		    "4;\nst.shared.u32 [%r6], 1;\n",
	      1, 64, "no progress");
}

Test(ptx_progress, a_barrier_that_nobody_can_complete_is_found)
{
	/* warp 0 waits at barrier 0, warp 1 at barrier 1 */
	stuck(FRAME "shr.u32 %r4, %r1, 5;\nbar.sync %r4;\n", 1, 64, "lacks arrivals");
	stuck(FRAME "bar.sync 0, 96;\n", 1, 64, "barrier 0");
}

/* Loops that look idle from outside, and end: counters, a long chain without stores, memory that changes and changes
 * back. */
Test(ptx_progress, long_loops_are_left_alone)
{
	struct ptx_try t = run(FRAME "mov.u32 %r4, 0;\nL: add.u32 %r4, %r4, 1;\nsetp.lt.u32 %p1, %r4, 4000000;\n@%p1 bra "
				     "L;\nst.global.u32 [%rd2], %r4;\n",
			       1, 1);

	cr_assert_eq(t.result, 0, "%s", t.e.text);
	cr_assert_eq(*ptx_try_out(&t), 4000000);
	ptx_try_free(&t);
	/* the counter is in memory, the registers are alike in each round */
	t = run(FRAME
		"L: ld.global.u32 %r4, [%rd1];\nadd.u32 %r4, %r4, 1;\nst.global.u32 [%rd1], %r4;\nsetp.lt.u32 %p1, %r4, 3000000;\n"
		"mov.u32 %r4, 0;\n@%p1 bra L;\nst.global.u32 [%rd2], 1;\n",
		1, 1);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	cr_assert_eq(*ptx_try_out(&t), 1);
	ptx_try_free(&t);
	/* in local and in shared memory, by atomics */
	t = run(FRAME ".local .align 4 .b8 d[4];\nst.local.u32 [d], 0;\nL: ld.local.u32 %r4, [d];\nadd.u32 %r4, %r4, "
		      "1;\nst.local.u32 [d], %r4;\n"
		      "setp.lt.u32 %p1, %r4, 2500000;\nmov.u32 %r4, 0;\n@%p1 bra L;\nst.global.u32 [%rd2], 2;\n",
		1, 1);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	cr_assert_eq(*ptx_try_out(&t), 2);
	ptx_try_free(&t);
	/* a linear congruential sequence, until it comes to a certain value after 2^21 rounds or so */
	t = run(FRAME "mov.u32 %r4, 1;\nmov.u32 %r6, 0;\nL: mad.lo.u32 %r4, %r4, 1664525, 1013904223;\nadd.u32 %r6, %r6, "
		      "1;\nshr.u32 %r5, %r4, 10;\n"
		      "setp.ne.u32 %p1, %r5, 12345;\n@%p1 bra L;\nst.global.u32 [%rd2], %r6;\n",
		1, 1);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	uint32_t x = 1, n = 0;
	do {
		x = x * 1664525 + 1013904223;
		n++;
	} while (x >> 10 != 12345);
	cr_assert_eq(*ptx_try_out(&t), n);
	ptx_try_free(&t);
}
