/* 221: instructions that an assembler leaves of PTX, counted by hand in the instructions of NVIDIA's machine code
 * (CUDA Binary Utilities), which stand beside each kernel. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "support/program.h"
#include "trace/folds.h"

#define HEAD ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u32 n)"
#define REGS "{\n.reg .pred %p<4>;\n.reg .b32 %r<30>;\n.reg .f32 %f<30>;\n.reg .b64 %rd<30>;\n"

static struct ptx_module *parse(const char *body)
{
	char text[8192];
	struct err e = {0};
	struct ptx_module *m;

	snprintf(text, sizeof text, "%s\n%s%sret;\n}\n", HEAD, REGS, body);
	m = ptx_parse(text, strlen(text), "k.ptx", &e);
	cr_assert(m, "%s", e.text);
	return m;
}

/* `left` with the EXIT. */
static void expect(const char *body, uint32_t left)
{
	struct ptx_module *m = parse(body);
	uint32_t n = trace_folds_left(ptx_trace_kernel(ptx_kernel_at(m, 0)));

	cr_expect_eq(n, left, "%u instructions are left, expected %u, of:\n%s", n, left, body);
	ptx_close(m);
}

/* Instruction i of what is left. */
static struct trace_inst left_at(const struct ptx_module *m, uint32_t i)
{
	const struct trace_kernel *k = ptx_trace_kernel(ptx_kernel_at(m, 0));
	uint32_t at = 0;

	for (;; at++)
		if (!trace_is_folded(&k->folds[at]) && i-- == 0)
			return k->folds[at];
}

#define LOADS                                                                                                                      \
	"ld.param.u64 %rd1, [in];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"             \
	"add.s64 %rd4, %rd2, %rd3;\nld.global.u32 %r2, [%rd4];\nld.global.u32 %r3, [%rd4+4];\nld.global.f32 %f1, [%rd4+8];\n"      \
	"ld.global.f32 %f2, [%rd4+12];\n"
/* S2R; IMAD.WIDE R2, R0, 4, c[in]; two LDG: what follows reads the integers or the floats, and loads of the others are
 * not there. */
enum { N_LOADS = 4 };

Test(folds, parameters_copies_and_offsets_are_operands)
{
	/* S2R; IMAD.WIDE R2, R0, 4, c[in]; STG [R2+8], R0; EXIT */
	expect("ld.param.u64 %rd1, [in];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"
	       "add.s64 %rd4, %rd2, %rd3;\nadd.s64 %rd5, %rd4, 8;\nmov.u32 %r2, %r1;\nst.global.u32 [%rd5], %r2;\n",
	       4);
}

Test(folds, a_parameter_that_is_an_address_or_is_stored_is_moved_into_a_register)
{
	/* MOV R2, c[in]; MOV R0, c[n]; STG [R2], R0; EXIT */
	expect("ld.param.u64 %rd1, [in];\nld.param.u32 %r1, [n];\nst.global.u32 [%rd1], %r1;\n", 4);
}

Test(folds, what_nobody_reads_is_not_there)
{
	/* EXIT */
	expect("mov.u32 %r1, %tid.x;\nadd.s32 %r2, %r1, 5;\nmul.lo.s32 %r3, %r2, %r2;\n", 1);
}

Test(folds, a_product_and_its_sum_are_one)
{
	/* IMAD, STG */
	expect(LOADS "mul.lo.s32 %r4, %r2, %r3;\nadd.s32 %r5, %r4, %r2;\nst.global.u32 [%rd4], %r5;\n", N_LOADS + 3);
	/* IMUL, IADD, STG: the product is stored too */
	expect(LOADS
	       "mul.lo.s32 %r4, %r2, %r3;\nadd.s32 %r5, %r4, %r2;\nst.global.u32 [%rd4], %r5;\nst.global.u32 [%rd4+4], %r4;\n",
	       N_LOADS + 5);
	/* FFMA, STG */
	expect(LOADS "mul.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f1;\nst.global.f32 [%rd4], %f4;\n", N_LOADS + 3);
	/* FMUL, FADD, STG: rounded between them */
	expect(LOADS "mul.rn.f32 %f3, %f1, %f2;\nadd.rn.f32 %f4, %f3, %f1;\nst.global.f32 [%rd4], %f4;\n", N_LOADS + 4);
}

