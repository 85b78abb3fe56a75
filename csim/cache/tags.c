#include "cache/tags.h"

#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "base/panic.h"
#include "cache/replacement.h"
#include "cache/victim.h"

void tags_init(struct tags *t, struct arena *a, uint32_t sets, uint32_t ways, uint32_t line, const struct pric_port *pric)
{
	PANIC_UNLESS(sets && ways && !(sets & (sets - 1)) && (uint64_t)sets * ways < UINT32_C(1) << 31, "tags", 0);
	PANIC_UNLESS(line && !(line & (line - 1)), "tags", 0);
	*t = (struct tags){.sets = sets, .ways = ways, .stride = (ways + 3) & ~UINT32_C(3), .stamp = TAGS_AGE_FIRST};
	t->line_shift = (uint32_t)__builtin_ctz(line);
	t->hashed = pric != NULL;
	if (pric)
		t->pric = *pric;
	uint32_t n = tags_slots(t);

	t->way = arena_array(a, n, sizeof *t->way);
	t->state = arena_array(a, n, sizeof *t->state);
	t->sectors = arena_array(a, n, sizeof *t->sectors);
	t->all = 1;
	t->dirty = arena_array(a, n, sizeof *t->dirty);
	t->owner = arena_array(a, n, sizeof *t->owner);
	t->pin = arena_array(a, n, sizeof *t->pin);
	if (ways > TAGS_FEW_WAYS)
		t->many_ways = tags_many_ways_new(t, a);
	t->apart = t->many_ways != NULL;
	tags_set_ways(t, ways);
}

void tags_set_ways(struct tags *t, uint32_t ways)
{
	PANIC_UNLESS(ways && ways <= t->stride && !t->replacement, "tags", t->stamp);
	t->ways = ways;
	for (uint32_t i = 0; i < tags_slots(t); i++) {
		PANIC_UNLESS(t->state[i] == TAGS_INVALID, "tags", t->stamp);
		/* The ways that only fill a set up, to a multiple of four or to the most, are never victims. */
		t->way[i] = (struct tags_way){TAGS_NO_LINE, i % t->stride < ways ? 0 : UINT64_MAX};
	}
	if (t->many_ways)
		tags_many_ways_begin(t);
}

void tags_replace_by(struct tags *t, struct replacement *r)
{
	PANIC_UNLESS(!t->many_ways && !t->policy && t->stamp == TAGS_AGE_FIRST, "tags", t->stamp);
	t->replacement = r;
	t->apart = true;
}

void tags_replace_with(struct tags *t, struct arena *a, const struct victim_policy *policy, uint64_t seed)
{
	PANIC_UNLESS(!t->replacement && t->stamp == TAGS_AGE_FIRST, "tags", t->stamp);
	if (!policy)
		return;
	t->policy = policy;
	t->rank = arena_array(a, tags_slots(t), sizeof *t->rank);
	t->seed = seed;
	t->apart = true;
}

/* Which of the four ways from w on hold `line`, as bits. */
static inline uint32_t equal4(const struct tags_way *w, uint64_t line)
{
#if defined(__AVX2__)
	const __m256i *two = (const __m256i *)(const void *)w; /* line, age, line, age */
	__m256i want = _mm256_set1_epi64x((long long)line);
	__m256i low = _mm256_cmpeq_epi64(_mm256_loadu_si256(two), want),
		high = _mm256_cmpeq_epi64(_mm256_loadu_si256(two + 1), want);
	/* The even elements, of ways 0, 2, 1, 3 in this order. */
	uint32_t bits = (uint32_t)_mm256_movemask_pd(_mm256_castsi256_pd(_mm256_unpacklo_epi64(low, high)));

	return (bits & 9) | (bits & 2) << 1 | (bits & 4) >> 1;
#else
	return (uint32_t)(w[0].line == line) | (uint32_t)(w[1].line == line) << 1 | (uint32_t)(w[2].line == line) << 2 |
	       (uint32_t)(w[3].line == line) << 3;
#endif
}

static inline bool find(const struct tags *t, uint32_t set, uint64_t line, uint32_t *slot)
{
	uint32_t first = set * t->stride, bits = equal4(t->way + first, line);

	for (uint32_t w = 4; w < t->stride; w += 4)
		bits |= equal4(t->way + first + w, line) << w;
	if (!bits)
		return false;
	*slot = first + (uint32_t)__builtin_ctz(bits);
	return true;
}

/* The way with the smallest age: invalid ways are 0, reserved ones larger than any other. */
static inline bool victim(const struct tags *t, uint32_t set, uint32_t *slot)
{
	uint32_t first = set * t->stride, best = first;
	uint64_t least = t->way[first].age;

	for (uint32_t i = first + 1; i < first + t->stride; i++) {
		bool less = t->way[i].age < least;

		least = less ? t->way[i].age : least;
		best = less ? i : best;
	}
	*slot = least < TAGS_AGE_RESERVED ? best : *slot;
	return least < TAGS_AGE_RESERVED;
}

