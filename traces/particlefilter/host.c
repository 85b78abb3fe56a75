/* A particle filter that follows a bright disc through noisy frames; four launches a frame. The reference goes through
 * the same frames particle by particle. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

#include <stdlib.h>
#include <string.h>

enum { THREADS = 512, FIND_THREADS = 128, RADIUS = 5, DISC_MAX = 128 };

/* As in kernel.cu. */
struct filter {
	uint64_t disc, frame, x, y, random, weight, block_sum;
	uint32_t discs, side, n, padding;
};

struct tracking {
	struct filter f;
	uint32_t frames, blocks, seed;
	uint64_t running, next_x, next_y;
	int32_t *v_disc;
	uint8_t *v_frame;
	uint32_t *v_x, *v_y, *v_next_x, *v_next_y, *v_random, *v_block_sum;
	struct host_random noise;
};

/* The host's own particles. */
struct particles {
	uint32_t *x, *y, *random, *running;
};

static int allocate(struct host *h, struct tracking *t, struct err *e)
{
	struct filter *f = &t->f;

	t->blocks = host_blocks(f->n, THREADS);
	if (!(t->v_disc = (int32_t *)host_alloc_u32(h, "disc", UINT64_C(2) * DISC_MAX, &f->disc, e)) ||
	    !(f->frame = host_alloc(h, "frame", (uint64_t)f->side * f->side, e)) ||
	    !(t->v_x = host_alloc_u32(h, "x", f->n, &f->x, e)) || !(t->v_y = host_alloc_u32(h, "y", f->n, &f->y, e)) ||
	    !(t->v_next_x = host_alloc_u32(h, "next_x", f->n, &t->next_x, e)) ||
	    !(t->v_next_y = host_alloc_u32(h, "next_y", f->n, &t->next_y, e)) ||
	    !(t->v_random = host_alloc_u32(h, "random", f->n, &f->random, e)) ||
	    !host_alloc_u32(h, "weight", f->n, &f->weight, e) || !host_alloc_u32(h, "running", f->n, &t->running, e) ||
	    !(t->v_block_sum = host_alloc_u32(h, "block_sum", t->blocks + UINT64_C(1), &f->block_sum, e)))
		return -1;
	t->v_frame = host_bytes(h, f->frame, (uint64_t)f->side * f->side);
	return 0;
}

static void fill(struct tracking *t)
{
	struct host_random r = {t->seed};

	for (int32_t y = -RADIUS; y <= RADIUS; y++)
		for (int32_t x = -RADIUS; x <= RADIUS; x++)
			if (x * x + y * y < RADIUS * RADIUS) {
				t->v_disc[2 * t->f.discs] = x;
				t->v_disc[2 * t->f.discs + 1] = y;
				t->f.discs++;
			}
	for (uint32_t i = 0; i < t->f.n; i++) {
		t->v_x[i] = t->v_y[i] = t->f.side / 2;
		t->v_random[i] = (uint32_t)host_random_u64(&r);
	}
	t->noise = r;
}

/* The disc moves a pixel to the right and two up each frame, from the middle. */
static void draw(struct tracking *t, uint32_t frame)
{
	int32_t side = (int32_t)t->f.side, mx = side / 2 + (int32_t)frame, my = side / 2 - 2 * (int32_t)frame;

	for (int32_t y = 0; y < side; y++)
		for (int32_t x = 0; x < side; x++) {
			bool inside = (x - mx) * (x - mx) + (y - my) * (y - my) < RADIUS * RADIUS;

			t->v_frame[y * side + x] = (uint8_t)((inside ? 208 : 80) + host_random_below(&t->noise, 41));
		}
}

static uint32_t next_step(uint32_t *state, uint32_t bound)
{
	*state = *state * 1664525 + 1013904223;
	return (*state >> 16) * bound >> 16;
}

static uint32_t inside(const struct tracking *t, int64_t at)
{
	return at < 0 ? 0 : at >= t->f.side ? t->f.side - 1 : (uint32_t)at;
}

static uint32_t weigh(const struct tracking *t, uint32_t x, uint32_t y)
{
	int32_t likely = 0;

	for (uint32_t k = 0; k < t->f.discs; k++) {
		uint32_t at = inside(t, (int64_t)y + t->v_disc[2 * k + 1]) * t->f.side + inside(t, (int64_t)x + t->v_disc[2 * k]);

		/* The difference of the two squares. */
		likely += 256 * (t->v_frame[at] - 164);
	}
	likely = likely / (int32_t)t->f.discs + 8192;
	likely = likely > 0 ? likely / 384 : 0;
	return (uint32_t)(likely * likely) + 1;
}

/* `first` is where the steps begin, as a part of 2^32 of one. */
static void reference(struct host *h, const struct tracking *t, struct particles *p, uint32_t first)
{
	uint32_t n = t->f.n, *x = host_scratch(h, n, sizeof *x), *y = host_scratch(h, n, sizeof *y), sum = 0, stride, k = 0;

	for (uint32_t i = 0; i < n; i++) {
		x[i] = inside(t, (int64_t)p->x[i] + 1 + next_step(&p->random[i], 5) - 2);
		y[i] = inside(t, (int64_t)p->y[i] + next_step(&p->random[i], 5) - 4);
		sum += weigh(t, x[i], y[i]);
		p->running[i] = sum;
	}
	stride = sum / n;
	for (uint32_t i = 0; i < n; i++) {
		/* Places ascend: the search goes on from the last one's. */
		while (k < n - 1 && p->running[k] <= i * stride + (uint32_t)((uint64_t)first * stride >> 32))
			k++;
		p->x[i] = x[k];
		p->y[i] = y[k];
	}
}

