/* 836: scripts/results, which `make results` calls, stops at its limit of time, resumes where it was, and states the
 * processor time of the complete studies. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"

/* A checkout with the scripts and a locus whose study "slow" ends only when the file `go` is there. A study has the
 * number of its calls in a file. */
static void checkout(void)
{
	struct program p;

	program_file("locus", "#!/bin/sh\n"
			      "echo call >>$2-calls\n"
			      "[ $2 != slow ] || [ -e go ] || exec sleep 100\n"
			      "[ $2 != failing ] || exit 1\n"
			      "printf 'Figure 1: speed-up\\n\\n| program | ours |\\n| --- | ---: |\\n| near | 1.10 |\\n'\n"
			      "printf '\\n`locus study %s`, version 0123abc: 3 runs, 1.5 minutes of one processor.\\n' $2\n");
	program_file("headlines.list", "# A paper\n\nnear\n1 1.20\nslow > Figure 1 > near > ours\n-\ndefault\n-\n\n");
	p = program_run("mkdir -p %s/scripts %s/docs/results %s/build && cp scripts/results scripts/keep-result scripts/headlines "
			"%s/scripts && cd %s && mv headlines.list scripts && mv locus build && chmod +x build/locus",
			program_tmp(), program_tmp(), program_tmp(), program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

static struct program results(const char *args)
{
	return program_run("cd %s && scripts/results build %s", program_tmp(), args);
}

static bool says(const struct program *p, const char *line)
{
	return strstr(p->err, line) != NULL;
}

static bool exists(const char *name)
{
	struct stat s;

	return stat(program_path(name), &s) == 0;
}

Test(results, stop_at_their_limit_and_resume)
{
	struct program p;

	checkout();
	p = results("2s quick slow");
	cr_expect_eq(p.status, 3, "%s", p.err);
	cr_expect(says(&p, "results: stopped in the study slow after 2 seconds; the next call resumes there\n"), "%s", p.err);
	cr_expect(says(&p, "results: complete studies: 1, with 1.5 minutes of one processor\n"), "%s", p.err);
	cr_expect(exists("docs/results/quick.md"), "a complete study's page is kept");
	cr_expect_not(exists("docs/results/slow.md"));
	cr_expect_not(exists("docs/results/README.md"), "the page of headlines is of complete studies alone");
	program_free(&p);
	program_file("go", "");
	p = results("40 quick slow");
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(says(&p, "results: complete studies: 2, with 3.0 minutes of one processor\n"), "%s", p.err);
	cr_expect(exists("docs/results/slow.md"));
	cr_expect(exists("docs/results/README.md"));
	program_free(&p);
}

Test(results, without_a_limit_run_to_their_end)
{
	struct program p;

	checkout();
	program_file("go", "");
	p = results("0 slow");
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(exists("docs/results/README.md"));
	program_free(&p);
}

Test(results, end_where_a_study_fails)
{
	struct program p;

	checkout();
	p = results("0 failing slow");
	cr_expect_eq(p.status, 1);
	cr_expect(says(&p, "results: the study failing ended with exit status 1\n"), "%s", p.err);
	cr_expect_not(exists("slow-calls"));
	program_free(&p);
}

Test(results, refuse_a_limit_that_is_no_number)
{
	struct program p;

	checkout();
	p = results("forty slow");
	cr_expect_eq(p.status, 2);
	cr_expect_str_eq(p.err, "results: MINUTES: \"forty\" is not a number of minutes\n");
	program_free(&p);
}
