/* Floating point: IEEE 754 answers in all rounding modes, and what the PTX manual adds to them. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "support/ptx.h"
#include "support/ptx_op.h"

enum { F_TIE = 0x33800000 /* 2^-24, half a unit in the last place of 1 */, F_TWO = 0x40000000, F_HALF = 0x3f000000 };

static const struct op_case f32[] = {
	{"add.f32 $d, $0, $1",
	 "fff",
	 5,
	 {{{F_ONE, F_ONE}, F_TWO},
	  {{F_ONE, F_TIE}, F_ONE},
	  {{F_INF, F_INF | F_MINUS}, F_NAN},
	  {{F_MAX, F_MAX}, F_INF},
	  {{1, 1}, 2}}},
	{"add.rn.f32 $d, $0, $1", "fff", 2, {{{F_ONE, F_TIE}, F_ONE}, {{0x3f800001, F_TIE}, 0x3f800002}}},
	{"add.rz.f32 $d, $0, $1",
	 "fff",
	 3,
	 {{{0x3f800001, F_TIE}, 0x3f800001}, {{F_MAX, F_MAX}, F_MAX}, {{F_ONE | F_MINUS, F_TIE | F_MINUS}, F_ONE | F_MINUS}}},
	{"add.rm.f32 $d, $0, $1",
	 "fff",
	 3,
	 {{{F_ONE, F_TIE}, F_ONE}, {{F_ONE | F_MINUS, F_TIE | F_MINUS}, 0xbf800001}, {{F_ONE, F_ONE | F_MINUS}, F_MINUS}}},
	{"add.rp.f32 $d, $0, $1", "fff", 2, {{{F_ONE, F_TIE}, 0x3f800001}, {{F_ONE | F_MINUS, F_TIE | F_MINUS}, F_ONE | F_MINUS}}},
	{"sub.f32 $d, $0, $1", "fff", 2, {{{F_ONE, F_TWO}, F_ONE | F_MINUS}, {{F_QNAN, F_ONE}, F_NAN}}},
	{"mul.f32 $d, $0, $1",
	 "fff",
	 4,
	 {{{0x00800000, F_HALF}, 0x00400000}, {{0, F_INF}, F_NAN}, {{F_TWO, F_MAX}, F_INF}, {{F_MINUS, F_ONE}, F_MINUS}}},
	{"mul.rz.f32 $d, $0, $1", "fff", 1, {{{0x3f800001, 0x3f800001}, 0x3f800002}}},
	{"mul.rp.f32 $d, $0, $1", "fff", 1, {{{0x3f800001, 0x3f800001}, 0x3f800003}}},
	/* (1 + 2^-23)^2 - (1 + 2^-22) is 2^-46, of which a product rounded by itself leaves nothing */
	{"fma.rn.f32 $d, $0, $1, $2", "ffff", 2, {{{0x3f800001, 0x3f800001, 0xbf800002}, 0x28800000}, {{F_INF, 0, F_ONE}, F_NAN}}},
	{"fma.rp.f32 $d, $0, $1, $2", "ffff", 1, {{{F_ONE, F_ONE, F_TIE}, 0x3f800001}}},
	{"fma.rm.f32 $d, $0, $1, $2", "ffff", 1, {{{F_ONE, F_ONE, F_TIE}, F_ONE}}},
	{"fma.rz.f32 $d, $0, $1, $2", "ffff", 1, {{{F_ONE, F_ONE, F_TIE}, F_ONE}}},
	{"mad.rn.f32 $d, $0, $1, $2", "ffff", 1, {{{0x3f800001, 0x3f800001, 0xbf800002}, 0x28800000}}},
	{"div.rn.f32 $d, $0, $1",
	 "fff",
	 4,
	 {{{F_ONE, 0x40400000}, 0x3eaaaaab}, {{F_ONE, 0}, F_INF}, {{0, 0}, F_NAN}, {{F_ONE, F_MINUS}, F_INF | F_MINUS}}},
	{"div.rz.f32 $d, $0, $1", "fff", 1, {{{F_ONE, 0x40400000}, 0x3eaaaaaa}}},
	{"div.rp.f32 $d, $0, $1", "fff", 1, {{{F_ONE, 0x40a00000}, 0x3e4ccccd}}},
	{"div.rm.f32 $d, $0, $1", "fff", 1, {{{F_ONE, 0x40a00000}, 0x3e4ccccc}}},
	{"rcp.rn.f32 $d, $0", "ff", 3, {{{0x40400000}, 0x3eaaaaab}, {{F_MINUS}, F_INF | F_MINUS}, {{F_INF}, 0}}},
	{"sqrt.rn.f32 $d, $0",
	 "ff",
	 4,
	 {{{F_TWO}, 0x3fb504f3}, {{F_ONE | F_MINUS}, F_NAN}, {{F_MINUS}, F_MINUS}, {{F_INF}, F_INF}}},
	{"sqrt.rp.f32 $d, $0", "ff", 1, {{{F_TWO}, 0x3fb504f4}}},
	{"neg.f32 $d, $0", "ff", 2, {{{F_ONE}, F_ONE | F_MINUS}, {{0}, F_MINUS}}},
	{"abs.f32 $d, $0", "ff", 2, {{{F_ONE | F_MINUS}, F_ONE}, {{F_INF | F_MINUS}, F_INF}}},
	/* a number beats a NaN, and -0 is below +0 */
	{"min.f32 $d, $0, $1",
	 "fff",
	 6,
	 {{{F_ONE, F_TWO}, F_ONE},
	  {{F_QNAN, F_ONE}, F_ONE},
	  {{F_ONE, F_QNAN}, F_ONE},
	  {{F_QNAN, F_QNAN}, F_NAN},
	  {{0, F_MINUS}, F_MINUS},
	  {{F_MINUS, 0}, F_MINUS}}},
	{"max.f32 $d, $0, $1",
	 "fff",
	 5,
	 {{{F_ONE, F_TWO}, F_TWO}, {{F_QNAN, F_ONE}, F_ONE}, {{F_QNAN, F_QNAN}, F_NAN}, {{0, F_MINUS}, 0}, {{F_MINUS, 0}, 0}}},
	{"max.NaN.f32 $d, $0, $1", "fff", 3, {{{F_ONE, F_TWO}, F_TWO}, {{F_QNAN, F_ONE}, F_NAN}, {{F_ONE, F_QNAN}, F_NAN}}},
	{"min.ftz.NaN.f32 $d, $0, $1", "fff", 3, {{{F_ONE, F_TWO}, F_ONE}, {{F_QNAN, F_ONE}, F_NAN}, {{F_MINUS, 0}, F_MINUS}}},
	{"copysign.f32 $d, $0, $1", "fff", 2, {{{F_ONE | F_MINUS, F_TWO}, F_TWO | F_MINUS}, {{F_ONE, F_TWO | F_MINUS}, F_TWO}}},
	{0},
};

