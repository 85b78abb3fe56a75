/* 514: a channel that was idle makes up for its refreshes by arithmetic: as many as there are multiples of tREFI,
 * whatever the time. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/dram_check.h"
#include "support/dram_rig.h"
#include "support/program.h"

#define SET(...) ((const char *const[]){"dram.refresh=true", __VA_ARGS__, NULL})

/* A request in cycle 0, one after `idle` cycles. */
static struct rig *woken_after(enum rig_memory memory, uint64_t idle)
{
	struct rig *r = rig_of(memory, SET("dram.refi=600"));

	rig_push(r, 0, false, 0, 1, 0, 1, 1);
	rig_push(r, idle, false, 0, 2, 0, 1, 2);
	rig_run(r, idle + 5000);
	return r;
}

/* The refreshes that follow from the rule: the k-th is due in cycle 600 k. The first comes tRP later, as a row is
 * open. */
Test(dram_idle, each_refresh_is_in_its_cycle)
{
	EACH_MEMORY for (uint64_t idle = 400; idle < 6000; idle += 97)
	{
		struct rig *r = woken_after(memory, idle);
		uint64_t rp = r->m.dram.rp;
		char why[256];

		for (uint32_t k = 0; k < idle / 600; k++)
			cr_assert_eq(rig_command(r, DRAM_REF, -1, k), 600 * (k + 1) + (k ? 0 : rp), "refresh %u of %lu", k,
				     (unsigned long)idle);
		cr_assert(dram_check_log(&r->m, r->log, r->commands, why), "%s", why);
		rig_free(r);
	}
}

/* The limit is the check that no cycle, and no refresh, is stepped through. */
Test(dram_idle, a_request_after_any_time_finds_the_same, .timeout = 20)
{
	EACH_MEMORY for (uint64_t after = 0; after < 1200; after += 50)
	{
		/* 600 * 2^31 is more than 2^40 */
		const uint64_t short_idle = 600 * 10 + after, long_idle = 600 * (UINT64_C(1) << 31) + after;
		struct rig *a = woken_after(memory, short_idle), *b = rig_of(memory, SET("dram.refi=600"));
		uint64_t first, second;

		b->d.watch = NULL;
		rig_push(b, 0, false, 0, 1, 0, 1, 1);
		rig_push(b, long_idle, false, 0, 2, 0, 1, 2);
		rig_run(b, long_idle + 5000);
		first = a->d.stats.command[DRAM_REF];
		second = b->d.stats.command[DRAM_REF];
		cr_assert_eq(second - first, (UINT64_C(1) << 31) - 10);
		cr_assert_eq(b->d.last_out[0].n - a->d.last_out[0].n, (long_idle - short_idle) * a->m.clock.period[CLOCK_DRAM]);
		rig_free(a);
		rig_free(b);
	}
}

/* gtx480: tREFI 3900 ns at 924 MHz. 2^40 / refi refreshes. */
Test(dram_idle, locus_dram_is_over_at_once, .timeout = 20)
{
	struct program p;

	program_file("late.txt", "0x0 R 0\n0x0 R 1099511627776\n");
	p = program_run("locus dram %s/late.txt --machine gtx480 --set dram.refresh=true --set dram.refi=3600", program_tmp());
	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_assert(strstr(p.out, "305,419,896"), "%s", p.out); /* 2^40 / 3600 = 305419896.6 */
	program_free(&p);
}
