/* PAVER: Table 2, Figures 2, 5, 10 to 13, stealing, the L1's size, and PAVER beside the other papers' mechanisms; on
 * gtx480, titanx and titanv. docs/paver.md says where and why the measured differ from the published. */
#include <math.h>
#include <string.h>

#include "study/papers/paver_published.h"
#include "study/study.h"

/* Section 6.2's classes of locality between CTAs, in the order of its lists. */
static const char *const classes[] = {"high", "low", "none"};
enum { N_CLASSES = sizeof classes / sizeof classes[0] };

/* More CTAs where the default size has fewer than an SM of titanv holds at a time, or than the paper by far; and where
 * Figure 5 has its picture from, if not from the first launch. */
static const struct benchmark {
	const char *workload, *more;
	unsigned launch;
} benchmarks[] = {
	{"syrk", "", 0},
	{"syr2k", "", 0},
	{"matmul", " --size paper", 0},
	{"btree", " --size paper", 0},
	{"heartwall", "", 1},
	{"hotspot", "", 0},
	{"srad", " --arg rows=1024 --arg cols=1024", 0},
	{"bfs", "", 8},
	{"tpacf", "", 0},
	{"dwt2d", "", 1},
	{"spmv", " --arg kind=jds", 0},
	{"pathfinder", " --size paper", 0},
	{"storegpu", " --size paper", 0},
	{"mergesort", " --arg log2n=18", 1},
	{"sad", " --size paper", 0},
	{"mummer", "", 0},
	{"backprop", "", 0},
	{"blackscholes", "", 0},
};
enum { N_BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] };

static const struct architecture {
	const char *machine, *name;
	double mhz; /* of the SMs */
} architectures[] = {{"gtx480", "Fermi", 700}, {"titanx", "Pascal", 1000}, {"titanv", "Volta", 1200}};
enum { FERMI, PASCAL, VOLTA, N_ARCHITECTURES };

/* The graphs' reads come from the trace: the paper shows its gains for irregular programs too, whose reads do not
 * follow from the PTX.
 */
#define RB_PLAN "paver-rb,source=trace"
static const struct policy {
	const char *name, *plan;
} policies[] = {{"BCS", "bcs"}, {"MST-TS", "paver-mst,source=trace"}, {"k-way-TS", "paver-kway,source=trace"}, {"RB-TS", RB_PLAN}};
enum { BCS, MST, KWAY, RB, N_POLICIES };
#define LRR "lrr"

/* ---- runs ---- */

/* The workload at the study's size: what a benchmark has of its own is for the default one. */
static const char *sized(struct study_context *c, const struct benchmark *b)
{
	return !strcmp(c->size, "default") ? study_args(c, "%s%s", b->workload, b->more)
					   : study_args(c, "%s --size %s", b->workload, c->size);
}

/* more: further options with a space before each, or "". */
static double run_value(struct study_context *c, const char *what, const struct benchmark *b, const char *machine, const char *plan,
			const char *more)
{
	return study_value(c, what, study_args(c, "run %s --machine %s --plan %s%s", sized(c, b), machine, plan, more));
}

static double cycles(struct study_context *c, const struct benchmark *b, const char *machine, const char *plan, const char *more)
{
	return run_value(c, "cycles", b, machine, plan, more);
}

/* ---- rows ---- */

static const struct paver_published *published_of(const struct benchmark *b)
{
	return paver_published_find(b->workload);
}

static double *benchmark_row(struct study_table *t, const struct benchmark *b)
{
	t->group = published_of(b)->sharing_class;
	return study_table_row(t, STUDY_MEASURED, b->workload);
}

static void add_means(struct study_table *t, enum study_mean how)
{
	t->group = NULL;
	for (unsigned i = 0; i < N_CLASSES; i++)
		study_table_mean(t, how, classes[i], classes[i]);
	study_table_mean(t, how, "all", NULL);
}

/* What the paper prints for classes, then for all, in the columns from `first` on; NAN: nothing. */
struct printed {
	double of[N_CLASSES + 1][3];
};

static void add_printed(struct study_context *c, struct study_table *t, unsigned first, const struct printed *p)
{
	for (unsigned i = 0; i <= N_CLASSES; i++) {
		const char *name = i < N_CLASSES ? classes[i] : "all";
		double *v;

		if (isnan(p->of[i][2]))
			continue;
		v = study_table_row(t, STUDY_PUBLISHED, study_args(c, "%s, published", name));
		for (unsigned k = 0; k < 3; k++)
			v[first + k] = p->of[i][k];
	}
}

