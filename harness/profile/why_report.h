/* What `locus why` prints of the paths of a run's requests (sm/lsu/path_log.h): for each load where its time goes and
 * what it waits for, whose lines these were, and the slowest ones station by station. */
#ifndef HARNESS_PROFILE_WHY_REPORT_H
#define HARNESS_PROFILE_WHY_REPORT_H

#include <stdio.h>

#include "machine/machine.h"
#include "profile/source_text.h"
#include "run/request_paths.h"

struct why_report {
	const struct request_paths *paths;
	const struct trace *trace;
	const struct machine *machine;
	struct source_text *text;
};

/* loads: instructions, those whose loads took most in all, the first of them in detail; slowest: loads. At most so
 * many. */
void why_report_print(const struct why_report *r, uint32_t loads, uint32_t slowest, FILE *to);

/* {"filter", "ticks_per_core_cycle", "stations", "waits", "loads", "instructions": [...], "waited_for": [...],
 * "slowest": [...], "every", "sample": [...]}: docs/how-to/why.md. filter: as it was given. */
struct json_t *why_report_json(const struct request_paths *p, const struct trace *t, const struct machine *m, const char *filter);

/* What it calls these: "miss", "hit_reserved", "mshr_entry". */
const char *why_report_found(const struct path_request *r);
const char *why_report_l2(const struct path_request *r); /* of one that did not hit in the L1 */
const char *why_report_wait(enum path_wait w);

#endif
