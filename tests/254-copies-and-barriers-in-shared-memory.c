/* 254: cp.async and its groups, mbarrier. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

#define FRAME                                                                                                                      \
	"ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 16;\n"                 \
	"add.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n.shared .align 16 .b8 s[2048];\nmov.u32 %r2, s;\n"                  \
	"shl.b32 %r3, %r1, 4;\nadd.u32 %r2, %r2, %r3;\n"

static void fill(uint32_t in[512])
{
	for (uint32_t i = 0; i < 512; i++)
		in[i] = 0x01010101 * (i % 251 + 1);
}

/* Thread i copies 16 bytes; odd ones only the first i % 16 of them, the rest is zero. */
Test(ptx_copy, brings_bytes_to_shared_memory_and_zeroes_behind_them)
{
	uint32_t in[512], want[4];
	struct ptx_try t;

	fill(in);
	ptx_try_threads(&t,
			FRAME "and.b32 %r4, %r1, 15;\nand.b32 %r5, %r1, 1;\nsetp.eq.u32 %p1, %r5, 0;\nselp.u32 %r4, 16, %r4, %p1;\n"
			      "cp.async.cg.shared.global.L2::128B [%r2], [%rd1], 16, %r4;\ncp.async.commit_group;\n"
			      "cp.async.wait_group 0;\nbar.sync 0;\nld.shared.v4.u32 {%r6, %r7, %r8, %r9}, [%r2];\n"
			      "st.global.v4.u32 [%rd2], {%r6, %r7, %r8, %r9};\n",
			64, in, 256);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 64; i++) {
		memset(want, 0, sizeof want);
		memcpy(want, in + 4 * i, i % 2 ? i % 16 : 16);
		cr_assert_arr_eq(ptx_try_out(&t) + 4 * i, want, 16, "thread %u", i);
	}
	ptx_try_free(&t);
}

/* Beyond the end of `in` (16384 bytes): a copy of no bytes is none, one of some is an error. */
Test(ptx_copy, reads_no_more_than_it_is_told)
{
	struct ptx_try t;

	ptx_try_threads(&t, FRAME "cp.async.ca.shared.global [%r2], [%rd1+16384], 8, 0;\ncp.async.wait_all;\n", 1, NULL, 0);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	ptx_try_free(&t);
	ptx_try_threads(&t, FRAME "cp.async.ca.shared.global [%r2], [%rd1+16384], 8, 3;\n", 1, NULL, 0);
	cr_assert_eq(t.result, -1);
	cr_assert(strstr(t.e.text, "reads 3 bytes"), "%s", t.e.text);
	ptx_try_free(&t);
	ptx_try_threads(&t, FRAME "cp.async.ca.shared.global [%r2], [%rd1+16384], 4;\n", 1, NULL, 0);
	cr_assert_eq(t.result, -1);
	ptx_try_free(&t);
}

/* The trace has a load of 32 lanes and a store of 32 lanes; the wait reads the register by which the load is timed. */
Test(ptx_copy, is_traced_as_a_load_and_a_store)
{
	const uint32_t one[3] = {1, 1, 1}, block[3] = {32, 1, 1};
	struct trace_cta cta = {0};
	struct trace_writer *w;
	struct trace *trace;
	const struct trace_kernel *k;
	struct err e;
	struct ptx_try t;
	uint64_t lane[32];

	w = trace_writer_new(&(struct trace_options){.name = "copy"}, &e);
	ptx_try_run(&t, "", FRAME "cp.async.ca.shared.global [%r2], [%rd1], 8;\ncp.async.wait_all;\n", one, block, NULL, 0, w);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	trace = trace_writer_finish(w, &e);
	cr_assert_eq(trace_read_cta(trace, 0, 0, &cta, &e), 0);
	k = trace_kernel(trace, 0);
	cr_assert_eq(cta.warp[0].insts, 13); /* 9 before it, the copy's two, the wait, the end */
	cr_assert_eq(cta.warp[0].n_addrs, 2);
	trace_addr_expand(&cta, cta.warp[0].first_addr, UINT32_MAX, lane);
	cr_assert_eq(lane[31], t.in + 31 * 16);
	trace_addr_expand(&cta, cta.warp[0].first_addr + 1, UINT32_MAX, lane);
	cr_assert_eq(lane[31], 31 * 16);
	cr_assert_eq(k->inst[9].op, OP_LOAD);
	cr_assert_eq(k->inst[9].width, 8);
	cr_assert_eq(k->inst[9].ndst, 1);
	cr_assert_eq(k->inst[10].nsrc, 1);
	cr_assert_eq(k->inst[10].reg[0], k->inst[9].reg[0]);
	cr_assert_eq(k->inst[12].op, OP_STORE);
	cr_assert_eq(k->inst[12].space, SPACE_SHARED);
	trace_cta_free(&cta);
	trace_close(trace);
	ptx_try_free(&t);
}

