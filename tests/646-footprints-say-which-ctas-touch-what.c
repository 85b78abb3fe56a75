/* 646: footprints as sets of ranges; who touches an element, an address, a page: by hand, and for random relations
 * against every thread and every iteration one by one. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "taf/footprint.h"
#include "taf/taf_track.h"
#include "support/random.h"

/* ---- sets of ranges ---- */

Test(footprint, joins_ranges_in_any_order)
{
	struct taf_footprint f = {0}, g = {0};

	taf_footprint_add(&f, 20, 29);
	taf_footprint_add(&f, 0, 4);
	taf_footprint_add(&f, 25, 35);
	taf_footprint_add(&f, 5, 9); /* touches 0-4 */
	taf_footprint_add(&f, 11, 11);
	taf_footprint_add(&f, UINT32_MAX, UINT32_MAX);
	taf_footprint_settle(&f);
	cr_assert_eq(f.n, 4);
	cr_expect(f.range[0].first == 0 && f.range[0].last == 9);
	cr_expect(f.range[1].first == 11 && f.range[1].last == 11);
	cr_expect(f.range[2].first == 20 && f.range[2].last == 35);
	cr_expect(f.range[3].first == UINT32_MAX && f.range[3].last == UINT32_MAX);
	cr_expect_eq(taf_footprint_elements(&f), 10 + 1 + 16 + 1);
	cr_expect(taf_footprint_has(&f, 9) && !taf_footprint_has(&f, 10) && taf_footprint_has(&f, 11) && taf_footprint_has(&f, 35));
	cr_expect_not(taf_footprint_has(&f, 36));
	taf_footprint_add(&g, 8, 22);
	taf_footprint_settle(&g);
	cr_expect_eq(taf_footprint_common(&f, &g), 2 + 1 + 3);
	cr_expect_eq(taf_footprint_common(&g, &f), 6);
	taf_footprint_clear(&g);
	cr_expect_eq(taf_footprint_common(&f, &g), 0);
	taf_footprint_free(&f);
	taf_footprint_free(&g);
}

/* A million ranges over a thousand elements: memory follows the elements. */
Test(footprint, stays_as_small_as_what_it_holds)
{
	struct taf_footprint f = {0};

	for (uint32_t i = 0; i < 1000000; i++)
		taf_footprint_add(&f, i * 7919u % 1000 * 2, i * 7919u % 1000 * 2);
	taf_footprint_settle(&f);
	cr_expect_eq(f.n, 1000);
	cr_expect_leq(f.cap, 4096);
	taf_footprint_free(&f);
}

/* ---- the example of section 4 ---- */

/* Nodes 0 2 4 6 8, Edges 2 3 0 1 4 9 5 8; two threads a CTA. Nodes at 4096, Edges at 8192, Cost at 12288. */
struct example {
	struct taf taf;
	struct taf_memory m;
};

static void array(struct taf *t, struct taf_array a, uint64_t start)
{
	struct err e = {""};

	cr_assert_eq(taf_register(t, &a, start, start, &e), 0, "%s", e.text);
}

static void ready(struct taf *t, uint64_t base)
{
	struct err e = {""};

	cr_assert_eq(taf_ready(t, base, "array", &e), 0, "%s", e.text);
}

static void listing_1(struct example *x)
{
	static const uint32_t nodes[5] = {0, 2, 4, 6, 8}, edges[8] = {2, 3, 0, 1, 4, 9, 5, 8};
	struct taf *t = &x->taf;
	struct err e = {""};

	cr_assert_eq(taf_setup(t, (uint32_t[]){2, 1, 1}, (uint32_t[]){2, 1, 1}, &e), 0, "%s", e.text);
	array(t,
	      (struct taf_array){.base = 4096, .limit = 4096 + 20, .size = 4, .m = {1, 0, 0, 2}, .primary = true, .name = "Nodes"},
	      0);
	ready(t, 4096);
	array(t,
	      (struct taf_array){
		      .base = 8192, .limit = 8192 + 32, .size = 4, .type = TAF_INDIR_RANGE, .primary = true, .name = "Edges"},
	      4096);
	taf_stores_add(&t->stores, 4096, 4, 5, nodes);
	ready(t, 8192);
	array(t, (struct taf_array){.base = 12288, .limit = 12288 + 40, .size = 4, .type = TAF_INDIR, .m = {1}, .name = "Cost"},
	      8192);
	taf_stores_add(&t->stores, 8192, 4, 8, edges);
	ready(t, 12288);
	taf_track(&x->m, t, NULL);
}

static void note(void *ctx, uint32_t cta)
{
	*(uint64_t *)ctx |= UINT64_C(1) << cta;
}

static uint64_t readers(const struct example *x, uint64_t from, uint64_t to)
{
	uint64_t set = 0;

	taf_readers(&x->taf, &x->m, from, to, note, &set);
	return set;
}

