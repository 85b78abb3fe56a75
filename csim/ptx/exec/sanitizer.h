/* The checks of one CTA while it runs (ptx/exec/findings.h): who has written each byte of its shared memory last, who
 * has read it since, and which bytes of shared and local memory nobody has written. */
#ifndef CSIM_PTX_SANITIZER_H
#define CSIM_PTX_SANITIZER_H

#include "ptx/exec/exec.h"
#include "ptx/exec/order_of_warps.h"

struct sanitizer;

/* Room for a CTA of x's launch; NULL: nothing is looked for. */
struct sanitizer *sanitizer_new(const struct exec *x);
/* A barrier to which lanes of `mask` have come without others of their warp. */
void sanitizer_divergent(const struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask);
void sanitizer_free(struct sanitizer *c);

void sanitizer_begin(struct sanitizer *c, const struct exec *x);
/* The access of an instruction's lanes of mask to shared or local memory, whose places are found. */
void sanitizer_access(struct exec *x, const struct warp *w, const struct insn *i, enum trace_space space, uint32_t mask,
		      const struct access *a);
struct order_of_warps *sanitizer_order(struct sanitizer *c);

#endif
