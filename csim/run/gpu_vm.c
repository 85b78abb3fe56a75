#include "run/gpu_vm.h"

#include "run/gpu_impl.h"
#include "memsys/page_placement.h"

uint32_t gpu_vm_parts(const struct machine *m)
{
	return m->vm.enabled ? m->module.count + 1 + (m->vm.migrate ? m->module.count : 0) : 0;
}

static struct ticks step_mmu(void *part, struct ticks now)
{
	return mmu_step(part, now);
}

static struct ticks step_mover(void *part, struct ticks now)
{
	return mover_step(part, now);
}

static struct ticks step_pager(void *part, struct ticks now)
{
	return pager_step(part, now);
}

uint64_t gpu_local_bytes(const struct gpu *g)
{
	uint64_t words = 0;

	for (uint32_t k = 0; k < trace_n_kernels(g->trace); k++)
		if (words < g->kernels[k].local_words)
			words = g->kernels[k].local_words;
	return words * 4 * TRACE_WARP_SIZE * g->m->sm.warps * g->m->sm.count;
}

/* ---- the parts ---- */

/* The queues hold all that can be asked for at a time (vm.l1_tlb.pending pages an SM), so nobody waits for room. */
static void build_queues(struct gpu *g)
{
	struct gpu_vm *v = &g->vm;
	struct ticks cycle = ticks_of(1, g->m->clock.period[CLOCK_CORE]);
	uint32_t pending = g->m->vm.l1_pending;

	v->request = arena_array(&g->arena, g->m->sm.count, sizeof *v->request);
	v->answer = arena_array(&g->arena, g->m->sm.count, sizeof *v->answer);
	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		queue_init(&v->request[s], &g->arena, pending, cycle);
		queue_init(&v->answer[s], &g->arena, pending, cycle);
	}
	v->fault = arena_array(&g->arena, v->modules, sizeof *v->fault);
	v->resolved = arena_array(&g->arena, v->modules, sizeof *v->resolved);
	for (uint32_t i = 0; i < v->modules; i++) {
		queue_init(&v->fault[i], &g->arena, pending * g->m->sm.count, cycle);
		queue_init(&v->resolved[i], &g->arena, pending * g->m->sm.count, cycle);
	}
}

static uint32_t stacks_of(const struct machine *m, uint32_t module)
{
	return machine_list_at(&m->dram.of_module, module);
}

/* The module itself, or the nearest that has memory; of equally near ones the lowest. */
static uint32_t nearest_with_stacks(const struct gpu *g, uint32_t module)
{
	uint32_t best = module, hops = UINT32_MAX;

	if (stacks_of(g->m, module))
		return module;
	for (uint32_t i = 0; i < g->m->module.count; i++)
		if (stacks_of(g->m, i) && topology_hops(&g->memsys->topology, module, i) < hops) {
			best = i;
			hops = topology_hops(&g->memsys->topology, module, i);
		}
	return best;
}

static struct pager_module pager_module_of(const struct gpu *g, uint32_t module)
{
	uint32_t at = nearest_with_stacks(g, module), first = 0;

	for (uint32_t i = 0; i < at; i++)
		first += stacks_of(g->m, i);
	return (struct pager_module){.first = first, .stacks = stacks_of(g->m, at)};
}

/* Each module's faults that can wait at a time. */
static uint32_t most_faults(const struct gpu *g)
{
	return g->m->vm.l1_pending * g->m->sm.count;
}

static int build_mover(struct gpu *g, uint32_t module, struct queue_end pager, const struct hw_binder *binder, struct err *e)
{
	struct gpu_vm *v = &g->vm;
	struct ticks cycle = ticks_of(1, g->m->clock.period[CLOCK_CORE]);
	struct queue_end own = loop_add(&g->loop, 0, step_mover, &v->mover[module], "mover");
	struct mover_ports port = {.job = &v->job[module],
				   .done = &v->done[module],
				   .out = memsys_mover_port(g->memsys, module, own),
				   .in = memsys_mover_replies(g->memsys, module, own),
				   .requester = memsys_mover_requester(g->memsys, module)};

	queue_init(port.job, &g->arena, most_faults(g), cycle);
	queue_init(port.done, &g->arena, most_faults(g), cycle);
	queue_ring_join(&port.job->ring, pager, own);
	queue_ring_join(&port.done->ring, own, pager);
	if (route_init(&port.route, g->m, binder, arena_printf(&g->arena, "mover%u", module), 0, e) != 0)
		return -1;
	mover_init(&v->mover[module], &g->arena, g->m, &port);
	return 0;
}