/* The least recently used way with that pin. */
static bool victim_with(const struct tags *t, uint32_t set, enum cache_pin pin, uint32_t *slot)
{
	uint32_t first = set * t->stride;
	uint64_t least = TAGS_AGE_RESERVED;

	if (t->many_ways)
		return tags_many_ways_victim(t, set, pin, slot);
	for (uint32_t i = first; i < first + t->ways; i++)
		if (t->pin[i] == pin && t->way[i].age < least) {
			least = t->way[i].age;
			*slot = i;
		}
	return least < TAGS_AGE_RESERVED;
}

/* Of a set all of whose ways are reserved or have a hard pin: the first that is not reserved. */
static bool first_way(const struct tags *t, uint32_t set, uint32_t *slot)
{
	for (uint32_t i = set * t->stride; i < set * t->stride + t->ways; i++)
		if (t->state[i] != TAGS_RESERVED) {
			*slot = i;
			return true;
		}
	return false;
}

static bool pinned_victim(const struct tags *t, uint32_t set, uint32_t *slot)
{
	return victim_with(t, set, CACHE_UNPINNED, slot) || victim_with(t, set, CACHE_SOFT_PIN, slot) || first_way(t, set, slot);
}

static inline enum tags_result hit(const struct tags *t, uint32_t slot)
{
	return t->way[slot].age & TAGS_AGE_RESERVED ? TAGS_HIT_RESERVED : TAGS_HIT;
}

static bool find_apart(const struct tags *t, uint32_t set, uint64_t line, uint32_t *slot)
{
	return t->many_ways ? tags_many_ways_find(t, line, slot) : find(t, set, line, slot);
}

/* By the order, unless the policy has a choice of its own. */
static bool victim_by_policy(const struct tags *t, uint32_t set, uint32_t *slot)
{
	if (!(t->many_ways ? tags_many_ways_victim(t, set, CACHE_UNPINNED, slot) : victim(t, set, slot)))
		return false;
	if (t->policy->choose && t->way[*slot].age > TAGS_AGE_FIRST)
		*slot = t->policy->choose(t, set);
	return true;
}

static bool victim_apart(const struct tags *t, uint32_t set, uint32_t *slot)
{
	uint32_t way;

	if (t->policy)
		return victim_by_policy(t, set, slot);
	if (t->many_ways)
		return t->pins ? pinned_victim(t, set, slot) : tags_many_ways_victim(t, set, CACHE_UNPINNED, slot);
	if (!replacement_victim(t->replacement, set, &way))
		return false;
	*slot = set * t->stride + way;
	return true;
}

static enum tags_result probe_apart(const struct tags *t, uint32_t set, uint64_t line, uint32_t *slot)
{
	if (find_apart(t, set, line, slot))
		return hit(t, *slot);
	return victim_apart(t, set, slot) ? TAGS_MISS : TAGS_FAIL;
}

enum tags_result tags_probe(const struct tags *t, uint32_t set, uint64_t line, uint32_t *slot)
{
	if (__builtin_expect(t->apart, 0))
		return probe_apart(t, set, line, slot);
	if (find(t, set, line, slot))
		return hit(t, *slot);
	if (__builtin_expect(t->pins != 0, 0))
		return pinned_victim(t, set, slot) ? TAGS_MISS : TAGS_FAIL;
	return victim(t, set, slot) ? TAGS_MISS : TAGS_FAIL;
}

void tags_pin(struct tags *t, uint32_t slot, enum cache_pin pin)
{
	if (t->replacement) {
		if (pin != CACHE_UNPINNED)
			replacement_pin(t->replacement, pin);
		return;
	}
	PANIC_UNLESS(!t->policy || pin == CACHE_UNPINNED, "tags", t->stamp);
	t->pins += (pin != CACHE_UNPINNED) - (t->pin[slot] != CACHE_UNPINNED);
	t->pin[slot] = (uint8_t)pin;
}

static inline void stamp(struct tags *t, uint32_t slot)
{
	t->way[slot].age = ++t->stamp | (t->way[slot].age & TAGS_AGE_RESERVED);
}

/* The line becomes the most recently used one in the set's list, or the block's order, or as its policy says. */
static void touch_apart(struct tags *t, uint32_t slot)
{
	if (t->policy && t->policy->keeps_order)
		return;
	stamp(t, slot);
	if (t->many_ways)
		tags_many_ways_first(t, slot);
	if (t->replacement)
		replacement_use(t->replacement, slot / t->stride, slot % t->stride);
	if (t->policy && t->policy->hit)
		t->policy->hit(t, slot);
}

/* A line has taken the slot, in the place of another or of none. */
static void take_apart(struct tags *t, uint32_t slot, bool replaced)
{
	if (t->many_ways) {
		tags_many_ways_insert(t, slot);
		tags_many_ways_first(t, slot);
	}
	if (t->replacement)
		replacement_take(t->replacement, slot / t->stride, slot % t->stride, t->state[slot] == TAGS_RESERVED);
	if (t->policy && t->policy->taken)
		t->policy->taken(t, slot, replaced);
}

