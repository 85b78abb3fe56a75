#include "session/steps.h"

#include "process/interrupt.h"
#include "process/progress.h"

int step_source(struct source *s, const struct source_options *o, struct err *e)
{
	struct progress p;
	int rc;

	progress_begin(&p, "getting the trace of %s", o->what);
	rc = source_open(s, o, e);
	progress_end(&p);
	return rc;
}

int step_plan(struct plan *plan, const char *text, const struct planner_request *req, struct err *e)
{
	struct progress p;
	int rc;

	progress_begin(&p, "planning, %s", text ? text : "none");
	rc = planner_make(plan, text, req, e);
	progress_end(&p);
	return rc;
}

static void count(void *progress, uint64_t cycles, uint64_t warp_insts, uint64_t total)
{
	(void)cycles;
	progress_count(progress, warp_insts, total);
}

int step_run(const struct gpu_config *c, step_run_fn *run, struct gpu_result *r, struct err *e)
{
	struct gpu_config with = *c;
	struct progress p;
	int rc;

	progress_begin(&p, "running %s", trace_name(c->trace));
	with.progress = count;
	with.progress_ctx = &p;
	with.stop = interrupt_hold();
	rc = run(&with, r, e);
	interrupt_release();
	progress_end(&p);
	return rc;
}
