/* Atomics: lanes in ascending order, each on what the one before left. */
#include "ptx/exec/exec.h"

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

static uint64_t update(const struct mem_op *m, uint64_t old, uint64_t b, uint64_t c)
{
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

void exec_atomic(struct exec *x, struct warp *w, const struct mem_op *m, uint32_t mask, const struct access *at)
{
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned l = (unsigned)__builtin_ctz(rest);
		uint8_t *bytes = at->scattered ? at->lane_bytes[l] : at->bytes + at->offset[l];
		uint64_t old = 0, new;

		memcpy(&old, bytes, m->width);
		new = update(m, old, lane_value(x, w, m->src[0], m->width, l), lane_value(x, w, m->src[1], m->width, l));
		memcpy(bytes, &new, m->width);
		x->changes += new != old;
		if (m->reg[0] != NO_CODE)
			memcpy((uint8_t *)row_at(x, w, m->reg[0]) + (size_t)l * m->width, &old, m->width);
	}
}
