/* An access of an L1, stage by stage:
 *
 *     look up     where the line is, and which of its sectors have their data
 *     decide      a hit; or the line is on its way; or it is fetched; or the load goes past: operators, strict mode,
 *                 policy, pins, gate and full sets have a say here, in a cache that has them
 *     allocate    a way now, or none until the line comes (l1.allocate); an MSHR entry, or a place in one
 *     send        packets join the miss queue, a victim's write-back first; the network takes one a cycle
 *
 * Then the outcome is counted, and observers are notified. l1_fill.c has what comes back. */
#include "cache/l1_impl.h"

#include "base/panic.h"

/* ---- look up ---- */

static inline enum tags_result look_up(struct l1 *l, uint64_t cycle, uint64_t line, uint32_t *slot)
{
	uint32_t set = tags_set(&l->tags, cycle, line);

	for (struct l1_observer *o = l->observers; __builtin_expect(o != NULL, 0); o = o->next)
		if (o->lookup)
			o->lookup(o->ctx, cycle, set, line >> l->set_bits);
	return tags_probe(&l->tags, set, line, slot);
}

enum tags_result l1_look_up(struct l1 *l, uint64_t cycle, uint64_t line, uint32_t *slot)
{
	return look_up(l, cycle, line, slot);
}

/* Sectors of a line that has a slot, whose data are there. */
static inline uint32_t data_of(const struct l1 *l, const struct tags_lookup *at)
{
	return at->result <= TAGS_HIT_RESERVED ? load_policy_data(&l->policy, &l->tags, at->slot) : 0;
}

/* Those that are on their way. */
static uint32_t pending_of(const struct l1 *l, const struct tags_lookup *at)
{
	uint32_t entry;

	if (l->on_fill)
		return mshr_find(&l->mshr, at->line, &entry) ? l->mshr.pending[entry] : 0;
	return at->result == TAGS_HIT_RESERVED ? l->mshr.pending[l->tags.owner[at->slot]] : 0;
}

/* ---- send ---- */

static void write_back(struct l1 *l, uint32_t slot)
{
	const uint64_t *dirty = l->tags.dirty[slot].byte;

	l1_enqueue(l, &(struct mem_req){.addr = tags_line(&l->tags, slot) << l->line_shift,
					.mask = {dirty[0], dirty[1]},
					.client = REQ_CLIENT_NOBODY,
					.bytes = (uint16_t)req_mask_bytes(dirty),
					.kind = REQ_WRITE,
					.mode = l->mode[slot],
					.buffer = UINT16_MAX});
	if (__builtin_expect(l->classes != NULL, 0))
		l1_classes_write_back(l, tags_line(&l->tags, slot));
	l->stats.write_backs++;
	tags_clean(&l->tags, slot);
}

/* Bytes that travel for an access which goes past the cache. */
static uint32_t payload(const struct l1_access *a)
{
	if (a->kind == REQ_WRITE)
		return req_mask_bytes(a->mask);
	if (a->kind != REQ_READ)
		return (uint32_t)__builtin_popcount(a->lanes) * a->width;
	return req_mask_sectors(a->mask) * REQ_SECTOR;
}

/* Sends an access down as it is; there is room. */
static void send_past(struct l1 *l, const struct l1_access *a)
{
	PANIC_UNLESS(a->mask[0] | a->mask[1], "l1", l->stats.replies);
	uint32_t first = (uint32_t)(a->mask[0] ? __builtin_ctzll(a->mask[0]) : 64 + __builtin_ctzll(a->mask[1]));

	l1_enqueue(l, &(struct mem_req){.addr = a->line + first,
					.mask = {a->mask[0], a->mask[1]},
					.client = a->sync ? REQ_CLIENT_SYNC : a->client,
					.token = a->sync ? a->sync - 1 : a->token,
					.bytes = (uint16_t)payload(a),
					.kind = a->kind,
					.mode = a->mode,
					.buffer = a->buffer});
}

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

