/* 631: TAFE's hardware, the golden twin, gives the extents of the paper's example and those of a tracker in software;
 * on time. */
#include <criterion/criterion.h>
#include <string.h>

#include "hw/tafe/tafe.h"
#include "support/tafe_bench.h"

static const struct tafe_params standard = {.entries = 2, .addr_w = 48, .index_w = 32, .tb_w = 31, .block_w = 10};

struct rig {
	struct tafe golden;
	struct tafe_bench b;
};

static void rig_open(struct rig *r, uint64_t seed)
{
	tafe_reset(&r->golden, &standard);
	tafe_bench_init(&r->b, (struct tafe_port){.params = standard, .golden = &r->golden}, seed);
}

/* Runs until nothing is on its way, with the buffer in memory: the command does that. */
static void rig_close(struct rig *r)
{
	tafe_bench_free(&r->b);
}

/* ---- the example of section 4 (Figures 5, 7, 8; Listing 1): 2 threads a CTA, 2 CTAs ---- */

static const struct tafe_launch bfs = {.grid = {2, 1, 1}, .block = {2, 1, 1}};

static struct tafe_array bfs_nodes(void)
{
	return (struct tafe_array){.entry = 0,
				   .type = TAFE_TID_DEP,
				   .base = 0x7f0000001000,
				   .elements = 5, /* numNodes + 1 */
				   .size = 2,
				   .extents = 0x10,
				   .apd = 1,
				   .m = {1, 0, 0, 2, 0, 0}};
}

static struct tafe_array bfs_edges(const struct tafe_array *nodes)
{
	return (struct tafe_array){.entry = 1,
				   .type = TAFE_INDIR_RANGE,
				   .base = 0x7f0000002000,
				   .elements = 8,
				   .size = 2,
				   .extents = 0x20,
				   .apd = 2,
				   .nested = nodes};
}

static void expect_extent(const struct rig *r, const struct tafe_array *a, unsigned tb, uint32_t min, uint32_t max)
{
	const uint8_t *at = r->b.mem + a->extents * 64 + tb / 7 * 64 + tb % 7 * 9;
	const uint8_t want[9] = {1,
				 (uint8_t)min,
				 (uint8_t)(min >> 8),
				 (uint8_t)(min >> 16),
				 (uint8_t)(min >> 24),
				 (uint8_t)max,
				 (uint8_t)(max >> 8),
				 (uint8_t)(max >> 16),
				 (uint8_t)(max >> 24)};

	cr_assert(memcmp(at, want, sizeof want) == 0, "CTA %u: %u (%u, %u), not (%u, %u)", tb, at[0], at[1] | at[2] << 8,
		  at[5] | at[6] << 8, min, max);
}

Test(tafe, the_bfs_example_has_the_extents_of_figure_8)
{
	/* Thread 0 reads Edges[0-1] and Cost[2-3] (section 4); Edges[4-7] is not continuous, 6 and 7 are missing
	 * (section 4.2). The order of what the figure's text leaves open is ours. */
	static const uint32_t node[5] = {0, 2, 4, 6, 8}, edge[8] = {2, 3, 0, 1, 4, 9, 5, 8};
	struct tafe_array nodes = bfs_nodes(), edges = bfs_edges(&nodes);
	struct rig r;

	tafe_array_init(&nodes);
	tafe_array_init(&edges);
	rig_open(&r, 1);
	tafe_bench_setup(&r.b, &bfs);
	tafe_bench_register(&r.b, &nodes, 2);
	tafe_bench_register(&r.b, &edges, 2);
	for (uint32_t i = 0; i < 5; i++)
		tafe_array_store(&r.b, &nodes, i, node[i]);
	tafe_bench_release(&r.b, &nodes, TAFE_READY); /* taf_setRdy(Edges) */
	for (uint32_t i = 0; i < 8; i++)
		tafe_array_store(&r.b, &edges, i, edge[i]);
	tafe_bench_release(&r.b, &edges, TAFE_READY);
	expect_extent(&r, &nodes, 0, 0, 2);
	expect_extent(&r, &nodes, 1, 4, 6);
	expect_extent(&r, &edges, 0, 0, 3);
	expect_extent(&r, &edges, 1, 4, 9);
	cr_assert_eq(r.b.unmatched, 1, "Nodes[4] is nobody's: Listing 1 registers one element more");
	cr_assert_eq(r.b.tracked, 12);
	cr_assert_eq(tafe_bench_compare(&r.b, &bfs, &nodes), 0);
	cr_assert_eq(tafe_bench_compare(&r.b, &bfs, &edges), 0);
	rig_close(&r);
	tafe_array_free(&nodes);
	tafe_array_free(&edges);
}

