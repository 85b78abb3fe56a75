#include "cli/fit_options.h"

#include "cli/cli.h"

enum { KEY_PORT = 1200, KEY_TIE, KEY_LEAVE, KEY_INCDIR };

static const struct argp_option options[] = {
	{"port", KEY_PORT, "THEIRS=OURS", CLI_REPEATABLE, "a port of your Verilog is that port of the block; =~OURS inverts",
	 HELP_BLOCKS},
	{"tie", KEY_TIE, "INPUT=VALUE", CLI_REPEATABLE, "an input that the block does not have is constant", HELP_BLOCKS},
	{"leave", KEY_LEAVE, "OUTPUT", CLI_REPEATABLE, "an output that the block does not have is left open", HELP_BLOCKS},
	{"incdir", KEY_INCDIR, "DIR", CLI_REPEATABLE, "look up headers and modules of your Verilog there too", HELP_BLOCKS},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct fit_options *a = state->input;

	switch (key) {
	case KEY_PORT:
		return bind_fit_port(&a->fit, arg, &a->e), 0;
	case KEY_TIE:
		return bind_fit_tie(&a->fit, arg, &a->e), 0;
	case KEY_LEAVE:
		return bind_fit_leave(&a->fit, arg, &a->e), 0;
	case KEY_INCDIR:
		return bind_fit_dir(&a->fit, arg, &a->e), 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp fit_options_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};
