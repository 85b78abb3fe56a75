/* 120: METIS and MatrixMarket files become compressed rows; R-MAT graphs are the same everywhere; broken files are
 * reported by line. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "workload/graph.h"
#include "support/program.h"

static const char *file_of(const char *name, const char *text)
{
	static char path[4200];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	return path;
}

static void expect_u32(const uint32_t *got, const uint32_t *want, unsigned n, const char *what)
{
	for (unsigned i = 0; i < n; i++)
		cr_assert_eq(got[i], want[i], "%s[%u] is %u, not %u", what, i, got[i], want[i]);
}

/* The METIS manual's figure 2(a): 7 vertices, 11 edges. */
static const char manual[] = "% a comment\n7 11\n5 3 2\n1 3 4\n5 4 2 1\n2 3 6 7\n1 3 6\n5 4 7\n6 4\n";
static const uint32_t manual_rowptr[] = {0, 3, 6, 10, 14, 17, 20, 22};
static const uint32_t manual_col[] = {1, 2, 4, 0, 2, 3, 0, 1, 3, 4, 1, 2, 5, 6, 0, 2, 5, 3, 4, 6, 3, 5};

Test(graph, the_example_of_the_metis_manual)
{
	struct graph g;
	struct err e = {""};

	cr_assert_eq(graph_open(&g, file_of("a.graph", manual), 0, &e), 0, "%s", e.text);
	cr_assert(g.n_rows == 7 && g.n_cols == 7 && g.n_entries == 22 && !g.weight);
	expect_u32(g.rowptr, manual_rowptr, 8, "rowptr");
	expect_u32(g.col, manual_col, 22, "col");
	graph_free(&g);
}

/* The same graph in the manual's format 011: three weights a vertex, which are skipped, and weights of edges. */
Test(graph, metis_edge_weights_are_kept_and_vertex_weights_skipped)
{
	static const char text[] =
		"7 11 011 3\n1 2 0 5 1 3 2 2 1\n0 2 2 1 1 3 2 4 1\n4 1 1 5 3 4 2 2 2 1 2\n2 2 3 2 1 3 2 6 2 7 5\n"
		"1 1 1 1 1 3 3 6 2\n2 2 1 5 2 4 2 7 6\n1 2 1 6 6 4 5\n";
	static const float weight[] = {1, 2, 1, 1, 2, 1, 2, 2, 2, 3, 1, 2, 2, 5, 1, 3, 2, 2, 2, 6, 5, 6};
	struct graph g;
	struct err e = {""};

	cr_assert_eq(graph_open(&g, file_of("w.graph", text), 0, &e), 0, "%s", e.text);
	expect_u32(g.rowptr, manual_rowptr, 8, "rowptr");
	expect_u32(g.col, manual_col, 22, "col");
	for (int i = 0; i < 22; i++)
		cr_assert_eq(g.weight[i], weight[i], "weight[%d]", i);
	graph_free(&g);
}

/* The example of the MatrixMarket format's own page (NIST). */
Test(graph, the_example_of_the_matrixmarket_page)
{
	static const char text[] = "%%MatrixMarket matrix coordinate real general\n% comment\n5 5 8\n1 1 1.000e+00\n2 2 1.050e+01\n"
				   "3 3 1.500e-02\n1 4 6.000e+00\n4 2 2.505e+02\n4 4 -2.800e+02\n4 5 3.332e+01\n5 5 1.200e+01\n";
	static const uint32_t rowptr[] = {0, 2, 3, 4, 7, 8}, col[] = {0, 3, 1, 2, 1, 3, 4, 4};
	static const float value[] = {1.0f, 6.0f, 10.5f, 0.015f, 250.5f, -280.0f, 33.32f, 12.0f};
	struct graph g;
	struct err e = {""};

	cr_assert_eq(graph_open(&g, file_of("a.mtx", text), 0, &e), 0, "%s", e.text);
	expect_u32(g.rowptr, rowptr, 6, "rowptr");
	expect_u32(g.col, col, 8, "col");
	for (int i = 0; i < 8; i++)
		cr_assert_eq(g.weight[i], value[i], "weight[%d]", i);
	graph_free(&g);
}

Test(graph, a_symmetric_matrix_fills_both_triangles)
{
	static const char text[] = "%%matrixmarket MATRIX coordinate pattern symmetric\n3 3 3\n2 1\n3 3\n3 1\n";
	static const uint32_t rowptr[] = {0, 2, 3, 5}, col[] = {1, 2, 0, 0, 2};
	struct graph g;
	struct err e = {""};

	cr_assert_eq(graph_open(&g, file_of("s.mtx", text), 0, &e), 0, "%s", e.text);
	cr_assert(g.n_entries == 5 && !g.weight);
	expect_u32(g.rowptr, rowptr, 4, "rowptr");
	expect_u32(g.col, col, 5, "col");
	graph_free(&g);
}