static int build_movers(struct gpu *g, struct queue_end pager, const struct hw_binder *binder, struct err *e)
{
	struct gpu_vm *v = &g->vm;

	v->mover = arena_array(&g->arena, v->modules, sizeof *v->mover);
	v->pager.job = v->job = arena_array(&g->arena, v->modules, sizeof *v->job);
	v->pager.done = v->done = arena_array(&g->arena, v->modules, sizeof *v->done);
	v->pager.waiting = arena_array(&g->arena, (size_t)v->modules * most_faults(g), sizeof *v->pager.waiting);
	for (uint32_t i = 0; i < v->modules; i++)
		if (build_mover(g, i, pager, binder, e) != 0)
			return -1;
	return 0;
}

/* mmu: by module. */
static int build_pager(struct gpu *g, const struct queue_end *mmu, const struct hw_binder *binder, struct err *e)
{
	struct gpu_vm *v = &g->vm;
	struct queue_end own;

	v->pager = (struct pager){.pages = &v->pages,
				  .latency = ticks_of(g->m->vm.fault_latency, g->m->clock.period[CLOCK_CORE]),
				  .period = g->m->clock.period[CLOCK_CORE],
				  .ports = v->modules,
				  .fault = v->fault,
				  .resolved = v->resolved,
				  .module = arena_array(&g->arena, v->modules, sizeof *v->pager.module)};
	own = loop_add(&g->loop, 0, step_pager, &v->pager, "pager");
	for (uint32_t i = 0; i < v->modules; i++) {
		v->pager.module[i] = pager_module_of(g, i);
		queue_ring_join(&v->fault[i].ring, mmu[i], own);
		queue_ring_join(&v->resolved[i].ring, own, mmu[i]);
	}
	return g->m->vm.migrate ? build_movers(g, own, binder, e) : 0;
}

/* own: its end of queues, which is set. */
static int build_mmu(struct gpu *g, uint32_t module, uint32_t first_sm, uint32_t sms, const struct queue_end *sm,
		     struct queue_end *own, const struct hw_binder *binder, struct err *e)
{
	struct gpu_vm *v = &g->vm;
	struct mmu_ports port = {.module = module,
				 .sms = sms,
				 .request = &v->request[first_sm],
				 .answer = &v->answer[first_sm],
				 .fault = &v->fault[module],
				 .resolved = &v->resolved[module],
				 .requester = (uint16_t)(g->m->sm.count + module)};

	*own = loop_add(&g->loop, 0, step_mmu, &v->mmu[module], "mmu"); /* it reads what the pager writes */
	if (g->m->vm.tlb) {
		if (route_init_above(&port.route, g->m, binder, arena_printf(&g->arena, "mmu%u", module), module, 0, e) != 0)
			return -1;
		port.out = memsys_port(g->memsys, port.requester, *own);
		port.in = memsys_replies(g->memsys, port.requester, *own);
	}
	for (uint32_t s = 0; s < sms; s++) {
		queue_ring_join(&port.request[s].ring, sm[first_sm + s], *own);
		queue_ring_join(&port.answer[s].ring, *own, sm[first_sm + s]);
	}
	mmu_init(&v->mmu[module], &g->arena, g->m, &v->pages, &port);
	return 0;
}

/* Without page tables nothing can be placed: said, rather than left out. With one stack there is nothing to place. */
static int check_no_places(const struct gpu *g, struct err *e)
{
	const struct plan *plan = g->config->plan;

	for (uint32_t i = 0; plan && plan->buffer && g->m->dram.stacks > 1 && i < plan->n_buffers; i++)
		if (plan->buffer[i].placement != PLACE_DEFAULT)
			return err_set(e, "plan %s places pages: that needs vm.enabled=true", plan->name);
	return 0;
}

int gpu_vm_build(struct gpu *g, uint64_t local_base, const struct queue_end *sm, const struct hw_binder *binder, struct err *e)
{
	struct gpu_vm *v = &g->vm;
	struct pages_scratch local = {"local memory", local_base, gpu_local_bytes(g)};
	struct queue_end *mmu;

	if (!g->m->vm.enabled)
		return check_no_places(g, e);
	v->on = true;
	v->modules = g->m->module.count;
	if (gpu_pages_build(&v->pages, &g->arena, g->m, g->trace, g->config->plan, &local, e) != 0)
		return -1;
	build_queues(g);
	v->mmu = arena_array(&g->arena, v->modules, sizeof *v->mmu);
	mmu = arena_array(&g->arena, v->modules, sizeof *mmu);
	for (uint32_t i = 0, first = 0; i < v->modules; i++) {
		uint32_t sms = machine_list_at(&g->m->sm.of_module, i);

		if (build_mmu(g, i, first, sms, sm, &mmu[i], binder, e) != 0)
			return -1;
		first += sms;
	}
	return build_pager(g, mmu, binder, e);
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
	return (struct translate_ports){.pages = &v->pages, .request = &v->request[sm], .answer = &v->answer[sm]};
}
