/* Where things can go on a machine, as planners see it: homes of CTAs and stacks of memory.
 *
 * The modules are the homes, in their order; SMs and stacks are numbered through the modules. An access is local if the stack
 * belongs to the module of the SM.
 */
#ifndef CSIM_PLAN_TOPOLOGY_VIEW_H
#define CSIM_PLAN_TOPOLOGY_VIEW_H

#include "base/arena.h"
#include "machine/machine.h"

struct plan_site {
	uint32_t n_sms, n_homes, n_stacks;
	uint16_t *home_of_sm, *home_of_stack;
	uint32_t *sms;	  /* of a home */
	uint32_t page;	  /* bytes */
	uint32_t fgp_lsb; /* fine-grained: the stack's number begins at this bit of the address */
};

void plan_site_of(struct plan_site *s, const struct machine *m, struct arena *a);

/* The stack of an address in a fine-grained page, and with pages dealt to the stacks in turn. */
static inline uint32_t plan_site_fgp(const struct plan_site *s, uint64_t addr)
{
	return (uint32_t)(addr >> s->fgp_lsb) & (s->n_stacks - 1);
}
static inline uint32_t plan_site_cgp(const struct plan_site *s, uint64_t addr)
{
	return (uint32_t)(addr / s->page) & (s->n_stacks - 1);
}

/* The stack of a home's number `n`, counted round its stacks; n_stacks if it has none. */
uint32_t plan_site_stack(const struct plan_site *s, uint32_t home, uint32_t n);

#endif
