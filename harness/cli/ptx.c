/* locus ptx FILE...: what kernels a PTX file has, what they need, and what in them cannot be executed. */
#include <argp.h>
#include <stdio.h>

#include "cli/cli.h"
#include "ptx/ptx.h"

struct ptx_options {
	int first; /* file */
	bool counts;
};

static const struct argp_option options[] = {
	{"counts", 'c', NULL, 0, "count the instructions of each kernel, before and after folding, instead", 0}, {0}};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	struct ptx_options *o = state->input;

	if (key == 'c')
		o->counts = true;
	if (key == ARGP_KEY_NO_ARGS)
		argp_error(state, "needs a PTX file");
	if (key == ARGP_KEY_ARGS)
		o->first = state->next;
	return key == ARGP_KEY_ARGS || key == ARGP_KEY_NO_ARGS || key == 'c' ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	options,
	parse,
	"FILE...",
	"Prints each kernel's parameters, registers, shared and local memory, and the line of each instruction "
	"that Locus cannot execute. Exit status 2 if there are any.\v"
	"Examples:\n"
	"  locus ptx traces/*/kernel.ptx | grep kernel\n"
	"  locus ptx --counts traces/syrk/kernel.ptx\n",
	NULL,
	NULL,
	NULL};

int cli_ptx(int argc, char **argv)
{
	struct ptx_options o = {.first = argc};
	int status = CLI_OK;

	cli_parse(&argp, argc, argv, &o);
	for (int i = o.first; i < argc; i++) {
		struct err e = {""};
		struct ptx_module *m = ptx_open(argv[i], &e);

		if (!m) {
			status = cli_fail(&e);
			continue;
		}
		if (o.counts) {
			ptx_print_counts(m, stdout);
		} else if (ptx_print(m, stdout)) {
			fflush(stdout);
			snprintf(e.text, sizeof e.text, "%s: has kernels that cannot be executed here", argv[i]);
			status = cli_fail(&e);
		}
		ptx_close(m);
	}
	return status;
}