bool l1_send(struct l1 *l, struct ticks now, const struct net_link *to, struct ticks *when)
{
	struct mem_req *sent;
	const struct mem_req *r;
	uint16_t dest;

	if (!l1_has_packet(l) || !net_can_send(to, now, when))
		return false;
	PANIC_UNLESS_COSTLY(!ticks_equal(now, l->sent_at), "l1", cycles_in(now, l->period));
	if (CHECK_COSTLY)
		l->sent_at = now;
	r = miss_queue_pop(&l->queue);
	dest = route_destination(&l->route, cycles_in(now, l->period), r->addr, r->mode);
	sent = net_push(to, now);
	*sent = *r; /* before any of it is changed: a copy of what has just been stored would wait for the stores */
	sent->at[REQ_SENT] = stamp_of(now);
	sent->dest = dest;
	l->stats.sent++;
	return true;
}

/* ---- allocate ---- */

static inline void evict(struct l1 *l, uint32_t slot)
{
	enum tags_state state = tags_state(&l->tags, slot);

	l->stats.evictions += state != TAGS_INVALID && load_policy_data(&l->policy, &l->tags, slot);
	l->policy.tag_only[slot] = 0; /* a prefetch may take it, which the policy is not asked about */
	if (state == TAGS_DIRTY)
		write_back(l, slot);
}

void l1_evict(struct l1 *l, uint32_t slot)
{
	evict(l, slot);
}

/* A load has met its line, there or on its way. */
static inline void touch(struct l1 *l, uint32_t slot)
{
	if (__builtin_expect(l->prefetch.policy && l->prefetch.untouched[slot], 0))
		l1_prefetch_met(l, slot);
	tags_touch(&l->tags, slot);
}

/* An entry for a line that has none; extra: packets that go ahead of the read. L1_MISS, or a fail. */
static inline enum l1_result open_entry(struct l1 *l, const struct l1_fetch *f, uint32_t extra, uint32_t *entry)
{
	if (!miss_queue_has_room(&l->queue, l1_packets_for(l, f->sectors) + extra))
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

/* Reserves the slot, a victim of the lookup. */
static enum l1_result bring_in(struct l1 *l, const struct l1_fetch *f, uint32_t slot)
{
	uint32_t entry;
	enum l1_result r = open_entry(l, f, tags_state(&l->tags, slot) == TAGS_DIRTY, &entry);

	if (r != L1_MISS)
		return r;
	evict(l, slot);
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
	if (more.sectors && !miss_queue_has_room(&l->queue, l1_packets_for(l, more.sectors)))
		return L1_FAIL_QUEUE;
	mshr_merge(&l->mshr, entry, f->who);
	mshr_wait(&l->mshr, entry, f->sectors);
	if (!more.sectors)
		return L1_MERGED;
	request_sectors(l, &more, entry);
	l->stats.sectors.partial++;
	return L1_MISS;
}

/* Takes no way. at: where the line's set is, and the rest of it if that is there. */
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
	return l->on_fill ? fetch_to_fill(l, f, at) : bring_in(l, f, at->slot);
}

/* A load that needs these sectors, of which not all are there: L1_MISS if it asks for any, L1_MERGED if all are on
 * their way, or a fail. */
static enum l1_result fetch(struct l1 *l, const struct l1_access *a, const struct tags_lookup *at, uint32_t need)
{
	struct l1_fetch f = {.line = at->line, .who = {a->client, a->token}, .buffer = a->buffer, .mode = a->mode};
	enum l1_result r;

