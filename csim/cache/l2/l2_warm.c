/* What a slice's tags are after a request whose time nobody models (run/gpu_warm.c). */
#include "cache/l2/l2_impl.h"

static void take(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at)
{
	tags_take(&l->tags, at->slot, at->line, TAGS_VALID);
	l->tags.sectors[at->slot] = 0;
	l->policy.tag_only[at->slot] = 0;
	l->mode[at->slot] = r->mode;
}

/* What the request brings into its line, or leaves there. */
static void leave(struct l2 *l, const struct mem_req *r, uint32_t slot)
{
	bool fetches = r->kind != REQ_WRITE || l->write_allocate != WRITE_ALLOCATE_FETCH_ON_READ;

	if (r->kind != REQ_READ)
		tags_write(&l->tags, slot, r->mask);
	l->tags.sectors[slot] |=
		(uint8_t)(fetches ? l2_request_sectors(r, &l->sectors) : sectors_covered(&l->sectors, l->tags.dirty[slot].byte));
}

void l2_warm(struct l2 *l, const struct mem_req *r, struct ticks now)
{
	struct tags_lookup at = {.line = l->lower->ops->line(l->lower, r, now)};

	at.result = tags_probe(&l->tags, tags_set(&l->tags, cycles_in(now, l->pipe.period), at.line), at.line, &at.slot);
	if (at.result == TAGS_FAIL)
		return;
	if (at.result == TAGS_MISS || l->policy.tag_only[at.slot])
		take(l, r, &at);
	else
		tags_touch(&l->tags, at.slot);
	if (at.result != TAGS_HIT_RESERVED) /* else its fill will */
		leave(l, r, at.slot);
}

void l2_warm_written(struct l2 *l, const struct mem_req *r, struct ticks now)
{
	uint64_t line = l->lower->ops->line(l->lower, r, now);
	uint32_t slot;

	if (tags_probe(&l->tags, tags_set(&l->tags, cycles_in(now, l->pipe.period), line), line, &slot) == TAGS_HIT)
		tags_drop(&l->tags, slot);
}
