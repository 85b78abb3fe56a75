/* y = A x for a sparse A: the matrix of a graph, with random values, in compressed rows or in jagged diagonals. */
#include "workload/graph_buffers.h"
#include "workload/graph_option.h"
#include "workload/ldesc_api.h"
#include "workload/random.h"
#include "workload/taf_api.h"

enum { BLOCK = 128, JDS_BLOCK = 192 };

/* Instructions of the paper's host program for a value (docs/studies/tafe.md, Cost of a value): of an entry of
 * compressed rows, two numbers from a C++ stream, and its part of the conversion to rows of 64 that are sorted by
 * exchanges; of its value rand() % 10 + 1. */
enum { ENTRY_INSTS = 1500, RANDOM_INSTS = 60 };

struct vectors {
	uint64_t x, y;
	float *v_x;
};

static int make_vectors(struct host *h, uint32_t n, uint32_t seed, struct vectors *v, struct err *e)
{
	if (!(v->v_x = host_alloc_f32(h, "x", n, &v->x, e)) || !host_alloc_f32(h, "y", n, &v->y, e))
		return -1;
	host_random_fill_f32(v->v_x, n, ~(uint64_t)seed);
	return 0;
}

/* value: of the compressed rows' entries. */
static int check(struct host *h, const struct graph *g, const float *value, const struct vectors *v, struct err *e)
{
	float *want = host_scratch(h, g->n_rows, sizeof *want);
	uint32_t longest = 0;

	for (uint32_t r = 0; r < g->n_rows; r++) {
		uint32_t length = g->rowptr[r + 1] - g->rowptr[r];
		double sum = 0;

		for (uint32_t i = g->rowptr[r]; i < g->rowptr[r + 1]; i++)
			sum += (double)value[i] * v->v_x[g->col[i]];
		want[r] = (float)sum;
		longest = length > longest ? length : longest;
	}
	return host_check_f32(h, "y", v->y, want, g->n_rows, host_sum_tolerance(longest), e);
}

/* ---- compressed rows ---- */

/* Rows as `own` has them, up to where the next CTA's begin; the vector by the columns stored there. */
static int annotate_rows(struct host *h, const struct graph_buffers *m, uint64_t values, const struct vectors *v, uint32_t n,
			 struct taf_tid own, struct err *e)
{
	if (taf_register_tid_dep(h, m->row, n + UINT64_C(1), 4, own, true, e) || taf_setRdy(h, m->row, e) ||
	    taf_register_indir_range(h, m->edge, m->entries, 4, m->row, 0, m->row, 0, true, e) ||
	    taf_register_indir_range(h, values, m->entries, 4, m->row, 0, m->row, 0, false, e))
		return -1;
	host_store_array(h, m->row, 4, n + UINT64_C(1), host_bytes(h, m->row, 4));
	if (taf_setRdy(h, m->edge, e) || taf_setRdy(h, values, e) || taf_register_indir(h, v->x, n, 4, m->edge, 1, 0, false, e) ||
	    taf_tid_array(h, v->y, n, 4, own, e) || host_value_insts(h, ENTRY_INSTS, e))
		return -1;
	host_store_array(h, m->edge, 4, m->entries, host_bytes(h, m->edge, 4));
	if (host_value_insts(h, RANDOM_INSTS, e))
		return -1;
	host_store_array(h, values, 4, m->entries, host_bytes(h, values, 4));
	if (host_value_insts(h, 0, e))
		return -1;
	host_store_array(h, v->x, 4, n, v->v_x);
	return taf_setRdy(h, v->x, e);
}

/* A thread comes back to the lines of its row; rows are as long as they are, a D-tile is as long as the mean. With
 * a row a warp nothing of a row is read twice. */
static int describe_rows(struct host *h, const struct graph_buffers *m, uint64_t values, uint64_t x, uint32_t n, bool row_a_warp,
			 struct err *e)
{
	uint32_t ctas = host_blocks(n, row_a_warp ? BLOCK / 32 : BLOCK);
	uint64_t parts = row_a_warp ? ctas : (uint64_t)ctas * BLOCK, tile = (m->entries + parts - 1) / parts;
	struct ldesc row = ldesc_line(4, tile * parts, tile);

	if (!row_a_warp) {
		row.c_unit = LDESC_THREADS;
		row = ldesc_intra(row);
	}
	return ldesc_describe_all(
		h, row_a_warp ? "spmv_vector" : "spmv_scalar", 3,
		(struct ldesc_given[]){{values, row}, {m->edge, row}, {x, ldesc_coaccessed(ldesc_whole(4, n), 0)}}, e);
}

