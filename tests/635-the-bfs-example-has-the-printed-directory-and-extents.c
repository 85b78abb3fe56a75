/* 635: the example of tafe's section 4: Listing 1's calls, Figure 5's graph, Figure 7's directory, Figure 8's
 * extents. */
#include <criterion/criterion.h>
#include <string.h>

#include "workload/taf_api.h"
#include "taf/taf_track.h"
#include "taf/taf_walk.h"

/* Thread 0 reads Edges[0-1] and Cost[2-3] (section 4); Edges[4-7] misses 6 and 7 (section 4.2). The order of what the
 * figure's text leaves open is ours. */
static const uint32_t node[5] = {0, 2, 4, 6, 8}, edge[8] = {2, 3, 0, 1, 4, 9, 5, 8}, cost[10] = {0};
enum { NODES = 4, EDGES = 8, COSTS = 10, THREADBLOCK_SIZE = 2 };

struct example {
	struct host *h;
	struct taf taf;
	struct taf_memory m;
	uint64_t nodes, edges, cost;
};

static void store_all(struct host *h, uint64_t to, const uint32_t *v, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		host_store(h, to + UINT64_C(4) * i, 4, v[i]);
}

/* Listing 1. Figure 5 has vertices up to 9, Listing 1's Cost one for each node: here it has what the figure needs. */
static void listing_1(struct example *x)
{
	struct host_options o = {.taf = &x->taf};
	struct err e = {""};
	struct host *h = host_new(&o, &e);

	x->h = h;
	x->nodes = host_alloc(h, "Nodes", 4 * (NODES + 1), &e);
	x->edges = host_alloc(h, "Edges", 4 * EDGES, &e);
	x->cost = host_alloc(h, "Cost", 4 * COSTS, &e);
	cr_assert_eq(taf_paramSetup(h, (struct host_dim){THREADBLOCK_SIZE, 1, 1}, (struct host_dim){2, 1, 1}, &e), 0, "%s", e.text);
	cr_assert_eq(taf_register_tid_dep(h, x->nodes, NODES + 1, 4, (struct taf_tid){.m = {1, 0, 0, THREADBLOCK_SIZE}}, true, &e),
		     0, "%s", e.text);
	cr_assert_eq(taf_setRdy(h, x->nodes, &e), 0, "%s", e.text);
	cr_assert_eq(taf_register_indir_range(h, x->edges, EDGES, 4, x->nodes, 0, x->nodes, 0, true, &e), 0, "%s", e.text);
	store_all(h, x->nodes, node, NODES + 1);
	cr_assert_eq(taf_setRdy(h, x->edges, &e), 0, "%s", e.text);
	cr_assert_eq(taf_register_indir(h, x->cost, COSTS, 4, x->edges, 1, 0, false, &e), 0, "%s", e.text);
	store_all(h, x->edges, edge, EDGES);
	cr_assert_eq(taf_setRdy(h, x->cost, &e), 0, "%s", e.text);
	store_all(h, x->cost, cost, COSTS);
	taf_track(&x->m, &x->taf, NULL);
}

static void end(struct example *x)
{
	taf_memory_free(&x->m);
	taf_free(&x->taf);
	host_free(x->h);
}

static uint64_t word(const struct taf_memory *m, uint64_t address, unsigned bytes)
{
	uint64_t v = 0;

	memcpy(&v, taf_memory_at(m, address, bytes), bytes);
	return v;
}

