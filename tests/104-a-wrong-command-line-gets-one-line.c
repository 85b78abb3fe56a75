/* 104: what is wrong with a command line is said in one line on stderr, with status 2. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

Test(command_line, complaints_are_one_line_and_name_the_option)
{
	static const struct {
		const char *command, *names;
	} bad[] = {
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
		cr_assert(newline && !newline[1], "%s: %s", bad[i].command, p.err);
		cr_assert(strstr(p.err, bad[i].names), "%s: %s", bad[i].command, p.err);
		cr_assert_str_empty(p.out);
		program_free(&p);
	}
}

Test(command_line, help_goes_to_stdout_fits_a_screen_and_ends_with_examples)
{
	static const char *const commands[] = {"run",  "diff",	"bench", "record", "trace", "ptx",
					       "list", "cache", "index", "cosim",  "replay"};

	for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		struct program p = program_run("locus %s --help", commands[i]);
		unsigned lines = 0;

		for (const char *c = p.out; *c; c++)
			lines += *c == '\n';
		cr_assert_eq(p.status, 0, "%s: %s", commands[i], p.err);
		cr_assert_leq(lines, 50, "%s: %u lines", commands[i], lines);
		cr_assert(strstr(p.out, "xamples:\n"), "%s", commands[i]);
		cr_assert_str_empty(p.err);
		program_free(&p);
	}
}
