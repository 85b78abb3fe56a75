/* An SM's part of warp throttling by core sampling, DWT-CS (dwt-pric, section 4.2): counts committed instructions and
 * L1 load misses over periods, tells the coordinator (hw/twins/throttle_coordinator.h), and holds the limit of active
 * warps that the coordinator's orders set.
 *
 *   commits, misses -> counters of the kernel -> a message at a period's end
 *   an order        -> mode and limit of a kernel
 *   a launch begins -> its kernel's time and counters go on where they stopped
 *
 * Time. A period is `period` cycles in which the kernel runs: a kernel has its own counters, time left and mode, which
 * rest while another kernel runs. The SM's cycle counter comes in as `now`; a period ends in the cycle due. The message
 * that a launch begins is a cycle on its way, so a kernel's very first period is a cycle shorter from there on.
 *
 * At a period's end, before what is committed in its cycle is counted:
 *     monitor, watch    a message goes to the coordinator; the counters begin again
 *     sample            after `periods` periods likewise; else the counters go on
 *     settled           the counters begin again, nobody is told
 * An SM whose vote gets no answer within a period is back at monitor: so it samples for periods + 1 periods at most,
 * whatever the coordinator does. When a launch begins a settled kernel is monitored anew.
 *
 * Watchdog. A limit takes for granted that no active warp waits for an inactive one, other than at a barrier. If no
 * warp ends for `watchdog` periods under the same limit, there is none for the next period (0: never).
 *
 * Timing: `now` matters in each cycle: besides cycles with a valid input the block must be stepped in that of busy, in
 * which a period ends. The message depends on now and beg_valid, busy on now; all other outputs on registers alone.
 * In one cycle the period's end comes first, then counts, then an order. A launch that begins puts the end of a period
 * of this cycle off by one.
 * Source: dwt-pric, section 4.2; kernels' own time, watch and watchdog are our design. RTL: rtl/throttle/throttle.v;
 * docs/reference/hardware/dwt-cs.md.
 */
#ifndef CSIM_HW_TWINS_THROTTLE_H
#define CSIM_HW_TWINS_THROTTLE_H

#include "hw/port.h"
#include "hw/twins/throttle_mode.h"

/*        type      name      in the RTL  default */
#define THROTTLE_PARAMS(PARAM)                                                                                                     \
	PARAM(uint32_t, kernels, KERNELS, 8)	 /* that have counters, 1 to 64 */                                                 \
	PARAM(uint32_t, period, PERIOD, 10000)	 /* cycles, 2 to 2^30 */                                                           \
	PARAM(uint32_t, periods, PERIODS, 4)	 /* of a sampling, 1 to 255 */                                                     \
	PARAM(uint32_t, watchdog, WATCHDOG, 256) /* periods, 0 to 65535 */                                                         \
	PARAM(uint32_t, count_w, COUNT_W, 32)	 /* bits of a counter, 4 to 32; it stays at its largest value */                   \
	PARAM(uint32_t, commit_w, COMMIT_W, 9)	 /* bits of the commits of a cycle, 1 to 12, fewer than count_w */                 \
	PARAM(uint32_t, miss_w, MISS_W, 2)	 /* bits of the misses of a cycle, 1 to 6, fewer than count_w */

#define THROTTLE_INPUTS(SCALAR, VECTOR)                                                                                            \
	SCALAR(uint32_t, now, 32)                                                                                                  \
	SCALAR(uint32_t, commits, p->commit_w)		      /* of this cycle; valid if not 0, as are */                          \
	SCALAR(uint8_t, misses, p->miss_w)		      /* its loads that missed in the L1 */                                \
	SCALAR(uint8_t, exit, 1)			      /* a warp ends */                                                    \
	SCALAR(uint8_t, beg_valid, 1)			      /* a launch begins: */                                               \
	SCALAR(uint8_t, beg_on, 1)			      /* of a kernel that has counters, */                                 \
	SCALAR(uint32_t, beg_slot, throttle_bits(p->kernels)) /* these, */                                                         \
	SCALAR(uint8_t, beg_most, THROTTLE_LIMIT_W)	      /* of whose warps a scheduler holds so many at most */               \
	SCALAR(uint8_t, ord_valid, 1)			      /* an order of the coordinator for a kernel */                       \
	SCALAR(uint32_t, ord_slot, throttle_bits(p->kernels))                                                                      \
	SCALAR(uint8_t, ord_mode, 2) /* enum throttle_mode */                                                                      \
	SCALAR(uint8_t, ord_limit, THROTTLE_LIMIT_W)

