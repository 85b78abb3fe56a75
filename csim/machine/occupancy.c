#include "machine/occupancy.h"

#include <inttypes.h>

const char *const occupancy_limit_names[OCCUPANCY_LIMITS] = {"CTAs", "warps", "threads", "registers", "bytes of shared memory"};

struct cta_needs occupancy_needs(const struct machine *m, const struct trace_kernel *k, const struct trace_launch *l)
{
	uint64_t unit = m->sm.register_unit, warps = l->warps_per_cta;
	uint64_t warp_regs = ((uint64_t)k->regs_per_thread * TRACE_WARP_SIZE + unit - 1) / unit * unit;

	return (struct cta_needs){{1, warps, warps * TRACE_WARP_SIZE, warps * warp_regs,
				   (uint64_t)k->shared_bytes + l->dynamic_shared_bytes + m->sm.shared_reserve}};
}

struct cta_needs occupancy_has(const struct machine *m)
{
	return (struct cta_needs){{m->sm.ctas, m->sm.warps, m->sm.threads, m->sm.registers, m->sm.shared_bytes}};
}

int occupancy_of(const struct machine *m, const struct trace_kernel *k, const struct trace_launch *l, struct occupancy *out,
		 struct err *e)
{
	const struct cta_needs needs = occupancy_needs(m, k, l), has = occupancy_has(m);
	const uint64_t *need = needs.of, *have = has.of;

	*out = (struct occupancy){.ctas = UINT32_MAX};
	for (unsigned i = 0; i < OCCUPANCY_LIMITS; i++) {
		if (need[i] > have[i])
			return err_set(e, "kernel %s: a CTA needs %" PRIu64 " %s, an SM of %s has %" PRIu64, k->name, need[i],
				       occupancy_limit_names[i], m->name, have[i]);
		if (need[i] > 0 && have[i] / need[i] < out->ctas)
			*out = (struct occupancy){(uint32_t)(have[i] / need[i]), (enum occupancy_limit)i, 0};
	}
	out->shared_bytes = out->ctas * need[OCCUPANCY_SHARED];
	return 0;
}
