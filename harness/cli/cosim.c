/* locus cosim: a program on the cycle model with Verilog hardware blocks behind its ports, compared with their golden twins. */
#include <stdio.h>
#include <string.h>

#include "base/cputime.h"
#include "cli/cli.h"
#include "cli/tracker_option.h"
#include "cli/model_options.h"
#include "cli/model_report.h"
#include "cli/phases.h"
#include "cli/timeline_file.h"
#include "lockstep/cosim.h"

struct cosim_args {
	struct model_options model;
	struct timeline_file timeline;
	struct tracker_option tracker;
	struct cosim_options hw;
	bool window;  /* --wave-window */
	struct err e; /* of an option */
};

enum { KEY_RTL = 1000, KEY_COMPARE, KEY_WAVE, KEY_WINDOW, KEY_OWNER, KEY_FROM_RESET, KEY_BUNDLE, KEY_HW };

static const struct argp_option options[] = {
	{0, 0, NULL, 0, "Hardware blocks:", 2},
	{"hw", KEY_HW, "BLOCK=golden|rtl|lockstep,...", 0, "these so, others golden; default all=lockstep", 2},
	{"rtl", KEY_RTL, "BLOCK=FILE.v[,MORE.v]", 0, "your Verilog in the block's place: it is executed", 2},
	{"compare", KEY_COMPARE, "cycle|transaction", 0, "your Verilog cycle by cycle, or by its transactions in order", 2},
	{"wave", KEY_WAVE, "FILE.fst", 0, "write golden and RTL signals side by side, and a FILE.gtkw", 2},
	{"wave-window", KEY_WINDOW, "A:B", 0, "of core cycles; default 0:20000", 2},
	{"wave-owner", KEY_OWNER, "NAME", 0, "whose block, such as sm3.l1; default the first of each block", 2},
	{"from-reset", KEY_FROM_RESET, NULL, 0, "bundles hold all steps since the reset", 2},
	{"bundle", KEY_BUNDLE, "PREFIX", 0, "of the bundles' names; default mismatch", 2},
	{0},
};

static int parse_compare(struct cosim_options *o, const char *text, struct err *e)
{
	if (strcmp(text, "cycle") != 0 && strcmp(text, "transaction") != 0)
		return err_set(e, "--compare: \"%s\" is neither cycle nor transaction", text);
	for (int i = 0; i < COSIM_MAX_BLOCKS; i++)
		o->transactions[i] = text[0] == 't';
	return 0;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct cosim_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->model;
		state->child_inputs[1] = &a->timeline;
		state->child_inputs[2] = &a->tracker;
		return 0;
	case KEY_HW:
		return cosim_parse_hw(&a->hw, arg, &a->e), 0;
	case KEY_RTL:
		return cosim_parse_rtl(&a->hw, arg, &a->e), 0;
	case KEY_COMPARE:
		return parse_compare(&a->hw, arg, &a->e), 0;
	case KEY_WAVE:
		if (!strcmp(arg, "-"))
			err_set(&a->e, "--wave -: waves cannot go to standard output");
		a->hw.wave = arg;
		return 0;
	case KEY_WINDOW:
		a->window = true;
		return cosim_parse_window(&a->hw, arg, &a->e), 0;
	case KEY_OWNER:
		a->hw.wave_owner = arg;
		return 0;
	case KEY_FROM_RESET:
		a->hw.from_reset = true;
		return 0;
	case KEY_BUNDLE:
		a->hw.bundle_prefix = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->hw.wave && (a->window || a->hw.wave_owner))
			err_set(&a->e, "--wave-window and --wave-owner want --wave FILE.fst");
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
	"Runs a program on the cycle model with its hardware blocks in Verilog, compared step by step with their golden "
	"twins. Exit status 1 if anything differs, an audit fails or the program's results are wrong.\v"
	"Examples:\n  locus cosim syrk --l1-index pric --wave syrk.fst\n"
	"  sed 's/= ^/= ~^/' rtl/pric/pric_index.v >my.v\n"
	"  locus cosim syrk --size test --l1-index pric --rtl pric=my.v",
	children,
	NULL,
	NULL};

