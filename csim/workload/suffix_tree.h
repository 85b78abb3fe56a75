/* A suffix tree of a text over four letters, with suffix links, as a kernel walks it; and the sorted suffixes it is
 * made from.
 *
 * The tree comes from the suffix array and the common prefixes of neighbours in it (Kasai et al., CPM 2001), so that it
 * takes no longer than sorting: the suffixes are compared letter by letter, which is quick for texts without long
 * repetitions.
 */
#ifndef CSIM_WORKLOAD_SUFFIX_TREE_H
#define CSIM_WORKLOAD_SUFFIX_TREE_H

#include <stdint.h>

#include "workload/program.h"

enum { SUFFIX_LETTERS = 4 };

/* Node 0 is the root. The letters on the way from the parent are text[start] .. text[end - 1]. link: the node whose
 * string is this one's without its first letter; the root's is the root. child: by letter, 0 where there is none. */
struct suffix_node {
	uint32_t start, end, link, parent, child[SUFFIX_LETTERS];
};

/* Suffixes of text[0 .. n-1], letters 0 to 3, in order; a suffix is before those that go on after it. In h's scratch
 * memory. */
uint32_t *suffix_sort(struct host *h, const uint8_t *text, uint32_t n);

/* Fills node[], room for 2n; returns how many there are. */
uint32_t suffix_tree_build(struct host *h, const uint8_t *text, uint32_t n, const uint32_t *sorted, struct suffix_node *node);

#endif
