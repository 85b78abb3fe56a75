/* Atomics: lanes in ascending order, each on what the one before left. */
#include "ptx/exec/exec.h"
#include "ptx/rows/half.h"

#define UPDATE_INT(name, U, S)                                                                                                     \
	static U name(const struct mem_op *m, U old, U b, U c)                                                                     \
	{                                                                                                                          \
		bool is_signed = ptx_type_is_signed(m->type);                                                                      \
		switch (m->atomic) {                                                                                               \
		case ATOMIC_ADD:                                                                                                   \
			return old + b;                                                                                            \
		case ATOMIC_MIN:                                                                                                   \
			return (is_signed ? (S)b < (S)old : b < old) ? b : old;                                                    \
		case ATOMIC_MAX:                                                                                                   \
			return (is_signed ? (S)b > (S)old : b > old) ? b : old;                                                    \
		case ATOMIC_INC:                                                                                                   \
			return old >= b ? 0 : old + 1;                                                                             \
		case ATOMIC_DEC:                                                                                                   \
			return old == 0 || old > b ? b : old - 1;                                                                  \
		case ATOMIC_EXCH:                                                                                                  \
			return b;                                                                                                  \
		case ATOMIC_CAS:                                                                                                   \
			return old == b ? c : old;                                                                                 \
		case ATOMIC_AND:                                                                                                   \
			return old & b;                                                                                            \
		case ATOMIC_OR:                                                                                                    \
			return old | b;                                                                                            \
		case ATOMIC_XOR:                                                                                                   \
			return old ^ b;                                                                                            \
		}                                                                                                                  \
		return old;                                                                                                        \
	}
UPDATE_INT(update_32, uint32_t, int32_t)
UPDATE_INT(update_64, uint64_t, int64_t)

static uint64_t update_float(const struct mem_op *m, uint64_t old, uint64_t b)
{
	uint64_t bits = 0;

	if (m->type == PT_F64) {
		double x, y;

		memcpy(&x, &old, sizeof x);
		memcpy(&y, &b, sizeof y);
		x += y;
		memcpy(&bits, &x, sizeof x);
	} else {
		float x, y;

		memcpy(&x, &old, sizeof x);
		memcpy(&y, &b, sizeof y);
		x += y;
		memcpy(&bits, &x, sizeof x);
		if (x != x)
			bits = 0x7fffffff;
	}
	return bits;
}

/* One half or two; no flush of subnormals: that is what .noftz, which all of these have, says. */
static uint64_t update_half(const struct mem_op *m, uint64_t old, uint64_t b)
{
	struct half_shape s = m->type == PT_F16 || m->type == PT_F16X2 ? half_f16 : half_bf16;
	uint64_t sum = 0;

	for (unsigned at = 0; at < 8u * m->width; at += 16)
		sum |= (uint64_t)half_bits(half_fma(half_value((uint16_t)(old >> at), s), 1, half_value((uint16_t)(b >> at), s)), s,
					   0)
		       << at;
	return sum;
}

static uint64_t update(const struct mem_op *m, uint64_t old, uint64_t b, uint64_t c)
{
	if (m->type == PT_F16 || m->type == PT_BF16 || m->type == PT_F16X2 || m->type == PT_BF16X2)
		return update_half(m, old, b);
	if (ptx_type_is_float(m->type) && m->atomic == ATOMIC_ADD)
		return update_float(m, old, b);
	return m->width == 8 ? update_64(m, old, b, c) : update_32(m, (uint32_t)old, (uint32_t)b, (uint32_t)c);
}

static uint64_t lane_value(const struct exec *x, const struct warp *w, uint32_t row, unsigned width, unsigned l)
{
	uint64_t v = 0;

	if (row != NO_CODE)
		memcpy(&v, (const uint8_t *)row_at(x, w, row) + (size_t)l * width, width);
	return v;
}

bool exec_leaves(const struct ptx_kernel *k, const struct mem_op *m)
{
	uint64_t neutral = m->atomic != ATOMIC_AND ? 0 : m->width == 8 ? UINT64_MAX : UINT32_MAX, v = 0;
	bool may = m->atomic == ATOMIC_ADD || m->atomic == ATOMIC_OR || m->atomic == ATOMIC_XOR || m->atomic == ATOMIC_AND;

	if (!may || m->n > 1 || ptx_type_is_float(m->type) || !(m->src[0] & ROW_CONST))
		return false;
	memcpy(&v, k->pool + (m->src[0] - ROW_CONST), m->width);
	return v == neutral;
}

/* Whether the value changes. */
static bool update_lane(struct exec *x, struct warp *w, const struct mem_op *m, unsigned k, unsigned l, uint8_t *bytes)
{
	uint64_t old = 0, new, b = lane_value(x, w, m->src[k], m->width, l);

	memcpy(&old, bytes, m->width);
	new = update(m, old, b, m->n == 1 ? lane_value(x, w, m->src[1], m->width, l) : 0);
	memcpy(bytes, &new, m->width);
	x->changes += new != old;
	if (m->reg[k] != NO_CODE)
		memcpy((uint8_t *)row_at(x, w, m->reg[k]) + (size_t)l * m->width, &old, m->width);
	return new != old;
}

uint32_t exec_atomic(struct exec *x, struct warp *w, const struct mem_op *m, uint32_t mask, const struct access *at)
{
	uint32_t changed = 0;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned l = (unsigned)__builtin_ctz(rest);
		uint8_t *bytes = at->scattered ? at->lane_bytes[l] : at->bytes + at->offset[l];

		for (unsigned k = 0; k < m->n; k++)
			changed |= (uint32_t)update_lane(x, w, m, k, l, bytes + (size_t)k * m->width) << l;
	}
	return changed;
}
