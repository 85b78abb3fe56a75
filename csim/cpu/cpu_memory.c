#include "cpu/cpu_memory.h"

#include "base/panic.h"

static struct ticks step_l3(void *part, struct ticks now)
{
	return cpu_l3_step(part, now);
}

static void translate(struct cpu_memory *b, struct mem_req *r)
{
	uint64_t page = pages_number(&b->pages, r->addr);
	struct pages_at at;

	if (!pages_translate(&b->pages, r->addr, TIME_NEVER, &at)) {
		if (pages_touch(&b->pages, page, (uint32_t)(page % b->pages.p.stacks), (struct ticks){0}, &b->fault) != 0)
			return; /* the run ends soon */
		PANIC_UNLESS(pages_translate(&b->pages, r->addr, TIME_NEVER, &at), "cpu",
			     cycles_in(loop_now(&b->loop), b->loop.period));
	}
	r->addr = at.addr;
	r->mode = at.mode;
}

static uint32_t route(void *ctx, struct mem_req *r)
{
	struct cpu_memory *b = ctx;
	int buffer = trace_buffer_of(b->trace, r->addr);

	r->buffer = buffer >= 0 && (uint32_t)buffer < trace_counted_buffers(b->trace) ? (uint16_t)buffer : UINT16_MAX;
	if (b->m->vm.enabled)
		translate(b, r);
	r->dest = memsys_destination(b->memsys, loop_now(&b->loop), r->requester, r->addr, r->mode);
	return memsys_cpu_port_of(b->memsys, r->dest);
}

static void build_memory(struct cpu_memory *b, struct arena *a)
{
	struct cpu_l3_memory memory = {
		.ports = b->memsys->cpu_ports, .requester = (uint16_t)memsys_cpu_requester(b->memsys), .route = route, .ctx = b};

	b->port = arena_array(a, memory.ports, sizeof *b->port);
	for (uint32_t p = 0; p < memory.ports; p++)
		b->port[p] =
			(struct cpu_l3_port){memsys_cpu_port(b->memsys, p, b->l3_end), memsys_cpu_replies(b->memsys, p, b->l3_end)};
	memory.port = b->port;
	cpu_l3_init(&b->l3, a, b->m, memory);
}

int cpu_memory_build(struct cpu_memory *b, struct arena *a, const struct cpu_memory_config *c, struct err *e)
{
	const struct machine *m = c->machine;

	*b = (struct cpu_memory){.m = m, .trace = c->trace};
	if (!m->cpu.count)
		return err_set(e, "machine %s has no CPU cores (cpu.count is 0)", m->name);
	loop_init(&b->loop, a, c->parts + 1, m->clock.period[CLOCK_CPU], 1);
	b->memsys = memsys_new(a, m, c->binder, trace_counted_buffers(c->trace), &b->loop.shares, e);
	if (!b->memsys)
		return -1;
	if (!b->memsys->cpu_ports)
		return err_set(e, "machine %s has no links to its CPU (link.cpu is 0)", m->name);
	if (m->vm.enabled && gpu_pages_build(&b->pages, a, m, c->trace, c->plan, c->scratch, e) != 0)
		return -1;
	b->loop.memsys = b->memsys;
	b->loop.reverse = c->reverse;
	b->l3_end = loop_add(&b->loop, 0, step_l3, &b->l3, "CPU L3");
	build_memory(b, a);
	return 0;
}

void cpu_memory_free(struct cpu_memory *b)
{
	if (b->pages.arena)
		pages_free(&b->pages);
}
