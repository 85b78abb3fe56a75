/* 976: docs/reference/keys.md, metric-list.md, options.md, workload-list.md and launch-keys.md are what
 * scripts/reference makes of the program's lists and help; it escapes what Markdown would interpret.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/program.h"

Test(reference, the_committed_pages_are_those_of_the_program)
{
	static const char *const pages[] = {"keys.md", "metric-list.md", "options.md", "workload-list.md", "launch-keys.md"};
	struct program p = program_run("scripts/reference \"${LOCUS_BUILD:-build}/locus\" %s", program_tmp());
	char path[100];

	cr_assert_eq(p.status, 0, "%s", p.err);
	for (unsigned i = 0; i < sizeof pages / sizeof pages[0]; i++) {
		char *made = program_text(program_path(pages[i])), *kept;

		snprintf(path, sizeof path, "docs/reference/%s", pages[i]);
		kept = program_text(path);
		cr_expect(!strcmp(made, kept), "%s differs: make reference writes it anew", path);
		free(made);
		free(kept);
	}
	program_free(&p);
}

/* A program with one command, two keys in two sections, and metrics that are numbered. */
#define FAKE                                                                                                                       \
	"#!/bin/sh\n"                                                                                                              \
	"case \"$*\" in\n"                                                                                                         \
	"'list machines') echo 'machines  description'; echo '  m_      is * one' ;;\n"                                            \
	"'list keys') echo 'keys    gtx480  unit  legal  meaning'\n"                                                               \
	"             echo '  a.b   x                    p.* <= [q] & \\ `r` ~s _t_ u_v'\n"                                        \
	"             echo '  c.d   y|z     ms    y|z    last|word' ;;\n"                                                          \
	"'list metrics') echo 'metrics  unit  shown for  meaning'\n"                                                               \
	"                for n in 0 1 2; do echo \"  w$n     -     run        count\"; done\n"                                     \
	"                echo '  w3     -     run        sum' ;;\n"                                                                \
	"'list workloads') echo 'workloads  suite  pattern  sharing  launches  size: test / default / paper  in the papers'\n"     \
	"                  echo '  w_       S      p        high     1         1 / 2 / 3                     x W; y V' ;;\n"       \
	"'list w_') echo 'w_          sums_'\n"                                                                                    \
	"           echo '  accesses  A[i]'\n"                                                                                     \
	"           echo\n"                                                                                                        \
	"           echo 'options  test / default / paper  meaning'\n"                                                             \
	"           echo '  n      1 / 2 / 3               words' ;;\n"                                                            \
	"--help) echo '  run  runs' ;;\n"                                                                                          \
	"*) echo \"$*\" ;;\n"                                                                                                      \
	"esac\n"

Test(reference, escapes_markdown_and_joins_numbered_names)
{
	struct program p;

	program_file("fake", FAKE);
	p = program_run("chmod +x %s/fake && scripts/reference %s/fake %s && cd %s && cat keys.md metric-list.md options.md "
			"workload-list.md",
			program_tmp(), program_tmp(), program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "\n## Machines\n\n| machine | description |\n| --- | --- |\n| `m_` | is \\* one |\n"), "%s", p.out);
	cr_expect(strstr(p.out, "\n## a\n\n| key | gtx480 | unit | legal values | meaning |\n| --- | --- | --- | --- | --- |\n"
				"| `a.b` | `x` |  |  | p.\\* \\<= \\[q\\] \\& \\\\ \\`r\\` \\~s \\_t\\_ u\\_v |\n\n## c\n"),
		  "%s", p.out);
	cr_expect(strstr(p.out, "| `c.d` | `y\\|z` | ms | `y\\|z` | last\\|word |\n"), "%s", p.out);
	cr_expect(strstr(p.out, "| `w0` to `w2` | - | run | count |\n| `w3` | - | run | sum |\n"), "%s", p.out);
	cr_expect(strstr(p.out, "\n## locus run\n\n```\nrun --help\n```\n"), "%s", p.out);
	cr_expect(strstr(p.out, "\n## Planners\n") && strstr(p.out, "```\nlist planners\n```\n"), "%s", p.out);
	cr_expect(strstr(p.out,
			 "\n| `w_` | S | p | high | 1 | 1 / 2 / 3 | x W; y V |\n\n## w_\n\nsums\\_\n\n"
			 "| property | value |\n| --- | --- |\n| accesses | A\\[i\\] |\n\n"
			 "| option | test / default / paper | meaning |\n| --- | --- | --- |\n| `n` | 1 / 2 / 3 | words |\n"),
		  "%s", p.out);
	program_free(&p);
}

/* An unknown key is refused with a list of the legal ones, each of which `locus list launch-keys` explains. */
Test(reference, has_every_key_that_a_launch_file_takes)
{
	static const struct {
		const char *mapping, *path;
	} at[] = {{"wrong: 1\n", ""},
		  {"buffers: {x: {wrong: 1}}\nlaunches: []\n", "buffers.NAME."},
		  {"launches: [{wrong: 1}]\n", "launches."}};
	struct program list = program_run("locus list launch-keys");
	unsigned n = 0;

	cr_assert_eq(list.status, 0, "%s", list.err);
	for (unsigned i = 0; i < sizeof at / sizeof at[0]; i++) {
		static const char before[] = "(legal ones: ";
		struct program p;
		char *keys, text[8192], here[4096], row[100];

		cr_assert_not_null(getcwd(here, sizeof here));
		snprintf(text, sizeof text, "ptx: %s/traces/examples/kernel.ptx\n%s", here, at[i].mapping);
		program_file("wrong.yaml", text);
		p = program_run("locus run %s/wrong.yaml", program_tmp());
		cr_assert_eq(p.status, 2, "%s", p.out);
		keys = strstr(p.err, before);
		cr_assert_not_null(keys, "%s", p.err);
		for (char *save, *key = strtok_r(keys + strlen(before), " )\n", &save); key;
		     key = strtok_r(NULL, " )\n", &save), n++) {
			snprintf(row, sizeof row, "\n  %s%s ", at[i].path, key);
			cr_expect_not_null(strstr(list.out, row), "%s", row);
		}
		program_free(&p);
	}
	cr_expect_eq(n, 10 + 13 + 8);
	program_free(&list);
}
