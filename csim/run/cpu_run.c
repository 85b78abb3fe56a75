#include "run/cpu_run.h"

#include "run/gpu_impl.h"
#include "run/cpu_run_impl.h"
#include "run/run_driver.h"

static struct ticks step_core(void *part, struct ticks now)
{
	return cpu_core_step(part, now);
}

static struct ticks step_dispatch(void *part, struct ticks now)
{
	return dispatch_step(part, now);
}

/* ---- building ---- */

static void build_core(struct cpu_system *h, uint32_t i, uint64_t scratch, struct queue_end dispatch)
{
	struct queue_end core = loop_add(&h->below.loop, 0, step_core, &h->core[i], "CPU core");
	struct ticks cycle = ticks_of(1, h->m->clock.period[CLOCK_CPU]);
	struct cpu_core_ports port = {&h->start[i], &h->done[i], cpu_l3_wires(&h->below.l3, i, h->m, h->below.l3_end, core)};

	loop_keep_apart(&h->below.loop, core);
	queue_init(&h->start[i], &h->arena, CPU_PIECES, cycle);
	queue_init(&h->done[i], &h->arena, CPU_PIECES, cycle);
	queue_ring_join(&h->start[i].ring, dispatch, core);
	queue_ring_join(&h->done[i].ring, core, dispatch);
	kernel_stream_init(&h->kernel[i], &h->arena, h->m, h->trace, h->code, scratch);
	cpu_core_init(&h->core[i], &h->arena, h->m, i, port, &h->kernel[i].feed);
}

static void build_cores(struct cpu_system *h)
{
	uint64_t base = trace_local_base(h->trace, machine_data_align(h->m)), each = kernel_stream_scratch(h->trace);
	struct queue_end dispatch = loop_add(&h->below.loop, 0, step_dispatch, &h->dispatch, "dispatch");

	for (uint32_t i = 0; i < h->m->cpu.count; i++)
		build_core(h, i, base + i * each, dispatch);
}

/* One CTA that runs, one that waits, and those whose instructions and stores are still on their way; at least a store
 * in four instructions is taken to leave the store buffer. */
static uint32_t ctas_at_once(const struct machine *m, const struct trace_launch *l)
{
	uint64_t insts = l->n_ctas ? l->thread_insts / l->n_ctas / m->cpu.simd + 1 : 1;
	uint64_t n = 2 + (m->cpu.rob + 4 * (uint64_t)m->cpu.store_buffer) / insts;

	return n < CPU_PIECES ? (uint32_t)n : CPU_PIECES;
}

/* Each core is a module of its own, which gets a block of consecutive CTAs, all blocks of a size but for the last
 * ones. */
static const struct plan *distribute_blocks(struct cpu_system *h)
{
	uint32_t n = h->m->cpu.count, launches = trace_n_launches(h->trace);
	struct plan *p = arena_alloc(&h->arena, sizeof *p);

	p->n_launches = launches;
	p->n_sms = p->n_modules = n;
	p->module_of_sm = arena_array(&h->arena, n, sizeof *p->module_of_sm);
	for (uint32_t i = 0; i < n; i++)
		p->module_of_sm[i] = (uint16_t)i;
	p->launch = arena_array(&h->arena, launches, sizeof *p->launch);
	for (uint32_t l = 0; l < launches; l++) {
		uint32_t *blocks = arena_array(&h->arena, n, sizeof *blocks);

		for (uint32_t i = 0; i < n; i++)
			blocks[i] = trace_launch(h->trace, l)->n_ctas / n + (i < trace_launch(h->trace, l)->n_ctas % n);
		p->launch[l] = (struct plan_launch){.dispatch = DISPATCH_AFFINITY, .blocks = blocks};
	}
	return p;
}

/* The cores' shared and local memory is one core's after the other's, above everything that the program can address. */
static int build_below(struct cpu_system *h, struct err *e)
{
	const struct gpu_config *c = h->config;
	struct hw_binder golden = hw_golden_binder(&h->arena);
	struct pages_scratch scratch = {"memory of the CPU's threads", trace_local_base(h->trace, machine_data_align(h->m)),
					kernel_stream_scratch(h->trace) * h->m->cpu.count};
	struct cpu_memory_config below = {.machine = h->m,
					  .trace = h->trace,
					  .binder = c->binder ? c->binder : &golden,
					  .plan = c->plan,
					  .scratch = &scratch,
					  .parts = h->m->cpu.count + 1,
					  .reverse = c->reverse};

	return cpu_memory_build(&h->below, &h->arena, &below, e);
}

