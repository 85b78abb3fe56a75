/* Prefetches of an L1: its side of the prefetcher, and of the block that prefetches by data structure. */
#include "base/panic.h"
#include "cache/l1_impl.h"

static void init(struct l1 *l, struct arena *a, const struct machine *m, const struct prefetcher *p)
{
	struct l1_prefetch *f = &l->prefetch;

	*f = (struct l1_prefetch){.policy = p,
				  .mshrs = m->l1.prefetch.mshrs,
				  .queue = m->l1.prefetch.queue,
				  .page_shift = machine_page_bits(m) - l->line_shift};
	p->init(&f->state, a, m);
	f->untouched = arena_array(a, tags_slots(&l->tags), sizeof *f->untouched);
	f->stale = arena_array(a, tags_slots(&l->tags), sizeof *f->stale);
	l->observed = true;
}

void l1_prefetch_init(struct l1 *l, struct arena *a, const struct machine *m, const struct prefetcher *p)
{
	if (p && p->observe)
		init(l, a, m, p);
}

int l1_init_prefetch_unit(struct l1 *l, struct arena *a, const struct machine *m, const char *owner, const struct hw_binder *binder,
			  struct err *e)
{
	struct prefetch *unit = arena_alloc(a, sizeof *unit);

	if (prefetch_init(unit, m, L1_PROPOSALS, owner, binder, e) != 0)
		return -1;
	init(l, a, m, &prefetcher_locality);
	l->prefetch.unit = unit;
	l->needs_step = true;
	return 0;
}

void l1_prefetch_met(struct l1 *l, uint32_t slot)
{
	l->stats.prefetch.useful++;
	l->stats.prefetch.late += tags_state(&l->tags, slot) == TAGS_RESERVED;
	l->prefetch.untouched[slot] = false;
}

void l1_prefetch_joined(struct l1 *l, uint32_t entry)
{
	l->stats.prefetch.useful++;
	l->stats.prefetch.late++;
	l->coming[entry].prefetched = false;
}

/* A line that is there in part is there: loads fetch the rest. */
static bool is_there(const struct l1 *l, uint64_t line, enum tags_result r)
{
	uint32_t entry;

	return r == TAGS_HIT || r == TAGS_HIT_RESERVED || (l->on_fill && mshr_find(&l->mshr, line, &entry));
}

void l1_change(struct l1 *l, const struct machine *m, uint64_t cycle)
{
	load_policy_change(&l->policy, &m->l1.bypass, cycle);
	l->prefetch.mshrs = m->l1.prefetch.mshrs;
	l->prefetch.queue = m->l1.prefetch.queue;
	if (l->prefetch.unit)
		prefetch_change(l->prefetch.unit, m, cycle);
}

/* ---- a prefetcher that proposes ---- */

static void propose(struct l1 *l, uint64_t from, struct l1_proposal p)
{
	struct l1_prefetch *f = &l->prefetch;

	l->stats.prefetch.proposed++;
	if (p.line >> f->page_shift != from >> f->page_shift)
		l->stats.prefetch.other_page++;
	else if (f->tail - f->head == L1_PROPOSALS)
		l->stats.prefetch.dropped++;
	else
		f->proposal[f->tail++ % L1_PROPOSALS] = p;
}

static void observe(struct l1 *l, uint64_t cycle, const struct l1_access *a, enum l1_result r)
{
	struct l1_prefetch *f = &l->prefetch;
	struct prefetch_trigger t = {.cycle = cycle, .line = a->line >> l->line_shift, .buffer = a->buffer, .missed = r == L1_MISS};
	uint64_t line;

	if ((r == L1_HIT || r == L1_MERGED || r == L1_MISS) && a->kind == REQ_READ && f->policy->observe(f->state, &t, &line))
		propose(l, t.line, (struct l1_proposal){line, a->buffer, a->mode});
}

/* A prefetch leaves so much for loads; a dirty victim takes a packet of its own. */
static bool has_spare(const struct l1 *l, uint32_t slot)
{
	uint32_t packets = l1_packets_for(l, l->sectors.all) + (tags_state(&l->tags, slot) == TAGS_DIRTY);

	return l->mshr.n_free > l->prefetch.mshrs && miss_queue_waiting(&l->queue) + packets + l->prefetch.queue <= l->queue.room;
}

static enum prefetch_decision decide(struct l1 *l, uint64_t cycle, const struct l1_fetch *fetch, uint32_t *slot)
{
	enum tags_result r = l1_look_up(l, cycle, fetch->line, slot);