static int run_rows(struct host *h, const struct graph *g, bool row_a_warp, uint32_t seed, struct err *e)
{
	uint32_t per_block = row_a_warp ? BLOCK / 32 : BLOCK;
	const struct taf_tid a_thread_each = {.m = {1, 0, 0, BLOCK}},
			     a_warp_each = {.m = {0, 0, 0, BLOCK / 32}, .ofs = 1, .n = BLOCK / 32};
	struct graph_buffers matrix;
	struct vectors v;
	uint64_t values;
	float *value;

	if (graph_buffers_fill(h, g, "col", &matrix, e) || !(value = host_alloc_f32(h, "value", matrix.entries, &values, e)) ||
	    make_vectors(h, g->n_rows, seed, &v, e))
		return -1;
	host_random_fill_f32(value, matrix.entries, seed);
	if (taf_paramSetup(h, (struct host_dim){BLOCK, 1, 1}, (struct host_dim){host_blocks(g->n_rows, per_block), 1, 1}, e) ||
	    annotate_rows(h, &matrix, values, &v, g->n_rows, row_a_warp ? a_warp_each : a_thread_each, e))
		return -1;
	if (describe_rows(h, &matrix, values, v.x, g->n_rows, row_a_warp, e))
		return -1;
	if (host_launch(h, row_a_warp ? "spmv_vector" : "spmv_scalar", (struct host_dim){host_blocks(g->n_rows, per_block), 1, 1},
			(struct host_dim){BLOCK, 1, 1}, 0, 6,
			(struct host_arg[]){host_u64(matrix.row), host_u64(matrix.edge), host_u64(values), host_u64(v.x),
					    host_u64(v.y), host_u32(g->n_rows)},
			e))
		return -1;
	return check(h, g, value, &v, e);
}

/* ---- jagged diagonals ---- */

struct jagged {
	uint64_t diagonal, length, permutation, col, value;
	uint32_t *v_diagonal, *v_length, *v_permutation, *v_col, longest;
	float *v_value;
};

static int allocate_jagged(struct host *h, const struct graph *g, struct jagged *j, struct err *e)
{
	/* A matrix without entries still has buffers for them. */
	uint64_t entries = g->n_entries ? g->n_entries : 1;

	j->longest = 0;
	for (uint32_t r = 0; r < g->n_rows; r++)
		if (g->rowptr[r + 1] - g->rowptr[r] > j->longest)
			j->longest = g->rowptr[r + 1] - g->rowptr[r];
	if (!(j->v_diagonal = host_alloc_u32(h, "diagonal", j->longest + UINT64_C(1), &j->diagonal, e)) ||
	    !(j->v_length = host_alloc_u32(h, "length", g->n_rows, &j->length, e)) ||
	    !(j->v_permutation = host_alloc_u32(h, "permutation", g->n_rows, &j->permutation, e)) ||
	    !(j->v_col = host_alloc_u32(h, "col", entries, &j->col, e)) ||
	    !(j->v_value = host_alloc_f32(h, "value", entries, &j->value, e)))
		return -1;
	return 0;
}

/* Rows by falling length, those of one length as they came; then the diagonals, each as long as there are rows that
 * reach it. */
static void sort_rows(struct host *h, const struct graph *g, struct jagged *j)
{
	uint32_t *before = host_scratch(h, j->longest + UINT64_C(2), sizeof *before);

	for (uint32_t r = 0; r < g->n_rows; r++)
		before[j->longest - (g->rowptr[r + 1] - g->rowptr[r]) + 1]++;
	for (uint32_t k = 0; k <= j->longest; k++)
		before[k + 1] += before[k];
	for (uint32_t k = 0; k < j->longest; k++)
		j->v_diagonal[k + 1] = j->v_diagonal[k] + before[j->longest - k];
	for (uint32_t r = 0; r < g->n_rows; r++) {
		uint32_t length = g->rowptr[r + 1] - g->rowptr[r], to = before[j->longest - length]++;

		j->v_permutation[to] = r;
		j->v_length[to] = length;
	}
}

/* The position of an entry is the sum of a diagonal's begin and the row: no relation that there is. So the matrix and
 * the vector are whole arrays to every CTA; the permutation says where results go. */
static int annotate_jagged(struct host *h, const struct jagged *j, const struct vectors *v, uint32_t n, uint32_t entries,
			   struct err *e)
{
	const struct taf_tid own = {.m = {1, 0, 0, JDS_BLOCK}};
	const uint64_t whole[4] = {j->diagonal, j->col, j->value, v->x};
	const uint32_t size[4] = {j->longest + 1, entries, entries, n};

