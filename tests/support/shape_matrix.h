/* Shapes of the blocks at which their hardware is compared with its twin under corner stimulus: the ends of each
 * parameter's range, powers of two and what is just none, widths at which a field needs another bit or fills a word.
 *
 * The matrix as a whole takes minutes, as each shape is a build of Verilator (`make shapes`); some shapes, which
 * between them have most of these corners, are run by `make test` too.
 */
#ifndef TESTS_SUPPORT_SHAPE_MATRIX_H
#define TESTS_SUPPORT_SHAPE_MATRIX_H

#include <stdbool.h>

#include "hw/block.h"

struct matrix_shape {
	const struct hw_block *block;
	const char *params; /* "sets=32 poly=37" */
	bool always;	    /* in `make test`, too */
};

enum { MATRIX_SEED = 15, MATRIX_STEPS = 60000, MATRIX_MOST = 200 /* shapes */ };

unsigned matrix_size(void);
const struct matrix_shape *matrix_shape(unsigned number); /* 0 to matrix_size() - 1 */

/* All of it is run if LOCUS_SHAPES is "all". */
bool matrix_is_whole(void);
/* Whether a shape is run, and with how many seeds, MATRIX_SEED and those after it. */
bool matrix_has(const struct matrix_shape *s);
unsigned matrix_seeds(void);

#endif
