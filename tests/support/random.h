/* Pseudo-random numbers of the tests: the same on every machine; any word is a good seed. The generator is that of
 * csim/workload/random.h, which 903 compares with published values. */
#ifndef TESTS_SUPPORT_RANDOM_H
#define TESTS_SUPPORT_RANDOM_H

#include "workload/random.h"

/* Steps the state, which begins as the seed. */
static inline uint64_t random_u64(uint64_t *state)
{
	struct host_random r = {*state};
	uint64_t drawn = host_random_u64(&r);

	*state = r.state;
	return drawn;
}

/* 0 .. bound-1; bound >= 1. */
static inline uint64_t random_below(uint64_t *state, uint64_t bound)
{
	return random_u64(state) % bound;
}

#endif