/* ---- what the programs are ---- */

static void table_2(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"CTAs",	       "printed", "SpScore, static",   "trace",	  "printed",
					      "elements read", "printed", "degree of sharing", "printed", NULL};

	study_table_init(t, &c->arena, "table-2", "Table 2: sharing of data among CTAs, means over a program's launches",
			 "workload", "", columns);
	t->digits = 9; /* as printed */
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		const struct paver_published *p = published_of(b);
		const char *graph = study_args(c, "graph %s", sized(c, b)), *trace = study_args(c, "%s --source trace", graph);
		double *v = benchmark_row(t, b);

		v[0] = study_value(c, "graph.ctas", trace);
		v[1] = p->ctas;
		v[2] = study_value(c, "graph.sp_score", graph);
		v[3] = study_value(c, "graph.sp_score", trace);
		v[4] = p->sp_score;
		v[5] = study_value(c, "graph.elements", trace);
		v[6] = p->elements;
		v[7] = study_value(c, "graph.degree", trace);
		v[8] = p->degree;
	}
}

static void shares(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"unshared", "intra-CTA", "inter-CTA", "both", "inter-CTA in all", NULL};
	static const char *const names[] = {"shares.unshared", "shares.intra", "shares.inter", "shares.both"};

	study_table_init(t, &c->arena, "figure-2", "Figure 2: read accesses by who else reads the data, percent", "workload",
			 "percent of read accesses", columns);
	t->decimals = 1;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const char *graph = study_args(c, "graph %s --source trace", sized(c, &benchmarks[i]));
		double *v = benchmark_row(t, &benchmarks[i]);

		for (unsigned k = 0; k < 4; k++)
			v[k] = 100 * study_value(c, names[k], graph);
		v[4] = v[2] + v[3];
	}
	t->group = NULL;
	for (unsigned i = 0; i < N_CLASSES; i++)
		study_table_mean(t, STUDY_ARITHMETIC, classes[i], classes[i]);
	study_table_mean(t, STUDY_ARITHMETIC, "all", NULL);
	study_table_row(t, STUDY_PUBLISHED, "high, published: at least")[4] = 50; /* section 6.2 */
	study_table_row(t, STUDY_PUBLISHED, "low, published: less than")[4] = 50;
	study_table_row(t, STUDY_PUBLISHED, "none, published")[4] = 0;
	study_table_row(t, STUDY_PUBLISHED, "all, published")[4] = 27; /* section 2.2 */
}

/* The pictures are files of their own; the table says what they are of. */
static void adjacency(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"launch", "CTAs", "pairs that share", "percent of all pairs", NULL};

	study_table_init(t, &c->arena, "figure-5", "Figure 5: adjacency matrices, drawn into figure-5-WORKLOAD.svg", "workload", "",
			 columns);
	t->digits = 6;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		const char *args = study_args(c, "graph %s --source trace --launch %u", sized(c, b), b->launch);
		const char *file = study_args(c, "figure-5-%s.svg", b->workload);
		double *v = benchmark_row(t, b);

		v[0] = b->launch;
		v[1] = study_value(c, "graph.ctas", args);
		v[2] = study_value(c, "graph.pairs", args);
		v[3] = 100 * v[2] / (v[1] * (v[1] - 1) / 2);
		if (v[2] > 0) /* there is something to draw */
			study_picture(c, "graph.pairs", study_args(c, "%s --picture", args), file);
	}
}

/* ---- what the policies buy ---- */

/* Figure 11's averages in the text of section 6.3. */
static const struct printed speed_ups[N_ARCHITECTURES] = {
	{{{1.028, 1.238, 1.29}, {1.018, 1.025, 1.038}, {0.9985, 0.997, 0.995}, {1.018, 1.101, 1.126}}},
	{{{1.108, 1.325, 1.491}, {1.002, 1.018, 1.037}, {NAN, NAN, NAN}, {1.033, 1.1332, 1.2049}}},
	{{{1.045, 1.286, 1.412}, {1.004, 1.035, 1.038}, {NAN, NAN, NAN}, {1.0018, 1.124, 1.174}}},
};

/* Single programs of the same section: of BCS on Fermi, by how much longer it takes; of "our graph-based approach", the
 * speed-up.
 */
