/* y = A x for a sparse A in compressed rows: the matrix of a graph, with random values. */
#include "host/graph_buffers.h"
#include "host/graph_option.h"
#include "host/host.h"
#include "host/random.h"

enum { BLOCK = 128 };

struct device {
	struct graph_buffers matrix;
	uint64_t value, x, y;
};

static int fill_device(struct host *h, const struct graph *g, uint32_t seed, struct device *d, struct err *e)
{
	float *value, *x;

	if (graph_buffers_fill(h, g, "col", &d->matrix, e) ||
	    !(value = host_alloc_f32(h, "value", d->matrix.entries, &d->value, e)) ||
	    !(x = host_alloc_f32(h, "x", g->n_rows, &d->x, e)) || !host_alloc_f32(h, "y", g->n_rows, &d->y, e))
		return -1;
	host_random_fill_f32(value, d->matrix.entries, seed);
	host_random_fill_f32(x, g->n_rows, ~(uint64_t)seed);
	return 0;
}

static int check(struct host *h, const struct graph *g, const struct device *d, struct err *e)
{
	const float *value = host_bytes(h, d->value, 1), *x = host_bytes(h, d->x, 1);
	float *want = host_scratch(h, g->n_rows, sizeof *want);
	uint32_t longest = 0;

	for (uint32_t r = 0; r < g->n_rows; r++) {
		uint32_t length = g->rowptr[r + 1] - g->rowptr[r];
		double sum = 0;

		for (uint32_t i = g->rowptr[r]; i < g->rowptr[r + 1]; i++)
			sum += (double)value[i] * x[g->col[i]];
		want[r] = (float)sum;
		longest = length > longest ? length : longest;
	}
	return host_check_f32(h, "y", d->y, want, g->n_rows, host_sum_tolerance(longest), e);
}

static int run_matrix(struct host *h, const struct graph_option *o, unsigned kind, const struct graph *g, struct err *e)
{
	static const char *const kernels[] = {"spmv_scalar", "spmv_vector"};
	uint32_t per_block = kind ? BLOCK / 32 : BLOCK;
	struct device d;

	host_describe(h, "spmv %s, %u rows, %u entries", o->name, g->n_rows, g->n_entries);
	if (fill_device(h, g, o->seed, &d, e) ||
	    host_launch(h, kernels[kind], (struct host_dim){host_blocks(g->n_rows, per_block), 1, 1},
			(struct host_dim){BLOCK, 1, 1}, 0, 6,
			(struct host_arg[]){host_u64(d.matrix.row), host_u64(d.matrix.edge), host_u64(d.value), host_u64(d.x),
					    host_u64(d.y), host_u32(g->n_rows)},
			e))
		return -1;
	return check(h, g, &d, e);
}

static int run(struct host *h, struct err *e)
{
	static const char *const kinds[] = {"scalar", "vector", NULL};
	struct graph_option o;
	struct graph g = {0};
	unsigned kind;
	int rc;

	if (graph_option_read(h, &o, e) || host_arg_choice(h, "kind", kinds, &kind, e) || host_args_done(h, e) ||
	    graph_option_open(&o, &g, e))
		return -1;
	rc = run_matrix(h, &o, kind, &g, e);
	graph_free(&g);
	return rc;
}

static const struct workload_option options[] = {
	GRAPH_OPTION_ROWS,
	{"kind", "scalar: a row a thread; vector: a row a warp", "scalar"},
	{0},
};
const struct workload workload_spmv = {
	"spmv",	 "SHOC", "thrashing", "low", "1", "R-MAT 2^12 / copter2 / uniform 2^20", "y = A x, A sparse in compressed rows",
	options, run};
