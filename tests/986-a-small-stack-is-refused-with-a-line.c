/* 986: below the stack that Locus needs, every command ends with one line; where the hard limit leaves room, a soft
 * limit is raised. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

static const char *const commands[] = {
	"run vectoradd --size test",
	"ptx traces/syrk/kernel.ptx",
	"plan syrk --size test --plan coda",
	"profile vectoradd --size test",
	"record vectoradd --size test -o /dev/null",
	"check reduction --size test",
	"footprint vectoradd --size test",
	"list machines",
	"--version",
};
enum { COMMANDS = sizeof commands / sizeof *commands };

Test(small_stack, is_refused_with_one_line)
{
	static const int kilobytes[] = {64, 128, 256};

	for (unsigned k = 0; k < 3; k++)
		for (unsigned i = 0; i < COMMANDS; i++) {
			struct program p = program_run("ulimit -s %d; locus %s", kilobytes[k], commands[i]);

			cr_expect_eq(p.status, 2, "%d KB, %s: status %d", kilobytes[k], commands[i], p.status);
			cr_expect_eq(program_is_clean_error(&p), 1, "%d KB, %s: %s", kilobytes[k], commands[i], p.err);
			cr_expect(strstr(p.err, "ulimit -s"), "%s", p.err);
			program_free(&p);
		}
}

Test(small_stack, is_enough_from_the_least_that_the_line_names_on)
{
	for (unsigned i = 0; i < COMMANDS; i++) {
		struct program p;

		if (strstr(commands[i], "/dev/null"))
			continue;
		p = program_run("ulimit -s 512; locus %s", commands[i]);
		cr_expect_eq(p.status, 0, "512 KB, %s: status %d\n%s", commands[i], p.status, p.err);
		program_free(&p);
		/* a soft limit alone is no hindrance */
		p = program_run("ulimit -S -s 64; locus %s", commands[i]);
		cr_expect_eq(p.status, 0, "soft 64 KB, %s: status %d\n%s", commands[i], p.status, p.err);
		program_free(&p);
	}
}

/* What a text nests takes no stack of its own: 100,000 functions, each of which calls the one before. */
Test(small_stack, is_enough_for_a_long_chain_of_calls)
{
	enum { FUNCTIONS = 100000 };
	FILE *f = fopen(program_path("chain.ptx"), "w");
	struct program p;

	cr_assert_not_null(f);
	fputs(".version 7.8\n.target sm_80\n.address_size 64\n.func f0() { ret; }\n", f);
	for (int i = 1; i < FUNCTIONS; i++)
		fprintf(f, ".func f%d() { call f%d; ret; }\n", i, i - 1);
	fprintf(f, ".visible .entry k() { call f%d; ret; }\n", FUNCTIONS - 1);
	cr_assert_eq(fclose(f), 0);
	p = program_run("ulimit -s 512; locus ptx %s", program_path("chain.ptx"));
	cr_expect_eq(p.status, 0, "status %d: %s", p.status, p.err);
	program_free(&p);
}
