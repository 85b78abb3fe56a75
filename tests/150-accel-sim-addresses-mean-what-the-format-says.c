/* 150: the lines of a .traceg as docs/how-to/run-accelsim-traces.md has them; each address below is worked out by hand
 * from the line above it. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "support/sass.h"

#define LANES(...) ((const uint64_t[]){__VA_ARGS__}), (sizeof((const uint64_t[]){__VA_ARGS__}) / sizeof(uint64_t))

struct read {
	struct trace *t;
	struct trace_cta cta;
};

static struct read read_first(const char *text)
{
	struct read r = {0};
	struct err e = {""};

	r.t = sass_import(sass_write("a.traceg", text), NULL, &e);
	cr_assert_not_null(r.t, "%s", e.text);
	cr_assert_eq(trace_read_cta(r.t, 0, 0, &r.cta, &e), 0, "%s", e.text);
	return r;
}

static void done(struct read *r)
{
	trace_cta_free(&r->cta);
	trace_close(r->t);
}

/* Record i belongs to lanes `mask`, whose addresses are want[], lowest lane first. */
static void expect(const struct read *r, uint32_t i, uint32_t mask, const uint64_t *want, size_t n)
{
	uint64_t got[TRACE_WARP_SIZE];

	cr_assert_lt(i, r->cta.n_addrs);
	cr_assert_eq((size_t)__builtin_popcount(mask), n);
	trace_addr_expand(&r->cta, i, mask, got);
	for (size_t k = 0; mask; mask &= mask - 1, k++)
		cr_assert_eq(got[__builtin_ctz(mask)], want[k], "record %u, lane %d: %#" PRIx64 ", not %#" PRIx64, i,
			     __builtin_ctz(mask), got[__builtin_ctz(mask)], want[k]);
}

static const struct trace_inst *inst(const struct read *r, uint32_t pc)
{
	cr_assert_lt(pc, trace_kernel(r->t, 0)->n_inst);
	return &trace_kernel(r->t, 0)->inst[pc];
}

Test(accelsim, the_three_address_modes)
{
	/* lanes 0 2 3; 4 to 7; 0 2 31; 1, a base without 0x */
	struct read r = read_first(SASS_HEAD(SASS_V3) SASS_BLOCK(
		5, "0000 0000000d 1 R4 LDG.E.SYS 1 R2 4 0 0x7f0000000100 0x7f0000000200 0x7f0000000104 \n"
		   "0010 000000f0 1 R5 LDG.E.64.SYS 1 R2 8 1 0x7f0000001000 -16 0\n"
		   "0020 80000005 1 R6 LDG.E.U8 1 R2 1 2 0x7f0000002000 100 -1 0\n"
		   "0030 00000002 0 STG.E.128 2 R2 R4 16 1 7f0000003000 0\n"
		   "0040 ffffffff 0 EXIT 0 0 0\n"));

	cr_assert_eq(r.cta.n_addrs, 4);
	expect(&r, 0, 0xd, LANES(0x7f0000000100, 0x7f0000000200, 0x7f0000000104));
	expect(&r, 1, 0xf0, LANES(0x7f0000001000, 0x7f0000000ff0, 0x7f0000000fe0, 0x7f0000000fd0));
	expect(&r, 2, 0x80000005, LANES(0x7f0000002000, 0x7f0000002064, 0x7f0000002063));
	expect(&r, 3, 0x2, LANES(0x7f0000003000));
	cr_assert_eq(inst(&r, 0)->width, 4);
	cr_assert_eq(inst(&r, 1)->width, 8);
	cr_assert_eq(inst(&r, 2)->width, 1);
	cr_assert_eq(inst(&r, 3)->width, 16);
	for (uint32_t i = 0; i < 4; i++)
		cr_assert(inst(&r, i)->space == SPACE_GLOBAL && inst(&r, i)->op == (i == 3 ? OP_STORE : OP_LOAD));
	done(&r);
}

/* The tracer may print a wrong width: the opcode's counts. */
Test(accelsim, the_width_is_that_of_the_opcode)
{
	static const struct {
		const char *op;
		unsigned width;
	} cases[] = {{"LDG", 4},
		     {"LDG.E.S8", 1},
		     {"LDG.E.U16.SYS", 2},
		     {"LDS.U.128", 16},
		     {"LDS.U", 4},
		     {"ATOMG.E.ADD.F32.FTZ.RN.STRONG.GPU", 4},
		     {"RED.E.ADD.64", 8},
		     {"ATOMS.CAS.64", 8},
		     {"LDSM.16.M88.4", 16},
		     {"LDGSTS.E.BYPASS.LTC128B.128", 16}};
	char text[2048];

	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct read r;

		snprintf(text, sizeof text, SASS_HEAD(SASS_V3) SASS_BLOCK(1, "0000 00000001 0 %s 0 2 1 0x100 0\n"), cases[i].op);
		r = read_first(text);
		cr_assert_eq(inst(&r, 0)->width, cases[i].width, "%s", cases[i].op);
		done(&r);
	}
}