Test(folds, a_merged_instruction_has_the_class_and_the_registers_of_both)
{
	struct ptx_module *m = parse(LOADS "mul.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f1;\nst.global.f32 [%rd4], %f4;\n");
	struct trace_inst a = left_at(m, N_LOADS - 2), b = left_at(m, N_LOADS - 1), ffma = left_at(m, N_LOADS);

	cr_assert_eq(ffma.op, OP_FP32_MAD);
	cr_assert_eq(ffma.nsrc, 3);
	cr_assert_eq(ffma.reg[1], a.reg[0]);
	cr_assert_eq(ffma.reg[2], b.reg[0]);
	cr_assert_eq(ffma.reg[3], a.reg[0]);
	ptx_close(m);
}

Test(folds, three_inputs_go_into_one_instruction_and_four_do_not)
{
	/* IADD3, STG */
	expect(LOADS "add.s32 %r4, %r2, %r3;\nadd.s32 %r5, %r4, 7;\nst.global.u32 [%rd4], %r5;\n", N_LOADS + 3);
	/* IADD3, IADD, STG */
	expect(LOADS "add.s32 %r4, %r2, %r3;\nadd.s32 %r5, %r4, %r1;\nadd.s32 %r6, %r5, 7;\nst.global.u32 [%rd4], %r6;\n",
	       N_LOADS + 4);
	/* LOP3, STG */
	expect(LOADS "and.b32 %r4, %r2, %r3;\nxor.b32 %r5, %r4, 255;\nst.global.u32 [%rd4], %r5;\n", N_LOADS + 3);
	/* LEA, STG */
	expect(LOADS "shl.b32 %r4, %r2, 3;\nadd.s32 %r5, %r4, %r3;\nst.global.u32 [%rd4], %r5;\n", N_LOADS + 3);
}

Test(folds, signs_of_floats_are_modifiers)
{
	/* FMUL R, |R1|, -R2; STG */
	expect(LOADS "abs.f32 %f3, %f1;\nneg.f32 %f4, %f2;\nmul.f32 %f5, %f3, %f4;\nst.global.f32 [%rd4], %f5;\n", N_LOADS + 3);
}

Test(folds, comparisons_are_joined)
{
	/* ISETP; ISETP.AND; @P STG */
	expect(LOADS "setp.lt.s32 %p1, %r2, 5;\nsetp.gt.s32 %p2, %r3, 7;\nand.pred %p3, %p1, %p2;\n"
		     "@%p3 st.global.u32 [%rd4], %r1;\n",
	       N_LOADS + 4);
}

/* MOV R1, 0; then in the loop IADD, ISETP, BRA: the copy at its end is the addition's own register. Behind it STG. */
Test(folds, a_loop_variable_is_computed_in_place)
{
	expect("ld.param.u64 %rd1, [in];\nmov.u32 %r9, %tid.x;\nmul.wide.u32 %rd3, %r9, 4;\nadd.s64 %rd4, %rd1, %rd3;\n"
	       "mov.u32 %r1, 0;\nL:\nadd.s32 %r2, %r1, 3;\nsetp.lt.s32 %p1, %r2, 100;\nmov.u32 %r1, %r2;\n@%p1 bra L;\n"
	       "st.global.u32 [%rd4], %r1;\n",
	       2 + 1 + 3 + 2);
}

/* ISETP; @P IADD; STG; EXIT. */
Test(folds, a_short_block_is_predicated)
{
	struct ptx_module *m = parse(LOADS "setp.lt.s32 %p1, %r2, 5;\n@%p1 bra L;\nadd.s32 %r3, %r3, 1;\nL:\n"
					   "st.global.u32 [%rd4], %r3;\n");
	struct trace_inst add = left_at(m, N_LOADS + 1);

	cr_assert_eq(trace_folds_left(ptx_trace_kernel(ptx_kernel_at(m, 0))), N_LOADS + 4);
	cr_assert_eq(add.op, OP_INT_ADD);
	cr_assert(add.flags & TRACE_PREDICATED);
	cr_assert_eq(add.nsrc, 2);
	ptx_close(m);
	/* with a barrier in it the branch stays: ISETP; BRA; BAR; STG; EXIT */
	expect(LOADS "setp.lt.s32 %p1, %r2, 5;\n@%p1 bra L;\nbar.sync 0;\nL:\nst.global.u32 [%rd4], %r3;\n", N_LOADS + 5);
}

/* ---- in a trace ---- */

