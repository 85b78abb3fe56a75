#include "tracking/phase.h"

#include <string.h>

#include "base/panic.h"
#include "memsys/driver.h"
#include "tracking/phase_impl.h"
#include "taf/taf_track.h"

int tracker_parse(const char *text, enum tracker *out, struct err *e)
{
	static const char *const names[] = {
		[TRACK_NONE] = "none", [TRACK_SW_CPU] = "sw-cpu", [TRACK_SW_GPU] = "sw-gpu", [TRACK_HW] = "hw"};

	for (int i = TRACK_NONE; i <= TRACK_HW; i++)
		if (!strcmp(text, names[i])) {
			*out = (enum tracker)i;
			return 0;
		}
	return err_set(e, "--tracker: \"%s\" is not hw, sw-cpu, sw-gpu or none", text);
}

/* ---- one run ---- */

static struct ticks step_core(void *part, struct ticks now)
{
	return cpu_core_step(part, now);
}

static const struct tafe_in *find_command(const struct store_tracker_commands *c, uint32_t number)
{
	return initial_stores_command(&((const struct phase *)c)->init, number);
}

static void command_taken(struct store_tracker_commands *c, uint32_t number)
{
	initial_stores_taken(&((struct phase *)c)->init, number);
}

static int build_tracker(struct phase *p, struct err *e)
{
	const struct tracking_phase_config *c = p->config;
	struct hw_binder stepped = c->binder ? *c->binder : p->golden;

	stepped.every_cycle = c->no_skip;
	if (store_tracker_init(&p->tracker, c->machine, "cpu.store_tracker", &stepped, &p->commands, &p->memory, e) != 0)
		return -1;
	cpu_core_set_store_hook(&p->core, &p->tracker.hook);
	p->tracked = true;
	return 0;
}

int phase_build(struct phase *p, const struct tracking_phase_config *c, const struct taf_memory *software, struct err *e)
{
	const struct machine *m = c->machine;
	struct ticks cycle = ticks_of(1, m->clock.period[CLOCK_CPU]);
	struct queue_end core;
	uint64_t base = trace_local_base(c->trace, machine_data_align(m));
	struct pages_scratch scratch = {"the metadata of thread address footprints", base, c->taf->bytes};
	struct cpu_memory_config below = {.machine = m,
					  .trace = c->trace,
					  .binder = &p->golden,
					  .plan = p->plan,
					  .scratch = &scratch,
					  .parts = 1,
					  .reverse = c->reverse};

	p->commands = (struct store_tracker_commands){find_command, command_taken};
	p->config = c;
	p->golden = hw_golden_binder(&p->arena);
	if (cpu_memory_build(&p->below, &p->arena, &below, e) != 0)
		return -1;
	queue_init(&p->start, &p->arena, 1, cycle);
	queue_init(&p->done, &p->arena, 1, cycle);
	core = loop_add(&p->below.loop, 0, step_core, &p->core, "CPU core");
	loop_keep_apart(&p->below.loop, core);
	loop_stream_init(&p->loop, m, &p->init.steps);
	cpu_core_init(&p->core, &p->arena, m, 0,
		      (struct cpu_core_ports){&p->start, &p->done, cpu_l3_wires(&p->below.l3, 0, m, p->below.l3_end, core)},
		      &p->loop.feed);
	taf_memory_init(&p->memory, c->taf);
	if (c->tracker == TRACK_HW && build_tracker(p, e) != 0)
		return -1;
	initial_stores_plan(&p->init, &p->arena, c, &p->memory, software, base);
	p->init.flush = p->flush;
	*queue_push(&p->start, (struct ticks){0}) = (struct cta_start){.cta = 0};
	return 0;
}

static int failed(const void *run, struct err *e)
{
	const struct phase *p = run;

	return p->below.fault.text[0] ? err_set(e, "%s", p->below.fault.text) : 0;
}

static uint64_t insts(const void *run)
{
	const struct phase *p = run;

	return p->core.stats.insts;
}

/* Hardware that is not ours may never be ready again. */
static int stuck(const void *run, uint64_t since, struct err *e)
{
	(void)run;
	return err_set(e, "cpu.store_tracker: the tracking hardware has taken nothing since CPU cycle %llu",
		       (unsigned long long)since);
}

