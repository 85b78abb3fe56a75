#include "sm/deferred.h"

#include "sm/sm_impl.h"

/* It is acknowledged: a store or reduction that is not shared memory's. */
static inline bool is_acknowledged(const struct core_inst *in)
{
	return in->act != ACT_PARAM && in->act != ACT_SHARED && (in->op == OP_STORE || (in->op == OP_ATOM && in->n_dst == 0));
}

/* A store marks no register, nor does a memory instruction of which no lane is left. */
static void mark(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask)
{
	if (core_unit_is_arithmetic(in->unit))
		warp_set_results(sm, slot, in->reg, in->n_dst, SM_STAMP_COLLECT);
	else if (in->unit == UNIT_LDST && mask && !is_acknowledged(in))
		warp_set_results(sm, slot, in->reg, in->n_dst, SM_STAMP_NEVER);
}

struct operands_inst deferred_issue(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask)
{
	struct sm_warp *w = &sm->warp[slot];
	struct operands_inst inst = {.in = in, .pc = w->pc, .mask = mask, .slot = (uint8_t)slot, .cta = w->cta};

	mark(sm, slot, in, mask);
	if (in->unit == UNIT_LDST && mask) {
		if (in->act != ACT_PARAM) {
			inst.addr = w->addr++;
			__builtin_prefetch(&sm->cta[w->cta].trace.addrs[inst.addr]); /* until its unit takes it */
			if (__builtin_expect(inst.addr == w->sync_at, 0)) {
				inst.sync = true;
				waits_issue(sm, slot);
			}
		}
		w->stores += is_acknowledged(in); /* for a fence */
	}
	sm->cta[w->cta].outstanding++;
	return inst;
}

static void end(struct sm *sm, unsigned cta)
{
	sm->cta[cta].outstanding--;
	cta_retire_if_done(sm, cta);
}

static void know_results(struct sm *sm, unsigned slot, const struct core_inst *in, uint64_t cycle, bool memory)
{
	warp_set_results(sm, slot, in->reg, in->n_dst, sm_stamp(cycle, memory));
	if (__builtin_expect(sm->profile != NULL, 0))
		profile_value_is_known(sm, slot);
	if (sm->operands.on)
		operands_write(&sm->operands, sm->now, cycle, slot, in->reg, in->n_dst);
	if (sm->blocked & warp_bit(slot))
		warp_unblock(sm, slot);
}

uint32_t deferred_begin(struct sm *sm, const struct operands_inst *i, uint32_t ahead)
{
	const struct core_inst *in = i->in;
	bool has_unit = in->unit != UNIT_NONE;

	if (has_unit)
		know_results(sm, i->slot, in, sm->now + in->latency - ahead, false);
	end(sm, i->cta);
	return has_unit ? in->interval : 1;
}

static void access(struct sm *sm, const struct operands_inst *i)
{
	const struct core_inst *in = i->in;
	const struct lsu_inst access = {.in = in, .cta = &sm->cta[i->cta].trace, .addr = i->addr, .mask = i->mask};
	uint64_t readable;

	if (i->mask == 0) {
		end(sm, i->cta);
		return;
	}
	if (in->act == ACT_PARAM)
		readable = lsu_issue_param(&sm->lsu, sm->now, in, i->slot, i->cta);
	else if (__builtin_expect(i->sync, 0))
		readable = waits_access(sm, i->slot, &access);
	else if (in->act == ACT_SHARED)
		readable = lsu_issue_shared(&sm->lsu, sm->now, &access, i->slot, i->cta);
	else
		readable = lsu_issue(&sm->lsu, sm->now, &access, i->slot);
	if (readable == LSU_WRITES_NONE) { /* one is counted since it issued */
		sm->warp[i->slot].stores += sm->lsu.head.n - 1;
		sm->cta[i->cta].outstanding += sm->lsu.head.n - 1;
	} else if (readable != CYCLE_NEVER) {
		know_results(sm, i->slot, in, readable + sm->load_depth, true);
	}
	if (__builtin_expect(i->sync, 0))
		waits_settle(sm, i->slot);
}

static void access_profiled(struct sm *sm, const struct operands_inst *i)
{
	const struct lsu_stats before = sm->lsu.stats, *after = &sm->lsu.stats;

	access(sm, i);
	profile_transactions(sm, i->in,
			     after->transactions - before.transactions + after->shared_cycles - before.shared_cycles +
				     after->params - before.params);
}

void deferred_access(struct sm *sm, const struct operands_inst *i)
{
	if (__builtin_expect(sm->profile != NULL, 0))
		access_profiled(sm, i);
	else
		access(sm, i);
	if (__builtin_expect(sm->pipeline != NULL, 0))
		pipeline_taken(sm, i);
}
