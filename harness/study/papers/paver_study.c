#include "study/papers/paver_study.h"

#include <math.h>
#include <string.h>

const char *const paver_classes[PAVER_CLASSES] = {"high", "low", "none"};

const struct paver_benchmark paver_benchmarks[PAVER_BENCHMARKS] = {
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

const struct paver_architecture paver_architectures[PAVER_PASCAL_2020 + 1] = {
	{"gtx480-gs4", "Fermi", 700, PAVER_FERMI},
	{"titanx-gs4", "Pascal", 1417, PAVER_PASCAL},
	{"titanv-gs4", "Volta", 1200, PAVER_VOLTA},
	{"gtx480", "Fermi of our own", 700, PAVER_FERMI},
	{"titanx", "Pascal of our own", 1000, PAVER_PASCAL},
	{"titanv", "Volta of our own", 1200, PAVER_VOLTA},
	{"titanx-2020", "Pascal of 2020", 1417, PAVER_PASCAL}};

const struct paver_policy paver_policies[PAVER_POLICIES] = {
	{"BCS", "bcs"}, {"MST-TS", "paver-mst,source=trace"}, {"k-way-TS", "paver-kway,source=trace"}, {"RB-TS", PAVER_RB_PLAN}};

const struct paver_benchmark *paver_benchmark_find(const char *workload)
{
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++)
		if (!strcmp(paver_benchmarks[i].workload, workload))
			return &paver_benchmarks[i];
	return NULL;
}

/* ---- runs ---- */

const char *paver_sized(struct study_context *c, const struct paver_benchmark *b)
{
	return !strcmp(c->size, "default") ? study_args(c, "%s%s", b->workload, b->more)
					   : study_args(c, "%s --size %s", b->workload, c->size);
}

double paver_value(struct study_context *c, const char *what, const struct paver_benchmark *b, const char *machine,
		   const char *plan, const char *more)
{
	return study_value(c, what, study_args(c, "run %s --machine %s --plan %s%s", paver_sized(c, b), machine, plan, more));
}

double paver_cycles(struct study_context *c, const struct paver_benchmark *b, const char *machine, const char *plan,
		    const char *more)
{
	return paver_value(c, "cycles", b, machine, plan, more);
}

/* ---- rows ---- */

double *paver_row(struct sweep_table *t, const struct paver_benchmark *b)
{
	t->group = paver_published_find(b->workload)->sharing_class;
	return sweep_table_row(t, SWEEP_MEASURED, b->workload);
}

void paver_means(struct sweep_table *t, enum sweep_mean how)
{
	t->group = NULL;
	for (unsigned i = 0; i < PAVER_CLASSES; i++)
		sweep_table_mean(t, how, paver_classes[i], paver_classes[i]);
	sweep_table_mean(t, how, "all", NULL);
}

void paver_add_averages(struct study_context *c, struct sweep_table *t, const struct paver_averages *p, int mst, int kway, int rb)
{
	const int column[3] = {mst, kway, rb};

	for (unsigned i = 0; i <= PAVER_CLASSES; i++) {
		const char *name = i < PAVER_CLASSES ? paver_classes[i] : "all";
		double *v;

		if (isnan(p->of[i][2]))
			continue;
		v = sweep_table_row(t, SWEEP_PUBLISHED, study_args(c, "%s, published", name));
		for (unsigned k = 0; k < 3; k++)
			if (column[k] >= 0)
				v[column[k]] = p->of[i][k];
	}
}