/* ---- timing ---- */

/* A line of 256 elements, 32 threads a CTA, 8 CTAs. */
static struct tafe_array line_array(void)
{
	return (struct tafe_array){.type = TAFE_TID_DEP,
				   .base = 0x10000,
				   .elements = 256,
				   .size = 2,
				   .extents = 0x40,
				   .apd = 3,
				   .m = {1, 0, 0, 32, 0, 0}};
}
static const struct tafe_launch line_launch = {.grid = {8, 1, 1}, .block = {32, 1, 1}};

Test(tafe, a_store_a_cycle_while_the_history_hits)
{
	struct tafe_array a = line_array();
	struct rig r;
	uint64_t from;

	tafe_array_init(&a);
	rig_open(&r, 2);
	tafe_bench_setup(&r.b, &line_launch);
	tafe_bench_register(&r.b, &a, 8);
	tafe_array_store(&r.b, &a, 0, 7);
	tafe_bench_settle(&r.b);
	from = r.b.cycle;
	for (uint32_t i = 1; i < 32; i++)
		tafe_array_store(&r.b, &a, i, 1000 + i);
	cr_assert_eq(r.b.cycle - from, 31, "a store a cycle, not %llu cycles", (unsigned long long)(r.b.cycle - from));
	tafe_bench_settle(&r.b);
	cr_assert_eq(r.b.missed, 1, "the first one alone");
	cr_assert_eq(r.b.tracked, 32);
	cr_assert_eq(r.b.cycle - from, 31 + 5, "the last is taken in 30 and is in a stage each in 31 to 34; 35 is quiet");
	rig_close(&r);
	tafe_array_free(&a);
}

/* From the cycle in which a store is taken to the one in which its element goes on to its extent. */
static unsigned cycles_to_track(struct rig *r, struct tafe_array *a, uint32_t index)
{
	uint64_t before = r->b.tracked + r->b.unmatched;
	unsigned cycles = 0;

	tafe_array_store(&r->b, a, index, index);
	while (r->b.tracked + r->b.unmatched == before) {
		tafe_bench_step(&r->b);
		cycles++;
	}
	tafe_bench_settle(&r->b);
	return cycles;
}

Test(tafe, misses_take_a_cycle_a_cta_and_the_load)
{
	struct tafe_array a = line_array();
	struct rig r;

	tafe_array_init(&a);
	rig_open(&r, 3);
	tafe_bench_setup(&r.b, &line_launch);
	tafe_bench_register(&r.b, &a, 8);
	/* Taken in cycle 0; it is in the stages 1, 2, 3. Miss in 3; request 4, response 5, three dimensions 6 7 8, CTA
	 * 0 in 9, its history hit in 10. */
	cr_assert_eq(cycles_to_track(&r, &a, 0), 10);
	cr_assert_eq(cycles_to_track(&r, &a, 5), 3, "a hit");
	/* Miss in 3, CTA 0 again in 4, CTA 1 in 5, hit in 6. */
	cr_assert_eq(cycles_to_track(&r, &a, 32), 6, "the next CTA");
	cr_assert_eq(cycles_to_track(&r, &a, 255), 11, "six further on");
	cr_assert_eq(cycles_to_track(&r, &a, 31), 6, "round the end to CTA 0");
	rig_close(&r);
	tafe_array_free(&a);
}

