/* Lookup and replacement of sets that have too many ways to compare each: one hash map over all lines of the cache, and
 * per set a doubly linked list of its ways, most recently used first. Invalid ways are at the end of the list, so that
 * they are the next victims. */
#include "base/hash_map.h"
#include "cache/tags.h"

struct tags_many_ways {
	struct hash_map slots;	/* by line */
	uint32_t *prev, *next;	/* by slot: towards more recent, towards less recent */
	uint32_t *first, *last; /* by set */
};

#define NONE UINT32_MAX

struct tags_many_ways *tags_many_ways_new(const struct tags *t, struct arena *a)
{
	struct tags_many_ways *w = arena_alloc(a, sizeof *w);
	uint32_t n = tags_slots(t);

	hash_map_init(&w->slots, a, n);
	w->prev = arena_array(a, n, sizeof *w->prev);
	w->next = arena_array(a, n, sizeof *w->next);
	w->first = arena_array(a, t->sets, sizeof *w->first);
	w->last = arena_array(a, t->sets, sizeof *w->last);
	return w;
}

void tags_many_ways_begin(struct tags *t)
{
	struct tags_many_ways *w = t->many_ways;

	for (uint32_t set = 0; set < t->sets; set++) {
		uint32_t low = set * t->stride, high = low + t->ways - 1;

		w->last[set] = low; /* way 0 is the first victim */
		w->first[set] = high;
		for (uint32_t s = low; s <= high; s++) {
			w->prev[s] = s < high ? s + 1 : NONE;
			w->next[s] = s > low ? s - 1 : NONE;
		}
	}
}

bool tags_many_ways_find(const struct tags *t, uint64_t line, uint32_t *slot)
{
	return hash_map_find(&t->many_ways->slots, line, slot);
}

bool tags_many_ways_victim(const struct tags *t, uint32_t set, enum cache_pin pin, uint32_t *slot)
{
	const struct tags_many_ways *w = t->many_ways;

	for (uint32_t s = w->last[set]; s != NONE; s = w->prev[s]) {
		if (t->state[s] != TAGS_RESERVED && t->pin[s] == pin) {
			*slot = s;
			return true;
		}
	}
	return false;
}

static void unlink_slot(struct tags_many_ways *w, uint32_t set, uint32_t s)
{
	uint32_t p = w->prev[s], n = w->next[s];

	*(p == NONE ? &w->first[set] : &w->next[p]) = n;
	*(n == NONE ? &w->last[set] : &w->prev[n]) = p;
}

void tags_many_ways_first(struct tags *t, uint32_t s)
{
	struct tags_many_ways *w = t->many_ways;
	uint32_t set = s / t->stride;

	if (w->first[set] == s)
		return;
	unlink_slot(w, set, s);
	w->prev[s] = NONE;
	w->next[s] = w->first[set];
	w->prev[w->first[set]] = s; /* there are others: the set has many */
	w->first[set] = s;
}

void tags_many_ways_last(struct tags *t, uint32_t s)
{
	struct tags_many_ways *w = t->many_ways;
	uint32_t set = s / t->stride;

	if (w->last[set] == s)
		return;
	unlink_slot(w, set, s);
	w->next[s] = NONE;
	w->prev[s] = w->last[set];
	w->next[w->last[set]] = s;
	w->last[set] = s;
}

/* Behind it, at the list's end, are the invalid ways. */
void tags_many_ways_least(struct tags *t, uint32_t s)
{
	struct tags_many_ways *w = t->many_ways;
	uint32_t set = s / t->stride, before = w->last[set];

	while (before != NONE && (before == s || t->way[before].line == TAGS_NO_LINE))
		before = w->prev[before];
	if (before == NONE) /* the set's only line */
		return;
	unlink_slot(w, set, s);
	w->prev[s] = before;
	w->next[s] = w->next[before];
	*(w->next[before] == NONE ? &w->last[set] : &w->prev[w->next[before]]) = s;
	w->next[before] = s;
}

void tags_many_ways_insert(struct tags *t, uint32_t slot)
{
	hash_map_insert(&t->many_ways->slots, t->way[slot].line, slot);
}

void tags_many_ways_remove(struct tags *t, uint32_t slot)
{
	hash_map_remove(&t->many_ways->slots, t->way[slot].line);
}
