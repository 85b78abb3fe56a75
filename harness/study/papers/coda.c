/* CODA, Figures 3 and 8 to 14, on ndp4: 4 stacks of 4 SMs. docs/studies/coda.md says where and why the measured differ
 * from the published.
 */
#include <math.h>
#include <string.h>

#include "workload/graph_option.h"
#include "study/papers/coda_study.h"

/* Table 2 of the paper. */
const struct coda_benchmark coda_benchmarks[] = {
	{"bfs", "block-exclusive"},  {"degree", "block-exclusive"},	 {"pagerank", "block-exclusive"},
	{"sssp", "block-exclusive"}, {"betweenness", "block-exclusive"}, {"colouring", "block-exclusive"},
	{"nw", "block-exclusive"},   {"kmeans", "core-exclusive"},	 {"cfd", "core-exclusive"},
	{"nn", "core-exclusive"},    {"gaussian", "core-exclusive"},	 {"spmv", "core-exclusive"},
	{"sad", "core-exclusive"},   {"matmul", "core-exclusive"},	 {"components", "block-majority"},
	{"mummer", "core-majority"}, {"dwt2d", "core-majority"},	 {"triangles", "sharing"},
	{"hotspot3d", "sharing"},    {"hybridsort", "sharing"},
};
_Static_assert(sizeof coda_benchmarks / sizeof coda_benchmarks[0] == N_BENCHMARKS, "Table 2");

/* The categories for which the paper prints means. */
static const char *const categories[] = {"block-exclusive", "core-exclusive", "sharing"};
enum { N_CATEGORIES = sizeof categories / sizeof categories[0] };

/* more: further options, or "". */
static const char *run_of(struct study_context *c, const char *workload, const char *plan, const char *more)
{
	return study_args(c, "run %s --size %s --machine ndp4 --plan %s%s%s", workload, c->size, plan, *more ? " " : "", more);
}

static double cycles(struct study_context *c, const char *workload, const char *plan, const char *more)
{
	return study_value(c, "cycles", run_of(c, workload, plan, more));
}

/* Share of the requests that leave their stack. */
static double remote(struct study_context *c, const char *workload, const char *plan)
{
	return study_value(c, "memory.remote_share", run_of(c, workload, plan, ""));
}

/* Means of the categories and of all; then what the paper prints for them in the column `published`. */
static void add_means(struct study_context *c, struct sweep_table *t, enum sweep_mean how, unsigned column,
		      const double by_category[N_CATEGORIES], double all)
{
	t->group = NULL;
	for (unsigned i = 0; i < N_CATEGORIES; i++)
		sweep_table_mean(t, how, categories[i], categories[i]);
	sweep_table_mean(t, how, "all", NULL);
	for (unsigned i = 0; i < N_CATEGORIES; i++)
		if (!isnan(by_category[i]))
			sweep_table_row(t, SWEEP_PUBLISHED, study_args(c, "%s, published", categories[i]))[column] = by_category[i];
	sweep_table_row(t, SWEEP_PUBLISHED, "all, published")[column] = all;
}

double *coda_benchmark_row(struct sweep_table *t, unsigned i)
{
	t->group = coda_benchmarks[i].category;
	return sweep_table_row(t, SWEEP_MEASURED, coda_benchmarks[i].workload);
}

/* Warp instructions a cycle over those under FGP-Only: of runs that are cut, too, which do not all do the same work.
 * run: the instructions that are run, as options; more: further options of both, or "". */
static double over_fgp(struct study_context *c, const char *workload, const char *run, const char *plan, const char *more)
{
	const char *args = study_args(c, "run %s %s --machine ndp4 --plan", workload, run), *gap = *more ? " " : "";

	return study_value(c, "ipc.warp", study_args(c, "%s %s%s%s", args, plan, gap, more)) /
	       study_value(c, "ipc.warp", study_args(c, "%s fgp-only%s%s", args, gap, more));
}

static const struct {
	const char *plan;
	double published; /* mean over all programs */
} figure_8[] = {
	{"cgp-only", 1.00}, /* "CODA outperforms both FGP-Only and CGP-Only by 31%" */
	{"first-touch", 1.19},
	{"affinity+first-touch", 1.19},
	{"coda", 1.31},
};
enum { N_FIGURE_8 = sizeof figure_8 / sizeof figure_8[0] };

