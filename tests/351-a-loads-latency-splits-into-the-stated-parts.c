/* 351: the latency of loads, split into the parts of their path: a chain of dependent loads spends in the SM, on the
 * way, in the L2 and at DRAM what docs/explanation/timing.md states, to the tick; one that waits for another row of its
 * bank has the wait under dram_queue. The sums below are written from that page and the numbers of the machine file. */
#include <criterion/criterion.h>

#include "support/chase.h"

enum level { AT_L1, AT_L2, AT_CLOSED_BANK, AT_OPEN_ROW, AT_OTHER_ROW };
#define BASE UINT64_C(0x10000000)

static uint64_t edge(uint64_t t, uint64_t period)
{
	return (t + period - 1) / period * period;
}

/* As test 330's: gtx480's 35 cycles of L1, 1 and 5 flits, 120 of L2, 100 on the way to DRAM. */
static void add_load(struct load_counts *to, const struct machine *m, uint64_t c, enum level level)
{
	const uint64_t core = m->clock.period[CLOCK_CORE], net = m->clock.period[CLOCK_NET], l2 = m->clock.period[CLOCK_L2],
		       dram = m->clock.period[CLOCK_DRAM];
	static const uint64_t to_last_burst[] = {
		[AT_CLOSED_BANK] = 12 + 3 + 12 + 2, [AT_OPEN_ROW] = 3 + 12 + 2, [AT_OTHER_ROW] = 12 + 12 + 3 + 12 + 2};
	uint64_t sent = (c + 1) * core, in = edge(edge(sent, net) + 2 * net, l2), looked_up = in + 120 * l2, there = looked_up,
		 back;

	to->loads++;
	to->part[LOAD_L1] += 35 * core;
	if (level == AT_L1) {
		to->cycles += 35;
		return;
	}
	if (level != AT_L2)
		there = edge(edge(looked_up + 100 * core, dram) + to_last_burst[level] * dram, l2);
	back = edge(edge(there, net) + 6 * net, core);
	to->part[LOAD_NETWORK] += in - sent;
	to->part[LOAD_L2] += looked_up - in;
	to->part[LOAD_DRAM] += there - looked_up;
	to->part[LOAD_BACK] += back - there;
	to->cycles += back / core - c + 34;
}

static void expect(const struct chase *c, const struct load_counts *want)
{
	static const char *const name[LOAD_PARTS] = {"l1", "network", "l2", "dram_queue", "dram", "back"};

	for (unsigned i = 0; i < LOAD_PARTS; i++)
		cr_expect_eq(c->latency.part[i], want->part[i], "%s: %lu ticks, the sum is %lu", name[i], c->latency.part[i],
			     want->part[i]);
	cr_expect_eq(c->latency.loads, want->loads);
	cr_expect_eq(c->latency.cycles, want->cycles, "%lu cycles, the sum is %lu", c->latency.cycles, want->cycles);
}

/* The address of a place in channel 0, as in test 330. */
static uint64_t place(uint64_t row, uint64_t bank, uint64_t column)
{
	uint64_t local = row << 16 | bank >> 1 << 13 | column >> 2 << 9 | (bank & 1) << 8 | (column & 3) << 6;

	return local / 256 * (6 * 256) + local % 256;
}

/* Lines of a closed bank, an open row and another row of each bank. Eight lines that are 64 lines apart, beyond the
 * L1's four ways and within the L2's, are at L2 when their turn comes again. Then one line over and over. */
Test(latency, of_a_chain_splits_as_stated)
{
	static const enum level of[] = {AT_CLOSED_BANK, AT_OPEN_ROW, AT_OTHER_ROW};

	for (unsigned k = 0; k < CHASE_CLOCKS; k++) {
		struct machine m = chase_machine(chase_clocks[k]);
		struct chase c = {.n = 3 * 16};
		struct load_counts want = {0};

		for (unsigned b = 0; b < 16; b++) {
			c.addr[b] = place(4096, b, 0);
			c.addr[16 + b] = place(4096, b, 2);
			c.addr[32 + b] = place(4097, b, 0);
		}
		chase_play(&c, &m);
		for (unsigned i = 0; i < c.n; i++)
			add_load(&want, &m, c.issued[i], of[i / 16]);
		expect(&c, &want);
	}
}

/* As in test 330: 256 lines are gone from L1 in the second round, and in the L2; what the first round costs is left
 * out. */
Test(latency, at_l1_and_at_l2_is_35_and_159_cycles)
{
	for (unsigned k = 0; k < CHASE_CLOCKS; k++) {
		struct machine m = chase_machine(chase_clocks[k]);
		struct chase first = {.n = 256}, c = {.n = 768};
		struct load_counts want = {0};

		for (unsigned i = 0; i < 768; i++) {
			c.addr[i] = BASE + 128 * (i < 512 ? i % 256 : 255);
			first.addr[i % 256] = BASE + 128 * (i % 256);
		}
		chase_play(&first, &m);
		chase_play(&c, &m);
		for (unsigned i = 256; i < 768; i++)
			add_load(&want, &m, c.issued[i], i < 512 ? AT_L2 : AT_L1);
		METRICS_TAKE(&c.latency, &first.latency);
		expect(&c, &want);
		if (k)
			continue;
		cr_expect_eq(c.latency.cycles, 256 * 159 + 256 * 35);
		cr_expect_eq(c.latency.power[5], 256, "35 is 2^5 and more");
		cr_expect_eq(c.latency.power[7], 256, "159 is 2^7 and more");
		cr_expect_eq(want.part[LOAD_NETWORK] + want.part[LOAD_L2] + want.part[LOAD_BACK], 256 * 124 * 66);
	}
}

/* Two lanes, two rows of a bank: the second line is looked up a cycle after the first. Its precharge waits until tRAS
 * after the first one's activate and until tRTP after its last read, which is tRCD and tCCDL after that; then another
 * row is opened. */
Test(latency, has_the_wait_for_a_bank_under_dram_queue)
{
	struct machine m = chase_machine(NULL);
	struct chase c = {.n = 1, .addr = {place(4096, 3, 0)}, .lanes = 2, .stride = place(4097, 3, 0) - place(4096, 3, 0)};
	const uint64_t core = 66, net = 33, dram = 50;
	uint64_t sent, in, activate, precharge, arrived, there, back, read_to_pre = 12 + 3 + m.dram.rtp;

	chase_play(&c, &m);
	sent = (c.issued[0] + 2) * core;
	in = edge(edge(sent, net) + 2 * net, core);
	activate = edge(in - core + 220 * core, dram);
	arrived = edge(in + 220 * core, dram);
	precharge = activate + (m.dram.ras > read_to_pre ? m.dram.ras : read_to_pre) * dram;
	there = edge(precharge + (12 + 12 + 3 + 12 + 2) * dram, core);
	back = edge(edge(there, net) + 6 * net, core);
	expect(&c, &(struct load_counts){.loads = 1,
					 .cycles = back / core + 34 - c.issued[0],
					 .part = {[LOAD_L1] = 36 * core,
						  [LOAD_NETWORK] = in - sent,
						  [LOAD_L2] = 120 * core,
						  [LOAD_DRAM_QUEUE] = precharge - arrived,
						  [LOAD_DRAM] = there - in - 120 * core - (precharge - arrived),
						  [LOAD_BACK] = back - there}});
	cr_expect_gt(precharge, arrived);
}
