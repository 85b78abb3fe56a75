/* Where things can go on a machine, as planners see it: modules and stacks of memory.
 *
 * Modules have their order of the machine; SMs and stacks are numbered through the modules. An access is local if the
 * stack belongs to the module of the SM.
 */
#ifndef CSIM_PLAN_TOPOLOGY_VIEW_H
#define CSIM_PLAN_TOPOLOGY_VIEW_H

#include "base/arena.h"
#include "machine/machine.h"

struct topology_view {
	uint32_t n_sms, n_modules, n_stacks;
	uint16_t *module_of_sm, *module_of_stack;
	uint32_t *sms;	  /* of a module */
	uint32_t page;	  /* bytes */
	uint32_t fgp_lsb; /* fine-grained: the stack's number begins at this bit of the address */
};

void topology_view_of(struct topology_view *s, const struct machine *m, struct arena *a);

/* The stack of an address in a fine-grained page, and with pages distributed to the stacks in turn. */
static inline uint32_t topology_view_fgp(const struct topology_view *s, uint64_t addr)
{
	return (uint32_t)(addr >> s->fgp_lsb) & (s->n_stacks - 1);
}
static inline uint32_t topology_view_cgp(const struct topology_view *s, uint64_t addr)
{
	return (uint32_t)(addr / s->page) & (s->n_stacks - 1);
}

/* The stack number `n` of a module, wrapping at its last stack; n_stacks if it has none. */
uint32_t topology_view_stack(const struct topology_view *s, uint32_t module, uint32_t n);

#endif