static int simulate(struct cosim_args *a, const struct machine *m, const struct source *s, const struct plan *p, struct cosim *c,
		    struct gpu_result *r, struct err *e)
{
	struct hw_binder binder = cosim_binder(c);
	struct gpu_config g = {.machine = m,
			       .trace = s->trace,
			       .plan = p,
			       .binder = &binder,
			       .max_cycles = a->model.max_cycles,
			       .max_insts = a->model.max_insts,
			       .no_skip = a->model.no_skip,
			       .timeline = timeline_file_log(&a->timeline, s->trace)};

	return phase_run(&g, gpu_run, r, e);
}

static int run(struct cosim_args *a, const struct machine *m, const struct source *s, const struct plan *p, struct cosim *c,
	       double functional, struct output *json, struct err *e)
{
	struct model_time t = {
		.functional = functional, .phase = a->tracker.seconds, .plan = p ? p->seconds + s->analysis_seconds : 0};
	double start = cpu_seconds();
	struct gpu_result r;
	int differs, status;

	model_report_title(s, m, stdout);
	fflush(stdout);
	if (simulate(a, m, s, p, c, &r, e) != 0)
		return CLI_USAGE;
	differs = cosim_finish(c, e);
	t.model = cpu_seconds() - start;
	tracker_add(&a->tracker, &r);
	model_report_text(s, &r, false, &t, stdout);
	if (differs >= 0)
		cosim_print(c, stdout);
	if (s->differs)
		cli_tell(&s->difference);
	status = differs || r.audit.failed || s->differs ? CLI_DIFFERS : CLI_OK;
	if (model_report_save(json, s, m, &r, p, e) != 0 || differs < 0 ||
	    timeline_file_save(&a->timeline, &(struct timeline_run){s->trace, m, false, r.cycles}, e) != 0)
		status = CLI_USAGE;
	gpu_result_free(&r);
	return status;
}

/* What is decided ahead of the launches, from what the host program did. */
static int decide(struct cosim_args *a, const struct machine *m, const struct source *s, struct cosim *c, struct arena *plans,
		  const struct plan **p, struct err *e)
{
	struct hw_binder binder = cosim_binder(c);

	if (tracker_run(&a->tracker, &a->model, m, s, &binder, e) != 0)
		return -1;
	return model_options_plan(&a->model, m, s, tracker_tables(&a->tracker), plans, p, e);
}

int cli_cosim(int argc, char **argv)
{
	struct cosim_args a = {0};
	double start = cpu_seconds(), functional;
	struct err e = {""};
	struct machine m;
	struct source s;
	struct cosim *c;
	struct arena plans = {0};
	const struct plan *plan;
	struct output json = {0};
	int status;

	cosim_options_init(&a.hw, UNIT_LOCKSTEP);
	a.hw.wave_to = 20000;
	cli_parse(&argp, argc, argv, &a);
	if (a.e.text[0])
		return cli_fail(&a.e);
	if (tracker_check(&a.tracker, &a.model, &e) != 0 || model_options_machine(&a.model, &m, &e) != 0 ||
	    output_open(&json, a.model.on.json, &e) != 0 || timeline_file_open(&a.timeline, &e) != 0 ||
	    model_options_source(&a.model, &m, &s, &e) != 0) {
		output_drop(&json);
		timeline_file_drop(&a.timeline);
		return cli_fail(&e);
	}
	c = cosim_new(&a.hw);
	functional = cpu_seconds() - start;
	status = decide(&a, &m, &s, c, &plans, &plan, &e) != 0 ? CLI_USAGE : run(&a, &m, &s, plan, c, functional, &json, &e);
	tracker_free(&a.tracker);
	output_drop(&json);
	timeline_file_drop(&a.timeline);
	arena_free(&plans);
	cosim_free(c);
	source_close(&s);
	return e.text[0] ? cli_fail(&e) : status;
}
