/* What cuda_fp16.h and cuda_bf16.h have in common: comparisons, functions, operators, lanes. No include guard: each
 * includes it once, with these defined, which are gone behind it:
 *
 *     LOCUS_ONE, LOCUS_TWO    the type of one, and of two
 *     LOCUS_WHERE             what comes ahead of a function: on the device, or on both sides
 *     LOCUS_OF(f)             one from a float
 *     LOCUS_OF_BITS(u)        one from an unsigned short, in its __x
 *     LOCUS_OF_PAIR(u), LOCUS_PAIR(a)    two from an unsigned, and back
 */
/* A function a line reads as the table that it is. */
/* clang-format off */

/* ---- comparisons: floats hold both kinds exactly ---- */

#define LOCUS_COMPARE(name, expression)                                                                                            \
	LOCUS_WHERE bool __h##name(LOCUS_ONE x, LOCUS_ONE y)                                                                       \
	{                                                                                                                          \
		float a = (float)x, b = (float)y;                                                                                  \
		return expression;                                                                                                 \
	}                                                                                                                          \
	LOCUS_WHERE LOCUS_TWO __h##name##2(LOCUS_TWO a, LOCUS_TWO b)                                                               \
	{                                                                                                                          \
		return LOCUS_TWO(LOCUS_OF(__h##name(a.x, b.x) ? 1.0f : 0.0f), LOCUS_OF(__h##name(a.y, b.y) ? 1.0f : 0.0f));        \
	}                                                                                                                          \
	LOCUS_WHERE bool __hb##name##2(LOCUS_TWO a, LOCUS_TWO b) { return __h##name(a.x, b.x) && __h##name(a.y, b.y); }
LOCUS_COMPARE(eq, a == b)
LOCUS_COMPARE(ne, a < b || a > b)
LOCUS_COMPARE(lt, a < b)
LOCUS_COMPARE(le, a <= b)
LOCUS_COMPARE(gt, a > b)
LOCUS_COMPARE(ge, a >= b)
LOCUS_COMPARE(equ, !(a < b || a > b))
LOCUS_COMPARE(neu, a != b)
LOCUS_COMPARE(ltu, !(a >= b))
LOCUS_COMPARE(leu, !(a > b))
LOCUS_COMPARE(gtu, !(a <= b))
LOCUS_COMPARE(geu, !(a < b))
#undef LOCUS_COMPARE

/* ---- functions, through float ---- */

#define LOCUS_FUNCTION(name, function)                                                                                             \
	LOCUS_DEVICE LOCUS_ONE h##name(LOCUS_ONE a) { return LOCUS_OF(function((float)a)); }                                       \
	LOCUS_DEVICE LOCUS_TWO h2##name(LOCUS_TWO a) { return LOCUS_TWO(h##name(a.x), h##name(a.y)); }
LOCUS_FUNCTION(exp, expf)
LOCUS_FUNCTION(exp2, exp2f)
LOCUS_FUNCTION(exp10, exp10f)
LOCUS_FUNCTION(log, logf)
LOCUS_FUNCTION(log2, log2f)
LOCUS_FUNCTION(log10, log10f)
LOCUS_FUNCTION(sin, sinf)
LOCUS_FUNCTION(cos, cosf)
LOCUS_FUNCTION(sqrt, sqrtf)
LOCUS_FUNCTION(rsqrt, rsqrtf)
LOCUS_FUNCTION(rcp, 1.0f /)
LOCUS_FUNCTION(ceil, ceilf)
LOCUS_FUNCTION(floor, floorf)
LOCUS_FUNCTION(trunc, truncf)
LOCUS_FUNCTION(rint, rintf)
#undef LOCUS_FUNCTION

/* ---- operators ---- */

#define LOCUS_OPERATOR(op, one, two)                                                                                               \
	LOCUS_WHERE LOCUS_ONE operator op(const LOCUS_ONE &a, const LOCUS_ONE &b) { return one(a, b); }                            \
	LOCUS_WHERE LOCUS_TWO operator op(const LOCUS_TWO &a, const LOCUS_TWO &b) { return two(a, b); }                            \
	LOCUS_WHERE LOCUS_ONE &operator op##=(LOCUS_ONE &a, const LOCUS_ONE &b) { return a = one(a, b); }                          \
	LOCUS_WHERE LOCUS_TWO &operator op##=(LOCUS_TWO &a, const LOCUS_TWO &b) { return a = two(a, b); }
LOCUS_OPERATOR(+, __hadd, __hadd2)
LOCUS_OPERATOR(-, __hsub, __hsub2)
LOCUS_OPERATOR(*, __hmul, __hmul2)
LOCUS_OPERATOR(/, __hdiv, __h2div)
#undef LOCUS_OPERATOR
LOCUS_WHERE LOCUS_ONE operator-(const LOCUS_ONE &a) { return __hneg(a); }
LOCUS_WHERE LOCUS_TWO operator-(const LOCUS_TWO &a) { return __hneg2(a); }
#define LOCUS_OPERATOR(op, name)                                                                                                   \
	LOCUS_WHERE bool operator op(const LOCUS_ONE &a, const LOCUS_ONE &b) { return __h##name(a, b); }                           \
	LOCUS_WHERE bool operator op(const LOCUS_TWO &a, const LOCUS_TWO &b) { return __hb##name##2(a, b); }
LOCUS_OPERATOR(==, eq)
LOCUS_OPERATOR(!=, neu)
LOCUS_OPERATOR(<, lt)
LOCUS_OPERATOR(<=, le)
LOCUS_OPERATOR(>, gt)
LOCUS_OPERATOR(>=, ge)
#undef LOCUS_OPERATOR

/* ---- lanes and loads ---- */

#define LOCUS_LANES(name, second)                                                                                                  \
	LOCUS_DEVICE LOCUS_ONE name(unsigned mask, LOCUS_ONE v, second by, int width = 32)                                         \
	{                                                                                                                          \
		return LOCUS_OF_BITS((unsigned short)name(mask, (unsigned)v.__x, by, width));                                      \
	}                                                                                                                          \
	LOCUS_DEVICE LOCUS_TWO name(unsigned mask, LOCUS_TWO v, second by, int width = 32)                                         \
	{                                                                                                                          \
		return LOCUS_OF_PAIR(name(mask, LOCUS_PAIR(v), by, width));                                                        \
	}
LOCUS_LANES(__shfl_sync, int)
LOCUS_LANES(__shfl_up_sync, unsigned)
LOCUS_LANES(__shfl_down_sync, unsigned)
LOCUS_LANES(__shfl_xor_sync, int)
#undef LOCUS_LANES
LOCUS_DEVICE LOCUS_ONE __ldg(const LOCUS_ONE *p) { return LOCUS_OF_BITS(__ldg((const unsigned short *)p)); }
LOCUS_DEVICE LOCUS_TWO __ldg(const LOCUS_TWO *p) { return LOCUS_OF_PAIR(__ldg((const unsigned *)p)); }

#undef LOCUS_ONE
#undef LOCUS_TWO
#undef LOCUS_WHERE
#undef LOCUS_OF
#undef LOCUS_OF_BITS
#undef LOCUS_OF_PAIR
#undef LOCUS_PAIR
