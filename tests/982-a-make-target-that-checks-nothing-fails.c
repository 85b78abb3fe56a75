/* 982: a script or a make target that is asked to check nothing fails instead of reporting that nothing is wrong. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

Test(empty_checks, a_pattern_that_no_proof_matches_is_refused)
{
	struct program p = program_run("scripts/formal %s 'no proof has this name'", program_tmp());

	cr_expect_eq(p.status, 2, "%d: %s", p.status, p.out);
	cr_expect_str_eq(p.err, "formal: no row of rtl/*/proofs.list matches \"no proof has this name\"\n");
	program_free(&p);
}

/* Criterion ends with status 0 when no test has a name that fits its --filter. */
Test(empty_checks, each_filter_of_a_make_target_has_tests)
{
	struct program p = program_run("grep -ho \"[-]-filter '[^']*'\" Makefile */*.mk | cut -d\"'\" -f2");
	unsigned n = 0;

	for (char *save = NULL, *filter = strtok_r(p.out, "\n", &save); filter; filter = strtok_r(NULL, "\n", &save)) {
		char *slash = strchr(filter, '/');
		struct program found;

		cr_assert(slash, "%s", filter);
		*slash = '\0';
		/* A star of the filter is any part of a name. */
		found = program_run("suite=$(echo '%s' | sed 's/[*]/[a-z0-9_]*/g') name=$(echo '%s' | sed 's/[*]/[a-z0-9_]*/g'); "
				    "grep -Ehc \"Test\\((.*, )?$suite, $name[,)]\" tests/[0-9]*.c | grep -vc '^0$'",
				    filter, slash + 1);
		cr_expect_eq(found.status, 0, "no test is %s/%s", filter, slash + 1);
		program_free(&found);
		n++;
	}
	cr_expect_geq(n, 3, "the filters are found");
	program_free(&p);
}
