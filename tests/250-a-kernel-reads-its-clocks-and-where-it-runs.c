/* 250: special registers that a functional run answers: clocks that only advance, the SM, the grid's own space. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

#define FRAME                                                                                                                      \
	"ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %ctaid.x;\nmul.wide.u32 %rd3, %r1, 16;\n"               \
	"add.s64 %rd2, %rd2, %rd3;\n"

static struct ptx_try run(const char *body, uint32_t ctas, struct trace_writer *w)
{
	const uint32_t grid[3] = {ctas, 1, 1}, block[3] = {1, 1, 1};
	struct ptx_try t;

	ptx_try_run(&t, "", body, grid, block, NULL, 0, w);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	return t;
}

/* The unit is a warp instruction, and a reading is one: between the first two are 3 instructions, the first reading
 * among them; the third is in the next CTA, and later than all of this one's. */
Test(ptx_clock, counts_warp_instructions_and_never_repeats)
{
	struct ptx_try t = run(FRAME "mov.u32 %r2, %clock;\nadd.u32 %r4, %r1, 1;\nadd.u32 %r4, %r4, 1;\nmov.u32 %r3, %clock;\n"
				     "sub.u32 %r4, %r3, %r2;\nmov.u64 %rd4, %clock64;\ncvt.u32.u64 %r5, %rd4;\n"
				     "st.global.v4.u32 [%rd2], {%r2, %r4, %r3, %r5};\n",
			       2, NULL);
	const uint32_t *out = ptx_try_out(&t);

	/* 5 instructions and the reading itself; 3 instructions and a reading; 2 more and one */
	cr_assert_eq(out[0], 6);
	cr_assert_eq(out[1], 4);
	cr_assert_eq(out[3] - out[2], 3);
	cr_assert_gt(out[4], out[3]);
	ptx_try_free(&t);
}

Test(ptx_clock, the_timer_advances_so_that_a_wait_for_it_ends)
{
	struct ptx_try t =
		run(FRAME "mov.u64 %rd4, %globaltimer;\nL: mov.u64 %rd5, %globaltimer;\nsub.u64 %rd6, %rd5, %rd4;\n"
			  "setp.lt.u64 %p1, %rd6, 1000;\n@%p1 bra L;\ncvt.u32.u64 %r2, %rd6;\nmov.u32 %r3, %globaltimer_hi;\n"
			  "mov.u32 %r4, %clock_hi;\nmov.u32 %r5, 0;\nst.global.v4.u32 [%rd2], {%r2, %r3, %r4, %r5};\n",
		    1, NULL);
	const uint32_t *out = ptx_try_out(&t);

	/* an instruction and a reading until the second one, then 4 and a reading a round: 2 + 5 k */
	cr_assert_eq(out[0], 1002);
	cr_assert_eq(out[1], 0);
	cr_assert_eq(out[2], 0);
	ptx_try_free(&t);
}

/* Without a machine there are 80 SMs; CTA i runs on SM i modulo that. */
Test(ptx_clock, a_cta_knows_its_sm_and_the_driver_has_told_it_nothing)
{
	struct ptx_try t = run(FRAME "mov.u32 %r2, %smid;\nmov.u32 %r3, %nsmid;\nmov.u32 %r4, %envreg7;\nmov.u32 %r5, %envreg31;\n"
				     "st.global.v4.u32 [%rd2], {%r2, %r3, %r4, %r5};\n",
			       82, NULL);
	const uint32_t *out = ptx_try_out(&t);

	for (uint32_t i = 0; i < 82; i++) {
		cr_assert_eq(out[4 * i], i % 80);
		cr_assert_eq(out[4 * i + 1], 80);
		cr_assert_eq(out[4 * i + 2] | out[4 * i + 3], 0);
	}
	ptx_try_free(&t);
}

/* %envreg1 and %envreg2 are the halves of an address that only the grid's own synchronisation uses. */
Test(ptx_clock, the_grids_space_is_a_buffer_of_the_module)
{
	struct ptx_try t =
		run(FRAME "mov.u32 %r2, %envreg2;\nmov.u32 %r3, %envreg1;\ncvt.u64.u32 %rd4, %r2;\ncvt.u64.u32 %rd5, %r3;\n"
			  "bfi.b64 %rd6, %rd5, %rd4, 32, 32;\natom.global.add.u32 %r4, [%rd6+4], 3;\n"
			  "mov.u32 %r5, 0;\nst.global.v4.u32 [%rd2], {%r2, %r3, %r4, %r5};\n",
		    2, NULL);
	int space = memory_named(&t.mem, "grid workspace");
	const uint32_t *out = ptx_try_out(&t);

	cr_assert_geq(space, 0);
	cr_assert_eq(out[0] | (uint64_t)out[1] << 32, t.mem.buffer[space].base);
	cr_assert_eq(out[2], 0);
	cr_assert_eq(out[6], 3);
	ptx_try_free(&t);
}

Test(ptx_clock, is_read_by_mov_alone)
{
	const uint32_t one[3] = {1, 1, 1};
	struct ptx_try t;

	ptx_try_run(&t, "", "add.u32 %r1, %clock, 1;\n", one, one, NULL, 0, NULL);
	cr_assert_eq(t.result, -1);
	cr_assert(strstr(t.e.text, "read by mov only"), "%s", t.e.text);
	ptx_try_free(&t);
}

/* Shared memory that the toolchain's cooperative groups take: behind the kernel's own, 1 KB. */
Test(ptx_clock, shared_memory_is_kept_for_groups_of_warps)
{
	struct ptx_try t = run(FRAME ".shared .align 4 .b8 own[20];\nmov.u32 %r2, own;\nmov.u32 %r3, %reserved_smem_offset_1;\n"
				     "mov.u32 %r4, %total_smem_size;\nmov.u32 %r5, 0;\nst.shared.u32 [%r3+1020], %r5;\n"
				     "st.global.v4.u32 [%rd2], {%r2, %r3, %r4, %r5};\n",
			       1, NULL);
	const uint32_t *out = ptx_try_out(&t);

	cr_assert_eq(out[0], 0);
	cr_assert_eq(out[1], 32);
	cr_assert_eq(out[2], 32 + 1024);
	ptx_try_free(&t);
}
