#include "session/steps.h"

#include "process/interrupt.h"
#include "process/progress.h"

int step_source(struct source *s, const struct source_options *o, struct err *e)
{
	struct progress p;
	int rc;

	if (o->program) /* a program of the user's has the terminal */
		return source_open(s, o, e);
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

struct watcher {
	struct progress progress;
	const struct gpu_config *run;
};

static void begins(void *watcher)
{
	struct watcher *w = watcher;

	if (!w->run->begins)
		return;
	progress_hide(&w->progress); /* building took that long */
	w->run->begins(w->run->watcher_ctx);
}

static void count(void *watcher, uint64_t cycles, uint64_t warp_insts, uint64_t total)
{
	struct watcher *w = watcher;

	(void)cycles;
	progress_count(&w->progress, warp_insts, total);
}

static int pause_run(void *watcher, const struct gpu *g, struct gpu_turn *turn, struct err *e)
{
	struct watcher *w = watcher;
	const struct gpu_pause_hook *m = w->run->pause_hook;
	int rc = m->pause(m->ctx, g, turn, e);

	if (turn->forked)
		progress_forget(&w->progress);
	return rc;
}

int step_run(const struct gpu_config *c, step_run_fn *run, struct gpu_result *r, struct err *e)
{
	struct gpu_config with = *c;
	struct watcher w = {.run = c};
	struct gpu_pause_hook pause_hook = {.pause = pause_run, .ctx = &w};
	int rc;

	progress_begin(&w.progress, "running %s", trace_name(c->trace));
	with.begins = begins;
	with.progress = count;
	with.watcher_ctx = &w;
	if (c->pause_hook) {
		pause_hook.cycle = c->pause_hook->cycle;
		with.pause_hook = &pause_hook;
	}
	with.stop = interrupt_hold();
	rc = run(&with, r, e);
	interrupt_release();
	progress_end(&w.progress);
	return rc;
}
