/* A histogram in parts of 6,144 bins, counts cut off at 255. Values are sums of random numbers: they crowd in the
 * middle. */
#include "workload/ldesc_api.h"
#include "workload/random.h"

enum { PRESCAN_CTAS = 64, PRESCAN = 512, INTERMEDIATES = 512, COLUMNS = 14, MAIN = 768, FINAL_CTAS = 42, FINAL = 512 };
enum { PART = 6144, LIMIT = 255, SUMMANDS = 4 };

struct histogram {
	uint32_t n, bins, first, parts;
	uint64_t value, range, mapping;
	uint32_t *v_value, *v_range;
};

static int allocate(struct host *h, struct histogram *s, struct err *e)
{
	if (!(s->v_value = host_alloc_u32(h, "value", s->n, &s->value, e)) ||
	    !(s->v_range = host_alloc_u32(h, "range", 2, &s->range, e)) || !host_alloc_u32(h, "mapping", s->n, &s->mapping, e))
		return -1;
	s->v_range[0] = UINT32_MAX;
	return 0;
}

static int find_parts(struct host *h, struct histogram *s, struct err *e)
{
	if (host_launch(h, "histo_prescan", (struct host_dim){PRESCAN_CTAS, 1, 1}, (struct host_dim){PRESCAN, 1, 1}, 0, 3,
			(struct host_arg[]){host_u64(s->value), host_u64(s->range), host_u32(s->n)}, e))
		return -1;
	if (s->v_range[0] > s->v_range[1] || s->v_range[1] >= s->bins) {
		/* Nothing can be counted with such a range. */
		uint32_t *want = host_scratch(h, 2, sizeof *want);

		want[0] = UINT32_MAX;
		for (uint32_t i = 0; i < s->n; i++) {
			want[0] = s->v_value[i] < want[0] ? s->v_value[i] : want[0];
			want[1] = s->v_value[i] > want[1] ? s->v_value[i] : want[1];
		}
		return host_check_u32(h, "range", s->range, want, 2, e);
	}
	s->first = s->v_range[0] / PART;
	s->parts = s->v_range[1] / PART - s->first + 1;
	return 0;
}

/* ldesc, Figure 9: the CTAs of a column read the same part of each row. */
static int describe(struct host *h, const struct histogram *s, struct err *e)
{
	const uint64_t row = (uint64_t)COLUMNS * MAIN, rows = (s->n + row - 1) / row;
	const struct ldesc mapping = {.element = 4,
				      .len = {row, rows, 1},
				      .type = LDESC_INTER_THREAD,
				      .d_tile = {MAIN, rows, 1},
				      .c_tile = {1, s->parts, 1},
				      .rank = {1, 0, 0},
				      .sharing = LDESC_COACCESSED,
				      .access = LDESC_REGULAR,
				      .stride = row,
				      .priority = 1};

	return ldesc_describe(h, "histo_main", s->mapping, &mapping, e);
}

static int count(struct host *h, const struct histogram *s, uint64_t bin, uint64_t result, struct err *e)
{
	const struct host_dim by_thread = {host_blocks(s->n, INTERMEDIATES), 1, 1};

	if (host_launch(h, "histo_intermediates", by_thread, (struct host_dim){INTERMEDIATES, 1, 1}, 0, 4,
			(struct host_arg[]){host_u64(s->value), host_u64(s->mapping), host_u32(s->first), host_u32(s->n)}, e) ||
	    describe(h, s, e) ||
	    host_launch(h, "histo_main", (struct host_dim){COLUMNS, s->parts, 1}, (struct host_dim){MAIN, 1, 1}, 0, 3,
			(struct host_arg[]){host_u64(s->mapping), host_u64(bin), host_u32(s->n)}, e))
		return -1;
	return host_launch(h, "histo_final", (struct host_dim){FINAL_CTAS, 1, 1}, (struct host_dim){FINAL, 1, 1}, 0, 3,
			   (struct host_arg[]){host_u64(bin), host_u64(result), host_u32(s->parts * (PART / 4))}, e);
}

static int run(struct host *h, struct err *e)
{
	uint64_t bin, result;
	struct host_random r;
	struct histogram s;
	uint32_t seed;
	uint8_t *want;

	if (host_arg_u32(h, "n", 32 << 10, 1035840, 1035840, 1, 64 << 20, &s.n, e) ||
	    host_arg_u32(h, "bins", 20000, 100000, 100000, SUMMANDS, 1 << 20, &s.bins, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "histo %u values, %u bins", s.n, s.bins);
	if (allocate(h, &s, e))
		return -1;
	r.state = seed;
	for (uint32_t i = 0; i < s.n; i++)
		for (unsigned k = 0; k < SUMMANDS; k++)
			s.v_value[i] += host_random_below(&r, s.bins / SUMMANDS);
	if (find_parts(h, &s, e))
		return -1;
	if (!host_alloc_u32(h, "bin", (uint64_t)s.parts * PART, &bin, e) ||
	    !host_alloc_u32(h, "result", (uint64_t)s.parts * (PART / 4), &result, e) || count(h, &s, bin, result, e))
		return -1;
	want = host_scratch(h, (uint64_t)s.parts * PART, 1);
	for (uint32_t i = 0; i < s.n; i++) {
		uint8_t *at = &want[s.v_value[i] - s.first * PART];

		*at += *at < LIMIT;
	}
	return host_check_u32(h, "result", result, (const uint32_t *)(const void *)want, (uint64_t)s.parts * (PART / 4), e);
}

static const struct workload_option options[] = {
	{"n", "values", "32K / 1035840 / 1035840"},
	{"bins", "values are below this", "20000 / 100000 / 100000"},
	{"seed", "of the values", "1"},
	{0},
};
const struct workload workload_histo = {
	.name = "histo",
	.summary = "a histogram of many bins, in parts",
	.suite = "Parboil",
	.original = "Parboil histo",
	.grid = "64 x 512, n/512 x 512, (14, parts) x 768, 42 x 512; 4 and 24 KB shared",
	.access = "all CTAs of a column read the same stream; crowded shared atomics, then global ones",
	.differences = "Counts in words and cuts off at 255 at the end, where Parboil's counts saturate in bytes. Values are "
		       "sums of four random numbers; a position is a word of part and bin.",
	.pattern = "friendly",
	.sharing = "high",
	.launches = "4",
	.sizes = "32 K / 1,035,840 / 1,035,840 values",
	.options = options,
	.run = run,
};
