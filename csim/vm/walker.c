/* The walkers of a page table: one read after another, from the level where the page-walk cache leaves off. */
#include "base/panic.h"
#include "vm/mmu_impl.h"

static void append(struct mmu_list *l, uint32_t i, uint32_t *next_of_last)
{
	if (l->first == MMU_NOBODY)
		l->first = i;
	else
		*next_of_last = i;
	l->last = i;
}

void mmu_walk_later(struct mmu *u, uint32_t miss)
{
	append(&u->queue, miss, u->queue.last == MMU_NOBODY ? NULL : &u->miss[u->queue.last].next);
	u->miss[miss].next = MMU_NOBODY;
}

static void send_later(struct mmu *u, uint32_t w)
{
	append(&u->send, w, u->send.last == MMU_NOBODY ? NULL : &u->walk[u->send.last].next);
	u->walk[w].next = MMU_NOBODY;
}

/* ---- the page-walk cache ---- */

/* What leads to the node of `level` (1 ..) on the page's path; the cache keeps the entry that points to this node. */
static uint64_t cache_key(const struct mmu *u, uint64_t page, uint32_t level)
{
	return page >> u->pages->shift[level - 1] << 2 | level;
}

static bool cache_on(const struct mmu *u)
{
	return u->walk_cache.entry != NULL;
}

/* The lowest node of the path that the cache knows; the root if it knows none. */
static uint64_t lowest_known(struct mmu *u, uint64_t page, uint32_t *level)
{
	for (uint32_t l = u->pages->levels - 1; cache_on(u) && l > 0; l--) {
		uint64_t entry = tlb_lookup(&u->walk_cache, cache_key(u, page, l));

		if (entry) {
			*level = l;
			return pages_entry_addr(entry);
		}
	}
	*level = 0;
	return u->pages->root;
}

/* Two walks may bring the same entry. */
static void cache_entry(struct mmu *u, uint64_t page, uint32_t level, uint64_t entry)
{
	uint64_t key = cache_key(u, page, level);

	if (cache_on(u) && !tlb_lookup(&u->walk_cache, key))
		tlb_fill(&u->walk_cache, key, entry);
}

/* ---- walks ---- */

static void begin(struct mmu *u, struct ticks now)
{
	uint32_t miss = u->queue.first, w = u->free_walk, level;
	uint64_t page = u->miss[miss].page, node = lowest_known(u, page, &level);

	u->queue.first = u->miss[miss].next;
	if (u->queue.first == MMU_NOBODY)
		u->queue.last = MMU_NOBODY;
	u->free_walk = u->walk[w].next;
	u->walk[w] =
		(struct mmu_walk){.miss = miss, .level = level, .at = pages_entry_in(u->pages, node, page, level), .began = now};
	u->stats.walks++;
	u->stats.skipped += level;
	u->stats.wait = ticks_add(u->stats.wait, ticks_between(u->miss[miss].since, now));
	send_later(u, w);
}

void mmu_begin_walks(struct mmu *u, struct ticks now)
{
	while (u->queue.first != MMU_NOBODY && u->free_walk != MMU_NOBODY)
		begin(u, now);
}

static void end(struct mmu *u, uint32_t w, struct ticks now)
{
	u->stats.walked++;
	u->stats.walk = ticks_add(u->stats.walk, ticks_between(u->walk[w].began, now));
	u->walk[w].next = u->free_walk;
	u->free_walk = w;
}

/* The entry of the walk's level has come: what it held before this tick counts. */
static void reply(struct mmu *u, uint32_t w, struct ticks now)
{
	struct mmu_walk *k = &u->walk[w];
	uint64_t page = u->miss[k->miss].page, entry;

	u->stats.replies++;
	if (pages_depth(u->pages, page, now) <= k->level) {
		u->stats.absent += u->pages->levels - 1 - k->level;
		end(u, w, now);
		mmu_fault(u, k->miss, now);
		return;
	}
	entry = bytes_read64(&u->pages->bytes, k->at);
	if (k->level == u->pages->levels - 1) {
		end(u, w, now);
		mmu_resolve(u, k->miss, entry, now);
		return;
	}
	k->level++;
	k->at = pages_entry_in(u->pages, pages_entry_addr(entry), page, k->level);
	cache_entry(u, page, k->level, entry);
	send_later(u, w);
}

void mmu_take_replies(struct mmu *u, struct ticks now)
{
	const struct mem_req *r;

	while ((r = queue_front(u->port.in, now))) {
		reply(u, r->token, now);
		queue_pop(u->port.in, now);
	}
}

/* One read a cycle. */
void mmu_send(struct mmu *u, struct ticks now)
{
	uint32_t w = u->send.first;
	struct mem_req r = {.bytes = PAGES_ENTRY_BYTES,
			    .kind = REQ_READ,
			    .client = REQ_CLIENT_WALK,
			    .mode = MODE_FGP,
			    .requester = u->port.requester,
			    .buffer = UINT16_MAX};

	if (w == MMU_NOBODY)
		return;
	u->send_at = ticks_after(now, 1, u->period);
	if (!net_can_send(&u->port.out, now, &u->send_at))
		return;
	r.addr = u->walk[w].at;
	r.token = w;
	r.dest = route_destination(&u->port.route, cycles_in(now, u->period), r.addr, r.mode);
	net_send(&u->port.out, now, &r);
	u->stats.reads++;
	u->send.first = u->walk[w].next;
	if (u->send.first == MMU_NOBODY)
		u->send.last = MMU_NOBODY;
}
