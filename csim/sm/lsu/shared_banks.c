/* Bank conflicts of shared memory: coalesce_bank_cycles() of sm/lsu/coalesce.h. */
#include "sm/lsu/coalesce.h"

#include <stdbool.h>
#include <string.h>

#include "base/panic.h"

enum { MAX_WORDS = 64 /* of a part of a warp: 32 lanes x 1 word, 16 x 2 or 8 x 4, and one more a lane if misaligned */ };

struct words {
	uint32_t n;
	uint64_t word[MAX_WORDS];
};

/* The most distinct words that one bank has to deliver. A bank's words form a chain; most chains have one. */
static uint32_t busiest_bank(const struct words *w, uint32_t banks)
{
	uint8_t head[COALESCE_MAX_BANKS], count[COALESCE_MAX_BANKS], next[MAX_WORDS];
	uint32_t most = 0;
	bool round = !(banks & (banks - 1));

	memset(head, 0xff, banks);
	memset(count, 0, banks);
	for (uint32_t i = 0; i < w->n; i++) {
		uint32_t bank = (uint32_t)(round ? w->word[i] & (banks - 1) : w->word[i] % banks);
		uint8_t k = head[bank];

		while (k != 0xff && w->word[k] != w->word[i])
			k = next[k];
		if (k != 0xff)
			continue;
		next[i] = head[bank];
		head[bank] = (uint8_t)i;
		count[bank]++;
		most = count[bank] > most ? count[bank] : most;
	}
	return most;
}

static inline void add_words(struct words *w, uint64_t addr, uint32_t width)
{
	for (uint64_t word = addr / 4; word <= (addr + width - 1) / 4; word++)
		w->word[w->n++] = word;
}

/* Lanes that go together. */
static inline uint32_t lanes_of_a_part(uint32_t width)
{
	return width <= 4 ? 32 : width <= 8 ? 16 : 8;
}

static uint32_t generic(const struct trace_addr *a, const uint64_t *lanes, uint32_t mask, uint32_t width, uint32_t banks)
{
	uint32_t part = lanes_of_a_part(width), cycles = 0, x_mask = (UINT32_C(1) << a->shift) - 1;
	const uint64_t *addr = a->list == TRACE_AFFINE ? NULL : lanes + a->list;

	for (uint32_t first = 0; first < TRACE_WARP_SIZE; first += part) {
		uint32_t here = mask & (uint32_t)(((UINT64_C(1) << part) - 1) << first);
		struct words w;

		w.n = 0;
		for (; here; here &= here - 1) {
			uint32_t l = (uint32_t)__builtin_ctz(here);
			int64_t offset = (int64_t)a->sx * (l & x_mask) + (int64_t)a->sy * (l >> a->shift);

			add_words(&w, addr ? *addr++ : a->base + (uint64_t)offset, width);
		}
		cycles += busiest_bank(&w, banks);
	}
	return cycles;
}

/* `n` words with equal gaps of `gap` words, gap not 0: they fall into banks / gcd(gap, banks) banks in turn. */
static inline uint32_t progression(uint32_t n, uint32_t gap, uint32_t banks)
{
	uint32_t shift = (uint32_t)__builtin_ctz(gap | banks); /* log2 of the gcd, as banks is a power of two */
	uint32_t used = banks >> shift;

	return (n + used - 1) / used;
}

/* Two rows of n words side by side, the second y words behind the first, y not 0. 0: not clear. */
static inline uint32_t two_rows(uint32_t n, uint32_t y, uint32_t banks)
{
	if (y < n) /* they share words; all together are consecutive */
		return n + y <= banks ? 1 : 0;
	if (n > banks)
		return 0;
	return y % banks >= n && y % banks <= banks - n ? 1 : 2;
}

/* Lanes of a part whose elements of `width` bytes form an arithmetic progression, equal rows, rows of equal elements,
 * or two rows: the cycles that each part takes. Elements are looked at as words are, over the groups of banks that each
 * of them takes. 0: another case. */
static uint32_t part_in_order(const struct trace_addr *a, uint32_t lanes, uint32_t width, uint32_t banks)
{
	uint32_t of_row = UINT32_C(1) << a->shift, n = of_row < lanes ? of_row : lanes, rows = lanes / n;
	uint32_t groups = 4 * banks / width;
	uint32_t x = (uint32_t)a->sx / width, y = (uint32_t)a->sy / width;

	if ((a->base | (uint32_t)a->sx | (uint32_t)a->sy) & (width - 1) || a->sx < 0 || a->sy < 0 || banks & (banks - 1) || !groups)
		return 0;
	if (rows == 1 || y == 0)
		return x ? progression(n, x, groups) : 1;
	if (x == 0)
		return progression(rows, y, groups);
	if (y == x << a->shift)
		return progression(lanes, x, groups);
	return x == 1 && rows == 2 ? two_rows(n, y, groups) : 0;
}

/* Of parts with an active lane. */
static inline uint32_t active_parts(uint32_t mask, uint32_t lanes)
{
	uint32_t n = 0;

	for (uint32_t first = 0; first < TRACE_WARP_SIZE; first += lanes)
		n += (mask >> first & (uint32_t)((UINT64_C(1) << lanes) - 1)) != 0;
	return n;
}

static inline uint32_t parts_in_order(const struct trace_addr *a, uint32_t mask, uint32_t width, uint32_t banks)
{
	uint32_t lanes = lanes_of_a_part(width), cycles = part_in_order(a, lanes, width, banks);

	/* Where all lanes have no conflict, some of them have none. */
	if (cycles == 1)
		return active_parts(mask, lanes);
	return mask == UINT32_MAX ? cycles * (TRACE_WARP_SIZE / lanes) : 0;
}

uint32_t coalesce_bank_cycles(const struct trace_addr *a, const uint64_t *lanes, uint32_t mask, uint32_t width, uint32_t banks)
{
	PANIC_UNLESS(width - 1 < 16 && banks - 1 < COALESCE_MAX_BANKS, "coalesce", banks);
	if (a->list == TRACE_AFFINE) {
		uint32_t cycles = width == 4 || width == 8 || width == 16 ? parts_in_order(a, mask, width, banks) : 0;

		if (cycles)
			return cycles;
		if (a->sx == 0 && (a->sy == 0 || a->shift == 5) && width <= 4 && !(a->base & (width - 1)))
			return 1; /* one address for all */
	}
	return generic(a, lanes, mask, width, banks);
}
