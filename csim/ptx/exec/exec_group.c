/* What the lanes of a warp find out together: match, redux, elect. Of the members, those take part that are active. */
#include "ptx/exec/exec.h"

static uint64_t lane_value(const void *row, unsigned l, unsigned bytes)
{
	return bytes == 8 ? ((const lane_u64 *)row)[l] : ((const lane_u32 *)row)[l];
}

static uint32_t equal_lanes(const void *a, unsigned bytes, unsigned to, uint32_t mask)
{
	uint32_t same = 0;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned l = (unsigned)__builtin_ctz(rest);

		same |= (uint32_t)(lane_value(a, l, bytes) == lane_value(a, to, bytes)) << l;
	}
	return same;
}

static uint32_t reduced(enum group_mode mode, bool is_signed, const lane_u32 *a, uint32_t mask)
{
	uint32_t sum = a[__builtin_ctz(mask)];

	for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
		uint32_t v = a[__builtin_ctz(rest)];
		bool less = is_signed ? (int32_t)v < (int32_t)sum : v < sum;

		switch (mode) {
		case GROUP_ADD:
			sum += v;
			break;
		case GROUP_MIN:
			sum = less ? v : sum;
			break;
		case GROUP_MAX:
			sum = less ? sum : v;
			break;
		case GROUP_AND:
			sum &= v;
			break;
		case GROUP_OR:
			sum |= v;
			break;
		default:
			sum ^= v;
			break;
		}
	}
	return sum;
}

/* By PTX, -0 is less than +0, and NaNs do not count, or make the result one. */
static uint32_t reduced_float(enum group_mode mode, unsigned how, const lane_u32 *a, uint32_t mask)
{
	const uint32_t sign = UINT32_C(1) << 31, nan = 0x7fffffff;
	uint32_t best = nan;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		uint32_t v = a[__builtin_ctz(rest)] & (how & GROUP_ABS ? ~sign : UINT32_MAX);
		int64_t size = v & ~sign, order = v & sign ? -1 - size : size, size_best = best & ~sign;
		int64_t order_best = best & sign ? -1 - size_best : size_best;

		if (size > 0x7f800000) {
			if (how & GROUP_NAN)
				return nan;
		} else if (best == nan || (mode == GROUP_MIN ? order < order_best : order > order_best)) {
			best = v;
		}
	}
	return best;
}

/* i->join: bytes of the value; i->negated: it is signed; i->b: enum group_float. */
void exec_group(const struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	enum group_mode mode = (enum group_mode)i->aux;
	const void *a = row_at(x, w, i->a);
	const lane_u32 *members = row_at(x, w, i->e);
	uint32_t row[LANES] = {0}, all = 0;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned l = (unsigned)__builtin_ctz(rest);
		uint32_t who = members[l] & mask;
		uint32_t self = who ? who : 1u << l, same;

		if (mode == GROUP_ELECT) {
			row[l] = (uint32_t)__builtin_ctz(self);
			all |= (uint32_t)(row[l] == l) << l;
		} else if (mode <= GROUP_ALL) {
			same = equal_lanes(a, i->join, l, self);
			all |= (uint32_t)(same == self) << l;
			row[l] = mode == GROUP_ANY || same == self ? same : 0;
		} else {
			row[l] = i->b ? reduced_float(mode, i->b, a, self) : reduced(mode, i->negated, a, self);
		}
	}
	if (i->d != NO_CODE)
		row_blend(row_at(x, w, i->d), row, mask, 4);
	if (i->target != NO_CODE)
		row_blend(row_at(x, w, i->target), &all, mask, SIZE_PRED);
}
