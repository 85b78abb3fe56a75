/* The 5/3 wavelet transform of a colour image: one launch takes the colours apart, then each has one a level. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

#include <string.h>

enum { PIXELS = 256, STRIP = 192, WINDOW = 8, COLOURS = 3, STRETCHES = 15 };

/* As in kernel.cu. */
struct image {
	uint64_t at;
	uint32_t pitch;
};

struct wavelet {
	uint32_t cols, rows, levels, seed;
	uint64_t rgb, colour[COLOURS], between[2], out[COLOURS];
	uint8_t *v_rgb;
};

static int allocate(struct host *h, struct wavelet *w, struct err *e)
{
	static const char *const colours[] = {"red", "green", "blue"}, *const outs[] = {"out_red", "out_green", "out_blue"};
	uint64_t pixels = (uint64_t)w->cols * w->rows;

	if (!(w->rgb = host_alloc(h, "rgb", COLOURS * pixels, e)))
		return -1;
	w->v_rgb = host_bytes(h, w->rgb, COLOURS * pixels);
	for (unsigned c = 0; c < COLOURS; c++)
		if (!host_alloc_u32(h, colours[c], pixels, &w->colour[c], e) || !host_alloc_u32(h, outs[c], pixels, &w->out[c], e))
			return -1;
	/* What goes on to the next level: a quarter, then a sixteenth, in turn. */
	if (!host_alloc_u32(h, "low", pixels / 4, &w->between[0], e) ||
	    !host_alloc_u32(h, "lower", pixels / 16 + 1, &w->between[1], e))
		return -1;
	return 0;
}

/* A smooth picture with some noise. */
static void fill(struct wavelet *w)
{
	struct host_random r = {w->seed};

	for (uint64_t i = 0; i < (uint64_t)COLOURS * w->cols * w->rows; i++) {
		uint64_t pixel = i / COLOURS, x = pixel % w->cols, y = pixel / w->cols;

		w->v_rgb[i] = (uint8_t)((x * 150 / w->cols + y * 50 / w->rows + host_random_below(&r, 56)) & 0xff);
	}
}

/* A strip's windows, with a rim that is the neighbours'. What comes out lies in quarters of the image: no tiles. */
static int describe(struct host *h, const struct image *in, uint32_t rows, uint32_t windows, struct err *e)
{
	const struct ldesc_matrix m = {4, in->pitch, in->pitch, rows};
	const struct ldesc_given given = {in->at, ldesc_nearby(ldesc_tiles(&m, STRIP, windows * WINDOW), in->pitch)};

	return ldesc_describe_all(h, "dwt2d_level", 1, &given, e);
}

static int launch_levels(struct host *h, const struct wavelet *w, unsigned colour, struct err *e)
{
	struct image in = {w->colour[colour], w->cols}, out = {w->out[colour], w->cols}, low = {0, 0};
	const struct host_arg args[] = {
		{.bytes = sizeof in, .by_ref = &in}, {.bytes = sizeof in, .by_ref = &low}, {.bytes = sizeof in, .by_ref = &out}};

	for (uint32_t level = 0; level < w->levels; level++, in = low) {
		uint32_t cols = w->cols >> level, rows = w->rows >> level, windows = host_blocks(rows, STRETCHES * WINDOW);

		low = level + 1 < w->levels ? (struct image){w->between[level % 2], cols / 2} : out;
		if (describe(h, &in, rows, windows, e) ||
		    host_launch(
			    h, "dwt2d_level", (struct host_dim){host_blocks(cols, STRIP), host_blocks(rows, windows * WINDOW), 1},
			    (struct host_dim){STRIP, 1, 1}, 0, 6,
			    (struct host_arg[]){args[0], args[1], args[2], host_u32(cols), host_u32(rows), host_u32(windows)}, e))
			return -1;
	}
	return 0;
}

