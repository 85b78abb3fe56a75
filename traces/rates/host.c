/* Chains of dependent operations of one kind. All warps do the same on the same values; what comes out is what the same
 * operations of the host give for a lane.
 */
#include <math.h>
#include <string.h>

#include "workload/program.h"

enum { ROW = 64 /* operations in a row in the kernel */, LANES = 32, MAX_CHAINS = 8 };
enum { KEPT = 5 /* in the words of atomics */ };

struct rates {
	uint32_t links, warps, ctas, stride;
	unsigned op;
};

static double fma_f64(double t)
{
	return fma(t, 0.5, 1);
}

static double fma_f32(double t) /* the sum is exact in a double */
{
	return (float)(t * 0.5 + 1);
}

static double rsqrt_f32(double t)
{
	return 1 / sqrt(t);
}

static double div_f64(double t)
{
	return 0.5 / (t + 0.25);
}

static double sqrt_f64(double t)
{
	return sqrt(t + 0.25);
}

static uint32_t add_u32(const struct rates *r, uint32_t lane)
{
	return lane + r->links * r->links;
}

static uint32_t mad_u32(const struct rates *r, uint32_t lane)
{
	uint32_t t = lane;

	for (uint32_t i = 0; i < r->links; i++)
		t = t * r->links + r->links;
	return t;
}

static uint32_t ld_shared(const struct rates *r, uint32_t lane)
{
	return 4 * lane * r->stride;
}

static uint32_t atom_max(const struct rates *r, uint32_t lane)
{
	(void)r, (void)lane;
	return KEPT;
}

static const struct op {
	const char *kernel, *type;
	double (*link)(double); /* NULL: whole is there */
	uint32_t (*whole)(const struct rates *, uint32_t lane);
	uint32_t chains, first; /* a thread's; the first one's start in lane 0 */
} ops[] = {
	{"add_u32", "u32", NULL, add_u32, 1, 0},     {"mad_u32", "u32", NULL, mad_u32, 1, 0},
	{"fma_f32", "f32", fma_f32, NULL, 1, 0},     {"rsqrt_f32", "f32", rsqrt_f32, NULL, 1, 1},
	{"fma_f64", "f64", fma_f64, NULL, 1, 0},     {"fma_f64_2", "f64", fma_f64, NULL, 2, 0},
	{"fma_f64_4", "f64", fma_f64, NULL, 4, 0},   {"fma_f64_8", "f64", fma_f64, NULL, 8, 0},
	{"div_f64", "f64", div_f64, NULL, 1, 0},     {"sqrt_f64", "f64", sqrt_f64, NULL, 1, 0},
	{"ld_shared", "u32", NULL, ld_shared, 1, 0}, {"atom_max", "u32", NULL, atom_max, 1, 0},
};
enum { OPS = sizeof ops / sizeof ops[0] };

static int read_options(struct host *h, struct rates *r, struct err *e)
{
	const char *names[OPS + 1] = {NULL};

	for (unsigned i = 0; i < OPS; i++)
		names[i] = ops[i].kernel;
	if (host_arg_choice(h, "op", names, &r->op, e) ||
	    host_arg_multiple(h, "links", 1024, 4096, 4096, ROW, 1 << 24, &r->links, e) ||
	    host_arg_u32(h, "warps", 1, 1, 1, 1, 32, &r->warps, e) || host_arg_u32(h, "ctas", 1, 1, 1, 1, 1 << 16, &r->ctas, e) ||
	    host_arg_u32(h, "stride", 1, 1, 1, 0, 32, &r->stride, e))
		return -1;
	return host_args_done(h, e);
}

/* Chains of one thread, added by pairs. */
static double sum_of_chains(const struct rates *r, uint32_t lane)
{
	const struct op *op = &ops[r->op];
	double t[MAX_CHAINS];

	for (uint32_t c = 0; c < op->chains; c++) {
		t[c] = lane + op->first + c;
		for (uint32_t i = 0; i < r->links / op->chains; i++)
			t[c] = op->link(t[c]);
	}
	for (uint32_t n = op->chains / 2; n; n /= 2)
		for (uint32_t c = 0; c < n; c++)
			t[c] = t[2 * c] + t[2 * c + 1];
	return t[0];
}

static void put_lane(const struct rates *r, uint32_t lane, unsigned bytes, uint8_t *to)
{
	const struct op *op = &ops[r->op];
	double d = op->link ? sum_of_chains(r, lane) : 0;
	uint32_t u = op->link ? 0 : op->whole(r, lane);
	float f = (float)d;

	memcpy(to, bytes == 8 ? (void *)&d : op->link ? (void *)&f : (void *)&u, bytes);
}

/* Errors of a chain of reciprocal roots halve at each link: what is left is the last one's, of 2 ulp. */
static int check(struct host *h, const struct rates *r, uint64_t out, struct err *e)
{
	struct element type = element_named(ops[r->op].type);
	uint8_t *want = host_scratch(h, LANES * r->warps, type.bytes);

	for (uint32_t i = 0; i < LANES * r->warps; i++)
		put_lane(r, i % LANES, type.bytes, want + (size_t)i * type.bytes);
	return host_check_elements(h, "chain's end", out, type, want, (uint64_t)LANES * r->warps,
				   ops[r->op].link == rsqrt_f32 ? 0x1p-21 : 0, e);
}

static int launch(struct host *h, const struct rates *r, uint64_t out, uint64_t words, struct err *e)
{
	bool shared = !strcmp(ops[r->op].kernel, "ld_shared"), atomic = !strcmp(ops[r->op].kernel, "atom_max");
	struct host_arg args[] = {host_u64(out), host_u32(r->links), host_u32(r->stride), host_u64(words)};

	return host_launch(h, ops[r->op].kernel, (struct host_dim){r->ctas, 1, 1}, (struct host_dim){LANES * r->warps, 1, 1},
			   shared ? LANES * 32 * 4 : 0,
			   atomic   ? 4
			   : shared ? 3
				    : 2,
			   args, e);
}

static int run(struct host *h, struct err *e)
{
	uint64_t out, words, n;
	uint32_t *word;
	struct rates r;

	if (read_options(h, &r, e))
		return -1;
	host_describe(h, "rates %u links of %s, %u CTAs of %u warps", r.links, ops[r.op].kernel, r.ctas, r.warps);
	n = (uint64_t)LANES * r.warps * r.ctas * (r.stride ? r.stride : 1);
	if (!(out = host_alloc(h, "out", (uint64_t)LANES * r.warps * 8, e)) || !(word = host_alloc_u32(h, "words", n, &words, e)))
		return -1;
	for (uint64_t i = 0; i < n; i++)
		word[i] = KEPT;
	return launch(h, &r, out, words, e) ? -1 : check(h, &r, out, e);
}

static const struct workload_option options[] = {
	{"op", "of the chains; fma_f64_2, _4, _8 have so many chains a thread", "add_u32"},
	{"links", "operations a thread, a multiple of 64", "1024 / 4096 / 4096"},
	{"warps", "of a CTA", "1"},
	{"ctas", "that do the same", "1"},
	{"stride", "ld_shared, atom_max: words from a thread's to the next's", "1"},
	{0},
};
const struct workload workload_rates = {
	.name = "rates",
	.summary = "chains of one operation",
	.suite = "own",
	.grid = "ctas x 32 warps",
	.access = "chains of one operation; of atomics or shared loads, words a stride apart",
	.pattern = "latency",
	.sharing = "none",
	.launches = "1",
	.sizes = "1024 / 4096 / 4096 operations",
	.options = options,
	.run = run,
};
