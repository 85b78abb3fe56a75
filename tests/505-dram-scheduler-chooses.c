/* 505: who goes first: row hits, age, reads before writes until the buffer is full, urgent requests. */
#include <criterion/criterion.h>

#include "support/dram_rig.h"

enum { LONG = 1000 };

#define T	 (r->m.dram)
#define DATA	 (T.cl + T.burst)
#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

static void open_row(struct rig *r, uint32_t bank, uint64_t row)
{
	uint32_t token;

	rig_push(r, 0, false, bank, row, 0, 1, 99);
	cr_assert(rig_reply(r, LONG - 1, &token));
}

Test(dram, frfcfs_lets_a_row_hit_overtake_an_older_conflict)
{
	struct rig *r = rig_new(NULL);

	open_row(r, 0, 1);
	rig_push(r, LONG, false, 0, 2, 0, 1, 1);
	rig_push(r, LONG, false, 0, 1, 4, 1, 2);
	rig_expect_reply(r, LONG + DATA, 2);
	rig_expect_reply(r, LONG + T.rtp + T.rp + T.rcd + DATA, 1);
	rig_free(r);
}

Test(dram, fcfs_does_not)
{
	struct rig *r = rig_new(SET("dram.sched=fcfs"));
	uint64_t second = LONG + T.rp + T.rcd;

	open_row(r, 0, 1);
	rig_push(r, LONG, false, 0, 2, 0, 1, 1);
	rig_push(r, LONG, false, 0, 1, 4, 1, 2);
	rig_expect_reply(r, second + DATA, 1);
	/* the second activate of the bank is tRC, not tRAS + tRP, after the first only if tRC is longer; both are 40
	 * here */
	rig_expect_reply(r, LONG + T.rp + T.rc + T.rcd + DATA, 2);
	rig_free(r);
}

Test(dram, of_two_row_hits_the_older_goes_first)
{
	struct rig *r = rig_new(NULL);

	open_row(r, 0, 1);
	rig_push(r, LONG, false, 0, 1, 8, 1, 1);
	rig_push(r, LONG, false, 0, 1, 4, 1, 2);
	rig_expect_reply(r, LONG + DATA, 1);
	rig_expect_reply(r, LONG + T.ccdl + DATA, 2);
	rig_free(r);
}

/* 40 reads and some writes, all of open rows, arrive together; returns how many writes go before the first of those
 * reads. */
static uint32_t writes_before_reads(struct rig *r, uint32_t writes)
{
	uint32_t n = 0;

	open_row(r, 0, 1);
	for (uint32_t i = 0; i < 40; i++)
		rig_push(r, LONG, false, 0, 1, 1 + i, 1, i);
	for (uint32_t i = 0; i < writes; i++)
		rig_push(r, LONG, true, 0, 1, i, 1, 100 + i);
	rig_run(r, LONG - 1 + 10000);
	cr_assert_eq(rig_commands(r, DRAM_RD, -1), 41);
	cr_assert_eq(rig_commands(r, DRAM_WR, -1), writes);
	for (uint32_t i = 0; i < r->commands; i++) {
		if (r->log[i].cycle < LONG)
			continue;
		if (r->log[i].command == DRAM_RD)
			break;
		n += r->log[i].command == DRAM_WR;
	}
	return n;
}

Test(dram, writes_wait_below_the_high_watermark)
{
	struct rig *r = rig_new(NULL);

	cr_assert_eq(writes_before_reads(r, T.write_high - 1), 0);
	cr_assert_eq(r->d.stats.drains, 0);
	rig_free(r);
}

Test(dram, writes_drain_from_the_high_to_the_low_watermark)
{
	struct rig *r = rig_new(SET("dram.write_high=20", "dram.write_low=7"));

	cr_assert_eq(writes_before_reads(r, T.write_high), T.write_high - T.write_low);
	cr_assert_eq(r->d.stats.drains, 1);
	rig_free(r);
}

Test(dram, a_drain_from_above_the_high_watermark_ends_at_the_low_one_too)
{
	struct rig *r = rig_new(SET("dram.write_high=20", "dram.write_low=7"));

	cr_assert_eq(writes_before_reads(r, 30), 30 - T.write_low);
	rig_free(r);
}