Test(tafe, an_element_of_nobody_costs_one_round_and_changes_nothing)
{
	struct tafe_array a = line_array();
	struct tafe before;
	struct rig r;

	a.elements = 300; /* 44 more than the CTAs read */
	tafe_array_init(&a);
	rig_open(&r, 4);
	tafe_bench_setup(&r.b, &line_launch);
	tafe_bench_register(&r.b, &a, 8);
	cycles_to_track(&r, &a, 40);
	before = r.golden;
	cr_assert_eq(cycles_to_track(&r, &a, 256), 3 + 8, "a miss, then 8 CTAs from the next cycle on");
	cr_assert_eq(r.b.unmatched, 1);
	cr_assert(before.inv__hist_lo == 32 && r.golden.inv__hist_lo == 32 && r.golden.inv__hist_valid, "CTA 1's history stays");
	cr_assert(r.golden.inv__tb == 1 && r.golden.inv__start == 32, "and the search is where it was");
	cr_assert(memcmp(before.ext__min, r.golden.ext__min, sizeof before.ext__min) == 0 &&
		  memcmp(before.ext__max, r.golden.ext__max, sizeof before.ext__max) == 0 &&
		  before.ext__seen == r.golden.ext__seen);
	cr_assert_eq(cycles_to_track(&r, &a, 41), 3, "still a hit");
	rig_close(&r);
	tafe_array_free(&a);
}

Test(tafe, stores_to_elsewhere_pass_without_a_trace)
{
	struct tafe_array a = line_array();
	struct rig r;
	uint64_t from;

	tafe_array_init(&a);
	rig_open(&r, 5);
	tafe_bench_setup(&r.b, &line_launch);
	tafe_bench_register(&r.b, &a, 8);
	from = r.b.cycle;
	for (unsigned i = 0; i < 100; i++)
		tafe_bench_store(&r.b, i % 2 ? a.base - 4 : a.base + 1024, i, 2);
	cr_assert_eq(r.b.cycle - from, 100);
	tafe_bench_settle(&r.b);
	cr_assert_eq(r.b.tracked + r.b.missed + r.b.unmatched + r.b.reads + r.b.writes, 0);
	tafe_bench_release(&r.b, &a, TAFE_RESET);
	for (uint32_t i = 0; i < 20; i++)
		tafe_bench_store(&r.b, a.base + 4 * i, i, 2);
	tafe_bench_settle(&r.b);
	cr_assert_eq(r.b.tracked + r.b.missed, 0, "a freed entry tracks nothing");
	rig_close(&r);
	tafe_array_free(&a);
}

/* ---- sizes ---- */

Test(tafe, a_store_of_two_elements_is_two_and_a_part_of_one_is_unknown)
{
	struct tafe_array a = line_array();
	struct rig r;

	a.elements = 3; /* the second half of an 8-byte store at element 2 is behind the array */
	tafe_array_init(&a);
	rig_open(&r, 6);
	tafe_bench_setup(&r.b, &(struct tafe_launch){{3, 1, 1}, {1, 1, 1}});
	a.m[3] = 1;
	tafe_bench_register(&r.b, &a, 3);
	tafe_bench_store(&r.b, a.base, 0x0000000900000004, 3);
	tafe_bench_store(&r.b, a.base + 8, 0x1234567800000006, 3);
	tafe_bench_settle(&r.b);
	cr_assert_eq(r.b.tracked, 3);
	cr_assert_eq(r.b.unmatched, 0);
	tafe_bench_store(&r.b, a.base + 4, 1, 1); /* two bytes of four */
	tafe_bench_release(&r.b, &a, TAFE_READY);
	expect_extent(&r, &a, 0, 4, 4);
	expect_extent(&r, &a, 1, 0, UINT32_MAX);
	expect_extent(&r, &a, 2, 6, 6);
	cr_assert_eq(r.b.saturated, 1);
	rig_close(&r);
	tafe_array_free(&a);
}

