/* Specification of an SM's part of DWT-CS (dwt-pric, section 4.2; docs/reference/hardware/dwt-cs.md), by launches,
 * periods, messages and orders.
 *
 * A kernel's time is the cycles in which it runs. Each period of its time ends in a message with the instructions and
 * misses since the last one, unless its winner holds or it is being sampled; a sampling ends in one message after a
 * number of periods. Orders give a kernel a mode and a limit.
 */
#ifndef TESTS_SPEC_THROTTLE_H
#define TESTS_SPEC_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

enum { SPEC_KERNELS = 64 };
enum spec_mode { SPEC_MONITOR, SPEC_WATCH, SPEC_SAMPLE, SPEC_SETTLED };

struct spec_throttle {
	uint64_t kernels, period, periods, watchdog, largest;
	struct spec_kernel {
		enum spec_mode mode;
		uint64_t limit, instructions, misses;
		uint64_t ran;	  /* cycles of this period */
		uint64_t sampled; /* periods of this sampling */
		bool cut;	  /* its launch ended; where its period begins is read off the block */
	} kernel[SPEC_KERNELS];
	bool runs; /* a kernel with counters; */
	unsigned which;
	uint64_t most;
	uint64_t idle; /* periods under a settled limit that ended since a warp did */
	bool lifted;
};

struct spec_throttle_cycle {
	uint64_t now; /* of the SM; of 32 bits */
	uint64_t instructions, misses;
	bool exit;
	bool launch, counted;
	unsigned launched;
	uint64_t launch_most;
	bool order;
	unsigned ordered;
	enum spec_mode mode;
	uint64_t limit;
	struct { /* by the block */
		bool message, limited, lifted, hold, runs;
		unsigned of;
		uint64_t instructions, misses, most, limit, due;
	} block;
};

void spec_throttle_reset(struct spec_throttle *s, uint64_t kernels, uint64_t period, uint64_t periods, uint64_t watchdog,
			 unsigned count_bits);

/* NULL, or how the block differs from the specification in this cycle. Cycles in which a kernel runs and nothing
 * happens may be left out: `passed` of them before this one. */
const char *spec_throttle_cycle(struct spec_throttle *s, const struct spec_throttle_cycle *c, uint64_t passed);

#endif
