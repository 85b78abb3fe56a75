/* 116: where the program finds machines, kernels and RTL: in its checkout, beside PREFIX/bin, or where LOCUS_ROOT says;
 * a copy of the program alone says that it has none. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

#define COPY "cp \"${LOCUS_BUILD:-build}/locus\" "

Test(root, a_copy_of_the_program_alone_says_what_is_missing)
{
	struct program p =
		program_run("mkdir %s/x && " COPY "%s/x && %s/x/locus list machines", program_tmp(), program_tmp(), program_tmp());

	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "/x") && strstr(p.err, "LOCUS_ROOT"), "where it looked, and what to set: %s", p.err);
	cr_expect_str_empty(p.out);
	program_free(&p);
}

Test(root, may_be_set)
{
	struct program p = program_run(COPY "%s && LOCUS_ROOT=$PWD %s/locus list machines", program_tmp(), program_tmp());

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "gtx480"));
	program_free(&p);
	p = program_run("LOCUS_ROOT=%s locus list machines", program_tmp());
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "LOCUS_ROOT"));
	program_free(&p);
}

Test(root, is_beside_the_folder_of_an_installed_program)
{
	struct program p = program_run("cd %s && mkdir -p bin lib/locus && ln -s \"$OLDPWD/csim\" lib/locus && cd $OLDPWD && " COPY
				       "%s/bin && cd / && %s/bin/locus list machines",
				       program_tmp(), program_tmp(), program_tmp());

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "gtx480"));
	program_free(&p);
}
