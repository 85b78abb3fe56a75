/* A file that a run writes its result to. It is opened before the run, so that a wrong path is reported before the work
 * is done; its name gets the new content only when that is whole (base/files/newfile.h), so that a run that fails or is
 * killed leaves an older result as it was, and nothing beside it. What is no regular file (/dev/stdout, a pipe) is
 * written directly.
 *
 * "-" is standard output, which then carries this result and nothing else: what the command prints for people goes
 * nowhere. At most one output of a command can have it.
 */
#ifndef HARNESS_PROCESS_OUTPUT_H
#define HARNESS_PROCESS_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/err.h"

struct output {
	FILE *f; /* NULL: nothing is wanted */
	const char *path;
	bool nameless;		  /* f has no name until it is kept */
	struct output_sink *sink; /* keeps the reason of the first write that failed; NULL: standard output */
	char *beneath;		  /* the same path from `folder`, which is open; NULL: not from output_open_beneath() */
	int folder;
};

/* NULL path: o->f is NULL, and the other two do nothing. */
int output_open(struct output *o, const char *path, struct err *e);
/* Each is to be opened: the one that is kept later must not replace another. NULL: none. */
int output_distinct(const char *const *path, unsigned n, struct err *e);
/* For every path that does not come from the command line but from a user's file, which anybody may have written: it
 * stays below the working folder, no part of it may be a symbolic link, and only a regular file is replaced. */
int output_open_beneath(struct output *o, const char *path, struct err *e);
/* Why a write into it has failed: "PATH: cannot write: No space left on device". Call it before output_drop(). Returns
 * -1. */
int output_failed(const struct output *o, struct err *e);
/* What was written becomes the file. On an error nothing of it is left. */
int output_keep(struct output *o, struct err *e);
/* As if it had never been opened. Harmless after output_keep. */
void output_drop(struct output *o);

/* Copies a regular file of at most so many bytes. */
int output_copy(const char *from, const char *to, size_t most, struct err *e);

/* Makes a folder for outputs, and those that it is in; one that is there is no error. */
int output_folder(const char *dir, struct err *e);
/* A folder whose name comes from a user's file (output_open_beneath): it is in the working folder, and no link. */
int output_folder_beneath(const char *dir, struct err *e);

#endif
