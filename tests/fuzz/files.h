/* The files of a fuzz target.
 *
 * In a libFuzzer program (files_virtual.c) they are in memory, and the program under test is linked so that it opens,
 * by fopen, open, gzopen, access and opendir, these and no others. In the tests (files_real.c) they are files of the
 * working folder.
 */
#ifndef TESTS_FUZZ_FILES_H
#define TESTS_FUZZ_FILES_H

#include <stddef.h>

/* Makes a file, or gives it another content. */
void files_put(const char *name, const void *bytes, size_t n);

/* Makes a file from one of the checkout, whose root is the working folder at the program's start. */
void files_put_copy(const char *name, const char *path);

#endif
