/* 843: Algorithm 2 of the Locality Descriptor: which CTAs and which data go to which zone. Known answers are worked
 * out by hand; beside them the search is held against one that tries every combination of maps and looks at every
 * element. */
#include <criterion/criterion.h>
#include <string.h>

#include "ldesc/ldesc_clusters.h"
#include "ldesc/ldesc_zones.h"
#include "support/zone_search.h"

enum { BITS = LDESC_PAGES - LDESC_BIT_LOW };

static const uint16_t own_stack[] = {0, 1, 2, 3};

static struct ldesc_numa four_zones(const uint32_t *sms)
{
	return (struct ldesc_numa){
		.n_sms = 4 * sms[0], .n_zones = 4, .n_stacks = 4, .page = 65536, .sms = sms, .zone_of_stack = own_stack};
}

/* CTAs in each zone. */
static void count(const struct ldesc_zones *z, uint32_t n, uint32_t of[ZONE_MAX_ZONES])
{
	memset(of, 0, ZONE_MAX_ZONES * sizeof *of);
	for (uint32_t i = 0; i < n; i++)
		of[z->zone[i]]++;
}

/* ---- known answers ---- */

/* A row of D-tiles, a CTA each. */
static struct ldesc row(uint64_t base, uint32_t tiles, uint64_t bytes, uint32_t priority)
{
	return (struct ldesc){.base = base,
			      .bytes = tiles * bytes,
			      .element = 1,
			      .len = {tiles * bytes, 1, 1},
			      .type = LDESC_NO_REUSE,
			      .d_tile = {bytes, 1, 1},
			      .c_tile = {1, 1, 1},
			      .rank = {1, 0, 0},
			      .priority = priority};
}

static void find(struct ldesc_zones *z, const struct ldesc *l, uint32_t n, const struct ldesc_launch *at,
		 const struct ldesc_numa *m, struct arena *a)
{
	struct err e = {""};

	cr_assert_eq(ldesc_check_all(&(struct ldesc_set){n, l}, at, &e), 0, "%s", e.text);
	ldesc_find_zones(z, &(struct ldesc_set){n, l}, at, m, NULL, a);
}

/* Rows of 43,008 bytes, tiles of 3,072: at a granularity of 1 KB a third of each tile is in each of two zones, {0, 2}
 * for even columns and {1, 3} for odd ones, and ties go round. The row that is cut ends with 3/4 of a tile, 1 KB of it
 * where most is. */
Test(zones, of_histo)
{
	static const uint32_t sms[] = {2, 2, 2, 2};
	struct ldesc l = {.base = 0x100000,
			  .bytes = 1035840 * 4,
			  .element = 4,
			  .len = {14 * 768, 97, 1},
			  .type = LDESC_NO_REUSE,
			  .d_tile = {768, 97, 1},
			  .c_tile = {1, 16, 1},
			  .rank = {1, 0, 0}};
	struct ldesc_numa m = four_zones(sms);
	struct ldesc_zones z;
	struct arena a = {0};
	uint32_t of[ZONE_MAX_ZONES];

	find(&z, &l, 1, &(struct ldesc_launch){{14, 16, 1}, {768, 1, 1}}, &m, &a);
	count(&z, 14, of); /* the top row has a CTA of each C-tile */
	cr_expect(of[0] == 4 && of[1] == 4 && of[2] == 3 && of[3] == 3, "%u %u %u %u", of[0], of[1], of[2], of[3]);
	cr_expect_eq(z.map[0].bit, 10);
	cr_expect_float_eq(z.total, 1349.0 * 1024 / (1035840 * 4), 1e-12);
	arena_free(&a);
}

/* A CTA reads 64 bytes of each of 16 rows, and writes what another does: the input is local by bits 7 and 8. A row of
 * tiles of the output is a page, which goes to the zone of the one column of CTAs that writes it. By bits it would be
 * local by chance. */
Test(zones, of_transpose_want_whole_pages_for_the_output)
{
	static const uint32_t sms[] = {16, 16, 16, 16};
	const struct ldesc_launch at = {{64, 64, 1}, {16, 16, 1}};
	struct ldesc l[2] = {{.bytes = 4 << 20,
			      .element = 4,
			      .len = {1024, 1024, 1},
			      .type = LDESC_NO_REUSE,
			      .d_tile = {16, 16, 1},
			      .c_tile = {1, 1, 1},
			      .rank = {1, 2, 0},
			      .priority = 1}};
	struct ldesc_numa m = four_zones(sms);
	struct ldesc_zones z;
	struct arena a = {0};
	double best = 0;
	uint8_t best_in = 0, best_out = 0;

	l[1] = l[0];
	l[1].base = 4 << 20;
	l[1].priority = 2;
	l[1].rank[0] = 2;
	l[1].rank[1] = 1;
	find(&z, l, 2, &at, &m, &a);
	cr_expect(z.map[0].bit == 7 && z.map[1].bit == LDESC_PAGES && z.total == 3.0, "(%u, %u) %g", z.map[0].bit, z.map[1].bit,
		  z.total);
	for (unsigned i = 0; i < BITS * BITS; i++) { /* bits alone */
		struct ldesc_map in = {.bit = (uint8_t)(LDESC_BIT_LOW + i / BITS)},
				 out = {.bit = (uint8_t)(LDESC_BIT_LOW + i % BITS)};
		const struct ldesc_map *fixed[] = {&in, &out};

		ldesc_find_zones(&z, &(struct ldesc_set){2, l}, &at, &m, fixed, &a);
		if (z.total <= best)
			continue;
		best = z.total;
		best_in = in.bit;
		best_out = out.bit;
	}
	cr_expect(best == 2.25 && best_in == 7 && best_out == 7, "(%u, %u) %g", best_in, best_out, best);
	arena_free(&a);
}

