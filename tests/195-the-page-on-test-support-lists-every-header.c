/* 195: tests/support/README.md has each header of its folder, once, and no other. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

Test(test_support, each_header_is_listed_once_and_nothing_else_is)
{
	struct program page = program_run("grep -oE '`[a-z0-9_]+\\.h`' tests/support/README.md | tr -d '`' | sort");
	struct program folder = program_run("ls tests/support | grep '\\.h$' | sort");

	cr_assert_eq(page.status, 0, "%s", page.err);
	cr_assert_gt(strlen(folder.out), 100);
	cr_expect_str_eq(page.out, folder.out);
	program_free(&page);
	program_free(&folder);
}
