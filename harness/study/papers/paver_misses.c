/* PAVER: misses that a larger cache would not have, what of the locality graph groups keep, and the policy that section
 * 6.3 compares with, which runs as few CTAs as the L1 holds the data of. */
#include <string.h>

#include "study/papers/paver_study.h"

#define UNBOUNDED                                                                                                                  \
	" --l1-index linear --l2-index linear --set l1.bytes=64M --set l1.assoc=full --set l2.bytes=64M --set l2.assoc=full"

/* A cache without bounds misses each line once; what else misses is for want of room, in all or in a set. */
static double avoidable(struct study_context *c, const char *misses, const struct paver_benchmark *b, const char *machine)
{
	return 100 *
	       (1 - paver_value(c, misses, b, machine, PAVER_LRR, UNBOUNDED) / paver_value(c, misses, b, machine, PAVER_LRR, ""));
}

void paver_misses(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"L1", "L2", NULL};
	const char *fermi = paver_architectures[PAVER_FERMI].machine;
	double *v;

	sweep_table_init(t, &c->arena, "misses",
			 "Sections 2.2 and 6.3, Fermi under LRR: conflict and capacity misses, percent of all", "workload",
			 "percent", columns);
	t->decimals = 1;
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		v = paver_row(t, &paver_benchmarks[i]);
		v[0] = avoidable(c, "l1.misses", &paver_benchmarks[i], fermi);
		v[1] = avoidable(c, "l2.misses", &paver_benchmarks[i], fermi);
	}
	paver_means(t, SWEEP_ARITHMETIC);
	v = sweep_table_row(t, SWEEP_PUBLISHED, "all, published");
	v[0] = 33.6;
	v[1] = 9;
}

/* Section 6.3 compares k-way's partitions, one an SM, with RB's, one an SM at a time, by the edges inside. */
void paver_captured(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"k-way-TS", "RB-TS", NULL};
	static const unsigned policies[] = {PAVER_KWAY, PAVER_RB};
	const char *fermi = paver_architectures[PAVER_FERMI].machine;

	sweep_table_init(t, &c->arena, "captured",
			 "Section 6.3, Fermi: edges of the locality graph inside groups, percent of their weight", "workload",
			 "percent", columns);
	t->decimals = 1;
	for (unsigned i = 0; i < PAVER_BENCHMARKS; i++) {
		const struct paver_benchmark *b = &paver_benchmarks[i];
		double *v = paver_row(t, b);

		for (unsigned k = 0; k < 2; k++)
			v[k] = 100 * study_value(c, "groups.captured",
						 study_args(c, "plan %s --machine %s --plan %s", paver_sized(c, b), fermi,
							    paver_policies[policies[k]].plan));
	}
	paver_means(t, SWEEP_ARITHMETIC);
}

/* spmv, with the CTAs an SM that the paper gives the policy. Percent of LRR's speed and of its L1 miss rate. */
void paver_cache_fit(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"speed, cache-fit", "speed, RB-TS", "L1 miss rate, cache-fit", "L1 miss rate, RB-TS",
					      NULL};
	static const unsigned ctas[] = {1, 3, 2};
	static const double published[][4] = {{58, 99.4, 42.72, 86.18}, {109.73, 104.94, 87.32, 94}, {91.24, 114.9, 100.6, 99}};
	const struct paver_benchmark *spmv = paver_benchmark_find("spmv");

	sweep_table_init(t, &c->arena, "cache-fit", "Section 6.3, spmv beside the cache-fit policy: percent of LRR's",
			 "architecture", "percent", columns);
	t->decimals = 1;
	for (unsigned a = 0; a < PAVER_ARCHITECTURES; a++) {
		const char *machine = paver_architectures[a].machine, *fit = study_args(c, " --throttle cta:%u", ctas[a]);
		const char *rb = paver_policies[PAVER_RB].plan;
		double cycles = paver_cycles(c, spmv, machine, PAVER_LRR, "");
		double rate = paver_value(c, "l1.miss_rate", spmv, machine, PAVER_LRR, "");
		double *v = sweep_table_row(t, SWEEP_MEASURED, paver_architectures[a].name);

		v[0] = 100 * cycles / paver_cycles(c, spmv, machine, PAVER_LRR, fit);
		v[1] = 100 * cycles / paver_cycles(c, spmv, machine, rb, "");
		v[2] = 100 * paver_value(c, "l1.miss_rate", spmv, machine, PAVER_LRR, fit) / rate;
		v[3] = 100 * paver_value(c, "l1.miss_rate", spmv, machine, rb, "") / rate;
		v = sweep_table_row(t, SWEEP_PUBLISHED, study_args(c, "%s, published", paver_architectures[a].name));
		memcpy(v, published[a], sizeof published[a]);
	}
}
