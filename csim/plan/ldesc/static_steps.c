#include "plan/ldesc/static_steps.h"

int64_t static_size(int64_t k)
{
	return k < 0 ? -k : k;
}

/* Terms that take more than one value. steps: the greatest. */
void static_thread_terms(const struct affine_launch *l, const struct affine_access *x, static_term_fn *fn, void *ctx)
{
	for (int v = INDEX_TID_X; v <= INDEX_TID_Z; v++)
		if (x->at.k[v] && l->block[v] > 1)
			fn(ctx, x->at.k[v], l->block[v] - 1);
}

void static_loop_terms(const struct affine_launch *l, const struct affine_access *x, static_term_fn *fn, void *ctx)
{
	for (uint32_t i = 0; i < x->at.n_loops; i++) {
		const struct affine_loop *loop = &l->loop[x->at.loop[i].loop];

		if (x->at.loop[i].k && loop->trips > 1)
			fn(ctx, x->at.loop[i].k, loop->trips - 1);
	}
}

void static_take_least(void *ctx, int64_t k, uint64_t steps)
{
	struct static_least *m = ctx;

	(void)steps;
	k = static_size(k);
	if (k >= m->from && (!m->k || k < m->k))
		m->k = k;
}

static int64_t first_offset(const struct static_group *g)
{
	int64_t c = g->access[0]->at.c;

	for (uint32_t i = 1; i < g->n; i++)
		c = g->access[i]->at.c < c ? g->access[i]->at.c : c;
	return c;
}

/* The distance of the nearest access of at least `from` bytes behind the first; 0: none. */
int64_t static_next_offset(const struct static_group *g, int64_t from)
{
	struct static_least m = {.from = from};
	int64_t first = first_offset(g);

	for (uint32_t i = 0; i < g->n; i++)
		static_take_least(&m, g->access[i]->at.c - first, 0);
	return m.k;
}

/* The least step of a loop; that of an unrolled one is a multiple of the distance of its copies. */
int64_t static_loop_step(const struct static_group *g, int64_t from)
{
	struct static_least m = {.from = from};
	int64_t copy;

	for (uint32_t i = 0; i < g->n; i++)
		static_loop_terms(g->l, g->access[i], static_take_least, &m);
	copy = m.k ? static_next_offset(g, from) : 0;
	return copy && copy < m.k && m.k % copy == 0 ? copy : m.k;
}

int64_t static_thread_step(const struct static_group *g, int64_t from)
{
	struct static_least m = {.from = from};

	for (uint32_t i = 0; i < g->n; i++)
		static_thread_terms(g->l, g->access[i], static_take_least, &m);
	return m.k;
}

uint64_t static_stride(const struct static_group *g)
{
	int64_t loop = static_loop_step(g, 1);

	return (uint64_t)(loop ? loop : static_thread_step(g, 1));
}
