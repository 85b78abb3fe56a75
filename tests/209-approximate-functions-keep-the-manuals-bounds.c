/* The .approx functions against long double, over all magnitudes, within the errors of the PTX ISA manual: div 2 units
 * in the last place for divisors of 2^-126 to 2^126 (9.7.3.8), rcp 1 unit (9.7.3.13), sqrt 2^-23 and rsqrt 2^-22.9
 * relative (9.7.3.15, 16), sin and cos 2^-20.5 absolute within 2 pi and 2^-14.7 within 100 pi (9.7.3.18, 19), lg2 2^-22
 * absolute in (1/2, 2) and relative elsewhere (9.7.3.20), ex2 2 units (9.7.3.21), tanh 2^-11 relative (9.7.3.22); and
 * the results that its tables print for zeros, infinities and NaN. Held against the manual's text.
 */
#include <criterion/criterion.h>
#include <float.h>
#include <math.h>
#include <string.h>

#include "ptx/rows/rows.h"
#include "support/random.h"

/* Of the float nearest to v; subnormals have the spacing of the least normal numbers. */
static long double ulp(long double v)
{
	int e;

	v = fabsl(v);
	if (v < FLT_MIN)
		return 0x1p-149L;
	frexpl(v, &e);
	return ldexpl(1, e - FLT_MANT_DIG);
}

