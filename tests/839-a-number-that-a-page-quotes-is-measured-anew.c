/* 839: scripts/quotes runs what its list says and compares with the pages. The program here is a script that says
 * 1,234,567 cycles and a miss rate of 0.4567; with --half, half of the cycles.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"

static const char fake[] = "#!/bin/sh\n"
			   "cycles=1234567\n"
			   "for a; do\n"
			   "	[ \"$a\" = --half ] && cycles=617284\n"
			   "	[ \"$a\" = fails ] && exit 1\n"
			   "	last=$a\n"
			   "done\n"
			   "printf '{\\n  \"cycles\": %d,\\n  \"l1.miss_rate\": 0.4567\\n}\\n' $cycles >\"$last\"\n";

static const char page[] = "It takes 1,234,567 cycles and misses\n45.7 % (1.23 M, some 1,235,000; 2.00 times\nthe half).\n";

/* `list` has %s where the page's path is. */
static struct program quotes(const char *text, const char *list)
{
	char path[512], all[8192], *at = all;

	program_file("fake", fake);
	snprintf(path, sizeof path, "%s/fake", program_tmp());
	cr_assert_eq(chmod(path, 0755), 0);
	program_file("page.md", text);
	for (; *list; list++) {
		cr_assert_lt(at - all, (long)sizeof all - 512);
		at += *list == '@' ? sprintf(at, "%s/page.md", program_tmp()) : sprintf(at, "%c", *list);
	}
	*at = '\0';
	program_file("list", all);
	return program_run("scripts/quotes %s/fake %s/list %s/kept", program_tmp(), program_tmp(), program_tmp());
}

static void expect(const char *text, const char *list, int status, const char *out, const char *err)
{
	struct program p = quotes(text, list);

	cr_expect_eq(p.status, status, "%s%s", p.out, p.err);
	cr_expect_not_null(strstr(p.out, out), "%s%s", p.out, p.err);
	cr_expect_not_null(strstr(p.err, err), "%s%s", p.out, p.err);
	program_free(&p);
}

static const char list[] = "# of a test\n\n"
			   "@\nIt takes {} cycles\nd\ncycles: run a\n\n"
			   "@\ncycles and misses {} % (\n.1f 100\nl1.miss_rate: run a\n\n"
			   "@\n({} M, some\n.2f 1e-6\ncycles: run a\n\n"
			   "@\nM, some {};\nd1000\ncycles: run a\n\n"
			   "@\n; {} times the half\n.2f\ncycles: run a / cycles: run a --half\n\n";

Test(quotes, that_are_true_pass)
{
	expect(page, list, 0, "5 numbers compared, 0 differ", "locus run a\nlocus run a --half\n");
}

Test(quotes, that_are_stale_are_named_with_what_was_measured)
{
	expect("It takes 1,234,568 cycles and misses 45.8 % (1.24 M, some 1,234,000; 2.01 times the half).\n", list, 1,
	       "page.md: says 1,234,568, measured 1,234,567: It takes {} cycles\n", "");
	expect("It takes 1,234,568 cycles and misses 45.8 % (1.24 M, some 1,234,000; 2.01 times the half).\n", list, 1,
	       "5 numbers compared, 5 differ", "");
}

Test(quotes, whose_words_are_gone_are_named)
{
	expect("It took long.\n", "@\nIt takes {} cycles\nd\ncycles: run a\n\n", 1, "page.md: does not say: It takes {} cycles\n",
	       "");
}

Test(quotes, without_a_value_or_without_any_number_end_with_status_2)
{
	expect(page, "@\nIt takes {} cycles\nd\ncycles: run fails\n\n", 2, "", "no value of: cycles: run fails");
	expect(page, "@\nIt takes {} cycles\nd\nsteps: run a\n\n", 2, "", "no value of: steps: run a");
	expect(page, "@\nIt takes {} cycles\nd\n", 2, "", "ends in a quotation");
	expect(page, "# nothing\n", 2, "0 numbers compared", "");
}
