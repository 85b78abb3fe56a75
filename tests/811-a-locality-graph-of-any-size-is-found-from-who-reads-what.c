/* 811: locality graphs of readers written down by hand: closed forms of Table 2 that no workload of ours has, a graph
 * against one counted pair by pair, what the cap does and does not do, and how much memory 32,768 CTAs take. */
#include <criterion/criterion.h>

#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "locality/locality_collect.h"
#include "locality/locality.h"
#include "support/made_up.h"
#include "support/random.h"

struct rig {
	struct arena arena;
	struct locality_readers readers;
	struct locality_graph g;
	struct locality_score score;
};

static void rig_init(struct rig *r, struct collect *c, uint32_t cap)
{
	memset(r, 0, sizeof *r);
	collect_finish(c, &r->readers);
	locality_graph_of(&r->g, &r->readers, cap, &r->arena);
	locality_score(&r->score, &r->readers);
}

static void rig_free(struct rig *r)
{
	locality_readers_free(&r->readers);
	arena_free(&r->arena);
}

/* n CTAs that are 100 elements apart and read `width` elements each. */
static void init_band(struct rig *r, uint32_t n, uint32_t width)
{
	struct collect *c = collect_new(n, 1, 4, false);

	for (uint32_t i = 0; i < n; i++) {
		collect_read(c, 0, 400 * (uint64_t)i, 4 * (uint64_t)width, 4);
		collect_cta_end(c, i);
	}
	rig_init(r, c, 0);
}

static void expect_published(double got, double printed)
{
	cr_expect_float_eq(got, printed, 0.5e-9, "%.10f, printed %.9f", got, printed);
}

/* Ours hash private chunks; the paper's windows overlap with the next. */
Test(locality_sets, storegpu_is_a_chain_of_384)
{
	struct rig r;

	init_band(&r, 384, 120);
	expect_published(r.score.sp_score, 0.99480523);
	cr_expect_eq(r.g.first[384], 2 * 383);
	for (uint64_t i = 0; i < r.g.first[384]; i++)
		cr_assert_eq(r.g.weight[i], 20);
	cr_expect_eq(r.score.elements, 383 * 100 + 120);
	cr_expect_eq(r.score.references, 384 * 120);
	cr_expect_eq(r.score.shared_references, 2 * 383 * 20);
	rig_free(&r);
	init_band(&r, 463, 120);
	expect_published(r.score.sp_score, 0.995689675);
	rig_free(&r);
}

Test(locality_sets, heart_wall_is_a_band_of_two_on_either_side)
{
	struct rig r;

	init_band(&r, 51, 250);
	expect_published(r.score.sp_score, 0.923875433);
	cr_expect_eq(r.g.weight[r.g.first[20]], 50); /* to 18 */
	cr_expect_eq(r.g.to[r.g.first[20]], 18);
	cr_expect_eq(r.g.weight[r.g.first[20] + 1], 150); /* to 19 */
	rig_free(&r);
}

Test(locality_sets, nothing_shared_is_no_edge)
{
	struct rig r;

	init_band(&r, 480, 100); /* black scholes */
	cr_expect_eq(r.score.sp_score, 1);
	cr_expect_eq(r.score.sharing, 0);
	cr_expect_eq(r.g.first[480], 0);
	rig_free(&r);
	rig_init(&r, collect_new(3, 1, 4, false), 0); /* and nobody read anything */
	cr_expect_eq(r.score.sp_score, 1);
	cr_expect_eq(r.g.first[3], 0);
	rig_free(&r);
}

/* ---- any sets, counted pair by pair ---- */

enum { N = 90, ELEMENTS = 3000 };

static void draw(bool reads[N][ELEMENTS], uint64_t seed)
{
	for (int i = 0; i < N; i++) {
		for (int k = 0; k < 12; k++) {
			uint64_t at = random_u64(&seed) % ELEMENTS, n = 1 + random_u64(&seed) % (k % 3 ? 5 : 200);

			for (uint64_t e = at; e < at + n && e < ELEMENTS; e++)
				reads[i][e] = true;
		}
	}
}

/* Two buffers: the second one's elements are twice as wide. */
static struct collect *collect_drawn(bool reads[N][ELEMENTS], uint64_t seed)
{
	struct collect *c = collect_new(N, 2, 4, false);

	for (uint32_t i = 0; i < N; i++) {
		uint64_t turn = random_u64(&seed) % ELEMENTS;

		for (uint64_t k = 0; k < ELEMENTS; k++) { /* in another order for each CTA */
			uint64_t e = (k * 7 + turn) % ELEMENTS;
			bool second = e >= ELEMENTS / 2;
			uint64_t at = second ? (UINT64_C(1) << 40) + 8 * (e - ELEMENTS / 2) : 4 * e;

			if (reads[i][e])
				collect_read(c, second, at, second ? 8 : 4, second ? 8 : 4);
		}
		collect_cta_end(c, i);
	}
	return c;
}

static uint32_t common(bool reads[N][ELEMENTS], int i, int j)
{
	uint32_t n = 0;

	for (int e = 0; e < ELEMENTS; e++)
		n += reads[i][e] && reads[j][e];
	return n;
}

