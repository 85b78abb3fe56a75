/* What comes back to an L1, and what is dropped.
 *
 * A line's MSHR entry knows which of its sectors are on their way. With l1.allocate miss the line has a way, which is
 * reserved until the last of them has come. With fill it has none, and none can be wanting: what comes joins the rest
 * of its line if that is there, else it takes a victim's way then.
 */
#include "base/panic.h"
#include "cache/l1_impl.h"

static void fill_reserved(struct l1 *l, uint32_t slot, uint32_t sectors, bool last)
{
	tags_arrive(&l->tags, slot, sectors, last);
	l->policy.tag_only[slot] &= (uint8_t)~sectors;
	if (__builtin_expect(last && l->prefetch.policy && l->prefetch.stale[slot], 0)) {
		l->prefetch.stale[slot] = false;
		tags_drop(&l->tags, slot);
	}
}

/* The data of a streaming load have come: its line is the first to leave if it has just taken its way. */
static void fill_streaming(struct l1 *l, uint32_t entry, uint32_t slot, bool brought_in)
{
	if (!l->streams[entry])
		return;
	if (brought_in)
		tags_first_out(&l->tags, slot);
	if (!l->mshr.pending[entry]) {
		l->streams[entry] = false;
		l->streaming--;
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
		fill_streaming(l, entry, slot, r == TAGS_MISS);
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

/* ---- lines that are dropped ---- */

void l1_invalidate(struct l1 *l)
{
	PANIC_UNLESS(!l->failing, "l1", l->since);
	for (uint32_t s = 0; l->prefetch.policy && s < tags_slots(&l->tags); s++)
		l->prefetch.stale[s] |= tags_state(&l->tags, s) == TAGS_RESERVED;
	for (uint32_t e = 0; l->on_fill && l->prefetch.policy && e < l->mshr.entries; e++)
		l->coming[e].stale = l->mshr.line[e] != MSHR_NO_LINE;
	tags_drop_all(&l->tags);
	if (l->prefetch.unit)
		prefetch_drop_all(l->prefetch.unit);
	l->stats.prefetch.dropped += l->prefetch.tail - l->prefetch.head;
	l->prefetch.head = l->prefetch.tail;
}

void l1_invalidate_beside(struct l1 *l)
{
	for (uint32_t s = 0; s < tags_slots(&l->tags); s++)
		if (tags_state(&l->tags, s) != TAGS_RESERVED && tags_state(&l->tags, s) != TAGS_INVALID &&
		    !tags_is_dirty(&l->tags, s))
			tags_drop(&l->tags, s);
}
