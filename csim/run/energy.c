#include "run/energy.h"

#include "run/gpu_impl.h"

#define P(part_)	  METRIC_OF(struct energy, part[part_])
#define FROM(first, last) METRIC_FROM(struct energy, part[first], part[last])
#define ALL		  FROM(0, ENERGY_PARTS - 1)
#define UJ		  METRIC_OF(struct energy, uj)

enum { RUN = OF_RUN | OF_LAUNCH, DETAIL = OF_RUN_DETAIL | OF_LAUNCH, LINKS = ENERGY_HAS_LINKS };

/* clang-format off */
static const struct metric rows[] = {
	{"energy.total", "uJ", "energy of all parts with a known energy: without energy.left_out.*, see docs/explanation/energy.md", METRIC_SCALED, RUN, .a = ALL, .b = UJ},
	{"energy.power", "W", "mean power: energy.total / time", METRIC_RATIO, RUN, .a = ALL, .b = METRIC_OF(struct energy, time)},
	{"energy.per_instruction", "pJ", "energy.total / thread instructions", METRIC_RATIO, RUN, .a = ALL,
	 .b = METRIC_OF(struct energy, thousands)},
	{"energy.instructions", "uJ", "energy of issue, execution units and registers", METRIC_SCALED, RUN, .a = FROM(ENERGY_ISSUE, ENERGY_REGISTERS), .b = UJ},
	{"energy.issue", "uJ", "energy of fetch, decode and issue (part of energy.instructions)", METRIC_SCALED, DETAIL, .a = P(ENERGY_ISSUE), .b = UJ},
	{"energy.int", "uJ", "energy of integer units (part of energy.instructions)", METRIC_SCALED, DETAIL, .a = P(ENERGY_INT), .b = UJ},
	{"energy.fp32", "uJ", "energy of single-precision units (part of energy.instructions)", METRIC_SCALED, DETAIL, .a = P(ENERGY_FP32), .b = UJ},
	{"energy.fp64", "uJ", "energy of double-precision units (part of energy.instructions)", METRIC_SCALED, DETAIL, .a = P(ENERGY_FP64), .b = UJ},
	{"energy.sfu", "uJ", "energy of special-function units (part of energy.instructions)", METRIC_SCALED, DETAIL, .a = P(ENERGY_SFU), .b = UJ},
	{"energy.tensor", "uJ", "energy of matrix-multiply instructions (part of energy.instructions)", METRIC_SCALED, DETAIL, .a = P(ENERGY_TENSOR), .b = UJ, .needs = ENERGY_HAS_PRODUCTS},
	{"energy.memory", "uJ", "energy of loads, stores and atomics without their cache and DRAM accesses", METRIC_SCALED, DETAIL, .a = P(ENERGY_MEMORY_LANES), .b = UJ},
	{"energy.registers", "uJ", "energy of register operands (part of energy.instructions)", METRIC_SCALED, DETAIL, .a = P(ENERGY_REGISTERS), .b = UJ},
	{"energy.shared", "uJ", "energy of shared memory", METRIC_SCALED, RUN, .a = P(ENERGY_SHARED), .b = UJ},
	{"energy.const", "uJ", "energy of constant caches", METRIC_SCALED, DETAIL, .a = P(ENERGY_CONST), .b = UJ},
	{"energy.l1", "uJ", "energy of the L1s; per array, without prefetched or written-back lines", METRIC_SCALED, RUN | OF_ARRAY,
	 .a = FROM(ENERGY_L1_TAG, ENERGY_L1_DATA), .b = UJ},
	{"energy.l1.tag", "uJ", "energy of L1 tag lookups (part of energy.l1)", METRIC_SCALED, DETAIL, .a = P(ENERGY_L1_TAG), .b = UJ},
	{"energy.l1.data", "uJ", "energy of L1 data accesses (part of energy.l1)", METRIC_SCALED, DETAIL, .a = P(ENERGY_L1_DATA), .b = UJ},
	{"energy.l2", "uJ", "energy of the L2 slices; per array, without written-back lines", METRIC_SCALED, RUN | OF_ARRAY, .a = FROM(ENERGY_L2_TAG, ENERGY_L2_DATA), .b = UJ},
	{"energy.l2.tag", "uJ", "energy of L2 tag lookups (part of energy.l2)", METRIC_SCALED, DETAIL, .a = P(ENERGY_L2_TAG), .b = UJ},
	{"energy.l2.data", "uJ", "energy of L2 data accesses (part of energy.l2)", METRIC_SCALED, DETAIL, .a = P(ENERGY_L2_DATA), .b = UJ},
	{"energy.network", "uJ", "energy of the crossbars", METRIC_SCALED, RUN, .a = P(ENERGY_NETWORK), .b = UJ},
	{"energy.links", "uJ", "energy of the links between modules", METRIC_SCALED, RUN, .a = P(ENERGY_LINKS), .b = UJ, .needs = LINKS},
	{"energy.dram", "uJ", "energy of DRAM commands and data; per array, of the line reads for the L2", METRIC_SCALED, RUN | OF_ARRAY,
	 .a = FROM(ENERGY_ACTIVATE, ENERGY_REFRESH), .b = UJ},
	{"energy.dram.activate", "uJ", "energy of DRAM rows activated (part of energy.dram)", METRIC_SCALED, DETAIL, .a = P(ENERGY_ACTIVATE), .b = UJ},
	{"energy.dram.read", "uJ", "energy of DRAM columns read (part of energy.dram)", METRIC_SCALED, DETAIL, .a = P(ENERGY_READ), .b = UJ},
	{"energy.dram.write", "uJ", "energy of DRAM columns written (part of energy.dram)", METRIC_SCALED, DETAIL, .a = P(ENERGY_WRITE), .b = UJ},
	{"energy.dram.io", "uJ", "energy of data between DRAM and controllers (part of energy.dram)", METRIC_SCALED, DETAIL, .a = P(ENERGY_IO), .b = UJ},
	{"energy.dram.refresh", "uJ", "energy of DRAM refreshes (part of energy.dram)", METRIC_SCALED, DETAIL, .a = P(ENERGY_REFRESH), .b = UJ},
	{"energy.static", "uJ", "static energy: static power x time", METRIC_SCALED, RUN, .a = FROM(ENERGY_STATIC_SM, ENERGY_STATIC_DRAM), .b = UJ},
	{"energy.static.sm", "uJ", "static energy of the SMs (part of energy.static)", METRIC_SCALED, DETAIL, .a = P(ENERGY_STATIC_SM), .b = UJ},
	{"energy.static.dram", "uJ", "static energy of the DRAM (part of energy.static)", METRIC_SCALED, DETAIL, .a = P(ENERGY_STATIC_DRAM), .b = UJ},
#define LEFT_OUT(kind, name, unit, events, why)                                                                                     \
	{"energy.left_out." name, unit, events ", not in energy.total: " why, METRIC_COUNT, RUN,                                        \
	 .a = METRIC_OF(struct energy, left_out[kind]), .needs = 1u << (ENERGY_LEAVES_OUT + (kind))}
	LEFT_OUT(LEFT_OUT_ISSUE, "issue", "instructions", "warp instructions that were issued", "energy.issue is 0"),
	LEFT_OUT(LEFT_OUT_ARITHMETIC, "arithmetic", "lanes", "lanes of int, fp32, fp64 or sfu classes", "energy.int, fp32, fp64 or sfu is 0"),
	LEFT_OUT(LEFT_OUT_MEMORY, "memory", "lanes", "lanes of loads, stores and atomics", "energy.memory is 0"),
	LEFT_OUT(LEFT_OUT_REGISTERS, "registers", "operands", "register operands", "energy.register is 0"),
	LEFT_OUT(LEFT_OUT_SHARED, "shared", "accesses", "accesses of shared memory", "energy.shared is 0"),
	LEFT_OUT(LEFT_OUT_CONST, "const", "accesses", "accesses of constant caches", "energy.const is 0"),
	LEFT_OUT(LEFT_OUT_L1_TAG, "l1.tag", "accesses", "accesses of L1s", "energy.l1_tag is 0"),
	LEFT_OUT(LEFT_OUT_L1_DATA, "l1.data", "lines", "lines that L1s read and write", "energy.l1_data is 0"),
	LEFT_OUT(LEFT_OUT_L2_TAG, "l2.tag", "accesses", "accesses of L2 slices", "energy.l2_tag is 0"),
	LEFT_OUT(LEFT_OUT_L2_DATA, "l2.data", "bytes", "bytes that L2 slices read and write", "energy.l2_byte is 0"),
	LEFT_OUT(LEFT_OUT_NETWORK, "network", "flits", "flits through crossbars", "energy.flit is 0"),
	LEFT_OUT(LEFT_OUT_LINKS, "links", "bytes", "bytes over links", "energy.link_byte is 0"),
	LEFT_OUT(LEFT_OUT_HALVES, "halves", "requests", "requests between the halves of the L2", "no energy is known"),
	LEFT_OUT(LEFT_OUT_ACTIVATE, "dram.activate", "commands", "rows activated", "energy.dram_activate is 0"),
	LEFT_OUT(LEFT_OUT_READ, "dram.read", "commands", "columns read", "energy.dram_read is 0"),
	LEFT_OUT(LEFT_OUT_WRITE, "dram.write", "commands", "columns written", "energy.dram_write is 0"),
	LEFT_OUT(LEFT_OUT_IO, "dram.io", "bytes", "bytes between DRAM and controllers", "energy.dram_io_byte is 0"),
	LEFT_OUT(LEFT_OUT_REFRESH, "dram.refresh", "commands", "refreshes", "energy.dram_refresh is 0"),
	LEFT_OUT(LEFT_OUT_SMS, "static.sm", "cycles", "core cycles of SMs", "energy.sm_static is 0"),
	LEFT_OUT(LEFT_OUT_CHANNELS, "static.dram", "cycles", "core cycles, for all channels", "energy.channel_static is 0"),
};
/* clang-format on */

