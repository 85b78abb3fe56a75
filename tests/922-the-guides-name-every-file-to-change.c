/* 922: who adds a block, a planner or a workload finds every place in its guide: the files that name the guide's
 * example are those that the guide names, and the compiler's flags are those of make. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

static char *read_text(const char *path)
{
	struct program p = program_run("cat %s", path);

	cr_assert_eq(p.status, 0, "%s", p.err);
	free(p.err);
	return p.out;
}

/* Each file that has the word, outside of tests and docs, is in the guide. */
static void names_every_file(const char *guide, const char *word)
{
	struct program p = program_run("grep -rlw -e %s csim harness rtl scripts Makefile", word);
	char *text = read_text(guide), *save = NULL;
	unsigned n = 0;

	for (char *path = strtok_r(p.out, "\n", &save); path; path = strtok_r(NULL, "\n", &save), n++)
		cr_expect(strstr(text, path), "%s does not name %s", guide, path);
	cr_expect_geq(n, 2, "%s is in %u files", word, n);
	free(text);
	program_free(&p);
}

Test(guides, name_every_file_of_a_block_and_of_a_planner)
{
	names_every_file("docs/how-to/add-a-hardware-block.md", "'set_monitor\\|set_monitor_[a-z]*'");
	names_every_file("docs/reference/planners.md", "planner_affinity");
}

Test(guides, compile_cuda_as_make_does)
{
	struct program p = program_run("tr -s ' \\\\\\t\\n' ' ' <traces/traces.mk");
	char *text = read_text("docs/reference/workloads.md"), *from = strstr(text, "    clang-14 -x cuda "), *end,
	     flags[1024] = "", *save = NULL;

	cr_assert_not_null(from);
	end = strstr(from, "\n\n");
	cr_assert_not_null(end);
	*end = '\0';
	from += strlen("    clang-14 ");
	for (char *word = strtok_r(from, " \n", &save); word; word = strtok_r(NULL, " \n", &save))
		snprintf(flags + strlen(flags), sizeof flags - strlen(flags), "%s ", word);
	cr_expect(strstr(p.out, flags), "\"%s\" is not in\n%s", flags, p.out);
	free(text);
	program_free(&p);
}
