/* locus cuda: an unmodified CUDA program. Its kernels are executed as it launches them, and run on the cycle model
 * when it has ended. */
#include <argp.h>
#include <inttypes.h>
#include <string.h>

#include "check/check_report.h"
#include "cli/cli.h"
#include "cli/hw_options.h"
#include "cli/run_options.h"
#include "cli/session_command.h"
#include "cuda/kernel_choice.h"
#include "cuda/program.h"
#include "machine/unread.h"

struct cuda_args {
	struct model_options model;
	struct run_options run;
	struct viewer_options viewers;
	struct hw_options hw;
	struct cuda_program program;
	const char *record;
	bool cosim, launches, only_execute, check, profile;
	const char *source; /* --source-dir */
	struct err e;	    /* of an option */
};

enum { MOST_FINDINGS = 20, MOST_LINES = 10 };
enum { KEY_RECORD = 1100, KEY_KERNELS, KEY_COSIM, KEY_LAUNCHES, KEY_EXECUTE, KEY_TIME, KEY_CHECK, KEY_PROFILE, KEY_SOURCE, KEY_ON };

static const struct argp_option options[] = {
	{"kernels", KEY_KERNELS, "LIST", 0, "time and record these only: names (*scan*), launches (10:19); all are executed",
	 HELP_OWN},
	{"record", KEY_RECORD, "FILE.ltrace", 0, "also record a trace, for locus run", HELP_OWN},
	{"cosim", KEY_COSIM, NULL, 0, "run hardware blocks in Verilog (locus cosim)", HELP_OWN},
	{"time", KEY_TIME, "exit|eager", 0, "time kernels at exit (default), or at each query of a time", HELP_OWN},
	{"check", KEY_CHECK, NULL, 0, "look for races and uninitialised reads instead", HELP_OWN},
	/* locus run has it. argp takes a beginning of a name for the name: it would be --only-execute. */
	{"on", KEY_ON, "gpu|cpu", OPTION_HIDDEN, NULL, HELP_OWN},
	{"only-execute", KEY_EXECUTE, NULL, 0, "execute the program without timing it", HELP_OWN},
	{"launches", KEY_LAUNCHES, NULL, 0, "also print statistics per launch", HELP_RESULTS},
	{"profile", KEY_PROFILE, NULL, 0, "also print the hottest source lines (locus profile)", HELP_RESULTS},
	{"source-dir", KEY_SOURCE, "DIR", 0, "folder of source files for --profile", HELP_RESULTS},
	{0},
};

/* The program, and all behind it, which is its own. */
static void take_program(struct cuda_args *a, struct argp_state *state)
{
	a->program.argv = &state->argv[state->next - 1];
	a->model.from.what = a->program.argv[0];
	state->next = state->argc;
}

static bool is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct cuda_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->model.from;
		state->child_inputs[1] = &a->model;
		state->child_inputs[2] = &a->run;
		state->child_inputs[3] = &a->viewers;
		state->child_inputs[4] = &a->hw;
		return 0;
	case KEY_RECORD:
		a->record = arg;
		if (!strcmp(arg, "-"))
			argp_error(state, "--record -: a trace cannot go to standard output");
		return 0;
	case KEY_KERNELS:
		a->program.kernels = arg;
		kernel_choice_check(arg, &a->e);
		return 0;
	case KEY_COSIM:
		a->cosim = true;
		return 0;
	case KEY_LAUNCHES:
		a->launches = true;
		return 0;
	case KEY_CHECK:
		a->check = true;
		return 0;
	case KEY_PROFILE:
		a->profile = true;
		return 0;
	case KEY_SOURCE:
		a->source = cli_argp_folder(state, "--source-dir", arg);
		return 0;
	case KEY_EXECUTE:
		a->only_execute = true;
		return 0;
	case KEY_ON:
		argp_error(state, "--on: kernels of a CUDA program run on SMs; locus run --on cpu takes a trace of it (--record)");
		return 0;
	case KEY_TIME:
		if (strcmp(arg, "exit") != 0 && strcmp(arg, "eager") != 0)
			argp_error(state, "--time: \"%s\" is neither exit nor eager", arg);
		a->program.eager = arg[1] == 'a';
		return 0;
	case ARGP_KEY_ARG:
		take_program(a, state);
		return 0;
	case ARGP_KEY_NO_ARGS:
		argp_error(state, "needs a CUDA program");
		return 0;
	case ARGP_KEY_END:
		if (is_stdout(a->model.on.json) || is_stdout(a->run.timeline) || is_stdout(a->run.interval_csv))
			argp_error(state, "standard output belongs to the program: --json, --timeline and --interval-csv need a "
					  "file, not \"-\"");
		if (a->program.eager && a->model.plan)
			argp_error(state, "--time eager: cannot be combined with --plan, which needs the whole program");
		if (a->profile && (a->check || a->only_execute))
			argp_error(state, "--profile: %s runs no model", a->check ? "--check" : "--only-execute");
		if (a->source && !a->profile)
			argp_error(state, "--source-dir is for --profile");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {{&execution_argp, 0, NULL, 0},   {&model_argp, 0, NULL, 0},
					     {&run_options_argp, 0, NULL, 0}, {&viewer_options_argp, 0, NULL, 0},
					     {&hw_options_argp, 0, NULL, 0},  {0}};
