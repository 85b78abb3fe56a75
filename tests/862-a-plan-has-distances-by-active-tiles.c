/* 862: a plan has, for each structure of which a stride is prefetched, the tile of each CTA and the distance for each
 * number of active tiles; runs go by them on every machine's L1s. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "support/plan_rig.h"
#include "support/program.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* paper-notes on ldesc, section 4.5: L1 of 32,768 bytes, tiles of 3,072 bytes a row, rows of 43,008 bytes. */
Test(plan_tiles, of_histo_have_the_papers_distances)
{
	static const uint32_t rows[] = {10, 5, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1};
	struct plan_rig_wish wish = {.machine = "gtx480", .set = "l1.bytes=32K"};
	struct plan_rig r;
	struct plan p;
	const struct plan_tiles *t;

	plan_rig_machine(&r, &wish, "histo", ARGS("bins=100000"));
	r.m.sm.ctas = 12;
	p = plan_rig_plan(&r, "ldesc-pref");
	t = &p.launch[2].tiles[0];
	cr_assert_eq(t->n_distances, 12);
	for (uint32_t i = 0; i < 12; i++)
		cr_expect_eq(t->distance[i], rows[i] * 43008, "%u tiles", i + 1);
	plan_rig_free(&r);
}

/* Figure 9: 14 columns of 16 CTAs, each column a tile. */
Test(plan_tiles, of_histo_are_the_columns_of_its_grid)
{
	struct plan_rig r;
	struct plan p;
	const uint32_t *grid;
	const struct plan_tiles *t;

	plan_rig_machine(&r, &(struct plan_rig_wish){.machine = "gtx480"}, "histo", ARGS("bins=100000"));
	p = plan_rig_plan(&r, "ldesc");
	t = &p.launch[2].tiles[0];
	grid = trace_launch(r.s.trace, 2)->grid;
	cr_assert(grid[0] == 14 && grid[1] == 16);
	for (uint32_t cta = 0; cta < 14 * 16; cta++)
		cr_assert_eq(plan_tile_of(t, grid, cta), cta % 14);
	cr_assert_null(p.launch[1].tiles, "without descriptors there are none");
	plan_rig_free(&r);
}

Test(plan_tiles, are_counted_in_x_y_z_order_and_cut_by_the_grid)
{
	static const uint32_t grid[3] = {5, 3, 2};
	static const struct plan_tiles t = {.c_tile = {2, 2, 1}, .n = {3, 2, 2}};

	cr_expect_eq(plan_tile_of(&t, grid, 0), 0);
	cr_expect_eq(plan_tile_of(&t, grid, 4), 2);
	cr_expect_eq(plan_tile_of(&t, grid, 6), 0, "(1, 1, 0)");
	cr_expect_eq(plan_tile_of(&t, grid, 12), 4, "(2, 2, 0)");
	cr_expect_eq(plan_tile_of(&t, grid, 29), 11, "(4, 2, 1)");
}

/* ---- what a run does with them ---- */

static long long metric(const char *options, const char *name)
{
	struct program p = program_run("locus run %s --json %s/m.json >/dev/null && grep -m1 '\"%s\":' %s/m.json", options,
				       program_tmp(), name, program_tmp());
	const char *colon = strrchr(p.out, ':');
	long long n = colon ? strtoll(colon + 1, NULL, 10) : -1;

	cr_assert_eq(p.status, 0, "%s: %s", options, p.err);
	program_free(&p);
	return n;
}

Test(plan_tiles, an_l1_that_is_never_free_enough_prefetches_nothing)
{
	const char *all = "histo --size test --plan ldesc-pref";
	const char *none = "histo --size test --plan ldesc-pref --set l1.prefetch.mshrs=1023";

	cr_assert_gt(metric(all, "l1.prefetch.issued"), 0);
	cr_assert_eq(metric(none, "l1.prefetch.issued"), 0);
	cr_assert_eq(metric(none, "l1.prefetch.dropped") + metric(none, "l1.prefetch.needless"),
		     metric(none, "l1.prefetch.proposed"));
}
