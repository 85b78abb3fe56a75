/* The policies, by their numbers in plans. */
#include "dispatch/policy.h"

const struct dispatch_policy *const dispatch_policies[DISPATCH_COUNT] = {
	[DISPATCH_ROUND_ROBIN] = &dispatch_round_robin, [DISPATCH_AFFINITY] = &dispatch_affinity,
	[DISPATCH_PAIR_WAIT] = &dispatch_pair_wait,	[DISPATCH_LISTS] = &dispatch_lists,
	[DISPATCH_GROUPS] = &dispatch_group_dispatch,
};
