#include "base/pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/region.h"

void pool_init(struct pool *p, struct region *r)
{
	*p = (struct pool){.region = r};
	pthread_mutex_init(&p->lock, NULL);
}

void pool_free(struct pool *p)
{
	arena_free(&p->arena);
	pthread_mutex_destroy(&p->lock);
}

static unsigned size_of(size_t bytes)
{
	return bytes >> POOL_LEAST ? 64 - (unsigned)__builtin_clzll(bytes - 1) : POOL_LEAST;
}

static void *take(struct pool *p, unsigned size)
{
	struct pool_block *b = p->free[size];

	if (!b)
		return arena_alloc(&p->arena, (size_t)1 << size);
	p->free[size] = b->next;
	return b;
}

static void give_back(struct pool *p, void *array, unsigned size)
{
	struct pool_block *b = array;

	b->next = p->free[size];
	p->free[size] = b;
}

void *pool_grow(struct pool *p, void *array, size_t had, size_t bytes)
{
	void *more;

	if (!p || p->region)
		return region_grow(p ? p->region : NULL, array, had, bytes);
	pthread_mutex_lock(&p->lock);
	more = take(p, size_of(bytes));
	if (array) {
		memcpy(more, array, had);
		give_back(p, array, size_of(had));
	}
	pthread_mutex_unlock(&p->lock);
	return more;
}

void pool_drop(struct pool *p, void *array)
{
	if (!p)
		free(array);
}
