/* Scores of the global alignment of two sequences of n letters; a launch for each anti-diagonal of tiles. */
#include "workload/program.h"
#include "workload/random.h"

#include <string.h>

enum { TILE = 16, LETTERS = 20, GAP = 10 };

static int32_t max3(int32_t a, int32_t b, int32_t c)
{
	int32_t ab = a > b ? a : b;

	return ab > c ? ab : c;
}

static void reference(const int32_t *match, int32_t *score, uint32_t n)
{
	uint64_t pitch = n + UINT64_C(1);

	for (uint64_t y = 1; y <= n; y++)
		for (uint64_t x = 1; x <= n; x++)
			score[y * pitch + x] = max3(score[(y - 1) * pitch + x - 1] + match[y * pitch + x],
						    score[y * pitch + x - 1] - GAP, score[(y - 1) * pitch + x] - GAP);
}

/* Two random sequences; pairs score as in a random symmetric table from -4 to 15. The first row and column are gaps. */
static void fill(struct host *h, uint32_t n, uint32_t seed, int32_t *match, int32_t *score)
{
	uint8_t *letter[2] = {host_scratch(h, n + UINT64_C(1), 1), host_scratch(h, n + UINT64_C(1), 1)};
	uint64_t pitch = n + UINT64_C(1);
	int32_t table[LETTERS][LETTERS];
	struct host_random r = {seed};

	for (unsigned i = 0; i < LETTERS; i++)
		for (unsigned j = 0; j <= i; j++)
			table[i][j] = table[j][i] = (int32_t)host_random_below(&r, 20) - 4;
	for (unsigned s = 0; s < 2; s++)
		for (uint32_t i = 1; i <= n; i++)
			letter[s][i] = (uint8_t)host_random_below(&r, LETTERS);
	for (uint64_t y = 1; y <= n; y++) {
		score[y] = score[y * pitch] = -GAP * (int32_t)y;
		for (uint64_t x = 1; x <= n; x++)
			match[y * pitch + x] = table[letter[0][y]][letter[1][x]];
	}
}

static int run(struct host *h, struct err *e)
{
	uint32_t n, seed, tiles, *vm, *vs;
	uint64_t match, score, words;
	int32_t *want;

	if (host_arg_multiple(h, "n", 256, 1024, 2048, TILE, 8192, &n, e) ||
	    host_arg_u32(h, "seed", 1, 1, 1, 0, UINT32_MAX, &seed, e) || host_args_done(h, e))
		return -1;
	host_describe(h, "nw %ux%u", n, n);
	words = (n + UINT64_C(1)) * (n + UINT64_C(1));
	if (!(vm = host_alloc_u32(h, "match", words, &match, e)) || !(vs = host_alloc_u32(h, "score", words, &score, e)))
		return -1;
	fill(h, n, seed, (int32_t *)vm, (int32_t *)vs);
	want = host_scratch(h, words, sizeof *want);
	memcpy(want, vs, words * sizeof *want);
	tiles = n / TILE;
	for (uint32_t d = 0; d < 2 * tiles - 1; d++) {
		uint32_t first = d < tiles ? 0 : d - tiles + 1, last = d < tiles ? d : tiles - 1;

		if (host_launch(h, "nw", (struct host_dim){last - first + 1, 1, 1}, (struct host_dim){TILE, 1, 1}, 0, 6,
				(struct host_arg[]){host_u64(match), host_u64(score), host_u32(n + 1), host_u32(GAP),
						    host_u32(first), host_u32(d)},
				e))
			return -1;
	}
	reference((const int32_t *)vm, want, n);
	return host_check_u32(h, "score", score, (const uint32_t *)want, words, e);
}

static const struct workload_option options[] = {
	{"n", "letters of a sequence, a multiple of 16", "256 / 1024 / 2048"},
	{"seed", "of the sequences and the table of scores", "1"},
	{0},
};
const struct workload workload_nw = {
	.name = "nw",
	.summary = "alignment of two sequences (Needleman-Wunsch)",
	.suite = "Rodinia",
	.original = "Rodinia needle",
	.grid = "1 to n/16 x 16, 2n/16 - 1 launches, 2,180 bytes shared",
	.access = "16x16 tiles along anti-diagonals, rows n+1 words apart",
	.pattern = "streaming",
	.sharing = "low",
	.launches = "31 / 127 / 255",
	.sizes = "256 / 1024 / 2048 square",
	.options = options,
	.run = run,
};