static int build_dispatch(struct cpu_system *h, struct err *e)
{
	const struct dispatch_config c = {.n_sms = h->m->cpu.count,
					  .period = h->m->clock.period[CLOCK_CPU],
					  .cta_latency = 1,
					  .trace = h->trace,
					  .limit = h->limit,
					  .plan = h->m->cpu.distribute == CPU_DISTRIBUTE_BLOCKS ? distribute_blocks(h) : NULL,
					  .start = h->start,
					  .done = h->done,
					  .timeline = h->config->timeline};

	return dispatch_init(&h->dispatch, &h->arena, &c, e);
}

int cpu_build(struct cpu_system *h, const struct gpu_config *c, struct err *e)
{
	const struct machine *m = c->machine;
	uint32_t n = m->cpu.count, launches = trace_n_launches(c->trace);

	*h = (struct cpu_system){.config = c, .m = m, .trace = c->trace};
	if (build_below(h, e) != 0)
		return -1;
	h->code = kernel_code_new(&h->arena, m, h->trace);
	h->start = arena_array(&h->arena, n, sizeof *h->start);
	h->done = arena_array(&h->arena, n, sizeof *h->done);
	h->kernel = arena_array(&h->arena, n, sizeof *h->kernel);
	h->core = arena_array(&h->arena, n, sizeof *h->core);
	h->limit = arena_array(&h->arena, launches, sizeof *h->limit);
	for (uint32_t i = 0; i < launches; i++)
		h->limit[i] = ctas_at_once(m, trace_launch(h->trace, i));
	build_cores(h);
	return build_dispatch(h, e);
}

/* ---- running ---- */

static uint64_t thread_insts(const void *run)
{
	const struct cpu_system *h = run;
	uint64_t n = 0;

	for (uint32_t i = 0; i < h->m->cpu.count; i++)
		n += h->kernel[i].stats.thread_insts;
	return n;
}

static uint64_t all_thread_insts(const struct trace *t)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < trace_n_launches(t); i++)
		n += trace_launch(t, i)->thread_insts;
	return n;
}

static uint64_t work(const void *run)
{
	const struct cpu_system *h = run;
	uint64_t n = h->dispatch.sent + h->dispatch.retired + memsys_progress(h->below.memsys);

	for (uint32_t i = 0; i < h->m->cpu.count; i++)
		n += h->core[i].stats.insts;
	return n;
}

static int failed(const void *run, struct err *e)
{
	const struct cpu_system *h = run;

	for (uint32_t i = 0; i < h->m->cpu.count; i++)
		if (h->core[i].error.text[0])
			return err_set(e, "%s", h->core[i].error.text);
	return h->below.fault.text[0] ? err_set(e, "%s", h->below.fault.text) : 0;
}

int cpu_simulate(struct cpu_system *h, struct err *e)
{
	struct driver d = run_driver_of(h->config, &h->below.loop);

	d.who = "cpu";
	d.run = h;
	d.failed = failed;
	d.work = work;
	d.insts = thread_insts;
	d.total_insts = all_thread_insts(h->trace);
	if (driver_run(&d, e) != 0)
		return -1;
	h->cut = d.cut;
	h->end = d.end;
	h->cycles = run_driver_cycles(&d, &h->dispatch);
	for (uint32_t i = 0; i < h->m->cpu.count; i++)
		cpu_core_finish(&h->core[i], h->cycles);
	memsys_finish(h->below.memsys, h->end);
	return 0;
}

void cpu_free_system(struct cpu_system *h)
{
	for (uint32_t i = 0; h->kernel && i < h->m->cpu.count; i++)
		kernel_stream_free(&h->kernel[i]);
	cpu_memory_free(&h->below);
	arena_free(&h->arena);
}

int cpu_run(const struct gpu_config *c, struct gpu_result *r, struct err *e)
{
	struct cpu_system h;
	int rc = -1;

	if (cpu_build(&h, c, e) == 0 && cpu_simulate(&h, e) == 0) {
		*r = (struct gpu_result){.cycles = h.cycles, .cut = h.cut};
		for (uint32_t i = 0; i < trace_n_launches(c->trace); i++)
			r->warp_insts += h.cut ? 0 : trace_launch(c->trace, i)->warp_insts;
		cpu_collect(&h, &r->stats);
		cpu_audit(&h, &r->audit);
		rc = 0;
	}
	cpu_free_system(&h);
	return rc;
}
