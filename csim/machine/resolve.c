/* Checks that no single key can show, and what follows from the keys: the common clock. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/ticks.h"
#include "hw/twins/addr_decoder.h"
#include "hw/twins/throttle_mode.h"
#include "machine/carveout.h"
#include "machine/halves.h"
#include "machine/machine.h"
#include "machine/resolve_impl.h"
#include "machine/schema.h"
#include "machine/subcores.h"
#include "machine/topology.h"

/* The common clock may be at most this fast, so that 2^63 ticks last for half an hour of simulated time. */
static const uint64_t MAX_TICKS_PER_US = UINT64_C(1) << 32;

static uint64_t gcd(uint64_t a, uint64_t b)
{
	return b ? gcd(b, a % b) : a;
}

static int resolve_clocks(struct machine *m, struct err *e)
{
	uint64_t common = 1;

	for (unsigned i = 0; i < CLOCK_COUNT; i++) {
		if (i == CLOCK_CPU && !m->cpu.count)
			continue;
		common = common / gcd(common, m->clock.mhz[i]) * m->clock.mhz[i];
		if (common > MAX_TICKS_PER_US)
			return err_set(e, "clock.*: %u, %u, %u, %u MHz have no common clock below %" PRIu64 " MHz", m->clock.mhz[0],
				       m->clock.mhz[1], m->clock.mhz[2], m->clock.mhz[3], MAX_TICKS_PER_US);
	}
	m->clock.ticks_per_us = common;
	for (unsigned i = 0; i < CLOCK_COUNT; i++)
		m->clock.period[i] = i == CLOCK_CPU && !m->cpu.count ? 0 : (uint32_t)(common / m->clock.mhz[i]);
	return 0;
}

static int check_tensor(const struct machine *m, struct err *e)
{
	for (unsigned i = 0; i < sizeof m->pipe.tensor_rate / sizeof *m->pipe.tensor_rate; i++)
		if (m->pipe.tensor_rate[i])
			return 0;
	return m->pipe.tensor ? err_set(e, "pipe.tensor: %u units, but pipe.tensor_rate is 0 for all elements", m->pipe.tensor) : 0;
}

/* "full": one set. */
static void resolve_ways(struct machine_cache *c)
{
	if (!c->assoc)
		c->assoc = c->bytes / c->line ? c->bytes / c->line : 1;
}

/* From the top: any order of B and C, then the S of the burst; their numbers give banks, columns and bytes. */
static int check_map(const struct machine *m, struct err *e)
{
	const char *map = m->dram.map, *s = strchr(map, 'S');
	unsigned b = 0, c = 0, low = s ? (unsigned)strlen(s) : 0;

	for (const char *p = map; *p; p++) {
		if (!strchr("BCS", *p) || (s && p > s && *p != 'S'))
			return err_set(e, "dram.map: %s: B and C in any order, then S", map);
		b += *p == 'B';
		c += *p == 'C';
	}
	if (b > 6 || UINT64_C(1) << b != m->dram.banks)
		return err_set(e, "dram.map: %s has %u B for %u banks (dram.banks)", map, b, m->dram.banks);
	if (low > 7 || 1u << low != m->dram.burst_bytes)
		return err_set(e, "dram.map: %s has %u S for bursts of %u bytes (dram.burst_bytes)", map, low, m->dram.burst_bytes);
	if (c + low > 20 || 1u << (c + low) != m->dram.row_bytes)
		return err_set(e, "dram.map: %s has %u C and %u S for rows of %u bytes (dram.row_bytes)", map, c, low,
			       m->dram.row_bytes);
	if (m->l2.c.line > m->dram.row_bytes || memchr(map + strlen(map) - log2u(m->l2.c.line), 'B', log2u(m->l2.c.line)))
		return err_set(e, "dram.map: %s spreads an L2 line of %u bytes over several rows or banks", map, m->l2.c.line);
	return 0;
}

