#include "cli/cli.h"

#include <argp.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cli_fail(const struct err *e)
{
	fprintf(stderr, "locus: %s\n", e->text);
	return CLI_USAGE;
}

void cli_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	argp_err_exit_status = CLI_USAGE;
	argp_parse(argp, argc, argv, 0, NULL, input);
}

const char *cli_root_path(const char *relative, char out[4096])
{
	char exe[2048];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	const char *root = getenv("LOCUS_ROOT");
	char *up;

	if (root) {
		snprintf(out, 4096, "%s/%s", root, relative);
		return out;
	}
	exe[n < 0 ? 0 : n] = '\0';
	/* The program stands in build/, build/san/ or build/tests/: the checkout is what lies above "build". */
	up = dirname(exe);
	while (strcmp(up, "/") != 0 && strcmp(up, ".") != 0) {
		char probe[4096];

		snprintf(probe, sizeof probe, "%s/csim/machines", up);
		if (access(probe, F_OK) == 0)
			break;
		up = dirname(up);
	}
	snprintf(out, 4096, "%s/%s", up, relative);
	return out;
}
