/* 507: many requests: row conflicts, random reads and streams run at the rates that the timings allow; what one and two
 * command buses can do in a cycle. */
#include <criterion/criterion.h>

#include "support/at_tick.h"
#include "support/dram_rig.h"
#include "support/random.h"

enum { LONG = 1000 };

#define T	 (r->m.dram)
#define DATA	 (T.cl + T.burst)
#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

Test(dram, row_conflicts_of_one_bank_cost_trc_each)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);

		for (uint32_t i = 0; i < 200; i++)
			rig_push(r, 0, false, 5, i, 0, 1, i);
		for (uint32_t i = 0; i < 200; i++)
			rig_expect_reply(r, i * (uint64_t)T.rc + T.rcd + DATA, i);
		cr_assert_eq(r->d.stats.row_conflicts, 199);
		rig_free(r);
	}
}

Test(dram, written_row_conflicts_of_one_bank_wait_for_recovery_each)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);
		uint32_t recovered = T.rcd + T.wl + T.burst + T.wr, each = (recovered > T.ras ? recovered : T.ras) + T.rp;

		if (each < T.rc)
			each = T.rc;
		for (uint32_t i = 0; i < 64; i++)
			rig_push(r, 0, true, 5, i, 0, 1, i);
		rig_run(r, 64 * (uint64_t)each + LONG);
		for (uint32_t i = 0; i < 64; i++)
			cr_assert_eq(rig_command(r, DRAM_ACT, 5, i), i * (uint64_t)each, "write %u", i);
		rig_free(r);
	}
}

/* Reads of random banks and rows, each of a row of its own, a deep window; cycles an activate once the channel is
 * full. */
static double cycles_a_row(enum rig_memory memory, const char *rrd, const char *faw)
{
	enum { READS = 4000, FROM = 500, TO = 3000 };
	struct rig *r = rig_of(memory, SET("dram.queue=1024", "dram.first=activate", rrd, faw));
	uint64_t s = 9;
	double cycles;

	for (uint32_t i = 0; i < READS; i++)
		rig_push(r, 0, false, (uint32_t)random_below(&s, T.banks), i, (uint32_t)random_below(&s, 8), 1, i);
	rig_run(r, 100 * READS);
	cr_assert_eq(rig_commands(r, DRAM_ACT, -1), READS);
	cycles = (double)(rig_command(r, DRAM_ACT, -1, TO) - rig_command(r, DRAM_ACT, -1, FROM)) / (TO - FROM);
	rig_free(r);
	return cycles;
}

Test(dram, random_reads_reach_the_activates_rate)
{
	const struct {
		const char *rrd, *faw;
		double rate; /* max(tRRD, tFAW / 4) */
	} list[] = {
		{"dram.rrd=6", "dram.faw=0", 6},   {"dram.rrd=6", "dram.faw=24", 6},	{"dram.rrd=6", "dram.faw=25", 6.25},
		{"dram.rrd=6", "dram.faw=40", 10}, {"dram.rrd=4", "dram.faw=23", 5.75}, {"dram.rrd=7", "dram.faw=0", 7},
		{"dram.rrd=3", "dram.faw=12", 3},  {"dram.rrd=5", "dram.faw=0", 5},	{"dram.rrd=8", "dram.faw=31", 8},
	};

	EACH_MEMORY for (uint32_t i = 0; i < sizeof list / sizeof *list; i++)
	{
		double c = cycles_a_row(memory, list[i].rrd, list[i].faw);

		cr_assert(c >= list[i].rate && c <= 1.005 * list[i].rate, "memory %u, %s %s: %.4f cycles a row, not %.2f", memory,
			  list[i].rrd, list[i].faw, c, list[i].rate);
	}
}

/* With one bus, tRCD a multiple of tRRD and accesses first, each read takes the cycle that a later activate is ready
 * for: two activates in 2 tRRD + 1. */
