#include "policy/cache_policy.h"

static void no_state(void **state, struct arena *a, const struct machine_bypass *settings)
{
	(void)a, (void)settings;
	*state = NULL;
}

const struct cache_policy cache_policy_none = {.name = "none", .init = no_state};

static const struct cache_policy *const policies[] = {
	[BYPASS_NONE] = &cache_policy_none,
	[BYPASS_STREAMING] = &cache_policy_streaming_bypass,
	[BYPASS_LOCALITY] = &cache_policy_locality,
};

const struct cache_policy *cache_policy_of(const struct machine_bypass *settings)
{
	return policies[settings->policy];
}