	if (taf_paramSetup(h, (struct host_dim){JDS_BLOCK, 1, 1}, (struct host_dim){host_blocks(n, JDS_BLOCK), 1, 1}, e) ||
	    taf_tid_array(h, j->length, n, 4, own, e) || taf_register_tid_dep(h, j->permutation, n, 4, own, true, e) ||
	    taf_setRdy(h, j->permutation, e) || taf_register_indir(h, v->y, n, 4, j->permutation, 1, 0, false, e))
		return -1;
	host_store_array(h, j->length, 4, n, j->v_length);
	host_store_array(h, j->permutation, 4, n, j->v_permutation);
	if (taf_setRdy(h, v->y, e))
		return -1;
	for (unsigned i = 0; i < 4; i++) {
		if (taf_tid_array(h, whole[i], size[i], 4, (struct taf_tid){.ofs = 1, .n = size[i]}, e))
			return -1;
		host_store_array(h, whole[i], 4, size[i], host_bytes(h, whole[i], 4));
	}
	return 0;
}

static int run_jagged(struct host *h, const struct graph *g, uint32_t seed, struct err *e)
{
	float *value = host_scratch(h, g->n_entries + UINT64_C(1), sizeof *value);
	struct vectors v;
	struct jagged j;

	if (allocate_jagged(h, g, &j, e) || make_vectors(h, g->n_rows, seed, &v, e))
		return -1;
	host_random_fill_f32(value, g->n_entries, seed);
	sort_rows(h, g, &j);
	for (uint32_t r = 0; r < g->n_rows; r++)
		for (uint32_t k = 0; k < j.v_length[r]; k++) {
			uint32_t from = g->rowptr[j.v_permutation[r]] + k;

			j.v_col[j.v_diagonal[k] + r] = g->col[from];
			j.v_value[j.v_diagonal[k] + r] = value[from];
		}
	if (annotate_jagged(h, &j, &v, g->n_rows, g->n_entries ? g->n_entries : 1, e))
		return -1;
	/* Diagonals go through all CTAs: only the vector has a place. */
	if (ldesc_describe_all(h, "spmv_jds", 1, (struct ldesc_given[]){{v.x, ldesc_coaccessed(ldesc_whole(4, g->n_rows), 0)}}, e))
		return -1;
	if (host_launch(h, "spmv_jds", (struct host_dim){host_blocks(g->n_rows, JDS_BLOCK), 1, 1},
			(struct host_dim){JDS_BLOCK, 1, 1}, 0, 8,
			(struct host_arg[]){host_u64(j.diagonal), host_u64(j.length), host_u64(j.permutation), host_u64(j.col),
					    host_u64(j.value), host_u64(v.x), host_u64(v.y), host_u32(g->n_rows)},
			e))
		return -1;
	return check(h, g, value, &v, e);
}

static int run(struct host *h, struct err *e)
{
	static const char *const kinds[] = {"scalar", "vector", "jds", NULL};
	struct graph_option o;
	struct graph g = {0};
	unsigned kind;
	int rc;

	if (graph_option_read(h, &o, e) || host_arg_choice(h, "kind", kinds, &kind, e) || host_args_done(h, e) ||
	    graph_option_open(&o, &g, e))
		return -1;
	host_describe(h, "spmv %s, %u rows, %u entries", o.name, g.n_rows, g.n_entries);
	rc = kind < 2 ? run_rows(h, &g, kind == 1, o.seed, e) : run_jagged(h, &g, o.seed, e);
	graph_free(&g);
	return rc;
}

static const struct workload_option options[] = {
	GRAPH_OPTION_ROWS,
	{"kind", "scalar: a row a thread; vector: a row a warp; jds: jagged diagonals", "scalar"},
	{0},
};
const struct workload workload_spmv = {
	.name = "spmv",
	.summary = "y = A x, A sparse",
	.suite = "SHOC",
	.original = "SHOC spmv (CSR), Parboil spmv (JDS)",
	.grid = "n/128 x 128, or 32 n/128 x 128; jds: n/192 x 192",
	.access = "gather of x; a row per thread, or a row per warp with shuffles, or jagged diagonals",
	.differences = "Values are random, at the positions of a graph's edges.",
	.pattern = "thrashing",
	.sharing = "low",
	.launches = "1",
	.sizes = "R-MAT 2^12 / copter2 / uniform 2^20",
	.options = options,
	.run = run,
};
