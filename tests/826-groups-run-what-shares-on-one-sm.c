/* 826: PAVER's planners on the cycle model. A program whose CTAs are cliques: CTA c reads the lines of block c mod 16,
 * so that CTAs c, c + 16, c + 32, c + 48 share all. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "support/program.h"

enum { CLIQUES = 16, SIZE = 4, LINES = 8 };

static const char kernel[] = ".version 6.0\n.target sm_60\n.address_size 64\n"
			     ".visible .entry blocks(.param .u64 in, .param .u64 out)\n{\n"
			     ".reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .pred %p;\n"
			     "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];\n"
			     "mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r7, %ctaid.y;\n"
			     "shl.b32 %r3, %r2, 8; add.s32 %r3, %r3, %r1;\n" /* 256 words, 8 lines, a block; a line a
									      * warp */
			     "mul.wide.u32 %rd3, %r3, 4; add.s64 %rd4, %rd1, %rd3; ld.global.u32 %r4, [%rd4];\n"
			     "shl.b32 %r5, %r7, 12; add.s32 %r5, %r5, %r3;\n"
			     "mul.wide.u32 %rd5, %r5, 4; add.s64 %rd6, %rd2, %rd5; st.global.u32 [%rd6], %r4; ret;\n}\n";

/* Grid 16 x 4: CTA x + 16 y reads block x. */
static const char program[] = "name: blocks\nptx: k.ptx\n"
			      "buffers:\n  in: {count: 4096, type: u32, fill: iota}\n  out: {count: 16384, type: u32}\n"
			      "launches:\n  - {kernel: blocks, grid: [16, 4], block: 256, args: [in, out]}\n";

