/* PAVER: what decides its gains, and what it is worth beside the other papers' mechanisms. */
#include <math.h>
#include <string.h>

#include "study/papers/paver_study.h"

/* ---- what decides it ---- */

void paver_stealing(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {
		"k-way-TS, Fermi", "RB-TS, Fermi", "k-way-TS, Pascal", "RB-TS, Pascal", "k-way-TS, Volta", "RB-TS, Volta", NULL};
	double *v;

	sweep_table_init(t, &c->arena, "stealing", "Section 6.3, task stealing: speed-up over the same without stealing",
			 "workload", "speed-up", columns);
	t->decimals = 3;
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];

		v = paver_row(t, b);
		for (unsigned k = 0; k < 2 * PAVER_ARCHITECTURES; k++) {
			const char *machine = paver_architectures[k / 2].machine,
				   *plan = paver_policies[k % 2 ? PAVER_RB : PAVER_KWAY].plan;

			v[k] = paver_cycles(c, b, machine, study_args(c, "%s,steal=off", plan), "") /
			       paver_cycles(c, b, machine, plan, "");
		}
	}
	paver_means(t, SWEEP_GEOMETRIC);
	v = sweep_table_row(t, SWEEP_PUBLISHED, "all, published");
	v[0] = 1.03;
	v[1] = 1.02;
}

void paver_l1_size(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"RB-TS, 16 KB", "RB-TS, 48 KB", "LRR, 48 over 16 KB", NULL};
	const char *fermi = paver_architectures[PAVER_FERMI].machine;
	static const char larger[] = " --set l1.bytes=48K --set l1.assoc=12"; /* 32 sets, as with 16 KB */
	double *v;

	sweep_table_init(t, &c->arena, "cache-size", "Section 6.3, Fermi with an L1 of 48 KB: speed-up of RB-TS over LRR",
			 "workload", "speed-up", columns);
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		double small = paver_cycles(c, b, fermi, PAVER_LRR, ""), large = paver_cycles(c, b, fermi, PAVER_LRR, larger);

		v = paver_row(t, b);
		v[0] = small / paver_cycles(c, b, fermi, paver_policies[PAVER_RB].plan, "");
		v[1] = large / paver_cycles(c, b, fermi, paver_policies[PAVER_RB].plan, larger);
		v[2] = small / large;
	}
	paver_means(t, SWEEP_GEOMETRIC);
	v = sweep_table_row(t, SWEEP_PUBLISHED, "all, published");
	v[0] = 1.126;
	v[1] = 1.16;
}

/* Section 6.3 prints how many CTAs of a program an SM of Fermi holds. Where kernels use more registers here, or fewer,
 * the machine is given what makes it hold as many. */
void paver_residency(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"BCS",	       "k-way-TS",	     "RB-TS",		"CTAs of an SM, printed",
					      "BCS with them", "k-way-TS with them", "RB-TS with them", NULL};
	static const struct {
		const char *workload;
		unsigned ctas;
		double bcs, rb; /* published speed-ups */
	} printed[] = {
		{"syrk", 6, 1 / 1.09, NAN}, {"syr2k", 6, 1 / 1.07, NAN}, {"hotspot", 3, 1 / 1.22, NAN}, {"spmv", 5, NAN, 0.994}};
	const char *fermi = paver_architectures[PAVER_FERMI].machine;
	const char *const plans[] = {paver_policies[PAVER_BCS].plan, paver_policies[PAVER_KWAY].plan,
				     paver_policies[PAVER_RB].plan};

	sweep_table_init(t, &c->arena, "residency",
			 "Section 6.3, Fermi with as many CTAs of a program on an SM as printed: speed-up over LRR", "workload",
			 "speed-up", columns);
	t->left_out = 1 << 3;
	for (unsigned i = 0; i < sizeof printed / sizeof printed[0]; i++) {
		const struct paver_benchmark *b = paver_benchmark_find(printed[i].workload);
		const char *more = study_args(c, " --set sm.registers=64K --set sm.ctas=%u", printed[i].ctas);
		double *v = paver_row(t, b);

		v[3] = printed[i].ctas;
		for (unsigned k = 0; k < 3; k++) {
			v[k] = paver_cycles(c, b, fermi, PAVER_LRR, "") / paver_cycles(c, b, fermi, plans[k], "");
			v[4 + k] = paver_cycles(c, b, fermi, PAVER_LRR, more) / paver_cycles(c, b, fermi, plans[k], more);
		}
	}
	for (unsigned i = 0; i < sizeof printed / sizeof printed[0]; i++) {
		double *v = sweep_table_row(t, SWEEP_PUBLISHED, study_args(c, "%s, published", printed[i].workload));

		v[4] = printed[i].bcs;
		v[6] = printed[i].rb;
	}
}

/* Whether the reads come from the PTX, as in the paper, or from the trace; elements or lines. */
void paver_sources(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"trace, elements", "trace, lines", "static, elements", NULL};
	static const char *const plans[] = {PAVER_RB_PLAN, PAVER_RB_PLAN ",unit=line", PAVER_RB_STATIC};
	const char *fermi = paver_architectures[PAVER_FERMI].machine;

	sweep_table_init(t, &c->arena, "graph-source", "RB-TS on Fermi by where its graph comes from: speed-up over LRR",
			 "workload", "speed-up", columns);
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		double *v = paver_row(t, b);

		for (unsigned k = 0; k < 3; k++)
			v[k] = paver_cycles(c, b, fermi, PAVER_LRR, "") / paver_cycles(c, b, fermi, plans[k], "");
	}
	paver_means(t, SWEEP_GEOMETRIC);
}

