/* dwt-pric, Figures 2 and 4: what the caches are worth, and what their loads wait for. */
#include "study/papers/cache_study.h"

/* The paper prints Figure 2 as a picture alone. */
void cache_figure_2(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"no caches", "unbounded", NULL};

	sweep_table_init(t, &c->arena, "figure-2", "Speed over that with the machine's caches (dwt-pric, Figure 2)", "program",
			 "speed-up", columns);
	for (const struct cache_program *p = cache_programs; p < cache_programs + CACHE_PROGRAMS; p++) {
		double *v = cache_row(t, p);

		v[0] = cache_speed_up(c, p, "gtx480", CACHE_NONE);
		v[1] = cache_speed_up(c, p, "gtx480", CACHE_UNBOUNDED);
	}
	cache_means(t, SWEEP_HARMONIC);
}

double cache_per_kilo_cycles(struct study_context *c, const char *metric, const struct cache_program *p, const char *options)
{
	return 1000 * cache_value(c, metric, p, "gtx480", options) /
	       (CACHE_GTX480_SMS * cache_value(c, "cycles", p, "gtx480", options));
}

void cache_figure_4(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"no line",   "no MSHR entry",	    "no room in an MSHR entry", "miss queue full",
					      "L1 misses", "per 1000 instructions", "per 1000 of warps",	NULL};
	static const char *const metrics[] = {"l1.fail.line", "l1.fail.mshr_entry", "l1.fail.mshr_merge", "l1.fail.miss_queue",
					      "l1.misses"};

	sweep_table_init(t, &c->arena, "figure-4",
			 "An SM's reservation fails and misses in 1000 cycles; misses by instructions of threads and of warps "
			 "(dwt-pric, Figure 4)",
			 "program", "per kilo cycles", columns);
	t->stack = 4;
	t->decimals = 1;
	for (const struct cache_program *p = cache_programs; p < cache_programs + CACHE_PROGRAMS; p++) {
		double *v = cache_row(t, p), misses = cache_value(c, "l1.misses", p, "gtx480", "");

		for (unsigned m = 0; m < sizeof metrics / sizeof metrics[0]; m++)
			v[m] = cache_per_kilo_cycles(c, metrics[m], p, "");
		v[5] = 1000 * misses / cache_value(c, "thread_insts", p, "gtx480", "");
		v[6] = 1000 * misses / cache_value(c, "warp_insts", p, "gtx480", "");
	}
	cache_means(t, SWEEP_ARITHMETIC);
}