static void add_singles(struct study_table *t, unsigned architecture)
{
	static const struct {
		const char *name;
		double longer;
	} bcs[] = {{"hotspot, published", 1.22},
		   {"syr2k, published", 1.07},
		   {"syrk, published", 1.09},
		   {"backprop, published", 1.06},
		   {"mergesort, published", 1.05}};
	static const struct {
		const char *name;
		double rb[N_ARCHITECTURES];
	} irregular[] = {{"btree, published", {1.0452, 1.228, 1.059}},
			 {"bfs, published", {1.044, 1.128, 1.0985}},
			 {"spmv, published", {0.994, 1.0494, 1.149}}};

	for (unsigned i = 0; architecture == FERMI && i < sizeof bcs / sizeof bcs[0]; i++)
		study_table_row(t, STUDY_PUBLISHED, bcs[i].name)[BCS] = 1 / bcs[i].longer;
	for (unsigned i = 0; i < sizeof irregular / sizeof irregular[0]; i++)
		study_table_row(t, STUDY_PUBLISHED, irregular[i].name)[RB] = irregular[i].rb[architecture];
}

static void speed_up_on(struct study_context *c, struct study_table *t, unsigned architecture)
{
	static const char *const columns[] = {"BCS", "MST-TS", "k-way-TS", "RB-TS", NULL};
	const struct architecture *a = &architectures[architecture];

	study_table_init(t, &c->arena, study_args(c, "figure-11-%s", a->machine),
			 study_args(c, "Figure 11, %s: speed-up over LRR, without the time of the analysis", a->name), "workload",
			 "speed-up", columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		double *v = benchmark_row(t, b), lrr = cycles(c, b, a->machine, LRR, "");

		for (unsigned p = 0; p < N_POLICIES; p++)
			v[p] = lrr / cycles(c, b, a->machine, policies[p].plan, "");
	}
	add_means(t, STUDY_GEOMETRIC);
	add_printed(c, t, MST, &speed_ups[architecture]);
	add_singles(t, architecture);
}

/* Seconds of a processor that the analysis of the program takes and the plan after it. */
static double analysis_seconds(struct study_context *c, const struct benchmark *b, const char *machine, const char *plan)
{
	const char *args = study_args(c, "plan %s --machine %s --plan %s", sized(c, b), machine, plan);

	return study_value(c, "analysis_seconds", args) + study_value(c, "plan_seconds", args);
}

/* Figure 10 has the time of the analysis in it. The paper's comes before the launch, from the PTX: source=static. */
static void with_analysis_on(struct study_context *c, struct study_table *t, unsigned architecture)
{
	static const char *const columns[] = {
		"LRR, us", "BCS", "MST-TS", "k-way-TS", "RB-TS", "RB-TS, analysis ms", "RB-TS, with analysis", NULL};
	const struct architecture *a = &architectures[architecture];

	study_table_init(t, &c->arena, study_args(c, "figure-10-%s", a->machine),
			 study_args(c, "Figure 10, %s: kernels' time over LRR's, and with the time of the analysis", a->name),
			 "workload", "time over LRR's", columns);
	t->decimals = 3;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		double *v = benchmark_row(t, b), lrr = cycles(c, b, a->machine, LRR, "");

		v[0] = lrr / a->mhz;
		for (unsigned p = 0; p < N_POLICIES; p++)
			v[1 + p] = cycles(c, b, a->machine, policies[p].plan, "") / lrr;
		v[5] = 1e3 * analysis_seconds(c, b, a->machine, "paver-rb,source=static");
		v[6] = v[4] + 1e3 * v[5] / v[0];
	}
	add_means(t, STUDY_GEOMETRIC);
}

/* Section 3.3's overhead: the analysis over host program and analysis, before the first launch. */
static void overhead(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"analysis, ms", "host program, ms", "overhead, percent", NULL};
	static const struct {
		const char *name;
		double percent;
	} printed[] = {{"syrk, published", 0.26}, {"syr2k, published", 0.2}, {"matmul, published", 0.01}};

	study_table_init(t, &c->arena, "jit", "Section 3.3: overhead of the analysis on the CPU's side, RB-TS for Fermi",
			 "workload", "", columns);
	t->decimals = 3;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		const char *args = study_args(c, "plan %s --machine gtx480 --plan paver-rb,source=static", sized(c, b));
		double *v = benchmark_row(t, b);

		v[0] = 1e3 * analysis_seconds(c, b, "gtx480", "paver-rb,source=static");
		v[1] = 1e3 * study_value(c, "host_seconds", args);
		v[2] = 100 * v[0] / (v[0] + v[1]);
	}
	t->group = NULL;
	for (unsigned i = 0; i < sizeof printed / sizeof printed[0]; i++)
		study_table_row(t, STUDY_PUBLISHED, printed[i].name)[2] = printed[i].percent;
}

