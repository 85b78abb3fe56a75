/* 431: `locus cache`'s engine: traces whose hits and misses can be derived on paper. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "replay/dinero.h"
#include "support/random.h"

/* 16 KB, 128 B lines, 4 ways unless changed: 32 sets, 128 lines. */
static const struct dinero_params base = {.bytes = 16384, .line = 128, .assoc = 4};

static struct dinero_cache *open_cache(struct dinero_params p)
{
	struct err e = {""};
	struct dinero_cache *c = dinero_open(&p, &e);

	cr_assert_not_null(c, "%s", e.text);
	return c;
}

/* Reads n addresses from `from` on, `stride` bytes apart. */
static void walk(struct dinero_cache *c, enum dinero_kind kind, uint64_t from, uint64_t stride, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		dinero_access(c, kind, from + i * stride);
}

static struct dinero_counts done(struct dinero_cache *c)
{
	struct dinero_counts n = dinero_count(c);

	dinero_close(c);
	return n;
}

Test(din, a_sequential_walk_misses_once_a_line)
{
	struct dinero_cache *c = open_cache(base);
	struct dinero_counts n;

	walk(c, DIN_READ, 0x10000, 4, 8192);
	n = done(c);
	cr_assert_eq(n.accesses[DIN_READ], 8192);
	cr_assert_eq(n.misses[DIN_READ], 8192 * 4 / 128);
	cr_assert_eq(n.evictions, 8192 * 4 / 128 - 128, "all lines but those that the cache holds at the end");
	cr_assert_eq(n.write_backs + n.dirty_left, 0);
}

Test(din, a_loop_that_fits_misses_in_its_first_round_only)
{
	struct dinero_cache *c = open_cache(base);

	for (unsigned round = 0; round < 5; round++)
		walk(c, DIN_FETCH, 0x4000, 128, 128);
	cr_assert_eq(done(c).misses[DIN_FETCH], 128);
}

Test(din, a_loop_over_one_line_too_many_misses_in_the_set_that_is_over_full)
{
	struct dinero_cache *c = open_cache(base);

	for (unsigned round = 0; round < 5; round++)
		walk(c, DIN_READ, 0x4000, 128, 129);
	cr_assert_eq(done(c).misses[DIN_READ], 129 + 4 * 5, "five lines take turns in set 0, in every later round");
	struct dinero_params full = base;
	full.assoc = 0;
	c = open_cache(full);
	for (unsigned round = 0; round < 5; round++)
		walk(c, DIN_READ, 0x4000, 128, 129);
	cr_assert_eq(done(c).misses[DIN_READ], 129 * 5, "fully associative LRU: each is evicted just before its turn");
}

/* Two lines that alternate in one set of a direct-mapped cache never hit; two ways hold both. */
Test(din, a_ping_pong_is_a_conflict)
{
	struct dinero_params p = base;
	struct dinero_cache *c;
	struct dinero_counts n;

	p.classify = true;
	p.assoc = 1;
	c = open_cache(p);
	for (unsigned i = 0; i < 100; i++)
		dinero_access(c, DIN_READ, i % 2 * 16384);
	n = done(c);
	cr_assert_eq(n.misses[DIN_READ], 100);
	cr_assert_eq(n.class[DIN_COMPULSORY], 2);
	cr_assert_eq(n.class[DIN_CONFLICT], 98);
	p.assoc = 2;
	c = open_cache(p);
	for (unsigned i = 0; i < 100; i++)
		dinero_access(c, DIN_READ, i % 2 * 16384);
	cr_assert_eq(done(c).misses[DIN_READ], 2);
}

Test(din, a_loop_over_more_than_the_cache_is_a_matter_of_capacity)
{
	struct dinero_params p = base;
	struct dinero_cache *c;
	struct dinero_counts n;

	p.classify = true;
	c = open_cache(p);
	for (unsigned round = 0; round < 3; round++)
		walk(c, DIN_READ, 0, 128, 256);
	n = done(c);
	cr_assert_eq(n.class[DIN_COMPULSORY], 256);
	cr_assert_eq(n.class[DIN_CAPACITY], 512);
	cr_assert_eq(n.class[DIN_CONFLICT], 0);
}