	f.sectors = (uint8_t)(need & ~data_of(l, at));
	if (l->on_fill)
		return fetch_to_fill(l, &f, at);
	switch (at->result) {
	case TAGS_HIT: /* a whole line is there without data */
		return l->sectors.n == 1 ? bring_in(l, &f, at->slot) : bring_more(l, &f, at->slot);
	case TAGS_HIT_RESERVED:
		r = join(l, &f, l->tags.owner[at->slot]);
		if (r < L1_FAIL_LINE)
			touch(l, at->slot);
		return r;
	case TAGS_MISS:
		return bring_in(l, &f, at->slot);
	default:
		return L1_FAIL_LINE;
	}
}

/* The line of a load that missed gets this pin, now or when it comes; more of a line that was there keeps its own. */
static void pin(struct l1 *l, const struct tags_lookup *at, enum cache_pin pin)
{
	uint32_t entry;

	if (at->result != TAGS_MISS && (l->sectors.n > 1 || l->on_fill))
		return;
	if (!l->on_fill)
		load_policy_brought_in(&l->policy, &l->tags, at->slot, pin);
	else if (mshr_find(&l->mshr, at->line, &entry) && l->mshr.n[entry] == 1)
		l->coming[entry].pin = (uint8_t)pin;
	else
		return;
	l->stats.soft_pins += pin == CACHE_SOFT_PIN;
	l->stats.hard_pins += pin == CACHE_HARD_PIN;
}

/* ---- decide: cache operators (enum l1_hint) ---- */

static enum l1_result go_past(struct l1 *l, const struct l1_access *a)
{
	if (!miss_queue_has_room(&l->queue, 1))
		return L1_FAIL_QUEUE;
	send_past(l, a);
	return L1_SENT;
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

/* A load has missed; if it has the line's entry to itself, its line will be the first to leave. */
static void mark_line(struct l1 *l, const struct tags_lookup *at)
{
	uint32_t entry;

	if (!l->on_fill && l->mshr.n[l->tags.owner[at->slot]] == 1) {
		tags_first_out(&l->tags, at->slot);
	} else if (l->on_fill && mshr_find(&l->mshr, at->line, &entry) && l->mshr.n[entry] == 1) {
		l->streaming += !l->streams[entry];
		l->streams[entry] = true;
	}
}

/* Another load waits for the line, which is then as any. */
static void unmark_line(struct l1 *l, uint64_t line)
{
	uint32_t entry;

	if (mshr_find(&l->mshr, line, &entry) && l->streams[entry]) {
		l->streams[entry] = false;
		l->streaming--;
	}
}

/* The packets that have joined the miss queue since are of a streaming access; write-backs are not. */
static void mark_packets(struct l1 *l, uint32_t since)
{
	for (; since != l->queue.tail; since++) {
		struct mem_req *r = &l->queue.packet[since & l->queue.mask];

		r->streams = r->client != REQ_CLIENT_NOBODY;
	}
}

/* ---- decide: policy, pins, gate, full sets ---- */

/* Whether the block that chooses victims is told that the load bypasses. Then it is the block that decides: a load that
 * gets a way is brought in. */
static bool block_decides(const struct l1 *l, const struct l1_access *a)
{
	return l->tags.replacement && l->policy.ops == &cache_policy_locality && a->locality.caching == LOCALITY_BYPASS;
}

static struct cache_verdict verdict(const struct l1 *l, const struct l1_access *a, const struct cache_load *q,
				    const struct tags_lookup *at)
{
	struct cache_verdict v = {CACHE_ALLOCATE, CACHE_UNPINNED};

	if (block_decides(l, a))
		v.use = at->result == TAGS_MISS ? CACHE_ALLOCATE : CACHE_BYPASS;
	else if (load_policy_on(&l->policy))
		v = l->policy.ops->decide(l->policy.state, q);
	if (v.pin == CACHE_UNPINNED)
		v.pin = buffer_pins_of(&l->pins, q->buffer);
	if (v.use == CACHE_ALLOCATE && l->gate.may_allocate && !l->gate.may_allocate(l->gate.ctx, a->token))
		v.use = CACHE_BYPASS;
	return v;
}

/* A load that goes past a cache that has its line, or on its way. A line without data is used. */
static void meet(struct l1 *l, const struct tags_lookup *at, uint32_t need, bool keep_tag)
{
	if (at->result != TAGS_HIT)
		return;
	tags_touch(&l->tags, at->slot);
	l->policy.tag_hits += !(need & ~(uint32_t)l->tags.sectors[at->slot]);
	if (keep_tag)
		load_policy_add_tags(&l->policy, &l->tags, at->slot, need);
}

/* keep_tag: the line gets a way as if it had been brought in, without data. */
static enum l1_result bypass(struct l1 *l, const struct l1_access *a, const struct tags_lookup *at, uint32_t need, bool keep_tag)
{
	bool take = keep_tag && at->result == TAGS_MISS;