static struct trace *recorded(const struct trace_kernel *k, bool folds, const char *path)
{
	const struct trace_options o = {.name = "t", .path = path};
	const uint32_t one[3] = {1, 1, 1}, warp[3] = {TRACE_WARP_SIZE, 1, 1};
	struct trace_kernel own = *k;
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);

	cr_assert(w, "%s", e.text);
	own.lines = NULL;
	if (!folds)
		own.folds = NULL;
	trace_add_kernel(w, &own);
	cr_assert_eq(trace_launch_begin(w, 0, one, warp, 0, &e), 0);
	trace_cta_begin(w, 0);
	trace_put_run(w, 0, k->n_inst - 1, 1, UINT32_MAX);
	cr_assert_eq(trace_cta_end(w, &e), 0);
	cr_assert_eq(trace_launch_end(w, &e), 0);
	return trace_writer_finish(w, &e);
}

/* A file keeps it, and the hash does not know of it. */
Test(folds, are_kept_beside_what_a_trace_says)
{
	struct ptx_module *m = parse(LOADS "mul.f32 %f3, %f1, %f2;\nadd.f32 %f4, %f3, %f1;\nst.global.f32 [%rd4], %f4;\n");
	const struct trace_kernel *k = ptx_trace_kernel(ptx_kernel_at(m, 0)), *back;
	struct trace *with, *without, *read;
	struct err e = {""};
	char path[512];

	snprintf(path, sizeof path, "%s/t.ltrace", program_tmp());
	with = recorded(k, true, path);
	without = recorded(k, false, NULL);
	read = trace_open(path, &e);
	cr_assert(read, "%s", e.text);
	cr_assert_eq(trace_hash(with), trace_hash(without));
	cr_assert_eq(trace_hash(read), trace_hash(without));
	cr_assert_null(trace_kernel(without, 0)->folds);
	back = trace_kernel(read, 0);
	cr_assert_not_null(back->folds);
	for (uint32_t i = 0; i < k->n_inst; i++) {
		const struct trace_inst *a = &k->folds[i], *b = &back->folds[i];

		cr_assert_eq(a->op, b->op);
		cr_assert_eq(a->flags, b->flags);
		cr_assert_eq(a->space, b->space);
		cr_assert_eq(a->ndst, b->ndst);
		cr_assert_eq(a->nsrc, b->nsrc);
		cr_assert_arr_eq(a->reg, b->reg, (a->ndst + a->nsrc) * sizeof a->reg[0]);
	}
	trace_close(read);
	trace_close(with);
	trace_close(without);
	ptx_close(m);
}

/* A store that vanishes would take its addresses with it; nor may an instruction become another kind. */
Test(folds, that_cannot_be_are_refused)
{
	struct ptx_module *m = parse(LOADS "st.global.u32 [%rd4], %r2;\n");
	struct trace_kernel k = *ptx_trace_kernel(ptx_kernel_at(m, 0));
	struct trace_inst folds[32];
	uint32_t store = k.n_inst - 2;

	cr_assert_eq(k.inst[store].op, OP_STORE);
	memcpy(folds, k.folds, k.n_inst * sizeof *folds);
	k.folds = folds;
	cr_assert_null(trace_check_fold(&k, store));
	folds[store].flags |= TRACE_FOLDED;
	cr_assert_not_null(trace_check_fold(&k, store));
	folds[store] = k.inst[store];
	folds[store].space = SPACE_SHARED;
	cr_assert_not_null(trace_check_fold(&k, store));
	folds[store] = k.inst[store];
	folds[store].reg[0] = (uint16_t)k.n_regs;
	cr_assert_not_null(trace_check_fold(&k, store));
	folds[store] = k.inst[store];
	folds[store].op = OP_LOAD;
	cr_assert_not_null(trace_check_fold(&k, store));
	ptx_close(m);
}

/* Loads of shared memory alone may be wider, of 8 or 16 bytes. */
Test(folds, of_no_or_of_other_wide_loads_are_refused)
{
	struct ptx_module *m = parse(LOADS "ld.shared.u32 %r4, [%r3];\nadd.u32 %r5, %r4, %r2;\n"
					   "st.global.u32 [%rd4], %r5;\n");
	struct trace_kernel k = *ptx_trace_kernel(ptx_kernel_at(m, 0));
	struct trace_inst folds[32];

	memcpy(folds, k.folds, k.n_inst * sizeof *folds);
	k.folds = folds;
	for (uint32_t i = 0; i < k.n_inst; i++) {
		bool is_shared = k.inst[i].space == SPACE_SHARED;

		if (k.inst[i].op != OP_LOAD || k.inst[i].space == SPACE_PARAM)
			continue;
		for (uint8_t width = 0; width <= 32; width++) {
			const char *bad;

			folds[i] = k.inst[i];
			folds[i].width = width;
			bad = trace_check_fold(&k, i);
			if (width == 4 || (is_shared && (width == 8 || width == 16)))
				cr_expect_null(bad, "%u bytes at %u: %s", width, i, bad);
			else
				cr_expect_not_null(bad, "%u bytes at %u", width, i);
		}
		folds[i] = k.inst[i];
	}
	ptx_close(m);
}

