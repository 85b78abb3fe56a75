#include "support/made_fatbin.h"

#include <lz4.h>
#include <string.h>
#include <zstd.h>

enum { HEADER = 16, ENTRY = 64, ALIGN = 8 };

static void put(uint8_t *at, uint64_t value, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		at[i] = (uint8_t)(value >> 8 * i);
}

/* The data of an entry; 0: no room. */
static size_t put_data(uint8_t *to, size_t room, const struct made_entry *t)
{
	size_t n = t->n;

	if (t->how == MADE_ZSTD) {
		n = ZSTD_compress(to, room, t->bytes, t->n, 3);
		return ZSTD_isError(n) ? 0 : n;
	}
	if (t->how == MADE_LZ4)
		return (size_t)LZ4_compress_default(t->bytes, (char *)to, (int)t->n, (int)room);
	if (n > room)
		return 0;
	memcpy(to, t->bytes, n);
	return n;
}

static size_t put_entry(uint8_t *to, size_t room, const struct made_entry *t)
{
	size_t data = room > ENTRY + ALIGN ? put_data(to + ENTRY, room - ENTRY - ALIGN, t) : 0;
	size_t padded = (data + ALIGN - 1) / ALIGN * ALIGN;

	if (!data)
		return 0;
	memset(to, 0, ENTRY);
	memset(to + ENTRY + data, 0, padded - data);
	put(to, t->kind, 2);
	put(to + 2, 0x101, 2);
	put(to + 4, ENTRY, 4);
	put(to + 8, padded, 8);
	put(to + 28, t->sm, 4);
	if (t->how != MADE_PLAIN) {
		put(to + 16, data, 4);
		put(to + 40, t->how == MADE_LZ4 ? 0x2000 : 0x8000, 8);
		put(to + 56, t->n, 8);
	}
	return ENTRY + padded;
}

size_t made_fatbin(uint8_t *to, size_t room, const struct made_entry *entry, unsigned n)
{
	size_t at = HEADER;

	for (unsigned i = 0; i < n; i++) {
		size_t bytes = at < room ? put_entry(to + at, room - at, &entry[i]) : 0;

		if (!bytes)
			return 0;
		at += bytes;
	}
	put(to, 0xba55ed50, 4);
	put(to + 4, 1, 2);
	put(to + 6, HEADER, 2);
	put(to + 8, at - HEADER, 8);
	return at;
}
