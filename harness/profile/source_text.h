/* The text of source files that a PTX file names, line by line.
 *
 * The names come from somebody's PTX, so that little is believed of them: a file is read only if it is, links followed,
 * within one of the folders that the caller allows (that of the PTX file, the root, one that the user names; any for a
 * CUDA program, which the user trusts to run), is a regular file, and is not larger than 16 MiB. In each folder a name
 * is tried as it is, then without its own folders. A file that cannot be had has no lines, and that is no error. Lines
 * come without control characters, and without those that change the direction of writing: what is printed is in the
 * order in which it is compiled.
 */
#ifndef HARNESS_PROFILE_SOURCE_TEXT_H
#define HARNESS_PROFILE_SOURCE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

enum { SOURCE_TEXT_FOLDERS = 5 };

struct source_file;

struct source_text {
	const char *folder[SOURCE_TEXT_FOLDERS]; /* where files may be; NULL: fewer */
	struct arena *arena;
	struct source_file *files; /* that were asked for */
};

/* folders: SOURCE_TEXT_FOLDERS of them, NULL for none, the first one asked first. In "/" an absolute name is the
 * file's path. */
void source_text_init(struct source_text *t, struct arena *a, const char *const *folders);

/* A line of a file, from 1: clean, without its end, tabs as blanks up to each eighth column, at most `room` - 1 bytes
 * and whole letters. false: it cannot be had, and out is empty. */
bool source_text_line(struct source_text *t, const char *name, uint64_t line, char *out, size_t room);

/* The names are forgotten; the arena has the rest. */
void source_text_free(struct source_text *t);

#endif
