/* locus run: a workload, launch file or trace on the cycle model, with golden
 * twins behind the hardware ports. */
#include <string.h>

#include "cli/cli.h"
#include "cli/run_best.h"
#include "cli/run_options.h"
#include "cli/session_command.h"

struct run_args {
	struct model_options model;
	struct run_options run;
	struct viewer_options viewers;
	bool on_cpu, launches, working_set, locality_classes;
	struct tries_options tries;
	struct checkpoint_options checkpoints;
	const char *sample; /* NULL: all launches are simulated */
	struct sample_options sample_options;
};

enum {
	KEY_ON = 1000,
	KEY_LAUNCHES,
	KEY_WORKING_SET,
	KEY_LOCALITY_CLASSES,
	KEY_AT,
	KEY_TRY,
	KEY_EVERY,
	KEY_CHECKPOINT,
	KEY_RESUME,
	KEY_SAMPLE
};

static const struct argp_option options[] = {
	{"on", KEY_ON, "gpu|cpu", 0, "run kernels on SMs (default) or CPU cores", HELP_MACHINE},
	{"launches", KEY_LAUNCHES, NULL, 0, "also print statistics per launch", HELP_RESULTS},
	{"working-set", KEY_WORKING_SET, NULL, 0, "also count the lines that each SM accessed", HELP_RESULTS},
	{"locality-classes", KEY_LOCALITY_CLASSES, NULL, 0, "also classify cache hits by the sharing CTAs", HELP_RESULTS},
	{"sample", KEY_SAMPLE, "error=E%,...", 0, "simulate a sample, estimate the rest: error=3%", HELP_RESULTS},
	{0, 0, NULL, 0, "What-if runs:", HELP_TRIES},
	{"at", KEY_AT, "CYCLE", 0, "cycle at which --try changes take effect", HELP_TRIES},
	{"try", KEY_TRY, "KEY=VALUE,...", CLI_REPEATABLE, "fork a run with these keys changed; repeatable", HELP_TRIES},
	{0, 0, NULL, 0, "Checkpoints:", HELP_CHECKPOINTS},
	{"checkpoint-every", KEY_EVERY, "N", 0, "write a checkpoint every N core cycles", HELP_CHECKPOINTS},
	{"checkpoint", KEY_CHECKPOINT, "FILE", 0, "checkpoint file (default: run.checkpoint)", HELP_CHECKPOINTS},
	{"resume", KEY_RESUME, "FILE", 0, "resume from a checkpoint file", HELP_CHECKPOINTS},
	{0},
};

