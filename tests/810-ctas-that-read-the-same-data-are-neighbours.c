/* 810: locality graphs of workloads whose sharing is known: PAVER's Table 2 to its last printed digit, at the sizes
 * that give its grids, and closed forms of the weights. */
#include <criterion/criterion.h>

#include <math.h>

#include "locality/locality.h"
#include "study/papers/paver_published.h"
#include "support/plan_rig.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

struct rig {
	struct plan_rig plan;
	struct locality_graph g;
	struct locality_score score;
	struct locality_loads loads;
};

static void rig_init(struct rig *r, const char *workload, const char *const *args, uint32_t launch, bool from_trace)
{
	struct locality_source from;
	struct locality_readers readers;
	struct err e = {""};

	plan_rig_init(&r->plan, 1, 1, workload, args);
	from = (struct locality_source){r->plan.req.trace, r->plan.req.analysis};
	cr_assert_eq((from_trace ? locality_readers_trace : locality_readers_static)(&readers, &from, launch, false, &e), 0, "%s",
		     e.text);
	locality_graph_of(&r->g, &readers, 0, &r->plan.arena);
	locality_score(&r->score, &readers);
	r->loads = readers.loads;
	locality_readers_free(&readers);
}

static uint32_t weight(const struct locality_graph *g, uint32_t i, uint32_t j)
{
	for (uint64_t k = g->first[i]; k < g->first[i + 1]; k++)
		if (g->to[k] == j)
			return g->weight[k];
	return 0;
}

/* Table 2's figures have nine places. */
static void expect_published(const struct rig *r, uint32_t ctas, double sp_score)
{
	cr_expect_eq(r->score.ctas, ctas);
	cr_expect_eq(r->score.sharing, ctas);
	cr_expect_float_eq(r->score.sp_score, sp_score, 0.5e-9, "%.10f", r->score.sp_score);
	cr_expect_eq(r->g.first[ctas], r->score.pairs);
}

/* Row and column on 13 x 13 tiles: a band of 16 rows of A, of 16 columns of B. */
Test(locality, matmul_shares_rows_and_columns)
{
	for (int from_trace = 0; from_trace < 2; from_trace++) {
		struct rig r;

		rig_init(&r, "matmul", ARGS("n=208"), 0, from_trace);
		expect_published(&r, 169, 0.857988166);
		for (uint32_t i = 0; i < 169; i++)
			for (uint32_t j = 0; j < 169; j++)
				cr_assert_eq(weight(&r.g, i, j), i != j && (i / 13 == j / 13 || i % 13 == j % 13) ? 16 * 208 : 0);
		cr_expect_eq(r.score.elements, 2 * 208 * 208);
		cr_expect_eq(r.score.references, 13 * 2 * 208 * 208);
		cr_expect_eq(r.score.shared_references, 13 * 2 * 208 * 208);
		plan_rig_free(&r.plan);
	}
}

/* A chain: columns of 216 with a halo of 20 on either side, 20 rows in a launch. */
Test(locality, pathfinder_shares_with_two_neighbours)
{
	for (int from_trace = 0; from_trace < 2; from_trace++) {
		struct rig r;

		rig_init(&r, "pathfinder", ARGS("cols=100000", "rows=21", "height=20"), 0, from_trace);
		expect_published(&r, 463, 0.995689675);
		cr_expect_eq(r.score.elements, 2100000);
		for (uint32_t i = 0; i < 463; i++)
			cr_assert(r.g.first[i + 1] - r.g.first[i] == (i == 0 || i == 462 ? 1 : 2));
		plan_rig_free(&r.plan);
	}
}

Test(locality, hotspot_shares_with_eight_neighbours)
{
	for (int from_trace = 0; from_trace < 2; from_trace++) {
		struct rig r;

		rig_init(&r, "hotspot", ARGS("rows=512", "cols=512", "launches=1"), 0, from_trace);
		expect_published(&r, 1849, 0.995823097);
		cr_expect_eq(r.score.elements, 524288);
		/* Tiles of 16 that are 12 apart overlap by 4; temperature and power. */
		cr_expect_eq(weight(&r.g, 44, 45), 2 * 4 * 16);
		cr_expect_eq(weight(&r.g, 44, 44 + 43), 2 * 4 * 16);
		cr_expect_eq(weight(&r.g, 44, 44 + 44), 2 * 4 * 4);
		cr_expect_eq(weight(&r.g, 44, 46), 0);
		plan_rig_free(&r.plan);
	}
}

Test(locality, heart_wall_shares_with_two_on_either_side)
{
	struct rig r;

	rig_init(&r, "heartwall", ARGS("points=51", "frames=2", "radius=25", "search=40", "reach=10"), 1, true);
	expect_published(&r, 51, 0.923875433);
	plan_rig_free(&r.plan);
}

/* 4 x 16 CTAs of 32x8 threads on 128 x 128 elements: CTA (x, y) reads rows 8 y .. 8 y + 7 and 32 x .. 32 x + 31 of each
 * matrix. Table 2 prints 0.4140625 for both programs beside a Total TB of 256, whose graph has 0.6533.
 */
