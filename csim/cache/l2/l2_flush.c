#include "cache/l2/l2_flush.h"

void l2_flusher_init(struct l2_flusher *f, struct arena *a, struct l2 *slice)
{
	*f = (struct l2_flusher){.slice = slice};
	queue_init(&f->asked, a, MACHINE_MAX_SMS, ticks_of(1, slice->pipe.period)); /* a program has an SM at least */
	queue_init(&f->done, a, MACHINE_MAX_SMS, ticks_of(1, slice->pipe.period));
}

static uint32_t next_dirty(const struct l2 *l, uint32_t slot)
{
	while (slot < tags_slots(&l->tags) && tags_state(&l->tags, slot) != TAGS_DIRTY)
		slot++;
	return slot;
}

static void end(struct l2_flusher *f, struct ticks now)
{
	struct l2 *l = f->slice;

	for (uint32_t s = 0; s < tags_slots(&l->tags); s++)
		if (tags_state(&l->tags, s) != TAGS_INVALID)
			tags_drop(&l->tags, s);
	*queue_push(&f->done, ticks_after(now, 1, l->pipe.period)) = *queue_front(&f->asked, now);
	queue_pop(&f->asked, now);
	f->at = 0;
	l->pipe.stats.flushes++;
}

static struct ticks step(struct l2_flusher *f, struct ticks now)
{
	struct ticks due = queue_next_arrival(&f->asked);
	struct l2 *l = f->slice;

	if (ticks_before(now, due))
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
		return ticks_after(now, 1, l->pipe.period);
	}
	if (l->lower->unacknowledged)
		return l2_lower_arrival(l->lower);
	/* Something may have been written behind the flush's back meanwhile. */
	f->at = next_dirty(l, 0);
	if (f->at < tags_slots(&l->tags))
		return ticks_after(now, 1, l->pipe.period);
	end(f, now);
	return TIME_NEVER;
}

struct ticks l2_flusher_step(struct l2_flusher *f, struct ticks now)
{
	const struct l2_pipe *p = &f->slice->pipe;

	return ticks_edge(ticks_is_edge(now, p->period) ? step(f, now) : now, p->period);
}
