/* 881: `locus run --working-set` counts the lines that the CTAs which ran on an SM access: held against arrays' sizes,
 * which a pencil gives, in matmul (tiles of 16 x 16: a CTA reads 16 rows of A and 16 columns of B and writes its tile
 * of C) and vectoradd. */
#include <criterion/criterion.h>
#include <jansson.h>

#include "support/program.h"

static double value_of(const char *args, const char *name)
{
	struct program p =
		program_run("locus run %s --json %s/r.json >/dev/null && cat %s/r.json", args, program_tmp(), program_tmp());
	json_t *all = json_loads(p.out, 0, NULL), *v = json_object_get(json_object_get(all, "stats"), name);
	double value;

	cr_assert_eq(p.status, 0, "%s: %s", args, p.err);
	cr_assert_not_null(v, "%s: no %s", args, name);
	value = json_number_value(v);
	json_decref(all);
	program_free(&p);
	return value;
}

/* Three matrices of 64 x 64 numbers of 4 bytes, in lines of 128. */
Test(working_set, of_one_sm_is_all_that_is_accessed)
{
	cr_expect_eq(value_of("matmul --arg n=64 --set sm.count=1 --working-set", "working_set"), 3 * 64 * 64 * 4 / 128);
}

/* 16 CTAs on 16 SMs: 16 rows of two lines, 64 rows of which it reads 64 bytes, 16 rows of 64 bytes. */
Test(working_set, of_an_sm_with_one_cta_is_the_ctas)
{
	static const char args[] = "matmul --arg n=64 --set sm.count=16 --working-set";

	cr_expect_eq(value_of(args, "working_set"), 16 * 2 + 64 + 16);
	cr_expect_eq(value_of(args, "sm.7.working_set"), 16 * 2 + 64 + 16);
}

/* CTAs of a row of the grid share rows of A, those of a column share columns of B. On an SM that has a whole row there
 * are the 32 lines of A once, all 128 of B, and 32 of C; under round robin on 4 SMs an SM has a column: A's 4 times 32,
 * 64 of B, 64 of C, whose lines two columns share. */
Test(working_set, depends_on_where_ctas_run)
{
	cr_expect_eq(value_of("matmul --arg n=64 --set sm.count=4 --working-set --plan clusters,x=4", "working_set"),
		     32 + 128 + 32);
	cr_expect_eq(value_of("matmul --arg n=64 --set sm.count=4 --working-set --plan clusters", "working_set"), 128 + 64 + 64);
}

/* L1s are empty when a launch begins: what two launches access counts twice. A run that is cut counts the CTAs that
 * started. */
Test(working_set, begins_anew_with_each_launch)
{
	double cut = value_of("vectoradd --arg n=8192 --set sm.count=1 --max-insts 1 --working-set", "working_set");

	cr_expect_eq(value_of("vectoradd --arg n=8192 --set sm.count=1 --working-set", "working_set"), 3 * 8192 * 4 / 128);
	cr_expect_gt(cut, 0);
	cr_expect_lt(cut, 3 * 8192 * 4 / 128);
	/* A twice, 256 rows of 8 lines, and a vector read and one written a launch, of 8 lines each */
	cr_expect_eq(value_of("mvt --size test --set sm.count=1 --working-set", "working_set"), 2 * 256 * 8 + 4 * 8);
}

Test(working_set, changes_no_other_metric)
{
	struct program p = program_run("locus run histo --size test --json %s/a.json >/dev/null && "
				       "locus run histo --size test --working-set --json %s/b.json >/dev/null && "
				       "sed 's/,$//' %s/a.json >%s/c.json && "
				       "sed '/working_set/d;s/,$//' %s/b.json | diff - %s/c.json",
				       program_tmp(), program_tmp(), program_tmp(), program_tmp(), program_tmp(), program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

Test(working_set, is_of_sms)
{
	struct program p = program_run("locus run atax --on cpu --machine ndp4 --working-set");

	cr_expect_eq(p.status, 2);
	program_free(&p);
}
