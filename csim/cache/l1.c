#include "cache/l1_impl.h"

#include "base/metrics.h"
#include "base/panic.h"
#include "base/ring.h"
#include "cache/victim.h"

void l1_init_shape(struct l1 *l, struct arena *a, const struct machine *m, const struct l1_shape *s, const struct pric_port *pric)
{
	const struct machine_cache *c = &s->cache;

	*l = (struct l1){.enabled = s->enabled,
			 .sender = s->sender,
			 .requester = (uint16_t)s->sm,
			 .buffers = s->buffers,
			 .sent_at = TIME_NEVER};
	l->line_shift = (uint32_t)__builtin_ctz(c->line);
	l->set_bits = (uint32_t)__builtin_ctz(machine_cache_sets(c));
	l->route = *s->route;
	l->period = m->clock.period[CLOCK_CORE];
	tags_init(&l->tags, a, machine_cache_sets(c), s->ways ? s->ways : c->assoc, c->line, pric);
	l1_prefetch_init(l, a, m, s->prefetcher);
	load_policy_init(&l->policy, a, &s->bypass, &l->tags);
	l->strict = s->strict;
	l->needs_step = l->prefetch.policy || load_policy_on(&l->policy) || s->strict.miss_room || s->strict.store_needs_line;
	l->sectors = sectors_of_lines(c->line, machine_cache_sectors(c));
	l->tags.all = l->sectors.all;
	l->packet_sectors = s->packet_sectors ? s->packet_sectors : 1;
	l->on_fill = s->on_fill;
	l->keeps_written = s->keeps_written;
	mshr_init(&l->mshr, a, c->mshr_entries, c->mshr_merges);
	if (l->on_fill) {
		mshr_index(&l->mshr, a);
		l->coming = arena_array(a, c->mshr_entries, sizeof *l->coming);
	}
	l->served = arena_array(a, c->mshr_merges, sizeof *l->served);
	l->entry_slot = arena_array(a, c->mshr_entries, sizeof *l->entry_slot);
	l->mode = arena_array(a, tags_slots(&l->tags), sizeof *l->mode);
	l->queue_room = c->miss_queue;
	l->queue_mask = (uint32_t)ring_slots((uint64_t)c->miss_queue + l->sectors.n) - 1;
	l->queue = arena_array(a, (size_t)l->queue_mask + 1, sizeof *l->queue);
	l->count = arena_array(a, (size_t)s->buffers + 1, sizeof *l->count);
}

void l1_init(struct l1 *l, struct arena *a, const struct machine *m, uint32_t sm, const struct route *route,
	     const struct pric_port *pric, uint32_t buffers)
{
	struct l1_shape s = {.cache = m->l1.c,
			     .ways = m->l1.most_ways,
			     .bypass = m->l1.bypass,
			     .enabled = m->l1.enabled,
			     .prefetcher = prefetcher_of(m),
			     .strict = {m->l1.miss_room, m->l1.store_needs_line},
			     .packet_sectors = m->l1.packet_sectors,
			     .on_fill = m->l1.allocate == L1_ALLOCATE_ON_FILL,
			     .keeps_written = m->l1.write_hit == L1_WRITE_UPDATES,
			     .sm = sm,
			     .buffers = buffers,
			     .route = route};

	l1_init_shape(l, a, m, &s, pric);
	tags_replace_with(&l->tags, a, victim_policy_of(m->l1.replacement), (uint64_t)m->l1.seed << 32 | sm);
	if (m->caches.operators) {
		l->streams = arena_array(a, m->l1.c.mshr_entries, sizeof *l->streams);
		l->needs_step = true;
	}
	if (m->l1.front.policy) {
		l->past_full_sets = m->l1.front.bypass;
		l->needs_step = true;
	}
}

int l1_init_pins(struct l1 *l, const struct machine *m, const struct buffer_pins *pins, const char *owner,
		 const struct hw_binder *binder, struct err *e)
{
	if (replacement_init(&l->replacement, &m->l1.c, m->l1.pin.timer, owner, binder, e) != 0)
		return -1;
	tags_replace_by(&l->tags, &l->replacement);
	l->pins = *pins;
	l->needs_step = true;
	return 0;
}

static inline struct l1_counts *counts(struct l1 *l, uint32_t buffer)
{
	return &l->count[buffer < l->buffers ? buffer : l->buffers];
}

/* ---- the miss queue ---- */

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
	r = &l->queue[l->queue_head++ & l->queue_mask];
	dest = route_destination(&l->route, cycles_in(now, l->period), r->addr, r->mode);
	sent = net_push(to, now);
	*sent = *r; /* before any of it is changed: a copy of what has just been stored would wait for the stores */
	sent->at[REQ_SENT] = stamp_of(now);
	sent->dest = dest;
	l->stats.sent++;
	return true;
}

/* ---- lookups ---- */

static inline enum tags_result lookup(struct l1 *l, uint64_t cycle, uint64_t line, uint32_t *slot)
{
	uint32_t set = tags_set(&l->tags, cycle, line);

	if (__builtin_expect(l->watch.lookup != NULL, 0))
		l->watch.lookup(l->watch.ctx, cycle, set, line >> l->set_bits);
	return tags_probe(&l->tags, set, line, slot);
}