	if (!miss_queue_has_room(&l->queue, 1 + (take && tags_state(&l->tags, at->slot) == TAGS_DIRTY)))
		return L1_FAIL_QUEUE;
	if (take) {
		evict(l, at->slot);
		load_policy_take_tag(&l->policy, &l->tags, at->slot, at->line, need);
	} else {
		meet(l, at, need, keep_tag);
	}
	send_past(l, a);
	miss_queue_newest(&l->queue)->no_reuse = a->locality.caching == LOCALITY_BYPASS;
	l->policy.bypasses++;
	return L1_SENT;
}

/* A load whose data is not there, and not all on its way. */
static enum l1_result allocate_or_bypass(struct l1 *l, const struct l1_access *a, const struct cache_load *q,
					 const struct tags_lookup *at, uint32_t need)
{
	struct cache_verdict v = verdict(l, a, q, at);
	bool full = at->result == TAGS_FAIL && l->past_full_sets;
	enum l1_result r;

	if (v.use != CACHE_ALLOCATE)
		return bypass(l, a, at, need, v.use == CACHE_BYPASS_TAG);
	r = full ? bypass(l, a, at, need, false) : fetch(l, a, at, need);
	l->stats.past_full_sets += full && r == L1_SENT;
	if (r == L1_MISS)
		pin(l, at, v.pin);
	return r;
}

/* The line that makes room if the load brings its own in. */
static void note_victim(const struct l1 *l, const struct tags_lookup *at, struct l1_load_taken *t)
{
	t->slot = at->slot;
	t->evicted = at->result == TAGS_MISS && tags_state(&l->tags, at->slot) != TAGS_INVALID &&
		     load_policy_data(&l->policy, &l->tags, at->slot);
	t->victim = t->evicted ? tags_line(&l->tags, at->slot) : 0;
}

static void notify_taken(const struct l1 *l, struct l1_load_taken *t, enum l1_result r)
{
	t->brought_in = r == L1_MISS;
	t->evicted = t->evicted && t->brought_in;
	for (struct l1_observer *o = l->observers; o; o = o->next)
		if (o->taken)
			o->taken(o->ctx, t);
}

/* What the policy calls the lookup: a sector that is missing is a miss. */
static enum cache_found found_of(const struct l1 *l, const struct tags_lookup *at, uint32_t need)
{
	uint32_t data = data_of(l, at);

	if (!(need & ~data))
		return CACHE_FOUND;
	if (!(need & ~(data | pending_of(l, at))))
		return CACHE_FOUND_RESERVED;
	return at->result <= TAGS_HIT_RESERVED && !(need & ~(uint32_t)l->tags.sectors[at->slot]) ? CACHE_FOUND_TAG
												 : CACHE_NOT_FOUND;
}

/* Not there, by those that have a say. */
static enum l1_result ask(struct l1 *l, uint64_t cycle, const struct l1_access *a, const struct tags_lookup *at, uint32_t need)
{
	struct cache_load q = {.cycle = cycle, .line = at->line, .buffer = a->buffer, .locality = a->locality.caching};
	struct l1_load_taken taken = {.cycle = cycle, .line = at->line, .token = a->token};
	enum l1_result r;