Test(dram, writes_of_an_idle_time_stop_for_a_read)
{
	struct rig *r = rig_new(NULL);

	open_row(r, 0, 1);
	for (uint32_t i = 0; i < 10; i++)
		rig_push(r, LONG, true, 0, 1, i, 1, i);
	rig_push(r, LONG + 1, false, 0, 1, 20, 1, 50);
	rig_expect_reply(r, LONG + (T.wl + T.burst + T.cdlr) + DATA, 50);
	cr_assert_eq(rig_command(r, DRAM_WR, -1, 0), LONG);
	cr_assert_eq(rig_command(r, DRAM_WR, -1, 1), LONG + (T.wl + T.burst + T.cdlr) + (T.cl + T.burst + 2 - T.wl));
	rig_free(r);
}

/* Ten writes and no read: they are served, and a read that comes then waits until the low watermark. */
Test(dram, by_watermarks_writes_go_on_to_the_low_one)
{
	struct rig *r = rig_new(SET("dram.drain=watermarks", "dram.write_high=20", "dram.write_low=3"));

	open_row(r, 0, 1);
	for (uint32_t i = 0; i < 10; i++)
		rig_push(r, LONG, true, 0, 1, i, 1, i);
	rig_push(r, LONG + 1, false, 0, 1, 20, 1, 50);
	rig_run(r, 2 * LONG);
	cr_assert_eq(rig_commands(r, DRAM_WR, -1), 10);
	cr_assert_lt(rig_command(r, DRAM_WR, -1, 6), rig_command(r, DRAM_RD, -1, 1));
	cr_assert_gt(rig_command(r, DRAM_WR, -1, 7), rig_command(r, DRAM_RD, -1, 1));
	cr_assert_eq(r->d.stats.drains, 0);
	rig_free(r);
}

/* The second drain does not wait for as many reads as the first has served writes: by turns it would. */
Test(dram, by_watermarks_reads_have_no_turn)
{
	static const char *const drains[] = {"dram.drain=watermarks", "dram.drain=turns"};
	uint32_t reads[2];

	for (unsigned k = 0; k < 2; k++) {
		struct rig *r = rig_new(SET(drains[k], "dram.write_high=20", "dram.write_low=4"));
		uint32_t writes = 0;

		open_row(r, 0, 1);
		for (uint32_t i = 0; i < 20; i++) {
			rig_push(r, LONG, false, 0, 1, 32 + i, 1, i);
			rig_push(r, LONG, true, 0, 1, i, 1, 100 + i);
		}
		for (uint32_t i = 0; i < 18; i++) /* as the first drain ends */
			rig_push(r, LONG + 16 * T.ccdl, true, 0, 1, i, 1, 200 + i);
		rig_run(r, 10 * LONG);
		reads[k] = 0;
		for (uint32_t i = 0; i < r->commands; i++) {
			writes += r->log[i].command == DRAM_WR;
			reads[k] += r->log[i].command == DRAM_RD && r->log[i].cycle >= LONG && writes == 16;
		}
		rig_free(r);
	}
	cr_assert_lt(reads[0], 3, "%u", reads[0]);
	cr_assert_eq(reads[1], 16);
}

/* Reads and writes that always wait; the queues hold 8 each, so that each drain begins with 8 waiting. */
Test(dram, waiting_writes_and_waiting_reads_take_turns)
{
	struct rig *r = rig_new(SET("dram.queue=8", "dram.write_high=8", "dram.write_low=4"));
	uint32_t run = 0, last = DRAM_COMMANDS, turns = 0;

	for (uint32_t i = 0; i < 500; i++) {
		rig_push(r, 0, true, 0, 1, i % 32, 1, i);
		rig_push(r, 0, false, 0, 1, 32 + i % 32, 1, i);
	}
	rig_run(r, 10000);
	for (uint32_t i = 0; turns < 200 && i < r->commands; i++) {
		uint32_t c = r->log[i].command;

		if (c != DRAM_RD && c != DRAM_WR)
			continue;
		if (c != last) {
			cr_assert(turns < 2 || run == 4, "turn %u: %u of one direction in a row", turns, run);
			run = 0;
			turns++;
		}
		last = c;
		run++;
	}
	cr_assert_eq(turns, 200);
	rig_free(r);
}

/* An activate at cycle 8, while the credit is on its way, gives the controller something else to think of. */
Test(dram, a_reply_waits_for_room_in_the_reply_queue)
{
	struct rig *r = rig_new(SET("dram.rrd=8"));
	uint64_t credit = 5, period = r->m.clock.period[CLOCK_DRAM];

	queue_init(&r->out, &r->arena, 1, ticks_of(credit, period));
	r->out.ring.producer.wake = &r->next;
	rig_push(r, 0, false, 9, 1, 0, 1, 1); /* keeps the channel reading until the writes wait */
	rig_push(r, 0, false, 5, 1, 0, 1, 5);
	rig_push(r, 1, true, 0, 1, 4, 3, 2);
	rig_push(r, 2, false, 0, 1, 4, 3, 3); /* answered from the write queue */
	rig_push(r, 3, false, 0, 1, 4, 3, 4); /* likewise, but there is no room */
	rig_expect_reply(r, 2 + 2 * T.burst, 3);
	rig_expect_reply(r, 2 + 2 * T.burst + credit + 2 * T.burst, 4);
	/* its data could have come at tRCD + CL + BL */
	rig_expect_reply(r, 2 + 2 * T.burst + credit + 2 * T.burst + credit + DATA, 1);
	rig_free(r);
}

