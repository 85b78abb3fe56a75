/* Video instructions: arithmetic on bytes and halves of registers, in 64 bits, saturated or cut off at the end. */
#include "ptx/exec/exec.h"
#include "ptx/exec/order.h"

static int64_t extended(uint32_t v, unsigned at, unsigned bits, bool is_signed)
{
	uint64_t field = (uint64_t)v >> at << (64 - bits);

	return is_signed ? (int64_t)field >> (64 - bits) : (int64_t)(field >> (64 - bits));
}

/* The byte, half or whole register that an operand selects. */
static int64_t selected(uint32_t v, uint8_t part, bool is_signed)
{
	if (part >= PART_HALF)
		return extended(v, 16u * (part - PART_HALF), 16, is_signed);
	if (part >= PART_BYTE)
		return extended(v, 8u * (part - PART_BYTE), 8, is_signed);
	return extended(v, 0, 32, is_signed);
}

static unsigned amount(const struct video_op *v, int64_t b)
{
	return v->wrap ? (unsigned)b & 31 : b > 32 ? 32 : (unsigned)b;
}

static int64_t result(const struct video_op *v, int64_t a, int64_t b, uint32_t c)
{
	switch (v->kind) {
	case VIDEO_ADD:
		return a + b;
	case VIDEO_SUB:
		return a - b;
	case VIDEO_ABSDIFF:
		return a < b ? b - a : a - b;
	case VIDEO_MIN:
		return a < b ? a : b;
	case VIDEO_MAX:
		return a > b ? a : b;
	case VIDEO_SHL:
		return a * ((int64_t)1 << amount(v, b & UINT32_MAX));
	case VIDEO_SHR:
		return a >> amount(v, b & UINT32_MAX);
	case VIDEO_MAD: /* a product of 32-bit numbers of mixed signs, and one more, fit in 64 bits, unsigned */
		return (int64_t)((uint64_t)a * (uint64_t)b + (uint64_t)extended(c, 0, 32, v->d_signed) + v->po) >> v->scale;
	case VIDEO_AVRG:
		return (a + b + (a + b >= 0)) >> 1;
	default:
		return order_holds(v->compare, (a > b) - (a < b));
	}
}

static int64_t saturated(int64_t r, unsigned bits, bool is_signed)
{
	int64_t most = (INT64_C(1) << (bits - is_signed)) - 1, least = is_signed ? -(INT64_C(1) << (bits - 1)) : 0;

	return r < least ? least : r > most ? most : r;
}

static unsigned bits_of(uint8_t part)
{
	return part >= PART_HALF ? 16 : part >= PART_BYTE ? 8 : 32;
}

static uint32_t scalar(const struct video_op *v, uint32_t a, uint32_t b, uint32_t c)
{
	int64_t r = result(v, selected(a, v->a_part, v->a_signed), selected(b, v->b_part, v->b_signed), c);
	int64_t other = extended(c, 0, 32, v->d_signed);
	unsigned bits = bits_of(v->d_part), at;
	uint32_t field;

	r = v->sat ? saturated(r, bits, v->d_signed) : r;
	if (v->second) {
		r = extended((uint32_t)r, 0, 32, v->d_signed);
		return (uint32_t)(v->second == 'a' ? r + other : (v->second == 'm') == (r < other) ? r : other);
	}
	if (bits == 32)
		return (uint32_t)r;
	at = bits == 16 ? 16u * (v->d_part - PART_HALF) : 8u * (v->d_part - PART_BYTE);
	field = ((UINT32_C(1) << bits) - 1) << at;
	return ((uint32_t)r << at & field) | (c & ~field);
}

static uint32_t parts(const struct video_op *v, uint32_t a, uint32_t b, uint32_t c)
{
	unsigned bits = 32u / v->parts;
	uint32_t d = v->add ? c : 0;

	for (unsigned k = 0; k < v->parts; k++) {
		int64_t r = result(v, extended(a, k * bits, bits, v->a_signed), extended(b, k * bits, bits, v->b_signed), 0);

		r = v->sat ? saturated(r, bits, v->d_signed) : r;
		if (v->add)
			d += (uint32_t)r;
		else
			d |= ((uint32_t)r & ((UINT32_C(1) << bits) - 1)) << k * bits;
	}
	return d;
}

void exec_video(const struct exec *x, const struct warp *w, const struct insn *i, void *out)
{
	const struct video_op *v = &x->k->videos[i->aux];
	const lane_u32 *a = row_at(x, w, i->a), *b = row_at(x, w, i->b), *c = row_at(x, w, i->c);
	lane_u32 *d = out;

	for (unsigned l = 0; l < LANES; l++)
		d[l] = v->parts > 1 ? parts(v, a[l], b[l], c[l]) : scalar(v, a[l], b[l], c[l]);
}
