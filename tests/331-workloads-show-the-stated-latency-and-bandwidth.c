/* 331: the same through the front door: the chase workload costs the stated latency a step, and a stream comes near the
 * DRAM's peak. */
#include <criterion/criterion.h>
#include <jansson.h>

#include "support/program.h"

static int64_t cycles_of(unsigned footprint_kb, unsigned steps)
{
	char arguments[128];
	json_t *s;
	int64_t n;

	snprintf(arguments, sizeof arguments, "chase --arg footprint=%uK --arg steps=%u --set dram.refresh=false", footprint_kb,
		 steps);
	s = program_stats("locus run %s", arguments);
	n = json_integer_value(json_object_get(s, "cycles"));
	json_decref(s);
	return n;
}

/* Two runs that differ in `steps` alone: the difference is that many loads. 8 KB stay in L1; of 64 KB, in a ring, LRU
 * keeps nothing there and the L2 all. docs/explanation/timing.md: 35, and 35 + 1 + 120 + 3. */
Test(workloads, a_step_of_the_chase_costs_35_cycles_at_l1_and_159_at_l2)
{
	cr_assert_eq(cycles_of(8, 8192) - cycles_of(8, 4096), 4096 * 35);
	cr_assert_eq(cycles_of(64, 8192) - cycles_of(64, 4096), 4096 * 159);
}

Test(workloads, a_stream_of_a_million_floats_takes_55_to_100_percent_of_the_dram_bandwidth)
{
	json_t *s = program_stats("locus run vectoradd");
	double busy = json_real_value(json_object_get(s, "dram.bus_busy"));

	cr_assert_geq(busy, 0.55);
	cr_assert_leq(busy, 1.0);
	cr_assert_geq(json_integer_value(json_object_get(s, "dram.bytes")), 2 * 4 << 20, "both inputs are read from DRAM");
	json_decref(s);
}

/* vectoradd of n floats: a warp's access is 128 bytes, so 128 / line transactions; two inputs are fetched, whatever the
 * line is. */
Test(workloads, lines_of_64_and_32_bytes_move_the_same_bytes_in_more_pieces)
{
	static const struct {
		unsigned line;
		const char *set;
	} shape[] = {{128, ""},
		     {64, "--set l1.line=64 --set l2.line=64"},
		     {32, "--set l1.line=32 --set l2.line=32 --set const.line=32 --set dram.burst_bytes=32 --set "
			  "dram.map=BBBCCCCBCCCSSSSS"}};
	const unsigned n = 1 << 16;

	for (unsigned i = 0; i < 3; i++) {
		char arguments[256];
		json_t *s;

		snprintf(arguments, sizeof arguments, "vectoradd --arg n=%u %s", n, shape[i].set);
		s = program_stats("locus run %s", arguments);
		cr_assert_eq(json_integer_value(json_object_get(s, "l1.accesses")), 3 * n / 32 * (128 / shape[i].line));
		cr_assert_eq(json_integer_value(json_object_get(s, "l1.misses")), 2 * n / 32 * (128 / shape[i].line));
		cr_assert_eq(json_integer_value(json_object_get(s, "l2.dirty_left")), 4 * n / shape[i].line);
		cr_assert_eq(json_integer_value(json_object_get(s, "dram.bytes")), 2 * 4 * n, "the output stays in the L2");
		json_decref(s);
	}
}
