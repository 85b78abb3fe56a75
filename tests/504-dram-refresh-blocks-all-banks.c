/* 504: refresh: due every tREFI, all banks closed, nothing else for tRFC. */
#include <criterion/criterion.h>

#include "support/dram_rig.h"

#define T    (r->m.dram)
#define DATA (T.cl + T.burst)
#define ON   ((const char *const[]){"dram.refresh=true", NULL})

Test(dram, a_refresh_that_is_due_goes_before_a_read)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, ON);

		rig_push(r, T.refi, false, 0, 1, 0, 1, 1);
		rig_expect_reply(r, T.refi + T.rfc + T.rcd + DATA, 1);
		cr_assert_eq(rig_command(r, DRAM_REF, -1, 0), T.refi);
		rig_free(r);
	}
}

Test(dram, a_read_that_is_done_before_the_refresh_is_due_is_not_held_up)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, ON);

		rig_push(r, T.refi - T.rcd - 1, false, 0, 1, 0, 1, 1);
		rig_expect_reply(r, T.refi - 1 + DATA, 1);
		rig_free(r);
	}
}

Test(dram, open_rows_are_closed_together_before_the_refresh)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, ON);
		uint32_t token;

		rig_push(r, 0, false, 0, 1, 0, 1, 1);
		rig_push(r, 0, false, 9, 1, 0, 1, 2);
		cr_assert(rig_reply(r, 500, &token) && rig_reply(r, 500, &token));
		rig_push(r, T.refi, false, 0, 1, 4, 1, 3);
		rig_expect_reply(r, T.refi + T.rp + T.rfc + T.rcd + DATA, 3);
		cr_assert_eq(rig_command(r, DRAM_PRE_ALL, -1, 0), T.refi);
		cr_assert_eq(rig_command(r, DRAM_REF, -1, 0), T.refi + T.rp);
		cr_assert_eq(r->d.stats.row_hits, 0, "the refresh closed the row");
		rig_free(r);
	}
}

Test(dram, a_row_opened_just_before_the_refresh_is_first_kept_for_tras)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, ON);

		rig_push(r, T.refi - 1, false, 0, 1, 0, 1, 1);
		rig_expect_reply(r, T.refi - 1 + T.ras + T.rp + T.rfc + T.rcd + DATA, 1);
		rig_free(r);
	}
}

Test(dram, an_idle_channel_sleeps_through_its_refreshes_and_makes_up_for_them)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, ON);
		uint64_t late = 1000 * (uint64_t)T.refi + 17;

		rig_run(r, late);
		cr_assert(ticks_is_never(r->next), "nothing to do");
		rig_push(r, late, false, 0, 1, 0, 1, 1);
		rig_expect_reply(r, 1000 * (uint64_t)T.refi + T.rfc + T.rcd + DATA, 1);
		cr_assert_eq(r->d.stats.command[DRAM_REF], 1000);
		dram_finish(&r->d, ticks_of(2000 * (uint64_t)T.refi + T.rp + 1, r->m.clock.period[CLOCK_DRAM]));
		cr_assert_eq(r->d.stats.command[DRAM_REF], 2000);
		rig_free(r);
	}
}
