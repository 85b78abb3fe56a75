/* 792: a short form of `make soak-model`: a drawn model agrees with its RTL, a soak goes on where it ended, and what
 * differs ends it with the command. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"

/* The program is linked with Criterion, which takes a process that finds BXFI_MAP for one of its own tests. */
#define BUILD "\"${LOCUS_BUILD:-build}\""
#define SOAK  "env -u BXFI_MAP " BUILD "/soak/soak "

/* A program that is not locus; says: what it does. */
static const char *stand_in(const char *says)
{
	static char path[4096];
	char text[1024];

	snprintf(text, sizeof text, "#!/bin/sh\n%s\n", says);
	program_file("stand-in", text);
	snprintf(path, sizeof path, "%s/stand-in", program_tmp());
	cr_assert_eq(chmod(path, 0755), 0);
	return path;
}

Test(soak_of_models, runs_a_drawn_model)
{
	struct program p = program_run(SOAK "--model-seed 22 %s " BUILD "/locus", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "\nagreed\n"), "%s", p.out);
	cr_expect_null(strstr(p.out, "\n0 steps"), "%s", p.out);
	program_free(&p);
	p = program_run("ls %s | grep ltrace", program_tmp());
	cr_expect_str_empty(p.out, "its trace is removed");
	program_free(&p);
}

Test(soak_of_models, goes_on_where_it_ended)
{
	const char *locus = stand_in("sleep 0.1; echo '  pric             lockstep          32            1,000            0'");
	struct program p =
		program_run("for minutes in 0.01 0.01 0.02; do " SOAK "--model $minutes %s %s || exit 1; wc -l <%s/model; done; "
			    "cut -d'|' -f1 %s/model | cmp - <<E\n$(seq $(wc -l <%s/model))\nE",
			    program_tmp(), locus, program_tmp(), program_tmp(), program_tmp());
	unsigned n[3];

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_assert_eq(sscanf(p.out, "%u %u %u", &n[0], &n[1], &n[2]), 3);
	cr_expect_eq(n[0], n[1], "so many minutes had been run");
	cr_expect_gt(n[2], n[1]);
	program_free(&p);
	p = program_run(SOAK "--table %s", program_tmp());
	cr_expect(strstr(p.out, "\n| whole models | "), "%s", p.out);
	cr_expect(strstr(p.out, "e+0"), "%u runs of 1,000 steps: %s", n[2], p.out);
	program_free(&p);
}

Test(soak_of_models, a_difference_ends_it_with_the_command)
{
	const char *locus = stand_in("echo 'locus: pric differs' >&2; exit 1");
	struct program p = program_run(SOAK "--model 1 %s %s", program_tmp(), locus);

	cr_expect_eq(p.status, 1);
	cr_expect(!strncmp(p.err, "soak: model, seed 1: status 1, \"locus: pric differs\": '", 50), "%s", p.err);
	cr_expect(strstr(p.err, " cosim ") && strstr(p.err, " --machine "), "%s", p.err);
	program_free(&p);
	p = program_run(SOAK "--model 1 %s %s", program_tmp(), stand_in("exit 3"));
	cr_expect_eq(p.status, 1, "neither an agreement nor a refusal");
	program_free(&p);
	p = program_run("cat %s/model", program_tmp());
	cr_expect_str_empty(p.out, "what failed is not noted as run");
	program_free(&p);
}

/* As one does that finds no machines: not a soak of which everything was refused. */
Test(soak_of_models, a_program_that_refuses_all_is_refused)
{
	struct program p = program_run(SOAK "--model 0.01 %s %s", program_tmp(),
				       stand_in("echo 'locus: the machines are missing' >&2; exit 2"));

	cr_expect_eq(p.status, 2);
	cr_expect(strstr(p.err, " cosim vectoradd --size test: refused: locus: the machines are missing\n"), "%s", p.err);
	program_free(&p);
	p = program_run("cat %s/model", program_tmp());
	cr_expect_str_empty(p.out, "nothing is noted as run");
	program_free(&p);
}

Test(soak_of_models, says_what_is_wrong_in_one_line)
{
	static const char *const wrong[][2] = {
		{"--model 0 /tmp locus", "soak: \"0\" is not a number of minutes, 0.01 to 1e+06\n"},
		{"--model x /tmp locus", "soak: \"x\" is not a number of minutes, 0.01 to 1e+06\n"},
		{"--model 1 /nonesuch locus", "soak: /nonesuch/model: cannot be written\n"},
		{"--model-seed 0 /tmp locus", "soak: \"0\" is not a number, 1 to 1e+15\n"},
	};

	for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct program p = program_run(SOAK "%s", wrong[i][0]);

		cr_expect_eq(p.status, 2, "%s", wrong[i][0]);
		cr_expect_str_eq(p.err, wrong[i][1]);
		program_free(&p);
	}
}
