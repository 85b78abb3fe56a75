/* Where a planner's descriptors come from (ldesc, section 4.1): the program's annotations, its PTX, or the
 * trace. */
#ifndef CSIM_PLAN_LDESC_LDESC_SOURCE_H
#define CSIM_PLAN_LDESC_LDESC_SOURCE_H

#include "plan/planner.h"

enum ldesc_source { LDESC_ANNOTATED, LDESC_STATIC, LDESC_PROFILE };
/* The first option of each planner that reads descriptors; the only one in ldesc_options. */
/* clang-format off */
#define LDESC_SOURCE_OPTION {"source", "source of the locality descriptors", {"annotated", "static", "profile", NULL}}
/* clang-format on */
extern const struct planner_option ldesc_options[];

enum ldesc_source ldesc_source_of(const unsigned *choice);
bool ldesc_wants_analysis(const unsigned *choice); /* of the PTX */
const char *ldesc_source_name(enum ldesc_source source);

/* By launch, NULL for one without. Fails for a program that has none. */
int ldesc_source_sets(const struct ldesc_set *const **sets, enum ldesc_source source, const struct plan *p,
		      const struct planner_request *req, struct err *e);

#endif
