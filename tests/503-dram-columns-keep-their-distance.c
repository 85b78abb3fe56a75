/* 503: column accesses: bank groups and the turns of the data bus. */
#include <criterion/criterion.h>

#include "support/dram_rig.h"

enum { LONG = 1000 };

#define T	 (r->m.dram)
#define DATA	 (T.cl + T.burst)
#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Opens row 1 of two banks and takes the replies. */
static void open_rows(struct rig *r, uint32_t bank_a, uint32_t bank_b)
{
	uint32_t token;

	rig_push(r, 0, false, bank_a, 1, 0, 1, 98);
	rig_push(r, 0, false, bank_b, 1, 0, 1, 99);
	cr_assert(rig_reply(r, LONG - 1, &token) && rig_reply(r, LONG - 1, &token));
}

static void expect_distance(const char *const *set, uint32_t bank_a, uint32_t bank_b, uint32_t distance)
{
	struct rig *r = rig_new(set);

	open_rows(r, bank_a, bank_b);
	rig_push(r, LONG, false, bank_a, 1, 4, 1, 1);
	rig_push(r, LONG, false, bank_b, 1, 4, 1, 2);
	rig_expect_reply(r, LONG + DATA, 1);
	rig_expect_reply(r, LONG + distance + DATA, 2);
	rig_free(r);
}

Test(dram, reads_of_two_bank_groups_are_tccd_apart)
{
	expect_distance(NULL, 0, 4, /* tCCD */ 2);
	expect_distance(SET("dram.ccd=7", "dram.ccdl=9"), 0, 4, 7);
	expect_distance(SET("dram.group_bits=low"), 0, 1, 2);
}

Test(dram, reads_of_one_bank_group_are_tccdl_apart)
{
	expect_distance(NULL, 0, 3, /* tCCDL */ 3);
	expect_distance(NULL, 2, 2, 3);
	expect_distance(SET("dram.ccd=7", "dram.ccdl=9"), 0, 3, 9);
	expect_distance(SET("dram.group_bits=low"), 0, 4, 3);
}

Test(dram, a_burst_longer_than_tccd_keeps_the_data_bus_to_itself)
{
	expect_distance(SET("dram.burst=4"), 0, 4, 4);
}

Test(dram, a_write_after_a_read_waits_until_the_bus_has_turned)
{
	struct rig *r = rig_new(NULL);

	open_rows(r, 0, 4);
	rig_push(r, LONG, false, 0, 1, 4, 1, 1);
	rig_push(r, LONG, true, 4, 1, 4, 1, 2);
	rig_expect_reply(r, LONG + DATA, 1);
	rig_run(r, 2 * LONG);
	cr_assert_eq(rig_command(r, DRAM_WR, 4, 0), LONG + T.cl + T.burst + 2 - T.wl);
	rig_free(r);
}

Test(dram, a_read_after_a_write_waits_until_its_data_are_in)
{
	struct rig *r = rig_new(NULL);

	open_rows(r, 0, 4);
	rig_push(r, LONG, true, 0, 1, 4, 1, 1);
	rig_push(r, LONG + 1, false, 4, 1, 4, 1, 2);
	rig_expect_reply(r, LONG + (T.wl + T.burst + T.cdlr) + DATA, 2);
	cr_assert_eq(rig_command(r, DRAM_WR, 0, 0), LONG);
	rig_free(r);
}

Test(dram, writes_of_one_and_two_bank_groups_keep_the_same_distances_as_reads)
{
	struct rig *r = rig_new(NULL);

	open_rows(r, 0, 4);
	rig_push(r, LONG, true, 0, 1, 4, 3, 1);
	rig_push(r, LONG, true, 4, 1, 4, 1, 2);
	rig_run(r, 2 * LONG);
	cr_assert_eq(rig_command(r, DRAM_WR, 0, 0), LONG);
	cr_assert_eq(rig_command(r, DRAM_WR, 4, 0), LONG + T.ccd, "the other group goes between the two bursts of bank 0");
	cr_assert_eq(rig_command(r, DRAM_WR, 0, 1), LONG + 2 * T.ccd, "2 x tCCD is more than tCCDL");
	rig_free(r);
}

Test(dram, two_streams_of_two_groups_fill_the_data_bus)
{
	struct rig *r = rig_new(NULL);
	uint64_t first, last;

	open_rows(r, 0, 4);
	for (uint32_t i = 0; i < 32; i++)
		rig_push(r, LONG, false, i % 2 * 4, 1, i / 2 * 2, 3, i);
	rig_run(r, 2 * LONG);
	first = rig_command(r, DRAM_RD, -1, 2);
	last = rig_command(r, DRAM_RD, -1, 2 + 63);
	cr_assert_eq(last - first, 63 * T.ccd);
	rig_free(r);
}

Test(dram, one_stream_of_one_group_gets_burst_over_tccdl)
{
	struct rig *r = rig_new(NULL);
	uint64_t first, last;

	open_rows(r, 0, 4);
	for (uint32_t i = 0; i < 32; i++)
		rig_push(r, LONG, false, 0, 1, i * 2, 3, i);
	rig_run(r, 2 * LONG);
	first = rig_command(r, DRAM_RD, -1, 2);
	last = rig_command(r, DRAM_RD, -1, 2 + 63);
	cr_assert_eq(last - first, 63 * T.ccdl);
	rig_free(r);
}
