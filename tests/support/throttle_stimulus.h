/* Random cycles for the blocks throttle and throttle_coordinator: periods that end, launches that come and go, orders
 * in the midst of samplings, commits that fill counters; votes that lie close to each other, samplings that go all the
 * way up, misses beside the threshold, receivers that are not ready. */
#ifndef TESTS_SUPPORT_THROTTLE_STIMULUS_H
#define TESTS_SUPPORT_THROTTLE_STIMULUS_H

#include "hw/twins/throttle.h"
#include "hw/twins/throttle_coordinator.h"

struct throttle_stimulus {
	struct throttle twin; /* knows when the period ends, near which `now` jumps */
	uint64_t seed, n;     /* cycles so far */
	uint32_t now;
	bool wild; /* `now` jumps anywhere, kernels are any numbers */
};

void throttle_stimulus_init(struct throttle_stimulus *s, const struct throttle_params *p, uint64_t seed);
struct throttle_in throttle_stimulus_next(struct throttle_stimulus *s); /* the inputs of the next cycle */

struct coordinator_stimulus {
	struct throttle_coordinator_params p;
	struct throttle_coordinator twin; /* knows whose turn it is, where a sampling shall go all the way up */
	uint64_t seed, n;
	uint32_t slot, most; /* of the batch */
	uint32_t level;	     /* of its commits */
	bool wild;	     /* messages of a batch are of any kernel */
};

void coordinator_stimulus_init(struct coordinator_stimulus *s, const struct throttle_coordinator_params *p, uint64_t seed);
void coordinator_stimulus_reset(struct coordinator_stimulus *s); /* the block is reset */
struct throttle_coordinator_in coordinator_stimulus_next(struct coordinator_stimulus *s);

#endif
