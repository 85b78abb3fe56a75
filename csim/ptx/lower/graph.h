/* Basic blocks and their edges, for ptx/cfg.h. */
#ifndef CSIM_PTX_GRAPH_H
#define CSIM_PTX_GRAPH_H

#include "base/arena.h"
#include "ptx/lower/cfg.h"

struct block {
	uint32_t first, last; /* instructions */
	uint32_t next[3];     /* blocks that may follow; the number of blocks stands for the end */
	uint32_t n_next;
	uint32_t ipdom; /* block: immediate post-dominator */
	uint32_t order; /* in post-order of the reversed graph; GRAPH_UNSEEN: the end cannot be reached from here */
};

struct graph {
	struct arena arena;
	struct block *block; /* block[n_blocks] is the end */
	uint32_t n_blocks, *block_of;
	uint32_t *before, *first_before; /* predecessors of block b: before[first_before[b] .. first_before[b + 1]) */
};

#define GRAPH_UNSEEN UINT32_MAX

void graph_make(struct graph *g, const struct cfg_node *node, uint32_t n);

/* Lists the n_blocks + 1 blocks such that a block is behind those that may follow it, but for loops. */
void graph_backwards(struct graph *g, uint32_t *list);

#endif
