#include "vm/pager.h"

#include "base/panic.h"

static void answer(struct pager *p, uint32_t port, const struct mmu_fault *f, struct ticks now)
{
	struct mmu_fault *back = queue_push(&p->resolved[port], ticks_add(now, p->latency));

	*back = *f;
	/* After an error the run goes on until it is noticed: with any entry. */
	back->entry = pages_lookup(p->pages, f->page, TIME_NEVER) | PAGES_PRESENT;
}

/* Whether the fault has to wait for data; who comes first begins their move. */
static bool waits(struct pager *p, uint32_t port, const struct mmu_fault *f, struct ticks now)
{
	struct pager_module *h = &p->module[port];
	struct pages_move m;
	enum pages_motion motion;

	if (!p->job)
		return false;
	motion = pages_move(p->pages, f->page, h->first + h->turn, &m, &p->error);
	if (motion != PAGES_MOVES && motion != PAGES_MOVING)
		return false;
	if (motion == PAGES_MOVES) {
		*queue_push(&p->job[port], ticks_after(now, 1, p->period)) = (struct mover_job){m};
		h->turn = h->turn + 1 < h->stacks ? h->turn + 1 : 0;
	}
	p->waiting[p->n_waiting++] = (struct pager_wait){*f, now, port};
	p->count.waited++;
	return true;
}

static void map(struct pager *p, uint32_t port, const struct mmu_fault *f, struct ticks now)
{
	struct pager_module *h = &p->module[port];
	uint64_t before = p->pages->mapped, origins = p->pages->origins;

	pages_touch(p->pages, f->page, h->first + h->turn, now, &p->error);
	p->mapped += p->pages->mapped - before;
	p->count.kept += origins - p->pages->origins;
	if (pages_needs_stack(p->pages, f->page))
		h->turn = h->turn + 1 < h->stacks ? h->turn + 1 : 0;
}

static void serve(struct pager *p, uint32_t port, const struct mmu_fault *f, struct ticks now)
{
	struct pager_module *h = &p->module[port];

	PANIC_UNLESS(h->turn < h->stacks && h->first + h->stacks <= p->pages->p.stacks, "pager", now.n);
	p->faults++;
	if (!pages_lookup(p->pages, f->page, TIME_NEVER)) {
		if (waits(p, port, f, now))
			return;
		map(p, port, f, now);
	}
	answer(p, port, f, now);
}

/* A page's data have come: it is mapped, and whoever waits for it answered in the order of their faults. */
static void moved(struct pager *p, uint64_t page, struct ticks now)
{
	uint32_t left = 0;

	pages_moved(p->pages, page, now, &p->error);
	p->mapped++;
	p->count.moved++;
	for (uint32_t i = 0; i < p->n_waiting; i++) {
		struct pager_wait w = p->waiting[i];

		if (w.fault.page != page) {
			p->waiting[left++] = w;
			continue;
		}
		p->count.wait = ticks_add(p->count.wait, ticks_between(w.since, now));
		answer(p, w.port, &w.fault, now);
	}
	p->n_waiting = left;
}

static struct ticks take_moved(struct pager *p, uint32_t port, struct ticks now)
{
	const struct mover_done *d;

	if (!p->job)
		return TIME_NEVER;
	while ((d = queue_front(&p->done[port], now))) {
		moved(p, d->page, now);
		queue_pop(&p->done[port], now);
	}
	return queue_next_arrival(&p->done[port]);
}

struct ticks pager_step(struct pager *p, struct ticks now)
{
	struct ticks next = TIME_NEVER;

	for (uint32_t i = 0; i < p->ports; i++)
		next = ticks_earlier(next, take_moved(p, i, now));
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
