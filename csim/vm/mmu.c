#include "vm/mmu.h"

#include "base/panic.h"
#include "vm/mmu_impl.h"

static void init_misses(struct mmu *u, struct arena *a, uint32_t n)
{
	u->misses = n;
	u->miss = arena_array(a, n, sizeof *u->miss);
	u->open = arena_array(a, n, sizeof *u->open);
	u->open_page = arena_array(a, n, sizeof *u->open_page);
	u->waiter_words = (u->port.sms + 63) / 64;
	u->waiter = arena_array(a, (size_t)n * u->waiter_words, sizeof *u->waiter);
	u->queue = (struct mmu_list){MMU_NOBODY, MMU_NOBODY};
	for (uint32_t i = 0; i < n; i++)
		u->miss[i].next = i + 1 < n ? i + 1 : MMU_NOBODY;
}

static void init_walks(struct mmu *u, struct arena *a, uint32_t n)
{
	u->walks = n;
	u->walk = arena_array(a, n, sizeof *u->walk);
	u->send = (struct mmu_list){MMU_NOBODY, MMU_NOBODY};
	for (uint32_t i = 0; i < n; i++)
		u->walk[i].next = i + 1 < n ? i + 1 : MMU_NOBODY;
}

void mmu_init(struct mmu *u, struct arena *a, const struct machine *m, const struct pages *pages, const struct mmu_ports *port)
{
	PANIC_UNLESS(port->sms && m->vm.l1_pending && m->vm.walks, "mmu", 0);
	PANIC_UNLESS(!m->vm.tlb || m->vm.l2.latency >= 2, "mmu", 0);
	*u = (struct mmu){.pages = pages, .port = *port, .period = m->clock.period[CLOCK_CORE], .tlb_on = m->vm.tlb};
	u->pipe_cap = u->tlb_on ? m->vm.l2.latency - 1 : 1;
	u->pipe_delay = ticks_of(u->pipe_cap - 1, m->clock.period[CLOCK_CORE]);
	u->pipe = arena_array(a, u->pipe_cap, sizeof *u->pipe);
	tlb_init(&u->tlb, a, m->vm.l2.entries, m->vm.l2.ways);
	if (m->vm.walk_cache)
		tlb_init(&u->walk_cache, a, m->vm.walk_cache, m->vm.walk_cache);
	init_misses(u, a, port->sms * m->vm.l1_pending);
	init_walks(u, a, m->vm.walks);
}

/* ---- answers ---- */

static void answer(struct mmu *u, uint32_t sm, uint64_t page, uint64_t entry, struct ticks now)
{
	*queue_push(&u->port.answer[sm], ticks_after(now, 1, u->period)) = (struct mmu_answer){page, entry};
	u->stats.answered++;
}

static void close_miss(struct mmu *u, uint32_t i)
{
	uint32_t at = u->miss[i].open, last = u->open[--u->n_open];

	u->open[at] = last;
	u->open_page[at] = u->open_page[u->n_open];
	u->miss[last].open = at;
	u->miss[i].next = u->free_miss;
	u->free_miss = i;
}

void mmu_resolve(struct mmu *u, uint32_t i, uint64_t entry, struct ticks now)
{
	uint64_t *waiter = u->waiter + (size_t)i * u->waiter_words, page;

	PANIC_UNLESS(i < u->misses && entry, "mmu", cycles_in(now, u->period));
	page = u->miss[i].page;
	if (u->tlb_on)
		tlb_fill(&u->tlb, page, entry);
	for (uint32_t w = 0; w < u->waiter_words; w++) {
		for (; waiter[w]; waiter[w] &= waiter[w] - 1)
			answer(u, w * 64 + (uint32_t)__builtin_ctzll(waiter[w]), page, entry, now);
	}
	close_miss(u, i);
}

void mmu_fault(struct mmu *u, uint32_t i, struct ticks now)
{
	*queue_push(u->port.fault, ticks_after(now, 1, u->period)) = (struct mmu_fault){.page = u->miss[i].page, .token = i};
	u->stats.faults++;
}

static void take_resolved(struct mmu *u, struct ticks now)
{
	const struct mmu_fault *f;

	while ((f = queue_front(u->port.resolved, now))) {
		u->stats.resolved++;
		mmu_resolve(u, f->token, f->entry, now);
		queue_pop(u->port.resolved, now);
	}
}

