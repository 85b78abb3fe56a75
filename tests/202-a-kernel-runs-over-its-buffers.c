/* The plain way through: parameters, indices, guarded loads and stores, several CTAs. */
#include <criterion/criterion.h>

#include "support/ptx.h"

/* out[i] = in[i] + in[i + n / 2] for i < n / 2 */
static const char vectoradd[] = "	ld.param.u64 	%rd1, [out];\n"
				"	ld.param.u64 	%rd2, [in];\n"
				"	ld.param.u32 	%r1, [n];\n"
				"	shr.u32 	%r1, %r1, 1;\n"
				"	cvta.to.global.u64 	%rd1, %rd1;\n"
				"	cvta.to.global.u64 	%rd2, %rd2;\n"
				"	mov.u32 	%r2, %ctaid.x;\n"
				"	mov.u32 	%r3, %ntid.x;\n"
				"	mov.u32 	%r4, %tid.x;\n"
				"	mad.lo.s32 	%r5, %r2, %r3, %r4;\n"
				"	setp.ge.s32 	%p1, %r5, %r1;\n"
				"	@%p1 bra 	DONE;\n"
				"	mul.wide.s32 	%rd3, %r5, 4;\n"
				"	add.s64 	%rd4, %rd2, %rd3;\n"
				"	mul.wide.s32 	%rd5, %r1, 4;\n"
				"	add.s64 	%rd5, %rd4, %rd5;\n"
				"	ld.global.f32 	%f1, [%rd4];\n"
				"	ld.global.f32 	%f2, [%rd5];\n"
				"	add.f32 	%f3, %f1, %f2;\n"
				"	add.s64 	%rd6, %rd1, %rd3;\n"
				"	st.global.f32 	[%rd6], %f3;\n"
				"DONE:\n"
				"	ret;\n";

Test(ptx, a_vector_sum_is_right_for_whole_and_partial_ctas)
{
	float in[2000];

	for (int i = 0; i < 2000; i++)
		in[i] = (float)i;
	for (unsigned n = 2; n <= 2000; n = n * 3 / 2 + 2) {
		const uint32_t grid[3] = {(n / 2 + 99) / 100, 1, 1}, block[3] = {100, 1, 1};
		struct ptx_try t;
		const float *out;

		n -= n % 2;
		ptx_try_run(&t, "", vectoradd, grid, block, in, n, NULL);
		cr_assert_eq(t.result, 0, "%s", t.e.text);
		out = (const float *)ptx_try_out(&t);
		for (unsigned i = 0; i < n / 2; i++)
			cr_assert_eq(out[i], (float)(i + i + n / 2), "n %u, element %u: %g", n, i, (double)out[i]);
		for (unsigned i = n / 2; i < PTX_TRY_WORDS; i++)
			cr_assert_eq(out[i], 0);
		ptx_try_free(&t);
	}
}
