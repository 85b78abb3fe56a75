/* Misses of an L1: the sectors that it asks for, and what it does when they come.
 *
 * A line's MSHR entry knows which of its sectors are on their way. With l1.allocate miss the line has a way, which is
 * reserved until the last of them has come. With fill it has none, and none can be wanting: what comes joins the rest
 * of its line if that is there, else it takes a victim's way then.
 */
#include "base/panic.h"
#include "cache/l1_impl.h"

uint32_t l1_packets_for(const struct l1 *l, uint32_t sectors)
{
	return l->sectors.n == 1 ? 1 : (sectors_count(sectors) + l->packet_sectors - 1) / l->packet_sectors;
}

/* The lowest `most` of a set. */
static uint32_t lowest_of(uint32_t set, uint32_t most)
{
	uint32_t rest = set;

	while (rest && most--)
		rest &= rest - 1;
	return set & ~rest;
}

/* One packet, for a set of sectors; of a whole line it needs no mask. */
static inline void enqueue_read(struct l1 *l, const struct l1_fetch *f, uint32_t entry, uint32_t sectors)
{
	struct mem_req r = {.addr = f->line << l->line_shift,
			    .client = REQ_CLIENT_MSHR,
			    .token = entry,
			    .bytes = (uint16_t)(sectors_count(sectors) * l->sectors.bytes),
			    .kind = REQ_READ,
			    .mode = f->mode,
			    .buffer = f->buffer};

	if (l->sectors.n > 1) {
		sectors_bytes(&l->sectors, sectors, r.mask);
		r.addr += sectors_first(sectors) * l->sectors.bytes;
	}
	l1_enqueue(l, &r);
}

static void request_sectors(struct l1 *l, const struct l1_fetch *f, uint32_t entry)
{
	mshr_request(&l->mshr, entry, f->sectors);
	l->stats.sectors.asked += sectors_count(f->sectors);
	for (uint32_t left = f->sectors, part; left; left &= ~part) {
		part = lowest_of(left, l->packet_sectors);
		enqueue_read(l, f, entry, part);
	}
}

/* An entry for a line that has none; extra: packets that go ahead of the read. L1_MISS, or a fail. */
static inline enum l1_result open_entry(struct l1 *l, const struct l1_fetch *f, uint32_t extra, uint32_t *entry)
{
	if (!l1_room(l, l1_packets_for(l, f->sectors) + extra))
		return l->mshr.n_free ? L1_FAIL_QUEUE : L1_FAIL_ENTRY;
	if (mshr_alloc(&l->mshr, f->line, f->who, entry) == MSHR_FAIL_ENTRY)
		return L1_FAIL_ENTRY;
	mshr_wait(&l->mshr, *entry, f->sectors);
	return L1_MISS;
}

/* The line of the entry has the slot. */
static inline void reserve_for(struct l1 *l, const struct l1_fetch *f, uint32_t entry, uint32_t slot)
{
	l->tags.owner[slot] = entry;
	l->mode[slot] = f->mode;
	l->entry_slot[entry] = slot;
}

enum l1_result l1_bring_in(struct l1 *l, const struct l1_fetch *f, uint32_t slot)
{
	uint32_t entry;
	enum l1_result r = open_entry(l, f, tags_state(&l->tags, slot) == TAGS_DIRTY, &entry);

	if (r != L1_MISS)
		return r;
	l1_evict(l, slot);
	tags_take(&l->tags, slot, f->line, TAGS_RESERVED);
	if (l->prefetch.policy)
		l->prefetch.untouched[slot] = false;
	reserve_for(l, f, entry, slot);
	request_sectors(l, f, entry);
	return L1_MISS;
}

/* More of a line that is there. */
static enum l1_result bring_more(struct l1 *l, const struct l1_fetch *f, uint32_t slot)
{
	uint32_t entry;
	enum l1_result r = open_entry(l, f, 0, &entry);

	if (r != L1_MISS)
		return r;
	tags_reserve(&l->tags, slot);
	tags_touch(&l->tags, slot);
	reserve_for(l, f, entry, slot);
	request_sectors(l, f, entry);
	l->stats.sectors.partial++;
	return L1_MISS;
}

/* Waits with others in the line's entry, and asks for what is not on its way. */
static enum l1_result join(struct l1 *l, const struct l1_fetch *f, uint32_t entry)
{
	struct l1_fetch more = *f;

	more.sectors &= (uint8_t)~l->mshr.pending[entry];
	if (mshr_is_full(&l->mshr, entry))
		return L1_FAIL_MERGE;
	if (more.sectors && !l1_room(l, l1_packets_for(l, more.sectors)))
		return L1_FAIL_QUEUE;
	mshr_merge(&l->mshr, entry, f->who);
	mshr_wait(&l->mshr, entry, f->sectors);
	if (!more.sectors)
		return L1_MERGED;
	request_sectors(l, &more, entry);
	l->stats.sectors.partial++;
	return L1_MISS;
}

/* A miss that takes no way. at: where the line's set is, and the rest of it if that is there. */
static enum l1_result fetch_to_fill(struct l1 *l, const struct l1_fetch *f, const struct tags_lookup *at)
{
	bool there = at->result == TAGS_HIT;
	enum l1_result r;
	uint32_t entry;

