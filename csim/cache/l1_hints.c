/* Cache operators at an L1 (enum l1_hint), as the PTX ISA has them ("Cache Operators"):
 *
 *   past         .cg: cached in the L2 alone. A load goes past, what the L1 has of it stays; a store evicts what it
 *                hits
 *   streams      .cs, .lu: a line that such a load brings in is the first of its set to leave again ("evict-first"),
 *                here and in the L2; a hit leaves the order as it is. Another load that waits for the line makes it one
 *                as any. In local memory it is the last use of what it reads, which need not be written back any more
 *   no_allocate  L1::no_allocate: a load that does not find all that it needs goes past
 *
 * Stores allocate nothing in an L1, so that streams is for the L2 alone there.
 */
#include "base/panic.h"
#include "cache/l1_impl.h"

static enum l1_result go_past(struct l1 *l, const struct l1_access *a)
{
	if (!l1_room(l, 1))
		return L1_FAIL_QUEUE;
	l1_send_past(l, a);
	return L1_SENT;
}

/* Whether all that a load needs is there. */
static bool is_there(struct l1 *l, uint64_t cycle, const struct l1_access *a, uint32_t *slot)
{
	uint32_t need = sectors_touched(&l->sectors, a->mask);

	return l1_lookup(l, cycle, a->line >> l->line_shift, slot) <= TAGS_HIT_RESERVED &&
	       !(need & ~load_policy_data(&l->policy, &l->tags, *slot));
}

static enum l1_result load_without_allocation(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	uint32_t slot;

	if (!is_there(l, cycle, a, &slot))
		return go_past(l, a);
	l1_touch(l, slot);
	return L1_HIT;
}

/* What the load has read will not be used again. */
static void last_use(struct l1 *l, uint32_t slot, const uint64_t mask[2])
{
	uint64_t *dirty = l->tags.dirty[slot].byte;

	if (tags_state(&l->tags, slot) != TAGS_DIRTY)
		return;
	dirty[0] &= ~mask[0];
	dirty[1] &= ~mask[1];
	if (!tags_is_dirty(&l->tags, slot))
		tags_clean(&l->tags, slot);
}

/* The packets that have joined the miss queue since. */
static void mark_packets(struct l1 *l, uint32_t since)
{
	for (; since != l->queue_tail; since++)
		l->queue[since & l->queue_mask].streams = l->queue[since & l->queue_mask].client != REQ_CLIENT_NOBODY;
}

/* A load has missed and has the line's entry to itself: its line will be the first to leave. */
static void mark_line(struct l1 *l, uint64_t cycle, uint64_t line)
{
	uint32_t slot = 0, entry = 0;

	if (l->on_fill && mshr_find(&l->mshr, line, &entry) && l->mshr.n[entry] == 1) {
		l->streaming += !l->streams[entry];
		l->streams[entry] = true;
	} else if (!l->on_fill && tags_probe(&l->tags, tags_set(&l->tags, cycle, line), line, &slot) == TAGS_HIT_RESERVED &&
		   l->mshr.n[l->tags.owner[slot]] == 1) {
		tags_first_out(&l->tags, slot);
	}
}

static enum l1_result streaming_load(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	uint32_t slot, queued = l->queue_tail;
	enum l1_result r;

	if (is_there(l, cycle, a, &slot)) {
		if (a->local)
			last_use(l, slot, a->mask);
		return L1_HIT;
	}
	r = l1_any(l, cycle, a);
	if (r == L1_MISS)
		mark_line(l, cycle, a->line >> l->line_shift);
	mark_packets(l, queued);
	return r;
}

static enum l1_result store(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	struct l1_access past = *a;
	uint32_t queued = l->queue_tail;
	enum l1_result r;

	past.bypass |= (a->hints & L1_HINT_PAST) && !a->local;
	r = l1_any(l, cycle, &past);
	if (a->hints & L1_HINT_STREAMS)
		mark_packets(l, queued);
	return r;
}

enum l1_result l1_by_hints(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	if (!l->enabled || a->bypass || (a->kind != REQ_READ && a->kind != REQ_WRITE))
		return l1_any(l, cycle, a);
	if (a->kind == REQ_WRITE)
		return store(l, cycle, a);
	if (a->hints & L1_HINT_PAST && !a->local)
		return go_past(l, a);
	return a->hints & L1_HINT_NO_ALLOCATE ? load_without_allocation(l, cycle, a) : streaming_load(l, cycle, a);
}

void l1_hints_joined(struct l1 *l, const struct l1_access *a)
{
	uint32_t entry;

	if (a->kind == REQ_READ && !a->bypass && mshr_find(&l->mshr, a->line >> l->line_shift, &entry) && l->streams[entry]) {
		l->streams[entry] = false;
		l->streaming--;
	}
}

void l1_hints_filled(struct l1 *l, uint32_t entry, uint32_t slot, bool brought_in)
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
