/* Special registers, shuffles and votes. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "support/ptx.h"

#define FRAME                                                                                                                      \
	"ld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd2, %rd3;\nmov.u32 %r9, "    \
	"%laneid;\n"

/* What 64 threads leave in %r2. */
static void run(const char *body, uint32_t got[64])
{
	char text[2048];
	struct ptx_try t;

	snprintf(text, sizeof text, "%s%s\nst.global.u32 [%%rd2], %%r2;\n", FRAME, body);
	ptx_try_threads(&t, text, 64, NULL, 0);
	cr_assert_eq(t.result, 0, "%s: %s", body, t.e.text);
	for (int i = 0; i < 64; i++)
		got[i] = ptx_try_out(&t)[i];
	ptx_try_free(&t);
}

Test(ptx_warp, special_registers_name_thread_block_and_lane)
{
	static const char body[] =
		"ld.param.u64 %rd2, [out];\nmov.u32 %r1, %ctaid.z;\nmov.u32 %r2, %nctaid.y;\nmov.u32 %r3, %ctaid.y;\n"
		"mad.lo.u32 %r1, %r1, %r2, %r3;\nmov.u32 %r2, %nctaid.x;\nmov.u32 %r3, %ctaid.x;\n"
		"mad.lo.u32 %r1, %r1, %r2, %r3;\nmov.u32 %r2, %ntid.z;\nmov.u32 %r3, %tid.z;\n"
		"mad.lo.u32 %r1, %r1, %r2, %r3;\nmov.u32 %r2, %ntid.y;\nmov.u32 %r3, %tid.y;\n"
		"mad.lo.u32 %r1, %r1, %r2, %r3;\nmov.u32 %r2, %ntid.x;\nmov.u32 %r3, %tid.x;\n"
		"mad.lo.u32 %r1, %r1, %r2, %r3;\nmul.wide.u32 %rd3, %r1, 8;\nadd.s64 %rd2, %rd2, %rd3;\n"
		"mov.u32 %r4, %warpid;\nmov.u32 %r5, %laneid;\nshl.b32 %r4, %r4, 8;\nadd.u32 %r4, %r4, %r5;\n"
		"st.global.v2.u32 [%rd2], {%r1, %r4};\n";
	const uint32_t grid[3] = {2, 3, 2}, block[3] = {5, 3, 4};
	struct ptx_try t;

	ptx_try_run(&t, "", body, grid, block, NULL, 0, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 12 * 60; i++) {
		cr_assert_eq(ptx_try_out(&t)[2 * i], i);
		cr_assert_eq(ptx_try_out(&t)[2 * i + 1], (i % 60 / 32) << 8 | i % 60 % 32);
	}
	ptx_try_free(&t);
}

Test(ptx_warp, old_code_reads_special_registers_as_16_bits)
{
	uint32_t v[64];

	run("mov.u16 %h1, %tid.x;\nmov.u16 %h2, %ntid.x;\nmul.wide.u16 %r2, %h1, %h2;\ncvt.u32.u16 %r3, "
	    "%tid.x;\nadd.u32 %r2, %r2, %r3;",
	    v);

	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], i * 65);
}

Test(ptx_warp, lane_masks_name_the_lanes_around)
{
	static const char *const names[] = {"eq", "lt", "le", "gt", "ge"};

	for (int n = 0; n < 5; n++) {
		char body[64];
		uint32_t v[64];

		snprintf(body, sizeof body, "mov.u32 %%r2, %%lanemask_%s;", names[n]);
		run(body, v);
		for (uint32_t i = 0; i < 64; i++)
			for (uint32_t l = 0; l < 32; l++) {
				uint32_t own = i % 32;
				bool want = n == 0 ? l == own : n == 1 ? l < own : n == 2 ? l <= own : n == 3 ? l > own : l >= own;

				cr_assert_eq(v[i] >> l & 1, want);
			}
	}
}

