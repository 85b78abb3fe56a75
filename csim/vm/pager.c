#include "vm/pager.h"

#include "base/panic.h"

static void serve(struct pager *p, uint32_t port, const struct mmu_fault *f, struct ticks now)
{
	struct pager_module *h = &p->module[port];
	bool mapped = pages_lookup(p->pages, f->page, TIME_NEVER) != 0;
	struct mmu_fault *back;

	PANIC_UNLESS(h->turn < h->stacks && h->first + h->stacks <= p->pages->p.stacks, "pager", now.n);
	p->faults++;
	if (!mapped) {
		uint64_t before = p->pages->mapped;

		pages_touch(p->pages, f->page, h->first + h->turn, now, &p->error);
		p->mapped += p->pages->mapped - before;
		if (pages_needs_stack(p->pages, f->page))
			h->turn = h->turn + 1 < h->stacks ? h->turn + 1 : 0;
	}
	back = queue_push(&p->resolved[port], ticks_add(now, p->latency));
	*back = *f;
	/* After an error the run goes on until it is noticed: with any entry. */
	back->entry = pages_lookup(p->pages, f->page, TIME_NEVER) | PAGES_PRESENT;
}

struct ticks pager_step(struct pager *p, struct ticks now)
{
	struct ticks next = TIME_NEVER;

	for (uint32_t i = 0; i < p->ports; i++) {
		const struct mmu_fault *f;
		while ((f = queue_front(&p->fault[i], now))) {
			serve(p, i, f, now);
			queue_pop(&p->fault[i], now);
		}
		next = ticks_earlier(next, queue_next_arrival(&p->fault[i]));
	}
	return next;
}