Test(accelsim, tracers_before_version_3_repeat_block_and_warp)
{
	const char *old = SASS_HEAD("-accelsim tracer version = 2\n")
		SASS_BLOCK(2, "0 0 0 0 0000 00000003 1 R4 LDG.E 1 R2 4 1 0x1000 4 \n0 0 0 0 0010 ffffffff 0 EXIT 0 0 \n");
	const char *unstated = SASS_HEAD("-nvbit version = 1.4\n")
		SASS_BLOCK(2, "0 0 0 0 0000 00000003 1 R4 LDG.E 1 R2 4 1 0x1000 4 \n0 0 0 0 0010 ffffffff 0 EXIT 0 0 \n");
	const char *new =
		SASS_HEAD(SASS_V3) SASS_BLOCK(2, "0000 00000003 1 R4 LDG.E 1 R2 4 1 0x1000 4 \n0010 ffffffff 0 EXIT 0 0 \n");
	struct read a = read_first(old), b = read_first(unstated), c = read_first(new);

	expect(&a, 0, 3, LANES(0x1000, 0x1004));
	cr_assert_eq(trace_hash(a.t), trace_hash(c.t));
	cr_assert_eq(trace_hash(b.t), trace_hash(c.t));
	done(&a);
	done(&b);
	done(&c);
}

Test(accelsim, source_lines_come_first_where_the_header_says_so)
{
	struct read r = read_first(SASS_HEAD("-accelsim tracer version = 4\n-enable lineinfo = 1\n") SASS_BLOCK(
		2, "17 0000 00000003 1 R4 LDG.E 1 R2 4 1 0x1000 4 0\n23 0010 ffffffff 0 EXIT 0 0 0\n"));

	expect(&r, 0, 3, LANES(0x1000, 0x1004));
	cr_assert_eq(inst(&r, 0)->line, 17);
	cr_assert_eq(inst(&r, 1)->line, 23);
	done(&r);
}

/* Width 0 is no access; a mask of no lane issues all the same and has no addresses. */
Test(accelsim, predicated_lanes_and_no_access)
{
	struct read r = read_first(SASS_HEAD(SASS_V3) SASS_BLOCK(
		5, "0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 12\n0010 00000000 1 R4 LDG.E 1 R2 4 1 0x0 0 0\n"
		   "0020 00000000 0 SHFL.IDX 4 R255 R255 R255 R255 0 0\n0030 0000ffff 1 R3 LDC 1 R255 0 0\n"
		   "0040 ffffffff 0 EXIT 0 0 0\n"));

	cr_assert_eq(r.cta.n_addrs, 0);
	cr_assert_eq(r.cta.warp[0].insts, 5);
	cr_assert_eq(r.cta.n_runs, 4); /* all; none (two instructions); half; all */
	cr_assert(r.cta.runs[1].pc == 1 && r.cta.runs[1].len == 2 && r.cta.runs[1].mask == 0);
	cr_assert_eq(r.cta.runs[2].mask, 0xffff);
	/* RZ is no register */
	cr_assert(inst(&r, 0)->op == OP_INT_MAD && inst(&r, 0)->ndst == 1 && inst(&r, 0)->nsrc == 0);
	cr_assert(inst(&r, 3)->space == SPACE_PARAM); /* a constant without address */
	cr_assert_eq(trace_launch(r.t, 0)->thread_insts, 32 + 0 + 0 + 16 + 32);
	done(&r);
}

/* R2, R4, R200 and UR4 and P0: numbered densely, in that order of files. */
Test(accelsim, registers_are_numbered_densely)
{
	struct read r = read_first(
		SASS_HEAD(SASS_V3) SASS_BLOCK(2, "0000 ffffffff 1 R200 IADD3 4 R2 R4 UR4 P0 0 0\n0010 ffffffff 0 EXIT 0 0 0\n"));
	static const uint16_t want[] = {2, 0, 1, 3, 4};

	cr_assert_eq(trace_kernel(r.t, 0)->n_regs, 5);
	cr_assert_eq(trace_kernel(r.t, 0)->regs_per_thread, 16);
	cr_assert_eq(memcmp(inst(&r, 0)->reg, want, sizeof want), 0);
	done(&r);
}