/* A line of n numbers, `step` apart, by the definition: differences in place, sums from them, then apart. */
static void reference_line(int32_t *line, uint64_t step, uint32_t n, int32_t *scratch)
{
	for (uint32_t i = 0; i < n; i++)
		scratch[i] = line[i * step];
	for (uint32_t i = 1; i < n; i += 2)
		scratch[i] -= (scratch[i - 1] + scratch[i + 1 < n ? i + 1 : i - 1]) >> 1;
	for (uint32_t i = 0; i < n; i += 2)
		scratch[i] += (scratch[i ? i - 1 : 1] + scratch[i + 1] + 2) >> 2;
	for (uint32_t i = 0; i < n; i++)
		line[(i % 2 ? n / 2 + i / 2 : i / 2) * step] = scratch[i];
}

static int check(struct host *h, const struct wavelet *w, unsigned colour, struct err *e)
{
	static const char *const names[] = {"red", "green", "blue"};
	uint64_t pixels = (uint64_t)w->cols * w->rows;
	int32_t *want = host_scratch(h, pixels, sizeof *want);
	int32_t *scratch = host_scratch(h, w->cols + (uint64_t)w->rows, sizeof *scratch);

	for (uint64_t i = 0; i < pixels; i++)
		want[i] = w->v_rgb[COLOURS * i + colour] - 128;
	for (uint32_t level = 0; level < w->levels; level++) {
		for (uint64_t y = 0; y < w->rows >> level; y++)
			reference_line(want + y * w->cols, 1, w->cols >> level, scratch);
		for (uint64_t x = 0; x < w->cols >> level; x++)
			reference_line(want + x, w->cols, w->rows >> level, scratch);
	}
	return host_check_u32(h, names[colour], w->out[colour], (const uint32_t *)want, pixels, e);
}

static int run(struct host *h, struct err *e)
{
	struct wavelet w;
	uint32_t pixels;

	if (host_arg_multiple(h, "cols", 256, 512, 1024, 8, 8192, &w.cols, e) ||
	    host_arg_multiple(h, "rows", 64, 512, 1024, 8, 8192, &w.rows, e) ||
	    host_arg_u32(h, "levels", 3, 3, 3, 1, 3, &w.levels, e) || host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &w.seed, e) ||
	    host_args_done(h, e))
		return -1;
	host_describe(h, "dwt2d %ux%u, %u levels", w.cols, w.rows, w.levels);
	if (allocate(h, &w, e))
		return -1;
	fill(&w);
	pixels = w.cols * w.rows;
	if (host_launch(h, "dwt2d_split", (struct host_dim){host_blocks(pixels, PIXELS), 1, 1}, (struct host_dim){PIXELS, 1, 1}, 0,
			5,
			(struct host_arg[]){host_u64(w.rgb), host_u64(w.colour[0]), host_u64(w.colour[1]), host_u64(w.colour[2]),
					    host_u32(pixels)},
			e))
		return -1;
	for (unsigned c = 0; c < COLOURS; c++)
		if (launch_levels(h, &w, c, e) || check(h, &w, c, e))
			return -1;
	return 0;
}

static const struct workload_option options[] = {
	{"cols", "of the image, a multiple of 8", "256 / 512 / 1024"},
	{"rows", "of the image, a multiple of 8", "64 / 512 / 1024"},
	{"levels", "of the transform, at most 3", "3"},
	{"seed", "of the noise", "1"},
	{0},
};
const struct workload workload_dwt2d = {
	.name = "dwt2d",
	.summary = "wavelet transform of an image (5/3)",
	.suite = "Rodinia",
	.original = "Rodinia dwt2d",
	.grid = "n/256 x 256, then (cols/192, up to 15) x 192 per level and colour; 768 and 12,384 bytes shared",
	.access = "a window of 8 rows slides down a strip of 192 columns",
	.differences = "Has the reversible 5/3 transform only; the picture is a slope with noise.",
	.pattern = "streaming",
	.sharing = "low",
	.launches = "10",
	.sizes = "256x64 / 512x512 / 1024x1024 pixels",
	.options = options,
	.run = run,
};
