#include "run/gpu.h"

#include <inttypes.h>
#include <string.h>

#include "machine/occupancy.h"
#include "run/checkpoint.h"
#include "run/gpu_impl.h"
#include "run/run_driver.h"
#include "sm/waits.h"

static struct ticks step_sm(void *part, struct ticks now)
{
	return sm_step(part, now);
}

static struct ticks step_sampler(void *part, struct ticks now)
{
	return sampler_step(part, now);
}

static struct ticks step_dispatch(void *part, struct ticks now)
{
	struct gpu *g = part;
	struct ticks next = dispatch_step(&g->dispatch, now);

	if (gpu_launch_ended(g) || gpu_window_begins(g))
		loop_stop(&g->loop);
	return next;
}

static int prepare_launches(struct gpu *g, struct err *e)
{
	uint32_t n = trace_n_launches(g->trace), kernels = trace_n_kernels(g->trace);
	bool pins = g->m->l1.replacement == REPLACE_PIN;

	if (g->m->caches.locality_classes && n > ACCESSOR_MAX_LAUNCHES)
		return err_set(e, "caches.locality_classes: at most %u launches, not %" PRIu32, ACCESSOR_MAX_LAUNCHES, n);
	if (pins && g->m->sm.unified_bytes)
		return err_set(e, "sm.unified_bytes: the plan pins lines, by a block with a fixed number of ways: set it to 0");
	if (pins && g->config->machine->l1.replacement != REPLACE_LRU && g->config->machine->l1.replacement != REPLACE_PIN)
		return err_set(e, "l1.replacement: the plan pins lines, by a block that chooses victims: set it to lru");
	if (pins && machine_cache_sectors(&g->m->l1.c) > 1 && !g->m->l1.allocate)
		return err_set(e, "l1.sectors: the plan pins lines, which needs l1.allocate fill");
	g->kernels = arena_array(&g->arena, kernels, sizeof *g->kernels);
	for (uint32_t k = 0; k < kernels; k++)
		core_kernel_init(&g->kernels[k], &g->arena, g->m, trace_kernel(g->trace, k));
	g->limit = arena_array(&g->arena, n, sizeof *g->limit);
	g->limited_by = arena_array(&g->arena, n, sizeof *g->limited_by);
	if (g->m->sm.unified_bytes)
		g->carveout = arena_array(&g->arena, n, sizeof *g->carveout);
	for (uint32_t i = 0; i < n; i++) {
		const struct trace_launch *l = trace_launch(g->trace, i);
		struct occupancy o;

		if (occupancy_of(g->m, trace_kernel(g->trace, l->kernel), l, &o, e) != 0)
			return -1;
		g->limit[i] = o.ctas;
		g->limited_by[i] = o.by;
		if (g->carveout)
			g->carveout[i] = carveout_for(g->m, o.shared_bytes);
	}
	return 0;
}

/* The kernels' instructions: above local memory, each kernel's from a line on (sm/fetch.h). */
static void place_code(struct gpu *g, uint64_t local_base)
{
	const uint64_t least = UINT64_C(1) << 20, line = g->m->l2.c.line;
	uint64_t at = (local_base + gpu_local_bytes(g) + least - 1) / least * least;

	for (uint32_t k = 0; k < trace_n_kernels(g->trace); k++) {
		uint64_t bytes = (uint64_t)(g->kernels[k].n_inst - g->kernels[k].folded) * g->m->fetch.inst_bytes;

		g->kernels[k].code = at;
		gpu_gccs_place(g, k, at, bytes);
		at += (bytes + line - 1) / line * line;
	}
}

/* NULL: always the machine's. */
static const uint32_t *l1_ways_by_launch(struct gpu *g)
{
	uint32_t n = trace_n_launches(g->trace), *ways;

	if (!g->carveout)
		return NULL;
	ways = arena_array(&g->arena, n, sizeof *ways);
	for (uint32_t i = 0; i < n; i++)
		ways[i] = g->carveout[i].l1_ways;
	return ways;
}