Test(dram, a_read_of_waiting_bytes_is_answered_from_the_write_queue)
{
	struct rig *r = rig_new(NULL);

	rig_push(r, 0, false, 9, 1, 0, 1, 1); /* keeps the channel reading */
	rig_push(r, 1, true, 0, 1, 4, 3, 2);
	rig_push(r, 2, false, 0, 1, 4, 3, 3);
	rig_expect_reply(r, 2 + 2 * T.burst, 3);
	cr_assert_eq(r->d.stats.forwarded, 1);
	rig_expect_reply(r, T.rcd + DATA, 1);
	rig_free(r);
}

Test(dram, a_write_of_some_bytes_of_a_burst_answers_no_read)
{
	struct rig *r = rig_new(NULL);

	rig_push(r, 0, false, 9, 1, 0, 1, 1);
	rig_push(r, 1, true, 0, 1, 4, 1, 2)->whole = 0;
	rig_push(r, 2, false, 0, 1, 4, 1, 3);
	rig_run(r, LONG);
	cr_assert_eq(r->d.stats.forwarded, 0);
	cr_assert_eq(rig_commands(r, DRAM_RD, 0), 1);
	rig_free(r);
}

Test(dram, a_read_of_more_than_the_waiting_bytes_goes_to_the_banks)
{
	struct rig *r = rig_new(NULL);

	rig_push(r, 0, false, 9, 1, 0, 1, 1);
	rig_push(r, 1, true, 0, 1, 4, 1, 2);
	rig_push(r, 2, false, 0, 1, 4, 3, 3);
	rig_run(r, LONG);
	cr_assert_eq(r->d.stats.forwarded, 0);
	cr_assert_eq(rig_commands(r, DRAM_RD, 0), 2);
	rig_free(r);
}

/* A conflict at the head of an endless stream of row hits; returns how many column accesses go before its own. */
static uint32_t overtakers(struct rig *r)
{
	uint32_t n = 0, token;
	uint64_t pushed = 0;

	open_row(r, 0, 1);
	rig_push(r, LONG, false, 0, 2, 0, 1, 5000);
	for (; pushed < 10; pushed++)
		rig_push(r, LONG, false, 0, 1, (uint32_t)pushed, 1, (uint32_t)pushed);
	for (uint64_t c = LONG; c < LONG + 6000; c++) {
		if (c % T.ccdl == 0 && pushed++ < 1900)
			rig_push(r, c, false, 0, 1, (uint32_t)(c % 64), 1, (uint32_t)c);
		while (rig_reply(r, c, &token))
			;
	}
	for (uint32_t i = 0; i < r->commands; i++) {
		if (r->log[i].cycle < LONG || r->log[i].command != DRAM_RD)
			continue;
		if (r->log[i].row == 2)
			return n;
		n++;
	}
	return UINT32_MAX;
}

Test(dram, a_request_is_overtaken_by_no_more_accesses_than_the_cap)
{
	struct rig *capped = rig_new(SET("dram.age_cap=100")), *endless = rig_new(SET("dram.age_cap=0"));

	cr_assert_eq(overtakers(capped), 100);
	cr_assert_eq(overtakers(endless), 1900, "without a cap every hit of the stream goes first");
	rig_free(capped);
	rig_free(endless);
}

Test(dram, a_full_queue_holds_the_next_request_back_and_counts_the_cycles)
{
	struct rig *r = rig_new(SET("dram.queue=2", "dram.write_high=2", "dram.write_low=1"));

	for (uint32_t i = 0; i < 3; i++)
		rig_push(r, 0, false, 0, 1, i, 1, i);
	rig_expect_reply(r, T.rcd + DATA, 0);
	rig_expect_reply(r, T.rcd + T.ccdl + DATA, 1);
	rig_expect_reply(r, T.rcd + 2 * T.ccdl + DATA, 2);
	/* the first column access is at tRCD, the slot can be taken in the cycle after it */
	cr_assert_eq(r->d.stats.queue_full, T.rcd + 1);
	rig_free(r);
}
