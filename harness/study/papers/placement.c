/* All papers' placements beside each other: the same instruction streams on ndp4 (CODA's machine) and on mcm4 (that of
 * LDesc's NUMA figures), under what each paper decides about CTAs, pages and caches. docs/studies/placement.md explains
 * it. */
#include "study/study.h"

/* Programs of which CODA, TAFE and LDesc have figures; TAFE and LDesc by annotation want one in the host program. */
static const struct benchmark {
	const char *workload;
	bool taf, ldesc;
} benchmarks[] = {
	{"syrk", false, true},
	{"doitgen", false, true},
	{"dwt2d", false, true},
	{"conv2d", false, true},
	{"spmv", true, true},
	{"libor", false, true},
	{"lavamd", false, true},
	{"histo", false, true},
	{"atax", false, true},
	{"mvt", false, true},
	{"particlefilter", false, true},
	{"streamcluster", false, true},
	{"transpose", false, true},
	{"scalarprod", false, true},
	{"lps", false, true},
	{"pathfinder", true, true},
	{"hotspot", true, true},
	{"srad", true, true},
	{"nn", true, true},
	{"matmul", true, true},
	{"kmeans", false, true},
	{"bfs", true, false},
	{"backprop", true, false},
	{"cfd", true, false},
};
enum { N_BENCHMARKS = sizeof benchmarks / sizeof benchmarks[0] };

/* RB-TS orders CTAs alone: with pages spread finely, as without a plan, and with pages where they are touched first. */
#define RB   "paver-rb,source=trace"
#define BASE "lrr+fgp-only"
enum wants { NOTHING, TAF, LDESC };
static const struct placement {
	const char *name, *plan;
	enum wants wants;
} placements[] = {
	{"CGP-Only", "lrr+cgp-only", NOTHING},
	{"first touch", "lrr+first-touch", NOTHING},
	{"XOR hash", "lrr+xor-hash", NOTHING},
	{"FirstTouch-Distrib", "firsttouch-distrib", NOTHING},
	{"CODA", "coda", NOTHING},
	{"TAFE", "tafe", TAF},
	{"PAVER", RB "+fgp-only", NOTHING},
	{"PAVER, first touch", RB "+first-touch", NOTHING},
	{"LDesc", "ldesc", LDESC},
	{"LDesc from the PTX", "ldesc:source=static", NOTHING},
};
enum { N_PLACEMENTS = sizeof placements / sizeof placements[0] };

static bool has(const struct benchmark *b, enum wants what)
{
	return what == NOTHING || (what == TAF && b->taf) || (what == LDESC && b->ldesc);
}

/* Nobody tracks the host program's stores: mcm4 has no CPU, and their time is not what is compared. */
static const char *run_of(struct study_context *c, const struct benchmark *b, const char *machine, const struct placement *p)
{
	return study_args(c, "run %s --size %s --machine %s --plan %s%s", b->workload, c->size, machine, p ? p->plan : BASE,
			  p && p->wants == TAF ? " --tracker none" : "");
}

static void init(struct study_context *c, struct sweep_table *t, const char *id, const char *title, const char *unit,
		 const char *first)
{
	const char *columns[SWEEP_MAX_COLUMNS + 1] = {NULL};
	unsigned n = 0;

	if (first)
		columns[n++] = first;
	for (unsigned p = 0; p < N_PLACEMENTS; p++)
		columns[n++] = placements[p].name;
	sweep_table_init(t, &c->arena, id, title, "program", unit, columns);
}

static const char *group_of(const struct benchmark *b)
{
	return b->taf && b->ldesc ? "annotated for TAFE and LDesc" : NULL;
}

static double *benchmark_row(struct sweep_table *t, const struct benchmark *b)
{
	t->group = group_of(b);
	return sweep_table_row(t, SWEEP_MEASURED, b->workload);
}

static void add_means(struct sweep_table *t, enum sweep_mean how)
{
	t->group = NULL;
	sweep_table_mean(t, how, "annotated for TAFE and LDesc", "annotated for TAFE and LDesc");
	sweep_table_mean(t, how, "all that have it", NULL);
}

static void speed_ups(struct study_context *c, struct sweep_table *t, const char *machine)
{
	init(c, t, study_args(c, "speed-%s", machine),
	     study_args(c, "%s: speed-up over CTAs round robin and pages spread finely over all stacks", machine), "speed-up",
	     NULL);
	for (const struct benchmark *b = benchmarks; b < benchmarks + N_BENCHMARKS; b++) {
		double *v = benchmark_row(t, b);

		for (unsigned p = 0; p < N_PLACEMENTS; p++)
			if (has(b, placements[p].wants))
				v[p] = study_value(c, "cycles", run_of(c, b, machine, NULL)) /
				       study_value(c, "cycles", run_of(c, b, machine, &placements[p]));
	}
	add_means(t, SWEEP_GEOMETRIC);
}

static double local(struct study_context *c, const char *run)
{
	return 100 * (1 - study_value(c, "memory.remote_share", run));
}

static void local_shares(struct study_context *c, struct sweep_table *t, const char *machine)
{
	init(c, t, study_args(c, "local-%s", machine), study_args(c, "%s: percent of requests that stay in their module", machine),
	     "percent", "spread finely");
	t->decimals = 1;
	for (const struct benchmark *b = benchmarks; b < benchmarks + N_BENCHMARKS; b++) {
		double *v = benchmark_row(t, b);

		v[0] = local(c, run_of(c, b, machine, NULL));
		for (unsigned p = 0; p < N_PLACEMENTS; p++)
			if (has(b, placements[p].wants))
				v[1 + p] = local(c, run_of(c, b, machine, &placements[p]));
	}
	add_means(t, SWEEP_ARITHMETIC);
}

static void speed_ndp4(struct study_context *c, struct sweep_table *t)
{
	speed_ups(c, t, "ndp4");
}

static void local_ndp4(struct study_context *c, struct sweep_table *t)
{
	local_shares(c, t, "ndp4");
}

static void speed_mcm4(struct study_context *c, struct sweep_table *t)
{
	speed_ups(c, t, "mcm4");
}

static void local_mcm4(struct study_context *c, struct sweep_table *t)
{
	local_shares(c, t, "mcm4");
}

static const struct study_figure figures[] = {
	{"speed-ndp4", speed_ndp4},
	{"local-ndp4", local_ndp4},
	{"speed-mcm4", speed_mcm4},
	{"local-mcm4", local_mcm4},
	{NULL, NULL},
};

const struct study study_placement = {"placement", "CODA, TAFE, PAVER and LDesc compared on ndp4 and mcm4", figures};