/* Warps 0 to 2 arrive, once a thread; warp 3 waits for the 96 by the phase's parity, then reads what they stored. */
Test(ptx_mbarrier, a_warp_waits_for_the_arrivals_of_others)
{
	struct ptx_try t;

	ptx_try_threads(&t,
			FRAME ".shared .align 8 .b8 bar[8];\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra MADE;\n"
			      "mbarrier.init.shared.b64 [bar], 96;\nMADE: bar.sync 0;\nsetp.ge.u32 %p1, %r1, 96;\n@%p1 bra WAIT;\n"
			      "add.u32 %r4, %r1, 1000;\nst.shared.u32 [%r2], %r4;\nmbarrier.arrive.shared.b64 %rd4, [bar];\n"
			      "mbarrier.pending_count.b64 %r5, %rd4;\nst.global.u32 [%rd2], %r5;\nexit;\n"
			      "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0;\n@!%p2 bra WAIT;\n"
			      "ld.shared.u32 %r4, [%r2+-1536];\nst.global.u32 [%rd2], %r4;\n",
			128, NULL, 0);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 96; i++)
		cr_assert_eq(ptx_try_out(&t)[4 * i], 96 - i);
	for (uint32_t i = 96; i < 128; i++)
		cr_assert_eq(ptx_try_out(&t)[4 * i], 1000 + i - 96);
	ptx_try_free(&t);
}

/* By the state that an arrival gave; two phases, after the first of which one thread drops out. */
Test(ptx_mbarrier, phases_follow_one_another)
{
	struct ptx_try t;

	ptx_try_threads(&t,
			FRAME ".shared .align 8 .b8 bar[8];\nmbarrier.init.shared.b64 [bar], 3;\n"
			      "mbarrier.arrive.shared.b64 %rd4, [bar], 2;\nmbarrier.test_wait.shared.b64 %p1, [bar], %rd4;\n"
			      "selp.u32 %r5, 1, 0, %p1;\nmbarrier.arrive_drop.shared.b64 %rd5, [bar];\n"
			      "mbarrier.test_wait.shared.b64 %p1, [bar], %rd4;\nselp.u32 %r6, 1, 0, %p1;\n"
			      "mbarrier.arrive.shared.b64 %rd5, [bar], 2;\nmbarrier.test_wait.parity.shared.b64 %p1, [bar], 1;\n"
			      "selp.u32 %r7, 1, 0, %p1;\nmbarrier.test_wait.parity.shared.b64 %p1, [bar], 0;\n"
			      "selp.u32 %r8, 1, 0, %p1;\nst.global.v4.u32 [%rd2], {%r5, %r6, %r7, %r8};\n",
			1, NULL, 0);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	cr_assert_arr_eq(ptx_try_out(&t), ((uint32_t[]){0, 1, 1, 0}), 16);
	ptx_try_free(&t);
}

Test(ptx_mbarrier, too_many_arrivals_end_the_run)
{
	struct ptx_try t;

	ptx_try_threads(&t,
			FRAME ".shared .align 8 .b8 bar[8];\nmbarrier.init.shared.b64 [bar], 3;\n"
			      "mbarrier.arrive.shared.b64 _, [bar], 4;\n",
			1, NULL, 0);
	cr_assert_eq(t.result, -1);
	cr_assert(strstr(t.e.text, "4 arrivals at a barrier that lacks 3"), "%s", t.e.text);
	ptx_try_free(&t);
}
