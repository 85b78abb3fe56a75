/* locus ptx FILE...: what kernels a PTX file has, what they need, and what in them cannot be executed. */
#include <argp.h>
#include <stdio.h>

#include "cli/cli.h"
#include "ptx/ptx.h"

static error_t parse(int key, char *arg, struct argp_state *state)
{
	(void)arg;
	if (key == ARGP_KEY_NO_ARGS)
		argp_error(state, "needs a PTX file");
	if (key == ARGP_KEY_ARGS)
		*(int *)state->input = state->next;
	return key == ARGP_KEY_ARGS || key == ARGP_KEY_NO_ARGS ? 0 : ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {NULL,
				 parse,
				 "FILE...",
				 "Prints each kernel's parameters, registers, shared and local memory, and what in it cannot be "
				 "executed here, with its line. Exit status 2 if there are any.\v"
				 "Examples:\n"
				 "  locus ptx traces/syrk/kernel.ptx\n"
				 "  locus ptx traces/*/kernel.ptx | grep kernel\n",
				 NULL,
				 NULL,
				 NULL};

int cli_ptx(int argc, char **argv)
{
	int first = argc, status = CLI_OK;

	cli_parse(&argp, argc, argv, &first);
	for (int i = first; i < argc; i++) {
		struct err e = {""};
		struct ptx_module *m = ptx_open(argv[i], &e);

		if (!m) {
			status = cli_fail(&e);
			continue;
		}
		if (ptx_print(m, stdout)) {
			fflush(stdout);
			snprintf(e.text, sizeof e.text, "%s: has kernels that cannot be executed here", argv[i]);
			status = cli_fail(&e);
		}
		ptx_close(m);
	}
	return status;
}
