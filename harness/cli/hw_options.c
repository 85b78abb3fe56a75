#include "cli/hw_options.h"

#include <string.h>

#include "cli/cli.h"

enum { KEY_RTL = 1000, KEY_COMPARE, KEY_WAVE, KEY_WINDOW, KEY_OWNER, KEY_FROM_RESET, KEY_BUNDLE, KEY_HW, KEY_CHECK_THREADS };

/* flags: OPTION_HIDDEN, where a line stands for all. */
#define OPTIONS(flags)                                                                                                             \
	{"hw", KEY_HW, "BLOCK=MODE,...", flags, "golden, rtl or lockstep (all=lockstep)", 2},                                      \
		{"rtl", KEY_RTL, "BLOCK=FILE.v", flags, "your Verilog instead, which is executed", 2},                             \
		{"compare", KEY_COMPARE, "HOW", flags, "your Verilog by cycle (default) or transaction", 2},                       \
		{"wave", KEY_WAVE, "FILE.fst", flags, "golden and RTL signals, and a FILE.gtkw", 2},                               \
		{"wave-window", KEY_WINDOW, "A:B", flags, "of core cycles; default 0:20000", 2},                                   \
		{"wave-owner", KEY_OWNER, "NAME", flags, "whose block: sm3.l1; default each first one", 2},                        \
		{"check-threads", KEY_CHECK_THREADS, "N", flags, "1: compare on a second thread; same reports (0)", 2},            \
		{"from-reset", KEY_FROM_RESET, NULL, flags, "bundles hold all steps since the reset", 2},                          \
	{                                                                                                                          \
		"bundle", KEY_BUNDLE, "PREFIX", flags, "of the bundles' names; default mismatch", 2                                \
	}

static const struct argp_option options[] = {{0, 0, NULL, 0, "Hardware blocks:", 2}, OPTIONS(0), {0}};
/* scripts/completion.bash reads these lines. */
static const struct argp_option in_two_lines[] = {
	OPTIONS(OPTION_HIDDEN),
	{"Hardware blocks", 0, NULL, OPTION_DOC, "--hw, --rtl, --compare, --check-threads, --bundle", 0},
	{"Hardware waves", 0, NULL, OPTION_DOC, "--wave, --wave-owner, --wave-window, --from-reset", 0},
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

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct hw_options *a = state->input;
	uint64_t threads = 0;

	a->any |= key >= KEY_RTL && key <= KEY_CHECK_THREADS;
	switch (key) {
	case KEY_HW:
		return cosim_parse_hw(&a->hw, arg, &a->e), 0;
	case KEY_RTL:
		return cosim_parse_rtl(&a->hw, arg, &a->e), 0;
	case KEY_COMPARE:
		return parse_compare(&a->hw, arg, &a->e), 0;
	case KEY_WAVE:
		if (!strcmp(arg, "-"))
			err_set(&a->e, "--wave -: waves cannot go to standard output");
		a->hw.wave = arg;
		return 0;
	case KEY_WINDOW:
		a->window = true;
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
		return 0;
	case ARGP_KEY_END:
		if (!a->hw.wave && (a->window || a->hw.wave_owner))
			err_set(&a->e, "--wave-window and --wave-owner want --wave FILE.fst");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp hw_options_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};
const struct argp hw_options_brief_argp = {in_two_lines, parse, NULL, NULL, NULL, NULL, NULL};

void hw_options_init(struct hw_options *o)
{
	*o = (struct hw_options){.any = false};
	cosim_options_init(&o->hw, UNIT_LOCKSTEP);
	o->hw.wave_to = 20000;
}
