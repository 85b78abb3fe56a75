/* The API by which a host program describes the locality of a launch's data structures (ldesc, section 3.3 and Figure
 * 9); what a descriptor says and what is refused: ldesc/ldesc.h. How to annotate a program: docs/studies/ldesc.md.
 *
 * A descriptor holds for all later launches of a kernel, until it is replaced or the kernel's are forgotten; so
 * semantics may change between launches (section 4.1). It changes neither memory nor the trace. It is checked against
 * the grid at each launch, whether a planner reads it or not.
 */
#ifndef CSIM_WORKLOAD_LDESC_API_H
#define CSIM_WORKLOAD_LDESC_API_H

#include "ldesc/ldesc_shapes.h"
#include "workload/program.h"

/* `l` without name and base, which are those of `base`, an address in a buffer. bytes 0: up to the buffer's end. Takes
 * the place of the kernel's descriptor of that structure and locality type, if there is one. Returns -1 with e filled
 * for one that is refused or a kernel that is not there. */
int ldesc_describe(struct host *h, const char *kernel, uint64_t base, const struct ldesc *l, struct err *e);
/* Those of a kernel, and no others from now on: priorities 1, 2 .. in their order. */
struct ldesc_given {
	uint64_t base;
	struct ldesc l;
};
int ldesc_describe_all(struct host *h, const char *kernel, uint32_t n, const struct ldesc_given *given, struct err *e);
/* All of the kernel. */
void ldesc_forget(struct host *h, const char *kernel);

/* Those of each launch so far, in an array that is in host_options.descriptors; a launch without any has NULL. NULL:
 * there were none at all, or they are not kept. */
const struct ldesc_set *const *host_descriptors(const struct host *h);

#endif
