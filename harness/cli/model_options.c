#include "cli/model_options.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/share.h"
#include "cli/cli.h"

enum {
	KEY_L1_INDEX = 256,
	KEY_L2_INDEX,
	KEY_SIZE,
	KEY_ARG,
	KEY_SCHEDULER,
	KEY_MAX_CYCLES,
	KEY_NO_SKIP,
	KEY_MAX_INSTS,
	KEY_MAX_THREAD_INSTS,
	KEY_PRINTF,
	KEY_OOB,
	KEY_OPCODE_MAP,
	KEY_UNKNOWN,
	KEY_MEMCPY,
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

static const struct argp_option options[] = {
	{"l1-index", KEY_L1_INDEX, "INDEX", 0, "set index of the L1s: linear or pric[:POLY]", 0},
	{"l2-index", KEY_L2_INDEX, "INDEX", 0, "of the L2 slices, likewise", 0},
	{"scheduler", KEY_SCHEDULER, "gto|lrr", 0, "warp scheduler", 0},
	{"throttle", KEY_THROTTLE, "POLICY", 0, "swt:N or swt:best, cta:N, dwt-cs, ccws, pcal:N", 0},
	{"l1-bypass", KEY_L1_BYPASS, "POLICY", 0, "none or streaming[:rate=90,period=10000]", 0},
	{"l2-bypass", KEY_L2_BYPASS, "POLICY", 0, "of the L2 slices, likewise", 0},
	{"l1-front", KEY_L1_FRONT, "POLICY", 0, "none or mrpb[:depth=32,bypass=true]", 0},
	{"l1-pin", KEY_L1_PIN, "POLICY", 0, "none or buffers:hard=A+B[,soft=C,timer=100000]", 0},
	{"l1-prefetch", KEY_L1_PREFETCH, "POLICY", 0, "none or next-line[:mshrs=8,queue=2]", 0},
	{"size", KEY_SIZE, "test|default|paper", 0, "size of a workload", 0},
	{"arg", KEY_ARG, "KEY=VALUE", 0, "option of a workload (locus list shows them)", 0},
	{"plan", KEY_PLAN, "PLANNER", 0, "NAME[,KEY=VALUE...] (locus list planners)", 0},
	{"max-cycles", KEY_MAX_CYCLES, "N", 0, "stop after N core cycles", 0},
	{"max-insts", KEY_MAX_INSTS, "N", 0, "stop with the N-th warp instruction", 0},
	{"max-thread-insts", KEY_MAX_THREAD_INSTS, "N", 0, "stop with the N-th thread instruction", 0},
	{"printf", KEY_PRINTF, NULL, 0, "print what kernels print (vprintf) to stderr", 0},
	{"oob", KEY_OOB, "stop|warn|zero", 0, "accesses out of bounds end the run, or read 0", 0},
	{"no-skip", KEY_NO_SKIP, NULL, 0, "step clocked blocks in every cycle; same metrics", 0},
	{"threads", KEY_THREADS, "N", 0, "host threads; same metrics (default: one a core)", 0},
	{"always-threads", KEY_ALWAYS_THREADS, NULL, OPTION_HIDDEN, NULL, 0},
	{"opcode-map", KEY_OPCODE_MAP, "FILE", OPTION_HIDDEN, NULL, 0},
	{"unknown-opcode", KEY_UNKNOWN, "alu", OPTION_HIDDEN, NULL, 0},
	{"memcpy", KEY_MEMCPY, NULL, OPTION_HIDDEN, NULL, 0},
	{"Accel-Sim traces", 0, NULL, OPTION_DOC, "--memcpy, --opcode-map=FILE, --unknown-opcode=alu", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct model_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->on;
		break;
	case KEY_ARG:
		machine_options_push(state, "--arg", o->arg, &o->n_args, MODEL_MAX_ARGS, arg);
		break;
	case KEY_L1_INDEX:
		o->l1_index = arg;
		break;
	case KEY_L2_INDEX:
		o->l2_index = arg;
		break;
	case KEY_SCHEDULER:
		o->scheduler = arg;
		break;
	case KEY_THROTTLE:
		o->throttle = arg;
		break;
	case KEY_L1_BYPASS:
		o->l1_bypass = arg;
		break;
	case KEY_L2_BYPASS:
		o->l2_bypass = arg;
		break;
	case KEY_L1_PREFETCH:
		o->l1_prefetch = arg;
		break;
	case KEY_L1_PIN:
		o->l1_pin = arg;
		return 0;
	case KEY_L1_FRONT:
		o->l1_front = arg;
		break;
	case KEY_SIZE:
		o->size = arg;
		break;
	case KEY_PLAN:
		o->plan = arg;
		break;
	case KEY_MAX_CYCLES:
		o->max_cycles = cli_argp_number(state, "--max-cycles", arg, 1, UINT64_MAX);
		break;
	case KEY_MAX_INSTS:
		o->max_insts = cli_argp_number(state, "--max-insts", arg, 1, UINT64_MAX);
		break;
	case KEY_MAX_THREAD_INSTS:
		o->max_thread_insts = cli_argp_number(state, "--max-thread-insts", arg, 1, UINT64_MAX);
		break;
	case KEY_THREADS:
		o->threads = (uint32_t)cli_argp_number(state, "--threads", arg, 1, SHARE_MAX);
		break;
	case KEY_ALWAYS_THREADS:
		o->always_threads = true;
		break;
	case KEY_NO_SKIP:
		o->no_skip = true;
		break;
	case KEY_PRINTF:
		o->print = true;
		break;
	case KEY_OOB:
		if (ptx_oob_named(arg) < 0)
			argp_error(state, "--oob=%s: must be stop, warn or zero", arg);
		o->oob = (enum ptx_oob)ptx_oob_named(arg);
		break;
	case KEY_OPCODE_MAP:
		o->accelsim.opcode_map = arg;
		break;
	case KEY_UNKNOWN:
		if (strcmp(arg, "alu"))
			argp_error(state, "--unknown-opcode=%s: must be alu", arg);
		o->accelsim.unknown_alu = true;
		break;
	case KEY_MEMCPY:
		o->accelsim.memcpy = true;
		break;
	case ARGP_KEY_ARG:
		if (o->what)
			argp_error(state,
				   "one workload, launch file or trace at a time: \"%s\" is one "
				   "too many",
				   arg);
		o->what = arg;
		break;
	case ARGP_KEY_END:
		if (!o->what)
			argp_error(state, "needs a workload, a launch file (.yaml) or a trace (.ltrace, kernelslist.g)");
		if (!o->threads && getenv("LOCUS_THREADS"))
			o->threads = (uint32_t)cli_argp_number(state, "LOCUS_THREADS", getenv("LOCUS_THREADS"), 1, SHARE_MAX);
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = {{&machine_options_argp, 0, NULL, 0}, {0}};
const struct argp model_options_argp = {options, parse, NULL, NULL, children, NULL, NULL};

static uint32_t cores(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	return n < 1 ? 1 : n < SHARE_MAX ? (uint32_t)n : SHARE_MAX;
}

struct session_options model_options_session(struct model_options *o)
{
	struct machine_choice machine = machine_options_choice(&o->on);

	o->program = (struct session_program){.what = o->what, .arg = o->arg, .n_args = o->n_args};
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
					.size = o->size,
					.print = o->print,
					.oob = o->oob,
					.accelsim = o->accelsim,
					.plan = o->plan,
					.max_cycles = o->max_cycles,
					.max_insts = o->max_insts,
					.max_thread_insts = o->max_thread_insts,
					.no_skip = o->no_skip,
					.threads = o->threads ? o->threads : cores(),
					.always_threads = o->always_threads};
}
