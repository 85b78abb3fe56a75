/* Arithmetic on f16 and bf16, one or two in a register: each value becomes a double, and the result is rounded once. */
#include <math.h>

#include "ptx/exec/exec.h"
#include "ptx/exec/order.h"
#include "ptx/rows/half.h"

static double load(const struct half_op *h, struct half_shape s, uint32_t bits)
{
	double v = half_value((uint16_t)bits, s);

	return h->ftz && fabs(v) < ldexp(1, s.least) ? copysign(0, v) : v;
}

/* min and max: -0 < +0; the number, if one of them is NaN and NaN does not win. */
static double least(double a, double b)
{
	return a < b || (a == b && signbit(a)) ? a : b;
}

static double chosen(const struct half_op *h, double a, double b)
{
	double v;

	if (isnan(a) || isnan(b))
		v = h->nan || (isnan(a) && isnan(b)) ? (double)NAN : isnan(a) ? b : a;
	else if (h->kind == HALF_MIN)
		v = h->xorsign ? least(fabs(a), fabs(b)) : least(a, b);
	else
		v = h->xorsign ? -least(-fabs(a), -fabs(b)) : -least(-a, -b);
	return h->xorsign ? copysign(v, signbit(a) != signbit(b) ? -1 : 1) : v;
}

static bool compares(const char *how, double a, double b)
{
	bool unordered = isnan(a) || isnan(b);

	if (!strcmp(how, "num") || !strcmp(how, "nan"))
		return unordered == (how[1] == 'a');
	if (unordered)
		return how[2] == 'u'; /* equ, neu, ltu ... */
	return order_holds(how, (a > b) - (a < b));
}

static double value(const struct half_op *h, double a, double b, double c)
{
	switch (h->kind) {
	case HALF_ADD:
		return half_fma(a, 1, b);
	case HALF_SUB:
		return half_fma(a, 1, -b);
	case HALF_MUL:
		return a * b;
	case HALF_FMA:
		return half_fma(a, b, c);
	case HALF_MIN:
	case HALF_MAX:
		return chosen(h, a, b);
	case HALF_TANH:
		return tanh(a);
	case HALF_EX2:
		return exp2(a);
	default:
		return compares(h->compare, a, b) ? 1 : 0;
	}
}

static uint16_t one(const struct half_op *h, struct half_shape s, uint32_t a, uint32_t b, uint32_t c)
{
	double v;
	uint16_t bits;

	if (h->kind == HALF_NEG || h->kind == HALF_ABS) {
		if (isnan(half_value((uint16_t)a, s)))
			return HALF_CANONICAL_NAN;
		a = h->ftz ? half_bits(load(h, s, a), s, 0) : a;
		return (uint16_t)(h->kind == HALF_NEG ? a ^ 0x8000 : a & 0x7fff);
	}
	v = value(h, load(h, s, a), load(h, s, b), load(h, s, c));
	if (h->kind == HALF_SET)
		return h->mask ? (v != 0 ? 0xffff : 0) : half_bits(v, s, 0);
	if (h->sat)
		v = v > 0 ? (v < 1 ? v : 1) : 0; /* NaN too becomes 0 */
	if (h->relu && !isnan(v))
		v = v > 0 ? v : 0;
	bits = half_bits(v, s, 0);
	return h->ftz && !(bits >> s.fraction & ((1u << (15 - s.fraction)) - 1)) ? (uint16_t)(bits & 0x8000) : bits;
}

static uint16_t packed(const struct half_op *h, struct half_shape s, float f)
{
	double v = (double)f;
	uint16_t bits;

	if (h->relu && !isnan(v))
		v = v > 0 ? v : 0;
	bits = half_bits(v, s, h->toward_zero);
	if (h->satfinite && !isnan(v) && (bits & 0x7fff) == half_bits((double)INFINITY, s, 0))
		bits--;
	return bits;
}

static double at_least_zero(const struct half_op *h, double v)
{
	return h->relu && !isnan(v) && !(v > 0) ? 0 : v;
}

static uint32_t to_bytes(const struct half_op *h, const void *a, const void *b, unsigned l)
{
	double high = ((const lane_f32 *)a)[l], low = ((const lane_f32 *)b)[l];
	uint32_t pair = ((const lane_u32 *)a)[l];

	if (h->n == 2) {
		high = half_value((uint16_t)(pair >> 16), half_f16);
		low = half_value((uint16_t)pair, half_f16);
	}
	return (uint32_t)(element_round(h->bytes, at_least_zero(h, high)) << 8 | element_round(h->bytes, at_least_zero(h, low)));
}