const struct metric_table energy_metrics = METRIC_TABLE(rows);

bool energy_is_known(const struct machine *m)
{
	const uint32_t *word = (const uint32_t *)&m->energy;

	for (size_t i = 0; i < sizeof m->energy / sizeof *word; i++)
		if (word[i])
			return true;
	return false;
}

static uint64_t of_class(const struct sm_stats *s, enum trace_op first, const uint32_t energy[5])
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < 5; i++)
		sum += s->lanes[first + i] * energy[i];
	return sum;
}

/* A product for which the machine has no energy costs what the multiply-adds of lanes do. */
static uint64_t of_products(const struct machine *m, const struct sm_stats *s)
{
	enum { MAD = OP_FP32_MAD - OP_FP32_ADD };
	const uint32_t lanes[TRACE_TENSOR_CLASSES] = {m->energy.fp32[MAD], m->energy.fp32[MAD], m->energy.int32[MAD],
						      m->energy.int32[MAD], m->energy.fp64[MAD]};
	uint64_t sum = 0;

	for (unsigned i = 0; i < TRACE_TENSOR_CLASSES; i++)
		sum += s->macs[i] * (m->energy.tensor[i] ? m->energy.tensor[i] : lanes[i]);
	return sum;
}

/* Issued in repeated waits, too. */
static struct sm_stats with_waits(const struct sm_stats *s)
{
	struct sm_stats all = *s;

