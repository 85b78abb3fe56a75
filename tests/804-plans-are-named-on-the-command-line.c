/* 804: --plan: names, options, composition, and what is refused; locus plan and what a run keeps of its plan. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "plan/planner.h"
#include "support/program.h"

static void expect_refused(const char *text, const char *message)
{
	struct planner_needs needs;
	struct err e = {""};

	cr_expect_eq(planner_check(text, &needs, &e), -1, "%s", text);
	cr_expect_str_eq(e.text, message);
}

Test(plans, that_cannot_be_are_refused_in_one_line)
{
	expect_refused("codda", "no planner \"codda\" (did you mean \"coda\"?) (see locus list planners)");
	expect_refused("", "no planner \"\" (see locus list planners)");
	expect_refused("coda+fgp-only", "--plan coda+fgp-only: coda and fgp-only both decide the placement of pages");
	expect_refused("cgp-only+first-touch",
		       "--plan cgp-only+first-touch: cgp-only and first-touch both decide the placement of pages");
	expect_refused("affinity+affinity", "--plan affinity+affinity: affinity and affinity both decide the placement of CTAs");
	expect_refused("coda,source=ptx", "planner coda: source=ptx: must be both|static|profile");
	expect_refused("coda,chunks=exact", "planner coda has no option \"chunks\" (did you mean \"chunk\"?)");
	expect_refused("coda,chunk", "planner coda: \"chunk\": an option is KEY=VALUE");
	expect_refused("coda,source=static,chunk=exact,source=profile", "planner coda: source is there twice");
	expect_refused("affinity,turn=3", "planner affinity takes no options, but got \"turn=3\"");
}

Test(plans, compose_where_their_slots_differ)
{
	struct planner_needs needs;
	struct err e = {""};

	cr_expect_eq(planner_check("fgp-only+affinity", &needs, &e), 0, "%s", e.text);
	cr_expect_not(needs.analysis);
	cr_expect_eq(planner_check("affinity+cgp-only", &needs, &e), 0, "%s", e.text);
	cr_expect_eq(planner_check("coda,chunk=rounded,source=profile", &needs, &e), 0, "%s", e.text);
	cr_expect(needs.analysis);
	cr_expect_not(needs.taf);
}

static json_t *result_of(const char *options, const char *name)
{
	struct program p = program_run("locus run vectoradd --size test %s --json %s/%s", options, program_tmp(), name);
	char path[256];
	json_t *j;

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	j = json_load_file(path, 0, NULL);
	cr_assert_not_null(j);
	return j;
}

/* On a machine of one module all CTAs are in its module and all pages on the one stack: a plan changes nothing but is
 * kept. */
Test(plans, change_nothing_on_one_module)
{
	json_t *without = result_of("", "a.json"), *with = result_of("--plan coda", "b.json"), *plan;

	cr_expect(json_equal(json_object_get(without, "stats"), json_object_get(with, "stats")));
	cr_expect_null(json_object_get(without, "plan"));
	plan = json_object_get(with, "plan");
	cr_assert_not_null(plan);
	cr_expect_str_eq(json_string_value(json_object_get(plan, "planner")), "coda");
	plan = json_object_get(json_object_get(plan, "arrays"), "a");
	cr_expect_str_eq(json_string_value(json_object_get(plan, "verdict")), "regular");
	cr_expect_eq(json_real_value(json_object_get(plan, "stride")), 1024);
	json_decref(without);
	json_decref(with);
}

