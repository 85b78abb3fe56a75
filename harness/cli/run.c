/* locus run: a workload, launch file or trace on the cycle model, with golden
 * twins behind the hardware ports. */
#include <stdio.h>

#include "base/cputime.h"
#include "cli/cli.h"
#include "cli/model_options.h"
#include "cli/model_report.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = state->input;
	return 0;
}

static const struct argp_child children[] = {{&model_options_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	NULL,
	parse,
	"WORKLOAD|FILE.yaml|FILE.ltrace|kernelslist.g",
	"Runs a program on the cycle model and prints what happened. Exit status 1 "
	"if a conservation law is broken or the program's "
	"results are wrong, 2 if the input cannot be used.\v"
	"Examples:\n  locus run syrk --l1-index pric --json syrk.json\n  locus run "
	"traces/examples/saxpy.yaml --set l1.assoc=8 --set l1.bytes=32K\n  locus run traces/accelsim-sample/kernelslist.g",
	children,
	NULL,
	NULL};

/* Returns 0 and fills *r, or -1. */
static int simulate(const struct model_options *o, const struct machine *m, const struct source *s, const struct plan *p,
		    struct gpu_result *r, struct err *e)
{
	struct gpu_config c = {.machine = m,
			       .trace = s->trace,
			       .plan = p,
			       .max_cycles = o->max_cycles,
			       .max_insts = o->max_insts,
			       .no_skip = o->no_skip,
			       .progress = model_report_progress};
	int rc = gpu_run(&c, r, e);

	model_report_progress_end();
	return rc;
}

static int run(const struct model_options *o, const struct machine *m, const struct source *s, const struct plan *p, double start,
	       struct output *json, struct err *e)
{
	struct model_time t = {.functional = cpu_seconds() - start};
	struct gpu_result r;
	int status;

	model_report_title(s, m, stdout);
	fflush(stdout);
	if (simulate(o, m, s, p, &r, e) != 0)
		return CLI_USAGE;
	t.model = cpu_seconds() - start - t.functional;
	model_report_text(s, &r, &t, stdout);
	if (s->differs)
		cli_tell(&s->difference);
	status = r.audit.failed || s->differs ? CLI_DIFFERS : CLI_OK;
	if (model_report_save(json, s, m, &r, p, e) != 0)
		status = CLI_USAGE;
	stats_free(&r.stats);
	return status;
}

int cli_run(int argc, char **argv)
{
	struct model_options o = {0};
	struct machine m;
	struct source s;
	struct err e = {""};
	double start = cpu_seconds();
	struct arena plans = {0};
	const struct plan *plan;
	struct output json = {0};
	int status;

	cli_parse(&argp, argc, argv, &o);
	if (model_options_machine(&o, &m, &e) != 0 || output_open(&json, o.on.json, &e) != 0)
		return cli_fail(&e);
	if (model_options_source(&o, &s, &e) != 0) {
		output_drop(&json);
		return cli_fail(&e);
	}
	status = model_options_plan(&o, &m, &s, &plans, &plan, &e) != 0 ? CLI_USAGE : run(&o, &m, &s, plan, start, &json, &e);
	output_drop(&json);
	arena_free(&plans);
	source_close(&s);
	return e.text[0] ? cli_fail(&e) : status;
}
