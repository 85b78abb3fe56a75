/* The coordinator of warp throttling by core sampling, DWT-CS (dwt-pric, section 4.2): hears what the SMs have counted
 * over a period, decides, and sends each SM an order (hw/twins/throttle.h has the SM's part).
 *
 *   a message of each SM, in turn -> sums, best number of warps -> decision -> an order to each SM, in turn
 *
 * All SMs count in the same cycles, so their messages at the end of a kernel's period belong together: a batch. One
 * message is taken a cycle, SM 0 first, and one order is sent a cycle; so a running maximum takes the place of a tree.
 * The SMs have their turns one after the other, but where the same number is tried on several, these follow each other.
 * The decision goes by what the kernel does at the time:
 *
 *   it has no winner   misses above the threshold for n periods on end: sample; for fewer: watch; else: monitor
 *   it samples         the number of warps whose SMs have committed most wins; of equals the lowest, and the winner
 *                      so far only if there is none better. The largest number of the round is sampled on from, unless
 *                      it is the most that the kernel can have: sample. Else the winner is kept: settled
 *   it has a winner    misses above the threshold: settled, to the winner at once; else: monitor
 *
 * Numbers. `most` is how many warps of the kernel a scheduler holds. In the first round SM j has 1 + j mod K warps, K
 * the smaller of `most` and the SMs: j + 1 if there are no more SMs than numbers. Numbers are dealt out in turn, and
 * not in blocks, since a launch with fewer CTAs than SMs leaves the last SMs without work: so each number is tried
 * where there is work, if K SMs have any. In a further round, after a winner b, the SMs have b + 1, b + 2 .. up to
 * `most`, and all that are left, one at least, b again. Several SMs with a number are compared by their mean, without a
 * divider: sum a * SMs b > sum b * SMs a. An SM that has committed nothing had no work: it does not count.
 *
 * Threshold, per kilo: 1000 * misses > threshold * commits, both summed over all SMs; with `per_cycles` (the cycles of
 * a period) 1000 * misses > threshold * per_cycles * SMs with work. any: of any SM instead of the sums.
 *
 * Timing: the last message in cycle t, the decision in t + 2, orders from t + 3 on. All outputs depend on registers
 * alone; a message is taken with msg_ready, an order leaves with ord_ready.
 * Source: dwt-pric, section 4.2; several SMs a number and how they are compared are our design. RTL:
 * rtl/throttle/throttle_coordinator.v; docs/reference/hardware/dwt-cs.md.
 */
#ifndef CSIM_HW_TWINS_THROTTLE_COORDINATOR_H
#define CSIM_HW_TWINS_THROTTLE_COORDINATOR_H

#include "hw/port.h"
#include "hw/twins/throttle_mode.h"

enum throttle_phase { THROTTLE_COLLECT, THROTTLE_LAST /* the last number's mean */, THROTTLE_DECIDE, THROTTLE_SEND };

/*        type      name        in the RTL  default */
#define THROTTLE_COORDINATOR_PARAMS(PARAM)                                                                                         \
	PARAM(uint32_t, sms, SMS, 15)		   /* 2 to 256 */                                                                  \
	PARAM(uint32_t, kernels, KERNELS, 8)	   /* that have a mode, 1 to 64 */                                                 \
	PARAM(uint32_t, n, N, 2)		   /* periods above the threshold before a sampling, 1 to 15 */                    \
	PARAM(uint32_t, threshold, THRESHOLD, 10)  /* misses per kilo, 0 to 65535 */                                               \
	PARAM(uint32_t, per_cycles, PER_CYCLES, 0) /* 0: per kilo commits; else cycles of a period, up to 2^30 */                  \
	PARAM(uint32_t, any, ANY, 0)		   /* 1: of any SM */                                                              \
	PARAM(uint32_t, count_w, COUNT_W, 32)	   /* bits of commits and of misses, 4 to 32 */

#define THROTTLE_COORDINATOR_INPUTS(SCALAR, VECTOR)                                                                                \
	SCALAR(uint8_t, msg_valid, 1) /* a message of SM `turn` */                                                                 \
	SCALAR(uint32_t, msg_slot, throttle_bits(p->kernels))                                                                      \
	SCALAR(uint32_t, msg_commits, p->count_w)                                                                                  \
	SCALAR(uint32_t, msg_misses, p->count_w)                                                                                   \
	SCALAR(uint8_t, msg_most, THROTTLE_LIMIT_W)                                                                                \
	SCALAR(uint8_t, ord_ready, 1)

