/* 930: `locus graph`: figures beside Table 2, the METIS file, the picture, JSON, and what it refuses. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <metis.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

static void expect_in(const struct program *p, const char *text)
{
	cr_expect(strstr(p->out, text), "\"%s\" is not in:\n%s", text, p->out);
}

Test(locus_graph, prints_table_2_to_the_last_digit)
{
	static const struct {
		const char *what, *printed;
	} known[] = {
		{"matmul --arg n=208", "0.857988166        169          169"},
		{"matmul --arg n=208 --source trace", "0.857988166        169          169"},
		{"hotspot --arg rows=512 --arg cols=512", "0.995823097       1849         1849         524288"},
		{"hotspot --arg rows=512 --arg cols=512 --source trace", "0.995823097       1849         1849         524288"},
		{"pathfinder --arg cols=100000 --arg rows=21 --arg height=20",
		 "0.995689675        463          463        2100000"},
	};

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct program p = program_run("locus graph %s --size test", known[i].what);
		const char *measured = strstr(p.out, "  measured "), *published = strstr(p.out, "  published ");

		cr_assert_eq(p.status, 0, "%s", p.err);
		cr_assert(measured && published, "%s", p.out);
		cr_expect(strstr(measured, known[i].printed) && strstr(measured, known[i].printed) < published, "%s: %s",
			  known[i].what, measured);
		cr_expect(strstr(p.out, "simulator: "), "%s", p.out);
		program_free(&p);
	}
}

/* Reads the file as METIS's manual says and gives it to METIS: two halves of 13 x 13 tiles that share with their row
 * and their column. */
Test(locus_graph, writes_what_metis_reads)
{
	char path[512];
	idx_t first[170], to[4056], weight[4056], part[169], n = 169, one = 1, parts = 2, cut, in_one = 0;
	struct program p;
	unsigned long edges;
	char line[8192];
	FILE *f;

	snprintf(path, sizeof path, "%s/m.graph", program_tmp());
	p = program_run("locus graph matmul --arg n=208 --metis %s", path);
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	f = fopen(path, "r");
	cr_assert(f && fgets(line, sizeof line, f) && line[0] == '%');
	cr_assert(fgets(line, sizeof line, f) && sscanf(line, "169 %lu 001", &edges) == 1 && edges == 2028, "%s", line);
	first[0] = 0;
	for (int i = 0; i < 169; i++) {
		char *at = line, *end;
		idx_t k = first[i];

		cr_assert_not_null(fgets(line, sizeof line, f));
		for (unsigned long j = strtoul(at, &end, 10); end != at; j = strtoul(at, &end, 10)) {
			cr_assert(k < 4056 && j >= 1 && j <= 169 && (long)j != i + 1);
			cr_assert((long)(j - 1) / 13 == i / 13 || (long)(j - 1) % 13 == i % 13);
			to[k] = (idx_t)j - 1;
			weight[k++] = (idx_t)strtoul(end, &at, 10);
		}
		first[i + 1] = k;
	}
	cr_assert_null(fgets(line, sizeof line, f));
	fclose(f);
	cr_assert_eq(first[169], 4056);
	cr_assert_eq(METIS_PartGraphRecursive(&n, &one, first, to, NULL, NULL, weight, &parts, NULL, NULL, NULL, &cut, part),
		     METIS_OK);
	for (int i = 0; i < 169; i++)
		in_one += part[i];
	cr_expect(in_one >= 78 && in_one <= 91, "%d", (int)in_one);
	/* Six rows and seven: each of the 13 columns is cut into 6 * 7 pairs. METIS need not find the best. */
	cr_expect_geq(cut, 13 * 42 * 3328);
	cr_expect_leq(cut, 3 * 13 * 42 * 3328 / 2);
}

Test(locus_graph, draws_the_adjacency_matrix)
{
	char head[9] = "";
	struct program p =
		program_run("locus graph matmul --size test --picture %s/a.svg && locus graph matmul --size test --picture "
			    "%s/a.png && cat %s/a.svg",
			    program_tmp(), program_tmp(), program_tmp());
	char path[512];
	FILE *f;

	cr_assert_eq(p.status, 0, "%s", p.err);
	expect_in(&p, "<svg");
	expect_in(&p, "shared data references");
	cr_expect_str_empty(p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/a.png", program_tmp());
	f = fopen(path, "r");
	cr_assert(f && fread(head, 1, 8, f) == 8);
	cr_expect_str_eq(head, "\x89PNG\r\n\x1a\n");
	fclose(f);
}

Test(locus_graph, writes_json_of_all_launches_and_their_mean)
{
	char path[512];
	struct program p;
	json_t *o, *launches;
	double sum = 0;

	snprintf(path, sizeof path, "%s/g.json", program_tmp());
	p = program_run("locus graph bfs --size test --source trace --json %s", path);
	cr_assert_eq(p.status, 0, "%s", p.err);
	expect_in(&p, "bfs_expand");
	expect_in(&p, "  mean ");
	program_free(&p);
	o = json_load_file(path, 0, NULL);
	cr_assert_not_null(o);
	launches = json_object_get(o, "launches");
	cr_assert_eq(json_array_size(launches), 10);
	for (size_t i = 0; i < 10; i++)
		sum += json_real_value(json_object_get(json_object_get(json_array_get(launches, i), "stats"), "graph.sp_score"));
	cr_expect_float_eq(json_real_value(json_object_get(json_object_get(o, "stats"), "graph.sp_score")), sum / 10, 1e-9);
	json_decref(o);
}

Test(locus_graph, refuses_in_one_line)
{
	static const struct {
		const char *command, *names;
	} bad[] = {
		{"graph matmul --size test --launch 1", "--launch 1: matmul has 1 launch"},
		{"graph matmul --size test --picture a.jpg", ".svg or .png"},
		{"graph bfs --size test --picture a.svg", "--picture shows one launch"},
		{"graph bfs --size test --metis a.graph", "--metis shows one launch"},
		{"graph vectoradd --size test --picture a.svg", "no edge to show"},
		{"graph traces/accelsim-sample/kernelslist.g --source static", "no PTX to analyse"},
		{"graph matmul --size test --json /nowhere/g.json", "/nowhere/g.json"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = program_run("locus %s", bad[i].command);

		cr_expect(program_is_clean_error(&p), "%s", bad[i].command);
		cr_expect(strstr(p.err, bad[i].names), "%s: %s", bad[i].command, p.err);
		program_free(&p);
	}
}
