/* 462: the graph between modules: who is linked to whom, hops known on paper, every way as short as Floyd and Warshall
 * find, nothing through the CPU, and in no layer do waits of links close to a circle, found by taking away links that
 * wait for none. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/topology.h"
#include "support/machine.h"

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct topology graph(struct arena *a, const char *const *set)
{
	struct machine m = machine_with(set);
	struct topology t;
	struct err e = {""};

	cr_assert_eq(topology_init(&t, a, &m, &e), 0, "%s", e.text);
	return t;
}

static void check_shortest(const struct topology *t)
{
	uint32_t n = t->nodes, *far = calloc((size_t)n * n, sizeof *far);

	for (uint32_t i = 0; i < n * n; i++)
		far[i] = i / n == i % n ? 0 : 10000;
	for (uint32_t i = 0; i < t->links; i++)
		far[t->link[i].from * n + t->link[i].to] = 1;
	for (uint32_t k = 0; k < n; k++)
		for (uint32_t i = 0; k != t->cpu && i < n; i++)
			for (uint32_t j = 0; j < n; j++)
				if (far[i * n + k] + far[k * n + j] < far[i * n + j])
					far[i * n + j] = far[i * n + k] + far[k * n + j];
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++) {
			cr_assert_eq(topology_hops(t, i, j), far[i * n + j], "from %u to %u", i, j);
			for (uint32_t v = i; v != j; v = topology_next(t, v, j)->to)
				cr_assert(v == i || v != t->cpu, "through the CPU");
		}
	free(far);
}

/* Takes links away that wait for no other one of the layer; if some are left, they wait in a circle. */
static void check_layer(const struct topology *t, uint32_t layer)
{
	uint32_t n = t->nodes, links = t->links, gone = 0, before = UINT32_MAX;
	uint8_t *waits = calloc((size_t)links * links, 1), *away = calloc(links, 1);

	for (uint32_t i = 0; i < n; i++)
		for (uint32_t j = 0; j < n; j++)
			for (uint32_t v = i; v != j && t->layer[i * n + j] == layer; v = topology_next(t, v, j)->to) {
				uint32_t w = topology_next(t, v, j)->to;

				if (w != j && (i < t->modules || i == t->cpu) && (j < t->modules || j == t->cpu))
					waits[t->next[v * n + j] * links + t->next[w * n + j]] = 1;
			}
	while (gone != before) {
		before = gone;
		for (uint32_t i = 0; i < links; i++) {
			bool blocked = away[i];

			for (uint32_t k = 0; k < links && !blocked; k++)
				blocked = waits[i * links + k] && !away[k];
			gone += !blocked;
			away[i] |= !blocked;
		}
	}
	cr_assert_eq(gone, links, "layer %u: %u links wait in a circle", layer, links - gone);
	free(waits);
	free(away);
}

static void check(const char *const *set, uint32_t links, uint32_t layers)
{
	struct arena a = {0};
	struct topology t = graph(&a, set);

	cr_assert_eq(t.links, 2 * links, "%s: %u links", set[1], t.links / 2);
	cr_assert_leq(t.layers, layers, "%s: %u layers", set[1], t.layers);
	check_shortest(&t);
	for (uint32_t y = 0; y < t.layers; y++)
		check_layer(&t, y);
	arena_free(&a);
}

Test(topology, of_every_kind_has_shortest_ways_without_circles)
{
	static const char *const kinds[] = {"tree", "ring", "full", "p2p"};

	for (unsigned k = 0; k < 4; k++)
		for (unsigned n = 1; n <= 16; n++)
			for (unsigned cpu = 0; cpu < 2; cpu++) {
				uint32_t links[] = {n - 1, n > 2 ? n : n - 1, n > 1 ? n : 0, n * (n - 1) / 2};
				char count[32], topology[32], stacks[64] = "dram.stacks=1,0", with_cpu[32];

				snprintf(count, sizeof count, "module.count=%u", n);
				snprintf(topology, sizeof topology, "link.topology=%s", kinds[k]);
				snprintf(with_cpu, sizeof with_cpu, "link.cpu=%u", cpu * 32);
				check(SET(count, topology, stacks, with_cpu), links[k] + cpu * n, k == 1 ? 2 : 1);
			}
}

/* exascale25's tree: 8 below the root, 2 below each of these. */
Test(topology, a_tree_has_the_children_that_it_is_built_with)
{
	struct arena a = {0};
	struct topology t = graph(&a, SET("module.count=25", "dram.stacks=8,1", "link.fanout=8,2"));

	check(SET("module.count=25", "dram.stacks=8,1", "link.fanout=8,2"), 24, 1);
	for (uint32_t i = 1; i < 25; i++)
		cr_assert_eq(topology_hops(&t, 0, i), i <= 8 ? 1 : 2, "module %u", i);
	cr_assert_eq(topology_next(&t, 9, 0)->to, 1);
	cr_assert_eq(topology_next(&t, 10, 0)->to, 1);
	cr_assert_eq(topology_next(&t, 11, 0)->to, 2);
	cr_assert_eq(topology_next(&t, 24, 0)->to, 8);
	cr_assert_eq(topology_hops(&t, 9, 10), 2);
	cr_assert_eq(topology_hops(&t, 9, 24), 4);
	arena_free(&a);
}

/* Opposite modules of an even ring: as many ways lead one way round as the other. */
Test(topology, an_even_ring_is_used_both_ways_round)
{
	for (uint32_t n = 4; n <= 16; n += 4) {
		struct arena a = {0};
		char count[32];
		uint32_t up = 0;

		snprintf(count, sizeof count, "module.count=%u", n);
		struct topology t = graph(&a, SET(count, "link.topology=ring", "dram.stacks=1,0"));

		for (uint32_t i = 0; i < n; i++) {
			uint32_t to = (i + n / 2) % n;

			cr_assert_eq(topology_hops(&t, i, to), n / 2);
			up += topology_next(&t, i, to)->to == (i + 1) % n;
		}
		cr_assert_eq(up, n / 2, "ring of %u", n);
		arena_free(&a);
	}
}

/* A ladder with a switch, a wide link and the CPU at one corner. */
Test(topology, of_a_list_is_as_the_list_says)
{
	const char *const *set = SET("module.count=4", "link.topology=list", "link.gbps=80", "link.latency=9",
				     "link.list=0-1,1-s0:160,s0-2:160:20,2-3,3-0,cpu-0:32:5");
	struct arena a = {0};
	struct topology t = graph(&a, set);

	check(set, 6, 2);
	cr_assert_eq(t.nodes, 6);
	cr_assert_eq(t.cpu, 5);
	cr_assert_eq(topology_next(&t, 1, 2)->to, 4, "the switch");
	cr_assert_eq(topology_next(&t, 1, 2)->mbps, 160000);
	cr_assert_eq(topology_next(&t, 1, 2)->latency, 9);
	cr_assert_eq(topology_next(&t, 4, 2)->latency, 20);
	cr_assert_eq(topology_next(&t, 0, 1)->mbps, 80000);
	cr_assert_eq(topology_hops(&t, 5, 3), 2);
	cr_assert_eq(topology_next(&t, 0, 5)->mbps, 32000);
	/* 1400 MHz x 32 bytes a port: 44.8 GB/s */
	cr_assert_eq(topology_next(&t, 0, 1)->ports, 2);
	cr_assert_eq(topology_next(&t, 1, 2)->ports, 4);
	cr_assert_eq(topology_next(&t, 0, 5)->ports, 1);
	arena_free(&a);
}
