/* Registers a thread: alive at once in machine code, by hand, plus one for the stack and five that an assembler leaves
 * unused; within what `.maxnreg` says. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ptx/ptx.h"

enum { STACK = 1, SPARE = 5 };

#define HEAD ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u32 n)"
#define REGS "{\n.reg .pred %p<4>;\n.reg .b32 %r<90>;\n.reg .f32 %f<200>;\n.reg .b64 %rd<90>;\n.shared .align 4 .b8 tile[4096];\n"

static uint32_t registers(const char *directives, const char *body)
{
	char text[16384];
	struct err e = {0};
	struct ptx_module *m;
	uint32_t n;

	snprintf(text, sizeof text, "%s %s\n%s%sret;\n}\n", HEAD, directives, REGS, body);
	m = ptx_parse(text, strlen(text), "k.ptx", &e);
	cr_assert(m, "%s", e.text);
	n = ptx_trace_kernel(ptx_kernel_at(m, 0))->regs_per_thread;
	ptx_close(m);
	return n;
}

static void expect(const char *body, uint32_t alive)
{
	uint32_t n = registers("", body);

	cr_expect_eq(n, alive + STACK + SPARE, "%u registers, expected %u + 6, of:\n%s", n, alive, body);
}

Test(registers, are_not_needed_for_constants_copies_and_offsets)
{
	/* S2R R0; MOV R1, 4; IMAD.WIDE R2, R0, R1, c[in]; STG [R2+8], R0: the pair, R0 and, until the product, the 4 */
	expect("ld.param.u64 %rd1, [in];\ncvta.to.global.u64 %rd2, %rd1;\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\n"
	       "add.s64 %rd4, %rd2, %rd3;\nadd.s64 %rd5, %rd4, 8;\nmov.u32 %r2, %r1;\nst.global.u32 [%rd5], %r2;\n",
	       4);
	/* a parameter is a value to store and an address: three registers, for the one instruction */
	expect("ld.param.u64 %rd1, [in];\nld.param.u32 %r1, [n];\nst.global.u32 [%rd1], %r1;\n", 3);
}

Test(registers, of_what_nobody_reads_and_of_predicates_are_none)
{
	expect("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nadd.s32 %r3, %r1, %r2;\nmul.lo.s32 %r4, %r3, %r3;\n", 0);
	/* the address and the 1 that is stored, not what guards it */
	expect("ld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\nsetp.gt.u32 %p1, %r1, 3;\nmov.u32 %r2, 1;\n"
	       "@%p1 st.global.u32 [%rd1], %r2;\n",
	       3);
}

Test(registers, of_shared_addresses_are_single)
{
	/* the base is a constant: the address in 32 bits, and the value */
	expect("mov.u32 %r1, %tid.x;\nmov.u64 %rd1, tile;\nmul.wide.u32 %rd2, %r1, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
	       "st.shared.u32 [%rd3], %r1;\n",
	       3);
}

/* A sum of n values that are loaded first in the text. */
static const char *sum(char *to, size_t bytes, unsigned n)
{
	int at = snprintf(to, bytes,
			  "ld.param.u64 %%rd1, [in];\nmov.u32 %%r1, %%tid.x;\nmul.wide.u32 %%rd2, %%r1, 4;\n"
			  "add.s64 %%rd3, %%rd1, %%rd2;\nmov.f32 %%f0, 0f00000000;\n");

	for (unsigned i = 1; i <= n; i++)
		at += snprintf(to + at, bytes - (size_t)at, "ld.global.f32 %%f%u, [%%rd3+%u];\n", i, 128 * i);
	at += snprintf(to + at, bytes - (size_t)at, "mul.f32 %%f100, %%f1, %%f2;\n");
	for (unsigned i = 3; i <= n; i++)
		at += snprintf(to + at, bytes - (size_t)at, "add.f32 %%f%u, %%f%u, %%f%u;\n", 98 + i, 97 + i, i);
	snprintf(to + at, bytes - (size_t)at, "st.global.f32 [%%rd3], %%f%u;\n", 98 + n);
	return to;
}

Test(registers, hold_loads_that_wait_together_up_to_full_occupancy)
{
	char text[8192];

	/* 8 loads wait at once, beside the address */
	expect(sum(text, sizeof text, 8), 8 + 2);
	/* of 28, as many as leave 32 registers a thread: 65,536 of 2,048 threads */
	cr_expect_eq(registers("", sum(text, sizeof text, 28)), 32);
}

/* As ptxas 13 takes for sm_80: 47 (of 40 loads) and 38; up to 64 registers 4 CTAs of 256 threads fit, of 65,536. */
Test(registers, hold_as_many_loads_as_launch_bounds_allow)
{
	char text[8192];

	cr_expect_eq(registers("", sum(text, sizeof text, 40)), 32);
	cr_expect_eq(registers(".maxntid 256, 1, 1 .minnctapersm 8", sum(text, sizeof text, 40)), 32);
	cr_expect_eq(registers(".maxntid 256, 1, 1 .minnctapersm 4", sum(text, sizeof text, 40)), 40 + 2 + STACK);
	cr_expect_eq(registers(".maxntid 16, 16, 1 .minnctapersm 4", sum(text, sizeof text, 40)), 40 + 2 + STACK);
	cr_expect_eq(registers(".maxntid 250, 1, 1 .minnctapersm 4", sum(text, sizeof text, 70)), 64, "8 whole warps");
	cr_expect_eq(registers(".reqntid 64, 1, 1 .minnctapersm 4294967295", sum(text, sizeof text, 40)), 32);
	cr_expect_eq(registers(".maxnreg 40", sum(text, sizeof text, 60)), 40);
}

Test(registers, are_no_more_than_maxnreg_and_the_machine_code_allow)
{
	char text[8192];

	cr_expect_eq(registers(".maxnreg 12", sum(text, sizeof text, 8)), 12);
	cr_expect_eq(registers(".maxntid 64, 1, 1 .maxnreg 40 .minnctapersm 2", sum(text, sizeof text, 8)), 8 + 2 + STACK + SPARE);
}

Test(registers, and_ctas_that_are_asked_for_are_numbers)
{
	static const char zero[] = HEAD " .maxnreg 0\n{ ret; }\n", none[] = HEAD " .maxnreg\n{ ret; }\n";
	static const char ctas[] = HEAD " .maxntid 32 .minnctapersm x\n{ ret; }\n";
	struct err e = {0}, of_ctas = {0};

	cr_assert_null(ptx_parse(zero, strlen(zero), "k.ptx", &e));
	cr_expect(strstr(e.text, "expected a number of registers"), "%s", e.text);
	cr_assert_null(ptx_parse(ctas, strlen(ctas), "k.ptx", &of_ctas));
	cr_expect(strstr(of_ctas.text, "expected a number of CTAs"), "%s", of_ctas.text);
	cr_assert_null(ptx_parse(none, strlen(none), "k.ptx", &e));
	cr_expect(strstr(e.text, "expected a number of registers"), "%s", e.text);
}
