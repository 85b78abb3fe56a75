/* A warp throttle: which warps of an SM may issue, which of them loads, and whose loads may allocate in the L1.
 *
 * The schedulers choose among the warps that the throttle has made active; the others stay on the SM and issue
 * nothing, so that fewer warps share the L1. A throttle that restrains loads alone lets all other instructions of a
 * warp issue. An SM asks its throttle at the begin of a cycle, before the schedulers, and only if the answer may have
 * changed: a warp has begun, exited, reached a barrier or left one since, `observe` returned true, or the cycle has
 * come that `next` named. What it answers holds from that cycle on. The policies:
 *
 *   none   all warps are active
 *   swt    the oldest N of each scheduler that do not wait at a barrier (dwt-pric's comparator SWT)
 *   cta    those of the oldest N CTAs that have any that do not (its CTA throttling, static)
 *   dwt-cs as swt, with a limit that somebody sets as the run goes on (csim/throttle/: its DWT-CS)
 *   ccws   all are active; those that lose locality in the L1 may load, others not (its comparator CCWS)
 *   pcal   as swt; of the active warps the loads of the oldest N of each scheduler allocate, the others go past (PCAL)
 *
 * A throttle must not leave a warp inactive for whom the active ones wait: at a barrier that is prevented by giving
 * the turns of waiting warps to others (warp_throttle_oldest), or by an end of each restraint in time (ccws); nothing
 * else in a trace makes a warp wait for another.
 *
 * Units: core cycles; sets of warps are 64-bit masks over warp slots. Source: dwt-pric, section 4.2;
 * docs/explanation/sm.md.
 */
#ifndef CSIM_POLICY_WARP_THROTTLE_H
#define CSIM_POLICY_WARP_THROTTLE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "machine/machine.h"

struct warp_view { /* what a throttle sees of its SM */
	uint64_t cycle;
	uint64_t running;	/* warps that have not exited */
	uint64_t eligible;	/* of them, those that do not wait at a barrier */
	uint32_t limit;		/* warps of a scheduler, for the kernel that runs (policy/kernel_limits.h) */
	unsigned schedulers;	/* scheduler s has the warps of ... */
	const uint64_t *own;	/* ... own[s] */
	unsigned n_ctas;	/* CTAs by the order in which they came, oldest first: */
	const uint64_t *of_cta; /* the warps of each */
};

struct warp_load { /* a load from global or local memory that the L1 has taken, as a transaction */
	uint64_t cycle;
	uint64_t insts;	      /* warp instructions that the SM has issued in the launch */
	uint64_t line;	      /* number: physical byte address / bytes of a line */
	unsigned warp;	      /* slot */
	bool brought_in;      /* it missed, and allocated its line */
	bool evicted;	      /* a line made room for it: */
	uint64_t victim;      /* its number, */
	unsigned victim_warp; /* and the warp slot whose load had brought it in */
};

struct warp_throttle_counts {	/* of an SM */
	uint64_t lost, victims; /* ccws: loads that missed what their warp had lost; lines noted as victims */
	/* ccws: cycles in which not all warps might load; the warps that might, summed over these cycles */
	uint64_t limited, loaders;
};

struct warp_throttle {
	const char *name;
	/* Each function is NULL where a throttle has no use for it; without `active` all warps are active, without
	 * `may_load` all may load, without `may_allocate` all loads allocate. */

	/* Makes the state of an SM, in the arena; without it the state is NULL. */
	void (*init)(void **state, struct arena *a, const struct machine *m);

	/* Its settings are now this machine's (machine/live.h). */
	void (*change)(void *state, const struct machine *m);

	/* The SM begins a launch of a kernel of the trace in `cycle`. */
	void (*launch)(void *state, uint64_t cycle, uint32_t kernel);
	/* The warps that may issue from v->cycle on. */
	uint64_t (*active)(void *state, const struct warp_view *v);
	/* The cycle after `cycle` in which the answer changes though nothing happens to any warp; UINT64_MAX: it
	 * does not. */
	uint64_t (*next)(const void *state, uint64_t cycle);

	/* The warps that may issue loads from global and local memory from v->cycle on; asked right after `active`, and
	 * said also of warps that are not active. */
	uint64_t (*may_load)(void *state, const struct warp_view *v);
	/* The L1 has taken a load. Whether the answers may have changed. */
	bool (*observe)(void *state, const struct warp_load *l);
	/* The L1 has dropped the line because of a store or an atomic, if it had it. */
	void (*dropped)(void *state, uint64_t line);
	/* Whether a load of this warp slot that misses brings its line in; if not, it goes past the L1. */
	bool (*may_allocate)(const void *state, unsigned warp);
	/* What it has counted up to `cycle`. */
	void (*count)(const void *state, uint64_t cycle, struct warp_throttle_counts *to);
};

extern const struct warp_throttle warp_throttle_none, warp_throttle_swt, warp_throttle_cta, warp_throttle_ordered,
	warp_throttle_ccws, warp_throttle_pcal;

/* Of the state of warp_throttle_ordered: the limit from the next question on; 0: none. Whoever sets it has the SM ask
 * again. */
void warp_throttle_order(void *state, uint32_t limit);

/* Whether it wants to know of the L1's loads, or to say which of them allocate. */
static inline bool warp_throttle_minds_loads(const struct warp_throttle *t)
{
	return t->observe || t->may_allocate;
}

/* The one that the machine names (throttle.policy). */
const struct warp_throttle *warp_throttle_of(const struct machine *m);

/* The oldest n eligible warps of each scheduler: by CTA in the order of arrival, then by slot. */
uint64_t warp_throttle_oldest(const struct warp_view *v, uint32_t n);

#endif
