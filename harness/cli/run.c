/* locus run: a workload, launch file or trace on the cycle model, with golden
 * twins behind the hardware ports. */
#include <stdio.h>
#include <string.h>

#include "base/cputime.h"
#include "cli/cli.h"
#include "cli/tracker_option.h"
#include "cli/model_options.h"
#include "cli/model_report.h"
#include "cli/timeline_file.h"
#include "cli/phases.h"
#include "run/cpu_run.h"

struct run_args {
	struct model_options model;
	struct timeline_file timeline;
	struct tracker_option tracker;
	bool on_host, launches;
};

enum { KEY_ON = 1000, KEY_LAUNCHES };

static const struct argp_option options[] = {
	{"on", KEY_ON, "gpu|host", 0, "run the kernels on the SMs (default) or on the host's cores", 0},
	{"launches", KEY_LAUNCHES, NULL, 0, "also print what each launch did", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct run_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->model;
		state->child_inputs[1] = &a->timeline;
		state->child_inputs[2] = &a->tracker;
		return 0;
	case KEY_ON:
		if (strcmp(arg, "gpu") != 0 && strcmp(arg, "host") != 0)
			argp_error(state, "--on: \"%s\" is neither gpu nor host", arg);
		a->on_host = arg[0] == 'h';
		return 0;
	case KEY_LAUNCHES:
		a->launches = true;
		return 0;
	case ARGP_KEY_END:
		if (a->on_host && a->launches)
			argp_error(state, "--launches shows what SMs count: not with --on host");
		if (a->on_host && a->model.max_insts)
			argp_error(state, "--max-insts counts what SMs issue: not with --on host");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&model_options_argp, 0, NULL, 0}, {&timeline_file_argp, 0, NULL, 0}, {&tracker_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"WORKLOAD|FILE.yaml|FILE.ltrace|kernelslist.g",
	"Runs a program on the cycle model and prints what happened. Exit status 1 "
	"if a conservation invariant is broken or the program's "
	"results are wrong, 2 if the input cannot be used. A signal (Ctrl-C) cuts the run, which then tells what it has.\v"
	"Examples:\n  locus run syrk --l1-index pric --json syrk.json --timeline syrk-ctas.json\n  locus run "
	"traces/examples/saxpy.yaml --set l1.assoc=8 --set l1.bytes=32K\n  locus run traces/accelsim-sample/kernelslist.g",
	children,
	NULL,
	NULL};

static int simulate(struct run_args *a, const struct machine *m, const struct source *s, const struct plan *p, struct gpu_result *r,
		    struct err *e)
{
	const struct model_options *o = &a->model;
	struct gpu_config c = {.machine = m,
			       .trace = s->trace,
			       .plan = p,
			       .max_cycles = o->max_cycles,
			       .max_insts = o->max_insts,
			       .no_skip = o->no_skip,
			       .timeline = timeline_file_log(&a->timeline, s->trace)};

	return phase_run(&c, a->on_host ? cpu_run : gpu_run, r, e);
}

static int run(struct run_args *a, const struct machine *m, const struct source *s, const struct plan *p, double functional,
	       struct output *json, struct err *e)
{
	struct model_time t = {
		.functional = functional, .phase = a->tracker.seconds, .plan = p ? p->seconds + s->analysis_seconds : 0};
	double start = cpu_seconds();
	struct gpu_result r;
	int status;

	if (a->on_host)
		model_report_title_host(s, m, stdout);
	else
		model_report_title(s, m, stdout);
	fflush(stdout);
	if (simulate(a, m, s, p, &r, e) != 0)
		return CLI_USAGE;
	t.model = cpu_seconds() - start;
	tracker_add(&a->tracker, &r);
	model_report_text(s, &r, a->launches, &t, stdout);
	if (s->differs)
		cli_tell(&s->difference);
	status = r.audit.failed || s->differs ? CLI_DIFFERS : CLI_OK;
	if (model_report_save(json, s, m, &r, p, e) != 0 ||
	    timeline_file_save(&a->timeline, &(struct timeline_run){s->trace, m, a->on_host, r.cycles}, e) != 0)
		status = CLI_USAGE;
	gpu_result_free(&r);
	return status;
}

/* What is decided ahead of the launches, from what the host program did. */
static int decide(struct run_args *a, const struct machine *m, const struct source *s, struct arena *plans, const struct plan **p,
		  struct err *e)
{
	if (tracker_run(&a->tracker, &a->model, m, s, NULL, e) != 0)
		return -1;
	return model_options_plan(&a->model, m, s, tracker_tables(&a->tracker), plans, p, e);
}

int cli_run(int argc, char **argv)
{
	struct run_args a = {0};
	struct machine m;
	struct source s;
	struct err e = {""};
	double start = cpu_seconds(), functional;
	struct arena plans = {0};
	const struct plan *plan;
	struct output json = {0};
	int status;

	cli_parse(&argp, argc, argv, &a);
	if (tracker_check(&a.tracker, &a.model, &e) != 0 || model_options_machine(&a.model, &m, &e) != 0 ||
	    output_open(&json, a.model.on.json, &e) != 0 || timeline_file_open(&a.timeline, &e) != 0 ||
	    model_options_source(&a.model, &m, &s, &e) != 0) {
		output_drop(&json);
		timeline_file_drop(&a.timeline);
		return cli_fail(&e);
	}
	functional = cpu_seconds() - start;
	status = decide(&a, &m, &s, &plans, &plan, &e) != 0 ? CLI_USAGE : run(&a, &m, &s, plan, functional, &json, &e);
	tracker_free(&a.tracker);
	output_drop(&json);
	timeline_file_drop(&a.timeline);
	arena_free(&plans);
	source_close(&s);
	return e.text[0] ? cli_fail(&e) : status;
}
