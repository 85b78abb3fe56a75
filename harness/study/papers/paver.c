/* PAVER: Table 2, Figures 2, 5, 10 to 13, stealing, the L1's size, and PAVER beside the other papers' mechanisms; on
 * gtx480-gs4, titanx-gs4 and titanv-gs4, Figures 11 and 13 on titanx-2020 and our own gtx480, titanx and titanv too.
 * docs/studies/paver.md says where and why the measured differ from the published. */
#include <math.h>

#include "study/papers/paver_published.h"
#include "study/papers/paver_study.h"

/* ---- what the programs are ---- */

static void table_2(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"CTAs",	       "printed", "SpScore, static",   "trace",	  "printed",
					      "elements read", "printed", "degree of sharing", "printed", NULL};

	sweep_table_init(t, &c->arena, "table-2", "Table 2: sharing of data among CTAs, means over a program's launches",
			 "workload", "", columns);
	t->digits = 9; /* as printed */
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		const struct paver_published *p = paver_published_find(b->workload);
		const char *graph = study_args(c, "graph %s", paver_sized(c, b)),
			   *trace = study_args(c, "%s --source trace", graph);
		double *v = paver_row(t, b);

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

static void shares(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"unshared", "intra-CTA", "inter-CTA", "both", "inter-CTA in all", NULL};
	static const char *const names[] = {"shares.unshared", "shares.intra", "shares.inter", "shares.both"};

	sweep_table_init(t, &c->arena, "figure-2", "Figure 2: read accesses by who else reads the data, percent", "workload",
			 "percent of read accesses", columns);
	t->stack = 4;
	t->decimals = 1;
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const char *graph = study_args(c, "graph %s --source trace", paver_sized(c, &paver_benchmarks[i]));
		double *v = paver_row(t, &paver_benchmarks[i]);

		for (unsigned k = 0; k < 4; k++)
			v[k] = 100 * study_value(c, names[k], graph);
		v[4] = v[2] + v[3];
	}
	t->group = NULL;
	for (unsigned i = 0; i < PAVER_CLASSES; i++)
		sweep_table_mean(t, SWEEP_ARITHMETIC, paver_classes[i], paver_classes[i]);
	sweep_table_mean(t, SWEEP_ARITHMETIC, "all", NULL);
	sweep_table_row(t, SWEEP_PUBLISHED, "high, published: at least")[4] = 50; /* section 6.2 */
	sweep_table_row(t, SWEEP_PUBLISHED, "low, published: less than")[4] = 50;
	sweep_table_row(t, SWEEP_PUBLISHED, "none, published")[4] = 0;
	sweep_table_row(t, SWEEP_PUBLISHED, "all, published")[4] = 27; /* section 2.2 */
}

/* The pictures are files of their own; the table says what they are of. */
static void adjacency(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"launch", "CTAs", "pairs that share", "percent of all pairs", NULL};

	sweep_table_init(t, &c->arena, "figure-5", "Figure 5: adjacency matrices, drawn into figure-5-WORKLOAD.svg", "workload", "",
			 columns);
	t->digits = 6;
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		const char *args = study_args(c, "graph %s --source trace --launch %u", paver_sized(c, b), b->launch);
		const char *file = study_args(c, "figure-5-%s.svg", b->workload);
		double *v = paver_row(t, b);

		v[0] = b->launch;
		v[1] = study_value(c, "graph.ctas", args);
		v[2] = study_value(c, "graph.pairs", args);
		v[3] = 100 * v[2] / (v[1] * (v[1] - 1) / 2);
		if (v[2] > 0) /* there is something to draw */
			study_picture(c, "graph.pairs", study_args(c, "%s --picture", args), file);
	}
}

/* ---- what the policies buy ---- */

/* Single programs of the same section: of BCS on Fermi, by how much longer it takes; of "our graph-based approach", the
 * speed-up.
 */