/* 128 lines are written, then 100 others are read into the same sets: set s sees 4 dirty lines; the reads evict, oldest
 * first,
 * 4 of them in sets 0..3 (100 = 3 * 32 + 4) and 3 in the others: 100 write-backs; 28 dirty lines stay. */
Test(din, dirty_lines_are_written_back_once_when_they_make_room)
{
	struct dinero_cache *c = open_cache(base);
	struct dinero_counts n;

	for (unsigned round = 0; round < 2; round++)
		walk(c, DIN_WRITE, 0, 128, 128);
	walk(c, DIN_READ, 0x100000, 128, 100);
	n = done(c);
	cr_assert_eq(n.misses[DIN_WRITE], 128);
	cr_assert_eq(n.misses[DIN_READ], 100);
	cr_assert_eq(n.write_backs, 100);
	cr_assert_eq(n.dirty_left, 28);
}

Test(din, write_through_and_no_write_allocate)
{
	struct dinero_params p = base;
	struct dinero_cache *c;
	struct dinero_counts n;

	p.write_through = true;
	c = open_cache(p);
	walk(c, DIN_WRITE, 0, 64, 100);
	n = done(c);
	cr_assert_eq(n.misses[DIN_WRITE], 50);
	cr_assert_eq(n.below, 100);
	cr_assert_eq(n.dirty_left, 0);
	p.write_through = false;
	p.no_write_allocate = true;
	c = open_cache(p);
	walk(c, DIN_WRITE, 0, 64, 100); /* all miss: nothing comes in */
	walk(c, DIN_READ, 0, 128, 1);
	walk(c, DIN_WRITE, 0, 64, 2); /* both hit */
	n = done(c);
	cr_assert_eq(n.misses[DIN_WRITE], 100);
	cr_assert_eq(n.below, 100);
	cr_assert_eq(n.dirty_left, 1);
}

/* dwt-pric, section 4.3: down a column of rows 4 KB apart. Linear: 32 lines in one set of 4 ways, LRU, so every access
 * misses, in every round. PRIC(37): 32 lines in 32 sets when the first row's number is a multiple of 32. */
Test(din, pric_holds_the_column_that_a_linear_index_loses)
{
	struct dinero_params p = base;
	struct dinero_cache *c = open_cache(p);

	for (unsigned round = 0; round < 3; round++)
		walk(c, DIN_READ, 0x20000, 4096, 32);
	cr_assert_eq(done(c).misses[DIN_READ], 96);
	p.poly = 37;
	c = open_cache(p);
	for (unsigned round = 0; round < 3; round++)
		walk(c, DIN_READ, 0x20000, 4096, 32);
	cr_assert_eq(done(c).misses[DIN_READ], 32);
}

/* Figure 7 prints the sums over A[26:7] only: a stride of 2^27 bytes then stays in one set, which the exact remainder
 * spreads over as many sets as there are lines (up to 32). Five lines in one set of four ways always miss. */
Test(din, the_printed_sums_lose_strides_of_128_mib)
{
	struct dinero_params p = base;
	struct dinero_cache *c;

	p.poly = 37;
	c = open_cache(p);
	for (unsigned round = 0; round < 3; round++)
		walk(c, DIN_READ, 0, UINT64_C(1) << 27, 5);
	cr_assert_eq(done(c).misses[DIN_READ], 5);
	p.addr_bits = 27;
	c = open_cache(p);
	for (unsigned round = 0; round < 3; round++)
		walk(c, DIN_READ, 0, UINT64_C(1) << 27, 5);
	cr_assert_eq(done(c).misses[DIN_READ], 15);
}

/* ---- any trace, against lists of lines ---- */

enum { MAX_LINES = 512 };

struct naive {
	struct {
		uint64_t line;
		bool dirty;
	} at[MAX_LINES][MAX_LINES]; /* by set, most recently used first */
	uint32_t n[MAX_LINES];
	struct dinero_counts c;
};

