/* 644: which relations TAFE's hardware can invert, against a walk over every thread. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "workload/random.h"
#include "support/taf_made.h"
#include "taf/taf_invert.h"
#include "taf/taf_track.h"

#define BASE UINT64_C(0x1000)
enum { MAX = 400, SPREAD = 4096 };

static struct host_random rng = {1};

static uint32_t below(uint32_t n)
{
	return host_random_below(&rng, n);
}

/* The first index of a CTA and iteration. */
static int64_t origin(const struct taf *t, const struct taf_array *a, uint32_t cta, uint32_t i)
{
	int64_t id[3] = {cta % t->grid[0], cta / t->grid[0] % t->grid[1], cta / t->grid[0] / t->grid[1]}, at = (int32_t)a->c;

	for (int d = 0; d < 3; d++)
		at += (int32_t)a->m[3 + d] * id[d];
	return at + (int64_t)i * (int32_t)a->ofs;
}

/* What the threads add to it: seen[SPREAD + x]. */
static void offsets(const struct taf *t, const struct taf_array *a, bool *seen)
{
	memset(seen, 0, 2 * SPREAD);
	for (uint32_t z = 0; z < t->block[2]; z++)
		for (uint32_t y = 0; y < t->block[1]; y++)
			for (uint32_t x = 0; x < t->block[0]; x++)
				seen[SPREAD + (int32_t)a->m[0] * (int64_t)x + (int32_t)a->m[1] * (int64_t)y +
				     (int32_t)a->m[2] * (int64_t)z] = true;
}

static bool without_gaps(const bool *seen)
{
	int runs = 0;

	for (int i = 1; i < 2 * SPREAD; i++)
		runs += seen[i] && !seen[i - 1];
	return runs == 1;
}

static bool one_cta_each(const struct taf *t, const struct taf_array *a, const bool *seen)
{
	int64_t n = (int64_t)taf_elements(a);
	uint32_t owner[MAX] = {0}; /* CTA + 1 */

	for (uint32_t cta = 0; cta < t->n_ctas; cta++)
		for (uint32_t i = 0; i < (a->n ? a->n : 1); i++)
			for (int64_t k = -SPREAD; k < SPREAD; k++) {
				int64_t at = origin(t, a, cta, i) + k;

				if (!seen[SPREAD + k] || at < 0 || at >= n)
					continue;
				if (owner[at] && owner[at] != cta + 1)
					return false;
				owner[at] = cta + 1;
			}
	return true;
}

static uint32_t some(void)
{
	static const uint32_t pick[] = {0, 1, -1u, 2, 4, 8, 16, 32, 64, -8u, -32u, 3};

	return pick[below(sizeof pick / sizeof pick[0])];
}

Test(taf_invert, threads_that_read_neighbours_and_ctas_that_share_nothing)
{
	static bool seen[2 * SPREAD];
	unsigned yes = 0, no = 0;

	for (unsigned round = 0; round < 4000; round++) {
		const uint32_t block[3] = {1u << below(5), 1 + below(3), 1 + below(2)}, grid[3] = {1 + below(6), 1 + below(3), 1};
		struct taf t = taf_made(block, grid, (struct taf_options){0});
		struct taf_array a = {.type = TAF_TID_DEP, .c = some(), .ofs = some(), .n = below(4)};
		const struct taf_array *e;
		bool want;

		for (int d = 0; d < 6; d++)
			a.m[d] = d == 0 && below(2) ? 1 : d == 3 && below(2) ? block[0] : some();
		e = &t.array[taf_made_add(&t, a, BASE, 1 + below(MAX), 4, 0, 0)];
		taf_made_ready(&t, BASE);
		offsets(&t, e, seen);
		want = without_gaps(seen) && one_cta_each(&t, e, seen);
		cr_assert_eq(taf_invertible(&t, NULL, 0), want, "round %u", round);
		yes += want;
		no += !want;
		taf_free(&t);
	}
	cr_assert_gt(yes, 200);
	cr_assert_gt(no, 200);
}

/* Rows of CTAs are apart as long as they begin in ascending order, and c_e is no more than c_s. */
Test(taf_invert, rows_in_order_are_apart)
{
	static const struct {
		uint32_t row[4], c_s, c_e;
		bool want;
	} vector[] = {
		{{0, 3, 5, 9}, 0, 0, true},  {{0, 3, 3, 9}, 0, 0, true}, {{0, 5, 3, 9}, 0, 0, false},
		{{0, 3, 5, 9}, 0, 1, false}, {{0, 3, 5, 9}, 1, 1, true},
	};

	for (unsigned i = 0; i < sizeof vector / sizeof vector[0]; i++) {
		struct taf t = taf_made((const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){4, 1, 1}, (struct taf_options){0});
		struct taf_memory m;
		unsigned edges;

		taf_made_add(&t, (struct taf_array){.type = TAF_TID_DEP, .primary = true, .m = {1, 0, 0, 1}}, BASE, 4, 4, 0, 0);
		edges = taf_made_add(&t, (struct taf_array){.type = TAF_INDIR_RANGE, .c_s = vector[i].c_s, .c_e = vector[i].c_e},
				     BASE + 64, 12, 4, BASE, BASE);
		taf_made_ready(&t, BASE);
		taf_stores_add(&t.stores, BASE, 4, 4, vector[i].row);
		taf_made_ready(&t, BASE + 64);
		taf_track(&m, &t, NULL);
		cr_assert_eq(taf_invertible(&t, &m, edges), vector[i].want, "vector %u", i);
		taf_memory_free(&m);
		taf_free(&t);
	}
}
