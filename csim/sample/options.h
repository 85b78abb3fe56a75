/* What a user asks of a sampled run: "error=3%,seed=1,confidence=95%,metric=cycles". */
#ifndef CSIM_SAMPLE_OPTIONS_H
#define CSIM_SAMPLE_OPTIONS_H

#include <stdint.h>

#include "base/err.h"

enum { SAMPLE_METRIC = 64 };

struct sample_options {
	double error;	   /* half of the interval's width over the estimate, at most: > 0, < 1 */
	double confidence; /* that the true value is in the interval: 0.5 .. 0.999 */
	uint64_t seed;
	char metric[SAMPLE_METRIC]; /* whose interval is to be that narrow */
};

/* error must be there; else 95 %, seed 1, cycles. Percentages end in "%" or are fractions. */
int sample_options_parse(const char *text, struct sample_options *o, struct err *e);

#endif
