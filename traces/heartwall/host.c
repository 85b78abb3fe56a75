/* Points on a wall followed through frames, one launch a frame after the first. The wall is unrolled: its points are 32
 * pixels apart along a line, so that in full size the window of a point overlaps those of two neighbours on either side
 * and no others, which is the sharing that PAVER's Table 2 has for heart wall (51 CTAs, sparsity 0.923875433). */
#include "workload/program.h"
#include "workload/random.h"

#include <math.h>
#include <string.h>

enum { THREADS = 256, TEMPLATE_MAX_RADIUS = 25, APART = 32, STEP_X = 2, STEP_Y = 1 };

/* As in kernel.cu. */
struct wall {
	uint64_t frame, pattern, window, squares, x, y;
	uint32_t cols, rows, radius, search, reach, padding;
};

struct film {
	struct wall w;
	uint32_t points, frames, seed;
	uint64_t moved;
	uint8_t *v_frame, *scene;
	uint32_t *v_x, *v_y, *v_pattern;
};

/* The host's own points and templates. */
struct points {
	uint32_t *x, *y, *pattern, *moved;
};

static uint64_t square(uint32_t radius)
{
	return (2 * radius + UINT64_C(1)) * (2 * radius + UINT64_C(1));
}

static int allocate(struct host *h, struct film *f, struct err *e)
{
	struct wall *w = &f->w;
	uint64_t pixels, windows = f->points * square(w->search), patterns = f->points * square(w->radius);

	w->cols = APART * (f->points - 1) + 2 * w->search + 40;
	w->rows = 2 * w->search + 60;
	pixels = (uint64_t)w->cols * w->rows;
	if (!(w->frame = host_alloc(h, "frame", pixels, e)) ||
	    !(f->v_pattern = host_alloc_u32(h, "pattern", patterns, &w->pattern, e)) ||
	    !host_alloc_u32(h, "window", windows, &w->window, e) || !host_alloc_u32(h, "squares", windows, &w->squares, e) ||
	    !(f->v_x = host_alloc_u32(h, "x", f->points, &w->x, e)) || !(f->v_y = host_alloc_u32(h, "y", f->points, &w->y, e)) ||
	    !host_alloc_u32(h, "moved", f->points, &f->moved, e))
		return -1;
	f->v_frame = host_bytes(h, w->frame, pixels);
	f->scene = host_scratch(h, pixels, 1);
	return 0;
}

static void fill(struct film *f)
{
	struct host_random r = {f->seed};

	for (uint64_t i = 0; i < (uint64_t)f->w.cols * f->w.rows; i++)
		f->scene[i] = (uint8_t)host_random_below(&r, 240);
	for (uint32_t p = 0; p < f->points; p++) {
		f->v_x[p] = f->w.search + 20 + APART * p;
		f->v_y[p] = (uint32_t)(f->w.search + 30 + nearbyint(8 * sin(p / 5.0)));
	}
}

/* The scene moves to the left and up, with a little noise. */
static void draw(struct film *f, uint32_t frame)
{
	struct host_random r = {f->seed + (UINT64_C(1) << 32) * (frame + 1)};

	for (uint32_t y = 0; y < f->w.rows; y++)
		for (uint32_t x = 0; x < f->w.cols; x++) {
			uint32_t from = (y + STEP_Y * frame) % f->w.rows * f->w.cols + (x + STEP_X * frame) % f->w.cols;

			f->v_frame[(uint64_t)y * f->w.cols + x] = (uint8_t)(f->scene[from] + host_random_below(&r, 16));
		}
}

static uint32_t pixel(const struct film *f, int64_t x, int64_t y)
{
	x = x < 0 ? 0 : x >= f->w.cols ? f->w.cols - 1 : x;
	y = y < 0 ? 0 : y >= f->w.rows ? f->w.rows - 1 : y;
	return f->v_frame[y * f->w.cols + x];
}

/* The sum of squared differences of a template and the frame around (x, y). */
static uint64_t difference(const struct film *f, const uint32_t *pattern, int64_t x, int64_t y)
{
	int64_t r = f->w.radius, i = 0;
	uint64_t sum = 0;

	for (int64_t row = -r; row <= r; row++)
		for (int64_t col = -r; col <= r; col++, i++) {
			int64_t by = (int64_t)pattern[i] - pixel(f, x + col, y + row);

			sum += (uint64_t)(by * by);
		}
	return sum;
}

static void reference_point(const struct film *f, struct points *all, uint32_t p)
{
	int64_t reach = f->w.reach, places = 2 * reach + 1, r = f->w.radius, i = 0;
	uint32_t *pattern = all->pattern + p * square(f->w.radius);
	uint64_t least = UINT64_MAX;

	for (int64_t place = 0; place < places * places; place++) {
		uint64_t d = difference(f, pattern, all->x[p] + place % places - reach, all->y[p] + place / places - reach);

		if (d < least)
			all->moved[p] = (uint32_t)place;
		least = d < least ? d : least;
	}
	all->x[p] += (uint32_t)(all->moved[p] % places - reach);
	all->y[p] += (uint32_t)(all->moved[p] / places - reach);
	for (int64_t row = -r; row <= r; row++)
		for (int64_t col = -r; col <= r; col++, i++)
			pattern[i] = (7 * pattern[i] + pixel(f, all->x[p] + col, all->y[p] + row) + 4) / 8;
}