/* The most that a refresh may take from its due time to the first column access after it, DRAM cycles. */
static uint32_t time_of_a_refresh(const struct machine *m)
{
	uint32_t column = m->dram.cl + m->dram.wl + 2 * m->dram.burst + m->dram.cdlr + m->dram.wr + 2;

	return column + m->dram.ras + m->dram.rc + m->dram.rp + (m->dram.refresh_banks ? m->dram.rfcsb : m->dram.rfc) + m->dram.rcd;
}

static int check_dram(const struct machine *m, struct err *e)
{
	uint32_t ch = m->dram.channels;

	if (addr_decoder_odd(ch) > ADDR_DECODER_MAX_ODD)
		return err_set(e, "dram.channels: %u is not 2^k times an odd number up to %d", ch, ADDR_DECODER_MAX_ODD);
	if (!is_pow2(m->l2.slices))
		return err_set(e, "l2.slices: %u is not a power of two", m->l2.slices);
	if (!is_pow2(m->dram.interleave) || m->dram.interleave < m->l2.c.line)
		return err_set(e, "dram.interleave: %u bytes are not a power of two of at least an L2 line (%u)",
			       m->dram.interleave, m->l2.c.line);
	if (!is_pow2(m->dram.groups) || m->dram.groups > m->dram.banks)
		return err_set(e, "dram.groups: %u is not a power of two of at most dram.banks (%u)", m->dram.groups,
			       m->dram.banks);
	if (m->l2.c.line % m->dram.burst_bytes)
		return err_set(e, "dram.burst_bytes: %u does not divide the L2 line of %u bytes", m->dram.burst_bytes,
			       m->l2.c.line);
	if (m->dram.write_low >= m->dram.write_high || m->dram.write_high > m->dram.queue)
		return err_set(e, "dram.write_high: must be above dram.write_low (%u) and at most dram.queue (%u)",
			       m->dram.write_low, m->dram.queue);
	if (m->dram.refresh && m->dram.refresh_banks && m->dram.rrefd > m->dram.refi / m->dram.banks)
		return err_set(e, "dram.rrefd: it must end before the next bank's refresh, %u cycles later",
			       m->dram.refi / m->dram.banks);
	if (m->dram.refresh && time_of_a_refresh(m) >= m->dram.refi)
		return err_set(e, "dram.refi: %u cycles; must be more than the %u that a refresh and an access take", m->dram.refi,
			       time_of_a_refresh(m));
	return check_map(m, e);
}

static bool is_sectors(const struct machine_cache *c, uint32_t least)
{
	uint32_t n = machine_cache_sectors(c);

	return is_pow2(n) && c->line / n >= least && !(c->line / n % least);
}

/* What goes by whole lines, or by the way that a miss has taken. */
static int check_l1_policies(const struct machine *m, const char *key, const char *value, struct err *e)
{
	if (m->l1.miss_room || m->l1.store_needs_line)
		return err_set(e, "%s: %s does not go with l1.miss_room and l1.store_needs_line", key, value);
	if (m->throttle.policy == THROTTLE_CCWS)
		return err_set(e, "%s: %s does not go with throttle.policy ccws", key, value);
	if (m->caches.locality_classes)
		return err_set(e, "%s: %s does not go with caches.locality_classes", key, value);
	return 0;
}

/* With page tables, and behind the buffer of l1.front.policy, transactions come one a cycle. */
static int check_l1_ports(const struct machine *m, struct err *e)
{
	uint32_t sector = m->l1.c.line / machine_cache_sectors(&m->l1.c);

	if (!is_pow2(m->l1.banks))
		return err_set(e, "l1.banks: %u is not a power of two", m->l1.banks);
	if (m->l1.bank_bytes && (!is_pow2(m->l1.bank_bytes) || m->l1.bank_bytes < sector || m->l1.bank_bytes > m->l1.c.line))
		return err_set(e, "l1.bank_bytes: %u is not a power of two from a sector (%u) to a line (%u)", m->l1.bank_bytes,
			       sector, m->l1.c.line);
	if (m->l1.port_bytes % sector)
		return err_set(e, "l1.port_bytes: %u bytes are not whole sectors of %u (l1.line, l1.sectors)", m->l1.port_bytes,
			       sector);
	if (m->l1.port_bytes && m->l1.port_bytes < m->l1.c.line && (m->vm.enabled || m->l1.front.policy))
		return err_set(e, "l1.port_bytes: less than a line does not go with vm.enabled and l1.front.policy");
	return 0;
}

