/* .func: parameters, results, divergence across a call. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

/* out[i] = square of i, plus 1 where i is odd: the function returns early in some lanes */
static const char head[] =
	".visible .func (.param .b32 ret) odd_square(.param .b32 x)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<8>;\n"
	"ld.param.u32 %r1, [x];\nmul.lo.u32 %r2, %r1, %r1;\nand.b32 %r3, %r1, 1;\nsetp.eq.u32 %p1, %r3, 0;\n"
	"st.param.b32 [ret], %r2;\n@%p1 ret;\nadd.u32 %r2, %r2, 1;\nst.param.b32 [ret+0], %r2;\nret;\n}\n"
	".func (.param .b64 r) both(.param .b32 a, .param .b32 b)\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n"
	"ld.param.u32 %r1, [a];\n{\n.param .b32 p0;\nst.param.b32 [p0], %r1;\n.param .b32 r0;\n"
	"call.uni (r0), odd_square, (p0);\nld.param.b32 %r2, [r0];\n}\nld.param.u32 %r3, [b];\nadd.u32 %r2, %r2, %r3;\n"
	"cvt.u64.u32 %rd1, %r2;\nst.param.b64 [r], %rd1;\nret;\n}\n"
	".func nothing()\n{\nret;\n}\n";

#define FRAME "ld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd2, %rd3;\n"

static uint32_t square(uint32_t i)
{
	return i * i + i % 2;
}

Test(ptx_function, a_call_passes_parameters_and_brings_the_result)
{
	static const char body[] =
		FRAME "{\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\n.param .b32 retval0;\n"
		      "call.uni (retval0), odd_square, (param0);\nld.param.b32 %r2, [retval0+0];\n}\ncall nothing;\n"
		      "st.global.u32 [%rd2], %r2;\n";
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {70, 1, 1};
	struct ptx_try t;

	ptx_try_run(&t, head, body, grid, block, NULL, 0, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 70; i++)
		cr_assert_eq(ptx_try_out(&t)[i], square(i));
	ptx_try_free(&t);
}

Test(ptx_function, calls_nest_and_may_be_repeated_or_guarded)
{
	static const char body[] =
		FRAME "mov.u64 %rd5, 5;\nsetp.gt.u32 %p1, %r1, 40;\n"
		      "{\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\n.param .b32 param1;\nst.param.b32 [param1], 100;\n"
		      ".param .b64 retval0;\ncall.uni (retval0), both, (param0, param1);\nld.param.b64 %rd4, [retval0];\n}\n"
		      "{\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\n.param .b32 param1;\nst.param.b32 [param1], 7;\n"
		      ".param .b64 retval0;\nst.param.b64 [retval0], %rd5;\n@!%p1 call (retval0), both, (param0, param1);\n"
		      "ld.param.b64 %rd5, [retval0];\n}\n"
		      "add.u64 %rd4, %rd4, %rd5;\ncvt.u32.u64 %r2, %rd4;\nst.global.u32 [%rd2], %r2;\n";
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {70, 1, 1};
	struct ptx_try t;

	ptx_try_run(&t, head, body, grid, block, NULL, 0, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 70; i++)
		cr_assert_eq(ptx_try_out(&t)[i], square(i) + 100 + (i > 40 ? 5 : square(i) + 7), "thread %u", i);
	ptx_try_free(&t);
}

Test(ptx_function, what_cannot_be_called_is_refused_with_its_line)
{
	static const char without[] = ".extern .func vprintf(.param .b64 a);\n.extern .func other(.param .b64 a);\n";
	static const char *const bodies[] = {"{\n.param .b64 p;\nst.param.b64 [p], %rd1;\ncall.uni vprintf, (p);\n}\n",
					     "{\n.param .b64 p;\ncall other, (p);\n}\n"};

	for (int i = 0; i < 2; i++) {
		const uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
		struct ptx_try t;

		ptx_try_run(&t, without, bodies[i], grid, block, NULL, 0, NULL);
		cr_assert_eq(t.result, -1);
		cr_assert(strstr(t.e.text, "call") && strstr(t.e.text, "test.ptx:"), "%s", t.e.text);
		ptx_try_free(&t);
	}
}
