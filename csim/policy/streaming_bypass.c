/* Streaming bypass (dwt-pric, section 4.1): if more than `rate` % of a period's loads missed, the next period's
 * loads go past the cache. The tags go on being updated, so that the rate is that of a cache in use, and the cache
 * is used again after a period at or below the threshold. A hit on a line that is on its way is no miss; a period
 * without a load changes nothing. Periods are counted from cycle 0, across launches. */
#include "policy/cache_policy.h"

struct streaming_bypass {
	uint64_t rate, period;
	uint64_t end; /* of the period: its first cycle that is not part of it */
	uint64_t loads, misses;
	bool bypassed;
	bool held; /* open, */
	bool cut;  /* or was in a part of this period */
};

static void init(void **state, struct arena *a, const struct machine_bypass *settings)
{
	struct streaming_bypass *s = arena_alloc(a, sizeof *s);

	*s = (struct streaming_bypass){.rate = settings->rate, .period = settings->period, .end = settings->period};
	*state = s;
}

static struct cache_verdict decide(const void *state, const struct cache_load *l)
{
	const struct streaming_bypass *s = state;

	(void)l;
	return (struct cache_verdict){.use = s->bypassed ? CACHE_BYPASS_TAG : CACHE_ALLOCATE};
}

static void observe(void *state, const struct cache_load *l)
{
	struct streaming_bypass *s = state;

	s->loads++;
	s->misses += l->found == CACHE_NOT_FOUND;
}

static bool advance(void *state, uint64_t cycle)
{
	struct streaming_bypass *s = state;
	bool was = s->bypassed;

	if (cycle < s->end)
		return false;
	if (s->loads && !s->held && !s->cut)
		s->bypassed = 100 * s->misses > s->rate * s->loads;
	s->loads = s->misses = 0;
	s->cut = false;
	s->end = cycle - cycle % s->period + s->period;
	return was && !s->bypassed;
}

static bool hold(void *state, uint64_t cycle, bool open)
{
	struct streaming_bypass *s = state;
	bool was = s->bypassed;

	s->cut |= s->held && !open && cycle != s->end - s->period;
	s->held = open;
	s->bypassed &= !open;
	return was && !s->bypassed;
}

static uint64_t next(const void *state)
{
	const struct streaming_bypass *s = state;

	return s->end;
}

const struct cache_policy cache_policy_streaming_bypass = {
	.name = "streaming", .init = init, .decide = decide, .observe = observe, .advance = advance, .hold = hold, .next = next};