static const struct argp argp = {
	options,
	parse,
	"PROGRAM [ARGUMENT...]",
	"Runs a CUDA program, built by `locus nvcc` or by nvcc -cudart shared, with Locus as its GPU; what its kernels did runs "
	"on the cycle model when it has ended. Only run what you trust. Exit status 1 if the program's is not 0, or an "
	"invariant is broken, 2 if a kernel fails or the program cannot be run.\v"
	"Examples:\n  locus cuda --machine titanv ./bfs graph.txt\n"
	"  locus cuda --kernels '*scan*' --record scan.ltrace ./sort 100000\n"
	"  locus cuda --cosim --l1-index pric ./app",
	children,
	NULL,
	NULL};

static void print_copies(const char *what, const struct cuda_copies *c)
{
	if (!c->n)
		return;
	printf("  %-24s %12" PRIu64 "  %" PRIu64 " bytes", what, c->n, c->bytes);
	if (c->ns > 0)
		printf(", %.3f us over PCIe", c->ns / 1e3);
	putchar('\n');
}

static void print_program(const struct cuda_program *p)
{
	if (p->signal) {
		char end[96];

		cuda_program_end(p, end);
		printf("\nprogram %s %s\n", p->name, end);
	} else {
		printf("\nprogram %s: exit status %d\n", p->name, p->status);
	}
	printf("  %-24s %12" PRIu32 "  %" PRIu32 " of them timed\n", "launches", p->executed, p->recorded);
	print_copies("copies to the device", &p->copies[TRACE_TO_DEVICE]);
	print_copies("copies to the host", &p->copies[TRACE_TO_HOST]);
	print_copies("copies on the device", &p->copies[TRACE_ON_DEVICE]);
	print_copies("fills", &p->copies[TRACE_FILL]);
}

/* Without the model. */
static int execute(const struct session_options *o, struct err *e)
{
	struct session_options with = *o;
	struct session s;
	int rc;

	with.machine.uses = MACHINE_EXECUTED;
	rc = session_open(&s, &with, e);
	if (rc == 0)
		rc = session_source(&s, e);
	session_close(&s);
	return rc == 0 ? CLI_OK : CLI_USAGE;
}

static int check(const struct session_options *o, struct err *e)
{
	struct findings f = {.what = FINDINGS_ALL};
	struct session_options with = *o;
	int status;

	with.findings = &f;
	status = execute(&with, e);
	putchar('\n');
	check_report_print(&f, MOST_FINDINGS, stdout);
	if (status == CLI_OK && findings_count(&f))
		status = CLI_DIFFERS;
	findings_free(&f);
	return status;
}

static int run(struct cuda_args *a, const struct session_options *o, struct err *e)
{
	struct session_output to;

	if (a->check)
		return check(o, e);
	if (a->only_execute)
		return execute(o, e);
	to = run_options_output(&a->run, &a->model, &a->viewers);
	to.launches = a->launches;
	to.profile = a->profile;
	to.lines = MOST_LINES;
	to.source_dir = a->source;
	return session_command(o, &to);
}

/* Options that the others of the command line leave without effect. */
static void check_options(const struct cuda_args *a, const struct cli_given *g)
{
	static const char *const timed = "has no effect without the cycle model (--check, --only-execute)";
	static const struct argp *const of_model[] = {&policies_argp, &plan_argp,	 &limits_argp,	       &simulation_argp,
						      &json_argp,     &run_options_argp, &viewer_options_argp, &hw_options_argp};
	bool model = !a->check && !a->only_execute;

	cli_needs(g, !a->check, "only-execute", "has no effect with --check, which executes without timing too");
	for (size_t i = 0; i < sizeof of_model / sizeof of_model[0]; i++)
		cli_needs_group(g, model, of_model[i], timed);
	cli_needs(g, model, "launches cosim time", timed);
	cli_needs(g, model || a->record, "kernels", "has no effect without the cycle model, unless --record keeps a trace");
	cli_needs(g, !a->run.brief, "launches", "is left out by --brief");
	cli_needs_group(g, a->cosim, &hw_options_argp, "needs --cosim");
}

int cli_cuda(int argc, char **argv)
{
	struct cuda_args a = {.program.memory = -1};
	struct cli_given given;
	struct session_options o;
	struct err e = {""};
	int status;

	hw_options_init(&a.hw);
	cli_parse_in_order(&argp, argc, argv, &a, &given);
	check_options(&a, &given);
	if (a.e.text[0] || a.hw.e.text[0])
		return cli_fail(a.e.text[0] ? &a.e : &a.hw.e);
	o = run_options_session(&a.run, &a.model);
	a.model.program.cuda = &a.program;
	a.program.max_unpacked = a.model.from.max_unpacked;
	o.record_path = a.record;
	o.profile |= a.profile;
	o.hw = a.cosim ? &a.hw.hw : NULL;
	status = cuda_program_open(&a.program, &e) == 0 ? run(&a, &o, &e) : CLI_USAGE;
	cuda_program_close(&a.program);
	if (e.text[0])
		return cli_fail(&e);
	if (status == CLI_USAGE)
		return status;
	print_program(&a.program);
	return a.program.status ? CLI_DIFFERS : status;
}
