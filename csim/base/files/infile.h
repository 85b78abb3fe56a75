/* Opening a file that a user, or a user's file, named for reading. Every such file is opened here.
 *
 * Opening a FIFO blocks until somebody opens it for writing, devices such as /dev/zero have no end, a sparse file of
 * terabytes takes no space on a disk, and a read of /proc/kmsg waits for the kernel's next message. So there are two
 * kinds of readers. A reader that needs the whole file takes a regular file of a bounded size. A reader that reads from
 * front to back also takes a FIFO (if it has a writer, or gets one within a second), a pipe (<(xz -dc x.xz)), a
 * terminal or /dev/null, and stops at the same bound. No read of a regular file waits.
 *
 * Errors name "PATH: reason".
 */
#ifndef CSIM_BASE_FILES_INFILE_H
#define CSIM_BASE_FILES_INFILE_H

#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/err.h"

/* Bytes that are read of any file whose reader has no smaller bound. docs/reference/command-line.md states it. */
#define INFILE_MOST (UINT64_C(64) << 30)

/* Reports that a file is larger than its bound. Returns -1. */
int infile_too_large(const char *path, uint64_t most, struct err *e);

/* Bytes that a compressed file (.gz, .xz) unpacks to at most, unless --max-unpacked says otherwise. */
#define INFILE_UNPACKED (UINT64_C(16) << 30)
/* Reports that a compressed file unpacks to more than `most` bytes, --max-unpacked or its default. Returns -1. */
int infile_unpacks_to_more(const char *path, uint64_t most, struct err *e);

/* A regular file of at most so many bytes. NULL: e is filled. */
FILE *infile_open(const char *path, uint64_t most, struct err *e);
int infile_open_fd(const char *path, uint64_t most, struct err *e); /* -1: e is filled */

/* A regular file of at most so many bytes, whole, with a zero byte behind it; *n: its bytes. The caller frees it. NULL:
 * e is filled. */
char *infile_text(const char *path, size_t most, size_t *n, struct err *e);

/* For files that can have the program do anything (a checkpoint, a library that is loaded): refuses one that somebody
 * else can have written. It and its folder belong to the user, the folder perhaps to root; others may write neither,
 * except a folder with the sticky bit (/tmp). st: of the file; or of the folder, for one that is checked by itself. */
int infile_is_ours(const char *path, const struct stat *st, struct err *e);

/* Anything that can be read from front to back. The caller reads no more than `most` bytes; a regular file is not
 * larger. NULL, or -1: e is filled. */
FILE *infile_stream(const char *path, uint64_t most, struct err *e);
int infile_stream_fd(const char *path, uint64_t most, struct err *e);

#endif
