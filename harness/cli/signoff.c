/* locus signoff: every check of a user's Verilog for a block, on one page. */
#include <argp.h>
#include <stdio.h>

#include "base/suggestion.h"
#include "bind/params.h"
#include "cli/cli.h"
#include "cli/fit_options.h"
#include "hw/twins/blocks.h"
#include "signoff/signoff.h"

struct signoff_args {
	const char *rtl, *block, *params;
	uint64_t steps, x_init;
	struct fit_options fit;
	struct err e; /* of an option */
};

enum { KEY_BLOCK = 1000, KEY_STEPS, KEY_X_INIT, FOUR_STATES = 2000 };

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct signoff_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->fit;
		return 0;
	case KEY_BLOCK:
		a->block = arg;
		return 0;
	case 'p':
		a->params = arg;
		return 0;
	case KEY_STEPS:
		cli_number("--steps", arg, 1, 100000000, &a->steps, &a->e);
		return 0;
	case KEY_X_INIT:
		cli_number("--x-init", arg, 0, SCENARIO_X_INIT_MAX, &a->x_init, &a->e);
		return 0;
	case ARGP_KEY_ARG:
		if (state->arg_num > 0)
			return ARGP_ERR_UNKNOWN;
		a->rtl = arg;
		return 0;
	case ARGP_KEY_END:
		if (!a->rtl || !a->block)
			argp_error(state, "needs FILE.v and --block NAME");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_option options[] = {
	{"block", KEY_BLOCK, "NAME", 0, "the block that FILE.v is (locus list blocks)", 0},
	{"params", 'p', "N=V...", 0, "parameters of the block: \"sets=64 poly=67\" (default: the block's)", 0},
	{"steps", KEY_STEPS, "N", 0, "steps of each of the four runs in lockstep (default: 20000)", 0},
	{"x-init", KEY_X_INIT, "SEED", 0, "seed of initial values in the first run (default: 1; 0: zeros)", 0},
	{0},
};
static const struct argp_child children[] = {{&fit_options_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"FILE.v[,MORE.v]",
	"Checks Verilog for a block and prints one page: warnings of Verilator, Icarus and Yosys, lockstep with the golden twin "
	"under random steps from random initial values, and outputs with four states in Icarus. FILE.v is executed. Exit status "
	"1 if a check has a finding.\v"
	"Examples:\n  locus signoff rtl/pric/pric_index.v --block pric --params \"sets=64 poly=67\"\n"
	"  locus signoff rtl/throttle/throttle.v --block throttle --x-init 7",
	children,
	NULL,
	NULL};

static const struct hw_block *find(const char *name, struct err *e)
{
	struct suggestion n = {.typed = name};
	char hint[160];

	for (const struct hw_block *const *b = hw_blocks; *b; b++)
		suggestion_offer(&n, (*b)->name);
	if (!hw_block_named(name))
		err_set(e, "--block: no block \"%s\"%s (see locus list blocks)", name, suggestion_text(&n, hint));
	return hw_block_named(name);
}

int cli_signoff(int argc, char **argv)
{
	struct signoff_args a = {.steps = 20000, .x_init = SCENARIO_X_INIT};
	unsigned char params[BIND_PARAMS_MAX];
	struct signoff_request q;
	int n;

	cli_parse(&argp, argc, argv, &a);
	if (a.e.text[0] || a.fit.e.text[0])
		return cli_fail(a.e.text[0] ? &a.e : &a.fit.e);
	q = (struct signoff_request){.block = find(a.block, &a.e),
				     .params = params,
				     .rtl = a.rtl,
				     .fit = &a.fit.fit,
				     .x_init = a.x_init,
				     .steps = a.steps,
				     .four_states = a.steps < FOUR_STATES ? a.steps : FOUR_STATES};
	if (!q.block || bind_params_read(q.block, params, a.params, &a.e))
		return cli_fail(&a.e);
	n = signoff_run(&q, stdout, &a.e);
	return n < 0 ? cli_fail(&a.e) : n ? CLI_DIFFERS : CLI_OK;
}
