/* 718: the numbers that README.md and docs/ quote are those of the tables in docs/results/, of the sources, or of the
 * command that is quoted. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"
#include "support/shape_matrix.h"

/* A file's text with single spaces in place of line ends, so that a sentence is found wherever it breaks. */
static char *flat(const char *file)
{
	char *text = program_text(file), *to = text;

	for (const char *at = text; *at; at++)
		if (*at != '\n' && !(*at == ' ' && to > text && to[-1] == ' '))
			*to++ = *at;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
	return text;
}

static void says(const char *file, const char *sentence)
{
	char *text = flat(file);

	cr_expect(strstr(text, sentence), "%s does not say \"%s\"", file, sentence);
	free(text);
}

/* The measured value of a place (scripts/headlines). */
static double look_up(const char *place, bool published)
{
	double value[2];
	char list[512];
	struct program p;
	const char *row;

	snprintf(list, sizeof list, "# paper\nclaim\n1 %s\n%s\n-\n-\n-\n\n", published ? "@" : "1", place);
	program_file("list", list);
	p = program_run("scripts/headlines %s/list docs/results", program_tmp());
	row = strstr(p.out, "| claim | ");
	row = row ? strstr(row + 1, "\n| claim | ") : NULL;
	cr_assert(p.status == 0 && row && sscanf(row, "\n| claim | %lf | %lf |", &value[0], &value[1]) == 2, "%s: %s%s", place,
		  p.out, p.err);
	program_free(&p);
	return value[1];
}

enum { SEVERAL = 3 };

/* Rows of the table of studies in docs/studies/README.md; of each number its place in docs/results/. */
static const struct {
	const char *metric; /* the beginning of the cell */
	const char *format; /* of one number */
	bool published;	    /* they stand beside the measured ones there */
	const char *place[SEVERAL];
} readme_rows[] = {
	{"bypass, DWT-CS and PRIC together",
	 "%.2f",
	 false,
	 {"cache > Speed-up of bypass, DWT-CS and PRIC together > all > gtx480-sim3",
	  "cache > Speed-up of bypass, DWT-CS and PRIC together > contention > gtx480-sim3"}},
	{"SYRK / GESUMMV",
	 "%.1f",
	 false,
	 {"cache > Speed-up of bypass, DWT-CS and PRIC together > SYRK > gtx480-sim3",
	  "cache > Speed-up of bypass, DWT-CS and PRIC together > GESUMMV > gtx480-sim3"}},
	{"over CCWS / over MRPB",
	 "%.2f",
	 false,
	 {"cache > gtx480-sim3: speed-ups of programs with contention > all > DWT-PRIC / CCWS",
	  "cache > gtx480-sim3: speed-ups of programs with contention > all > DWT-PRIC / MRPB"}},
	{"PRIC over a 16-way / a fully associative L1",
	 "%.2f",
	 false,
	 {"cache > gtx480-sim3: speed-up over the linear 4-way L1 > PRIC over it, measured > 16 ways",
	  "cache > gtx480-sim3: speed-up over the linear 4-way L1 > PRIC over it, measured > full (128)"}},
	{"speed-up over pages spread finely",
	 "%.2f",
	 false,
	 {"coda > Figure 8 at the paper's sizes > all > CODA", "coda > Figure 8: > all > CODA"}},
	{"default sizes, links of 5 / 1 GB/s",
	 "%.2f",
	 false,
	 {"coda > Figure 10: > all > 5 (60)", "coda > Figure 10: > all > 1 GB/s a link (12 in all)"}},
	{"accesses that leave their stack", "%.1f %%", false, {"coda > Figure 9: > all > fewer %"}},
	{"pairs of page and module", "%.1f %%", true, {"tafe > Figure 12, multi-GPU > all > all"}},
	{"IPC over pages and CTAs in turn",
	 "%.2f",
	 true,
	 {"tafe > Figure 16, multi-GPU > all > TAFE", "tafe > Figure 16, exascale node > all > TAFE"}},
	{"what the tracking hardware costs", "%.2f %%", true, {"tafe > Figure 13, exascale node > all > HW %"}},
	{"RB-TS over round robin",
	 "%.2f",
	 false,
	 {"paver > Figure 11, Fermi: > all > RB-TS", "paver > Figure 11, Pascal: > all > RB-TS",
	  "paver > Figure 11, Volta: > all > RB-TS"}},
	{"L2 accesses, percent",
	 "%.0f",
	 false,
	 {"paver > Figure 13, Fermi: > all > RB-TS", "paver > Figure 13, Pascal: > all > RB-TS",
	  "paver > Figure 13, Volta: > all > RB-TS"}},
	{"speed over round robin, cache-sensitive", "%.2f", false, {"ldesc > Figure 14: > cache-sensitive > LDesc"}},
	{"the same, all 16 programs", "%.2f", false, {"ldesc > Figure 14: > all > LDesc"}},
	{"NUMA: speed over XOR-hashed pages",
	 "%.2f",
	 false,
	 {"ldesc > Figure 17: > all > LDesc", "ldesc > Figure 17: > all > LDesc over FirstTouch-Distrib"}},
	{"NUMA: requests that stay", "%.0f %%", false, {"ldesc > Figure 18: > all > LDesc"}},
};