static void add_singles(struct sweep_table *t, unsigned architecture)
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
		double rb[PAVER_ARCHITECTURES];
	} irregular[] = {{"btree, published", {1.0452, 1.228, 1.059}},
			 {"bfs, published", {1.044, 1.128, 1.0985}},
			 {"spmv, published", {0.994, 1.0494, 1.149}}};

	for (unsigned i = 0; architecture == PAVER_FERMI && i < sizeof bcs / sizeof bcs[0]; i++)
		sweep_table_row(t, SWEEP_PUBLISHED, bcs[i].name)[PAVER_BCS] = 1 / bcs[i].longer;
	for (unsigned i = 0; i < sizeof irregular / sizeof irregular[0]; i++)
		sweep_table_row(t, SWEEP_PUBLISHED, irregular[i].name)[PAVER_RB] = irregular[i].rb[architecture];
}

static void speed_up_on(struct study_context *c, struct sweep_table *t, unsigned architecture)
{
	static const char *const columns[] = {"BCS", "MST-TS", "k-way-TS", "RB-TS", NULL};
	const struct paver_architecture *a = &paver_architectures[architecture];

	sweep_table_init(t, &c->arena, study_args(c, "figure-11-%s", a->machine),
			 study_args(c, "Figure 11, %s: speed-up over LRR, without the time of the analysis", a->name), "workload",
			 "speed-up", columns);
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		double *v = paver_row(t, b), lrr = paver_cycles(c, b, a->machine, PAVER_LRR, "");

		for (unsigned p = 0; p < PAVER_POLICIES; p++)
			v[p] = lrr / paver_cycles(c, b, a->machine, paver_policies[p].plan, "");
	}
	paver_means(t, SWEEP_GEOMETRIC);
	paver_add_averages(c, t, &paver_speed_ups[a->published], PAVER_MST, PAVER_KWAY, PAVER_RB);
	add_singles(t, a->published);
}

/* Seconds of a processor that the analysis of the program takes and the plan after it. */
static double analysis_seconds(struct study_context *c, const struct paver_benchmark *b, const char *machine, const char *plan)
{
	const char *args = study_args(c, "plan %s --machine %s --plan %s", paver_sized(c, b), machine, plan);

	return study_value(c, "analysis_seconds", args) + study_value(c, "plan_seconds", args);
}

/* Figure 10 has the time of the analysis in it. The paper's comes before the launch, from the PTX: source=static. */
static void with_analysis_on(struct study_context *c, struct sweep_table *t, unsigned architecture)
{
	static const char *const columns[] = {
		"LRR, us", "BCS", "MST-TS", "k-way-TS", "RB-TS", "RB-TS, analysis ms", "RB-TS, with analysis", NULL};
	const struct paver_architecture *a = &paver_architectures[architecture];

	sweep_table_init(t, &c->arena, study_args(c, "figure-10-%s", a->machine),
			 study_args(c, "Figure 10, %s: kernels' time over LRR's, and with the time of the analysis", a->name),
			 "workload", "time over LRR's", columns);
	t->left_out = 1 << 0 | 1 << 5;
	t->decimals = 3;
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		double *v = paver_row(t, b), lrr = paver_cycles(c, b, a->machine, PAVER_LRR, "");

		v[0] = lrr / a->mhz;
		for (unsigned p = 0; p < PAVER_POLICIES; p++)
			v[1 + p] = paver_cycles(c, b, a->machine, paver_policies[p].plan, "") / lrr;
		v[5] = 1e3 * analysis_seconds(c, b, a->machine, PAVER_RB_STATIC);
		v[6] = v[4] + 1e3 * v[5] / v[0];
	}
	paver_means(t, SWEEP_GEOMETRIC);
}

