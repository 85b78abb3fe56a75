/* 330: a chain of dependent loads on the whole machine costs, load by load and to the cycle, the sum of the parts that
 * docs/explanation/timing.md states, at L1, at L2 and at DRAM (closed bank, open row, other row), with the clocks of
 * the GTX480 and with others. The formula below is written from that page and from the numbers of the machine file; it
 * shares nothing with the model.
 */
#include <criterion/criterion.h>

#include "support/chase.h"

enum level { AT_L1, AT_L2, AT_CLOSED_BANK, AT_OPEN_ROW, AT_OTHER_ROW };

/* ---- the formula ---- */

static uint64_t edge(uint64_t t, uint64_t period)
{
	return (t + period - 1) / period * period;
}

/* Core cycles from a load's issue in cycle c to that of the load that needs its value. gtx480: L1 35, hop 1, request 1
 * flit, reply ceil((8 + 128) / 32) = 5 flits, L2 120, DRAM 100 core cycles, tRCD 12, tRP 12, tCCDL 3, CL 12, burst
 * 2. */
static uint64_t cost(const struct machine *m, uint64_t c, enum level level)
{
	const uint64_t core = m->clock.period[CLOCK_CORE], net = m->clock.period[CLOCK_NET], l2 = m->clock.period[CLOCK_L2],
		       dram = m->clock.period[CLOCK_DRAM];
	static const uint64_t to_last_burst[] = {
		[AT_CLOSED_BANK] = 12 + 3 + 12 + 2, [AT_OPEN_ROW] = 3 + 12 + 2, [AT_OTHER_ROW] = 12 + 12 + 3 + 12 + 2};
	uint64_t t;

	if (level == AT_L1)
		return 35;
	t = (c + 1) * core;		  /* looked up, sent */
	t = edge(t, net) + (1 + 1) * net; /* hop, one flit */
	t = edge(t, l2) + 120 * l2;	  /* looked up at the L2 */
	if (level != AT_L2)
		t = edge(edge(t + 100 * core, dram) + to_last_burst[level] * dram, l2);
	t = edge(t, net) + (1 + 5) * net;      /* hop, five flits */
	return (t + core - 1) / core - c + 34; /* taken at a core edge; as after a lookup */
}

static void expect(const struct chase *c, const struct machine *m, unsigned from, unsigned n, enum level level)
{
	for (unsigned i = from; i < from + n; i++) {
		uint64_t got = c->issued[i + 1] - c->issued[i], want = cost(m, c->issued[i], level);

		cr_assert_eq(got, want, "load %u at level %d: %lu cycles, the sum is %lu", i, level, got, want);
	}
}

#define BASE UINT64_C(0x10000000)

/* 256 lines one after another are eight for each of the 32 sets of four ways: in the second round each is gone from L1
 * again, and is still in the L2. Then one line over and over. */
Test(chase, at_l1_and_at_l2)
{
	for (unsigned k = 0; k < CHASE_CLOCKS; k++) {
		struct machine m = chase_machine(chase_clocks[k]);
		struct chase c = {.n = 3 * 256};

		for (unsigned i = 0; i < c.n; i++)
			c.addr[i] = BASE + 128 * (i < 512 ? i % 256 : 255);
		chase_play(&c, &m);
		expect(&c, &m, 256, 256, AT_L2);
		expect(&c, &m, 512, 256, AT_L1);
	}
}

/* The address of a place in channel 0: blocks of 256 bytes go round 6 channels. Inside: row, BBBCCCCBCCSSSSSS. */
static uint64_t place(uint64_t row, uint64_t bank, uint64_t column)
{
	uint64_t local = row << 16 | bank >> 1 << 13 | column >> 2 << 9 | (bank & 1) << 8 | (column & 3) << 6;

	return local / 256 * (6 * 256) + local % 256;
}

/* Each of the 16 banks: closed; then the open row; then another row. */
Test(chase, at_dram_with_a_closed_bank_an_open_row_and_another_row)
{
	for (unsigned k = 0; k < CHASE_CLOCKS; k++) {
		struct machine m = chase_machine(chase_clocks[k]);
		struct chase c = {.n = 3 * 16};

		for (unsigned b = 0; b < 16; b++) {
			c.addr[b] = place(4096, b, 0);
			c.addr[16 + b] = place(4096, b, 2); /* a line is two columns */
			c.addr[32 + b] = place(4097, b, 0);
		}
		chase_play(&c, &m);
		expect(&c, &m, 0, 16, AT_CLOSED_BANK);
		expect(&c, &m, 16, 16, AT_OPEN_ROW);
		expect(&c, &m, 32, 16, AT_OTHER_ROW);
	}
}

/* The figures of the GTX480 as one number each, added up by hand: at L2 35 + request 1 + 120 + reply 3 core cycles. */
Test(chase, the_gtx480_takes_35_and_159_cycles)
{
	struct machine m = chase_machine(NULL);

	cr_assert_eq(cost(&m, 1000, AT_L1), 35);
	cr_assert_eq(cost(&m, 1000, AT_L2), 35 + 1 + 120 + 3);
}

/* ---- over links: a ring of four modules, 64 GB/s and 25 core cycles a link ---- */

/* A crossbar; and for each link 8 or 136 bytes at 64 bytes a nanosecond, its latency, then the other module's
 * crossbar. */
static uint64_t way(const struct machine *m, uint64_t t, unsigned links, unsigned flits, uint64_t bytes)
{
	const uint64_t core = m->clock.period[CLOCK_CORE], net = m->clock.period[CLOCK_NET];

	t = edge(t, net) + (1 + flits) * net;
	if (links == 0)
		return t;
	for (unsigned i = 0; i < links; i++)
		t += (bytes * m->clock.ticks_per_us + 63999) / 64000 + 25 * core;
	return edge(t, net) + (1 + flits) * net;
}

static uint64_t remote_hit(const struct machine *m, uint64_t c, unsigned links)
{
	const uint64_t core = m->clock.period[CLOCK_CORE], l2 = m->clock.period[CLOCK_L2];
	uint64_t t = edge(way(m, (c + 1) * core, links, 1, 8), l2) + 120 * l2;

	return (way(m, t, links, 5, 136) + core - 1) / core - c + 34;
}

/* Round the four modules, eight lines for each set of the L1: in the second round all are gone from it and in the L2s.
 * Pages of
 * 4 KB are spread by bits 11..10, so line by line eight are in one module and the next eight in the next one. */
Test(chase, over_no_one_and_two_links)
{
	static const char *const modules[] = {
		"module.count=4", "sm.count=2", "dram.channels=2", "link.topology=ring", "link.latency=25", "link.gbps=64", NULL};
	static const unsigned links[] = {0, 1, 2, 1};

	struct machine m = chase_machine(modules);
	struct chase c = {.n = 2 * 256};

	for (unsigned i = 0; i < c.n; i++)
		c.addr[i] = BASE + 128 * (i % 256);
	chase_play(&c, &m);
	for (unsigned i = 256; i < 512; i++) {
		uint64_t got = c.issued[i + 1] - c.issued[i], want = remote_hit(&m, c.issued[i], links[i / 8 % 4]);

		cr_assert_eq(got, want, "load %u over %u links: %lu cycles, the sum is %lu", i, links[i / 8 % 4], got, want);
	}
}