/* "1.34 / 1.94" of the values of a row's places. */
static void join(char *to, size_t room, unsigned row)
{
	*to = '\0';
	for (unsigned i = 0; i < SEVERAL && readme_rows[row].place[i]; i++) {
		double value = look_up(readme_rows[row].place[i], readme_rows[row].published);

		if (i)
			strncat(to, " / ", room - strlen(to) - 1);
		snprintf(to + strlen(to), room - strlen(to), readme_rows[row].format, value);
	}
}

Test(numbers, the_table_of_studies_is_that_of_the_results)
{
	char *text = program_text("docs/studies/README.md"), *save = NULL,
	     *in = strstr(text, "\n| study | metric | measured | published |");
	char metric[200], measured[200], want[200];
	unsigned rows = 0;

	cr_assert_not_null(in);
	strtok_r(in, "\n", &save);
	strtok_r(NULL, "\n", &save);
	for (char *line; (line = strtok_r(NULL, "\n", &save)) && *line == '|'; rows++) {
		unsigned i = 0, all = sizeof readme_rows / sizeof readme_rows[0];

		cr_assert_eq(sscanf(line, "|%*[^|]| %199[^|] | %199[^|] |", metric, measured), 2, "%s", line);
		measured[strcspn(measured, "|")] = '\0';
		while (*measured && measured[strlen(measured) - 1] == ' ')
			measured[strlen(measured) - 1] = '\0';
		while (i < all && strncmp(metric, readme_rows[i].metric, strlen(readme_rows[i].metric)) != 0)
			i++;
		cr_assert_lt(i, all, "no place is known of \"%s\"", metric);
		join(want, sizeof want, i);
		cr_expect_str_eq(measured, want, "%s", metric);
	}
	cr_expect_eq(rows, sizeof readme_rows / sizeof readme_rows[0]);
	free(text);
}

Test(numbers, the_readmes_count_the_headlines_as_their_page_does)
{
	char *page = flat("docs/results/README.md"), *at = strstr(page, "\n\nOf "), want[200];
	unsigned all, near, side, not ;

	at = strstr(page, " Of ");
	while (at && sscanf(at, " Of %u numbers %u are reproduced within 15 %%, of %u the direction is, %u", &all, &near, &side,
			    &not ) != 4)
		at = strstr(at + 1, " Of ");
	cr_assert_not_null(at);
	snprintf(want, sizeof want,
		 "Of %u headline numbers %u are within 15 %% of the published ones, %u more lie on the same side, and %u do not.",
		 all, near, side, not );
	says("docs/studies/README.md", want);
	snprintf(want, sizeof want, "Of %u headline numbers of the papers, %u are reproduced within 15 %%;", all, near);
	says("README.md", want);
	free(page);
}

Test(numbers, the_readme_counts_workloads_and_has_the_correlations_errors)
{
	struct program p = program_run("locus list workloads");
	char *table = program_text("docs/results/correlation.md"), want[200];
	double locus, accel, gpgpusim;
	unsigned n = 0, of;
	const char *at;

	for (const char *line = strchr(p.out, '\n'); line && line[1] == ' '; line = strchr(line + 1, '\n'))
		n += line[3] != ' ';
	snprintf(want, sizeof want, "one of the %u [workloads]", n);
	says("README.md", want);
	program_free(&p);
	at = strstr(table, "| Locus | 12 |");
	cr_assert(at && sscanf(at, "| Locus | %u | %lf %%", &of, &locus) == 2);
	at = strstr(table, "| Accel-Sim | 12 |");
	cr_assert(at && sscanf(at, "| Accel-Sim | %u | %lf %%", &of, &accel) == 2);
	snprintf(want, sizeof want,
		 "Over %u applications of public suites, the mean absolute error of `qv100`'s cycles against a Quadro V100 is "
		 "%.1f %% (Accel-Sim: %.1f %%).",
		 of, locus, accel);
	says("README.md", want);
	at = strstr(table, "| GPGPU-Sim 3 | 12 |");
	cr_assert(at && sscanf(at, "| GPGPU-Sim 3 | %u | %lf %%", &of, &gpgpusim) == 2);
	snprintf(want, sizeof want, "| error against a V100, %u programs above | %.1f %% | %.1f %% | %.1f %% (version 3) |", of,
		 locus, accel, gpgpusim);
	says("README.md", want);
	free(table);
}

