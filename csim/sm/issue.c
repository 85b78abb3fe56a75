/* The schedulers: each picks one ready warp a core cycle and issues its next instruction. */
#include "base/panic.h"
#include "sm/sm_impl.h"

static inline void hold(struct sm *sm, enum core_unit u, struct sm_units of, uint32_t interval)
{
	uint64_t *free_at = sm->unit_free[u];

	for (unsigned i = of.first; i < of.first + of.n; i++)
		if (free_at[i] <= sm->now) {
			free_at[i] = sm->now + interval;
			return;
		}
	panic("sm", sm->now, "issue to a pipeline that is held");
}

static inline uint64_t candidates(const struct sm *sm)
{
	uint64_t c = sm->ready[UNIT_NONE];

	if (sm->ready[UNIT_SP] && sm_unit_is_free(sm, UNIT_SP, sm_all_units(sm, UNIT_SP)))
		c |= sm->ready[UNIT_SP];
	if (sm->ready[UNIT_SFU] && sm_unit_is_free(sm, UNIT_SFU, sm_all_units(sm, UNIT_SFU)))
		c |= sm->ready[UNIT_SFU];
	if (sm->ready[UNIT_TENSOR] && sm_unit_is_free(sm, UNIT_TENSOR, sm_all_units(sm, UNIT_TENSOR)))
		c |= sm->ready[UNIT_TENSOR];
	if (lsu_is_free(&sm->lsu))
		c |= sm->ready[UNIT_LDST];
	return c;
}

/* The units for which a warp is ready, a bit each. */
static inline uint32_t wanted_units(const struct sm *sm)
{
	uint32_t wanted = 0;

	for (enum core_unit u = UNIT_SP; u <= UNIT_LDST; u++)
		wanted |= (uint32_t)(sm->ready[u] != 0) << u;
	return wanted;
}

/* The same for scheduler s of an SM with sub-cores. */
static inline uint64_t candidates_of(const struct sm *sm, unsigned s, uint64_t active, uint32_t wanted)
{
	uint64_t c = sm->ready[UNIT_NONE] & active;

	for (; wanted; wanted &= wanted - 1) {
		enum core_unit u = (enum core_unit)__builtin_ctz(wanted);
		uint64_t ready = sm->ready[u] & active;

		if (ready && (sm->queued[u]    ? subcores_has_room(&sm->subcores, s)
			      : u == UNIT_LDST ? lsu_is_free(&sm->lsu)
					       : sm_unit_is_free(sm, u, sm_units_of(sm, s, u))))
			c |= ready;
	}
	return c;
}

/* The warp that issued last goes on as long as it can; then the oldest: by CTA in the order of arrival, then by
 * warp number, which ascends with the slot inside a CTA. */
static unsigned pick_gto(const struct sm *sm, unsigned s, uint64_t can)
{
	if (can & sm->last[s])
		return (unsigned)__builtin_ctzll(sm->last[s]);
	for (unsigned i = 0; i < sm->n_order; i++) {
		uint64_t of_cta = can & sm->in_order[i];

		if (of_cta)
			return (unsigned)__builtin_ctzll(of_cta);
	}
	panic("sm", sm->now, "a ready warp of no CTA");
}

/* As GTO, but then the youngest. */
static unsigned pick_gty(const struct sm *sm, unsigned s, uint64_t can)
{
	if (can & sm->last[s])
		return (unsigned)__builtin_ctzll(sm->last[s]);
	for (unsigned i = sm->n_order; i-- > 0;) {
		uint64_t of_cta = can & sm->in_order[i];

		if (of_cta)
			return 63 - (unsigned)__builtin_clzll(of_cta);
	}
	panic("sm", sm->now, "a ready warp of no CTA");
}

/* The next slot after the one that issued last, round. */
static unsigned pick_lrr(const struct sm *sm, unsigned s, uint64_t can)
{
	uint64_t above = sm->last[s] ? can & ~(sm->last[s] | (sm->last[s] - 1)) : can;

	return (unsigned)__builtin_ctzll(above ? above : can);
}

