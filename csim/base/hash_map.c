#include "base/hash_map.h"

#include "base/panic.h"

void hash_map_init(struct hash_map *m, struct arena *a, uint32_t most)
{
	PANIC_UNLESS(most < UINT32_C(1) << 31, "hash_map", most);
	m->bits = 1;
	while (UINT64_C(1) << m->bits < 2 * (uint64_t)most)
		m->bits++;
	m->entry = arena_array(a, (size_t)1 << m->bits, sizeof *m->entry);
}

void hash_map_insert(struct hash_map *m, uint64_t key, uint32_t value)
{
	struct hash_entry *e = &m->entry[hash_map_search(m, key)];

	PANIC_UNLESS(!e->used, "hash_map", key);
	*e = (struct hash_entry){key, value, true};
}

void hash_map_remove(struct hash_map *m, uint64_t key)
{
	uint64_t mask = (UINT64_C(1) << m->bits) - 1, hole = hash_map_search(m, key);

	PANIC_UNLESS(m->entry[hole].used, "hash_map", key);
	/* A later entry of the run may move into the hole unless its home is after the hole. */
	for (uint64_t i = (hole + 1) & mask; m->entry[i].used; i = (i + 1) & mask) {
		uint64_t home = hash_multiply(m->entry[i].key) >> (64 - m->bits);

		if (((i - home) & mask) >= ((i - hole) & mask)) {
			m->entry[hole] = m->entry[i];
			hole = i;
		}
	}
	m->entry[hole].used = false;
}

void hash_map_insert_all(struct hash_map *m, const struct hash_map *from)
{
	for (uint64_t i = 0; i >> from->bits == 0; i++)
		if (from->entry[i].used)
			hash_map_insert(m, from->entry[i].key, from->entry[i].value);
}
