/* 944: the runs of a plan are the product of its axes, those of its list, less what it excludes; what is wrong with a
 * plan is said in one line with its place before anything runs.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

static struct program runs_of(const char *plan)
{
	program_file("plan.yaml", plan);
	return program_run("locus sweep %s/plan.yaml --runs", program_tmp());
}

static void expect_runs(const char *plan, const char *runs)
{
	struct program p = runs_of(plan);

	cr_expect_str_eq(p.out, runs, "%s%s", p.out, p.err);
	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(sweep_plan, is_a_product_whose_last_axis_changes_fastest)
{
	expect_runs("axes:\n  workload: [syrk, atax]\n  l1.assoc: [4, 8]\n",
		    "run syrk --set l1.assoc=4\nrun syrk --set l1.assoc=8\n"
		    "run atax --set l1.assoc=4\nrun atax --set l1.assoc=8\n");
}

Test(sweep_plan, has_a_list_beside_the_product_and_each_run_once)
{
	expect_runs("axes: {workload: syrk, seed: 1..2}\n"
		    "list:\n  - {workload: atax, seed: [2, 7]}\n  - {workload: syrk, seed: 2}\n",
		    "run syrk --arg seed=1\nrun syrk --arg seed=2\nrun atax --arg seed=2\nrun atax --arg seed=7\n");
}

Test(sweep_plan, leaves_out_what_is_excluded)
{
	expect_runs("axes:\n  workload: [syrk, atax, mvt]\n  size: [test, paper]\nexclude:\n"
		    "  - {workload: [atax, mvt], size: paper}\n  - {workload: syrk, size: test}\n",
		    "run syrk --size paper\nrun atax --size test\nrun mvt --size test\n");
}

Test(sweep_plan, gives_names_to_several_settings)
{
	expect_runs("common: {workload: syrk, size: test, throttle: swt:2}\naxes:\n  mechanism:\n    none: {}\n"
		    "    both: {l1-index: pric, throttle: dwt-cs, no-skip: true}\n    plain: {throttle: default}\n",
		    "run syrk --size test --throttle swt:2\n"
		    "run syrk --size test --l1-index pric --throttle dwt-cs --no-skip\nrun syrk --size test\n");
}

/* As a text in which a word of a shell, an option and a folder's end would all be something else. */
/* Its folder is named by the plan, which may come from anybody. One that the user names may be a link. */
Test(sweep_plan, follows_no_link_to_its_folder)
{
	struct program p;

	program_file("p.yaml", "name: mine\naxes: {workload: vectoradd, size: test}\n");
	p = program_run("cd %s && mkdir away && ln -s away sweep-mine && locus sweep p.yaml", program_tmp());
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "sweep-mine: leads through a symbolic link"), "%s", p.err);
	program_free(&p);
	p = program_run("cd %s && ls away && locus sweep --dir sweep-mine p.yaml && ls away", program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "results in sweep-mine/runs.db\nruns.db\n"), "%s", p.out);
	program_free(&p);
}

Test(sweep_plan, hands_values_on_as_they_are)
{
	expect_runs("common: {workload: syrk}\naxes:\n  arg.seed: [\"1 --json /x\", \"$(touch N1)\", \"it's\"]\n",
		    "run syrk --arg 'seed=1 --json /x'\nrun syrk --arg 'seed=$(touch N1)'\nrun syrk --arg 'seed=it''s'\n");
}

