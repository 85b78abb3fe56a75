/* Operand collectors in an SM: what the SM does as an instruction enters them, and as its unit takes it. */
#include "base/panic.h"
#include "sm/sm_impl.h"

void collect_issue(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask)
{
	operands_enter(&sm->operands, operands_way(in), deferred_issue(sm, slot, in, mask));
}

/* ---- units ---- */

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
			profile_takes_unit(sm, next.in, n);
		free_at[n] = sm->now + deferred_begin(sm, &next, OPERANDS_CYCLES);
		sm->stats.tensor_held += u == UNIT_TENSOR ? free_at[n] - sm->now : 0;
		if (__builtin_expect(sm->pipeline != NULL, 0))
			pipeline_taken(sm, &next);
	}
}

void collect_step(struct sm *sm)
{
	const struct operands_inst *i;

	if (!sm->operands.held)
		return;
	for (enum core_unit u = UNIT_SP; u <= UNIT_TENSOR; u++)
		feed(sm, u);
	operands_step(&sm->operands, sm->now);
	while (lsu_is_free(&sm->lsu) && (i = operands_front(&sm->operands, UNIT_LDST))) {
		struct operands_inst next = *i;

		operands_leave(&sm->operands, UNIT_LDST);
		deferred_access(sm, &next);
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
		if (operands_front(o, u) && (t = sm_unit_free(sm, u, sm_all_units(sm, u))) < next)
			next = t;
	return next > sm->now ? next : sm->now + 1;
}
