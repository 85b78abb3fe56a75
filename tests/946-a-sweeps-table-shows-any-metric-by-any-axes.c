/* 946: a sweep's table, over results that are made up, so that its values are known on paper. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "process/gnuplot.h"
#include "support/program.h"
#include "sweep/pivot.h"
#include "sweep/plan.h"
#include "sweep/plot.h"
#include "sweep/store.h"

static const char PLAN[] = "name: made-up\naxes:\n  workload: [syrk, atax]\n  l1-index: [linear, pric]\n  seed: [1, 2]\n";

/* cycles: syrk linear 100 and 400, pric 50 and 50; atax linear 80 and 80, pric 160 and none. hits: seed + 1. */
static const struct {
	const char *args;
	int cycles, hits;
} results[] = {
	{"run syrk --l1-index linear --arg seed=1", 100, 2}, {"run syrk --l1-index linear --arg seed=2", 400, 3},
	{"run syrk --l1-index pric --arg seed=1", 50, 2},    {"run syrk --l1-index pric --arg seed=2", 50, 3},
	{"run atax --l1-index linear --arg seed=1", 80, 2},  {"run atax --l1-index linear --arg seed=2", 80, 3},
	{"run atax --l1-index pric --arg seed=1", 160, 2},
};

struct rig {
	struct sweep_plan p;
	struct sweep_store s;
	struct sweep_table t;
	struct err e;
};

static void keep(struct rig *r, const struct sweep_point *at)
{
	char json[256];

	for (unsigned i = 0; i < sizeof results / sizeof results[0]; i++) {
		if (strcmp(results[i].args, at->args))
			continue;
		snprintf(json, sizeof json, "{\"trace_hash\": \"0f\", \"stats\": {\"cycles\": %d, \"l1.hits\": %d}}",
			 results[i].cycles, results[i].hits);
		cr_assert_eq(sweep_store_put(&r->s, at->content, at->args, 0.5, json, &r->e), 0, "%s", r->e.text);
	}
}

static void open_rig(struct rig *r)
{
	char path[256], db[256];

	*r = (struct rig){.e = {""}};
	program_file("plan.yaml", PLAN);
	snprintf(path, sizeof path, "%s/plan.yaml", program_tmp());
	snprintf(db, sizeof db, "%s/runs.db", program_tmp());
	cr_assert_eq(sweep_plan_read(&r->p, path, &r->e), 0, "%s", r->e.text);
	cr_assert_eq(sweep_plan_check(&r->p, "/bin/true", &r->e), 0, "%s", r->e.text);
	cr_assert_eq(sweep_store_open(&r->s, db, &r->e), 0, "%s", r->e.text);
	for (unsigned i = 0; i < r->p.n_points; i++)
		keep(r, &r->p.point[i]);
	cr_assert_eq(sweep_store_put_failure(&r->s, r->p.point[7].content, r->p.point[7].args, "it \"broke\", and more", &r->e), 0);
}

static void close_rig(struct rig *r)
{
	sweep_store_close(&r->s);
	sweep_plan_close(&r->p);
}

/* What a choice prints after its title. */
static void expect_table(struct sweep_pivot choice, const char *text)
{
	struct rig r;
	char *printed;
	size_t n;
	FILE *to = open_memstream(&printed, &n);

	open_rig(&r);
	cr_assert_eq(sweep_pivot_make(&choice, &r.p, &r.s, &r.t, &r.e), 0, "%s", r.e.text);
	sweep_table_print(&r.t, to);
	fclose(to);
	cr_expect_str_eq(printed, text, "%s", printed);
	free(printed);
	close_rig(&r);
}

/* syrk's seeds: sqrt(100 x 400); the last row: sqrt(200 x 80), sqrt(50 x 160). */
Test(sweep_table, cells_of_several_runs_are_geometric_means)
{
	expect_table((struct sweep_pivot){.metric = "cycles", .columns = "l1-index", .mean = SWEEP_GEOMETRIC},
		     "made-up: cycles\n\n"
		     "| workload       |   linear |     pric |\n"
		     "| -------------- | -------: | -------: |\n"
		     "| syrk           |      200 |       50 |\n"
		     "| atax           |       80 |      160 |\n"
		     "| geometric mean | 126.4911 | 89.44272 |\n\n");
}

/* Run by run: syrk 100/50 and 400/50, atax 80/160 and nothing. */
Test(sweep_table, speed_up_is_the_baselines_cycles_over_the_runs)
{
	expect_table(
		(struct sweep_pivot){.metric = "cycles", .over = "l1-index=linear", .columns = "l1-index,seed", .no_mean = true},
		"made-up: speed-up over l1-index=linear\n\n"
		"| workload | linear, 1 | linear, 2 | pric, 1 | pric, 2 |\n"
		"| -------- | --------: | --------: | ------: | ------: |\n"
		"| syrk     |      1.00 |      1.00 |    2.00 |    8.00 |\n"
		"| atax     |      1.00 |      1.00 |    0.50 |       - |\n\n");
}