#define THROTTLE_COORDINATOR_OUTPUTS(SCALAR, VECTOR)                                                                               \
	SCALAR(uint8_t, msg_ready, 1)                                                                                              \
	SCALAR(uint32_t, turn, throttle_bits(p->sms)) /* the SM whose message is taken, or whose order leaves */                   \
	SCALAR(uint8_t, ord_valid, 1)		      /* an order for SM `turn` */                                                 \
	SCALAR(uint32_t, ord_slot, throttle_bits(p->kernels))                                                                      \
	SCALAR(uint8_t, ord_mode, 2)		     /* enum throttle_mode */                                                      \
	SCALAR(uint8_t, ord_limit, THROTTLE_LIMIT_W) /* never 0 */                                                                 \
	SCALAR(uint8_t, dec_valid, 1)		     /* event: the kernel of ord_slot gets dec_mode; */                            \
	SCALAR(uint8_t, dec_mode, 2)                                                                                               \
	SCALAR(uint8_t, dec_above, 1)		      /* the misses were above the threshold; */                                   \
	SCALAR(uint8_t, dec_voted, 1)		      /* SMs had sampled, */                                                       \
	SCALAR(uint8_t, dec_winner, THROTTLE_LIMIT_W) /* and this number won, if any did */                                        \
	SCALAR(uint8_t, busy, 1)		      /* step the block even without a valid input */

#define THROTTLE_COORDINATOR_REGS(SCALAR, VECTOR)                                                                                  \
	SCALAR(uint8_t, phase, 2)		    /* enum throttle_phase */                                                      \
	SCALAR(uint32_t, sm, throttle_bits(p->sms)) /* whose turn it is */                                                         \
	SCALAR(uint8_t, number, THROTTLE_LIMIT_W)   /* and its number of warps */                                                  \
	/* the batch */                                                                                                            \
	SCALAR(uint32_t, slot, throttle_bits(p->kernels))                                                                          \
	SCALAR(uint8_t, most, THROTTLE_LIMIT_W)                                                                                    \
	SCALAR(uint64_t, commits, throttle_sum_w(p)) /* sums over the SMs, */                                                      \
	SCALAR(uint64_t, misses, throttle_sum_w(p))                                                                                \
	SCALAR(uint32_t, working, throttle_sms_w(p->sms)) /* SMs with work, */                                                     \
	SCALAR(uint8_t, above, 1)			  /* one of them above the threshold */                                    \
	/* the number at hand, and the best one before it */                                                                       \
	SCALAR(uint8_t, own, THROTTLE_LIMIT_W)                                                                                     \
	SCALAR(uint64_t, own_sum, throttle_sum_w(p))                                                                               \
	SCALAR(uint32_t, own_sms, throttle_sms_w(p->sms))                                                                          \
	SCALAR(uint8_t, best, THROTTLE_LIMIT_W)                                                                                    \
	SCALAR(uint64_t, best_sum, throttle_sum_w(p))                                                                              \
	SCALAR(uint32_t, best_sms, throttle_sms_w(p->sms)) /* 0: none yet */                                                       \
	SCALAR(uint8_t, order, 2)			   /* the decision, enum throttle_mode */                                  \
	/* by kernel; base: the winner so far, 0: none */                                                                          \
	VECTOR(uint8_t, samples, THROTTLE_MAX_KERNELS, p->kernels, 1)                                                              \
	VECTOR(uint8_t, settled, THROTTLE_MAX_KERNELS, p->kernels, 1) /* it has a winner */                                        \
	VECTOR(uint8_t, run, THROTTLE_MAX_KERNELS, p->kernels, 4)     /* periods above the threshold on end */                     \
	VECTOR(uint8_t, base, THROTTLE_MAX_KERNELS, p->kernels, THROTTLE_LIMIT_W)                                                  \
	VECTOR(uint8_t, top, THROTTLE_MAX_KERNELS, p->kernels, THROTTLE_LIMIT_W) /* `most`, of its sampling */

struct throttle_coordinator_params {
	THROTTLE_COORDINATOR_PARAMS(HW_MEMBER_PARAM)
};

/* Bits of a number of SMs; of a sum over them. */
static inline uint32_t throttle_sms_w(uint32_t sms)
{
	return throttle_bits(sms + 1);
}
static inline uint32_t throttle_sum_w(const struct throttle_coordinator_params *p)
{
	return p->count_w + throttle_bits(p->sms);
}

struct throttle_coordinator_in {
	HW_STRUCT(THROTTLE_COORDINATOR_INPUTS)
};
struct throttle_coordinator_out {
	HW_STRUCT(THROTTLE_COORDINATOR_OUTPUTS)
};
struct throttle_coordinator {
	HW_STRUCT(THROTTLE_COORDINATOR_REGS)
	struct throttle_coordinator_params p; /* not a register */
};

int throttle_coordinator_params_check(const struct throttle_coordinator_params *p, struct err *e);
void throttle_coordinator_reset(struct throttle_coordinator *s, const struct throttle_coordinator_params *p);
/* The outputs before the edge. */
void throttle_coordinator_eval(const struct throttle_coordinator *s, const struct throttle_coordinator_in *in,
			       struct throttle_coordinator_out *out);
/* The edge. */
void throttle_coordinator_tick(struct throttle_coordinator *s, const struct throttle_coordinator_in *in);

extern const struct hw_block throttle_coordinator_block;

HW_CLOCKED_PORT(throttle_coordinator)

#endif
