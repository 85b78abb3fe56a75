/* Arithmetic on linear forms: see affine/affine.h. Forms are values; a sum, a product by a number and a join of two
 * forms are exact or carry slack. Coefficients that leave 62 bits become slack without bounds. */
#ifndef CSIM_AFFINE_FORM_H
#define CSIM_AFFINE_FORM_H

#include "affine/affine.h"

__extension__ typedef __int128 wide_int; /* for what may leave 64 bits */

int64_t form_clamp(wide_int x); /* into -AFFINE_INF .. AFFINE_INF */

struct affine_form form_number(int64_t c);
struct affine_form form_unknown(uint32_t deps, uint32_t pc); /* any number */
struct affine_form form_between(int64_t lo, int64_t hi, uint32_t deps, uint32_t pc);

bool form_is_number(const struct affine_form *f); /* neither indices nor slack, and no buffer */
bool form_has_slack(const struct affine_form *f);
bool form_is_same(const struct affine_form *a, const struct affine_form *b);
/* The linear parts are the same up to c, and so are the buffers; *d = b - a then, without slacks. */
bool form_differs_by_number(const struct affine_form *a, const struct affine_form *b, int64_t *d);
uint32_t form_deps(const struct affine_form *f); /* of all of it */

/* a + sign * b; pc: of the instruction, kept as the cause if there is trouble. */
struct affine_form form_add(const struct affine_form *a, const struct affine_form *b, int sign, uint32_t pc);
struct affine_form form_scale(const struct affine_form *a, int64_t s, uint32_t pc);
struct affine_form form_multiply(const struct affine_launch *l, const struct affine_form *a, const struct affine_form *b,
				 uint32_t pc);
/* Either of them. deps: what decides which. */
struct affine_form form_join(const struct affine_launch *l, const struct affine_form *a, const struct affine_form *b, uint32_t deps,
			     uint32_t pc);
/* The number of iterations of `loop` replaced by something between lo and hi. */
struct affine_form form_leave(const struct affine_form *f, uint32_t loop, int64_t lo, int64_t hi);
void form_add_loop(struct affine_form *f, uint32_t loop, int64_t k, uint32_t pc);

#endif
