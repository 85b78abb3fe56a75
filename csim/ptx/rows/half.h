/* f16 and bf16 by way of doubles, which hold both without loss.
 *
 * A result is rounded once, to nearest, ties to even. NaN is 0x7fff in both formats, as on GPUs.
 */
#ifndef CSIM_PTX_HALF_H
#define CSIM_PTX_HALF_H

#include <math.h>
#include <stdint.h>
#include <string.h>

enum { HALF_CANONICAL_NAN = 0x7fff };

/* A format of 16 bits: bits of its fraction, least exponent of a normal number. */
struct half_shape {
	int fraction, least;
};
static const struct half_shape half_f16 = {10, -14}, half_bf16 = {7, -126};

static inline double half_value(uint16_t h, struct half_shape s)
{
	uint32_t most = (1u << (15 - s.fraction)) - 1, exponent = h >> s.fraction & most;
	uint32_t fraction = h & ((1u << s.fraction) - 1);
	uint64_t bits;
	double v;

	if (exponent == most)
		v = fraction ? (double)NAN : (double)INFINITY;
	else if (!exponent)
		v = ldexp((double)fraction, s.least - s.fraction);
	else {
		bits = (uint64_t)(1023 + s.least - 1 + (int)exponent) << 52 | (uint64_t)fraction << (52 - s.fraction);
		memcpy(&v, &bits, sizeof v);
	}
	return h & 0x8000 ? -v : v;
}

/* toward_zero: cut off instead; then nothing finite becomes infinite. */
static inline uint16_t half_bits(double v, struct half_shape s, int toward_zero)
{
	uint64_t bits, m, q, rest, middle;
	uint16_t sign, infinity = (uint16_t)(((1u << (15 - s.fraction)) - 1) << s.fraction);
	int e, shift;

	memcpy(&bits, &v, sizeof bits);
	sign = (uint16_t)(bits >> 48 & 0x8000);
	bits &= UINT64_MAX >> 1;
	if (bits > UINT64_C(0x7ff) << 52)
		return HALF_CANONICAL_NAN;
	if (bits == UINT64_C(0x7ff) << 52)
		return sign | infinity;
	e = (int)(bits >> 52) - 1023;
	if (e < s.least - s.fraction - 1)
		return sign;
	m = (bits & ((UINT64_C(1) << 52) - 1)) | UINT64_C(1) << 52;
	shift = 52 - s.fraction + (e < s.least ? s.least - e : 0);
	q = m >> shift;
	rest = m & ((UINT64_C(1) << shift) - 1);
	middle = UINT64_C(1) << (shift - 1);
	q += !toward_zero && (rest > middle || (rest == middle && (q & 1)));
	if (e >= s.least)
		q += (uint64_t)(e - s.least) << s.fraction;
	if (q >= infinity)
		return (uint16_t)(sign | (toward_zero ? infinity - 1 : infinity));
	return (uint16_t)(sign | q);
}

/* a * b + c, a and b of 11 bits or fewer, so that a second rounding, to 16 bits, gives what one would: the last bit is
 * set if anything was lost ("round to odd"). */
static inline double half_fma(double a, double b, double c)
{
	double p = a * b, sum = p + c, part = sum - p, lost = (p - (sum - part)) + (c - part);
	uint64_t bits;

	if (!(fabs(sum) <= 0x1p1000) || lost == 0)
		return sum;
	memcpy(&bits, &sum, sizeof bits);
	if (bits & 1)
		return sum;
	bits += (lost > 0) == (sum > 0) ? 1 : UINT64_MAX;
	memcpy(&sum, &bits, sizeof sum);
	return sum;
}

#endif
