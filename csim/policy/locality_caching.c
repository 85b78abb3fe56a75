/* What the locality table says of a load (hw/twins/locality_entry.h): its line is not kept, or kept with a pin, or as
 * any other. A timer ends all pins every `unpin` cycles, so that data that is not used any more leaves (ldesc,
 * section 4.4); 0: never. */
#include "policy/cache_policy.h"

struct pin_timer {
	uint64_t period, due; /* due: the cycle in which pins end next */
};

static void init(void **state, struct arena *a, const struct machine_bypass *settings)
{
	struct pin_timer *s = arena_alloc(a, sizeof *s);

	s->period = settings->unpin;
	s->due = s->period ? s->period : UINT64_MAX;
	*state = s;
}

static struct cache_verdict decide(const void *state, const struct cache_load *l)
{
	static const struct cache_verdict verdicts[LOCALITY_CACHINGS] = {
		[LOCALITY_AS_IS] = {CACHE_ALLOCATE, CACHE_UNPINNED},
		[LOCALITY_BYPASS] = {CACHE_BYPASS, CACHE_UNPINNED},
		[LOCALITY_SOFT_PIN] = {CACHE_ALLOCATE, CACHE_SOFT_PIN},
		[LOCALITY_HARD_PIN] = {CACHE_ALLOCATE, CACHE_HARD_PIN},
	};

	(void)state;
	return verdicts[l->locality];
}

static unsigned advance(void *state, uint64_t cycle)
{
	struct pin_timer *s = state;

	s->due = cycle - cycle % s->period + s->period;
	return CACHE_UNPIN;
}

static uint64_t next(const void *state)
{
	const struct pin_timer *s = state;

	return s->due;
}

const struct cache_policy cache_policy_locality = {
	.name = "locality", .init = init, .decide = decide, .advance = advance, .next = next};
