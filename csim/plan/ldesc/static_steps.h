/* The steps of a group of accesses: by how much an address moves from thread to thread and from iteration to
 * iteration. */
#ifndef CSIM_PLAN_LDESC_STATIC_STEPS_H
#define CSIM_PLAN_LDESC_STATIC_STEPS_H

#include "plan/ldesc/static_source.h"

int64_t static_size(int64_t k); /* without its sign */

/* Terms of an access that take more than one value. steps: the greatest. */
typedef void static_term_fn(void *ctx, int64_t k, uint64_t steps);
void static_thread_terms(const struct affine_launch *l, const struct affine_access *x, static_term_fn *fn, void *ctx);
void static_loop_terms(const struct affine_launch *l, const struct affine_access *x, static_term_fn *fn, void *ctx);

struct static_least {
	int64_t from, k; /* the least of at least `from`; 0: none */
};
void static_take_least(void *ctx, int64_t k, uint64_t steps); /* a static_term_fn */

/* The least of at least `from` bytes, 0 if there is none: of a loop; of threads; of accesses behind the first. */
int64_t static_loop_step(const struct static_group *g, int64_t from);
int64_t static_thread_step(const struct static_group *g, int64_t from);
int64_t static_next_offset(const struct static_group *g, int64_t from);

#endif
