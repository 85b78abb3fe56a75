/* 639: the extents that TAFE's software tracker keeps: one or k, of CTAs, groups and modules. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/cputime.h"
#include "workload/random.h"
#include "support/taf_made.h"
#include "taf/taf_track.h"
#include "taf/taf_walk.h"

#define BASE UINT64_C(0x1000)

static struct host_random rng = {1};

static uint32_t below(uint32_t n)
{
	return host_random_below(&rng, n);
}

/* ---- what else is asked of extents ---- */

/* One CTA that reads all of an array of n words. */
static struct taf one_cta(const void *v, uint32_t n, uint32_t size, uint32_t extents)
{
	struct taf t =
		taf_made((const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){1, 1, 1}, (struct taf_options){.extents = extents});

	taf_made_add(&t, (struct taf_array){.type = TAF_TID_DEP, .primary = true, .ofs = 1, .n = n}, BASE, n, size, 0, 0);
	taf_made_ready(&t, BASE);
	taf_stores_add(&t.stores, BASE, size, n, v);
	return t;
}

static void expect_extents(const uint32_t *v, uint32_t n, uint32_t k, const struct taf_extent *want)
{
	struct taf t = one_cta(v, n, 4, k);
	struct taf_memory mem;

	taf_track(&mem, &t, NULL);
	for (uint32_t i = 0; i < k; i++)
		taf_made_expect(&mem, &t, 0, i, want[i], "k extents");
	taf_memory_free(&mem);
	taf_free(&t);
}

Test(taf_track, the_two_closest_intervals_become_one)
{
	static const uint32_t v[] = {100, 10, 50, 52, 51, 11, 103, 40};

	/* 100 | 10 100 | 10 50 100, then 52 is 2 from 50: (50, 52) holds 51; 11 touches 10; 103 is 3 from 100; 40 is 10
	 * from 50. */
	expect_extents(v, 8, 3, (const struct taf_extent[]){{true, 10, 11}, {true, 40, 52}, {true, 100, 103}});
	expect_extents(v, 8, 1, (const struct taf_extent[]){{true, 10, 103}});
	expect_extents(v, 8, 6,
		       (const struct taf_extent[]){
			       {true, 10, 11}, {true, 40, 40}, {true, 50, 52}, {true, 100, 100}, {true, 103, 103}, {0}});
}

Test(taf_track, of_equal_gaps_the_lowest_closes)
{
	static const uint32_t v[] = {30, 10, 20};

	expect_extents(v, 3, 2, (const struct taf_extent[]){{true, 10, 20}, {true, 30, 30}});
}

Test(taf_track, k_extents_hold_all_values_apart_and_in_order)
{
	for (unsigned round = 0; round < 300; round++) {
		uint32_t v[64], k = 1 + below(8), n = 1 + below(64);
		struct taf_extent x[8];
		struct taf_memory mem;
		struct taf t;

		for (uint32_t i = 0; i < n; i++)
			v[i] = below(1000);
		t = one_cta(v, n, 4, k);
		taf_track(&mem, &t, NULL);
		for (uint32_t i = 0; i < k; i++) {
			x[i] = taf_extent_get(&mem, t.array[0].extents, i);
			cr_assert(!x[i].valid || (x[i].min <= x[i].max && (!i || (x[i - 1].valid && x[i - 1].max + 1 < x[i].min))),
				  "round %u, extent %u", round, i);
		}
		for (uint32_t i = 0; i < n; i++) {
			bool held = false;

			for (uint32_t j = 0; j < k; j++)
				held |= x[j].valid && x[j].min <= v[i] && v[i] <= x[j].max;
			cr_assert(held, "round %u: %u is in none of %u extents", round, v[i], k);
		}
		taf_memory_free(&mem);
		taf_free(&t);
	}
}