	q.found = found_of(l, at, need);
	note_victim(l, at, &taken);
	if (q.found == CACHE_FOUND)
		r = L1_HIT;
	else if (q.found == CACHE_FOUND_RESERVED)
		r = fetch(l, a, at, need);
	else
		r = allocate_or_bypass(l, a, &q, at, need);
	if (r >= L1_FAIL_LINE)
		return r;
	load_policy_accepted(&l->policy, &q);
	notify_taken(l, &taken, r);
	return r;
}

/* ---- loads ---- */

/* In a cache where nothing but tags and misses decides. */
static inline enum l1_result load(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	struct tags_lookup at = {.line = a->line >> l->line_shift};
	uint32_t need = sectors_touched(&l->sectors, a->mask);

	at.result = look_up(l, cycle, at.line, &at.slot);
	if (need & ~data_of(l, &at))
		return fetch(l, a, &at, need);
	touch(l, at.slot);
	return L1_HIT;
}

static bool lacks_room(const struct l1 *l, enum tags_result found)
{
	return l->strict.miss_room && (found == TAGS_MISS || found == TAGS_HIT_RESERVED) &&
	       !miss_queue_has_room(&l->queue, l->strict.miss_room);
}

/* In a cache where more decides. */
static enum l1_result load_by_rules(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	struct tags_lookup at = {.line = a->line >> l->line_shift};
	uint32_t need = sectors_touched(&l->sectors, a->mask);
	bool streams = a->hints & L1_HINT_STREAMS, there;
	enum l1_result r;

	l->replacement.bypass = block_decides(l, a);
	at.result = look_up(l, cycle, at.line, &at.slot);
	l->replacement.bypass = false;
	there = !(need & ~data_of(l, &at));
	if (lacks_room(l, at.result))
		return L1_FAIL_QUEUE;
	if (!there && a->hints & L1_HINT_NO_ALLOCATE)
		return go_past(l, a);
	if (l->asks)
		r = ask(l, cycle, a, &at, need);
	else
		r = there ? L1_HIT : fetch(l, a, &at, need);
	if (r == L1_HIT && !streams)
		touch(l, at.slot);
	else if (r == L1_HIT && a->local)
		last_use(l, at.slot, a->mask);
	else if (r == L1_MISS && streams)
		mark_line(l, &at);
	else if (l->streaming && !streams && (r == L1_MISS || r == L1_MERGED))
		unmark_line(l, at.line);
	return r;
}

/* ---- stores, atomics, volatile loads; all accesses of a cache that is off ---- */

/* What the access hits is evicted; a local store's is written, and with l1.write_hit update any store's. */
static enum l1_result pass(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	bool past = a->bypass || (a->hints & L1_HINT_PAST && !a->local), store = a->kind == REQ_WRITE && !past;
	enum tags_result found = TAGS_MISS;
	uint32_t slot = 0, touched = sectors_touched(&l->sectors, a->mask), hit = 0;
	bool kept, stays, tag, dirty;

	PANIC_UNLESS(a->client == REQ_CLIENT_LOAD || a->client == REQ_CLIENT_STORE, "l1", cycle);
	if (l->enabled)
		found = look_up(l, cycle, a->line >> l->line_shift, &slot);
	if (found == TAGS_FAIL && l->strict.store_needs_line && a->kind == REQ_WRITE && !a->bypass)
		return L1_FAIL_LINE;
	if (found <= TAGS_HIT_RESERVED)
		hit = touched & l->tags.sectors[slot];
	tag = (hit & l->policy.tag_only[slot]) != 0;
	kept = hit == touched && a->local && store && !l->on_fill;
	if (kept && !tag) {
		tags_touch(&l->tags, slot);
		tags_write(&l->tags, slot, a->mask);
		l->stats.write_hits++;
		return L1_HIT;
	}
	stays = kept || (store && l->keeps_written);
	dirty = hit && !stays && tags_is_dirty(&l->tags, slot);
	if (!miss_queue_has_room(&l->queue, 1 + dirty))
		return L1_FAIL_QUEUE;
	if (dirty)
		write_back(l, slot);
	if (hit && !stays) { /* a line without data that a cache in use would have kept stays */
		l->policy.tag_only[slot] &= (uint8_t)~hit;
		tags_drop_sectors(&l->tags, slot, hit);
	}
	l->stats.write_hits += hit && a->kind == REQ_WRITE && !tag;
	send_past(l, a);
	return L1_SENT;
}

/* ---- the access ---- */

static inline bool is_load(const struct l1 *l, const struct l1_access *a)
{
	return l->enabled && a->kind == REQ_READ && !a->bypass;
}

static enum l1_result __attribute__((noinline)) access_by_rules(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	uint32_t queued = l->queue.tail;
	enum l1_result r;

	l1_advance(l, cycle);
	if (!is_load(l, a))
		r = pass(l, cycle, a);
	else
		r = a->hints & L1_HINT_PAST && !a->local ? go_past(l, a) : load_by_rules(l, cycle, a);
	if (a->hints & L1_HINT_STREAMS && l->enabled && !a->bypass)
		mark_packets(l, queued);
	return r;
}

static void count(struct l1 *l, const struct l1_access *a, enum l1_result r)
{
	struct l1_counts *c = &l->count[a->buffer < l->buffers ? a->buffer : l->buffers];

	c->accesses++;
	if (l->sectors.n > 1 && a->kind == REQ_READ)
		l->stats.sectors.loaded += sectors_count(sectors_touched(&l->sectors, a->mask));
	if (a->kind == REQ_WRITE)
		c->writes++;
	else if (r == L1_SENT)
		c->bypasses++;
	else if (r == L1_HIT)
		c->hits++;
	else if (r == L1_MERGED)
		c->reserved++;
	else
		c->misses++;
}

static void notify(struct l1 *l, uint64_t cycle, const struct l1_access *a, enum l1_result r)
{
	bool drops = r == L1_SENT && !a->local && (a->kind != REQ_READ || a->bypass);

	if (l->prefetch.policy)
		l1_prefetch_observe(l, cycle, a, r);
	for (struct l1_observer *o = l->observers; o; o = o->next) {
		if (o->accessed)
			o->accessed(o->ctx, cycle, a, r);
		if (drops && o->dropped)
			o->dropped(o->ctx, a->line >> l->line_shift);
	}
}

/* Whether it is the access that failed last. */
static bool is_failed(const struct l1 *l, const struct l1_access *a)
{
	return a->line == l->failed_line && a->token == l->failed_token && a->kind == l->failed_kind;
}

static void note_fail(struct l1 *l, uint64_t cycle, const struct l1_access *a, enum l1_result r)
{
	l->failing = r;
	l->since = cycle;
	l->failed_line = a->line;
	l->failed_token = a->token;
	l->failed_kind = a->kind;
}

void l1_finish(struct l1 *l, uint64_t cycle)
{
	if (!l->failing)
		return;
	l1_count_fails(l, cycle);
	l->failing = L1_HIT;
}

enum l1_result l1_access(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	enum l1_result r;

	PANIC_UNLESS(!l->failing || is_failed(l, a), "l1", cycle);
	l1_finish(l, cycle);
	if (__builtin_expect(l->needs_step, 0))
		r = access_by_rules(l, cycle, a);
	else
		r = is_load(l, a) ? load(l, cycle, a) : pass(l, cycle, a);
	if (r >= L1_FAIL_LINE)
		note_fail(l, cycle, a, r);
	else
		count(l, a, r);
	if (__builtin_expect(l->observed, 0))
		notify(l, cycle, a, r);
	return r;
}