	all.warp_insts += s->wait.insts;
	all.operands += s->wait.operands;
	for (unsigned op = 0; op < OP_COUNT; op++)
		all.lanes[op] += s->wait.lanes[op];
	return all;
}

static void of_instructions(const struct machine *m, const struct sm_counts *c, struct energy *e)
{
	const struct sm_stats all = with_waits(&c->sm), *s = &all;

	e->part[ENERGY_ISSUE] = s->warp_insts * m->energy.issue;
	e->part[ENERGY_INT] = of_class(s, OP_INT_ADD, m->energy.int32);
	e->part[ENERGY_FP32] = of_class(s, OP_FP32_ADD, m->energy.fp32);
	e->part[ENERGY_FP64] = of_class(s, OP_FP64_ADD, m->energy.fp64);
	e->part[ENERGY_SFU] = s->lanes[OP_SFU] * m->energy.sfu;
	e->part[ENERGY_TENSOR] = of_products(m, s);
	e->part[ENERGY_MEMORY_LANES] = (s->lanes[OP_LOAD] + s->lanes[OP_STORE] + s->lanes[OP_ATOM]) * m->energy.memory;
	e->part[ENERGY_REGISTERS] = s->operands * m->energy.reg;
	e->part[ENERGY_SHARED] = c->lsu.shared_accesses * m->energy.shared;
	e->part[ENERGY_CONST] = (c->const_cache.accesses + c->lsu.params) * m->energy.const_cache;
	e->thousands = sm_thread_insts(&c->sm) * 1000;
}

/* A load reads its line, and one that misses has it written before. */
static void of_l1(const struct machine *m, const struct l1_counts *c, struct energy *e)
{
	if (!m->l1.enabled)
		return;
	e->part[ENERGY_L1_TAG] += c->accesses * m->energy.l1_tag;
	e->part[ENERGY_L1_DATA] += (c->hits + c->reserved + 2 * c->misses) * m->energy.l1_data;
}

