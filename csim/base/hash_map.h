/* A map from 64-bit keys, such as line numbers, to 32-bit values, of a known number of entries at most.
 *
 * Open addressing with linear probing; the table is at most half full, and a removal moves later entries of its run
 * back, so that no marks of removed entries are left. Multiplicative hashing (Knuth, The Art of Computer Programming 3,
 * 6.4): keys that are a power of two apart, times an odd number, are spread by the upper bits of the product.
 */
#ifndef CSIM_BASE_HASH_MAP_H
#define CSIM_BASE_HASH_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"

/* The golden ratio's fraction, times 2^64. The upper bits are the ones to use. */
static inline uint64_t hash_multiply(uint64_t key)
{
	return key * UINT64_C(0x9e3779b97f4a7c15);
}

struct hash_entry {
	uint64_t key;
	uint32_t value;
	bool used;
};
struct hash_map {
	uint32_t bits; /* log2 of the table's size */
	struct hash_entry *entry;
};

/* most: entries that it will hold at once, below 2^31. */
void hash_map_init(struct hash_map *m, struct arena *a, uint32_t most);
/* The key is not in the map. */
void hash_map_insert(struct hash_map *m, uint64_t key, uint32_t value);
/* The key is in the map. */
void hash_map_remove(struct hash_map *m, uint64_t key);
/* Inserts all entries of `from`, none of whose keys is in the map. */
void hash_map_insert_all(struct hash_map *m, const struct hash_map *from);

/* Where the key is, or the free entry in which a search for it ends. */
static inline uint64_t hash_map_search(const struct hash_map *m, uint64_t key)
{
	uint64_t mask = (UINT64_C(1) << m->bits) - 1, i = hash_multiply(key) >> (64 - m->bits);

	while (m->entry[i].used && m->entry[i].key != key)
		i = (i + 1) & mask;
	return i;
}

static inline bool hash_map_find(const struct hash_map *m, uint64_t key, uint32_t *value)
{
	const struct hash_entry *e = &m->entry[hash_map_search(m, key)];

	if (e->used)
		*value = e->value;
	return e->used;
}

#endif
