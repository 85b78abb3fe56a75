/* Opening a file that a user named, for reading.
 *
 * To open a FIFO blocks until somebody opens it to write, and a program that hangs does not say why. Here nothing
 * blocks: who needs a whole file refuses whatever else has its name, and who reads from front to end takes a FIFO, a
 * pipe (<(xz -dc x.xz)) or a terminal too, but a FIFO only if it has a writer, or gets one within a second.
 *
 * Errors name "PATH: reason".
 */
#ifndef CSIM_BASE_FILES_INFILE_H
#define CSIM_BASE_FILES_INFILE_H

#include <stdio.h>

#include "base/err.h"

/* A regular file. NULL: e is filled. */
FILE *infile_open(const char *path, struct err *e);

/* A regular file of at most so many bytes, whole, with a zero byte behind it; *n: its bytes. The caller frees it. NULL:
 * e is filled. */
char *infile_text(const char *path, size_t most, size_t *n, struct err *e);

/* Anything that can be read from front to end. NULL, or -1: e is filled. */
FILE *infile_stream(const char *path, struct err *e);
int infile_stream_fd(const char *path, struct err *e);

#endif
