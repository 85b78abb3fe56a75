/* 910: docs/reference/workloads.md has a row for each workload that there is, and none for others. */
#include <criterion/criterion.h>
#include <string.h>

#include "workload/program.h"
#include "support/program.h"

Test(workloads_page, has_a_row_for_each_workload)
{
	struct program p =
		program_run("sed -n '/^| name | stands for/,/^$/s/^| \\([a-z0-9]*\\) |.*/\\1/p' docs/reference/workloads.md | "
			    "tail -n +2 | LC_ALL=C sort");
	const char *at = p.out;

	cr_assert_eq(p.status, 0, "%s", p.err);
	/* Both are sorted by name. */
	for (unsigned i = 0; workloads[i]; i++) {
		size_t n = strcspn(at, "\n");

		cr_assert(n == strlen(workloads[i]->name) && !strncmp(at, workloads[i]->name, n),
			  "the page has a row of \"%.*s\" where the list has %s", (int)n, at, workloads[i]->name);
		at += n + 1;
	}
	cr_expect_str_eq(at, "", "rows of what is not there");
	program_free(&p);
}
