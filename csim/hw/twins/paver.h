/* Hands the CTAs of a launch to the SMs, group by group: PAVER's runtime hardware (paver, section 5, Figures 8 and 9,
 * Algorithm 2).
 *
 * Software leaves two tables in memory: the CTA list, all CTAs of the launch in the order of their groups, and the
 * group table, which holds of each group where it begins and ends in the list: [head, tail). Each SM has three
 * registers: `next` and `tail`, the part [next, tail) of its group that is still to be issued to it, and `tb`, the CTA
 * at `next`, fetched from the list while others run. An SM that has nothing left gets the next group of the table, one
 * SM after the other.
 *
 *   SM without CTAs -> group table -> next, tail -> CTA list -> tb -> SM
 *                                         ^
 *        Algorithm 2 when no group is left: part of another SM's [next, tail)
 *
 * A request for an SM goes out while `pending` is set: for a group if next == tail, else for the CTA at next. `valid`:
 * tb holds that CTA. While either is set the entry at next is pinned: it is never stolen, so that a fetch can neither
 * come too late nor a CTA be issued twice (the printed algorithm allows both).
 *
 * Stealing, if the launch wants it (the paper: k-way and RB) and no group is left in the table: an SM that is ready,
 * empty and waits for nothing is the recipient. The SMs are looked at one after the other, a cycle each: the donor has
 * the most entries that may be stolen (the lowest SM of equals); all that wait are added up. The sum is divided by the
 * number of SMs, a bit a cycle. Then
 *   count = max - floor(sum / SMs), at least 1, at most what may be stolen of the donor now
 * entries leave the donor's tail in one cycle, in which no fetch for the donor starts.
 *
 * Timing: a CTA taken in cycle t: its successor's request is seen on req in t + 2, if no other SM's comes before it.
 * What a response in cycle u brings is seen on tb_valid in u + 1 (a CTA), on req in u + 2 (a group's first CTA). A
 * steal: the recipient is chosen in cycle t, SMs looked at in t + 1 to t + sms, divided up to t + sms + ptr_w,
 * subtracted in the next cycle, and ev_steal is high in t + sms + ptr_w + 2.
 *
 * Handshakes: cfg, tb (an element an SM) and req are ready/valid. cfg_ready is high when all CTAs are handed out and
 * nothing is on its way. tb_ready may be high without tb_valid: SM s can start a CTA now. A response has the tag of its
 * request, comes in a later cycle, in any order, and is always taken; one that nobody waits for changes nothing. All
 * outputs depend on registers alone. The block must be stepped if busy, cfg_valid, rsp_valid, or any tb_valid &&
 * tb_ready: without these nothing moves.
 *
 * Assumed of the outside: groups are disjoint, head <= tail < 2^ptr_w; at most 2^ptr_w - 1 groups. RTL:
 * rtl/paver/paver_top.v and its parts, whose registers have the prefixes sm, dispatch, steal.
 */
#ifndef CSIM_HW_TWINS_PAVER_H
#define CSIM_HW_TWINS_PAVER_H

#include "hw/port.h"

enum { PAVER_MAX_SMS = 256 };
enum paver_steal_state { PAVER_IDLE, PAVER_SCAN, PAVER_DIVIDE, PAVER_COUNT, PAVER_APPLY };

/*        type      name     in the RTL  default */
#define PAVER_PARAMS(PARAM)                                                                                                        \
	PARAM(uint32_t, sms, SMS, 15)	  /* 1 to 256 */                                                                           \
	PARAM(uint32_t, ptr_w, PTR_W, 16) /* bits of a position in the CTA list and of a group's number, 2 to 32 */                \
	PARAM(uint32_t, tb_w, TB_W, 16)	  /* bits of a CTA's number, 1 to 32 and at most 2 * ptr_w */

#define PAVER_INPUTS(SCALAR, VECTOR)                                                                                               \
	SCALAR(uint8_t, cfg_valid, 1)			    /* a launch: */                                                        \
	SCALAR(uint32_t, cfg_groups, p->ptr_w)		    /* entries of its group table, */                                      \
	SCALAR(uint8_t, cfg_steal, 1)			    /* and whether CTAs may be stolen */                                   \
	VECTOR(uint8_t, tb_ready, PAVER_MAX_SMS, p->sms, 1) /* SM s has a free context and takes the CTA shown */                  \
	SCALAR(uint8_t, req_ready, 1)                                                                                              \
	SCALAR(uint8_t, rsp_valid, 1)                                                                                              \
	SCALAR(uint32_t, rsp_tag, paver_sm_w(p->sms))                                                                              \
	SCALAR(uint64_t, rsp_data, 2 * p->ptr_w) /* a group: head in the low ptr_w bits, tail above; a CTA: the low tb_w
						  * bits */

