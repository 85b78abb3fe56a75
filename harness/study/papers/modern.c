/* What is left of the papers' gains on GPUs of today, whose L1s have sectors, four sets, and hundreds of misses under
 * way: qv100 in detail, and a table an idea with the others beside it. CODA and TAFE place data among modules, of which
 * they have one. docs/studies/modern-gpus.md. */
#include "study/papers/cache_study.h"
#include "study/papers/ldesc_study.h"
#include "study/papers/paver_study.h"

#define MODERN "qv100"
/* Pins are kept by a block with a fixed number of ways, so by an L1 that launches do not divide. */
#define APART " --set sm.unified_bytes=0 --set sm.carveouts=0 --set l1.bytes=32K --set l1.assoc=16"

static const char *const machines[] = {MODERN, "rtx2060", "rtx3070", "a100", "h100", NULL};

static void caches(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"bypass", "DWT-CS", "PRIC", "all three", "MRPB", NULL};
	static const char *const options[] = {CACHE_BYPASSED, CACHE_THROTTLED, CACHE_HASHED, CACHE_DWT_PRIC, CACHE_MRPB};

	sweep_table_init(t, &c->arena, "modern-caches", MODERN ": speed-up by dwt-pric's mechanisms, and by MRPB", "program",
			 "speed-up", columns);
	for (const struct cache_program *p = cache_programs; p < cache_programs + CACHE_PROGRAMS; p++) {
		double *v = cache_row(t, p);

		for (unsigned i = 0; columns[i]; i++)
			v[i] = cache_speed_up(c, p, MODERN, options[i]);
	}
	cache_means(t, SWEEP_HARMONIC);
}

static void descriptor(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"BCS", "LDesc-Sched", "LDesc-Pref", "LDesc-Cache, its own L1", "LDesc, its own L1",
					      NULL};
	static const struct {
		const char *plan, *more;
	} runs[] = {{"bcs", ""}, {"ldesc-sched", ""}, {"ldesc-pref", ""}, {"ldesc-cache", APART}, {"ldesc", APART}};

	sweep_table_init(t, &c->arena, "modern-ldesc", MODERN ": LDesc's speed-up over round robin", "application", "speed-up",
			 columns);
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		double *v = ldesc_row(t, a);

		for (unsigned i = 0; columns[i]; i++)
			v[i] = ldesc_value(c, "cycles", a, MODERN, "lrr", runs[i].more) /
			       ldesc_value(c, "cycles", a, MODERN, runs[i].plan, runs[i].more);
	}
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_any, "all");
}

static void dispatch(struct study_context *c, struct sweep_table *t)
{
	const char *columns[PAVER_POLICIES + 1] = {NULL};

	for (unsigned i = 0; i < PAVER_POLICIES; i++)
		columns[i] = paver_policies[i].name;
	sweep_table_init(t, &c->arena, "modern-paver", MODERN ": PAVER's speed-up over round robin", "workload", "speed-up",
			 columns);
	for (unsigned b = 0; b < PAVER_BENCHMARKS; b++) {
		double *v = paver_row(t, &paver_benchmarks[b]), lrr = paver_cycles(c, &paver_benchmarks[b], MODERN, PAVER_LRR, "");

		for (unsigned i = 0; i < PAVER_POLICIES; i++)
			v[i] = lrr / paver_cycles(c, &paver_benchmarks[b], MODERN, paver_policies[i].plan, "");
	}
	paver_means(t, SWEEP_GEOMETRIC);
}

/* ---- the machines beside one another ---- */

static void caches_of_all(struct study_context *c, struct sweep_table *t)
{
	sweep_table_init(t, &c->arena, "machines-caches", "Speed-up by dwt-pric's three mechanisms together", "program", "speed-up",
			 machines);
	for (const struct cache_program *p = cache_programs; p < cache_programs + CACHE_PROGRAMS; p++) {
		double *v = cache_row(t, p);

		for (unsigned i = 0; machines[i]; i++)
			v[i] = cache_speed_up(c, p, machines[i], CACHE_DWT_PRIC);
	}
	cache_means(t, SWEEP_HARMONIC);
}

static void descriptor_of_all(struct study_context *c, struct sweep_table *t)
{
	sweep_table_init(t, &c->arena, "machines-ldesc", "LDesc's speed-up over round robin, with L1s of their own", "application",
			 "speed-up", machines);
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		double *v = ldesc_row(t, a);

		for (unsigned i = 0; machines[i]; i++)
			v[i] = ldesc_value(c, "cycles", a, machines[i], "lrr", APART) /
			       ldesc_value(c, "cycles", a, machines[i], "ldesc", APART);
	}
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_any, "all");
}

static void dispatch_of_all(struct study_context *c, struct sweep_table *t)
{
	sweep_table_init(t, &c->arena, "machines-paver", "PAVER's RB-TS: speed-up over round robin", "workload", "speed-up",
			 machines);
	for (unsigned b = 0; b < PAVER_BENCHMARKS; b++) {
		double *v = paver_row(t, &paver_benchmarks[b]);

		for (unsigned i = 0; machines[i]; i++)
			v[i] = paver_cycles(c, &paver_benchmarks[b], machines[i], PAVER_LRR, "") /
			       paver_cycles(c, &paver_benchmarks[b], machines[i], paver_policies[PAVER_RB].plan, "");
	}
	paver_means(t, SWEEP_GEOMETRIC);
}

static const struct study_figure figures[] = {
	{"caches", caches},
	{"ldesc", descriptor},
	{"paver", dispatch},
	{"machines-caches", caches_of_all},
	{"machines-ldesc", descriptor_of_all},
	{"machines-paver", dispatch_of_all},
	{0},
};

const struct study study_modern = {"modern", "gains of dwt-pric, LDesc and PAVER on current GPUs", figures};
