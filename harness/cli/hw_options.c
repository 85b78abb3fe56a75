#include "cli/hw_options.h"

#include <string.h>

#include "cli/cli.h"

enum {
	KEY_RTL = 1000,
	KEY_COMPARE,
	KEY_WAVE,
	KEY_WINDOW,
	KEY_OWNER,
	KEY_FROM_RESET,
	KEY_BUNDLE,
	KEY_HW,
	KEY_CHECK_THREADS,
	KEY_X_INIT,
	KEY_GOLDEN
};

static const struct argp_option options[] = {
	{0, 0, NULL, 0, "Hardware blocks:", HELP_BLOCKS},
	{"hw", KEY_HW, "BLOCK=MODE,...", CLI_REPEATABLE, "golden, rtl or lockstep (default: all=lockstep)", HELP_BLOCKS},
	{"rtl", KEY_RTL, "BLOCK=FILE.v", CLI_REPEATABLE, "use your Verilog for a block; it is executed", HELP_BLOCKS},
	{"golden", KEY_GOLDEN, "FILE.v", 0, "compare the Verilog of --rtl with FILE.v, not with the golden twin", HELP_BLOCKS},
	{"x-init", KEY_X_INIT, "SEED", 0, "seed of initial values in the Verilog of --rtl (default: 1; 0: zeros)", HELP_BLOCKS},
	{"compare", KEY_COMPARE, "cycle|transaction", 0, "compare the Verilog of --rtl by cycle (default) or by transaction",
	 HELP_BLOCKS},
	{"wave", KEY_WAVE, "FILE.fst", 0, "write golden and RTL signals, and a FILE.gtkw", HELP_BLOCKS},
	{"wave-window", KEY_WINDOW, "A:B", 0, "core cycles in the wave (default: 0:20000, or up to the first difference)",
	 HELP_BLOCKS},
	{"wave-owner", KEY_OWNER, "NAME", 0, "instance in the wave, e.g. sm3.l1 (default: the one that differs first)",
	 HELP_BLOCKS},
	{"check-threads", KEY_CHECK_THREADS, "N", 0, "1: compare on a second thread (default: 0)", HELP_BLOCKS},
	{"from-reset", KEY_FROM_RESET, NULL, 0, "write the full stimulus from reset into bundles", HELP_BLOCKS},
	{"bundle", KEY_BUNDLE, "PREFIX", 0, "prefix of bundle names (default: mismatch)", HELP_BLOCKS},
	{0},
};

static int parse_compare(struct cosim_options *o, const char *text, struct err *e)
{
	if (strcmp(text, "cycle") != 0 && strcmp(text, "transaction") != 0)
		return err_set(e, "--compare: \"%s\" is neither cycle nor transaction", text);
	for (int i = 0; i < COSIM_MAX_BLOCKS; i++)
		o->transactions[i] = text[0] == 't';
	return 0;
}

static unsigned count_rtl(const struct cosim_options *o)
{
	unsigned n = 0;

	for (int i = 0; i < COSIM_MAX_BLOCKS; i++)
		n += o->rtl[i] != NULL;
	return n;
}

static void take_fit(struct hw_options *a)
{
	if (a->fit.e.text[0])
		err_set(&a->e, "%s", a->fit.e.text);
	if (!fit_options_given(&a->fit))
		return;
	if (count_rtl(&a->hw) != 1)
		err_set(&a->e, "--port, --tie, --leave and --incdir: need one --rtl, whose ports they connect; there %s",
			count_rtl(&a->hw) ? "are several" : "is none");
	a->hw.fit = &a->fit.fit;
}

static void check_golden(const struct cosim_options *o, struct err *e)
{
	if (o->golden && count_rtl(o) != 1)
		err_set(e, "--golden: needs one --rtl, whose Verilog is compared with it");
	for (int i = 0; o->golden && i < COSIM_MAX_BLOCKS; i++) {
		if (o->rtl[i] && o->mode[i] != UNIT_LOCKSTEP)
			err_set(e, "--golden: the block of --rtl is not in lockstep, and nothing would be compared");
		if (o->rtl[i] && o->transactions[i])
			err_set(e, "--golden: cannot be combined with --compare transaction");
	}
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct hw_options *a = state->input;
	uint64_t threads = 0;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->fit;
		return 0;
	case KEY_HW:
		return cosim_parse_hw(&a->hw, arg, &a->e), 0;
	case KEY_RTL:
		return cosim_parse_rtl(&a->hw, arg, &a->e), 0;
	case KEY_GOLDEN:
		a->hw.golden = arg;
		return 0;
	case KEY_X_INIT:
		cli_number("--x-init", arg, 0, SCENARIO_X_INIT_MAX, &a->hw.x_init, &a->e);
		a->x_init_given = true;
		return 0;
	case KEY_COMPARE:
		return parse_compare(&a->hw, arg, &a->e), 0;
	case KEY_WAVE:
		if (!strcmp(arg, "-"))
			err_set(&a->e, "--wave -: waves cannot go to standard output");
		a->hw.wave = arg;
		return 0;
	case KEY_WINDOW:
		return cosim_parse_window(&a->hw, arg, &a->e), 0;
	case KEY_OWNER:
		a->hw.wave_owner = arg;
		return 0;
	case KEY_CHECK_THREADS:
		cli_number("--check-threads", arg, 0, 1, &threads, &a->e);
		a->hw.check_threads = (unsigned)threads;
		return 0;
	case KEY_FROM_RESET:
		a->hw.from_reset = true;
		return 0;
	case KEY_BUNDLE:
		a->hw.bundle_prefix = arg;
		a->hw.bundles_named = true;
		return 0;
	case ARGP_KEY_END:
		if (!a->hw.wave && (a->hw.window_given || a->hw.wave_owner))
			err_set(&a->e, "--wave-window and --wave-owner need --wave FILE.fst");
		if (a->x_init_given && !count_rtl(&a->hw))
			err_set(&a->e, "--x-init: needs --rtl, of whose Verilog it sets the initial values");
		take_fit(a);
		check_golden(&a->hw, &a->e);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp_child children[] = {{&fit_options_argp, 0, NULL, 0}, {0}};
const struct argp hw_options_argp = {options, parse, NULL, NULL, children, NULL, NULL};

void hw_options_init(struct hw_options *o)
{
	memset(o, 0, sizeof *o);
	cosim_options_init(&o->hw, UNIT_LOCKSTEP);
	o->hw.wave_to = COSIM_WAVE_CYCLES;
}
