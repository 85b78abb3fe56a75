/* Specification of the coordinator of DWT-CS (dwt-pric, section 4.2; docs/reference/hardware/dwt-cs.md), by rounds: a
 * message of every SM, a decision, an order to every SM.
 *
 * "At the end of each sampling period, it checks whether the MPKI has exceeded a specific threshold for N consecutive
 * periods. If so, all GPU cores are sampled with different number of active warps ... The coordinator core finds the
 * core ID (i.e. number of warps) that has executed the maximum number of instructions."
 */
#ifndef TESTS_SPEC_THROTTLE_COORDINATOR_H
#define TESTS_SPEC_THROTTLE_COORDINATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "spec/throttle.h"

enum { SPEC_SMS = 256, SPEC_NUMBERS = 128 };

struct spec_coordinator {
	uint64_t sms, kernels, n, threshold, per_cycles, any;
	struct spec_choice {
		uint64_t above; /* periods in a row */
		bool sampled;	/* a round of sampling has been ordered: the next messages are its result */
		bool has_winner;
		uint64_t winner;	   /* or the winner of the rounds so far; 0: none */
		uint64_t number[SPEC_SMS]; /* of warps that each SM tries */
		uint64_t highest;	   /* of those */
	} choice[SPEC_KERNELS];
	/* This round: */
	unsigned kernel, messages, orders;
	bool heard[SPEC_SMS], ordered[SPEC_SMS];
	uint64_t instructions[SPEC_SMS], misses[SPEC_SMS], most;
	enum spec_mode mode; /* decided */
	bool is_decided;
};

struct spec_coordinator_cycle {
	bool message, order, decision; /* accepted; accepted; made */
	unsigned sm;		       /* of the message or the order */
	unsigned kernel;
	uint64_t instructions, misses, most; /* of the message */
	enum spec_mode mode;		     /* of the order or the decision */
	uint64_t limit;			     /* of the order */
	bool above, voted;		     /* of the decision, and */
	uint64_t winner;
};

void spec_coordinator_reset(struct spec_coordinator *s, uint64_t sms, uint64_t kernels, uint64_t n, uint64_t threshold,
			    uint64_t per_cycles, bool any);

/* NULL, or how the block differs from the specification in this cycle. */
const char *spec_coordinator_cycle(struct spec_coordinator *s, const struct spec_coordinator_cycle *c);

#endif
