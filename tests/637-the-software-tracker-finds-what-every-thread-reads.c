/* 637: what TAFE's software tracker says that CTAs read, against a walk over every thread, iteration and value. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "workload/random.h"
#include "support/taf_made.h"
#include "taf/taf_sparsity.h"
#include "taf/taf_track.h"
#include "taf/taf_walk.h"

#define BASE UINT64_C(0x1000)

static struct host_random rng = {1};

static uint32_t below(uint32_t n)
{
	return host_random_below(&rng, n);
}

/* ---- TID_DEP ranges, thread by thread ---- */

/* Marks what the CTA reads: the equation of section 3.1, one index at a time. */
static void mark(const struct taf *t, const struct taf_array *a, uint32_t cta, uint8_t *seen)
{
	uint32_t id[6] = {0, 0, 0, cta % t->grid[0], cta / t->grid[0] % t->grid[1], cta / t->grid[0] / t->grid[1]};

	for (id[2] = 0; id[2] < t->block[2]; id[2]++)
		for (id[1] = 0; id[1] < t->block[1]; id[1]++)
			for (id[0] = 0; id[0] < t->block[0]; id[0]++)
				for (uint32_t i = 0; i < (a->n ? a->n : 1); i++) {
					uint32_t index = a->c + i * a->ofs;

					for (int d = 0; d < 6; d++)
						index += a->m[d] * id[d];
					if (index < taf_elements(a))
						seen[index] = 1;
				}
}

static uint32_t some_coefficient(uint32_t n)
{
	switch (below(6)) {
	case 0:
		return 0;
	case 1:
		return 1;
	case 2:
		return -below(n);
	case 3:
		return below(4);
	case 4:
		return 16;
	default:
		return below(n);
	}
}

static struct taf_array some_relation(uint32_t n)
{
	struct taf_array a = {.type = TAF_TID_DEP, .primary = true, .name = "some"};

	for (int d = 0; d < 6; d++)
		a.m[d] = some_coefficient(n);
	a.c = some_coefficient(n);
	a.ofs = some_coefficient(n);
	a.n = below(6);
	return a;
}

Test(taf_track, ranges_of_a_tid_dep_array_are_what_its_threads_read)
{
	for (unsigned round = 0; round < 3000; round++) {
		const uint32_t block[3] = {1 + below(9), 1 + below(4), 1 + below(3)},
			       grid[3] = {1 + below(5), 1 + below(3), 1 + below(2)};
		uint32_t n = 1 + below(300);
		struct taf t = taf_made(block, grid, (struct taf_options){0});
		struct taf_array *a = &t.array[taf_made_add(&t, some_relation(n), BASE, n, 4, 0, 0)];

		taf_made_ready(&t, BASE);
		for (uint32_t cta = 0; cta < t.n_ctas; cta++) {
			uint8_t want[300] = {0}, got[300] = {0};
			struct taf_range r;
			struct taf_walk w;

			mark(&t, a, cta, want);
			taf_walk_begin(&w, &t, NULL, a, cta);
			while (taf_walk_next(&w, &r)) {
				cr_assert(r.first <= r.last && r.last < n, "round %u: %u-%u of %u elements", round, r.first, r.last,
					  n);
				memset(got + r.first, 1, r.last - r.first + 1);
			}
			cr_assert_eq(memcmp(want, got, n), 0, "round %u, CTA %u", round, cta);
		}
		taf_free(&t);
	}
}

