/* Locality descriptors from the PTX (ldesc, section 4.1: "static analysis"), for a launch and each buffer that it
 * accesses.
 *
 * What is known of an access is its address as a linear form (affine/affine.h):
 *
 *   c + sum of k_t * thread index + sum of k_b * CTA index + sum of k_l * iteration + slack
 *
 * Accesses of a buffer with the same k_b go together; of several such groups the one through which a CTA touches
 * most bytes describes the buffer. Its tiles come from where k_b puts the CTAs (static_tiles.c), its type from who
 * comes to the same address again (static_source.c). The rules as equations: docs/studies/ldesc.md.
 */
#ifndef CSIM_PLAN_LDESC_STATIC_SOURCE_H
#define CSIM_PLAN_LDESC_STATIC_SOURCE_H

#include "plan/planner.h"

/* Accesses of a buffer that move alike from CTA to CTA. */
struct static_group {
	const struct affine_launch *l;
	uint32_t n;
	const struct affine_access *const *access;
	const struct trace_buffer *buffer;
};

/* Of one group: tiles without a type. */
struct static_tiles {
	struct ldesc l;	   /* all but type, sharing, access, stride and priority */
	bool shared, halo; /* several C-tiles' worth of CTAs use a D-tile; neighbours reach into each other's */
};
struct static_tiles static_tiles_of(const struct static_group *g);
/* One tile. */
struct ldesc static_whole(const struct trace_buffer *b, uint32_t element);

/* Bytes from one iteration of the innermost loop to the next, or from thread to thread where there is none. */
uint64_t static_stride(const struct static_group *g);

/* By launch, from what is known of its accesses; NULL for one that accesses no buffer. Lies in req->arena. */
const struct ldesc_set *const *static_sets_of(const struct planner_request *req, const struct affine_launch *const *by_launch);

/* With what is known from the PTX. Fails for a program without. */
int static_source_sets(const struct planner_request *req, const char *plan, const struct ldesc_set *const **sets, struct err *e);

#endif
