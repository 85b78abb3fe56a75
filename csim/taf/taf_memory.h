/* The metadata of thread address footprints in memory, as hardware and software read and write it (tafe, Figures 6 and
 * 8).
 *
 *   TAF_BASE              header: block x, y, z and grid x, y, z, 32 bits each
 *   TAF_BASE + 64 (1 + i) entry i of the access pattern directory, a line
 *   behind them           extent tables, each from a line's start: 7 extents of 9 bytes a line (valid byte, minimum,
 *                         maximum), byte
 * 63 and unused extents zero. Set s of CTAs has the extents s k to s k + k - 1 (k = taf_options.extents)
 *
 * An entry, little endian: byte 0: V in bit 0, R in 1, Pri in 2, type in 4..3, log2 of the element's size in 6..5; byte
 * 1: S-Pri entry in bits 3..0, E-Pri entry in 7..4; 4..7 c; 8..15 base; 16..23 limit; 24..31 extent table; 32..55 m;
 * 56..59 N; 60..63 ofs. INDIR_RANGE keeps c_s in c and c_e in ofs. A free entry is zero.
 */
#ifndef CSIM_TAF_TAF_MEMORY_H
#define CSIM_TAF_TAF_MEMORY_H

#include "taf/taf.h"

/* Above all that a host program can allocate (ptx/memory.h), within the 48 bits of the hardware's addresses. */
#define TAF_BASE      (UINT64_C(1) << 46)
#define TAF_MAX_BYTES (UINT64_C(1) << 36)

struct taf_memory {
	uint64_t base, bytes; /* TAF_BASE; a multiple of TAF_LINE */
	uint8_t *byte;
};

struct taf_extent {
	bool valid;
	uint32_t min, max;
};

/* Where the first table is behind TAF_BASE, and what a table takes. */
static inline uint64_t taf_tables_begin(void)
{
	return (uint64_t)TAF_LINE * (1 + TAF_ARRAYS);
}
static inline uint64_t taf_table_bytes(const struct taf *t)
{
	uint64_t extents = (uint64_t)t->n_sets * taf_extents_a_set(t);

	return (extents + TAF_EXTENTS_A_LINE - 1) / TAF_EXTENTS_A_LINE * TAF_LINE;
}
static inline uint64_t taf_entry_address(uint32_t entry)
{
	return TAF_BASE + (uint64_t)TAF_LINE * (1 + entry);
}
/* Of extent `i` of the table. */
static inline uint64_t taf_extent_address(uint64_t table, uint64_t i)
{
	return table + i / TAF_EXTENTS_A_LINE * TAF_LINE + i % TAF_EXTENTS_A_LINE * TAF_EXTENT_BYTES;
}

/* Zero, for all that t's calls allocate. */
void taf_memory_init(struct taf_memory *m, const struct taf *t);
void taf_memory_free(struct taf_memory *m);
/* What the runtime writes in a call: the header, or the entry's line; RESET of a primary array also clears its
 * table. */
void taf_memory_call(struct taf_memory *m, const struct taf *t, const struct taf_call *c);
/* The bytes at an address of the metadata; panics outside. */
uint8_t *taf_memory_at(const struct taf_memory *m, uint64_t address, uint64_t bytes);

struct taf_extent taf_extent_get(const struct taf_memory *m, uint64_t table, uint64_t i);
void taf_extent_put(struct taf_memory *m, uint64_t table, uint64_t i, struct taf_extent x);
/* Extents of the table that differ between a and b. */
uint64_t taf_extents_differ(const struct taf_memory *a, const struct taf_memory *b, const struct taf *t, uint64_t table);

#endif
