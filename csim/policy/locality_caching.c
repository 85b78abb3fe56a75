/* What the locality table says of a load (hw/twins/locality_entry.h): its line is not kept, or kept with a pin, or as
 * any other. When pins end is the business of who chooses the victims (cache/replacement.h), which in an L1 also keeps
 * from the cache what is not kept. */
#include "policy/cache_policy.h"

static void init(void **state, struct arena *a, const struct machine_bypass *settings)
{
	(void)a;
	(void)settings;
	*state = NULL;
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

const struct cache_policy cache_policy_locality = {.name = "locality", .init = init, .decide = decide};