/* Of what is no time, the run over the baseline: 3/2. */
Test(sweep_table, other_metrics_are_the_runs_over_the_baselines)
{
	expect_table(
		(struct sweep_pivot){.metric = "l1.hits", .over = "seed=1", .rows = "seed", .columns = "l1-index", .no_mean = true},
		"made-up: l1.hits over seed=1\n\n"
		"| seed | linear | pric |\n"
		"| ---- | -----: | ---: |\n"
		"| 1    |   1.00 | 1.00 |\n"
		"| 2    |   1.50 | 1.50 |\n\n");
}

Test(sweep_table, csv_has_a_row_for_each_run)
{
	struct rig r;
	char *text;
	size_t n;
	FILE *to = open_memstream(&text, &n);

	struct err e = {""};

	open_rig(&r);
	cr_assert_eq(sweep_csv(&r.p, &r.s, "cycles", to, &e), 0, "%s", e.text);
	cr_expect_eq(sweep_csv(&r.p, &r.s, "cycles,cycels", to, &e), -1);
	cr_expect(strstr(e.text, "--metric: no run has \"cycels\" (did you mean \"cycles\"?)"), "%s", e.text);
	fclose(to);
	cr_expect_eq(strstr(text,
			    "\"workload\",\"l1-index\",\"seed\",\"state\",\"why\",\"trace\",\"cycles\",\"command\"\n"
			    "\"syrk\",\"linear\",\"1\",kept,\"\",\"0f\",100,\"locus run syrk --l1-index linear --arg seed=1\"\n"),
		     text, "%s", text);
	cr_expect(strstr(text, "\n\"atax\",\"pric\",\"2\",failed,\"it \"\"broke\"\", and more\",\"\",,\"locus run atax"), "%s",
		  text);
	free(text);
	close_rig(&r);
}

Test(sweep_table, what_is_not_there_is_named)
{
	static const struct {
		struct sweep_pivot choice;
		const char *says;
	} bad[] = {
		{{.metric = "cycels"}, "--metric: no run has \"cycels\" (did you mean \"cycles\"?)"},
		{{.metric = "cycles", .rows = "workloda"},
		 "--rows: the plan has no axis \"workloda\" (did you mean \"workload\"?)"},
		{{.metric = "cycles", .rows = "seed", .columns = "seed"}, "--columns: seed is among the rows already"},
		{{.metric = "cycles", .over = "seed"}, "--over needs AXIS=VALUE, not \"seed\""},
		{{.metric = "cycles", .over = "seed=3"}, "--over: axis seed has no value \"3\""},
		{{.metric = "cycles", .rows = ""}, "--rows: names no axis"},
	};
	struct rig r;

	open_rig(&r);
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct err e = {""};

		cr_expect_eq(sweep_pivot_make(&bad[i].choice, &r.p, &r.s, &r.t, &e), -1);
		cr_expect(strstr(e.text, bad[i].says), "%s", e.text);
	}
	close_rig(&r);
}

Test(sweep_table, a_picture_is_svg_or_png_by_its_name)
{
	static const struct {
		const char *name, *begins;
	} cases[] = {{"a.svg", "<?xml"}, {"a.png", "\x89PNG"}};
	struct sweep_pivot choice = {.metric = "cycles", .columns = "l1-index", .mean = SWEEP_GEOMETRIC};
	struct rig r;

	open_rig(&r);
	cr_assert_eq(sweep_pivot_make(&choice, &r.p, &r.s, &r.t, &r.e), 0, "%s", r.e.text);
	for (unsigned i = 0; i < 2; i++) {
		char path[256], head[8] = "";
		FILE *f;

		snprintf(path, sizeof path, "%s/%s", program_tmp(), cases[i].name);
		cr_assert_eq(sweep_plot(&r.t, path, &r.e), 0, "%s", r.e.text);
		f = fopen(path, "rb");
		cr_assert(f && fread(head, 1, 5, f) == 5);
		fclose(f);
		cr_expect_eq(memcmp(head, cases[i].begins, strlen(cases[i].begins)), 0, "%s", path);
	}
	close_rig(&r);
}

/* ---- pictures ---- */

enum { MOST_BOXES = 64 };
struct box {
	unsigned color; /* 0xrrggbb */
	double left, right, top, bottom;
};