/* What requests read and write, and the lines that come from below, but for those that go past the data. */
static void of_l2(const struct machine *m, const struct l2_counts *c, struct energy *e)
{
	uint64_t filled = (c->fetches + c->asked - c->bypasses) * m->l2.c.line;

	e->part[ENERGY_L2_TAG] += c->accesses * m->energy.l2_tag;
	e->part[ENERGY_L2_DATA] += (c->bytes + filled) * m->energy.l2_byte;
}

static void of_dram(const struct machine *m, const struct dram_stats *c, struct energy *e)
{
	e->part[ENERGY_ACTIVATE] = c->command[DRAM_ACT] * m->energy.activate;
	e->part[ENERGY_READ] = c->command[DRAM_RD] * m->energy.read;
	e->part[ENERGY_WRITE] = c->command[DRAM_WR] * m->energy.write;
	e->part[ENERGY_IO] = c->bytes * m->energy.io_byte;
	e->part[ENERGY_REFRESH] =
		c->command[DRAM_REF] * m->energy.refresh + c->command[DRAM_REF_BANK] * m->energy.refresh / m->dram.banks;
}

static void of_network(const struct machine *m, const struct memsys_counts *c, struct energy *e)
{
	uint64_t flits = c->request.flits + c->reply.flits;

	if (machine_l2_at_sms(m)) /* else these are the same crossbars */
		flits += c->memory_request.flits + c->memory_reply.flits;

	e->part[ENERGY_NETWORK] = flits * m->energy.flit;
	e->part[ENERGY_LINKS] = c->link.carried * m->energy.link_byte;
}

/* So many core cycles, in microseconds, times n; rounded down. */
static uint64_t times_us(const struct machine *m, uint64_t cycles, uint64_t n)
{
	uint64_t ticks = cycles * m->clock.period[CLOCK_CORE], us = m->clock.ticks_per_us;

	return ticks / us * n + ticks % us * n / us;
}

/* fJ of so many uW over so many core cycles: whole pJ. */
static uint64_t static_energy(const struct machine *m, uint64_t uw, uint64_t cycles)
{
	return times_us(m, cycles, uw) * 1000;
}

static bool has_class_without(const struct machine *m)
{
	for (unsigned i = 0; i < 5; i++)
		if (!m->energy.int32[i] || !m->energy.fp32[i] || !m->energy.fp64[i])
			return true;
	return !m->energy.sfu;
}

unsigned energy_leaves_out(const struct machine *m, bool links)
{
	const bool without[LEFT_OUT_KINDS] = {
		[LEFT_OUT_ISSUE] = !m->energy.issue,
		[LEFT_OUT_ARITHMETIC] = has_class_without(m),
		[LEFT_OUT_MEMORY] = !m->energy.memory,
		[LEFT_OUT_REGISTERS] = !m->energy.reg,
		[LEFT_OUT_SHARED] = !m->energy.shared,
		[LEFT_OUT_CONST] = !m->energy.const_cache,
		[LEFT_OUT_L1_TAG] = m->l1.enabled && !m->energy.l1_tag,
		[LEFT_OUT_L1_DATA] = m->l1.enabled && !m->energy.l1_data,
		[LEFT_OUT_L2_TAG] = m->l2.enabled && !m->energy.l2_tag,
		[LEFT_OUT_L2_DATA] = m->l2.enabled && !m->energy.l2_byte,
		[LEFT_OUT_NETWORK] = !m->energy.flit,
		[LEFT_OUT_LINKS] = links && !m->energy.link_byte,
		[LEFT_OUT_HALVES] = m->l2.halves > 1,
		[LEFT_OUT_ACTIVATE] = !m->energy.activate,
		[LEFT_OUT_READ] = !m->energy.read,
		[LEFT_OUT_WRITE] = !m->energy.write,
		[LEFT_OUT_IO] = !m->energy.io_byte,
		[LEFT_OUT_REFRESH] = !m->energy.refresh,
		[LEFT_OUT_SMS] = !m->energy.sm_static,
		[LEFT_OUT_CHANNELS] = !m->energy.channel_static,
	};
	unsigned has = 0;

	for (unsigned i = 0; i < LEFT_OUT_KINDS; i++)
		has |= (unsigned)without[i] << (ENERGY_LEAVES_OUT + i);
	return has;
}

/* Lanes of the classes that have no constant. */
static uint64_t lanes_without(const struct machine *m, const struct sm_counts *c)
{
	const struct sm_stats all = with_waits(&c->sm), *s = &all;
	uint64_t n = m->energy.sfu ? 0 : s->lanes[OP_SFU];

	for (unsigned i = 0; i < 5; i++) {
		n += m->energy.int32[i] ? 0 : s->lanes[OP_INT_ADD + i];
		n += m->energy.fp32[i] ? 0 : s->lanes[OP_FP32_ADD + i];
		n += m->energy.fp64[i] ? 0 : s->lanes[OP_FP64_ADD + i];
	}
	return n;
}

