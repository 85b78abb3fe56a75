/* 916: what the papers call their benchmarks is found, with the options of the paper's program; a name that papers use
 * for different ones is refused unless its paper stands before it. */
#include <criterion/criterion.h>
#include <string.h>

#include "workload/papers_names.h"
#include "workload/source.h"
#include "support/program.h"

/* dwt-pric, Table 2, as printed, but for HS: what the abbreviation is of. */
static const char *const table_2[][2] = {
	{"BLK", "blackscholes"},       /* Black Scholes */
	{"Sprod", "scalarprod"},       /* Scalar Product */
	{"VAdd", "vectoradd"},	       /* Vector Addition */
	{"FWT", "fwt"},		       /* Fast Walsh Transform */
	{"NW", "nw"},		       /* Needleman-Wunsch */
	{"dwt-pric:HS", "hotspot"},    /* Hot Spot */
	{"CONV", "sepconv"},	       /* Separable Convolution */
	{"SRAD", "srad"},	       /* Structured grid */
	{"3DS", "stencil3d"},	       /* 3D Stencil */
	{"2DCONV", "conv2d"},	       /* 2D Convolution */
	{"MM", "2mm"},		       /* 2 Matrix Multiplication */
	{"SCLUSTER", "streamcluster"}, /* Stream Cluster */
	{"BFS", "bfs"},		       /* Breadth First Search */
	{"SpMV", "spmv"},	       /* Sparse Matrix Vec. Mult. */
	{"IIX", "invindex"},	       /* Inverted Index */
	{"KM", "kmeans"},	       /* Kmeans Clustering */
	{"SYRK", "syrk"},	       /* Symmetric Rank-k */
	{"GESUMMV", "gesummv"},	       /* Vector Matrix Multiply */
	{"PEst", "montecarlo"},	       /* MCARLO Pi Estimator */
	{"B+tree", "btree"},	       /* B+tree */
	{"BP", "backprop"},	       /* Back Propagation */
	{"NN", "nnet"},		       /* Neural Network */
};

static const char *found(const char *typed)
{
	const struct papers_name *n;
	const struct workload *w;
	struct err e = {""};

	cr_assert_eq(papers_name_find(typed, &w, &n, &e), 0, "%s", e.text);
	return w ? w->name : "";
}

Test(papers_names, all_22_of_dwt_prics_table_2_are_found)
{
	cr_assert_eq(sizeof table_2 / sizeof table_2[0], 22);
	for (unsigned i = 0; i < 22; i++)
		cr_expect_str_eq(found(table_2[i][0]), table_2[i][1], "%s", table_2[i][0]);
}

Test(papers_names, a_workloads_own_name_is_the_workload)
{
	cr_expect_str_eq(found("nn"), "nn");
	cr_expect_str_eq(found("dwt-pric:NN"), "nnet");
	cr_expect_str_eq(found("ldesc:HS"), "histo");
	cr_expect_str_eq(found("ldesc:NN"), "");
	cr_expect_str_eq(found("ldesc:"), "");
	cr_expect_str_eq(found("km"), "");
}

/* Executed at test size: the options are the workload's, and the results right. */
Test(papers_names, each_runs_with_its_options)
{
	for (const struct papers_name *n = papers_names; n->name; n++) {
		char what[64];
		struct source_options o = {.what = what, .root = ".", .size = "test"};
		struct source s;
		struct err e = {""};

		snprintf(what, sizeof what, "%s:%s", n->paper, n->name);
		cr_assert_eq(source_open(&s, &o, &e), 0, "%s: %s", what, e.text);
		cr_expect(s.checked && !s.differs, "%s: %s", what, s.difference.text);
		source_close(&s);
	}
}

Test(papers_names, options_are_the_papers_unless_the_user_says_otherwise)
{
	struct program p = program_run("locus run KM --size test --arg n=500 && locus run KM --size test --arg layout=features && "
				       "locus run kmeans --size test && locus run dwt-pric:SpMV --size test --arg scale=9");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect_not_null(strstr(p.out, "kmeans 500 points of 34 features, point by point on gtx480"), "%s", p.out);
	cr_expect_not_null(strstr(p.out, "kmeans 4096 points of 34 features on gtx480"), "%s", p.out);
	cr_expect_null(strstr(p.out, "kmeans 4096 points of 34 features, point by point"), "%s", p.out);
	cr_expect_not_null(strstr(p.out, "spmv uniform, 512 rows"), "%s", p.out);
	program_free(&p);
}

Test(papers_names, one_for_several_programs_is_refused_in_one_line)
{
	static const char *const commands[] = {"locus run HS --size test", "locus list HS", "locus record HS -o /dev/null"};

	for (unsigned i = 0; i < 3; i++) {
		struct program p = program_run("%s", commands[i]);

		cr_expect(program_is_clean_error(&p), "%s", commands[i]);
		cr_expect_not_null(strstr(p.err, "\"HS\" is hotspot in dwt-pric and histo in ldesc: write dwt-pric:HS or ldesc:HS"),
				   "%s", p.err);
		program_free(&p);
	}
}

Test(papers_names, the_same_workload_with_other_options_is_another_program)
{
	struct program p = program_run("locus run SPMV --size test");

	cr_expect(program_is_clean_error(&p));
	cr_expect_not_null(strstr(p.err, "\"SPMV\" is spmv graph=uniform scale=13 degree=82 in dwt-pric and spmv in ldesc: "
					 "write dwt-pric:SPMV or ldesc:SPMV"),
			   "%s", p.err);
	program_free(&p);
}

Test(papers_names, one_that_is_nearly_right_is_suggested)
{
	struct program p = program_run("locus run SCLUSTR");

	cr_expect(program_is_clean_error(&p));
	cr_expect_not_null(strstr(p.err, "no workload \"SCLUSTR\" (did you mean \"SCLUSTER\"?)"), "%s", p.err);
	program_free(&p);
}

Test(papers_names, are_listed_beside_their_workloads)
{
	struct program p = program_run("locus list workloads | grep '^  kmeans '; locus list KM");

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_not_null(strstr(p.out, "dwt-pric KM, KMN, Kmeans\n"), "%s", p.out);
	cr_expect_not_null(strstr(p.out, "  name in dwt-pric    KM, with --arg layout=points\n"), "%s", p.out);
	program_free(&p);
}