/* Section 3.3's overhead: the analysis over host program and analysis, before the first launch. */
static void overhead(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"analysis, ms", "host program, ms", "overhead, percent", NULL};
	const char *fermi = paver_architectures[PAVER_FERMI].machine;
	static const struct {
		const char *name;
		double percent;
	} printed[] = {{"syrk, published", 0.26}, {"syr2k, published", 0.2}, {"matmul, published", 0.01}};

	sweep_table_init(t, &c->arena, "jit", "Section 3.3: overhead of the analysis on the CPU's side, RB-TS for Fermi",
			 "workload", "", columns);
	t->decimals = 3;
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		const char *args = study_args(c, "plan %s --machine %s --plan " PAVER_RB_STATIC, paver_sized(c, b), fermi);
		double *v = paver_row(t, b);

		v[0] = 1e3 * analysis_seconds(c, b, fermi, PAVER_RB_STATIC);
		v[1] = 1e3 * study_value(c, "host_seconds", args);
		v[2] = 100 * v[0] / (v[0] + v[1]);
	}
	t->group = NULL;
	for (unsigned i = 0; i < sizeof printed / sizeof printed[0]; i++)
		sweep_table_row(t, SWEEP_PUBLISHED, printed[i].name)[2] = printed[i].percent;
}

static double miss_rate(struct study_context *c, const struct paver_benchmark *b, const char *plan)
{
	return 100 * paver_value(c, "l1.miss_rate", b, paver_architectures[PAVER_FERMI].machine, plan, "");
}

static void miss_rates(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"LRR", "BCS", "MST-TS", "k-way-TS", "RB-TS", "RB-TS fewer", NULL};
	double *v;

	sweep_table_init(t, &c->arena, "figure-12", "Figure 12, Fermi: L1 miss rate, percent; and by how much RB-TS lowers it",
			 "workload", "percent", columns);
	t->decimals = 1;
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];

		v = paver_row(t, b);
		v[0] = miss_rate(c, b, PAVER_LRR);
		for (unsigned p = 0; p < PAVER_POLICIES; p++)
			v[1 + p] = miss_rate(c, b, paver_policies[p].plan);
		v[5] = v[0] > 0 ? 100 * (1 - v[4] / v[0]) : NAN;
	}
	paver_means(t, SWEEP_ARITHMETIC);
	sweep_table_row(t, SWEEP_PUBLISHED, "high, published")[5] = 43.3;
	sweep_table_row(t, SWEEP_PUBLISHED, "low, published")[5] = 10;
	sweep_table_row(t, SWEEP_PUBLISHED, "all, published")[5] = 21;
	sweep_table_row(t, SWEEP_PUBLISHED, "spmv, published")[5] = 100 - 86.18;
}

static void l2_accesses_on(struct study_context *c, struct sweep_table *t, unsigned architecture)
{
	static const char *const columns[] = {"BCS", "MST-TS", "k-way-TS", "RB-TS", NULL};
	const struct paver_architecture *a = &paver_architectures[architecture];

	sweep_table_init(t, &c->arena, study_args(c, "figure-13-%s", a->machine),
			 study_args(c, "Figure 13, %s: accesses of L2, percent of LRR's", a->name), "workload", "percent of LRR's",
			 columns);
	t->decimals = 1;
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		double *v = paver_row(t, b), lrr = paver_value(c, "l2.accesses", b, a->machine, PAVER_LRR, "");

		for (unsigned p = 0; p < PAVER_POLICIES; p++)
			v[p] = 100 * paver_value(c, "l2.accesses", b, a->machine, paver_policies[p].plan, "") / lrr;
	}
	paver_means(t, SWEEP_ARITHMETIC);
	paver_add_averages(c, t, &paver_l2_accesses[a->published], PAVER_MST, PAVER_KWAY, PAVER_RB);
}

