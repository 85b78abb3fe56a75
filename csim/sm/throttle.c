/* An SM's side of its warp throttle: asking it, telling it of loads, and holding back warps that may not load. */
#include "policy/kernel_limits.h"
#include "sm/sm_impl.h"

static void set_active(struct sm *sm, uint64_t active)
{
	sm->throttle.active = active;
	for (unsigned s = 0; s < sm->m->sm.schedulers; s++)
		sm->throttle.own[s] = sm->own[s] & active;
}

/* ---- notifications from the L1 to the throttle, and the throttle's decisions ---- */

static unsigned warp_of(const struct sm *sm, uint32_t token)
{
	return sm->lsu.loads.load[token].slot;
}

/* A line that nobody's load has brought in was prefetched. */
static void name_victim(const struct sm *sm, const struct l1_load_taken *t, struct warp_load *l)
{
	const struct sm_line_by *by = &sm->throttle.line_by[t->slot];

	if (!t->evicted || by->line != t->victim)
		return;
	l->evicted = true;
	l->victim = t->victim;
	l->victim_warp = by->warp;
}

static void taken(void *ctx, const struct l1_load_taken *t)
{
	struct sm *sm = ctx;
	struct warp_load l = {.cycle = t->cycle,
			      .insts = sm->stats.warp_insts - sm->throttle.insts,
			      .line = t->line,
			      .warp = warp_of(sm, t->token),
			      .brought_in = t->brought_in};

	name_victim(sm, t, &l);
	if (t->brought_in)
		sm->throttle.line_by[t->slot] = (struct sm_line_by){t->line, (uint8_t)l.warp};
	if (sm->throttle.policy->observe(sm->throttle.state, &l))
		sm_throttle_stale(sm);
}

static void dropped(void *ctx, uint64_t line)
{
	const struct sm *sm = ctx;

	sm->throttle.policy->dropped(sm->throttle.state, line);
}

static bool may_allocate(void *ctx, uint32_t token)
{
	const struct sm *sm = ctx;

	return sm->throttle.policy->may_allocate(sm->throttle.state, warp_of(sm, token));
}

static void observe_l1(struct sm *sm, struct arena *a)
{
	const struct warp_throttle *p = sm->throttle.policy;
	uint32_t slots = tags_slots(&sm->lsu.l1.tags);

	sm->throttle.line_by = arena_array(a, slots, sizeof *sm->throttle.line_by);
	for (uint32_t i = 0; i < slots; i++)
		sm->throttle.line_by[i].line = TAGS_NO_LINE;
	sm->throttle.observer =
		(struct l1_observer){.ctx = sm, .taken = p->observe ? taken : NULL, .dropped = p->dropped ? dropped : NULL};
	l1_observe(&sm->lsu.l1, &sm->throttle.observer);
	if (p->may_allocate)
		l1_set_gate(&sm->lsu.l1, (struct l1_gate){sm, may_allocate});
}

/* ---- loads that are held back ---- */

static bool is_at_load(const struct sm *sm, unsigned slot)
{
	const struct core_inst *in = sm_next_inst(sm, slot);

	return in->op == OP_LOAD && (in->act == ACT_GLOBAL || in->act == ACT_LOCAL);
}

/* A warp that may not load is inactive as long as a load is its next instruction. That is looked up once for each warp
 * that has become ready for the load/store unit: it stays ready until it issues. */
static void issue_restrained(struct sm *sm)
{
	uint64_t active;

	for (uint64_t fresh = sm->ready[UNIT_LDST] & ~sm->throttle.seen; fresh; fresh &= fresh - 1)
		if (is_at_load(sm, (unsigned)__builtin_ctzll(fresh)))
			sm->throttle.at_load |= fresh & -fresh;
	active = sm->throttle.allowed & ~(sm->throttle.at_load & ~sm->throttle.may_load);
	if (active != sm->throttle.active)
		set_active(sm, active);
	issue_way(sm)(sm);
	sm->throttle.seen = sm->ready[UNIT_LDST];
	sm->throttle.at_load &= sm->throttle.seen;
}

/* ---- asking it ---- */

int sm_throttle_find_limits(struct sm *sm, struct arena *a, struct err *e)
{
	uint32_t n = trace_n_kernels(sm->trace);
	const char **name = arena_array(a, (size_t)n + 1, sizeof *name);

	for (uint32_t i = 0; i < n; i++)
		name[i] = trace_kernel(sm->trace, i)->name;
	return kernel_limits_init(&sm->throttle.limit, a, sm->m, name, n, e);
}

void sm_throttle_use_issue(struct sm *sm)
{
	sm->issue = sm->throttle.policy->may_load ? issue_restrained : issue_way(sm);
}

void sm_throttle_use(struct sm *sm, struct arena *a, const struct warp_throttle *p)
{
	sm->throttle.policy = p;
	sm->throttle.state = NULL;
	if (p->init)
		p->init(&sm->throttle.state, a, sm->m);
	sm->throttle.allowed = sm->throttle.may_load = ~UINT64_C(0);
	set_active(sm, sm->throttle.allowed);
	sm->throttle.due = CYCLE_NEVER;
	sm_throttle_use_issue(sm);
	if (warp_throttle_minds_loads(p))
		observe_l1(sm, a);
}

int sm_throttle_init(struct sm *sm, struct arena *a, struct err *e)
{
	sm_throttle_use(sm, a, warp_throttle_of(sm->m));
	return sm_throttle_find_limits(sm, a, e);
}

void sm_throttle_begin_launch(struct sm *sm)
{
	const struct warp_throttle *p = sm->throttle.policy;

	sm->throttle.insts = sm->stats.warp_insts;
	if (p->launch)
		p->launch(sm->throttle.state, sm->now, trace_launch(sm->trace, sm->launch)->kernel);
}

void sm_throttle_update(struct sm *sm)
{
	const struct warp_throttle *p = sm->throttle.policy;
	struct warp_view v = {.cycle = sm->now,
			      .running = sm->running,
			      .eligible = sm->running & ~sm->at_barrier,
			      .schedulers = sm->m->sm.schedulers,
			      .own = sm->own,
			      .n_ctas = sm->n_order,
			      .of_cta = sm->in_order};

	if (sm->launch != UINT32_MAX)
		v.limit = sm->throttle.limit[trace_launch(sm->trace, sm->launch)->kernel];
	if (p->active)
		set_active(sm, sm->throttle.allowed = p->active(sm->throttle.state, &v));
	if (p->may_load)
		sm->throttle.may_load = p->may_load(sm->throttle.state, &v);
	if (p->may_allocate)
		sm->lsu.retry = true; /* what the L1 could not take it may now send past */
	sm->throttle.due = p->next ? p->next(sm->throttle.state, sm->now) : CYCLE_NEVER;
}