static bool is_kept(const struct run_args *a)
{
	return a->checkpoints.every || a->checkpoints.from;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct run_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &a->model.from;
		state->child_inputs[2] = &a->model;
		state->child_inputs[3] = &a->run;
		state->child_inputs[4] = &a->viewers;
		return 0;
	case KEY_ON:
		if (strcmp(arg, "gpu") != 0 && strcmp(arg, "cpu") != 0)
			argp_error(state, "--on: \"%s\" is neither gpu nor cpu", arg);
		a->on_cpu = arg[0] == 'c';
		return 0;
	case KEY_LAUNCHES:
		a->launches = true;
		return 0;
	case KEY_WORKING_SET:
		a->working_set = true;
		return 0;
	case KEY_LOCALITY_CLASSES:
		a->locality_classes = true;
		return 0;
	case KEY_AT:
		a->tries.at = cli_argp_number(state, "--at", arg, 0, UINT64_C(1) << 40);
		return 0;
	case KEY_EVERY:
		a->checkpoints.every = cli_argp_number(state, "--checkpoint-every", arg, 1, UINT64_C(1) << 40);
		return 0;
	case KEY_CHECKPOINT:
		a->checkpoints.path = arg;
		return 0;
	case KEY_RESUME:
		a->checkpoints.from = arg;
		return 0;
	case KEY_TRY:
		if (a->tries.n == TRIES_MAX)
			argp_error(state, "--try: can be given %d times at most", TRIES_MAX);
		a->tries.text[a->tries.n++] = arg;
		return 0;
	case KEY_SAMPLE:
		a->sample = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {{&program_argp, 0, NULL, 0},	 {&accelsim_argp, 0, NULL, 0},
					     {&model_argp, 0, NULL, 0},		 {&run_options_argp, 0, NULL, 0},
					     {&viewer_options_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"WORKLOAD|FILE.yaml|FILE.ltrace|kernelslist.g",
	"Runs a program on the cycle model and prints its metrics. Exit status 1 "
	"if a conservation invariant is broken or the program's "
	"results are wrong, 2 if the input cannot be used.\v"
	"Examples:\n  locus run syrk --l1-index pric --json syrk.json --timeline syrk-ctas.json\n  locus run "
	"traces/examples/saxpy.yaml --set l1.assoc=8 --set l1.bytes=32K\n  locus run traces/accelsim-sample/kernelslist.g",
	children,
	NULL,
	NULL};

/* Options that the others of the command line leave without effect. */
static void check(const struct run_args *a, const struct cli_given *g)
{
	static const char *const sms = "describes SMs, and --on cpu runs the kernels on CPU cores";
	static const char *const one = "needs a single run: leave out --on cpu, --try and --throttle swt:best";
	static const char *const whole = "needs a whole run, and --sample simulates a part of it";
	const char *dir;
	bool best = run_best_is_wanted(a->model.throttle, &dir), gpu = !a->on_cpu;

	cli_needs(g, a->tries.n, "at", "needs --try KEY=VALUE");
	cli_needs(g, cli_is_given(g, "at"), "try", "needs --at CYCLE");
	cli_needs(g, a->checkpoints.every, "checkpoint", "needs --checkpoint-every N");
	cli_needs(g, gpu && !a->tries.n && !best, "checkpoint-every resume", one);
	cli_needs(g, gpu && !best, "try", one);
	cli_needs_group(g, gpu, &policies_argp, sms);
	cli_needs_group(g, gpu, &simulation_argp, "has no effect on a run on CPU cores (--on cpu)");
	cli_needs(g, gpu,
		  "launches working-set locality-classes sample report-data interval trace-requests konata max-insts "
		  "max-thread-insts",
		  sms);
	cli_needs(g, !a->run.brief, "launches", "is left out by --brief");
	cli_needs(g, !a->sample,
		  "launches working-set locality-classes max-cycles max-insts max-thread-insts timeline interval trace-requests "
		  "report-data tracker init-traffic konata perfetto try checkpoint-every resume",
		  whole);
	if (best)
		cli_needs(g, !a->sample, "throttle", whole);
}

int cli_run(int argc, char **argv)
{
	struct run_args a = {0};
	struct cli_given given;
	char schedule[LIMIT_SCHEDULE];
	struct session_options o;
	struct session_output to;
	struct err e = {""};
	const char *dir;

	cli_parse_given(&argp, argc, argv, &a, &given);
	check(&a, &given);
	if (a.sample && sample_options_parse(a.sample, &a.sample_options, &e) != 0)
		return cli_fail(&e);
	o = run_options_session(&a.run, &a.model);
	if (run_best_is_wanted(a.model.throttle, &dir) && run_best(argc, argv, &o, dir, schedule, &e) != 0)
		return cli_fail(&e);
	o.on_cpu = a.on_cpu;
	o.sample = a.sample ? &a.sample_options : NULL;
	o.working_set = a.working_set;
	o.machine.locality_classes = a.locality_classes;
	if (a.tries.n) {
		a.tries.side_by_side = o.threads;
		o.tries = &a.tries;
	}
	if (is_kept(&a)) {
		if (!a.checkpoints.path)
			a.checkpoints.path = "run.checkpoint";
		o.checkpoints = &a.checkpoints;
	}
	to = run_options_output(&a.run, &a.model, &a.viewers);
	to.launches = a.launches;
	return session_command(&o, &to);
}