Test(taf_track, neighbouring_threads_and_iterations_make_one_range)
{
	static const struct {
		uint32_t block[3], m[6], ofs, n, ranges;
	} vector[] = {
		{{256, 1, 1}, {1, 0, 0, 256}, 0, 0, 1},		     /* a thread an element */
		{{64, 1, 1}, {16, 0, 0, 1024}, 1, 16, 1},	     /* 16 neighbours a thread */
		{{64, 1, 1}, {1, 0, 0, 1024}, 64, 16, 1},	     /* a loop that strides over the block */
		{{16, 16, 1}, {1, 512, 0, 16, 8192}, 0, 0, 16},	     /* a tile */
		{{16, 16, 1}, {-1u, 512, 0, 16, 8192}, -16u, 32, 1}, /* whole rows, from their ends */
		{{32, 8, 4}, {0, 0, 0, 0}, 0, 0, 1},		     /* all threads one element */
		{{32, 4, 4}, {1, 32, 128, 512}, 512, 4, 1},	     /* all dimensions and the loop, one after the
								      * other */
		{{32, 1, 1}, {2, 0, 0, 64}, 1, 2, 1},		     /* the gaps of one are filled by the other */
	};

	for (unsigned i = 0; i < sizeof vector / sizeof vector[0]; i++) {
		struct taf t = taf_made(vector[i].block, (const uint32_t[3]){1, 1, 1}, (struct taf_options){0});
		struct taf_array a = {.type = TAF_TID_DEP, .c = 4096, .ofs = vector[i].ofs, .n = vector[i].n};
		uint32_t ranges = 0;
		struct taf_range r;
		struct taf_walk w;

		memcpy(a.m, vector[i].m, sizeof a.m);
		taf_made_add(&t, a, BASE, 1 << 20, 4, 0, 0);
		taf_made_ready(&t, BASE);
		for (taf_walk_begin(&w, &t, NULL, &t.array[0], 0); taf_walk_next(&w, &r);)
			ranges++;
		cr_expect_eq(ranges, vector[i].ranges, "relation %u: %u ranges", i, ranges);
		taf_free(&t);
	}
}

/* ---- extents of what is stored, at three levels ---- */

struct values {
	uint64_t base;
	uint32_t n, size, *v;
};

static struct values some_values(struct taf *t, uint64_t base, uint32_t n, uint32_t size, uint32_t bound)
{
	struct values a = {base, n, size, xcalloc(n, sizeof *a.v)};

	for (uint32_t i = 0; i < n; i++) {
		a.v[i] = below(size == 1 && bound > 256 ? 256 : bound);
		taf_stores_add(&t->stores, base + (uint64_t)i * size, size, 1, &a.v[i]);
	}
	return a;
}

/* The extent of the values that are in a's marked elements. */
static struct taf_extent extent_of(const struct values *a, const uint8_t *seen)
{
	struct taf_extent x = {0};

	for (uint32_t i = 0; i < a->n; i++) {
		if (!seen[i])
			continue;
		x.min = !x.valid || a->v[i] < x.min ? a->v[i] : x.min;
		x.max = !x.valid || a->v[i] > x.max ? a->v[i] : x.max;
		x.valid = true;
	}
	return x;
}

/* a (TID_DEP) -> b (INDIR of a) -> c (INDIR of b): the text's rule, index by index. Sets of `group` CTAs. */
static void nested_round(unsigned round, uint32_t group)
{
	const uint32_t block[3] = {1 + below(8), 1 + below(3), 1}, grid[3] = {1 + below(9), 1 + below(2), 1}, n = 40 + below(60);
	const uint32_t m1 = below(3), c1 = below(9), m2 = 1 + below(2), c2 = -below(5);
	struct taf t = taf_made(block, grid, (struct taf_options){.group = group});
	unsigned a = taf_made_add(&t, some_relation(n), BASE, n, 1u << below(3), 0, 0), b, c;
	uint64_t at_b = BASE + 0x1000, at_c = BASE + 0x2000;
	struct values va, vb, vc;
	struct taf_memory mem;
	char what[32];

	snprintf(what, sizeof what, "round %u", round);
	taf_made_ready(&t, BASE);
	va = some_values(&t, BASE, n, t.array[a].size, n);
	b = taf_made_add(&t, (struct taf_array){.type = TAF_INDIR, .primary = true, .m = {m1}, .c = c1}, at_b, n, 4, BASE, BASE);
	taf_made_ready(&t, at_b);
	vb = some_values(&t, at_b, n, 4, n);
	c = taf_made_add(&t, (struct taf_array){.type = TAF_INDIR, .primary = true, .m = {m2}, .c = c2}, at_c, n, 4, at_b, at_b);
	taf_made_ready(&t, at_c);
	vc = some_values(&t, at_c, n, 4, 1u << 31);
	taf_track(&mem, &t, NULL);
	for (uint32_t set = 0; set < t.n_sets; set++) {
		uint8_t ra[100] = {0}, rb[100] = {0}, rc[100] = {0};
		struct taf_extent x;

		for (uint32_t cta = set * group; cta < (set + 1) * group && cta < t.n_ctas; cta++)
			mark(&t, &t.array[a], cta, ra);
		x = extent_of(&va, ra);
		taf_made_expect(&mem, &t, a, set, x, what);
		for (uint64_t v = x.min; x.valid && v <= x.max; v++)
			if ((uint32_t)(m1 * v + c1) < n)
				rb[(uint32_t)(m1 * v + c1)] = 1;
		x = extent_of(&vb, rb);
		taf_made_expect(&mem, &t, b, set, x, what);
		for (uint64_t v = x.min; x.valid && v <= x.max; v++)
			if ((uint32_t)(m2 * v + c2) < n)
				rc[(uint32_t)(m2 * v + c2)] = 1;
		taf_made_expect(&mem, &t, c, set, extent_of(&vc, rc), what);
	}
	taf_memory_free(&mem);
	taf_free(&t);
	free(va.v);
	free(vb.v);
	free(vc.v);
}

