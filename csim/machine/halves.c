#include "machine/halves.h"

#include <inttypes.h>

#include "base/ticks.h"

/* What is on its way between two slices has a place for each L2 cycle there and back: of all slices so many MiB of the
 * simulator's memory at most. */
static int check_memory(const struct machine *m, uint32_t slices, struct err *e)
{
	enum { PLACES = 256 /* bytes: a request, a reply and a notice, with their times */, LIMIT_MIB = 1024 };
	uint64_t cycles = cycles_up(ticks_of(m->l2.far_latency, m->clock.period[CLOCK_CORE]), m->clock.period[CLOCK_L2]);
	uint64_t mib = 2 * cycles * PLACES * slices >> 20;

	if (mib <= LIMIT_MIB)
		return 0;
	return err_set(e,
		       "l2.far_latency: %" PRIu64 " L2 cycles (clock.l2, clock.core) between the halves of %u slices need %" PRIu64
		       " MiB of the simulator's memory, more than %d",
		       cycles, slices, mib, LIMIT_MIB);
}

int machine_check_halves(const struct machine *m, struct err *e)
{
	uint32_t slices = m->dram.stacks * m->dram.channels * m->l2.slices;

	if (m->l2.halves == 1)
		return 0;
	if (!m->l2.enabled || m->module.count > 1 || machine_l2_at_sms(m))
		return err_set(e,
			       "l2.halves: 2 needs one module with its L2 on the memory side (l2.enabled, module.count, l2.side)");
	if (slices % 2 || m->sm.count < 2)
		return err_set(e, "l2.halves: %u slices, or %u SMs, cannot be divided in two", slices, m->sm.count);
	if (m->l2.c.mshr_entries < 2 || m->l2.c.assoc < 2)
		return err_set(e,
			       "l2.halves: 2 needs at least two MSHR entries and two ways per slice (l2.mshr_entries, l2.assoc)");
	return check_memory(m, slices, e);
}