int phase_simulate(struct phase *p, struct err *e)
{
	uint64_t period = p->below.loop.period;
	struct driver d = {.loop = &p->below.loop,
			   .who = "tracking phase",
			   .run = p,
			   .failed = failed,
			   .work = p->tracked ? insts : NULL,
			   .patience = ticks_of(DRIVER_PATIENCE, period),
			   .stuck = stuck};

	if (driver_run(&d, e) != 0)
		return -1;
	initial_stores_finish(&p->init);
	p->end = d.end;
	PANIC_UNLESS(!ticks_is_never(queue_next_arrival(&p->done)), "tracking phase", cycles_in(p->end, period));
	p->cycles = cycles_in(queue_next_arrival(&p->done), period);
	cpu_core_finish(&p->core, p->cycles);
	memsys_finish(p->below.memsys, p->end);
	return 0;
}

void phase_free(struct phase *p)
{
	cpu_memory_free(&p->below);
	taf_memory_free(&p->memory);
	arena_free(&p->arena);
}

/* ---- with and without ---- */

static int without(const struct tracking_phase_config *c, const struct taf_memory *software, uint64_t *cycles, struct err *e)
{
	struct tracking_phase_config untracked = *c;
	struct phase p = {.plan = NULL};
	int rc = -1;

	untracked.tracker = TRACK_NONE;
	if (phase_build(&p, &untracked, software, e) == 0 && phase_simulate(&p, e) == 0) {
		*cycles = p.cycles;
		rc = 0;
	}
	phase_free(&p);
	return rc;
}

static void copy_memory(struct taf_memory *to, const struct taf_memory *from, const struct taf *t)
{
	taf_memory_init(to, t);
	memcpy(to->byte, from->byte, from->bytes);
}

/* The relations that a kernel reads again, as the plan of the CPU's steps has them. */
static int read_on_gpu(const struct tracking_phase_config *c, const struct phase *p, struct phase_outcome *o,
		       struct tracking_phase_result *r, struct err *e)
{
	struct phase_relations what = {.n = 0};
	uint64_t core;

	for (uint64_t i = 0; i < p->init.n_actions; i++)
		if (p->init.action[i].kind == ACT_GPU && what.n < TAF_ARRAYS)
			what.array[what.n++] = &p->init.action[i].array;
	taf_memory_init(&r->memory, c->taf);
	for (uint64_t i = 0; i < c->taf->n_calls; i++)
		taf_memory_call(&r->memory, c->taf, &c->taf->call[i]);
	if (c->gpu.run(c->gpu.ctx, c, &what, &r->memory, &core, &o->gpu_invariants, e) != 0)
		return -1;
	o->gpu_cycles = cycles_up(ticks_of(core, c->machine->clock.period[CLOCK_CORE]), c->machine->clock.period[CLOCK_CPU]);
	return 0;
}

/* What the tracker leaves: the hardware's tables, the kernel's, or those of the software tracker. */
static int finish(const struct tracking_phase_config *c, const struct phase *p, struct phase_outcome *o,
		  struct tracking_phase_result *r, struct err *e)
{
	o->memory = &r->memory;
	if (c->tracker == TRACK_SW_GPU)
		return read_on_gpu(c, p, o, r, e);
	copy_memory(&r->memory, p->tracked ? &p->memory : o->software, c->taf);
	return 0;
}

static int with(const struct tracking_phase_config *c, struct phase_outcome *o, struct tracking_phase_result *r, struct err *e)
{
	struct phase p = {.plan = NULL};
	int rc = -1;

	if (phase_build(&p, c, o->software, e) == 0 && phase_simulate(&p, e) == 0 && finish(c, &p, o, r, e) == 0) {
		r->baseline_cycles = o->baseline_cycles;
		r->cycles = p.cycles + o->gpu_cycles;
		o->tables = phase_compare(&p, o);
		phase_collect(&p, o, &r->stats);
		phase_audit(&p, o, &r->audit);
		rc = 0;
	}
	phase_free(&p);
	return rc;
}

static int check(const struct tracking_phase_config *c, struct err *e)
{
	const struct taf *t = c->taf;

	if (c->tracker != TRACK_SW_CPU && (t->n_sets != t->n_ctas || taf_extents_a_set(t) != 1))
		return err_set(e, "the tracker keeps one extent a CTA: for groups, modules or more extents take --tracker sw-cpu");
	return 0;
}

int tracking_phase_run(const struct tracking_phase_config *c, struct tracking_phase_result *r, struct err *e)
{
	struct taf_memory software;
	struct phase_outcome o = {.software = &software};
	int rc = -1;

	*r = (struct tracking_phase_result){0};
	if (check(c, e) != 0)
		return -1;
	taf_track(&software, c->taf, NULL);
	if (without(c, &software, &o.baseline_cycles, e) == 0)
		rc = with(c, &o, r, e);
	taf_memory_free(&software);
	if (rc != 0)
		tracking_phase_free(r);
	return rc;
}

void tracking_phase_free(struct tracking_phase_result *r)
{
	taf_memory_free(&r->memory);
	stats_free(&r->stats);
}