static inline unsigned pick(const struct sm *sm, unsigned s, uint64_t can, enum machine_scheduler how)
{
	if (how == SCHED_GTO)
		return pick_gto(sm, s, can);
	return how == SCHED_LRR ? pick_lrr(sm, s, can) : pick_gty(sm, s, can);
}

/* Of a repeated wait. */
static void __attribute__((noinline)) count_repeated(struct sm *sm, unsigned s, const struct core_inst *in, uint32_t mask)
{
	unsigned lanes = (unsigned)__builtin_popcount(mask);

	sm->stats.stalls[STALL_WAIT][s]++;
	sm->stats.wait.insts++;
	sm->stats.wait.lanes[in->op] += lanes;
	sm->stats.wait.operands += (uint64_t)lanes * in->n_regs;
}

static inline void count_instruction(struct sm *sm, unsigned s, const struct core_inst *in, uint32_t mask)
{
	unsigned lanes = (unsigned)__builtin_popcount(mask);

	sm->stats.stalls[STALL_ISSUED][s]++;
	sm->stats.warp_insts++;
	sm->stats.mix[in->op]++;
	sm->stats.lanes[in->op] += lanes;
	sm->stats.width[lanes]++;
	sm->stats.operands += (uint64_t)lanes * in->n_regs;
	if (__builtin_expect(in->macs != 0, 0) && mask)
		sm->stats.macs[in->op - OP_TENSOR_F16] += in->macs;
}

/* Takes the instruction's address record. */
static inline uint64_t issue_access(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask)
{
	struct sm_warp *w = &sm->warp[slot];
	const struct trace_cta *cta = &sm->cta[w->cta].trace;
	const struct lsu_inst i = {.in = in, .cta = cta, .addr = w->addr++, .mask = mask};

	/* of the warp's next accesses: by then other warps have displaced it */
	__builtin_prefetch(&cta->addrs[i.addr + 4]);
	if (__builtin_expect(i.addr == w->sync_at, 0)) {
		waits_issue(sm, slot);
		return waits_access(sm, slot, &i);
	}
	return in->act == ACT_SHARED ? lsu_issue_shared(&sm->lsu, sm->now, &i, slot, w->cta)
				     : lsu_issue(&sm->lsu, sm->now, &i, slot);
}

/* Inlined into each of the ways to issue: one is in use in a run, and calls in it cost more than their size. */
static inline __attribute__((always_inline)) void issue_memory(struct sm *sm, unsigned slot, const struct core_inst *in,
							       uint32_t mask)
{
	struct sm_warp *w = &sm->warp[slot];
	uint64_t readable;

	if (mask == 0) /* predicated off in all lanes: nothing is accessed and nothing written */
		return;
	if (in->act == ACT_PARAM)
		readable = lsu_issue_param(&sm->lsu, sm->now, in, slot, w->cta);
	else
		readable = issue_access(sm, slot, in, mask);
	if (readable == LSU_WRITES_NONE) {
		w->stores += sm->lsu.head.n;
		sm->cta[w->cta].outstanding += sm->lsu.head.n;
		return;
	}
	sm->cta[w->cta].outstanding++;
	warp_set_results(sm, slot, in->reg, in->n_dst,
			 readable == CYCLE_NEVER ? SM_STAMP_NEVER : sm_stamp(readable + sm->load_depth, true));
}

/* The cycle in which the warp goes on: when its last lane does. */
static uint64_t __attribute__((noinline)) sleep_on(struct sm *sm, unsigned slot, uint32_t mask)
{
	struct sm_warp *w = &sm->warp[slot];
	uint64_t ns[TRACE_WARP_SIZE], longest = 0;

	trace_addr_expand(&sm->cta[w->cta].trace, w->addr++, mask, ns);
	for (; mask; mask &= mask - 1)
		longest = ns[__builtin_ctz(mask)] > longest ? ns[__builtin_ctz(mask)] : longest;
	sm->asleep |= warp_bit(slot);
	return sm->now + waits_sleep_cycles(sm, longest);
}

