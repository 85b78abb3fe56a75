#include "base/files/root.h"

#include <libgen.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A path below the root leaves room for names. */
enum { FOLDER_MAX = ROOT_PATH_MAX / 2 };

static bool is_root(const char *folder)
{
	char probe[ROOT_PATH_MAX];

	snprintf(probe, sizeof probe, "%s/csim/machines", folder);
	return access(probe, F_OK) == 0;
}

static void own_folder(char out[FOLDER_MAX])
{
	ssize_t n = readlink("/proc/self/exe", out, FOLDER_MAX - 1);

	out[n < 0 ? 0 : n] = '\0';
	dirname(out); /* of an absolute path: cuts it in place */
}

/* The folder above the program that has a csim/machines. */
static bool checkout(char out[FOLDER_MAX])
{
	for (own_folder(out); out[0] == '/' && out[1]; dirname(out))
		if (is_root(out))
			return true;
	return false;
}

/* PREFIX/lib/locus of PREFIX/bin/locus. */
static void installed(char out[FOLDER_MAX])
{
	char prefix[FOLDER_MAX];

	own_folder(prefix);
	snprintf(out, FOLDER_MAX, "%.2000s/lib/locus", strcmp(dirname(prefix), "/") ? prefix : "");
}

static const char *root(char out[FOLDER_MAX])
{
	const char *set = getenv("LOCUS_ROOT");

	if (set)
		snprintf(out, FOLDER_MAX, "%s", set);
	else if (!checkout(out))
		installed(out);
	return out;
}

const char *root_path(const char *relative, char out[ROOT_PATH_MAX])
{
	char folder[FOLDER_MAX];

	snprintf(out, ROOT_PATH_MAX, "%s/%.2000s", root(folder), relative);
	return out;
}

int root_check(struct err *e)
{
	char folder[FOLDER_MAX], own[FOLDER_MAX];

	if (is_root(root(folder)))
		return 0;
	if (getenv("LOCUS_ROOT"))
		return err_set(e, "LOCUS_ROOT: %s has no csim/machines: it must be a checkout, or lib/locus of an installation",
			       folder);
	own_folder(own);
	return err_set(e,
		       "the machines and kernels are missing: no csim/machines in %s, above it or in %s (set LOCUS_ROOT to a "
		       "checkout, or install with make install)",
		       own, folder);
}

const char *root_program(char out[ROOT_PATH_MAX])
{
	if (access(root_path("build/locus", out), X_OK) != 0)
		root_path("../../bin/locus", out);
	return out;
}
