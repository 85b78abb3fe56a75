/* 256: --oob=warn and zero: what is outside reads 0 and takes no store, and the trace has the nearest place inside. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"
#include "support/ptx.h"

/* Each of 32 threads reads from 8 bytes before `in`, or where the program says, adds 1 and stores to out. */
static struct ptx_try run(const char *body, enum ptx_oob oob, struct trace_writer *w)
{
	struct {
		uint64_t out, in;
		uint32_t n;
	} params = {0, 0, 0};
	struct ptx_launch l = {{1, 1, 1}, {32, 1, 1}, 0, &params};
	struct ptx_try t;
	char text[2048];
	uint32_t kernel = 0;

	snprintf(text, sizeof text,
		 "ld.param.u64 %%rd1, [in];\nld.param.u64 %%rd2, [out];\nmov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%rd3, %%r1, 4;\n"
		 "add.s64 %%rd1, %%rd1, %%rd3;\nadd.s64 %%rd2, %%rd2, %%rd3;\ncvt.u32.u64 %%r3, %%rd3;\n%s",
		 body);
	ptx_try_parse(&t, "", text);
	cr_assert(t.m, "%s", t.e.text);
	params.out = memory_add(&t.mem, "out", 128, &t.e) < 0 ? 0 : t.mem.buffer[0].base;
	params.in = memory_add(&t.mem, "in", 64, &t.e) < 0 ? 0 : t.mem.buffer[1].base;
	t.in = params.in;
	for (uint32_t i = 0; i < 16; i++)
		((uint32_t *)(void *)t.mem.buffer[1].bytes)[i] = 100 + i;
	if (w) {
		kernel = trace_add_kernel(w, ptx_trace_kernel(ptx_kernel_at(t.m, 0)));
		trace_add_buffer(w, "out", params.out, 128, &t.e);
		trace_add_buffer(w, "in", params.in, 64, &t.e);
	}
	ptx_set_oob(t.m, oob);
	t.result = ptx_run(ptx_kernel_at(t.m, 0), &l, &t.mem, w, kernel, &t.e);
	return t;
}

#define READ "ld.global.u32 %r2, [%rd1+-8];\nadd.u32 %r2, %r2, 1;\nst.global.u32 [%rd2], %r2;\n"

/* in has 16 words: threads 2 to 17 read them. */
Test(ptx_oob, reads_outside_give_zero)
{
	struct ptx_try t = run(READ, PTX_OOB_ZERO, NULL);

	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(ptx_try_out(&t)[i], i < 2 || i >= 18 ? 1 : 99 + i);
	ptx_try_free(&t);
	t = run(READ, PTX_OOB_STOP, NULL);
	cr_assert_eq(t.result, -1);
	ptx_try_free(&t);
}

Test(ptx_oob, stores_and_atomics_outside_are_lost)
{
	struct ptx_try t = run("st.global.u32 [%rd1+4], %r1;\natom.global.add.u32 %r2, [%rd1+4], 5;\nst.global.u32 [%rd2], %r2;\n",
			       PTX_OOB_ZERO, NULL);
	const uint32_t *in = (const uint32_t *)(void *)t.mem.buffer[1].bytes;

	cr_assert_eq(t.result, 0, "%s", t.e.text);
	cr_assert_eq(in[0], 100);
	for (uint32_t i = 1; i < 16; i++)
		cr_assert_eq(in[i], i - 1 + 5);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(ptx_try_out(&t)[i], i < 15 ? i : 0);
	ptx_try_free(&t);
}

/* 16 words of shared memory, by 32 threads. */
Test(ptx_oob, holds_for_shared_memory_too)
{
	struct ptx_try t = run(".shared .align 4 .b8 s[64];\nmov.u32 %r4, s;\nadd.u32 %r4, %r4, %r3;\nst.shared.u32 [%r4], 7;\n"
			       "ld.shared.u32 %r2, [%r4];\nst.global.u32 [%rd2], %r2;\n",
			       PTX_OOB_ZERO, NULL);

	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(ptx_try_out(&t)[i], i < 16 ? 7 : 0);
	ptx_try_free(&t);
}

Test(ptx_oob, misaligned_accesses_end_the_run_always)
{
	struct ptx_try t = run("ld.global.u32 %r2, [%rd1+1];\n", PTX_OOB_ZERO, NULL);

	cr_assert_eq(t.result, -1);
	cr_assert(strstr(t.e.text, "misaligned"), "%s", t.e.text);
	ptx_try_free(&t);
}

/* Before `in` is `out`, whose last word is nearest; behind it nothing but its own last word. */
Test(ptx_oob, the_trace_has_the_nearest_place_inside)
{
	struct trace_cta cta = {0};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "oob"}, &e);
	struct ptx_try t = run(READ, PTX_OOB_ZERO, w);
	struct trace *trace = trace_writer_finish(w, &e);
	uint64_t lane[32];

	cr_assert_eq(t.result, 0, "%s", t.e.text);
	cr_assert_eq(trace_read_cta(trace, 0, 0, &cta, &e), 0, "%s", e.text);
	trace_addr_expand(&cta, cta.warp[0].first_addr, UINT32_MAX, lane);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(lane[i], i < 2 ? t.mem.buffer[0].base + 124 : i < 18 ? t.in + 4 * (i - 2) : t.in + 60);
	trace_cta_free(&cta);
	trace_close(trace);
	ptx_try_free(&t);
}

/* --oob=warn says it once an instruction and launch; two launches of two instructions that go outside. */
Test(ptx_oob, the_command_line_says_what_is_done)
{
	struct program p;

	program_file("oob.ptx",
		     ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 a)\n{\n.reg .b64 %a;\n"
		     ".reg .b32 %v;\nld.param.u64 %a, [a];\nld.global.u32 %v, [%a+8];\nst.global.u32 [%a+8], %v;\n"
		     "st.global.u32 [%a], %v;\nret;\n}\n");
	program_file("oob.yaml", "ptx: oob.ptx\nbuffers:\n  a: {count: 2, type: u32}\nlaunches:\n"
				 "  - {kernel: k, grid: 3, block: 32, args: [a]}\n  - {kernel: k, grid: 1, block: 1, args: [a]}\n");
	p = program_run("locus run --oob=warn %s/oob.yaml", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.err, "oob.ptx:9: kernel k, ld.global.u32, CTA 0 (0,0,0), thread 0 (0,0,0): reads 4 bytes"), "%s", p.err);
	cr_assert(strstr(p.err, "oob.ptx:10:"), "%s", p.err);
	unsigned lines = 0;
	for (const char *c = p.err; (c = strchr(c, '\n')); c++)
		lines++;
	cr_assert_eq(lines, 4, "%s", p.err);
	program_free(&p);
	p = program_run("locus run --oob=zero %s/oob.yaml", program_tmp());
	cr_assert(p.status == 0 && !*p.err, "%s", p.err);
	program_free(&p);
	p = program_run("locus run %s/oob.yaml", program_tmp());
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
	p = program_run("locus run --oob=never %s/oob.yaml", program_tmp());
	cr_assert_eq(p.status, 2);
	cr_assert(strstr(p.err, "--oob=never: must be stop, warn or zero"), "%s", p.err);
	program_free(&p);
}
