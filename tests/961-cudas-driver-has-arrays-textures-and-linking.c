/* 961: CUDA's driver interface beyond memory and launches (tests/cuda/driver_views.c). Answers are those of the CUDA
 * Driver API's documentation, values of texels are worked out by hand. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

Test(cuda_driver, has_arrays_textures_and_linking)
{
	struct program p =
		program_run("gcc -Wall -Wextra -Werror -Iharness/cuda/include tests/cuda/driver_views.c -Lbuild/cuda -lcuda "
			    "-o %s/views && locus cuda --only-execute --machine titanv %s/views",
			    program_tmp(), program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_expect_eq(strncmp(p.out, "views: passed\n", 14), 0, "%s", p.out);
	cr_expect_str_eq(p.err, "locus: machine is machine code; PTX and fat binaries with PTX can be linked\n");
	program_free(&p);
}
