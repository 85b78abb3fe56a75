/* The work of a slice's port: lookups, fills, answers. */
#include "cache/l2/l2_impl.h"

static struct l2_counts *counts(struct l2 *l, const struct mem_req *r)
{
	return &l->buffer[r->buffer < l->buffers ? r->buffer : l->buffers];
}

static bool covers_line(const struct l2 *l, const struct mem_req *r)
{
	uint64_t low = l->line_bytes >= 64 ? UINT64_MAX : (UINT64_C(1) << l->line_bytes) - 1;

	return r->mask[0] == low && (l->line_bytes <= 64 || r->mask[1] == UINT64_MAX);
}

static void count_kind(struct l2 *l, const struct mem_req *r)
{
	l2_pipe_count(&l->pipe, r);
	counts(l, r)->accesses++;
}

/* Answers a request whose line is there, and does what it does to the line. */
static inline void finish(struct l2 *l, const struct mem_req *r, uint32_t slot, enum req_found found, struct ticks now)
{
	if (r->kind != REQ_READ)
		tags_write(&l->tags, slot, r->mask);
	if (req_is_atomic(r))
		l2_pipe_hold(&l->pipe, l2_pipe_atomic_cycles(&l->pipe, r), now);
	l2_pipe_reply(&l->pipe, r, found, now);
}

static inline enum l2_stall hit(struct l2 *l, const struct mem_req *r, uint32_t slot, struct ticks now)
{
	if (!l2_pipe_reply_room(&l->pipe, now))
		return L2_STALL_REPLY;
	tags_touch(&l->tags, slot);
	finish(l, r, slot, REQ_FOUND, now);
	counts(l, r)->hits++;
	return L2_STALL_NONE;
}

/* Keeps a request that waits for its line, from its lookup on. */
static void wait_for(struct l2 *l, uint32_t slot, const struct mem_req *r, enum req_found found, struct ticks now)
{
	l->waiting[slot] = *r;
	l->waiting[slot].found = found;
	l->waiting[slot].at[REQ_LOOKED_UP] = stamp_of(now);
}

static struct mshr_waiter waiter(const struct mem_req *r)
{
	return (struct mshr_waiter){r->requester, r->token};
}

/* The line is on its way: a write leaves its bytes in the way, whoever wants data waits. */
static enum l2_stall hit_reserved(struct l2 *l, const struct mem_req *r, uint32_t slot, struct ticks now)
{
	uint32_t entry = l->tags.owner[slot];

	if (r->kind == REQ_WRITE) {
		if (!l2_pipe_reply_room(&l->pipe, now))
			return L2_STALL_REPLY;
		tags_write(&l->tags, slot, r->mask);
		l2_pipe_reply(&l->pipe, r, REQ_FOUND_RESERVED, now);
	} else {
		if (mshr_merge(&l->mshr, entry, waiter(r)) != MSHR_MERGED)
			return L2_STALL_MERGE;
		wait_for(l, mshr_last_slot(&l->mshr, entry), r, REQ_FOUND_RESERVED, now);
	}
	tags_touch(&l->tags, slot);
	counts(l, r)->reserved++;
	return L2_STALL_NONE;
}

/* What was in the slot, if anything was, makes room. */
static void evict(struct l2 *l, uint32_t slot, struct ticks now)
{
	enum tags_state state = tags_state(&l->tags, slot);

	l->pipe.stats.evictions += state != TAGS_INVALID && !l->policy.tag_only[slot];
	if (state == TAGS_DIRTY)
		l2_write_back(l, slot, now);
}

/* Asks for the line of r. slot: its reserved way, or L2_NO_SLOT. */
static void fetch(struct l2 *l, const struct mem_req *r, uint64_t line, uint32_t slot, struct ticks now)
{
	uint32_t entry;

	/* Each read that bypasses fetches its line, though another one may be doing so. */
	PANIC_UNLESS_COSTLY(load_policy_on(&l->policy) || !mshr_find(&l->mshr, line, &entry), "l2", cycles_in(now, l->pipe.period));
	if (mshr_alloc_any(&l->mshr, line, waiter(r), &entry) != MSHR_NEW)
		panic("l2", cycles_in(now, l->pipe.period), "no MSHR entry after the check for one");
	/* A write is answered already: it is in the entry for the fetch alone. */
	wait_for(l, mshr_last_slot(&l->mshr, entry), r, slot == L2_NO_SLOT ? REQ_PAST : REQ_FETCHED, now);
	l->entry_slot[entry] = slot;
	if (slot != L2_NO_SLOT)
		l->tags.owner[slot] = entry;
	l->pipe.stats.fetches++;
	counts(l, r)->fetches++;
	l->lower->ops->fetch(l->lower, line, r->mode, entry, now);
}