Test(graph, gzip_is_read_through)
{
	char path[4200];
	struct graph g;
	struct err e = {""};
	gzFile f;

	snprintf(path, sizeof path, "%s/a.graph.gz", program_tmp());
	f = gzopen(path, "wb");
	gzputs(f, manual);
	gzclose(f);
	cr_assert_eq(graph_open(&g, path, 0, &e), 0, "%s", e.text);
	expect_u32(g.col, manual_col, 22, "col");
	graph_free(&g);
	cr_assert_eq(truncate(path, 40), 0);
	cr_assert_eq(graph_open(&g, path, 0, &e), -1);
	cr_assert(strstr(e.text, "a.graph.gz"), "%s", e.text);
}

struct broken {
	const char *text, *says; /* after the path */
};

Test(graph, a_broken_file_is_reported_by_line)
{
	static const struct broken all[] = {
		{"", ":1: the number of vertices is missing"},
		{"3\n", ":1: the number of edges is missing"},
		{"x 3\n", ":1: \"x\" is not a number (the number of vertices)"},
		{"0 0\n", ":1: the number of vertices 0 is not in 1..4294967294"},
		{"2 1 7\n", ":1: format \"7\" is not of three digits 0 or 1"},
		{"2 1\n2\n3\n", ":3: a neighbour 3 is not in 1..2"},
		{"2 1\n2\n-1\n", ":3: \"-1\" is not a number (a neighbour)"},
		{"2 1\n2\n", ":3: the file ends after 1 of 2 vertices"},
		{"2 2\n2\n1\n", ":4: 2 neighbours are listed, 2 edges would have 4"},
		{"2 1 001\n2 5\n1\n", ":3: an edge weight is missing"},
		{"4000000000 1000000000\n2\n", ":3: the file ends after 1 of 4000000000 vertices"},
		{"%%MatrixMarket matrix array real general\n", ":1: format \"array\" cannot be read, only coordinate"},
		{"%%MatrixMarket matrix coordinate complex general\n",
		 ":1: field \"complex\" cannot be read, only real, integer, pattern"},
		{"%%MatrixMarket matrix coordinate real hermitian\n",
		 ":1: symmetry \"hermitian\" cannot be read, only general, symmetric"},
		{"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n", ":2: a symmetric matrix that is not square"},
		{"%%MatrixMarket matrix coordinate real general\n2 3 1\n2 4 1\n", ":3: column 4 is not in 1..3"},
		{"%%MatrixMarket matrix coordinate real general\n2 3 1\n2 3\n", ":3: a value is missing"},
		{"%%MatrixMarket matrix coordinate real general\n2 3 1\n2 3 1 1\n", ":3: \"1\" is one word too many"},
		{"%%MatrixMarket matrix coordinate real general\n2 3 2\n2 3 1\n", ":4: the file ends after 1 of 2 entries"},
		{"%%MatrixMarket matrix coordinate pattern general\n4000000000 4000000000 1\n1 1\n",
		 ": 4000000000 rows and 4000000000 columns for 1 entries cannot be right"},
	};

	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		const char *path = file_of("broken", all[i].text);
		struct err e = {""};
		struct graph g;
		char want[4400];

		snprintf(want, sizeof want, "%s%s", path, all[i].says);
		cr_assert_eq(graph_open(&g, path, 0, &e), -1, "%s", all[i].text);
		cr_assert_str_eq(e.text, want);
	}
}

Test(graph, debians_metis_graphs_are_symmetric)
{
	struct graph g;
	struct err e = {""};

	cr_assert_eq(graph_open(&g, "/usr/share/doc/libmetis-dev/examples/graphs/4elt.graph", 0, &e), 0, "%s", e.text);
	for (uint32_t v = 0; v < g.n_rows; v++) {
		for (uint32_t i = g.rowptr[v]; i < g.rowptr[v + 1]; i++) {
			uint32_t w = g.col[i], back = g.rowptr[w];

			cr_assert(i == g.rowptr[v] || g.col[i - 1] < w, "row %u is not ascending", v);
			while (back < g.rowptr[w + 1] && g.col[back] != v)
				back++;
			cr_assert(back < g.rowptr[w + 1], "edge %u-%u has no reverse", v, w);
		}
	}
	graph_free(&g);
}

Test(graph, rmat_is_decided_by_its_seed_and_has_all_its_edges)
{
	struct rmat p = {10, 16, 0.57, 0.19, 0.19, 1, true};
	struct graph a, b, c;
	struct err e = {""};
	uint64_t low = 0;

	cr_assert_eq(graph_rmat(&a, &p, &e), 0);
	cr_assert_eq(graph_rmat(&b, &p, &e), 0);
	p.seed = 2;
	p.undirected = false;
	cr_assert_eq(graph_rmat(&c, &p, &e), 0);
	cr_assert(a.n_rows == 1024 && a.n_entries == 2 * 16 * 1024 && a.rowptr[1024] == a.n_entries);
	cr_assert_eq(c.n_entries, 16 * 1024);
	cr_assert_eq(memcmp(a.rowptr, b.rowptr, 1025 * 4), 0);
	cr_assert_eq(memcmp(a.col, b.col, a.n_entries * 4), 0);
	/* The upper half of the rows is chosen with probability a + b = 0.76: 5 sigma of 16384 draws is 0.0167. */
	low = c.rowptr[512];
	cr_assert(low > (0.76 - 0.0167) * 16384 && low < (0.76 + 0.0167) * 16384, "%u", (unsigned)low);
	cr_assert_neq(memcmp(a.rowptr, c.rowptr, 1025 * 4), 0);
	graph_free(&a);
	graph_free(&b);
	graph_free(&c);
}