#define THROTTLE_OUTPUTS(SCALAR, VECTOR)                                                                                           \
	SCALAR(uint8_t, msg_valid, 1) /* a message to the coordinator, which is always taken */                                    \
	SCALAR(uint32_t, msg_slot, throttle_bits(p->kernels))                                                                      \
	SCALAR(uint32_t, msg_commits, p->count_w)                                                                                  \
	SCALAR(uint32_t, msg_misses, p->count_w)                                                                                   \
	SCALAR(uint8_t, msg_most, THROTTLE_LIMIT_W)                                                                                \
	SCALAR(uint8_t, limited, 1)		 /* active warps of a scheduler are limited */                                     \
	SCALAR(uint8_t, limit, THROTTLE_LIMIT_W) /* to so many; never 0 */                                                         \
	SCALAR(uint8_t, open, 1)		 /* the watchdog has lifted the limit for this period */                           \
	SCALAR(uint8_t, hold, 1)		 /* the L1 is to stay open */                                                      \
	SCALAR(uint8_t, on, 1)			 /* a kernel with counters runs; */                                                \
	SCALAR(uint32_t, due, 32)		 /* its period ends in this cycle */                                               \
	SCALAR(uint8_t, busy, 1)		 /* that is now: step the block even without a valid input */

#define THROTTLE_REGS(SCALAR, VECTOR)                                                                                              \
	SCALAR(uint8_t, on, 1)                                                                                                     \
	SCALAR(uint32_t, slot, throttle_bits(p->kernels)) /* the kernel that runs, */                                              \
	SCALAR(uint8_t, most, THROTTLE_LIMIT_W)                                                                                    \
	SCALAR(uint32_t, due, 32)                                                                                                  \
	SCALAR(uint32_t, idle, 16) /* periods without a warp's end under the limit */                                              \
	SCALAR(uint8_t, open, 1)   /* the watchdog's period without it */                                                          \
	/* by kernel; left: cycles of its period, while it does not run */                                                         \
	VECTOR(uint32_t, left, THROTTLE_MAX_KERNELS, p->kernels, 31)                                                               \
	VECTOR(uint32_t, commits, THROTTLE_MAX_KERNELS, p->kernels, p->count_w)                                                    \
	VECTOR(uint32_t, misses, THROTTLE_MAX_KERNELS, p->kernels, p->count_w)                                                     \
	VECTOR(uint8_t, mode, THROTTLE_MAX_KERNELS, p->kernels, 2)                                                                 \
	VECTOR(uint8_t, limit, THROTTLE_MAX_KERNELS, p->kernels, THROTTLE_LIMIT_W)                                                 \
	VECTOR(uint8_t, rest, THROTTLE_MAX_KERNELS, p->kernels, 8) /* periods of its sampling that are left */

struct throttle_params {
	THROTTLE_PARAMS(HW_MEMBER_PARAM)
};
struct throttle_in {
	HW_STRUCT(THROTTLE_INPUTS)
};
struct throttle_out {
	HW_STRUCT(THROTTLE_OUTPUTS)
};
struct throttle {
	HW_STRUCT(THROTTLE_REGS)
	struct throttle_params p; /* not a register */
};

int throttle_params_check(const struct throttle_params *p, struct err *e);
void throttle_reset(struct throttle *s, const struct throttle_params *p);
/* The outputs before the edge. */
void throttle_eval(const struct throttle *s, const struct throttle_in *in, struct throttle_out *out);
/* The edge. */
void throttle_tick(struct throttle *s, const struct throttle_in *in);

extern const struct hw_block throttle_block;

HW_CLOCKED_PORT(throttle)

#endif
