#include "cache/mshr.h"

/* Entries in use by a hash of their line: lists through `next`, as many of them as there are entries, or more. */
struct mshr_index {
	uint32_t bits;	 /* log2 of the number of lists */
	uint32_t *first; /* entry + 1; 0: an empty list */
	uint32_t *next;	 /* by entry, likewise */
};

void mshr_init(struct mshr *m, struct arena *a, uint32_t entries, uint32_t merges)
{
	PANIC_UNLESS(entries && merges && (uint64_t)entries * merges < UINT32_C(1) << 31, "mshr", 0);
	*m = (struct mshr){.entries = entries, .merges = merges, .n_free = entries};
	m->free = arena_array(a, entries, sizeof *m->free);
	m->line = arena_array(a, entries, sizeof *m->line);
	m->n = arena_array(a, entries, sizeof *m->n);
	m->pending = arena_array(a, entries, sizeof *m->pending);
	m->needs = arena_array(a, (size_t)entries * merges, sizeof *m->needs);
	m->waiter = arena_array(a, (size_t)entries * merges, sizeof *m->waiter);
	for (uint32_t i = 0; i < entries; i++) {
		m->free[i] = entries - 1 - i;
		m->line[i] = MSHR_NO_LINE;
	}
}

static uint32_t *list_of(const struct mshr_index *x, uint64_t line)
{
	return &x->first[line * UINT64_C(0x9e3779b97f4a7c15) >> (64 - x->bits)];
}

void mshr_index(struct mshr *m, struct arena *a)
{
	struct mshr_index *x = arena_alloc(a, sizeof *x);

	PANIC_UNLESS(m->n_free == m->entries, "mshr", m->n_free);
	x->bits = 1;
	while (UINT32_C(1) << x->bits < m->entries)
		x->bits++;
	x->first = arena_array(a, (size_t)1 << x->bits, sizeof *x->first);
	x->next = arena_array(a, m->entries, sizeof *x->next);
	m->index = x;
}

static void index_insert(struct mshr_index *x, uint64_t line, uint32_t entry)
{
	uint32_t *list = list_of(x, line);

	x->next[entry] = *list;
	*list = entry + 1;
}

static void index_remove(struct mshr_index *x, uint64_t line, uint32_t entry)
{
	uint32_t *at = list_of(x, line);

	while (*at != entry + 1)
		at = &x->next[*at - 1];
	*at = x->next[entry];
}

static bool index_find(const struct mshr *m, uint64_t line, uint32_t *entry)
{
	for (uint32_t e = *list_of(m->index, line); e; e = m->index->next[e - 1])
		if (m->line[e - 1] == line) {
			*entry = e - 1;
			return true;
		}
	return false;
}

enum mshr_result mshr_alloc_any(struct mshr *m, uint64_t line, struct mshr_waiter who, uint32_t *entry)
{
	uint32_t e;

	if (!m->n_free)
		return MSHR_FAIL_ENTRY;
	PANIC_UNLESS(line != MSHR_NO_LINE, "mshr", m->n_free);
	e = m->free[--m->n_free];
	m->line[e] = line;
	m->n[e] = 1;
	m->pending[e] = 0;
	m->needs[(uint64_t)e * m->merges] = 0;
	if (m->index)
		index_insert(m->index, line, e);
	m->waiter[(uint64_t)e * m->merges] = who;
	*entry = e;
	return MSHR_NEW;
}

enum mshr_result mshr_merge(struct mshr *m, uint32_t entry, struct mshr_waiter who)
{
	PANIC_UNLESS(entry < m->entries && m->line[entry] != MSHR_NO_LINE, "mshr", entry);
	if (m->n[entry] == m->merges)
		return MSHR_FAIL_MERGE;
	m->needs[(uint64_t)entry * m->merges + m->n[entry]] = 0;
	m->waiter[(uint64_t)entry * m->merges + m->n[entry]++] = who;
	return MSHR_MERGED;
}

bool mshr_find(const struct mshr *m, uint64_t line, uint32_t *entry)
{
	if (m->index)
		return index_find(m, line, entry);
	for (uint32_t e = 0; e < m->entries; e++) {
		if (m->line[e] == line) {
			*entry = e;
			return true;
		}
	}
	return false;
}

void mshr_free(struct mshr *m, uint32_t entry)
{
	PANIC_UNLESS(entry < m->entries && m->line[entry] != MSHR_NO_LINE, "mshr", entry);
	if (m->index)
		index_remove(m->index, m->line[entry], entry);
	m->line[entry] = MSHR_NO_LINE;
	m->n[entry] = 0;
	m->free[m->n_free++] = entry;
}