Test(footprint, of_the_example_says_which_ctas_read_each_element)
{
	/* Nodes[0-1] and [2-3], Nodes[4] nobody's; Edges[0-3] and [4-7]; Cost[0-3] and [4-9]. */
	static const uint64_t nodes[5] = {1, 1, 2, 2, 0}, edges[8] = {1, 1, 1, 1, 2, 2, 2, 2},
			      cost[10] = {1, 1, 1, 1, 2, 2, 2, 2, 2, 2};
	struct example x = {0};

	listing_1(&x);
	for (uint64_t i = 0; i < 5; i++)
		cr_expect_eq(readers(&x, 4096 + 4 * i, 4100 + 4 * i), nodes[i], "Nodes[%llu]", (unsigned long long)i);
	for (uint64_t i = 0; i < 8; i++)
		cr_expect_eq(readers(&x, 8192 + 4 * i, 8196 + 4 * i), edges[i], "Edges[%llu]", (unsigned long long)i);
	for (uint64_t i = 0; i < 10; i++)
		cr_expect_eq(readers(&x, 12288 + 4 * i, 12292 + 4 * i), cost[i], "Cost[%llu]", (unsigned long long)i);
	cr_expect_eq(readers(&x, 4096 + 7, 4096 + 8), 1, "a byte of Nodes[1]");
	cr_expect_eq(readers(&x, 4096 + 7, 4096 + 9), 3, "and one of Nodes[2]");
	cr_expect_eq(readers(&x, 4096, 16384), 3);
	cr_expect_eq(readers(&x, 4096 + 16, 8192), 0, "Nodes[4] and what is behind");
	cr_expect_eq(readers(&x, 0, 4096), 0);
	cr_expect_str_eq(taf_array_at(&x.taf, 8192 + 31)->name, "Edges");
	cr_expect_null(taf_array_at(&x.taf, 8192 + 32));
	taf_memory_free(&x.m);
	taf_free(&x.taf);
}

/* Pages of 16 bytes: four elements. Edges: one page each; Cost: [0-3] of CTA 0, [4-7] and [8-9] of CTA 1. */
Test(footprint, of_the_example_says_which_ctas_touch_each_page)
{
	struct example x = {0};
	const uint16_t unit[2] = {0, 5};
	uint64_t nodes[2] = {0}, edges[2] = {0}, cost[3] = {0};

	listing_1(&x);
	taf_page_users(&x.taf, &x.m, 4096, 16, unit, nodes);
	cr_expect(nodes[0] == 0x21 && nodes[1] == 0, "Nodes[0-3] and [4]");
	taf_page_users(&x.taf, &x.m, 8192, 16, unit, edges);
	cr_expect(edges[0] == 1 && edges[1] == 0x20);
	taf_page_users(&x.taf, &x.m, 12288, 16, unit, cost);
	cr_expect(cost[0] == 1 && cost[1] == 0x20 && cost[2] == 0x20);
	taf_memory_free(&x.m);
	taf_free(&x.taf);
}

/* ---- deeper ---- */

/* A[tid] -> B[A] -> C[B] -> D[C + 3], a thread a CTA, so that each extent is one value and nothing is estimated too
 * large. */
Test(footprint, follows_any_number_of_indirections)
{
	static const uint32_t a[4] = {3, 2, 1, 0}, b[4] = {5, 7, 1, 6}, c[8] = {9, 4, 9, 9, 9, 2, 8, 0};
	static const uint32_t want[4] = {11, 7, 3, 5}; /* a: 3 2 1 0; b: 6 1 7 5; c: 8 4 0 2; + 3 */
	struct taf t = {0};
	struct taf_memory m;
	struct taf_footprint f = {0};
	struct err e = {""};

	cr_assert_eq(taf_setup(&t, (uint32_t[]){1, 1, 1}, (uint32_t[]){4, 1, 1}, &e), 0, "%s", e.text);
	array(&t, (struct taf_array){.base = 4096, .limit = 4112, .size = 4, .m = {0, 0, 0, 1}, .primary = true, .name = "A"}, 0);
	array(&t,
	      (struct taf_array){.base = 8192, .limit = 8208, .size = 4, .type = TAF_INDIR, .m = {1}, .primary = true, .name = "B"},
	      4096);
	array(&t,
	      (struct taf_array){
		      .base = 12288, .limit = 12320, .size = 4, .type = TAF_INDIR, .m = {1}, .primary = true, .name = "C"},
	      8192);
	array(&t, (struct taf_array){.base = 16384, .limit = 16448, .size = 4, .type = TAF_INDIR, .m = {1}, .c = 3, .name = "D"},
	      12288);
	taf_stores_add(&t.stores, 4096, 4, 4, a);
	taf_stores_add(&t.stores, 8192, 4, 4, b);
	taf_stores_add(&t.stores, 12288, 4, 8, c);
	for (uint64_t base = 4096; base <= 16384; base += 4096)
		ready(&t, base);
	taf_track(&m, &t, NULL);
	for (uint32_t cta = 0; cta < 4; cta++) {
		taf_footprint_of(&f, &t, &m, 16384, cta);
		cr_expect(f.n == 1 && f.range[0].first == want[cta] && f.range[0].last == want[cta], "CTA %u", cta);
	}
	taf_footprint_free(&f);
	taf_memory_free(&m);
	taf_free(&t);
}

