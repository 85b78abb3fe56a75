#include "l2/l2_flush.h"

void l2_flusher_init(struct l2_flusher *f, struct arena *a, struct l2 *slice)
{
	*f = (struct l2_flusher){.slice = slice};
	queue_init(&f->asked, a, MACHINE_MAX_SMS, slice->pipe.period); /* a program has an SM at least */
	queue_init(&f->done, a, MACHINE_MAX_SMS, slice->pipe.period);
}

static uint32_t next_dirty(const struct l2 *l, uint32_t slot)
{
	while (slot < tags_slots(&l->tags) && tags_state(&l->tags, slot) != TAGS_DIRTY)
		slot++;
	return slot;
}

static void end(struct l2_flusher *f, uint64_t now)
{
	struct l2 *l = f->slice;

	for (uint32_t s = 0; s < tags_slots(&l->tags); s++)
		if (tags_state(&l->tags, s) != TAGS_INVALID)
			tags_drop(&l->tags, s);
	*queue_push(&f->done, now + l->pipe.period) = *queue_front(&f->asked, now);
	queue_pop(&f->asked, now);
	f->at = 0;
	l->pipe.stats.flushes++;
}

static uint64_t step(struct l2_flusher *f, uint64_t now)
{
	uint64_t due = queue_next_arrival(&f->asked);
	struct l2 *l = f->slice;

	if (due > now)
		return due;
	if (!l2_is_quiet(l))
		return TIME_NEVER;
	f->at = next_dirty(l, f->at);
	if (f->at < tags_slots(&l->tags)) {
		if (!l2_pipe_room_below(&l->pipe, l->lower->down, 1, now))
			return l->pipe.retry;
		l2_write_back(l, f->at, now);
		tags_drop(&l->tags, f->at++);
		l->pipe.stats.flushed++;
		return now + l->pipe.period;
	}
	if (l->lower->unacknowledged)
		return l2_lower_arrival(l->lower);
	/* Something may have been written behind the flush's back meanwhile. */
	f->at = next_dirty(l, 0);
	if (f->at < tags_slots(&l->tags))
		return now + l->pipe.period;
	end(f, now);
	return TIME_NEVER;
}

uint64_t l2_flusher_step(struct l2_flusher *f, uint64_t now)
{
	const struct l2_pipe *p = &f->slice->pipe;

	return l2_pipe_edge(p, now % p->period ? now : step(f, now));
}
