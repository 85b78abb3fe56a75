/* The work of a slice's port: lookups, fills, answers. */
#include "cache/l2/l2_impl.h"

static struct l2_counts *counts_of_buffer(struct l2 *l, const struct mem_req *r)
{
	return &l->buffer[r->buffer < l->buffers ? r->buffer : l->buffers];
}

static struct l2_counts *counts(struct l2 *l, const struct mem_req *r)
{
	return __builtin_expect(r->requester == REQ_OTHER_HALF, 0) ? &l->half->counts.reads : counts_of_buffer(l, r);
}

static uint32_t sectors_of(const struct l2 *l, const struct mem_req *r)
{
	return l2_request_sectors(r, &l->sectors);
}

/* The sectors of a request whose data it needs, be they there or not. slot: its line's, if that is there; else
 * L2_NO_SLOT. */
static uint32_t needed(const struct l2 *l, const struct mem_req *r, uint32_t touched, uint32_t slot)
{
	uint64_t written[2] = {r->mask[0], r->mask[1]};

	if (r->kind != REQ_WRITE || l->write_allocate == WRITE_ALLOCATE_FETCH_ALWAYS)
		return touched;
	if (l->write_allocate == WRITE_ALLOCATE_FETCH_ON_READ)
		return 0;
	if (slot != L2_NO_SLOT) {
		written[0] |= l->tags.dirty[slot].byte[0];
		written[1] |= l->tags.dirty[slot].byte[1];
	}
	return touched & ~sectors_covered(&l->sectors, written);
}

/* A request writes into the line. Sectors that have got all of their bytes by that are there, unless they are on their
 * way, which they stay. */
static void leave_bytes(struct l2 *l, const struct mem_req *r, uint32_t slot)
{
	bool reserved = tags_state(&l->tags, slot) == TAGS_RESERVED;
	uint32_t pending = reserved ? l->mshr.pending[l->tags.owner[slot]] : 0;

	tags_write(&l->tags, slot, r->mask);
	l->tags.sectors[slot] |= (uint8_t)(sectors_covered(&l->sectors, l->tags.dirty[slot].byte) & ~pending);
}

static void count_kind(struct l2 *l, const struct mem_req *r)
{
	l2_pipe_count(l2_pipe_of(l, r), r);
	counts(l, r)->accesses++;
}

/* Answers a request whose line is there, and does what it does to the line. */
static inline void finish(struct l2 *l, const struct mem_req *r, uint32_t slot, enum req_found found, struct ticks now)
{
	if (r->kind != REQ_READ)
		leave_bytes(l, r, slot);
	if (req_is_atomic(r))
		l2_pipe_hold(&l->pipe, l2_pipe_atomic_cycles(&l->pipe, r), now);
	l2_pipe_reply(l2_pipe_of(l, r), r, found, now);
}

