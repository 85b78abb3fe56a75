#include "ptx/lower/cfg.h"

#include "ptx/lower/graph.h"

/* Immediate dominators of the reversed graph: Lengauer and Tarjan, "A fast algorithm for finding dominators in a
 * flowgraph", TOPLAS 1979, with path compression: O(m log n) whatever the graph looks like. Blocks go by their number
 * in a depth-first search from the end (block.order); all arrays are indexed by it, and the end is 0. */
struct dominance {
	struct graph *g;
	uint32_t n;	   /* blocks that the search reached */
	uint32_t *block;   /* number -> block */
	uint32_t *parent;  /* in the search's tree */
	uint32_t *semi;	   /* semidominator */
	uint32_t *idom;	   /* immediate dominator */
	uint32_t *above;   /* in the forest of what has been linked: parent, or an ancestor after compression;
			    * GRAPH_UNSEEN: a root */
	uint32_t *least;   /* of the path up to `above`: the vertex with the least semidominator */
	uint32_t *pending; /* the first of the vertices that have this semidominator, and the next of each */
	uint32_t *pending_next;
	uint32_t *path;
};

static void number(struct dominance *d, uint32_t block, uint32_t parent)
{
	uint32_t v = d->n++;

	d->g->block[block].order = v;
	d->block[v] = block;
	d->parent[v] = parent;
	d->semi[v] = d->least[v] = v;
	d->above[v] = d->pending[v] = d->pending_next[v] = GRAPH_UNSEEN;
}

/* Numbers the blocks from which the end can be reached. */
static void search(struct dominance *d)
{
	const struct graph *g = d->g;
	uint32_t *at = arena_array(&d->g->arena, g->n_blocks + 1, sizeof *at); /* predecessors looked at */
	uint32_t v = 0;

	for (uint32_t b = 0; b <= g->n_blocks; b++)
		g->block[b].order = GRAPH_UNSEEN;
	number(d, g->n_blocks, 0);
	for (;;) {
		uint32_t b = d->block[v];

		if (g->first_before[b] + at[v] < g->first_before[b + 1]) {
			uint32_t to = g->before[g->first_before[b] + at[v]++];

			if (g->block[to].order == GRAPH_UNSEEN) {
				number(d, to, v);
				v = d->n - 1;
			}
		} else if (v) {
			v = d->parent[v];
		} else {
			break;
		}
	}
}

/* Of the path from v up to, not including, its tree's root: the vertex with the least semidominator. The path is
 * shortened. */
static uint32_t least_above(struct dominance *d, uint32_t v)
{
	uint32_t depth = 0;

	if (d->above[v] == GRAPH_UNSEEN)
		return v;
	for (uint32_t u = v; d->above[d->above[u]] != GRAPH_UNSEEN; u = d->above[u])
		d->path[depth++] = u;
	while (depth) {
		uint32_t u = d->path[--depth], up = d->above[u];

		if (d->semi[d->least[up]] < d->semi[d->least[u]])
			d->least[u] = d->least[up];
		d->above[u] = d->above[up];
	}
	return d->least[v];
}

static void find_semidominator(struct dominance *d, uint32_t v)
{
	const struct block *b = &d->g->block[d->block[v]];

	for (uint32_t k = 0; k < b->n_next; k++) {
		uint32_t from = d->g->block[b->next[k]].order;

		if (from != GRAPH_UNSEEN && d->semi[least_above(d, from)] < d->semi[v])
			d->semi[v] = d->semi[least_above(d, from)];
	}
	d->pending_next[v] = d->pending[d->semi[v]];
	d->pending[d->semi[v]] = v;
}

static void dominate(struct dominance *d)
{
	for (uint32_t v = d->n; v-- > 1;) {
		uint32_t up = d->parent[v];

		find_semidominator(d, v);
		d->above[v] = up;
		for (uint32_t w = d->pending[up]; w != GRAPH_UNSEEN; w = d->pending_next[w]) {
			uint32_t u = least_above(d, w);

			d->idom[w] = d->semi[u] < d->semi[w] ? u : up;
		}
		d->pending[up] = GRAPH_UNSEEN;
	}
	for (uint32_t v = 1; v < d->n; v++)
		if (d->idom[v] != d->semi[v])
			d->idom[v] = d->idom[d->idom[v]];
}

/* A block from which the end cannot be reached gets the end: lanes that part there never meet. */
static void post_dominators(struct graph *g)
{
	uint32_t n = g->n_blocks + 1;
	uint32_t *room = arena_array(&g->arena, n, 9 * sizeof *room);
	struct dominance d = {
		g,	     0, room, room + n, room + 2 * n, room + 3 * n, room + 4 * n, room + 5 * n, room + 6 * n, room + 7 * n,
		room + 8 * n};

	search(&d);
	dominate(&d);
	for (uint32_t b = 0; b < g->n_blocks; b++) {
		uint32_t v = g->block[b].order;

		g->block[b].ipdom = v == GRAPH_UNSEEN ? g->n_blocks : d.block[d.idom[v]];
	}
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
