/* LU decomposition of an n x n matrix in place, three launches a tile of the diagonal. */
#include "workload/exact_lu.h"
#include "workload/program.h"
#include "workload/taf_api.h"

enum { TILE = 16 };

/* Instructions of the paper's host program for a value (docs/studies/tafe.md, Cost of a value): a load from a table, as
 * `lud -s` makes its matrix. (Read from a file it would be 1,840.) */
enum { TABLE_INSTS = 1 };

/* As the first and largest lud_internal has it: a tile, and those of its row and its column beside the diagonal. What
 * later launches touch, with ever smaller grids that begin further down, cannot be said in one directory. */
static int annotate(struct host *h, uint64_t a, uint32_t n, struct err *e)
{
	const struct taf_tid own = {.m = {1, n, 0, TILE, TILE * n}, .c = TILE * (n + 1)};
	const struct taf_tid row = {.m = {1, n, 0, TILE, 0}, .c = TILE}, column = {.m = {1, n, 0, 0, TILE * n}, .c = TILE * n};
	uint32_t tiles = n > TILE ? n / TILE - 1 : 1;

	if (taf_paramSetup(h, (struct host_dim){TILE, TILE, 1}, (struct host_dim){tiles, tiles, 1}, e) ||
	    taf_tid_array(h, a, (uint64_t)n * n, 4, own, e) || taf_tid_array(h, a, (uint64_t)n * n, 4, row, e) ||
	    taf_tid_array(h, a, (uint64_t)n * n, 4, column, e) || host_value_insts(h, TABLE_INSTS, e))
		return -1;
	host_store_array(h, a, 4, (uint64_t)n * n, host_bytes(h, a, 4));
	return 0;
}

static int launch_all(struct host *h, uint64_t a, uint32_t n, struct err *e)
{
	for (uint32_t at = 0; at < n; at += TILE) {
		const struct host_arg args[] = {host_u64(a), host_u32(n), host_u32(at)};
		uint32_t left = (n - at) / TILE - 1;

		if (host_launch(h, "lud_diagonal", (struct host_dim){1, 1, 1}, (struct host_dim){TILE, 1, 1}, 0, 3, args, e))
			return -1;
		if (left && (host_launch(h, "lud_perimeter", (struct host_dim){left, 1, 1}, (struct host_dim){2 * TILE, 1, 1}, 0, 3,
					 args, e) ||
			     host_launch(h, "lud_internal", (struct host_dim){left, left, 1}, (struct host_dim){TILE, TILE, 1}, 0,
					 3, args, e)))
			return -1;
	}
	return 0;
}

static int run(struct host *h, struct err *e)
{
	float *v, *want;
	uint32_t n, seed;
	uint64_t a;

	if (host_arg_multiple(h, "n", 128, 384, 2048, TILE, 4096, &n, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "lud %ux%u", n, n);
	if (!(v = host_alloc_f32(h, "a", (uint64_t)n * n, &a, e)))
		return -1;
	want = host_scratch(h, (uint64_t)n * n, sizeof *want);
	exact_lu(h, n, seed, want, v);
	if (annotate(h, a, n, e) || launch_all(h, a, n, e))
		return -1;
	return host_check_f32(h, "a", a, want, (uint64_t)n * n, 0, e);
}

static const struct workload_option options[] = {
	{"n", "rows and columns, a multiple of 16", "128 / 384 / 2048"},
	{"seed", "of the matrix", "1"},
	{0},
};
const struct workload workload_lud = {
	.name = "lud",
	.summary = "LU decomposition in tiles",
	.suite = "Rodinia",
	.original = "Rodinia lud",
	.grid = "1 x 16, k x 32, k^2 x (16,16) for each tile of the diagonal; 1 to 3 KB shared",
	.access = "16-wide tile columns at the pitch of the matrix",
	.pattern = "conflict",
	.sharing = "high",
	.launches = "22 / 70 / 382",
	.sizes = "128 / 384 / 2048 square",
	.options = options,
	.run = run,
};
