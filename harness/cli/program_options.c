#include "cli/program_options.h"

#include <string.h>

#include "base/files/root.h"
#include "cli/cli.h"
#include "cli/machine_options.h"
#include "session/dump_files.h"
#include "session/steps.h"

enum { KEY_SIZE = 0x3000, KEY_ARG, KEY_PRINTF, KEY_OOB, KEY_LOG, KEY_MAP, KEY_UNKNOWN, KEY_MEMCPY, KEY_MAX_UNPACKED };

/* ---- how kernels are executed ---- */

static const struct argp_option execution[] = {
	{"oob", KEY_OOB, "stop|warn|zero", 0, "out-of-bounds accesses end the run or read 0", HELP_PROGRAM},
	{"max-cta-log", KEY_LOG, "SIZE", 0, "most bytes of the log of an executed CTA (default: 1G)", HELP_PROGRAM},
	{"max-unpacked", KEY_MAX_UNPACKED, "SIZE", 0, "largest unpacked size of an input (default: 16G)", HELP_PROGRAM},
	{0},
};

static error_t parse_execution(int key, char *arg, struct argp_state *state)
{
	struct program_options *o = state->input;

	switch (key) {
	case KEY_OOB:
		if (ptx_oob_named(arg) < 0)
			argp_error(state, "--oob=%s: must be stop, warn or zero", arg);
		o->oob = (enum ptx_oob)ptx_oob_named(arg);
		return 0;
	case KEY_LOG:
		o->log_bytes = cli_argp_number(state, "--max-cta-log", arg, PTX_LOG_LEAST, PTX_LOG_MOST);
		return 0;
	case KEY_MAX_UNPACKED:
		o->max_unpacked = cli_argp_number(state, "--max-unpacked", arg, 1, UINT64_MAX);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp execution_argp = {execution, parse_execution, NULL, NULL, NULL, NULL, NULL};

/* ---- which program ---- */

static const struct argp_option program[] = {
	{0, 0, NULL, 0, "Program:", HELP_PROGRAM},
	{"size", KEY_SIZE, "test|default|paper", 0, "input size of a workload", HELP_PROGRAM},
	{"printf", KEY_PRINTF, NULL, 0, "forward the printf output of kernels to stderr", HELP_PROGRAM},
	{"arg", KEY_ARG, "KEY=VALUE", CLI_REPEATABLE, "argument of a workload (see locus list WORKLOAD)", HELP_PROGRAM},
	{0},
};

static error_t parse_program(int key, char *arg, struct argp_state *state)
{
	struct program_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = o;
		return 0;
	case KEY_PRINTF:
		o->print = true;
		return 0;
	case KEY_SIZE:
		o->size = arg;
		return 0;
	case KEY_ARG:
		machine_options_push(state, "--arg", o->arg, &o->n_args, PROGRAM_MAX_ARGS, arg);
		return 0;
	case ARGP_KEY_ARG:
		if (o->what)
			argp_error(state, "takes one program, and \"%s\" is a second one", arg);
		o->what = arg;
		return 0;
	case ARGP_KEY_END:
		if (!o->what)
			argp_error(state, "needs a workload, a launch file (.yaml) or a trace (.ltrace, kernelslist.g)");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child program_children[] = {{&execution_argp, 0, NULL, 0}, {0}};
const struct argp program_argp = {program, parse_program, NULL, NULL, program_children, NULL, NULL};

/* ---- Accel-Sim traces ---- */

static const struct argp_option accelsim[] = {
	{0, 0, NULL, 0, "Accel-Sim traces:", HELP_ACCELSIM},
	{"memcpy", KEY_MEMCPY, NULL, 0, "make each copied range a buffer of its own", HELP_ACCELSIM},
	{"opcode-map", KEY_MAP, "FILE", 0, "file that maps additional SASS opcodes to units", HELP_ACCELSIM},
	{"unknown-opcode", KEY_UNKNOWN, "alu", 0, "take unknown opcodes for integer additions", HELP_ACCELSIM},
	{0},
};

static error_t parse_accelsim(int key, char *arg, struct argp_state *state)
{
	struct program_options *o = state->input;

	switch (key) {
	case KEY_MAP:
		o->accelsim.opcode_map = arg;
		return 0;
	case KEY_UNKNOWN:
		if (strcmp(arg, "alu"))
			argp_error(state, "--unknown-opcode=%s: must be alu", arg);
		o->accelsim.unknown_alu = true;
		return 0;
	case KEY_MEMCPY:
		o->accelsim.memcpy = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp accelsim_argp = {accelsim, parse_accelsim, NULL, NULL, NULL, NULL, NULL};

int program_options_open(const struct program_options *p, struct source_options *with, struct source *s, struct err *e)
{
	char root[ROOT_PATH_MAX];
	struct machine m;

	if (!with->sms) { /* the command is of no machine: that of a run without --machine */
		if (machine_choose(&(struct machine_choice){0}, &m, e) != 0)
			return -1;
		with->sms = m.sm.count;
		with->independent_lanes = m.sm.independent_lanes;
	}
	with->what = p->what;
	with->size = p->size;
	with->args = p->arg;
	with->n_args = p->n_args;
	with->print = p->print;
	with->oob = p->oob;
	with->limits.log_bytes = p->log_bytes;
	with->accelsim = p->accelsim;
	with->max_unpacked = p->max_unpacked;
	with->root = root_path("", root);
	with->files = &dump_files;
	return step_source(s, with, e);
}
