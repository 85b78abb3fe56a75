/* 842: Algorithm 1 and Figure 11 of the Locality Descriptor. Known answers are worked out by hand from the printed
 * algorithm; over random C-tiles the invariants hold: clusters are a partition of the CTAs, and there are as many as
 * SMs or they are single CTAs. */
#include <criterion/criterion.h>
#include <string.h>

#include "ldesc/ldesc_choice.h"
#include "ldesc/ldesc_clusters.h"
#include "support/random.h"

enum { MANY = 4096 };

static void expect_cluster(const uint32_t grid[3], const struct ldesc_dims *c_tile, uint32_t n, uint32_t sms,
			   const uint32_t want[3], uint32_t clusters)
{
	struct ldesc_ctas c = {.grid = {grid[0], grid[1], grid[2]}};
	uint32_t got[3];

	ldesc_cluster(&c, c_tile, n, sms, got);
	cr_expect_eq(memcmp(got, want, sizeof got), 0, "(%u, %u, %u), not (%u, %u, %u)", got[0], got[1], got[2], want[0], want[1],
		     want[2]);
	cr_expect_eq(ldesc_clusters(&c, got), clusters);
}

#define DIMS(...)  ((const uint32_t[3]){__VA_ARGS__})
#define TILES(...) ((const struct ldesc_dims[]){__VA_ARGS__})

Test(clusters, of_known_programs)
{
	expect_cluster(DIMS(4, 3, 1), TILES({{1, 3, 1}}), 1, 3, DIMS(1, 3, 1), 4); /* Figure 12 */
	/* 14 columns are one too few. */
	expect_cluster(DIMS(14, 16, 1), TILES({{1, 16, 1}}), 1, 15, DIMS(1, 8, 1), 28);		       /* histo_main */
	expect_cluster(DIMS(64, 64, 1), TILES({{1, 64, 1}}, {{64, 1, 1}}), 2, 15, DIMS(1, 64, 1), 64); /* merged: 1 */
	expect_cluster(DIMS(16, 16, 1), TILES({{2, 1, 1}}, {{8, 1, 1}}, {{1, 4, 1}}), 3, 15, DIMS(8, 1, 1),
		       32); /* with (1,4,1): 8 */
	expect_cluster(DIMS(16, 16, 1), TILES({{2, 1, 1}}, {{8, 1, 1}}, {{1, 2, 1}}), 3, 15, DIMS(8, 2, 1), 16);
}

/* 5 x 5 x 5 on 100 SMs: X, Y, Z to 3, then X, Y, Z to 2 (27 tiles), X, Y to 1 (75), Z to 1 (125). */
Test(clusters, halve_upward_in_the_order_x_y_z)
{
	expect_cluster(DIMS(5, 5, 5), TILES({{5, 5, 5}}), 1, 100, DIMS(1, 1, 1), 125);
	expect_cluster(DIMS(5, 5, 5), TILES({{5, 5, 5}}), 1, 75, DIMS(1, 1, 2), 75);
	expect_cluster(DIMS(5, 5, 5), TILES({{5, 5, 5}}), 1, 2, DIMS(3, 5, 5), 2);
	expect_cluster(DIMS(5, 5, 5), TILES({{5, 5, 5}}), 1, 1, DIMS(5, 5, 5), 1);
	expect_cluster(DIMS(2, 1, 1), TILES({{2, 1, 1}}), 1, 15, DIMS(1, 1, 1), 2);
}

/* Three clusters are the columns; the CTAs of the fourth go one to each SM. */
Test(clusters, the_last_one_is_spread_over_idle_sms)
{
	struct ldesc_ctas c = {.grid = {4, 3, 1}};
	uint32_t order[12], sm[12];
	static const uint32_t want[] = {0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11}, sms[] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 0, 1, 2};

	cr_assert_eq(ldesc_deal(&c, DIMS(1, 3, 1), 3, order, sm), 12);
	cr_expect_eq(memcmp(order, want, sizeof want), 0);
	cr_expect_eq(memcmp(sm, sms, sizeof sms), 0);
}

/* 28 clusters of 8 on 15 SMs: the second turn has 13; SMs 12, 13 and 14 share the last. */
Test(clusters, of_histo_fill_the_second_turn)
{
	struct ldesc_ctas c = {.grid = {14, 16, 1}};
	uint32_t order[224], sm[224], of[15] = {0};

	cr_assert_eq(ldesc_deal(&c, DIMS(1, 8, 1), 15, order, sm), 224);
	for (uint32_t i = 0; i < 224; i++)
		of[sm[i]]++;
	for (uint32_t s = 0; s < 15; s++)
		cr_expect_eq(of[s], s < 12 ? 16 : s < 14 ? 11 : 10, "SM %u: %u", s, of[s]);
}