/* What ptxas 13 makes of each for sm_80: bytes of the loads of shared memory that are left, in order.
 * f30 is their sum. */
#define SUM(f)	   "add.f32 %f30, %f30, %f" f ";\n"
#define SUMS	   SUM("1") SUM("2") SUM("3") SUM("4") "st.global.f32 [%rd4], %f30;\n"
#define LD(f, off) "ld.shared.f32 %f" f ", [%r4+" off "];\n"
#define AT(shift)                                                                                                                  \
	".shared .align 4 .b8 s[4096];\n.shared .align 4 .b8 t[36];\nld.param.u64 %rd1, [in];\n"                                   \
	"cvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd4, %rd2, %rd3;\n"            \
	"mov.u32 %r2, s;\nst.shared.u32 [s], %r1;\nbar.sync 0;\nmov.f32 %f30, 0f00000000;\nshl.b32 %r3, %r1, " shift ";\n"         \
	"add.s32 %r4, %r2, %r3;\n"

static void expect_loads(const char *what, const char *body, const char *bytes)
{
	char text[8192], left[64] = "";
	struct err e = {0};
	const struct trace_kernel *k;
	struct ptx_module *m;

	snprintf(text, sizeof text,
		 "%s\n{\n.reg .pred %%p<4>;\n.reg .b32 %%r<30>;\n.reg .f32 %%f<40>;\n.reg .b64 %%rd<30>;\n%sret;\n}\n", HEAD, body);
	m = ptx_parse_in(PTX_ASSEMBLER_ORDER, text, strlen(text), "k.ptx", &e);
	cr_assert(m, "%s", e.text);
	k = ptx_trace_kernel(ptx_kernel_at(m, 0));
	for (uint32_t i = 0; i < k->n_inst; i++)
		if (k->folds[i].op == OP_LOAD && k->folds[i].space == SPACE_SHARED && !trace_is_folded(&k->folds[i]))
			snprintf(left + strlen(left), sizeof left - strlen(left), "%u ", k->folds[i].width);
	cr_expect_str_eq(left, bytes, "%s: %sbytes, expected %s", what, left, bytes);
	ptx_close(m);
}

Test(folds, neighbouring_words_of_shared_memory_are_one_load)
{
	static const struct {
		const char *what, *body, *bytes;
	} of[] = {
		{"four words", AT("4") LD("1", "0") LD("2", "4") LD("3", "8") LD("4", "12") SUMS, "16 "},
		{"each used at once",
		 AT("4") LD("1", "0") SUM("1") LD("2", "4") SUM("2") LD("3", "8") SUM("3") LD("4", "12")
			 SUM("4") "st.global.f32 [%rd4], %f30;\n",
		 "16 "},
		{"multiples of 8", AT("3") LD("1", "0") LD("2", "4") LD("3", "8") LD("4", "12") SUMS, "8 8 "},
		{"multiples of 4", AT("2") LD("1", "0") LD("2", "4") LD("3", "8") LD("4", "12") SUMS, "4 4 4 4 "},
		{"three of them", AT("4") "mov.f32 %f4, 0f00000000;\n" LD("1", "0") LD("2", "4") LD("3", "12") SUMS, "16 "},
		{"backwards", AT("4") LD("4", "12") LD("3", "8") LD("2", "4") LD("1", "0") SUMS, "16 "},
		{"three, and one of the next", AT("4") LD("1", "4") LD("2", "8") LD("3", "12") LD("4", "16") SUMS, "16 4 "},
		{"a pair across", AT("4") "mov.f32 %f3, 0f00000000;\nmov.f32 %f4, %f3;\n" LD("1", "4") LD("2", "8") SUMS, "4 4 "},
		{"the upper pair", AT("4") "mov.f32 %f3, 0f00000000;\nmov.f32 %f4, %f3;\n" LD("1", "8") LD("2", "12") SUMS, "8 "},
		{"a barrier between", AT("4") LD("1", "0") LD("2", "4") "bar.sync 0;\n" LD("3", "8") LD("4", "12") SUMS, "8 8 "},
		{"a store between",
		 AT("4") LD("1", "0") LD("2", "4") "st.shared.f32 [%r4+64], %f1;\n" LD("3", "8") LD("4", "12") SUMS, "8 8 "},
		{"a store to wherever it is between",
		 AT("4") LD("1", "0") LD("2", "4") "st.f32 [%rd1], %f1;\n" LD("3", "8") LD("4", "12") SUMS, "8 8 "},
		{"a store of global memory between",
		 AT("4") LD("1", "0") LD("2", "4") "st.global.f32 [%rd4+64], %f1;\n" LD("3", "8") LD("4", "12") SUMS, "16 "},
		{"a sum that saturates",
		 AT("4") "add.sat.s32 %r4, %r4, 16;\n" LD("1", "0") LD("2", "4") LD("3", "8") LD("4", "12") SUMS, "4 4 4 4 "},
		{"two vectors", AT("4") "ld.shared.v2.f32 {%f1, %f2}, [%r4];\nld.shared.v2.f32 {%f3, %f4}, [%r4+8];\n" SUMS, "16 "},
		{"known addresses",
		 AT("4") "ld.shared.f32 %f1, [t];\nld.shared.f32 %f2, [t+4];\nld.shared.f32 %f3, [t+8];\nld.shared.f32 %f4, "
			 "[t+12];\n" SUMS,
		 "16 "},
		{"sums of addresses",
		 AT("4") "add.s32 %r5, %r4, 4;\nadd.s32 %r6, %r4, 8;\nadd.s32 %r7, %r4, 12;\n" LD(
			 "1", "0") "ld.shared.f32 %f2, [%r5];\nld.shared.f32 %f3, [%r6];\nld.shared.f32 %f4, [%r7];\n" SUMS,
		 "16 "},
		{"guards",
		 AT("4") "setp.gt.u32 %p1, %r1, 3;\nmov.f32 %f1, 0f00000000;\nmov.f32 %f2, %f1;\nmov.f32 %f3, %f1;\nmov.f32 %f4, "
			 "%f1;\n"
			 "@%p1 ld.shared.f32 %f1, [%r4];\n@%p1 ld.shared.f32 %f2, [%r4+4];\n" SUMS,
		 "4 4 "},
	};

	for (unsigned i = 0; i < sizeof of / sizeof of[0]; i++)
		expect_loads(of[i].what, of[i].body, of[i].bytes);
}

