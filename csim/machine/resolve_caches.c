/* Checks of caches: their shapes, the way of instructions to the schedulers, the memory that the simulator takes. */
#include <inttypes.h>

#include "base/ticks.h"
#include "hw/twins/pric_poly.h"
#include "machine/resolve_impl.h"

int machine_check_cache(const char *name, const struct machine_cache *c, bool hashed, struct err *e)
{
	struct err why = {""};
	uint64_t way = (uint64_t)c->line * c->assoc;

	if (!is_pow2(c->line))
		return err_set(e, "%s.line: %u bytes are not a power of two", name, c->line);
	if (c->bytes % way || !is_pow2(c->bytes / way))
		return err_set(e, "%s.bytes: %u bytes in lines of %u and %u ways do not make a power of two of sets", name,
			       c->bytes, c->line, c->assoc);
	if (!hashed || c->index != INDEX_PRIC)
		return 0;
	if (c->addr_bits && c->addr_bits <= log2u(c->line))
		return err_set(e, "%s.addr_bits: %u bits; must be more than the %u of the offset in a line, or 0", name,
			       c->addr_bits, log2u(c->line));
	if (pric_poly_check(c->poly, machine_cache_sets(c), &why) != 0)
		return err_set(e, "%s.poly: %s", name, why.text);
	return 0;
}

/* Tags and MSHRs of `copies` caches must fit into memory: about so many bytes a line (of which a set has a multiple of
 * four) and a waiting request. */
int machine_check_simulator_memory(const char *name, const struct machine_cache *c, uint32_t ways, uint32_t copies, struct err *e)
{
	enum { LINE = 64, WAITING = 56 };
	uint64_t lines = (uint64_t)machine_cache_sets(c) * ((ways + 3) / 4 * 4);
	uint64_t one = lines * LINE + (uint64_t)c->mshr_entries * c->mshr_merges * WAITING;
	uint64_t mib = one * copies >> 20;

	if (mib <= MACHINE_LIMIT_MIB)
		return 0;
	return err_set(e,
		       "%s.bytes: %u caches of that many lines, MSHR entries and merges need %" PRIu64
		       " MiB of the simulator's memory, more than %u",
		       name, copies, mib, MACHINE_LIMIT_MIB);
}

/* So must the pipes from the slices to the channels, which hold a request for each L2 cycle of dram.latency. */
int machine_check_pipes(const struct machine *m, struct err *e)
{
	enum { REQUEST = 128 };
	uint64_t cycles = cycles_in(ticks_of(m->dram.latency, m->clock.period[CLOCK_CORE]), m->clock.period[CLOCK_L2]);
	uint64_t mib = (cycles + m->l2.c.miss_queue) * REQUEST * m->dram.stacks * m->dram.channels * m->l2.slices >> 20;

	if (mib <= MACHINE_LIMIT_MIB)
		return 0;
	return err_set(e,
		       "dram.latency: pipes of %" PRIu64 " L2 cycles (clock.l2, clock.core) for %u slices need %" PRIu64
		       " MiB of the simulator's memory, more than %u",
		       cycles, m->dram.stacks * m->dram.channels * m->l2.slices, mib, MACHINE_LIMIT_MIB);
}

/* And the reads that may wait in the slices' coalescers. */
int machine_check_coalescers(const struct machine *m, struct err *e)
{
	enum { READ = 64 };
	uint32_t slices = m->dram.stacks * m->dram.channels * m->l2.slices;
	uint64_t mib = (uint64_t)m->l2.coalescer * (m->l2.coalescer_merges - 1) * READ * slices >> 20;

	if (mib <= MACHINE_LIMIT_MIB)
		return 0;
	return err_set(e,
		       "l2.coalescer: that many entries of l2.coalescer_merges reads in %u slices need %" PRIu64
		       " MiB of the simulator's memory, more than %u",
		       slices, mib, MACHINE_LIMIT_MIB);
}

enum { MOST_AHEAD = 8 /* FETCH_MOST_AHEAD of sm/fetch.h */ };

static int check_l0(const struct machine *m, struct err *e)
{
	if (!m->l0.c.bytes)
		return 0;
	if (m->fetch.width > MOST_AHEAD)
		return err_set(e, "fetch.width: with L0s (l0.bytes) a buffer holds at most %d instructions, not %u", MOST_AHEAD,
			       m->fetch.width);
	return machine_check_cache("l0", &m->l0.c, false, e) != 0
		       ? -1
		       : machine_check_simulator_memory("l0", &m->l0.c, m->l0.c.assoc, m->sm.count * m->sm.schedulers, e);
}

/* GPCs of whole pairs of SMs, or all but one, of a machine that is one module. */
static int check_gcc(const struct machine *m, struct err *e)
{
	uint32_t pairs = (m->sm.count + 1) / 2, most = (pairs + m->gcc.count - 1) / m->gcc.count;

	if (!m->gcc.c.bytes)
		return 0;
	if (m->module.count > 1)
		return err_set(e, "gcc.bytes: GPCs need a machine of one module, not %u (module.count)", m->module.count);
	if (m->gcc.count > pairs)
		return err_set(e, "gcc.count: %u GPCs are more than %u SMs (sm.count) make pairs", m->gcc.count, m->sm.count);
	if (2 * most > MACHINE_MAX_GPC_SMS)
		return err_set(e, "gcc.count: %u SMs (sm.count) in %u GPCs are more than %d in one", m->sm.count, m->gcc.count,
			       MACHINE_MAX_GPC_SMS);
	return machine_check_cache("gcc", &m->gcc.c, false, e) != 0
		       ? -1
		       : machine_check_simulator_memory("gcc", &m->gcc.c, m->gcc.c.assoc, m->gcc.count, e);
}

int machine_check_fetch(const struct machine *m, struct err *e)
{
	if (!m->fetch.width)
		return 0;
	if (m->vm.enabled)
		return err_set(e,
			       "fetch.width: instructions have physical addresses: not with vm.enabled (0: they are always there)");
	if (!is_pow2(m->fetch.inst_bytes))
		return err_set(e, "fetch.inst_bytes: %u is not a power of two", m->fetch.inst_bytes);
	if (m->fetch.cache.line > m->l2.c.line)
		return err_set(e, "icache.line: %u bytes are more than an L2 line (%u)", m->fetch.cache.line, m->l2.c.line);
	if (machine_check_cache("icache", &m->fetch.cache, false, e) != 0 ||
	    machine_check_simulator_memory("icache", &m->fetch.cache, m->fetch.cache.assoc, m->sm.count, e) != 0)
		return -1;
	return check_l0(m, e) == 0 ? check_gcc(m, e) : -1;
}
