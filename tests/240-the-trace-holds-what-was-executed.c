/* What the executor hands to the trace: static instructions, runs, addresses. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

struct traced {
	struct ptx_try t;
	struct trace *tr;
	struct trace_cta c;
};

static void record(struct traced *r, const char *head, const char *body, uint32_t threads)
{
	static const struct trace_options options = {.name = "test"};
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {threads, 1, 1};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&options, &e);

	memset(r, 0, sizeof *r);
	ptx_try_run(&r->t, head, body, grid, block, NULL, 0, w);
	cr_assert_eq(r->t.result, 0, "%s", r->t.e.text);
	r->tr = trace_writer_finish(w, &e);
	cr_assert_not_null(r->tr, "%s", e.text);
	cr_assert_eq(trace_read_cta(r->tr, 0, 0, &r->c, &e), 0, "%s", e.text);
}

static void done(struct traced *r)
{
	trace_cta_free(&r->c);
	trace_close(r->tr);
	ptx_try_free(&r->t);
}

static const struct trace_inst *inst(const struct traced *r, uint32_t pc)
{
	return &trace_kernel(r->tr, 0)->inst[pc];
}

static void expect(const struct traced *r, uint32_t pc, const char *name, enum trace_op op, enum trace_space space, unsigned width,
		   unsigned flags, unsigned ndst, unsigned nsrc)
{
	const struct trace_kernel *k = trace_kernel(r->tr, 0);
	const struct trace_inst *i = inst(r, pc);

	cr_assert_str_eq(k->names[i->name], name);
	cr_assert_eq(i->op, op, "%s: class %u, want %u", name, i->op, op);
	cr_assert(i->space == space && i->width == width && i->flags == flags, "%s: space %u width %u flags %u", name, i->space,
		  i->width, i->flags);
	cr_assert(i->ndst == ndst && i->nsrc == nsrc, "%s: %u destinations, %u sources", name, i->ndst, i->nsrc);
	cr_assert_eq(i->line, 13 + pc, "%s: line %u", name, i->line);
}

Test(ptx_trace, static_instructions_name_class_space_registers_and_line)
{
	struct traced r;

	record(&r, ".const .u32 c = 5;",
	       "ld.param.u64 %rd1, [in];\n"
	       "mov.u32 %r1, %tid.x;\n"
	       "mad.lo.s32 %r2, %r1, %r1, 3;\n"
	       "setp.eq.s32 %p1, %r1, 99;\n"
	       "@%p1 ld.global.nc.v2.f32 {%f1, %f2}, [%rd1];\n"
	       "ld.volatile.global.u8 %h1, [%rd1+3];\n"
	       "fma.rn.f32 %f3, %f1, %f2, %f1;\n"
	       "sqrt.rn.f64 %fd1, %fd2;\n"
	       "ex2.approx.f32 %f1, %f1;\n"
	       "atom.global.add.u32 %r3, [%rd1], %r2;\n"
	       "ld.const.u32 %r4, [c];\n"
	       "membar.gl;\n"
	       "bar.sync 0;\n"
	       "cvt.rn.f32.s32 %f1, %r1;\n"
	       "div.s32 %r1, %r1, 3;\n"
	       "@!%p1 bra DONE;\n"
	       "DONE: ret;\n",
	       32);
	cr_assert_eq(trace_kernel(r.tr, 0)->n_inst, 17);
	expect(&r, 0, "ld.param.u64", OP_LOAD, SPACE_PARAM, 8, 0, 1, 0);
	expect(&r, 1, "mov.u32", OP_INT_ADD, SPACE_NONE, 0, 0, 1, 0);
	expect(&r, 2, "mad.lo.s32", OP_INT_MAD, SPACE_NONE, 0, 0, 1, 2);
	expect(&r, 3, "setp.eq.s32", OP_INT_ADD, SPACE_NONE, 0, 0, 1, 1);
	expect(&r, 4, "ld.global.nc.v2.f32", OP_LOAD, SPACE_GLOBAL, 8, TRACE_NC | TRACE_PREDICATED, 2, 2);
	expect(&r, 5, "ld.volatile.global.u8", OP_LOAD, SPACE_GLOBAL, 1, TRACE_VOLATILE, 1, 1);
	expect(&r, 6, "fma.rn.f32", OP_FP32_MAD, SPACE_NONE, 0, 0, 1, 3);
	expect(&r, 7, "sqrt.rn.f64", OP_FP64_DIV, SPACE_NONE, 0, 0, 1, 1);
	expect(&r, 8, "ex2.approx.f32", OP_SFU, SPACE_NONE, 0, 0, 1, 1);
	expect(&r, 9, "atom.global.add.u32", OP_ATOM, SPACE_GLOBAL, 4, 0, 1, 2);
	expect(&r, 10, "ld.const.u32", OP_LOAD, SPACE_CONST, 4, 0, 1, 0);
	expect(&r, 11, "membar.gl", OP_MEMBAR, SPACE_NONE, 0, 0, 0, 0);
	expect(&r, 12, "bar.sync", OP_BARRIER, SPACE_NONE, 0, 0, 0, 0);
	expect(&r, 13, "cvt.rn.f32.s32", OP_FP32_ADD, SPACE_NONE, 0, 0, 1, 1);
	expect(&r, 14, "div.s32", OP_INT_DIV, SPACE_NONE, 0, 0, 1, 1);
	expect(&r, 15, "bra", OP_BRANCH, SPACE_NONE, 0, TRACE_PREDICATED, 0, 1);
	expect(&r, 16, "ret", OP_EXIT, SPACE_NONE, 0, 0, 0, 0);
	/* a register has one number wherever it is: %rd1 is written by 0 and read by 4, 5 and 9; %r1 likewise */
	cr_assert_eq(inst(&r, 0)->reg[0], inst(&r, 5)->reg[1]);
	cr_assert_eq(inst(&r, 0)->reg[0], inst(&r, 9)->reg[1]);
	cr_assert_eq(inst(&r, 1)->reg[0], inst(&r, 3)->reg[1]);
	cr_assert_neq(inst(&r, 0)->reg[0], inst(&r, 1)->reg[0]);
	for (uint32_t pc = 0; pc < 17; pc++)
		for (int k = 0; k < inst(&r, pc)->ndst + inst(&r, pc)->nsrc; k++)
			cr_assert_lt(inst(&r, pc)->reg[k], trace_kernel(r.tr, 0)->n_regs);
	done(&r);
}

