#include "cache/mshr.h"

#include "base/hash_map.h"

struct mshr_index {
	struct hash_map entries; /* in use, by line */
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

void mshr_index(struct mshr *m, struct arena *a)
{
	PANIC_UNLESS(m->n_free == m->entries, "mshr", m->n_free);
	m->index = arena_alloc(a, sizeof *m->index);
	hash_map_init(&m->index->entries, a, m->entries);
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
		hash_map_insert(&m->index->entries, line, e);
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
		return hash_map_find(&m->index->entries, line, entry);
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
		hash_map_remove(&m->index->entries, m->line[entry]);
	m->line[entry] = MSHR_NO_LINE;
	m->n[entry] = 0;
	m->free[m->n_free++] = entry;
}
