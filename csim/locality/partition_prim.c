/* Prim's algorithm with a binary heap of all vertices that are left, the one with the heaviest edge to the tree on
 * top. */
#include <stdlib.h>

#include "base/alloc.h"
#include "base/panic.h"
#include "locality/partition.h"

#define OUTSIDE UINT32_MAX

struct heap {
	uint32_t n;
	uint32_t *v;	    /* CTAs */
	uint32_t *position; /* by CTA: in v; OUTSIDE: not among them */
	uint32_t *weight;   /* by CTA: of its heaviest edge to the tree; 0: none */
};

static bool before(const struct heap *h, uint32_t a, uint32_t b)
{
	return h->weight[a] != h->weight[b] ? h->weight[a] > h->weight[b] : a < b;
}

static void put(struct heap *h, uint32_t at, uint32_t cta)
{
	h->v[at] = cta;
	h->position[cta] = at;
}

static void move_up(struct heap *h, uint32_t at)
{
	uint32_t cta = h->v[at];

	for (; at && before(h, cta, h->v[(at - 1) / 2]); at = (at - 1) / 2)
		put(h, at, h->v[(at - 1) / 2]);
	put(h, at, cta);
}

static void move_down(struct heap *h, uint32_t at)
{
	uint32_t cta = h->v[at];

	for (uint32_t child = 2 * at + 1; child < h->n; child = 2 * at + 1) {
		child += child + 1 < h->n && before(h, h->v[child + 1], h->v[child]);
		if (!before(h, h->v[child], cta))
			break;
		put(h, at, h->v[child]);
		at = child;
	}
	put(h, at, cta);
}

static uint32_t take_top(struct heap *h)
{
	uint32_t top = h->v[0], last = h->v[--h->n];

	h->position[top] = OUTSIDE;
	if (h->n) {
		put(h, 0, last);
		move_down(h, 0);
	}
	return top;
}

void partition_prim(const struct locality_graph *g, uint32_t *v, uint32_t n)
{
	struct heap h = {.n = n,
			 .v = xmalloc((n + (size_t)1) * sizeof *h.v),
			 .position = xmalloc((g->n + (size_t)1) * sizeof *h.position),
			 .weight = xcalloc(g->n + (size_t)1, sizeof *h.weight)};

	for (uint32_t i = 0; i < g->n; i++)
		h.position[i] = OUTSIDE;
	for (uint32_t i = 0; i < n; i++) { /* ascending and of equal weight: a heap already */
		PANIC_UNLESS(v[i] < g->n && (i == 0 || v[i - 1] < v[i]), "partition", i);
		put(&h, i, v[i]);
	}
	for (uint32_t i = 0; i < n; i++) {
		v[i] = take_top(&h);
		for (uint64_t k = g->first[v[i]]; k < g->first[v[i] + 1]; k++)
			if (h.position[g->to[k]] != OUTSIDE && h.weight[g->to[k]] < g->weight[k]) {
				h.weight[g->to[k]] = g->weight[k];
				move_up(&h, h.position[g->to[k]]);
			}
	}
	free(h.v);
	free(h.position);
	free(h.weight);
}
