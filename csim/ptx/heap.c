#include "ptx/heap.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/alloc.h"

enum { UNIT = 16 };

struct range {
	uint64_t at, bytes;
};

struct block {
	uint64_t at, bytes;
	UT_hash_handle hh;
};

struct heap {
	struct range *unused; /* ascending, with something between one and the next */
	uint32_t n, cap;
	struct block *blocks;
	uint64_t most; /* bytes of its largest buffer */
};

int heap_add(struct memory *m, uint64_t bytes, struct err *e)
{
	int buffer;

	if (m->heap)
		return 0;
	buffer = memory_add(m, "heap of malloc", bytes, e);
	if (buffer < 0)
		return -1;
	m->heap = xcalloc(1, sizeof *m->heap);
	m->heap->cap = 16;
	m->heap->unused = xcalloc(m->heap->cap, sizeof *m->heap->unused);
	m->heap->unused[m->heap->n++] = (struct range){m->buffer[buffer].base, bytes / UNIT * UNIT};
	m->heap->most = bytes;
	return 0;
}

bool heap_is_there(const struct memory *m)
{
	return m->heap != NULL;
}

static void remove_range(struct heap *h, uint32_t i)
{
	memmove(&h->unused[i], &h->unused[i + 1], (h->n - i - 1) * sizeof *h->unused);
	h->n--;
}

uint64_t heap_take(struct memory *m, uint64_t bytes)
{
	struct heap *h = m->heap;
	struct block *b;
	uint32_t i = 0;

	if (!h || !bytes || bytes > UINT64_MAX - UNIT)
		return 0;
	bytes = (bytes + UNIT - 1) / UNIT * UNIT;
	while (i < h->n && h->unused[i].bytes < bytes)
		i++;
	if (i == h->n)
		return 0;
	b = xcalloc(1, sizeof *b);
	b->at = h->unused[i].at;
	b->bytes = bytes;
	HASH_ADD(hh, h->blocks, at, sizeof b->at, b);
	h->unused[i].at += bytes;
	h->unused[i].bytes -= bytes;
	if (!h->unused[i].bytes)
		remove_range(h, i);
	return b->at;
}

/* The unused range number i and the next one are one, if nothing is between them. */
static void join(struct heap *h, uint32_t i)
{
	if (i + 1 >= h->n || h->unused[i].at + h->unused[i].bytes != h->unused[i + 1].at)
		return;
	h->unused[i].bytes += h->unused[i + 1].bytes;
	remove_range(h, i + 1);
}

static void add_range(struct heap *h, struct range r)
{
	uint32_t low = 0, high = h->n; /* the first range above r */

	while (low < high) {
		uint32_t middle = (low + high) / 2;

		if (h->unused[middle].at < r.at)
			low = middle + 1;
		else
			high = middle;
	}
	if (h->n == h->cap) {
		h->cap *= 2;
		h->unused = xrealloc(h->unused, h->cap * sizeof *h->unused);
	}
	memmove(&h->unused[low + 1], &h->unused[low], (h->n - low) * sizeof *h->unused);
	h->unused[low] = r;
	h->n++;
	join(h, low);
	if (low)
		join(h, low - 1);
}

int heap_grow(struct memory *m, uint64_t bytes, struct err *e)
{
	int buffer;

	if (bytes <= m->heap->most)
		return 0;
	buffer = memory_add(m, "heap of malloc", bytes, e);
	if (buffer < 0)
		return -1;
	m->heap->most = bytes;
	add_range(m->heap, (struct range){m->buffer[buffer].base, bytes / UNIT * UNIT});
	return 0;
}

bool heap_give(struct memory *m, uint64_t address)
{
	struct block *b = NULL;

	if (!address)
		return true;
	if (m->heap)
		HASH_FIND(hh, m->heap->blocks, &address, sizeof address, b);
	if (!b)
		return false;
	HASH_DEL(m->heap->blocks, b);
	add_range(m->heap, (struct range){b->at, b->bytes});
	free(b);
	return true;
}

void heap_close(struct memory *m)
{
	struct block *b, *next;

	if (!m->heap)
		return;
	HASH_ITER (hh, m->heap->blocks, b, next) {
		HASH_DEL(m->heap->blocks, b);
		free(b);
	}
	free(m->heap->unused);
	free(m->heap);
	m->heap = NULL;
}
