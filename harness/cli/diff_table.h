/* The metrics in which results differ, as a table: the speed-up of each over the first, then the headline metrics
 * (session/result.h), then the others by relative change, the largest first. Metrics that grew more than a hundredfold,
 * or have no first value but 0, come last: their relative change says nothing. */
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
