/* What the planners of the Locality Descriptor find out about a program, ahead of the plan's slots. */
#ifndef CSIM_LDESC_PLAN_LDESC_PLAN_H
#define CSIM_LDESC_PLAN_LDESC_PLAN_H

#include <stdio.h>

#include "ldesc/ldesc_clusters.h"
#include "ldesc/ldesc_zones.h"
#include "ldesc_plan/ldesc_source.h"
#include "plan/planner.h"

/* CTAs that form clusters: all of a launch, or a module's. */
struct ldesc_found_clusters {
	uint32_t size[3], n, ctas; /* ctas 0: the rest means nothing */
};

struct ldesc_found {		     /* of a launch */
	const struct ldesc_set *set; /* NULL: it has no descriptors */
	struct ldesc_set placed;     /* those that take part in Algorithm 2: the first of each buffer that is placed */
	struct ldesc_zones zones;    /* by them, an even split if there are none; zones.zone NULL: the machine has one module */
	struct ldesc_found_clusters *clusters; /* of each module; NULL: CTAs go round robin */
	const struct plan_lists *lists;	       /* with clusters */
};

struct ldesc_plan {
	const struct planner_request *req;
	enum ldesc_source source;
	struct ldesc_numa numa; /* modules are the zones */
	bool is_numa;
	struct ldesc_found *launch;
	struct ldesc_map *map; /* of each buffer */
};

/* All of it: maps of buffers, zones, clusters and lists of launches. choice: of ldesc_options. Fails for a program without
 * descriptors. */
int ldesc_plan_find(struct ldesc_plan *f, const struct plan *p, const struct planner_request *req, const unsigned *choice,
		    struct err *e);
/* In words, for people. */
void ldesc_plan_print(const struct ldesc_plan *f, FILE *to);

#endif
