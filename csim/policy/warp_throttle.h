/* A warp throttle: which warps of an SM may issue.
 *
 * The schedulers choose among the warps that the throttle has made active; the others stay on the SM and issue
 * nothing, so that fewer warps share the L1. An SM asks its throttle at the begin of a cycle, before the schedulers,
 * and only if the answer may have changed: a warp has begun, exited, reached a barrier or left one since, or the cycle
 * has come that `next` named. What it answers holds from that cycle on. One file a policy:
 *
 *   none   all warps are active
 *   swt    the oldest N of each scheduler that do not wait at a barrier (dwt-pric's comparator SWT)
 *   cta    those of the oldest N CTAs that have any that do not (its CTA throttling, static)
 *   dwt-cs as swt, with a limit that somebody sets as the run goes on (csim/throttle/: its DWT-CS)
 *
 * A throttle must not leave a warp inactive for whom the active ones wait: at a barrier that is prevented by giving
 * the turns of waiting warps to others (warp_throttle_oldest); nothing else in a trace makes a warp wait for another.
 *
 * Units: core cycles; sets of warps are 64-bit masks over warp slots. Source: dwt-pric, section 4.2; docs/core.md.
 */
#ifndef CSIM_POLICY_WARP_THROTTLE_H
#define CSIM_POLICY_WARP_THROTTLE_H

#include <stdint.h>

#include "base/arena.h"
#include "machine/machine.h"

struct warp_view { /* what a throttle sees of its SM */
	uint64_t cycle;
	uint64_t eligible;	/* warps that have not exited and do not wait at a barrier */
	unsigned schedulers;	/* scheduler s has the warps of ... */
	const uint64_t *own;	/* ... own[s] */
	unsigned n_ctas;	/* CTAs by the order in which they came, oldest first: */
	const uint64_t *of_cta; /* the warps of each */
};

struct warp_throttle {
	const char *name;
	/* Makes the state of an SM, in the arena. */
	void (*init)(void **state, struct arena *a, const struct machine *m);

	/* The rest is NULL where a throttle has no use for it; without `active` all warps are active. */

	/* The SM begins a launch of a kernel of the trace in `cycle`. */
	void (*launch)(void *state, uint64_t cycle, uint32_t kernel);
	/* The warps that may issue from v->cycle on. */
	uint64_t (*active)(void *state, const struct warp_view *v);
	/* The cycle after `cycle` in which the answer changes though nothing happens to any warp; UINT64_MAX: it
	 * does not. */
	uint64_t (*next)(const void *state, uint64_t cycle);
};

extern const struct warp_throttle warp_throttle_none, warp_throttle_swt, warp_throttle_cta, warp_throttle_ordered;

/* Of the state of warp_throttle_ordered: the limit from the next question on; 0: none. Whoever sets it has the SM ask
 * again. */
void warp_throttle_order(void *state, uint32_t limit);

/* The one that the machine names (throttle.policy). */
const struct warp_throttle *warp_throttle_of(const struct machine *m);

/* The oldest n eligible warps of each scheduler: by CTA in the order of arrival, then by slot. */
uint64_t warp_throttle_oldest(const struct warp_view *v, uint32_t n);

#endif