Test(taf_track, extents_of_three_levels_are_what_a_walk_finds)
{
	for (unsigned round = 0; round < 1000; round++)
		nested_round(round, 1 + round % 3);
}

/* ---- INDIR_RANGE ---- */

/* Rows of a sparse matrix, two threads a CTA; the elements of a CTA end where the next CTA with rows begins, the last
 * one's with the array. */
static void rows_round(unsigned round, bool two_arrays)
{
	const uint32_t ctas = 1 + below(20), rows = 2 * ctas - below(2), c_s = below(3), c_e = below(3);
	const uint64_t starts = BASE, ends = two_arrays ? BASE + 0x1000 : BASE, elements = BASE + 0x2000;
	struct taf t = taf_made((const uint32_t[3]){2, 1, 1}, (const uint32_t[3]){ctas, 1, 1}, (struct taf_options){0});
	const struct taf_array own = {.type = TAF_TID_DEP, .primary = true, .m = {1, 0, 0, 2}};
	uint32_t row[64] = {0}, n;
	struct taf_memory mem;
	unsigned entry;

	for (uint32_t r = 0; r <= rows; r++)
		row[r] = r ? row[r - 1] + below(6) : 0;
	n = row[rows] ? row[rows] : 1;
	taf_made_add(&t, own, starts, rows, 4, 0, 0);
	if (two_arrays)
		taf_made_add(&t, own, ends, rows, 4, 0, 0);
	entry = taf_made_add(&t, (struct taf_array){.type = TAF_INDIR_RANGE, .c_s = c_s, .c_e = c_e}, elements, n, 4, starts, ends);
	taf_made_ready(&t, starts);
	taf_made_ready(&t, ends);
	taf_stores_add(&t.stores, starts, 4, rows, row);
	if (two_arrays)
		taf_stores_add(&t.stores, ends, 4, rows, row + 1);
	taf_made_ready(&t, elements);
	taf_track(&mem, &t, NULL);
	for (uint32_t cta = 0; cta < ctas; cta++) {
		uint32_t first = row[2 * cta] + c_s, last_row = 2 * cta + 1 < rows ? 2 * cta + 2 : rows;
		uint32_t behind = two_arrays || cta + 1 < ctas ? row[last_row] + c_e : n;
		struct taf_range r = {0, 0};
		struct taf_walk w;
		bool any;

		behind = behind < n ? behind : n;
		taf_walk_begin(&w, &t, &mem, &t.array[entry], cta);
		any = taf_walk_next(&w, &r);
		cr_assert_eq(any, first < behind, "round %u, CTA %u: %u-%u of %u", round, cta, first, behind, n);
		if (any)
			cr_assert(r.first == first && r.last == behind - 1 && !taf_walk_next(&w, &r),
				  "round %u, CTA %u: %u-%u, not %u-%u", round, cta, r.first, r.last, first, behind - 1);
	}
	taf_memory_free(&mem);
	taf_free(&t);
}

