/* CODA, footnote 6: first touches that move the page's data. "We observed that this migration-based first-touch
 * allocation is not very effective (not shown, 7% speedup, as opposed to 19% speedup of CGP-Only+FTA)". Where the data
 * are before is either baseline of the paper. */
#include "study/papers/coda_study.h"

static const struct {
	const char *column, *more;
	double published;
} variants[] = {
	{"first touch", "", 1.19},
	{"592 cycles a page, no traffic", "--set vm.fault_latency=592", 1.07},
	{"moved from fine pages", "--set vm.migrate=interleave", 1.07},
	{"moved from pages in turn", "--set vm.migrate=pages", 1.07},
	{"from fine pages, 5 GB/s a link", "--set link.gbps=5 --set vm.migrate=interleave", 1.07},
	{"first touch, 5 GB/s a link", "--set link.gbps=5", 1.19},
};
enum { N_VARIANTS = sizeof variants / sizeof variants[0] };

/* Over FGP-Only of the same links, which moves nothing. */
static double speed_up(struct study_context *c, const char *workload, unsigned k)
{
	const char *args = study_args(c, "run %s --size %s --machine ndp4 --plan", workload, c->size);
	const char *links = k >= N_VARIANTS - 2 ? " --set link.gbps=5" : "";
	const char *more = variants[k].more;

	return study_value(c, "ipc.warp", study_args(c, "%s first-touch%s%s", args, *more ? " " : "", more)) /
	       study_value(c, "ipc.warp", study_args(c, "%s fgp-only%s", args, links));
}

void coda_migration(struct study_context *c, struct sweep_table *t)
{
	const char *columns[N_VARIANTS + 1] = {NULL};
	double *published;

	for (unsigned k = 0; k < N_VARIANTS; k++)
		columns[k] = variants[k].column;
	sweep_table_init(t, &c->arena, "migration", "First touches that move data: speed-up over FGP-Only", "workload", "speed-up",
			 columns);
	for (unsigned i = 0; i < N_BENCHMARKS; i++) {
		double *v = coda_benchmark_row(t, i);

		for (unsigned k = 0; k < N_VARIANTS; k++)
			v[k] = speed_up(c, coda_benchmarks[i].workload, k);
	}
	t->group = NULL;
	sweep_table_mean(t, SWEEP_GEOMETRIC, "all", NULL);
	published = sweep_table_row(t, SWEEP_PUBLISHED, "all, published");
	for (unsigned k = 0; k < N_VARIANTS; k++)
		published[k] = variants[k].published;
}
