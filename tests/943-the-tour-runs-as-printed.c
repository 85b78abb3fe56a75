/* 943: each command of docs/tutorial/usage.md works as printed, one after the other, in a folder like a fresh clone
 * after make. A command that ends otherwise than with 0 says so behind it; a block of commands behind "<!-- not run by
 * tests/943: WHY -->" is left out. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/panic.h"
#include "support/program.h"

/* Not with sanitizers, by which programs of these sizes take minutes: each command has its own tests. */
#define TOUR(name) Test(tour, name, .disabled = CHECK_COSTLY)

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

/* The commands of one section: lines of ```sh blocks below the heading. */
static struct program commands_of(const char *section)
{
	return program_run(
		"awk -v section='## %s' '/^## / { mine = $0 == section } /^<!-- not run by tests.943: / { skip = 1 } "
		"/^```$/ { inside = 0 } inside && mine { print } /^```sh$/ { inside = !skip; skip = 0 }' docs/tutorial/usage.md",
		section);
}

static void section_runs(const char *section)
{
	struct program commands = commands_of(section), p;
	char *save = NULL;
	unsigned n = 0;

	fresh_clone();
	for (char *line = strtok_r(commands.out, "\n", &save); line; line = strtok_r(NULL, "\n", &save), n++) {
		p = program_run("cd %s && %s", program_tmp(), line);
		cr_assert_eq(p.status, expected_status(line), "%s: status %d\n%s", line, p.status, p.err);
		program_free(&p);
	}
	cr_assert_geq(n, 2, "%s: %u commands", section, n);
	program_free(&commands);
}

static const char *const sections[] = {"Run, change, compare",
				       "Long programs",
				       "Your own kernel",
				       "CUDA programs",
				       "Verilog in the loop",
				       "Traces, caches, memory channels",
				       "Many modules",
				       "Addresses that depend on data",
				       "Groups of CTAs",
				       "Locality descriptors",
				       "Policies of caches and SMs",
				       "Studies"};

TOUR(compares_runs)
{
	section_runs(sections[0]);
}

TOUR(estimates_and_keeps_long_programs)
{
	section_runs(sections[1]);
}

TOUR(runs_a_kernel_of_the_users)
{
	section_runs(sections[2]);
}

TOUR(runs_cuda_programs)
{
	section_runs(sections[3]);
}

TOUR(checks_verilog)
{
	section_runs(sections[4]);
}

TOUR(replays_traces)
{
	section_runs(sections[5]);
}

TOUR(goes_through_many_modules)
{
	section_runs(sections[6]);
}

TOUR(tracks_what_the_program_stores)
{
	section_runs(sections[7]);
}

TOUR(groups_ctas)
{
	section_runs(sections[8]);
}

TOUR(places_by_locality_descriptors)
{
	section_runs(sections[9]);
}

TOUR(runs_policies)
{
	section_runs(sections[10]);
}

TOUR(makes_figures_of_papers)
{
	section_runs(sections[11]);
}

/* No section is forgotten above. */
Test(tour, has_these_sections)
{
	struct program p = program_run("sed -n 's/^## //p' docs/tutorial/usage.md");
	char all[1024] = "";

	for (unsigned i = 0; i < sizeof sections / sizeof sections[0]; i++)
		snprintf(all + strlen(all), sizeof all - strlen(all), "%s\n", sections[i]);
	cr_expect_str_eq(p.out, all);
	program_free(&p);
}

Test(tour, shows_the_launch_file_that_it_runs)
{
	struct program p =
		program_run("awk '/^```$/ { inside = 0 } inside { print } /^```yaml$/ { inside = 1 }' docs/tutorial/usage.md | "
			    "diff - traces/examples/short.yaml");

	cr_expect_str_eq(p.out, "0a1\n> # As short as a launch file gets.\n");
	program_free(&p);
}

/* `make cosim` ends with this table: a row a run, with its speed-up over the row's own kernel. */
Test(tour, has_a_table_of_indices)
{
	struct program p = program_run(
		"scripts/index-table \"${LOCUS_BUILD:-build}/locus\" conv2d | awk 'NR > 1 { print $1, $2, NF, ($4 >= 1) }'");

	cr_expect_str_eq(p.out, "conv2d linear 7 1\nconv2d pric 7 1\n", "%s%s", p.out, p.err);
	program_free(&p);
}
