/* dwt-pric, Figure 12: PRIC beside higher associativity, on gtx480 with an L1 of 16 KB. docs/pric.md says where and why
 * the measured differ from the published. */
#include <math.h>

#include "study/study.h"

struct kernel {
	const char *name, *run;
};

/* A run that --max-insts cuts is compared by its rate. */
static const struct kernel kernels[] = {
	{"conv2d", "conv2d"},
	{"2mm", "2mm --arg n=512 --max-insts 3000000"},
	{"stencil3d", "stencil3d"},
	{"srad", "srad"},
	{"streamcluster", "streamcluster"},
	{"syrk", "syrk"},
	{"syrk-paper", "syrk --size paper --max-insts 3000000"},
	{"gesummv", "gesummv"},
	{"gesummv-paper", "gesummv --size paper --max-insts 3000000"},
};
enum { N_KERNELS = sizeof kernels / sizeof kernels[0] };

static double rate(struct study_context *c, const char *run, const char *index, unsigned ways)
{
	const char *args = study_args(c, "run %s --l1-index %s --set l1.assoc=%u", run, index, ways);

	return study_value(c, "cycles", args) / study_value(c, "warp_insts", args);
}

static void associativity(struct study_context *c, struct study_table *t)
{
	static const char *const columns[] = {"PRIC, 4 ways", "16 ways", "32 ways", "64 ways", "full (128)", "PRIC / full", NULL};
	static const unsigned ways[] = {16, 32, 64, 128};
	static const double published[] = {1.6, 1.4, 1.16, 0.97};
	const double *mean;

	study_table_init(t, &c->arena, "figure-12", "Speed-up over the linear 4-way L1 (dwt-pric, Figure 12)", "kernel", "speed-up",
			 columns);
	for (unsigned k = 0; k < N_KERNELS; k++) {
		double linear = rate(c, kernels[k].run, "linear", 4);
		double *v = study_table_row(t, STUDY_MEASURED, kernels[k].name);

		v[0] = linear / rate(c, kernels[k].run, "pric", 4);
		for (unsigned w = 0; w < 4; w++)
			v[1 + w] = linear / rate(c, kernels[k].run, "linear", ways[w]);
		v[5] = v[0] / v[4];
	}
	mean = study_table_mean(t, STUDY_HARMONIC, "harmonic mean", NULL);
	study_table_row(t, STUDY_MEAN, "PRIC over it, measured");
	study_table_row(t, STUDY_PUBLISHED, "PRIC over it, published");
	for (unsigned w = 0; w < 4; w++) {
		t->row[t->rows - 2].value[1 + w] = mean[0] / mean[1 + w];
		t->row[t->rows - 1].value[1 + w] = published[w];
	}
	t->row[t->rows - 1].value[5] = published[3];
}

static const struct study_figure figures[] = {{"12", associativity}, {NULL, NULL}};

const struct study study_pric = {"pric", "dwt-pric: the pseudo-random index beside higher associativity (Figure 12)", figures};