static double miss_rate(struct study_context *c, const struct benchmark *b, const char *plan)
{
	return 100 * run_value(c, "l1.miss_rate", b, "gtx480", plan, "");
}

static void miss_rates(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"LRR", "BCS", "MST-TS", "k-way-TS", "RB-TS", "RB-TS fewer", NULL};
	double *v;

	study_table_init(t, &c->arena, "figure-12", "Figure 12, Fermi: L1 miss rate, percent; and by how much RB-TS lowers it",
			 "workload", "percent", columns);
	t->decimals = 1;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];

		v = benchmark_row(t, b);
		v[0] = miss_rate(c, b, LRR);
		for (unsigned p = 0; p < N_POLICIES; p++)
			v[1 + p] = miss_rate(c, b, policies[p].plan);
		v[5] = v[0] > 0 ? 100 * (1 - v[4] / v[0]) : NAN;
	}
	add_means(t, STUDY_ARITHMETIC);
	study_table_row(t, STUDY_PUBLISHED, "high, published")[5] = 43.3;
	study_table_row(t, STUDY_PUBLISHED, "low, published")[5] = 10;
	study_table_row(t, STUDY_PUBLISHED, "all, published")[5] = 21;
	study_table_row(t, STUDY_PUBLISHED, "spmv, published")[5] = 100 - 86.18;
}

/* Figure 13's averages in the text of section 6.3. */
static const struct printed l2_accesses[N_ARCHITECTURES] = {
	{{{78.4, 61.4, 56.7}, {95, 91.88, 90.22}, {NAN, NAN, NAN}, {89.6, 81.7, 79.3}}},
	{{{79, 67, 51.59}, {94.2, 92.6, 89.1}, {NAN, NAN, NAN}, {89.6, 84.3, 76.94}}},
	{{{76.4, 65, 59.8}, {90.9, 85.5, 85.3}, {NAN, NAN, NAN}, {87, 80.5, 78.3}}},
};

static void l2_accesses_on(struct study_context *c, struct study_table *t, unsigned architecture)
{
	static const char *const columns[] = {"BCS", "MST-TS", "k-way-TS", "RB-TS", NULL};
	const struct architecture *a = &architectures[architecture];

	study_table_init(t, &c->arena, study_args(c, "figure-13-%s", a->machine),
			 study_args(c, "Figure 13, %s: accesses of L2, percent of LRR's", a->name), "workload", "percent of LRR's",
			 columns);
	t->decimals = 1;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		double *v = benchmark_row(t, b), lrr = run_value(c, "l2.accesses", b, a->machine, LRR, "");

		for (unsigned p = 0; p < N_POLICIES; p++)
			v[p] = 100 * run_value(c, "l2.accesses", b, a->machine, policies[p].plan, "") / lrr;
	}
	add_means(t, STUDY_ARITHMETIC);
	add_printed(c, t, MST, &l2_accesses[architecture]);
}

#define ON_EACH(name)                                                                                                              \
	static void name##_fermi(struct study_context *c, struct study_table *t)                                                   \
	{                                                                                                                          \
		name##_on(c, t, FERMI);                                                                                            \
	}                                                                                                                          \
	static void name##_pascal(struct study_context *c, struct study_table *t)                                                  \
	{                                                                                                                          \
		name##_on(c, t, PASCAL);                                                                                           \
	}                                                                                                                          \
	static void name##_volta(struct study_context *c, struct study_table *t)                                                   \
	{                                                                                                                          \
		name##_on(c, t, VOLTA);                                                                                            \
	}
ON_EACH(speed_up)
ON_EACH(with_analysis)
ON_EACH(l2_accesses)

/* ---- what decides it ---- */

