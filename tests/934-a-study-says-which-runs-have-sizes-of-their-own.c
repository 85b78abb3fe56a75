/* 934: --size does not reach every run of a study; a line on stderr names the figures whose runs have sizes of their
 * own. */
#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "study/study.h"
#include "support/program.h"

/* What a study says on stderr; *tables: what it prints. */
static char *notes(const struct study *s, const char *figure, const char *size, bool given, char **tables)
{
	struct study_options o = {.program = program_fake("\"cycles\": 1, \"warp_insts\": 1"),
				  .dir = program_tmp(),
				  .figure = figure,
				  .size = size,
				  .size_given = given,
				  .jobs = 2};
	struct err e = {""};
	size_t n;
	FILE *f = open_memstream(tables, &n), *err;
	char *text = calloc(1, 1 << 16);

	cr_redirect_stderr();
	cr_assert_geq(study_run(s, &o, f, &e), 0, "%s", e.text);
	fclose(f);
	fflush(stderr);
	err = cr_get_redirected_stderr();
	cr_assert_lt(fread(text, 1, (1 << 16) - 1, err), (size_t)1 << 16);
	return text;
}

static void one(struct study_context *c, struct sweep_table *t, const char *a, const char *b)
{
	static const char *const columns[] = {"a", "b", NULL};
	double *v;

	sweep_table_init(t, &c->arena, "figure", "Figure", "workload", "cycles", columns);
	v = sweep_table_row(t, SWEEP_MEASURED, "x");
	v[0] = study_value(c, "cycles", a);
	v[1] = study_value(c, "cycles", b);
}

static void follows(struct study_context *c, struct sweep_table *t)
{
	one(c, t, study_args(c, "run x --size %s", c->size), study_args(c, "run y --size %s --set l1.assoc=8", c->size));
}
static void partly(struct study_context *c, struct sweep_table *t)
{
	one(c, t, study_args(c, "run x --size %s", c->size), "run y --size paper --max-insts 9");
}
static void fixed(struct study_context *c, struct sweep_table *t)
{
	one(c, t, study_args(c, "run x --size %s --arg n=512", c->size), "run y");
}
static const struct study_figure figures[] = {{"1", follows}, {"2", partly}, {"3", fixed}, {NULL, NULL}};
static const struct study study = {"fake", "a study of nothing", figures};

Test(own_sizes, are_reported_by_figure)
{
	char *tables, *said = notes(&study, NULL, "test", true, &tables);

	cr_expect_str_eq(said, "locus: study fake, figure 2: some of its runs have sizes of their own, whatever --size test says\n"
			       "locus: study fake, figure 3: its runs have sizes of their own, whatever --size test says\n");
	cr_expect(strstr(tables, "workloads of test size, some of their own, version"), "%s", tables);
}

Test(own_sizes, are_not_reported_where_size_holds)
{
	char *tables, *said = notes(&study, "1", "test", true, &tables);

	cr_expect_str_eq(said, "");
	cr_expect(strstr(tables, "workloads of test size, version"), "%s", tables);
}

Test(own_sizes, are_not_reported_to_who_names_no_size)
{
	char *tables, *said = notes(&study, "2", "default", false, &tables);

	cr_expect_str_eq(said, "");
}

extern const struct study study_cache, study_coda;

Test(own_sizes, of_dwt_pric_are_none_at_test_size)
{
	char *tables, *said = notes(&study_cache, "12", "test", true, &tables);

	cr_expect_str_eq(said, "");
}

/* Some are cut at the paper's. */
Test(own_sizes, of_dwt_pric_are_some_at_the_default_size)
{
	char *tables, *said = notes(&study_cache, "12", "default", true, &tables);

	cr_expect_str_eq(said,
			 "locus: study cache, figure 12: some of its runs have sizes of their own, whatever --size default says\n");
}

Test(own_sizes, of_coda_are_the_graphs)
{
	char *tables, *said = notes(&study_coda, "11", "test", true, &tables);

	cr_expect_str_eq(said, "locus: study coda, figure 11: its runs have sizes of their own, whatever --size test says\n");
}

Test(own_sizes, of_coda_are_no_others)
{
	char *tables, *said = notes(&study_coda, "9", "test", true, &tables);

	cr_expect_str_eq(said, "");
}
