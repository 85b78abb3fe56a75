/* 882: planner clusters: boxes of CTAs go to SMs in turn, counted along X first; the CTAs of the last one go to the SMs
 * that would have none. `locus plan` tells how far the grid reaches, so that sizes beyond it are known to be the
 * same. */
#include <criterion/criterion.h>
#include <jansson.h>

#include "support/plan_rig.h"
#include "support/program.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define ON(name)  (&(struct plan_rig_wish){.machine = (name)})

/* 8 x 8 CTAs on 15 SMs; boxes of 2 x 2 make 4 x 4 clusters: cluster 15, the last of its turn's one, is dealt CTA by CTA
 * over SM 0 and those behind it. */
Test(clusters, go_to_sms_in_turn)
{
	struct plan_rig r;
	struct plan p;
	struct err e = {""};

	plan_rig_machine(&r, ON("gtx480"), "matmul", ARGS("n=128"));
	p = plan_rig_plan(&r, "clusters,x=2,y=2");
	cr_assert_eq(plan_check(&p, r.s.trace, &e), 0, "%s", e.text);
	for (uint32_t y = 0; y < 8; y++)
		for (uint32_t x = 0; x < 8; x++) {
			uint32_t cluster = x / 2 + 4 * (y / 2), want = cluster == 15 ? x % 2 + 2 * (y % 2) : cluster;

			cr_expect_eq(plan_rig_sm_of(p.launch[0].lists, x + 8 * y), want, "CTA (%u, %u)", x, y);
		}
	plan_rig_free(&r);
}

/* Three dimensions, and a box that reaches beyond the grid in two of them. */
Test(clusters, are_the_same_where_the_grid_ends_before)
{
	struct plan_rig r;
	struct plan a, b;

	plan_rig_machine(&r, ON("gtx480"), "vectoradd", ARGS("n=8192"));
	a = plan_rig_plan(&r, "clusters,x=4");
	b = plan_rig_plan(&r, "clusters,x=4,y=8,z=4");
	for (uint32_t i = 0; i < trace_launch(r.s.trace, 0)->n_ctas; i++)
		cr_expect_eq(plan_rig_sm_of(a.launch[0].lists, i), plan_rig_sm_of(b.launch[0].lists, i));
	plan_rig_free(&r);
}

static void expect_stat(json_t *stats, const char *name, double value)
{
	cr_expect_eq(json_number_value(json_object_get(stats, name)), value, "%s", name);
}

Test(clusters, are_counted_by_locus_plan)
{
	struct program p = program_run("locus plan matmul --arg n=128 --plan clusters,x=2 --json -");
	json_t *all = json_loads(strstr(p.out, "{\n"), 0, NULL), *stats = json_object_get(all, "stats");

	cr_assert_eq(p.status, 0, "%s", p.err);
	expect_stat(stats, "grid.x", 8);
	expect_stat(stats, "grid.y", 8);
	expect_stat(stats, "grid.z", 1);
	expect_stat(stats, "ctas.listed", 1);
	json_decref(all);
	program_free(&p);
}

Test(clusters, run_to_right_results)
{
	static const char *const lines[] = {"locus run doitgen --size test --plan clusters,x=2,y=4,z=2",
					    "locus run transpose --size test --machine mcm4 --plan clusters,x=8,y=8"};

	for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		struct program p = program_run("%s", lines[i]);

		cr_expect_eq(p.status, 0, "%s: %s", lines[i], p.err);
		program_free(&p);
	}
}

Test(clusters, of_other_sizes_are_refused)
{
	struct program p = program_run("locus run atax --plan clusters,x=3");

	cr_expect(program_is_clean_error(&p));
	program_free(&p);
	p = program_run("locus mix atax bfs --size test --machine mcm4 --plan clusters");
	cr_expect(program_is_clean_error(&p));
	program_free(&p);
}
