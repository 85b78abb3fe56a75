#include "cli/model_options.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/share.h"
#include "cli/cli.h"

enum {
	KEY_L1_INDEX = 256,
	KEY_L2_INDEX,
	KEY_SCHEDULER,
	KEY_MAX_CYCLES,
	KEY_NO_SKIP,
	KEY_MAX_INSTS,
	KEY_MAX_THREAD_INSTS,
	KEY_PLAN,
	KEY_THROTTLE,
	KEY_L1_BYPASS,
	KEY_L2_BYPASS,
	KEY_L1_PREFETCH,
	KEY_L1_PIN,
	KEY_L1_FRONT,
	KEY_THREADS,
	KEY_ALWAYS_THREADS
};

/* ---- policies of the SMs and caches ---- */

static const struct argp_option policies[] = {
	{0, 0, NULL, 0, "Policies of SMs and caches:", HELP_POLICIES},
	{"scheduler", KEY_SCHEDULER, "gto|gty|lrr", 0, "warp scheduler", HELP_POLICIES},
	{"throttle", KEY_THROTTLE, "POLICY", 0, "limit of warps: swt:N, cta:N, dwt-cs, ccws, pcal:N; swt:best with locus run",
	 HELP_POLICIES},
	{"l1-index", KEY_L1_INDEX, "INDEX", 0, "set index of the L1s: linear or pric[:POLY]", HELP_POLICIES},
	{"l2-index", KEY_L2_INDEX, "INDEX", 0, "set index of the L2 slices: linear or pric[:POLY]", HELP_POLICIES},
	{"l1-bypass", KEY_L1_BYPASS, "POLICY", 0, "none or streaming[:rate=90,period=10000]", HELP_POLICIES},
	{"l2-bypass", KEY_L2_BYPASS, "POLICY", 0, "none or streaming[:rate=90,period=10000]", HELP_POLICIES},
	{"l1-front", KEY_L1_FRONT, "POLICY", 0, "queues ahead of the L1s: none or mrpb[:depth=32,bypass=true]", HELP_POLICIES},
	{"l1-pin", KEY_L1_PIN, "POLICY", 0, "pin lines of buffers in the L1s: none or buffers:hard=A+B[,soft=C,timer=CYCLES]",
	 HELP_POLICIES},
	{"l1-prefetch", KEY_L1_PREFETCH, "POLICY", 0, "none or next-line[:mshrs=8,queue=2]", HELP_POLICIES},
	{0},
};

