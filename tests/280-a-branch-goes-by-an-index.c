/* 280: brx.idx goes to the label that its index chooses from a .branchtargets list (PTX ISA manual, "Control Flow
 * Instructions: brx.idx"). Expected values are those of a switch in C. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

#define LANE  "mov.u32 %r1, %tid.x;\nld.param.u64 %rd2, [out];\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd2, %rd3;\n"
#define STORE "st.global.u32 [%rd2], %r3;\n"

/* L1 is in the list twice, and L2 branches by the list once more. */
static const char body[] = LANE "and.b32 %r2, %r1, 7;\nmov.u32 %r3, 1000;\nsetp.lt.u32 %p1, %r2, 4;\n"
				"list: .branchtargets L0, L1, L2, L1;\n@%p1 brx.idx %r2, list;\nbra.uni END;\n"
				"L0:\nmov.u32 %r3, 10;\nbra END;\nL1:\nadd.u32 %r3, %r3, 20;\nbra END;\n"
				"L2:\nadd.u32 %r3, %r3, 1;\nadd.u32 %r2, %r2, 1;\nbrx.idx %r2, list;\nEND:\n" STORE;

static uint32_t expected(uint32_t index)
{
	switch (index) {
	case 0:
		return 10;
	case 1:
	case 3:
		return 1020;
	case 2:
		return 1021;
	default:
		return 1000; /* its guard is false */
	}
}

Test(ptx_branch_table, each_lane_goes_to_the_label_of_its_index)
{
	struct ptx_try t;

	ptx_try_threads(&t, body, 70, NULL, 0);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 70; i++)
		cr_expect_eq(ptx_try_out(&t)[i], expected(i % 8), "thread %u: %u", i, ptx_try_out(&t)[i]);
	ptx_try_free(&t);
}

/* All lanes the same way, by a list that is behind the branch; in a function, which is in the place of two calls. */
Test(ptx_branch_table, a_list_may_be_behind_and_in_a_function)
{
	static const char head[] = ".func (.param .b32 r) choose(.param .b32 n)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [n];\n"
				   "brx.idx.uni %r1, list;\nlist: .branchtargets A, B, C;\n"
				   "A:\nmov.u32 %r2, 5;\nbra DONE;\nB:\nmov.u32 %r2, 6;\nbra DONE;\nC:\nmov.u32 %r2, 7;\n"
				   "DONE:\nst.param.b32 [r], %r2;\nret;\n}\n";
	static const char calls[] = LANE "mov.u32 %r4, 2;\n"
					 "{\n.param .b32 a;\nst.param.b32 [a], %r4;\n.param .b32 b;\ncall.uni (b), choose, (a);\n"
					 "ld.param.b32 %r3, [b];\n}\nand.b32 %r5, %r1, 1;\n"
					 "{\n.param .b32 a;\nst.param.b32 [a], %r5;\n.param .b32 b;\ncall (b), choose, (a);\n"
					 "ld.param.b32 %r6, [b];\n}\nmad.lo.u32 %r3, %r3, 10, %r6;\n" STORE;
	const uint32_t one[3] = {1, 1, 1}, block[3] = {64, 1, 1};
	struct ptx_try t;

	ptx_try_run(&t, head, calls, one, block, NULL, 0, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 64; i++)
		cr_expect_eq(ptx_try_out(&t)[i], 75 + i % 2, "thread %u", i);
	ptx_try_free(&t);
}

/* What is no list of labels refuses the kernel, with its line. */
Test(ptx_branch_table, without_a_list_the_kernel_is_refused)
{
	static const struct {
		const char *body, *why;
	} cases[] = {
		{"mov.u32 %r2, 0;\nL0:\nbrx.idx %r2, L0;\n", "brx.idx is not supported"},
		{"mov.u32 %r2, 0;\nlist: .branchtargets L0, %r2;\nL0:\nbrx.idx %r2, list;\n", "expected a label"},
		{"mov.u32 %r2, 0;\nlist: .branchtargets L0, L9;\nL0:\nbrx.idx %r2, list;\n", "label is named L9"},
		{"mov.u32 %r2, 0;\nlist: .branchtargets ;\nL0:\nbrx.idx %r2, list;\n", "expected"},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct ptx_try t;

		ptx_try_threads(&t, cases[i].body, 1, NULL, 0);
		cr_expect_eq(t.result, -1, "%s", cases[i].body);
		cr_expect(strstr(t.e.text, cases[i].why), "%s: %s", cases[i].body, t.e.text);
		ptx_try_free(&t);
	}
}
