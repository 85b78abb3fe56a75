/* 973: the last line of scripts/cosim (`make cosim`) has the blocks, steps, mismatches and waves of both programs. */
#include <criterion/criterion.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"

/* A locus that prints a result of its own for each of the two programs. */
static struct program of_results(const char *syrk, const char *kmeans)
{
	char text[2048];

	snprintf(text, sizeof text,
		 "#!/bin/sh\ncase $2 in\nsyrk) cat <<'END'\n%s\nEND\n;;\n*) cat <<'END'\n%s\nEND\n;;\nesac\n"
		 "[ ! -e %s/fail ]\n",
		 syrk, kmeans, program_tmp());
	program_file("locus", text);
	cr_assert_eq(chmod(program_path("locus"), 0755), 0);
	return program_run("scripts/cosim %s/locus %s test", program_tmp(), program_tmp());
}

static const char *last_line(const char *text)
{
	const char *end = text + strlen(text), *at = end > text ? end - 1 : text;

	while (at > text && at[-1] != '\n')
		at--;
	return at;
}

#define HEAD "  rtl block        mode       instances     steps compared   mismatches\n"
#define SYRK                                                                                                                       \
	"  cycles           1,000\n\n" HEAD "  pric             lockstep          15          1,234,567            0\n"            \
	"  decoder          lockstep          27              1,000            0\nwaves: w.fst: pric of sm0.l1, no step differs\n"

Test(make_cosim, passes_where_nothing_differs)
{
	struct program p = of_results(SYRK, HEAD "  decoder          lockstep          97             20,000            0\n"
						 "  throttle         rtl                1             30,000            -\n");

	cr_expect_eq(p.status, 0);
	cr_expect_str_eq(last_line(p.out), "passed: 2 Verilog blocks (pric, decoder) in 2 programs, 1,255,567 steps compared, "
					   "0 mismatches; waves: w.fst\n");
	program_free(&p);
}

Test(make_cosim, fails_where_a_block_differs)
{
	struct program p = of_results(SYRK, HEAD "  decoder          lockstep          97             20,000        1,003\n");

	cr_expect_eq(p.status, 1);
	cr_expect_str_eq(last_line(p.out), "FAILED: 2 Verilog blocks (pric, decoder) in 2 programs, 1,255,567 steps compared, "
					   "1,003 mismatches; waves: w.fst\n");
	program_free(&p);
}

Test(make_cosim, fails_where_a_run_fails)
{
	struct program p;

	program_file("fail", "");
	p = of_results(SYRK, SYRK);
	cr_expect_eq(p.status, 1);
	cr_expect(!strncmp(last_line(p.out), "FAILED: ", 8), "%s", p.out);
	program_free(&p);
}

Test(make_cosim, fails_where_nothing_was_compared)
{
	struct program p = of_results("", "");

	cr_expect_eq(p.status, 1);
	cr_expect(!strncmp(last_line(p.out), "FAILED: 0 Verilog blocks ", 25), "%s", p.out);
	program_free(&p);
}

/* The blocks that PRIC, the set monitor and any machine turn on. */
Test(make_cosim, compares_the_blocks_of_the_real_programs)
{
	struct program p = program_run("scripts/cosim \"${LOCUS_BUILD:-build}/locus\" %s test", program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_expect(!strncmp(last_line(p.out), "passed: 3 Verilog blocks (pric, set_monitor, decoder) in 2 programs, ", 69), "%s",
		  p.out);
	cr_expect(strstr(last_line(p.out), " steps compared, 0 mismatches; waves: /"), "%s", p.out);
	program_free(&p);
}
