/* 255: barriers over the grid, locks and chains of CTAs: one that waits is put aside, up to as many as a GPU holds. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

#define FRAME                                                                                                                      \
	"ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, "         \
	"%nctaid.x;\nmul.wide.u32 %rd3, %r2, 4;\nadd.s64 %rd3, %rd3, %rd2;\n"

static struct ptx_try run(const char *body, uint32_t ctas, uint32_t threads, struct trace_writer *w)
{
	const uint32_t grid[3] = {ctas, 1, 1}, block[3] = {threads, 1, 1};
	struct ptx_try t;

	ptx_try_run(&t, "", body, grid, block, NULL, 0, w);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	return t;
}

/* What nvcc makes of grid.sync(): the first CTA adds 2^31 - (n - 1), others 1; the top bit turns when all are there. */
#define GRID_SYNC(n)                                                                                                               \
	"bar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra MET" n ";\nmov.u32 %r12, %envreg2;\ncvt.u64.u32 %rd5, %r12;\n"            \
	"mov.u32 %r12, %envreg1;\ncvt.u64.u32 %rd6, %r12;\nbfi.b64 %rd7, %rd6, %rd5, 32, 32;\n"                                    \
	"sub.u32 %r11, 0x80000001, %r3;\nsetp.eq.u32 %p1, %r2, 0;\nselp.b32 %r11, %r11, 1, %p1;\n"                                 \
	"atom.add.release.gpu.u32 %r10, [%rd7+4], %r11;\nWAIT" n ": ld.acquire.gpu.u32 %r11, [%rd7+4];\n"                          \
	"xor.b32 %r11, %r11, %r10;\nsetp.gt.s32 %p1, %r11, -1;\n@%p1 bra WAIT" n ";\nMET" n ": bar.sync 0;\n"

/* x[i] = i + 1; then twice x[i] += x[i + 1] over a ring of 40 CTAs of two warps, between barriers of the whole grid. */
Test(ptx_together, a_grid_meets_at_its_barriers)
{
	struct ptx_try t =
		run(FRAME
		    "add.u32 %r4, %r2, 1;\nrem.u32 %r5, %r4, %r3;\nmul.wide.u32 %rd4, %r5, 4;\nadd.s64 %rd4, %rd4, %rd2;\n"
		    "st.global.u32 [%rd3], %r4;\n" GRID_SYNC("1") "ld.global.u32 %r6, [%rd4];\nadd.u32 %r4, %r4, %r6;\n" GRID_SYNC(
			    "2") "st.global.u32 [%rd3], %r4;\n" GRID_SYNC("3") "ld.global.u32 %r6, [%rd4];\n"
									       "add.u32 %r4, %r4, %r6;\n" GRID_SYNC(
										       "4") "st.global.u32 [%rd3], %r4;\n",
		    40, 64, NULL);
	uint32_t x[40], y[40];

	for (uint32_t i = 0; i < 40; i++)
		x[i] = i + 1;
	for (int round = 0; round < 2; round++) {
		for (uint32_t i = 0; i < 40; i++)
			y[i] = x[i] + x[(i + 1) % 40];
		memcpy(x, y, sizeof x);
	}
	cr_assert_arr_eq(ptx_try_out(&t), x, sizeof x);
	ptx_try_free(&t);
}

/* CTA i waits until CTA i + 1 has stored: they end in descending order; the last one's sum is that of 1 to 100. */
static const char chain[] = FRAME "add.u32 %r4, %r2, 1;\nsetp.eq.u32 %p1, %r4, %r3;\nmov.u32 %r5, 0;\n@%p1 bra LAST;\n"
				  "WAIT: ld.volatile.global.u32 %r5, [%rd3+4];\nsetp.eq.u32 %p2, %r5, 0;\n@%p2 bra WAIT;\n"
				  "LAST: add.u32 %r5, %r5, %r4;\nst.volatile.global.u32 [%rd3], %r5;\n";

