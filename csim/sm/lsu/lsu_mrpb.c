#include "sm/lsu/lsu_mrpb.h"

#include "sm/lsu/lsu_service.h"

static struct lsu_done serve(struct lsu *l, uint64_t now)
{
	const struct l1_access *a = mrpb_next(&l->mrpb);
	struct lsu_done done;
	enum l1_result r;

	if (!a || (l->stuck && !l->retry) || !lsu_offer(l, now, &l->l1, a, &r))
		return (struct lsu_done){LSU_DONE_NOTHING, 0, 0};
	done = lsu_taken(l, now, a, r);
	mrpb_take(&l->mrpb);
	return done;
}

static unsigned head_warp(const struct lsu *l)
{
	const struct l1_access *a = &l->head.access;

	return a->client == REQ_CLIENT_STORE ? lsu_slot_of_store(a->token) : l->loads.load[a->token].slot;
}

struct lsu_done lsu_mrpb_step(struct lsu *l, uint64_t now)
{
	bool stuck_there = l->stuck && l->mrpb.tried;
	struct lsu_done done;

	if (l->head.server == LSU_BANKS || (l->head.server == LSU_CONST && !stuck_there))
		return lsu_step_head(l, now);
	done = serve(l, now);
	if (l->head.server == LSU_L1) {
		lsu_set_access(l, &l->head);
		if (mrpb_join(&l->mrpb, now, head_warp(l), &l->head.access))
			lsu_next_transaction(&l->head);
	}
	return done;
}

bool lsu_mrpb_acts(const struct lsu *l)
{
	bool joins = l->head.server == LSU_L1 && mrpb_has_room(&l->mrpb, head_warp(l));

	return joins || (l->mrpb.waiting && l->head.server != LSU_BANKS && (!l->stuck || l->retry));
}
