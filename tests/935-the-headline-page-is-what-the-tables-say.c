/* 935: docs/results/README.md is what scripts/headlines makes of the tables that are committed; a verdict is of the
 * ratio and of the side on which a number lies; a claim whose cell is not there is refused. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

Test(headlines, the_committed_page_is_that_of_the_committed_tables)
{
	struct program p = program_run("scripts/headlines \"$PWD/scripts/headlines.list\" docs/results");
	char *page = program_text("docs/results/README.md");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_eq(p.out, page, "make results, or scripts/headlines alone, writes it anew");
	free(page);
	program_free(&p);
}

#define TABLE                                                                                                                      \
	"Figure 1: speed-up\n\n| program | ours |\n| --- | ---: |\n| near | 1.10 |\n| far | 1.02 |\n| under | 0.95 |\n"            \
	"| share | 89.8 |\n| near, published | 1.20 |\n| far, published | 1.50 |\n| published, under | 1.05 |\n"                   \
	"| share, published | 91.0 |\n\nversion 0123abc: 3 runs, 1.5 minutes of one processor.\n"

static struct program headlines(const char *claims)
{
	program_file("some.md", TABLE);
	program_file("list", claims);
	return program_run("scripts/headlines %s/list %s", program_tmp(), program_tmp());
}

/* 1.10 / 1.20 and 0.95 / 1.05 are both within 15 %, but the second is on the other side of 1. As text 89.8 is more than
 * 104.65, 15 % above 91. */
Test(headlines, a_verdict_is_of_ratio_and_side)
{
	struct program p = headlines("# A paper\n\n"
				     "near\n1 @\nsome > Figure 1 > near > ours\nsome > Figure 1 > far > ours\ndefault\n-\n\n"
				     "far\n1 @\nsome > Figure 1 > far > ours\n-\nn=64\nA cause: `a command`; [why](why.md)\n\n"
				     "under\n1 @\nsome > Figure 1 > under > ours\n-\ndefault\n-\n\n"
				     "share\n0 @\nsome > Figure 1 > share > ours\n-\ndefault\n-\n");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "| near | 1.20 | 1.10 | 1.02 | 0.92 | reproduced | default | [some](some.md) |  |"), "%s", p.out);
	cr_assert(strstr(p.out, "| far | 1.50 | 1.02 | - | 0.68 | direction only | n=64 | [some](some.md) | "
				"A cause: `a command`; [why](why.md) |"),
		  "%s", p.out);
	cr_assert(strstr(p.out, "| under | 1.05 | 0.95 | - | 0.90 | not reproduced | default | [some](some.md) |  |"), "%s", p.out);
	cr_assert(strstr(p.out, "| share | 91.0 | 89.8 | - | 0.99 | reproduced | default | [some](some.md) |  |"), "%s", p.out);
	cr_assert(strstr(p.out, "Of 4 numbers 2 are reproduced within 15 %, of 1 the direction is, 1 are not reproduced."), "%s",
		  p.out);
	cr_assert(strstr(p.out, "some 0123abc.\n\nThey took 1.5 minutes of one processor in all.\n"), "%s", p.out);
	program_free(&p);
}

Test(headlines, a_claim_without_a_number_is_refused)
{
	static const struct {
		const char *claim, *says;
	} bad[] = {
		{"# P\n\nc\n1 @\nsome > Figure 1 > nowhere > ours\n-\ndefault\n-\n",
		 "nothing measured at \"some > Figure 1 > nowhere > ours\""},
		{"# P\n\nc\n1 @\nsome > Figure 2 > near > ours\n-\ndefault\n-\n", "some.md: no table \"Figure 2\""},
		{"# P\n\nc\n1 @\nother > Figure 1 > near > ours\n-\ndefault\n-\n", "other.md: no table"},
		{"# P\n\nc\n1 @\nsome > Figure 1 > near, published > ours\n-\ndefault\n-\n",
		 "nothing published beside \"near, published\""},
		{"# P\n\nc\n1 @\nsome > Figure 1 > near > ours\n-\ndefault\n", "not six lines: \"c\""},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = headlines(bad[i].claim);

		cr_assert_eq(p.status, 1, "%s", bad[i].claim);
		cr_assert(strstr(p.err, bad[i].says), "%s", p.err);
		program_free(&p);
	}
}

/* A number that is not reproduced has a sentence of cause: more than a link. */
Test(headlines, each_number_that_differs_has_a_cause)
{
	struct program p = program_run("scripts/headlines \"$PWD/scripts/headlines.list\" docs/results | "
				       "awk -F' [|] ' '/^[|]/ && ($6 == \"direction only\" || $6 == \"not reproduced\") "
				       "{ n++; if ($9 ~ /^ *[[]/ || $9 == \"\") print $1 } END { print n }'");
	unsigned n = 0;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(sscanf(p.out, "%u", &n) == 1 && n > 0, "without a cause: %s", p.out);
	program_free(&p);
}
