/* 512: writes below the watermark wait for the reads to end, but not indefinitely: an urgent one starts a drain,
 * whatever the reads hit. */
#include <criterion/criterion.h>

#include "support/dram_rig.h"

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
enum { READS = 3000, NOT_SEEN = -1 };

/* A write comes behind eight reads of an endless row of hits. Column accesses of the channel between its arrival and
 * its service.
 */
static long accesses_before_the_write(enum rig_memory memory, const char *const *set, uint32_t bank)
{
	struct rig *r = rig_of(memory, set);
	uint64_t arrival = 0, until = (uint64_t)READS * r->m.dram.ccdl;
	long n = 0, found = NOT_SEEN;
	uint32_t token;

	for (uint64_t c = 0; c < until; c++) {
		if (c % r->m.dram.ccdl == 0)
			rig_push(r, c, false, 0, 1, (uint32_t)(c % 16), 1, (uint32_t)c);
		if (c == 8 * r->m.dram.ccdl)
			rig_push(r, arrival = c, true, bank, 2, 0, 1, 0);
		while (rig_reply(r, c, &token))
			;
	}
	for (uint32_t i = 0; i < r->commands && found == NOT_SEEN; i++) {
		n += r->log[i].command == DRAM_RD && r->log[i].cycle >= arrival;
		if (r->log[i].command == DRAM_WR && r->log[i].cycle < until)
			found = n;
	}
	rig_free(r);
	return found;
}

Test(dram, a_write_is_overtaken_by_the_cap_and_no_more)
{
	/* In the cycle in which the cap is reached the drain begins: nothing but the write is served until it is. */
	EACH_MEMORY
	{
		cr_assert_eq(accesses_before_the_write(memory, SET("dram.age_cap=100"), 1), 100);
		cr_assert_eq(accesses_before_the_write(memory, SET("dram.age_cap=7"), 1), 7);
		cr_assert_eq(accesses_before_the_write(memory, SET("dram.age_cap=100"), 0), 100, "another row of the reads' bank");
		cr_assert_eq(accesses_before_the_write(memory, SET("dram.age_cap=100", "dram.sched=fcfs"), 1), 100);
	}
}

Test(dram, a_write_without_a_cap_waits_for_the_reads_to_end)
{
	EACH_MEMORY cr_assert_eq(accesses_before_the_write(memory, SET("dram.age_cap=0"), 1), NOT_SEEN);
}

/* With few writes, each urgent at once, and reads without end, both go on: a drain serves what waits and the reads have
 * their turn.
 */
Test(dram, urgent_writes_do_not_starve_the_reads)
{
	EACH_MEMORY
	{
		struct rig *r = rig_of(memory, SET("dram.age_cap=1"));
		uint32_t token, n = 0;

		for (uint64_t c = 0; c < 40000; c++) {
			if (c % 4 == 0 && queue_count(&r->in) < 64)
				rig_push(r, c, c % 8 == 0, (uint32_t)(c / 8 % 4), c / 64 % 3, 0, 1, (uint32_t)c);
			while (rig_reply(r, c, &token))
				n++;
		}
		/* unhindered, a conflict each, a bank would serve one in tRC = 40 cycles: some hundred of either kind
		 * are served */
		cr_assert_gt(n, 300);
		cr_assert_gt(rig_commands(r, DRAM_WR, -1), 300);
		rig_free(r);
	}
}