static enum l2_stall miss(struct l2 *l, const struct mem_req *r, uint64_t line, uint32_t slot, struct ticks now)
{
	bool write = r->kind == REQ_WRITE;
	bool fetches = !write || l->write_allocate == WRITE_ALLOCATE_FETCH_ALWAYS || !covers_line(l, r);
	enum tags_state victim = tags_state(&l->tags, slot);
	uint32_t down = (uint32_t)fetches + (victim == TAGS_DIRTY);

	if (fetches && mshr_in_use(&l->mshr) == l->mshr.entries)
		return L2_STALL_ENTRY;
	if (down && !l2_pipe_room_below(&l->pipe, l->lower->down, down, now))
		return L2_STALL_DOWN;
	if (write && !l2_pipe_reply_room(&l->pipe, now))
		return L2_STALL_REPLY;
	if (victim != TAGS_INVALID)
		evict(l, slot, now);
	tags_take(&l->tags, slot, line, fetches ? TAGS_RESERVED : TAGS_VALID);
	l->policy.tag_only[slot] = false;
	l->mode[slot] = r->mode;
	if (fetches)
		fetch(l, r, line, slot, now);
	if (write) {
		tags_write(&l->tags, slot, r->mask);
		l2_pipe_reply(&l->pipe, r, fetches ? REQ_FETCHED : REQ_MISSED, now);
	}
	counts(l, r)->misses++;
	return L2_STALL_NONE;
}

static inline enum l2_stall look_up(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at, struct ticks now)
{
	switch (at->result) {
	case TAGS_HIT:
		if (__builtin_expect(l->policy.tag_only[at->slot], 0)) /* without data: it is brought in where its tag
								        * is */
			return miss(l, r, at->line, at->slot, now);
		return hit(l, r, at->slot, now);
	case TAGS_HIT_RESERVED:
		return hit_reserved(l, r, at->slot, now);
	case TAGS_MISS:
		return miss(l, r, at->line, at->slot, now);
	default:
		return L2_STALL_LINE;
	}
}

/* A read that goes past the slice, as the policy wants. */
static enum l2_stall policy_bypass(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at, bool keep_tag,
				   struct ticks now)
{
	bool take = keep_tag && at->result == TAGS_MISS;
	uint32_t down = 1 + (take && tags_state(&l->tags, at->slot) == TAGS_DIRTY);

	if (mshr_in_use(&l->mshr) == l->mshr.entries)
		return L2_STALL_ENTRY;
	if (!l2_pipe_room_below(&l->pipe, l->lower->down, down, now))
		return L2_STALL_DOWN;
	if (take) {
		evict(l, at->slot, now);
		load_policy_take_tag(&l->policy, &l->tags, at->slot, at->line);
		l->mode[at->slot] = r->mode;
	} else if (at->result == TAGS_HIT) {
		tags_touch(&l->tags, at->slot);
		l->policy.tag_hits++;
	}
	fetch(l, r, at->line, L2_NO_SLOT, now);
	l->policy.bypasses++;
	counts(l, r)->bypasses++;
	return L2_STALL_NONE;
}

/* What the policy says of a read. */
static struct cache_verdict ask(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at, uint64_t cycle,
				struct cache_load *q)
{
	*q = (struct cache_load){.cycle = cycle,
				 .line = at->line,
				 .buffer = r->buffer,
				 .locality = r->no_reuse ? LOCALITY_BYPASS : LOCALITY_AS_IS,
				 .found = load_policy_found(&l->policy, at->result, at->slot)};
	if (q->found == CACHE_FOUND || q->found == CACHE_FOUND_RESERVED)
		return (struct cache_verdict){CACHE_ALLOCATE, CACHE_UNPINNED};
	return l->policy.ops->decide(l->policy.state, q);
}

