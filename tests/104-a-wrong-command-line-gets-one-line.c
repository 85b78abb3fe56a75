/* 104: what is wrong with a command line is said in one line on stderr, with status 2. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

Test(command_line, complaints_are_one_line_and_name_the_option)
{
	static const struct {
		const char *command, *names;
	} bad[] = {
		{"", "needs a command"},
		{"''", "no command"},
		{"rnu syrk", "did you mean \"run\"?"},
		{"'one\ntwo'", "no command \"one?two\""},
		{"run $(head -c 65536 /dev/zero | tr '\\0' a)", "aaa\" (see locus list)"},
		{"run ''", "no workload"},
		{"run syrk --machine gtx48", "did you mean \"gtx480\"?"},
		{"run syrk --arg ptich=4K", "did you mean \"pitch\"?"},
		{"run syrk --set l1.assoc=", "whole number"},
		{"run syrk --set l1.assoc=1e3", "whole number"},
		{"run syrk --set l1.assoc=99999999999999999999", "whole number"},
		{"run syrk --max-cycles -1", "--max-cycles"},
		{"run syrk --threads 0", "--threads"},
		{"list skyr", "did you mean \"syrk\"?"},
		{"blocks prc", "did you mean \"pric\"?"},
		{"blocks pric --params set=32", "did you mean \"sets\"?"},
		{"cosim syrk --hw prick=rtl", "did you mean \"pric\"?"},
		{"cosim syrk --hw ''", "--hw"},
		{"cosim syrk --wave-window 0:5", "--wave "},
		{"trace dump x.ltrace --cta -1", "--cta"},
		{"cache x.din --size 1e3", "--size"},
		{"index --line 99999999999999999999 0", "--line"},
		{"bench --repeat 1e1", "--repeat"},
		{"graph", "workload"},
		{"graph matmul syrk", "a second one"},
		{"graph matmul --launch -1", "--launch"},
		{"graph matmul --source ptx", "neither static nor trace"},
		{"graph matmul --unit page", "neither element nor line"},
		{"graph matmul --cap 0", "--cap"},
		{"bench nothing", "nothing"},
		{"diff . .", ".: Is a directory"},
		{"diff onlyone.json", "two JSON files"},
		{"diff --nonsense a b", "--nonsense"},
		{"bench --repeat", "--repeat"},
		{"bench --repeat 0", "--repeat"},
		{"run", "workload"},
		{"run syrk --machine", "--machine"},
		{"run syrk --s=1", "--set"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = program_run("locus %s", bad[i].command);
		const char *newline = strchr(p.err, '\n');

		cr_assert_eq(p.status, 2, "%s", bad[i].command);
		cr_assert(newline && !newline[1] && !strncmp(p.err, "locus", 5), "%s: %s", bad[i].command, p.err);
		cr_assert(strstr(p.err, bad[i].names), "%s: %s", bad[i].command, p.err);
		cr_assert_str_empty(p.out);
		program_free(&p);
	}
}

Test(command_line, the_environment_is_told_what_is_wrong_with_it_too)
{
	struct program p = program_run("LOCUS_THREADS=17 locus run syrk --size test");

	cr_assert_eq(p.status, 2);
	cr_assert_str_eq(p.err, "locus run: LOCUS_THREADS: \"17\" is not a whole number from 1 to 16\n");
	program_free(&p);
}

Test(command_line, help_goes_to_stdout_in_80_columns_and_ends_with_examples)
{
	static const char *const commands[] = {"run",	"diff",	 "bench",  "record", "trace",	  "ptx",  "list",   "cache", "dram",
					       "index", "cosim", "replay", "graph",  "footprint", "plan", "report", "cuda"};

	for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		struct program p = program_run("locus %s --help", commands[i]);
		size_t widest = 0;

		for (const char *c = p.out; *c; c += strcspn(c, "\n") + 1)
			widest = strcspn(c, "\n") > widest ? strcspn(c, "\n") : widest;
		cr_assert_eq(p.status, 0, "%s: %s", commands[i], p.err);
		cr_assert_leq(widest, 80, "%s: %zu columns", commands[i], widest);
		cr_assert(strstr(p.out, "xamples:\n"), "%s", commands[i]);
		cr_assert_str_empty(p.err);
		program_free(&p);
	}
}