/* Shared addresses are offsets, or are in the window; local ones count from the lowest that the kernel touches, down to
 * a multiple of 16: 0xfffd08 -> 8. A generic access goes where its lanes' addresses are. */
Test(accelsim, shared_local_and_generic_accesses)
{
	/* after STS and STL: shared window + 0x40; local window + 0xfffd10: 16; neither: global; one of each */
	struct read r = read_first(SASS_HEAD(SASS_V3 SASS_WINDOWS) SASS_BLOCK(
		6, "0000 00000003 0 STS 2 R0 R4 4 1 0x3f8 4 0\n0010 00000003 0 STL.64 2 R1 R4 8 1 0xfffd08 0 0\n"
		   "0020 00000001 1 R4 LD.E 1 R2 4 1 0x00007f0010000040 0 0\n"
		   "0030 00000001 1 R4 LD.E 1 R2 4 1 0x00007f0012fffd10 0 0\n"
		   "0040 00000001 0 ST.E 2 R2 R4 4 1 0x00007f0000000040 0 0\n"
		   "0050 00000003 1 R4 LD.E 1 R2 4 0 0x00007f0010000044 0x00007f0000000080 0\n"));

	cr_assert_eq(trace_kernel(r.t, 0)->n_inst, 7);
	cr_assert_eq(trace_kernel(r.t, 0)->shared_bytes, 1024); /* as stated; 0x400 = 1024 are touched */
	cr_assert_eq(trace_kernel(r.t, 0)->local_bytes, 24);	/* 16 + 4, in words of 8 */
	cr_assert(inst(&r, 0)->space == SPACE_SHARED && inst(&r, 1)->space == SPACE_LOCAL && inst(&r, 2)->space == SPACE_SHARED);
	cr_assert(inst(&r, 3)->space == SPACE_LOCAL && inst(&r, 4)->space == SPACE_GLOBAL);
	cr_assert(inst(&r, 5)->space == SPACE_SHARED && inst(&r, 6)->space == SPACE_GLOBAL);
	expect(&r, 0, 3, LANES(0x3f8, 0x3fc));
	expect(&r, 1, 3, LANES(8, 8));
	expect(&r, 2, 1, LANES(0x40));
	expect(&r, 3, 1, LANES(16));
	expect(&r, 4, 1, LANES(0x7f0000000040));
	expect(&r, 5, 1, LANES(0x44));
	expect(&r, 6, 2, LANES(0x7f0000000080));
	cr_assert_eq(r.cta.warp[0].insts, 7);
	done(&r);
}

/* Numbers follow the PCs, not the order of execution; a PC seen with two opcodes is two instructions. */
Test(accelsim, instructions_are_numbered_in_order_of_pc)
{
	struct read r = read_first(SASS_HEAD(SASS_V3) SASS_BLOCK(
		5, "0100 ffffffff 0 NOP 0 0 0\n0020 ffffffff 0 BRA 0 0 0\n0030 ffffffff 1 R1 FADD 1 R2 0 0\n"
		   "0030 ffffffff 1 R1 FMUL 1 R2 0 0\n0100 ffffffff 0 NOP 0 0 0\n"));
	static const uint8_t ops[] = {OP_BRANCH, OP_FP32_ADD, OP_FP32_MUL, OP_NOP};

	cr_assert_eq(trace_kernel(r.t, 0)->n_inst, 4);
	for (uint32_t i = 0; i < 4; i++)
		cr_assert_eq(inst(&r, i)->op, ops[i]);
	cr_assert_eq(r.cta.n_runs, 2); /* 3, then 0 to 3 */
	cr_assert(r.cta.runs[0].pc == 3 && r.cta.runs[0].len == 1 && r.cta.runs[1].pc == 0 && r.cta.runs[1].len == 4);
	done(&r);
}

/* Constants by address are in a window of their own, at trace_const_base. */
Test(accelsim, constants_with_addresses_go_to_the_constant_window)
{
	struct read r = read_first(SASS_HEAD(SASS_V3) SASS_BLOCK(1, "0000 00000001 1 R4 LDC.64 1 R2 8 1 0x160 0 0\n"));

	cr_assert_eq(inst(&r, 0)->space, SPACE_CONST);
	expect(&r, 0, 1, LANES(trace_const_base(r.t) + 0x160));
	done(&r);
}