static void stealing(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {
		"k-way-TS, Fermi", "RB-TS, Fermi", "k-way-TS, Pascal", "RB-TS, Pascal", "k-way-TS, Volta", "RB-TS, Volta", NULL};
	double *v;

	study_table_init(t, &c->arena, "stealing", "Section 6.3, task stealing: speed-up over the same without stealing",
			 "workload", "speed-up", columns);
	t->decimals = 3;
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];

		v = benchmark_row(t, b);
		for (unsigned k = 0; k < 2 * N_ARCHITECTURES; k++) {
			const char *machine = architectures[k / 2].machine, *plan = policies[k % 2 ? RB : KWAY].plan;

			v[k] = cycles(c, b, machine, study_args(c, "%s,steal=off", plan), "") / cycles(c, b, machine, plan, "");
		}
	}
	add_means(t, STUDY_GEOMETRIC);
	v = study_table_row(t, STUDY_PUBLISHED, "all, published");
	v[0] = 1.03;
	v[1] = 1.02;
}

static void l1_size(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"RB-TS, 16 KB", "RB-TS, 48 KB", "LRR, 48 over 16 KB", NULL};
	static const char larger[] = " --set l1.bytes=48K --set l1.assoc=12"; /* 32 sets, as with 16 KB */
	double *v;

	study_table_init(t, &c->arena, "cache-size", "Section 6.3, Fermi with an L1 of 48 KB: speed-up of RB-TS over LRR",
			 "workload", "speed-up", columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		double small = cycles(c, b, "gtx480", LRR, ""), large = cycles(c, b, "gtx480", LRR, larger);

		v = benchmark_row(t, b);
		v[0] = small / cycles(c, b, "gtx480", policies[RB].plan, "");
		v[1] = large / cycles(c, b, "gtx480", policies[RB].plan, larger);
		v[2] = small / large;
	}
	add_means(t, STUDY_GEOMETRIC);
	v = study_table_row(t, STUDY_PUBLISHED, "all, published");
	v[0] = 1.126;
	v[1] = 1.16;
}

/* Whether the reads come from the PTX, as in the paper, or from the trace; elements or lines. */
static void sources(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"trace, elements", "trace, lines", "static, elements", NULL};
	static const char *const plans[] = {"paver-rb,source=trace", "paver-rb,source=trace,unit=line", "paver-rb,source=static"};

	study_table_init(t, &c->arena, "graph-source", "RB-TS on Fermi by where its graph comes from: speed-up over LRR",
			 "workload", "speed-up", columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		double *v = benchmark_row(t, b);

		for (unsigned k = 0; k < 3; k++)
			v[k] = cycles(c, b, "gtx480", LRR, "") / cycles(c, b, "gtx480", plans[k], "");
	}
	add_means(t, STUDY_GEOMETRIC);
}

/* Section 6.3's remark on launches with fewer CTAs than CTA slots (docs/paver.md, "Planners"): groups no larger than an
 * even share. */
static void even_groups(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"Fermi", "Fermi, even", "Pascal", "Pascal, even", "Volta", "Volta, even", NULL};

	study_table_init(t, &c->arena, "even-groups",
			 "RB-TS over LRR, with groups as full as SMs hold and no larger than an even share", "workload", "speed-up",
			 columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		double *v = benchmark_row(t, b);

		for (unsigned a = 0; a < N_ARCHITECTURES; a++) {
			double lrr = cycles(c, b, architectures[a].machine, LRR, "");

			v[2 * a] = lrr / cycles(c, b, architectures[a].machine, RB_PLAN, "");
			v[2 * a + 1] = lrr / cycles(c, b, architectures[a].machine, RB_PLAN ",groups=even", "");
		}
	}
	add_means(t, STUDY_GEOMETRIC);
}

/* ---- beside the other papers' mechanisms ---- */

static void beside_pric(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"RB-TS",
					      "PRIC",
					      "both",
					      "RB-TS where PRIC is",
					      "PRIC where RB-TS is",
					      "L2 accesses %, RB-TS",
					      "the same where PRIC is",
					      NULL};
	static const char pric[] = " --l1-index pric";

	study_table_init(t, &c->arena, "beside-pric",
			 "PAVER and PRIC (dwt-pric) on gtx480: speed-up over LRR with the linear index; of each where the other is",
			 "workload", "speed-up", columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		double *v = benchmark_row(t, b), none = cycles(c, b, "gtx480", LRR, "");

		v[0] = none / cycles(c, b, "gtx480", RB_PLAN, "");
		v[1] = none / cycles(c, b, "gtx480", LRR, pric);
		v[2] = none / cycles(c, b, "gtx480", RB_PLAN, pric);
		v[3] = v[2] / v[1];
		v[4] = v[2] / v[0];
		v[5] = 100 * run_value(c, "l2.accesses", b, "gtx480", RB_PLAN, "") /
		       run_value(c, "l2.accesses", b, "gtx480", LRR, "");
		v[6] = 100 * run_value(c, "l2.accesses", b, "gtx480", RB_PLAN, pric) /
		       run_value(c, "l2.accesses", b, "gtx480", LRR, pric);
	}
	add_means(t, STUDY_GEOMETRIC);
}

