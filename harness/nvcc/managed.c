/* Which sources have managed variables. They need another host pass than all others (compile.c), and only their text
 * tells: clang's CUDA drops the word, and a macro's use leaves no mark in the PTX. A file that has the word in a
 * comment alone gets that other pass too, which makes the same program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/infile.h"
#include "base/files/root.h"
#include "nvcc/nvcc.h"

/* A header that is gone, or a pipe, has no word for us. */
static bool says_managed(const char *path)
{
	FILE *f = infile_open(path, INFILE_MOST, NULL);
	char *line = NULL;
	size_t room = 0;
	bool says = false;

	while (f && !says && getline(&line, &room, f) > 0)
		says = strstr(line, "__managed__") != NULL;
	free(line);
	if (f)
		fclose(f);
	return says;
}

int nvcc_has_managed(struct nvcc_job *j, const char *source, const char *included, bool *has, struct err *e)
{
	char ours[ROOT_PATH_MAX], *line = NULL;
	size_t n = strlen(root_path("harness/cuda/include", ours)), room = 0;
	FILE *f;

	*has = says_managed(source);
	if (*has || j->dry_run)
		return 0;
	f = infile_open(included, INFILE_MOST, e);
	if (!f)
		return -1;
	while (!*has && getline(&line, &room, f) > 0) {
		line[strcspn(line, "\n")] = '\0';
		*has = strncmp(line, ours, n) != 0 && says_managed(line);
	}
	free(line);
	fclose(f);
	return 0;
}
