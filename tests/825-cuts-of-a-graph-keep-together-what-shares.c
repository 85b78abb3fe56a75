/* 825: orders and parts of small graphs, worked by hand: Prim's order, k parts, halves of halves; the same each
 * time. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "locality/partition.h"
#include "support/made_up.h"
#include "support/random.h"

enum { MOST = 256 };

/* A graph from a matrix of weights. */
struct matrix {
	uint32_t n, weight[MOST][MOST];
};

static void edge(struct matrix *m, uint32_t a, uint32_t b, uint32_t weight)
{
	m->weight[a][b] = m->weight[b][a] = weight;
}

static struct locality_graph graph_of(const struct matrix *m, struct arena *a)
{
	struct locality_graph g = {.n = m->n, .first = arena_array(a, m->n + (size_t)1, sizeof *g.first)};
	uint64_t at = 0;

	g.to = arena_array(a, (size_t)m->n * m->n, sizeof *g.to);
	g.weight = arena_array(a, (size_t)m->n * m->n, sizeof *g.weight);
	for (uint32_t i = 0; i < m->n; i++) {
		for (uint32_t k = 0; k < m->n; k++)
			if (m->weight[i][k]) {
				g.to[at] = k;
				g.weight[at++] = m->weight[i][k];
			}
		g.first[i + 1] = at;
	}
	return g;
}

static uint32_t *all(uint32_t n, struct arena *a)
{
	uint32_t *v = arena_array(a, n, sizeof *v);

	for (uint32_t i = 0; i < n; i++)
		v[i] = i;
	return v;
}

/* ---- Prim ---- */

/* From 0 the edge to 3 is the heaviest (7); then 3-2 (5) before 0-1 (4); then 1 (4); 4 has no edge to these, and 4-5
 * are apart: the lowest that is left, then its neighbour. */
Test(prim, takes_the_heaviest_edge_to_the_tree)
{
	static const uint32_t want[] = {0, 3, 2, 1, 4, 5};
	struct matrix *m = calloc(1, sizeof *m);
	struct arena a = {0};
	struct locality_graph g;
	uint32_t *v;

	m->n = 6;
	edge(m, 0, 1, 4);
	edge(m, 0, 3, 7);
	edge(m, 3, 2, 5);
	edge(m, 1, 2, 3);
	edge(m, 4, 5, 9);
	g = graph_of(m, &a);
	v = all(6, &a);
	partition_prim(&g, v, 6);
	cr_assert_arr_eq(v, want, sizeof want);
	arena_free(&a);
	free(m);
}

/* Of equal weights the lowest CTA; only edges between the listed ones count: without 3, 2 is reached over 1. */
Test(prim, keeps_to_its_list)
{
	static const uint32_t want[] = {0, 1, 2}, ties[] = {0, 1, 2, 3};
	uint32_t three[] = {0, 1, 2};
	struct matrix *m = calloc(1, sizeof *m);
	struct arena a = {0};
	struct locality_graph g;
	uint32_t *v;

	m->n = 4;
	edge(m, 0, 1, 4);
	edge(m, 0, 3, 7);
	edge(m, 3, 2, 5);
	edge(m, 1, 2, 3);
	g = graph_of(m, &a);
	partition_prim(&g, three, 3);
	cr_assert_arr_eq(three, want, sizeof want);
	for (uint32_t i = 0; i < 4; i++)
		for (uint32_t k = 0; k < 4; k++)
			m->weight[i][k] = i != k;
	g = graph_of(m, &a);
	v = all(4, &a);
	partition_prim(&g, v, 4);
	cr_assert_arr_eq(v, ties, sizeof ties);
	arena_free(&a);
	free(m);
}

/* Random graphs: the weight over which each vertex is reached is the largest between those before it and the rest. */
Test(prim, every_step_is_the_best_there_is)
{
	struct matrix *m = calloc(1, sizeof *m);
	struct arena a = {0};

	m->n = 60;
	for (uint64_t seed = 1; seed <= 20; seed++) {
		uint64_t rng = seed;
		struct locality_graph g;
		uint32_t *v;

		memset(m->weight, 0, sizeof m->weight);
		for (int e = 0; e < 200; e++) {
			uint32_t x = random_u64(&rng) % 60, y = random_u64(&rng) % 60;

			if (x != y)
				edge(m, x, y, 1 + random_u64(&rng) % 9);
		}
		g = graph_of(m, &a);
		v = all(60, &a);
		partition_prim(&g, v, 60);
		for (uint32_t i = 1; i < 60; i++) {
			uint32_t taken = 0, best = 0;

			for (uint32_t before = 0; before < i; before++)
				for (uint32_t k = i; k < 60; k++) {
					uint32_t w = m->weight[v[before]][v[k]];

					best = w > best ? w : best;
					taken = k == i && w > taken ? w : taken;
				}
			cr_assert_eq(taken, best);
		}
	}
	arena_free(&a);
	free(m);
}

/* ---- parts ---- */

/* Cliques of `size`; clique c has the CTAs c, c + cliques, c + 2 * cliques ... */
static void cliques(struct matrix *m, uint32_t n, uint32_t size, uint32_t weight)
{
	memset(m, 0, sizeof *m);
	m->n = n * size;
	for (uint32_t i = 0; i < m->n; i++)
		for (uint32_t k = 0; k < i; k++)
			if (i % n == k % n)
				edge(m, i, k, weight);
}

static void each_part_is_a_clique(const uint32_t *v, const uint32_t *first, uint32_t n, uint32_t size)
{
	for (uint32_t p = 0; p < n; p++) {
		cr_assert_eq(first[p + 1] - first[p], size);
		for (uint32_t i = first[p]; i < first[p + 1]; i++)
			cr_assert_eq(v[i] % n, v[first[p]] % n);
	}
}