static int check_lines(const struct machine *m, struct err *e)
{
	if (!is_sectors(&m->l1.c, 8))
		return err_set(
			e, "l1.sectors: a line of %u bytes (l1.line) cannot have %u sectors: 1, 2 or 4 of at least 8 bytes each",
			m->l1.c.line, m->l1.c.sectors);
	if (!is_sectors(&m->l2.c, m->dram.burst_bytes))
		return err_set(e,
			       "l2.sectors: a line of %u bytes (l2.line) cannot have %u sectors: 1, 2 or 4 of whole bursts "
			       "(dram.burst_bytes) each",
			       m->l2.c.line, m->l2.c.sectors);
	if (machine_cache_sectors(&m->l1.c) > 1 && m->l1.replacement == REPLACE_PIN && m->l1.allocate == L1_ALLOCATE_ON_MISS)
		return err_set(e, "l1.sectors: with l1.replacement=pin, more than one sector needs l1.allocate=fill");
	if (machine_cache_sectors(&m->l1.c) > 1 && check_l1_policies(m, "l1.sectors", "more than one", e) != 0)
		return -1;
	return m->l1.allocate == L1_ALLOCATE_ON_FILL ? check_l1_policies(m, "l1.allocate", "fill", e) : 0;
}

static int check_tlb(const char *name, const struct machine_tlb *t, uint32_t copies, struct err *e)
{
	enum { ENTRY = 64 };
	uint64_t mib = (uint64_t)t->entries * copies * ENTRY >> 20;

	if (t->entries % t->ways || !is_pow2(t->entries / t->ways))
		return err_set(e, "%s.entries: %u entries in %u ways (%s.ways) do not make a power of two of sets", name,
			       t->entries, t->ways, name);
	if (mib > MACHINE_LIMIT_MIB)
		return err_set(e, "%s.entries: %u TLBs of that many need %" PRIu64 " MiB of the simulator's memory, more than %u",
			       name, copies, mib, MACHINE_LIMIT_MIB);
	return 0;
}

/* A few bytes of the simulator's memory for each page of memory, mapped or not. */
static int check_frames(const struct machine *m, struct err *e)
{
	enum { MAX_LOG2 = 26 };
	uint64_t frames = ((uint64_t)m->vm.stack_mib << 20) / m->vm.page * m->dram.stacks;

	if (frames >> MAX_LOG2)
		return err_set(
			e, "vm.stack_mib: %u MiB in each of %u stacks (dram.stacks) are more than 2^%d pages of %u bytes (vm.page)",
			m->vm.stack_mib, m->dram.stacks, MAX_LOG2, m->vm.page);
	return 0;
}

static int check_vm(const struct machine *m, struct err *e)
{
	if (m->vm.page != 4u << 10 && m->vm.page != 64u << 10 && m->vm.page != 2u << 20)
		return err_set(e, "vm.page: %u bytes are not 4K, 64K or 2M", m->vm.page);
	if (((uint64_t)m->vm.stack_mib << 20) % m->vm.page)
		return err_set(e, "vm.stack_mib: %u MiB are not a whole number of pages of %u bytes (vm.page)", m->vm.stack_mib,
			       m->vm.page);
	if (m->vm.migrate && (!m->vm.enabled || m->module.count == 1))
		return err_set(e, "vm.migrate: pages move between modules: needs vm.enabled and module.count above 1");
	if (m->vm.enabled && check_frames(m, e) != 0)
		return -1;
	if (check_tlb("vm.l1_tlb", &m->vm.l1, m->sm.count, e) != 0)
		return -1;
	return check_tlb("vm.l2_tlb", &m->vm.l2, m->module.count, e);
}

