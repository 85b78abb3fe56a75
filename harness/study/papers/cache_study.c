#include "study/papers/cache_study.h"

#include <string.h>

/* By dwt-pric's names, which are those of the workloads with its options. MM is at a size whose rows are a multiple of
 * the sets apart, as pric.md says of 2mm; SYRK and GESUMMV are cut after 100 M thread instructions, as in the paper. */
#define CONTENTION "contention"
#define CUT	   " --size paper --max-thread-insts 100000000"
const struct cache_program cache_programs[CACHE_PROGRAMS] = {
	{"BLK", "BLK", "", CACHE_STREAMING},
	{"Sprod", "Sprod", "", CACHE_STREAMING},
	{"VAdd", "VAdd", "", CACHE_STREAMING},
	{"FWT", "FWT", "", CACHE_STREAMING},
	{"NW", "NW", "", CACHE_STREAMING},
	{"HS", "dwt-pric:HS", "", CACHE_STREAMING},
	{"CONV", "CONV", "", CACHE_STREAMING},
	{"SRAD", "SRAD", "", CACHE_CONFLICT},
	{"3DS", "3DS", "", CACHE_CONFLICT},
	{"2DCONV", "2DCONV", "", CACHE_CONFLICT},
	{"MM", "MM", " --arg n=1024 --max-insts 3000000", CACHE_CONFLICT},
	{"SCLUSTER", "SCLUSTER", "", CACHE_CONFLICT},
	{"BFS", "BFS", "", CACHE_THRASHING},
	{"SpMV", "SpMV", "", CACHE_THRASHING},
	{"IIX", "IIX", "", CACHE_THRASHING},
	{"KM", "KM", "", CACHE_THRASHING},
	{"SYRK", "SYRK", CUT, CACHE_THRASHING_CONFLICT},
	{"GESUMMV", "GESUMMV", CUT, CACHE_THRASHING_CONFLICT},
	{"PEst", "PEst", "", CACHE_FRIENDLY},
	{"B+tree", "B+tree", "", CACHE_FRIENDLY},
	{"BP", "BP", "", CACHE_FRIENDLY},
	{"NN", "NN", "", CACHE_FRIENDLY},
};
const char *const cache_groups[CACHE_GROUPS] = {"streaming", CONTENTION ": conflict", CONTENTION ": thrashing", CONTENTION ": both",
						"friendly"};

/* The workload at the study's size: what a program has of its own is for the default one. */
static const char *sized(struct study_context *c, const struct cache_program *p)
{
	return !strcmp(c->size, "default") ? study_args(c, "%s%s", p->workload, p->more)
					   : study_args(c, "%s --size %s", p->workload, c->size);
}

double cache_value(struct study_context *c, const char *metric, const struct cache_program *p, const char *machine,
		   const char *options)
{
	return study_value(c, metric, study_args(c, "run %s --machine %s%s%s", sized(c, p), machine, *options ? " " : "", options));
}

double cache_speed_up(struct study_context *c, const struct cache_program *p, const char *machine, const char *options)
{
	return cache_value(c, "ipc.thread", p, machine, options) / cache_value(c, "ipc.thread", p, machine, "");
}

double *cache_row(struct sweep_table *t, const struct cache_program *p)
{
	t->group = cache_groups[p->group];
	return sweep_table_row(t, SWEEP_MEASURED, p->name);
}

static bool has_rows(const struct sweep_table *t, const char *group)
{
	for (unsigned r = 0; r < t->rows; r++)
		if (t->row[r].kind == SWEEP_MEASURED && t->row[r].group == group)
			return true;
	return false;
}

void cache_means(struct sweep_table *t, enum sweep_mean how)
{
	t->group = NULL;
	for (unsigned g = 0; g < CACHE_GROUPS; g++)
		if (has_rows(t, cache_groups[g]))
			sweep_table_mean(t, how, cache_groups[g], cache_groups[g]);
	if (has_rows(t, cache_groups[CACHE_STREAMING])) /* else these are all */
		sweep_table_mean(t, how, CONTENTION, CONTENTION);
	sweep_table_mean(t, how, "all", NULL);
}