/* Remainder of the line number by the polynomial, by long division. */
static uint32_t remainder_of(uint64_t line, uint32_t poly)
{
	unsigned degree = 31 - (unsigned)__builtin_clz(poly);

	for (int bit = 63; bit >= (int)degree; bit--)
		if (line >> bit & 1)
			line ^= (uint64_t)poly << (bit - (int)degree);
	return (uint32_t)line;
}

static void naive_access(struct naive *m, const struct dinero_params *p, enum dinero_kind kind, uint64_t addr)
{
	uint64_t line = addr / p->line;
	uint32_t sets = (uint32_t)(p->bytes / p->line / p->assoc),
		 set = p->poly ? remainder_of(line, p->poly) : (uint32_t)(line % sets), i = 0;
	bool dirty = false, hit;

	m->c.accesses[kind]++;
	while (i < m->n[set] && m->at[set][i].line != line)
		i++;
	hit = i < m->n[set];
	m->c.misses[kind] += !hit;
	if (hit) {
		dirty = m->at[set][i].dirty;
	} else if (kind == DIN_WRITE && p->no_write_allocate) {
		m->c.below++;
		return;
	} else if (m->n[set] == p->assoc) {
		i = p->assoc - 1;
		m->c.evictions++;
		m->c.write_backs += m->at[set][i].dirty;
	} else {
		i = m->n[set]++;
	}
	for (; i > 0; i--)
		m->at[set][i] = m->at[set][i - 1];
	m->c.below += kind == DIN_WRITE && p->write_through;
	m->at[set][0].line = line;
	m->at[set][0].dirty = dirty || (kind == DIN_WRITE && !p->write_through);
}

Test(din, any_trace_agrees_with_lists_of_lines)
{
	struct naive *m = xcalloc(1, sizeof *m);
	const struct dinero_params shape[] = {
		{.bytes = 16384, .line = 128, .assoc = 4},
		{.bytes = 16384, .line = 128, .assoc = 4, .poly = 59},
		{.bytes = 16384, .line = 128, .assoc = 128},
		{.bytes = 8192, .line = 64, .assoc = 1, .write_through = true},
		{.bytes = 12288, .line = 32, .assoc = 24},
		{.bytes = 4096, .line = 32, .assoc = 2, .poly = 67, .no_write_allocate = true},
		{.bytes = 32768, .line = 128, .assoc = 64},
		{.bytes = 32768, .line = 256, .assoc = 16, .poly = 11},
		{.bytes = 300 * 64, .line = 64, .assoc = 300},
	};

	for (unsigned k = 0; k < sizeof shape / sizeof shape[0]; k++) {
		struct dinero_cache *c = open_cache(shape[k]);
		struct dinero_counts n;
		uint64_t seed = k + 5;

		memset(m, 0, sizeof *m);
		for (unsigned i = 0; i < 60000; i++) {
			uint64_t r = random_u64(&seed), addr = r % 7 ? r % (shape[k].bytes * 5 / 4) : r >> 20;
			enum dinero_kind kind = (enum dinero_kind)((r >> 60) % 3);

			dinero_access(c, kind, addr);
			naive_access(m, &shape[k], kind, addr);
		}
		n = done(c);
		for (unsigned s = 0; s < MAX_LINES; s++)
			for (uint32_t i = 0; i < m->n[s]; i++)
				m->c.dirty_left += m->at[s][i].dirty;
		for (unsigned kind = 0; kind < DIN_KINDS; kind++) {
			cr_assert_eq(n.accesses[kind], m->c.accesses[kind]);
			cr_assert_eq(n.misses[kind], m->c.misses[kind], "shape %u", k);
		}
		cr_assert_eq(n.evictions, m->c.evictions, "shape %u", k);
		cr_assert_eq(n.write_backs, m->c.write_backs, "shape %u", k);
		cr_assert_eq(n.dirty_left, m->c.dirty_left, "shape %u", k);
		cr_assert_eq(n.below, m->c.below, "shape %u", k);
	}
	free(m);
}
