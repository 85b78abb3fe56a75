#include "base/share.h"

#include "base/arena.h"
#include "base/panic.h"
#include "base/queue.h"
#include "base/region.h"

void share_begin(struct share *s, struct ticks end)
{
	s->end = end;
	s->parity ^= 1;
	s->soonest = s->watched_at = TIME_NEVER;
	for (uint32_t i = 0; i < SHARE_MAX; i++)
		s->out[s->parity][i].n = 0;
}

void share_note(struct share *from, const struct queue_end *to, struct ticks at, struct queue_ring *ring, bool pop)
{
	struct share_notes *l = &from->out[from->parity][to->share->number];

	PANIC_UNLESS(ticks_by(from->end, at), "share", at.n);
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 64;
		l->note = region_grow(from->region, l->note, l->n * sizeof *l->note, l->cap * sizeof *l->note);
	}
	l->note[l->n++] = (struct share_note){ring, pop};
	from->soonest = ticks_earlier(from->soonest, at);
	if (to->wake == from->watched)
		from->watched_at = ticks_earlier(from->watched_at, at);
}

static void take_in(const struct share_notes *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->note[i].pop)
			queue_ring_show_pop(l->note[i].ring);
		else
			queue_ring_show_push(l->note[i].ring);
}

void share_take_in(const struct share *s, const struct shares *all)
{
	for (uint32_t i = 0; i < all->n; i++)
		if (i != s->number)
			take_in(&all->of[i].out[s->parity][s->number]);
}

void shares_free(struct shares *s)
{
	for (uint32_t i = 0; s->of && i < s->n; i++)
		for (uint32_t k = 0; k < SHARE_MAX; k++) {
			region_drop(s->of[i].region, s->of[i].out[0][k].note);
			region_drop(s->of[i].region, s->of[i].out[1][k].note);
		}
	s->of = NULL;
}
