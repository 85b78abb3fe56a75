#include "cache/locality_classes.h"

/* Chunks and their table are in the run's arena, which functions that add to the table know as `arena`. */
#define uthash_malloc(bytes)  arena_alloc(arena, bytes)
#define uthash_free(p, bytes) ((void)(p))
#include <uthash.h>

enum { CHUNK_SHIFT = 5, CHUNK_LINES = 1 << CHUNK_SHIFT };

struct line_chunk {
	uint64_t number; /* of its lines, without their lowest bits */
	UT_hash_handle hh;
	struct last_access line[CHUNK_LINES];
};

void locality_classes_init(struct locality_classes *c, struct arena *a)
{
	*c = (struct locality_classes){.arena = a};
}

static struct line_chunk *new_chunk(struct locality_classes *c, uint64_t number)
{
	struct arena *arena = c->arena;
	struct line_chunk *chunk = arena_alloc(arena, sizeof *chunk);

	chunk->number = number;
	HASH_ADD(hh, c->chunks, number, sizeof chunk->number, chunk);
	return chunk;
}

/* Neighbouring accesses are mostly to neighbouring lines. */
static struct last_access *last_of(struct locality_classes *c, uint64_t line)
{
	uint64_t number = line >> CHUNK_SHIFT;

	if (!c->near || c->near->number != number) {
		HASH_FIND(hh, c->chunks, &number, sizeof number, c->near);
		if (!c->near)
			c->near = new_chunk(c, number);
	}
	return &c->near->line[line % CHUNK_LINES];
}

enum locality_class locality_class_of(const struct last_access *last, struct accessor who, uint16_t sm)
{
	if (!last->known || !last->who.is_thread || !who.is_thread)
		return CLASS_NONE;
	if (last->who.launch != who.launch)
		return CLASS_INTER_KERNEL;
	if (last->sm != sm)
		return CLASS_INTER_SM;
	if (last->who.cta != who.cta)
		return CLASS_INTRA_SM;
	if (last->who.warp != who.warp)
		return CLASS_INTRA_CTA;
	return last->who.lanes & who.lanes ? CLASS_INTRA_THREAD : CLASS_INTER_THREAD;
}

void locality_classes_count(struct locality_classes *c, uint64_t line, struct accessor who, uint16_t sm, bool hit)
{
	struct last_access *last = last_of(c, line);
	enum locality_class class = locality_class_of(last, who, sm);

	c->count.accesses++;
	if (hit)
		c->count.hits[class]++;
	else
		c->count.misses++;
	if (last->known)
		c->count.reuses[class]++;
	else
		c->count.first++;
	*last = (struct last_access){who, sm, true};
}

void locality_classes_touch(struct locality_classes *c, uint64_t line, struct accessor who, uint16_t sm)
{
	struct last_access *last = last_of(c, line);

	if (last->known)
		*last = (struct last_access){who, sm, true};
}

struct accessor locality_classes_last(struct locality_classes *c, uint64_t line)
{
	return last_of(c, line)->who;
}

static uint64_t sum(const uint64_t n[LOCALITY_CLASSES])
{
	uint64_t all = 0;

	for (unsigned i = 0; i < LOCALITY_CLASSES; i++)
		all += n[i];
	return all;
}

uint64_t class_hits(const struct class_counts *c)
{
	return sum(c->hits);
}

uint64_t class_reuses(const struct class_counts *c)
{
	return sum(c->reuses);
}
