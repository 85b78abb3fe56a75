/* cvt, for all pairs of types: into a double or a wide integer without loss, and from there into what is asked for.
 *
 * Of a NaN, an integer becomes 0 if source and destination have 32 bits or fewer, else the lowest signed value's bits:
 * so says the PTX manual (9.0). Out of range, an integer is clamped. The common pairs have row functions
 * (rows_convert.c).
 */
#include <fenv.h>
#include <math.h>

#include "ptx/exec/exec.h"
#include "ptx/rows/half.h"

__extension__ typedef __int128 wide;

enum { HALF_NAN = 0x7fff, HALF_INF = 0x7c00, HALF_LARGEST = 0x7bff };

static double half_to_double(uint16_t h)
{
	int exponent = h >> 10 & 31, fraction = h & 1023;
	double v;

	if (exponent == 31)
		v = fraction ? NAN : INFINITY;
	else
		v = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
	return h & 0x8000 ? -v : v;
}

static uint16_t half_overflow(bool negative, int rounding)
{
	bool to_infinity = rounding == FE_TONEAREST || rounding == (negative ? FE_DOWNWARD : FE_UPWARD);

	return (uint16_t)((negative ? 0x8000 : 0) | (to_infinity ? HALF_INF : HALF_LARGEST));
}

/* In the current rounding mode, which the caller names too. */
static uint16_t double_to_half(double v, int rounding)
{
	bool negative = signbit(v);
	int exponent;
	double n;
	unsigned bits;

	if (v != v)
		return HALF_NAN;
	if (isinf(v))
		return (uint16_t)((negative ? 0x8000 : 0) | HALF_INF);
	if (v == 0)
		return negative ? 0x8000 : 0;
	exponent = ilogb(v) < -14 ? -14 : ilogb(v);
	if (exponent > 15)
		return half_overflow(negative, rounding);
	n = fabs(nearbyint(ldexp(v, 10 - exponent)));
	bits = (unsigned)n + ((unsigned)(exponent + 14) << 10);
	return bits >= HALF_INF ? half_overflow(negative, rounding) : (uint16_t)((negative ? 0x8000 : 0) | bits);
}

static double flush(double v, bool ftz)
{
	return ftz && fabs(v) < 0x1p-126 ? copysign(0, v) : v;
}

static double load_float(const struct cvt_op *c, const void *a, unsigned l)
{
	if (c->from == PT_F16)
		return half_to_double(((const lane_u16 *)a)[l]);
	if (c->from == PT_BF16)
		return half_value(((const lane_u16 *)a)[l], half_bf16);
	if (c->from == PT_F64)
		return ((const lane_f64 *)a)[l];
	return flush((double)((const lane_f32 *)a)[l], c->ftz);
}

/* The low bytes of the register, extended by the type's sign. */
static wide load_int(const struct cvt_op *c, const void *a, unsigned l)
{
	unsigned bits = 8 * ptx_type_bytes(c->from);
	uint64_t v = c->from_bytes == 8	  ? ((const lane_u64 *)a)[l]
		     : c->from_bytes == 4 ? ((const lane_u32 *)a)[l]
					  : ((const lane_u16 *)a)[l];

	if (ptx_type_is_signed(c->from))
		return (int64_t)(v << (64 - bits)) >> (64 - bits);
	return v << (64 - bits) >> (64 - bits);
}

static void store_int(const struct cvt_op *c, void *d, unsigned l, wide v)
{
	unsigned bits = 8 * ptx_type_bytes(c->to);
	uint64_t low = (uint64_t)v << (64 - bits);

	low = ptx_type_is_signed(c->to) ? (uint64_t)((int64_t)low >> (64 - bits)) : low >> (64 - bits);
	if (c->to_bytes == 8)
		((lane_u64 *)d)[l] = low;
	else if (c->to_bytes == 4)
		((lane_u32 *)d)[l] = (uint32_t)low;
	else
		((lane_u16 *)d)[l] = (uint16_t)low;
}

static wide clamp(const struct cvt_op *c, wide v)
{
	unsigned bits = 8 * ptx_type_bytes(c->to);
	wide least = ptx_type_is_signed(c->to) ? -((wide)1 << (bits - 1)) : 0;
	wide most = ((wide)1 << (bits - ptx_type_is_signed(c->to))) - 1;

	return v < least ? least : v > most ? most : v;
}

static double to_integer_value(double v, int rounding)
{
	return rounding == FE_TOWARDZERO ? trunc(v)
	       : rounding == FE_DOWNWARD ? floor(v)
	       : rounding == FE_UPWARD	 ? ceil(v)
					 : rint(v);
}

static wide float_to_int(const struct cvt_op *c, double v)
{
	if (v != v)
		return c->from == PT_F64 || ptx_type_bytes(c->to) == 8 ? (wide)1 << (8 * ptx_type_bytes(c->to) - 1) : 0;
	v = to_integer_value(v, c->rounding);
	/* beyond 2^64 all types clamp, and `wide` holds it */
	v = v > 0x1p65 ? 0x1p65 : v < -0x1p65 ? -0x1p65 : v;
	return clamp(c, (wide)v);
}

static void store_float(const struct cvt_op *c, void *d, unsigned l, double v)
{
	uint32_t nan = 0x7fffffff;

	if (c->sat)
		v = v > 0 ? (v < 1 ? v : 1) : 0; /* NaN too becomes 0 */
	if (c->relu && v == v)
		v = v > 0 ? v : 0;
	if (c->to == PT_BF16) {
		((lane_u16 *)d)[l] = half_bits(v, half_bf16, c->rounding == FE_TOWARDZERO && c->how == CVT_TO_FLOAT);
	} else if (c->to == PT_F16) {
		((lane_u16 *)d)[l] = double_to_half(v, c->how == CVT_TO_FLOAT ? c->rounding : FE_TONEAREST);
	} else if (c->to == PT_F64) {
		((lane_f64 *)d)[l] = v;
	} else if (v != v) {
		((lane_u32 *)d)[l] = nan;
	} else {
		((lane_f32 *)d)[l] = (float)flush((double)(float)v, c->ftz);
	}
}

/* Rounded once, from the integer. */
static void int_to_float(const struct cvt_op *c, void *d, unsigned l, wide v)
{
	double as_double = v < 0 ? (double)(int64_t)v : (double)(uint64_t)v;
	float as_float = v < 0 ? (float)(int64_t)v : (float)(uint64_t)v;

	store_float(c, d, l, c->to == PT_F32 ? (double)as_float : as_double);
}

void exec_convert(const struct cvt_op *c, void *d, const void *a)
{
	bool from_float = ptx_type_is_float(c->from), to_float = ptx_type_is_float(c->to);
	bool directed = c->how == CVT_TO_FLOAT && c->rounding != FE_TONEAREST;

	if (directed)
		fesetround(c->rounding);
	for (unsigned l = 0; l < LANES; l++) {
		if (from_float) {
			double v = load_float(c, a, l);

			if (!to_float)
				store_int(c, d, l, float_to_int(c, v));
			else
				store_float(c, d, l, c->how == CVT_TO_INTEGER ? to_integer_value(v, c->rounding) : v);
		} else {
			wide v = load_int(c, a, l);

			if (to_float)
				int_to_float(c, d, l, v);
			else
				store_int(c, d, l, c->sat ? clamp(c, v) : v);
		}
	}
	if (directed)
		fesetround(FE_TONEAREST);
}
