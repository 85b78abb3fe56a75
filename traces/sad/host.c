/* Sums of absolute differences of every 4x4 block of a frame with a reference frame, at 33 x 33 displacements. */
#include "workload/program.h"
#include "workload/random.h"

#include <stdlib.h>

enum { BLOCK = 4, RANGE = 16, SPAN = 2 * RANGE + 1, STORED = 1096, THREADS = 61 };

static int32_t clamp(int32_t v, int32_t n)
{
	return v < 0 ? 0 : v >= n ? n - 1 : v;
}

/* The sums of the block at (top, left), two to a word, by displacement from (-16, -16) to (16, 16). */
static void reference(const uint16_t *frame, const uint16_t *other, int32_t rows, int32_t cols, int32_t top, int32_t left,
		      uint32_t *sums)
{
	for (int32_t dy = -RANGE; dy <= RANGE; dy++)
		for (int32_t dx = -RANGE; dx <= RANGE; dx++) {
			int32_t place = (dy + RANGE) * SPAN + dx + RANGE;
			uint32_t sum = 0;

			for (int32_t y = top; y < top + BLOCK; y++)
				for (int32_t x = left; x < left + BLOCK; x++)
					sum += (uint32_t)abs(frame[y * cols + x] -
							     other[clamp(y + dy, rows) * cols + clamp(x + dx, cols)]);
			sums[place / 2] |= sum << 16 * (place % 2);
		}
}

static int run(struct host *h, struct err *e)
{
	uint32_t rows, cols, seed, *va, *vb, *want;
	uint64_t frame, other, sums, words;
	struct host_random r;

	if (host_arg_multiple(h, "rows", 24, 72, 144, BLOCK, 2048, &rows, e) ||
	    host_arg_multiple(h, "cols", 32, 88, 176, BLOCK, 2048, &cols, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "sad %ux%u", cols, rows);
	words = (uint64_t)(rows / BLOCK) * (cols / BLOCK) * (STORED / 2);
	/* Pixels of 16 bits, two to a word. */
	if (!(va = host_alloc_u32(h, "frame", (uint64_t)rows * cols / 2, &frame, e)) ||
	    !(vb = host_alloc_u32(h, "reference", (uint64_t)rows * cols / 2, &other, e)) ||
	    !host_alloc_u32(h, "sums", words, &sums, e))
		return -1;
	r.state = seed;
	for (uint64_t i = 0; i < (uint64_t)rows * cols / 2; i++) {
		va[i] = host_random_below(&r, 256) | host_random_below(&r, 256) << 16;
		vb[i] = host_random_below(&r, 256) | host_random_below(&r, 256) << 16;
	}
	want = host_scratch(h, words, sizeof *want);
	for (uint32_t y = 0; y < rows; y += BLOCK)
		for (uint32_t x = 0; x < cols; x += BLOCK)
			reference((const uint16_t *)va, (const uint16_t *)vb, (int32_t)rows, (int32_t)cols, (int32_t)y, (int32_t)x,
				  want + (uint64_t)(y / BLOCK * (cols / BLOCK) + x / BLOCK) * (STORED / 2));
	if (host_launch(h, "sad", (struct host_dim){cols / BLOCK, rows / BLOCK, 1}, (struct host_dim){THREADS, 1, 1}, 0, 5,
			(struct host_arg[]){host_u64(frame), host_u64(other), host_u64(sums), host_u32(rows), host_u32(cols)}, e))
		return -1;
	return host_check_u32(h, "sums", sums, want, words, e);
}

static const struct workload_option options[] = {
	{"rows", "of the frame, a multiple of 4", "24 / 72 / 144"},
	{"cols", "of the frame, a multiple of 4", "32 / 88 / 176"},
	{"seed", "of the frames", "1"},
	{0},
};
const struct workload workload_sad = {
	.name = "sad",
	.summary = "motion search: sums of absolute differences",
	.suite = "Parboil",
	.original = "Parboil sad",
	.grid = "(cols/4, rows/4) x 61, 2,224 bytes shared",
	.access = "a 36x36 window per CTA, read many times; short streams out",
	.differences = "Stops at blocks of 4x4 pixels, which the original adds up to larger ones.",
	.pattern = "friendly",
	.sharing = "none",
	.launches = "1",
	.sizes = "32x24 / 88x72 / 176x144 pixels",
	.options = options,
	.run = run,
};
