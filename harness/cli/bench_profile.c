#include "cli/bench_profile.h"

#include <math.h>

#include "base/cputime.h"

static int run_once(const struct machine *m, struct trace *t, bool profiled, double *least, struct err *e)
{
	struct arena a = {0};
	struct gpu_profile p;
	struct gpu_config c = {.machine = m, .trace = t, .profile = profiled ? &p : NULL};
	struct gpu_result r = {0};
	double start, took;
	int rc;

	gpu_profile_init(&p, &a, t);
	start = cpu_seconds();
	rc = gpu_run(&c, &r, e);
	took = cpu_seconds() - start;
	arena_free(&a);
	if (rc != 0)
		return rc;
	if (r.audit.failed)
		rc = err_set(e, "bench: an invariant of a run is broken");
	gpu_result_free(&r);
	*least = fmin(*least, took);
	return rc;
}

int bench_profile_ratio(const struct machine *m, struct trace *t, unsigned repeat, double *ratio, struct err *e)
{
	double without = INFINITY, with = INFINITY;

	for (unsigned i = 0; i < repeat; i++)
		if (run_once(m, t, false, &without, e) != 0 || run_once(m, t, true, &with, e) != 0)
			return -1;
	*ratio = with / without;
	return 0;
}