/* An instruction without a unit. Returns false if the warp does not simply go on to its next one. */
static bool issue_control(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask, uint64_t *next)
{
	struct sm_warp *w = &sm->warp[slot];

	*next = sm->now + in->latency;
	if (in->act == ACT_BARRIER && mask != 0)
		return false;
	if (in->act == ACT_SLEEP && mask != 0) {
		uint64_t awake = sleep_on(sm, slot, mask);

		*next = *next < awake ? awake : *next;
		return true;
	}
	if (in->act == ACT_MEMBAR && w->stores > 0) {
		w->at_fence = true;
		return false;
	}
	return true;
}

static inline bool issue_to_unit(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask, uint64_t *next)
{
	switch (in->unit) {
	case UNIT_SP:
		hold(sm, UNIT_SP, sm_all_units(sm, UNIT_SP), in->interval);
		warp_set_results(sm, slot, in->reg, in->n_dst, sm_stamp(sm->now + in->latency, false));
		return true;
	case UNIT_TENSOR:
		sm->stats.tensor_held += in->interval;
		/* fall through */
	case UNIT_SFU:
		hold(sm, in->unit, sm_all_units(sm, in->unit), in->interval);
		warp_set_results(sm, slot, in->reg, in->n_dst, sm_stamp(sm->now + in->latency, false));
		return true;
	case UNIT_LDST:
		issue_memory(sm, slot, in, mask);
		return true;
	default:
		return issue_control(sm, slot, in, mask, next);
	}
}

static inline bool issue_to_collector(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask, uint64_t *next)
{
	collect_issue(sm, slot, in, mask);
	return in->unit != UNIT_NONE || issue_control(sm, slot, in, mask, next);
}

static bool issue_in_subcore(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask, uint64_t *next)
{
	if (sm->queued[in->unit]) {
		subcore_issue(sm, slot, in, mask);
		return true;
	}
	if (!core_unit_is_arithmetic(in->unit))
		return issue_to_unit(sm, slot, in, mask, next);
	hold(sm, in->unit, sm_units_of(sm, sm_scheduler_of(sm, slot), in->unit), in->interval);
	sm->stats.tensor_held += in->unit == UNIT_TENSOR ? in->interval : 0;
	warp_set_results(sm, slot, in->reg, in->n_dst, sm_stamp(sm->now + in->latency, false));
	return true;
}

static uint64_t lsu_work(const struct sm *sm)
{
	const struct lsu_stats *l = &sm->lsu.stats;

	return l->transactions + l->shared_cycles + l->params;
}

/* What lies between schedulers and units: a constant where it is called, as are `profiled` and `waits`, which says that
 * warps may wait for one another. */
enum way { WAY_PLAIN, WAY_COLLECTORS, WAY_SUBCORES };

static inline __attribute__((always_inline)) bool issue_on(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask,
							   uint64_t *next, enum way way)
{
	switch (way) {
	case WAY_COLLECTORS:
		return issue_to_collector(sm, slot, in, mask, next);
	case WAY_SUBCORES:
		return issue_in_subcore(sm, slot, in, mask, next);
	default:
		return issue_to_unit(sm, slot, in, mask, next);
	}
}

static inline __attribute__((always_inline)) void issue(struct sm *sm, unsigned s, unsigned slot, enum way way, bool profiled,
							bool waits)
{
	struct sm_warp *w = &sm->warp[slot];
	const struct core_inst *in = &w->inst[w->pc];
	uint32_t mask = w->mask;
	uint64_t next = sm->now + 1, work = profiled ? lsu_work(sm) : 0;
	bool goes_on, repeats = waits && sm->repeats & warp_bit(slot);

	if (__builtin_expect(sm->watch != NULL, 0))
		sm->watch(sm->watch_ctx, sm->now, s, slot, w->pc);
	sm->last[s] = warp_bit(slot);
	sm->ready[in->unit] &= ~warp_bit(slot);
	if (waits)
		sm->asleep &= ~warp_bit(slot);
	if (repeats)
		count_repeated(sm, s, in, mask);
	else
		count_instruction(sm, s, in, mask);
	if (profiled)
		profile_issue(sm, slot, in, mask, repeats);
	goes_on = issue_on(sm, slot, in, mask, &next, way);
	if (profiled && in->unit == UNIT_LDST)
		profile_transactions(sm, in, lsu_work(sm) - work);
	if (!warp_advance(sm, slot)) {
		if (!waits || !waits_at_end(sm, slot, next))
			warp_exit(sm, slot);
	} else if (goes_on) {
		warp_schedule(sm, slot, next);
	} else if (w->at_fence) {
		sm->blocked |= warp_bit(slot);
		sm->waits_memory |= warp_bit(slot);
	} else {
		warp_arrive_at_barrier(sm, slot);
	}
}

