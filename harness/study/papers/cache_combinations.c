/* What each of dwt-pric's mechanisms adds, alone and with the others: all 2^3 combinations, for the programs with
 * contention. */
#include "study/papers/cache_study.h"

static const struct {
	const char *name, *options;
} combinations[] = {
	{"bypass", CACHE_BYPASSED},
	{"DWT-CS", CACHE_THROTTLED},
	{"PRIC", CACHE_HASHED},
	{"bypass, DWT-CS", CACHE_BYPASSED " " CACHE_THROTTLED},
	{"bypass, PRIC", CACHE_BYPASSED " " CACHE_HASHED},
	{"DWT-CS, PRIC", CACHE_THROTTLED " " CACHE_HASHED},
	{"all three", CACHE_DWT_PRIC},
};
enum { N_COMBINATIONS = sizeof combinations / sizeof combinations[0] };

static void alone_and_together(struct study_context *c, struct sweep_table *t, const char *machine, const char *id)
{
	const char *columns[N_COMBINATIONS + 1] = {NULL};

	for (unsigned i = 0; i < N_COMBINATIONS; i++)
		columns[i] = combinations[i].name;
	sweep_table_init(t, &c->arena, id, study_args(c, "%s: speed-up by each mechanism, alone and with others", machine),
			 "program", "speed-up", columns);
	for (const struct cache_program *p = cache_programs; p < cache_programs + CACHE_PROGRAMS; p++) {
		double *v;

		if (!cache_is_contended(p))
			continue;
		v = cache_row(t, p);
		for (unsigned i = 0; i < N_COMBINATIONS; i++)
			v[i] = cache_speed_up(c, p, machine, combinations[i].options);
	}
	cache_means(t, SWEEP_HARMONIC);
}

void cache_each_alone(struct study_context *c, struct sweep_table *t)
{
	alone_and_together(c, t, "gtx480", "mechanisms");
}

void cache_each_alone_titanv(struct study_context *c, struct sweep_table *t)
{
	alone_and_together(c, t, "titanv", "mechanisms-titanv");
}
