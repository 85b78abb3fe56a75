#include "run/energy.h"

#include "run/gpu_impl.h"

#define P(part_)	  METRIC_OF(struct energy, part[part_])
#define FROM(first, last) METRIC_FROM(struct energy, part[first], part[last])
#define ALL		  FROM(0, ENERGY_PARTS - 1)
#define UJ		  METRIC_OF(struct energy, uj)

enum { RUN = OF_RUN | OF_LAUNCH, DETAIL = OF_RUN_DETAIL | OF_LAUNCH, LINKS = ENERGY_HAS_LINKS };

/* clang-format off */
static const struct metric rows[] = {
	{"energy.total", "uJ", "of all that the machine has energies for; docs/energy.md says what is left out", METRIC_SCALED, RUN, .a = ALL, .b = UJ},
	{"energy.power", "W", "energy.total over the time", METRIC_RATIO, RUN, .a = ALL, .b = METRIC_OF(struct energy, time)},
	{"energy.per_instruction", "pJ", "energy.total over the instructions of threads", METRIC_RATIO, RUN, .a = ALL,
	 .b = METRIC_OF(struct energy, thousands)},
	{"energy.instructions", "uJ", "issue, execution units and registers", METRIC_SCALED, RUN, .a = FROM(ENERGY_ISSUE, ENERGY_REGISTERS), .b = UJ},
	{"energy.issue", "uJ", "of it, fetch, decode and issue", METRIC_SCALED, DETAIL, .a = P(ENERGY_ISSUE), .b = UJ},
	{"energy.int", "uJ", "of it, integer units", METRIC_SCALED, DETAIL, .a = P(ENERGY_INT), .b = UJ},
	{"energy.fp32", "uJ", "of it, single-precision units", METRIC_SCALED, DETAIL, .a = P(ENERGY_FP32), .b = UJ},
	{"energy.fp64", "uJ", "of it, double-precision units", METRIC_SCALED, DETAIL, .a = P(ENERGY_FP64), .b = UJ},
	{"energy.sfu", "uJ", "of it, special-function units", METRIC_SCALED, DETAIL, .a = P(ENERGY_SFU), .b = UJ},
	{"energy.tensor", "uJ", "of it, products of matrices", METRIC_SCALED, DETAIL, .a = P(ENERGY_TENSOR), .b = UJ, .needs = ENERGY_HAS_PRODUCTS},
	{"energy.memory", "uJ", "of it, loads, stores and atomics beside their accesses", METRIC_SCALED, DETAIL, .a = P(ENERGY_MEMORY_LANES), .b = UJ},
	{"energy.registers", "uJ", "of it, register operands", METRIC_SCALED, DETAIL, .a = P(ENERGY_REGISTERS), .b = UJ},
	{"energy.shared", "uJ", "shared memory", METRIC_SCALED, RUN, .a = P(ENERGY_SHARED), .b = UJ},
	{"energy.const", "uJ", "constant caches", METRIC_SCALED, DETAIL, .a = P(ENERGY_CONST), .b = UJ},
	{"energy.l1", "uJ", "L1s; by array without lines prefetched or written back", METRIC_SCALED, RUN | OF_ARRAY,
	 .a = FROM(ENERGY_L1_TAG, ENERGY_L1_DATA), .b = UJ},
	{"energy.l1.tag", "uJ", "of it, tags", METRIC_SCALED, DETAIL, .a = P(ENERGY_L1_TAG), .b = UJ},
	{"energy.l1.data", "uJ", "of it, data", METRIC_SCALED, DETAIL, .a = P(ENERGY_L1_DATA), .b = UJ},
	{"energy.l2", "uJ", "L2 slices; by array without lines written back", METRIC_SCALED, RUN | OF_ARRAY, .a = FROM(ENERGY_L2_TAG, ENERGY_L2_DATA), .b = UJ},
	{"energy.l2.tag", "uJ", "of it, tags", METRIC_SCALED, DETAIL, .a = P(ENERGY_L2_TAG), .b = UJ},
	{"energy.l2.data", "uJ", "of it, data", METRIC_SCALED, DETAIL, .a = P(ENERGY_L2_DATA), .b = UJ},
	{"energy.network", "uJ", "crossbars", METRIC_SCALED, RUN, .a = P(ENERGY_NETWORK), .b = UJ},
	{"energy.links", "uJ", "links between modules", METRIC_SCALED, RUN, .a = P(ENERGY_LINKS), .b = UJ, .needs = LINKS},
	{"energy.dram", "uJ", "commands and data of the DRAM; by array the reads of lines for the L2", METRIC_SCALED, RUN | OF_ARRAY,
	 .a = FROM(ENERGY_ACTIVATE, ENERGY_REFRESH), .b = UJ},
	{"energy.dram.activate", "uJ", "of it, rows activated", METRIC_SCALED, DETAIL, .a = P(ENERGY_ACTIVATE), .b = UJ},
	{"energy.dram.read", "uJ", "of it, columns read", METRIC_SCALED, DETAIL, .a = P(ENERGY_READ), .b = UJ},
	{"energy.dram.write", "uJ", "of it, columns written", METRIC_SCALED, DETAIL, .a = P(ENERGY_WRITE), .b = UJ},
	{"energy.dram.io", "uJ", "of it, bytes between DRAM and controllers", METRIC_SCALED, DETAIL, .a = P(ENERGY_IO), .b = UJ},
	{"energy.dram.refresh", "uJ", "of it, refreshes", METRIC_SCALED, DETAIL, .a = P(ENERGY_REFRESH), .b = UJ},
	{"energy.static", "uJ", "static power times time", METRIC_SCALED, RUN, .a = FROM(ENERGY_STATIC_SM, ENERGY_STATIC_DRAM), .b = UJ},
	{"energy.static.sm", "uJ", "of it, SMs", METRIC_SCALED, DETAIL, .a = P(ENERGY_STATIC_SM), .b = UJ},
	{"energy.static.dram", "uJ", "of it, DRAM", METRIC_SCALED, DETAIL, .a = P(ENERGY_STATIC_DRAM), .b = UJ},
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

static void of_instructions(const struct machine *m, const struct sm_counts *c, struct energy *e)
{
	const struct sm_stats *s = &c->sm;

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
	e->thousands = sm_thread_insts(s) * 1000;
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

struct energy energy_of(const struct machine *m, const struct gpu_counts *c)
{
	struct energy e = {.uj = 1000000000};
	struct l2_counts l2 = c->memsys.l2;

	of_instructions(m, &c->sm, &e);
	of_l1(m, &c->sm.l1, &e);
	e.part[ENERGY_L1_DATA] += (c->sm.l1_stats.prefetch.issued + c->sm.l1_stats.write_backs) * m->energy.l1_data;
	METRICS_ADD(&l2, &c->memsys.halves.reads);
	of_l2(m, &l2, &e);
	e.part[ENERGY_L2_DATA] += c->memsys.slices.write_backs * m->l2.c.line * m->energy.l2_byte;
	of_network(m, &c->memsys, &e);
	of_dram(m, &c->memsys.dram, &e);
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