static float float_of(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

/* Every 9973rd positive float and its negative: all exponents, some 430,000 values. */
enum { STEP = 9973 };

struct checked {
	const char *key;
	long double (*exact)(long double);
	/* the error that is allowed at x, whose exact value is y; negative: not said */
	long double (*bound)(long double x, long double y);
};

static long double rcp(long double x)
{
	return 1 / x;
}
static long double rsqrt(long double x)
{
	return 1 / sqrtl(x);
}
static long double rcp_bound(long double x, long double y)
{
	(void)x;
	return ulp(y);
}
static long double sqrt_bound(long double x, long double y)
{
	return x < 0 ? -1 : y * 0x1p-23L;
}
static long double rsqrt_bound(long double x, long double y)
{
	return x <= 0 ? -1 : y * powl(2, -22.9L);
}
static long double sine_bound(long double x, long double y)
{
	(void)y;
	x = fabsl(x) / 3.14159265358979323846L;
	return x <= 2 ? powl(2, -20.5L) : x <= 100 ? powl(2, -14.7L) : -1;
}
static long double lg2_bound(long double x, long double y)
{
	return x <= 0 ? -1 : x > 0.5L && x < 2 ? 0x1p-22L : fabsl(y) * 0x1p-22L;
}
static long double ex2_bound(long double x, long double y)
{
	(void)x;
	return 2 * ulp(y);
}
static long double tanh_bound(long double x, long double y)
{
	(void)x;
	return fabsl(y) * 0x1p-11L;
}

static void check_row(const struct checked *c, row_fn fn, const lane_f32 *in)
{
	_Alignas(64) lane_f32 out[LANES];

	fn(out, in, in, in, in);
	for (unsigned l = 0; l < LANES; l++) {
		long double y = c->exact(in[l]), bound = c->bound(in[l], y);

		if (bound < 0)
			continue;
		if (fabsl(y) >= 0x1p128L - 0x1p103L) /* rounds to infinity */
			cr_assert(isinf(out[l]) && (out[l] < 0) == (y < 0), "%s %a", c->key, (double)in[l]);
		else
			cr_assert(fabsl(out[l] - y) <= bound, "%s %a: %a", c->key, (double)in[l], (double)out[l]);
	}
}

Test(ptx_approximate, functions_of_one_operand_keep_their_bounds_over_all_magnitudes)
{
	static const struct checked list[] = {
		{"rcp.approx.f32", rcp, rcp_bound},	  {"sqrt.approx.f32", sqrtl, sqrt_bound},
		{"rsqrt.approx.f32", rsqrt, rsqrt_bound}, {"sin.approx.f32", sinl, sine_bound},
		{"cos.approx.f32", cosl, sine_bound},	  {"lg2.approx.f32", log2l, lg2_bound},
		{"ex2.approx.f32", exp2l, ex2_bound},	  {"tanh.approx.f32", tanhl, tanh_bound},
	};
	_Alignas(64) lane_f32 in[LANES];

	for (unsigned f = 0; f < sizeof list / sizeof list[0]; f++) {
		const struct alu_def *def = alu_find(list[f].key);
		uint32_t bits = 1, n = 0;

		cr_assert(def, "%s", list[f].key);
		for (; bits < 0x7f800000 - LANES * STEP; n++) {
			for (unsigned l = 0; l < LANES; l += 2, bits += STEP) {
				in[l] = float_of(bits);
				in[l + 1] = -in[l];
			}
			check_row(&list[f], def->fn, in);
		}
		cr_assert_gt(n, 13000);
	}
}

/* The manual's tables of corner cases: what -Inf, a negative normal number, -0, +0, +Inf and NaN give. N stands for
 * NaN. */
Test(ptx_approximate, corner_cases_are_those_of_the_manuals_tables)
{
#define N NAN
#define I INFINITY
	static const struct {
		const char *key;
		float result[6];
	} table[] = {
		{"rcp.approx.f32", {-0.0f, -0.5f, -I, I, 0, N}},  {"sqrt.approx.f32", {N, N, -0.0f, 0, I, N}},
		{"rsqrt.approx.f32", {N, N, -I, I, 0, N}},	  {"lg2.approx.f32", {N, N, -I, -I, I, N}},
		{"ex2.approx.f32", {0, 0.25f, 1, 1, I, N}},	  {"sin.approx.f32", {N, -0.9092974f, -0.0f, 0, N, N}},
		{"cos.approx.f32", {N, -0.4161468f, 1, 1, N, N}}, {"tanh.approx.f32", {-1, -0.9640276f, -0.0f, 0, 1, N}},
	};
#undef N
#undef I
	_Alignas(64) lane_f32 in[LANES] = {-INFINITY, -2, -0.0f, 0, INFINITY, NAN}, out[LANES];

	for (unsigned f = 0; f < sizeof table / sizeof table[0]; f++) {
		const struct alu_def *def = alu_find(table[f].key);

		cr_assert(def, "%s", table[f].key);
		def->fn(out, in, in, in, in);
		for (unsigned i = 0; i < 6; i++) {
			float want = table[f].result[i], got = out[i];

			if (isnan(want))
				cr_assert(isnan(got), "%s(%g): %g", table[f].key, (double)in[i], (double)got);
			else
				cr_assert((got == want || fabsf(got - want) < 0x1p-10f * fabsf(want)) &&
						  signbit(got) == signbit(want),
					  "%s(%g): %g", table[f].key, (double)in[i], (double)got);
		}
	}
}

/* 9.7.3.8: beyond 2^126 the reciprocal of the divisor is flushed: a sign-preserving zero, and NaN for an infinite
 * dividend. */
Test(ptx_approximate, quotients_by_huge_divisors_are_zero)
{
	const struct alu_def *approx = alu_find("div.approx.f32"), *full = alu_find("div.full.f32");
	_Alignas(64) lane_f32 a[LANES] = {1, -1, INFINITY, 0x1p127f}, b[LANES] = {0x1p127f, 0x1p127f, 0x1p127f, 0x1.8p126f},
			      out[LANES];

	approx->fn(out, a, b, NULL, NULL);
	cr_assert(out[0] == 0 && !signbit(out[0]) && out[1] == 0 && signbit(out[1]) && isnan(out[2]) && out[3] == 0);
	full->fn(out, a, b, NULL, NULL);
	cr_assert(out[0] == 0x1p-127f && out[1] == -0x1p-127f && isinf(out[2]) && fabsf(out[3] - 4.0f / 3) <= 0x1p-22f);
}

Test(ptx_approximate, quotients_keep_their_bounds)
{
	static const char *const keys[] = {"div.approx.f32", "div.full.f32"};
	_Alignas(64) lane_f32 a[LANES], b[LANES], out[LANES];

	for (unsigned k = 0; k < 2; k++) {
		const struct alu_def *def = alu_find(keys[k]);
		uint64_t state = 1;

		for (unsigned n = 0; n < 10000; n++) {
			for (unsigned l = 0; l < LANES; l++) {
				uint64_t x = random_u64(&state), y = random_u64(&state);

				a[l] = float_of((uint32_t)(x >> 32) % 0x7f800000 | (uint32_t)(x >> 10 & 1) << 31);
				b[l] = ldexpf(1 + (float)(y >> 41) * 0x1p-23f, (int)(y >> 20 & 0xff) % 252 - 126);
			}
			def->fn(out, a, b, NULL, NULL);
			for (unsigned l = 0; l < LANES; l++) {
				long double y = (long double)a[l] / b[l];

				if (fabsl(y) >= 0x1p128L - 0x1p103L)
					cr_assert(isinf(out[l]));
				else
					cr_assert(fabsl(out[l] - y) <= 2 * ulp(y), "%s %a %a", keys[k], (double)a[l], (double)b[l]);
			}
		}
	}
}

/* rcp.approx.ftz.f64 looks at the upper 32 bits of its operand and makes those of its result; the lower ones are
 * zero. */
Test(ptx_approximate, the_reciprocal_of_doubles_has_the_upper_half_only)
{
	const struct alu_def *def = alu_find("rcp.approx.f64");
	_Alignas(64) lane_f64 in[LANES], out[LANES];

	for (unsigned l = 0; l < LANES; l++)
		in[l] = ldexp(1 + l / 32.0 + 0x1p-40 * l, 60 * (int)l - 930) * (l % 2 ? -1 : 1);
	def->fn(out, in, in, in, in);
	for (unsigned l = 0; l < LANES; l++) {
		uint64_t bits;
		double d = out[l];

		memcpy(&bits, &d, sizeof bits);
		cr_assert_eq(bits & UINT32_MAX, 0);
		cr_assert(fabs(d * in[l] - 1) < 0x1p-19, "%a", in[l]);
	}
	in[0] = 0;
	in[1] = -INFINITY;
	in[2] = NAN;
	in[3] = -0.0;
	def->fn(out, in, in, in, in);
	cr_assert(out[0] == INFINITY && out[1] == 0 && signbit(out[1]) && isnan(out[2]) && out[3] == -INFINITY);
}