Test(ptx_trace, addresses_are_those_of_the_active_lanes)
{
	struct traced r;
	uint64_t a[32];
	uint64_t in;
	uint32_t first;

	/* parameters have no records; local and shared addresses are offsets; the guard of the last load holds for
	 * lanes 3 and 5 */
	record(&r, "",
	       ".shared .align 8 .b8 pad[16];\n.shared .align 4 .b8 tile[256];\n.local .align 8 .b8 before[8];\n.local .align 4 "
	       ".b8 d[64];\n"
	       "ld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd2, %r1, 8;\nadd.s64 %rd2, %rd1, %rd2;\n"
	       "ld.global.u32 %r2, [%rd2+16];\nst.shared.u8 [pad+5], 1;\nst.shared.u32 [tile+4], %r2;\n"
	       "st.local.u32 [before], %r2;\nst.local.u32 [d+12], %r2;\n"
	       "setp.eq.u32 %p1, %r1, 3;\nsetp.eq.or.u32 %p1, %r1, 5, %p1;\n@%p1 ld.global.f32 %f1, [%rd2];\n",
	       32);
	in = r.t.in;
	cr_assert_eq(r.c.warp[0].n_addrs, 6);
	first = r.c.warp[0].first_addr;
	trace_addr_expand(&r.c, first, UINT32_MAX, a);
	for (unsigned l = 0; l < 32; l++)
		cr_assert_eq(a[l], in + 16 + 8 * l);
	trace_addr_expand(&r.c, first + 1, UINT32_MAX, a);
	cr_assert(a[0] == 5 && a[31] == 5);
	trace_addr_expand(&r.c, first + 2, UINT32_MAX, a);
	cr_assert(a[0] == 20 && a[31] == 20, "%llu", (unsigned long long)a[0]);
	trace_addr_expand(&r.c, first + 3, UINT32_MAX, a);
	cr_assert(a[0] == 0 && a[31] == 0);
	trace_addr_expand(&r.c, first + 4, UINT32_MAX, a);
	cr_assert(a[0] == 20 && a[31] == 20);
	trace_addr_expand(&r.c, first + 5, 1u << 3 | 1u << 5, a);
	cr_assert(a[3] == in + 24 && a[5] == in + 40);
	done(&r);
}