static int check_cpu_cache(const struct machine *m, const char *name, uint32_t bytes, uint32_t ways, struct err *e)
{
	uint32_t way = m->cpu.line * ways;

	if (bytes % way || !is_pow2(bytes / way))
		return err_set(e,
			       "cpu.%s.bytes: %u bytes in lines of %u (cpu.line) and %u ways (cpu.%s.ways) do not make a power "
			       "of two of sets",
			       name, bytes, m->cpu.line, ways, name);
	return 0;
}

static int check_cpu(const struct machine *m, struct err *e)
{
	if (!m->cpu.count)
		return 0;
	if (!is_pow2(m->cpu.line) || m->cpu.line > m->l2.c.line)
		return err_set(e, "cpu.line: %u bytes: must be a power of two, at most l2.line (%u bytes)", m->cpu.line,
			       m->l2.c.line);
	if (!is_pow2(m->cpu.simd))
		return err_set(e, "cpu.simd: %u is not a power of two", m->cpu.simd);
	if (!is_pow2(m->store_tracker.entries))
		return err_set(e, "store_tracker.entries: %u is not 2, 4 or 8", m->store_tracker.entries);
	if (m->cpu.l2.latency <= m->cpu.l1.latency)
		return err_set(e, "cpu.l2.latency: %u cycles; must be more than cpu.l1.latency (%u)", m->cpu.l2.latency,
			       m->cpu.l1.latency);
	if (m->cpu.l3.latency <= m->cpu.l2.latency)
		return err_set(e, "cpu.l3.latency: %u cycles; must be more than cpu.l2.latency (%u)", m->cpu.l3.latency,
			       m->cpu.l2.latency);
	if (m->cpu.l2.bytes < m->cpu.l1.bytes)
		return err_set(e, "cpu.l2.bytes: %u bytes cannot hold what the L1 holds (%u)", m->cpu.l2.bytes, m->cpu.l1.bytes);
	if (check_cpu_cache(m, "l1", m->cpu.l1.bytes, m->cpu.l1.ways, e) != 0 ||
	    check_cpu_cache(m, "l2", m->cpu.l2.bytes, m->cpu.l2.ways, e) != 0)
		return -1;
	return check_cpu_cache(m, "l3", m->cpu.l3.bytes, m->cpu.l3.ways, e);
}

static uint32_t sum(const struct machine_list *l, uint32_t modules)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < modules; i++)
		n += machine_list_at(l, i);
	return n;
}

/* A module's crossbars: SMs, page walker or GPCs, and links on one side, slices and links on the other. */
static int check_ports(const struct machine *m, const struct topology *t, uint32_t module, struct err *e)
{
	uint32_t links = t->ports[module], stacks = machine_list_at(&m->dram.of_module, module);
	uint32_t slices = stacks * m->dram.channels * m->l2.slices, sms = machine_list_at(&m->sm.of_module, module);
	uint32_t askers = sms + m->module.walkers + m->module.gccs;

	if (machine_l2_at_sms(m) && !stacks)
		return err_set(e, "l2.side: module %u has no stack for an L2 at its SMs; dram.stacks must be 1 or more", module);
	if (slices > MACHINE_MAX_PORTS)
		return err_set(e, "l2.slices: module %u: %u stacks of %u channels of %u slices are more than %d", module, stacks,
			       m->dram.channels, m->l2.slices, MACHINE_MAX_PORTS);
	if (askers + m->module.movers > MACHINE_MAX_PORTS)
		return err_set(e,
			       "sm.count: module %u: %u SMs, with the page walker and mover, or GPCs (gcc.count), are more than %d",
			       module, sms, MACHINE_MAX_PORTS);
	if ((slices > askers ? slices : askers) + m->module.movers + links > MACHINE_MAX_PORTS)
		return err_set(
			e,
			"link.gbps: module %u: its links need %u ports of crossbars (net.flit_bytes a net cycle each), which "
			"with %u slices and %u SMs are more than %d",
			module, links, slices, sms, MACHINE_MAX_PORTS);
	return 0;
}

