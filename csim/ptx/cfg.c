#include "ptx/cfg.h"

#include "ptx/graph.h"

/* Post-order of the reversed graph from the end; returns how many blocks it reaches, listed in `list`. */
static uint32_t reversed_post_order(struct graph *g, uint32_t *list)
{
	uint32_t *stack = arena_array(&g->arena, g->n_blocks + 1, sizeof *stack);
	uint32_t *at = arena_array(&g->arena, g->n_blocks + 1, sizeof *at);
	bool *seen = arena_array(&g->arena, g->n_blocks + 1, sizeof *seen);
	uint32_t depth = 0, n = 0;

	for (uint32_t b = 0; b <= g->n_blocks; b++)
		g->block[b].order = GRAPH_UNSEEN;
	stack[depth++] = g->n_blocks;
	seen[g->n_blocks] = true;
	while (depth) {
		uint32_t b = stack[depth - 1], to;

		if (g->first_before[b] + at[b] == g->first_before[b + 1]) {
			g->block[b].order = n;
			list[n++] = b;
			depth--;
			continue;
		}
		to = g->before[g->first_before[b] + at[b]++];
		if (!seen[to]) {
			seen[to] = true;
			stack[depth++] = to;
		}
	}
	return n;
}

static uint32_t meet(const struct graph *g, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (g->block[a].order < g->block[b].order)
			a = g->block[a].ipdom;
		while (g->block[b].order < g->block[a].order)
			b = g->block[b].ipdom;
	}
	return a;
}

static uint32_t ipdom_now(const struct graph *g, const struct block *b)
{
	uint32_t found = GRAPH_UNSEEN;

	for (uint32_t k = 0; k < b->n_next; k++) {
		uint32_t to = b->next[k];

		if (g->block[to].order == GRAPH_UNSEEN || g->block[to].ipdom == GRAPH_UNSEEN)
			continue;
		found = found == GRAPH_UNSEEN ? to : meet(g, to, found);
	}
	return found;
}

/* Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph. A block from which the end cannot be
 * reached gets the end: lanes that part there never meet. */
static void post_dominators(struct graph *g)
{
	uint32_t *list = arena_array(&g->arena, g->n_blocks + 1, sizeof *list);
	uint32_t n = reversed_post_order(g, list);

	for (uint32_t b = 0; b < g->n_blocks; b++)
		g->block[b].ipdom = GRAPH_UNSEEN;
	g->block[g->n_blocks].ipdom = g->n_blocks;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = n - 1; i-- > 0;) {
			struct block *b = &g->block[list[i]];
			uint32_t found = ipdom_now(g, b);

			changed |= found != b->ipdom;
			b->ipdom = found;
		}
	}
	for (uint32_t b = 0; b < g->n_blocks; b++)
		if (g->block[b].ipdom == GRAPH_UNSEEN)
			g->block[b].ipdom = g->n_blocks;
}

void cfg_joins(const struct cfg_node *node, uint32_t n, uint32_t *join)
{
	struct graph g;

	graph_make(&g, node, n);
	post_dominators(&g);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t to = g.block[g.block_of[i]].ipdom;

		if (node[i].target != CFG_NO_TARGET)
			join[i] = to == g.n_blocks ? n : g.block[to].first;
	}
	arena_free(&g.arena);
}
