/* locus cosim: a program on the cycle model with Verilog hardware blocks behind its ports, compared with their golden
 * twins. */
#include "cli/cli.h"
#include "cli/hw_options.h"
#include "cli/run_options.h"
#include "cli/session_command.h"

struct cosim_args {
	struct model_options model;
	struct run_options run;
	struct viewer_options viewers;
	struct hw_options hw;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct cosim_args *a = state->input;

	(void)arg;
	if (key != ARGP_KEY_INIT)
		return ARGP_ERR_UNKNOWN;
	state->child_inputs[0] = state->child_inputs[1] = &a->model.from;
	state->child_inputs[2] = &a->model;
	state->child_inputs[3] = &a->run;
	state->child_inputs[4] = &a->viewers;
	state->child_inputs[5] = &a->hw;
	return 0;
}

static const struct argp_child children[] = {{&program_argp, 0, NULL, 0},
					     {&accelsim_argp, 0, NULL, 0},
					     {&model_argp, 0, NULL, 0},
					     {&run_options_argp, 0, NULL, 0},
					     {&viewer_options_argp, 0, NULL, 0},
					     {&hw_options_argp, 0, NULL, 0},
					     {0}};
static const struct argp argp = {
	NULL,
	parse,
	"WORKLOAD|FILE.yaml|FILE.ltrace|kernelslist.g",
	"Runs a program with its hardware blocks in Verilog, compared step by step with their golden twins. Exit status 1 "
	"if a step differs, an invariant is broken or a result is wrong.\v"
	"Examples:\n  sed 's/= ^/= ~^/' rtl/pric/pric_index.v >my.v\n"
	"  locus cosim syrk --size test --l1-index pric --rtl pric=my.v --wave w.fst",
	children,
	NULL,
	NULL};

int cli_cosim(int argc, char **argv)
{
	struct cosim_args a = {0};
	struct session_options o;
	struct session_output to;

	hw_options_init(&a.hw);
	cli_parse(&argp, argc, argv, &a);
	if (a.hw.e.text[0])
		return cli_fail(&a.hw.e);
	o = run_options_session(&a.run, &a.model);
	o.hw = &a.hw.hw;
	to = run_options_output(&a.run, &a.model, &a.viewers);
	return session_command(&o, &to);
}