Test(taf_example, the_directory_has_the_contents_of_figure_7)
{
	static const struct {
		unsigned type, start, primary; /* Type, S-Pri Entry = E-Pri Entry, Pri */
		uint64_t elements;
		uint32_t m[6];
	} want[3] = {{TAF_TID_DEP, 0, 1, NODES + 1, {1, 0, 0, THREADBLOCK_SIZE, 0, 0}},
		     {TAF_INDIR_RANGE, 0, 1, EDGES, {0}},
		     {TAF_INDIR, 1, 0, COSTS, {1}}};
	struct example x = {0};
	uint64_t base[3];

	listing_1(&x);
	base[0] = x.nodes;
	base[1] = x.edges;
	base[2] = x.cost;
	for (unsigned d = 0; d < 3; d++) {
		cr_expect_eq(word(&x.m, TAF_BASE + 4 * d, 4), d ? 1 : THREADBLOCK_SIZE, "dimBlock");
		cr_expect_eq(word(&x.m, TAF_BASE + 12 + 4 * d, 4), d ? 1 : 2, "dimGrid");
	}
	for (unsigned i = 0; i < 3; i++) {
		uint64_t at = taf_entry_address(i), flags = word(&x.m, at, 1), entries = word(&x.m, at + 1, 1);

		cr_expect_eq(flags & 1, 1, "V of entry %u", i);
		cr_expect_eq(flags >> 1 & 1, 1, "R of entry %u", i);
		cr_expect_eq(flags >> 2 & 1, want[i].primary, "Pri of entry %u", i);
		cr_expect_eq(flags >> 3 & 3, want[i].type, "Type of entry %u", i);
		cr_expect_eq(flags >> 5, 2, "Data Size of entry %u is 2'b10", i);
		cr_expect_eq(entries & 15, want[i].start, "S-Pri of entry %u", i);
		cr_expect_eq(entries >> 4, want[i].start, "E-Pri of entry %u", i);
		cr_expect_eq(word(&x.m, at + 8, 8), base[i]);
		cr_expect_eq(word(&x.m, at + 16, 8), base[i] + 4 * want[i].elements);
		cr_expect_eq(word(&x.m, at + 24, 8) != 0, want[i].primary, "a primary array has a table: entry %u", i);
		cr_expect_eq(word(&x.m, at + 24, 8) % TAF_LINE, 0);
		for (unsigned d = 0; d < 6; d++)
			cr_expect_eq(word(&x.m, at + 32 + 4 * d, 4), want[i].m[d], "coefficient %u of entry %u", d, i);
		cr_expect_eq(word(&x.m, at + 4, 4) | word(&x.m, at + 56, 8), 0, "Const, Loop count and ofs of entry %u are 0", i);
	}
	for (unsigned i = 3; i < TAF_ARRAYS; i++)
		for (unsigned b = 0; b < TAF_LINE; b += 8)
			cr_expect_eq(word(&x.m, taf_entry_address(i) + b, 8), 0, "entry %u is free", i);
	end(&x);
}

static void expect_extent(const struct example *x, unsigned entry, unsigned cta, uint32_t min, uint32_t max)
{
	struct taf_extent got = taf_extent_get(&x->m, x->taf.array[entry].extents, cta);

	cr_expect(got.valid && got.min == min && got.max == max, "entry %u, CTA %u: %d (%u, %u), not (%u, %u)", entry, cta,
		  got.valid, got.min, got.max, min, max);
}

Test(taf_example, the_tables_have_the_extents_of_figure_8)
{
	/* The bytes of a line: valid, minimum and maximum, 9 a CTA, and nothing behind. */
	static const uint8_t nodes[TAF_LINE] = {1, 0, 0, 0, 0, 2, 0, 0, 0, 1, 4, 0, 0, 0, 6};
	struct example x = {0};

	listing_1(&x);
	expect_extent(&x, 0, 0, 0, 2);
	expect_extent(&x, 0, 1, 4, 6);
	expect_extent(&x, 1, 0, 0, 3);
	expect_extent(&x, 1, 1, 4, 9);
	cr_expect_eq(memcmp(taf_memory_at(&x.m, x.taf.array[0].extents, TAF_LINE), nodes, TAF_LINE), 0);
	end(&x);
}

static void expect_only_range(const struct example *x, unsigned entry, unsigned cta, uint32_t first, uint32_t last)
{
	struct taf_range r;
	struct taf_walk w;

	taf_walk_begin(&w, &x->taf, &x->m, &x->taf.array[entry], cta);
	cr_assert(taf_walk_next(&w, &r));
	cr_expect(r.first == first && r.last == last, "entry %u, CTA %u: %u-%u, not %u-%u", entry, cta, r.first, r.last, first,
		  last);
	cr_expect_not(taf_walk_next(&w, &r));
}

Test(taf_example, the_footprints_are_those_of_the_text)
{
	struct example x = {0};

	listing_1(&x);
	expect_only_range(&x, 0, 0, 0, 1); /* Nodes[0-1] */
	expect_only_range(&x, 0, 1, 2, 3);
	expect_only_range(&x, 1, 0, 0, 3); /* Edges[0-3] and Edges[4-7] */
	expect_only_range(&x, 1, 1, 4, 7);
	expect_only_range(&x, 2, 0, 0, 3); /* Cost[0-3] and Cost[4-9], of which 6 and 7 are false positives */
	expect_only_range(&x, 2, 1, 4, 9);
	end(&x);
}

Test(taf_example, without_a_wish_for_footprints_the_calls_do_nothing)
{
	struct host_options o = {0};
	struct err e = {""};
	struct host *h = host_new(&o, &e);
	uint64_t a = host_alloc(h, "a", 64, &e);

	cr_expect_eq(taf_setRdy(h, a, &e), 0);
	cr_expect_eq(taf_tid_array(h, a + 4, 1000, 3, (struct taf_tid){0}, &e), 0);
	host_store(h, a, 4, UINT64_C(0x123456789));
	cr_expect_eq(*(uint64_t *)host_bytes(h, a, 8), 0x23456789, "the store happens all the same");
	host_free(h);
}