/* ---- requests ---- */

static bool pipe_full(const struct mmu *u)
{
	return u->pipe_tail - u->pipe_head == u->pipe_cap;
}

/* One request, of the SMs in turn. */
static void take_one(struct mmu *u, struct ticks now)
{
	for (uint32_t i = 0; !pipe_full(u) && i < u->port.sms; i++) {
		uint32_t s = u->turn + i < u->port.sms ? u->turn + i : u->turn + i - u->port.sms;
		const struct mmu_request *request = queue_front(&u->port.request[s], now);

		if (!request)
			continue;
		u->pipe[u->pipe_tail++ % u->pipe_cap] =
			(struct mmu_pipe){.page = request->page, .ready = ticks_add(now, u->pipe_delay), .sm = s};
		u->stats.asked++;
		queue_pop(&u->port.request[s], now);
		u->turn = s + 1 < u->port.sms ? s + 1 : 0;
		return;
	}
}

static uint32_t find_miss(const struct mmu *u, uint64_t page)
{
	for (uint32_t i = 0; i < u->n_open; i++)
		if (u->open_page[i] == page)
			return u->open[i];
	return MMU_NOBODY;
}

static uint32_t open_miss(struct mmu *u, uint64_t page, struct ticks now)
{
	uint32_t i = u->free_miss;

	PANIC_UNLESS(i != MMU_NOBODY, "mmu", cycles_in(now, u->period));
	u->free_miss = u->miss[i].next;
	u->miss[i] = (struct mmu_miss){.page = page, .since = now, .next = MMU_NOBODY, .open = u->n_open};
	u->open[u->n_open] = i;
	u->open_page[u->n_open++] = page;
	return i;
}

static void wait_for(struct mmu *u, uint32_t miss, uint32_t sm)
{
	u->waiter[(size_t)miss * u->waiter_words + sm / 64] |= UINT64_C(1) << sm % 64;
}

static void look_up(struct mmu *u, struct ticks now)
{
	const struct mmu_pipe *p = &u->pipe[u->pipe_head % u->pipe_cap];
	uint64_t entry;
	uint32_t miss;

	if (u->pipe_head == u->pipe_tail || ticks_before(now, p->ready))
		return;
	u->pipe_head++;
	entry = u->tlb_on ? tlb_lookup(&u->tlb, p->page) : 0;
	u->stats.lookups++;
	if (entry) {
		u->stats.hits++;
		answer(u, p->sm, p->page, entry, now);
		return;
	}
	miss = find_miss(u, p->page);
	if (miss != MMU_NOBODY) {
		u->stats.merged++;
	} else {
		u->stats.misses++;
		miss = open_miss(u, p->page, now);
		if (u->tlb_on)
			mmu_walk_later(u, miss);
		else
			mmu_fault(u, miss, now);
	}
	wait_for(u, miss, p->sm);
}

/* ---- the component ---- */

static struct ticks next_event(const struct mmu *u, struct ticks now)
{
	struct ticks next = queue_next_arrival(u->port.resolved), soon = ticks_after(now, 1, u->period);

	if (u->port.in)
		next = ticks_earlier(next, queue_next_arrival(u->port.in));
	if (u->pipe_head != u->pipe_tail)
		next = ticks_earlier(next, u->pipe[u->pipe_head % u->pipe_cap].ready);
	for (uint32_t s = 0; s < u->port.sms; s++)
		next = ticks_earlier(next, queue_next_arrival(&u->port.request[s]));
	if (u->send.first != MMU_NOBODY)
		next = ticks_earlier(next, u->send_at);
	return ticks_later(next, soon);
}

struct ticks mmu_step(struct mmu *u, struct ticks now)
{
	if (u->port.in)
		mmu_take_replies(u, now);
	take_resolved(u, now);
	take_one(u, now);
	look_up(u, now);
	mmu_begin_walks(u, now);
	mmu_send(u, now);
	return next_event(u, now);
}

uint64_t mmu_in_flight(const struct mmu *u)
{
	return u->n_open + (u->pipe_tail - u->pipe_head);
}
