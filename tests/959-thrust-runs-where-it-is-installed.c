/* 959: a program of Thrust's (Debian: libthrust-dev, libcub-dev), built by `locus nvcc`; where Thrust is not installed
 * the test says so and is skipped. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

static bool has_thrust(void)
{
	struct program p =
		program_run("echo '#include <thrust/version.h>\n#include <cub/version.cuh>' | g++ -E -x c++ - >/dev/null");
	bool has = p.status == 0;

	program_free(&p);
	return has;
}

Test(thrust, reduces_sorts_and_scans)
{
	struct program p;

	if (!has_thrust())
		cr_skip_test("959: Thrust is not installed (libthrust-dev, libcub-dev)");
	p = program_run(
		"locus nvcc -O1 -arch=sm_70 tests/cuda/thrust.cu -o %s/thrust && locus cuda --only-execute --machine titanv "
		"%s/thrust",
		program_tmp(), program_tmp());
	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_expect(strstr(p.out, "thrust: passed\n"), "%s%s", p.out, p.err);
	program_free(&p);
}
