/* A plan as JSON, and what that has in common with its text (cli/plan_report.h). */
#ifndef HARNESS_SESSION_PLAN_JSON_H
#define HARNESS_SESSION_PLAN_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "plan/plan.h"
#include "trace/trace.h"

/* {"planner", "arrays": {name: {"placement", "verdict", "why", "line", "stride", "chunk"}}, "launches": [{"first",
 * "launches", "dispatch", "localities": [{"structure", "base", "bytes", "priority", "caching", "prefetch",
 * "distance"}], ...}]}; short: no pages. */
struct json_t;
struct json_t *plan_json(const struct plan *p, const struct trace *t);

extern const char *const plan_placement_names[PLACE_COUNT], *const plan_dispatch_names[DISPATCH_COUNT],
								    *const plan_caching_names[LOCALITY_CACHINGS],
									    *const plan_prefetch_names[LOCALITY_PREFETCHES];

/* Whether two launches are dispatched in the same way. */
bool plan_launches_alike(const struct plan *p, uint32_t x, uint32_t y);

struct plan_list_sizes {
	uint32_t least, most; /* CTAs of a list */
};
struct plan_list_sizes plan_list_sizes(const struct plan_lists *l);

#endif
