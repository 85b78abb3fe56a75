/* 279: isspacep. PTX ISA 9.0, 9.7.9.19: whether a generic address is in the window of a state space. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/ptx.h"

static const uint32_t one[3] = {1, 1, 1}, warp[3] = {32, 1, 1};

/* Even lanes have an address of this kind, odd ones another; bits 0, 1 and 2: global, shared, local. */
#define FRAME                                                                                                                      \
	".shared .align 4 .b8 s[64];\n.local .align 4 .b8 l[64];\nld.param.u64 %rd1, [out];\nmov.u32 %r1, %laneid;\n"              \
	"mul.wide.u32 %rd2, %r1, 4;\nadd.u64 %rd2, %rd1, %rd2;\nand.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n"                  \
	"cvta.shared.u64 %rd4, s;\ncvta.local.u64 %rd5, l;\n"
#define ANSWER                                                                                                                     \
	"isspacep.global %p2, %rd3;\nisspacep.shared %p3, %rd3;\nisspacep.local %p4, %rd3;\nselp.u32 %r3, 1, 0, %p2;\n"            \
	"selp.u32 %r4, 2, 0, %p3;\nselp.u32 %r5, 4, 0, %p4;\nor.b32 %r3, %r3, %r4;\nor.b32 %r3, %r3, %r5;\n"                       \
	"st.global.u32 [%rd2], %r3;\nret;\n"

Test(ptx_space, each_lanes_address_is_in_one_window)
{
	static const struct {
		const char *even, *odd;
		uint32_t of_even, of_odd;
	} each[] = {{"%rd1", "%rd4", 1, 2}, {"%rd4", "%rd5", 2, 4}, {"%rd5", "%rd1", 4, 1}};

	for (unsigned i = 0; i < 3; i++) {
		char body[2048];
		struct ptx_try t;

		snprintf(body, sizeof body, "%sselp.b64 %%rd3, %s, %s, %%p1;\nadd.u64 %%rd3, %%rd3, 60;\n%s", FRAME, each[i].even,
			 each[i].odd, ANSWER);
		ptx_try_run(&t, "", body, one, warp, NULL, 0, NULL);
		cr_assert_eq(t.result, 0, "%s", t.e.text);
		for (unsigned l = 0; l < 32; l++)
			cr_assert_eq(ptx_try_out(&t)[l], l % 2 ? each[i].of_odd : each[i].of_even, "case %u, lane %u: %u", i, l,
				     ptx_try_out(&t)[l]);
		ptx_try_free(&t);
	}
}

Test(ptx_space, a_space_that_cannot_be_told_is_refused)
{
	static const char *const spaces[] = {"const", "param", "param::entry", "shared::cluster", "nowhere"};

	for (unsigned i = 0; i < 5; i++) {
		char body[512];
		struct ptx_try t;

		snprintf(body, sizeof body, "ld.param.u64 %%rd1, [out];\nisspacep.%s %%p1, %%rd1;\nret;\n", spaces[i]);
		ptx_try_run(&t, "", body, one, warp, NULL, 0, NULL);
		cr_assert_eq(t.result, -1);
		cr_assert(strstr(t.e.text, "addresses of this space cannot be told from others here"), "%s", t.e.text);
		ptx_try_free(&t);
	}
}