static uint32_t from_bytes(const struct half_op *h, uint16_t pair)
{
	double high = element_value(h->bytes, pair >> 8), low = element_value(h->bytes, pair & 255);

	return (uint32_t)half_bits(at_least_zero(h, high), half_f16, 0) << 16 | half_bits(at_least_zero(h, low), half_f16, 0);
}

/* To nearest, ties away from zero: 10 bits of fraction remain. */
static uint32_t tf32(uint32_t bits)
{
	if ((bits & 0x7fffffff) > 0x7f800000)
		return 0x7fffffff;
	return (bits & 0x7fffffff) == 0x7f800000 ? bits : (bits + 0x1000) & ~0x1fffu;
}

static uint32_t operand(const void *row, const struct half_op *h, unsigned l)
{
	return h->n == 2 ? ((const lane_u32 *)row)[l] : ((const lane_u16 *)row)[l];
}

static void compare_lanes(const struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct half_op *h = &x->k->halves[i->aux];
	struct half_shape s = h->format == HALF_F16 ? half_f16 : half_bf16;
	const void *a = row_at(x, w, i->a), *b = row_at(x, w, i->b);
	uint32_t c = h->combine == COMBINE_NONE ? 0 : *(const lane_u32 *)row_at(x, w, i->c), answer[2] = {0, 0};

	for (unsigned l = 0; l < LANES; l++)
		for (unsigned k = 0; k < h->n; k++)
			answer[k] |= (uint32_t)compares(h->compare, load(h, s, operand(a, h, l) >> 16 * k),
							load(h, s, operand(b, h, l) >> 16 * k))
				     << l;
	if (h->n == 1)
		answer[1] = ~answer[0];
	c = h->c_negated ? ~c : c;
	for (unsigned k = 0; k < 2; k++)
		answer[k] = h->combine == COMBINE_AND	? answer[k] & c
			    : h->combine == COMBINE_OR	? answer[k] | c
			    : h->combine == COMBINE_XOR ? answer[k] ^ c
							: answer[k];
	if (i->d != NO_CODE)
		row_blend(row_at(x, w, i->d), &answer[0], mask, SIZE_PRED);
	if (h->second != NO_CODE)
		row_blend(row_at(x, w, h->second), &answer[1], mask, SIZE_PRED);
}

void exec_half(const struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct half_op *h = &x->k->halves[i->aux];
	struct half_shape s = h->format == HALF_F16 ? half_f16 : half_bf16;
	const void *a = row_at(x, w, i->a), *b = row_at(x, w, i->b), *c = row_at(x, w, i->c);
	_Alignas(64) uint32_t wide[LANES];
	_Alignas(64) uint16_t narrow[LANES];

	if (h->kind == HALF_SETP) {
		compare_lanes(x, w, i, mask);
		return;
	}
	for (unsigned l = 0; l < LANES; l++) {
		uint32_t d = 0;

		if (h->kind == HALF_TF32)
			d = tf32(((const lane_u32 *)a)[l]);
		else if (h->kind == HALF_TO_BYTES)
			d = to_bytes(h, a, b, l);
		else if (h->kind == HALF_FROM_BYTES)
			d = from_bytes(h, ((const lane_u16 *)a)[l]);
		else if (h->kind == HALF_PACK)
			d = (uint32_t)packed(h, s, ((const lane_f32 *)a)[l]) << 16 | packed(h, s, ((const lane_f32 *)b)[l]);
		else
			for (unsigned k = 0; k < h->n; k++)
				d |= (uint32_t)one(h, s, operand(a, h, l) >> 16 * k, operand(b, h, l) >> 16 * k,
						   operand(c, h, l) >> 16 * k)
				     << 16 * k;
		if (h->kind == HALF_SET && h->mask && h->n == 1)
			d = d ? UINT32_MAX : 0;
		wide[l] = d;
		narrow[l] = (uint16_t)d;
	}
	row_blend(row_at(x, w, i->d), i->dst_size == 4 ? (void *)wide : (void *)narrow, mask, i->dst_size);
}
