/* 135: `locus diff` lists the speed-up first, headline metrics next and then the largest relative changes, with units,
 * for any number of results; only --exit-code makes a difference a status. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

#define UNITS "\"units\": {\"time\": \"us\", \"cycles\": \"core cycles\", \"rate\": \"%\", \"hits\": \"\"}"

static void three_results(void)
{
	program_file("a.json",
		     "{\"stats\": {\"cycles\": 1000, \"time\": 2.0, \"rate\": 0.125, \"hits\": 10, \"sm.0.hits\": 3}, " UNITS "}");
	program_file("b.json",
		     "{\"stats\": {\"cycles\": 1000, \"time\": 1.0, \"rate\": 0.25, \"hits\": 10, \"sm.0.hits\": 9}, " UNITS "}");
	program_file("c.json",
		     "{\"stats\": {\"cycles\": 1250, \"time\": 2.5, \"rate\": 0.125, \"hits\": 40, \"sm.0.hits\": 3}, " UNITS "}");
}
TestSuite(diff, .init = three_results);

static struct program diff(const char *args)
{
	return program_run("cd %s && locus diff %s", program_tmp(), args);
}

/* b: half the time; c: 2 / 2.5. hits differ by 30 in 10, rate by an eighth in an eighth, time by one in two. */
Test(diff, of_three_is_one_table)
{
	struct program p = diff("a.json b.json c.json");

	cr_expect_eq(p.status, 0);
	cr_expect_str_eq(p.out, "  metric    unit             a      b   change      c   change\n"
				"  speed-up  times        1.000  2.000           0.800\n"
				"  cycles    core cycles  1,000  1,000        =  1,250   +25.0%\n"
				"  time      us               2      1   -50.0%    2.5   +25.0%\n"
				"  hits                      10     10        =     40  +300.0%\n"
				"  rate      %             12.5     25  +100.0%   12.5        =\n");
	program_free(&p);
}

Test(diff, of_two_lists_what_differs_between_them)
{
	struct program p = diff("b.json a.json");

	cr_expect_str_eq(p.out, "  metric    unit       b      a   change\n"
				"  speed-up  times  1.000  0.500\n"
				"  time      us         1      2  +100.0%\n"
				"  rate      %         25   12.5   -50.0%\n");
	program_free(&p);
}

Test(diff, shows_details_with_all)
{
	struct program p = diff("--all a.json b.json");

	cr_expect(strstr(p.out, "  sm.0.hits             3      9  +200.0%\n"), "%s", p.out);
	program_free(&p);
	p = diff("a.json b.json c.json");
	cr_expect_null(strstr(p.out, "sm.0"));
	program_free(&p);
}

Test(diff, makes_a_difference_a_status_with_exit_code)
{
	static const struct {
		const char *args;
		int status;
	} all[] = {{"a.json b.json", 0},
		   {"a.json a.json", 0},
		   {"--exit-code a.json a.json", 0},
		   {"--exit-code a.json b.json", 1},
		   {"--exit-code a.json a.json b.json", 1},
		   {"-e a.json a.json a.json", 0}};

	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
		struct program p = diff(all[i].args);

		cr_expect_eq(p.status, all[i].status, "%s: %d", all[i].args, p.status);
		program_free(&p);
	}
}

Test(diff, of_a_figure_that_comes_and_goes_says_so)
{
	struct program p;

	program_file("x.json", "{\"stats\": {\"cycles\": 4, \"old\": 1, \"zero\": 0}}");
	program_file("y.json", "{\"stats\": {\"cycles\": 2, \"young\": 1, \"zero\": 7}}");
	p = diff("x.json y.json");
	cr_expect_str_eq(p.out, "  metric    unit       x      y  change\n"
				"  speed-up  times  1.000  2.000\n"
				"  cycles               4      2  -50.0%\n"
				"  old                  1      -    gone\n"
				"  young                -      1     new\n"
				"  zero                 0      7  from 0\n");
	program_free(&p);
}

