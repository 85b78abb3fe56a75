/* Runs Verilator and the C++ compiler for the cache of blocks. */
#ifndef HARNESS_BIND_TOOL_H
#define HARNESS_BIND_TOOL_H

#include "base/err.h"

/* Runs a program (looked up in PATH) with its output going to the file log; argv ends in NULL. 0, or -1 with the first
 * error that the program wrote ("my.v:12: syntax error, ..."). */
int bind_tool_run(const char *const argv[], const char *log, struct err *e);

/* The same in a folder, for a program that looks up files there; log and argv must not be relative. */
int bind_tool_run_in(const char *folder, const char *const argv[], const char *log, struct err *e);

#endif