/* Of live warps, none of them ready. */
static inline __attribute__((always_inline)) enum stalls waits_for(const struct sm *sm, uint64_t live, bool collects)
{
	uint64_t waits = live & ~(sm->waits_memory | sm->at_barrier | sm->fetch.waiting);

	if (waits)
		return collects && !(waits & ~sm->blocked) ? STALL_OPERANDS : STALL_ARITHMETIC;
	if (live & sm->fetch.waiting)
		return STALL_FETCH;
	return live & sm->waits_memory ? STALL_MEMORY : STALL_BARRIER;
}

/* ready: sm_any_ready, in what is the scheduler's own. */
static inline __attribute__((always_inline)) enum stalls cause_of(const struct sm *sm, uint64_t live, uint64_t active,
								  uint64_t ready, bool collects)
{
	if (!(ready & live))
		return waits_for(sm, live, collects);
	if (collects && ready & active)
		return collect_cause(sm, active);
	if ((sm->ready[UNIT_SP] | sm->ready[UNIT_SFU] | sm->ready[UNIT_TENSOR] | sm->ready[UNIT_INT] | sm->ready[UNIT_DP]) & active)
		return STALL_PIPELINE;
	if (sm->ready[UNIT_LDST] & active)
		return lsu_cause(&sm->lsu);
	return STALL_THROTTLED; /* those that are ready are inactive */
}

/* Some are in repeated waits or asleep: the cause is that of the others, but if these are all at a barrier. */
static enum stalls __attribute__((noinline))
cause_beside_waits(const struct sm *sm, uint64_t live, uint64_t active, uint64_t ready, bool collects)
{
	uint64_t others = live & ~sm_waiting(sm);

	if (!(others & ~sm->at_barrier))
		return STALL_WAIT;
	return cause_of(sm, others, active & ~sm_waiting(sm), ready, collects);
}

static inline __attribute__((always_inline)) enum stalls cause(const struct sm *sm, unsigned s, uint64_t ready, bool collects,
							       bool waits)
{
	uint64_t own = sm->own[s], active = sm->throttle.own[s], live = sm->running & own;

	if (!live)
		return STALL_IDLE;
	if (waits && (sm->repeats | sm->asleep) & own)
		return cause_beside_waits(sm, live, active, ready, collects);
	return cause_of(sm, live, active, ready, collects);
}

/* The scheduler that chooses first rotates from cycle to cycle, so that none has a standing right to the shared
 * units. */
static inline __attribute__((always_inline)) void schedule(struct sm *sm, enum way way, bool profiled, bool waits)
{
	unsigned n = sm->m->sm.schedulers, s = (unsigned)(sm->now % n);
	enum machine_scheduler how = sm->m->sm.scheduler;
	bool collects = way == WAY_COLLECTORS;
	uint64_t ready = sm_any_ready(sm); /* a scheduler changes nothing of another's warps */
	uint32_t wanted = way == WAY_SUBCORES ? wanted_units(sm) : 0;

	for (unsigned i = 0; i < n; i++) {
		uint64_t active = sm->throttle.own[s], can = 0;

		if (ready & active)
			can = way == WAY_SUBCORES ? candidates_of(sm, s, active, wanted)
						  : (collects ? collect_candidates(sm) : candidates(sm)) & active;
		if (can) {
			issue(sm, s, pick(sm, s, can, how), way, profiled, waits);
		} else {
			enum stalls why = cause(sm, s, ready, collects, waits);

			sm->stats.stalls[why][s]++;
			if (profiled)
				profile_stall(sm, s, why, 1);
		}
		if (++s == n)
			s = 0;
	}
}

