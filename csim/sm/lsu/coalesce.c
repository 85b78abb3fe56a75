#include "sm/lsu/coalesce.h"

#include <stdbool.h>

#include "base/panic.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

struct list {
	struct coalesce_tx *tx;
	uint32_t n;
	uint32_t back;	    /* how many of the latest transactions can have the line that comes next */
	uint64_t line_mask; /* the bits of an address inside a line */
};

/* Along one row of lanes addresses only rise, or only fall, so a line is one of the latest three. (Three, not one: a
 * lane that straddles adds its lower line first; falling, the next line is before the two of such a lane.) */
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
		l->tx[l->n++] = (struct coalesce_tx){.line = line, .mask = {mask[0], mask[1]}, .lanes = lanes};
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

/* A row of lanes side by side: lane first + i has `width` bytes at addr + i * width, all `n` lanes active, addr a
 * multiple of width, width a power of two. */
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

/* `bytes` (ones from bit 0 on) moved up to byte `at` of a line; they do not reach past the 64-bit word that they begin
 * in. */
static inline void put(uint64_t mask[2], uint64_t bytes, uint32_t at)
{
	bytes <<= at % 64;
	mask[0] |= at < 64 ? bytes : 0;
	mask[1] |= at < 64 ? 0 : bytes;
}

/* The lanes of `row`, sx bytes apart, none of which straddles a line: neighbours that share a line are collected
 * first. */
static inline void add_aligned(struct list *l, uint64_t start, int32_t sx, uint32_t row, uint32_t width, uint32_t first)
{
	uint64_t bytes = (UINT64_C(1) << width) - 1, line = 0, mask[2] = {0, 0};
	uint32_t lanes = 0;

	for (; row; row &= row - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(row);
		uint64_t addr = start + (uint64_t)((int64_t)sx * lane), at = addr & l->line_mask;

		if (lanes && addr - at != line) {
			add(l, line, mask, lanes);
			mask[0] = mask[1] = 0;
			lanes = 0;
		}
		line = addr - at;
		put(mask, bytes, (uint32_t)at);
		lanes |= UINT32_C(1) << (first + lane);
	}
	add(l, line, mask, lanes);
}

/* One row of all 32 lanes a line or more apart, none of which straddles: each has a line of its own. */
static void add_column(struct list *l, uint64_t start, int32_t sx, uint32_t row, uint32_t width)
{
	uint64_t bytes = (UINT64_C(1) << width) - 1;

	for (; row; row &= row - 1) {
		uint64_t addr = start + (uint64_t)((int64_t)sx * __builtin_ctz(row)), at = addr & l->line_mask;
		struct coalesce_tx *tx = &l->tx[l->n++];

		*tx = (struct coalesce_tx){.line = addr - at, .lanes = row & (0 - row)};
		put(tx->mask, bytes, (uint32_t)at);
	}
}

static void add_affine(struct list *l, const struct trace_addr *a, uint32_t mask, uint32_t width)
{
	uint32_t n = UINT32_C(1) << a->shift, row_mask = (uint32_t)((UINT64_C(1) << n) - 1);
	uint64_t start = a->base;
	bool aligned = !(width & (width - 1)) && !((start | (uint32_t)a->sx | (uint32_t)a->sy) & (width - 1));

	for (uint32_t first = 0; first < TRACE_WARP_SIZE && mask >> first; first += n, start += (uint64_t)(int64_t)a->sy) {
		uint32_t row = mask >> first & row_mask;

		if (!row)
			continue;
		if (a->sx == 0) {
			add_access(l, start, width, row << first);
		} else if (aligned && n == TRACE_WARP_SIZE && (a->sx < 0 ? -(int64_t)a->sx : a->sx) > (int64_t)l->line_mask) {
			add_column(l, start, a->sx, row, width);
		} else if (aligned && row == row_mask && a->sx == (int32_t)width) {
			add_row(l, start, width, first, n);
		} else if (aligned) {
			add_aligned(l, start, a->sx, row, width, first);
		} else {
			for (uint32_t left = row; left; left &= left - 1) {
				uint32_t lane = (uint32_t)__builtin_ctz(left);

				add_access(l, start + (uint64_t)((int64_t)a->sx * lane), width, UINT32_C(1) << (first + lane));
			}
		}
	}
}

/* Which of the 32 keys equal `key`. */
static inline uint32_t equal32(const uint32_t *keys, uint32_t key)
{
	uint32_t bits = 0;
#if defined(__AVX2__)
	__m256i k = _mm256_set1_epi32((int)key);

	for (uint32_t i = 0; i < 4; i++) {
		__m256i eq = _mm256_cmpeq_epi32(_mm256_load_si256((const __m256i *)(const void *)(keys + 8 * i)), k);

		bits |= (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(eq)) << 8 * i;
	}
#else
	for (uint32_t i = 0; i < 32; i++)
		bits |= (uint32_t)(keys[i] == key) << i;
#endif
	return bits;
}

/* A list of addresses: line by line, all lanes of a line at once. Lines are distinguished by the low 32 bits of their
 * numbers. Returns false, with nothing done, if that is not enough or if a lane may straddle. */
static bool add_list(struct list *l, const uint64_t *addr, uint32_t mask, uint32_t width)
{
	_Alignas(32) uint32_t key[TRACE_WARP_SIZE];
	uint8_t at[TRACE_WARP_SIZE];
	uint32_t shift = (uint32_t)__builtin_popcountll(l->line_mask), i = 0;
	uint64_t bytes = (UINT64_C(1) << width) - 1, differ = 0, low = width & (width - 1), high;

	for (uint32_t left = mask; left; left &= left - 1, i++) {
		uint32_t lane = (uint32_t)__builtin_ctz(left);

		key[lane] = (uint32_t)(addr[i] >> shift);
		at[lane] = (uint8_t)(addr[i] & l->line_mask);
		differ |= addr[i] ^ addr[0];
		low |= addr[i] & (width - 1);
	}
	if (low || differ >> shift >> 32)
		return false;
	high = addr[0] >> shift >> 32 << 32 << shift;
	for (; mask; l->n++) {
		struct coalesce_tx *tx = &l->tx[l->n];
		uint32_t lead = (uint32_t)__builtin_ctz(mask);

		*tx = (struct coalesce_tx){.line = high | (uint64_t)key[lead] << shift, .lanes = equal32(key, key[lead]) & mask};
		for (uint32_t left = tx->lanes; left; left &= left - 1)
			put(tx->mask, bytes, at[__builtin_ctz(left)]);
		mask &= ~tx->lanes;
	}
	return true;
}

uint32_t coalesce_lines(const struct trace_addr *a, const uint64_t *lanes, uint32_t mask, uint32_t width, uint32_t line,
			struct coalesce_tx out[COALESCE_MAX])
{
	struct list l = {out, 0, a->list == TRACE_AFFINE && a->shift == 5 ? BACK_IN_A_ROW : COALESCE_MAX, line - 1};

	PANIC_UNLESS(mask && width - 1 < 16, "coalesce", width);
	PANIC_UNLESS(line >= 16 && line <= COALESCE_MAX_LINE && !(line & (line - 1)), "coalesce", line);
	if (a->list == TRACE_AFFINE) {
		add_affine(&l, a, mask, width);
	} else if (!add_list(&l, lanes + a->list, mask, width)) {
		for (const uint64_t *addr = lanes + a->list; mask; mask &= mask - 1)
			add_access(&l, *addr++, width, mask & (0 - mask));
	}
	return l.n;
}
