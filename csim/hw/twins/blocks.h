/* The hardware blocks that there are: the one list to which a new block adds itself. */
#ifndef CSIM_HW_TWINS_BLOCKS_H
#define CSIM_HW_TWINS_BLOCKS_H

#include "hw/block.h"

/* All blocks, in a fixed order; NULL ends the list. */
extern const struct hw_block *const hw_blocks[];
const struct hw_block *hw_block_named(const char *name); /* NULL: none */

#endif
