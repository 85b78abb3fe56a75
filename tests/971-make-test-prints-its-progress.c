/* 971: `make test` (scripts/run-tests) prints the progress of Criterion programs and closes with their sum. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* Its first test is named like the one below, so that its number is that of this file. */
#define SLOW                                                                                                                       \
	"#include <criterion/criterion.h>\n#include <stdlib.h>\n#include <unistd.h>\n"                                             \
	"Test(test_progress, is_printed_within_ten_seconds) { sleep(11); }\n"                                                      \
	"Test(of_no_file, fails) { cr_assert(0, \"the message\"); }\n"                                                             \
	"Test(of_no_file, crashes) { abort(); }\n"                                                                                 \
	"Test(of_no_file, is_off, .disabled = true) { }\n"                                                                         \
	"Test(of_no_file, lacks_a_tool) { cr_skip_test(\"no tool\"); }\n"
#define QUICK                                                                                                                      \
	"#include <criterion/criterion.h>\n"                                                                                       \
	"Test(of_no_file, passes) { }\n"

/* Each line is prefixed with the second in which it was printed. Two tests pass; two fail, one of them by a crash; one
 * is skipped.
 * BXFI_MAP tells a Criterion program that it is a test's child process. */
Test(test_progress, is_printed_within_ten_seconds)
{
	struct program p;
	unsigned at, seconds, done, all, passed, failed;
	const char *line;

	program_file("slow.c", SLOW);
	program_file("quick.c", QUICK);
	p = program_run("cd %s && gcc slow.c -o slow -lcriterion && gcc quick.c -o quick -lcriterion", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run(
		"env -u BXFI_MAP bash -c 'scripts/run-tests %s %s/slow %s/quick | while read -r l; do echo \"$SECONDS $l\"; done; "
		"echo status ${PIPESTATUS[0]}'",
		program_tmp(), program_tmp(), program_tmp());
	cr_expect_str_empty(p.err);
	for (line = strstr(p.out, " tests done, "); line && line > p.out && line[-1] != '\n';)
		line--;
	cr_assert(line, "%s", p.out);
	cr_assert_eq(
		sscanf(line, "%u %u s: %u of %u tests done, %u passed, %u failed", &at, &seconds, &done, &all, &passed, &failed), 6,
		"%s", p.out);
	cr_expect(at <= 10 && seconds <= 10 && all == 5 && done == passed + failed + 1, "%s", p.out);
	cr_expect(strstr(line, "; running: 971"), "%s", p.out);
	cr_expect(strstr(p.out, "the message"), "%s", p.out);
	cr_expect(strstr(p.out, " s  971 test_progress::is_printed_within_ten_seconds\n"), "%s", p.out);
	cr_expect(strstr(p.out, " skipped tests, which checked nothing:\n"), "%s", p.out);
	cr_expect(strstr(p.out, " of_no_file::lacks_a_tool: no tool\n"), "%s", p.out);
	cr_expect(strstr(p.out, " 2 passed, 2 failed\nstatus 1\n"), "%s", p.out);
	program_free(&p);
}
