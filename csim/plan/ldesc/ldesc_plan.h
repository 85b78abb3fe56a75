/* What the planners of the Locality Descriptor find out about a program, ahead of the plan's slots. */
#ifndef CSIM_PLAN_LDESC_LDESC_PLAN_H
#define CSIM_PLAN_LDESC_LDESC_PLAN_H

#include <stdio.h>

#include "ldesc/ldesc_choice.h"
#include "ldesc/ldesc_clusters.h"
#include "ldesc/ldesc_zones.h"
#include "plan/ldesc/ldesc_source.h"
#include "plan/planner.h"

/* CTAs that form clusters: all of a launch, or a module's. */
struct ldesc_found_clusters {
	uint32_t size[3], n, ctas; /* ctas 0: the rest means nothing */
};

struct ldesc_found {		     /* of a launch */
	const struct ldesc_set *set; /* NULL: it has no descriptors */
	struct ldesc_set placed;     /* those that take part in Algorithm 2: the first of each buffer that is placed */
	/* by them, an even split if there are none; zones.zone NULL: the machine has one module */
	struct ldesc_zones zones;
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

/* All of it: maps of buffers, zones, clusters and lists of launches. choice: where descriptors come from is first.
 * Fails for a program without descriptors. */
int ldesc_plan_find(struct ldesc_plan *f, const struct plan *p, const struct planner_request *req, const unsigned *choice,
		    struct err *e);
/* A launch of the request's trace, as descriptors want it. */
struct ldesc_launch ldesc_plan_launch(const struct planner_request *req, uint32_t launch);

/* Lists by SM from n CTAs in order and the SM of each. */
const struct plan_lists *ldesc_plan_lists(const struct planner_request *req, const uint32_t *order, const uint32_t *sm, uint32_t n);

/* Entries for the locality tables of each launch, those of highest priority if it has too many: ranges and
 * priorities, and of caching and prefetch what `choose` says; what it leaves alone stays as another part has made
 * it. CTAs are dealt already: a stride prefetch goes the farther ahead the fewer D-tiles they access at a time. */
void ldesc_plan_fill_localities(struct plan *p, const struct ldesc_plan *f, ldesc_choose_fn choose);

/* Bytes from a miss to the line that is prefetched, of D-tiles that `tiles` are in use of on an SM (ldesc, section
 * 4.5): as many strides as there are rows of the tiles in the L1, one at least. */
uint32_t ldesc_prefetch_distance(const struct ldesc *l, uint32_t l1_bytes, uint64_t tiles);

/* In words, for people. */
void ldesc_plan_print(const struct ldesc_plan *f, FILE *to);

#endif
