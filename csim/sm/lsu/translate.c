#include "sm/lsu/translate.h"

#include "base/panic.h"
#include "base/ring.h"

void translate_init(struct translate *t, struct arena *a, const struct machine *m, const struct translate_ports *port)
{
	*t = (struct translate){.port = *port, .timed = m->vm.tlb, .pending = m->vm.l1_pending};
	if (!translate_on(t))
		return;
	t->latency = t->timed ? m->vm.l1.latency : 0;
	t->page_bits = port->pages->page_bits;
	t->period = m->clock.period[CLOCK_CORE];
	tlb_init(&t->tlb, a, m->vm.l1.entries, m->vm.l1.ways);
	t->wait = arena_array(a, t->pending, sizeof *t->wait);
	/* hits in flight, and accesses that waited */
	t->due_mask = (uint32_t)ring_slots((uint64_t)t->latency + 1 + t->pending) - 1;
	t->due = arena_array(a, (size_t)t->due_mask + 1, sizeof *t->due);
}

static inline void make_physical(const struct translate *t, struct l1_access *a, uint64_t entry)
{
	a->line = pages_entry_addr(entry) | (a->line & ((UINT64_C(1) << t->page_bits) - 1));
	a->mode = pages_entry_mode(entry);
}

/* Without time the TLB is a short way to what is in the page table: whether it hits plays no part. */
static uint64_t entry_of(struct translate *t, uint64_t page, uint64_t now)
{
	uint64_t entry = tlb_lookup(&t->tlb, page);

	if (entry || t->timed)
		return entry;
	entry = pages_lookup(t->port.pages, page, ticks_of(now, t->period));
	if (entry)
		tlb_fill(&t->tlb, page, entry);
	return entry;
}

bool translate_without_wait(void *translate, uint64_t now, uint64_t *addr, uint8_t *mode)
{
	const struct translate *t = translate;
	uint64_t page = *addr >> t->page_bits, entry = tlb_peek(&t->tlb, page);

	if (!entry && !t->timed)
		entry = pages_lookup(t->port.pages, page, ticks_of(now, t->period));
	if (!entry)
		return false;
	*addr = pages_entry_addr(entry) | (*addr & ((UINT64_C(1) << t->page_bits) - 1));
	*mode = pages_entry_mode(entry);
	return true;
}

static bool is_on_its_way(const struct translate *t, uint64_t page)
{
	for (uint32_t i = 0; i < t->n_wait; i++)
		if (t->wait[i].access.line >> t->page_bits == page)
			return true;
	return false;
}

void translate_finish(struct translate *t, uint64_t now)
{
	if (t->full && now > t->since)
		t->stats.full_cycles += now - t->since;
	t->full = false;
}

enum translate_result translate_look_up(struct translate *t, uint64_t now, struct l1_access *a, bool constant)
{
	uint64_t page = a->line >> t->page_bits, entry = entry_of(t, page, now);

	if (!entry && t->n_wait == t->pending) {
		t->full = true;
		t->since = now;
		return TRANSLATE_FULL;
	}
	t->stats.lookups++;
	if (entry) {
		t->stats.hits++;
		make_physical(t, a, entry);
		return TRANSLATE_HIT;
	}
	if (is_on_its_way(t, page)) {
		t->stats.merged++;
	} else {
		t->stats.misses++;
		*queue_push(t->port.request, ticks_of(now + 1, t->period)) = (struct mmu_request){page};
	}
	t->wait[t->n_wait++] = (struct translate_item){.access = *a, .constant = constant};
	return TRANSLATE_WAITS;
}

void translate_push_due(struct translate *t, uint64_t now, const struct l1_access *a, bool constant)
{
	PANIC_UNLESS(translate_n_due(t) <= t->due_mask, "translate", now);
	t->due[t->due_tail++ & t->due_mask] =
		(struct translate_item){.access = *a, .ready = now + t->latency, .constant = constant};
}

static void make_due(struct translate *t, uint64_t now, uint64_t page, uint64_t entry)
{
	uint32_t left = 0;

	for (uint32_t i = 0; i < t->n_wait; i++) {
		struct translate_item *w = &t->wait[i];

		if (w->access.line >> t->page_bits != page) {
			t->wait[left++] = *w;
			continue;
		}
		make_physical(t, &w->access, entry);
		translate_push_due(t, now, &w->access, w->constant);
	}
	t->n_wait = left;
}

void translate_take_answers(struct translate *t, uint64_t now)
{
	const struct mmu_answer *r;

	while ((r = queue_front(t->port.answer, ticks_of(now, t->period)))) {
		t->stats.answers++;
		if (!tlb_lookup(&t->tlb, r->page))
			tlb_fill(&t->tlb, r->page, r->entry);
		make_due(t, now, r->page, r->entry);
		queue_pop(t->port.answer, ticks_of(now, t->period));
		translate_finish(t, now);
	}
}