/* The polygons of an SVG of gnuplot's, but for those of the key, which are ahead of `from`. */
static unsigned boxes_of(const char *svg, struct box *to)
{
	unsigned n = 0;

	for (const char *at = svg; (at = strstr(at, "<polygon fill = 'rgb(")) && n < MOST_BOXES; at++) {
		struct box *b = &to[n];
		const char *points = strstr(at, "points = '");
		unsigned red, green, blue;
		double x, y;
		int used;

		cr_assert_eq(sscanf(at, "<polygon fill = 'rgb(%u,%u,%u)", &red, &green, &blue), 3);
		*b = (struct box){red << 16 | green << 8 | blue, 1e9, 0, 1e9, 0};
		for (points += strlen("points = '"); sscanf(points, "%lf,%lf%n", &x, &y, &used) == 2; points += used) {
			b->left = x < b->left ? x : b->left;
			b->right = x > b->right ? x : b->right;
			b->top = y < b->top ? y : b->top;
			b->bottom = y > b->bottom ? y : b->bottom;
		}
		n += b->bottom > b->top && b->right > b->left;
	}
	return n;
}

static unsigned color(unsigned i)
{
	char text[GNUPLOT_COLOR_TEXT];

	return (unsigned)strtoul(gnuplot_color(i, text) + 1, NULL, 16);
}

static char *picture_of(const struct sweep_table *t)
{
	char path[512];
	struct err e = {""};

	snprintf(path, sizeof path, "%s/p.svg", program_tmp());
	cr_assert_eq(sweep_plot(t, path, &e), 0, "%s", e.text);
	return program_text(path);
}

/* The first two are what the page of locus report has for its two runs. */
Test(pictures, have_the_colours_of_the_page)
{
	char *css = program_text("harness/report/web/src/style.css"), want[64];

	snprintf(want, sizeof want, "--a: #%06x; --b: #%06x;", color(0), color(1));
	cr_expect(strstr(css, want), "%s", want);
	for (unsigned i = 0; i < GNUPLOT_LINES; i++)
		for (unsigned k = 0; k < i; k++)
			cr_expect_neq(color(i), color(k), "%u and %u", i, k);
	free(css);
}

static unsigned times_in(const char *text, const char *what)
{
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, what)); at++)
		n++;
	return n;
}

/* Twelve bars a row: twelve colours. */
Test(pictures, have_as_many_colours_as_bars)
{
	const char *columns[13] = {"c1", "c2", "c3", "c4", "c5", "c6", "c7", "c8", "c9", "c10", "c11", "c12", NULL};
	struct arena arena = {0};
	struct sweep_table t;
	char *svg, *low;
	double *v;

	sweep_table_init(&t, &arena, "id", "t", "row", "cycles", columns);
	v = sweep_table_row(&t, SWEEP_MEASURED, "r");
	for (unsigned c = 0; c < 12; c++)
		v[c] = c + 1;
	svg = picture_of(&t);
	for (unsigned c = 0; c < 12; c++) {
		char want[32];

		snprintf(want, sizeof want, "%02X%02X%02X", color(c) >> 16, color(c) >> 8 & 255, color(c) & 255);
		low = strstr(svg, want);
		if (!low) {
			snprintf(want, sizeof want, "rgb(%3u, %3u, %3u)", color(c) >> 16, color(c) >> 8 & 255, color(c) & 255);
			low = strstr(svg, want);
		}
		cr_expect(low, "colour %u, #%06x, is not in the picture", c, color(c));
	}
	free(svg);
	arena_free(&arena);
}

/* The baseline's column is 1 throughout. */
Test(pictures, leave_out_the_baseline)
{
	struct rig r;
	char *svg;

	open_rig(&r);
	cr_assert_eq(sweep_pivot_make(&(struct sweep_pivot){.columns = "l1-index", .metric = "cycles", .over = "l1-index=linear"},
				      &r.p, &r.s, &r.t, &r.e),
		     0, "%s", r.e.text);
	svg = picture_of(&r.t);
	cr_expect_eq(times_in(svg, "<title>linear</title>"), 0);
	cr_expect_eq(times_in(svg, "<title>pric</title>"), 1);
	free(svg);
	close_rig(&r);
}

