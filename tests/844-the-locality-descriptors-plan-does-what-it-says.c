/* 844: planner ldesc: clusters become lists of CTAs, maps become base bits and pages. What it says is local is local
 * by the trace, and programs run to right results under it and its parts on machines of one and of several modules. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"
#include "support/plan_rig.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define ON(name)  (&(struct plan_rig_wish){.machine = (name)})

/* 14 x 16 CTAs in 28 clusters of (1, 8, 1), counted along X first: cluster x + 14 * (y / 8) on SM of that number mod
 * 15; the last one, CTA 13 + 14 y from y = 8 on, on SMs 12, 13 and 14 in turn. */
Test(ldesc_plan, keeps_histos_clusters_on_an_sm)
{
	struct plan_rig r;
	struct plan p;
	struct err e = {""};

	plan_rig_machine(&r, ON("gtx480"), "histo", ARGS("bins=100000"));
	p = plan_rig_plan(&r, "ldesc");
	cr_assert_eq(plan_check(&p, r.s.trace, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch(r.s.trace, 2)->grid[1], 16);
	cr_expect_eq(p.launch[0].dispatch, DISPATCH_ROUND_ROBIN, "the other launches are not described");
	cr_expect_eq(p.launch[3].dispatch, DISPATCH_ROUND_ROBIN);
	cr_assert_eq(p.launch[2].dispatch, DISPATCH_LISTS);
	for (uint32_t x = 0; x < 14; x++)
		for (uint32_t y = 0; y < 16; y++) {
			uint32_t cluster = x + 14 * (y / 8), want = cluster == 27 ? 12 + (y - 8) % 3 : cluster % 15;

			cr_expect_eq(plan_rig_sm_of(p.launch[2].lists, x + 14 * y), want, "CTA (%u, %u)", x, y);
		}
	cr_expect_null(p.buffer, "one module: data stays where it is");
	plan_rig_free(&r);
}

/* All of it is local: by the utility, and by who touches what in the trace. */
Test(ldesc_plan, leaves_nothing_of_transpose_remote)
{
	struct plan_rig r;
	struct plan p;

	plan_rig_machine(&r, ON("mcm4"), "transpose", NULL);
	p = plan_rig_plan(&r, "ldesc");
	cr_expect_eq(p.buffer[plan_rig_buffer(&r, "in")].placement, PLACE_BASE_BIT);
	cr_expect_not_null(strstr(p.notes, "in all 3.000 of 3"), "%s", p.notes);
	cr_expect_eq(plan_rig_remote(&r, "ldesc"), 0);
	cr_expect_gt(plan_rig_remote(&r, "ldesc-placement"), 70, "CTAs go where there is room");
	cr_expect_gt(plan_rig_remote(&r, "ldesc-sched"), 30, "data is in lines of 256 bytes in turn");
	cr_expect_eq(plan_rig_remote(&r, "ldesc-sched+ldesc-placement"), 0, "the parts are the whole");
	plan_rig_free(&r);
}

Test(ldesc_plan, places_whole_pages_where_bits_cannot)
{
	struct plan_rig r;
	struct plan p;

	plan_rig_machine(&r, &(struct plan_rig_wish){.machine = "mcm4", .set = "vm.page=4K"}, "transpose", ARGS("n=1024"));
	p = plan_rig_plan(&r, "ldesc");
	cr_expect_eq(p.buffer[plan_rig_buffer(&r, "out")].placement, PLACE_STATIC);
	cr_expect_not_null(strstr(p.notes, "out: whole pages, utility 1.000 of 1"), "%s", p.notes);
	cr_expect_eq(plan_rig_remote(&r, "ldesc"), 0);
	plan_rig_free(&r);
}

/* 32 stacks for 14 columns of CTAs: whatever the bits, most zones would stay empty. */
Test(ldesc_plan, splits_ctas_evenly_and_hashes_data_if_nothing_can_be_placed)
{
	struct plan_rig r;
	struct plan p;
	const struct plan_lists *l;

	plan_rig_machine(&r, ON("exascale25"), "histo", NULL);
	p = plan_rig_plan(&r, "ldesc");
	cr_assert_eq(p.launch[2].dispatch, DISPATCH_LISTS);
	cr_expect_eq(p.buffer[plan_rig_buffer(&r, "mapping")].placement, PLACE_XOR);
	cr_expect_not_null(strstr(p.notes, "an even split, data by the XOR hash"), "%s", p.notes);
	l = p.launch[2].lists;
	cr_expect_eq(l->first[16], 14, "module 0 has 16 of 64 SMs: 14 of 56 CTAs");
	plan_rig_free(&r);
}

Test(ldesc_plan, runs_programs_to_right_results)
{
	static const char *const machines[] = {"gtx480", "mcm4", "ndp4", "exascale25"};

	for (unsigned m = 0; m < 4; m++)
		for (unsigned w = 0; w < 2; w++) {
			struct program p = program_run("locus run %s --size test --machine %s --plan ldesc",
						       w ? "histo" : "transpose", machines[m]);

			cr_expect_eq(p.status, 0, "%s: %s", machines[m], p.err);
			program_free(&p);
		}
}

Test(ldesc_plan, is_printed)
{
	struct program p = program_run("locus plan histo --machine mcm4 --plan ldesc --size test");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "inter-thread, coaccessed, regular; 14 D-tiles of (768,4,1)"), "%s", p.out);
	cr_expect(strstr(p.out, "CTAs, pages, stride prefetch"), "%s", p.out);
	cr_expect(strstr(p.out, "zone 3: "), "%s", p.out);
	program_free(&p);
}

Test(ldesc_plan, wants_descriptors)
{
	struct program p = program_run("locus run chase --size test --plan ldesc");

	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "gives no locality descriptors"), "%s", p.err);
	program_free(&p);
	p = program_run("locus mix histo transpose --machine mcm4 --size test --plan ldesc");
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "of one program"), "%s", p.err);
	program_free(&p);
}
