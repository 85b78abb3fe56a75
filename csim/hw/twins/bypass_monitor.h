/* Decides by the miss rate of a period whether the next period's loads go past a cache (dwt-pric, section 4.1).
 *
 * Two counters, of a period's loads and of those that missed. In the period's last cycle they are judged, with the load
 * of that cycle: bypassed from the next cycle on if
 *
 *     100 x misses > rate x loads
 *
 * by shifts, sums and a comparison, without a divider; a period without loads changes nothing. Then they begin anew.
 *
 * Held open. While `hold` is high the cache is not bypassed, from that cycle on, and nothing is counted. A period of
 * which it was high in any cycle is not judged: the first one that is, is the first full one after it. `open` says in
 * the first cycle in which a bypassed cache is used again, by a good period or by `hold`, that the lines without data
 * which it has collected meanwhile are to be dropped, ahead of that cycle's load.
 *
 * Time. `now` is the low bits of the cycle, just enough to tell a period's cycles apart; the first period begins with
 * cycle 0. Beside the cycles with a load the block has to be stepped in the last cycle of every period, in a cycle in
 * which `hold` differs from the one before, and where `busy` is high; in all others nothing would change. bypass, open
 * and busy depend on `hold` and on registers alone.
 *
 * No counter overflows: a load a cycle is at most `period` loads, for which there are bits.
 * Source: dwt-pric, section 4.1; `hold` and the stepping are our design. RTL: rtl/bypass_monitor/bypass_monitor.v.
 */
#ifndef CSIM_HW_TWINS_BYPASS_MONITOR_H
#define CSIM_HW_TWINS_BYPASS_MONITOR_H

#include "hw/port.h"

/*        type      name    in the RTL  default */
#define BYPASS_MONITOR_PARAMS(PARAM)                                                                                               \
	PARAM(uint32_t, rate, RATE, 90)	       /* %, 1 to 99 */                                                                    \
	PARAM(uint32_t, period, PERIOD, 10000) /* cycles, 2 to 2^30 */

#define BYPASS_MONITOR_INPUTS(SCALAR, VECTOR)                                                                                      \
	SCALAR(uint32_t, now, bypass_monitor_bits(p->period))                                                                      \
	SCALAR(uint8_t, acc_valid, 1) /* a load has been accepted in this cycle, */                                                \
	SCALAR(uint8_t, acc_miss, 1)  /* and its line was neither there nor on its way, data or not */                             \
	SCALAR(uint8_t, hold, 1)

#define BYPASS_MONITOR_OUTPUTS(SCALAR, VECTOR)                                                                                     \
	SCALAR(uint8_t, bypass, 1) /* this cycle's load goes past the cache */                                                     \
	SCALAR(uint8_t, open, 1)   /* event: the cache is used again */                                                            \
	SCALAR(uint8_t, busy, 1)   /* step the block even without a load */

#define BYPASS_MONITOR_REGS(SCALAR, VECTOR)                                                                                        \
	SCALAR(uint32_t, loads, bypass_monitor_bits(p->period + 1))                                                                \
	SCALAR(uint32_t, misses, bypass_monitor_bits(p->period + 1))                                                               \
	SCALAR(uint32_t, last, bypass_monitor_bits(p->period)) /* cycle of this period */                                          \
	SCALAR(uint8_t, bypass, 1)                                                                                                 \
	SCALAR(uint8_t, opened, 1) /* by the period that has just ended */                                                         \
	SCALAR(uint8_t, cut, 1)	   /* this period has been held open */

struct bypass_monitor_params {
	BYPASS_MONITOR_PARAMS(HW_MEMBER_PARAM)
};
struct bypass_monitor_in {
	HW_STRUCT(BYPASS_MONITOR_INPUTS)
};
struct bypass_monitor_out {
	HW_STRUCT(BYPASS_MONITOR_OUTPUTS)
};
struct bypass_monitor {
	HW_STRUCT(BYPASS_MONITOR_REGS)
	struct bypass_monitor_params p; /* not a register */
};

int bypass_monitor_params_check(const struct bypass_monitor_params *p, struct err *e);
void bypass_monitor_reset(struct bypass_monitor *s, const struct bypass_monitor_params *p);
/* The outputs before the edge. */
void bypass_monitor_eval(const struct bypass_monitor *s, const struct bypass_monitor_in *in, struct bypass_monitor_out *out);
/* The edge. */
void bypass_monitor_tick(struct bypass_monitor *s, const struct bypass_monitor_in *in);

extern const struct hw_block bypass_monitor_block;

HW_CLOCKED_PORT(bypass_monitor)

/* Bits of a number below n, for n >= 2. */
static inline uint32_t bypass_monitor_bits(uint32_t n)
{
	return 32 - (uint32_t)__builtin_clz(n - 1);
}

#endif