/* On a machine of several modules: what RB-TS and a placement of pages buy, alone and together. */
struct beside {
	const char *machine, *none; /* neither */
	const char *rb, *pages, *both;
};

static void beside_row(struct study_context *c, const struct benchmark *b, const struct beside *plans, double *v)
{
	double none = cycles(c, b, plans->machine, plans->none, "");

	v[0] = none / cycles(c, b, plans->machine, plans->rb, "");
	v[1] = none / cycles(c, b, plans->machine, plans->pages, "");
	v[2] = none / cycles(c, b, plans->machine, plans->both, "");
	v[3] = v[2] / v[1];
	v[4] = v[2] / v[0];
}

static void beside_coda(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"RB-TS", "first touch", "both", "RB-TS where it is", "it where RB-TS is",
					      "CODA",  NULL};
	static const struct beside plans = {"ndp4", "lrr+fgp-only", RB_PLAN "+fgp-only", "lrr+first-touch", RB_PLAN "+first-touch"};

	study_table_init(t, &c->arena, "beside-coda",
			 "PAVER on CODA's machine (ndp4): speed-up over LRR with pages spread over all stacks", "workload",
			 "speed-up", columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		const struct benchmark *b = &benchmarks[i];
		double *v = benchmark_row(t, b);

		beside_row(c, b, &plans, v);
		v[5] = cycles(c, b, "ndp4", plans.none, "") / cycles(c, b, "ndp4", "coda", "");
	}
	add_means(t, STUDY_GEOMETRIC);
}

/* Those whose host program registers what they touch. */
static bool is_annotated(const struct benchmark *b)
{
	static const char *const annotated[] = {"matmul", "hotspot", "srad", "bfs", "spmv", "pathfinder", "backprop", NULL};
	unsigned i = 0;

	while (annotated[i] && strcmp(annotated[i], b->workload))
		i++;
	return annotated[i];
}

/* Without PAVER TAFE orders the CTAs too: where nobody says on which module a CTA will run, no page can be put beside
 * it. */
static void beside_tafe(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"RB-TS", "TAFE", "RB-TS and TAFE's pages", "over TAFE", "over RB-TS", NULL};
	static const struct beside plans = {"multichip8", "lrr", RB_PLAN, "tafe", RB_PLAN "+tafe-pages"};

	study_table_init(t, &c->arena, "beside-tafe",
			 "PAVER over TAFE's placement (multichip8): speed-up over LRR and the machine's own placement", "workload",
			 "speed-up", columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++)
		if (is_annotated(&benchmarks[i]))
			beside_row(c, &benchmarks[i], &plans, benchmark_row(t, &benchmarks[i]));
	add_means(t, STUDY_GEOMETRIC);
}

static const struct study_figure figures[] = {
	{"table-2", table_2},
	{"2", shares},
	{"5", adjacency},
	{"10-gtx480", with_analysis_fermi},
	{"10-titanx", with_analysis_pascal},
	{"10-titanv", with_analysis_volta},
	{"11-gtx480", speed_up_fermi},
	{"11-titanx", speed_up_pascal},
	{"11-titanv", speed_up_volta},
	{"12", miss_rates},
	{"13-gtx480", l2_accesses_fermi},
	{"13-titanx", l2_accesses_pascal},
	{"13-titanv", l2_accesses_volta},
	{"stealing", stealing},
	{"cache-size", l1_size},
	{"graph-source", sources},
	{"jit", overhead},
	{"even-groups", even_groups},
	{"beside-pric", beside_pric},
	{"beside-coda", beside_coda},
	{"beside-tafe", beside_tafe},
	{NULL, NULL},
};

const struct study study_paver = {"paver", "PAVER: CTAs by a graph of what they share (Table 2, Figures 2, 5, 10 to 13)", figures};