Test(taf_track, a_value_over_32_bits_makes_the_extent_the_whole_range_and_is_counted)
{
	static const uint64_t v[4] = {5, UINT64_C(1) << 32, 7, UINT64_MAX};

	for (uint32_t k = 1; k <= 3; k++) {
		struct taf t = one_cta(v, 4, 8, k);
		struct taf_track_counts counts;
		struct taf_memory mem;
		struct taf_range r;
		struct taf_walk w;

		taf_made_add(&t, (struct taf_array){.type = TAF_INDIR, .m = {3}, .c = 17}, BASE + 64, 100, 4, BASE, BASE);
		taf_made_ready(&t, BASE + 64);
		taf_track(&mem, &t, &counts);
		taf_made_expect(&mem, &t, 0, 0, (struct taf_extent){true, 0, UINT32_MAX}, "saturated");
		cr_expect_eq(counts.saturated, 2);
		cr_expect_eq(counts.reads, 4);
		taf_walk_begin(&w, &t, &mem, &t.array[1], 0);
		cr_expect(taf_walk_next(&w, &r) && r.first == 0 && r.last == 99 && !taf_walk_next(&w, &r), "the whole array");
		taf_memory_free(&mem);
		taf_free(&t);
	}
}

Test(taf_track, the_largest_value_of_32_bits_does_not_saturate)
{
	static const uint64_t v[2] = {UINT32_MAX, UINT32_MAX - 3};
	struct taf t = one_cta(v, 2, 8, 1);
	struct taf_track_counts counts;
	struct taf_memory mem;

	taf_track(&mem, &t, &counts);
	taf_made_expect(&mem, &t, 0, 0, (struct taf_extent){true, UINT32_MAX - 3, UINT32_MAX}, "not saturated");
	cr_expect_eq(counts.saturated, 0);
	taf_memory_free(&mem);
	taf_free(&t);
}

Test(taf_track, a_reset_array_leaves_no_entry_and_no_extents)
{
	static const uint32_t v[2] = {3, 4};
	struct taf t = one_cta(v, 2, 4, 1);
	uint64_t table = t.array[0].extents;
	struct taf_memory mem;
	struct err e = {""};

	taf_memory_init(&mem, &t);
	for (uint64_t c = 0; c < t.n_calls; c++)
		taf_memory_call(&mem, &t, &t.call[c]);
	taf_extent_put(&mem, table, 0, (struct taf_extent){true, 3, 4});
	cr_assert_eq(taf_reset_array(&t, BASE, "array", &e), 0, "%s", e.text);
	taf_memory_call(&mem, &t, &t.call[t.n_calls - 1]);
	for (unsigned i = 0; i < TAF_LINE; i++)
		cr_expect(!taf_memory_at(&mem, taf_entry_address(0), TAF_LINE)[i] && !taf_memory_at(&mem, table, TAF_LINE)[i],
			  "byte %u", i);
	taf_memory_free(&mem);
	taf_free(&t);
}

Test(taf_track, the_last_store_to_an_element_counts)
{
	static const uint32_t first[3] = {900, 5, 6}, again = 7;
	struct taf t = one_cta(first, 3, 4, 1);
	struct taf_memory mem;

	taf_stores_add(&t.stores, BASE, 4, 1, &again);
	taf_track(&mem, &t, NULL);
	taf_made_expect(&mem, &t, 0, 0, (struct taf_extent){true, 5, 7}, "again");
	taf_memory_free(&mem);
	taf_free(&t);
}

Test(taf_track, an_array_registered_twice_has_one_table_for_both)
{
	static const uint32_t v[8] = {0, 10, 20, 30, 40, 50, 60, 70};
	struct taf t = taf_made((const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){4, 1, 1}, (struct taf_options){0});
	struct taf_memory mem;

	taf_made_add(&t, (struct taf_array){.type = TAF_TID_DEP, .primary = true, .m = {0, 0, 0, 1}}, BASE, 8, 4, 0, 0);
	taf_made_add(&t, (struct taf_array){.type = TAF_TID_DEP, .m = {0, 0, 0, 1}, .c = 4}, BASE, 8, 4, 0, 0);
	taf_made_ready(&t, BASE);
	taf_stores_add(&t.stores, BASE, 4, 8, v);
	taf_track(&mem, &t, NULL);
	for (uint32_t cta = 0; cta < 4; cta++)
		taf_made_expect(&mem, &t, 0, cta, (struct taf_extent){true, 10 * cta, 10 * cta + 40}, "both");
	taf_memory_free(&mem);
	taf_free(&t);
}

