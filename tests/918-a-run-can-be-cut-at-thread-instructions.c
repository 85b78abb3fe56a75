/* 918: --max-thread-insts cuts a run after the cycle in which the N-th thread instruction issues, and the run says that
 * it is cut: dwt-pric stops SYRK and GESUMMV at 100 M thread instructions, SCLUSTER at 300 M. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "support/program.h"

struct result {
	double cycles, thread_insts;
	char cut[16]; /* "" if the run came to its end */
};

static struct result run(const char *options)
{
	struct program p = program_run("locus run bfs --size test %s --json %s/r.json >/dev/null && cat %s/r.json", options,
				       program_tmp(), program_tmp());
	json_t *all = json_loads(p.out, 0, NULL), *stats = json_object_get(all, "stats"), *cut = json_object_get(all, "cut");
	struct result r;

	cr_assert_eq(p.status, 0, "%s", p.err);
	r.cycles = json_number_value(json_object_get(stats, "cycles"));
	r.thread_insts = json_number_value(json_object_get(stats, "thread_insts"));
	snprintf(r.cut, sizeof r.cut, "%s", cut ? json_string_value(cut) : "");
	json_decref(all);
	program_free(&p);
	return r;
}

/* bfs: its lanes diverge, so that thread instructions do not follow from warp instructions. */
Test(cut, ends_with_the_cycle_that_reaches_the_limit)
{
	static const unsigned limits[] = {1, 31, 1000, 54321, 200000};

	for (unsigned i = 0; i < sizeof limits / sizeof limits[0]; i++) {
		char options[64];
		struct result r, before;

		snprintf(options, sizeof options, "--max-thread-insts %u", limits[i]);
		r = run(options);
		cr_expect_str_eq(r.cut, "the limit");
		cr_expect_geq(r.thread_insts, limits[i]);
		snprintf(options, sizeof options, "--max-cycles %.0f", r.cycles - 1);
		before = run(options);
		cr_expect_lt(before.thread_insts, limits[i], "%u were reached before cycle %.0f", limits[i], r.cycles);
	}
}

Test(cut, a_limit_beyond_the_end_changes_nothing)
{
	struct result whole = run(""), r = run("--max-thread-insts 1000000000");

	cr_expect_str_eq(r.cut, "");
	cr_expect_eq(r.cycles, whole.cycles);
	cr_expect_eq(r.thread_insts, whole.thread_insts);
}

Test(cut, is_said_in_the_output)
{
	struct program p = program_run("locus run syrk --size test --max-thread-insts 5000");

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_not_null(strstr(p.out, "cut by the limit after "), "%s", p.out);
	program_free(&p);
}

Test(cut, limits_that_cannot_be_are_refused)
{
	static const char *const wrong[][2] = {
		{"0", "--max-thread-insts: \"0\" is not a whole number from 1 on"},
		{"x", "--max-thread-insts: \"x\" is not a whole number from 1 on"},
		{"5 --on cpu --machine ndp4", "--max-thread-insts: describes SMs, and --on cpu runs the kernels on CPU cores"},
	};

	for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct program p = program_run("locus run syrk --size test --max-thread-insts %s", wrong[i][0]);

		cr_expect_eq(p.status, 2, "%s", wrong[i][0]);
		cr_expect_eq(strchr(p.err, '\n') + 1, p.err + strlen(p.err), "one line: %s", p.err);
		cr_expect_not_null(strstr(p.err, wrong[i][1]), "%s", p.err);
		program_free(&p);
	}
}