/* With all probability in one quadrant there is no chance left: every edge is 0-0, or the last vertex's loop. */
Test(graph, rmat_follows_its_probabilities_at_the_extremes)
{
	struct rmat p = {5, 3, 1, 0, 0, 7, false};
	struct graph g;
	struct err e = {""};

	cr_assert_eq(graph_rmat(&g, &p, &e), 0);
	cr_assert_eq(g.rowptr[1], 96);
	cr_assert_eq(g.col[95], 0);
	graph_free(&g);
	p.a = 0;
	cr_assert_eq(graph_rmat(&g, &p, &e), 0);
	cr_assert_eq(g.rowptr[31], 0);
	cr_assert_eq(g.col[0], 31);
	graph_free(&g);
	p.b = 0.7;
	p.c = 0.7;
	cr_assert_eq(graph_rmat(&g, &p, &e), -1);
	cr_assert_str_eq(e.text, "R-MAT: a, b and c must not be negative, and their sum not above 1");
	e.text[0] = '\0';
	p = (struct rmat){27, 1, 0.5, 0.2, 0.2, 0, false};
	cr_assert_eq(graph_rmat(&g, &p, &e), -1);
	cr_assert_str_eq(e.text, "R-MAT: scale 27 is not in 1..26");
}

/* Two ways between 0 and 1, a loop, an edge that is in one direction only: 0-1, 0-3 and 2-3 are left. */
Test(graph, a_simple_graph_has_each_edge_once_both_ways)
{
	static const uint32_t row[] = {1, 0, 0, 2, 3, 2, 0}, col[] = {0, 1, 1, 2, 2, 3, 3};
	static const uint32_t rowptr[] = {0, 2, 3, 4, 6, 6}, simple[] = {1, 3, 0, 3, 0, 2};
	static const float weight[] = {1, 2, 3, 4, 5, 6, 7};
	struct graph g;

	graph_from_entries(&g, 5, 5, 7, row, col, weight);
	graph_make_simple(&g);
	cr_assert(g.n_rows == 5 && g.n_cols == 5 && g.n_entries == 6 && !g.weight);
	expect_u32(g.rowptr, rowptr, 6, "rowptr");
	expect_u32(g.col, simple, 6, "col");
	graph_free(&g);
}

Test(graph, a_mesh_couples_the_27_nodes_around)
{
	struct graph g;
	struct err e = {""};

	/* By hand: node (x, y, z) is vertex (9 z + 3 y + x); a corner has 7 nodes beside it, an edge 11, a face 17, the
	 * middle 26.
	 */
	static const uint32_t corner[7] = {1, 3, 4, 9, 10, 12, 13};

	cr_assert_eq(graph_mesh(&g, 3, 1, &e), 0, "%s", e.text);
	cr_expect_eq(g.n_rows, 27);
	cr_expect_eq(g.n_entries, 8 * 7 + 12 * 11 + 6 * 17 + 26);
	cr_expect_eq(g.rowptr[1], 7);
	cr_expect_eq(memcmp(g.col, corner, sizeof corner), 0);
	cr_expect_eq(g.rowptr[14] - g.rowptr[13], 26, "the middle");
	graph_free(&g);
}

Test(graph, a_meshs_unknowns_of_a_node_are_side_by_side)
{
	/* Two nodes along an edge: all eight are neighbours, so every unknown couples with all others. */
	struct graph g;
	struct err e = {""};

	cr_assert_eq(graph_mesh(&g, 2, 3, &e), 0, "%s", e.text);
	cr_expect_eq(g.n_rows, 24);
	cr_expect_eq(g.n_entries, 24 * 23);
	for (uint32_t r = 0; r < 24; r++)
		for (uint32_t i = 0; i < 23; i++)
			cr_expect_eq(g.col[g.rowptr[r] + i], i + (i >= r), "row %u, entry %u", r, i);
	graph_free(&g);
	cr_assert_eq(graph_mesh(&g, 1, 1, &e), 0, "%s", e.text);
	cr_expect(g.n_rows == 1 && g.n_entries == 0);
	graph_free(&g);
	cr_expect_eq(graph_mesh(&g, 1024, 3, &e), -1);
	cr_expect_str_eq(e.text, "mesh: 1024 nodes along an edge with 3 unknowns each make more than 2^32 - 1 entries");
}