Test(taf_track, sets_are_groups_of_ctas_or_what_a_module_runs)
{
	static const uint16_t module[4] = {0, 0, 0, 1}; /* 3 SMs in module 0, 1 in module 1 */
	static const struct {
		struct taf_options o;
		uint32_t sets, set_of[10];
	} vector[] = {{{0}, 10, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
		      {{.group = 4}, 3, {0, 0, 0, 0, 1, 1, 1, 1, 2, 2}},
		      {{.modules = 3}, 3, {0, 0, 0, 0, 1, 1, 1, 2, 2, 2}},
		      {{.modules = 2, .sms = 4, .module_of_sm = module}, 2, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1}}};

	for (unsigned i = 0; i < sizeof vector / sizeof vector[0]; i++) {
		struct taf t = taf_made((const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){10, 1, 1}, vector[i].o);

		cr_expect_eq(t.n_sets, vector[i].sets);
		for (uint32_t cta = 0; cta < 10; cta++)
			cr_expect_eq(taf_set_of(&t, cta), vector[i].set_of[cta], "wish %u, CTA %u: set %u", i, cta,
				     taf_set_of(&t, cta));
		taf_free(&t);
	}
}

Test(taf_track, a_module_without_neighbouring_ctas_reads_to_the_arrays_end)
{
	static const uint16_t module[4] = {0, 1, 0, 1};
	static const uint32_t row[4] = {0, 3, 5, 9};
	struct taf t = taf_made((const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){4, 1, 1},
				(struct taf_options){.modules = 2, .sms = 4, .module_of_sm = module});
	struct taf_memory mem;
	struct taf_range r;
	struct taf_walk w;

	taf_made_add(&t, (struct taf_array){.type = TAF_TID_DEP, .primary = true, .m = {0, 0, 0, 1}}, BASE, 4, 4, 0, 0);
	taf_made_add(&t, (struct taf_array){.type = TAF_INDIR_RANGE}, BASE + 64, 12, 4, BASE, BASE);
	taf_made_ready(&t, BASE);
	taf_stores_add(&t.stores, BASE, 4, 4, row);
	taf_made_ready(&t, BASE + 64);
	taf_track(&mem, &t, NULL);
	for (uint32_t cta = 0; cta < 4; cta++) {
		taf_walk_begin(&w, &t, &mem, &t.array[1], cta);
		cr_expect(taf_walk_next(&w, &r) && r.first == (cta % 2 ? 3 : 0) && r.last == 11, "CTA %u: %u-%u", cta, r.first,
			  r.last);
	}
	taf_memory_free(&mem);
	taf_free(&t);
}

Test(taf_track, four_million_elements_take_about_a_second)
{
	const uint32_t n = 4 << 20;
	uint32_t *v = xcalloc(n, sizeof *v);
	struct taf_track_counts counts;
	struct taf_memory mem;
	double start;
	struct taf t = taf_made((const uint32_t[3]){256, 1, 1}, (const uint32_t[3]){n / 256, 1, 1}, (struct taf_options){0});

	for (uint32_t i = 0; i < n; i++)
		v[i] = below(n);
	taf_made_add(&t, (struct taf_array){.type = TAF_TID_DEP, .primary = true, .m = {1, 0, 0, 256}}, BASE, n, 4, 0, 0);
	taf_made_ready(&t, BASE);
	taf_stores_add(&t.stores, BASE, 4, n, v);
	start = cpu_seconds();
	taf_track(&mem, &t, &counts);
	start = cpu_seconds() - start;
	cr_expect_eq(counts.reads, n);
	cr_expect_lt(start, 1.5, "%.2f s", start);
	taf_memory_free(&mem);
	taf_free(&t);
	free(v);
}
