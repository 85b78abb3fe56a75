/* The next times of many parts, side by side in an array, so that several are compared at once: which of them are due,
 * and when the soonest is. Most of what a tick costs is to find out who has something to do in it.
 *
 * The array has due_room(n) entries; those beyond n are TIME_NEVER. The lanes are the vectors of GCC and Clang, which
 * know no unsigned comparison in AVX2: times are compared as signed numbers with the top bit turned.
 */
#ifndef CSIM_BASE_DUE_H
#define CSIM_BASE_DUE_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/ticks.h"

enum {
	DUE_LANES = 4,
	DUE_CHAINS = 4, /* minima kept side by side: one alone waits for each of its comparisons */
	DUE_BATCH = DUE_LANES * DUE_CHAINS,
	DUE_WORD = 64 /* parts that one set of due ones holds */
};

typedef int64_t due_lanes __attribute__((vector_size(8 * DUE_LANES)));

/* Entries of an array of n times. */
static inline uint32_t due_room(uint32_t n)
{
	return (n + DUE_BATCH - 1) / DUE_BATCH * DUE_BATCH;
}

static inline void due_load(due_lanes *to, const struct ticks *v)
{
	memcpy(to, v, sizeof *to);
	*to ^= INT64_MIN;
}

/* Which of v[from] to v[from + DUE_WORD - 1] are due at `now`, of an array of `room` entries. */
static inline uint64_t due_set(const struct ticks *v, uint32_t from, uint32_t room, struct ticks now)
{
	uint32_t end = room - from < DUE_WORD ? room : from + DUE_WORD;
	due_lanes set = {0}, bit = {1, 2, 4, 8}, t;

	for (uint32_t i = from; i < end; i += DUE_LANES) {
		due_load(&t, v + i);
		set |= (t <= ((int64_t)now.n ^ INT64_MIN)) & bit;
		bit <<= DUE_LANES;
	}
	return (uint64_t)(set[0] | set[1] | set[2] | set[3]);
}

/* Takes one out of a set that is not empty: its first one, or its last one. */
static inline uint32_t due_take(uint64_t *set, bool last)
{
	uint32_t i = last ? DUE_WORD - 1 - (uint32_t)__builtin_clzll(*set) : (uint32_t)__builtin_ctzll(*set);

	*set &= ~(UINT64_C(1) << i);
	return i;
}

static inline void due_least(due_lanes *least, const due_lanes *t)
{
	due_lanes sooner = *t < *least;

	*least = (*t & sooner) | (*least & ~sooner);
}

/* The soonest of v, an array of `room` entries, at least one. */
static inline struct ticks due_soonest(const struct ticks *v, uint32_t room)
{
	due_lanes chain[DUE_CHAINS], t;
	int64_t least;

	for (uint32_t k = 0; k < DUE_CHAINS; k++)
		due_load(&chain[k], v + k * DUE_LANES);
	for (uint32_t i = DUE_BATCH; i < room; i += DUE_BATCH)
		for (uint32_t k = 0; k < DUE_CHAINS; k++) {
			due_load(&t, v + i + k * DUE_LANES);
			due_least(&chain[k], &t);
		}
	for (uint32_t k = 1; k < DUE_CHAINS; k++)
		due_least(&chain[0], &chain[k]);
	least = chain[0][0];
	for (unsigned k = 1; k < DUE_LANES; k++)
		least = chain[0][k] < least ? chain[0][k] : least;
	return (struct ticks){(uint64_t)(least ^ INT64_MIN)};
}

#endif
