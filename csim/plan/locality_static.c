/* Reader sets from the PTX alone.
 *
 * An exact load (affine_is_exact) is read at the addresses that the analysis enumerates, CTA by CTA.
 */
#include "plan/locality_collect.h"

struct telling { /* of one load */
	const struct affine_access *x;
	struct collect *to;
	uint64_t size; /* of its buffer */
};

static bool tell(void *ctx, uint32_t thread, int64_t offset)
{
	const struct telling *t = ctx;

	(void)thread;
	if (offset >= 0 && (uint64_t)offset + t->x->width <= t->size)
		collect_read(t->to, (uint32_t)t->x->at.buffer, (uint64_t)offset, t->x->width, t->x->width);
	return true;
}

static bool is_read(const struct affine_access *x)
{
	return x->kind == AFFINE_LOAD;
}

static uint32_t narrowest_load(const struct affine_launch *l)
{
	uint32_t least = 16;

	for (uint32_t i = 0; i < l->n_accesses; i++)
		if (is_read(&l->access[i]) && l->access[i].width && l->access[i].width < least)
			least = l->access[i].width;
	return least;
}

static void collect_cta(struct collect *c, const struct plan_ask *ask, const struct affine_launch *l, uint32_t cta)
{
	const uint32_t at[3] = {cta % l->grid[0], cta / l->grid[0] % l->grid[1], cta / l->grid[0] / l->grid[1]};

	for (uint32_t i = 0; i < l->n_accesses; i++) {
		const struct affine_access *x = &l->access[i];
		struct telling t = {.x = x, .to = c};

		if (!is_read(x) || !affine_is_exact(l, x))
			continue;
		t.size = trace_buffer(ask->trace, (uint32_t)x->at.buffer)->size;
		affine_enumerate(l, x, at, tell, &t);
	}
	collect_cta_end(c, cta);
}

int locality_readers_static(struct locality_readers *r, const struct plan_ask *ask, uint32_t launch, bool lines, struct err *e)
{
	const struct trace_launch *t = trace_launch(ask->trace, launch);
	const struct affine_launch *l;
	struct collect *c;

	*r = (struct locality_readers){0};
	if (!ask->analysis)
		return err_set(e, "a recorded or imported trace has no PTX to analyse: the locality graph needs the source trace");
	if (t->n_ctas > COLLECT_MAX_CTAS)
		return err_set(e, "launch %u has %u CTAs; a locality graph has at most %u", launch, t->n_ctas, COLLECT_MAX_CTAS);
	l = ask->analysis[launch];
	c = collect_new(t->n_ctas, trace_n_buffers(ask->trace), lines ? LOCALITY_LINE : narrowest_load(l), lines);
	for (uint32_t i = 0; i < t->n_ctas; i++)
		collect_cta(c, ask, l, i);
	collect_finish(c, r);
	for (uint32_t i = 0; i < l->n_accesses; i++) {
		const struct affine_access *x = &l->access[i];

		if (!is_read(x))
			continue;
		if (affine_is_exact(l, x))
			r->loads.exact++;
		else
			r->loads.open++;
	}
	return 0;
}
