#include "ptx/lower/matrix.h"

#include <string.h>

#include "ptx/rows/half.h"

static const struct half_shape e4m3 = {3, -6}, e5m2 = {2, -14};

unsigned element_bits(enum element e)
{
	static const uint8_t bits[] = {[ELEMENT_F16] = 16, [ELEMENT_BF16] = 16, [ELEMENT_TF32] = 32, [ELEMENT_F32] = 32,
				       [ELEMENT_F64] = 64, [ELEMENT_E4M3] = 8,	[ELEMENT_E5M2] = 8,  [ELEMENT_S8] = 8,
				       [ELEMENT_U8] = 8,   [ELEMENT_S4] = 4,	[ELEMENT_U4] = 4,    [ELEMENT_S32] = 32};

	return bits[e];
}

static double float_value(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

/* A format of 8 bits; of e4m3 only all ones is no number, and there is no infinity. */
static double byte_value(enum element e, uint32_t bits)
{
	uint32_t magnitude = bits & 0x7f;
	double v;

	if (e == ELEMENT_E5M2)
		return half_value((uint16_t)(bits << 8), half_f16);
	if (magnitude == 0x7f)
		return (double)NAN;
	v = magnitude < 8 ? ldexp(magnitude, e4m3.least - e4m3.fraction)
			  : ldexp(8 + (magnitude & 7), (int)(magnitude >> 3) - 1 + e4m3.least - e4m3.fraction);
	return bits & 0x80 ? -v : v;
}

double element_value(enum element e, uint64_t bits)
{
	double d;

	switch (e) {
	case ELEMENT_F16:
		return half_value((uint16_t)bits, half_f16);
	case ELEMENT_BF16:
		return half_value((uint16_t)bits, half_bf16);
	case ELEMENT_TF32:
		return float_value((uint32_t)bits & ~UINT32_C(0x1fff));
	case ELEMENT_F32:
		return float_value((uint32_t)bits);
	case ELEMENT_F64:
		memcpy(&d, &bits, sizeof d);
		return d;
	case ELEMENT_S8:
		return (int8_t)bits;
	case ELEMENT_S4:
		return (int)((bits & 15) ^ 8) - 8;
	case ELEMENT_U8:
		return (double)(bits & 255);
	case ELEMENT_U4:
		return (double)(bits & 15);
	case ELEMENT_S32:
		return (int32_t)(uint32_t)bits;
	default:
		return byte_value(e, (uint32_t)bits & 255);
	}
}

/* To the nearest, ties to even, at most the largest number. */
static uint64_t byte_bits(enum element e, double v)
{
	struct half_shape s = e == ELEMENT_E4M3 ? e4m3 : e5m2;
	double size = fmin(fabs(v), e == ELEMENT_E4M3 ? 448 : 57344);
	int exponent = size < ldexp(1, s.least) ? s.least : ilogb(size);

	if (isnan(v))
		return 0x7f;
	return (signbit(v) ? 0x80u : 0) + (unsigned)rint(ldexp(size, s.fraction - exponent)) +
	       ((unsigned)(exponent - s.least) << s.fraction);
}

uint64_t element_round(enum element e, double v)
{
	uint64_t bits = 0;
	float f = (float)v;

	switch (e) {
	case ELEMENT_F16:
		return half_bits(v, half_f16, 0);
	case ELEMENT_BF16:
		return half_bits(v, half_bf16, 0);
	case ELEMENT_F64:
		memcpy(&bits, &v, sizeof v);
		return bits;
	case ELEMENT_S32:
		return (uint32_t)(int64_t)v;
	case ELEMENT_E4M3:
	case ELEMENT_E5M2:
		return byte_bits(e, v);
	default:
		if (isnan(v))
			return 0x7fffffff;
		memcpy(&bits, &f, sizeof f);
		return bits;
	}
}

void fragment_at(const struct fragment *f, unsigned lane, unsigned slot, unsigned *row, unsigned *col)
{
	unsigned group = lane / 4, in_group = lane % 4, each = 8u * f->reg_bytes / f->bits, index;
	unsigned reg = slot / each, along = in_group * each + slot % each; /* in A and B: along k */

	switch (f->layout) {
	case FRAGMENT_A:
		*row = group + (f->rows == 16 ? 8 * (reg % 2) : 0);
		*col = along + 4 * each * (f->rows == 16 ? reg / 2 : reg);
		break;
	case FRAGMENT_B:
		*row = along + 4 * each * reg;
		*col = group;
		break;
	case FRAGMENT_C:
		*row = group + 8 * (slot / 2);
		*col = in_group * 2 + slot % 2;
		break;
	default:
		index = lane * fragment_slots(f) + slot % fragment_slots(f);
		*row = f->layout == FRAGMENT_ROWS ? index / f->cols : index % f->rows;
		*col = f->layout == FRAGMENT_ROWS ? index % f->cols : index / f->rows;
		break;
	}
}