Test(sweep_table, names_files_of_machines_without_their_folders)
{
	static const struct {
		const char *values, *shown[2];
	} list[] = {{"[my/a.yaml, csim/machines/gtx480.yaml]", {"a", "gtx480"}},
		    {"[my/a.yaml, your/a.yaml]", {"my/a.yaml", "your/a.yaml"}}};

	for (unsigned i = 0; i < 2; i++) {
		struct sweep_plan p;
		struct err e = {""};
		char plan[256], path[256];

		snprintf(plan, sizeof plan, "axes:\n  workload: syrk\n  machine: %s\n", list[i].values);
		program_file("m.yaml", plan);
		snprintf(path, sizeof path, "%s/m.yaml", program_tmp());
		cr_assert_eq(sweep_plan_read(&p, path, &e), 0, "%s", e.text);
		for (unsigned k = 0; k < 2; k++)
			cr_expect_str_eq(sweep_plan_shown(&p, &p.point[k], 1), list[i].shown[k]);
		sweep_plan_close(&p);
	}
}

/* Two stacks of two parts: 30 and 50, 40 and 60, of which the second parts stand on the first. A row without any has no
 * place, and a column beyond the stacks no bar. */
Test(pictures, have_parts_of_a_whole_on_one_another)
{
	static const char *const columns[] = {"a", "b", "a once more", "b once more", "other", NULL};
	struct arena arena = {0};
	struct sweep_table t;
	struct box b[MOST_BOXES], *lower[2] = {NULL}, *upper[2] = {NULL};
	unsigned n, found[2] = {0};
	char *svg;

	sweep_table_init(&t, &arena, "t", "title", "row", "percent", columns);
	t.stack = 2;
	memcpy(sweep_table_row(&t, SWEEP_MEASURED, "one"), (double[]){30, 50, 40, 60, 1000}, 5 * sizeof(double));
	sweep_table_row(&t, SWEEP_MEASURED, "not there")[4] = 7;
	svg = picture_of(&t);
	n = boxes_of(svg, b);
	for (unsigned i = 0; i < n; i++) /* the key's are as high as letters */
		for (unsigned part = 0; part < 2; part++)
			if (b[i].color == color(part) && b[i].bottom - b[i].top > 20) {
				cr_assert_lt(found[part], 2);
				*(part ? &upper[found[part]++] : &lower[found[part]++]) = &b[i];
			}
	cr_assert(found[0] == 2 && found[1] == 2, "%u %u", found[0], found[1]);
	for (unsigned k = 0; k < 2; k++) {
		double unit = (lower[0]->bottom - lower[0]->top) / 30;

		cr_expect_float_eq(lower[k]->bottom, lower[0]->bottom, 0.2);
		cr_expect_float_eq(upper[k]->bottom, lower[k]->top, 0.2);
		cr_expect_float_eq(lower[k]->bottom - lower[k]->top, unit * (k ? 40 : 30), 1);
		cr_expect_float_eq(upper[k]->bottom - upper[k]->top, unit * (k ? 60 : 50), 1);
		cr_expect_float_eq(upper[k]->left, lower[k]->left, 0.2);
	}
	cr_expect_gt(lower[1]->left, lower[0]->right, "beside each other");
	cr_expect(!strstr(svg, ">not there<") && !strstr(svg, ">other<") && !strstr(svg, ">a once more<"));
	free(svg);
	arena_free(&arena);
}

/* A title that is wider than the picture has several lines, and nothing in it is more than text. */
Test(pictures, have_a_title_that_fits)
{
	static const char *const columns[] = {"v", NULL};
	struct arena arena = {0};
	struct sweep_table t;
	char *svg;

	sweep_table_init(&t, &arena, "t",
			 "first words of a long title that has more of them than there is room for in a line of a picture, "
			 "`touch N1` \".system('touch N2').\" and last words",
			 "row", "", columns);
	sweep_table_row(&t, SWEEP_MEASURED, "one")[0] = 1;
	svg = picture_of(&t);
	cr_expect(strstr(svg, ">first words of"), "%s", svg);
	cr_expect(!strstr(svg, "title that has more of them than there is room for in a line of a picture, `touch"));
	cr_expect(strstr(svg, "last words<"));
	cr_expect_neq(access("N1", F_OK), 0);
	cr_expect_neq(access("N2", F_OK), 0);
	free(svg);
	arena_free(&arena);
}

/* Bars of values of another unit would hide the others. */
Test(pictures, leave_out_what_has_another_unit)
{
	static const char *const columns[] = {"speed-up", "milliseconds", NULL};
	struct arena arena = {0};
	struct sweep_table t;
	char *svg;

	sweep_table_init(&t, &arena, "t", "title", "row", "speed-up", columns);
	t.left_out = 1 << 1;
	memcpy(sweep_table_row(&t, SWEEP_MEASURED, "one"), (double[]){1.5, 4000}, 2 * sizeof(double));
	svg = picture_of(&t);
	cr_expect(!strstr(svg, "milliseconds") && !strstr(svg, "4000"));
	free(svg);
	arena_free(&arena);
}
