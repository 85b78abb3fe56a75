/* Loads of neighbouring words of shared memory that an assembler makes one of 8 or 16 bytes, since it knows where
 * arrays will be: ptxas 13 does so for sm_80, whatever alignment PTX gives them.
 *
 * Words of 16 aligned bytes become one LDS.128 if they are three or four, an aligned pair of them one LDS.64, as long
 * as nothing in between writes shared memory, or orders accesses to it. */
#ifndef CSIM_PTX_FOLD_WIDE_H
#define CSIM_PTX_FOLD_WIDE_H

#include "ptx/lower/fold.h"
#include "ptx/lower/graph.h"

/* Behind fold_copies(). The load of the lowest address becomes the wide one, the others an OP_NOP without registers. */
void fold_wide(struct fold *f, const struct graph *g);

#endif