/* The closed form: on disjoint cliques of x CTAs nothing is cut. Weights near the largest that are, too, which METIS
 * could not add up as they are. */
Test(parts, disjoint_cliques_are_not_cut)
{
	static const uint32_t weights[] = {1, 1000, INT32_MAX};
	struct matrix *m = calloc(1, sizeof *m);
	struct arena a = {0};
	uint32_t first[MOST + 1];
	struct err e = {""};

	for (uint32_t n = 2; n <= 32; n *= 2)
		for (uint32_t size = 2; size <= 8; size++)
			for (int w = 0; w < 3; w++) {
				struct locality_graph g;
				uint32_t *v;

				cliques(m, n, size, weights[w]);
				g = graph_of(m, &a);
				v = all(m->n, &a);
				cr_assert_eq(partition_bisect(&g, v, m->n, size, first, &e), n, "%u of %u: %s", n, size, e.text);
				each_part_is_a_clique(v, first, n, size);
				cr_assert_eq(partition_cut(&g, v, n, first), 0);
				arena_free(&a);
			}
	free(m);
}

Test(parts, two_cliques_are_two_parts)
{
	struct matrix *m = calloc(1, sizeof *m);
	struct arena a = {0};
	uint32_t first[3], *v;
	struct locality_graph g;
	struct err e = {""};

	cliques(m, 2, 6, 5);
	edge(m, 0, 1, 1); /* a light edge between them: that is what is cut */
	g = graph_of(m, &a);
	v = all(m->n, &a);
	cr_assert_eq(partition_kway(&g, v, m->n, 2, first, &e), 0, "%s", e.text);
	each_part_is_a_clique(v, first, 2, 6);
	cr_assert_eq(partition_cut(&g, v, 2, first), 1);
	arena_free(&a);
	free(m);
}

static void random_graph(struct matrix *m, uint32_t n, uint64_t seed)
{
	memset(m, 0, sizeof *m);
	m->n = n;
	for (uint32_t i = 0; i < 6 * n; i++) {
		uint32_t x = random_u64(&seed) % n, y = random_u64(&seed) % n;

		if (x != y)
			edge(m, x, y, 1 + random_u64(&seed) % 100);
	}
}

/* 100 CTAs, at most 7 together: halves of 50, 25, 12 or 13, 6 or 7. Every CTA is in one part. */
Test(parts, halves_are_even)
{
	struct matrix *m = calloc(1, sizeof *m);
	struct arena a = {0};
	uint32_t first[MOST + 1];
	struct err e = {""};

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct locality_graph g;
		bool seen[100] = {false};
		uint32_t *v;

		random_graph(m, 100, seed);
		g = graph_of(m, &a);
		v = all(100, &a);
		cr_assert_eq(partition_bisect(&g, v, 100, 7, first, &e), 16, "%s", e.text);
		for (uint32_t p = 0; p < 16; p++) {
			uint32_t size = first[p + 1] - first[p];

			cr_assert(size == 6 || size == 7, "%u", size);
			for (uint32_t i = first[p]; i < first[p + 1]; i++) {
				cr_assert(!seen[v[i]]);
				seen[v[i]] = true;
				cr_assert(i == first[p] || v[i - 1] < v[i]);
			}
		}
		arena_free(&a);
	}
	free(m);
}

/* METIS draws random numbers: it must not matter what was drawn before. */
Test(parts, are_the_same_each_time)
{
	struct matrix *m = calloc(1, sizeof *m);
	struct arena a = {0};
	uint32_t first[2][MOST + 1] = {{0}}, *v[2];
	struct locality_graph g;
	struct err e = {""};

	random_graph(m, 200, 4);
	g = graph_of(m, &a);
	for (int way = 0; way < 2; way++) {
		for (unsigned again = 0; again < 2; again++) {
			srand(again);
			rand();
			v[again] = all(200, &a);
			if (way)
				cr_assert_geq(partition_bisect(&g, v[again], 200, 6, first[again], &e), 0);
			else
				cr_assert_eq(partition_kway(&g, v[again], 200, 15, first[again], &e), 0);
		}
		cr_assert_arr_eq(v[0], v[1], 200 * sizeof *v[0]);
		cr_assert_arr_eq(first[0], first[1], sizeof first[0]);
	}
	arena_free(&a);
	free(m);
}

/* Nothing to choose, nothing to gain. */
Test(parts, without_edges_neighbours_stay_together)
{
	static const uint32_t three[] = {0, 4, 7, 10}, four[] = {0, 3, 5, 8, 10}, more[] = {0, 1, 2, 2, 2};
	struct matrix *m = calloc(1, sizeof *m);
	struct arena a = {0};
	uint32_t first[MOST + 1], *v;
	struct locality_graph g;
	struct err e = {""};

	m->n = 10;
	g = graph_of(m, &a);
	v = all(10, &a);
	cr_assert_eq(partition_kway(&g, v, 10, 3, first, &e), 0);
	cr_assert_arr_eq(first, three, sizeof three);
	cr_assert_eq(partition_bisect(&g, v, 10, 3, first, &e), 4);
	cr_assert_arr_eq(first, four, sizeof four);
	cr_assert_eq(partition_bisect(&g, v, 10, 10, first, &e), 1); /* fits: one part */
	cr_assert_eq(first[1], 10);
	cr_assert_eq(partition_bisect(&g, v, 0, 3, first, &e), 0);
	for (uint32_t i = 0; i < 10; i++)
		cr_assert_eq(v[i], i);
	cr_assert_eq(partition_kway(&g, v, 2, 4, first, &e), 0); /* fewer CTAs than parts */
	cr_assert_arr_eq(first, more, sizeof more);
	arena_free(&a);
	free(m);
}
