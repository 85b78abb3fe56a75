/* 901: the kernel.ptx that is kept beside each kernel.cu is what the compiler makes of it. */
#include <criterion/criterion.h>

#include "support/program.h"

Test(kept_ptx, is_what_clang_makes_of_each_kernel)
{
	struct program p = program_run("command -v clang-14 >/dev/null || exit 77\n"
				       "unset MAKEFLAGS MAKELEVEL; make -s ptx PTX_OUT='%s/ptx' || exit 2\n"
				       "for f in traces/*/kernel.cu; do f=${f#traces/}; f=${f%%.cu}.ptx\n"
				       "diff \"traces/$f\" '%s/ptx/'\"$f\" || exit 1; done",
				       program_tmp(), program_tmp());

	if (p.status == 77)
		cr_skip_test("no clang-14 here");
	cr_expect_eq(p.status, 0, "`make ptx` would change this:\n%s%s", p.out, p.err);
	program_free(&p);
}

Test(kept_ptx, is_beside_every_kernel)
{
	struct program p = program_run("for f in traces/*/kernel.cu; do [ -s \"${f%%.cu}.ptx\" ] || echo \"$f\"; done");

	cr_expect_str_eq(p.out, "", "no kernel.ptx for %s", p.out);
	program_free(&p);
}

/* Its sources are "./traces/...", as seen from the checkout. */
Test(kept_ptx, names_no_folder_of_the_machine_that_made_it)
{
	struct program p = program_run("grep -nE '\\.file[^\"]*\"[^.]|/(home|usr|root|tmp|opt)' traces/*/kernel.ptx; true");

	cr_expect_str_eq(p.out, "", "%s", p.out);
	program_free(&p);
}
