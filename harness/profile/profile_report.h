/* What `locus profile` prints: the hottest lines, or kernels whole; and its JSON. */
#ifndef HARNESS_PROFILE_PROFILE_REPORT_H
#define HARNESS_PROFILE_PROFILE_REPORT_H

#include <stdio.h>

#include "profile/profile_lines.h"
#include "profile/source_text.h"

struct profile_report {
	const struct profile_lines *lines;
	struct source_text *text;
	uint64_t cycles, slots; /* core cycles of the run; of all schedulers */
};

/* A line for each of the `most` hottest lines. */
void profile_report_hottest(const struct profile_report *r, uint32_t most, FILE *to);

/* Each kernel that was run: its lines, and below each the instructions that come from it. */
void profile_report_kernels(const struct profile_report *r, FILE *to);

/* {"cycles", "scheduler_cycles", "kernels": [{"name", "instructions": [...]}], "no_instruction"}. */
struct json_t *profile_report_json(const struct profile_report *r);

#endif