static void speed_up_of(struct study_context *c, struct sweep_table *t, const char *run, const char *more)
{
	static const double published[] = {1.56, 1.13, 1.29};

	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		double *v = coda_benchmark_row(t, i);

		for (unsigned k = 0; k < N_FIGURE_8; k++)
			v[k] = over_fgp(c, coda_benchmarks[i].workload, run, figure_8[k].plan, more);
	}
	add_means(c, t, SWEEP_GEOMETRIC, N_FIGURE_8 - 1, published, 1.31);
	for (unsigned k = 0; k < N_FIGURE_8; k++)
		t->row[t->rows - 1].value[k] = figure_8[k].published;
}

static const char *const figure_8_columns[] = {"CGP-Only", "first touch", "first touch, affinity", "CODA", NULL};

static void speed_up(struct study_context *c, struct sweep_table *t)
{
	sweep_table_init(t, &c->arena, "figure-8", "Figure 8: speed-up over FGP-Only", "workload", "speed-up", figure_8_columns);
	speed_up_of(c, t, study_args(c, "--size %s", c->size), "");
}

/* The paper's inputs are not known to fit into 4 MB of L2; of ours at default size many do. */
static void speed_up_small_l2(struct study_context *c, struct sweep_table *t)
{
	sweep_table_init(t, &c->arena, "figure-8-small-l2",
			 "Figure 8 with an eighth of the L2 (128 KB a stack): speed-up over FGP-Only", "workload", "speed-up",
			 figure_8_columns);
	speed_up_of(c, t, study_args(c, "--size %s", c->size), "--set l2.bytes=16K --set l2.poly=11");
}

static void speed_up_paper(struct study_context *c, struct sweep_table *t)
{
	const char *size = strcmp(c->size, "default") ? c->size : "paper";

	sweep_table_init(t, &c->arena, "figure-8-paper",
			 "Figure 8 at the paper's sizes, the first 4 M warp instructions: speed-up over FGP-Only", "workload",
			 "speed-up", figure_8_columns);
	speed_up_of(c, t, study_args(c, "--size %s --max-insts 4000000", size), "");
}

/* What the paper leaves open: whether its 16 GB/s between stacks are those of a link (as ndp4 has them), of a stack
 * (three links) or of all twelve directions together; how an L2 picks its set, and on which side of the network it is.
 * Section 5 varies the local bandwidth too. A first touch that moves the page (footnote 6: 7 %) takes at least the time
 * of a page over a link, 512 cycles, and the link's latency twice; what the copies take of the links' bandwidth is not
 * in it. */
static const struct {
	const char *column, *plan, *more;
	double published;
} reading[] = {
	{"5 GB/s a link (60 in all)", "coda", "--set link.gbps=5", NAN},
	{"1 GB/s a link (12 in all)", "coda", "--set link.gbps=1", NAN},
	{"linear L2", "coda", "--l2-index linear", NAN},
	{"L2 at the memory", "coda", "--set l2.side=memory", NAN},
	{"local 128 GB/s", "coda", "--set clock.dram=500", NAN},
	{"local 512 GB/s", "coda", "--set clock.dram=2000", NAN},
	{"first touch, 592 cycles a page", "first-touch", "--set vm.fault_latency=592", 1.07},
	{"first touch, 1 GB/s a link", "first-touch", "--set link.gbps=1", 1.19},
	{"first touch, affinity, 5 GB/s", "affinity+first-touch", "--set link.gbps=5", 1.19},
	{"first touch, affinity, 1 GB/s", "affinity+first-touch", "--set link.gbps=1", 1.19},
	{"first touch, affinity, L2 at the memory", "affinity+first-touch", "--set l2.side=memory", 1.19},
};
enum { N_READINGS = sizeof reading / sizeof reading[0] };

static void readings(struct study_context *c, struct sweep_table *t)
{
	const char *columns[N_READINGS + 1] = {NULL};
	double *published;

	for (unsigned r = 0; r < N_READINGS; r++)
		columns[r] = reading[r].column;
	sweep_table_init(t, &c->arena, "readings",
			 "Figure 8 by what the paper leaves open: speed-up of CODA, and of first touch, over FGP-Only", "workload",
			 "speed-up", columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		double *v = coda_benchmark_row(t, i);

		for (unsigned r = 0; r < N_READINGS; r++)
			v[r] = over_fgp(c, coda_benchmarks[i].workload, study_args(c, "--size %s", c->size), reading[r].plan,
					reading[r].more);
	}
	t->group = NULL;
	sweep_table_mean(t, SWEEP_GEOMETRIC, "all", NULL);
	published = sweep_table_row(t, SWEEP_PUBLISHED, "all, published");
	for (unsigned r = 0; r < N_READINGS; r++)
		published[r] = reading[r].published;
}

