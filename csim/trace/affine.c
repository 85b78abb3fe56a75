/* Affine forms of a warp's addresses: finding one, and spreading one over the lanes again.
 *
 * Both are in hot paths (once per memory instruction executed and replayed). The loops run over all 32 lanes and select
 * by masks instead of branching, so that the compiler vectorises them.
 */
#include <string.h>

#include "trace/trace_impl.h"

enum { LANES = TRACE_WARP_SIZE };

static bool fits32(uint64_t stride)
{
	return (uint64_t)(int64_t)(int32_t)stride == stride;
}

/* All lanes active: each difference between neighbours is sx, or at a row's end the step back to the next row's
 * start. */
static bool fit_full(const uint64_t a[LANES], unsigned shift, struct trace_addr *out)
{
	unsigned row = 1u << shift;
	uint64_t sx = shift > 0 ? a[1] - a[0] : 0, sy = shift < 5 ? a[row & 31] - a[0] : 0;
	uint64_t step = (sy - (row - 1) * sx) ^ sx, wrong = 0;

	for (unsigned l = 0; l < LANES - 1; l++) {
		uint64_t at_end = -(uint64_t)(((l + 1) & (row - 1)) == 0);

		wrong |= (a[l + 1] - a[l]) ^ sx ^ (step & at_end);
	}
	*out = (struct trace_addr){a[0], (int32_t)sx, (int32_t)sy, TRACE_AFFINE, shift};
	return !wrong && fits32(sx) && fits32(sy);
}

/* sx from the first two active lanes of one row; 0 if no row has two. False if no whole stride fits. */
static bool row_stride(const uint64_t a[LANES], uint32_t mask, unsigned shift, uint64_t *sx)
{
	*sx = 0;
	for (uint32_t rest = mask & (mask - 1), last = (uint32_t)__builtin_ctz(mask); rest; rest &= rest - 1) {
		uint32_t l = (uint32_t)__builtin_ctz(rest);

		if (l >> shift == last >> shift) {
			int64_t d = (int64_t)(a[l] - a[last]), n = (int64_t)(l - last);

			*sx = (uint64_t)(d / n);
			return d % n == 0;
		}
		last = l;
	}
	return true;
}

static bool fit_some(const uint64_t a[LANES], uint32_t mask, unsigned shift, struct trace_addr *out)
{
	uint32_t first = (uint32_t)__builtin_ctz(mask), in_row = (1u << shift) - 1, other;
	uint64_t sx, sy = 0, base, wrong = 0;

	if (!row_stride(a, mask, shift, &sx))
		return false;
	/* The first active lane of a later row, if there is one. */
	other = shift < 5 ? mask & ~(uint32_t)((UINT64_C(2) << (first | in_row)) - 1) : 0;
	base = a[first] - (first & in_row) * sx;
	if (other) {
		uint32_t l = (uint32_t)__builtin_ctz(other);
		int64_t d = (int64_t)(a[l] - (l & in_row) * sx - base), n = (int64_t)((l >> shift) - (first >> shift));

		if (d % n)
			return false;
		sy = (uint64_t)(d / n);
	}
	base -= (uint64_t)(first >> shift) * sy;
	for (unsigned l = 0; l < LANES; l++) {
		uint64_t active = -(uint64_t)(mask >> l & 1);

		wrong |= (a[l] - (base + (l & in_row) * sx + (l >> shift) * sy)) & active;
	}
	*out = (struct trace_addr){base, (int32_t)sx, (int32_t)sy, TRACE_AFFINE, shift};
	return !wrong && fits32(sx) && fits32(sy);
}

bool trace_addr_fit(const uint64_t addr[LANES], uint32_t mask, unsigned shift, struct trace_addr *out)
{
	if (mask == UINT32_MAX)
		return fit_full(addr, shift, out) || (shift != 5 && fit_full(addr, 5, out));
	return fit_some(addr, mask, shift, out) || (shift != 5 && fit_some(addr, mask, 5, out));
}

void trace_addr_spread(const struct trace_addr *a, uint32_t mask, uint64_t out[LANES])
{
	uint64_t sx = (uint64_t)(int64_t)a->sx, sy = (uint64_t)(int64_t)a->sy, base = a->base;
	uint32_t in_row = (1u << a->shift) - 1, shift = a->shift;

	for (unsigned l = 0; l < LANES; l++) {
		uint64_t v = base + (l & in_row) * sx + (l >> shift) * sy;

		out[l] = mask >> l & 1 ? v : out[l];
	}
}

void trace_addr_expand(const struct trace_cta *c, uint32_t i, uint32_t mask, uint64_t out[LANES])
{
	struct trace_addr a = trace_addr_at(c, i);

	if (a.list == TRACE_AFFINE) {
		trace_addr_spread(&a, mask, out);
	} else {
		const uint64_t *from = c->lanes + a.list;

		for (; mask; mask &= mask - 1)
			out[__builtin_ctz(mask)] = *from++;
	}
}
