/* What a sampled run prints in place of the table of metrics: what was simulated and what was not, by stratum, and each
 * estimate with half of its interval's width. */
#ifndef HARNESS_CLI_SAMPLE_REPORT_H
#define HARNESS_CLI_SAMPLE_REPORT_H

#include <stdio.h>

#include "run/gpu_sampled.h"

void sample_report_text(const struct gpu_sampled *s, const struct trace *t, FILE *to);

#endif