static void remote_accesses(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"FGP-Only: remote %", "CODA: remote %", "fewer %", NULL};
	static const double published[] = {47, 34, 32};

	sweep_table_init(t, &c->arena, "figure-9", "Figure 9: accesses that leave their stack", "workload", "percent", columns);
	t->left_out = 1 << 2;
	t->decimals = 1;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const char *w = coda_benchmarks[i].workload;
		double *v = coda_benchmark_row(t, i);

		v[0] = 100 * remote(c, w, "fgp-only");
		v[1] = 100 * remote(c, w, "coda");
		v[2] = 100 * (1 - v[1] / v[0]);
	}
	add_means(c, t, SWEEP_ARITHMETIC, 2, published, 38);
}

/* Pages by the number of CTAs that touch them, and the share of pages that one stack alone touches. */
static void page_sharing(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"1 CTA", "2", "3 to 4", "5 to 8", "9 to 16", "more", "one stack", NULL};
	static const char *const names[] = {"pages.ctas.1",    "pages.ctas.2",	  "pages.ctas.3-4",  "pages.ctas.5-8",
					    "pages.ctas.9-16", "pages.ctas.more", "pages.one_module"};

	sweep_table_init(t, &c->arena, "figure-3", "Figure 3: pages by the number of CTAs that access them, percent", "workload",
			 "percent of pages", columns);
	t->stack = 6;
	t->decimals = 1;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const char *args = study_args(c, "plan %s --size %s --machine ndp4 --pages", coda_benchmarks[i].workload, c->size);
		double *v = coda_benchmark_row(t, i);

		for (unsigned k = 0; k < sizeof names / sizeof names[0]; k++)
			v[k] = 100 * study_value(c, names[k], args);
	}
	t->group = NULL;
	for (unsigned i = 0; i < N_CATEGORIES; i++)
		sweep_table_mean(t, SWEEP_ARITHMETIC, categories[i], categories[i]);
	sweep_table_row(t, SWEEP_PUBLISHED, "block-exclusive, published: at least")[0] = 90; /* Table 2's definitions */
	sweep_table_row(t, SWEEP_PUBLISHED, "core-exclusive, published: at least")[6] = 90;
}

/* By the bandwidth of a direction of each link; there are twelve directions, whose sum the paper may mean. */
static void remote_bandwidth(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {
		"1 GB/s a link (12 in all)", "2 (24)", "5 (60)", "11 (132)", "16 (192)", "21 (252)", NULL};
	static const unsigned gbps[] = {1, 2, 5, 11, 16, 21};

	sweep_table_init(t, &c->arena, "figure-10",
			 "Figure 10: speed-up of CODA over FGP-Only by the bandwidth of each direction of a link between stacks",
			 "workload", "speed-up", columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const char *w = coda_benchmarks[i].workload;
		double *v = coda_benchmark_row(t, i);

		for (unsigned k = 0; k < 6; k++) {
			const char *more = gbps[k] == 16 ? "" : study_args(c, "--set link.gbps=%u", gbps[k]);

			v[k] = cycles(c, w, "fgp-only", more) / cycles(c, w, "coda", more);
		}
	}
	t->group = NULL;
	sweep_table_mean(t, SWEEP_GEOMETRIC, "all", NULL);
	sweep_table_row(t, SWEEP_PUBLISHED, "published, if its 16 GB/s are in all")[0] = 1.31;
	sweep_table_row(t, SWEEP_PUBLISHED, "published, if they are a link's")[4] = 1.31;
	sweep_table_row(t, SWEEP_PUBLISHED, "published, at 256 GB/s in all")[5] = 1.08;
}

/* The readings of section 6.3's bandwidths. A machine of four stacks has six links between them, each with two
 * directions; `link.gbps` is the bandwidth of a direction. A reading divides the printed number by the directions over
 * which it is a sum. */
static const struct {
	const char *column;
	unsigned directions;
} bandwidth_reading[] = {
	{"sum of all twelve directions", 12},
	{"sum of a stack's three links", 3},
	{"sum of a link's two directions", 2},
	{"one direction of a link", 1},
};
enum { N_BANDWIDTH_READINGS = sizeof bandwidth_reading / sizeof bandwidth_reading[0] };

/* Section 6.3 prints two speed-ups: 1.08 at 256 GB/s, and 1.31 (section 6.1) at Table 1's 16 GB/s. */
static const struct {
	unsigned gbps;
	double published;
} remote_total[] = {{16, 1.31}, {64, NAN}, {256, 1.08}};
enum { N_REMOTE_TOTALS = sizeof remote_total / sizeof remote_total[0] };

