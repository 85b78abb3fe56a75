/* Prefetches of an L1: its side of the prefetcher. */
#include "cache/l1_impl.h"

void l1_prefetch_init(struct l1 *l, struct arena *a, const struct machine *m, const struct prefetcher *p)
{
	struct l1_prefetch *f = &l->prefetch;

	if (!p || !p->observe)
		return;
	*f = (struct l1_prefetch){.policy = p,
				  .mshrs = m->l1.prefetch.mshrs,
				  .queue = m->l1.prefetch.queue,
				  .page_shift = machine_page_bits(m) - l->line_shift};
	p->init(&f->state, a, m);
	f->untouched = arena_array(a, tags_slots(&l->tags), sizeof *f->untouched);
	f->stale = arena_array(a, tags_slots(&l->tags), sizeof *f->stale);
}

void l1_prefetch_met(struct l1 *l, uint32_t slot)
{
	l->stats.prefetch.useful++;
	l->stats.prefetch.late += tags_state(&l->tags, slot) == TAGS_RESERVED;
	l->prefetch.untouched[slot] = false;
}

/* Makes the proposal's line a physical one; false: that cannot be done. from: the physical line that led to it. */
static bool reach(const struct l1 *l, uint64_t cycle, uint64_t from, struct l1_proposal *p)
{
	const struct l1_prefetch *f = &l->prefetch;
	uint64_t addr = p->line << l->line_shift;

	if (!f->policy->is_virtual)
		return p->line >> f->page_shift == from >> f->page_shift;
	if (!f->translator.find)
		return true;
	if (!f->translator.find(f->translator.ctx, cycle, &addr, &p->mode))
		return false;
	p->line = addr >> l->line_shift;
	return true;
}

static void propose(struct l1 *l, uint64_t cycle, uint64_t from, struct l1_proposal p)
{
	struct l1_prefetch *f = &l->prefetch;

	l->stats.prefetch.proposed++;
	if (!reach(l, cycle, from, &p))
		l->stats.prefetch.other_page++;
	else if (f->tail - f->head == L1_PROPOSALS)
		l->stats.prefetch.dropped++;
	else
		f->proposal[f->tail++ % L1_PROPOSALS] = p;
}

void l1_prefetch_observe(struct l1 *l, uint64_t cycle, const struct l1_access *a, enum l1_result r)
{
	struct l1_prefetch *f = &l->prefetch;
	struct prefetch_trigger t = {.cycle = cycle,
				     .line = a->line >> l->line_shift,
				     .buffer = a->buffer,
				     .missed = r == L1_MISS,
				     .locality = &a->locality};
	uint64_t line;

	f->port_cycle = cycle + 1;
	if ((r == L1_HIT || r == L1_MERGED || r == L1_MISS) && a->kind == REQ_READ && f->policy->observe(f->state, &t, &line))
		propose(l, cycle, t.line, (struct l1_proposal){line, a->buffer, a->mode});
}

/* A prefetch leaves so much for loads; a dirty victim takes a packet of its own. */
static bool has_spare(const struct l1 *l, uint32_t slot)
{
	uint32_t packets = 1 + (tags_state(&l->tags, slot) == TAGS_DIRTY);

	return l->mshr.n_free > l->prefetch.mshrs && l->queue_tail - l->queue_head + packets + l->prefetch.queue <= l->queue_room;
}

void l1_prefetch(struct l1 *l, uint64_t cycle)
{
	struct l1_prefetch *f = &l->prefetch;
	const struct l1_proposal *p = &f->proposal[f->head % L1_PROPOSALS];
	struct l1_fetch fetch = {p->line, {REQ_CLIENT_NOBODY, 0}, p->buffer, p->mode};
	enum tags_result r;
	uint32_t slot = 0;

	if (!l1_would_prefetch(l) || f->port_cycle == cycle + 1)
		return;
	l1_at(l, cycle);
	f->head++;
	r = l1_lookup(l, cycle, p->line, &slot);
	if (r == TAGS_HIT || r == TAGS_HIT_RESERVED) {
		l->stats.prefetch.needless++;
	} else if (r == TAGS_FAIL || !has_spare(l, slot) || l1_bring_in(l, &fetch, slot) != L1_MISS) {
		l->stats.prefetch.dropped++;
	} else {
		l->stats.prefetch.issued++;
		f->untouched[slot] = true;
	}
}
