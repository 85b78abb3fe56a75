/* 760: in whole programs it is the block pin_replacement that keeps loads of data without reuse out of the L1: Verilog
 * that gives their lines a way has them brought in, and lockstep reports it. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* An annotated program most of whose loads are of data without reuse. */
#define MODEL "kmeans --size test --plan ldesc-cache"

static long long metric(const char *file, const char *name)
{
	struct program p = program_run("grep -m1 '\"%s\":' %s/%s", name, program_tmp(), file);
	const char *colon = strrchr(p.out, ':');
	long long n = colon ? strtoll(colon + 1, NULL, 10) : -1;

	program_free(&p);
	return n;
}

/* Verilog in which the line `find` is replaced. */
static void faulty(const char *find, const char *replace)
{
	struct program p = program_run("sed 's/%s/%s/' rtl/pin_replacement/pin_replacement.v >%s/pin_replacement.v && "
				       "! cmp -s rtl/pin_replacement/pin_replacement.v %s/pin_replacement.v",
				       find, replace, program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "the text has no %s", find);
	program_free(&p);
}

static void run(const char *options, const char *json, int status)
{
	struct program p = program_run("cd %s && locus cosim " MODEL " %s --json %s", program_tmp(), options, json);

	cr_assert_eq(p.status, status, "%s: %s%s", options, p.out, p.err);
	program_free(&p);
}

Test(bypassed_programs, go_past_the_cache_as_the_block_says)
{
	long long loads;

	run("--hw pin_replacement=rtl", "right.json", 0);
	loads = metric("right.json", "l1.bypass.loads");
	cr_expect_gt(loads, 0);
	cr_expect_eq(loads, metric("right.json", "locality.bypass"), "all of them: none meets a line that is there");
	cr_expect_gt(metric("right.json", "locality.lookups"), loads);
	faulty(" \\& {WAYS{!req_bypass_q}}", "");
	/* Nothing is compared: it is the block's own assertion that fails. */
	run("--hw pin_replacement=rtl --rtl pin_replacement=pin_replacement.v", "wrong.json", 1);
	cr_expect_lt(metric("wrong.json", "l1.bypass.loads"), loads, "only where all ways of the set are reserved");
	cr_expect_gt(metric("wrong.json", "l1.misses"), metric("right.json", "l1.misses"));
}

Test(bypassed_programs, show_a_faulty_block_in_lockstep)
{
	struct program p;

	faulty(" \\& {WAYS{!req_bypass_q}}", "");
	p = program_run("cd %s && locus cosim " MODEL " --hw pin_replacement=lockstep --rtl pin_replacement=pin_replacement.v",
			program_tmp());
	cr_assert_eq(p.status, 1, "%s", p.err);
	cr_expect(strstr(p.out, "MISMATCH pin_replacement of sm"), "%s", p.out);
	cr_expect(strstr(p.out, ": output rsp_found_o\n"), "%s", p.out);
	program_free(&p);
}
