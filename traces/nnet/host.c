/* Images of 29x29 through four layers: 6 maps of 13x13, `maps` maps of 5x5, 100 neurons, 10 neurons; a launch a
 * layer. */
#include "workload/program.h"
#include "workload/random.h"

#include <math.h>

enum { WINDOW = 5, STEP = 2, SIDE_0 = 29, SIDE_1 = 13, SIDE_2 = 5, MAPS_1 = 6, HIDDEN = 100, DIGITS = 10, LAYERS = 4 };

struct layer {
	const char *name;
	uint32_t maps_in, side_in, maps_out, side_out; /* full layers: neurons, side 1 */
	bool full;
	float *v_weight;
	uint64_t weight, out;
	double *exact; /* what leaves the layer, of all images */
};

static uint32_t inputs(const struct layer *l)
{
	return l->maps_in * (l->full ? l->side_in * l->side_in : WINDOW * WINDOW);
}

static double squash(double v)
{
	return 1.7159 * tanh(2 * v / 3);
}

static double at(const struct layer *l, const double *in, uint32_t map, uint32_t y, uint32_t x)
{
	uint64_t span = l->full ? l->side_in : WINDOW, n = inputs(l);
	const float *w = l->v_weight + map * (n + 1);
	double sum = *w++;

	for (uint64_t m = 0; m < l->maps_in; m++)
		for (uint64_t dy = 0; dy < span; dy++)
			for (uint64_t dx = 0; dx < span; dx++)
				sum += (double)*w++ * in[(m * l->side_in + STEP * y + dy) * l->side_in + STEP * x + dx];
	return squash(sum);
}

static void reference(const struct layer *l, const double *in, uint32_t images)
{
	double *out = l->exact;

	for (uint32_t image = 0; image < images; image++, in += (uint64_t)l->maps_in * l->side_in * l->side_in)
		for (uint32_t map = 0; map < l->maps_out; map++)
			for (uint32_t y = 0; y < l->side_out; y++)
				for (uint32_t x = 0; x < l->side_out; x++)
					*out++ = at(l, in, map, y, x);
}

/* Weights in [0, 2/n) for n inputs: sums stay where tanh is neither flat nor close to zero. */
static int prepare(struct host *h, struct layer *l, uint32_t images, struct host_random *r, struct err *e)
{
	uint64_t n = inputs(l), weights = (n + 1) * l->maps_out, outs = (uint64_t)images * l->maps_out * l->side_out * l->side_out;
	char name[32];

	snprintf(name, sizeof name, "%s weights", l->name);
	if (!(l->v_weight = host_alloc_f32(h, name, weights, &l->weight, e)) || !host_alloc_f32(h, l->name, outs, &l->out, e))
		return -1;
	for (uint64_t i = 0; i < weights; i++)
		l->v_weight[i] = host_random_f32(r) * 2 / (float)n;
	l->exact = host_scratch(h, outs, sizeof *l->exact);
	return 0;
}

static int launch(struct host *h, const struct layer *l, uint64_t in, uint32_t images, struct err *e)
{
	const struct host_dim grid = {l->maps_out, images, 1};

	if (l->full)
		return host_launch(h, "nnet_full", grid, (struct host_dim){1, 1, 1}, 0, 4,
				   (struct host_arg[]){host_u64(in), host_u64(l->weight), host_u64(l->out), host_u32(inputs(l))},
				   e);
	return host_launch(h, "nnet_windows", grid, (struct host_dim){l->side_out, l->side_out, 1}, 0, 5,
			   (struct host_arg[]){host_u64(in), host_u64(l->weight), host_u64(l->out), host_u32(l->maps_in),
					       host_u32(l->side_in)},
			   e);
}

/* An error of the inputs reaches the sum of non-negative products as it is, and tanh makes no relative error greater. A
 * layer adds that of its sum, and at most 2e-5 of its exponential, quotient and difference: 2^-20 at tanh's argument of
 * 0.05 and more. */
static int check(struct host *h, const struct layer *l, uint32_t images, float *tolerance, struct err *e)
{
	uint64_t outs = (uint64_t)images * l->maps_out * l->side_out * l->side_out;
	float *want = host_scratch(h, outs, sizeof *want);

	for (uint64_t i = 0; i < outs; i++)
		want[i] = (float)l->exact[i];
	*tolerance += host_sum_tolerance(inputs(l) + UINT64_C(1)) + 2e-5f;
	return host_check_f32(h, l->name, l->out, want, outs, *tolerance, e);
}

static int run(struct host *h, struct err *e)
{
	struct layer layer[LAYERS] = {
		{"maps of 13x13", 1, SIDE_0, MAPS_1, SIDE_1, false, NULL, 0, 0, NULL},
		{"maps of 5x5", MAPS_1, SIDE_1, 0, SIDE_2, false, NULL, 0, 0, NULL},
		{"hidden", 0, SIDE_2, HIDDEN, 1, true, NULL, 0, 0, NULL},
		{"digits", HIDDEN, 1, DIGITS, 1, true, NULL, 0, 0, NULL},
	};
	uint32_t images, maps, seed;
	struct host_random r;
	float *v, tolerance = 0;
	uint64_t pixels, image;
	double *exact;

	if (host_arg_u32(h, "images", 1, 4, 28, 1, 1024, &images, e) || host_arg_u32(h, "maps", 10, 50, 50, 1, 256, &maps, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "nnet %u images", images);
	layer[1].maps_out = layer[2].maps_in = maps;
	r.state = seed;
	pixels = UINT64_C(1) * images * SIDE_0 * SIDE_0;
	if (!(v = host_alloc_f32(h, "image", pixels, &image, e)))
		return -1;
	exact = host_scratch(h, pixels, sizeof *exact);
	for (uint64_t i = 0; i < pixels; i++)
		exact[i] = v[i] = host_random_f32(&r);
	for (unsigned i = 0; i < LAYERS; i++) {
		if (prepare(h, &layer[i], images, &r, e) || launch(h, &layer[i], i ? layer[i - 1].out : image, images, e))
			return -1;
		reference(&layer[i], i ? layer[i - 1].exact : exact, images);
	}
	for (unsigned i = 0; i < LAYERS; i++)
		if (check(h, &layer[i], images, &tolerance, e))
			return -1;
	return 0;
}

static const struct workload_option options[] = {
	{"images", "of 29x29 pixels", "1 / 4 / 28"},
	{"maps", "of the second layer", "10 / 50 / 50"},
	{"seed", "of images and weights", "1"},
	{0},
};
const struct workload workload_nnet = {
	.name = "nnet",
	.summary = "a neural network that reads digits",
	.suite = "ISPASS-2009",
	.original = "ISPASS-2009 NN",
	.grid = "(6, images) x (13,13), (50, images) x (5,5), (100, images) x 1, (10, images) x 1",
	.access = "5x5 windows in steps of two; CTAs of one lane",
	.differences = "Weights are random in [0, 2/n) for n inputs; at test size the second layer has 10 maps.",
	.pattern = "friendly",
	.sharing = "high",
	.launches = "4",
	.sizes = "1 / 4 / 28 images",
	.options = options,
	.run = run,
};