Test(zones, of_figure_13)
{
	static const uint32_t sms[] = {4, 4, 4, 4};
	struct ldesc l[2] = {row(0, 16, 64 << 10, 1), row(1 << 20, 16, 16 << 10, 2)};
	struct ldesc_numa m = four_zones(sms);
	struct ldesc_zones z;
	struct arena a = {0};

	find(&z, l, 2, &(struct ldesc_launch){{16, 1, 1}, {32, 1, 1}}, &m, &a);
	cr_expect(z.map[0].bit == 16 && z.map[1].bit == 14 && z.total == 3.0, "(%u, %u) %g", z.map[0].bit, z.map[1].bit, z.total);
	for (uint32_t i = 0; i < 16; i++)
		cr_expect_eq(z.zone[i], i % 4);
	arena_free(&a);
}

/* By any bits a tile of 256 KB is a quarter in each zone. */
Test(zones, of_large_tiles_have_whole_pages)
{
	static const uint32_t sms[] = {4, 4, 4, 4};
	struct ldesc l = row(0, 16, 256 << 10, 1);
	struct ldesc_numa m = four_zones(sms);
	struct ldesc_zones z;
	struct arena a = {0};

	find(&z, &l, 1, &(struct ldesc_launch){{16, 1, 1}, {32, 1, 1}}, &m, &a);
	cr_expect(z.map[0].bit == LDESC_PAGES && z.map[0].n_pages == 64 && z.total == 1);
	for (unsigned k = 0; k < LDESC_PAGES - LDESC_BIT_LOW; k++)
		cr_expect_eq(z.candidate[k], 0.25);
	for (uint32_t i = 0; i < 16; i++)
		cr_expect_eq(z.zone[i], i / 4);
	arena_free(&a);
}

/* 21 tiles of 3 KB are in one unit of 64 KB, all local if all CTAs run in zone 0. No zone may hold more than 6 (5.25 x
 * 1.25). */
Test(zones, that_are_not_balanced_are_discarded)
{
	static const uint32_t sms[] = {4, 4, 4, 4};
	struct ldesc l = row(0, 21, 3 << 10, 1);
	struct ldesc_numa m = four_zones(sms);
	struct ldesc_zones z;
	struct arena a = {0};
	uint32_t of[ZONE_MAX_ZONES];

	find(&z, &l, 1, &(struct ldesc_launch){{21, 1, 1}, {32, 1, 1}}, &m, &a);
	cr_expect_lt(z.candidate[16 - LDESC_BIT_LOW], 0);
	cr_expect_gt(z.total, 0);
	count(&z, 21, of);
	for (uint32_t k = 0; k < 4; k++)
		cr_expect_leq(of[k], 6);
	arena_free(&a);
}

/* 128 bytes in all: they are in one zone whatever the bits. */
Test(zones, are_an_even_split_if_nothing_survives)
{
	static const uint32_t sms[] = {1, 1, 1, 1}, uneven[] = {4, 0};
	static const uint16_t far[] = {1, 1};
	struct ldesc l = row(0, 8, 16, 1);
	struct ldesc_numa m = four_zones(sms),
			  no_memory = {.n_sms = 4, .n_zones = 2, .n_stacks = 2, .page = 65536, .sms = uneven, .zone_of_stack = far};
	struct ldesc_zones z;
	struct arena a = {0};

	find(&z, &l, 1, &(struct ldesc_launch){{8, 1, 1}, {32, 1, 1}}, &m, &a);
	cr_expect(z.map[0].bit == LDESC_XOR && z.total == 0);
	for (uint32_t i = 0; i < 8; i++)
		cr_expect_eq(z.zone[i], i / 2);
	find(&z, &l, 1, &(struct ldesc_launch){{8, 1, 1}, {32, 1, 1}}, &no_memory, &a);
	cr_expect_eq(z.map[0].bit, LDESC_XOR, "no SM beside any memory: nothing can be local");
	for (uint32_t i = 0; i < 8; i++)
		cr_expect_eq(z.zone[i], 0);
	arena_free(&a);
}

/* ---- every combination ---- */

Test(zones, are_those_of_a_search_through_all_maps)
{
	static struct zone_case r;
	static struct zone_answer want;
	uint64_t seed = 7;
	uint32_t placed = 0, pages = 0, several = 0;

	for (int i = 0; i < 3000; i++) {
		struct arena a = {0};
		struct ldesc_zones z;

		zone_case_make_up(&r, &seed);
		find(&z, r.l, r.n, &r.at, &r.m, &a);
		zone_search(&r, &want);
		cr_assert_eq(z.total, want.total, "case %d: %.17g, not %.17g", i, z.total, want.total);
		for (uint32_t k = 0; k < r.n && want.total > 0; k++) {
			cr_assert_eq(z.map[k].bit, want.bit[k], "case %d", i);
			pages += want.bit[k] == LDESC_PAGES;
		}
		cr_assert(want.total == 0 || !memcmp(z.zone, want.zone, r.ctas * sizeof *z.zone), "case %d", i);
		placed += want.total > 0;
		several += want.total > 0 && r.n > 1 && want.bit[0] != want.bit[1];
		arena_free(&a);
	}
	cr_expect(placed > 1000 && pages > 100 && several > 500, "%u %u %u", placed, pages, several);
}
