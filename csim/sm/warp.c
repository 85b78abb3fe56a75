#include "base/panic.h"
#include "sm/sm_impl.h"

static inline uint32_t operands_stamp(const uint32_t *regs, const struct core_inst *in)
{
	uint32_t a = regs[in->fast[0]], b = regs[in->fast[1]], c = regs[in->fast[2]], d = regs[in->fast[3]];
	uint32_t ab = a > b ? a : b, cd = c > d ? c : d, stamp = ab > cd ? ab : cd;

	for (unsigned i = CORE_REGS_FAST + in->n_over; i < in->n_regs; i++)
		if (stamp < regs[in->reg[i]])
			stamp = regs[in->reg[i]];
	return stamp;
}

/* With sm.dependences fixed: a result of a pipeline may be on its way when the register is written again, if that ends
 * later. Apart, so that a warp of another machine needs no registers for it. */
static uint32_t __attribute__((noinline)) after_results(const uint32_t *regs, const struct core_inst *in, uint32_t stamp)
{
	for (unsigned i = 0; i < in->n_over; i++) {
		uint32_t reg = regs[in->reg[i]], ahead = (in->latency - 1) << 1;

		if (reg < REG_STAMP_COLLECT && !(reg & 1))
			reg = reg > ahead ? reg - ahead : 0;
		stamp = stamp > reg ? stamp : reg;
	}
	return stamp;
}

/* With L0s: not before it has been decoded. Apart, likewise. */
static uint64_t __attribute__((noinline)) after_decode(struct sm *sm, unsigned slot, uint64_t stamp)
{
	uint64_t decoded = sm_stamp(fetch_decoded(&sm->fetch, slot), false);

	if (decoded <= stamp)
		return stamp;
	sm->fetch.waiting |= warp_bit(slot);
	return decoded;
}

void warp_schedule(struct sm *sm, unsigned slot, uint64_t earliest)
{
	struct sm_warp *w = &sm->warp[slot];
	const struct core_inst *in = &w->inst[w->pc];
	const uint32_t *regs = scoreboard_of(&sm->scoreboard, slot);
	uint64_t stamp, bit = warp_bit(slot);
	uint32_t latest;

	if (__builtin_expect(sm->fetch.on, 0) && !fetch_has(&sm->fetch, slot, in->place)) {
		w->stamp = sm_stamp(earliest, false);
		fetch_want(&sm->fetch, slot, in->place);
		return;
	}
	latest = operands_stamp(regs, in);
	if (in->n_over)
		latest = after_results(regs, in, latest);
	stamp = scoreboard_stamp(&sm->scoreboard, latest);
	if (stamp < sm_stamp(earliest, false))
		stamp = sm_stamp(earliest, false);
	if (__builtin_expect(sm->fetch.l0s.n, 0))
		stamp = after_decode(sm, slot, stamp);
	w->unit = in->unit;
	w->stamp = stamp;
	if (stamp >= SM_STAMP_COLLECT) {
		sm->blocked |= bit;
		sm->waits_memory |= stamp & 1 ? bit : 0;
	} else if (stamp >> 1 <= sm->now) {
		sm->ready[w->unit] |= bit;
	} else {
		sm->waits_memory |= stamp & 1 ? bit : 0;
		wheel_add(&sm->wheel, slot, stamp >> 1, sm->now);
	}
}

void warp_fetched(struct sm *sm, unsigned slot)
{
	uint64_t earliest = sm->warp[slot].stamp >> 1, fetched = sm->now + sm->fetch.latency;

	sm->fetch.waiting &= ~warp_bit(slot);
	if (sm->fetch.l0s.n)
		fetched = 0; /* see after_decode() */
	warp_schedule(sm, slot, earliest > fetched ? earliest : fetched);
}

void warp_unblock(struct sm *sm, unsigned slot)
{
	struct sm_warp *w = &sm->warp[slot];

	if (w->at_fence && w->stores > 0)
		return;
	if (__builtin_expect(sm->waits != NULL, 0) && sm->waits->of[slot].decides)
		return; /* see waits_settle() */
	w->at_fence = false;
	sm->blocked &= ~warp_bit(slot);
	sm->waits_memory &= ~warp_bit(slot);
	warp_schedule(sm, slot, sm->now);
}

void warp_wake(struct sm *sm, uint64_t warps)
{
	for (; warps; warps &= warps - 1) {
		unsigned slot = (unsigned)__builtin_ctzll(warps);
		struct sm_warp *w = &sm->warp[slot];

		if (w->stamp >> 1 > sm->now) { /* waits longer than the wheel is round */
			wheel_add(&sm->wheel, slot, w->stamp >> 1, sm->now);
			continue;
		}
		sm->waits_memory &= ~warp_bit(slot);
		sm->fetch.waiting &= ~warp_bit(slot);
		sm->ready[w->unit] |= warp_bit(slot);
	}
}