void tags_touch(struct tags *t, uint32_t slot)
{
	if (__builtin_expect(t->apart, 0))
		touch_apart(t, slot);
	else
		stamp(t, slot);
}

void tags_first_out(struct tags *t, uint32_t slot)
{
	if (t->replacement)
		return;
	t->way[slot].age = TAGS_AGE_FIRST | (t->way[slot].age & TAGS_AGE_RESERVED);
	if (t->many_ways)
		tags_many_ways_least(t, slot);
}

void tags_take(struct tags *t, uint32_t slot, uint64_t line, enum tags_state state)
{
	PANIC_UNLESS(t->state[slot] != TAGS_RESERVED && line != TAGS_NO_LINE, "tags", t->stamp);
	PANIC_UNLESS(state == TAGS_RESERVED || state == TAGS_VALID, "tags", t->stamp);
	bool replaced = t->way[slot].line != TAGS_NO_LINE;

	if (t->many_ways && replaced)
		tags_many_ways_remove(t, slot);
	if (__builtin_expect(t->pins != 0, 0))
		tags_pin(t, slot, CACHE_UNPINNED);
	t->way[slot].line = line;
	t->state[slot] = (uint8_t)state;
	t->sectors[slot] = state == TAGS_VALID ? t->all : 0;
	t->way[slot].age = ++t->stamp | (state == TAGS_RESERVED ? TAGS_AGE_RESERVED : 0);
	t->dirty[slot] = (struct tags_mask){{0, 0}};
	if (__builtin_expect(t->apart, 0))
		take_apart(t, slot, replaced);
}

static inline void fill(struct tags *t, uint32_t slot)
{
	t->state[slot] = t->dirty[slot].byte[0] | t->dirty[slot].byte[1] ? TAGS_DIRTY : TAGS_VALID;
	t->way[slot].age &= ~TAGS_AGE_RESERVED;
	if (__builtin_expect(t->replacement != NULL, 0))
		replacement_fill(t->replacement, slot / t->stride, slot % t->stride);
}

void tags_arrive(struct tags *t, uint32_t slot, uint32_t sectors, bool last)
{
	PANIC_UNLESS(t->state[slot] == TAGS_RESERVED, "tags", t->stamp);
	t->sectors[slot] |= (uint8_t)sectors;
	if (last)
		fill(t, slot);
}

void tags_fill(struct tags *t, uint32_t slot)
{
	tags_arrive(t, slot, t->all, true);
}

void tags_reserve(struct tags *t, uint32_t slot)
{
	PANIC_UNLESS(t->state[slot] != TAGS_INVALID && !t->replacement, "tags", t->stamp);
	t->state[slot] = TAGS_RESERVED;
	t->way[slot].age |= TAGS_AGE_RESERVED;
}

void tags_write(struct tags *t, uint32_t slot, const uint64_t mask[2])
{
	PANIC_UNLESS(t->state[slot] != TAGS_INVALID && (mask[0] | mask[1]), "tags", t->stamp);
	t->dirty[slot].byte[0] |= mask[0];
	t->dirty[slot].byte[1] |= mask[1];
	if (t->state[slot] == TAGS_VALID)
		t->state[slot] = TAGS_DIRTY;
}

void tags_clean(struct tags *t, uint32_t slot)
{
	t->dirty[slot] = (struct tags_mask){{0, 0}};
	if (t->state[slot] == TAGS_DIRTY)
		t->state[slot] = TAGS_VALID;
}

static inline void drop(struct tags *t, uint32_t slot)
{
	PANIC_UNLESS(t->state[slot] != TAGS_RESERVED, "tags", t->stamp);
	if (t->many_ways) {
		if (t->way[slot].line != TAGS_NO_LINE)
			tags_many_ways_remove(t, slot);
		tags_many_ways_last(t, slot);
	}
	if (__builtin_expect(t->pins != 0, 0))
		tags_pin(t, slot, CACHE_UNPINNED);
	t->way[slot].line = TAGS_NO_LINE;
	t->way[slot].age = 0;
	t->state[slot] = TAGS_INVALID;
	t->sectors[slot] = 0;
	t->dirty[slot] = (struct tags_mask){{0, 0}};
}

void tags_drop(struct tags *t, uint32_t slot)
{
	drop(t, slot);
	if (__builtin_expect(t->replacement != NULL, 0))
		replacement_drop(t->replacement, slot / t->stride, slot % t->stride);
}

void tags_drop_sectors(struct tags *t, uint32_t slot, uint32_t sectors)
{
	t->sectors[slot] &= (uint8_t)~sectors;
	if (!t->sectors[slot] && t->state[slot] != TAGS_RESERVED)
		tags_drop(t, slot);
}

void tags_drop_all(struct tags *t)
{
	for (uint32_t s = 0; s < tags_slots(t); s++)
		if (t->state[s] != TAGS_RESERVED && t->state[s] != TAGS_INVALID)
			drop(t, s);
	if (t->replacement)
		replacement_drop_all(t->replacement);
}