static inline enum l2_stall hit(struct l2 *l, const struct mem_req *r, uint32_t slot, struct ticks now)
{
	if (!l2_pipe_reply_room(l2_pipe_of(l, r), now))
		return L2_STALL_REPLY;
	if (__builtin_expect(!r->streams, 1))
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

/* What was in the slot, if anything was, makes room. */
static void evict(struct l2 *l, uint32_t slot, struct ticks now)
{
	enum tags_state state = tags_state(&l->tags, slot);

	l->pipe.stats.evictions += state != TAGS_INVALID && !l->policy.tag_only[slot];
	if (state == TAGS_DIRTY)
		l2_write_back(l, slot, now);
}

/* Whether so many reads of a line, and write-backs of victims, can go down. */
static bool room_below(struct l2 *l, uint64_t line, uint32_t reads, uint32_t write_backs, struct ticks now)
{
	struct l2_pipe *p = l2_pipe_served(l);

	if (__builtin_expect(!l2_is_far(line), 1))
		return l2_pipe_room_below(p, l->lower->down, reads + write_backs, now);
	return (!reads || l2_pipe_room_below(p, l->lower->across, reads, now)) &&
	       (!write_backs || l2_pipe_room_below(p, l->lower->down, write_backs, now));
}

/* Whether there is an MSHR entry for a line: copies of the other half's have a share of them. */
static bool has_entry(const struct l2 *l, uint64_t line)
{
	if (__builtin_expect(l2_is_far(line), 0) && l->half->copies == l->half->most)
		return false;
	return mshr_in_use(&l->mshr) < l->mshr.entries;
}

static void count_fetch(struct l2 *l, const struct mem_req *r, uint64_t line, uint32_t sectors)
{
	if (__builtin_expect(l2_is_far(line), 0)) {
		counts_of_buffer(l, r)->asked++;
		return;
	}
	l->pipe.stats.fetches++;
	l->pipe.stats.sectors += sectors_count(sectors);
	counts_of_buffer(l, r)->fetches++;
}

/* Sends down a read of sectors, for an entry. */
static void send_read(struct l2 *l, const struct mem_req *r, uint32_t entry, uint32_t sectors, struct ticks now)
{
	uint32_t token = entry * l->sectors.n + sectors_first(sectors);
	struct l2_part p = {.line = l->mshr.line[entry], .mode = r->mode, .addr = r->addr, .buffer = r->buffer};

	sectors_bytes(&l->sectors, sectors, p.mask);
	mshr_request(&l->mshr, entry, sectors);
	l->fetched[token] = (uint8_t)sectors;
	count_fetch(l, r, p.line, sectors);
	l->lower->ops->fetch(l->lower, &p, token, now);
}

/* Asks for sectors of r's line. slot: its reserved way, or L2_NO_SLOT. */
static void fetch(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at, uint32_t sectors, struct ticks now)
{
	uint32_t entry;

	/* Each read that bypasses fetches its line, though another one may be doing so. */
	PANIC_UNLESS_COSTLY(load_policy_on(&l->policy) || l->half || !mshr_find(&l->mshr, at->line, &entry), "l2",
			    cycles_in(now, l->pipe.period));
	if (mshr_alloc_any(&l->mshr, at->line, waiter(r), &entry) != MSHR_NEW)
		panic("l2", cycles_in(now, l->pipe.period), "no MSHR entry after the check for one");
	/* A write is answered already: it is in the entry for the fetch alone. */
	wait_for(l, mshr_last_slot(&l->mshr, entry), r, at->slot == L2_NO_SLOT ? REQ_PAST : REQ_FETCHED, now);
	mshr_wait(&l->mshr, entry, r->kind == REQ_WRITE ? 0 : sectors);
	l->entry_slot[entry] = at->slot;
	if (__builtin_expect(l2_is_far(at->line), 0))
		l->half->copies++;
	if (at->slot != L2_NO_SLOT)
		l->tags.owner[at->slot] = entry;
	send_read(l, r, entry, sectors, now);
}

/* A write to a line of which something is on its way leaves its bytes in the way. */
static enum l2_stall write_reserved(struct l2 *l, const struct mem_req *r, uint32_t slot, uint32_t more, struct ticks now)
{
	uint32_t entry = l->tags.owner[slot];

	if (more && !room_below(l, l->mshr.line[entry], 1, 0, now))
		return L2_STALL_DOWN;
	if (!l2_pipe_reply_room(l2_pipe_of(l, r), now))
		return L2_STALL_REPLY;
	if (more)
		send_read(l, r, entry, more, now);
	leave_bytes(l, r, slot);
	l2_pipe_reply(l2_pipe_of(l, r), r, more ? REQ_FETCHED : REQ_FOUND_RESERVED, now);
	return L2_STALL_NONE;
}

/* Whoever wants data waits with others for those of them that are not there, and asks for those not on their way. */
static enum l2_stall wait_reserved(struct l2 *l, const struct mem_req *r, uint32_t slot, uint32_t more, struct ticks now)
{
	uint32_t entry = l->tags.owner[slot], lacks = sectors_of(l, r) & ~(uint32_t)l->tags.sectors[slot];

	if (mshr_is_full(&l->mshr, entry))
		return L2_STALL_MERGE;
	if (more && !room_below(l, l->mshr.line[entry], 1, 0, now))
		return L2_STALL_DOWN;
	mshr_merge(&l->mshr, entry, waiter(r));
	mshr_wait(&l->mshr, entry, lacks);
	wait_for(l, mshr_last_slot(&l->mshr, entry), r, more ? REQ_FETCHED : REQ_FOUND_RESERVED, now);
	if (more)
		send_read(l, r, entry, more, now);
	return L2_STALL_NONE;
}

/* Some of the line is on its way. */
static enum l2_stall hit_reserved(struct l2 *l, const struct mem_req *r, uint32_t slot, struct ticks now)
{
	uint32_t pending = l->mshr.pending[l->tags.owner[slot]], touched = sectors_of(l, r);
	uint32_t lacks = needed(l, r, touched, slot) & ~(uint32_t)l->tags.sectors[slot], more = lacks & ~pending;
	enum l2_stall why;

	if (!lacks && !(touched & pending))
		return hit(l, r, slot, now);
	why = r->kind == REQ_WRITE ? write_reserved(l, r, slot, more, now) : wait_reserved(l, r, slot, more, now);
	if (why != L2_STALL_NONE)
		return why;
	tags_touch(&l->tags, slot);
	counts(l, r)->reserved += !more;
	counts(l, r)->misses += more != 0;
	return L2_STALL_NONE;
}

/* Puts the line into the slot that the lookup gave: more of a line that is there, or in place of a victim. */
static void allocate(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at, bool there, bool fetches,
		     struct ticks now)
{
	if (there) {
		tags_touch(&l->tags, at->slot);
		tags_reserve(&l->tags, at->slot);
		return;
	}
	if (tags_state(&l->tags, at->slot) != TAGS_INVALID)
		evict(l, at->slot, now);
	tags_take(&l->tags, at->slot, at->line, fetches ? TAGS_RESERVED : TAGS_VALID);
	l->tags.sectors[at->slot] = 0;
	l->policy.tag_only[at->slot] = 0;
	l->mode[at->slot] = r->mode;
}

/* Two halves: a read that waits for its sectors without a way for its line, lest the halves wait for one another. */
static enum l2_stall fetch_past(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at, struct ticks now)
{
	if (!has_entry(l, at->line))
		return L2_STALL_ENTRY;
	if (!room_below(l, at->line, 1, 0, now))
		return L2_STALL_DOWN;
	fetch(l, r, &(struct tags_lookup){.line = at->line, .slot = L2_NO_SLOT}, sectors_of(l, r), now);
	counts(l, r)->misses++;
	return L2_STALL_NONE;
}

/* there: the line is, but not all that the request needs. */
static enum l2_stall miss(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at, bool there, struct ticks now)
{
	bool write = r->kind == REQ_WRITE;
	uint32_t lacks = needed(l, r, sectors_of(l, r), there ? at->slot : L2_NO_SLOT);
	uint32_t write_backs = !there && tags_state(&l->tags, at->slot) == TAGS_DIRTY;

	lacks &= there ? ~(uint32_t)l->tags.sectors[at->slot] : UINT32_MAX;
	if (lacks && !has_entry(l, at->line))
		return L2_STALL_ENTRY;
	if (lacks && __builtin_expect(l2_is_far(at->line), 0) && !l2_copy_has_a_way(l, at->slot))
		return fetch_past(l, r, at, now);
	if ((lacks || write_backs) && !room_below(l, at->line, lacks != 0, write_backs, now))
		return L2_STALL_DOWN;
	if (write && !l2_pipe_reply_room(l2_pipe_of(l, r), now))
		return L2_STALL_REPLY;
	allocate(l, r, at, there, lacks != 0, now);
	if (lacks)
		fetch(l, r, at, lacks, now);
	if (write) {
		leave_bytes(l, r, at->slot);
		l2_pipe_reply(l2_pipe_of(l, r), r, lacks ? REQ_FETCHED : REQ_MISSED, now);
	}
	counts(l, r)->misses++;
	return L2_STALL_NONE;
}

/* The line is there: so may be what the request needs of it. */
static inline enum l2_stall find(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at, struct ticks now)
{
	uint32_t lacks = l->tags.all & ~(uint32_t)l->tags.sectors[at->slot];

	if (__builtin_expect(l->policy.tag_only[at->slot], 0)) /* without data: it is brought in where its tag is */
		return miss(l, r, at, false, now);
	if (!lacks || !(needed(l, r, sectors_of(l, r), at->slot) & lacks))
		return hit(l, r, at->slot, now);
	return miss(l, r, at, true, now);
}

static inline enum l2_stall look_up(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at, struct ticks now)
{
	switch (at->result) {
	case TAGS_HIT:
		return find(l, r, at, now);
	case TAGS_HIT_RESERVED:
		return hit_reserved(l, r, at->slot, now);
	case TAGS_MISS:
		return miss(l, r, at, false, now);
	default:
		return r->requester == REQ_OTHER_HALF ? fetch_past(l, r, at, now) : L2_STALL_LINE;
	}
}

/* A read that goes past the slice, as the policy wants. */
static enum l2_stall policy_bypass(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at, bool keep_tag,
				   struct ticks now)
{
	bool take = keep_tag && at->result == TAGS_MISS;
	uint32_t write_backs = take && tags_state(&l->tags, at->slot) == TAGS_DIRTY;

	if (!has_entry(l, at->line))
		return L2_STALL_ENTRY;
	if (!room_below(l, at->line, 1, write_backs, now))
		return L2_STALL_DOWN;
	if (take) {
		evict(l, at->slot, now);
		load_policy_take_tag(&l->policy, &l->tags, at->slot, at->line, l->tags.all);
		l->mode[at->slot] = r->mode;
	} else if (at->result == TAGS_HIT) {
		tags_touch(&l->tags, at->slot);
		l->policy.tag_hits++;
	}
	fetch(l, r, &(struct tags_lookup){.line = at->line, .slot = L2_NO_SLOT}, sectors_of(l, r), now);
	l->policy.bypasses++;
	counts(l, r)->bypasses++;
	return L2_STALL_NONE;
}

/* What the policy says of a read. */
static struct cache_verdict consult(struct l2 *l, const struct mem_req *r, const struct tags_lookup *at, uint64_t cycle,
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
static void stick(struct l2 *l, struct l2_pipe *p)
{
	p->stuck = true;
	p->stuck_until = l->policy.due == CYCLE_NEVER ? TIME_NEVER : ticks_of(l->policy.due, l->pipe.period);
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
	struct l2_pipe *p = l2_pipe_served(l);

	p->stuck = false;
	if (why == L2_STALL_LINE || why == L2_STALL_ENTRY || why == L2_STALL_MERGE)
		stick(l, p);
	if (why == L2_STALL_NONE) {
		count_kind(l, r);
		counts(l, r)->bytes += bytes;
	}
	return why;
}

/* A request that streams has brought its line in, which is the first of its set to leave. */
static void leaves_first(struct l2 *l, uint64_t line, struct ticks now)
{
	uint32_t set = tags_set(&l->tags, cycles_in(now, l->pipe.period), line), slot;

	if (tags_probe(&l->tags, set, line, &slot) <= TAGS_HIT_RESERVED)
		tags_first_out(&l->tags, slot);
}

/* With a policy, which is asked about reads, locality classes or cache operators. */
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
		v = consult(l, r, &at, cycles_in(now, l->pipe.period), &q);
	if (v.use == CACHE_ALLOCATE)
		why = looked_up(l, r, look_up(l, r, &at, now), r->bytes);
	else
		why = looked_up(l, r, policy_bypass(l, r, &at, v.use == CACHE_BYPASS_TAG, now), 0);
	if (why == L2_STALL_NONE && r->streams && at.result == TAGS_MISS)
		leaves_first(l, at.line, now);
	if (why == L2_STALL_NONE && asked)
		notify_policy(l, &q, v, &at);
	if (why == L2_STALL_NONE && l->classes && r->requester != REQ_OTHER_HALF)
		locality_classes_count(l->classes, r->addr / l->line_bytes, r->who, r->requester,
				       found == CACHE_FOUND || found == CACHE_FOUND_RESERVED);
	return why;
}

/* Two halves: writes and atomics are done where their line's home is, and make known that they are. */
static enum l2_stall __attribute__((noinline)) write_of_halves(struct l2 *l, const struct mem_req *r, struct ticks now)
{
	struct tags_lookup at = probe(l, r, now);
	enum l2_stall why;

	if (l2_is_far(at.line))
		return l2_pass_on(l, r, at.line, now);
	if (!l2_can_notify(l, now))
		return L2_STALL_DOWN;
	why = l->plain ? looked_up(l, r, look_up(l, r, &at, now), r->bytes) : lookup_with_policy(l, r, now);
	if (why == L2_STALL_NONE)
		l2_notify(l, r, at.line, now);
	return why;
}

enum l2_stall l2_lookup(struct l2 *l, const struct mem_req *r, struct ticks now)
{
	struct tags_lookup at;

	if (__builtin_expect(l->half != NULL, 0) && r->kind != REQ_READ)
		return write_of_halves(l, r, now);
	if (__builtin_expect(!l->plain, 0))
		return lookup_with_policy(l, r, now);
	at = probe(l, r, now);
	return looked_up(l, r, look_up(l, r, &at, now), r->bytes);
}

/* Up to the entry's next request that what has come serves, or behind its last one. */
static void next_answer(struct l2 *l, uint32_t entry)
{
	while (l->answered < l->mshr.n[entry] && !mshr_serves(&l->mshr, entry, l->answered, l->came))
		l->answered++;
}

uint32_t l2_fill(struct l2 *l, uint32_t token)
{
	uint32_t entry = token / l->sectors.n;

	l->came = l->fetched[token];
	l->last = mshr_arrived(&l->mshr, entry, l->came);
	if (l->entry_slot[entry] != L2_NO_SLOT)
		tags_arrive(&l->tags, l->entry_slot[entry], l->came, l->last);
	l->answered = 0;
	next_answer(l, entry);
	return entry;
}

/* These sectors were asked for by the first request in the entry that touches one of them. */
void l2_other_half_had(struct l2 *l, uint32_t entry, enum req_found found)
{
	struct mem_req *w = &l->waiting[(uint64_t)entry * l->mshr.merges];

	if (found == REQ_FETCHED || found == REQ_PAST) /* it has read them from memory */
		return;
	while (!(sectors_of(l, w) & l->came))
		w++;
	w->found = w->found == REQ_PAST ? REQ_PAST_TO_HALF : REQ_MISSED;
}

static void end_answers(struct l2 *l, uint32_t entry)
{
	bool copy = l2_is_far(l->mshr.line[entry]);

	if (l->last)
		mshr_free(&l->mshr, entry);
	l->pipe.answering = L2_NOBODY;
	l->pipe.stuck = false;
	if (__builtin_expect(l->half != NULL, 0)) {
		l->half->pipe.stuck = false;
		l->half->copies -= l->last && copy;
	}
}

bool l2_answer(struct l2 *l, struct ticks now)
{
	uint32_t entry = l->pipe.answering;
	const struct mem_req *w = &l->waiting[(uint64_t)entry * l->mshr.merges];

	if (l->answered < l->mshr.n[entry]) {
		if (!l2_pipe_reply_room(l2_pipe_of(l, &w[l->answered]), now))
			return false;
		finish(l, &w[l->answered], l->entry_slot[entry], w[l->answered].found, now);
		l->answered++;
		next_answer(l, entry);
	}
	if (l->answered == l->mshr.n[entry])
		end_answers(l, entry);
	return true;
}
