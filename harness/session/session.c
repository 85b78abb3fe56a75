#include "session/session.h"

#include "base/cputime.h"
#include "base/files/root.h"
#include "dispatch/working_set.h"
#include "machine/unread.h"
#include "process/progress.h"
#include "run/cpu_run.h"
#include "session/dump_files.h"
#include "session/eager.h"
#include "session/gpu_tracker.h"
#include "session/steps.h"
#include "taf/taf_track.h"

static int tracker_of(const struct session_options *o, enum tracker *out, struct err *e)
{
	*out = TRACK_HW;
	return o->tracker ? tracker_parse(o->tracker, out, e) : 0;
}

static unsigned uses_of(const struct session_options *o, enum tracker tracker)
{
	struct planner_needs plan = {0};
	struct err unused = {""};
	unsigned uses = o->machine.uses;
	bool tracked;

	if (o->plan && planner_check(o->plan, &plan, &unused) != 0) /* an error of its own, later */
		return uses;
	tracked = tracker != TRACK_NONE && (o->tracker || plan.taf);
	if (o->on_cpu && !(tracked && tracker == TRACK_SW_GPU))
		uses |= MACHINE_WITHOUT_SMS;
	if (!o->on_cpu && !tracked && !o->init_traffic)
		uses |= MACHINE_WITHOUT_CPU;
	if (!o->program->cuda)
		uses |= MACHINE_WITHOUT_CUDA;
	if (!plan.groups)
		uses |= MACHINE_WITHOUT_GROUPS;
	if (!(plan.slots & SLOT_CACHE))
		uses |= MACHINE_WITHOUT_PINS;
	if (!(plan.slots & SLOT_PREFETCH))
		uses |= MACHINE_WITHOUT_PREFETCHES;
	return uses;
}

int session_open(struct session *s, const struct session_options *o, struct err *e)
{
	struct machine_choice choice = o->machine;
	enum tracker tracker;

	*s = (struct session){.options = o, .began = cpu_seconds()};
	if (tracker_of(o, &tracker, e) != 0)
		return -1;
	choice.uses = uses_of(o, tracker);
	if (machine_choose(&choice, &s->machine, e) != 0)
		return -1;
	topology_view_of(&s->topology, &s->machine, &s->arena);
	return o->tries ? tries_init(&s->tries, o->tries, &s->machine, &s->arena, e) : 0;
}

/* ---- the program ---- */

static int open_programs(struct session *s, const struct planner_needs *needs, const struct source_options *how, struct err *e)
{
	const struct session_options *o = s->options;

	if (needs->taf)
		return err_set(e, "--plan %s: TAFE's tables are of one program; several share this machine", o->plan);
	return programs_open(&s->programs, o->program, how, &s->source, &s->arena, e);
}

static int time_launches(void *session, struct trace *t, double *end_ns, struct err *e)
{
	const struct session *s = session;

	return eager_time(&s->machine, t, end_ns, e);
}

static int open_program(struct session *s, const struct planner_needs *needs, const struct source_options *how, struct err *e)
{
	const struct session_program *p = s->options->program;
	struct source_options o = *how;
	struct taf_options tables;
	struct source_program program;

	if (p->cuda) {
		p->cuda->machine = &s->machine;
		p->cuda->time = p->cuda->eager ? time_launches : NULL;
		p->cuda->time_ctx = s;
		program = cuda_program_source(p->cuda);
		o.program = &program;
	}
	o.what = p->what;
	o.args = p->arg;
	o.n_args = p->n_args;
	s->wants_tables = needs->taf || s->options->tracker;
	if (s->wants_tables || s->options->init_traffic) {
		planner_taf_options(needs, &s->topology, &tables);
		o.taf = &tables;
	}
	return step_source(&s->source, &o, e);
}

/* How far a launch without an end is executed. The run stops before a warp issues more instructions than its limits
 * allow: at the very most PER_CYCLE in a core cycle. AHEAD covers instructions that are fetched before they issue. A
 * trace that is kept has to be whole, and so has one that is joined with those of other programs. */