Test(sweep_plan, is_refused_with_its_place)
{
	static const struct {
		const char *plan, *says;
	} bad[] = {
		{"axes: {workload: [skyr]}", "plan.yaml:1:19: no workload, and no file, \"skyr\" (did you mean \"syrk\"?)"},
		{"axes: {workload: [--json=/x]}", "plan.yaml:1:19: no workload"},
		{"axes:\n  workload: syrk\n  l1.asoc: [4]", "plan.yaml:3:3: no axis, and nothing of a run, is called \"l1.asoc\""},
		{"axes:\n  workload: syrk\n  machine: gtx48", "plan.yaml:3:12: "},
		{"axes:\n  workload: syrk\n  l1.assoc: [4, 1e3]", "plan.yaml:3:17: l1.assoc: "},
		{"axes:\n  workload: syrk\n  plan: [coda, coad]", "plan.yaml:3:16: no planner \"coad\" (did you mean \"coda\"?)"},
		{"axes:\n  workload: syrk\n  size: big", "plan.yaml:3:9: size: \"big\" is not one of test|default|paper"},
		{"axes:\n  workload: syrk\n  arg.ptich: 4K", "plan.yaml:3:14: workload syrk has no argument \"ptich\""},
		{"axes:\n  workload: syrk\n  throttle: swt", "plan.yaml:3:13: --throttle"},
		{"axes:\n  workload: syrk\n  max-insts: 0", "plan.yaml:3:14: max-insts: "},
		{"axes: {workload: [syrk, syrk]}", "plan.yaml:1:25: axis workload has the value \"syrk\" twice"},
		{"axes: {workload: []}", "axis workload: has no values"},
		{"axes: {workload: [[syrk]]}", "workload: needs a value"},
		{"axes: {workload: \"a\\e[2Jb\"}", "plan.yaml:1:19: workload: the value holds a control character"},
		{"axes:\n  workload: syrk\nexclude:\n  - {l1.assoc: 4}",
		 "plan.yaml:4:6: exclude: the plan has no axis \"l1.assoc\""},
		{"axes:\n  workload: syrk\nexclude:\n  - {workload: atax}",
		 "plan.yaml:4:16: exclude: axis workload has no value \"atax\""},
		{"axes:\n  workload: syrk\nexclude:\n  - {workload: syrk}", "plan.yaml: has no runs"},
		{"axes:\n  m: {a: {l1-index: pric}}\n  l1-index: linear", "plan.yaml:3:13: axes m and l1-index both set l1-index"},
		{"axes:\n  m: {a: {l1-idx: pric}}",
		 "plan.yaml:2:19: nothing of a run is called \"l1-idx\" (did you mean \"l1-index\"?)"},
		{"axes: {l1-index: pric}", "a run has no workload"},
		{"axes: {workload: syrk}\nname: ../x", "plan.yaml:2:7: name: "},
		{"axis: {workload: syrk}", "plan.yaml:1:1: unknown key \"axis\""},
		{"axes: {workload: syrk, seed: 1..5000}", "plan.yaml:1:30: axis seed: more than 4096 values"},
		{"axes: {workload: syrk, seed: 1..4000, arg.pitch: 1..4000, l1.assoc: 1..4000}", "more than 100000 runs"},
		{"list:\n  - {workload: syrk, seed: 1}\n  - {}", "plan.yaml:3:5: names no axis"},
		{"axes: {workload: syrk, seed: 5..1}", "plan.yaml:1:30: axis seed: the range 5..1 goes down; write 1..5"},
		{"axes: {workload: syrk, l1.assoc: [4, 16..8]}", "plan.yaml:1:38: axis l1.assoc: the range 16..8 goes down"},
		{"list:\n  - {workload: syrk, seed: 1..9}", "plan.yaml:2:28: seed: the range 1..9 is for axes"},
		{"axes: {workload: syrk}\ncommon: {seed: 5..1}", "plan.yaml:2:16: seed: the range 5..1 is for axes"},
		{"axes:\n  workload: syrk\n  m: {a: {l1.assoc: 4..8}}", "plan.yaml:3:21: l1.assoc: the range 4..8 is for axes"},
		{"- syrk", "plan.yaml:1:1: needs axes:"},
		{"", "plan.yaml: "},
		{"axes: {workload: [syrk", "plan.yaml:"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = runs_of(bad[i].plan);

		cr_expect(program_is_clean_error(&p), "%s", bad[i].plan);
		cr_expect(strstr(p.err, bad[i].says), "%s\nexpected \"%s\" in %s", bad[i].plan, bad[i].says, p.err);
		cr_expect_str_empty(p.out);
		program_free(&p);
	}
}

/* Of twelve runs of a trace none is made. */
Test(sweep_plan, settings_that_a_trace_or_a_launch_file_does_not_take_are_refused)
{
	static const struct {
		const char *plan, *place, *says;
	} bad[] = {
		{"common: {size: test}\naxes: {workload: t.ltrace, l1.assoc: [4, 8]}",
		 "plan.yaml:1:16: ", "t.ltrace: a recorded trace takes no --size"},
		{"axes: {workload: t.ltrace, seed: 1..3}",
		 "plan.yaml:1:34: ", "t.ltrace: a recorded trace takes no --size and no --arg"},
		{"axes: {workload: t.ltrace}\ncommon: {oob: zero}", "plan.yaml:2:15: ", "t.ltrace: a recorded trace reads no data"},
		{"axes: {workload: ./k.g, size: [test]}", "plan.yaml:1:32: ", "k.g: an Accel-Sim trace takes no --size"},
		{"axes: {workload: f.yaml, size: test}", "plan.yaml:1:32: ", "f.yaml: a launch file takes no --size"},
	};

	program_file("t.ltrace", "");
	program_file("k.g", "");
	program_file("f.yaml", "");
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = runs_of(bad[i].plan);

		cr_expect(program_is_clean_error(&p), "%s: %s%s", bad[i].plan, p.out, p.err);
		cr_expect(strstr(p.err, bad[i].place) && strstr(p.err, bad[i].says), "%s\nexpected \"%s\" in %s", bad[i].plan,
			  bad[i].says, p.err);
		program_free(&p);
	}
}

Test(sweep_plan, a_trace_takes_settings_that_are_left_as_they_are)
{
	struct program p = program_run("cd %s && locus record syrk --size test -o t.ltrace", program_tmp());
	char runs[1024];

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(runs, sizeof runs, "run %s/t.ltrace --set l1.assoc=4\nrun %s/t.ltrace --set l1.assoc=8\n", program_tmp(),
		 program_tmp());
	expect_runs("common: {size: default}\naxes:\n  workload: t.ltrace\n  l1.assoc: [4, 8]\n", runs);
}

/* What a machine is only as a whole: 64 sets have no polynomial of degree 5. */
Test(sweep_plan, each_machine_is_checked_before_the_first_run)
{
	struct program p = runs_of("common: {workload: syrk}\naxes:\n  l1-index: [linear, pric]\n  l1.bytes: [16K, 32K]\n");

	cr_expect(program_is_clean_error(&p), "%s", p.err);
	cr_expect(strstr(p.err, "plan.yaml:4:19: ") && strstr(p.err, "64 sets need degree 6"), "%s", p.err);
	cr_expect(strstr(p.err, "(of locus run --l1-index pric --set l1.bytes=32K)"), "%s", p.err);
	program_free(&p);
}

Test(sweep_plan, words_are_checked)
{
	static const char *const bad[] = {"",
					  "tabel x.yaml",
					  "table",
					  "x.yaml y.yaml z.yaml",
					  "shard 0 x.yaml",
					  "--mean x y.yaml",
					  "-j 0 x.yaml",
					  "--memory 1 x.yaml",
					  "/nowhere/plan.yaml"};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = program_run("cd %s && locus sweep %s", program_tmp(), bad[i]);

		cr_expect(program_is_clean_error(&p), "%s", bad[i]);
		program_free(&p);
	}
}