/* The dynamic parts but those of arithmetic. */
static void of_events(const struct machine *m, const struct gpu_counts *c, struct energy *e)
{
	struct l2_counts l2 = c->memsys.l2;

	of_l1(m, &c->sm.l1, e);
	e->part[ENERGY_L1_DATA] += (c->sm.l1_stats.prefetch.issued + c->sm.l1_stats.write_backs) * m->energy.l1_data;
	METRICS_ADD(&l2, &c->memsys.halves.reads);
	of_l2(m, &l2, e);
	e->part[ENERGY_L2_DATA] += c->memsys.slices.write_backs * m->l2.c.line * m->energy.l2_byte;
	of_network(m, &c->memsys, e);
	of_dram(m, &c->memsys.dram, e);
}

/* The events of each kind: what they cost where each costs 1 fJ. */
static void count_left_out(const struct machine *m, const struct gpu_counts *c, struct energy *e)
{
	static const struct {
		enum energy_left_out kind;
		enum energy_part part;
	} of[] = {
		{LEFT_OUT_ISSUE, ENERGY_ISSUE},	    {LEFT_OUT_MEMORY, ENERGY_MEMORY_LANES}, {LEFT_OUT_REGISTERS, ENERGY_REGISTERS},
		{LEFT_OUT_SHARED, ENERGY_SHARED},   {LEFT_OUT_CONST, ENERGY_CONST},	    {LEFT_OUT_L1_TAG, ENERGY_L1_TAG},
		{LEFT_OUT_L1_DATA, ENERGY_L1_DATA}, {LEFT_OUT_L2_TAG, ENERGY_L2_TAG},	    {LEFT_OUT_L2_DATA, ENERGY_L2_DATA},
		{LEFT_OUT_NETWORK, ENERGY_NETWORK}, {LEFT_OUT_LINKS, ENERGY_LINKS},	    {LEFT_OUT_ACTIVATE, ENERGY_ACTIVATE},
		{LEFT_OUT_READ, ENERGY_READ},	    {LEFT_OUT_WRITE, ENERGY_WRITE},	    {LEFT_OUT_IO, ENERGY_IO}};
	struct energy events = {.uj = 0};
	struct machine each = *m;
	uint32_t *cost = (uint32_t *)&each.energy;

	for (size_t i = 0; i < sizeof each.energy / sizeof *cost; i++)
		cost[i] = 1;
	of_instructions(&each, &c->sm, &events);
	of_events(&each, c, &events);
	for (unsigned i = 0; i < sizeof of / sizeof *of; i++)
		e->left_out[of[i].kind] = events.part[of[i].part];
	e->left_out[LEFT_OUT_ARITHMETIC] = lanes_without(m, &c->sm);
	e->left_out[LEFT_OUT_HALVES] = c->memsys.l2.asked + c->memsys.halves.passed_on;
	e->left_out[LEFT_OUT_REFRESH] = c->memsys.dram.command[DRAM_REF] + c->memsys.dram.command[DRAM_REF_BANK];
	e->left_out[LEFT_OUT_SMS] = c->sm.cycles;
	e->left_out[LEFT_OUT_CHANNELS] = c->sm.elapsed;
}

struct energy energy_of(const struct machine *m, const struct gpu_counts *c)
{
	struct energy e = {.uj = 1000000000};

	of_instructions(m, &c->sm, &e);
	of_events(m, c, &e);
	count_left_out(m, c, &e);
	e.part[ENERGY_STATIC_SM] = static_energy(m, m->energy.sm_static, c->sm.cycles);
	e.part[ENERGY_STATIC_DRAM] =
		static_energy(m, (uint64_t)m->energy.channel_static * m->dram.channels * m->dram.stacks, c->sm.elapsed);
	e.time = times_us(m, c->sm.elapsed, e.uj);
	return e;
}

struct energy energy_of_array(const struct machine *m, const struct l1_counts *l1, const struct l2_counts *l2)
{
	struct energy e = {.uj = 1000000000};
	uint64_t bytes = l2->fetches * m->l2.c.line;

	of_l1(m, l1, &e);
	of_l2(m, l2, &e);
	e.part[ENERGY_READ] = bytes / m->dram.burst_bytes * m->energy.read;
	e.part[ENERGY_IO] = bytes * m->energy.io_byte;
	return e;
}