	if (mshr_find(&l->mshr, f->line, &entry)) {
		r = join(l, f, entry);
		if (__builtin_expect(l->coming[entry].prefetched, 0) && r < L1_FAIL_LINE)
			l1_prefetch_joined(l, entry);
	} else {
		r = open_entry(l, f, 0, &entry);
		if (r == L1_MISS) {
			l->entry_slot[entry] = at->slot / l->tags.stride;
			request_sectors(l, f, entry);
			l->stats.sectors.partial += there;
		}
	}
	if (there && r < L1_FAIL_LINE)
		tags_touch(&l->tags, at->slot);
	return r;
}

enum l1_result l1_fetch_line(struct l1 *l, const struct l1_fetch *f, const struct tags_lookup *at)
{
	return l->on_fill ? fetch_to_fill(l, f, at) : l1_bring_in(l, f, at->slot);
}

enum l1_result l1_miss(struct l1 *l, const struct l1_access *a, const struct tags_lookup *at, uint32_t need)
{
	struct l1_fetch f = l1_fetch_for(a, at->line);
	enum l1_result r;

	f.sectors = (uint8_t)(at->result <= TAGS_HIT_RESERVED ? need & ~load_policy_data(&l->policy, &l->tags, at->slot) : need);
	if (l->on_fill)
		return fetch_to_fill(l, &f, at);
	switch (at->result) {
	case TAGS_HIT:
		return bring_more(l, &f, at->slot);
	case TAGS_HIT_RESERVED:
		r = join(l, &f, l->tags.owner[at->slot]);
		if (r < L1_FAIL_LINE)
			l1_touch(l, at->slot);
		return r;
	case TAGS_MISS:
		return l1_bring_in(l, &f, at->slot);
	default:
		return L1_FAIL_LINE;
	}
}

/* ---- replies ---- */

static void fill_reserved(struct l1 *l, uint32_t slot, uint32_t sectors, bool last)
{
	tags_arrive(&l->tags, slot, sectors, last);
	l->policy.tag_only[slot] &= (uint8_t)~sectors;
	if (__builtin_expect(last && l->prefetch.policy && l->prefetch.stale[slot], 0)) {
		l->prefetch.stale[slot] = false;
		tags_drop(&l->tags, slot);
	}
}

/* No line is dirty or reserved, so there is always a way. */
static void allocate_and_fill(struct l1 *l, uint32_t entry, uint32_t sectors)
{
	uint32_t slot = 0, set = l->entry_slot[entry];
	uint64_t line = l->mshr.line[entry];
	enum tags_result r = tags_probe(&l->tags, set, line, &slot);

	if (l->coming[entry].stale)
		return;
	if (r == TAGS_MISS) {
		l1_evict(l, slot);
		tags_take(&l->tags, slot, line, TAGS_VALID);
		l->tags.sectors[slot] = 0;
		tags_pin(&l->tags, slot, l->coming[entry].pin);
		if (l->prefetch.policy)
			l->prefetch.untouched[slot] = l->coming[entry].prefetched;
	}
	PANIC_UNLESS(tags_state(&l->tags, slot) == TAGS_VALID, "l1", l->stats.replies);
	l->tags.sectors[slot] |= (uint8_t)sectors;
	l->policy.tag_only[slot] &= (uint8_t)~sectors;
	if (l->streaming)
		l1_hints_filled(l, entry, slot, r == TAGS_MISS);
}

/* Whom sectors that have come to an entry serve. */
static const struct mshr_waiter *serve(struct l1 *l, uint32_t entry, uint32_t sectors, uint32_t *n)
{
	const struct mshr_waiter *w = mshr_waiters(&l->mshr, entry, n);
	uint32_t served = 0;

	if (l->sectors.n == 1)
		return w;
	for (uint32_t i = 0; i < *n; i++)
		if (mshr_serves(&l->mshr, entry, i, sectors))
			l->served[served++] = w[i];
	*n = served;
	return l->served;
}

static const struct mshr_waiter *take_sectors(struct l1 *l, const struct mem_req *reply, uint32_t *n)
{
	uint32_t entry = reply->token, sectors = sectors_touched(&l->sectors, reply->mask);
	const struct mshr_waiter *waiters;
	bool last;

	PANIC_UNLESS(entry < l->mshr.entries, "l1", l->stats.replies);
	last = mshr_arrived(&l->mshr, entry, sectors);
	l->stats.sectors.filled += sectors_count(sectors);
	if (l->on_fill)
		allocate_and_fill(l, entry, sectors);
	else
		fill_reserved(l, l->entry_slot[entry], sectors, last);
	waiters = serve(l, entry, sectors, n);
	if (last && l->on_fill)
		l->coming[entry] = (struct l1_coming){.pin = CACHE_UNPINNED};
	if (last)
		mshr_free(&l->mshr, entry);
	return waiters;
}

const struct mshr_waiter *l1_reply(struct l1 *l, const struct mem_req *reply, uint32_t *n)
{
	const struct mshr_waiter *waiters;

	PANIC_UNLESS(reply->cache == l->sender, "l1", l->stats.replies);
	l->stats.replies++;
	if (reply->client != REQ_CLIENT_MSHR) {
		l->given = (struct mshr_waiter){reply->client, reply->token};
		*n = reply->client != REQ_CLIENT_NOBODY;
		return &l->given;
	}
	waiters = take_sectors(l, reply, n);
	if (!*n || waiters->client != REQ_CLIENT_NOBODY)
		return waiters;
	--*n; /* the line was prefetched */
	return waiters + 1;
}