/* The read has been accepted. */
static void notify_policy(struct l2 *l, const struct cache_load *q, struct cache_verdict v, const struct tags_lookup *at)
{
	if (v.use == CACHE_ALLOCATE && v.pin != CACHE_UNPINNED)
		tags_pin(&l->tags, at->slot, v.pin);
	load_policy_accepted(&l->policy, q);
}

/* Nothing but a fill can change that, or the policy when its time has come. */
static void stick(struct l2 *l)
{
	l->pipe.stuck = true;
	l->pipe.stuck_until = l->policy.due == CYCLE_NEVER ? TIME_NEVER : ticks_of(l->policy.due, l->pipe.period);
}

static inline struct tags_lookup probe(const struct l2 *l, const struct mem_req *r, struct ticks now)
{
	struct tags_lookup at = {.line = l->lower->ops->line(l->lower, r, now)};

	at.result = tags_probe(&l->tags, tags_set(&l->tags, cycles_in(now, l->pipe.period), at.line), at.line, &at.slot);
	return at;
}

/* How the lookup went; a request that went on is counted. bytes: that the tags' data gives or takes. */
static inline enum l2_stall looked_up(struct l2 *l, const struct mem_req *r, enum l2_stall why, uint32_t bytes)
{
	l->pipe.stuck = false;
	if (why == L2_STALL_LINE || why == L2_STALL_ENTRY || why == L2_STALL_MERGE)
		stick(l);
	if (why == L2_STALL_NONE) {
		count_kind(l, r);
		counts(l, r)->bytes += bytes;
	}
	return why;
}

/* With a policy, which is asked about reads, or locality classes. */
static enum l2_stall __attribute__((noinline)) lookup_with_policy(struct l2 *l, const struct mem_req *r, struct ticks now)
{
	bool asked = load_policy_on(&l->policy) && r->kind == REQ_READ;
	struct cache_verdict v = {CACHE_ALLOCATE, CACHE_UNPINNED};
	enum cache_found found;
	struct tags_lookup at;
	struct cache_load q;
	enum l2_stall why;

	load_policy_advance(&l->policy, &l->tags, cycles_in(now, l->pipe.period));
	at = probe(l, r, now);
	found = load_policy_found(&l->policy, at.result, at.slot);
	if (asked)
		v = ask(l, r, &at, cycles_in(now, l->pipe.period), &q);
	if (v.use == CACHE_ALLOCATE)
		why = looked_up(l, r, look_up(l, r, &at, now), r->bytes);
	else
		why = looked_up(l, r, policy_bypass(l, r, &at, v.use == CACHE_BYPASS_TAG, now), 0);
	if (why == L2_STALL_NONE && asked)
		notify_policy(l, &q, v, &at);
	if (why == L2_STALL_NONE && l->classes)
		locality_classes_count(l->classes, r->addr / l->line_bytes, r->who, r->requester,
				       found == CACHE_FOUND || found == CACHE_FOUND_RESERVED);
	return why;
}

enum l2_stall l2_lookup(struct l2 *l, const struct mem_req *r, struct ticks now)
{
	struct tags_lookup at;

	if (__builtin_expect(!l->plain, 0))
		return lookup_with_policy(l, r, now);
	at = probe(l, r, now);
	return looked_up(l, r, look_up(l, r, &at, now), r->bytes);
}

void l2_fill(struct l2 *l, uint32_t entry)
{
	if (l->entry_slot[entry] != L2_NO_SLOT)
		tags_fill(&l->tags, l->entry_slot[entry]);
}

bool l2_answer(struct l2 *l, struct ticks now)
{
	uint32_t entry = l->pipe.answering, n;
	const struct mem_req *w = &l->waiting[(uint64_t)entry * l->mshr.merges];

	mshr_waiters(&l->mshr, entry, &n);
	if (!l->answered && w->kind == REQ_WRITE)
		l->answered = 1;
	if (l->answered < n) {
		if (!l2_pipe_reply_room(&l->pipe, now))
			return false;
		finish(l, &w[l->answered], l->entry_slot[entry], w[l->answered].found, now);
		l->answered++;
	}
	if (l->answered == n) {
		mshr_free(&l->mshr, entry);
		l->pipe.answering = L2_NOBODY;
		l->pipe.stuck = false;
	}
	return true;
}