static error_t parse_policies(int key, char *arg, struct argp_state *state)
{
	struct model_options *o = state->input;

	switch (key) {
	case KEY_L1_INDEX:
		o->l1_index = arg;
		return 0;
	case KEY_L2_INDEX:
		o->l2_index = arg;
		return 0;
	case KEY_SCHEDULER:
		o->scheduler = arg;
		return 0;
	case KEY_THROTTLE:
		o->throttle = arg;
		return 0;
	case KEY_L1_BYPASS:
		o->l1_bypass = arg;
		return 0;
	case KEY_L2_BYPASS:
		o->l2_bypass = arg;
		return 0;
	case KEY_L1_PREFETCH:
		o->l1_prefetch = arg;
		return 0;
	case KEY_L1_PIN:
		o->l1_pin = arg;
		return 0;
	case KEY_L1_FRONT:
		o->l1_front = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp policies_argp = {policies, parse_policies, NULL, NULL, NULL, NULL, NULL};

/* ---- where CTAs and pages go ---- */

static const struct argp_option plan[] = {
	{0, 0, NULL, 0, "Placement of CTAs and pages:", HELP_PLACEMENT},
	{"plan", KEY_PLAN, "PLANNER", 0, "place CTAs and pages by NAME[,KEY=VALUE...] (see locus list planners)", HELP_PLACEMENT},
	{0},
};

static error_t parse_plan(int key, char *arg, struct argp_state *state)
{
	struct model_options *o = state->input;

	if (key != KEY_PLAN)
		return ARGP_ERR_UNKNOWN;
	o->plan = arg;
	return 0;
}

const struct argp plan_argp = {plan, parse_plan, NULL, NULL, NULL, NULL, NULL};

/* ---- the length of a run ---- */

static const struct argp_option limits[] = {
	{0, 0, NULL, 0, "Limits:", HELP_LIMITS},
	{"max-cycles", KEY_MAX_CYCLES, "N", 0, "stop after N core cycles", HELP_LIMITS},
	{"max-insts", KEY_MAX_INSTS, "N", 0, "stop with the N-th warp instruction", HELP_LIMITS},
	{"max-thread-insts", KEY_MAX_THREAD_INSTS, "N", 0, "stop with the N-th thread instruction", HELP_LIMITS},
	{0},
};

static error_t parse_limits(int key, char *arg, struct argp_state *state)
{
	struct model_options *o = state->input;

	switch (key) {
	case KEY_MAX_CYCLES:
		o->max_cycles = cli_argp_number(state, "--max-cycles", arg, 1, UINT64_MAX);
		return 0;
	case KEY_MAX_INSTS:
		o->max_insts = cli_argp_number(state, "--max-insts", arg, 1, UINT64_MAX);
		return 0;
	case KEY_MAX_THREAD_INSTS:
		o->max_thread_insts = cli_argp_number(state, "--max-thread-insts", arg, 1, UINT64_MAX);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp limits_argp = {limits, parse_limits, NULL, NULL, NULL, NULL, NULL};

/* ---- how the host simulates ---- */

static const struct argp_option simulation[] = {
	{0, 0, NULL, 0, "Simulation (the metrics stay the same):", HELP_SIMULATION},
	{"no-skip", KEY_NO_SKIP, NULL, 0, "step clocked blocks in every cycle", HELP_SIMULATION},
	{"threads", KEY_THREADS, "N", 0, "number of host threads (default: one per core)", HELP_SIMULATION},
	{"always-threads", KEY_ALWAYS_THREADS, NULL, OPTION_HIDDEN, NULL, HELP_SIMULATION},
	{0},
};

static error_t parse_simulation(int key, char *arg, struct argp_state *state)
{
	struct model_options *o = state->input;
	const char *threads = getenv("LOCUS_THREADS");

	switch (key) {
	case KEY_THREADS:
		o->threads = (uint32_t)cli_argp_number(state, "--threads", arg, 1, SHARE_MAX);
		return 0;
	case KEY_ALWAYS_THREADS:
		o->always_threads = true;
		return 0;
	case KEY_NO_SKIP:
		o->no_skip = true;
		return 0;
	case ARGP_KEY_END:
		if (!o->threads && threads)
			o->threads = (uint32_t)cli_argp_number(state, "LOCUS_THREADS", threads, 1, SHARE_MAX);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp simulation_argp = {simulation, parse_simulation, NULL, NULL, NULL, NULL, NULL};

/* ---- commands that run a program on the model ---- */

static error_t parse_model(int key, char *arg, struct argp_state *state)
{
	struct model_options *o = state->input;

	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	for (unsigned i = 0; i < MODEL_GROUPS; i++)
		state->child_inputs[i] = o;
	state->child_inputs[MODEL_GROUPS] = state->child_inputs[MODEL_GROUPS + 1] = &o->on;
	return 0;
}

static const struct argp_child model_children[] = {{&policies_argp, 0, NULL, 0},
						   {&plan_argp, 0, NULL, 0},
						   {&limits_argp, 0, NULL, 0},
						   {&simulation_argp, 0, NULL, 0},
						   {&machine_argp, 0, NULL, 0},
						   {&json_argp, 0, NULL, 0},
						   {0}};
const struct argp model_argp = {NULL, parse_model, NULL, NULL, model_children, NULL, NULL};

static uint32_t cores(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n < SHARE_MAX ? (uint32_t)n : SHARE_MAX;
}

struct session_options model_options_session(struct model_options *o)
{
	struct machine_choice machine = machine_options_choice(&o->on);

	o->program = (struct session_program){.what = o->from.what, .arg = o->from.arg, .n_args = o->from.n_args};
	machine.l1_index = o->l1_index;
	machine.l2_index = o->l2_index;
	machine.scheduler = o->scheduler;
	machine.throttle = o->throttle;
	machine.l1_bypass = o->l1_bypass;
	machine.l2_bypass = o->l2_bypass;
	machine.l1_prefetch = o->l1_prefetch;
	machine.l1_pin = o->l1_pin;
	machine.l1_front = o->l1_front;
	return (struct session_options){.machine = machine,
					.program = &o->program,
					.n_programs = 1,
					.size = o->from.size,
					.print = o->from.print,
					.oob = o->from.oob,
					.log_bytes = o->from.log_bytes,
					.accelsim = o->from.accelsim,
					.max_unpacked = o->from.max_unpacked,
					.plan = o->plan,
					.max_cycles = o->max_cycles,
					.max_insts = o->max_insts,
					.max_thread_insts = o->max_thread_insts,
					.no_skip = o->no_skip,
					.threads = o->threads ? o->threads : cores(),
					.always_threads = o->always_threads};
}
