#include "workload/suffix_tree.h"

#include <stdlib.h>
#include <string.h>

struct text {
	const uint8_t *letter;
	uint32_t n;
};

static int compare(const void *x, const void *y, void *of)
{
	const struct text *t = of;
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y, longer = a > b ? a : b;
	int c = memcmp(t->letter + a, t->letter + b, t->n - longer);

	/* The one that starts later is the shorter one. */
	return c ? c : a > b ? -1 : a < b;
}

uint32_t *suffix_sort(struct host *h, const uint8_t *text, uint32_t n)
{
	struct text t = {text, n};
	uint32_t *sorted = host_scratch(h, n, sizeof *sorted);

	for (uint32_t i = 0; i < n; i++)
		sorted[i] = i;
	qsort_r(sorted, n, sizeof *sorted, compare, &t);
	return sorted;
}

/* common[k]: how many letters the suffixes k-1 and k in order begin with alike; common[0] is 0. */
static uint32_t *common_prefixes(struct host *h, const uint8_t *text, uint32_t n, const uint32_t *sorted)
{
	uint32_t *common = host_scratch(h, n, sizeof *common), *rank = host_scratch(h, n, sizeof *rank), length = 0;

	for (uint32_t k = 0; k < n; k++)
		rank[sorted[k]] = k;
	for (uint32_t i = 0; i < n; i++) {
		if (!rank[i]) {
			length = 0;
			continue;
		}
		for (uint32_t j = sorted[rank[i] - 1]; i + length < n && j + length < n && text[i + length] == text[j + length];)
			length++;
		common[rank[i]] = length;
		length -= length > 0;
	}
	return common;
}

struct builder {
	const uint8_t *text;
	struct suffix_node *node;
	uint32_t *depth, *at; /* of a node: letters from the root; a place where its string is */
	uint32_t *stack, height, n_nodes;
};

static uint32_t add(struct builder *b, uint32_t depth, uint32_t at)
{
	uint32_t v = b->n_nodes++;

	b->node[v] = (struct suffix_node){.link = 0};
	b->depth[v] = depth;
	b->at[v] = at;
	return v;
}

static void hang(struct builder *b, uint32_t parent, uint32_t v)
{
	struct suffix_node *node = &b->node[v];

	node->parent = parent;
	node->start = b->at[v] + b->depth[parent];
	node->end = b->at[v] + b->depth[v];
	b->node[parent].child[b->text[node->start]] = v;
}

/* Takes nodes deeper than `depth` off the stack, which is the way from the root to the last suffix; a node of that very
 * depth is made if there is none, and stays on top. */
static void climb(struct builder *b, uint32_t depth)
{
	while (b->depth[b->stack[b->height - 1]] > depth) {
		uint32_t v = b->stack[--b->height];

		if (b->depth[b->stack[b->height - 1]] < depth)
			b->stack[b->height++] = add(b, depth, b->at[v]);
		hang(b, b->stack[b->height - 1], v);
	}
}

/* From node `from` down along the `length` letters at `start`, which lead to a node: it is enough to look at first
 * letters. */
static uint32_t descend(const struct builder *b, uint32_t from, uint32_t start, uint32_t length)
{
	while (length) {
		uint32_t edge;

		from = b->node[from].child[b->text[start]];
		edge = b->node[from].end - b->node[from].start;
		start += edge;
		length -= edge;
	}
	return from;
}

/* Parents first: a node's link starts from its parent's. */
static void link_nodes(struct builder *b)
{
	b->height = 1;
	b->stack[0] = 0;
	while (b->height) {
		uint32_t v = b->stack[--b->height];
		struct suffix_node *node = &b->node[v];

		if (v) {
			uint32_t skip = node->parent == 0;

			node->link = descend(b, b->node[node->parent].link, node->start + skip, node->end - node->start - skip);
		}
		for (unsigned letter = 0; letter < SUFFIX_LETTERS; letter++)
			if (node->child[letter])
				b->stack[b->height++] = node->child[letter];
	}
}

uint32_t suffix_tree_build(struct host *h, const uint8_t *text, uint32_t n, const uint32_t *sorted, struct suffix_node *node)
{
	uint64_t room = UINT64_C(2) * n;
	const uint32_t *common = common_prefixes(h, text, n, sorted);
	struct builder b = {.text = text,
			    .node = node,
			    .depth = host_scratch(h, room, sizeof *b.depth),
			    .at = host_scratch(h, room, sizeof *b.at),
			    .stack = host_scratch(h, room, sizeof *b.stack)};

	b.stack[b.height++] = add(&b, 0, 0);
	for (uint32_t k = 0; k < n; k++) {
		climb(&b, common[k]);
		b.stack[b.height++] = add(&b, n - sorted[k], sorted[k]);
	}
	climb(&b, 0);
	link_nodes(&b);
	return b.n_nodes;
}
