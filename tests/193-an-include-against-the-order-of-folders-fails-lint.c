/* 193: scripts/layers (`make lint`) names each include against the order of the table of folders, each folder without a
 * row and each row without a folder, each include of a specification model that is no such model, and nothing else; the
 * project's own includes keep the order. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

static const char table[] = "# Architecture\n\n| folder | contents |\n| --- | --- |\n"
			    "| `harness/cli/` | the program |\n"
			    "| `csim/sm/` | the SM |\n"
			    "| `csim/sm/lsu/` | its load/store unit |\n"
			    "| `csim/hw/twins/`, `csim/hw/` | blocks; depends on `hw` and `base` alone |\n"
			    "| `csim/machine/` | a machine |\n"
			    "| `csim/base/` | arena |\n"
			    "| `tests/` | tests |\n";

/* A tree in which each folder includes one below it, by its full name or, of its own folder, by the file's. */
static void tree(void)
{
	struct program p = program_run("cd %s && rm -rf csim harness && mkdir -p harness/cli csim/sm/lsu csim/hw/twins "
				       "csim/machine csim/base",
				       program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	program_file("table.md", table);
	program_file("harness/cli/main.c",
		     "#include <stdio.h>\n#include \"cli.h\"\n#include \"sm/sm.h\"\n#include \"made/by_make.h\"\n");
	program_file("harness/cli/cli.h", "\n");
	program_file("csim/sm/sm.h", "#include \"sm/lsu/lsu.h\"\n");
	program_file("csim/sm/lsu/lsu.h", "#include \"machine/machine.h\"\n");
	program_file("csim/hw/twins/pric.c", "#include \"hw/port.h\"\n");
	program_file("csim/hw/port.h", "#include \"base/arena.h\"\n");
	program_file("csim/machine/machine.h", "#include \"base/arena.h\"\n");
	program_file("csim/base/arena.h", "/* #include \"sm/sm.h\" */\n");
}

/* The check of the tree names these lines; ends with status 1 if there is one. */
static void finds(const char *expected)
{
	struct program p = program_run("scripts/layers %s/table.md %s", program_tmp(), program_tmp());

	cr_expect_str_eq(p.err, expected);
	cr_expect_eq(p.status, *expected != '\0');
	program_free(&p);
}

Test(layers, includes_of_folders_below_are_in_order)
{
	tree();
	finds("");
}

Test(layers, a_specification_includes_nothing_of_the_twin)
{
	struct program p;

	tree();
	p = program_run("mkdir -p %s/tests/spec", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	program_file("tests/spec/a.c", "#include \"spec/a.h\"\n\n#include <stdint.h>\n");
	finds("");
	program_file("tests/spec/b.c", "#include \"spec/a.h\"\n#include \"hw/twins/a.h\"\n#include \"spec/../support/x.h\"\n");
	finds("tests/spec/b.c:2: a specification includes \"hw/twins/a.h\"\n"
	      "tests/spec/b.c:3: a specification includes \"spec/../support/x.h\"\n");
	p = program_run("rm -r %s/tests", program_tmp());
	program_free(&p);
}

Test(layers, an_include_of_a_folder_above_is_named_with_its_line)
{
	tree();
	program_file("csim/machine/machine.h", "#include \"base/arena.h\"\n\n# include \"sm/lsu/lsu.h\"\n");
	finds("csim/machine/machine.h:3: includes \"sm/lsu/lsu.h\" of csim/sm/lsu/, which is above csim/machine/\n");
}

/* sm includes lsu: together they would be a circle. In a row of several folders the first one is above the others. */
Test(layers, the_include_that_closes_a_circle_is_named)
{
	tree();
	program_file("csim/sm/lsu/queue.c", "#include \"lsu.h\"\n#include \"../sm.h\"\n#include \"sm/sm.h\"\n");
	finds("csim/sm/lsu/queue.c:2: includes \"../sm.h\" of csim/sm/, which is above csim/sm/lsu/\n"
	      "csim/sm/lsu/queue.c:3: includes \"sm/sm.h\" of csim/sm/, which is above csim/sm/lsu/\n");
	tree();
	program_file("csim/hw/port.h", "#include \"hw/twins/pric.h\"\n");
	program_file("csim/hw/twins/pric.h", "\n");
	finds("csim/hw/port.h:1: includes \"hw/twins/pric.h\" of csim/hw/twins/, which is above csim/hw/\n");
}

Test(layers, the_model_includes_nothing_of_the_harness)
{
	tree();
	program_file("csim/sm/sm.c", "#include \"cli/cli.h\"\n");
	finds("csim/sm/sm.c:1: includes \"cli/cli.h\" of harness/cli/, which is above csim/sm/\n");
}

Test(layers, a_folder_that_depends_on_named_ones_alone_includes_no_other)
{
	tree();
	program_file("csim/hw/twins/pric.c", "#include \"hw/port.h\"\n#include \"machine/machine.h\"\n");
	finds("csim/hw/twins/pric.c:2: includes \"machine/machine.h\" of csim/machine/, on which csim/hw/twins/ does not depend\n");
}

Test(layers, each_folder_has_one_row_and_each_row_a_folder)
{
	char page[512], expected[1600], text[2 * sizeof table];

	tree();
	snprintf(page, sizeof page, "%s/table.md", program_tmp());
	program_file("harness/queue.c", "");
	snprintf(expected, sizeof expected, "harness/ has no row in %s\n", page);
	finds(expected);
	tree();
	snprintf(text, sizeof text, "%s| `csim/gpc/` | a cache |\n", table);
	program_file("table.md", text);
	snprintf(expected, sizeof expected, "%s: csim/gpc/ has no C files\n", page);
	finds(expected);
	snprintf(text, sizeof text, "%s| `csim/sm/` | twice |\n", table);
	program_file("table.md", text);
	snprintf(expected, sizeof expected, "%s: csim/sm/ has two places\n", page);
	finds(expected);
}

Test(layers, a_page_without_a_table_is_refused)
{
	struct program p;

	tree();
	program_file("table.md", "# Architecture\n");
	p = program_run("scripts/layers %s/table.md %s", program_tmp(), program_tmp());
	cr_expect_neq(p.status, 0);
	cr_expect_not_null(strstr(p.err, "has no table of folders"), "%s", p.err);
	program_free(&p);
}

Test(layers, this_projects_includes_are_in_order)
{
	struct program p = program_run("scripts/layers docs/explanation/architecture.md");

	cr_expect_str_empty(p.err);
	cr_expect_eq(p.status, 0);
	program_free(&p);
}