/* Those that decide nothing there; coda is not among them, as it tells what it found out of each array. */
Test(plans, that_decide_nothing_on_one_module_are_refused)
{
	static const char *const pages[] = {"fgp-only", "cgp-only", "first-touch", "own-stacks", "xor-hash", "ldesc-placement"};
	static const char *const ctas[] = {"affinity", "firsttouch-distrib"};
	struct program p;
	char line[200];

	for (unsigned i = 0; i < sizeof pages / sizeof pages[0]; i++) {
		p = program_run("locus run vectoradd --size test --plan lrr+%s", pages[i]);
		snprintf(line, sizeof line,
			 "locus: --plan lrr+%s: %s has no effect on a machine with one stack of memory for all pages\n", pages[i],
			 pages[i]);
		cr_expect_eq(p.status, 2, "%s", pages[i]);
		cr_expect_str_eq(p.err, line);
		program_free(&p);
	}
	for (unsigned i = 0; i < sizeof ctas / sizeof ctas[0]; i++) {
		p = program_run("locus run vectoradd --size test --plan %s", ctas[i]);
		snprintf(line, sizeof line, "locus: --plan %s: %s has no effect on a machine with one module for all CTAs\n",
			 ctas[i], ctas[i]);
		cr_expect_eq(p.status, 2, "%s", ctas[i]);
		cr_expect_str_eq(p.err, line);
		program_free(&p);
	}
	p = program_run("locus run vectoradd --size test --machine ndp4 --on cpu --plan cgp-only+bcs");
	cr_expect_eq(p.status, 2);
	cr_expect_str_eq(p.err, "locus: --plan cgp-only+bcs: bcs has no effect with --on cpu, where plans place pages only\n");
	program_free(&p);
	p = program_run("locus run histo --size test --set l1.enabled=false --plan ldesc-cache");
	cr_expect_eq(p.status, 2);
	cr_expect_str_eq(p.err, "locus: --plan ldesc-cache: ldesc-cache has no effect without L1s: l1.enabled is false\n");
	program_free(&p);
	/* One module of four stacks, four modules. */
	p = program_run("locus run vectoradd --size test --set dram.stacks=4 --set vm.enabled=true --plan cgp-only");
	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run("locus run vectoradd --size test --machine ndp4 --plan fgp-only+affinity");
	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(plans, are_shown_with_reasons)
{
	struct program p = program_run("locus plan kmeans --size test --plan coda --pages --accesses");

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "regular"), "%s", p.out);
	cr_expect(strstr(p.out, "34816"), "%s", p.out);
	cr_expect(strstr(p.out, "category: "), "%s", p.out);
	cr_expect(strstr(p.out, "by_feature + 4 tid.x + 1024 ctaid.x"), "%s", p.out);
	program_free(&p);
	p = program_run("locus list planners");
	for (unsigned i = 0; planners[i]; i++)
		cr_expect(strstr(p.out, planners[i]->name), "%s", planners[i]->name);
	program_free(&p);
}

/* Three arrays of 64 KB on four stacks of 4 KB pages, 1 KB a CTA: 16 pages each, four CTAs a page. */
Test(plans, are_kept_as_json)
{
	struct program p =
		program_run("locus plan vectoradd --size test --machine ndp4 --plan coda --pages --json %s/p.json", program_tmp());
	json_t *j, *stats;
	char path[256];

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/p.json", program_tmp());
	j = json_load_file(path, 0, NULL);
	cr_assert_not_null(j);
	stats = json_object_get(j, "stats");
	cr_expect_eq(json_integer_value(json_object_get(stats, "expected.lines")), 3 * 512);
	cr_expect_eq(json_number_value(json_object_get(stats, "expected.remote_share")), 0);
	cr_expect_eq(json_integer_value(json_object_get(stats, "pages.touched")), 3 * 16);
	cr_expect_eq(json_number_value(json_object_get(stats, "pages.ctas.3-4")), 1);
	cr_expect_eq(json_number_value(json_object_get(stats, "pages.one_module")), 1);
	cr_expect_str_eq(json_string_value(json_object_get(json_object_get(j, "plan"), "planner")), "coda");
	json_decref(j);
}

static void expect_error(const char *command, const char *message)
{
	struct program p = program_run("%s", command);

	cr_expect(program_is_clean_error(&p), "%s", command);
	cr_expect(strstr(p.err, message), "%s: %s", command, p.err);
	program_free(&p);
}

Test(plans, of_a_trace_without_ptx_come_from_the_profile)
{
	struct program p = program_run("locus record vectoradd --size test -o %s/v.ltrace", program_tmp());
	char command[512];

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run("locus plan %s/v.ltrace --plan coda", program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "of its accesses find their page in their CTA's module"), "%s", p.out);
	program_free(&p);
	snprintf(command, sizeof command, "locus plan %s/v.ltrace --plan coda,source=static", program_tmp());
	expect_error(command, "has no PTX to analyse; source=profile reads the trace");
	snprintf(command, sizeof command, "locus plan %s/v.ltrace --accesses", program_tmp());
	expect_error(command, "has no PTX to analyse");
	p = program_run("locus plan vectoradd");
	cr_expect_eq(p.status, 2);
	cr_expect_str_eq(p.err, "locus plan: needs --plan PLANNER, --pages, --grids or --accesses\n");
	program_free(&p);
	expect_error("locus run vectoradd --plan codda", "did you mean \"coda\"?");
	expect_error("locus cosim vectoradd --plan coda+cgp-only", "both decide the placement of pages");
}