static const struct op_case modified[] = {
	{"add.ftz.f32 $d, $0, $1",
	 "fff",
	 4,
	 {{{1, 1}, 0}, {{0x80000001, 0}, 0}, {{0x00800000, 0x80800001}, F_MINUS}, {{F_ONE, 1}, F_ONE}}},
	{"mul.ftz.f32 $d, $0, $1", "fff", 2, {{{0x00800000, F_HALF}, 0}, {{0x007fffff, F_INF}, F_NAN}}},
	{"add.sat.f32 $d, $0, $1",
	 "fff",
	 4,
	 {{{F_ONE, F_ONE}, F_ONE}, {{F_ONE, 0xc0000000}, 0}, {{F_QNAN, 0}, 0}, {{F_HALF, 0}, F_HALF}}},
	{"fma.rn.ftz.sat.f32 $d, $0, $1, $2", "ffff", 2, {{{F_TWO, F_TWO, F_ONE}, F_ONE}, {{1, F_ONE, 0}, 0}}},
	{"mul.rz.ftz.f32 $d, $0, $1", "fff", 1, {{{0x3f800001, 0x3f800001}, 0x3f800002}}},
	{"max.ftz.f32 $d, $0, $1", "fff", 1, {{{1, 0x80000001}, 0}}},
	{"abs.ftz.f32 $d, $0", "ff", 1, {{{0x80000001}, 0}}},
	{"sqrt.rn.ftz.f32 $d, $0", "ff", 1, {{{1}, 0}}},
	{0},
};