Test(clusters, that_fill_all_turns_are_not_spread)
{
	struct ldesc_ctas c = {.grid = {6, 4, 1}};
	uint32_t order[24], sm[24];

	ldesc_deal(&c, DIMS(1, 4, 1), 3, order, sm);
	for (uint32_t i = 0; i < 24; i++)
		cr_expect_eq(sm[i], order[i] % 6 % 3);
}

/* ---- random ones ---- */

struct random_case {
	struct ldesc_ctas c;
	uint16_t zone[MANY];
	uint32_t n, sms, meant;
	struct ldesc_dims tile[4];
};

static uint32_t below(uint64_t *seed, uint32_t n)
{
	return (uint32_t)random_below(seed, n);
}

static void make_up(struct random_case *r, uint64_t *seed)
{
	uint32_t ctas = 1;

	r->n = 1 + below(seed, 4);
	r->sms = 1 + below(seed, 40);
	for (unsigned d = 0; d < 3; d++) {
		r->c.grid[d] = 1 + below(seed, 16);
		ctas *= r->c.grid[d];
		for (uint32_t i = 0; i < r->n; i++)
			r->tile[i].of[d] = 1 + below(seed, r->c.grid[d]);
	}
	r->c.zone = below(seed, 2) ? r->zone : NULL;
	r->c.of = 1;
	r->meant = 0;
	for (uint32_t i = 0; i < ctas; i++) {
		r->zone[i] = (uint16_t)below(seed, 3);
		r->meant += !r->c.zone || r->zone[i] == 1;
	}
}

/* Each CTA once, in a box of the cluster's size beside those of its cluster alone, on an SM that exists. */
static void expect_partition(const struct random_case *r, const uint32_t cluster[3])
{
	static uint32_t order[MANY], sm[MANY];
	static uint8_t seen[MANY];
	uint32_t n = ldesc_deal(&r->c, cluster, r->sms, order, sm), last = UINT32_MAX, begun = 0;
	const uint32_t *g = r->c.grid;

	cr_assert_eq(n, r->meant);
	memset(seen, 0, sizeof seen);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t x = order[i] % g[0] / cluster[0], y = order[i] / g[0] % g[1] / cluster[1],
			 z = order[i] / g[0] / g[1] / cluster[2], box = x + 16 * (y + 16 * z);

		cr_assert(!seen[order[i]]++ && sm[i] < r->sms);
		cr_assert(!r->c.zone || r->zone[order[i]] == 1);
		begun += box != last;
		last = box;
	}
	cr_assert_eq(begun, ldesc_clusters(&r->c, cluster), "a cluster comes in one piece");
}

Test(clusters, keep_their_invariants_over_random_c_tiles)
{
	static struct random_case r;
	uint64_t seed = 1;
	uint32_t split = 0, single = 0;

	for (int i = 0; i < 5000; i++) {
		uint32_t cluster[3];
		bool ones;

		make_up(&r, &seed);
		ldesc_cluster(&r.c, r.tile, r.n, r.sms, cluster);
		ones = cluster[0] == 1 && cluster[1] == 1 && cluster[2] == 1;
		cr_assert(ones || ldesc_clusters(&r.c, cluster) >= r.sms);
		expect_partition(&r, cluster);
		single += ones;
		split += !ones;
	}
	cr_expect(split > 1000 && single > 100, "%u %u", split, single);
}

/* ---- Figure 11 ---- */

static void expect_choice(struct ldesc l, enum ldesc_caching caching, enum ldesc_prefetch prefetch)
{
	struct ldesc_choice one = ldesc_choose(&l, false), numa = ldesc_choose(&l, true);

	cr_expect(one.caching == caching && one.prefetch == prefetch && numa.caching == caching && numa.prefetch == prefetch);
	cr_expect(one.ctas == (l.type == LDESC_INTER_THREAD) && !one.pages);
	cr_expect(numa.ctas && numa.pages, "irrespective of the locality type");
}

Test(choice, is_that_of_figure_11)
{
	expect_choice((struct ldesc){.type = LDESC_INTER_THREAD}, LDESC_CACHE_AS_IS, LDESC_PREFETCH_STRIDE);
	expect_choice((struct ldesc){.type = LDESC_INTER_THREAD, .access = LDESC_IRREGULAR}, LDESC_SOFT_PIN, LDESC_NO_PREFETCH);
	expect_choice((struct ldesc){.type = LDESC_INTER_THREAD, .sharing = LDESC_NEARBY}, LDESC_CACHE_AS_IS,
		      LDESC_PREFETCH_NEXT_LINE);
	expect_choice((struct ldesc){.type = LDESC_INTER_THREAD, .sharing = LDESC_NEARBY, .access = LDESC_IRREGULAR},
		      LDESC_CACHE_AS_IS, LDESC_PREFETCH_NEXT_LINE);
	expect_choice((struct ldesc){.type = LDESC_INTRA_THREAD}, LDESC_HARD_PIN, LDESC_NO_PREFETCH);
	expect_choice((struct ldesc){.type = LDESC_NO_REUSE}, LDESC_BYPASS, LDESC_NO_PREFETCH);
}
