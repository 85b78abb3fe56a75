/* PAVER's gains at two sizes of each program: one with the CTAs that Table 2 prints, and one with more CTAs than the
 * SMs run at a time. At the first size the larger machines run most launches at once, so that neighbouring CTAs meet in
 * the L2 whatever their order. The second is the smallest power of two with which a program's largest launch has at
 * least four waves of CTAs.
 */
#include <math.h>
#include <string.h>

#include "study/papers/paver_study.h"

enum { WAVES = 4 };

/* What each benchmark runs at the two sizes. A program that has no arguments for the second cannot have more CTAs:
 * blackscholes has 480 at any size, heartwall one for each point of the wall.
 */
static const struct scaled {
	const char *workload;
	const char *printed;  /* that give Table 2's CTAs, or the nearest power of two; NULL: the study's own */
	const char *more;     /* arguments of the larger size, whatever it is */
	const char *arg[2];   /* arguments that are 2^k, or k itself where the argument is a logarithm */
	unsigned least, most; /* k */
	bool is_log;
} scaled[] = {
	/* few columns: launches that are simulated whole */
	{"syrk", NULL, " --arg m=32", {"n"}, 8, 12, false},
	{"syr2k", NULL, " --arg m=32", {"n"}, 8, 12, false},
	{"matmul", NULL, "", {"n"}, 7, 11, false},
	{"btree", NULL, "", {"queries"}, 7, 13, false},
	{"hotspot", NULL, "", {"rows", "cols"}, 8, 12, false},
	{"srad", " --size paper", "", {"rows", "cols"}, 8, 12, false},
	/* Rodinia's graph of a million nodes: 3,907 CTAs of 256 threads */
	{"bfs", " --size paper --arg block=256", " --arg graph=uniform --arg degree=6 --arg block=256", {"scale"}, 14, 20, true},
	{"tpacf", NULL, "", {"sets"}, 6, 9, false}, /* 1,000 at most */
	{"dwt2d", " --size paper", "", {"rows", "cols"}, 8, 12, false},
	/* Parboil's large matrix has 146,689 rows (765 CTAs of 192 threads) and 25 elements in each */
	{"spmv",
	 " --arg kind=jds --arg graph=mesh --arg degree=24 --arg scale=17",
	 " --arg kind=jds --arg graph=mesh --arg degree=24",
	 {"scale"},
	 14,
	 20,
	 true},
	{"pathfinder", NULL, " --arg rows=21", {"cols"}, 14, 20, false},
	{"storegpu", NULL, "", {"ctas"}, 7, 13, false},
	{"mergesort", NULL, "", {"log2n"}, 14, 22, true}, /* Table 2's 2^22 take too long */
	{"sad", NULL, "", {"rows", "cols"}, 6, 10, false},
	{"mummer", NULL, "", {"queries"}, 14, 20, false},
	{"backprop", NULL, "", {"n"}, 12, 18, false},
};

static const struct scaled *scaled_find(const char *workload)
{
	for (unsigned i = 0; i < sizeof scaled / sizeof scaled[0]; i++)
		if (!strcmp(scaled[i].workload, workload))
			return &scaled[i];
	return NULL;
}

static const char *printed_of(struct study_context *c, const struct paver_benchmark *b)
{
	const struct scaled *s = scaled_find(b->workload);

	return s && s->printed ? study_args(c, "%s%s", b->workload, s->printed) : paver_sized(c, b);
}

static double waves(struct study_context *c, const char *program, const char *machine)
{
	return study_value(c, "ctas.rounds", study_args(c, "plan %s --machine %s --grids", program, machine));
}

static const char *program_of(struct study_context *c, const struct scaled *s, unsigned k)
{
	const char *program = s->workload;

	for (unsigned i = 0; i < 2 && s->arg[i]; i++)
		program = study_args(c, "%s --arg %s=%u", program, s->arg[i], s->is_log ? k : 1u << k);
	return study_args(c, "%s%s", program, s->more);
}

/* The program at the smallest size that has so many waves; NULL: none has, or it is not known yet, as the sizes below
 * have not been asked for. */
static const char *larger(struct study_context *c, const struct paver_benchmark *b, const char *machine)
{
	const struct scaled *s = scaled_find(b->workload);

	for (unsigned k = s ? s->least : 1; s && k <= s->most; k++) {
		const char *program = program_of(c, s, k);
		double n = waves(c, program, machine);

		if (isnan(n))
			return NULL;
		if (n >= WAVES)
			return program;
	}
	return NULL;
}

/* Waves, the speed of k-way-TS and RB-TS over LRR's, and RB-TS's L2 accesses as percents of LRR's. */
static void measure(struct study_context *c, const char *program, const char *machine, double *v)
{
	const char *lrr = study_args(c, "run %s --machine %s --plan " PAVER_LRR, program, machine);
	const char *rb = study_args(c, "run %s --machine %s --plan " PAVER_RB_PLAN, program, machine);
	const char *kway = study_args(c, "run %s --machine %s --plan %s", program, machine, paver_policies[PAVER_KWAY].plan);

	v[0] = waves(c, program, machine);
	v[1] = study_value(c, "cycles", lrr) / study_value(c, "cycles", kway);
	v[2] = study_value(c, "cycles", lrr) / study_value(c, "cycles", rb);
	v[3] = 100 * study_value(c, "l2.accesses", rb) / study_value(c, "l2.accesses", lrr);
}

void paver_waves_on(struct study_context *c, struct sweep_table *t, unsigned architecture)
{
	static const char *const columns[] = {
		"waves", "k-way-TS", "RB-TS", "L2 accesses %, RB-TS", "larger: waves", "k-way-TS", "RB-TS", "L2 accesses %, RB-TS",
		NULL};
	const struct paver_architecture *a = &paver_architectures[architecture];

	sweep_table_init(t, &c->arena, study_args(c, "waves-%s", a->machine),
			 study_args(c,
				    "%s: speed-up over LRR with Table 2's CTAs; and, where the largest launch then has fewer than "
				    "%u waves of them, at the smallest power of two that has so many",
				    a->name, WAVES),
			 "workload", "speed-up", columns);
	t->left_out = 1 << 0 | 1 << 3 | 1 << 4 | 1 << 7;
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		const char *program;
		double *v = paver_row(t, b);

		measure(c, printed_of(c, b), a->machine, v);
		if (v[0] >= WAVES) {
			for (unsigned k = 0; k < 4; k++)
				v[4 + k] = v[k];
			continue;
		}
		program = larger(c, b, a->machine);
		if (program) {
			t->row[t->rows - 1].name = program;
			measure(c, program, a->machine, v + 4);
		}
	}
	paver_means(t, SWEEP_GEOMETRIC);
	paver_add_averages(c, t, &paver_speed_ups[a->published], -1, 5, 6);
}
