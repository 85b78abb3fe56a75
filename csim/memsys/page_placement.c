#include "memsys/page_placement.h"

#include <stdlib.h>

static const uint8_t default_placement[] = {[PAGE_PLACE_INTERLEAVE] = PAGES_INTERLEAVED,
					    [PAGE_PLACE_PAGES] = PAGES_BY_PAGE,
					    [PAGE_PLACE_FIRST_TOUCH] = PAGES_FIRST_TOUCH};
static const enum pages_origin origins[] = {
	[MIGRATE_OFF] = PAGES_ORIGIN_NONE, [MIGRATE_INTERLEAVE] = PAGES_ORIGIN_INTERLEAVED, [MIGRATE_PAGES] = PAGES_ORIGIN_BY_PAGE};

static int take_static(const struct pages *p, const struct plan_buffer *b, struct pages_range *r, struct err *e)
{
	uint64_t first = pages_number(p, r->base), last = pages_number(p, r->base + r->size - 1);

	if (last - first >= b->n_pages)
		return err_set(e, "plan: %u pages for buffer %s, which has %llu", b->n_pages, r->name,
			       (unsigned long long)(last - first + 1));
	for (uint64_t i = 0; i <= last - first; i++)
		if (b->stack[i] >= p->p.stacks)
			return err_set(e, "plan: page %llu of buffer %s on stack %u of %u", (unsigned long long)i, r->name,
				       b->stack[i], p->p.stacks);
	r->stack = b->stack;
	return 0;
}

/* What the plan says about a buffer. */
static int take_plan(const struct pages *p, const struct plan_buffer *b, struct pages_range *r, struct err *e)
{
	switch (b->placement) {
	case PLACE_FGP:
		r->placement = PAGES_INTERLEAVED;
		return 0;
	case PLACE_PAGES:
		r->placement = PAGES_BY_PAGE;
		return 0;
	case PLACE_FIRST_TOUCH:
		r->placement = PAGES_FIRST_TOUCH;
		r->together = b->together;
		if (p->p.origin && b->together > p->p.page)
			return err_set(e, "plan: buffer %s is placed in blocks of %u bytes: vm.migrate moves single pages", r->name,
				       b->together);
		return 0;
	case PLACE_STATIC:
		r->placement = PAGES_STATIC;
		return take_static(p, b, r, e);
	case PLACE_BASE_BIT:
		r->placement = PAGES_BASE_BIT;
		r->base_bit = b->base_bit;
		if (b->base_bit < PAGE_BASE_LOW || b->base_bit > PAGE_BASE_HIGH)
			return err_set(e, "plan: base bit %u for buffer %s: not in %d..%d", b->base_bit, r->name, PAGE_BASE_LOW,
				       PAGE_BASE_HIGH);
		return 0;
	case PLACE_XOR:
		r->placement = PAGES_XOR;
		return 0;
	default:
		return 0;
	}
}

static int by_base(const void *a, const void *b)
{
	const struct pages_range *x = a, *y = b;

	return x->base < y->base ? -1 : x->base > y->base;
}

int gpu_pages_build(struct pages *p, struct arena *a, const struct machine *m, const struct trace *t, const struct plan *plan,
		    const struct pages_scratch *scratch, struct err *e)
{
	struct pages_params params = {.stacks = m->dram.stacks,
				      .page = m->vm.page,
				      .stack_bytes = (uint64_t)m->vm.stack_mib << 20,
				      .placement = default_placement[m->vm.placement],
				      .origin = origins[m->vm.migrate]};
	uint32_t n = trace_n_buffers(t);
	struct pages_range *r = arena_array(a, n + 1, sizeof *r);

	pages_init(p, a, &params);
	for (uint32_t i = 0; i < n; i++) {
		const struct trace_buffer *b = trace_buffer(t, i);

		r[i] = (struct pages_range){
			.name = b->name, .base = b->base, .size = b->size, .placement = params.placement, .data = true};
		if (b->size && plan && plan->buffer && i < plan->n_buffers && take_plan(p, &plan->buffer[i], &r[i], e) != 0)
			return -1;
	}
	r[n] = (struct pages_range){
		.name = scratch->name, .base = scratch->base, .size = scratch->bytes, .placement = params.placement};
	qsort(r, n + 1, sizeof *r, by_base);
	for (uint32_t i = 0; i <= n; i++)
		if (pages_add(p, &r[i], e) != 0)
			return -1;
	return 0;
}
