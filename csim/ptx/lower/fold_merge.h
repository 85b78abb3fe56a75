/* Instructions that an assembler makes one of: a product and the sum that alone reads it are a multiply-add. */
#ifndef CSIM_PTX_FOLD_MERGE_H
#define CSIM_PTX_FOLD_MERGE_H

#include "ptx/lower/fold.h"
#include "ptx/lower/graph.h"

/* Behind fold_names(). What is merged into another becomes an OP_NOP without registers. */
void fold_merge(struct fold *f, const struct graph *g);

/* Copies at the end of a loop's body, of values that could have been computed in place. */
void fold_copies(struct fold *f, const struct graph *g);

#endif
