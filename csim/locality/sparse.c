#include "locality/sparse.h"

#include <stdlib.h>
#include <uthash.h>

#include "base/alloc.h"

struct sparse_page {
	struct sparse_key {
		uint64_t buffer, index;
	} key;
	uint32_t number;
	UT_hash_handle hh;
};

static struct sparse_page *add(struct sparse *s, const struct sparse_key *key)
{
	struct sparse_page *p = xcalloc(1, sizeof *p);

	p->key = *key;
	p->number = s->n;
	HASH_ADD(hh, s->by_key, key, sizeof p->key, p);
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 64;
		s->buffer = xrealloc(s->buffer, s->cap * sizeof *s->buffer);
	}
	s->buffer[s->n++] = (uint32_t)key->buffer;
	return p;
}

uint32_t sparse_page(struct sparse *s, uint32_t buffer, uint64_t index)
{
	struct sparse_key key = {buffer, index};
	struct sparse_page **recent = &s->recent[(index ^ buffer * UINT64_C(17)) % SPARSE_RECENT], *p = *recent;

	if (p && p->key.buffer == buffer && p->key.index == index)
		return p->number;
	HASH_FIND(hh, s->by_key, &key, sizeof key, p);
	*recent = p ? p : add(s, &key);
	return (*recent)->number;
}

void sparse_free(struct sparse *s)
{
	struct sparse_page *p, *next;

	HASH_ITER (hh, s->by_key, p, next) {
		HASH_DEL(s->by_key, p);
		free(p);
	}
	free(s->buffer);
	*s = (struct sparse){0};
}