	if (is_there(l, fetch->line, r))
		return PREFETCH_NEEDLESS;
	return r == TAGS_FAIL || !has_spare(l, *slot) ? PREFETCH_DROPPED : PREFETCH_FETCH;
}

/* ---- a prefetch_unit ---- */

/* What is beside the line that waits in the block waits here. */
static void trigger(struct l1 *l, uint64_t cycle, const struct l1_access *a, enum l1_result r)
{
	struct l1_prefetch *f = &l->prefetch;
	enum prefetch_trigger_result t = prefetch_access(f->unit, cycle, &a->locality, r == L1_MISS);

	l->stats.prefetch.proposed += t != PREFETCH_NOT_TRIGGERED;
	l->stats.prefetch.dropped += t == PREFETCH_LOST;
	if (t == PREFETCH_WAITS)
		f->proposal[f->tail++ % L1_PROPOSALS] = (struct l1_proposal){.buffer = a->buffer, .mode = a->mode};
}

/* Of the miss queue, less those that a line takes beyond one. */
static uint32_t free_entries(const struct l1 *l)
{
	uint32_t taken = miss_queue_waiting(&l->queue) + l1_packets_for(l, l->sectors.all) - 1;

	return taken < l->queue.room ? l->queue.room - taken : 0;
}

/* The line's physical number, if its page is known. */
static bool translate(const struct l1 *l, uint64_t cycle, struct l1_fetch *fetch)
{
	const struct l1_translator *t = &l->prefetch.translator;
	uint64_t addr = fetch->line << l->line_shift;

	if (!t->find)
		return true;
	if (!t->find(t->ctx, cycle, &addr, &fetch->mode))
		return false;
	fetch->line = addr >> l->line_shift;
	return true;
}

static enum prefetch_decision decide_by_unit(struct l1 *l, uint64_t cycle, struct l1_fetch *fetch, uint32_t *slot)
{
	struct prefetch_look look = {.free_mshrs = l->mshr.n_free, .free_queue = free_entries(l)};
	enum tags_result r;

	fetch->line = prefetch_line(l->prefetch.unit, cycle);
	look.known = translate(l, cycle, fetch);
	if (look.known) {
		r = l1_look_up(l, cycle, fetch->line, slot);
		look.there = is_there(l, fetch->line, r);
		look.way = r == TAGS_MISS;
		look.dirty = look.way && tags_state(&l->tags, *slot) == TAGS_DIRTY;
	}
	return prefetch_decide(l->prefetch.unit, cycle, &look);
}

/* ---- both ---- */

void l1_prefetch_observe(struct l1 *l, uint64_t cycle, const struct l1_access *a, enum l1_result r)
{
	uint32_t before = l->prefetch.tail;

	l->prefetch.port_cycle = cycle + 1;
	if (l->prefetch.unit)
		trigger(l, cycle, a, r);
	else
		observe(l, cycle, a, r);
	if (l->classes && l->prefetch.tail != before)
		l1_classes_propose(l, a);
}

static void fetch_line(struct l1 *l, const struct l1_fetch *fetch, uint32_t slot)
{
	const struct tags_lookup at = {.line = fetch->line, .slot = slot, .result = TAGS_MISS};
	uint32_t entry;

	PANIC_UNLESS(l1_fetch_line(l, fetch, &at) == L1_MISS, "l1", l->stats.replies);
	l->stats.prefetch.issued++;
	if (!l->on_fill)
		l->prefetch.untouched[slot] = true;
	else if (mshr_find(&l->mshr, fetch->line, &entry))
		l->coming[entry].prefetched = true;
	if (l->classes)
		l1_classes_prefetch(l);
}

void l1_prefetch(struct l1 *l, uint64_t cycle)
{
	struct l1_prefetch *f = &l->prefetch;
	const struct l1_proposal *p = &f->proposal[f->head % L1_PROPOSALS];
	struct l1_fetch fetch = {p->line, {REQ_CLIENT_NOBODY, 0}, p->buffer, p->mode, l->sectors.all};
	uint32_t slot = 0;

	if (!l1_would_prefetch(l) || f->port_cycle == cycle + 1)
		return;
	l1_at(l, cycle);
	f->head++;
	switch (f->unit ? decide_by_unit(l, cycle, &fetch, &slot) : decide(l, cycle, &fetch, &slot)) {
	case PREFETCH_FETCH:
		fetch_line(l, &fetch, slot);
		break;
	case PREFETCH_NO_PAGE:
		l->stats.prefetch.other_page++;
		break;
	case PREFETCH_NEEDLESS:
		l->stats.prefetch.needless++;
		break;
	case PREFETCH_DROPPED:
		l->stats.prefetch.dropped++;
		break;
	}
}
