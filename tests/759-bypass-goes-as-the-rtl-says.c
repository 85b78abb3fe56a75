/* 759: whole programs whose caches are bypassed by their miss rate: golden twin, Verilog and both in lockstep give the
 * same bytes; a fault is caught; the wave shows that a stream is bypassed at the end of the first full period. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/cosim_program.h"
#include "support/program.h"
#include "support/vcd.h"

#define L1     "syrk --size test --l1-bypass streaming:rate=30,period=500"
#define BOTH   "kmeans --size test --l1-bypass streaming:rate=30,period=500 --l2-bypass streaming:rate=50,period=300"
#define NUMA   "histo --size test --machine mcm4 --l1-bypass streaming:rate=30,period=1000 --l2-bypass streaming:rate=30,period=700"
#define PHASES "spmv --size test --l1-bypass streaming:rate=60,period=200"
#define STREAM "vectoradd --size test --l1-bypass streaming:period=200"

Test(bypassed_programs, give_the_same_json_in_all_modes_to_the_byte)
{
	cosim_program_agrees("bypass_monitor", L1);
	cosim_program_agrees("bypass_monitor", BOTH);
	cosim_program_agrees("bypass_monitor", NUMA);
}

Test(bypassed_programs, run_with_all_blocks_in_lockstep)
{
	struct program p =
		program_run("locus cosim " L1 " --l1-index pric --l1-pin buffers:soft=A,timer=1000 --hw all=lockstep | tr -d ,");

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_assert(strstr(p.out, "bypass_monitor   lockstep"), "%s", p.out);
	program_free(&p);
	p = program_run("locus cosim syrk --size test --hw all=lockstep");
	cr_assert_null(strstr(p.out, "bypass_monitor   lockstep"), "a cache without a bypass policy has no such block");
	program_free(&p);
}

Test(bypassed_programs, a_faulty_block_ends_with_status_1_a_report_and_a_bundle)
{
	cosim_program_catches("bypass_monitor", L1, "s/missed > allowed/misses > loads/", NULL);
}

/* Changes of a signal of the block that the wave is of. A cycle of the block is ten units of time, its edge in the
 * middle: the edge of cycle c - 1, by which what is registered changes for cycle c, is at 10 c - 5. */
static unsigned at_ends_of_periods(const char *wave, const char *name, unsigned period, unsigned long long *first)
{
	char id[8], *list, *at;
	unsigned n = 0, value;
	unsigned long long time;

	vcd_identifier(wave, "rtl", name, id);
	list = vcd_changes(wave, id);
	for (at = list; *at; at = strchr(at, '\n') + 1) {
		cr_assert_eq(sscanf(at, "#%llu %u", &time, &value), 2, "%s", at);
		if (n++ == 0 && value == 0)
			continue; /* after reset */
		cr_assert_eq((time + 5) % (10ULL * period), 0, "time %llu", time);
		*first = n == 2 ? (time + 5) / 10 : *first;
	}
	free(list);
	return n;
}

Test(bypassed_programs, a_stream_is_bypassed_at_the_end_of_the_first_full_period)
{
	static const char *const shown[] = {"TOP.cosim.acc_miss_i", "TOP.cosim.rtl.bypass_o", "TOP.cosim.golden.bypass_o",
					    "TOP.cosim.rtl.loads_q", "TOP.cosim.now_i"};
	unsigned long long first = 0;
	char *wave = cosim_program_wave("bypass_monitor", STREAM, "");

	cosim_program_same(wave, "bypass_o", 2);
	cosim_program_same(wave, "loads_q", 20);
	cosim_program_same(wave, "misses_q", 20);
	cosim_program_same(wave, "last_q", 2);
	at_ends_of_periods(wave, "bypass_q", 200, &first);
	cr_assert_gt(first, 0);
	free(wave);
	cosim_program_shows(shown, sizeof shown / sizeof shown[0]);
	cosim_program_hides("busy_o");
}

Test(bypassed_programs, phases_open_and_close_caches_at_ends_of_periods_alone)
{
	unsigned long long first = 0;
	char *wave = cosim_program_wave("bypass_monitor", PHASES, "");

	cr_assert_gt(at_ends_of_periods(wave, "bypass_q", 200, &first), 8);
	free(wave);
}
