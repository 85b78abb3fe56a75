#include "cache/victim.h"

#include "base/hash_map.h"
#include "cache/tags.h"

/* ---- fifo ---- */

static const struct victim_policy fifo = {.keeps_order = true};

/* ---- random ---- */

static uint64_t hash(uint64_t a, uint64_t b)
{
	uint64_t h = hash_multiply(a ^ hash_multiply(b + 1));

	h = hash_multiply(h ^ h >> 32);
	return hash_multiply(h ^ h >> 29);
}

static uint32_t random_choose(const struct tags *t, uint32_t set)
{
	uint32_t slot = set * t->stride, n = 0, at;

	for (uint32_t w = 0; w < t->ways; w++)
		n += t->state[slot + w] != TAGS_RESERVED;
	at = (uint32_t)((hash(t->seed, t->stamp << 32 ^ set) >> 32) * n >> 32);
	while (t->state[slot] == TAGS_RESERVED || at-- > 0)
		slot++;
	return slot;
}

static const struct victim_policy random_policy = {.choose = random_choose};

/* ---- srrip ---- */

enum { RANK_HIT = 0, RANK_TAKEN = 2, RANK_MOST = 3 };

/* Raising all ranks until one is 3 finds the first of those that are the highest now. */
static uint32_t srrip_choose(const struct tags *t, uint32_t set)
{
	uint32_t first = set * t->stride, best = UINT32_MAX;

	for (uint32_t s = first; s < first + t->ways; s++)
		if (t->state[s] != TAGS_RESERVED && (best == UINT32_MAX || t->rank[s] > t->rank[best]))
			best = s;
	return best;
}

static void srrip_hit(struct tags *t, uint32_t slot)
{
	t->rank[slot] = RANK_HIT;
}

/* The ranks are raised here, and not by the choice, after which the line may still not be brought in. */
static void srrip_taken(struct tags *t, uint32_t slot, bool replaced)
{
	uint32_t first = slot / t->stride * t->stride, raise = replaced ? RANK_MOST - (uint32_t)t->rank[slot] : 0;

	for (uint32_t s = first; s < first + t->ways; s++)
		t->rank[s] = (uint8_t)(t->rank[s] + raise < RANK_MOST ? t->rank[s] + raise : RANK_MOST);
	t->rank[slot] = RANK_TAKEN;
}

static const struct victim_policy srrip = {.choose = srrip_choose, .hit = srrip_hit, .taken = srrip_taken};

const struct victim_policy *victim_policy_of(enum machine_replacement r)
{
	static const struct victim_policy *const policies[] = {[REPLACE_LRU] = NULL,
							       [REPLACE_FIFO] = &fifo,
							       [REPLACE_RANDOM] = &random_policy,
							       [REPLACE_SRRIP] = &srrip,
							       [REPLACE_PIN] = NULL};

	return policies[r];
}
