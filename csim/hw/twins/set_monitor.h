/* Counts index conflicts per set of a cache's access stream.
 *
 * A conflict is an access to a set whose previous access had another tag: the sets that an index function crowds
 * collect most. The block is small on purpose: it is the clocked example, and the template, for the blocks that follow.
 * It has a pipeline register, two ready/valid inputs that compete for one table, and a registered response that must
 * hold until it is taken.
 *
 *   access (set, tag) -> pending access -> table of last tag and count, one entry a set
 *   request (set)     -> pending request -> table -> response (count)
 *
 * The table serves one of the two a cycle. The request goes first, as soon as no response waits; the pending access
 * then holds, and ready_o of the access port is low in that cycle. All outputs depend on registers alone.
 * Source: own example; what it counts is the n-way conflict of dwt-pric, section 4.3. RTL:
 * rtl/set_monitor/set_monitor.v.
 */
#ifndef CSIM_HW_TWINS_SET_MONITOR_H
#define CSIM_HW_TWINS_SET_MONITOR_H

#include "hw/port.h"

enum { SET_MONITOR_MAX_SETS = 256 };

/*        type      name     in the RTL  default */
#define SET_MONITOR_PARAMS(PARAM)                                                                                                  \
	PARAM(uint32_t, sets, SETS, 32)	      /* a power of two, 2 to 256 */                                                       \
	PARAM(uint32_t, tag_w, TAG_W, 20)     /* bits of a tag, 1 to 57 */                                                         \
	PARAM(uint32_t, count_w, COUNT_W, 16) /* bits of a counter, 2 to 32; it stays at its largest value */

#define SET_MONITOR_INPUTS(SCALAR, VECTOR)                                                                                         \
	SCALAR(uint8_t, acc_valid, 1)                                                                                              \
	SCALAR(uint32_t, acc_set, set_monitor_log2(p->sets))                                                                       \
	SCALAR(uint64_t, acc_tag, p->tag_w)                                                                                        \
	SCALAR(uint8_t, req_valid, 1)                                                                                              \
	SCALAR(uint32_t, req_set, set_monitor_log2(p->sets))                                                                       \
	SCALAR(uint8_t, rsp_ready, 1)

#define SET_MONITOR_OUTPUTS(SCALAR, VECTOR)                                                                                        \
	SCALAR(uint8_t, acc_ready, 1)                                                                                              \
	SCALAR(uint8_t, req_ready, 1)                                                                                              \
	SCALAR(uint8_t, rsp_valid, 1)                                                                                              \
	SCALAR(uint32_t, rsp_count, p->count_w)                                                                                    \
	SCALAR(uint8_t, busy, 1) /* something is on its way: step the block even without a valid input */

#define SET_MONITOR_REGS(SCALAR, VECTOR)                                                                                           \
	SCALAR(uint8_t, acc_valid, 1) /* the pending access */                                                                     \
	SCALAR(uint32_t, acc_set, set_monitor_log2(p->sets))                                                                       \
	SCALAR(uint64_t, acc_tag, p->tag_w)                                                                                        \
	SCALAR(uint8_t, req_valid, 1) /* the pending request */                                                                    \
	SCALAR(uint32_t, req_set, set_monitor_log2(p->sets))                                                                       \
	SCALAR(uint8_t, rsp_valid, 1) /* the response */                                                                           \
	SCALAR(uint32_t, rsp_count, p->count_w)                                                                                    \
	VECTOR(uint8_t, seen, SET_MONITOR_MAX_SETS, p->sets, 1)		   /* the table: the set has had an access, */             \
	VECTOR(uint64_t, tag, SET_MONITOR_MAX_SETS, p->sets, p->tag_w)	   /* its last tag, */                                     \
	VECTOR(uint32_t, count, SET_MONITOR_MAX_SETS, p->sets, p->count_w) /* its conflicts so far */

struct set_monitor_params {
	SET_MONITOR_PARAMS(HW_MEMBER_PARAM)
};
struct set_monitor_in {
	HW_STRUCT(SET_MONITOR_INPUTS)
};
struct set_monitor_out {
	HW_STRUCT(SET_MONITOR_OUTPUTS)
};
struct set_monitor {
	HW_STRUCT(SET_MONITOR_REGS)
	struct set_monitor_params p; /* not a register */
};

int set_monitor_params_check(const struct set_monitor_params *p, struct err *e);
void set_monitor_reset(struct set_monitor *s, const struct set_monitor_params *p);
/* The outputs before the edge; they depend on the registers alone. */
void set_monitor_eval(const struct set_monitor *s, const struct set_monitor_in *in, struct set_monitor_out *out);
/* The edge. */
void set_monitor_tick(struct set_monitor *s, const struct set_monitor_in *in);

extern const struct hw_block set_monitor_block;

HW_CLOCKED_PORT(set_monitor)

/* Base-2 logarithm of a power of two. */
static inline uint32_t set_monitor_log2(uint32_t n)
{
	return 31 - (uint32_t)__builtin_clz(n);
}

#endif
