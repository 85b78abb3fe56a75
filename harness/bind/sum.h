/* What a built block must still be like when it is loaded: block.sum in its folder, "HASH PATH" a line (XXH64,
 * hexadecimal).
 *
 * The first line is of block.so: a library that was cut short (a full disk, a machine that lost power) would end the
 * program with SIGBUS. Then come the copies of data that the Verilog reads, data.0 and so on. The others are of files
 * that Verilator read beside those that the cache's key knows, such as a header below the current folder: a change of
 * one of them makes the library an old one.
 */
#ifndef HARNESS_BIND_SUM_H
#define HARNESS_BIND_SUM_H

#include <stdint.h>

#include "bind/bind.h"

/* Writes FOLDER/block.sum. n_data: copies of data there; more: absolute paths. */
int bind_sum_write(const char *folder, unsigned n_data, const char *const *more, unsigned n_more, struct err *e);

/* Whether all files are what the folder's block.sum says. other: the first of the additional files, or "". */
int bind_sum_holds(const char *folder, char other[4200]);

/* Hash of what the library in the folder was built from: bind_rtl.sum. src: the files that are known. */
int bind_sum_sources(const char *folder, const struct bind_sources *src, uint64_t *sum, struct err *e);

#endif
