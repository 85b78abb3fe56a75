/* 502: activates, precharges and what waits for them: each expected cycle is a formula over the timing parameters. */
#include <criterion/criterion.h>

#include "support/at_tick.h"
#include "support/dram_rig.h"

enum { LONG = 1000 }; /* every earlier command is out of the way by then */

#define T	 (r->m.dram)
#define DATA	 (T.cl + T.burst) /* read command to the end of its data */
#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

static void open_row(struct rig *r, uint32_t bank, uint64_t row)
{
	uint32_t token;

	rig_push(r, 0, false, bank, row, 0, 1, 99);
	rig_run(r, LONG - 1);
	cr_assert(rig_reply(r, LONG - 1, &token) && token == 99);
}

Test(dram, a_read_of_a_closed_bank_waits_for_the_activate)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);

		rig_push(r, 7, false, 3, 5, 0, 1, 1);
		rig_expect_reply(r, 7 + T.rcd + DATA, 1);
		cr_assert_eq(r->d.stats.row_misses, 1);
		rig_free(r);
	}
}

Test(dram, a_line_of_two_bursts_ends_one_same_group_distance_later)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);

		rig_push(r, 7, false, 3, 5, 0, 3, 1);
		rig_expect_reply(r, 7 + T.rcd + T.ccdl + DATA, 1);
		cr_assert_eq(r->d.stats.bytes, 2 * T.burst_bytes);
		cr_assert_eq(r->d.stats.busy, 2 * T.burst);
		rig_free(r);
	}
}

Test(dram, a_row_hit_waits_for_the_column_access_alone)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);

		open_row(r, 0, 1);
		rig_push(r, LONG, false, 0, 1, 8, 1, 1);
		rig_expect_reply(r, LONG + DATA, 1);
		cr_assert_eq(r->d.stats.row_hits, 1);
		rig_free(r);
	}
}

Test(dram, a_row_conflict_waits_for_precharge_and_activate)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);

		open_row(r, 0, 1);
		rig_push(r, LONG, false, 0, 2, 0, 1, 1);
		rig_expect_reply(r, LONG + T.rp + T.rcd + DATA, 1);
		cr_assert_eq(r->d.stats.row_conflicts, 1);
		rig_free(r);
	}
}

Test(dram, a_row_stays_open_for_tras_before_its_precharge)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, SET("dram.ras=30", "dram.rc=42", "dram.rp=12"));

		rig_push(r, 0, false, 0, 1, 0, 1, 1);
		rig_push(r, 0, false, 0, 2, 0, 1, 2);
		rig_expect_reply(r, T.rcd + DATA, 1);
		rig_expect_reply(r, T.ras + T.rp + T.rcd + DATA, 2);
		cr_assert_eq(rig_command(r, DRAM_PRE, 0, 0), T.ras);
		rig_free(r);
	}
}

Test(dram, two_activates_of_a_bank_are_trc_apart)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, SET("dram.rc=57"));

		rig_push(r, 0, false, 0, 1, 0, 1, 1);
		rig_push(r, 0, false, 0, 2, 0, 1, 2);
		rig_expect_reply(r, T.rcd + DATA, 1);
		rig_expect_reply(r, T.rc + T.rcd + DATA, 2);
		rig_free(r);
	}
}

Test(dram, a_precharge_waits_trtp_after_a_read)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, SET("dram.ras=13", "dram.rc=14", "dram.rtp=9"));

		rig_push(r, 0, false, 0, 1, 0, 1, 1);
		rig_push(r, 0, false, 0, 2, 0, 1, 2);
		rig_expect_reply(r, T.rcd + DATA, 1);
		rig_expect_reply(r, T.rcd + T.rtp + T.rp + T.rcd + DATA, 2);
		rig_free(r);
	}
}

Test(dram, a_precharge_waits_for_written_data_to_recover)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, SET("dram.wr=20"));

		rig_push(r, 0, true, 0, 1, 0, 1, 0);
		rig_run(r, T.rcd);
		cr_assert_eq(rig_command(r, DRAM_WR, 0, 0), T.rcd);
		rig_push(r, T.rcd + 1, false, 0, 2, 0, 1, 1);
		rig_expect_reply(r, T.rcd + (T.wl + T.burst + T.wr) + T.rp + T.rcd + DATA, 1);
		rig_free(r);
	}
}

Test(dram, activates_of_two_banks_are_trrd_apart)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);

		rig_push(r, 0, false, 0, 1, 0, 1, 1);
		rig_push(r, 0, false, 5, 1, 0, 1, 2);
		rig_expect_reply(r, T.rcd + DATA, 1);
		rig_expect_reply(r, T.rrd + T.rcd + DATA, 2);
		rig_free(r);
	}
}

Test(dram, activates_of_one_bank_group_are_trrdl_apart)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, SET("dram.rrd=7", "dram.rrdl=11"));
		uint32_t first = rig_bank(r, 0, 0), same = rig_bank(r, 0, 1), other = rig_bank(r, 1, 0);

		rig_push(r, 0, false, first, 1, 0, 1, 1);
		rig_push(r, 0, false, same, 1, 0, 1, 2);
		rig_push(r, 0, false, other, 1, 0, 1, 3);
		rig_expect_reply(r, T.rcd + DATA, 1);
		rig_expect_reply(r, T.rrd + T.rcd + DATA, 3);
		rig_expect_reply(r, 2 * T.rrd + T.rcd + DATA, 2); /* tRRDL after its neighbour alone it could have been
								   * sooner */
		rig_free(r);

		r = rig_of(memory, SET("dram.rrd=7", "dram.rrdl=11"));
		rig_push(r, 0, false, first, 1, 0, 1, 1);
		rig_push(r, 0, false, same, 1, 0, 1, 2);
		rig_expect_reply(r, T.rcd + DATA, 1);
		rig_expect_reply(r, T.rrdl + T.rcd + DATA, 2);
		rig_free(r);
	}
}

/* tRRD 5 keeps the activates out of the way of the reads at tRCD 12 and after. */
Test(dram, a_fifth_activate_waits_for_the_window_of_four)
{
	EACH_MEMORY
	{
		for (uint32_t on = 0; on < 2; on++) {
			struct rig *r = rig_of(memory, SET("dram.rrd=5", on ? "dram.faw=41" : "dram.faw=0"));

			for (uint32_t b = 0; b < 6; b++)
				rig_push(r, 0, false, b, 1, 0, 1, b);
			rig_run(r, LONG);
			cr_assert_eq(rig_command(r, DRAM_ACT, 3, 0), 3 * T.rrd);
			cr_assert_eq(rig_command(r, DRAM_ACT, 4, 0), on ? 41 : 4 * T.rrd);
			cr_assert_eq(rig_command(r, DRAM_ACT, 5, 0), on ? 41 + T.rrd : 5 * T.rrd);
			rig_free(r);
		}
	}
}

Test(dram, a_request_that_arrives_between_two_edges_is_taken_at_the_next)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);
		struct dram_req *q = queue_push(&r->in, at_tick(7 * r->m.clock.period[CLOCK_DRAM] + 1));

		*q = (struct dram_req){.token = 1, .bursts = 1};
		rig_expect_reply(r, 8 + T.rcd + DATA, 1);
		rig_free(r);
	}
}
