/* 784: a golden twin with its mutants in it (tests/mutation/schemata/) in lockstep with the Verilog. Every mutant of
 * set_monitor's twin is killed, or waived with a reason; without a mutant the twin is right; a waiver of what a test
 * finds, and one without a reason, are refused. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

#define ALONE	 "env -u BXFI_MAP " /* see 770 */
#define TWIN	 "\"${LOCUS_BUILD:-build}/mutation/twins/set_monitor\""
#define TINY	 "SETS=2,TAG_W=1,COUNT_W=2"
#define LOCKSTEP ALONE TWIN "/lockstep set_monitor " TINY " twin own 2000 1"

static struct program judge(const char *pattern)
{
	return program_run("mkdir -p %s/set_monitor && ln -sf $(realpath " TWIN ")/lockstep $(realpath " TWIN
			   ")/list %s/set_monitor && " ALONE "scripts/mutate-twin %s '%s' set_monitor/set_monitor:" TINY,
			   program_tmp(), program_tmp(), program_tmp(), pattern);
}

Test(mutation_of_twins, every_mutant_of_a_twin_is_killed_or_waived)
{
	struct program p = judge("");
	unsigned mutants, own, corners, ends, waived, gaps;
	const char *at = strstr(p.out, "| `set_monitor` | ");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_not_null(at, "%s", p.out);
	cr_assert_eq(sscanf(at, "| `set_monitor` | %u | %u | %u | %u | %u | %u", &mutants, &own, &corners, &ends, &waived, &gaps),
		     6);
	cr_assert_geq(mutants, 50);
	cr_assert_eq(gaps, 0, "%s", p.out);
	cr_assert_eq(own + corners + waived, mutants, "each has one verdict:\n%s", p.out);
	cr_assert_leq(waived, mutants / 20, "%s", p.out);
	program_free(&p);
}

/* The numbers of the mutants of a row that has these words. */
static unsigned number_of(const char *words)
{
	struct program p = program_run("grep -F '%s' " TWIN "/list", words);
	unsigned number;

	cr_assert_eq(sscanf(p.out, "%u", &number), 1, "no mutant \"%s\"", words);
	program_free(&p);
	return number;
}

Test(mutation_of_twins, a_wrong_twin_is_killed_and_a_right_one_is_not)
{
	unsigned wrong = number_of("s->tag[set] = tag -> nothing"),
		 right = number_of("s->count[set] != largest -> s->count[set] < largest");
	struct program p = program_run("printf '%u\\n%u\\n' | " LOCKSTEP, wrong, right);
	char text[64];

	cr_assert_eq(p.status, 0, "%s", p.err);
	snprintf(text, sizeof text, "%u killed own 1 ", wrong);
	cr_assert_not_null(strstr(p.out, text), "%s", p.out);
	snprintf(text, sizeof text, "%u alive\n", right);
	cr_assert_not_null(strstr(p.out, text), "%s", p.out);
	program_free(&p);
}

/* What scripts/waivers says of a list, when a.c's first mutant is alive and its second one is not. */
static struct program waive(const char *list)
{
	program_file("judged", "a.c\n");
	program_file("alive", "a.c:f: x -> y\n");
	program_file("list", list);
	return program_run("scripts/waivers %s/list %s/judged %s/alive", program_tmp(), program_tmp(), program_tmp());
}

static void refused(const char *list, const char *why)
{
	struct program p = waive(list);

	cr_assert_eq(p.status, 1, "%s", list);
	cr_assert_str_eq(p.err, why);
	program_free(&p);
}

Test(waivers, those_of_living_mutants_hold_and_others_are_refused)
{
	struct program p = waive("# why\na.c:f: x -> y\n\tIt is the same.\n\nb.c:f: not judged\n\tNobody knows.\n");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_eq(p.out, "a.c:f: x -> y\tIt is the same.\n");
	program_free(&p);
	p = waive("b.c:f: x -> y\na.c:f: x -> y\n\tIt is\n\tthe same.\nb.c:f: not judged\n\tNobody knows.\n");
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_eq(p.out, "a.c:f: x -> y\tIt is the same.\n");
	program_free(&p);
	refused("a.c:f: x -> z\n\tIt is the same.\n", "waivers: \"a.c:f: x -> z\" is waived, and is no mutant that is alive\n");
	refused("a.c:f: x -> y\n\nb.c:f: x -> y\n\tWhy not.\n", "waivers: \"a.c:f: x -> y\" has no reason\n");
	refused("a.c:f: x -> y\n", "waivers: \"a.c:f: x -> y\" has no reason\n");
	refused("a.c:f: x -> y\n\tOnce.\n\na.c:f: x -> y\n\tTwice.\n", "waivers: \"a.c:f: x -> y\" is waived twice\n");
}
