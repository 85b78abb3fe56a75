/* What changed between results, as a table: how much faster each is than the first, then each figure that differs,
 * largest relative change first. */
#ifndef HARNESS_CLI_DIFF_TABLE_H
#define HARNESS_CLI_DIFF_TABLE_H

#include <stdbool.h>

struct json_t;

struct diff_run {
	const char *label;    /* over its column */
	struct json_t *whole; /* a result (session/result.h) */
};

/* Prints it on standard output; all: also the metrics of single SMs, channels and buffers. Returns how many figures
 * differ; with none it prints that. */
unsigned diff_table_print(const struct diff_run *run, unsigned n, bool all);

#endif