Test(locality_sets, weights_are_those_counted_pair_by_pair)
{
	for (uint64_t seed = 1; seed <= 5; seed++) {
		static bool reads[N][ELEMENTS];
		uint64_t at = 0, pairs = 0, references = 0;
		struct rig r;

		memset(reads, 0, sizeof reads);
		draw(reads, seed);
		rig_init(&r, collect_drawn(reads, seed), 0);
		for (int i = 0; i < N; i++) {
			cr_assert_eq(r.g.first[i], at);
			for (int j = 0; j < N; j++) {
				uint32_t want = i == j ? 0 : common(reads, i, j);

				if (!want)
					continue;
				pairs++;
				cr_assert_eq(r.g.to[at], (uint32_t)j);
				cr_assert_eq(r.g.weight[at], want, "seed %llu, %d and %d: %u, not %u", (unsigned long long)seed, i,
					     j, r.g.weight[at], want);
				at++;
			}
			references += common(reads, i, i);
		}
		cr_expect_eq(r.score.pairs, pairs);
		cr_expect_eq(r.score.references, references);
		rig_free(&r);
	}
}

/* ---- the cap ---- */

/* 300 CTAs: all read one table, each ten read ten elements of their own. */
static struct collect *collect_table(void)
{
	struct collect *c = collect_new(300, 2, 4, false);

	for (uint32_t i = 0; i < 300; i++) {
		collect_read(c, 0, 0, 400, 4);
		collect_read(c, 1, i / 10 * 400, 40, 4);
		collect_cta_end(c, i);
	}
	return c;
}

Test(locality_sets, what_more_ctas_than_the_cap_read_is_a_chain_and_the_score_stays)
{
	struct rig r, all;

	rig_init(&r, collect_table(), 0); /* 256 */
	rig_init(&all, collect_table(), 300);
	cr_expect_eq(r.g.cap, 256);
	cr_expect_eq(all.g.first[300], 300 * 299);
	cr_expect_eq(r.score.pairs, 300 * 299);
	cr_expect_eq(r.score.sp_score, all.score.sp_score);
	cr_expect_eq(r.g.first[300], 300 * 9 + 2 * 29); /* cliques of ten, and the chain from one to the next */
	for (uint32_t i = 1; i < 299; i++)
		for (uint64_t k = r.g.first[i]; k < r.g.first[i + 1]; k++) {
			bool next = r.g.to[k] == i - 1 || r.g.to[k] == i + 1, own = r.g.to[k] / 10 == i / 10;

			cr_assert_eq(r.g.weight[k], (next ? 100u : 0) + (own ? 10u : 0));
		}
	rig_free(&r);
	rig_free(&all);
}

/* 20,000 CTAs in cliques of 250, five patterns of them: 25 M edges with the cap at 256, more than there may be with
 * nine. */
Test(locality_sets, the_cap_is_halved_until_the_edges_fit)
{
	struct collect *c = collect_new(20000, 12, 4, false);
	struct rig r;

	for (uint32_t i = 0; i < 20000; i++) {
		uint32_t p = i;

		for (uint32_t b = 0; b < 9; b++) {
			collect_read(c, b, p / 250 * 4, 4, 4);
			p = (p % 250 * 80 + p / 250) * 7 % 20000; /* another dealing */
		}
		collect_cta_end(c, i);
	}
	rig_init(&r, c, 0);
	cr_expect_eq(r.g.cap, 128);
	cr_expect_leq(r.g.first[20000], LOCALITY_EDGES);
	cr_expect_geq(r.score.pairs, LOCALITY_EDGES);
	rig_free(&r);
}

/* MGS of Table 2: 32,768 CTAs, 8,454,144 data references; here none of them in a row, a table that all read, and
 * neighbours. */
Test(locality_sets, thirty_two_thousand_ctas_fit_in_a_gigabyte)
{
	enum { CTAS = 32768, EACH = 256 };
	struct collect *c = collect_new(CTAS, 2, 4, false);
	struct rusage use;
	struct rig r;

	for (uint32_t i = 0; i < CTAS; i++) {
		for (uint32_t k = 0; k < EACH; k++)
			collect_read(c, 0, 8 * (uint64_t)((i * 128 + k) % (CTAS * 128)), 4, 4);
		collect_read(c, 1, 0, 4096, 4);
		collect_cta_end(c, i);
	}
	rig_init(&r, c, 0);
	cr_expect_eq(r.score.pairs, (uint64_t)CTAS * (CTAS - 1));
	cr_expect_eq(r.score.references, (uint64_t)CTAS * (EACH + 1024));
	cr_expect_eq(r.g.first[CTAS], 2 * CTAS); /* a ring, and the table's chain upon it */
	cr_expect_eq(r.g.weight[r.g.first[1]], 128 + 1024);
	getrusage(RUSAGE_SELF, &use);
	cr_expect_lt(use.ru_maxrss, 1 << 20, "%ld KB", use.ru_maxrss);
	rig_free(&r);
}