#define ON_EACH(name)                                                                                                              \
	static void name##_fermi(struct study_context *c, struct sweep_table *t)                                                   \
	{                                                                                                                          \
		name##_on(c, t, PAVER_FERMI);                                                                                      \
	}                                                                                                                          \
	static void name##_pascal(struct study_context *c, struct sweep_table *t)                                                  \
	{                                                                                                                          \
		name##_on(c, t, PAVER_PASCAL);                                                                                     \
	}                                                                                                                          \
	static void name##_volta(struct study_context *c, struct sweep_table *t)                                                   \
	{                                                                                                                          \
		name##_on(c, t, PAVER_VOLTA);                                                                                      \
	}
#define ON_OUR_OWN(name)                                                                                                           \
	static void name##_gtx480(struct study_context *c, struct sweep_table *t)                                                  \
	{                                                                                                                          \
		name##_on(c, t, PAVER_OWN + PAVER_FERMI);                                                                          \
	}                                                                                                                          \
	static void name##_titanx(struct study_context *c, struct sweep_table *t)                                                  \
	{                                                                                                                          \
		name##_on(c, t, PAVER_OWN + PAVER_PASCAL);                                                                         \
	}                                                                                                                          \
	static void name##_titanv(struct study_context *c, struct sweep_table *t)                                                  \
	{                                                                                                                          \
		name##_on(c, t, PAVER_OWN + PAVER_VOLTA);                                                                          \
	}
#define ON_THAT_OF_2020(name)                                                                                                      \
	static void name##_titanx_2020(struct study_context *c, struct sweep_table *t)                                             \
	{                                                                                                                          \
		name##_on(c, t, PAVER_PASCAL_2020);                                                                                \
	}
ON_EACH(speed_up)
ON_EACH(with_analysis)
ON_EACH(l2_accesses)
ON_EACH(paver_waves)
ON_OUR_OWN(speed_up)
ON_OUR_OWN(l2_accesses)
ON_THAT_OF_2020(speed_up)
ON_THAT_OF_2020(l2_accesses)
ON_THAT_OF_2020(paver_waves)

static const struct study_figure figures[] = {
	{"table-2", table_2},
	{"2", shares},
	{"5", adjacency},
	{"10-gtx480-gs4", with_analysis_fermi},
	{"10-titanx-gs4", with_analysis_pascal},
	{"10-titanv-gs4", with_analysis_volta},
	{"11-gtx480-gs4", speed_up_fermi},
	{"11-titanx-gs4", speed_up_pascal},
	{"11-titanv-gs4", speed_up_volta},
	{"11-gtx480", speed_up_gtx480},
	{"11-titanx", speed_up_titanx},
	{"11-titanv", speed_up_titanv},
	{"11-titanx-2020", speed_up_titanx_2020},
	{"12", miss_rates},
	{"13-gtx480-gs4", l2_accesses_fermi},
	{"13-titanx-gs4", l2_accesses_pascal},
	{"13-titanv-gs4", l2_accesses_volta},
	{"13-gtx480", l2_accesses_gtx480},
	{"13-titanx", l2_accesses_titanx},
	{"13-titanv", l2_accesses_titanv},
	{"13-titanx-2020", l2_accesses_titanx_2020},
	{"waves-gtx480-gs4", paver_waves_fermi},
	{"waves-titanx-gs4", paver_waves_pascal},
	{"waves-titanv-gs4", paver_waves_volta},
	{"waves-titanx-2020", paver_waves_titanx_2020},
	{"misses", paver_misses},
	{"captured", paver_captured},
	{"cache-fit", paver_cache_fit},
	{"stealing", paver_stealing},
	{"cache-size", paver_l1_size},
	{"residency", paver_residency},
	{"graph-source", paver_sources},
	{"jit", overhead},
	{"even-groups", paver_even_groups},
	{"beside-pric", paver_beside_pric},
	{"beside-coda", paver_beside_coda},
	{"beside-tafe", paver_beside_tafe},
	{NULL, NULL},
};

const struct study study_paver = {"paver", "PAVER: CTAs by a graph of what they share (Table 2, Figures 2, 5, 10 to 13)", figures};