static double mean_speed_up(struct study_context *c, const char *more)
{
	double sum = 0;

	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const char *w = coda_benchmarks[i].workload;

		sum += log(cycles(c, w, "fgp-only", more) / cycles(c, w, "coda", more));
	}
	return exp(sum / N_BENCHMARKS);
}

/* Three decimals, as many as link.gbps takes: none if they are zeros, so that equal bandwidths share their runs. */
static const char *link_bandwidth(struct study_context *c, unsigned gbps, unsigned directions)
{
	unsigned thousandths = (gbps * 1000 + directions / 2) / directions;

	if (thousandths == 16000)
		return ""; /* ndp4's own */
	return thousandths % 1000 ? study_args(c, "--set link.gbps=%u.%03u", thousandths / 1000, thousandths % 1000)
				  : study_args(c, "--set link.gbps=%u", thousandths / 1000);
}

static void bandwidth_readings(struct study_context *c, struct sweep_table *t)
{
	const char *columns[N_BANDWIDTH_READINGS + 2] = {NULL};

	for (unsigned r = 0; r < N_BANDWIDTH_READINGS; r++)
		columns[r] = bandwidth_reading[r].column;
	columns[N_BANDWIDTH_READINGS] = "published";
	sweep_table_init(
		t, &c->arena, "figure-10-readings",
		"Figure 10 by the meaning of its bandwidths: geometric mean of CODA's speed-ups over FGP-Only, all programs",
		"remote bandwidth", "speed-up", columns);
	for (unsigned k = 0; k < N_REMOTE_TOTALS; k++) {
		unsigned gbps = remote_total[k].gbps;
		double *v = sweep_table_row(t, SWEEP_MEASURED, study_args(c, "%u GB/s", gbps));

		for (unsigned r = 0; r < N_BANDWIDTH_READINGS; r++)
			v[r] = mean_speed_up(c, link_bandwidth(c, gbps, bandwidth_reading[r].directions));
		v[N_BANDWIDTH_READINGS] = remote_total[k].published;
	}
}

/* By how much the edges of a CTA's 256 vertices vary: standard deviation over mean, by which the paper's Figure 11
 * sorts its graphs. */
static double variation(const struct graph_option *o)
{
	struct graph g;
	double sum = 0, squares = 0, n;

	if (graph_option_open(o, &g, NULL) != 0)
		return NAN;
	n = ceil(g.n_rows / 256.0);
	for (uint32_t v = 0; v < g.n_rows; v += 256) {
		uint32_t end = v + 256 < g.n_rows ? v + 256 : g.n_rows;
		double edges = g.rowptr[end] - g.rowptr[v];

		sum += edges;
		squares += edges * edges;
	}
	graph_free(&g);
	return sqrt(squares / n - sum / n * (sum / n)) / (sum / n);
}

/* The paper's graphs have 59 thousand to 9 million vertices. */
static void graphs(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"variation", "CODA", "CODA, 5 GB/s a link", "CODA, 1 GB/s a link", NULL};
	static const struct graph_option list[] = {{.name = "uniform", .scale = 18, .degree = 6, .seed = 1},
						   {.name = "mdual"},
						   {.name = "copter2"},
						   {.name = "rmat", .scale = 17, .degree = 16, .seed = 1}};
	static const char *const readings[] = {"", " --set link.gbps=5", " --set link.gbps=1"};

	sweep_table_init(t, &c->arena, "figure-11", "Figure 11: PageRank, speed-up of CODA over FGP-Only by graph", "graph",
			 "speed-up", columns);
	t->left_out = 1 << 0;
	for (unsigned i = 0; i < sizeof list / sizeof list[0]; i++) {
		const struct graph_option *o = &list[i];
		const char *made =
			o->scale ? study_args(c, " --arg scale=%u --arg degree=%u --arg seed=%u", o->scale, o->degree, o->seed)
				 : "";
		double *v = sweep_table_row(t, SWEEP_MEASURED, o->name);

		v[0] = variation(o);
		for (unsigned r = 0; r < 3; r++) {
			const char *more = study_args(c, "--arg graph=%s%s%s", o->name, made, readings[r]);

			v[1 + r] = cycles(c, "pagerank", "fgp-only", more) / cycles(c, "pagerank", "coda", more);
		}
	}
	sweep_table_row(t, SWEEP_PUBLISHED, "the most regular, published")[1] = 1.55;
	sweep_table_row(t, SWEEP_PUBLISHED, "the most irregular, published")[1] = 1.05;
}

/* Four programs at a time, one of each category, each on the stack beside which it runs: the mean of their speed-ups
 * over pages that are spread over all stacks. */