static int build_sms(struct gpu *g, const struct hw_binder *binder, uint64_t base, const struct queue_end *own, struct err *e)
{
	const uint32_t *l1_ways = l1_ways_by_launch(g);

	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		struct sm_ports port = {.start = &g->start[s],
					.done = &g->done[s],
					.out = memsys_port(g->memsys, s, own[s]),
					.in = memsys_replies(g->memsys, s, own[s]),
					.translate = gpu_vm_ports(&g->vm, s)};

		gpu_gccs_ports(g, s, &port);
		if (sm_init(&g->sm[s], &g->arena, g->m, g->trace, g->kernels, s, base, port, binder, e) != 0)
			return -1;
		sm_read_into(&g->sm[s], &g->read);
		if (plan_has_localities(g->config->plan) &&
		    lsu_use_localities(&g->sm[s].lsu, &g->arena, g->config->plan->launch, binder, e) != 0)
			return -1;
		g->sm[s].lsu.l1_ways = l1_ways;
		g->sm[s].ends = g->config->warp_ends;
		if (g->sync)
			waits_use(&g->sm[s], &g->arena, g->sync);
	}
	return 0;
}

/* Messages between dispatcher and SMs: a credit is back a cycle after the message was taken. */
static void build_queues(struct gpu *g)
{
	struct ticks cycle = ticks_of(1, g->m->clock.period[CLOCK_CORE]);

	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		queue_init(&g->start[s], &g->arena, SM_MAX_CTAS, cycle);
		queue_init(&g->done[s], &g->arena, SM_MAX_CTAS, cycle);
	}
}

static int build_dispatch(struct gpu *g, const struct hw_binder *binder, struct err *e)
{
	uint64_t core = g->m->clock.period[CLOCK_CORE];
	const struct concurrent_config beside = {g->m, g->m->launch.concurrent, g->carveout};
	const struct dispatch_config c = {.n_sms = g->m->sm.count,
					  .period = core,
					  .launch_latency = g->m->launch.latency,
					  .cta_latency = g->m->launch.cta_latency,
					  .trace = g->trace,
					  .limit = g->limit,
					  .skipped = g->config->skipped,
					  .windows = g->config->windows,
					  .plan = g->config->plan,
					  .start = g->start,
					  .done = g->done,
					  .begin = g->throttle.begin,
					  .most = g->throttle.most,
					  .code = g->gccs.begin,
					  .n_gpcs = g->gccs.begin ? g->gccs.n : 0,
					  .hardware = {binder, ticks_of(g->m->group_dispatch.latency, core)},
					  .timeline = g->config->timeline,
					  .concurrent = gpu_is_concurrent(g) ? &beside : NULL};

	return dispatch_init(&g->dispatch, &g->arena, &c, e);
}

/* Fewer have less to do in a quantum than a meeting costs (docs/explanation/threads.md). */
enum { SMS_A_THREAD = 16 };

/* Host threads take shares of the machine where nothing is shared but by queues: with blocks that are apart and
 * translations that come by queue, and without what watches the SMs or counts in tables of its own. */
static uint32_t n_shares(const struct gpu *g)
{
	const struct gpu_config *c = g->config;
	uint32_t n = c->shares ? c->shares : c->threads;

	if (c->checkpoints && c->checkpoints->from)
		return (uint32_t)c->checkpoints->from->head.shares;

	if (!c->shares && !c->always_threads && n > g->m->sm.count / SMS_A_THREAD)
		n = g->m->sm.count / SMS_A_THREAD;
	if (n < 1 || (c->binder && !c->binder->apart) || (g->m->vm.enabled && !g->m->vm.tlb))
		return 1;
	if (g->m->caches.locality_classes || c->paths || c->pipelines)
		return 1;
	n = n < g->m->sm.count ? n : g->m->sm.count;
	return n < SHARE_MAX ? n : SHARE_MAX;
}

/* With fewer modules than shares the SMs are dealt out in turn, since launches of few CTAs are. */
static struct queue_end add_sm(struct gpu *g, uint32_t s)
{
	uint32_t n = g->loop.shares.n, module = 0, first = machine_list_at(&g->m->sm.of_module, 0), share = s % n;

	while (first <= s)
		first += machine_list_at(&g->m->sm.of_module, ++module);
	if (g->m->module.count >= n)
		share = memsys_share_of_module(g->m, module, n);
	return g->throttle.on ? loop_add(&g->loop, share, step_sampler, &g->throttle.sampler[s], "sm")
			      : loop_add(&g->loop, share, step_sm, &g->sm[s], "sm");
}