#define PAVER_OUTPUTS(SCALAR, VECTOR)                                                                                              \
	SCALAR(uint8_t, cfg_ready, 1) /* all CTAs are handed out, nothing is on its way */                                         \
	VECTOR(uint8_t, tb_valid, PAVER_MAX_SMS, p->sms, 1)                                                                        \
	VECTOR(uint32_t, tb_id, PAVER_MAX_SMS, p->sms, p->tb_w) /* the CTA for SM s */                                             \
	SCALAR(uint8_t, req_valid, 1)                                                                                              \
	SCALAR(uint8_t, req_group, 1)		       /* 1: an entry of the group table, 0: of the CTA list */                    \
	SCALAR(uint32_t, req_index, p->ptr_w)	       /* which */                                                                 \
	SCALAR(uint32_t, req_tag, paver_sm_w(p->sms))  /* the SM */                                                                \
	SCALAR(uint8_t, ev_steal, 1)		       /* event: ev_count CTAs move. All that the recipient */                     \
	SCALAR(uint32_t, ev_donor, paver_sm_w(p->sms)) /* gets from now on, to the end of the launch, is stolen */                 \
	SCALAR(uint32_t, ev_recipient, paver_sm_w(p->sms))                                                                         \
	SCALAR(uint32_t, ev_count, p->ptr_w)                                                                                       \
	SCALAR(uint8_t, busy, 1) /* step the block even without a valid input */

#define PAVER_REGS(SCALAR, VECTOR)                                                                                                 \
	VECTOR(uint32_t, sm__next, PAVER_MAX_SMS, p->sms, p->ptr_w) /* of each SM */                                               \
	VECTOR(uint32_t, sm__tail, PAVER_MAX_SMS, p->sms, p->ptr_w)                                                                \
	VECTOR(uint32_t, sm__tb, PAVER_MAX_SMS, p->sms, p->tb_w)                                                                   \
	VECTOR(uint8_t, sm__valid, PAVER_MAX_SMS, p->sms, 1)                                                                       \
	VECTOR(uint8_t, sm__pending, PAVER_MAX_SMS, p->sms, 1)                                                                     \
	SCALAR(uint32_t, dispatch__group, p->ptr_w) /* the next group of the table, */                                             \
	SCALAR(uint32_t, dispatch__groups, p->ptr_w)                                                                               \
	SCALAR(uint32_t, dispatch__turn, paver_sm_w(p->sms)) /* the SM that is first to ask, */                                    \
	SCALAR(uint8_t, dispatch__req_valid, 1)		     /* the request */                                                     \
	SCALAR(uint8_t, dispatch__req_group, 1)                                                                                    \
	SCALAR(uint32_t, dispatch__req_index, p->ptr_w)                                                                            \
	SCALAR(uint32_t, dispatch__req_tag, paver_sm_w(p->sms))                                                                    \
	SCALAR(uint8_t, steal__on, 1)			  /* the launch wants it; */                                               \
	SCALAR(uint8_t, steal__state, 3)		  /* enum paver_steal_state; */                                            \
	SCALAR(uint32_t, steal__turn, paver_sm_w(p->sms)) /* the SM that is first to be a recipient, */                            \
	SCALAR(uint32_t, steal__recipient, paver_sm_w(p->sms))                                                                     \
	SCALAR(uint32_t, steal__donor, paver_sm_w(p->sms))                                                                         \
	SCALAR(uint32_t, steal__step, paver_step_w(p->sms)) /* the SM looked at, the bit divided; */                               \
	SCALAR(uint32_t, steal__max, p->ptr_w)		    /* MaxWaitingTB, then the count; */                                    \
	SCALAR(uint32_t, steal__sum, p->ptr_w)		    /* AverageWaitingTB, before the division the sum; */                   \
	SCALAR(uint32_t, steal__rest, paver_sm_w(p->sms))   /* of the division */

struct paver_params {
	PAVER_PARAMS(HW_MEMBER_PARAM)
};
struct paver_in {
	HW_STRUCT(PAVER_INPUTS)
};
struct paver_out {
	HW_STRUCT(PAVER_OUTPUTS)
};
struct paver {
	HW_STRUCT(PAVER_REGS)
	struct paver_params p; /* not a register */
};

int paver_params_check(const struct paver_params *p, struct err *e);
void paver_reset(struct paver *s, const struct paver_params *p);
/* The outputs before the edge; they depend on the registers alone. */
void paver_eval(const struct paver *s, const struct paver_in *in, struct paver_out *out);
/* The edge. */
void paver_tick(struct paver *s, const struct paver_in *in);

extern const struct hw_block paver_block;

HW_CLOCKED_PORT(paver)

/* Bits of an SM's number. */
static inline uint32_t paver_sm_w(uint32_t sms)
{
	return sms > 2 ? 32 - (uint32_t)__builtin_clz(sms - 1) : 1;
}

/* Bits of the stealer's counter: SMs, and the bits of a position, 32 at most. */
static inline uint32_t paver_step_w(uint32_t sms)
{
	return paver_sm_w(sms) > 5 ? paver_sm_w(sms) : 5;
}

#endif
