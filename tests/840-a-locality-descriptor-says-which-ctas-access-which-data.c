/* 840: locality descriptors as data: D-tiles, the C-tiles that access them, and what is refused. Figure 9 (histo) is
 * the worked example: 1,035,840 words of which a row of 14 tiles of 768 words is 43,008 bytes long, so there are 96.34
 * rows. */
#include <criterion/criterion.h>
#include <string.h>

#include "ldesc/ldesc.h"

static struct ldesc histo(void)
{
	return (struct ldesc){.name = "sm_mappings",
			      .base = 0x100000,
			      .bytes = 1035840 * 4,
			      .element = 4,
			      .len = {14 * 768, 97, 1},
			      .type = LDESC_INTER_THREAD,
			      .d_tile = {768, 97, 1},
			      .c_tile = {1, 16, 1},
			      .rank = {1, 0, 0},
			      .stride = 14 * 768,
			      .priority = 1};
}
static const struct ldesc_launch histo_main = {{14, 16, 1}, {768, 1, 1}};

struct sum {
	uint64_t runs, bytes, first, end;
};

static void add(void *ctx, uint64_t addr, uint64_t bytes)
{
	struct sum *s = ctx;

	s->first = s->runs++ ? s->first : addr;
	s->bytes += bytes;
	s->end = addr + bytes;
}

static struct sum runs_of(const struct ldesc *l, uint64_t tile)
{
	struct sum s = {0};

	ldesc_d_tile_runs(l, tile, add, &s);
	return s;
}

Test(descriptor, of_figure_9_has_a_tile_for_each_column_of_ctas)
{
	struct ldesc l = histo();
	struct err e = {""};
	uint32_t cta[3];

	cr_assert_eq(ldesc_check_all(&(struct ldesc_set){1, &l}, &histo_main, &e), 0, "%s", e.text);
	cr_expect_eq(ldesc_d_tiles(&l), 14);
	for (uint64_t i = 0; i < 14; i++) {
		ldesc_first_cta(&l, &histo_main, i, cta);
		cr_expect(cta[0] == i && cta[1] == 0 && cta[2] == 0);
		cr_expect_eq(runs_of(&l, i).first, 0x100000 + 3072 * i);
	}
}

/* 1,035,840 = 96 x 10,752 + 3,648, which is four tiles and three quarters of the fifth. */
Test(descriptor, is_cut_by_the_end_of_its_buffer)
{
	struct ldesc l = histo();
	uint64_t total = 0;

	cr_expect_eq(runs_of(&l, 3).bytes, 97 * 3072);
	cr_expect_eq(runs_of(&l, 4).bytes, 96 * 3072 + 576 * 4);
	cr_expect_eq(runs_of(&l, 5).bytes, 96 * 3072);
	cr_expect_eq(runs_of(&l, 5).runs, 96);
	for (uint64_t i = 0; i < 14; i++)
		total += runs_of(&l, i).bytes;
	cr_expect_eq(total, 1035840 * 4);
}

/* (3, 1, 2): D-tiles in X, Y, Z order meet C-tiles in Y, Z, X order (section 3.3.3). */
Test(descriptor, maps_tiles_in_the_order_of_the_ranks)
{
	struct ldesc l = {.name = "A",
			  .bytes = 24,
			  .element = 1,
			  .len = {24, 1, 1},
			  .d_tile = {1, 1, 1},
			  .c_tile = {1, 1, 1},
			  .rank = {3, 1, 2},
			  .type = LDESC_NO_REUSE};
	const struct ldesc_launch at = {{2, 3, 4}, {32, 1, 1}};
	struct err e = {""};
	uint32_t cta[3];
	uint64_t i = 0;

	cr_assert_eq(ldesc_check_all(&(struct ldesc_set){1, &l}, &at, &e), 0, "%s", e.text);
	for (uint32_t x = 0; x < 2; x++)
		for (uint32_t z = 0; z < 4; z++)
			for (uint32_t y = 0; y < 3; y++) {
				ldesc_first_cta(&l, &at, i++, cta);
				cr_expect(cta[0] == x && cta[1] == y && cta[2] == z);
			}
}