enum tags_result l1_lookup(struct l1 *l, uint64_t cycle, uint64_t line, uint32_t *slot)
{
	return lookup(l, cycle, line, slot);
}

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

static inline enum l1_result load(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	struct tags_lookup at = {.line = a->line >> l->line_shift};
	uint32_t need = sectors_touched(&l->sectors, a->mask);

	at.result = lookup(l, cycle, at.line, &at.slot);
	if (at.result <= TAGS_HIT_RESERVED && !(need & ~l->tags.sectors[at.slot])) {
		l1_touch(l, at.slot);
		return L1_HIT;
	}
	return l1_miss(l, a, &at, need);
}

/* Bytes that travel for an access which passes the cache by. */
static uint32_t payload(const struct l1_access *a)
{
	if (a->kind == REQ_WRITE)
		return req_mask_bytes(a->mask);
	if (a->kind != REQ_READ)
		return (uint32_t)__builtin_popcount(a->lanes) * a->width;
	return req_mask_sectors(a->mask) * REQ_SECTOR;
}

void l1_send_past(struct l1 *l, const struct l1_access *a)
{
	PANIC_UNLESS(a->mask[0] | a->mask[1], "l1", l->stats.replies);
	uint32_t first = (uint32_t)(a->mask[0] ? __builtin_ctzll(a->mask[0]) : 64 + __builtin_ctzll(a->mask[1]));

	l1_enqueue(l, &(struct mem_req){.addr = a->line + first,
					.mask = {a->mask[0], a->mask[1]},
					.client = a->client,
					.token = a->token,
					.bytes = (uint16_t)payload(a),
					.kind = a->kind,
					.mode = a->mode,
					.buffer = a->buffer});
}

/* A store, bypass or atomic. What it hits is evicted; a local store's is written, and with l1.write_hit update any
 * store's. */
static enum l1_result pass(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	bool store = a->kind == REQ_WRITE && !a->bypass, kept, stays, tag, dirty;
	uint32_t slot = 0, touched = sectors_touched(&l->sectors, a->mask), hit = 0;

	PANIC_UNLESS(a->client == REQ_CLIENT_LOAD || a->client == REQ_CLIENT_STORE, "l1", cycle);
	if (l->enabled && lookup(l, cycle, a->line >> l->line_shift, &slot) <= TAGS_HIT_RESERVED)
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
	if (!l1_room(l, 1 + dirty))
		return L1_FAIL_QUEUE;
	if (dirty)
		write_back(l, slot);
	if (hit && !stays) { /* a line without data that a cache in use would have kept stays */
		l->policy.tag_only[slot] &= (uint8_t)~hit;
		tags_drop_sectors(&l->tags, slot, hit);
	}
	l->stats.write_hits += hit && a->kind == REQ_WRITE && !tag;
	l1_send_past(l, a);
	return L1_SENT;
}

static void count(struct l1 *l, const struct l1_access *a, enum l1_result r)
{
	struct l1_counts *c = counts(l, a->buffer);

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

void l1_finish(struct l1 *l, uint64_t cycle)
{
	if (!l->failing)
		return;
	l1_count_fails(l, cycle);
	l->failing = L1_HIT;
}

/* Whether it is the access that failed last. */
static bool is_failed(const struct l1 *l, const struct l1_access *a)
{
	return a->line == l->failed_line && a->token == l->failed_token && a->kind == l->failed_kind;
}

static inline enum l1_result access(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	return !l->enabled || a->kind != REQ_READ || a->bypass ? pass(l, cycle, a) : load(l, cycle, a);
}

enum l1_result l1_any(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	bool asks = load_policy_on(&l->policy) || l->pins.pin || l->listener || l->past_full_sets;

	return asks && l->enabled && a->kind == REQ_READ && !a->bypass ? l1_policy_load(l, cycle, a) : access(l, cycle, a);
}

/* Where more is asked than what is in the tags and in the way. */
static enum l1_result __attribute__((noinline)) access_by_policy(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	enum l1_result r;

	l1_advance(l, cycle);
	r = l1_lacks(l, cycle, a);
	if (r != L1_HIT)
		return r;
	if (a->hints)
		return l1_by_hints(l, cycle, a);
	r = l1_any(l, cycle, a);
	if (l->streaming && (r == L1_MISS || r == L1_MERGED))
		l1_hints_joined(l, a);
	return r;
}

enum l1_result l1_access(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	enum l1_result r;

	PANIC_UNLESS(!l->failing || is_failed(l, a), "l1", cycle);
	l1_finish(l, cycle);
	r = __builtin_expect(l->needs_step, 0) ? access_by_policy(l, cycle, a) : access(l, cycle, a);
	if (r >= L1_FAIL_LINE) {
		l->failing = r;
		l->since = cycle;
		l->failed_line = a->line;
		l->failed_token = a->token;
		l->failed_kind = a->kind;
	} else {
		count(l, a, r);
	}
	if (__builtin_expect(l->observed, 0))
		l1_notify(l, cycle, a, r);
	return r;
}

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

struct l1_counts l1_total(const struct l1 *l)
{
	struct l1_counts t = {0};

	for (uint32_t b = 0; b <= l->buffers; b++)
		METRICS_ADD(&t, &l->count[b]);
	return t;
}