/* A generic load at pc 11 of which lane 0 reads local, lane 1 shared and the others global memory: three runs, each of
 * an instruction of its own space; the two that are not in the text are the kernel's last. */
Test(ptx_trace, a_generic_access_is_traced_as_what_it_was)
{
	struct traced r;
	uint64_t a[32];
	const struct trace_run *run;
	const struct trace_kernel *k;

	record(&r, "",
	       ".shared .align 8 .b8 tile[16];\n.local .align 8 .b8 d[8];\n"
	       "ld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\nmov.u64 %rd2, d;\ncvta.local.u64 %rd2, %rd2;\n"
	       "mov.u64 %rd3, tile;\ncvta.shared.u64 %rd3, %rd3;\nsetp.eq.u32 %p1, %r1, 0;\nsetp.eq.u32 %p2, %r1, 1;\n"
	       "selp.b64 %rd4, %rd2, %rd1, %p1;\nselp.b64 %rd4, %rd3, %rd4, %p2;\nadd.s64 %rd4, %rd4, 4;\nld.u32 %r2, "
	       "[%rd4];\nret;\n",
	       8);
	k = trace_kernel(r.tr, 0);
	run = r.c.runs + r.c.warp[0].first_run;
	cr_assert_eq(k->n_inst, 15);
	cr_assert(k->inst[11].space == SPACE_GLOBAL && k->inst[13].space == SPACE_SHARED && k->inst[14].space == SPACE_LOCAL);
	cr_assert_eq(k->inst[13].line, k->inst[11].line);
	cr_assert_eq(r.c.warp[0].n_runs, 5);
	cr_assert(run[0].pc == 0 && run[0].len == 11 && run[0].mask == 0xff);
	cr_assert(run[1].pc == 11 && run[1].len == 1 && run[1].mask == 0xfc);
	cr_assert(run[2].pc == 13 && run[2].len == 1 && run[2].mask == 2);
	cr_assert(run[3].pc == 14 && run[3].len == 1 && run[3].mask == 1);
	cr_assert(run[4].pc == 12 && run[4].len == 1 && run[4].mask == 0xff);
	cr_assert_eq(r.c.warp[0].n_addrs, 3);
	trace_addr_expand(&r.c, r.c.warp[0].first_addr, 0xfc, a);
	cr_assert(a[2] == r.t.in + 4 && a[7] == r.t.in + 4);
	trace_addr_expand(&r.c, r.c.warp[0].first_addr + 1, 2, a);
	cr_assert_eq(a[1], 4);
	trace_addr_expand(&r.c, r.c.warp[0].first_addr + 2, 1, a);
	cr_assert_eq(a[0], 4);
	done(&r);
}

Test(ptx_trace, a_kernels_needs_are_counted)
{
	struct traced r;
	const struct trace_kernel *k;

	/* The parameters are constants, which the last store needs in two pairs of registers: 4. One for the
	 * stack, five that an assembler leaves unused; the predicate is none. */
	record(&r, "",
	       ".shared .align 4 .b8 tile[100];\n.local .align 8 .b8 d[20];\nld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"
	       "mov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 40;\nst.shared.u32 [tile], 1;\nst.local.u32 [d], 1;\n"
	       "@%p1 st.global.u32 [%rd1], %r1;\nst.global.u64 [%rd2], %rd1;\n",
	       32);
	k = trace_kernel(r.tr, 0);
	cr_assert_str_eq(k->name, "k");
	cr_assert_eq(k->regs_per_thread, 10, "%u registers", k->regs_per_thread);
	cr_assert_eq(k->n_regs, 4);
	cr_assert_eq(k->shared_bytes, 112); /* rounded up to 16, where dynamic arrays would begin */
	cr_assert_eq(k->local_bytes, 24);   /* rounded up to 8 */
	done(&r);
}
