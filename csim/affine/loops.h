/* Loops of the analysis: which blocks, how often. */
#ifndef CSIM_AFFINE_LOOPS_H
#define CSIM_AFFINE_LOOPS_H

#include "affine/affine_impl.h"

/* Orders the blocks, finds dominators and loops. */
void loops_find(struct state *s);
/* Counts the trips of loops of that depth anew, from the conditions at their exits; true if any changed. */
bool loops_count(struct state *s, uint32_t depth);
/* Dominators over the edges that can be taken. */
void loops_dominate(struct state *s, bool all_edges);
bool loops_dominates(const struct state *s, uint32_t a, uint32_t b);

/* flow.c */
bool flow_edge(const struct state *s, uint32_t from, uint32_t to);
const struct value *flow_guard(struct state *s, const struct value **reg, const struct insn *i);

#endif