static int build(struct gpu *g, struct err *e)
{
	uint32_t sms = g->m->sm.count;
	uint64_t core = g->m->clock.period[CLOCK_CORE], base = trace_local_base(g->trace, machine_data_align(g->m));
	struct queue_end dispatch, *sm;
	struct hw_binder stepped = g->config->binder ? *g->config->binder : hw_golden_binder(&g->arena);
	const struct hw_binder *binder = &stepped;

	stepped.every_cycle = g->config->no_skip;
	if (prepare_launches(g, e) != 0 || (g->config->plan && plan_check(g->config->plan, g->trace, e) != 0))
		return -1;
	gpu_throttle_prepare(g);
	gpu_gccs_prepare(g);
	loop_init(&g->loop, &g->arena, sms + 1 + gpu_vm_parts(g->m) + g->m->module.gccs + gpu_throttle_parts(g), core, n_shares(g));
	g->memsys = memsys_new(&g->arena, g->m, binder, trace_counted_buffers(g->trace), &g->loop.shares, e);
	if (!g->memsys)
		return -1;
	g->loop.quantum = memsys_quantum(g->memsys);
	g->sync = sync_board_new(&g->arena, g->trace, sms, g->m->l1.c.line, memsys_sync_margin(g->memsys));
	if (gpu_waits_fit(g, e) != 0)
		return -1;
	memsys_use_sync(g->memsys, g->sync);
	g->loop.memsys = g->memsys;
	g->loop.reverse = g->config->reverse;
	g->loop.stepped = g->memsys->stepped = g->config->stepped;
	g->loop.always_crew = g->config->always_threads;
	g->start = arena_array(&g->arena, sms, sizeof *g->start);
	g->done = arena_array(&g->arena, sms, sizeof *g->done);
	g->sm = arena_array(&g->arena, sms, sizeof *g->sm);
	sm = arena_array(&g->arena, sms, sizeof *sm);
	build_queues(g);
	dispatch = loop_add(&g->loop, 0, step_dispatch, g, "dispatch");
	loop_may_stop(&g->loop, dispatch);
	for (uint32_t s = 0; s < sms; s++) {
		sm[s] = add_sm(g, s);
		queue_ring_join(&g->start[s].ring, dispatch, sm[s]);
		queue_ring_join(&g->done[s].ring, sm[s], dispatch);
	}
	if (build_dispatch(g, binder, e) != 0)
		return -1;
	gpu_launches_init(g);
	dispatch_flush_slices(&g->dispatch, &g->arena, g->memsys, dispatch);
	if (gpu_vm_build(g, base, sm, binder, e) != 0 || gpu_gccs_build(g, sm, dispatch, binder, e) != 0)
		return -1;
	place_code(g, base);
	if (build_sms(g, binder, base, sm, e) != 0)
		return -1;
	if (g->dispatch.concurrent)
		gpu_share_sms(g);
	if (gpu_intervals_begin(g, e) != 0)
		return -1;
	if (gpu_profile_begin(g, e) != 0 || gpu_paths_begin(g, e) != 0 || gpu_sets_begin(g, e) != 0)
		return -1;
	if (gpu_throttle_build(g, sm, dispatch, binder, e) != 0)
		return -1;
	gpu_pipelines_begin(g);
	return binder->complete ? binder->complete(binder->ctx, e) : 0;
}

uint64_t gpu_warp_insts(const struct gpu *g)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < g->m->sm.count; s++)
		n += g->sm[s].stats.warp_insts;
	return n;
}

static uint64_t all_warp_insts(const struct gpu *g)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < trace_n_launches(g->trace); i++) {
		const struct dispatch_windows *w = dispatch_windows_of(&g->dispatch, i);
		const struct trace_launch *l = trace_launch(g->trace, i);

		if (g->config->skipped && g->config->skipped[i])
			continue;
		n += w ? l->warp_insts / l->n_ctas * windows_ctas(w, l->n_ctas) : l->warp_insts;
	}
	return n;
}

static int failed(const void *run, struct err *e)
{
	const struct gpu *g = run;

	if (g->pause_hook_error.text[0])
		return err_set(e, "%s", g->pause_hook_error.text);
	for (uint32_t s = 0; s < g->m->sm.count; s++)
		if (g->sm[s].error.text[0])
			return err_set(e, "%s", g->sm[s].error.text);
	if (g->waits.deadlock.text[0])
		return err_set(e, "%s", g->waits.deadlock.text);
	if (g->warming.text[0])
		return err_set(e, "%s", g->warming.text);
	return g->vm.pager.error.text[0] ? err_set(e, "%s", g->vm.pager.error.text) : 0;
}

