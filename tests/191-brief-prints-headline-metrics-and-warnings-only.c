/* 191: --brief prints the headline metrics and the largest stall, each as --json has it, and beyond these only
 * warnings. The output without --brief begins with the same rows. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* Every line is "  NAME VALUE UNIT ..."; its value is the result's. Returns the number of lines. */
static unsigned check_lines(char *text, const json_t *stats)
{
	unsigned n = 0;
	char *save = NULL;

	for (char *line = strtok_r(text, "\n", &save); line; line = strtok_r(NULL, "\n", &save), n++) {
		char name[64], value[64], unit[64] = "", digits[64];
		double want, got;
		size_t d = 0;

		cr_assert_geq(sscanf(line, "  %63s %63s %63s", name, value, unit), 2, "%s", line);
		for (const char *c = value; *c; c++)
			if (*c != ',')
				digits[d++] = *c;
		digits[d] = '\0';
		got = strtod(digits, NULL);
		want = program_stat(stats, name) * (!strcmp(unit, "%") ? 100 : 1);
		cr_expect(got > want - 0.051 && got < want + 0.051, "%s: %s, but the result has %f", name, value, want);
	}
	return n;
}

Test(brief, prints_each_headline_as_the_result_has_it)
{
	struct program p = program_run("locus run traces/examples/saxpy.yaml --brief --json %s/r.json", program_tmp());
	static const char *const headlines[] = {"  cycles ",	     "  time ",		 "  ipc.thread ", "  ipc.warp ",
						"  dram.bandwidth ", "  dram.bus_busy ", "  sched."};
	json_t *result = json_load_file(program_path("r.json"), 0, NULL);

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(result);
	for (size_t i = 0; i < sizeof headlines / sizeof headlines[0]; i++)
		cr_expect(strstr(p.out, headlines[i]), "no%s in:\n%s", headlines[i], p.out);
	cr_expect_leq(check_lines(p.out, json_object_get(result, "stats")), 12);
	json_decref(result);
	program_free(&p);
}

/* No other reason takes as many of the schedulers' cycles. */
Test(brief, names_the_largest_stall)
{
	struct program p = program_run("locus run syrk --size test --brief --json %s/r.json", program_tmp());
	json_t *result = json_load_file(program_path("r.json"), 0, NULL), *v;
	const char *name, *at = strstr(p.out, "  sched."), *most = "";
	double largest = -1;
	char shown[64] = "";

	cr_assert(result && at, "%s", p.out);
	cr_assert_eq(sscanf(at, " %63s", shown), 1);
	json_object_foreach(json_object_get(result, "stats"), name, v)
	{
		if (!strncmp(name, "sched.", 6) && !strchr(name + 6, '.') && strcmp(name, "sched.issued") &&
		    json_number_value(v) > largest) {
			largest = json_number_value(v);
			most = name;
		}
	}
	cr_expect_str_eq(shown, most);
	cr_expect_null(strstr(at + 1, "  sched."), "one of them");
	json_decref(result);
	program_free(&p);
}

/* Of the text after the title, the first block is the output of --brief. No row of it comes again. */
Test(brief, is_how_the_whole_output_begins)
{
	struct program p = program_run("locus run syrk --size test --brief"), whole = program_run("locus run syrk --size test");
	const char *first = strstr(whole.out, "\n\n"), *next;
	size_t n = strlen(p.out);
	char *save = NULL;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(whole.status, 0, "%s", whole.err);
	cr_assert(first, "%s", whole.out);
	cr_assert(!strncmp(first + 2, p.out, n), "%s", whole.out);
	next = first + 2 + n;
	cr_expect_eq(*next, '\n', "an empty line divides headlines and details:\n%s", whole.out);
	cr_expect(strstr(next, "\n  warp_insts "), "%s", next);
	for (char *line = strtok_r(p.out, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
		char start[64] = "\n  ";

		cr_assert_eq(sscanf(line, " %50[^ ]", start + 3), 1);
		strcat(start, " ");
		cr_expect_null(strstr(next, start), "%s comes twice", start);
	}
	program_free(&p);
	program_free(&whole);
}

Test(brief, keeps_warnings)
{
	struct program p = program_run("locus run syrk --size test --brief --max-cycles 100");

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "cut by the limit after 100 cycles"), "%s", p.out);
	program_free(&p);
	program_file("wrong.yaml",
		     "ptx: kernel.ptx\nbuffers:\n  x: {count: 64, type: f32, value: 3}\n  y: {count: 64, type: f32, value: 1}\n"
		     "launches:\n  - {kernel: saxpy, grid: 1, block: 64, args: [y, x, 2.0, 64]}\n"
		     "expect:\n  y: {type: f32, value: 8}\n"); /* 1 + 2 * 3 is 7 */
	p = program_run("cp traces/examples/kernel.ptx %s && locus run %s/wrong.yaml --brief", program_tmp(), program_tmp());
	cr_expect_eq(p.status, 1, "%s", p.err);
	cr_expect(strstr(p.out, "WRONG"), "%s", p.out);
	program_free(&p);
	p = program_run("locus run syrk --size test --brief --launches");
	cr_expect_str_eq(p.err, "locus run: --launches: is left out by --brief\n");
	program_free(&p);
}
