/* locus plan: what a planner decides for a program on a machine, and what that leads to by the trace alone. */
#include <argp.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "affine/print.h"
#include "cli/cli.h"
#include "cli/model_options.h"
#include "machine/unread.h"
#include "session/result.h"
#include "cli/plan_report.h"
#include "session/plan_json.h"
#include "process/progress.h"

struct plan_args {
	struct model_options model;
	bool pages, accesses, grids;
};

enum { KEY_PAGES = 2000, KEY_ACCESSES, KEY_GRIDS };

static const struct argp_option options[] = {
	{"pages", KEY_PAGES, NULL, 0, "show pages by number of CTAs and modules (CODA, Figure 3)", HELP_OWN},
	{"grids", KEY_GRIDS, NULL, 0, "show CTAs, concurrent CTAs and the L2 size", HELP_OWN},
	{"accesses", KEY_ACCESSES, NULL, 0, "show the address of every access in the PTX", HELP_OWN},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct plan_args *a = state->input;

	(void)arg;
	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &a->model.from;
		state->child_inputs[2] = &a->model;
		state->child_inputs[3] = state->child_inputs[4] = &a->model.on;
		return 0;
	case KEY_PAGES:
		a->pages = true;
		return 0;
	case KEY_GRIDS:
		a->grids = true;
		return 0;
	case KEY_ACCESSES:
		a->accesses = true;
		return 0;
	case ARGP_KEY_END:
		if (!a->model.plan && !a->pages && !a->accesses && !a->grids)
			argp_error(state, "needs --plan PLANNER, --pages, --grids or --accesses");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {{&program_argp, 0, NULL, 0}, {&accelsim_argp, 0, NULL, 0}, {&plan_argp, 0, NULL, 0},
					     {&machine_argp, 0, NULL, 0}, {&json_argp, 0, NULL, 0},	{0}};
static const struct argp argp = {
	options,
	parse,
	"WORKLOAD|FILE.yaml|FILE.ltrace|kernelslist.g",
	"Shows what a planner decides for a program on a machine: for each array whether CTAs go through it at a stride, where its "
	"pages "
	"go and why, and which part of the accesses is expected to leave its module. Nothing is simulated.\v"
	"Examples:\n  locus plan kmeans --machine ndp4 --plan coda\n  locus plan bfs --machine ndp4 --pages",
	children,
	NULL,
	NULL};

static int show_plan(const struct plan *p, const struct planner_request *req, struct plan_expected *sum, struct err *e)
{
	struct plan_expected *by = arena_array(req->arena, p->n_buffers, sizeof *by);
	struct progress progress;
	int rc;

	progress_begin(&progress, "what the plan does to %s", trace_name(req->trace));
	rc = plan_expect(p, req, by, sum, e);
	progress_end(&progress);
	if (rc)
		return -1;
	printf("plan %s for %s on %s: %u modules, %u stacks, pages of %u bytes\n\n", p->name, trace_name(req->trace),
	       req->machine->name, req->topology->n_modules, req->topology->n_stacks, req->topology->page);
	if (p->notes)
		printf("%s\n", p->notes);
	plan_report_launches(p, req, stdout);
	plan_report_arrays(p, req, by, sum, stdout);
	return 0;
}

static int show_pages(const struct planner_request *req, struct plan_pages *sum, struct err *e)
{
	struct plan p = {.n_buffers = trace_n_buffers(req->trace),
			 .n_launches = trace_n_launches(req->trace),
			 .n_sms = req->topology->n_sms,
			 .n_modules = req->topology->n_modules};
	struct plan_pages *by = arena_array(req->arena, p.n_buffers, sizeof *by);
	struct progress progress;
	int rc;

	progress_begin(&progress, "pages of %s", trace_name(req->trace));
	rc = plan_affinity(&p, req, e) != 0 || plan_pages(&p, req, by, sum, e) != 0;
	progress_end(&progress);
	if (rc)
		return -1;
	plan_report_pages(req, by, sum, stdout);
	return 0;
}

static int show_accesses(const struct planner_request *req, struct err *e)
{
	if (!req->analysis)
		return err_set(e, "--accesses: a recorded or imported trace has no PTX to analyse");
	for (uint32_t l = 0; l < trace_n_launches(req->trace); l++) {
		const struct affine_launch *a = req->analysis[l];

		printf("launch %u: %s\n", l, trace_kernel(req->trace, trace_launch(req->trace, l)->kernel)->name);
		for (uint32_t i = 0; i < a->n_accesses; i++) {
			int b = a->access[i].at.buffer;

			affine_print_access(a, &a->access[i], b < 0 ? "unknown" : trace_buffer(req->trace, (uint32_t)b)->name,
					    stdout);
		}
	}
	return 0;
}

/* CPU seconds: of the host program before its first launch, of the analysis of its PTX, of the plan. */
static json_t *simulator_json(const struct source *s, const struct plan *p)
{
	return json_pack("{s:f, s:f, s:f}", "host_seconds", s->host_seconds, "analysis_seconds", s->analysis_seconds,
			 "plan_seconds", p ? p->seconds : 0.0);
}

static int save(struct output *json, const struct source *source, const struct plan *p, const struct planner_request *req,
		const struct plan_expected *expected, const struct plan_pages *pages, const struct plan_grids *grids, struct err *e)
{
	struct stats s = {0};
	json_t *o;

	if (!json->f)
		return 0;
	plan_report_stats(expected, pages, &s);
	plan_report_ctas(p, req->trace, &s);
	if (grids)
		plan_report_grids(grids, &s, NULL);
	o = json_pack("{s:o, s:s, s:o, s:o*, s:o, s:o, s:o}", "locus", result_origin(), "workload", trace_name(req->trace),
		      "machine", machine_json(req->machine), "plan", p ? plan_json(p, req->trace) : NULL, "stats", stats_json(&s),
		      "units", stats_units_json(&s), "simulator", simulator_json(source, p));
	stats_free(&s);
	return result_write(json, o, e);
}

static int show(const struct plan_args *a, struct session *s, struct output *json, struct err *e)
{
	struct planner_request req = session_request(s);
	struct plan_expected expected;
	struct plan_pages pages;
	struct plan_grids grids;
	const struct plan *p;

	if (session_plan(s, e) != 0)
		return CLI_USAGE;
	p = s->plan;
	if (p && show_plan(p, &req, &expected, e) != 0)
		return CLI_USAGE;
	if (p && a->pages)
		putchar('\n');
	if (a->pages && show_pages(&req, &pages, e) != 0)
		return CLI_USAGE;
	if (a->grids && plan_grids(&req, &grids, e) != 0)
		return CLI_USAGE;
	if (a->grids && (p || a->pages))
		putchar('\n');
	if (a->grids)
		plan_report_grids(&grids, NULL, stdout);
	if ((p || a->pages || a->grids) && a->accesses)
		putchar('\n');
	if (a->accesses && show_accesses(&req, e) != 0)
		return CLI_USAGE;
	if (save(json, &s->source, p, &req, p ? &expected : NULL, a->pages ? &pages : NULL, a->grids ? &grids : NULL, e) != 0)
		return CLI_USAGE;
	return CLI_OK;
}

int cli_plan(int argc, char **argv)
{
	struct plan_args a = {0};
	struct session_options o;
	struct err e = {""};
	struct output json = {0};
	struct session s;
	int status = CLI_USAGE;

	cli_parse(&argp, argc, argv, &a);
	o = model_options_session(&a.model);
	o.machine.uses = MACHINE_PLACED;
	o.analyse = a.accesses;
	if (session_open(&s, &o, &e) == 0 && output_open(&json, a.model.on.json, &e) == 0 && session_source(&s, &e) == 0)
		status = show(&a, &s, &json, &e);
	output_drop(&json);
	session_close(&s);
	return e.text[0] ? cli_fail(&e) : status;
}
