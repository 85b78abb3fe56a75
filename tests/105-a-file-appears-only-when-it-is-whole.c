/* 105: what a run writes takes its name only when it is whole: a run that fails leaves the older file, and nothing
 * beside it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* Runs `command` in a fresh folder that holds `older`, with the text "older". It must fail with one line that has
 * `says`. */
static void fails_and_leaves(const char *older, const char *command, const char *says)
{
	struct program p = program_run("cd %s && mkdir d && cd d && echo older >%s && locus %s", program_tmp(), older, command);
	struct program left = program_run("cd %s/d && cat %s && ls && cd .. && rm -r d", program_tmp(), older);
	char want[256];

	snprintf(want, sizeof want, "older\n%s\n", older);
	cr_assert(program_is_clean_error(&p), "%s", command);
	cr_assert(strstr(p.err, says), "%s: %s", command, p.err);
	cr_assert_str_eq(left.out, want, "%s", command);
	program_free(&p);
	program_free(&left);
}

Test(output_files, a_failing_run_leaves_the_older_result)
{
	fails_and_leaves("r.json", "run nosuch --json r.json", "no workload");
	fails_and_leaves("r.json", "run syrk --size test --arg zz=1 --json r.json", "--arg zz=1");
	fails_and_leaves("r.json", "run syrk --size test --set sm.registers=32 --json r.json", "registers");
	fails_and_leaves("r.json", "cosim nosuch --json r.json", "no workload");
	fails_and_leaves("t.json", "run syrk --size test --arg zz=1 --timeline t.json", "--arg zz=1");
	fails_and_leaves("t.json", "cosim nosuch --timeline t.json", "no workload");
	fails_and_leaves("r.ltrace", "record syrk --size test --arg pitch=1 -o r.ltrace", "--arg pitch=1");
}

Test(output_files, a_wrong_path_is_reported)
{
	static const char *const command[] = {"run syrk --size test --json", "cosim syrk --size test --json",
					      "record syrk --size test -o", "run syrk --size test --timeline"};
	static const char *const path[] = {"/nonexistent/x", "/", "''"};

	for (unsigned c = 0; c < sizeof command / sizeof command[0]; c++)
		for (unsigned i = 0; i < 3; i++) {
			struct program p = program_run("locus %s %s", command[c], path[i]);

			cr_assert(program_is_clean_error(&p), "%s %s", command[c], path[i]);
			cr_assert(strstr(p.err, "cannot write"), "%s", p.err);
			program_free(&p);
		}
}

/* A result that does not fit on the disk is an error; the device is still one. */
Test(output_files, a_device_is_written_to_and_not_replaced)
{
	static const char *const option[] = {"--json", "--timeline"};
	struct program p;

	for (unsigned i = 0; i < 2; i++) {
		p = program_run("locus run vectoradd --size test %s /dev/full", option[i]);
		cr_assert(program_is_clean_error(&p));
		cr_assert(strstr(p.err, "No space left on device"), "%s", p.err);
		program_free(&p);
	}
	p = program_run("cd %s && mkfifo pipe && locus record vectoradd --size test -o pipe", program_tmp());
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
	p = program_run("test -p %s/pipe", program_tmp());
	cr_assert_eq(p.status, 0);
	program_free(&p);
	p = program_run("locus run vectoradd --size test --json /dev/stdout | grep -c '\"trace_hash\"'");
	cr_assert_str_eq(p.out, "1\n");
	program_free(&p);
}