Test(locality, syrk_and_syr2k_share_bands_of_rows)
{
	static const char *const programs[] = {"syrk", "syr2k"};

	for (unsigned p = 0; p < 4; p++) {
		unsigned pairs = 0;
		struct rig r;

		rig_init(&r, programs[p % 2], ARGS("n=128", "m=128"), 0, p >= 2);
		expect_published(&r, 64, 0.4140625);
		for (uint32_t i = 0; i < 64; i++)
			for (uint32_t j = 0; j < 64; j++) {
				bool shares = false;

				for (unsigned row = 0; row < 128; row++)
					shares |=
						(row / 8 == i / 4 || row / 32 == i % 4) && (row / 8 == j / 4 || row / 32 == j % 4);
				shares &= i != j;
				pairs += shares;
				cr_assert_eq(weight(&r.g, i, j) > 0, shares, "%s: CTAs %u and %u", programs[p % 2], i, j);
			}
		cr_expect_eq(pairs, 2400); /* (1 - 0.4140625) * 64 * 64 */
		plan_rig_free(&r.plan);
	}
}

/* Which graph each SpScore of Table 2 is of, from the printed numbers alone: n is 17 / degree of sharing, but for
 * mergesort's, and (1 - SpScore) n^2 is the even number of ordered pairs that share, to the printed digits.
 */
Test(locality, the_graphs_of_table_2_have_whole_numbers_of_pairs)
{
	for (const struct paver_published *p = paver_published; p->workload; p++) {
		double n = p->graph_ctas, pairs = (1 - p->sp_score) * n * n;

		if (isnan(p->degree)) {
			cr_expect_eq(p->graph_ctas, 0, "%s", p->workload);
			continue;
		}
		if (strcmp(p->workload, "mergesort"))
			cr_expect_float_eq(17 / n, p->degree, 0.5000001e-6, "%s", p->workload);
		else
			cr_expect_float_eq(pairs, 2 * (n - 1), 1e-9, "a chain of %.0f CTAs", n);
		if (strcmp(p->workload, "btree")) /* 0.000167 has too few digits for 10^8 pairs */
			cr_expect_float_eq(pairs, 2 * round(pairs / 2), 0.5e-9 * n * n + 1e-6, "%s: %f pairs", p->workload, pairs);
	}
}

/* 101 CTAs read the data: a clique; each of 100 random sets is read by one of these and by one CTA more. */
Test(locality, tpacf_shares_the_data_points)
{
	struct rig r;

	rig_init(&r, "tpacf", ARGS("n=32", "sets=100"), 0, true);
	expect_published(&r, 201, 0.745055815);
	plan_rig_free(&r.plan);
}

/* ---- from the PTX alone ---- */

static void expect_same(const struct locality_readers *a, const struct locality_readers *b, const char *what)
{
	struct arena arena = {0};
	struct locality_graph g, h;

	locality_graph_of(&g, a, 0, &arena);
	locality_graph_of(&h, b, 0, &arena);
	cr_expect_eq(a->alone, b->alone, "%s: %llu and %llu elements read by one CTA", what, (unsigned long long)a->alone,
		     (unsigned long long)b->alone);
	cr_assert_arr_eq(g.first, h.first, (g.n + 1) * sizeof *g.first, "%s", what);
	cr_assert_arr_eq(g.to, h.to, g.first[g.n] * sizeof *g.to, "%s", what);
	cr_assert_arr_eq(g.weight, h.weight, g.first[g.n] * sizeof *g.weight, "%s", what);
	arena_free(&arena);
}

/* Loads that are exact say the same as the trace: for every launch that has no others. */
Test(locality, static_agrees_with_trace_where_all_is_exact)
{
	static const char *const names[] = {
		"2mm", "atax", "backprop", "blackscholes", "conv2d",  "gaussian", "gesummv", "hotspot", "kmeans",    "lud",
		"mvt", "nn",   "nw",	   "pathfinder",   "sepconv", "storegpu", "syr2k",   "syrk",	"transpose", "vectoradd"};
	unsigned compared = 0;

	for (unsigned i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct plan_rig r;
		struct err e = {""};
		uint32_t n;

		plan_rig_init(&r, 1, 1, names[i], NULL);
		n = trace_n_launches(r.s.trace);
		for (uint32_t l = 0; l < n; l += 1 + n / 4) {
			for (int lines = 0; lines < 2; lines++) {
				const struct locality_source from = {r.req.trace, r.req.analysis};
				struct locality_readers x, y;

				cr_assert_eq(locality_readers_static(&x, &from, l, lines, &e), 0, "%s", e.text);
				cr_assert_eq(locality_readers_trace(&y, &from, l, lines, &e), 0, "%s", e.text);
				cr_assert(!x.loads.open && !x.loads.possible, "%s, launch %u", names[i], l);
				expect_same(&x, &y, names[i]);
				compared++;
				locality_readers_free(&x);
				locality_readers_free(&y);
			}
		}
		plan_rig_free(&r);
	}
	cr_expect_geq(compared, 60, "%u", compared);
}