static struct ptx_limits limits(const struct session_options *o)
{
	enum { PER_CYCLE = 8, AHEAD = 4096 };
	struct ptx_limits l = {.log_bytes = o->log_bytes};
	uint64_t most = UINT64_MAX;

	if (o->max_cycles && o->max_cycles < most / PER_CYCLE)
		most = o->max_cycles * PER_CYCLE;
	if (o->max_insts && o->max_insts < most)
		most = o->max_insts;
	if (o->max_thread_insts && o->max_thread_insts < most)
		most = o->max_thread_insts;
	if (most < UINT64_MAX - AHEAD && !o->record_path && o->n_programs == 1)
		l.warp_insts = most + AHEAD;
	return l;
}

int session_source(struct session *s, struct err *e)
{
	char root[ROOT_PATH_MAX];
	const struct session_options *o = s->options;
	struct source_options how = {.root = root_path("", root),
				     .size = o->size,
				     .print = o->print,
				     .oob = o->oob,
				     .limits = limits(o),
				     .order = s->machine.sm.schedule ? PTX_ASSEMBLER_ORDER : PTX_TEXT_ORDER,
				     .sms = s->machine.sm.count,
				     .independent_lanes = s->machine.sm.independent_lanes,
				     .record_path = o->record_path,
				     .findings = o->findings,
				     .align = machine_data_align(&s->machine),
				     .files = &dump_files,
				     .accelsim = o->accelsim,
				     .max_unpacked = o->max_unpacked};
	struct planner_needs needs = {0};
	bool several = o->n_programs > 1;

	if (several && programs_share(&s->programs, o->n_programs, &s->topology, &s->arena, e) != 0)
		return -1;
	if (o->plan && (planner_check(o->plan, &needs, e) != 0 || planner_check_effect(o->plan, &s->machine, o->on_cpu, e) != 0))
		return -1;
	how.analyse = o->analyse || needs.analysis;
	if ((several ? open_programs : open_program)(s, &needs, &how, e) != 0 ||
	    trace_check_machine(s->source.trace, s->machine.sm.count, s->machine.sm.independent_lanes, e) != 0)
		return -1;
	if (o->hw)
		s->hw = cosim_new(o->hw);
	s->time.functional = cpu_seconds() - s->began;
	return 0;
}

/* ---- what is decided ahead of the launches ---- */

static int run_phase(struct session *s, const struct tracking_phase_config *c, struct err *e)
{
	const char *tracker = s->options->tracker;
	double start = cpu_seconds();
	struct progress p;
	int rc;

	progress_begin(&p, "the host program's stores of %s", trace_name(s->source.trace));
	rc = tracking_phase_run(c, &s->tracked, e);
	progress_end(&p);
	if (rc != 0)
		return tracker ? err_prefix(e, "--tracker %s", tracker) : err_prefix(e, "--tracker hw (none does without the CPU)");
	s->was_tracked = true;
	s->time.phase = cpu_seconds() - start;
	return 0;
}

int session_track(struct session *s, struct err *e)
{
	char root[ROOT_PATH_MAX];
	const struct session_options *o = s->options;
	struct hw_binder binder;
	struct tracking_phase_config c = {.machine = &s->machine,
					  .trace = s->source.trace,
					  .taf = s->source.taf,
					  .gpu = gpu_tracker_of(root_path("", root)),
					  .no_skip = o->no_skip};

	if (s->hw) {
		binder = cosim_binder(s->hw);
		c.binder = &binder;
	}
	if (!s->source.taf || !s->wants_tables)
		return o->tracker ? err_set(e, "--tracker %s: %s makes no TAFE calls (taf_register)", o->tracker,
					    trace_name(s->source.trace))
				  : 0;
	if (tracker_of(o, &c.tracker, e) != 0)
		return -1;
	return c.tracker == TRACK_NONE ? 0 : run_phase(s, &c, e);
}

