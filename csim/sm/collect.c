/* Instructions on their way through the operand collectors: what the SM does as one issues, and as its unit takes it.
 * Until then its results have no time, and its CTA stays. */
#include "base/panic.h"
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

void collect_issue(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask)
{
	struct sm_warp *w = &sm->warp[slot];
	struct operands_inst inst = {.pc = w->pc, .mask = mask, .slot = (uint8_t)slot, .cta = w->cta};

	mark(sm, slot, in, mask);
	if (in->unit == UNIT_LDST && mask) {
		if (in->act != ACT_PARAM)
			inst.addr = w->addr++;
		w->stores += is_acknowledged(in); /* for a fence */
	}
	sm->cta[w->cta].outstanding++;
	operands_enter(&sm->operands, operands_way(in), inst);
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
	operands_write(&sm->operands, sm->now, cycle, slot, in->reg, in->n_dst);
	if (sm->blocked & warp_bit(slot))
		warp_unblock(sm, slot);
}

/* ---- units ---- */

static uint32_t begin(struct sm *sm, struct operands_inst i)
{
	const struct core_inst *in = &sm->kernel->inst[i.pc];
	bool has_unit = in->unit != UNIT_NONE;

	if (has_unit)
		know_results(sm, i.slot, in, sm->now + in->latency - OPERANDS_CYCLES, false);
	end(sm, i.cta);
	return has_unit ? in->interval : 1;
}

static void feed(struct sm *sm, enum core_unit u)
{
	uint64_t *free_at = sm->unit_free[u];
	const struct operands_inst *i;

	for (unsigned n = 0; n < sm->units[u] && (i = operands_front(&sm->operands, u)); n++) {
		struct operands_inst next = *i;

		if (free_at[n] > sm->now)
			continue;
		operands_leave(&sm->operands, u);
		if (__builtin_expect(sm->profile != NULL, 0))
			profile_takes_unit(sm, &sm->kernel->inst[next.pc], n);
		free_at[n] = sm->now + begin(sm, next);
		sm->stats.tensor_held += u == UNIT_TENSOR ? free_at[n] - sm->now : 0;
		if (__builtin_expect(sm->pipeline != NULL, 0))
			pipeline_taken(sm, &next);
	}
}

static void access(struct sm *sm, struct operands_inst i)
{
	const struct core_inst *in = &sm->kernel->inst[i.pc];
	const struct trace_cta *cta = &sm->cta[i.cta].trace;
	const struct lsu_inst access = {.in = in, .cta = cta, .addr = &cta->addrs[i.addr], .mask = i.mask};
	uint64_t readable;

	if (i.mask == 0) {
		end(sm, i.cta);
		return;
	}
	if (in->act == ACT_PARAM)
		readable = lsu_issue_param(&sm->lsu, sm->now, in, i.slot, i.cta);
	else if (in->act == ACT_SHARED)
		readable = lsu_issue_shared(&sm->lsu, sm->now, &access, i.slot, i.cta);
	else
		readable = lsu_issue(&sm->lsu, sm->now, &access, i.slot);
	if (readable == LSU_WRITES_NONE) { /* one is counted since it issued */
		sm->warp[i.slot].stores += sm->lsu.head.n - 1;
		sm->cta[i.cta].outstanding += sm->lsu.head.n - 1;
	} else if (readable != CYCLE_NEVER) {
		know_results(sm, i.slot, in, readable + sm->load_depth, true);
	}
}

static void access_profiled(struct sm *sm, struct operands_inst i)
{
	const struct lsu_stats before = sm->lsu.stats, *after = &sm->lsu.stats;

	access(sm, i);
	profile_transactions(sm, &sm->kernel->inst[i.pc],
			     after->transactions - before.transactions + after->shared_cycles - before.shared_cycles +
				     after->params - before.params);
}

void collect_step(struct sm *sm)
{
	const struct operands_inst *i;

	if (!sm->operands.held)
		return;
	for (enum core_unit u = UNIT_SP; u <= UNIT_TENSOR; u++)
		feed(sm, u);
	operands_step(&sm->operands, sm->now, sm->kernel->inst);
	while (lsu_is_free(&sm->lsu) && (i = operands_front(&sm->operands, UNIT_LDST))) {
		struct operands_inst next = *i;

		operands_leave(&sm->operands, UNIT_LDST);
		if (__builtin_expect(sm->profile != NULL, 0))
			access_profiled(sm, next);
		else
			access(sm, next);
		if (__builtin_expect(sm->pipeline != NULL, 0))
			pipeline_taken(sm, &next);
	}
}

/* ---- what the schedulers see ---- */

uint64_t collect_candidates(const struct sm *sm)
{
	const struct operands *o = &sm->operands;

	return (operands_has_room(o, UNIT_SP) ? sm->ready[UNIT_NONE] | sm->ready[UNIT_SP] : 0) |
	       (operands_has_room(o, UNIT_SFU) ? sm->ready[UNIT_SFU] : 0) |
	       (operands_has_room(o, UNIT_TENSOR) ? sm->ready[UNIT_TENSOR] : 0) |
	       (operands_has_room(o, UNIT_LDST) ? sm->ready[UNIT_LDST] : 0);
}

/* Why a scheduler whose active warps these are, with ones that are ready, cannot issue. */
enum stalls collect_cause(const struct sm *sm, uint64_t active)
{
	const struct operands *o = &sm->operands;

	if (((sm->ready[UNIT_NONE] | sm->ready[UNIT_SP]) & active && operands_wait_for_unit(o, UNIT_SP)) ||
	    (sm->ready[UNIT_SFU] & active && operands_wait_for_unit(o, UNIT_SFU)) ||
	    (sm->ready[UNIT_TENSOR] & active && operands_wait_for_unit(o, UNIT_TENSOR)))
		return STALL_PIPELINE;
	if (sm->ready[UNIT_LDST] & active && operands_wait_for_unit(o, UNIT_LDST))
		return lsu_cause(&sm->lsu);
	return STALL_OPERANDS;
}

uint64_t collect_next(const struct sm *sm)
{
	const struct operands *o = &sm->operands;
	uint64_t next = CYCLE_NEVER, t;

	if (operands_moves(o) || (collect_candidates(sm) & sm->throttle.active) ||
	    (operands_front(o, UNIT_LDST) && lsu_is_free(&sm->lsu)))
		return sm->now + 1;
	for (enum core_unit u = UNIT_SP; u <= UNIT_TENSOR; u++)
		if (operands_front(o, u) && (t = sm_unit_free(sm, u)) < next)
			next = t;
	return next > sm->now ? next : sm->now + 1;
}
