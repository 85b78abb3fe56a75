/* 958: functions of CUDA's driver interface by name, from a program that is linked to the runtime alone
 * (tests/cuda/entry.c). Answers are those of the CUDA Driver API's and Runtime API's documentation, numbers are worked
 * out by hand. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

Test(cuda_entry_points, are_found_by_name_and_version)
{
	struct program p =
		program_run("gcc -Wall -Wextra -Werror -Iharness/cuda/include tests/cuda/entry.c -Lbuild/cuda -lcudart -o "
			    "%s/entry && locus cuda --only-execute --machine titanv %s/entry",
			    program_tmp(), program_tmp());

	/* It launches nothing, which locus cuda says. */
	cr_expect_eq(p.status, 2, "%s%s", p.out, p.err);
	cr_expect_str_eq(p.out, "entry: passed\n", "%s%s", p.out, p.err);
	cr_expect(strstr(p.err, "launched no kernel, and ended with exit status 0"), "%s", p.err);
	program_free(&p);
}
