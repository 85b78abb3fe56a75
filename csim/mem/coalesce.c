#include "mem/coalesce.h"

#include <stdbool.h>

struct list {
	struct coalesce_tx *tx;
	uint32_t n;
	uint32_t back;	    /* how many of the latest transactions can have the line that comes next */
	uint64_t line_mask; /* the bits of an address inside a line */
};

/* Along one row of lanes addresses only rise, or only fall, so a line is one of the latest three. (Three, not one: a lane that
 * straddles adds its lower line first; falling, the next line stands before the two of such a lane.) */
enum { BACK_IN_A_ROW = 3 };

/* `count` ones from bit `first` on, first + count <= 128. */
static inline void ones(uint32_t first, uint32_t count, uint64_t out[2])
{
	uint32_t end = first + count;

	out[0] = first < 64 ? UINT64_MAX << first : 0;
	out[1] = first < 64 ? UINT64_MAX : UINT64_MAX << (first - 64);
	if (end <= 64) {
		out[0] &= end < 64 ? ~(UINT64_MAX << end) : UINT64_MAX;
		out[1] = 0;
	} else if (end < 128) {
		out[1] &= ~(UINT64_MAX << (end - 64));
	}
}

/* Adds bytes of one line: to its transaction, or as a new one. Neighbouring lanes mostly meet the latest one. */
static inline void add(struct list *l, uint64_t line, const uint64_t mask[2], uint32_t lanes)
{
	uint32_t i = l->n, end = l->n > l->back ? l->n - l->back : 0;

	while (i > end && l->tx[i - 1].line != line)
		i--;
	if (i == end) {
		l->tx[l->n++] = (struct coalesce_tx){line, {mask[0], mask[1]}, lanes};
		return;
	}
	l->tx[i - 1].mask[0] |= mask[0];
	l->tx[i - 1].mask[1] |= mask[1];
	l->tx[i - 1].lanes |= lanes;
}

/* `bytes` bytes from `addr` on, all touched, all by `lanes`; bytes <= 16. */
static inline void add_access(struct list *l, uint64_t addr, uint32_t bytes, uint32_t lanes)
{
	uint32_t at = (uint32_t)(addr & l->line_mask), room = (uint32_t)l->line_mask + 1 - at, here = bytes < room ? bytes : room;
	uint64_t mask[2];

	ones(at, here, mask);
	add(l, addr - at, mask, lanes);
	if (here < bytes) {
		ones(0, bytes - here, mask);
		add(l, addr - at + l->line_mask + 1, mask, lanes);
	}
}

/* A row of lanes side by side: lane first + i has `width` bytes at addr + i * width, all `n` lanes active, addr a multiple of
 * width, width a power of two. */
static inline void add_row(struct list *l, uint64_t addr, uint32_t width, uint32_t first, uint32_t n)
{
	uint32_t shift = (uint32_t)__builtin_ctz(width);

	while (n) {
		uint32_t at = (uint32_t)(addr & l->line_mask), room = ((uint32_t)l->line_mask + 1 - at) >> shift;
		uint32_t here = n < room ? n : room;
		uint64_t mask[2];

		ones(at, here << shift, mask);
		add(l, addr - at, mask, (uint32_t)(((UINT64_C(1) << here) - 1) << first));
		addr += (uint64_t)here << shift;
		first += here;
		n -= here;
	}
}

static void add_affine(struct list *l, const struct trace_addr *a, uint32_t mask, uint32_t width)
{
	uint32_t n = UINT32_C(1) << a->shift, row_mask = (uint32_t)((UINT64_C(1) << n) - 1);
	uint64_t start = a->base;

	for (uint32_t first = 0; first < TRACE_WARP_SIZE && mask >> first; first += n, start += (uint64_t)(int64_t)a->sy) {
		uint32_t row = mask >> first & row_mask;

		if (!row)
			continue;
		if (a->sx == 0) {
			add_access(l, start, width, row << first);
		} else if (row == row_mask && a->sx == (int32_t)width && !(width & (width - 1)) && !(start & (width - 1))) {
			add_row(l, start, width, first, n);
		} else {
			for (uint32_t left = row; left; left &= left - 1) {
				uint32_t lane = (uint32_t)__builtin_ctz(left);

				add_access(l, start + (uint64_t)((int64_t)a->sx * lane), width, UINT32_C(1) << (first + lane));
			}
		}
	}
}

uint32_t coalesce_lines(const struct trace_addr *a, const uint64_t *lanes, uint32_t mask, uint32_t width, uint32_t line,
			struct coalesce_tx out[COALESCE_MAX])
{
	struct list l = {out, 0, a->list == TRACE_AFFINE && a->shift == 5 ? BACK_IN_A_ROW : COALESCE_MAX, line - 1};

	if (a->list == TRACE_AFFINE) {
		add_affine(&l, a, mask, width);
	} else {
		const uint64_t *addr = lanes + a->list;

		for (; mask; mask &= mask - 1)
			add_access(&l, *addr++, width, mask & (0 - mask));
	}
	return l.n;
}