static void mixes(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"CGP-Only", NULL};
	static const char *const mix[][4] = {
		{"bfs", "kmeans", "dwt2d", "hotspot3d"},
		{"pagerank", "nn", "components", "triangles"},
		{"degree", "spmv", "mummer", "hybridsort"},
		{"nw", "cfd", "dwt2d", "hotspot3d"},
	};

	sweep_table_init(t, &c->arena, "figure-12", "Figure 12: four programs at a time, speed-up of CGP-Only over FGP-Only", "mix",
			 "speed-up, mean of the four", columns);
	for (unsigned i = 0; i < sizeof mix / sizeof mix[0]; i++) {
		const char *all = study_args(c, "%s %s %s %s", mix[i][0], mix[i][1], mix[i][2], mix[i][3]);
		const char *args = study_args(c, "mix %s --size %s --machine ndp4 --plan", all, c->size);
		double sum = 0;

		for (unsigned k = 0; k < 4; k++) {
			const char *name = study_args(c, "program.%s.cycles", mix[i][k]);

			sum += study_value(c, name, study_args(c, "%s fgp-only", args)) /
			       study_value(c, name, study_args(c, "%s own-stacks", args));
		}
		sweep_table_row(t, SWEEP_MEASURED, all)[0] = sum / 4;
	}
	sweep_table_mean(t, SWEEP_GEOMETRIC, "all", NULL);
	sweep_table_row(t, SWEEP_PUBLISHED, "published: faster in each"); /* the text gives no number */
}

static void on_the_cpu(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"FGP-Only", NULL};
	static const double published[] = {NAN, NAN, NAN};

	sweep_table_init(t, &c->arena, "figure-13", "Figure 13: on the CPU's cores, speed-up of FGP-Only over CGP-Only", "workload",
			 "speed-up", columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const char *w = coda_benchmarks[i].workload;

		coda_benchmark_row(t, i)[0] = cycles(c, w, "cgp-only", "--on cpu") / cycles(c, w, "fgp-only", "--on cpu");
	}
	add_means(c, t, SWEEP_GEOMETRIC, 0, published, 1.48);
}

/* Section 5 varies the host's bandwidth; what came out is not printed. */
static void host_bandwidth(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"8 GB/s a stack (32 in all)", "16 (64)", "32 (128)", "64 (256)", NULL};
	static const unsigned gbps[] = {8, 16, 32, 64};

	sweep_table_init(t, &c->arena, "figure-13-host",
			 "Figure 13 by the bandwidth between the CPU and each stack: speed-up of FGP-Only over CGP-Only",
			 "workload", "speed-up", columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const char *w = coda_benchmarks[i].workload;
		double *v = coda_benchmark_row(t, i);

		for (unsigned k = 0; k < 4; k++) {
			const char *more = gbps[k] == 32 ? "--on cpu" : study_args(c, "--on cpu --set link.cpu=%u", gbps[k]);

			v[k] = cycles(c, w, "cgp-only", more) / cycles(c, w, "fgp-only", more);
		}
	}
	t->group = NULL;
	sweep_table_mean(t, SWEEP_GEOMETRIC, "all", NULL);
	sweep_table_row(t, SWEEP_PUBLISHED, "all, published")[2] = 1.48;
}

static void affinity(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"affinity", NULL};

	sweep_table_init(t, &c->arena, "figure-14", "Figure 14: CTAs by affinity alone, speed-up over FGP-Only", "workload",
			 "speed-up", columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const char *w = coda_benchmarks[i].workload;

		coda_benchmark_row(t, i)[0] = cycles(c, w, "fgp-only", "") / cycles(c, w, "fgp-only+affinity", "");
	}
	t->group = NULL;
	sweep_table_mean(t, SWEEP_GEOMETRIC, "all", NULL);
	sweep_table_row(t, SWEEP_PUBLISHED, "published: only in sad"); /* "virtually unaffected": no number */
}

static const struct study_figure figures[] = {
	{"3", page_sharing},
	{"8", speed_up},
	{"8-small-l2", speed_up_small_l2},
	{"8-paper", speed_up_paper},
	{"readings", readings},
	{"migration", coda_migration},
	{"9", remote_accesses},
	{"10", remote_bandwidth},
	{"10-readings", bandwidth_readings},
	{"11", graphs},
	{"12", mixes},
	{"13", on_the_cpu},
	{"13-host", host_bandwidth},
	{"14", affinity},
	{NULL, NULL},
};

const struct study study_coda = {"coda", "CODA: page placement and affinity on near-data stacks (Figures 3, 8 to 14)", figures};
