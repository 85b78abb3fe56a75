#include "cli/source_args.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/files/root.h"
#include "session/dump_files.h"
#include "session/steps.h"

/* No short names: -s is --set with `locus run`. */
enum { OPT_SIZE = 1000, OPT_ARG, OPT_PRINTF, OPT_OOB, OPT_MAP, OPT_UNKNOWN, OPT_MEMCPY };

static const struct argp_option options[] = {
	{"size", OPT_SIZE, "SIZE", 0, "test, default or paper", 0},
	{"arg", OPT_ARG, "KEY=VALUE", 0, "an option of the workload (see locus list)", 0},
	{"printf", OPT_PRINTF, NULL, 0, "print what kernels print (vprintf) to stderr; else it is ignored", 0},
	{"oob", OPT_OOB, "stop|warn|zero", 0, "accesses out of bounds end the run, or read 0", 0},
	{"opcode-map", OPT_MAP, "FILE", OPTION_HIDDEN, NULL, 0},
	{"unknown-opcode", OPT_UNKNOWN, "alu", OPTION_HIDDEN, NULL, 0},
	{"memcpy", OPT_MEMCPY, NULL, OPTION_HIDDEN, NULL, 0},
	{"Accel-Sim traces", 0, NULL, OPTION_DOC, "--memcpy, --opcode-map=FILE, --unknown-opcode=alu", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct source_args *a = state->input;

	switch (key) {
	case OPT_SIZE:
		a->source.size = arg;
		return 0;
	case OPT_ARG:
		a->list = xrealloc(a->list, (a->source.n_args + 1) * sizeof *a->list);
		a->list[a->source.n_args++] = arg;
		return 0;
	case OPT_PRINTF:
		a->source.print = true;
		return 0;
	case OPT_OOB:
		if (ptx_oob_named(arg) < 0)
			argp_error(state, "--oob=%s: must be stop, warn or zero", arg);
		a->source.oob = (enum ptx_oob)ptx_oob_named(arg);
		return 0;
	case OPT_MAP:
		a->source.accelsim.opcode_map = arg;
		return 0;
	case OPT_UNKNOWN:
		if (strcmp(arg, "alu"))
			argp_error(state, "--unknown-opcode=%s: must be alu", arg);
		a->source.accelsim.unknown_alu = true;
		return 0;
	case OPT_MEMCPY:
		a->source.accelsim.memcpy = true;
		return 0;
	case ARGP_KEY_ARG:
		if (a->source.what)
			argp_error(state, "one program at a time: \"%s\" is one too many", arg);
		a->source.what = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp source_args_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

int source_args_open(struct source_args *a, struct source *s, struct err *e)
{
	char root[4096];
	int rc;

	a->source.root = root_path("", root);
	a->source.args = a->list;
	a->source.files = &dump_files;
	rc = step_source(s, &a->source, e);
	free(a->list);
	a->list = NULL;
	return rc;
}