Test(ptx_together, a_chain_of_ctas_resolves_from_its_end)
{
	struct ptx_try t = run(chain, 100, 1, NULL);
	uint32_t sum = 0;

	for (uint32_t i = 100; i-- > 0;) {
		sum += i + 1;
		cr_assert_eq(ptx_try_out(&t)[i], sum);
	}
	ptx_try_free(&t);
}

/* Every thread of 50 CTAs takes the lock once, adds 1 without an atomic, and gives it back in a fence's shadow. The
 * lock is free whenever a CTA ends, but CTA 0 takes it first and keeps it until all other CTAs have asked for it. */
Test(ptx_together, a_lock_goes_from_cta_to_cta)
{
	struct ptx_try t =
		run(FRAME "setp.ne.u32 %p3, %r2, 0;\natom.global.add.u32 %r6, [%rd1+8], 1;\n"
			  "L: atom.global.cas.b32 %r4, [%rd1], 0, 1;\nsetp.ne.u32 %p1, %r4, 0;\n@%p1 bra L;\n@%p3 bra OWN;\n"
			  "ASKED: ld.volatile.global.u32 %r6, [%rd1+8];\nsetp.lt.u32 %p2, %r6, %r3;\n@%p2 bra ASKED;\n"
			  "OWN: ld.global.u32 %r5, [%rd1+4];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%rd1+4], %r5;\n"
			  "membar.gl;\natom.global.exch.b32 %r4, [%rd1], 0;\nst.global.u32 [%rd3], %r5;\n",
		    50, 1, NULL);

	cr_assert_eq(((uint32_t *)(void *)t.mem.buffer[1].bytes)[1], 50);
	cr_assert_eq(ptx_try_out(&t)[0], 1);
	ptx_try_free(&t);
}

/* The trace has each CTA whole and in its place, however they took turns. */
Test(ptx_together, the_trace_is_in_order)
{
	struct trace_cta cta = {0};
	struct err e;
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "chain"}, &e);
	struct ptx_try t = run(chain, 5, 1, w);
	struct trace *trace = trace_writer_finish(w, &e);
	uint64_t lane[32], insts = 0;

	for (uint32_t i = 0; i < 5; i++) {
		cr_assert_eq(trace_read_cta(trace, 0, i, &cta, &e), 0, "%s", e.text);
		cr_assert_eq(cta.id, i);
		trace_addr_expand(&cta, cta.warp[0].first_addr + cta.warp[0].n_addrs - 1, 1, lane);
		cr_assert_eq(lane[0], t.out + 4 * i); /* its own store is its last access */
		cr_assert_eq(cta.warp[0].n_addrs == 1, i == 4, "the last one alone reads nothing");
		insts += cta.warp[0].insts;
	}
	cr_assert_eq(insts, ptx_warp_insts(t.m));
	trace_cta_free(&cta);
	trace_close(trace);
	ptx_try_free(&t);
}

/* How many fit is the machine's: with one SM, 2 CTAs of 1024 threads. */
static int on_one_sm(uint32_t ctas)
{
	struct {
		uint64_t out, in;
		uint32_t n;
	} params = {0, 0, 0};
	struct ptx_launch l = {{ctas, 1, 1}, {1024, 1, 1}, 0, &params};
	struct ptx_try t;
	int rc;

	ptx_try_parse(&t, "",
		      FRAME "bar.sync 0;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra MEET;\natom.global.add.u32 %r4, [%rd2], 1;\n"
			    "WAIT: ld.volatile.global.u32 %r4, [%rd2];\nsetp.lt.u32 %p1, %r4, %r3;\n@%p1 bra WAIT;\n"
			    "MEET: bar.sync 0;\n");
	memory_add(&t.mem, "out", 4, &t.e);
	params.out = t.mem.buffer[0].base;
	ptx_set_sms(t.m, 1);
	rc = ptx_run(ptx_kernel_at(t.m, 0), &l, &t.mem, NULL, 0, &t.e);
	ptx_try_free(&t);
	return rc;
}

Test(ptx_together, as_many_as_the_machine_holds)
{
	cr_assert_eq(on_one_sm(2), 0);
	cr_assert_eq(on_one_sm(3), -1);
}
