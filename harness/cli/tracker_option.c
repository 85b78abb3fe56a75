#include "cli/tracker_option.h"

#include <string.h>

#include "base/cputime.h"
#include "base/root.h"
#include "process/progress.h"
#include "session/gpu_tracker.h"

enum { KEY_TRACKER = 0x4000 };

static const struct argp_option options[] = {
	{"tracker", KEY_TRACKER, "NAME", 0, "TAFE's: hw (default), sw-cpu, sw-gpu, none", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct tracker_option *t = state->input;

	if (key != KEY_TRACKER)
		return ARGP_ERR_UNKNOWN;
	t->name = arg;
	return 0;
}

const struct argp tracker_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

static int tracker_of(const struct tracker_option *t, enum tracker *out, struct err *e)
{
	*out = TRACK_HW;
	return t->name ? tracker_parse(t->name, out, e) : 0;
}

int tracker_check(const struct tracker_option *t, struct model_options *o, struct err *e)
{
	enum tracker tracker;

	o->taf = t->name != NULL;
	return tracker_of(t, &tracker, e);
}

int tracker_run(struct tracker_option *t, const struct model_options *o, const struct machine *m, const struct source *s,
		const struct hw_binder *binder, struct err *e)
{
	char root[4096];
	double start = cpu_seconds();
	struct tracking_phase_config c = {.machine = m,
					  .trace = s->trace,
					  .taf = s->taf,
					  .binder = binder,
					  .gpu = gpu_tracker_of(root_path("", root)),
					  .no_skip = o->no_skip};
	struct progress p;
	int rc;

	if (!s->taf && t->name)
		return err_set(e, "--tracker %s: %s makes no TAFE calls (taf_register)", t->name, trace_name(s->trace));
	if (!s->taf || tracker_of(t, &c.tracker, e) != 0)
		return s->taf ? -1 : 0;
	if (c.tracker == TRACK_NONE)
		return 0;
	progress_begin(&p, "the host's stores of %s", trace_name(s->trace));
	rc = tracking_phase_run(&c, &t->r, e);
	progress_end(&p);
	if (rc != 0)
		return t->name ? err_prefix(e, "--tracker %s", t->name)
			       : err_prefix(e, "--tracker hw (none does without the host)");
	t->ran = true;
	t->seconds = cpu_seconds() - start;
	return 0;
}

const struct taf_memory *tracker_tables(const struct tracker_option *t)
{
	return t->ran ? &t->r.memory : NULL;
}

void tracker_add(struct tracker_option *t, struct gpu_result *to)
{
	if (!t->ran)
		return;
	stats_take(&to->stats, &t->r.stats);
	audit_take(&to->audit, &t->r.audit);
}

void tracker_free(struct tracker_option *t)
{
	if (t->ran)
		tracking_phase_free(&t->r);
	t->ran = false;
}