static const struct op_case f64[] = {
	{"add.f64 $d, $0, $1", "ggg", 2, {{{D_ONE, D_ONE}, 0x4000000000000000}, {{D_ONE, 0x3ca0000000000000}, D_ONE}}},
	{"add.rp.f64 $d, $0, $1", "ggg", 1, {{{D_ONE, 0x3ca0000000000000}, 0x3ff0000000000001}}},
	{"sub.rn.f64 $d, $0, $1", "ggg", 1, {{{D_ONE, D_ONE}, 0}}},
	{"mul.rn.f64 $d, $0, $1", "ggg", 1, {{{0x4000000000000000, 0x3fe0000000000000}, D_ONE}}},
	{"fma.rn.f64 $d, $0, $1, $2",
	 "gggg",
	 1,
	 {{{0x3ff0000000000001, 0x3ff0000000000001, 0xbff0000000000002}, 0x3970000000000000}}},
	{"div.rn.f64 $d, $0, $1", "ggg", 2, {{{D_ONE, 0x4008000000000000}, 0x3fd5555555555555}, {{D_ONE, 0}, D_INF}}},
	{"div.rp.f64 $d, $0, $1", "ggg", 1, {{{D_ONE, 0x4008000000000000}, 0x3fd5555555555556}}},
	{"rcp.rn.f64 $d, $0", "gg", 1, {{{0x4008000000000000}, 0x3fd5555555555555}}},
	{"sqrt.rn.f64 $d, $0", "gg", 1, {{{0x4000000000000000}, 0x3ff6a09e667f3bcd}}},
	{"neg.f64 $d, $0", "gg", 1, {{{D_ONE}, D_ONE | D_MINUS}}},
	{"abs.f64 $d, $0", "gg", 1, {{{D_ONE | D_MINUS}, D_ONE}}},
	{"min.f64 $d, $0, $1", "ggg", 2, {{{D_NAN, D_ONE}, D_ONE}, {{0, D_MINUS}, D_MINUS}}},
	{"max.f64 $d, $0, $1", "ggg", 2, {{{D_ONE, D_NAN}, D_ONE}, {{0, D_MINUS}, 0}}},
	{"add.f64 $d, $0, 0d3FF0000000000000", "gg", 1, {{{D_ONE}, 0x4000000000000000}}},
	{0},
};

