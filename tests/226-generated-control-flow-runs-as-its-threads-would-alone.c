/* 226: control flow of any shape goes through the front end, in the text's order and in an assembler's, and leaves in
 * memory what an interpreter of single threads leaves (tests/fuzz/target_flow.c). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "fuzz/fuzz.h"
#include "support/program.h"
#include "support/ptx.h"
#include "support/random.h"

enum { PROGRAMS = 1000, BYTES = 1600 };

Test(generated_flow, any_program_leaves_what_its_threads_would_alone)
{
	uint8_t *b = xmalloc(BYTES);
	uint64_t state = 226;

	for (unsigned i = 0; i < PROGRAMS; i++) {
		size_t n = 20 + random_below(&state, BYTES - 20);

		for (size_t k = 0; k < n; k++)
			b[k] = (uint8_t)random_u64(&state);
		fuzz_flow(b, n);
	}
	free(b);
}

/* ---- shapes, one by one; the expected words follow from the manual of PTX ---- */

enum { UNTOUCHED = 0 };

/* Runs 33 threads, which make two warps, and compares out[0..n) with `want`. */
static void expect(const char *body, const uint32_t *want, unsigned n)
{
	struct ptx_try t;
	char text[2000];

	snprintf(text, sizeof text, "ld.param.u64 %%rd1, [out];\nmov.u32 %%r1, %%tid.x;\n%s", body);
	ptx_try_threads(&t, text, 33, NULL, 0);
	cr_assert_eq(t.result, 0, "%s: %s", body, t.e.text);
	for (unsigned i = 0; i < n; i++)
		cr_expect_eq(ptx_try_out(&t)[i], want[i], "word %u is %u, want %u:\n%s", i, ptx_try_out(&t)[i], want[i], body);
	ptx_try_free(&t);
}

Test(generated_flow, a_constant_predicate_guards_and_branches)
{
	expect("mov.pred %p1, 0;\n@%p1 bra L;\nst.global.u32 [%rd1], 7;\nL:\nret;", (const uint32_t[]){7}, 1);
	expect("mov.pred %p1, 1;\n@%p1 bra L;\nst.global.u32 [%rd1], 7;\nL:\nret;", (const uint32_t[]){UNTOUCHED}, 1);
	expect("mov.pred %p1, 0;\n@!%p1 bra L;\nst.global.u32 [%rd1], 7;\nL:\nret;", (const uint32_t[]){UNTOUCHED}, 1);
	expect("mov.pred %p1, 1;\nmov.pred %p2, %p1;\n@%p2 st.global.u32 [%rd1], 7;\n@!%p2 st.global.u32 [%rd1+4], 8;\nret;",
	       (const uint32_t[]){7, UNTOUCHED}, 2);
	expect("mov.pred %p1, 0;\n@%p1 ret;\nst.global.u32 [%rd1], 7;\n@!%p1 exit;\nst.global.u32 [%rd1+4], 7;\nret;",
	       (const uint32_t[]){7, UNTOUCHED}, 2);
	/* the loop by which clang fills a local array with zeroes leaves after its first pass */
	expect("mov.u32 %r2, 0;\nmov.pred %p1, 0;\nL: add.u32 %r2, %r2, 1;\n@%p1 bra L;\nst.global.u32 [%rd1], %r2;\nret;",
	       (const uint32_t[]){1}, 1);
}

Test(generated_flow, blocks_may_be_unreachable_empty_or_without_an_end)
{
	expect("bra A;\nst.global.u32 [%rd1], 7;\nA:\nbra B;\nB:\nbra C;\nC:\nst.global.u32 [%rd1+4], 8;\n",
	       (const uint32_t[]){UNTOUCHED, 8}, 2);
	expect("bra A;\nX: bra X;\nA: st.global.u32 [%rd1], 7;\nbra END;\nEND:\n", (const uint32_t[]){7}, 1);
	/* lanes 1 and above jump to the next instruction, as lane 0 goes there */
	expect("setp.ne.u32 %p1, %r1, 0;\n@%p1 bra A;\nA:\nst.global.u32 [%rd1], 7;", (const uint32_t[]){7}, 1);
	/* each lane goes round its own number of times: 0 .. 32; the sum of all is 528 */
	expect("mov.u32 %r2, 0;\nL: setp.ge.u32 %p1, %r2, %r1;\n@%p1 bra E;\nadd.u32 %r2, %r2, 1;\nbra L;\nE:\n"
	       "red.global.add.u32 [%rd1], %r2;\n",
	       (const uint32_t[]){528}, 1);
}

Test(generated_flow, locus_ptx_prints_a_kernel_with_a_constant_predicate)
{
	struct program p;

	program_file("const.ptx",
		     ".version 7.5\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 o)\n{\n.reg .pred %p<2>;\n"
		     ".reg .b64 %rd<2>;\nld.param.u64 %rd1, [o];\nmov.pred %p1, 0;\n@%p1 bra L;\nst.global.u32 [%rd1], 1;\n"
		     "st.global.u32 [%rd1+4], 1;\nL:\nret;\n}\n");
	p = program_run("locus ptx %s", program_path("const.ptx"));
	cr_expect_eq(p.status, 0, "status %d: %s", p.status, p.err);
	program_free(&p);
}
