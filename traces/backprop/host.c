/* One layer of n inputs and 16 hidden units: the units' partial sums, then the change of the weights for the errors. */
#include "workload/program.h"
#include "workload/random.h"
#include "workload/taf_api.h"

enum { UNITS = 16, PITCH = UNITS + 1 };

/* Instructions of the paper's host program for a value (docs/studies/tafe.md, Cost of a value): rand() and a division.
 * Errors and changes are at hand or zero. */
enum { RANDOM_INSTS = 55 };

struct layer {
	uint32_t n;
	uint64_t input, weight, partial, delta, change;
	float *v_input, *v_weight, *v_delta, *v_change;
};

static int fill(struct host *h, struct layer *l, uint32_t seed, struct err *e)
{
	uint64_t rows = l->n + UINT64_C(1);

	if (!(l->v_input = host_alloc_f32(h, "input", rows, &l->input, e)) ||
	    !(l->v_weight = host_alloc_f32(h, "weight", rows * PITCH, &l->weight, e)) ||
	    !host_alloc_f32(h, "partial", l->n, &l->partial, e) ||
	    !(l->v_delta = host_alloc_f32(h, "delta", PITCH, &l->delta, e)) ||
	    !(l->v_change = host_alloc_f32(h, "change", rows * PITCH, &l->change, e)))
		return -1;
	host_random_fill_f32(l->v_input, rows, seed);
	host_random_fill_f32(l->v_weight, rows * PITCH, seed + UINT64_C(1));
	host_random_fill_f32(l->v_delta, PITCH, seed + UINT64_C(2));
	host_random_fill_f32(l->v_change, rows * PITCH, seed + UINT64_C(3));
	return 0;
}

/* A CTA takes 16 inputs, from the second row on, and all units but the first. */
static int annotate(struct host *h, const struct layer *l, struct err *e)
{
	const struct taf_tid weights = {.m = {1, PITCH, 0, 0, UNITS * PITCH}, .c = PITCH + 1};
	uint64_t rows = l->n + UINT64_C(1);

	if (taf_paramSetup(h, (struct host_dim){UNITS, UNITS, 1}, (struct host_dim){1, l->n / UNITS, 1}, e) ||
	    taf_tid_array(h, l->input, rows, 4, (struct taf_tid){.m = {0, 1, 0, 0, UNITS}, .c = 1}, e) ||
	    taf_tid_array(h, l->weight, rows * PITCH, 4, weights, e) ||
	    taf_tid_array(h, l->partial, l->n, 4, (struct taf_tid){.m = {1, 0, 0, 0, UNITS}}, e) ||
	    taf_tid_array(h, l->delta, PITCH, 4, (struct taf_tid){.m = {1}, .c = 1}, e) ||
	    taf_tid_array(h, l->change, rows * PITCH, 4, weights, e) || host_value_insts(h, RANDOM_INSTS, e))
		return -1;
	host_store_array(h, l->input, 4, rows, l->v_input);
	host_store_array(h, l->weight, 4, rows * PITCH, l->v_weight);
	if (host_value_insts(h, 0, e))
		return -1;
	host_store_array(h, l->delta, 4, PITCH, l->v_delta);
	host_store_array(h, l->change, 4, rows * PITCH, l->v_change);
	return 0;
}

static float *partial_sums(struct host *h, const struct layer *l)
{
	float *want = host_scratch(h, l->n, sizeof *want);

	for (uint64_t cta = 0; cta < l->n / UNITS; cta++)
		for (uint64_t unit = 0; unit < UNITS; unit++) {
			double sum = 0;

			for (uint64_t i = cta * UNITS + 1; i <= (cta + 1) * UNITS; i++)
				sum += (double)l->v_input[i] * l->v_weight[i * PITCH + unit + 1];
			want[cta * UNITS + unit] = (float)sum;
		}
	return want;
}

static void adjust(const struct layer *l, float rate, float momentum, float *weight, float *change)
{
	for (uint64_t i = 0; i < (l->n + UINT64_C(1)) * PITCH; i++) {
		uint64_t y = i / PITCH, unit = i % PITCH;
		bool bias = !y || !unit;
		double by = (double)rate * l->v_delta[unit] * l->v_input[y] + (double)momentum * l->v_change[i];

		/* The bias' row and column are the host's own matter. */
		weight[i] = bias ? l->v_weight[i] : (float)(l->v_weight[i] + by);
		change[i] = bias ? l->v_change[i] : (float)by;
	}
}

static int run(struct host *h, struct err *e)
{
	const struct host_dim block = {UNITS, UNITS, 1};
	const float rate = 0.3f, momentum = 0.25f;
	float *want_partial, *want_weight, *want_change;
	struct layer l;
	uint64_t words;
	uint32_t seed;

	if (host_arg_multiple(h, "n", 4 << 10, 64 << 10, 256 << 10, UNITS, 1 << 20, &l.n, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "backprop %u inputs", l.n);
	if (fill(h, &l, seed, e) || annotate(h, &l, e))
		return -1;
	words = (l.n + UINT64_C(1)) * PITCH;
	want_partial = partial_sums(h, &l);
	want_weight = host_scratch(h, words, sizeof *want_weight);
	want_change = host_scratch(h, words, sizeof *want_change);
	adjust(&l, rate, momentum, want_weight, want_change);
	if (host_launch(h, "backprop_forward", (struct host_dim){1, l.n / UNITS, 1}, block, 0, 3,
			(struct host_arg[]){host_u64(l.input), host_u64(l.weight), host_u64(l.partial)}, e) ||
	    host_launch(h, "backprop_adjust", (struct host_dim){1, l.n / UNITS, 1}, block, 0, 6,
			(struct host_arg[]){host_u64(l.delta), host_u64(l.input), host_u64(l.weight), host_u64(l.change),
					    host_f32(rate), host_f32(momentum)},
			e))
		return -1;
	if (host_check_f32(h, "partial", l.partial, want_partial, l.n, host_sum_tolerance(UNITS), e) ||
	    host_check_f32(h, "change", l.change, want_change, words, host_sum_tolerance(3), e))
		return -1;
	return host_check_f32(h, "weight", l.weight, want_weight, words, host_sum_tolerance(4), e);
}

static const struct workload_option options[] = {
	{"n", "inputs, a multiple of 16", "4K / 64K / 256K"},
	{"seed", "of inputs, weights and errors", "1"},
	{0},
};
const struct workload workload_backprop = {
	.name = "backprop",
	.summary = "one layer of a neural network",
	.suite = "Rodinia",
	.original = "Rodinia backprop",
	.grid = "(1, n/16) x (16,16), twice; 1,088 bytes shared",
	.access = "17-float pitch, tree in shared memory",
	.pattern = "friendly",
	.sharing = "none",
	.launches = "2",
	.sizes = "4 K / 64 K / 256 K inputs",
	.options = options,
	.run = run,
};
