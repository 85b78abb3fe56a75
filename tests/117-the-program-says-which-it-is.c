/* 117: what locus --version prints. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

#define COPY "cp \"${LOCUS_BUILD:-build}/locus\" "

/* Help and version are what one asks a program that does not run. */
Test(version, and_help_need_no_root)
{
	struct program p = program_run(COPY "%s && cd %s && ./locus --help && ./locus run --help && ./locus --version",
				       program_tmp(), program_tmp());

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "root      none\n"), "%s", p.out);
	program_free(&p);
}

Test(version, is_the_makefiles_and_names_the_commit)
{
	struct program p = program_run("locus --version >%s/v && "
				       "head -1 %s/v | grep -qx \"locus $(sed -n 's/^VERSION *:= *//p' Makefile)\" && "
				       "grep -q \"^source    $(git describe --always)\" %s/v && "
				       "grep -qF \"root      $(realpath .)/\" %s/v",
				       program_tmp(), program_tmp(), program_tmp(), program_tmp());

	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}