/* 32 lanes read 16 bytes each, one behind another: 4 cycles of 32 banks for one access, where 4 loads of words that are
 * 16 bytes apart take 4 cycles each. The trace that is recorded has them, in the version that has wide loads. */
Test(folds, wide_loads_take_the_banks_once)
{
	static const char kernel[] =
		HEAD "\n{\n.reg .pred %p<4>;\n.reg .b32 %r<30>;\n.reg .f32 %f<40>;\n.reg .b64 %rd<30>;\n" AT("4") LD("1", "0")
			LD("2", "4") LD("3", "8") LD("4", "12") SUMS "ret;\n}\n";
	static const char launch[] = "ptx: k.ptx\nbuffers:\n  in: {count: 64, type: f32, value: 1}\n"
				     "launches:\n  - {kernel: k, grid: 1, block: 32, args: [in, 1]}\n";
	static const struct {
		const char *fold;
		double accesses, conflicts; /* the store is an access, of which lanes share the word */
	} is[] = {{"true", 2, 3}, {"false", 5, 12}};
	struct program p;

	program_file("k.ptx", kernel);
	program_file("k.yaml", launch);
	p = program_run("cd %s && locus record k.yaml -o k.ltrace && od -An -tu4 -j8 -N4 k.ltrace", program_tmp());
	cr_expect_eq(atoi(p.out + strlen(p.out) - 2), 7, "%s%s", p.out, p.err);
	program_free(&p);
	for (unsigned i = 0; i < 2; i++) {
		json_t *stats = program_stats("locus run %s/k.ltrace --machine qv100 --set sm.fold=%s", program_tmp(), is[i].fold);

		cr_expect_eq(program_stat(stats, "shared.accesses"), is[i].accesses);
		cr_expect_eq(program_stat(stats, "shared.conflicts"), is[i].conflicts, "%s: %g", is[i].fold,
			     program_stat(stats, "shared.conflicts"));
		json_decref(stats);
	}
}

/* 22 instructions of PTX; machine code: 2 S2R, IMAD, ISETP, @P EXIT, 3 IMAD.WIDE, 2 LDG, FADD, STG, EXIT (and on Turing
 * two MOVs, of the stack pointer and of the factor 4). */
Test(folds, are_counted_by_locus_ptx)
{
	struct program p = program_run("locus ptx --counts traces/vectoradd/kernel.ptx");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "  all                                22        9       13\n"), "%s", p.out);
	cr_assert(strstr(p.out, "  cvta.to.global.u64                  3        3        0\n"), "%s", p.out);
	program_free(&p);
}