/* One thread and its row of 80 words: 256 D-tiles a CTA. */
Test(descriptor, may_count_its_c_tiles_in_threads)
{
	struct ldesc l = {.name = "own",
			  .bytes = 1024 * 320,
			  .element = 4,
			  .len = {80, 1024, 1},
			  .d_tile = {80, 1, 1},
			  .c_tile = {1, 1, 1},
			  .c_unit = LDESC_THREADS,
			  .rank = {1, 0, 0},
			  .type = LDESC_INTRA_THREAD};
	const struct ldesc_launch at = {{4, 1, 1}, {256, 1, 1}};
	struct err e = {""};
	uint32_t cta[3], tile[3];

	cr_assert_eq(ldesc_check_all(&(struct ldesc_set){1, &l}, &at, &e), 0, "%s", e.text);
	ldesc_c_tile_ctas(&l, &at, tile);
	cr_expect(tile[0] == 1 && tile[1] == 1 && tile[2] == 1);
	ldesc_first_cta(&l, &at, 511, cta);
	cr_expect_eq(cta[0], 1);
	ldesc_first_cta(&l, &at, 512, cta);
	cr_expect_eq(cta[0], 2);
	l.c_tile[0] = 300;
	ldesc_c_tile_ctas(&l, &at, tile);
	cr_expect_eq(tile[0], 2, "300 threads are in two CTAs of 256");
}

Test(descriptor, that_covers_whole_rows_is_one_run)
{
	struct ldesc l = {.name = "A",
			  .base = 64,
			  .bytes = 1000,
			  .element = 2,
			  .len = {10, 5, 10},
			  .d_tile = {10, 2, 1},
			  .c_tile = {1, 1, 1},
			  .rank = {1, 2, 3}};

	cr_expect_eq(ldesc_d_tiles(&l), 30);
	cr_expect(runs_of(&l, 4).runs == 1 && runs_of(&l, 4).first == 64 + 100 + 40 && runs_of(&l, 4).bytes == 40);
	cr_expect_eq(runs_of(&l, 5).bytes, 20, "five rows in tiles of two: the third has one");
	l.d_tile[1] = 5;
	l.d_tile[2] = 4;
	cr_expect(runs_of(&l, 2).runs == 1 && runs_of(&l, 2).first == 64 + 800 && runs_of(&l, 2).bytes == 200);
}

static void expect_refused(const struct ldesc *l, uint32_t n, const char *words)
{
	struct err e = {""};

	cr_expect_eq(ldesc_check_all(&(struct ldesc_set){n, l}, &histo_main, &e), -1, "%s", words);
	cr_expect(strstr(e.text, "sm_mappings") && strstr(e.text, words), "\"%s\" wants \"%s\"", e.text, words);
	cr_expect_null(strchr(e.text, '\n'));
}

Test(descriptor, that_means_nothing_gets_one_clear_line)
{
	struct ldesc l[2];

#define WRONG(words, ...)                                                                                                          \
	do {                                                                                                                       \
		l[0] = l[1] = histo();                                                                                             \
		__VA_ARGS__;                                                                                                       \
		expect_refused(l, 1, words);                                                                                       \
	} while (0)
	WRONG("elements of 0 bytes", l[0].element = 0);
	WRONG("the structure has a dimension of 0 along Y", l[0].len[1] = 0);
	WRONG("the D-tile has a dimension of 0 along X", l[0].d_tile[0] = 0);
	WRONG("the C-tile has a dimension of 0 along Z", l[0].c_tile[2] = 0);
	WRONG("a stride of at least 1", l[0].stride = 0);
	WRONG("ranks", l[0].rank[0] = 2);
	WRONG("ranks", l[0].rank[1] = 1);
	WRONG("ranks", l[0].rank[2] = 4);
	WRONG("ranks", l[0].rank[2] = 33);
	WRONG("28 D-tiles for 14 C-tiles", l[0].d_tile[0] = 384);
	WRONG("2 C-tiles along Y, which the compute-data map does not traverse", l[0].c_tile[1] = 8);
	WRONG("past the buffer's end", l[0].len[1] = 98);
	WRONG("past the buffer's end", l[0].bytes = 96 * 43008);
	WRONG("more than 2^64 bytes", l[0].len[2] = UINT64_MAX / 1000);
#undef WRONG
	l[0] = l[1] = histo();
	expect_refused(l, 2, "two descriptors of priority 1");
	l[1].priority = 2;
	cr_expect_eq(ldesc_check_all(&(struct ldesc_set){2, l}, &histo_main, NULL), 0);
	l[1].priority = 1;
	l[1].base += 4;
	l[1].bytes -= 4;
	cr_expect_eq(ldesc_check_all(&(struct ldesc_set){2, l}, &histo_main, NULL), 0, "another structure");
}
