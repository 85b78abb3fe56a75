/* x1 += A y1 and x2 += A' y2 in two launches of 256 threads a CTA; A is n x n, rows `pitch` floats apart. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

enum { BLOCK = 256 };

struct size {
	uint32_t n, pitch, seed;
};

static int read_options(struct host *h, struct size *s, struct err *e)
{
	if (host_arg_u32(h, "n", 256, 2048, 4096, 1, 32768, &s->n, e) ||
	    host_arg_u32(h, "pitch", 1024, 2048, 4096, 1, 65536, &s->pitch, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &s->seed, e) || host_args_done(h, e))
		return -1;
	return s->pitch < s->n ? err_set(e, "--arg pitch=%u: rows of n=%u floats do not fit", s->pitch, s->n) : 0;
}

/* What x1 and x2 become; they hold the values before. */
static void reference(struct host *h, const struct size *s, const float *a, float *const x[2], float *const y[2], float *want[2])
{
	double *sum[2];

	for (unsigned v = 0; v < 2; v++) {
		sum[v] = host_scratch(h, s->n, sizeof(double));
		want[v] = host_scratch(h, s->n, sizeof(float));
		for (uint32_t i = 0; i < s->n; i++)
			sum[v][i] = x[v][i];
	}
	for (uint32_t i = 0; i < s->n; i++) {
		const float *row = a + (uint64_t)i * s->pitch;

		for (uint32_t j = 0; j < s->n; j++) {
			sum[0][i] += (double)row[j] * y[0][j];
			sum[1][j] += (double)row[j] * y[1][i];
		}
	}
	for (unsigned v = 0; v < 2; v++)
		for (uint32_t i = 0; i < s->n; i++)
			want[v][i] = (float)sum[v][i];
}

/* A CTA has its own rows, then columns, of A, and all of one vector. */
static int describe(struct host *h, const struct size *s, uint64_t a, const uint64_t x[2], const uint64_t y[2], struct err *e)
{
	const struct ldesc_matrix m = {4, s->pitch, s->n, s->n};
	const struct ldesc whole = ldesc_coaccessed(ldesc_whole(4, s->n), 1), own = ldesc_line(4, s->n, BLOCK);

	if (ldesc_describe_all(h, "mvt_rows", 3, (struct ldesc_given[]){{a, ldesc_rows(&m, BLOCK, 0)}, {y[0], whole}, {x[0], own}},
			       e))
		return -1;
	return ldesc_describe_all(h, "mvt_columns", 3,
				  (struct ldesc_given[]){{a, ldesc_columns(&m, BLOCK)}, {y[1], whole}, {x[1], own}}, e);
}

static int run(struct host *h, struct err *e)
{
	static const char *const kernels[] = {"mvt_rows", "mvt_columns"}, *const xs[] = {"x1", "x2"}, *const ys[] = {"y1", "y2"};
	float *va, *vx[2], *vy[2], *want[2];
	uint64_t a, x[2], y[2];
	struct size s;

	if (read_options(h, &s, e))
		return -1;
	host_describe(h, "mvt %ux%u", s.n, s.n);
	if (!(va = host_alloc_f32(h, "A", (uint64_t)s.n * s.pitch, &a, e)))
		return -1;
	for (uint32_t i = 0; i < s.n; i++)
		host_random_fill_f32(va + (uint64_t)i * s.pitch, s.n, s.seed + (uint64_t)i);
	for (unsigned v = 0; v < 2; v++) {
		if (!(vx[v] = host_alloc_f32(h, xs[v], s.n, &x[v], e)) || !(vy[v] = host_alloc_f32(h, ys[v], s.n, &y[v], e)))
			return -1;
		host_random_fill_f32(vx[v], s.n, ~(uint64_t)s.seed - v);
		host_random_fill_f32(vy[v], s.n, ~(uint64_t)s.seed - 2 - v);
	}
	reference(h, &s, va, vx, vy, want);
	if (describe(h, &s, a, x, y, e))
		return -1;
	for (unsigned v = 0; v < 2; v++)
		if (host_launch(
			    h, kernels[v], (struct host_dim){host_blocks(s.n, BLOCK), 1, 1}, (struct host_dim){BLOCK, 1, 1}, 0, 5,
			    (struct host_arg[]){host_u64(a), host_u64(x[v]), host_u64(y[v]), host_u32(s.n), host_u32(s.pitch)}, e))
			return -1;
	for (unsigned v = 0; v < 2; v++)
		if (host_check_f32(h, xs[v], x[v], want[v], s.n, host_sum_tolerance(s.n + UINT64_C(1)), e))
			return -1;
	return 0;
}

static const struct workload_option options[] = {
	{"n", "rows and columns of A", "256 / 2048 / 4096"},
	{"pitch", "floats from row to row; 1024: rows 4 KB apart", "1024 / 2048 / 4096"},
	{"seed", "of A and the vectors", "1"},
	{0},
};
const struct workload workload_mvt = {
	.name = "mvt",
	.summary = "x1 += A y1, x2 += A' y2",
	.suite = "PolyBench",
	.original = "PolyBench mvt",
	.grid = "n/256 x 256, twice",
	.access = "lanes a row apart, then coalesced columns",
	.pattern = "conflict",
	.sharing = "low",
	.launches = "2",
	.sizes = "256 / 2048 / 4096 square",
	.options = options,
	.run = run,
};
