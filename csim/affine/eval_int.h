/* The operations on integers, over forms. */
#ifndef CSIM_AFFINE_EVAL_INT_H
#define CSIM_AFFINE_EVAL_INT_H

#include <string.h>

#include "affine/affine_impl.h"

struct op { /* an instruction's name, taken apart */
	char name[16];
	enum ptx_type type; /* the last part's */
	bool wide, hi;
	unsigned bits;
	bool is_signed;
};

static inline bool op_is(const struct op *o, const char *name)
{
	return !strcmp(o->name, name);
}

/* A number of 32 or 16 bits where its value matters, not only its low bits: widened, divided, compared. Values that
 * seem to wrap are taken as they are where they come near to what the type holds: a guard keeps the others away. */
struct affine_form int_as_type(const struct state *s, const struct affine_form *f, unsigned bits, bool is_signed, uint32_t pc);
bool int_within(const struct state *s, const struct affine_form *f, int64_t lo, int64_t hi);
/* x: the sources. False: no operation that is known here. */
bool int_operation(struct state *s, const struct op *o, const struct insn *i, const struct affine_form *x, struct affine_form *out);

#endif
