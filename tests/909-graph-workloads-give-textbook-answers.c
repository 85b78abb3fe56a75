/* 909: what the graph workloads leave in their buffers for graphs whose answers are in textbooks: a star, a complete
 * graph, a path, two rings. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "workload/program.h"
#include "support/program.h"

enum { N = 40 };

/* Runs a workload on the METIS graph `text`. */
static struct host *solve(const char *name, const char *text, const char *more)
{
	char path[4200], arg[4300], ptx[128];
	const char *const args[] = {arg, more};
	struct host_options o = {.ptx_path = ptx, .size = "test", .n_args = more ? 2 : 1, .args = args};
	struct host *h;
	struct err e = {""};

	program_file("a.graph", text);
	snprintf(path, sizeof path, "%s/a.graph", program_tmp());
	snprintf(arg, sizeof arg, "graph=%s", path);
	snprintf(ptx, sizeof ptx, "traces/%s/kernel.ptx", name);
	h = host_new(&o, &e);
	cr_assert_not_null(h, "%s", e.text);
	cr_assert_eq(workload_find(name)->run(h, &e), 0, "%s: %s", name, e.text);
	return h;
}

static const void *buffer(struct host *h, const char *name)
{
	int i = memory_named(host_memory(h), name);

	cr_assert_geq(i, 0, "no buffer %s", name);
	return host_memory(h)->buffer[i].bytes;
}

static void add_line(char *text, size_t cap, uint32_t v, bool (*joined)(uint32_t, uint32_t))
{
	for (uint32_t u = 0; u < N; u++)
		if (joined(v, u))
			snprintf(text + strlen(text), cap - strlen(text), "%u ", u + 1);
	snprintf(text + strlen(text), cap - strlen(text), "\n");
}

static const char *graph_of(bool (*joined)(uint32_t, uint32_t))
{
	static char text[16384];
	uint32_t edges = 0;

	for (uint32_t v = 0; v < N; v++)
		for (uint32_t u = 0; u < v; u++)
			edges += joined(v, u);
	snprintf(text, sizeof text, "%d %u\n", N, edges);
	for (uint32_t v = 0; v < N; v++)
		add_line(text, sizeof text, v, joined);
	return text;
}

static bool in_star(uint32_t a, uint32_t b)
{
	return a != b && (a == 0 || b == 0);
}

static bool in_complete(uint32_t a, uint32_t b)
{
	return a != b;
}

static bool in_path(uint32_t a, uint32_t b)
{
	return a + 1 == b || b + 1 == a;
}

/* Even and odd vertices, a ring each. */
static bool in_rings(uint32_t a, uint32_t b)
{
	return (a + 2) % N == b || (b + 2) % N == a;
}

Test(textbook, the_middle_of_a_star_is_on_every_shortest_path)
{
	struct host *h = solve("betweenness", graph_of(in_star), "sources=40");
	const float *centrality = buffer(h, "centrality");

	/* Ordered pairs of the other vertices. */
	cr_expect_eq(centrality[0], (N - 1) * (N - 2));
	for (unsigned v = 1; v < N; v++)
		cr_expect_eq(centrality[v], 0);
	host_free(h);
}

Test(textbook, on_a_path_betweenness_is_the_product_of_both_sides)
{
	struct host *h = solve("betweenness", graph_of(in_path), "sources=40");
	const float *centrality = buffer(h, "centrality");

	for (int v = 0; v < N; v++)
		cr_expect_eq(centrality[v], 2 * v * (N - 1 - v), "vertex %d: %g", v, (double)centrality[v]);
	host_free(h);
}

Test(textbook, degrees_of_a_star)
{
	struct host *h = solve("degree", graph_of(in_star), NULL);
	const uint32_t *in = buffer(h, "in"), *out = buffer(h, "out");

	for (unsigned v = 0; v < N; v++)
		cr_expect(in[v] == (v ? 1 : N - 1) && out[v] == in[v], "vertex %u: %u in, %u out", v, in[v], out[v]);
	host_free(h);
}

Test(textbook, a_complete_graph_has_a_triangle_for_every_three_vertices)
{
	struct host *h = solve("triangles", graph_of(in_complete), NULL);
	const uint32_t *count = buffer(h, "count");
	uint32_t sum = 0;

	for (unsigned v = 0; v < N; v++) {
		cr_expect_eq(count[v], (N - 1 - v) * (N - 2 - v) / 2);
		sum += count[v];
	}
	cr_expect_eq(sum, N * (N - 1) * (N - 2) / 6);
	host_free(h);
}

Test(textbook, a_complete_graph_needs_a_colour_a_vertex)
{
	struct host *h = solve("colouring", graph_of(in_complete), NULL);
	const uint32_t *colour = buffer(h, "colour");
	uint64_t seen = 0;

	for (unsigned v = 0; v < N; v++)
		seen |= UINT64_C(1) << colour[v];
	cr_expect_eq(seen, (UINT64_C(1) << (N + 1)) - 2); /* each of 1 .. N */
	host_free(h);
}

Test(textbook, two_rings_are_two_components)
{
	struct host *h = solve("components", graph_of(in_rings), NULL);
	const uint32_t *parent = buffer(h, "parent");

	for (unsigned v = 0; v < N; v++)
		cr_expect_eq(parent[v], v % 2);
	host_free(h);
}

Test(textbook, with_weights_of_one_a_path_is_as_long_as_it_has_edges)
{
	struct host *h = solve("sssp", graph_of(in_path), "weights=1");
	const uint32_t *distance = buffer(h, "distance");

	for (unsigned v = 0; v < N; v++)
		cr_expect_eq(distance[v], v);
	host_free(h);
}
