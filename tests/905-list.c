/* 905: `locus list` shows what is there, without a list kept by hand. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/program.h"

/* Whether some line of `text` starts with `word`, after spaces, as a word of its own. */
static int has_row(const char *text, const char *word)
{
	size_t n = strlen(word);

	for (const char *s = text; s; s = strchr(s, '\n'), s += !!s) {
		const char *w = s + strspn(s, " ");

		if (!strncmp(w, word, n) && (w[n] == ' ' || w[n] == '\n'))
			return 1;
	}
	return 0;
}

Test(list, shows_every_folder_of_traces_that_has_a_host_program)
{
	struct program p = program_run("locus list workloads");
	DIR *d = opendir("traces");
	const struct dirent *entry;
	unsigned rows = 0, folders = 0;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_not_null(d);
	while ((entry = readdir(d))) {
		char path[512];

		snprintf(path, sizeof path, "traces/%s/host.c", entry->d_name);
		if (access(path, R_OK))
			continue;
		folders++;
		cr_expect(has_row(p.out, entry->d_name), "%s is not in\n%s", entry->d_name, p.out);
	}
	closedir(d);
	for (const char *s = p.out; *s; s++)
		rows += *s == '\n';
	cr_expect_eq(rows, folders + 1, "a title and a row a workload:\n%s", p.out);
	program_free(&p);
}

Test(list, shows_machines_and_blocks_with_the_first_line_of_their_file)
{
	struct program p = program_run("locus list machines; locus list blocks");

	cr_expect(has_row(p.out, "gtx480"));
	cr_expect_not_null(strstr(p.out, "GTX480 as in dwt-pric, Table 1."));
	cr_expect(has_row(p.out, "pric"));
	cr_expect_not_null(strstr(p.out, "combinational  rtl/pric/pric_index.v"));
	program_free(&p);
}

Test(list, aligns_its_columns)
{
	struct program p = program_run("locus list workloads");
	const char *line = p.out, *suite = strstr(p.out, "suite");
	long column = suite - p.out;

	cr_assert_not_null(suite);
	for (; *line; line = strchr(line, '\n') + 1) {
		cr_expect_eq(line[column - 1], ' ', "%s", line);
		cr_expect_neq(line[column], ' ', "%s", line);
	}
	program_free(&p);
}

Test(list, of_one_workload_shows_its_options_and_how_it_differs_from_the_original)
{
	struct program p = program_run("locus list syrk");

	cr_expect_eq(p.status, 0);
	cr_expect(has_row(p.out, "pitch"));
	cr_expect(has_row(p.out, "n"));
	cr_expect(has_row(p.out, "original"));
	cr_expect(has_row(p.out, "differences"));
	program_free(&p);
}

Test(list, alone_shows_everything)
{
	struct program p = program_run("locus list");

	cr_expect_eq(p.status, 0);
	cr_expect(has_row(p.out, "workloads") && has_row(p.out, "machines") && has_row(p.out, "blocks") &&
			  has_row(p.out, "planners"),
		  "%s", p.out);
	program_free(&p);
}

Test(list, of_something_unknown_is_one_clear_line)
{
	struct program p = program_run("locus list nonsense");

	cr_expect(program_is_clean_error(&p));
	cr_expect_not_null(strstr(p.err, "nonsense"));
	program_free(&p);
}
