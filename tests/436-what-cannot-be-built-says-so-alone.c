/* 436: a cache that cannot pin, or whatever else cannot be built for a run, is told in one line on
 * stderr, with nothing on standard output. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

Test(building, fails_in_one_line_alone)
{
	static const char *const rows[][2] = {
		{"run bfs --size test --set l1.assoc=32 --set l1.bytes=64K --l1-pin buffers:hard=edge",
		 "l1.pin: pin replacement: 32 ways: 1 to 16 are possible"},
		{"run histo --size test --set l1.assoc=32 --set l1.bytes=64K --plan ldesc-cache",
		 "l1.pin: pin replacement: 32 ways: 1 to 16 are possible"},
		{"run bfs --size test --l1-pin buffers:hard=nope", "l1.pin.hard: the program has no buffer \"nope\""},
		{"run vectoradd --size test --set vm.enabled=true --set vm.stack_mib=2 --set vm.page=2M", "vm.stack_mib"},
		{"run vectoradd --arg n=2M --set vm.stack_mib=1 --on cpu --machine ndp4", "vm.stack_mib"},
	};

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct program p = program_run("locus %s", rows[i][0]);

		cr_expect(program_is_clean_error(&p), "%s", rows[i][0]);
		cr_expect(strstr(p.err, rows[i][1]), "%s: %s", rows[i][0], p.err);
		cr_expect_str_empty(p.out, "%s", rows[i][0]);
		program_free(&p);
	}
}

/* The title is there all the same where a run begins, and once. */
Test(building, that_succeeds_prints_the_title)
{
	struct program p = program_run("locus run vectoradd --size test");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect_eq(strncmp(p.out, "vectoradd 16384 on gtx480: 15 SMs", 33), 0, "%s", p.out);
	cr_expect_null(strstr(p.out + 1, "vectoradd 16384 on gtx480"));
	program_free(&p);
}
