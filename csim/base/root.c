#include "base/root.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The folder above the program that has a csim/machines: the program stands in build/, build/san/ or build/tests/. */
static const char *checkout(char exe[ROOT_PATH_MAX / 2])
{
	ssize_t n = readlink("/proc/self/exe", exe, ROOT_PATH_MAX / 2 - 1);
	char probe[ROOT_PATH_MAX];
	char *up;

	exe[n < 0 ? 0 : n] = '\0';
	for (up = dirname(exe); strcmp(up, "/") != 0 && strcmp(up, ".") != 0; up = dirname(up)) {
		snprintf(probe, sizeof probe, "%s/csim/machines", up);
		if (access(probe, F_OK) == 0)
			break;
	}
	return up;
}

const char *root_path(const char *relative, char out[ROOT_PATH_MAX])
{
	char exe[ROOT_PATH_MAX / 2];
	const char *root = getenv("LOCUS_ROOT");

	snprintf(out, ROOT_PATH_MAX, "%s/%s", root ? root : checkout(exe), relative);
	return out;
}
