/* 802: what is known of an array from the PTX: CTAs go through it at a stride, share it, or go where data leads them.
 * Worked out by hand from the kernels' sources; four modules of four SMs, which hold 24 CTAs of 256 threads if
 * registers allow. */
#include <criterion/criterion.h>

#include "plan/stride.h"
#include "support/plan_rig.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

static struct stride of(struct plan_rig *r, uint32_t launch, const char *buffer, uint32_t blocks)
{
	uint32_t turn[4] = {blocks, blocks, blocks, blocks};

	return stride_static(&r->req, launch, plan_rig_buffer(r, buffer), turn);
}

static void expect_stride(struct stride s, uint64_t num, uint64_t den, const char *what)
{
	cr_expect_eq(s.verdict, STRIDE_REGULAR, "%s: %s (%s)", what, stride_verdicts[s.verdict], s.why);
	cr_expect(s.num == num && s.den == den, "%s: %llu / %llu", what, (unsigned long long)s.num, (unsigned long long)s.den);
}

static void expect_verdict(struct stride s, enum stride_verdict v, const char *what)
{
	cr_expect_eq(s.verdict, v, "%s: %s (%s)", what, stride_verdicts[s.verdict], s.why);
}

/* CODA, Figure 7: B = blockDim.x * nfeatures * sizeof(float) for the points; blocks of 256 threads. */
Test(strides, of_the_papers_k_means_are_threads_times_features)
{
	struct plan_rig r;

	plan_rig_init(&r, 4, 4, "kmeans", ARGS("n=4096", "features=10"));
	expect_stride(of(&r, 0, "point", 24), 256 * 10 * 4, 1, "points");
	/* The transposed array: 1024 bytes a CTA, but in ten rows of 16 KB, while a turn of all modules takes 96 KB. */
	expect_verdict(of(&r, 0, "by_feature", 24), STRIDE_SHARED, "by feature");
	/* With a turn of 16 CTAs of 1 KB all rows begin with the first module. */
	expect_stride(of(&r, 0, "by_feature", 4), 1024, 1, "by feature, rows of whole turns");
	expect_stride(of(&r, 1, "nearest", 24), 1024, 1, "nearest");
	plan_rig_free(&r);
	plan_rig_init(&r, 4, 4, "kmeans", ARGS("n=1000", "features=33"));
	expect_stride(of(&r, 0, "point", 24), 256 * 33 * 4, 1, "33 features");
	plan_rig_free(&r);
}

Test(strides, of_streams_are_the_bytes_of_a_block)
{
	struct plan_rig r;

	plan_rig_init(&r, 4, 4, "vectoradd", NULL);
	for (int i = 0; i < 3; i++)
		expect_stride(of(&r, 0, (const char *const[]){"a", "b", "c"}[i], 24), 256 * 4, 1, "vectoradd");
	plan_rig_free(&r);
	plan_rig_init(&r, 4, 4, "nn", NULL); /* pairs of floats in, a float out */
	expect_stride(of(&r, 0, "at", 24), 256 * 8, 1, "places");
	expect_stride(of(&r, 0, "distance", 24), 256 * 4, 1, "distances");
	plan_rig_free(&r);
}

/* C = A B in tiles of 16 x 16: a row of the grid reads 16 rows of A and writes as many of C; all read all of B. */
Test(strides, of_tiles_are_rows_of_the_grid)
{
	struct plan_rig r;

	plan_rig_init(&r, 4, 4, "matmul", ARGS("n=64"));
	expect_stride(of(&r, 0, "A", 24), 16 * 64 * 4, 4, "A");
	expect_stride(of(&r, 0, "C", 24), 16 * 64 * 4, 4, "C");
	expect_verdict(of(&r, 0, "B", 24), STRIDE_SHARED, "B");
	/* Two CTAs a turn: a row of four is spread over two modules. */
	expect_verdict(of(&r, 0, "A", 2), STRIDE_SHARED, "A in turns of two");
	plan_rig_free(&r);
}

/* Rows by thread, A by row i and by row j. */
Test(strides, of_an_array_with_two_uses_follow_the_worse)
{
	struct plan_rig r;

	plan_rig_init(&r, 4, 4, "syrk", NULL);
	expect_verdict(of(&r, 0, "A", 24), STRIDE_SHARED, "A");
	cr_expect_eq(of(&r, 0, "C", 24).verdict, STRIDE_REGULAR);
	plan_rig_free(&r);
}

/* A CTA of 512 vertices: its flags and its rows are its own; edges begin where the rows say. */
Test(strides, of_a_graph_are_known_for_vertices_not_for_edges)
{
	struct plan_rig r;
	struct stride s;

	plan_rig_init(&r, 4, 4, "bfs", NULL);
	expect_stride(of(&r, 0, "frontier", 8), 512, 1, "frontier");
	expect_stride(of(&r, 0, "row", 8), 512 * 4, 1, "row");
	s = of(&r, 0, "edge", 8);
	expect_verdict(s, STRIDE_IRREGULAR, "edge");
	cr_expect_str_eq(s.why, "the address depends on a value from memory");
	plan_rig_free(&r);
}

Test(strides, of_buffers_that_nobody_touches_are_none)
{
	struct plan_rig r;

	plan_rig_init(&r, 4, 4, "kmeans", NULL);
	expect_verdict(of(&r, 0, "nearest", 24), STRIDE_UNUSED, "nearest, in the launch before");
	plan_rig_free(&r);
}

/* Turns of 3, 1 and 2 CTAs of 100 bytes. */
Test(strides, map_positions_to_modules)
{
	const uint64_t bytes[] = {300, 100, 200};
	const struct stride_map m = {.base = 4096, .den = 1, .n_modules = 3, .bytes = bytes, .turn = 600};
	static const struct {
		uint64_t at;
		uint32_t module;
	} known[] = {{0, 0}, {299, 0}, {300, 1}, {399, 1}, {400, 2}, {599, 2}, {600, 0}, {899, 0}, {900, 1}, {60000, 0}};

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++)
		cr_expect_eq(stride_module(&m, 4096 + known[i].at), known[i].module, "%llu", (unsigned long long)known[i].at);
}
