/* 331: the same through the front door: the chase workload costs the stated latency a step, and a stream comes near the DRAM's
 * peak. */
#include <criterion/criterion.h>
#include <jansson.h>

#include "support/program.h"

static json_t *stats_of(const char *arguments)
{
	struct program p = program_run("locus run %s --json %s/s.json", arguments, program_tmp());
	char path[256];
	json_t *j, *stats;

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/s.json", program_tmp());
	j = json_load_file(path, 0, NULL);
	cr_assert_not_null(j);
	stats = json_incref(json_object_get(j, "stats"));
	json_decref(j);
	return stats;
}

static int64_t cycles_of(unsigned footprint_kb, unsigned steps)
{
	char arguments[128];
	json_t *s;
	int64_t n;

	snprintf(arguments, sizeof arguments, "chase --arg footprint=%uK --arg steps=%u --set dram.refresh=false", footprint_kb,
		 steps);
	s = stats_of(arguments);
	n = json_integer_value(json_object_get(s, "cycles"));
	json_decref(s);
	return n;
}

/* Two runs that differ in `steps` alone: the difference is that many loads. 8 KB stay in L1; of 64 KB, in a ring, LRU keeps nothing
 * there and the L2 all. docs/timing.md: 35, and 35 + 1 + 120 + 3. */
Test(workloads, a_step_of_the_chase_costs_35_cycles_at_l1_and_159_at_l2)
{
	cr_assert_eq(cycles_of(8, 8192) - cycles_of(8, 4096), 4096 * 35);
	cr_assert_eq(cycles_of(64, 8192) - cycles_of(64, 4096), 4096 * 159);
}

Test(workloads, a_stream_of_a_million_floats_takes_55_to_100_percent_of_the_dram_bandwidth)
{
	json_t *s = stats_of("vectoradd");
	double busy = json_real_value(json_object_get(s, "dram.bus_busy"));

	cr_assert_geq(busy, 0.55);
	cr_assert_leq(busy, 1.0);
	cr_assert_geq(json_integer_value(json_object_get(s, "dram.bytes")), 2 * 4 << 20, "both inputs are read from DRAM");
	json_decref(s);
}
