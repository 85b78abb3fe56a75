#include "taf/taf_memory.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/panic.h"

void taf_memory_init(struct taf_memory *m, const struct taf *t)
{
	*m = (struct taf_memory){TAF_BASE, t->bytes, xcalloc(t->bytes + 1, 1)};
}

void taf_memory_free(struct taf_memory *m)
{
	free(m->byte);
	*m = (struct taf_memory){0};
}

uint8_t *taf_memory_at(const struct taf_memory *m, uint64_t address, uint64_t bytes)
{
	uint64_t at = address - m->base;

	if (address < m->base || at > m->bytes || bytes > m->bytes - at)
		panic("taf", 0, "%llu bytes at 0x%llx are outside the metadata", (unsigned long long)bytes,
		      (unsigned long long)address);
	return m->byte + at;
}

static void put32(uint8_t *to, uint32_t v)
{
	memcpy(to, &v, sizeof v); /* both are little endian */
}

static void put64(uint8_t *to, uint64_t v)
{
	memcpy(to, &v, sizeof v);
}

static void write_header(struct taf_memory *m, const struct taf *t)
{
	uint8_t *line = taf_memory_at(m, TAF_BASE, TAF_LINE);

	for (int d = 0; d < 3; d++) {
		put32(line + 4 * d, t->block[d]);
		put32(line + 12 + 4 * d, t->grid[d]);
	}
}

static void write_entry(uint8_t *line, const struct taf_array *a)
{
	bool range = a->type == TAF_INDIR_RANGE;

	line[0] = (uint8_t)(a->valid | a->ready << 1 | a->primary << 2 | a->type << 3 | __builtin_ctz(a->size) << 5);
	line[1] = (uint8_t)(a->start | a->end << 4);
	put32(line + 4, range ? a->c_s : a->c);
	put64(line + 8, a->base);
	put64(line + 16, a->limit);
	put64(line + 24, a->extents);
	for (int i = 0; i < 6; i++)
		put32(line + 32 + 4 * i, a->m[i]);
	put32(line + 56, a->n);
	put32(line + 60, range ? a->c_e : a->ofs);
}

void taf_memory_call(struct taf_memory *m, const struct taf *t, const struct taf_call *c)
{
	uint8_t *line;

	if (c->op == TAF_SETUP) {
		write_header(m, t);
		return;
	}
	PANIC_UNLESS(c->entry < TAF_ARRAYS, "taf", c->entry);
	line = taf_memory_at(m, taf_entry_address(c->entry), TAF_LINE);
	if (c->op == TAF_RESET)
		memset(line, 0, TAF_LINE);
	else
		write_entry(line, &c->array);
	if (c->op == TAF_RESET && c->array.primary)
		memset(taf_memory_at(m, c->array.extents, taf_table_bytes(t)), 0, taf_table_bytes(t));
}

struct taf_extent taf_extent_get(const struct taf_memory *m, uint64_t table, uint64_t i)
{
	const uint8_t *at = taf_memory_at(m, taf_extent_address(table, i), TAF_EXTENT_BYTES);
	struct taf_extent x = {.valid = at[0]};

	memcpy(&x.min, at + 1, sizeof x.min);
	memcpy(&x.max, at + 5, sizeof x.max);
	return x;
}

void taf_extent_put(struct taf_memory *m, uint64_t table, uint64_t i, struct taf_extent x)
{
	uint8_t *at = taf_memory_at(m, taf_extent_address(table, i), TAF_EXTENT_BYTES);

	at[0] = x.valid;
	put32(at + 1, x.min);
	put32(at + 5, x.max);
}

uint64_t taf_extents_differ(const struct taf_memory *a, const struct taf_memory *b, const struct taf *t, uint64_t table)
{
	uint64_t n = (uint64_t)t->n_sets * taf_extents_a_set(t), differ = 0;

	for (uint64_t i = 0; i < n; i++)
		differ += memcmp(taf_memory_at(a, taf_extent_address(table, i), TAF_EXTENT_BYTES),
				 taf_memory_at(b, taf_extent_address(table, i), TAF_EXTENT_BYTES), TAF_EXTENT_BYTES) != 0;
	return differ;
}
