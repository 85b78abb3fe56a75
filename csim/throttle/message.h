/* What SMs and the coordinator of a throttle by core sampling say to each other (csim/throttle/sampler.h). */
#ifndef CSIM_THROTTLE_MESSAGE_H
#define CSIM_THROTTLE_MESSAGE_H

#include <stdint.h>

#include "base/queue.h"
#include "hw/twins/throttle_mode.h"

struct throttle_message { /* SM to coordinator: what it has counted of a kernel */
	uint32_t slot, commits, misses;
	uint8_t most; /* warps of the kernel that a scheduler holds, at most */
};
QUEUE_OF(throttle_message);

struct throttle_order { /* coordinator to SM */
	uint32_t slot;
	enum throttle_mode mode : 8;
	uint8_t limit;
};
QUEUE_OF(throttle_order);

#endif
