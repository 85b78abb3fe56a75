/* 917: what is under "Examples:" in each --help does what it says when it is pasted in the checkout's folder. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* A folder that has what the checkout has, for reading. */
static void fresh_folder(void)
{
	struct program p = program_run("ln -s $PWD/traces $PWD/rtl %s", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

/* A file whose every output differs from ours, and its bundle: these end with 1, as they should. */
static int expected(const char *example)
{
	return strstr(example, "=my.v") || strstr(example, "--minimize");
}

/* The address sanitizer wants more addresses than --memory leaves. */
static void without_limit(char *example)
{
#if defined(__SANITIZE_ADDRESS__)
	char *limit = strstr(example, " --memory ");

	if (limit)
		*limit = '\0';
#else
	(void)example;
#endif
}

static unsigned run_examples(const char *command)
{
	struct program help = program_run("locus %s --help", command), p;
	char *at = strstr(help.out, "Examples:\n"), *line, *save = NULL;
	unsigned n = 0;

	cr_assert_not_null(at, "%s", command);
	for (line = strtok_r(at + 10, "\n", &save); line; line = strtok_r(NULL, "\n", &save), n++) {
		cr_assert_eq(strncmp(line, "  ", 2), 0, "an example has a line of its own: %s", line);
		without_limit(line);
		p = program_run("cd %s && %s", program_tmp(), line);
		cr_assert_eq(p.status, expected(line), "%s: status %d\n%s", line, p.status, p.err);
		cr_assert(expected(line) || !*p.err, "%s: %s", line, p.err);
		program_free(&p);
	}
	program_free(&help);
	return n;
}

Test(help, examples_run_as_they_stand)
{
	/* In this order: replay takes what cosim left. `locus bench` takes longer than a test may. */
	static const char *const commands[] = {"run",	  "cosim", "replay", "blocks", "cache", "dram",	   "diff",	"index",
					       "decode",  "list",  "ptx",    "record", "trace", "plan",	   "footprint", "graph",
					       "profile", "why",   "report", "sweep",  "check", "machine", "signoff"};

	fresh_folder();
	for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++)
		cr_assert_geq(run_examples(commands[i]), 2, "%s", commands[i]);
}
