/* CTAs on an SM: taking one in, letting it go. */
#include <string.h>

#include "base/panic.h"
#include "sm/sm_impl.h"

static unsigned free_cta_slot(const struct sm *sm)
{
	for (unsigned i = 0; i < SM_MAX_CTAS; i++)
		if (!sm->cta[i].live)
			return i;
	panic("sm", sm->now, "a CTA was sent to a full SM");
}

/* One that has nothing to issue has ended already. */
static void start_warp(struct sm *sm, unsigned cta, unsigned slot, const struct core_kernel *k, const struct trace_warp *t)
{
	struct sm_warp *w = &sm->warp[slot];
	const struct trace_run *r = &sm->cta[cta].trace.runs[t->first_run];

	*w = (struct sm_warp){.run = t->first_run,
			      .run_end = t->first_run + t->n_runs,
			      .addr = t->first_addr,
			      .cta = (uint8_t)cta,
			      .inst = k->inst,
			      .pc = r->pc,
			      .left = r->len,
			      .mask = r->mask,
			      .sync_at = SM_NO_ACCESS};
	if (sm->folds && !warp_skip_folded(sm, slot))
		return;
	memset(scoreboard_of(&sm->scoreboard, slot), 0, ((size_t)k->n_regs + 1) * sizeof *sm->scoreboard.reg);
	sm->cta[cta].running |= warp_bit(slot);
	sm->running |= warp_bit(slot);
	sm_throttle_stale(sm);
	if (sm->fetch.on)
		fetch_begin(&sm->fetch, slot, k, k->inst[w->pc].place);
	if (sm->profile)
		profile_warp_begins(sm, slot);
	warp_schedule(sm, slot, sm->now);
}

static void begin_on_empty(struct sm *sm, const struct core_kernel *k)
{
	PANIC_UNLESS(sm->n_order == 0, "sm", sm->now);
	sm->folds = false;
	sm_throttle_begin_launch(sm);
	lsu_begin_launch(&sm->lsu, sm->now, sm->launch, sm->shares ? sm->words : k->local_words);
}

/* Where launches run one after another, the first CTA of one finds the SM empty; else the dispatcher knows. */
static void begin_launch(struct sm *sm, const struct cta_start *msg, const struct core_kernel *k)
{
	bool other = sm->launch != msg->launch;

	sm->launch = msg->launch;
	if (sm->shares ? msg->caches == CTA_CACHES_NEW : other)
		begin_on_empty(sm, k);
	else if (msg->caches == CTA_CACHES_CLEAN)
		lsu_begin_beside(&sm->lsu, sm->now);
	sm->folds |= k->folded > 0;
}

void cta_start(struct sm *sm, const struct cta_start *msg)
{
	unsigned slot = free_cta_slot(sm);
	struct sm_cta *c = &sm->cta[slot];
	const struct core_kernel *k = &sm->kernels[trace_launch(sm->trace, msg->launch)->kernel];

	begin_launch(sm, msg, k);
	if (trace_read_cta(sm->trace, msg->launch, msg->cta, &c->trace, &sm->error) != 0)
		return;
	c->live = true;
	c->launch = msg->launch;
	c->id = msg->cta;
	c->outstanding = 0;
	c->warps = c->running = c->at_barrier = 0;
	sm->stats.ctas_started++;
	lsu_begin_cta(&sm->lsu, sm->now, c->id);
	for (uint32_t i = 0; i < c->trace.n_warps; i++) {
		unsigned s;

		PANIC_UNLESS(sm->free_slots != 0, "sm", sm->now);
		s = (unsigned)__builtin_ctzll(sm->free_slots);
		sm->free_slots &= sm->free_slots - 1;
		c->warps |= warp_bit(s);
		sm->warp[s].cta = (uint8_t)slot;
		if (c->trace.warp[i].n_runs == 0) /* a warp without instructions has ended already */
			continue;
		start_warp(sm, slot, s, k, &c->trace.warp[i]);
	}
	sm->order[sm->n_order] = (uint8_t)slot;
	sm->in_order[sm->n_order++] = c->warps;
	if (sm->lsu.warps) /* slots are taken from the lowest on */
		lsu_begin_warps(&sm->lsu, c->launch, c->id, c->warps);
	if (__builtin_expect(sm->waits != NULL, 0))
		waits_begin_cta(sm, slot);
	cta_retire_if_done(sm, slot);
}

static void forget_order(struct sm *sm, unsigned cta)
{
	unsigned i = 0;

	while (sm->order[i] != cta)
		i++;
	sm->n_order--;
	memmove(&sm->order[i], &sm->order[i + 1], (sm->n_order - i) * sizeof sm->order[0]);
	memmove(&sm->in_order[i], &sm->in_order[i + 1], (sm->n_order - i) * sizeof sm->in_order[0]);
}

/* The message cannot wait for space: the queue holds as many as there are CTA slots, and one is reused only after its
 * message. */
void cta_retire(struct sm *sm, unsigned cta)
{
	struct sm_cta *c = &sm->cta[cta];
	struct cta_done *msg;

	c->live = false;
	sm->free_slots |= c->warps;
	sm->stats.ctas_retired++;
	lsu_end_cta(&sm->lsu, sm->now, c->id);
	forget_order(sm, cta);
	msg = queue_push(sm->port.done, ticks_of(sm->now + 1, sm->period));
	*msg = (struct cta_done){.launch = c->launch, .cta = c->id};
}