/* Section 6.3's remark on launches with fewer CTAs than CTA slots (docs/studies/paver.md, "Planners"): groups no larger
 * than an even share. */
void paver_even_groups(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"Fermi", "Fermi, even", "Pascal", "Pascal, even", "Volta", "Volta, even", NULL};

	sweep_table_init(t, &c->arena, "even-groups",
			 "RB-TS over LRR, with groups as full as SMs hold and no larger than an even share", "workload", "speed-up",
			 columns);
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		double *v = paver_row(t, b);

		for (unsigned a = 0; a < PAVER_ARCHITECTURES; a++) {
			double lrr = paver_cycles(c, b, paver_architectures[a].machine, PAVER_LRR, "");

			v[2 * a] = lrr / paver_cycles(c, b, paver_architectures[a].machine, PAVER_RB_FULL, "");
			v[2 * a + 1] = lrr / paver_cycles(c, b, paver_architectures[a].machine, PAVER_RB_PLAN, "");
		}
	}
	paver_means(t, SWEEP_GEOMETRIC);
}

/* ---- beside the other papers' mechanisms ---- */

void paver_beside_pric(struct study_context *c, struct sweep_table *t)
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

	sweep_table_init(t, &c->arena, "beside-pric",
			 "PAVER and PRIC (dwt-pric) on gtx480: speed-up over LRR with the linear index; of each where the other is",
			 "workload", "speed-up", columns);
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		double *v = paver_row(t, b), none = paver_cycles(c, b, "gtx480", PAVER_LRR, "");

		v[0] = none / paver_cycles(c, b, "gtx480", PAVER_RB_PLAN, "");
		v[1] = none / paver_cycles(c, b, "gtx480", PAVER_LRR, pric);
		v[2] = none / paver_cycles(c, b, "gtx480", PAVER_RB_PLAN, pric);
		v[3] = v[2] / v[1];
		v[4] = v[2] / v[0];
		v[5] = 100 * paver_value(c, "l2.accesses", b, "gtx480", PAVER_RB_PLAN, "") /
		       paver_value(c, "l2.accesses", b, "gtx480", PAVER_LRR, "");
		v[6] = 100 * paver_value(c, "l2.accesses", b, "gtx480", PAVER_RB_PLAN, pric) /
		       paver_value(c, "l2.accesses", b, "gtx480", PAVER_LRR, pric);
	}
	paver_means(t, SWEEP_GEOMETRIC);
}

/* On a machine of several modules: what RB-TS and a placement of pages buy, alone and together. */
struct beside {
	const char *machine, *none; /* neither */
	const char *rb, *pages, *both;
};

static void beside_row(struct study_context *c, const struct paver_benchmark *b, const struct beside *plans, double *v)
{
	double none = paver_cycles(c, b, plans->machine, plans->none, "");

	v[0] = none / paver_cycles(c, b, plans->machine, plans->rb, "");
	v[1] = none / paver_cycles(c, b, plans->machine, plans->pages, "");
	v[2] = none / paver_cycles(c, b, plans->machine, plans->both, "");
	v[3] = v[2] / v[1];
	v[4] = v[2] / v[0];
}

void paver_beside_coda(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"RB-TS", "first touch", "both", "RB-TS where it is", "it where RB-TS is",
					      "CODA",  NULL};
	static const struct beside plans = {"ndp4", "lrr+fgp-only", PAVER_RB_PLAN "+fgp-only", "lrr+first-touch",
					    PAVER_RB_PLAN "+first-touch"};

	sweep_table_init(t, &c->arena, "beside-coda",
			 "PAVER on CODA's machine (ndp4): speed-up over LRR with pages spread over all stacks", "workload",
			 "speed-up", columns);
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		double *v = paver_row(t, b);

		beside_row(c, b, &plans, v);
		v[5] = paver_cycles(c, b, "ndp4", plans.none, "") / paver_cycles(c, b, "ndp4", "coda", "");
	}
	paver_means(t, SWEEP_GEOMETRIC);
}

/* Those whose host program registers what they touch. */
static bool is_annotated(const struct paver_benchmark *b)
{
	static const char *const annotated[] = {"matmul", "hotspot", "srad", "bfs", "spmv", "pathfinder", "backprop", NULL};
	unsigned i = 0;

	while (annotated[i] && strcmp(annotated[i], b->workload))
		i++;
	return annotated[i];
}

/* Without PAVER TAFE orders the CTAs too: where nobody says on which module a CTA will run, no page can be put beside
 * it. */
void paver_beside_tafe(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"RB-TS", "TAFE", "RB-TS and TAFE's pages", "over TAFE", "over RB-TS", NULL};
	static const struct beside plans = {"multichip8", "lrr", PAVER_RB_PLAN, "tafe", PAVER_RB_PLAN "+tafe-pages"};

	sweep_table_init(t, &c->arena, "beside-tafe",
			 "PAVER over TAFE's placement (multichip8): speed-up over LRR and the machine's own placement", "workload",
			 "speed-up", columns);
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++)
		if (is_annotated(&paver_benchmarks[i]))
			beside_row(c, &paver_benchmarks[i], &plans, paver_row(t, &paver_benchmarks[i]));
	paver_means(t, SWEEP_GEOMETRIC);
}
