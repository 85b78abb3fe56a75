/* Chooses the victim in a set of a cache whose lines can be pinned (ldesc, section 4.4).
 *
 * A way is invalid, valid, or reserved: a line is on its way into it. A line has no pin, a soft one, or a hard one.
 * The victim is
 *     an invalid way, the lowest of several
 *     else the least recently used line that has no pin
 *     else the least recently used one with a soft pin
 *     else way 0: all lines have a hard pin, and all ways but one stay as they are
 * A reserved way is never chosen: in the last case it is the lowest way that is not reserved, and if all are, none is
 * found. None is found either for a request that bypasses: of an access to a data structure that the cache keeps
 * nothing of (hw/twins/locality_table.h). A timer ends all pins together: with the first input `timer` or more cycles
 * after the first pin since the last time.
 *
 *   request (set, bypass) -> pending request -> choice over the table -> response (way) -> given way
 *   operation, fill -> table: state, pins and order of each set
 *
 * A line takes a way only if the block has given it: the response that was taken last, in the same cycle or before,
 * found this way of this set, and no line has taken it yet. Any other take is not done. So it is the block that decides
 * whether a line is allocated: what bypasses never is, and a line on its way is never overwritten, whatever the cache
 * asks for.
 *
 * The order is a rank for each way: 0 has been used last, ways - 1 longest ago; the ranks of a set are a permutation
 * at all times.
 *
 * Operations, one a cycle, always taken: a line is used; a line takes a way, at once or as reserved, with its pin; a
 * line is dropped; all lines that are not reserved are dropped. Beside it a fill a cycle: the reserved line of a way
 * is there, or is there and dropped. In one cycle the operation comes first, then the fill. A choice is by the table
 * as it is, so that the response follows what operations and fills do while it waits to be taken.
 *
 * Timing: a request taken in cycle t is answered in t + 1, by all operations and fills up to cycle t. A request a
 * cycle. `now` is the SM's cycle counter; it is looked at with a valid input alone, and differences of 2^32 cycles
 * are not seen. req_ready depends on rsp_ready, unpin on now and the valid inputs, all other outputs on registers
 * alone.
 * Source: ldesc, section 4.4. RTL: rtl/pin_replacement/pin_replacement.v.
 */
#ifndef CSIM_HW_TWINS_PIN_REPLACEMENT_H
#define CSIM_HW_TWINS_PIN_REPLACEMENT_H

#include "hw/port.h"

enum { PIN_REPLACEMENT_MAX_WAYS = 16, PIN_REPLACEMENT_MAX_SETS = 256 };

enum pin_replacement_op { PIN_OP_USE, PIN_OP_TAKE, PIN_OP_DROP, PIN_OP_DROP_ALL };
enum pin_replacement_pin { PIN_NONE, PIN_SOFT, PIN_HARD }; /* 3 is hard too */

/*        type      name   in the RTL  default */
#define PIN_REPLACEMENT_PARAMS(PARAM)                                                                                              \
	PARAM(uint32_t, sets, SETS, 32)	      /* a power of two, 1 to 256 */                                                       \
	PARAM(uint32_t, ways, WAYS, 4)	      /* 1 to 16 */                                                                        \
	PARAM(uint32_t, timer, TIMER, 100000) /* cycles, 1 to 2^31 - 1 */

#define PIN_REPLACEMENT_INPUTS(SCALAR, VECTOR)                                                                                     \
	SCALAR(uint32_t, now, 32)                                                                                                  \
	SCALAR(uint8_t, req_valid, 1)                                                                                              \
	SCALAR(uint32_t, req_set, pin_replacement_bits(p->sets))                                                                   \
	SCALAR(uint8_t, req_bypass, 1) /* the access is to be given no way */                                                      \
	SCALAR(uint8_t, rsp_ready, 1)                                                                                              \
	SCALAR(uint8_t, op_valid, 1)                                                                                               \
	SCALAR(uint8_t, op_kind, 2) /* enum pin_replacement_op */                                                                  \
	SCALAR(uint32_t, op_set, pin_replacement_bits(p->sets))                                                                    \
	SCALAR(uint32_t, op_way, pin_replacement_bits(p->ways))                                                                    \
	SCALAR(uint8_t, op_reserve, 1) /* of PIN_OP_TAKE: the line is on its way, */                                               \
	SCALAR(uint8_t, op_pin, 2)     /* and its pin, enum pin_replacement_pin */                                                 \
	SCALAR(uint8_t, fill_valid, 1)                                                                                             \
	SCALAR(uint32_t, fill_set, pin_replacement_bits(p->sets))                                                                  \
	SCALAR(uint32_t, fill_way, pin_replacement_bits(p->ways))                                                                  \
	SCALAR(uint8_t, fill_drop, 1) /* nobody wants the line any more */

