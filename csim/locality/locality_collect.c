#include "locality/locality_collect.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/panic.h"
#include "locality/locality_sweep.h"
#include "locality/sparse.h"

enum { WORDS = SPARSE_PAGE / 64 };

struct collect {
	uint32_t n_ctas, granule;
	bool lines;
	uint8_t *narrowest; /* by buffer: bytes */
	struct sparse pages;
	uint64_t **map; /* by page: a bit a granule */
	uint32_t n_maps, cap_maps;
	uint64_t *dirty, n_dirty, cap_dirty; /* words that are not zero: page number and word */
	uint64_t *event, n_events, cap_events;
};

struct collect *collect_new(uint32_t n_ctas, uint32_t n_buffers, uint32_t granule, bool lines)
{
	struct collect *c = xcalloc(1, sizeof *c);

	PANIC_UNLESS(n_ctas <= COLLECT_MAX_CTAS && granule && !(granule & (granule - 1)), "locality", granule);
	*c = (struct collect){.n_ctas = n_ctas, .granule = granule, .lines = lines, .narrowest = xcalloc(n_buffers + 1, 1)};
	return c;
}

static uint64_t *new_map(struct collect *c)
{
	if (c->n_maps == c->cap_maps) {
		c->cap_maps = c->cap_maps ? 2 * c->cap_maps : 64;
		c->map = xrealloc(c->map, c->cap_maps * sizeof *c->map);
	}
	c->map[c->n_maps] = xcalloc(WORDS, sizeof **c->map);
	return c->map[c->n_maps++];
}

static void mark(struct collect *c, uint32_t buffer, uint64_t granule, uint64_t bits)
{
	uint32_t page = sparse_page(&c->pages, buffer, granule / SPARSE_PAGE), word = granule % SPARSE_PAGE / 64;
	uint64_t *map = page < c->n_maps ? c->map[page] : new_map(c);

	if (!map[word]) {
		if (c->n_dirty == c->cap_dirty) {
			c->cap_dirty = c->cap_dirty ? 2 * c->cap_dirty : 1024;
			c->dirty = xrealloc(c->dirty, c->cap_dirty * sizeof *c->dirty);
		}
		c->dirty[c->n_dirty++] = (uint64_t)page * WORDS + word;
	}
	map[word] |= bits;
}

void collect_read(struct collect *c, uint32_t buffer, uint64_t offset, uint64_t bytes, uint32_t width)
{
	uint64_t at = offset / c->granule, end = (offset + bytes - 1) / c->granule + 1;

	PANIC_UNLESS(bytes && width, "locality", offset);
	if (!c->narrowest[buffer] || width < c->narrowest[buffer])
		c->narrowest[buffer] = (uint8_t)width;
	while (at < end) {
		uint32_t bit = at % 64, n = end - at < 64 - bit ? (uint32_t)(end - at) : 64 - bit;

		mark(c, buffer, at, (n == 64 ? ~0ull : (1ull << n) - 1) << bit);
		at += n;
	}
}

static void put_event(struct collect *c, uint64_t position, uint32_t cta)
{
	if (c->n_events == c->cap_events) {
		c->cap_events = c->cap_events ? c->cap_events + c->cap_events / 2 : 4096;
		c->event = xrealloc(c->event, c->cap_events * sizeof *c->event);
	}
	c->event[c->n_events++] = position << SWEEP_CTA_BITS | cta;
}

static int ascending(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

/* The runs of bits of one word. `open`: where a run began that reaches up to this word; kept open if it reaches its
 * end. */
static uint64_t close_word(struct collect *c, uint64_t word, uint64_t bits, uint64_t open, uint32_t cta)
{
	uint64_t position = word * 64;

	for (uint32_t at = 0; at < 64;) {
		uint64_t rest = bits >> at;
		bool set = rest & 1;
		uint64_t other = set ? ~rest : rest; /* shifted-in zeros: a run of ones ends there, one of zeros does
						      * not */
		uint32_t n = other ? (uint32_t)__builtin_ctzll(other) : 64;

		if (set && open == UINT64_MAX)
			open = position + at;
		if (!set && open != UINT64_MAX) {
			put_event(c, open, cta);
			put_event(c, position + at, cta);
			open = UINT64_MAX;
		}
		at += n < 64 - at ? n : 64 - at;
	}
	return open;
}

void collect_cta_end(struct collect *c, uint32_t cta)
{
	uint64_t open = UINT64_MAX;

	PANIC_UNLESS(cta < c->n_ctas, "locality", cta);
	if (c->n_dirty)
		qsort(c->dirty, c->n_dirty, sizeof *c->dirty, ascending);
	for (uint64_t i = 0; i < c->n_dirty; i++) {
		uint64_t word = c->dirty[i];
		uint64_t *bits = &c->map[word / WORDS][word % WORDS];
		bool goes_on = i + 1 < c->n_dirty && c->dirty[i + 1] == word + 1 && (word + 1) % WORDS;

		open = close_word(c, word, *bits, open, cta);
		*bits = 0;
		if (open != UINT64_MAX && !goes_on) { /* runs do not cross pages: two pages may belong to two buffers */
			put_event(c, open, cta);
			put_event(c, (word + 1) * 64, cta);
			open = UINT64_MAX;
		}
	}
	c->n_dirty = 0;
}

static uint32_t granules_a_unit(const struct collect *c, uint32_t buffer)
{
	uint32_t narrowest = c->narrowest[buffer];

	return c->lines || narrowest <= c->granule ? 1 : narrowest / c->granule;
}

void collect_finish(struct collect *c, struct locality_readers *r)
{
	uint32_t *unit = xcalloc(c->n_maps + (size_t)1, sizeof *unit);

	for (uint32_t i = 0; i < c->n_maps; i++) {
		unit[i] = granules_a_unit(c, c->pages.buffer[i]);
		free(c->map[i]);
	}
	sparse_free(&c->pages);
	sweep(r, c->n_ctas, c->event, c->n_events, unit, c->n_maps);
	free(unit);
	free(c->event);
	free(c->dirty);
	free(c->map);
	free(c->narrowest);
	free(c);
}