Test(taf_track, a_range_ends_where_the_next_cta_begins_or_with_its_own_ends)
{
	for (unsigned round = 0; round < 1000; round++)
		rows_round(round, round % 2);
}

Test(taf_track, a_cta_without_values_is_passed_over)
{
	/* Three CTAs of two rows each, of which the array has but the first and the last two. */
	struct taf t = taf_made((const uint32_t[3]){2, 1, 1}, (const uint32_t[3]){3, 1, 1}, (struct taf_options){0});
	static const uint32_t row[6] = {0, 3, 5, 9, 12, 15};
	struct taf_memory mem;
	struct taf_range r;
	struct taf_walk w;

	taf_made_add(&t, (struct taf_array){.type = TAF_TID_DEP, .primary = true, .m = {1, 0, 0, 2}}, BASE, 6, 4, 0, 0);
	taf_made_add(&t, (struct taf_array){.type = TAF_INDIR_RANGE}, BASE + 64, 20, 4, BASE, BASE);
	taf_made_ready(&t, BASE);
	taf_stores_add(&t.stores, BASE, 4, 6, row);
	taf_made_ready(&t, BASE + 64);
	taf_track(&mem, &t, NULL);
	taf_extent_put(&mem, t.array[0].extents, 1, (struct taf_extent){0});
	taf_walk_begin(&w, &t, &mem, &t.array[1], 0);
	cr_expect(taf_walk_next(&w, &r) && r.first == 0 && r.last == 11);
	taf_walk_begin(&w, &t, &mem, &t.array[1], 1);
	cr_expect_not(taf_walk_next(&w, &r));
	taf_walk_begin(&w, &t, &mem, &t.array[1], 2);
	cr_expect(taf_walk_next(&w, &r) && r.first == 12 && r.last == 19, "to the array's end");
	taf_memory_free(&mem);
	taf_free(&t);
}

/* ---- value sparsity ---- */

/* 4 CTAs of 4 threads read values as below; m = 2, c = 1 makes indices 2 v + 1 of an array of 100.
 * CTA 0: 0 1 2 3: indices 1 3 5 7, 1 - 4 / 6. CTA 1: 5 5 45 45: 11 91, 1 - 2 / 80. CTA 2: 7 four times: one index, no
 * sparsity. CTA 3: 10 49 50 2^31: 21 99, 101 beyond the end, and 1, which wraps: 1 - 3 / 98. */
Test(taf_sparsity, is_of_the_different_indices_within_the_array)
{
	static const uint32_t values[] = {0, 1, 2, 3, 5, 45, 5, 45, 7, 7, 7, 7, 10, 49, 50, UINT32_C(1) << 31};
	struct taf t = taf_made((const uint32_t[3]){4, 1, 1}, (const uint32_t[3]){4, 1, 1}, (struct taf_options){0});
	struct taf_memory m;
	struct taf_sparsity s;
	unsigned entry;

	taf_made_add(&t, (struct taf_array){.type = TAF_TID_DEP, .primary = true, .m = {1, 0, 0, 4}}, BASE, 16, 4, 0, 0);
	taf_made_ready(&t, BASE);
	taf_stores_add(&t.stores, BASE, 4, 16, values);
	entry = taf_made_add(&t, (struct taf_array){.type = TAF_INDIR, .m = {2}, .c = 1}, 2 * BASE, 100, 4, BASE, BASE);
	taf_made_ready(&t, 2 * BASE);
	taf_track(&m, &t, NULL);
	s = taf_sparsity_of(&t, &m, (int)entry);
	cr_assert_eq(s.ctas, 3);
	cr_assert_float_eq(s.sum, 3 - 4. / 6 - 2. / 80 - 3. / 98, 1e-12);
	taf_memory_free(&m);
	taf_free(&t);
}