Test(dram, on_one_bus_accesses_that_go_first_cost_activates_a_cycle)
{
	struct rig *r = rig_new(SET("dram.first=column", "dram.rrd=6", "dram.rcd=12"));

	for (uint32_t i = 0; i < 8; i++)
		rig_push(r, 0, false, i, 1, 0, 1, i);
	rig_run(r, LONG);
	cr_assert_eq(rig_command(r, DRAM_ACT, -1, 1), 6);
	cr_assert_eq(rig_command(r, DRAM_ACT, -1, 2), 13);
	cr_assert_eq(rig_command(r, DRAM_RD, -1, 0), 12);
	rig_free(r);

	r = rig_new(SET("dram.first=activate", "dram.rrd=6", "dram.rcd=12"));
	for (uint32_t i = 0; i < 8; i++)
		rig_push(r, 0, false, i, 1, 0, 1, i);
	rig_run(r, LONG);
	for (uint32_t i = 0; i < 8; i++)
		cr_assert_eq(rig_command(r, DRAM_ACT, -1, i), 6 * i);
	cr_assert_eq(rig_command(r, DRAM_RD, -1, 0), 13);
	rig_free(r);
}

Test(dram, two_buses_carry_a_row_and_a_column_command_in_one_cycle)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);
		bool dual = memory == RIG_HBM2;
		uint32_t token;

		rig_push(r, 0, false, 0, 1, 0, 1, 9);
		cr_assert(rig_reply(r, LONG - 1, &token));
		rig_push(r, LONG, false, 0, 1, 4, 1, 1); /* a row hit */
		rig_push(r, LONG, false, 1, 1, 0, 1, 2); /* a closed bank */
		rig_push(r, LONG, false, 2, 1, 0, 1, 3); /* another: one row command a cycle, tRRD apart */
		rig_expect_reply(r, LONG + DATA, 1);
		rig_expect_reply(r, LONG + !dual + T.rcd + DATA, 2);
		rig_expect_reply(r, LONG + !dual + T.rrd + T.rcd + DATA, 3);
		cr_assert_eq(rig_command(r, DRAM_ACT, 1, 0), LONG + !dual);
		rig_free(r);
	}
}

Test(dram, a_bus_carries_one_command_a_cycle)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, SET("dram.rrd=1", "dram.faw=0"));

		/* two rows to close, both ready at once: one precharge a cycle */
		for (uint32_t row = 1; row < 3; row++)
			for (uint32_t bank = 0; bank < 2; bank++)
				rig_push(r, (row - 1) * LONG, false, bank, row, 0, 1, bank);
		rig_run(r, 2 * LONG);
		cr_assert_eq(rig_command(r, DRAM_PRE, 0, 0), LONG);
		cr_assert_eq(rig_command(r, DRAM_PRE, 1, 0), LONG + 1);
		rig_free(r);
	}
}

/* Lines that come in the order of their addresses, from a closed channel: nothing but the first activate delays the
 * data. */
Test(dram, a_stream_of_hbm2_fills_the_data_bus)
{
	enum { LINES = 256 }; /* 32 KB: each bank has two rows of it */
	struct rig *r = rig_of(RIG_HBM2, NULL);
	uint64_t first, last;

	for (uint32_t i = 0; i < LINES; i++) {
		struct dram_req *q = queue_push(&r->in, at_tick(0));

		*q = (struct dram_req){.local = i * 128, .token = i, .bursts = 15};
	}
	rig_run(r, 10000);
	first = rig_command(r, DRAM_RD, -1, 64);
	last = rig_command(r, DRAM_RD, -1, 4 * LINES - 64); /* the last lines may be of one group */
	cr_assert_eq(last - first, 4 * LINES - 64 - 64, "a burst every cycle");
	rig_free(r);
}

Test(dram, a_queue_of_thousands_holds_them)
{
	struct rig *r = rig_of(RIG_HBM2, SET("dram.queue=4000", "dram.write_high=4000", "dram.age_cap=0"));

	for (uint32_t i = 0; i < 4000; i++)
		rig_push(r, 0, false, 0, 1 + i % 2, 0, 1, i);
	rig_run(r, 0);
	cr_assert_eq(dram_waiting(&r->d), 4000);
	rig_run(r, 100000);
	cr_assert_eq(rig_commands(r, DRAM_RD, -1), 4000);
	cr_assert_eq(dram_waiting(&r->d), 0);
	rig_free(r);
}
