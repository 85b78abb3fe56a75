/* locus mix: several programs on one machine at the same time, each on modules of its own. */
#include <argp.h>
#include <string.h>

#include "base/arena.h"
#include "cli/cli.h"
#include "cli/machine_options.h"
#include "cli/session_command.h"

enum { MIX_MAX = 64, MIX_MAX_ARGS = 32, KEY_SIZE = 3000, KEY_PLAN, KEY_MAX_CYCLES, KEY_LAUNCHES, KEY_BRIEF };

struct mix_args {
	struct machine_options on;
	const char *size, *plan;
	uint64_t max_cycles;
	bool launches, brief;
	const char *program[MIX_MAX];
	uint32_t n;
};

static const struct argp_option options[] = {
	{"size", KEY_SIZE, "test|default|paper", 0, "input size of the workloads", 0},
	{"plan", KEY_PLAN, "PLANNER", 0, "planner: NAME[,KEY=VALUE...] (see locus list planners)", 0},
	{"max-cycles", KEY_MAX_CYCLES, "N", 0, "stop after N core cycles", 0},
	{"launches", KEY_LAUNCHES, NULL, 0, "also print statistics per launch", HELP_RESULTS},
	{"brief", KEY_BRIEF, NULL, 0, "print headline metrics and warnings only", HELP_RESULTS},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct mix_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &a->on;
		return 0;
	case KEY_SIZE:
		a->size = arg;
		return 0;
	case KEY_PLAN:
		a->plan = arg;
		return 0;
	case KEY_MAX_CYCLES:
		a->max_cycles = cli_argp_number(state, "--max-cycles", arg, 1, UINT64_MAX);
		return 0;
	case KEY_LAUNCHES:
		a->launches = true;
		return 0;
	case KEY_BRIEF:
		a->brief = true;
		return 0;
	case ARGP_KEY_ARG:
		if (a->n == MIX_MAX)
			argp_error(state, "more than %d programs", MIX_MAX);
		a->program[a->n++] = arg;
		return 0;
	case ARGP_KEY_END:
		if (a->n < 2)
			argp_error(state, "needs two or more programs");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {{&machine_argp, 0, NULL, 0}, {&json_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"PROGRAM[,KEY=VALUE...] PROGRAM...",
	"Runs several programs (workloads with their options, launch files, traces) at the same time, each on modules of its own. "
	"The machine's modules are divided evenly among the programs, in order. Metrics are printed for each program and for the "
	"whole machine.\v"
	"Examples:\n  locus mix bfs kmeans hotspot nn --machine ndp4 --plan own-stacks\n"
	"  locus mix syrk,n=128 vectoradd --machine ndp4 --plan fgp-only --size test",
	children,
	NULL,
	NULL};

/* "syrk,n=128,m=64"; texts and list are the arena's. */
static int take_program(const char *text, struct session_program *to, struct arena *a, struct err *e)
{
	const char **arg = arena_array(a, MIX_MAX_ARGS, sizeof *arg);
	char *what = arena_strdup(a, text);

	*to = (struct session_program){.what = what, .arg = arg};
	for (char *comma = strchr(what, ','); comma; comma = strchr(comma, ',')) {
		*comma++ = '\0';
		if (to->n_args == MIX_MAX_ARGS)
			return err_set(e, "%s: more than %d options", text, MIX_MAX_ARGS);
		arg[to->n_args++] = comma;
		for (unsigned i = 0; i + 1 < to->n_args; i++)
			if (machine_options_same_key(arg[i], comma))
				return err_set(e, "%s: %.*s is given twice; only one value can count", text,
					       (int)strcspn(comma, "="), comma);
	}
	return 0;
}

int cli_mix(int argc, char **argv)
{
	struct mix_args a = {.size = NULL};
	struct session_program program[MIX_MAX];
	struct cli_given given;
	struct session_options o;
	struct arena arena = {0};
	struct err e = {""};
	int status = CLI_OK;

	cli_parse_given(&argp, argc, argv, &a, &given);
	cli_needs(&given, !a.brief, "launches", "is left out by --brief");
	for (uint32_t i = 0; i < a.n && status == CLI_OK; i++)
		if (take_program(a.program[i], &program[i], &arena, &e) != 0)
			status = cli_fail(&e);
	o = (struct session_options){.machine = machine_options_choice(&a.on),
				     .program = program,
				     .n_programs = a.n,
				     .size = a.size,
				     .plan = a.plan,
				     .max_cycles = a.max_cycles};
	if (status == CLI_OK)
		status = session_command(&o, &(struct session_output){.json = a.on.json, .launches = a.launches, .brief = a.brief});
	arena_free(&arena);
	return status;
}
