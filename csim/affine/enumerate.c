/* The addresses of an exact access, thread by thread. */
#include <string.h>

#include "affine/affine_impl.h"

struct walk {
	const struct affine_launch *l;
	const struct affine_access *x;
	affine_visit *visit;
	void *ctx;
	uint32_t thread;
	int64_t index[INDEX_COUNT];
	uint64_t *iteration; /* by loop */
};

bool affine_is_exact(const struct affine_launch *l, const struct affine_access *x)
{
	(void)l;
	return x->complete && x->at.buffer >= 0 && !form_has_slack(&x->at);
}

static bool step_into(struct walk *w, uint32_t level)
{
	const struct affine_loop *loop;
	uint64_t *t;

	if (level == w->x->n_loops) {
		for (uint32_t g = 0; g < w->x->n_guards; g++)
			if (!pred_holds(w->x->guard[g], w->index, w->iteration))
				return true;
		return w->visit(w->ctx, w->thread, form_at(&w->x->at, w->index, w->iteration));
	}
	loop = &w->l->loop[w->x->loop[level]];
	t = &w->iteration[w->x->loop[level]];
	for (*t = 0; *t < loop->trips; ++*t) {
		if (!step_into(w, level + 1))
			return false;
		if (loop->stay && !pred_holds(loop->stay, w->index, w->iteration))
			break;
	}
	*t = 0;
	return true;
}

void affine_enumerate(const struct affine_launch *l, const struct affine_access *x, const uint32_t cta[3], affine_visit *visit,
		      void *ctx)
{
	struct arena a = {0};
	struct walk w = {.l = l, .x = x, .visit = visit, .ctx = ctx, .iteration = arena_array(&a, l->n_loops, sizeof(uint64_t))};
	uint32_t n = l->block[0] * l->block[1] * l->block[2];
	bool more = true;

	for (int d = 0; d < 3; d++)
		w.index[INDEX_CTA_X + d] = cta[d];
	for (w.thread = 0; w.thread < n && more; w.thread++) {
		w.index[INDEX_TID_X] = w.thread % l->block[0];
		w.index[INDEX_TID_Y] = w.thread / l->block[0] % l->block[1];
		w.index[INDEX_TID_Z] = w.thread / l->block[0] / l->block[1];
		more = step_into(&w, 0);
	}
	arena_free(&a);
}