#define PIN_REPLACEMENT_OUTPUTS(SCALAR, VECTOR)                                                                                    \
	SCALAR(uint8_t, req_ready, 1)                                                                                              \
	SCALAR(uint8_t, rsp_valid, 1)                                                                                              \
	SCALAR(uint8_t, rsp_found, 1)				 /* 0: all ways are reserved, or it bypasses */                    \
	SCALAR(uint32_t, rsp_way, pin_replacement_bits(p->ways)) /* the victim; 0 without one */                                   \
	SCALAR(uint8_t, rsp_pin, 2) /* the pin that its line has: PIN_HARD in a set full of them alone */                          \
	SCALAR(uint8_t, unpin, 1)   /* event: all pins end in this cycle, before its operation */                                  \
	SCALAR(uint8_t, busy, 1)    /* a response waits: step the block even without a valid input */

#define PIN_REPLACEMENT_REGS(SCALAR, VECTOR)                                                                                       \
	SCALAR(uint8_t, req_valid, 1) /* the pending request */                                                                    \
	SCALAR(uint32_t, req_set, pin_replacement_bits(p->sets))                                                                   \
	SCALAR(uint8_t, req_bypass, 1)                                                                                             \
	SCALAR(uint8_t, given, 1) /* a way that no line has taken yet: */                                                          \
	SCALAR(uint32_t, given_set, pin_replacement_bits(p->sets))                                                                 \
	SCALAR(uint32_t, given_way, pin_replacement_bits(p->ways))                                                                 \
	SCALAR(uint8_t, timing, 1) /* the timer runs, since: */                                                                    \
	SCALAR(uint32_t, start, 32)                                                                                                \
	/* a row a set, of a bit a way; rank: of pin_replacement_bits(ways) bits a way */                                          \
	VECTOR(uint32_t, valid, PIN_REPLACEMENT_MAX_SETS, p->sets, p->ways) /* reserved ones too */                                \
	VECTOR(uint32_t, reserved, PIN_REPLACEMENT_MAX_SETS, p->sets, p->ways)                                                     \
	VECTOR(uint32_t, soft, PIN_REPLACEMENT_MAX_SETS, p->sets, p->ways)                                                         \
	VECTOR(uint32_t, hard, PIN_REPLACEMENT_MAX_SETS, p->sets, p->ways)                                                         \
	VECTOR(uint64_t, rank, PIN_REPLACEMENT_MAX_SETS, p->sets, p->ways *pin_replacement_bits(p->ways))

struct pin_replacement_params {
	PIN_REPLACEMENT_PARAMS(HW_MEMBER_PARAM)
};
struct pin_replacement_in {
	HW_STRUCT(PIN_REPLACEMENT_INPUTS)
};
struct pin_replacement_out {
	HW_STRUCT(PIN_REPLACEMENT_OUTPUTS)
};
struct pin_replacement {
	HW_STRUCT(PIN_REPLACEMENT_REGS)
	struct pin_replacement_params p; /* not a register */
};

int pin_replacement_params_check(const struct pin_replacement_params *p, struct err *e);
void pin_replacement_reset(struct pin_replacement *s, const struct pin_replacement_params *p);
/* The outputs before the edge. */
void pin_replacement_eval(const struct pin_replacement *s, const struct pin_replacement_in *in, struct pin_replacement_out *out);
/* The edge. */
void pin_replacement_tick(struct pin_replacement *s, const struct pin_replacement_in *in);

extern const struct hw_block pin_replacement_block;

HW_CLOCKED_PORT(pin_replacement)

/* Bits of a number below n, at least one. */
static inline uint32_t pin_replacement_bits(uint32_t n)
{
	return n > 2 ? 32 - (uint32_t)__builtin_clz(n - 1) : 1;
}

#endif
