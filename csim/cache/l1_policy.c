/* Loads of an L1 with a cache policy, pins or a listener. */
#include "cache/l1_impl.h"
#include "cache/l1_sets.h"

/* A load that goes past a cache that has its line, or on its way. need: its sectors. A line without data is used. */
static void meet(struct l1 *l, const struct tags_lookup *at, uint32_t need, bool keep_tag)
{
	if (at->result != TAGS_HIT)
		return;
	tags_touch(&l->tags, at->slot);
	l->policy.tag_hits += !(need & ~(uint32_t)l->tags.sectors[at->slot]);
	if (keep_tag)
		load_policy_add_tags(&l->policy, &l->tags, at->slot, need);
}

/* A load that goes past the cache, as the policy wants. */
static enum l1_result policy_bypass(struct l1 *l, const struct l1_access *a, const struct tags_lookup *at, bool keep_tag)
{
	bool take = keep_tag && at->result == TAGS_MISS;
	uint32_t need = sectors_touched(&l->sectors, a->mask);

	if (!l1_room(l, 1 + (take && tags_state(&l->tags, at->slot) == TAGS_DIRTY)))
		return L1_FAIL_QUEUE;
	if (take) {
		l1_evict(l, at->slot);
		load_policy_take_tag(&l->policy, &l->tags, at->slot, at->line, need);
	} else {
		meet(l, at, need, keep_tag);
	}
	l1_send_past(l, a);
	l1_newest_packet(l)->no_reuse = a->locality.caching == LOCALITY_BYPASS;
	l->policy.bypasses++;
	return L1_SENT;
}

static enum l1_result past_full_set(struct l1 *l, const struct l1_access *a, const struct tags_lookup *at)
{
	enum l1_result r = policy_bypass(l, a, at, false);

	l->stats.past_full_sets += r == L1_SENT;
	return r;
}

static bool may_allocate(const struct l1 *l, uint32_t token)
{
	const struct l1_listener *s = l->listener;

	return !s || !s->may_allocate || s->may_allocate(s->ctx, token);
}

/* Whether the block that chooses victims is told that the load bypasses. */
static bool tells_block(const struct l1 *l, const struct l1_access *a)
{
	return l->tags.replacement && l->policy.ops == &cache_policy_locality && a->locality.caching == LOCALITY_BYPASS;
}

static enum tags_result look_up(struct l1 *l, uint64_t cycle, const struct l1_access *a, uint32_t *slot)
{
	enum tags_result result;

	l->replacement.bypass = tells_block(l, a);
	result = l1_lookup(l, cycle, a->line >> l->line_shift, slot);
	l->replacement.bypass = false;
	return result;
}

/* Where the block is told, it is the block that decides: a load that gets a way is brought in. */
static struct cache_verdict verdict(const struct l1 *l, const struct l1_access *a, const struct cache_load *q,
				    const struct tags_lookup *at)
{
	struct cache_verdict v = {CACHE_ALLOCATE, CACHE_UNPINNED};

	if (tells_block(l, a))
		v.use = at->result == TAGS_MISS ? CACHE_ALLOCATE : CACHE_BYPASS;
	else if (load_policy_on(&l->policy))
		v = l->policy.ops->decide(l->policy.state, q);
	if (v.pin == CACHE_UNPINNED)
		v.pin = buffer_pins_of(&l->pins, q->buffer);
	return v;
}

/* Whether a miss is always of a whole line, and takes its way. */
static bool by_lines(const struct l1 *l)
{
	return l->sectors.n == 1 && !l->on_fill;
}

/* Sectors of a line that are on their way. */
static uint32_t pending(const struct l1 *l, const struct tags_lookup *at)
{
	uint32_t entry;

	if (l->on_fill)
		return mshr_find(&l->mshr, at->line, &entry) ? l->mshr.pending[entry] : 0;
	return at->result == TAGS_HIT_RESERVED ? l->mshr.pending[l->tags.owner[at->slot]] : 0;
}

/* What the policy calls the lookup of a load that needs these sectors: a part that is missing is a miss. */
static enum cache_found found_of(const struct l1 *l, const struct tags_lookup *at, uint32_t need)
{
	bool there = at->result <= TAGS_HIT_RESERVED;
	uint32_t data = there ? load_policy_data(&l->policy, &l->tags, at->slot) : 0;

