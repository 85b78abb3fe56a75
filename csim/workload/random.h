/* Pseudo-random numbers for the contents of buffers: the same on every machine, for a seed.
 *
 * The generator is SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014): the
 * state is one word, and any word is a good seed.
 */
#ifndef CSIM_WORKLOAD_RANDOM_H
#define CSIM_WORKLOAD_RANDOM_H

#include <stdint.h>

struct host_random {
	uint64_t state; /* the seed, to begin with */
};

static inline uint64_t host_random_u64(struct host_random *r)
{
	uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

/* Uniform over 0 .. bound-1; bound >= 1. The bias is below bound / 2^32. */
static inline uint32_t host_random_below(struct host_random *r, uint32_t bound)
{
	return (uint32_t)((host_random_u64(r) >> 32) * bound >> 32);
}

/* Uniform over the multiples of 2^-24 in [0, 1): every one is a float. */
static inline float host_random_f32(struct host_random *r)
{
	return (float)(host_random_u64(r) >> 40) * 0x1p-24f;
}

static inline void host_random_fill_f32(float *to, uint64_t n, uint64_t seed)
{
	struct host_random r = {seed};

	for (uint64_t i = 0; i < n; i++)
		to[i] = host_random_f32(&r);
}

#endif
