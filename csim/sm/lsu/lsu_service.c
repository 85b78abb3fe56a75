/* Service of the head: with virtual memory, by localities, or neither. */
#include "sm/lsu/lsu_service.h"

#include "sm/lsu/lsu_mrpb.h"
#include "sm/lsu/lsu_queue.h"

/* ---- virtual memory ---- */

/* The oldest transaction that is due gets the L1. */
static struct lsu_done serve_due(struct lsu *l, uint64_t now)
{
	const struct translate_item *d = translate_front(&l->translate);
	struct lsu_done done;
	enum l1_result r;

	l->stuck_due = !lsu_offer(l, now, d->constant ? &l->const_cache : &l->l1, &d->access, &r);
	if (l->stuck_due)
		return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
	done = lsu_taken(l, now, &d->access, r);
	translate_pop_due(&l->translate);
	return done;
}

/* Looks the head's next transaction up; `port`: the L1 is free for it. */
static struct lsu_done translate_head(struct lsu *l, uint64_t now, bool port)
{
	struct translate *t = &l->translate;
	bool constant = l->head.server == LSU_CONST;

	/* What hits takes its turn behind other hits; without a latency there is no place between the TLB and the
	 * L1. */
	if (t->full || (t->latency ? translate_n_due(t) > t->latency : !port))
		return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
	lsu_set_access(l, &l->head);
	switch (translate_look_up(t, now, &l->head.access, constant)) {
	case TRANSLATE_HIT:
		if (t->latency == 0)
			return lsu_serve_access(l, now, &l->head);
		translate_push_due(t, now, &l->head.access, constant);
		lsu_next_transaction(&l->head);
		break;
	case TRANSLATE_WAITS:
		lsu_next_transaction(&l->head);
		break;
	case TRANSLATE_FULL:
		break;
	}
	return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
}

/* A cycle of the L1's port: for what is stuck, else for what is due, else for the head. */
static struct lsu_done step_translated(struct lsu *l, uint64_t now)
{
	struct lsu_done done = {LSU_DONE_NOTHING, 0, 0};
	bool port = false;

	if (l->stuck) {
		if (l->retry)
			done = l->stuck_due ? serve_due(l, now) : lsu_serve_access(l, now, &l->head);
	} else if (translate_is_overdue(&l->translate, now)) {
		done = serve_due(l, now);
	} else {
		port = true;
	}
	if (l->head.server != LSU_EMPTY && port)
		done = translate_head(l, now, true);
	else if (l->head.server != LSU_EMPTY && l->translate.latency) /* it gets no further than behind the hits */
		translate_head(l, now, false);
	l->overdue = translate_is_overdue(&l->translate, now);
	return done;
}

struct lsu_done lsu_serve_next(struct lsu *l, uint64_t now)
{
	return translate_on(&l->translate) ? step_translated(l, now) : lsu_serve_entry(l, now, &l->head);
}

/* ---- an L1 that has more to it than its accesses ---- */

static struct lsu_done step_port(struct lsu *l, uint64_t now)
{
	if (l->mrpb.on)
		return lsu_mrpb_step(l, now);
	if (l->ports.on && l->head.server == LSU_L1 && !translate_on(&l->translate))
		return lsu_serve_by_ports(l, now, &l->head);
	return lsu_step_head(l, now);
}

void lsu_request_locality(struct lsu *l, uint64_t now, const struct lsu_entry *i)
{
	if (i->pos < i->n && lsu_goes_by_locality(i))
		locality_request(&l->locality, now, lsu_first_byte(&i->tx[i->pos]));
}

/* A step in which the head's transaction has its answer, which goes when the transaction does. An L1 that goes by
 * localities has policies, so all steps come here. */
static struct lsu_done step_by_locality(struct lsu *l, uint64_t now)
{
	uint32_t pos = l->head.pos;
	struct lsu_done done;

	if (!lsu_goes_by_locality(&l->head))
		return step_port(l, now);
	locality_answer(&l->locality, now, &l->head.access.locality);
	done = step_port(l, now);
	if (l->head.pos != pos) {
		locality_take(&l->locality, now);
		lsu_request_locality(l, now, &l->head);
	}
	return done;
}

struct lsu_done lsu_step_with_policies(struct lsu *l, uint64_t now)
{
	struct lsu_done done;

	if (now >= l1_policy_due(&l->l1)) {
		l1_advance(&l->l1, now);
		l->retry = true;
	}
	if (l->queue)
		done = lsu_queue_step(l, now);
	else
		done = l->locality.on ? step_by_locality(l, now) : step_port(l, now);
	if (l1_would_prefetch(&l->l1))
		l1_prefetch(&l->l1, now);
	return done;
}
