/* 943: each command of the pages in docs/tutorial/ works as printed, one after the other, in a folder like a fresh
 * clone after make, and prints the output that the page shows.
 *
 * Commands are the lines of ```sh blocks; a backslash joins a line to the next one. A command that ends with a status
 * other than 0 says so in a comment: "# exit status 1". A block below "<!-- not run by tests/943: WHY -->" is left out.
 * A ```text block shows output of the block of commands before it: its lines follow one another there, except for those
 * that a line "..." leaves out; a line that ends in " ..." is the beginning of one. Empty lines do not count. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/panic.h"
#include "support/program.h"

/* Not with sanitizers: each command has its own tests. */
#define PAGE(name) Test(tutorial, name, .disabled = CHECK_COSTLY)

static const char *const pages[] = {"1-run-a-program.md", "2-compare.md", "3-slow-program.md", "4-cosimulate.md", "usage.md"};

/* What a clone has, for reading; build/ has the program under test. */
static void fresh_clone(void)
{
	struct program p = program_run("ln -s $PWD/traces $PWD/rtl $PWD/csim $PWD/tests %s && realpath \"${LOCUS_BUILD:-build}\" | "
				       "xargs -I@ ln -s @ %s/build",
				       program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

static int expected_status(const char *command)
{
	const char *said = strstr(command, "# exit status ");
	int status = 0;

	cr_assert(!said || sscanf(said, "# exit status %d", &status) == 1, "%s", command);
	return status;
}

/* Whether a line of a page is the line of the output, or the beginning of it. */
static bool is_shown(const char *shown, const char *line)
{
	size_t n = strlen(shown), cut = n > 4 && !strcmp(shown + n - 4, " ...") ? n - 4 : 0, length = strcspn(line, "\n");

	return cut ? length >= cut && !strncmp(line, shown, cut) : length == n && !strncmp(line, shown, n);
}

static const char *next_line(const char *at)
{
	at += strcspn(at, "\n");
	return at + strspn(at, "\n");
}

/* Where the output goes on after the shown line, which must be at `at`, or anywhere from there on. */
static const char *find_shown(const char *shown, const char *at, bool anywhere)
{
	for (; *at; at = next_line(at))
		if (is_shown(shown, at))
			return next_line(at);
		else if (!anywhere)
			break;
	return NULL;
}

struct page {
	const char *name;
	char *output;	    /* of the last block of commands */
	const char *at;	    /* in the output: what follows the lines that were shown */
	bool gap;	    /* lines may be left out before the next one */
	char command[1000]; /* its lines so far */
	unsigned n_commands;
};

/* A line of a command, which is run if it is the last one. */
static void take_command(struct page *page, const char *line)
{
	char *command = page->command, *all;
	struct program p;
	size_t n = strlen(command) + strlen(line);

	cr_assert_lt(n, sizeof page->command);
	strcat(command, line);
	if (command[n - 1] == '\\') {
		command[n - 1] = '\0';
		return;
	}
	p = program_run("cd %s && %s", program_tmp(), command);

	cr_assert_eq(p.status, expected_status(command), "%s: %s: status %d\n%s", page->name, command, p.status, p.err);
	cr_assert(asprintf(&all, "%s%s%s", page->output, p.out, p.err) >= 0);
	free(page->output);
	page->output = all;
	page->at = page->output;
	page->n_commands++;
	*command = '\0';
	program_free(&p);
}

static void see_output(struct page *page, const char *shown)
{
	const char *at;

	if (!strcmp(shown, "...")) {
		page->gap = true;
		return;
	}
	at = find_shown(shown, page->at, page->gap);
	cr_expect(at, "%s shows a line that is not printed%s:\n%s\n", page->name, page->gap ? "" : " there", shown);
	page->at = at ? at : page->at;
	page->gap = !at;
}

static void begin_block(struct page *page, bool commands)
{
	if (commands) {
		free(page->output);
		page->output = strdup("");
	}
	page->at = page->output;
	page->gap = true;
}

static void page_runs(const char *name)
{
	struct page page = {.name = name, .output = strdup("")};
	enum { TEXT, COMMANDS, OUTPUT, OTHER } in = TEXT;
	bool skip = false;
	char path[100], *text, *save = NULL;

	fresh_clone();
	snprintf(path, sizeof path, "docs/tutorial/%s", name);
	text = program_text(path);
	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		bool fence = !strncmp(line, "```", 3);

		if (fence && in != TEXT) {
			in = TEXT;
		} else if (fence) {
			in = skip ? OTHER : !strcmp(line, "```sh") ? COMMANDS : !strcmp(line, "```text") ? OUTPUT : OTHER;
			skip = false;
			if (in != OTHER)
				begin_block(&page, in == COMMANDS);
		} else if (in == COMMANDS) {
			take_command(&page, line);
		} else if (in == OUTPUT) {
			see_output(&page, line);
		}
		skip |= in == TEXT && !strncmp(line, "<!-- not run by tests/943: ", 27);
	}
	cr_expect_geq(page.n_commands, 5, "%s: %u commands", name, page.n_commands);
	free(page.output);
	free(text);
}

PAGE(runs_a_program)
{
	page_runs(pages[0]);
}

PAGE(compares_runs)
{
	page_runs(pages[1]);
}

PAGE(finds_why_a_program_is_slow)
{
	page_runs(pages[2]);
}

PAGE(checks_verilog)
{
	page_runs(pages[3]);
}

PAGE(goes_through_all_features)
{
	page_runs(pages[4]);
}

/* No page is forgotten above. */
Test(tutorial, has_these_pages)
{
	struct program p = program_run("ls docs/tutorial");
	char all[1024] = "";

	for (unsigned i = 0; i < sizeof pages / sizeof pages[0]; i++)
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s\n", pages[i]);
	cr_expect_str_eq(p.out, all);
	program_free(&p);
}

Test(tutorial, shows_the_launch_file_that_it_runs)
{
	struct program p = program_run("awk '/^```$/ { inside = 0 } inside { print } /^```yaml$/ { inside = 1 }' "
				       "docs/tutorial/1-run-a-program.md | diff - traces/examples/short.yaml");

	cr_expect_str_eq(p.out, "0a1\n> # As short as a launch file gets.\n");
	program_free(&p);
}

/* `make cosim` ends with this table: a row a run, with its speed-up over the row's own kernel. */
Test(tutorial, has_a_table_of_indices)
{
	struct program p = program_run(
		"scripts/index-table \"${LOCUS_BUILD:-build}/locus\" conv2d | awk 'NR > 1 { print $1, $2, NF, ($4 >= 1) }'");

	cr_expect_str_eq(p.out, "conv2d linear 7 1\nconv2d pric 7 1\n", "%s%s", p.out, p.err);
	program_free(&p);
}
