/* What the files of csim/sm share and no one else sees. All cycles are core cycles. */
#ifndef CSIM_SM_SM_IMPL_H
#define CSIM_SM_SM_IMPL_H

#include "sm/sm.h"
#include "machine/subcores.h"
#include "sm/deferred.h"
#include "sm/path.h"
#include "sm/pipeline.h"
#include "sm/profile.h"
#include "sm/waits.h"
#include "sm/warp_ends.h"
#include "noc/request.h"

static inline uint64_t warp_bit(unsigned slot)
{
	return UINT64_C(1) << slot;
}

static inline void warp_set_results(struct sm *sm, unsigned slot, const uint16_t *reg, unsigned n, uint64_t stamp)
{
	scoreboard_set(&sm->scoreboard, slot, reg, n, stamp, sm->now);
}

static inline uint64_t sm_any_ready(const struct sm *sm)
{
	return sm->ready[UNIT_NONE] | sm->ready[UNIT_SP] | sm->ready[UNIT_SFU] | sm->ready[UNIT_TENSOR] | sm->ready[UNIT_INT] |
	       sm->ready[UNIT_DP] | sm->ready[UNIT_LDST];
}

/* Warps in repeated waits, and those that sleep, all of what they wait for beside that included (sm/waits.h). */
static inline uint64_t sm_waiting(const struct sm *sm)
{
	return sm->repeats | (sm->asleep & ~sm_any_ready(sm));
}

static inline struct sm_units sm_all_units(const struct sm *sm, enum core_unit u)
{
	return (struct sm_units){0, (uint8_t)sm->units[u]};
}
static inline struct sm_units sm_units_of(const struct sm *sm, unsigned scheduler, enum core_unit u)
{
	return sm->units_of[u][scheduler];
}

/* The first cycle in which one of these pipelines can take an instruction; there is one. */
static inline uint64_t sm_unit_free(const struct sm *sm, enum core_unit u, struct sm_units of)
{
	uint64_t t = sm->unit_free[u][of.first];

	for (unsigned i = 1; i < of.n; i++)
		if (t > sm->unit_free[u][of.first + i])
			t = sm->unit_free[u][of.first + i];
	return t;
}

static inline bool sm_unit_is_free(const struct sm *sm, enum core_unit u, struct sm_units of)
{
	for (unsigned i = of.first; i < of.first + of.n; i++)
		if (sm->unit_free[u][i] <= sm->now)
			return true;
	return false;
}

static inline unsigned sm_scheduler_of(const struct sm *sm, unsigned slot)
{
	return sm->scheduler_of[slot];
}

static inline const struct core_inst *sm_next_inst(const struct sm *sm, unsigned slot)
{
	return &sm->warp[slot].inst[sm->warp[slot].pc];
}

/* The number of a slot's warp in its CTA. */
static inline uint32_t sm_warp_in_cta(const struct sm *sm, unsigned slot)
{
	return (uint32_t)__builtin_popcountll(sm->cta[sm->warp[slot].cta].warps & (warp_bit(slot) - 1));
}

/* warp.c: when can a warp's next instruction issue; where its stream is */

/* Computes the stamp of the warp's next instruction, not before cycle `earliest`, and puts the warp in the ready set,
 * on the wheel or among the blocked; or among those whose instruction is to be fetched first. */
void warp_schedule(struct sm *sm, unsigned slot, uint64_t earliest);
/* Its next instruction is in its buffer now. */
void warp_fetched(struct sm *sm, unsigned slot);
/* A warp that waited may go on: one whose load now has a time, or whose last store was acknowledged. */
void warp_unblock(struct sm *sm, unsigned slot);
/* Warps that come off the wheel in this cycle. */
void warp_wake(struct sm *sm, uint64_t warps);
/* Moves past the instruction that was issued; false when the stream ends there. */
bool warp_advance(struct sm *sm, unsigned slot);
/* Moves past instructions that are not issued; likewise. */
bool warp_skip_folded(struct sm *sm, unsigned slot);
void warp_exit(struct sm *sm, unsigned slot);
void warp_arrive_at_barrier(struct sm *sm, unsigned slot);

/* throttle.c: updates which warps may issue, before the schedulers, in a cycle in which that may have changed. Fails if
 * throttle.kernels names a kernel that the trace has not. */
int sm_throttle_init(struct sm *sm, struct arena *a, struct err *e);
int sm_throttle_find_limits(struct sm *sm, struct arena *a, struct err *e);	     /* of throttle.kernels; likewise */
void sm_throttle_use(struct sm *sm, struct arena *a, const struct warp_throttle *p); /* in place of the machine's */
void sm_throttle_begin_launch(struct sm *sm);
void sm_throttle_update(struct sm *sm);
static inline void sm_throttle_stale(struct sm *sm)
{
	if (sm->throttle.policy->active || sm->throttle.policy->may_load)
		sm->throttle.due = 0;
}

void sm_throttle_use_issue(struct sm *sm); /* sm->issue, once more, when issue_way() has changed */

/* cta.c */
void cta_start(struct sm *sm, const struct cta_start *msg);
void cta_retire(struct sm *sm, unsigned cta);

/* Asked after each access and each warp's end: almost always in vain. */
static inline void cta_retire_if_done(struct sm *sm, unsigned cta)
{
	const struct sm_cta *c = &sm->cta[cta];

	if (c->live && !c->running && !c->outstanding)
		cta_retire(sm, cta);
}

/* issue.c */
/* The schedulers' part of a cycle in this SM: with operand collectors, whose part comes first, with a profile, or
 * neither. */
void (*issue_way(const struct sm *sm))(struct sm *sm);
/* The warp that scheduler s would choose of these, of which there is one. */
unsigned issue_choice(const struct sm *sm, unsigned s, uint64_t warps);
/* Why scheduler s issues nothing in a cycle with the present state. */
enum stalls issue_cause(const struct sm *sm, unsigned s);
/* First cycle after now in which a ready warp finds its unit free, as far as that is known. */
uint64_t issue_next(const struct sm *sm);

/* collect.c: for an SM with operand collectors */
void collect_step(struct sm *sm);
void collect_issue(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask);
uint64_t collect_candidates(const struct sm *sm);
enum stalls collect_cause(const struct sm *sm, uint64_t active);
uint64_t collect_next(const struct sm *sm);

#endif
