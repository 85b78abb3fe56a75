#include "ptx/lower/graph.h"

static void find_blocks(struct graph *g, const struct cfg_node *node, uint32_t n)
{
	bool *leader = arena_array(&g->arena, n + 1, sizeof *leader);

	leader[0] = true;
	for (uint32_t i = 0; i < n; i++) {
		if (node[i].target != CFG_NO_TARGET)
			leader[node[i].target] = true;
		if (node[i].target != CFG_NO_TARGET || !node[i].falls || node[i].ends)
			leader[i + 1] = true;
	}
	for (uint32_t i = 0; i < n; i++)
		g->n_blocks += leader[i];
	g->block = arena_array(&g->arena, g->n_blocks + 1, sizeof *g->block);
	g->block_of = arena_array(&g->arena, n + 1, sizeof *g->block_of);
	for (uint32_t i = 0, b = 0; i < n; i++) {
		b += leader[i] && i;
		if (leader[i])
			g->block[b].first = i;
		g->block[b].last = i;
		g->block_of[i] = b;
	}
	g->block_of[n] = g->n_blocks;
}

static void add_edge(struct graph *g, uint32_t from, uint32_t to)
{
	struct block *b = &g->block[from];

	for (uint32_t k = 0; k < b->n_next; k++)
		if (b->next[k] == to)
			return;
	b->next[b->n_next++] = to;
}

static void find_successors(struct graph *g, const struct cfg_node *node)
{
	for (uint32_t b = 0; b < g->n_blocks; b++) {
		const struct cfg_node *last = &node[g->block[b].last];

		if (last->falls)
			add_edge(g, b, g->block_of[g->block[b].last + 1]);
		if (last->target != CFG_NO_TARGET)
			add_edge(g, b, g->block_of[last->target]);
		if (last->ends)
			add_edge(g, b, g->n_blocks);
	}
}

static void find_predecessors(struct graph *g)
{
	uint32_t *fill = arena_array(&g->arena, g->n_blocks + 1, sizeof *fill);

	g->first_before = arena_array(&g->arena, g->n_blocks + 2, sizeof *g->first_before);
	for (uint32_t b = 0; b < g->n_blocks; b++)
		for (uint32_t k = 0; k < g->block[b].n_next; k++)
			g->first_before[g->block[b].next[k] + 1]++;
	for (uint32_t b = 0; b <= g->n_blocks; b++)
		g->first_before[b + 1] += g->first_before[b];
	g->before = arena_array(&g->arena, g->first_before[g->n_blocks + 1] + 1, sizeof *g->before);
	for (uint32_t b = 0; b < g->n_blocks; b++) {
		for (uint32_t k = 0; k < g->block[b].n_next; k++) {
			uint32_t to = g->block[b].next[k];

			g->before[g->first_before[to] + fill[to]++] = b;
		}
	}
}

void graph_make(struct graph *g, const struct cfg_node *node, uint32_t n)
{
	*g = (struct graph){0};
	find_blocks(g, node, n);
	find_successors(g, node);
	find_predecessors(g);
}

void graph_backwards(struct graph *g, uint32_t *list)
{
	uint32_t *stack = arena_array(&g->arena, g->n_blocks + 1, sizeof *stack);
	uint32_t *at = arena_array(&g->arena, g->n_blocks + 1, sizeof *at); /* predecessors looked at */
	bool *seen = arena_array(&g->arena, g->n_blocks + 1, sizeof *seen);
	uint32_t depth, position = g->n_blocks + 1;

	/* The end first, so that it is the root of all that reach it; then the last blocks of what never ends. */
	for (uint32_t root = g->n_blocks + 1; root-- > 0;) {
		if (seen[root])
			continue;
		seen[root] = true;
		stack[0] = root;
		for (depth = 1; depth;) {
			uint32_t b = stack[depth - 1];

			if (g->first_before[b] + at[b] == g->first_before[b + 1]) {
				list[--position] = b;
				depth--;
			} else {
				uint32_t to = g->before[g->first_before[b] + at[b]++];

				if (!seen[to])
					stack[depth++] = to;
				seen[to] = true;
			}
		}
	}
}
