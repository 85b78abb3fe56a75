/* 913: locus footprint: the table, CTAs, readers, JSON and the picture; what is refused in one line. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

static void expect_line(const struct program *p, const char *line)
{
	cr_expect(strstr(p->out, line), "no \"%s\" in\n%s", line, p->out);
}

/* 16 SMs a module and 64 CTAs: one an SM, 16 a module; 4 KB of each array a page: 4 CTAs. */
Test(footprint_command, prints_arrays_ctas_and_readers)
{
	struct program p =
		program_run("locus footprint vectoradd --arg n=16384 --machine mcm4 --set vm.page=4K --ctas 16-17 --who 'b[4100]'");

	cr_assert_eq(p.status, 0, "%s", p.err);
	expect_line(&p, "64 CTAs (64x1x1), 1 extent for each of 64 sets of CTAs, 1088 bytes of metadata\n");
	expect_line(
		&p,
		"  a               TID_DEP                   16384        16384        16384         16          16          48 "
		"          0           0   100.00 %\n");
	expect_line(
		&p,
		"  all                                                                               48          48         144 "
		"          0           0   100.00 %\n");
	expect_line(&p, "         16       1  a                      256         256         256  4096..4351                       "
			" 4096..4351\n");
	expect_line(&p, "         17       1  c                      256         256         256  4352..4607                       "
			" 4352..4607\n");
	expect_line(&p, "CTAs 16 (1 in all), modules 1\n");
	expect_line(&p, "CTAs 16-19 (4 in all), modules 1\n");
	program_free(&p);
}

Test(footprint_command, prints_runs_of_readers)
{
	/* 4 x 4 CTAs: column 1 */
	struct program p = program_run("locus footprint matmul --arg n=64 --machine mcm4 --who 'B[17]'");

	cr_assert_eq(p.status, 0, "%s", p.err);
	expect_line(&p, ": CTAs 1, 5, 9, 13 (4 in all), modules 0 1 2 3\n");
	program_free(&p);
}

static double metric(json_t *all, const char *key)
{
	json_t *v = json_object_get(json_object_get(all, "stats"), key);

	cr_assert_not_null(v, "%s", key);
	return json_number_value(v);
}

/* Pairs add up, by arrays and by kinds of relations. */
Test(footprint_command, keeps_its_figures_as_json)
{
	static const char *const what[] = {"pages", "true_pos", "true_neg", "false_pos", "false_neg"};
	struct program p = program_run("locus footprint bfs --size test --machine exascale25 --json %s/f.json", program_tmp());
	char path[256], key[64];
	json_t *all;

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/f.json", program_tmp());
	all = json_load_file(path, 0, NULL);
	cr_assert_not_null(all);
	cr_expect_str_eq(json_string_value(json_object_get(all, "plan")), "tafe");
	for (unsigned i = 0; i < sizeof what / sizeof what[0]; i++) {
		double sum = 0, of[3];
		static const char *const prefix[3] = {"footprint", "footprint.tid", "footprint.data"}, *const array[] = {
													       "row",	   "edge",
													       "frontier", "marked",
													       "visited",  "level",
													       "go_on"};

		for (unsigned k = 0; k < 3; k++) {
			snprintf(key, sizeof key, "%s.%s", prefix[k], what[i]);
			of[k] = metric(all, key);
		}
		for (unsigned k = 0; k < sizeof array / sizeof array[0]; k++) {
			snprintf(key, sizeof key, "footprint.array.%s.%s", array[k], what[i]);
			sum += metric(all, key);
		}
		cr_expect_eq(of[0], of[1] + of[2], "%s", what[i]);
		cr_expect_eq(of[0], sum, "%s", what[i]);
	}
	cr_expect_eq(metric(all, "footprint.pages") * 25, metric(all, "footprint.true_pos") + metric(all, "footprint.true_neg") +
								  metric(all, "footprint.false_pos") +
								  metric(all, "footprint.false_neg"));
	json_decref(all);
}

static char *contents(const char *name)
{
	char path[256], *text = calloc(1, 1 << 20);
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	f = fopen(path, "r");
	cr_assert_not_null(f, "%s", path);
	cr_assert_gt(fread(text, 1, (1 << 20) - 1, f), 0);
	fclose(f);
	return text;
}

/* 16 pages an array, 16 CTAs and so four pages a module: a black field of 4 x 1 in each module's row, of all three
 * arrays. */
Test(footprint_command, draws_pages_and_modules)
{
	struct program p = program_run("locus footprint vectoradd --arg n=16384 --machine mcm4 --set vm.page=4K --svg %s/f.svg",
				       program_tmp());
	char *svg, field[64];

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	svg = contents("f.svg");
	for (unsigned array = 0; array < 3; array++)
		for (unsigned module = 0; module < 4; module++) {
			snprintf(field, sizeof field, "M%u %uh4v1h-4z", 16 * array + 4 * module, module);
			cr_expect(strstr(svg, field), "%s", field);
		}
	cr_expect(strstr(svg, "<path fill=\"#d01c1c\" d=\"\"/>"), "no field is red");
	cr_expect(strstr(svg, "<path fill=\"#f2c200\" d=\"\"/>"), "no field is yellow");
	free(svg);
}

static void expect_refused(const char *command, const char *message)
{
	struct program p = program_run("%s", command);

	cr_expect(program_is_clean_error(&p), "%s", command);
	cr_expect(strstr(p.err, message), "%s: %s", command, p.err);
	program_free(&p);
}

Test(footprint_command, refuses_what_it_cannot_show)
{
	expect_refused("locus footprint transpose --size test --machine mcm4", "makes no TAFE calls");
	expect_refused("locus footprint matmul --size test --machine mcm4 --plan affinity", "none of its planners uses footprints");
	expect_refused("locus footprint matmul --size test --machine mcm4 --plan tafe-pages", "does not assign CTAs to SMs");
	expect_refused("locus footprint matmul --size test --machine mcm4 --ctas 16",
		       "--ctas: \"16\" is not a whole number from 0 to 15");
	expect_refused("locus footprint matmul --size test --machine mcm4 --ctas 3-2", "--ctas: \"2\"");
	expect_refused("locus footprint matmul --size test --machine mcm4 --who B",
		       "--who: \"B\" is neither ARRAY[INDEX] nor 0xADDRESS");
	expect_refused("locus footprint matmul --size test --machine mcm4 --who 'D[0]'", "registers no array \"D\"");
	expect_refused("locus footprint matmul --size test --machine mcm4 --who 'B[4096]'", "from 0 to 4095");
	expect_refused("locus footprint matmul --size test --machine mcm4 --who 0x10", "--who: 0x10 is in no registered array");
	expect_refused("locus footprint matmul --size test --machine mcm4 --who 0xg", "--who: \"0xg\" is not a whole number");
	expect_refused("locus footprint matmul --size test --machine mcm4 --svg /no/such/folder/f.svg", "/no/such/folder/f.svg");
	expect_refused("locus mix vectoradd matmul --size test --machine mcm4 --plan tafe", "TAFE's tables are of one program");
}