static void issue_all(struct sm *sm)
{
	schedule(sm, WAY_PLAIN, false, false);
}

static void issue_all_waiting(struct sm *sm)
{
	schedule(sm, WAY_PLAIN, false, true);
}

static void issue_collecting(struct sm *sm)
{
	collect_step(sm);
	schedule(sm, WAY_COLLECTORS, false, false);
}

static void issue_collecting_waiting(struct sm *sm)
{
	collect_step(sm);
	schedule(sm, WAY_COLLECTORS, false, true);
}

static void issue_parted(struct sm *sm)
{
	schedule(sm, WAY_SUBCORES, false, false);
}

static void issue_parted_waiting(struct sm *sm)
{
	schedule(sm, WAY_SUBCORES, false, true);
}

static void issue_profiled(struct sm *sm)
{
	schedule(sm, WAY_PLAIN, true, sm->waits != NULL);
}

static void issue_collecting_profiled(struct sm *sm)
{
	collect_step(sm);
	schedule(sm, WAY_COLLECTORS, true, sm->waits != NULL);
}

static void issue_parted_profiled(struct sm *sm)
{
	schedule(sm, WAY_SUBCORES, true, sm->waits != NULL);
}

void (*issue_way(const struct sm *sm))(struct sm *)
{
	if (sm->parted)
		return sm->profile ? issue_parted_profiled : sm->waits ? issue_parted_waiting : issue_parted;
	if (sm->operands.on)
		return sm->profile ? issue_collecting_profiled : sm->waits ? issue_collecting_waiting : issue_collecting;
	return sm->profile ? issue_profiled : sm->waits ? issue_all_waiting : issue_all;
}

unsigned issue_choice(const struct sm *sm, unsigned s, uint64_t warps)
{
	return pick(sm, s, warps, sm->m->sm.scheduler);
}

enum stalls issue_cause(const struct sm *sm, unsigned s)
{
	uint64_t ready = sm_any_ready(sm);

	if (__builtin_expect(sm->waits != NULL, 0))
		return cause(sm, s, ready, sm->operands.on, true);
	return __builtin_expect(sm->operands.on, 0) ? cause(sm, s, ready, true, false) : cause(sm, s, ready, false, false);
}

/* With sub-cores; `next`: when the throttle wants to be asked. */
static inline uint64_t next_of(const struct sm *sm, unsigned s, uint32_t wanted, uint64_t next)
{
	uint64_t active = sm->throttle.own[s], t;

	if (candidates_of(sm, s, active, wanted))
		return sm->now + 1;
	for (wanted &= ~(1u << UNIT_LDST); wanted; wanted &= wanted - 1) {
		enum core_unit u = (enum core_unit)__builtin_ctz(wanted);

		if (sm->ready[u] & active && !sm->queued[u] && (t = sm_unit_free(sm, u, sm_units_of(sm, s, u))) < next)
			next = t;
	}
	return next;
}

/* Apart, so that an SM without sub-cores needs no registers for it. */
static uint64_t __attribute__((noinline)) next_parted(const struct sm *sm)
{
	uint64_t next = sm->throttle.due;
	uint32_t wanted;

	if (sm->ready[UNIT_NONE] & sm->throttle.active)
		return sm->now + 1;
	wanted = wanted_units(sm);
	for (unsigned s = 0; wanted && s < sm->m->sm.schedulers && next > sm->now + 1; s++)
		next = next_of(sm, s, wanted, next);
	return next > sm->now ? next : sm->now + 1;
}

uint64_t issue_next(const struct sm *sm)
{
	uint64_t next = sm->throttle.due, active = sm->throttle.active, t;

	if (__builtin_expect(sm->parted, 0))
		return next_parted(sm);
	if (sm->ready[UNIT_NONE] & active || (sm->ready[UNIT_LDST] & active && lsu_is_free(&sm->lsu)))
		return sm->now + 1;
	for (enum core_unit u = UNIT_SP; u <= UNIT_TENSOR; u++)
		if (sm->ready[u] & active && (t = sm_unit_free(sm, u, sm_all_units(sm, u))) < next)
			next = t;
	return next > sm->now ? next : sm->now + 1;
}
