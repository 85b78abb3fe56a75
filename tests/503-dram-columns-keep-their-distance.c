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

/* Two reads that come together, of the first bank of group 0 and of the n-th one of another group, or of the same. */
static void expect_distance(enum rig_memory memory, const char *const *set, uint32_t group, uint32_t n, uint32_t distance)
{
	struct rig *r = rig_of(memory, set);
	uint32_t a = rig_bank(r, 0, 0), b = rig_bank(r, group, n);

	open_rows(r, a, b);
	rig_push(r, LONG, false, a, 1, 4, 1, 1);
	rig_push(r, LONG, false, b, 1, 8, 1, 2);
	rig_expect_reply(r, LONG + DATA, 1);
	rig_expect_reply(r, LONG + distance + DATA, 2);
	rig_free(r);
}

Test(dram, reads_of_two_bank_groups_are_tccd_apart)
{
	expect_distance(RIG_GDDR5, NULL, 1, 0, /* tCCD */ 2);
	expect_distance(RIG_GDDR5, SET("dram.group_bits=low"), 3, 1, 2);
	expect_distance(RIG_HBM2, NULL, 1, 0, 1);
	expect_distance(RIG_HBM2, SET("dram.group_bits=high"), 1, 3, 1);
	EACH_MEMORY expect_distance(memory, SET("dram.ccd=7", "dram.ccdl=9"), 2, 0, 7);
}

Test(dram, reads_of_one_bank_group_are_tccdl_apart)
{
	expect_distance(RIG_GDDR5, NULL, 0, 3, /* tCCDL */ 3);
	expect_distance(RIG_GDDR5, SET("dram.group_bits=low"), 0, 1, 3);
	expect_distance(RIG_HBM2, NULL, 0, 3, 2);
	EACH_MEMORY expect_distance(memory, SET("dram.ccd=7", "dram.ccdl=9"), 0, 1, 9);
}

Test(dram, reads_of_one_row_are_tccdl_apart)
{
	expect_distance(RIG_GDDR5, NULL, 0, 0, 3);
	expect_distance(RIG_HBM2, NULL, 0, 0, 2);
}

Test(dram, a_burst_longer_than_tccd_keeps_the_data_bus_to_itself)
{
	EACH_MEMORY expect_distance(memory, SET("dram.burst=4"), 1, 0, 4);
}

Test(dram, a_write_after_a_read_waits_until_the_bus_has_turned)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);
		uint32_t a = rig_bank(r, 0, 0), b = rig_bank(r, 1, 0);

		open_rows(r, a, b);
		rig_push(r, LONG, false, a, 1, 4, 1, 1);
		rig_push(r, LONG, true, b, 1, 4, 1, 2);
		rig_expect_reply(r, LONG + DATA, 1);
		rig_run(r, 2 * LONG);
		cr_assert_eq(rig_command(r, DRAM_WR, b, 0), LONG + T.cl + T.burst + 2 - T.wl);
		rig_free(r);
	}
}

Test(dram, a_read_after_a_write_waits_until_its_data_are_in)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);
		uint32_t a = rig_bank(r, 0, 0), b = rig_bank(r, 1, 0);

		open_rows(r, a, b);
		rig_push(r, LONG, true, a, 1, 4, 1, 1);
		rig_push(r, LONG + 1, false, b, 1, 4, 1, 2);
		rig_expect_reply(r, LONG + (T.wl + T.burst + T.cdlr) + DATA, 2);
		cr_assert_eq(rig_command(r, DRAM_WR, a, 0), LONG);
		rig_free(r);
	}
}

Test(dram, writes_of_one_and_two_bank_groups_keep_the_same_distances_as_reads)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);
		uint32_t a = rig_bank(r, 0, 0), b = rig_bank(r, 1, 0);

		open_rows(r, a, b);
		rig_push(r, LONG, true, a, 1, 4, 3, 1);
		rig_push(r, LONG, true, b, 1, 4, 1, 2);
		rig_run(r, 2 * LONG);
		cr_assert_eq(rig_command(r, DRAM_WR, a, 0), LONG);
		cr_assert_eq(rig_command(r, DRAM_WR, b, 0), LONG + T.ccd,
			     "the other group goes between the two bursts of the first");
		cr_assert_eq(rig_command(r, DRAM_WR, a, 1), LONG + 2 * T.ccd, "2 x tCCD is no less than tCCDL");
		rig_free(r);
	}
}

Test(dram, two_streams_of_two_groups_fill_the_data_bus)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);
		uint32_t a = rig_bank(r, 0, 0), b = rig_bank(r, 1, 0);
		uint64_t first, last;

		open_rows(r, a, b);
		for (uint32_t i = 0; i < 32; i++)
			rig_push(r, LONG, false, i % 2 ? b : a, 1, i / 2 * 2 % 32, 3, i);
		rig_run(r, 2 * LONG);
		first = rig_command(r, DRAM_RD, -1, 2);
		last = rig_command(r, DRAM_RD, -1, 2 + 63);
		cr_assert_eq(last - first, 63 * T.ccd);
		rig_free(r);
	}
}

Test(dram, one_stream_of_one_group_gets_burst_over_tccdl)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, NULL);
		uint32_t a = rig_bank(r, 0, 0), b = rig_bank(r, 1, 0);
		uint64_t first, last;

		open_rows(r, a, b);
		for (uint32_t i = 0; i < 32; i++)
			rig_push(r, LONG, false, a, 1, i * 2 % 32, 3, i);
		rig_run(r, 2 * LONG);
		first = rig_command(r, DRAM_RD, -1, 2);
		last = rig_command(r, DRAM_RD, -1, 2 + 63);
		cr_assert_eq(last - first, 63 * T.ccdl);
		rig_free(r);
	}
}