/* Where the manual fixes the value. */
static const struct op_case approximate[] = {
	{"ex2.approx.f32 $d, $0",
	 "ff",
	 4,
	 {{{0x40400000}, 0x41000000}, {{F_INF | F_MINUS}, 0}, {{F_INF}, F_INF}, {{F_QNAN}, F_NAN}}},
	{"ex2.approx.ftz.f32 $d, $0", "ff", 1, {{{0xc3010000}, 0}}}, /* 2^-129 */
	{"lg2.approx.f32 $d, $0",
	 "ff",
	 4,
	 {{{0x41000000}, 0x40400000}, {{0}, F_INF | F_MINUS}, {{F_ONE | F_MINUS}, F_NAN}, {{F_INF}, F_INF}}},
	{"sin.approx.f32 $d, $0", "ff", 3, {{{0}, 0}, {{F_MINUS}, F_MINUS}, {{F_INF}, F_NAN}}},
	{"cos.approx.f32 $d, $0", "ff", 2, {{{0}, F_ONE}, {{F_INF}, F_NAN}}},
	{"rsqrt.approx.f32 $d, $0",
	 "ff",
	 5,
	 {{{0x40800000}, F_HALF}, {{0}, F_INF}, {{F_MINUS}, F_INF | F_MINUS}, {{F_INF}, 0}, {{F_ONE | F_MINUS}, F_NAN}}},
	{"rsqrt.approx.f64 $d, $0", "gg", 1, {{{0x4010000000000000}, 0x3fe0000000000000}}},
	{"rcp.approx.ftz.f32 $d, $0", "ff", 3, {{{F_TWO}, F_HALF}, {{0}, F_INF}, {{1}, F_INF}}},
	{"sqrt.approx.f32 $d, $0", "ff", 2, {{{0x40800000}, F_TWO}, {{F_ONE | F_MINUS}, F_NAN}}},
	{"div.full.f32 $d, $0, $1", "fff", 1, {{{F_ONE, F_TWO}, F_HALF}}},
	/* a divisor above 2^126 makes 0, or NaN of an infinity */
	{"div.approx.f32 $d, $0, $1",
	 "fff",
	 4,
	 {{{0x40c00000, F_TWO}, 0x40400000}, {{F_ONE, 0x7f000000}, 0}, {{F_INF, 0x7f000000}, F_NAN}, {{F_ONE, F_INF}, 0}}},
	{"tanh.approx.f32 $d, $0", "ff", 2, {{{0}, 0}, {{F_INF}, F_ONE}}},
	{0},
};

Test(ptx_float, single_precision_is_rounded_once)
{
	ptx_op_check_all(f32);
}

Test(ptx_float, subnormals_flush_and_results_saturate_on_request)
{
	ptx_op_check_all(modified);
}

Test(ptx_float, double_precision_is_rounded_once)
{
	ptx_op_check_all(f64);
}

Test(ptx_float, approximate_functions_have_their_fixed_points)
{
	ptx_op_check_all(approximate);
}

/* The manual's bounds: ex2 2 + |1.173 x| units in the last place (taken as 2^-22 relative), lg2 2^-22.6 absolute in
 * (1/2, 2) and 2^-22 relative outside, sin and cos 2^-20.9 absolute in [-pi, pi]. */
Test(ptx_float, approximate_functions_lie_within_the_manuals_error)
{
	static const char body[] = "ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"
				   "mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd1, %rd1, %rd3;\nld.global.f32 %f1, [%rd1];\n"
				   "mul.wide.u32 %rd3, %r1, 16;\nadd.s64 %rd2, %rd2, %rd3;\n"
				   "ex2.approx.f32 %f2, %f1;\nabs.f32 %f6, %f1;\nlg2.approx.f32 %f3, %f6;\n"
				   "sin.approx.f32 %f4, %f1;\ncos.approx.f32 %f5, %f1;\n"
				   "st.global.v4.f32 [%rd2], {%f2, %f3, %f4, %f5};\n";
	float in[1024];
	struct ptx_try t;

	for (int i = 0; i < 1024; i++)
		in[i] = ((float)i - 511.3f) / 512 * 3.14159f;
	ptx_try_threads(&t, body, 1024, in, 1024);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (int i = 0; i < 1024; i++) {
		const float *got = (const float *)ptx_try_out(&t) + 4 * i;
		double x = in[i], lg = log2(fabs(x));

		cr_assert_lt(fabs(got[0] / exp2(x) - 1), 0x1p-22, "ex2 %g", x);
		cr_assert_lt(fabs(got[1] - lg), fabs(x) > 0.5 && fabs(x) < 2 ? 0x1p-22 * 0.66 : 0x1p-22 * fabs(lg), "lg2 %g", x);
		cr_assert_lt(fabs(got[2] - sin(x)), 0x1p-20 * 0.53, "sin %g", x);
		cr_assert_lt(fabs(got[3] - cos(x)), 0x1p-20 * 0.53, "cos %g", x);
	}
	ptx_try_free(&t);
}
