/* dwt-pric, Figures 8 to 11: its three mechanisms together, beside none, CCWS and MRPB. */
#include <math.h>

#include "study/papers/cache_study.h"

static void add_published(struct sweep_table *t, const char *name, unsigned column, double value)
{
	sweep_table_row(t, SWEEP_PUBLISHED, name)[column] = value;
}

void cache_figure_8(struct study_context *c, struct sweep_table *t)
{
	static const char *const machines[] = {"gtx480-sim3", "gtx480", "titanv", NULL};

	sweep_table_init(t, &c->arena, "figure-8", "Speed-up of bypass, DWT-CS and PRIC together (dwt-pric, Figure 8)", "program",
			 "speed-up", machines);
	for (const struct cache_program *p = cache_programs; p < cache_programs + CACHE_PROGRAMS; p++) {
		double *v = cache_row(t, p);

		for (unsigned m = 0; machines[m]; m++)
			v[m] = cache_speed_up(c, p, machines[m], CACHE_DWT_PRIC);
	}
	cache_means(t, SWEEP_HARMONIC);
	add_published(t, "published, streaming", 0, 1.2);
	add_published(t, "published, contention", 0, 2.3);
	add_published(t, "published, all", 0, 1.54);
	add_published(t, "published, SYRK", 0, 21);
	add_published(t, "published, GESUMMV", 0, 16.8);
}

/* Harmonic means of DWT-PRIC over another, by the paper's section 5: conflict, thrashing, both, all. */
static const struct {
	const char *name;
	double ccws, mrpb;
} figure_9_means[] = {{"published, conflict", 2.1, 1.37},
		      {"published, thrashing", 1.02, 1.25},
		      {"published, both", 18, 4},
		      {"published, all", 1.7, 1.5}};

static void figure_9(struct study_context *c, struct sweep_table *t, const char *file, const char *machine)
{
	static const char *const columns[] = {"DWT-PRIC", "CCWS", "MRPB", "DWT-PRIC / CCWS", "DWT-PRIC / MRPB", NULL};

	sweep_table_init(t, &c->arena, file,
			 study_args(c, "%s: speed-ups of programs with contention (dwt-pric, Figure 9)", machine), "program",
			 "speed-up", columns);
	for (const struct cache_program *p = cache_programs; p < cache_programs + CACHE_PROGRAMS; p++) {
		double *v;

		if (!cache_is_contended(p))
			continue;
		v = cache_row(t, p);
		v[0] = cache_speed_up(c, p, machine, CACHE_DWT_PRIC);
		v[1] = cache_speed_up(c, p, machine, CACHE_CCWS);
		v[2] = cache_speed_up(c, p, machine, CACHE_MRPB);
		v[3] = v[0] / v[1];
		v[4] = v[0] / v[2];
	}
	cache_means(t, SWEEP_HARMONIC);
	for (unsigned i = 0; i < sizeof figure_9_means / sizeof figure_9_means[0]; i++) {
		double *v = sweep_table_row(t, SWEEP_PUBLISHED, figure_9_means[i].name);

		v[3] = figure_9_means[i].ccws;
		v[4] = figure_9_means[i].mrpb;
	}
}

void cache_figure_9(struct study_context *c, struct sweep_table *t)
{
	figure_9(c, t, "figure-9", "gtx480-sim3");
}

void cache_figure_9_gtx480(struct study_context *c, struct sweep_table *t)
{
	figure_9(c, t, "figure-9-gtx480", "gtx480");
}

static double less(double before, double after)
{
	return 100 * (1 - after / before);
}

/* The text says over 80 % of 3DS, KM, SYRK, GESUMMV, and up to 60 % of 2DCONV, MM, IIX. */
void cache_figure_10(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"miss rate", "DWT-PRIC", "unbounded", "less by DWT-PRIC", "less, unbounded", NULL};

	sweep_table_init(t, &c->arena, "figure-10",
			 "L1 miss rate in percent, and by how many percent less it is (dwt-pric, Figure 10)", "program", "percent",
			 columns);
	t->decimals = 1;
	for (const struct cache_program *p = cache_programs; p < cache_programs + CACHE_PROGRAMS; p++) {
		double *v;

		if (!cache_is_contended(p))
			continue;
		v = cache_row(t, p);
		v[0] = 100 * cache_value(c, "l1.miss_rate", p, "gtx480", "");
		v[1] = 100 * cache_value(c, "l1.miss_rate", p, "gtx480", CACHE_DWT_PRIC);
		v[2] = 100 * cache_value(c, "l1.miss_rate", p, "gtx480", CACHE_UNBOUNDED);
		v[3] = less(v[0], v[1]);
		v[4] = less(v[0], v[2]);
	}
	cache_means(t, SWEEP_ARITHMETIC);
}

static double fails(struct study_context *c, const struct cache_program *p, const char *options)
{
	static const char *const causes[] = {"l1.fail.line", "l1.fail.mshr_entry", "l1.fail.mshr_merge", "l1.fail.miss_queue"};
	double n = 0;

	for (unsigned i = 0; i < sizeof causes / sizeof causes[0]; i++)
		n += cache_per_kilo_cycles(c, causes[i], p, options);
	return n;
}

/* A program that hardly ever fails has no percentage that means anything. */
void cache_figure_11(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"fails", "DWT-PRIC", "less, percent", NULL};

	sweep_table_init(t, &c->arena, "figure-11", "An SM's L1 reservation fails in 1000 cycles (dwt-pric, Figure 11)", "program",
			 "per kilo cycles", columns);
	t->decimals = 1;
	for (const struct cache_program *p = cache_programs; p < cache_programs + CACHE_PROGRAMS; p++) {
		double *v;

		if (!cache_is_contended(p))
			continue;
		v = cache_row(t, p);
		v[0] = fails(c, p, "");
		v[1] = fails(c, p, CACHE_DWT_PRIC);
		v[2] = v[0] >= 1 ? less(v[0], v[1]) : NAN;
	}
	cache_means(t, SWEEP_ARITHMETIC);
	add_published(t, "published, all", 2, 20);
}