struct planner_request session_request(struct session *s)
{
	return (struct planner_request){.machine = &s->machine,
					.topology = &s->topology,
					.trace = s->source.trace,
					.analysis = s->source.analysis,
					.taf = s->source.taf,
					.descriptors = s->source.descriptors,
					.extents = s->was_tracked ? &s->tracked.memory : NULL,
					.arena = &s->arena,
					.n_programs = s->programs.n,
					.program = s->programs.program};
}

/* With the software tracker's extents. */
static int plan_of_tracked(struct plan *p, const char *text, const struct planner_request *req, struct err *e)
{
	struct planner_request with = *req;
	struct taf_memory extents;
	int rc;

	taf_track(&extents, req->taf, NULL);
	with.extents = &extents;
	rc = step_plan(p, text, &with, e);
	taf_memory_free(&extents);
	return rc;
}

int session_plan(struct session *s, struct err *e)
{
	struct planner_request req = session_request(s);
	const char *text = s->options->plan;
	struct plan *p;
	int rc;

	if (!text && s->programs.n == 0) /* several programs have a plan in any case: which modules are whose */
		return 0;
	p = arena_alloc(&s->arena, sizeof *p);
	rc = (req.taf && !req.extents ? plan_of_tracked : step_plan)(p, text, &req, e);
	if (rc != 0)
		return -1;
	s->plan = p;
	s->time.plan = p->seconds + s->source.analysis_seconds;
	return 0;
}

int session_init(struct session *s, struct err *e)
{
	struct tracking_phase_config c = {.machine = &s->machine,
					  .trace = s->source.trace,
					  .taf = s->source.taf,
					  .no_skip = s->options->no_skip,
					  .plan = s->plan};
	double start = cpu_seconds();
	struct progress p;
	int rc;

	if (!s->options->init_traffic)
		return 0;
	if (!c.taf)
		return err_set(e, "--init-traffic: %s makes no TAFE calls (taf_register), by which stores are recorded",
			       trace_name(c.trace));
	if (s->was_tracked && tracker_of(s->options, &c.tracker, e) != 0)
		return -1;
	progress_begin(&p, "what the stores of %s move", trace_name(c.trace));
	rc = init_traffic_measure(&c, &s->init, e);
	progress_end(&p);
	if (rc != 0)
		return err_prefix(e, "--init-traffic");
	s->has_init = true;
	s->time.phase += cpu_seconds() - start;
	return 0;
}

/* ---- the run ---- */

/* Metrics and invariants of what was run ahead of the launches are the run's. */
static void add_phases(struct session *s)
{
	if (s->was_tracked) {
		stats_take(&s->result.stats, &s->tracked.stats);
		audit_take(&s->result.audit, &s->tracked.audit);
	}
	if (s->has_init) {
		stats_take(&s->result.stats, &s->init.stats);
		audit_take(&s->result.audit, &s->init.audit);
	}
}

static void begins(void *session)
{
	const struct session *s = session;

	if (s->options->begins)
		s->options->begins(s);
}

static int open_checkpoints(struct session *s, struct gpu_config *c, struct err *e)
{
	const struct checkpoint_options *o = s->options->checkpoints;

	if (!o)
		return 0;
	if (o->from && checkpoint_open(&s->resumed, o->from, e) != 0)
		return err_prefix(e, "--resume");
	if ((o->every && checkpoint_check_path(o->path, e) != 0) || region_open(&s->region, e) != 0)
		return -1;
	s->records.region = &s->region;
	s->checkpoints = (struct gpu_checkpoints){
		.region = &s->region, .every = o->every, .path = o->path, .from = o->from ? &s->resumed : NULL};
	if (s->options->interval)
		s->checkpoints.beside[s->checkpoints.n_beside++] =
			(struct checkpoint_part){&s->intervals.samples, sizeof s->intervals.samples};
	c->checkpoints = &s->checkpoints;
	return 0;
}