/* The command that follows "    $ " and the lines below it, which it prints. */
Test(numbers, the_readme_quotes_lines_that_the_command_prints)
{
	char *text = program_text("README.md"), *save = NULL, *at = strstr(text, "\n    $ build/locus "), *line;
	struct program p;
	unsigned lines = 0;

	cr_assert_not_null(at);
	line = strtok_r(at, "\n", &save);
	p = program_run("locus %s", line + strlen("    $ build/locus "));
	cr_assert_eq(p.status, 0, "%s", p.err);
	while ((line = strtok_r(NULL, "\n", &save)) && !strncmp(line, "    ", 4)) {
		char whole[300];

		snprintf(whole, sizeof whole, "\n%s\n", line + 4);
		cr_expect(strstr(p.out, whole), "%s is not in:\n%s", whole, p.out);
		lines++;
	}
	cr_expect_eq(lines, 4);
	program_free(&p);
	free(text);
}

/* The number in a column of the row "all" of a table of mutation.md, the k-th such row. */
static unsigned all_of(unsigned k, unsigned column)
{
	char *text = program_text("docs/results/mutation.md"), *at = text;
	unsigned n = 0;

	for (; k; k--) {
		at = strstr(at, "\n| all |");
		cr_assert_not_null(at);
		at++;
	}
	for (; column; column--)
		at = strchr(at, '|') + 1;
	cr_assert_eq(sscanf(at, "%u", &n), 1);
	free(text);
	return n;
}

/* 12024 as 12,024. */
static const char *grouped(unsigned n, char out[20])
{
	if (n >= 1000)
		snprintf(out, 20, "%u,%03u", n / 1000, n % 1000);
	else
		snprintf(out, 20, "%u", n);
	return out;
}

Test(numbers, verification_counts_mutants_and_shapes_as_they_are)
{
	char a[20], b[20], want[300];

	snprintf(want, sizeof want, "**Shape matrix**: %u shapes of the 12 blocks", matrix_size());
	says("docs/explanation/verification.md", want);
	snprintf(want, sizeof want, "Every mutant of the twelve blocks' Verilog (%s) and of their twins (%s)",
		 grouped(all_of(1, 2), a), grouped(all_of(2, 2), b));
	says("docs/explanation/verification.md", want);
	snprintf(want, sizeof want, "Waivers (%u of blocks, %u of twins)", all_of(1, 6), all_of(2, 6));
	says("docs/explanation/verification.md", want);
	cr_expect_eq(all_of(1, 7), 0, "gaps of blocks");
	cr_expect_eq(all_of(2, 7), 0, "gaps of twins");
}

Test(numbers, verification_counts_the_blocks_of_a_billion_soaked_steps)
{
	char *text = program_text("docs/results/soak.md"), want[200];
	unsigned rows = 0, billions = 0;
	double steps;

	for (const char *at = text; (at = strstr(at, "\n| `")) != NULL; at++)
		if (sscanf(at, "\n| `%*[^`]` | `%*[^`]` | %lf |", &steps) == 1) {
			rows++;
			billions += steps >= 1e9;
		}
	if (billions == rows)
		snprintf(want, sizeof want, "a billion steps of each block, and an hour of whole models");
	else
		snprintf(want, sizeof want, "a billion steps of %u of the %u blocks, fewer of those that changed since", billions,
			 rows);
	says("docs/explanation/verification.md", want);
	free(text);
}

/* What docs/reference/hardware/cost.md says of rows of its table: block, parameters, column, and the words with the
 * number. */
Test(numbers, the_page_on_hardware_cost_quotes_its_table)
{
	static const struct {
		const char *row;
		unsigned column;
		const char *says;
	} quotes[] = {
		{"| `pric_index` | as is |", 4, "the exact index of 32-bit addresses is %s cells"},
		{"| `pric_index` | ADDR_BITS=27 |", 4, "out of the sums, is %s cells"},
		{"| `addr_decoder` | ADDR_W=48 |", 4, "with 2^c channels it is %s cells"},
		{"| `div_const` | W=38 |", 4, "division: %s cells"},
		{"| `div_const` | W=38 |", 6, "cells and %s ns for a number of 38 bits"},
		{"| `addr_decoder_pipe` | ADDR_W=48 |", 3, "The pipe keeps %s flip-flops a port"},
		{"| `bypass_monitor` | as is |", 3, "so %s flip-flops"},
		{"| `bypass_monitor` | as is |", 4, "It is %s cells"},
		{"| `pin_replacement` | SETS=1 WAYS=4 |", 4, "One set of it is %s cells"},
		{"| all, pipeline registers too |", 5, "`tafe_top` keeps %s bytes"},
		{"| all, pipeline registers too |", 9, "NAND2, %s: a third"},
	};
	char *text = program_text("docs/results/hardware-cost.md"), want[200], value[40];

	for (unsigned i = 0; i < sizeof quotes / sizeof quotes[0]; i++) {
		const char *at = strstr(text, quotes[i].row);

		cr_assert(at, "%s", quotes[i].row);
		for (unsigned k = quotes[i].column; k; k--)
			at = strchr(at, '|') + 1;
		cr_assert_eq(sscanf(at, " %39[^|]", value), 1);
		while (value[strlen(value) - 1] == ' ')
			value[strlen(value) - 1] = '\0';
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
		snprintf(want, sizeof want, quotes[i].says, value);
		says("docs/reference/hardware/cost.md", want);
	}
	free(text);
}
