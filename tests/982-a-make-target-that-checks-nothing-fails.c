/* 982: a script or a make target that is asked to check nothing fails instead of reporting that nothing is wrong. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

Test(empty_checks, a_pattern_that_no_proof_matches_is_refused)
{
	struct program p = program_run("scripts/formal %s 'no proof has this name'", program_tmp());

	cr_expect_eq(p.status, 2, "%d: %s", p.status, p.out);
	cr_expect_str_eq(p.err, "formal: no row of rtl/*/proofs.list matches \"no proof has this name\"\n");
	program_free(&p);
}

/* A solver is content with a model in which nothing is claimed. */
Test(empty_checks, a_proof_or_a_cover_of_nothing_is_wrong)
{
	struct program p;

	p = program_run(
		"cd %s && mkdir -p scripts rtl/x && cp \"$OLDPWD\"/scripts/formal scripts && "
		"echo 'module x(input wire clk_i, input wire a_i, output reg q_o); always @(posedge clk_i) q_o <= a_i; endmodule' "
		">rtl/x/x.v && for m in values induction steps cover abc-induction; do echo \"by $m | x/x.v | x | | $m |\"; done "
		">rtl/x/proofs.list && scripts/formal build",
		program_tmp());
	cr_expect_eq(p.status, 1, "%d", p.status);
	cr_expect(strstr(p.out, "5 cases, ") && strstr(p.out, " 5 rows wrong\n"), "%s%s", p.out, p.err);
	program_free(&p);
}

/* Criterion ends with status 0 when no test has a name that fits its --filter. */
Test(empty_checks, each_filter_of_a_make_target_has_tests)
{
	struct program p = program_run("grep -ho \"[-]-filter '[^']*'\" Makefile */*.mk | cut -d\"'\" -f2");
	unsigned n = 0;

	for (char *save = NULL, *filter = strtok_r(p.out, "\n", &save); filter; filter = strtok_r(NULL, "\n", &save)) {
		char *slash = strchr(filter, '/');
		struct program found;

		cr_assert(slash, "%s", filter);
		*slash = '\0';
		/* A star of the filter is any part of a name. */
		found = program_run("suite=$(echo '%s' | sed 's/[*]/[a-z0-9_]*/g') name=$(echo '%s' | sed 's/[*]/[a-z0-9_]*/g'); "
				    "grep -Ehc \"Test\\((.*, )?$suite, $name[,)]\" tests/[0-9]*.c | grep -vc '^0$'",
				    filter, slash + 1);
		cr_expect_eq(found.status, 0, "no test is %s/%s", filter, slash + 1);
		program_free(&found);
		n++;
	}
	cr_expect_geq(n, 3, "the filters are found");
	program_free(&p);
}

/* Names that match nothing, files that are not there, numbers that are none, no cases at all. */
Test(empty_checks, a_script_without_a_case_says_so_in_a_line)
{
	static const char *const ask[][2] = {
		{"scripts/prose-width", "prose-width: no file to check\n"},
		{"scripts/prose-style scripts/prose.rules", "prose-style: no file to check\n"},
		{"scripts/rtl-lint", "rtl-lint: no file to check\n"},
		{"scripts/rtl-elaborate refuse rtl/nothing.v nothing", "rtl-elaborate: rtl/nothing.v cannot be read\n"},
		{"scripts/rtl-elaborate acept rtl/pric/pric_index.v pric_index",
		 "rtl-elaborate: \"acept\" is not accept, refuse, bench or claims\n"},
		{"scripts/coverage /dev", "coverage: /dev has no counts (TOP:PARAMETERS.RUN.dat)\n"},
		{"scripts/sampling x x huge 2", "sampling: \"huge\" is not test, default or paper\n"},
		{"scripts/sampling x x test 2 nothing", "sampling: scripts/sampling.list has no program \"nothing\"\n"},
		{"scripts/inputs /bin/false x", "inputs: /bin/false study cache --runs: failed\n"},
		{"scripts/commands x.nothing", "commands: x.nothing cannot be read\n"},
		{"CC=x LINK=x AGREE=x SPECS=x LIBRARIES=x scripts/mutate-common build/mutation/nothing nothing",
		 "mutate-common: no block is called \"nothing\"\n"},
		{"scripts/fuzz x", "usage: fuzz LOCUS TARGET...\n"},
		{"FUZZ_RUNS=0 scripts/fuzz x ptx", "fuzz: FUZZ_RUNS: \"0\" is not a number of executions\n"},
		{"FUZZ_RUNS=many scripts/fuzz x ptx", "fuzz: FUZZ_RUNS: \"many\" is not a number of executions\n"},
	};

	for (size_t i = 0; i < sizeof ask / sizeof ask[0]; i++) {
		struct program p = program_run("sh -c '%s' </dev/null", ask[i][0]);

		cr_expect_eq(p.status, 2, "%s: %d", ask[i][0], p.status);
		cr_expect_str_eq(p.err, ask[i][1], "%s: %s", ask[i][0], p.err);
		program_free(&p);
	}
}

/* What cannot start has no figures: not a page of none. */
Test(empty_checks, a_sampling_study_whose_runs_fail_fails)
{
	struct program p = program_run("scripts/sampling /bin/false %s test 2 gaussian", program_tmp());

	cr_expect_eq(p.status, 1, "%d: %s", p.status, p.out);
	cr_expect(strstr(p.err, "sampling: locus record gaussian"), "%s", p.err);
	program_free(&p);
}

/* It would build without a sanitizer, or do what the target does without a variable. */
Test(empty_checks, a_variable_that_make_would_not_heed_is_refused)
{
	static const char *const ask[][2] = {
		{"SAN=address", "SAN=address: must be 1 (addresses and undefined behaviour), thread, or empty"},
		{"STEP=1e9", "STEP=1e9: no target reads STEP"},
		{"CI=1 ROW=tafe", "ROW=tafe: no target reads ROW"},
	};
	struct program p;

	for (size_t i = 0; i < sizeof ask / sizeof ask[0]; i++) {
		p = program_run("make -s help %s", ask[i][0]);
		cr_expect_eq(p.status, 2, "%d", p.status);
		cr_expect(strstr(p.err, ask[i][1]), "%s", p.err);
		program_free(&p);
	}
	p = program_run(
		"make -s help CI=1 T=4 SAN=1 V=1 O=elsewhere ARCH=x CC=cc OPT=-O1 GIT=x STEPS=1 BLOCK=x MINUTES=1 RUNS=1 MUTANTS=1 "
		"ROWS=x FUZZ=x FUZZ_RUNS=1 SIZE=test SIZES=x MACHINES=all HW=1 FULL=1 KILLS=1 PTX_OUT=x PREFIX=/usr DESTDIR=/tmp "
		"ONLY=bfs");
	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}
