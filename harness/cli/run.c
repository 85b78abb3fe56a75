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
	bool on_cpu, launches, working_set, locality_classes, at;
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
	{"on", KEY_ON, "gpu|cpu", 0, "run kernels on the SMs (default) or CPU cores", 0},
	{"launches", KEY_LAUNCHES, NULL, 0, "also print what each launch did", 0},
	{"working-set", KEY_WORKING_SET, NULL, 0, "also count the lines that each SM accessed", 0},
	{"locality-classes", KEY_LOCALITY_CLASSES, NULL, 0, "also count who shares lines of L1 and L2", 0},
	{"at", KEY_AT, "CYCLE", 0, "from which on --try changes keys", 0},
	{"checkpoint-every", KEY_EVERY, "N", 0, "keep the run in a file every N core cycles", 0},
	{"checkpoint", KEY_CHECKPOINT, "FILE", 0, "which (run.checkpoint)", 0},
	{"resume", KEY_RESUME, "FILE", 0, "go on from there; same metrics", 0},
	{"try", KEY_TRY, "KEY=VALUE,...", 0, "also what if they changed; may be repeated", 0},
	{"sample", KEY_SAMPLE, "error=E%", 0, "estimate from some launches, CTAs: error=3%,...", 0},
	{0},
};

static bool is_kept(const struct run_args *a)
{
	return a->checkpoints.every || a->checkpoints.from;
}

/* What says what happened in all launches, or when, has no estimate. */
static void check_sample(const struct run_args *a, struct argp_state *state)
{
	const struct {
		const char *option;
		bool given;
	} whole[] = {{"--on cpu", a->on_cpu},
		     {"--launches", a->launches},
		     {"--working-set", a->working_set},
		     {"--locality-classes", a->locality_classes},
		     {"--throttle swt:best", run_best_is_wanted(a->model.throttle, &(const char *){NULL})},
		     {"--max-cycles", a->model.max_cycles},
		     {"--max-insts", a->model.max_insts},
		     {"--max-thread-insts", a->model.max_thread_insts},
		     {"--timeline", a->run.timeline},
		     {"--interval", a->run.interval},
		     {"--trace-requests", a->run.trace_requests},
		     {"--report-data", a->run.report_data},
		     {"--tracker", a->run.tracker},
		     {"--init-traffic", a->run.init_traffic},
		     {"--konata", a->viewers.konata},
		     {"--perfetto", a->viewers.perfetto},
		     {"--try", a->tries.n},
		     {"--checkpoint-every", a->checkpoints.every},
		     {"--resume", a->checkpoints.from}};

	for (size_t i = 0; a->sample && i < sizeof whole / sizeof whole[0]; i++)
		if (whole[i].given)
			argp_error(state, "--sample: %s is of whole runs alone", whole[i].option);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct run_args *a = state->input;
	const char *dir;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->model;
		state->child_inputs[1] = &a->run;
		state->child_inputs[2] = &a->viewers;
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
		a->at = true;
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
			argp_error(state, "--try: %d times at most", TRIES_MAX);
		a->tries.text[a->tries.n++] = arg;
		return 0;
	case KEY_SAMPLE:
		a->sample = arg;
		return 0;
	case ARGP_KEY_END:
		check_sample(a, state);
		if (a->at != (a->tries.n != 0))
			argp_error(state, a->at ? "--at CYCLE wants --try KEY=VALUE" : "--try wants --at CYCLE");
		if (a->checkpoints.path && !a->checkpoints.every)
			argp_error(state, "--checkpoint FILE wants --checkpoint-every N");
		if (is_kept(a) && (a->on_cpu || a->tries.n || run_best_is_wanted(a->model.throttle, &dir)))
			argp_error(state, "--checkpoint-every and --resume are of one run on the SMs: not with --on cpu, --try, "
					  "--throttle swt:best");
		if (a->tries.n && (a->on_cpu || run_best_is_wanted(a->model.throttle, &dir)))
			argp_error(state, "--try is of one run on the SMs: not with --on cpu, --throttle swt:best");
		if (a->on_cpu && a->launches)
			argp_error(state, "--launches shows what SMs count: not with --on cpu");
		if (a->on_cpu && run_best_is_wanted(a->model.throttle, &dir))
			argp_error(state, "--throttle swt:best limits the warps of SMs: not with --on cpu");
		if (a->on_cpu && a->working_set)
			argp_error(state, "--working-set is that of SMs: not with --on cpu");
		if (a->on_cpu && a->run.report_data)
			argp_error(state, "--report-data is what SMs do: not with --on cpu");
		if (a->on_cpu && a->run.interval)
			argp_error(state, "--interval records what SMs count: not with --on cpu");
		if (a->on_cpu && a->run.trace_requests)
			argp_error(state, "--trace-requests follows loads of SMs: not with --on cpu");
		if (a->on_cpu && a->viewers.konata)
			argp_error(state, "--konata shows the pipelines of SMs: not with --on cpu");
		if (a->on_cpu && a->locality_classes)
			argp_error(state, "--locality-classes are those of SMs' accesses: not with --on cpu");
		if (a->on_cpu && a->model.max_insts)
			argp_error(state, "--max-insts counts what SMs issue: not with --on cpu");
		if (a->on_cpu && a->model.max_thread_insts)
			argp_error(state, "--max-thread-insts counts what SMs issue: not with --on cpu");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {
	{&model_options_argp, 0, NULL, 0}, {&run_options_argp, 0, NULL, 0}, {&viewer_options_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"WORKLOAD|FILE.yaml|FILE.ltrace|kernelslist.g",
	"Runs a program on the cycle model and prints what happened. Exit status 1 "
	"if a conservation invariant is broken or the program's "
	"results are wrong, 2 if the input cannot be used.\v"
	"Examples:\n  locus run syrk --l1-index pric --json syrk.json --timeline syrk-ctas.json\n  locus run "
	"traces/examples/saxpy.yaml --set l1.assoc=8 --set l1.bytes=32K\n  locus run traces/accelsim-sample/kernelslist.g",
	children,
	NULL,
	NULL};

int cli_run(int argc, char **argv)
{
	struct run_args a = {0};
	char schedule[LIMIT_SCHEDULE];
	struct session_options o;
	struct session_output to;
	struct err e = {""};
	const char *dir;

	cli_parse(&argp, argc, argv, &a);
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
