#include "study/papers/cache_study.h"

#include <string.h>

/* MM at a size whose rows are a multiple of the sets apart, as pric.md says of 2mm; SYRK and GESUMMV are cut after the
 * paper's 100 M instructions of threads. */
#define CONTENTION "contention"
#define CUT	   " --size paper --max-insts 3125000"
const struct cache_program cache_programs[CACHE_PROGRAMS] = {
	{"BLK", "blackscholes", "", CACHE_STREAMING},
	{"Sprod", "scalarprod", "", CACHE_STREAMING},
	{"VAdd", "vectoradd", "", CACHE_STREAMING},
	{"FWT", "fwt", "", CACHE_STREAMING},
	{"NW", "nw", "", CACHE_STREAMING},
	{"HS", "hotspot", "", CACHE_STREAMING},
	{"CONV", "sepconv", "", CACHE_STREAMING},
	{"SRAD", "srad", "", CACHE_CONFLICT},
	{"3DS", "stencil3d", "", CACHE_CONFLICT},
	{"2DCONV", "conv2d", "", CACHE_CONFLICT},
	{"MM", "2mm", " --arg n=512 --max-insts 3000000", CACHE_CONFLICT},
	{"SCLUSTER", "streamcluster", "", CACHE_CONFLICT},
	{"BFS", "bfs", "", CACHE_THRASHING},
	{"SpMV", "spmv", "", CACHE_THRASHING},
	{"IIX", "invindex", "", CACHE_THRASHING},
	{"KM", "kmeans", "", CACHE_THRASHING},
	{"SYRK", "syrk", CUT, CACHE_THRASHING_CONFLICT},
	{"GESUMMV", "gesummv", CUT, CACHE_THRASHING_CONFLICT},
	{"PEst", "montecarlo", "", CACHE_FRIENDLY},
	{"B+tree", "btree", "", CACHE_FRIENDLY},
	{"BP", "backprop", "", CACHE_FRIENDLY},
	{"NN", "nnet", "", CACHE_FRIENDLY},
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

double *cache_row(struct study_table *t, const struct cache_program *p)
{
	t->group = cache_groups[p->group];
	return study_table_row(t, STUDY_MEASURED, p->name);
}

static bool has_rows(const struct study_table *t, const char *group)
{
	for (unsigned r = 0; r < t->rows; r++)
		if (t->row[r].kind == STUDY_MEASURED && t->row[r].group == group)
			return true;
	return false;
}

void cache_means(struct study_table *t, enum study_mean how)
{
	t->group = NULL;
	for (unsigned g = 0; g < CACHE_GROUPS; g++)
		if (has_rows(t, cache_groups[g]))
			study_table_mean(t, how, cache_groups[g], cache_groups[g]);
	if (has_rows(t, cache_groups[CACHE_STREAMING])) /* else these are all */
		study_table_mean(t, how, CONTENTION, CONTENTION);
	study_table_mean(t, how, "all", NULL);
}
