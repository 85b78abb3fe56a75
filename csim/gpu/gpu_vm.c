#include "gpu/gpu_vm.h"

#include <stdlib.h>

#include "gpu/gpu_impl.h"

uint32_t gpu_vm_parts(const struct machine *m)
{
	return m->vm.enabled ? 1 + 1 : 0;
}

static uint64_t step_mmu(void *part, uint64_t now)
{
	return mmu_step(part, now);
}

static uint64_t step_pager(void *part, uint64_t now)
{
	return pager_step(part, now);
}

/* ---- what is where ---- */

static const uint8_t default_place[] = {[PAGE_PLACE_INTERLEAVE] = PAGES_INTERLEAVED,
					[PAGE_PLACE_PAGES] = PAGES_BY_PAGE,
					[PAGE_PLACE_FIRST_TOUCH] = PAGES_FIRST_TOUCH};

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
	switch (b->place) {
	case PLACE_FGP:
		r->place = PAGES_INTERLEAVED;
		return 0;
	case PLACE_PAGES:
		r->place = PAGES_BY_PAGE;
		return 0;
	case PLACE_FIRST_TOUCH:
		r->place = PAGES_FIRST_TOUCH;
		return 0;
	case PLACE_STATIC:
		r->place = PAGES_STATIC;
		return take_static(p, b, r, e);
	case PLACE_BASE_BIT:
		r->place = PAGES_BASE_BIT;
		r->base_bit = b->base_bit;
		if (b->base_bit < PAGE_BASE_LOW || b->base_bit > PAGE_BASE_HIGH)
			return err_set(e, "plan: base bit %u for buffer %s: not in %d..%d", b->base_bit, r->name, PAGE_BASE_LOW,
				       PAGE_BASE_HIGH);
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

static uint64_t local_bytes(const struct gpu *g)
{
	uint64_t words = 0;

	for (uint32_t k = 0; k < trace_n_kernels(g->trace); k++)
		if (words < g->kernels[k].local_words)
			words = g->kernels[k].local_words;
	return words * 4 * TRACE_WARP_SIZE * g->m->sm.warps * g->m->sm.count;
}

static int map_buffers(struct gpu *g, uint64_t local_base, struct err *e)
{
	struct pages *p = &g->vm.pages;
	const struct plan *plan = g->config->plan;
	uint32_t n = trace_n_buffers(g->trace);
	struct pages_range *r = arena_array(&g->arena, n + 1, sizeof *r);

	for (uint32_t i = 0; i < n; i++) {
		const struct trace_buffer *b = trace_buffer(g->trace, i);

		r[i] = (struct pages_range){.name = b->name, .base = b->base, .size = b->size, .place = p->p.place};
		if (b->size && plan && plan->buffer && i < plan->n_buffers && take_plan(p, &plan->buffer[i], &r[i], e) != 0)
			return -1;
	}
	r[n] = (struct pages_range){.name = "local memory", .base = local_base, .size = local_bytes(g), .place = p->p.place};
	qsort(r, n + 1, sizeof *r, by_base);
	for (uint32_t i = 0; i <= n; i++)
		if (pages_add(p, &r[i], e) != 0)
			return -1;
	return 0;
}

/* ---- the parts ---- */

/* The queues hold all that can be asked for at a time (vm.l1_tlb.pending pages an SM), so nobody waits for room. */
static void build_queues(struct gpu *g)
{
	struct gpu_vm *v = &g->vm;
	uint64_t core = g->m->clock.period[CLOCK_CORE];
	uint32_t pending = g->m->vm.l1_pending;

	v->ask = arena_array(&g->arena, g->m->sm.count, sizeof *v->ask);
	v->answer = arena_array(&g->arena, g->m->sm.count, sizeof *v->answer);
	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		queue_init(&v->ask[s], &g->arena, pending, sizeof(struct mmu_ask), core);
		queue_init(&v->answer[s], &g->arena, pending, sizeof(struct mmu_answer), core);
	}
	v->fault = arena_array(&g->arena, v->modules, sizeof *v->fault);
	v->resolved = arena_array(&g->arena, v->modules, sizeof *v->resolved);
	for (uint32_t i = 0; i < v->modules; i++) {
		queue_init(&v->fault[i], &g->arena, pending * g->m->sm.count, sizeof(struct mmu_fault), core);
		queue_init(&v->resolved[i], &g->arena, pending * g->m->sm.count, sizeof(struct mmu_fault), core);
	}
}

static void build_pager(struct gpu *g)
{
	struct gpu_vm *v = &g->vm;
	uint64_t core = g->m->clock.period[CLOCK_CORE], *wake;

	v->pager = (struct pager){.pages = &v->pages,
				  .period = core,
				  .latency = g->m->vm.fault_latency * core,
				  .ports = v->modules,
				  .fault = v->fault,
				  .resolved = v->resolved,
				  .home = arena_array(&g->arena, v->modules, sizeof *v->pager.home)};
	wake = loop_add(&g->loop, step_pager, &v->pager, "pager");
	for (uint32_t i = 0; i < v->modules; i++) {
		v->pager.home[i] = (struct pager_home){.first = 0, .stacks = 1};
		v->fault[i].consumer_wake = wake;
	}
}

static void build_mmu(struct gpu *g, uint32_t module, uint32_t first_sm, uint32_t sms, uint64_t *const *sm_wake)
{
	struct gpu_vm *v = &g->vm;
	uint64_t *wake = loop_add(&g->loop, step_mmu, &v->mmu[module], "mmu");
	struct mmu_ports port = {.sms = sms,
				 .ask = &v->ask[first_sm],
				 .answer = &v->answer[first_sm],
				 .fault = &v->fault[module],
				 .resolved = &v->resolved[module],
				 .requester = (uint16_t)(g->m->sm.count + module)};

	if (g->m->vm.tlb) {
		port.out = memsys_port(g->memsys, port.requester, wake);
		port.in = memsys_replies(g->memsys, port.requester, wake);
	}
	for (uint32_t s = 0; s < sms; s++) {
		port.ask[s].consumer_wake = wake;
		port.answer[s].consumer_wake = sm_wake[first_sm + s];
	}
	port.resolved->consumer_wake = wake;
	mmu_init(&v->mmu[module], &g->arena, g->m, &v->pages, &port);
}

int gpu_vm_build(struct gpu *g, uint64_t local_base, uint64_t *const *wake, struct err *e)
{
	struct gpu_vm *v = &g->vm;
	struct pages_params p = {.stacks = 1,
				 .page = g->m->vm.page,
				 .stack_bytes = (uint64_t)g->m->vm.stack_mib << 20,
				 .place = default_place[g->m->vm.place]};

	if (!g->m->vm.enabled)
		return 0;
	v->on = true;
	v->modules = 1;
	pages_init(&v->pages, &g->arena, &p);
	if (map_buffers(g, local_base, e) != 0)
		return -1;
	build_queues(g);
	v->mmu = arena_array(&g->arena, v->modules, sizeof *v->mmu);
	for (uint32_t i = 0; i < v->modules; i++)
		build_mmu(g, i, 0, g->m->sm.count, wake);
	build_pager(g);
	return 0;
}

void gpu_vm_free(struct gpu_vm *v)
{
	if (v->on)
		pages_free(&v->pages);
}

struct translate_ports gpu_vm_ports(const struct gpu_vm *v, uint32_t sm)
{
	if (!v->on)
		return (struct translate_ports){0};
	return (struct translate_ports){.pages = &v->pages, .ask = &v->ask[sm], .answer = &v->answer[sm]};
}