/* What is wanted beside the metrics. */
static int open_records(struct session *s, struct gpu_config *c, struct err *e)
{
	const struct session_options *o = s->options;
	struct arena *a = o->checkpoints ? &s->records : &s->arena;

	if (o->timeline || o->working_set) {
		timeline_init(&s->timeline, a, c->trace);
		c->timeline = &s->timeline;
	}
	if (o->warp_ends) {
		warp_ends_init(&s->warp_ends, a, c->trace);
		c->warp_ends = &s->warp_ends;
	}
	if (o->profile) {
		gpu_profile_init(&s->profile, a, c->trace);
		c->profile = &s->profile;
	}
	if (o->interval) {
		s->intervals = (struct intervals){
			.asked = o->interval, .most = o->interval_samples, .metrics = o->interval_metrics, .arena = a};
		c->intervals = &s->intervals;
	}
	if (o->l1_sets) {
		s->l1_sets.arena = a;
		c->sets = &s->l1_sets;
	}
	if (o->trace_requests) {
		if (request_paths_init(&s->paths, a, c->trace, &s->machine, o->trace_requests, e) != 0)
			return err_prefix(e, "--trace-requests");
		c->paths = &s->paths;
	}
	if (o->pipelines) {
		if (pipelines_init(&s->pipelines, a, &s->machine, o->pipelines_filter, e) != 0)
			return err_prefix(e, "--konata-filter");
		c->pipelines = &s->pipelines;
	}
	return 0;
}

int session_run(struct session *s, struct err *e)
{
	const struct session_options *o = s->options;
	double start = cpu_seconds();
	struct hw_binder binder;
	struct gpu_pause_hook pause_hook;
	struct gpu_config c = {.machine = &s->machine,
			       .trace = s->source.trace,
			       .plan = s->plan,
			       .max_cycles = o->max_cycles,
			       .max_insts = o->max_insts,
			       .max_thread_insts = o->max_thread_insts,
			       .no_skip = o->no_skip,
			       .threads = o->threads,
			       .always_threads = o->always_threads,
			       .totals_only = o->totals_only,
			       .begins = begins,
			       .watcher_ctx = s};

	if (s->hw) {
		binder = cosim_binder(s->hw);
		c.binder = &binder;
	}
	if (open_checkpoints(s, &c, e) != 0 || open_records(s, &c, e) != 0)
		return -1;
	if (o->tries) {
		pause_hook = tries_pause_hook(&s->tries);
		c.pause_hook = &pause_hook;
	}
	if (o->sample) {
		s->sampled = (struct gpu_sampled){.options = *o->sample, .arena = &s->arena};
		c.sampled = &s->sampled;
	}
	if (step_run(&c, o->on_cpu ? cpu_run : o->sample ? gpu_run_sampled : gpu_run, &s->result, e) != 0)
		return -1;
	s->has_run = true;
	if (s->source.cut && !s->result.cut)
		return err_set(e, "%s: its last launch, which was executed as far as the run's limit needs, ended before that",
			       trace_name(c.trace));
	if (o->working_set && working_set_report(&s->result.stats, c.trace, &s->timeline, s->machine.sm.count, e) != 0)
		return -1;
	s->mismatch = s->hw ? cosim_finish(s->hw, e) : 0;
	s->time.model = cpu_seconds() - start;
	add_phases(s);
	return 0;
}

bool session_is_sound(const struct session *s)
{
	return !s->result.audit.failed && !s->source.differs && s->mismatch == 0;
}

void session_close(struct session *s)
{
	request_paths_free(&s->paths);
	tries_free(&s->tries);
	if (s->has_run)
		gpu_result_free(&s->result);
	if (s->was_tracked)
		tracking_phase_free(&s->tracked);
	if (s->has_init)
		init_traffic_free(&s->init);
	if (s->hw)
		cosim_free(s->hw);
	if (s->programs.n)
		programs_close(&s->programs, &s->source);
	else
		source_close(&s->source);
	gpu_checkpoints_free(&s->checkpoints);
	checkpoint_close(&s->resumed);
	region_close(&s->region);
	arena_free(&s->arena);
}