static uint64_t insts(const void *run)
{
	return gpu_warp_insts(run);
}

static uint64_t thread_insts(const void *run)
{
	const struct gpu *g = run;
	uint64_t n = 0;

	for (uint32_t s = 0; s < g->m->sm.count; s++)
		n += sm_thread_insts(&g->sm[s].stats);
	return n;
}

/* An instruction, a CTA, a packet, a burst. */
static uint64_t work(const void *run)
{
	const struct gpu *g = run;

	return gpu_warp_insts(g) + g->dispatch.sent + g->dispatch.retired + memsys_progress(g->memsys);
}

static void paused(void *run)
{
	gpu_note_launches(run);
	gpu_waits_note(run);
	gpu_intervals_note(run);
	gpu_run_pause_hook(run);
	gpu_checkpoint_note(run);
	gpu_set_pause(run);
}

static int run(struct gpu *g, struct err *e)
{
	struct driver d;
	uint64_t issues = (uint64_t)g->m->sm.count * g->m->sm.schedulers;

	if (gpu_checkpoints_begin(g, e) != 0)
		return -1;
	loop_start(&g->loop, g->config->threads > 1);
	d = run_driver_of(g->config, &g->loop);
	d.who = "gpu";
	d.run = g;
	d.failed = failed;
	d.paused = paused;
	gpu_set_pause(g);
	d.pause_at = &g->pause;
	d.work = work;
	d.insts = insts;
	d.warp_insts = (struct driver_limit){g->config->max_insts, issues, insts};
	d.thread_insts = (struct driver_limit){g->config->max_thread_insts, issues * TRACE_WARP_SIZE, thread_insts};
	d.total_insts = all_warp_insts(g);
	if (g->config->checkpoints && driver_resume(&d, g->config->checkpoints->resumed, e) != 0)
		return -1;
	if (driver_run(&d, e) != 0)
		return -1;
	g->cut = d.cut;
	g->end = d.end;
	g->cycles = run_driver_cycles(&d, &g->dispatch);
	return 0;
}

int gpu_build(struct gpu *g, const struct gpu_config *c, struct err *e)
{
	*g = (struct gpu){.config = c, .trace = c->trace, .save_at = TIME_NEVER};
	g->arena.region = c->checkpoints ? c->checkpoints->region : NULL;
	pool_init(&g->read, g->arena.region);
	g->m = arena_alloc(&g->arena, sizeof *g->m);
	*g->m = *c->machine;
	/* Where keys were set may be elsewhere when a checkpoint is resumed. */
	g->m->origin = (struct machine_origins){.file = {""}};
	gpu_own_machine(g->m, c->plan);
	g->pause_hook_at = c->pause_hook ? ticks_of(c->pause_hook->cycle, g->m->clock.period[CLOCK_CORE]) : TIME_NEVER;
	return build(g, e);
}

int gpu_simulate(struct gpu *g, struct err *e)
{
	if (run(g, e) != 0)
		return -1;
	for (uint32_t s = 0; s < g->m->sm.count; s++)
		sm_finish(&g->sm[s], g->cycles);
	memsys_finish(g->memsys, g->end);
	gpu_close_launches(g);
	gpu_profile_end(g);
	gpu_sets_end(g);
	gpu_intervals_end(g);
	gpu_paths_end(g);
	gpu_pipelines_end(g);
	return 0;
}

void gpu_free(struct gpu *g)
{
	for (uint32_t s = 0; g->sm && s < g->m->sm.count; s++)
		sm_free(&g->sm[s]);
	gpu_vm_free(&g->vm);
	sync_board_free(g->sync);
	loop_free(&g->loop);
	pool_free(&g->read);
	arena_free(&g->arena);
}

int gpu_run(const struct gpu_config *c, struct gpu_result *r, struct err *e)
{
	struct gpu here, *g = c->checkpoints ? region_alloc(c->checkpoints->region, sizeof *g) : &here;
	int rc = -1;

	if (gpu_build(g, c, e) == 0 && gpu_simulate(g, e) == 0) {
		*r = (struct gpu_result){.cycles = g->cycles, .warp_insts = gpu_warp_insts(g), .cut = g->cut};
		gpu_collect(g, &r->stats);
		gpu_report_launches(g, r);
		gpu_audit(g, &r->audit);
		rc = 0;
	}
	gpu_free(g);
	return rc;
}
