/* A dispatch policy: which CTA of a launch an SM with room gets.
 *
 * The plan names one for each launch. A program of the plan (dispatch/dispatch.h) has a state of each policy that any
 * of its launches names; a policy sees the dispatcher and the program, and changes nothing but its own state. One file
 * a policy:
 *
 *   round_robin     hands out CTAs in ascending order to whichever SM is served next
 *   affinity        gives a CTA only to SMs of the module that the plan has for it; a module without CTAs left stays
 *                   idle
 *   pair_wait       gives CTAs 2k and 2k + 1 to one SM
 *   lists           gives an SM the CTAs of its own list in order; an SM whose list is empty stays idle
 *   group_dispatch  gives groups of CTAs to SMs through a hardware block, which may steal
 *
 * In a cycle in which the dispatcher acts and the program has a launch that has not ended, each policy of the program
 * is asked in this order: before; next of the launch's own policy, once for each SM with room; after; wake.
 */
#ifndef CSIM_DISPATCH_POLICY_H
#define CSIM_DISPATCH_POLICY_H

#include "dispatch/dispatch.h"

struct dispatch_policy {
	const char *name;
	/* Makes the state, in the arena. p->launch to p->end_launch are the program's. Fails as the binder does. Others
	 * cannot. */
	int (*init)(void **state, struct arena *a, const struct dispatch *d, const struct dispatch_program *p,
		    const struct dispatch_hardware *hw, struct err *e);
	/* p->launch begins: own says whether it names this policy. */
	void (*launch)(void *state, const struct dispatch *d, const struct dispatch_program *p, bool own);
	/* The next CTA for this SM; DISPATCH_NONE: none for now. A CTA that is returned is sent. */
	uint32_t (*next)(void *state, const struct dispatch *d, const struct dispatch_program *p, uint32_t sm);

	/* The rest may be NULL. */
	void (*before)(void *state, const struct dispatch *d, const struct dispatch_program *p, struct ticks now);
	void (*after)(void *state, const struct dispatch *d, const struct dispatch_program *p, struct ticks now);
	/* When it must be asked again though nothing comes from an SM; TIME_NEVER. */
	struct ticks (*wake)(const void *state, const struct dispatch *d, struct ticks now);
	/* Whether the CTA that `next` has just returned for this SM was meant for another one: for the timeline. */
	bool (*stolen)(const void *state, uint32_t sm);
};

extern const struct dispatch_policy dispatch_round_robin, dispatch_affinity, dispatch_pair_wait, dispatch_lists,
	dispatch_group_dispatch;

extern const struct dispatch_policy *const dispatch_policies[DISPATCH_COUNT]; /* by enum plan_dispatch */

#endif