static json_t *run_as(const char *command, const char *options)
{
	struct program p;
	char path[256];
	json_t *all;

	program_file("k.ptx", kernel);
	program_file("p.yaml", program);
	p = program_run("locus %s %s/p.yaml --set sm.ctas=4 %s --json %s/out.json", command, program_tmp(), options, program_tmp());
	cr_assert_eq(p.status, 0, "%s: %s", options, p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/out.json", program_tmp());
	all = json_load_file(path, 0, NULL);
	cr_assert_not_null(all);
	return all;
}

static json_t *run(const char *options)
{
	return run_as("run", options);
}

static long number(json_t *all, const char *key)
{
	json_t *v = json_object_get(json_object_get(all, "stats"), key);

	cr_assert_not_null(v, "%s", key);
	return (long)json_integer_value(v);
}

/* Sixteen SMs of four contexts: RB has sixteen groups, the cliques. Each line is fetched once a clique, and once alone:
 * the other three meet it in the L1. The groups are equal, nothing is stolen. */
Test(paver, a_clique_fetches_its_lines_once)
{
	static const char *const plans[] = {"paver-rb", "paver-kway", "paver-rb,source=trace", "paver-rb,unit=line"};

	for (int i = 0; i < 4; i++) {
		char options[128];
		json_t *all;

		snprintf(options, sizeof options, "--set sm.count=16 --plan %s", plans[i]);
		all = run(options);
		cr_expect_eq(number(all, "l1.misses"), CLIQUES * LINES, "%s", plans[i]);
		cr_expect_eq(number(all, "l1.hits") + number(all, "l1.hits_reserved"), CLIQUES * LINES * (SIZE - 1));
		cr_expect_eq(number(all, "group_dispatch.groups"), CLIQUES);
		cr_expect_eq(number(all, "group_dispatch.ctas"), CLIQUES * SIZE);
		cr_expect_eq(number(all, "group_dispatch.fetches"), CLIQUES * SIZE + CLIQUES);
		cr_expect_eq(number(all, "group_dispatch.steals"), 0);
		json_decref(all);
	}
}

/* Fifteen SMs, round robin: CTA x + 16 y meets another of its clique on its SM at best by accident. */
Test(paver, round_robin_fetches_them_anew)
{
	json_t *all = run("--plan lrr"), *same = run("");

	cr_expect_geq(number(all, "l1.misses"), 2 * CLIQUES * LINES);
	cr_expect(json_equal(json_object_get(all, "stats"), json_object_get(same, "stats")));
	json_decref(all);
	json_decref(same);
}

/* The spanning tree walks clique after clique: the first sixteen groups are the cliques. With fewer SMs, singles
 * follow. */
Test(paver, a_spanning_tree_has_groups_then_singles)
{
	json_t *all = run("--set sm.count=16 --plan paver-mst");

	cr_expect_eq(number(all, "group_dispatch.groups"), CLIQUES);
	cr_expect_eq(number(all, "l1.misses"), CLIQUES * LINES);
	json_decref(all);
	all = run("--set sm.count=10 --plan paver-mst");
	cr_expect_eq(number(all, "group_dispatch.groups"), 10 + (CLIQUES - 10) * SIZE);
	json_decref(all);
}

/* Thirty-two SMs of four contexts hold twice as many CTAs as there are: full groups leave sixteen SMs without one; even
 * ones are halves of cliques, each of which fetches the lines for itself. */
Test(paver, even_groups_leave_no_sm_without_one)
{
	json_t *all = run("--set sm.count=32 --plan paver-rb,steal=off");

	cr_expect_eq(number(all, "group_dispatch.groups"), CLIQUES);
	cr_expect_eq(number(all, "l1.misses"), CLIQUES * LINES);
	json_decref(all);
	all = run("--set sm.count=32 --plan paver-rb,steal=off,groups=even");
	cr_expect_eq(number(all, "group_dispatch.groups"), 2 * CLIQUES);
	cr_expect_eq(number(all, "l1.misses"), 2 * CLIQUES * LINES);
	json_decref(all);
}

Test(paver, skipping_idle_cycles_changes_nothing)
{
	json_t *all = run("--plan paver-rb"), *same = run("--plan paver-rb --no-skip");

	cr_expect(json_equal(json_object_get(all, "stats"), json_object_get(same, "stats")));
	json_decref(all);
	json_decref(same);
}

/* Fifteen SMs, sixteen groups: the status is 0 only if nothing differs. */
Test(paver, the_block_may_be_golden_rtl_or_both)
{
	static const char *const modes[] = {"rtl", "lockstep", "lockstep --no-skip"};
	json_t *all = run("--plan paver-rb");

	for (int i = 0; i < 3; i++) {
		char options[128];
		json_t *same;

		snprintf(options, sizeof options, "--plan paver-rb --hw paver=%s", modes[i]);
		same = run_as("cosim", options);
		cr_expect(json_equal(json_object_get(all, "stats"), json_object_get(same, "stats")), "%s", modes[i]);
		json_decref(same);
	}
	json_decref(all);
}

/* The plan is in the result, in short. */
Test(paver, the_plan_is_printed)
{
	json_t *all = run("--set sm.count=16 --plan paver-rb,steal=off"), *launch, *ctas;
	struct program p;

	launch = json_array_get(json_object_get(json_object_get(all, "plan"), "launches"), 0);
	cr_expect_str_eq(json_string_value(json_object_get(launch, "dispatch")), "groups");
	ctas = json_object_get(launch, "ctas");
	cr_expect_eq(json_integer_value(json_object_get(ctas, "lists")), CLIQUES);
	cr_expect_eq(json_integer_value(json_object_get(ctas, "least")), SIZE);
	cr_expect_eq(json_integer_value(json_object_get(ctas, "most")), SIZE);
	cr_expect(json_is_false(json_object_get(ctas, "steal")));
	cr_expect_eq(json_integer_value(json_object_get(ctas, "cut")), 0);
	cr_expect_eq(json_integer_value(json_object_get(ctas, "weight")), CLIQUES * SIZE * (SIZE - 1) / 2 * LINES * 32);
	json_decref(all);
	p = program_run("locus plan %s/p.yaml --set sm.ctas=4 --set sm.count=16 --plan paver-rb", program_tmp());
	cr_expect_eq(p.status, 0);
	cr_expect(strstr(p.out, "groups, 16 of 4 CTAs, stealing; 100.0 % of what CTAs share is in a group"), "%s", p.out);
	program_free(&p);
	/* Cliques of four cut into pairs: of the six edges of each, two are inside. */
	p = program_run("locus plan %s/p.yaml --set sm.ctas=2 --set sm.count=16 --plan paver-rb --json -", program_tmp());
	all = json_loads(p.out, 0, NULL);
	cr_assert(all, "%s%s", p.out, p.err);
	cr_expect_float_eq(json_number_value(json_object_get(json_object_get(all, "stats"), "groups.captured")), 1.0 / 3, 1e-9);
	json_decref(all);
	program_free(&p);
}

/* With pages from another planner; on machines of several modules. */
Test(paver, composes_with_planners_of_pages)
{
	json_t *all = run("--machine mcm4 --plan paver-rb+cgp-only");

	cr_expect_eq(number(all, "group_dispatch.ctas"), CLIQUES * SIZE);
	json_decref(all);
}

/* Programs of a mix: a block each, as wide as the SMs that the program has. */
Test(paver, programs_beside_each_other_have_a_block_each)
{
	struct program p = program_run("locus mix vectoradd,n=20000 vectoradd,n=30000 --machine mcm4 --plan paver-rb+own-stacks");

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "group_dispatch.ctas"), "%s", p.out);
	program_free(&p);
}
