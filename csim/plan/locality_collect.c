#include "plan/locality_collect.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "plan/locality_sweep.h"

enum { RECENT = 64 };

struct page { /* of the map */
	struct page_key {
		uint64_t buffer, index;
	} key;
	uint32_t number;
	UT_hash_handle hh;
	uint64_t bits[SWEEP_PAGE / 64];
};

struct collect {
	uint32_t n_ctas, granule;
	bool lines;
	uint8_t *narrowest; /* by buffer: bytes */
	struct page *by_key, *recent[RECENT], **page /* by number */;
	uint32_t n_pages, cap_pages;
	uint64_t *dirty, n_dirty, cap_dirty; /* words that are not zero: page number and word */
	uint64_t *event, n_events, cap_events;
};

struct collect *collect_new(uint32_t n_ctas, uint32_t n_buffers, uint32_t granule, bool lines)
{
	struct collect *c = xcalloc(1, sizeof *c);

	*c = (struct collect){.n_ctas = n_ctas, .granule = granule, .lines = lines, .narrowest = xcalloc(n_buffers + 1, 1)};
	return c;
}

static struct page *page_new(struct collect *c, const struct page_key *key)
{
	struct page *p = xcalloc(1, sizeof *p);

	p->key = *key;
	p->number = c->n_pages;
	HASH_ADD(hh, c->by_key, key, sizeof p->key, p);
	if (c->n_pages == c->cap_pages) {
		c->cap_pages = c->cap_pages ? 2 * c->cap_pages : 64;
		c->page = xrealloc(c->page, c->cap_pages * sizeof(struct page *));
	}
	c->page[c->n_pages++] = p;
	return p;
}

static struct page *page_of(struct collect *c, uint64_t buffer, uint64_t index)
{
	struct page_key key = {buffer, index};
	struct page **recent = &c->recent[(index ^ buffer * 17) % RECENT], *p = *recent;

	if (p && p->key.buffer == buffer && p->key.index == index)
		return p;
	HASH_FIND(hh, c->by_key, &key, sizeof key, p);
	if (!p)
		p = page_new(c, &key);
	*recent = p;
	return p;
}

static void mark(struct collect *c, struct page *p, uint32_t word, uint64_t bits)
{
	if (!p->bits[word]) {
		if (c->n_dirty == c->cap_dirty) {
			c->cap_dirty = c->cap_dirty ? 2 * c->cap_dirty : 1024;
			c->dirty = xrealloc(c->dirty, c->cap_dirty * sizeof *c->dirty);
		}
		c->dirty[c->n_dirty++] = (uint64_t)p->number * (SWEEP_PAGE / 64) + word;
	}
	p->bits[word] |= bits;
}

void collect_read(struct collect *c, uint32_t buffer, uint64_t offset, uint64_t bytes, uint32_t width)
{
	uint64_t at = offset / c->granule, end = (offset + bytes - 1) / c->granule + 1;

	if (!c->narrowest[buffer] || width < c->narrowest[buffer])
		c->narrowest[buffer] = (uint8_t)width;
	while (at < end) {
		uint32_t bit = at % 64, n = end - at < 64 - bit ? (uint32_t)(end - at) : 64 - bit;

		mark(c, page_of(c, buffer, at / SWEEP_PAGE), at % SWEEP_PAGE / 64, (n == 64 ? ~0ull : (1ull << n) - 1) << bit);
		at += n;
	}
}

static void put_event(struct collect *c, uint64_t place, uint32_t cta)
{
	if (c->n_events == c->cap_events) {
		c->cap_events = c->cap_events ? c->cap_events + c->cap_events / 2 : 4096;
		c->event = xrealloc(c->event, c->cap_events * sizeof *c->event);
	}
	c->event[c->n_events++] = place << SWEEP_CTA_BITS | cta;
}

static int ascending(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

/* The runs of bits of one word. `open`: where a run began that reaches up to this word; kept open if it reaches its end. */
static uint64_t close_word(struct collect *c, uint64_t word, uint64_t bits, uint64_t open, uint32_t cta)
{
	uint64_t place = word * 64;

	for (uint32_t at = 0; at < 64;) {
		uint64_t rest = bits >> at;
		bool set = rest & 1;
		uint64_t other = set ? ~rest : rest; /* shifted-in zeros: a run of ones ends there, one of zeros does not */
		uint32_t n = other ? (uint32_t)__builtin_ctzll(other) : 64;

		if (set && open == UINT64_MAX)
			open = place + at;
		if (!set && open != UINT64_MAX) {
			put_event(c, open, cta);
			put_event(c, place + at, cta);
			open = UINT64_MAX;
		}
		at += n < 64 - at ? n : 64 - at;
	}
	return open;
}

void collect_cta_end(struct collect *c, uint32_t cta)
{
	uint64_t open = UINT64_MAX;

	qsort(c->dirty, c->n_dirty, sizeof *c->dirty, ascending);
	for (uint64_t i = 0; i < c->n_dirty; i++) {
		uint64_t word = c->dirty[i];
		uint64_t *bits = &c->page[word / (SWEEP_PAGE / 64)]->bits[word % (SWEEP_PAGE / 64)];
		bool goes_on = i + 1 < c->n_dirty && c->dirty[i + 1] == word + 1 && (word + 1) % (SWEEP_PAGE / 64);

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

static uint32_t granules_a_unit(const struct collect *c, const struct page *p)
{
	uint32_t narrowest = c->narrowest[p->key.buffer];

	return c->lines || narrowest <= c->granule ? 1 : narrowest / c->granule;
}

void collect_finish(struct collect *c, struct locality_readers *r)
{
	uint32_t *unit = xcalloc(c->n_pages + 1, sizeof *unit);
	struct page *p, *next;

	for (uint32_t i = 0; i < c->n_pages; i++)
		unit[i] = granules_a_unit(c, c->page[i]);
	HASH_ITER (hh, c->by_key, p, next) {
		HASH_DEL(c->by_key, p);
		free(p);
	}
	sweep(r, c->n_ctas, c->event, c->n_events, unit, c->n_pages);
	free(unit);
	free(c->event);
	free(c->dirty);
	free(c->page);
	free(c->narrowest);
	free(c);
}
