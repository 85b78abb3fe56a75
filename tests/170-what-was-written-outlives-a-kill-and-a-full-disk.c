/* 170: a short form of `make inject`: commands that are killed, run short of disk and read files that were cut leave
 * nothing half-written; a program that does is found out. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"

#define BUILD  "\"${LOCUS_BUILD:-build}\""
#define INJECT BUILD "/inject/inject "

Test(injection, leaves_nothing_half_written)
{
	struct program p = program_run(INJECT "--no-study 6 %s/work " BUILD "/locus && " INJECT "--no-study 9 %s/work " BUILD
					      "/locus && cut -d'|' -f1 %s/work/trials | tr '\\n' ' '",
				       program_tmp(), program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_eq(p.out, "1 2 3 4 5 6 7 8 9 ", "the second call goes on: %s", p.out);
	program_free(&p);
	p = program_run(INJECT "--table %s/work", program_tmp());
	cr_assert_not_null(strstr(p.out, "\n9 injections, seeds up to 9."), "%s", p.out);
	program_free(&p);
}

/* It writes where its result is to be, bit by bit, whether or not there is room, and reads what it finds. */
static const char *careless(void)
{
	static char path[4096];

	program_file("careless", "#!/bin/sh\n"
				 "case $1 in diff) exit 0;; run) [ $# = 2 ] && exit 0;; esac\n"
				 "for word; do case $word in *.json|*.ltrace)\n"
				 "	head -c 20000 /dev/zero >$word; sleep 0.1; head -c 20000 /dev/zero >>$word;;\n"
				 "esac; done\nexit 0\n");
	snprintf(path, sizeof path, "%s/careless", program_tmp());
	cr_assert_eq(chmod(path, 0755), 0);
	return path;
}

/* Seeds 1 to 12 have each kind (the test above: 4 and 5 kill, 6 fills a disk, 9 limits a file, 1 cuts one). */
Test(injection, finds_a_careless_program_out)
{
	struct program p = program_run("for seed in 1 2 3 4 5 6 7 8 9 10 11 12; do " INJECT "--no-study --seed $seed %s/work %s "
				       "2>&1; done",
				       program_tmp(), careless());

	cr_expect(strstr(p.out, "inject: seed 1, run, file cut short: the first "), "%s", p.out);
	cr_expect(strstr(p.out, " is neither whole nor "), "%s", p.out);
	cr_expect(strstr(p.out, " is not what an undisturbed "), "%s", p.out);
	program_free(&p);
}

Test(injection, says_what_is_wrong_in_one_line)
{
	static const char *const wrong[][2] = {
		{"0 /tmp locus", "inject: \"0\" is not a number of 1 to 10000000\n"},
		{"-1 /tmp locus", "inject: \"-1\" is not a number of 1 to 10000000\n"},
		{"1 /tmp /nonesuch", "inject: /nonesuch: cannot be run\n"},
		{"1 /nonesuch/x /bin/sh", "inject: /nonesuch/x: is no folder to work in\n"},
		{"--table /dev", "inject: /dev/trials: holds no trial; run inject NUMBER /dev LOCUS first\n"},
		{"", "inject: usage: inject [--no-study] [--seed] NUMBER FOLDER LOCUS, inject --table FOLDER\n"},
	};

	for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct program p = program_run(INJECT "%s", wrong[i][0]);

		cr_expect_eq(p.status, 2, "%s", wrong[i][0]);
		cr_expect_str_eq(p.err, wrong[i][1]);
		program_free(&p);
	}
}