/* Whether lanes parted at the branch that the warp has executed with all its lanes, w->mask: whether the warp goes on
 * with a part of them. An instruction under a guard has the lanes whose guard holds, unless it is a branch, so the next
 * one without decides. */
static bool __attribute__((noinline)) lanes_parted(const struct sm *sm, const struct sm_warp *w)
{
	const struct sm_cta *c = &sm->cta[w->cta];
	const struct trace_inst *inst = trace_kernel(sm->trace, trace_launch(sm->trace, c->launch)->kernel)->inst;
	const struct trace_run *end = c->trace.runs + w->run_end;
	uint32_t lanes = w->mask;

	for (const struct trace_run *r = &c->trace.runs[w->run]; r < end; r++) {
		if (r->mask & ~lanes)
			return false; /* these are the lanes that waited at a join, or for this path to end */
		for (uint32_t pc = r->pc; pc < r->pc + r->len; pc++) {
			if (!(inst[pc].flags & TRACE_PREDICATED) || inst[pc].op == OP_BRANCH)
				return r->mask != lanes;
			if (inst[pc].op == OP_EXIT)
				lanes &= ~r->mask;
		}
	}
	return false;
}

/* To the instruction that comes next in its stream; false when that ends. */
static inline bool step_on(struct sm *sm, unsigned slot)
{
	struct sm_warp *w = &sm->warp[slot];
	const struct trace_run *r;

	w->pc++;
	if (--w->left > 0)
		return true;
	if (++w->run == w->run_end)
		return false;
	r = &sm->cta[w->cta].trace.runs[w->run];
	if (r->mask != w->mask && w->inst[w->pc - 1].act == ACT_BRANCH)
		sm->stats.diverged += !(sm->repeats & warp_bit(slot)) && lanes_parted(sm, w);
	w->pc = r->pc;
	w->left = r->len;
	w->mask = r->mask;
	return true;
}

/* Apart, likewise. */
bool __attribute__((noinline)) warp_skip_folded(struct sm *sm, unsigned slot)
{
	struct sm_warp *w = &sm->warp[slot];
	const struct core_inst *in;

	while ((in = &w->inst[w->pc])->act == ACT_FOLDED) {
		if (__builtin_expect(!(sm->repeats & warp_bit(slot)), 1)) {
			sm->stats.folded++;
			sm->stats.folded_lanes += (unsigned)__builtin_popcount(w->mask);
		}
		w->addr += in->records && w->mask;
		if (!step_on(sm, slot))
			return false;
	}
	return true;
}

bool warp_advance(struct sm *sm, unsigned slot)
{
	if (!step_on(sm, slot) || (__builtin_expect(sm->folds, 0) && !warp_skip_folded(sm, slot)))
		return false;
	if (__builtin_expect(sm->fetch.l0s.n, 0))
		fetch_goes_on(&sm->fetch, slot, sm_next_inst(sm, slot)->place);
	return true;
}

static void release_barrier(struct sm *sm, struct sm_cta *c)
{
	uint64_t warps = c->at_barrier;

	c->at_barrier = 0;
	sm->at_barrier &= ~warps;
	sm_throttle_stale(sm);
	sm->stats.barriers++;
	for (; warps; warps &= warps - 1)
		warp_schedule(sm, (unsigned)__builtin_ctzll(warps), sm->now + 1);
}

void warp_arrive_at_barrier(struct sm *sm, unsigned slot)
{
	struct sm_cta *c = &sm->cta[sm->warp[slot].cta];

	c->at_barrier |= warp_bit(slot);
	sm->at_barrier |= warp_bit(slot);
	sm_throttle_stale(sm);
	if (c->at_barrier == c->running)
		release_barrier(sm, c);
}

void warp_exit(struct sm *sm, unsigned slot)
{
	struct sm_cta *c = &sm->cta[sm->warp[slot].cta];

	PANIC_UNLESS(c->running & warp_bit(slot), "sm", sm->now);
	c->running &= ~warp_bit(slot);
	sm->running &= ~warp_bit(slot);
	sm_throttle_stale(sm);
	if (sm->fetch.l0s.n)
		fetch_ends(&sm->fetch, slot);
	if (sm->ends)
		warp_ends_note(sm->ends, c->launch, c->id, sm_warp_in_cta(sm, slot), sm->now + 1);
	if (sm->m->sm.scheduler != SCHED_LRR)
		sm->last[sm_scheduler_of(sm, slot)] &= ~warp_bit(slot);
	if (c->at_barrier && c->at_barrier == c->running)
		release_barrier(sm, c);
	cta_retire_if_done(sm, sm->warp[slot].cta);
}
