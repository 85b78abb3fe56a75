/* What the hardware of warp throttling by core sampling says of a kernel (hw/twins/throttle.h, throttle_coordinator.h).
 *
 *   monitor    no limit; misses are watched
 *   watch      likewise; the last period was above the threshold, and the L1 is to stay open
 *   sample     each SM has a limit of its own for some periods, and then says what it has committed
 *   settled    all SMs have the winner's limit until the launch ends
 */
#ifndef CSIM_HW_TWINS_THROTTLE_MODE_H
#define CSIM_HW_TWINS_THROTTLE_MODE_H

#include <stdint.h>

enum throttle_mode { THROTTLE_MONITOR, THROTTLE_WATCH, THROTTLE_SAMPLE, THROTTLE_SETTLED };

enum { THROTTLE_MAX_KERNELS = 64, THROTTLE_MAX_SMS = 256, THROTTLE_LIMIT_W = 7 /* bits of a number of warps, up to 64 */ };

/* Bits of a number below n, at least one. */
static inline uint32_t throttle_bits(uint32_t n)
{
	return n > 2 ? 32 - (uint32_t)__builtin_clz(n - 1) : 1;
}

#endif