Test(tafe, values_of_all_sizes_are_unsigned_and_those_over_32_bits_saturate)
{
	for (unsigned size = 0; size < 4; size++) {
		struct tafe_array a = line_array();
		struct rig r;
		uint64_t largest = UINT64_MAX >> (64 - (8u << size));

		a.size = size;
		tafe_array_init(&a);
		rig_open(&r, 7);
		tafe_bench_setup(&r.b, &line_launch);
		tafe_bench_register(&r.b, &a, 8);
		tafe_array_store(&r.b, &a, 3, largest);
		tafe_array_store(&r.b, &a, 40, 5);
		tafe_array_store(&r.b, &a, 41, 200);
		tafe_array_store(&r.b, &a, 100, UINT32_MAX);
		tafe_bench_release(&r.b, &a, TAFE_READY);
		expect_extent(&r, &a, 0, size == 3 ? 0 : (uint32_t)largest, size == 3 ? UINT32_MAX : (uint32_t)largest);
		expect_extent(&r, &a, 1, 5, 200);
		expect_extent(&r, &a, 3, size < 2 ? (uint32_t)largest : UINT32_MAX, size < 2 ? (uint32_t)largest : UINT32_MAX);
		cr_assert_eq(r.b.saturated, size == 3);
		cr_assert_eq(tafe_bench_compare(&r.b, &line_launch, &a), 0);
		rig_close(&r);
		tafe_array_free(&a);
	}
}

/* ---- relations ---- */

/* Stores into every element, in order or shuffled, and compares; the relation must have at most one reader an
 * element. */
static uint64_t run_relation(struct tafe_array *a, const struct tafe_launch *l, uint64_t seed, bool shuffled)
{
	struct rig r;
	uint64_t hits;

	tafe_array_init(a);
	rig_open(&r, seed);
	r.b.latency = 12;
	r.b.stall_in = 3;
	tafe_bench_setup(&r.b, l);
	tafe_bench_register(&r.b, a, tafe_launch_ctas(l));
	for (uint32_t i = 0; i < a->elements; i++)
		tafe_array_store(&r.b, a, shuffled ? (uint32_t)tafe_bench_random(&r.b) % a->elements : i,
				 tafe_bench_random(&r.b) % 100000);
	tafe_bench_release(&r.b, a, TAFE_READY);
	for (uint32_t i = 0; i < a->elements; i++)
		cr_assert_leq(tafe_readers(l, a, i), 1, "the test's relation is not invertible at %u", i);
	cr_assert_eq(tafe_bench_compare(&r.b, l, a), 0);
	cr_assert_eq(r.b.tracked + r.b.unmatched, a->elements);
	hits = r.b.missed;
	rig_close(&r);
	tafe_array_free(a);
	return hits;
}

Test(tafe, every_shape_of_a_tid_relation_gives_the_trackers_table)
{
	static const struct {
		struct tafe_launch l;
		uint32_t elements, n;
		int32_t m[6], c, ofs;
	} shape[] = {
		{{{20, 1, 1}, {16, 1, 1}}, 320, 0, {1, 0, 0, 16}, 0, 0},
		{{{20, 1, 1}, {16, 1, 1}}, 330, 1, {1, 0, 0, 16}, 3, 0},	/* elements of nobody at both ends */
		{{{20, 1, 1}, {16, 1, 1}}, 300, 1, {1, 0, 0, 16}, -5, 0},	/* indices below and above the array */
		{{{20, 1, 1}, {16, 1, 1}}, 320, 1, {-1, 0, 0, 16}, 15, 0},	/* threads backwards */
		{{{20, 1, 1}, {16, 1, 1}}, 320, 1, {1, 0, 0, -16}, 304, 0},	/* CTAs backwards */
		{{{4, 3, 2}, {4, 2, 2}}, 384, 1, {1, 4, 8, 16, 64, 192}, 0, 0}, /* three dimensions */
		{{{4, 3, 2}, {4, 2, 2}}, 384, 1, {1, -4, 8, 96, 32, 16}, 4, 0}, /* CTAs in another order */
		{{{10, 1, 1}, {8, 1, 1}}, 320, 4, {1, 0, 0, 8}, 0, 80},		/* four rounds, a grid apart: cfd */
		{{{10, 1, 1}, {8, 1, 1}}, 320, 4, {1, 0, 0, 8}, 240, -80},	/* and downwards */
		{{{10, 1, 1}, {8, 1, 1}}, 320, 4, {1, 0, 0, 32}, 0, 8},		/* four rows of a CTA */
		{{{1, 1, 1}, {16, 1, 1}}, 20, 1, {1, 0, 0, 16}, 2, 0},		/* one CTA */
		{{{9, 1, 1}, {4, 1, 1}}, 90, 1, {1, 0, 0, 10}, 0, 0},		/* gaps between CTAs */
	};

	for (unsigned i = 0; i < sizeof shape / sizeof shape[0]; i++)
		for (int shuffled = 0; shuffled < 2; shuffled++) {
			struct tafe_array a = line_array();

			memcpy(a.m, shape[i].m, sizeof a.m);
			a.elements = shape[i].elements;
			a.n = shape[i].n;
			a.c = shape[i].c;
			a.ofs = shape[i].ofs;
			run_relation(&a, &shape[i].l, 10 + i, shuffled);
		}
}

