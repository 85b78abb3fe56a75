/* 770: scripts/mutate makes mutants of a block's Verilog and judges them. Of two small blocks, sampled ones are killed
 * by lockstep or proved equivalent, and none survives; what is wrong by hand is killed, what is right is not, and
 * Verilog that is wrong without a mutant is refused; what was judged is not judged again. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"
#include "support/wrong_terms.h"

/* The program is linked with Criterion, which takes a process that finds BXFI_MAP for one of its own tests. */
#define ALONE	"env -u BXFI_MAP "
#define PROGRAM "\"${LOCUS_BUILD:-build}/mutation/lockstep\""
#define TINY	"SETS=2,TAG_W=1,COUNT_W=2"

enum { SAMPLE = 20 };

static struct program mutate(const char *pattern)
{
	return program_run(ALONE "scripts/mutate " PROGRAM
				 " %s/mutation %d '%s' pric/pric_index:SETS=8,POLY=13,LINE_BYTES=1,ADDR_W=6,ADDR_BITS=6 "
				 "set_monitor/set_monitor:" TINY,
			   program_tmp(), SAMPLE, pattern);
}

struct row {
	unsigned mutants, own, corners, equivalent, waived, gaps;
};

static struct row row(const char *text, const char *name)
{
	char start[64];
	const char *at;
	struct row r;

	snprintf(start, sizeof start, "| %s | ", name);
	at = strstr(text, start);
	cr_assert_not_null(at, "no row %s in:\n%s", name, text);
	cr_assert_eq(sscanf(at + strlen(start), "%u | %u | %u | %u | %u | %u", &r.mutants, &r.own, &r.corners, &r.equivalent,
			    &r.waived, &r.gaps),
		     6);
	return r;
}

static void expect_no_gap(const char *text, const char *name)
{
	struct row r = row(text, name);

	cr_assert_eq(r.mutants, SAMPLE);
	cr_assert_geq(r.own, SAMPLE / 2, "%s: lockstep kills %u", name, r.own);
	cr_assert_eq(r.gaps, 0, "survivors:\n%s", text);
	cr_assert_eq(r.own + r.corners + r.equivalent + r.waived, SAMPLE, "each has one verdict:\n%s", text);
}

Test(mutation, sampled_mutants_of_two_blocks_are_killed_or_equivalent, .timeout = 900)
{
	struct program p = mutate(""), changed;

	cr_assert_eq(p.status, 0, "%s", p.err);
	expect_no_gap(p.out, "`pric_index`");
	expect_no_gap(p.out, "`set_monitor`");
	/* What was judged stays: here a verdict that no run would come to. */
	changed = program_run("sed -i '1s/ killed own / killed corners /' %s/mutation/set_monitor-*/lockstep", program_tmp());
	cr_assert_eq(changed.status, 0, "%s", changed.err);
	program_free(&changed);
	changed = mutate("set_monitor");
	cr_assert_eq(changed.status, 0, "%s", changed.err);
	cr_assert_eq(row(changed.out, "`set_monitor`").own, row(p.out, "`set_monitor`").own - 1);
	program_free(&changed);
	program_free(&p);
}

/* set_monitor with an addend in place of one of its ones, run with mutants 1 and 2. */
static struct program with_addend(const char *addend)
{
	char *text = wrong_terms_text("rtl/set_monitor/set_monitor.v"), path[300], sum[100];

	snprintf(sum, sizeof sum, "entry_count + %s", addend);
	text = wrong_terms_replace(text, "entry_count + 1'b1", sum);
	wrong_terms_write("set_monitor.v", wrong_terms_replace(text, ") (\n", ") (\n    input  wire [15:0] mutant_i,\n"), path);
	return program_run("printf '1\\n2\\n' | " ALONE PROGRAM " set_monitor " TINY " %s own 2000 1", path);
}

Test(mutation, a_wrong_mutant_is_killed_and_a_right_one_is_not)
{
	struct program p = with_addend("(mutant_i == 16'd1 ? 2'd2 : 2'd1)");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(strncmp(p.out, "1 killed own 1 ", 15), 0, "%s", p.out);
	cr_assert_not_null(strstr(p.out, "\n2 alive\n"), "%s", p.out);
	program_free(&p);
}

Test(mutation, what_is_wrong_without_a_mutant_is_refused)
{
	struct program p = with_addend("(mutant_i == 16'd1 ? 2'd1 : 2'd2)");

	cr_assert_eq(p.status, 1);
	cr_assert_not_null(strstr(p.err, "differs without a mutant"), "%s", p.err);
	program_free(&p);
}

Test(mutation, a_block_that_is_not_there_is_one_line_and_status_2)
{
	struct program p = mutate("nonesuch");

	cr_assert_eq(p.status, 2);
	cr_assert_str_eq(p.err, "mutate: no block is called \"nonesuch\"\n");
	program_free(&p);
}
