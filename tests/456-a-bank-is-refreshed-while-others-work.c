/* 456: refresh of single banks (HBM2): the k-th refresh is of bank k modulo 16, due at k x tREFI / 16; its bank is
 * closed and does nothing for tRFCSB, all others go on. Times by hand from the definitions in
 * docs/explanation/memory.md. */
#include <criterion/criterion.h>

#include "support/dram_rig.h"

#define T    (r->m.dram)
#define DATA (T.cl + T.burst)
#define GAP  (T.refi / 16)
#define ON   ((const char *const[]){"dram.refresh=true", "dram.refresh_banks=single", "dram.rfcsb=82", "dram.rrefd=7", NULL})

Test(bank_refresh, a_read_of_its_bank_waits_for_it)
{
	struct rig *r = rig_of(RIG_HBM2, ON);

	rig_push(r, GAP, false, 0, 1, 0, 1, 1);
	rig_expect_reply(r, GAP + T.rfcsb + T.rcd + DATA, 1);
	cr_assert_eq(rig_command(r, DRAM_REF_BANK, 0, 0), GAP);
	cr_assert_eq(r->d.stats.command[DRAM_REF], 0);
	rig_free(r);
}

/* An activate in its cycle has to wait for tRREFD, one in the cycle before has not. */
Test(bank_refresh, a_read_of_another_bank_waits_for_its_command_at_most)
{
	for (uint32_t late = 0; late < 2; late++) {
		struct rig *r = rig_of(RIG_HBM2, ON);
		uint64_t at = GAP - 1 + late;

		rig_push(r, at, false, 5, 1, 0, 1, 1);
		rig_expect_reply(r, (late ? GAP + T.rrefd : at) + T.rcd + DATA, 1);
		rig_free(r);
	}
}

Test(bank_refresh, banks_take_turns)
{
	struct rig *r = rig_of(RIG_HBM2, ON);

	rig_push(r, 20 * GAP + 100, false, 9, 1, 0, 1, 1);
	rig_run(r, 20 * GAP + 200);
	for (uint32_t k = 0; k < 20; k++)
		cr_assert_eq(rig_command(r, DRAM_REF_BANK, (int)(k % 16), k / 16), (k + 1) * GAP, "refresh %u", k);
	rig_free(r);
}

/* Rows of bank 0 and 9 are open when bank 0 is refreshed: it alone is closed. */
Test(bank_refresh, rows_of_other_banks_stay_open)
{
	struct rig *r = rig_of(RIG_HBM2, ON);
	uint32_t token;

	rig_push(r, 0, false, 0, 1, 0, 1, 1);
	rig_push(r, 0, false, 9, 1, 0, 1, 2);
	cr_assert(rig_reply(r, GAP - 1, &token) && rig_reply(r, GAP - 1, &token));
	rig_push(r, GAP, false, 9, 1, 4, 1, 3);
	rig_expect_reply(r, GAP + DATA, 3);
	cr_assert_eq(r->d.stats.row_hits, 1);
	rig_push(r, GAP + 50, false, 0, 1, 4, 1, 4);
	rig_expect_reply(r, GAP + T.rp + T.rfcsb + T.rcd + DATA, 4);
	cr_assert_eq(rig_command(r, DRAM_PRE, 0, 0), GAP);
	cr_assert_eq(rig_command(r, DRAM_REF_BANK, 0, 0), GAP + T.rp);
	cr_assert_eq(rig_commands(r, DRAM_PRE_ALL, -1), 0);
	rig_free(r);
}

Test(bank_refresh, an_idle_time_of_any_length_has_its_refreshes)
{
	static const uint64_t rounds[] = {1, 1000, UINT64_C(1) << 32};

	for (unsigned i = 0; i < 3; i++) {
		struct rig *r = rig_of(RIG_HBM2, ON);
		uint64_t k = rounds[i] * 16 + 3, late = k * GAP; /* the k-th is of bank 2 */

		r->d.watch = NULL;
		rig_push(r, late, false, 2, 1, 0, 1, 1);
		rig_expect_reply(r, late + T.rfcsb + T.rcd + DATA, 1);
		cr_assert_eq(r->d.stats.command[DRAM_REF_BANK], k);
		rig_free(r);
	}
}

Test(bank_refresh, that_keeps_others_from_activates_until_the_next_one_is_refused)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, "qv100", "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(machine_set(&m, "dram.rrefd=208", &e), 0, "%s", e.text); /* 3315 / 16 = 207.2 */
	cr_assert_neq(machine_resolve(&m, &e), 0);
	cr_assert(strstr(e.text, "dram.rrefd: it must end before the next bank's refresh, 207 cycles later"), "%s", e.text);
}

/* HBM3's refresh of a bank takes longer than the time to the next bank's: several banks are in refresh at a time. */
Test(bank_refresh, may_last_beyond_the_next_ones)
{
	enum { LONG = 500 };
	struct rig *r = rig_of(RIG_HBM2, (const char *const[]){"dram.refresh=true", "dram.refresh_banks=single", "dram.rfcsb=500",
							       "dram.rrefd=7", NULL});
	const uint64_t late = UINT64_C(1) << 40, k = late / GAP; /* the k-th refresh is the last one before it */

	for (uint32_t bank = 0; bank < 3; bank++)
		rig_push(r, 3 * GAP + 50, false, bank, 1, 0, 1, bank);
	for (uint32_t bank = 0; bank < 3; bank++)
		rig_expect_reply(r, (bank + 1) * GAP + LONG + T.rcd + DATA, bank);
	r->d.watch = NULL;
	rig_push(r, late, false, (uint32_t)(k - 1) % 16, 1, 0, 1, 4);
	rig_push(r, late, false, (uint32_t)(k - 2) % 16, 1, 0, 1, 3);
	rig_expect_reply(r, (k - 1) * GAP + LONG + T.rcd + DATA, 3);
	rig_expect_reply(r, k * GAP + LONG + T.rcd + DATA, 4);
	cr_assert_eq(r->d.stats.command[DRAM_REF_BANK], (k * GAP + LONG + T.rcd + DATA) / GAP);
	rig_free(r);
}
