#include "plan/tafe.h"

/* The array that was registered first and still is; NULL: none. */
static const struct taf_array *first_array(const struct taf *t)
{
	for (uint64_t i = 0; i < t->n_calls; i++) {
		const struct taf_array *a = &t->array[t->call[i].entry];

		if (t->call[i].op == TAF_REGISTER && a->valid && a->base == t->call[i].array.base)
			return a;
	}
	return NULL;
}

/* Elements from a CTA to the next one along dimension d. */
static uint32_t step(const struct taf *t, const struct taf_array *a, unsigned d)
{
	uint32_t m = a->m[3 + d];

	return t->grid[d] == 1 ? UINT32_MAX : m > INT32_MAX ? -m : m;
}

struct tafe_order tafe_order_of(const struct taf *t)
{
	struct tafe_order o = {{0, 1, 2}};
	const struct taf_array *a = first_array(t);

	if (!a || a->type != TAF_TID_DEP)
		return o;
	for (int i = 1; i < 3; i++)
		for (int k = i; k > 0 && step(t, a, o.dim[k]) < step(t, a, o.dim[k - 1]); k--) {
			uint8_t d = o.dim[k];

			o.dim[k] = o.dim[k - 1];
			o.dim[k - 1] = d;
		}
	return o;
}

uint32_t tafe_order_cta(const struct tafe_order *o, const uint32_t grid[3], uint32_t position)
{
	uint32_t at[3];

	for (int i = 0; i < 3; i++) {
		at[o->dim[i]] = position % grid[o->dim[i]];
		position /= grid[o->dim[i]];
	}
	return at[0] + grid[0] * (at[1] + grid[1] * at[2]);
}

static const struct plan_lists *lists_of(const struct planner_request *req, const struct tafe_order *o,
					 const struct trace_launch *l)
{
	struct plan_lists *lists = arena_alloc(req->arena, sizeof *lists);
	uint32_t sms = req->topology->n_sms, *first = arena_array(req->arena, sms + 1, sizeof *first);
	uint32_t *cta = arena_array(req->arena, l->n_ctas, sizeof *cta);

	for (uint32_t i = 0; i < l->n_ctas; i++) {
		cta[i] = tafe_order_cta(o, l->grid, i);
		first[tafe_order_sm(i, l->n_ctas, sms) + 1] = i + 1;
	}
	for (uint32_t s = 1; s <= sms; s++) /* an SM without CTAs */
		first[s] = first[s] ? first[s] : first[s - 1];
	*lists = (struct plan_lists){.n = sms, .first = first, .cta = cta};
	return lists;
}

static bool same_grid(const uint32_t x[3], const uint32_t y[3])
{
	return x[0] == y[0] && x[1] == y[1] && x[2] == y[2];
}

void tafe_place_ctas(struct plan *p, const struct planner_request *req, const struct tafe_order *o)
{
	enum { BACK = 2 }; /* programs repeat a launch, or take turns of two */

	p->launch = arena_array(req->arena, p->n_launches, sizeof *p->launch);
	for (uint32_t i = 0; i < p->n_launches; i++) {
		const struct trace_launch *l = trace_launch(req->trace, i);

		p->launch[i].dispatch = DISPATCH_LISTS;
		for (uint32_t k = 1; k <= BACK && k <= i && !p->launch[i].lists; k++)
			if (same_grid(trace_launch(req->trace, i - k)->grid, l->grid))
				p->launch[i].lists = p->launch[i - k].lists;
		if (!p->launch[i].lists)
			p->launch[i].lists = lists_of(req, o, l);
	}
}