static int follow(struct host *h, struct tracking *t, uint32_t first, struct err *e)
{
	const struct host_dim grid = {t->blocks, 1, 1}, block = {THREADS, 1, 1};
	const struct host_arg by_value = {.bytes = sizeof t->f, .by_ref = &t->f};
	struct filter *f = &t->f;
	uint32_t stride;

	t->v_block_sum[t->blocks] = 0;
	if (host_launch(h, "particlefilter_likelihood", grid, block, 0, 1, &by_value, e) ||
	    host_launch(h, "particlefilter_sum", grid, block, 0, 2,
			(struct host_arg[]){host_u64(f->block_sum), host_u32(t->blocks)}, e) ||
	    host_launch(h, "particlefilter_normalize", grid, block, 0, 4,
			(struct host_arg[]){host_u64(f->weight), host_u64(f->block_sum), host_u64(t->running), host_u32(f->n)}, e))
		return -1;
	stride = t->v_block_sum[t->blocks] / f->n;
	if (host_launch(h, "particlefilter_find", (struct host_dim){host_blocks(f->n, FIND_THREADS), 1, 1},
			(struct host_dim){FIND_THREADS, 1, 1}, 0, 8,
			(struct host_arg[]){host_u64(t->running), host_u64(f->x), host_u64(f->y), host_u64(t->next_x),
					    host_u64(t->next_y), host_u32(stride),
					    host_u32((uint32_t)((uint64_t)first * stride >> 32)), host_u32(f->n)},
			e))
		return -1;
	memcpy(t->v_x, t->v_next_x, f->n * sizeof *t->v_x);
	memcpy(t->v_y, t->v_next_y, f->n * sizeof *t->v_y);
	return 0;
}

/* A thread has its particle. The frame and the running sums, which all search, have no tiles. */
static int describe(struct host *h, const struct tracking *t, struct err *e)
{
	const struct ldesc own = ldesc_line(4, t->f.n, THREADS), found = ldesc_line(4, t->f.n, FIND_THREADS);

	if (ldesc_describe_all(h, "particlefilter_likelihood", 4,
			       (struct ldesc_given[]){{t->f.random, own}, {t->f.x, own}, {t->f.y, own}, {t->f.weight, own}}, e) ||
	    ldesc_describe_all(h, "particlefilter_normalize", 2, (struct ldesc_given[]){{t->f.weight, own}, {t->running, own}}, e))
		return -1;
	return ldesc_describe_all(h, "particlefilter_find", 2, (struct ldesc_given[]){{t->next_x, found}, {t->next_y, found}}, e);
}

static int run(struct host *h, struct err *e)
{
	struct tracking t = {.frames = 0};
	struct particles p;

	if (host_arg_u32(h, "particles", 400, 1000, 1000, 1, 100000, &t.f.n, e) ||
	    host_arg_u32(h, "side", 64, 128, 128, 16, 4096, &t.f.side, e) ||
	    host_arg_u32(h, "frames", 2, 10, 10, 1, 1000, &t.frames, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &t.seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "particlefilter %u particles, %u frames of %ux%u", t.f.n, t.frames, t.f.side, t.f.side);
	if (allocate(h, &t, e) || describe(h, &t, e))
		return -1;
	fill(&t);
	p = (struct particles){host_scratch(h, t.f.n, sizeof *p.x), host_scratch(h, t.f.n, sizeof *p.y),
			       host_scratch(h, t.f.n, sizeof *p.random), host_scratch(h, t.f.n, sizeof *p.running)};
	memcpy(p.x, t.v_x, t.f.n * sizeof *p.x);
	memcpy(p.y, t.v_y, t.f.n * sizeof *p.y);
	memcpy(p.random, t.v_random, t.f.n * sizeof *p.random);
	for (uint32_t frame = 1; frame <= t.frames; frame++) {
		uint32_t first = (uint32_t)host_random_u64(&t.noise);

		draw(&t, frame);
		if (follow(h, &t, first, e))
			return -1;
		reference(h, &t, &p, first);
		if (host_check_u32(h, "running", t.running, p.running, t.f.n, e) || host_check_u32(h, "x", t.f.x, p.x, t.f.n, e) ||
		    host_check_u32(h, "y", t.f.y, p.y, t.f.n, e))
			return -1;
	}
	return 0;
}

static const struct workload_option options[] = {
	{"particles", "a thread each", "400 / 1000 / 1000"},
	{"side", "of a square frame, in pixels", "64 / 128 / 128"},
	{"frames", "of four launches each", "2 / 10 / 10"},
	{"seed", "of the noise and the steps", "1"},
	{0},
};
const struct workload workload_particlefilter = {
	.name = "particlefilter",
	.summary = "guesses that follow a disc through frames",
	.suite = "Rodinia",
	.original = "Rodinia particlefilter (float)",
	.grid = "n/512 x 512, three times, n/128 x 128 per frame; 2 and 4 KB shared",
	.access = "gather of a disc of pixels; one thread's sum; linear search from the start of a distribution",
	.differences = "Computes with whole numbers: a weight is the square of the likelihood, not its exponential, and steps "
		       "come from a generator of even numbers.",
	.pattern = "friendly",
	.sharing = "high",
	.launches = "8 / 40 / 40",
	.sizes = "400 / 1,000 / 1,000 particles",
	.options = options,
	.run = run,
};
