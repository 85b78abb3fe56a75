#include "vm/byte_store.h"

#include "base/panic.h"

/* Two levels below the array of pieces: 4 MiB, and 4 KiB of it. */
enum { PIECE_BITS = 22, CHUNK_BITS = 12, CHUNKS = 1 << (PIECE_BITS - CHUNK_BITS), WORDS = 1 << (CHUNK_BITS - 3) };

struct bytes_piece {
	uint64_t *chunk[CHUNKS];
};

void bytes_init(struct bytes *b, struct arena *a, uint64_t size)
{
	*b = (struct bytes){.arena = a, .size = size};
	b->piece = arena_array(a, (size >> PIECE_BITS) + 1, sizeof(struct bytes_piece *));
}

static inline uint32_t chunk_of(uint64_t addr)
{
	return (uint32_t)(addr >> CHUNK_BITS) & (CHUNKS - 1);
}

static inline uint32_t word_of(uint64_t addr)
{
	return (uint32_t)(addr >> 3) & (WORDS - 1);
}

uint64_t bytes_read64(const struct bytes *b, uint64_t addr)
{
	const struct bytes_piece *p;
	const uint64_t *chunk;

	PANIC_UNLESS(addr % 8 == 0 && addr < b->size, "bytes", addr);
	p = b->piece[addr >> PIECE_BITS];
	chunk = p ? p->chunk[chunk_of(addr)] : NULL;
	return chunk ? chunk[word_of(addr)] : 0;
}

void bytes_write64(struct bytes *b, uint64_t addr, uint64_t value)
{
	struct bytes_piece **p;
	uint64_t **chunk;

	PANIC_UNLESS(addr % 8 == 0 && addr < b->size, "bytes", addr);
	p = &b->piece[addr >> PIECE_BITS];
	if (!*p)
		*p = arena_alloc(b->arena, sizeof **p);
	chunk = &(*p)->chunk[chunk_of(addr)];
	if (!*chunk)
		*chunk = arena_array(b->arena, WORDS, sizeof **chunk);
	(*chunk)[word_of(addr)] = value;
}