static int check(struct host *h, const struct film *f, const struct points *want, struct err *e)
{
	if (host_check_u32(h, "moved", f->moved, want->moved, f->points, e) ||
	    host_check_u32(h, "x", f->w.x, want->x, f->points, e) || host_check_u32(h, "y", f->w.y, want->y, f->points, e))
		return -1;
	return host_check_u32(h, "pattern", f->w.pattern, want->pattern, f->points * square(f->w.radius), e);
}

/* The host's points, with templates from the first frame. */
static struct points begin(struct host *h, const struct film *f)
{
	uint32_t side = 2 * f->w.radius + 1;
	struct points p = {host_scratch(h, f->points, 4), host_scratch(h, f->points, 4),
			   host_scratch(h, f->points * square(f->w.radius), 4), host_scratch(h, f->points, 4)};

	memcpy(p.x, f->v_x, f->points * sizeof *p.x);
	memcpy(p.y, f->v_y, f->points * sizeof *p.y);
	for (uint64_t i = 0; i < f->points * square(f->w.radius); i++) {
		uint32_t point = (uint32_t)(i / square(f->w.radius)), k = (uint32_t)(i % square(f->w.radius));

		p.pattern[i] = pixel(f, (int64_t)p.x[point] - f->w.radius + k % side, (int64_t)p.y[point] - f->w.radius + k / side);
	}
	return p;
}

static int follow(struct host *h, struct film *f, struct err *e)
{
	const struct host_arg by_value = {.bytes = sizeof f->w, .by_ref = &f->w};
	const struct host_dim grid = {f->points, 1, 1}, block = {THREADS, 1, 1};
	struct points want;

	draw(f, 0);
	want = begin(h, f);
	if (host_launch(h, "heartwall_begin", grid, block, 0, 1, &by_value, e))
		return -1;
	for (uint32_t frame = 1; frame <= f->frames; frame++) {
		draw(f, frame);
		if (host_launch(h, "heartwall_follow", grid, block, 0, 2, (struct host_arg[]){by_value, host_u64(f->moved)}, e))
			return -1;
		for (uint32_t p = 0; p < f->points; p++)
			reference_point(f, &want, p);
		if (check(h, f, &want, e))
			return -1;
	}
	return 0;
}

static int run(struct host *h, struct err *e)
{
	struct film f = {.frames = 0};

	if (host_arg_u32(h, "points", 6, 51, 51, 1, 1000, &f.points, e) ||
	    host_arg_u32(h, "frames", 2, 1, 10, 1, 1000, &f.frames, e) ||
	    host_arg_u32(h, "radius", 8, 25, 25, 0, TEMPLATE_MAX_RADIUS, &f.w.radius, e) ||
	    host_arg_u32(h, "search", 15, 40, 40, 1, 100, &f.w.search, e) ||
	    host_arg_u32(h, "reach", 5, 10, 10, 0, 100, &f.w.reach, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &f.seed, e) || host_args_done(h, e))
		return -1;
	if (f.w.radius + f.w.reach > f.w.search)
		return err_set(e, "--arg search=%u: a template of radius=%u that moves by reach=%u does not fit", f.w.search,
			       f.w.radius, f.w.reach);
	host_describe(h, "heartwall %u points, %u frames", f.points, f.frames);
	if (allocate(h, &f, e))
		return -1;
	fill(&f);
	return follow(h, &f, e);
}

static const struct workload_option options[] = {
	{"points", "on the wall, a CTA each", "6 / 51 / 51"},
	{"frames", "after the first", "2 / 1 / 10"},
	{"radius", "of a template, at most 25", "8 / 25 / 25"},
	{"search", "radius of the window around a point", "15 / 40 / 40"},
	{"reach", "how far a point may move in a frame", "5 / 10 / 10"},
	{"seed", "of the scene and the noise", "1"},
	{0},
};
const struct workload workload_heartwall = {
	.name = "heartwall",
	.summary = "points of a wall followed through frames",
	.suite = "Rodinia",
	.original = "Rodinia heartwall",
	.grid = "points x 256 per frame, 12,452 bytes shared",
	.access = "phases between barriers: a copy of overlapping windows, running sums down columns and along rows with a "
		  "thread each, a template slid over the window",
	.differences = "Points are 32 pixels apart along a line in noise, and all templates have one size. Compares by squared "
		       "differences instead of normalised correlation, so that the position found is exact, and blends the "
		       "template in each frame.",
	.pattern = "friendly",
	.sharing = "high",
	.launches = "3 / 2 / 11",
	.sizes = "6 points, 2 frames / 51, 1 / 51, 10",
	.options = options,
	.run = run,
};