/* A[tid % 4] of eight threads as the paper writes it: tid - 4 i, 0 <= i < 2 (section 4.4). What underflows is
 * filtered. */
Test(footprint, filters_what_is_outside_the_array)
{
	struct taf t = {0};
	struct taf_footprint f = {0};
	struct err e = {""};

	cr_assert_eq(taf_setup(&t, (uint32_t[]){4, 1, 1}, (uint32_t[]){2, 1, 1}, &e), 0, "%s", e.text);
	array(&t, (struct taf_array){.base = 4096, .limit = 4112, .size = 4, .m = {1, 0, 0, 4}, .ofs = -4u, .n = 2, .name = "A"},
	      0);
	ready(&t, 4096);
	for (uint32_t cta = 0; cta < 2; cta++) {
		taf_footprint_of(&f, &t, NULL, 4096, cta);
		cr_expect(f.n == 1 && f.range[0].first == 0 && f.range[0].last == 3, "CTA %u", cta);
	}
	taf_footprint_free(&f);
	taf_free(&t);
}

/* ---- random relations ---- */

enum { PAGE = 64, ELEMENTS = 300 };

struct dice {
	uint64_t state;
};

static uint32_t roll(struct dice *d, uint32_t n)
{
	return (uint32_t)random_below(&d->state, n);
}

/* Each thread and iteration by itself. */
static void touch_one_by_one(const struct taf *t, const struct taf_array *a, uint32_t cta, uint8_t *touched)
{
	uint32_t at[6] = {0, 0, 0, cta % t->grid[0], cta / t->grid[0] % t->grid[1], cta / t->grid[0] / t->grid[1]};

	for (at[2] = 0; at[2] < t->block[2]; at[2]++)
		for (at[1] = 0; at[1] < t->block[1]; at[1]++)
			for (at[0] = 0; at[0] < t->block[0]; at[0]++)
				for (uint32_t i = 0; i < (a->n ? a->n : 1); i++) {
					uint32_t index = a->c + i * a->ofs;

					for (int d = 0; d < 6; d++)
						index += a->m[d] * at[d];
					if (index < ELEMENTS)
						touched[index] = 1;
				}
}

static void random_array(struct dice *d, struct taf_array *a)
{
	static const uint32_t size[4] = {1, 2, 4, 8};

	*a = (struct taf_array){.base = 4096 + 8 * roll(d, 8), .size = size[roll(d, 4)], .name = "A"};
	a->limit = a->base + (uint64_t)ELEMENTS * a->size;
	for (int k = 0; k < 6; k++)
		a->m[k] = roll(d, 3) ? roll(d, 24) - 4 : 0;
	a->c = roll(d, 40) - 10;
	a->ofs = roll(d, 60) - 20;
	a->n = roll(d, 5);
}

Test(footprint, agrees_with_every_thread_of_random_relations)
{
	struct dice d = {1};

	for (int round = 0; round < 300; round++) {
		struct taf t = {0};
		struct taf_array a[2];
		struct taf_footprint f = {0};
		struct err e = {""};
		uint32_t block[3] = {1 + roll(&d, 6), 1 + roll(&d, 3), 1 + roll(&d, 2)},
			 grid[3] = {1 + roll(&d, 4), 1 + roll(&d, 3), 1};
		uint64_t users[ELEMENTS * 8 / PAGE + 2] = {0}, want[ELEMENTS * 8 / PAGE + 2] = {0};
		uint16_t unit[12];

		cr_assert_eq(taf_setup(&t, block, grid, &e), 0, "%s", e.text);
		random_array(&d, &a[0]);
		random_array(&d, &a[1]);
		a[1].base = a[0].base;
		a[1].limit = a[0].limit;
		a[1].size = a[0].size;
		array(&t, a[0], 0);
		array(&t, a[1], 0);
		ready(&t, a[0].base);
		for (uint32_t cta = 0; cta < t.n_ctas; cta++) {
			uint8_t touched[ELEMENTS] = {0};

			unit[cta] = (uint16_t)roll(&d, 5);
			touch_one_by_one(&t, &a[0], cta, touched);
			touch_one_by_one(&t, &a[1], cta, touched);
			taf_footprint_of(&f, &t, NULL, a[0].base, cta);
			for (uint32_t i = 0; i < ELEMENTS; i++) {
				uint64_t page = (a[0].base + (uint64_t)i * a[0].size) / PAGE - a[0].base / PAGE;

				cr_assert_eq(taf_footprint_has(&f, i), touched[i], "round %d, CTA %u, element %u", round, cta, i);
				want[page] |= touched[i] ? UINT64_C(1) << unit[cta] : 0;
			}
		}
		taf_page_users(&t, NULL, a[0].base, PAGE, unit, users);
		cr_assert_arr_eq(users, want, sizeof want, "round %d", round);
		taf_footprint_free(&f);
		taf_free(&t);
	}
}