static int check_links(const struct machine *m, struct err *e)
{
	struct arena a = {0};
	struct topology t;
	int rc;

	if (m->link.topology != TOPOLOGY_LIST && strcmp(m->link.list, "none"))
		return err_set(e, "link.list: is for link.topology list; set this too, or leave the list none");
	if (m->link.topology == TOPOLOGY_LIST && m->link.cpu_mbps)
		return err_set(e, "link.cpu: with link.topology list it must be 0: link.list has the CPU's links");
	rc = topology_init(&t, &a, m, e);
	for (uint32_t i = 0; rc == 0 && i < m->module.count; i++)
		rc = check_ports(m, &t, i, e);
	arena_free(&a);
	return rc;
}

/* Bits that name the stack: above the line, and for fine-grained pages inside the page. */
static int check_stack_bits(const struct machine *m, struct err *e)
{
	uint32_t bits = log2u(m->dram.stacks), page = machine_page_bits(m), line = log2u(m->l2.c.line), lsb = m->map.fgp_lsb;

	if (bits == 0)
		return 0;
	if (lsb == 0 && page < bits + line)
		return err_set(e, "vm.page: a page of 2^%u bytes cannot be spread over %u stacks in lines of %u bytes", page,
			       m->dram.stacks, m->l2.c.line);
	if (lsb && (lsb < line || lsb + bits > page))
		return err_set(
			e,
			"map.fgp_lsb: the stack's bits %u..%u overlap the byte in the line (bits 0..%u) or the page number (%u up)",
			lsb, lsb + bits - 1, line - 1, page);
	return 0;
}

static int resolve_modules(struct machine *m, struct err *e)
{
	m->module.walkers = m->vm.enabled && m->vm.tlb;
	m->module.movers = m->vm.migrate != MIGRATE_OFF;
	m->module.gccs = m->fetch.width && m->gcc.c.bytes ? m->gcc.count : 0;
	m->sm.count = sum(&m->sm.of_module, m->module.count);
	m->dram.stacks = sum(&m->dram.of_module, m->module.count);
	if (m->sm.count > MACHINE_MAX_SMS)
		return err_set(e, "sm.count: %u SMs in %u modules are more than %d", m->sm.count, m->module.count, MACHINE_MAX_SMS);
	if (!is_pow2(m->dram.stacks) || m->dram.stacks > MACHINE_MAX_STACKS)
		return err_set(e, "dram.stacks: %u stacks in %u modules are not a power of two up to %d", m->dram.stacks,
			       m->module.count, MACHINE_MAX_STACKS);
	return 0;
}

/* Puts where the key was set before an error that begins with it. */
static int name_origin(const struct machine *m, struct err *e)
{
	const struct machine_origins *o = &m->origin;
	char key[64];
	const struct schema_key *k;
	uint32_t file;

	snprintf(key, sizeof key, "%.*s", (int)strcspn(e->text, ":"), e->text);
	k = schema_find(key);
	file = k ? o->key[k - schema_keys].file : 0;
	if (file == UINT8_MAX) {
		struct err what = *e;

		e->text[0] = '\0';
		return err_set(e, "--set %s", what.text);
	}
	if (file && o->key[k - schema_keys].line)
		return err_prefix(e, "%s:%u:%u", o->file[file - 1], o->key[k - schema_keys].line, o->key[k - schema_keys].column);
	return o->file[0][0] ? err_prefix(e, "%s", o->file[0]) : -1;
}

/* The coordinator takes a message and sends an order a cycle for each SM, and is done before the kernels' next period
 * ends. */
static int check_throttle(const struct machine *m, struct err *e)
{
	uint32_t batch = 2 * m->sm.count + 4, needs = m->throttle.entries * batch + 2 * m->throttle.latency;

	if (m->throttle.policy != THROTTLE_DWT_CS)
		return 0;
	if (m->sm.count < 2 || m->sm.count > THROTTLE_MAX_SMS)
		return err_set(e, "throttle.policy: dwt-cs compares 2 to %d SMs, not %u", THROTTLE_MAX_SMS, m->sm.count);
	if (m->throttle.period < needs)
		return err_set(e,
			       "throttle.period: %u cycles are fewer than the %u that messages of %u SMs and %u kernels need "
			       "(throttle.entries, throttle.latency)",
			       m->throttle.period, needs, m->sm.count, m->throttle.entries);
	return 0;
}