	if (!(need & ~data))
		return CACHE_FOUND;
	if (!(need & ~(data | pending(l, at))))
		return CACHE_FOUND_RESERVED;
	return there && !(need & ~(uint32_t)l->tags.sectors[at->slot]) ? CACHE_FOUND_TAG : CACHE_NOT_FOUND;
}

/* The line of a load that missed gets this pin, now or when it comes; more of a line that was there keeps its own. */
static void pin(struct l1 *l, const struct tags_lookup *at, enum cache_pin pin)
{
	uint32_t entry;

	if (!by_lines(l) && at->result != TAGS_MISS)
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

/* A load whose data is not there, and not on its way. */
static enum l1_result policy_miss(struct l1 *l, const struct l1_access *a, const struct cache_load *q, const struct tags_lookup *at)
{
	struct cache_verdict v = verdict(l, a, q, at);
	struct l1_fetch f = l1_fetch_for(a, at->line);
	enum l1_result done;

	if (v.use == CACHE_ALLOCATE && !may_allocate(l, a->token))
		v.use = CACHE_BYPASS;
	if (v.use != CACHE_ALLOCATE)
		return policy_bypass(l, a, at, v.use == CACHE_BYPASS_TAG);
	if (at->result == TAGS_FAIL)
		return l->past_full_sets ? past_full_set(l, a, at) : L1_FAIL_LINE;
	done = by_lines(l) ? l1_bring_in(l, &f, at->slot) : l1_miss(l, a, at, sectors_touched(&l->sectors, a->mask));
	if (done != L1_MISS)
		return done;
	pin(l, at, v.pin);
	return done;
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
	l->listener->taken(l->listener->ctx, t);
}

void l1_notify(struct l1 *l, uint64_t cycle, const struct l1_access *a, enum l1_result r)
{
	const struct l1_listener *s = l->listener;

	if (l->prefetch.policy)
		l1_prefetch_observe(l, cycle, a, r);
	if (l->classes)
		l1_classes_observe(l, a, r);
	if (l->counter.accessed)
		l->counter.accessed(l->counter.ctx, a, r);
	if (l->sets)
		l1_sets_observe(l->sets, cycle, a, r);
	if (s && s->dropped && r == L1_SENT && !a->local && (a->kind != REQ_READ || a->bypass))
		s->dropped(s->ctx, a->line >> l->line_shift);
}

enum l1_result l1_policy_load(struct l1 *l, uint64_t cycle, const struct l1_access *a)
{
	struct tags_lookup at = {.line = a->line >> l->line_shift};
	struct cache_load q = {.cycle = cycle, .line = at.line, .buffer = a->buffer, .locality = a->locality.caching};
	struct l1_load_taken taken = {.cycle = cycle, .line = at.line, .token = a->token};
	bool tells = l->listener && l->listener->taken;
	enum l1_result done = L1_HIT;

	at.result = look_up(l, cycle, a, &at.slot);
	q.found = by_lines(l) ? load_policy_found(&l->policy, at.result, at.slot)
			      : found_of(l, &at, sectors_touched(&l->sectors, a->mask));
	if (tells)
		note_victim(l, &at, &taken);
	if (q.found == CACHE_FOUND_RESERVED && !by_lines(l))
		done = l1_miss(l, a, &at, sectors_touched(&l->sectors, a->mask));
	else if (q.found == CACHE_FOUND_RESERVED)
		done = mshr_merge(&l->mshr, l->tags.owner[at.slot], l1_waiter(a)) == MSHR_MERGED ? L1_MERGED : L1_FAIL_MERGE;
	else if (q.found != CACHE_FOUND)
		done = policy_miss(l, a, &q, &at);
	if (done >= L1_FAIL_LINE)
		return done;
	if (q.found == CACHE_FOUND || (q.found == CACHE_FOUND_RESERVED && by_lines(l)))
		l1_touch(l, at.slot);
	load_policy_accepted(&l->policy, &q);
	if (tells)
		notify_taken(l, &taken, done);
	return done;
}

void l1_hold_open(struct l1 *l, uint64_t cycle, bool open)
{
	l1_at(l, cycle);
	load_policy_hold(&l->policy, &l->tags, cycle, open);
}