/* What CUDA's __shfl functions promise, for width 32 (c = 31, or 0 for up) and width 8 (c = 0x181f, or 0x1800). */
Test(ptx_warp, shuffles_bring_another_lanes_value)
{
	uint32_t v[64];

	run("shfl.sync.down.b32 %r2|%p1, %r1, 3, 31, -1;\n@!%p1 add.u32 %r2, %r2, 1000;", v);

	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], i % 32 < 29 ? i + 3 : i + 1000, "down, lane %u: %u", i, v[i]);
	run("shfl.sync.up.b32 %r2|%p1, %r1, 3, 0, -1;\n@!%p1 add.u32 %r2, %r2, 1000;", v);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], i % 32 >= 3 ? i - 3 : i + 1000, "up, lane %u: %u", i, v[i]);
	run("shfl.sync.bfly.b32 %r2, %r1, 5, 31, -1;", v);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], i ^ 5);
	run("shfl.sync.idx.b32 %r2, %r1, 7, 31, -1;", v);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], i / 32 * 32 + 7);
	run("shfl.sync.idx.b32 %r2, %r1, 2, 0x181f, -1;", v);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], i / 8 * 8 + 2);
	run("shfl.down.b32 %r2|%p1, %r1, 6, 0x181f;\n@!%p1 add.u32 %r2, %r2, 1000;", v);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], i % 8 < 2 ? i + 6 : i + 1000, "down 8, lane %u: %u", i, v[i]);
	run("shfl.up.b32 %r2|%p1, %r1, %r9, 0x1800;\n@!%p1 add.u32 %r2, %r2, 1000;", v);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], i % 32 < 8 ? i / 32 * 32 : i + 1000, "up 8, lane %u: %u", i, v[i]);
}

/* Eight lanes a group, each of which names its own: the others do not count (PTX ISA manual, vote.sync). */
Test(ptx_warp, votes_ask_the_members)
{
	uint32_t v[64];

	run("and.b32 %r3, %r9, 24;\nmov.u32 %r4, 255;\nshl.b32 %r4, %r4, %r3;\nand.b32 %r5, %r9, 7;\n"
	    "setp.gt.u32 %p1, %r5, 5;\nvote.sync.ballot.b32 %r2, %p1, %r4;\n",
	    v);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], 0xc0u << (i & 24), "lane %u: %#x", i, v[i]);
	run("and.b32 %r3, %r9, 24;\nmov.u32 %r4, 255;\nshl.b32 %r4, %r4, %r3;\nsetp.eq.u32 %p1, %r3, 8;\n"
	    "vote.sync.all.pred %p2, %p1, %r4;\nvote.sync.any.pred %p3, %p1, %r4;\nvote.sync.uni.pred %p4, %p1, %r4;\n"
	    "mov.u32 %r2, 0;\n@%p2 add.u32 %r2, %r2, 1;\n@%p3 add.u32 %r2, %r2, 2;\n@%p4 add.u32 %r2, %r2, 4;\n",
	    v);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], (i & 24) == 8 ? 7 : 4, "lane %u: %u", i, v[i]);
}

Test(ptx_warp, votes_ask_the_active_lanes)
{
	uint32_t v[64];

	run("and.b32 %r3, %r9, 3;\nsetp.eq.u32 %p1, %r3, 1;\nvote.sync.ballot.b32 %r2, %p1, -1;", v);

	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], 0x22222222);
	run("and.b32 %r3, %r9, 3;\nsetp.eq.u32 %p1, %r3, 1;\nmov.u32 %r2, 0;\n@%p1 bra IN;\nbra MEET;\n"
	    "IN: vote.sync.all.pred %p2, %p1, -1;\nvote.any.pred %p3, !%p1;\nvote.uni.pred %p4, %p1;\nactivemask.b32 %r2;\n"
	    "@%p2 add.u32 %r2, %r2, 1;\n@%p3 add.u32 %r2, %r2, 4;\n@%p4 add.u32 %r2, %r2, 8;\nMEET:",
	    v);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], i % 4 == 1 ? 0x22222222 + 1 + 8 : 0, "lane %u: %#x", i, v[i]);
	run("setp.lt.u32 %p1, %r9, 5;\nvote.all.pred %p2, %p1;\nvote.any.pred %p3, %p1;\nvote.uni.pred %p4, %p1;\nmov.u32 %r2, "
	    "0;\n"
	    "@%p2 add.u32 %r2, %r2, 1;\n@%p3 add.u32 %r2, %r2, 2;\n@%p4 add.u32 %r2, %r2, 4;\n",
	    v);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(v[i], 2);
}