int machine_resolve_bare(struct machine *m, struct err *e)
{
	resolve_ways(&m->l1.c);
	resolve_ways(&m->const_cache.c);
	resolve_ways(&m->l2.c);
	m->l0.c.line = m->gcc.c.line = m->fetch.cache.line;
	if (resolve_modules(m, e) != 0 || resolve_clocks(m, e) != 0 || machine_check_cache("l1", &m->l1.c, true, e) != 0 ||
	    machine_check_cache("const", &m->const_cache.c, false, e) != 0 || machine_check_cache("l2", &m->l2.c, true, e) != 0 ||
	    check_dram(m, e) != 0 || machine_check_fetch(m, e) != 0 || check_lines(m, e) != 0 || check_l1_ports(m, e) != 0)
		return -1;
	if (check_vm(m, e) != 0 || check_stack_bits(m, e) != 0 || check_links(m, e) != 0)
		return -1;
	if (carveout_resolve(m, e) != 0 || machine_check_simulator_memory("l1", &m->l1.c, m->l1.most_ways, m->sm.count, e) != 0 ||
	    machine_check_simulator_memory("const", &m->const_cache.c, m->const_cache.c.assoc, m->sm.count, e) != 0 ||
	    machine_check_simulator_memory("l2", &m->l2.c, m->l2.c.assoc, m->dram.stacks * m->dram.channels * m->l2.slices, e) !=
		    0 ||
	    machine_check_pipes(m, e) != 0 || machine_check_coalescers(m, e) != 0 || check_tensor(m, e) != 0 ||
	    machine_check_halves(m, e) != 0)
		return -1;
	if (m->l1.c.line != m->l2.c.line)
		return err_set(e, "l1.line: %u bytes, but l2.line is %u: the model moves whole lines", m->l1.c.line, m->l2.c.line);
	if (m->const_cache.c.line > m->l2.c.line)
		return err_set(e, "const.line: %u bytes are more than an L2 line (%u)", m->const_cache.c.line, m->l2.c.line);
	if (m->sm.warps % m->sm.schedulers)
		return err_set(e, "sm.schedulers: %u do not divide sm.warps (%u)", m->sm.schedulers, m->sm.warps);
	if (m->l1.front.policy && m->vm.enabled)
		return err_set(e, "l1.front.policy: mrpb keeps physical addresses: not with vm.enabled");
	if (m->throttle.victims % m->throttle.ways)
		return err_set(e, "throttle.ways: %u do not divide throttle.victims (%u)", m->throttle.ways, m->throttle.victims);
	if (!is_pow2(m->shared.banks))
		return err_set(e, "shared.banks: %u is not a power of two", m->shared.banks);
	if (m->l1.miss_room > m->l1.c.miss_queue)
		return err_set(e, "l1.miss_room: %u packets; must be at most l1.miss_queue (%u)", m->l1.miss_room,
			       m->l1.c.miss_queue);
	if (m->operands.banks && m->pipe.depth < 4)
		return err_set(e,
			       "pipe.depth: %u core cycles are too few: with operands.banks at least 4 (issue, collectors, banks, "
			       "hand-over)",
			       m->pipe.depth);
	if (m->sm.lsu_queue && m->vm.enabled)
		return err_set(e, "sm.lsu_queue: with vm.enabled the load/store unit takes an instruction when it is free");
	if (m->sm.lsu_queue && m->l1.front.policy)
		return err_set(e, "sm.lsu_queue: not with l1.front.policy mrpb, which has queues of its own");
	if (machine_check_subcores(m, e) != 0)
		return -1;
	return check_throttle(m, e) == 0 ? check_cpu(m, e) : -1;
}

int machine_resolve(struct machine *m, struct err *e)
{
	return machine_resolve_bare(m, e) == 0 ? 0 : name_origin(m, e);
}