Test(tafe, in_order_a_cta_misses_once)
{
	struct tafe_array a = line_array();

	cr_assert_eq(run_relation(&a, &line_launch, 8, false), 8);
}

/* Rows of a compressed matrix: row[i] ascending, some empty; the CTA of a row reads its columns. */
static void run_csr(uint64_t seed, uint32_t ctas, uint32_t threads, uint32_t offset)
{
	struct tafe_launch l = {.grid = {ctas, 1, 1}, .block = {threads, 1, 1}};
	struct tafe_array rows = bfs_nodes(), columns;
	uint32_t at = 0;
	struct rig r;

	rows.elements = ctas * threads + 1;
	rows.m[3] = (int32_t)threads;
	rig_open(&r, seed);
	r.b.latency = seed % 3 ? 20 : 0;
	r.b.stall_in = seed % 4 ? 1 + (unsigned)(seed % 4) : 0;
	tafe_array_init(&rows);
	tafe_bench_setup(&r.b, &l);
	tafe_bench_register(&r.b, &rows, ctas);
	for (uint32_t i = 0; i < rows.elements; i++) {
		if (tafe_bench_random(&r.b) % 7 || !offset) /* with offset: some rows are never stored, whole CTAs
							     * too */
			tafe_array_store(&r.b, &rows, i, at);
		at += tafe_bench_random(&r.b) % 3 ? (uint32_t)(tafe_bench_random(&r.b) % 6) : 0;
	}
	columns = bfs_edges(&rows);
	columns.extents = 0x200;
	columns.elements = at + 10;
	columns.c_s = columns.c_e = offset;
	tafe_array_init(&columns);
	tafe_bench_release(&r.b, &rows, TAFE_READY);
	tafe_bench_register(&r.b, &columns, ctas);
	for (uint32_t i = 0; i < columns.elements; i++)
		tafe_array_store(&r.b, &columns, i, tafe_bench_random(&r.b) % 1000);
	tafe_bench_release(&r.b, &columns, TAFE_READY);
	cr_assert_eq(tafe_bench_compare(&r.b, &l, &rows), 0, "rows, %u CTAs, seed %llu", ctas, (unsigned long long)seed);
	cr_assert_eq(tafe_bench_compare(&r.b, &l, &columns), 0, "columns, %u CTAs, seed %llu", ctas, (unsigned long long)seed);
	rig_close(&r);
	tafe_array_free(&rows);
	tafe_array_free(&columns);
}

Test(tafe, compressed_rows_give_the_trackers_table_on_both_sides_of_a_line)
{
	for (uint32_t ctas = 1; ctas <= 30; ctas++)
		for (uint64_t seed = 1; seed <= 6; seed++)
			run_csr(seed, ctas, 1 + (uint32_t)seed % 3, seed > 3 ? (uint32_t)seed - 3 : 0);
}

/* ---- parameters ---- */