/* 1 to 3,049 and to 0.5 and 102 (a hundredfold is 101 of 1), 0 to 5: headlines first, what has no base last. */
Test(diff, lists_headlines_first_and_tiny_bases_last)
{
	struct program p;

	program_file("x.json",
		     "{\"stats\": {\"a.zero\": 0, \"b.tiny\": 1, \"c.small\": 1, \"d.half\": 1, \"ipc.warp\": 2, \"cycles\": 8}}");
	program_file("y.json", "{\"stats\": {\"a.zero\": 5, \"b.tiny\": 3049, \"c.small\": 101, \"d.half\": 0.5, \"ipc.warp\": "
			       "2.5, \"cycles\": 4}}");
	p = diff("x.json y.json");
	cr_expect_str_eq(p.out, "  metric    unit       x      y      change\n"
				"  speed-up  times  1.000  2.000\n"
				"  cycles               8      4      -50.0%\n"
				"  ipc.warp             2    2.5      +25.0%\n"
				"  c.small              1    101   +10000.0%\n"
				"  d.half               1    0.5      -50.0%\n"
				"  b.tiny               1  3,049  3049 times\n"
				"  a.zero               0      5      from 0\n");
	program_free(&p);
}

Test(diff, labels_distinguish_files_of_one_name)
{
	struct program p =
		program_run("cd %s && mkdir one two && cp a.json one/ && cp b.json two/a.json && locus diff one/a.json two/a.json",
			    program_tmp());

	cr_expect(strstr(p.out, " one/a.json  two/a.json   change\n"), "%s", p.out);
	program_free(&p);
}

Test(diff, says_that_runs_did_not_do_the_same)
{
	struct program p;

	program_file("x.json", "{\"stats\": {\"cycles\": 4, \"warp_insts\": 8}}");
	program_file("y.json", "{\"stats\": {\"cycles\": 2, \"warp_insts\": 4}}");
	p = diff("x.json y.json x.json");
	cr_expect(strstr(p.out, "y.json issued other instructions than x.json: the speed-up does not compare the same work\n"),
		  "%s", p.out);
	program_free(&p);
	p = diff("a.json b.json");
	cr_expect_null(strstr(p.out, "issued"));
	program_free(&p);
}

Test(diff, sends_no_control_character_of_a_file_to_the_terminal)
{
	struct program p;

	program_file("x.json", "{\"stats\": {\"a\\u001b[31m\": 4}, \"units\": {\"a\\u001b[31m\": \"\\u0007\"}}");
	program_file("y.json", "{\"stats\": {\"a\\u001b[31m\": 5}}");
	p = diff("x.json y.json");
	cr_expect(strstr(p.out, "  a?[31m  ?     4  5  +25.0%\n"), "%s", p.out);
	program_free(&p);
}

/* The units in the JSON are those of the printed table. */
Test(diff, takes_units_from_results)
{
	struct program p =
		program_run("cd %s && locus run vectoradd --size test --json v.json >/dev/null && locus run vectoradd --size test "
			    "--set l1.latency=99 --json w.json >/dev/null && locus diff v.json w.json",
			    program_tmp());

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "  cycles ") && strstr(strstr(p.out, "  cycles "), " core cycles "), "%s", p.out);
	cr_expect_eq(strncmp(strchr(p.out, '\n') + 1, "  speed-up ", 11), 0, "%s", p.out);
	program_free(&p);
}

Test(diff, of_one_file_is_refused)
{
	struct program p = diff("a.json");

	cr_expect_eq(p.status, 2);
	cr_expect_str_eq(p.err, "locus diff: needs two JSON files or more\n");
	program_free(&p);
}

/* A result without figures would differ from nothing. */
Test(diff, of_results_without_figures_is_refused)
{
	struct program p;

	program_file("empty.json", "{\"stats\": {}}");
	p = diff("--exit-code empty.json empty.json");
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "empty.json: \"stats\" has no metrics"), "%s", p.err);
	program_free(&p);
}
