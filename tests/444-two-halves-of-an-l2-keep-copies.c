/* 444: an L2 of two halves. On qv100, whose L2 and SMs have one clock, with channels in turn: those from 16 on are of
 * the other half than SM 0 to 39. A read of the other half's line takes far_latency there and back, and a cycle of the
 * pair's pipe, longer than one of the own half, whether it finds the line there or not; then its copy is as near as any
 * line. Writes drop copies.
 */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

#define FAR_LATENCY 100

/* A CTA of one thread of the 80, one an SM, reads or writes the word at `at`, past its L1. */
#define KERNEL(name, access)                                                                                                       \
	".visible .entry " name "(.param .u64 in, .param .u32 who)\n{\n.reg .pred %p;\n.reg .b32 %r<4>;\n.reg .b64 %rd;\n"         \
	"ld.param.u64 %rd, [in];\nld.param.u32 %r1, [who];\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, 7;\n"                             \
	"setp.ne.u32 %p, %r1, %r2;\n@%p bra END;\n" access "END:\nret;\n}\n"
#define KERNELS(at)                                                                                                                \
	".version 6.0\n.target sm_60\n.address_size 64\n" KERNEL("load", "ld.global.cg.u32 %r3, [%rd+" at "];\n")                  \
		KERNEL("store", "st.global.u32 [%rd+" at "], %r3;\n") KERNEL("add", "red.global.add.u32 [%rd+" at "], %r3;\n")
/* Channels of 256 bytes in turn: the first one's, and the 17th's. */
#define HERE  KERNELS("0")
#define THERE KERNELS("4096")

enum { NEAR = 3, OTHER = 77 }; /* SMs of either half */

static json_t *run(const char *kernels, const char *launches, const char *more)
{
	char text[2000];
	struct program p;
	json_t *j;

	program_file("k.ptx", kernels);
	snprintf(text, sizeof text, "ptx: k.ptx\nbuffers:\n  in: {count: 4096, type: u32, value: 0}\nlaunches:\n%s", launches);
	program_file("k.yaml", text);
	p = program_run("locus run %s/k.yaml --machine qv100 --set map.hash_channel=false --set sm.fold=false --set l2.halves=2 "
			"--set l2.far_latency=%d %s --json -",
			program_tmp(), FAR_LATENCY, more);
	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	j = json_loads(p.out, 0, NULL);
	cr_assert_not_null(j, "%s", p.out);
	program_free(&p);
	return j;
}

static const char *launch(char text[200], const char *kernel, unsigned sm)
{
	snprintf(text, 200, "  - {kernel: %s, grid: 80, block: 1, args: [in, %u]}\n", kernel, sm);
	return text;
}

static json_t *run_three(const char *kernels, const char *first, unsigned sm_1, const char *second, unsigned sm_2,
			 const char *third, unsigned sm_3)
{
	char all[1000], l[3][200];

	snprintf(all, sizeof all, "%s%s%s", launch(l[0], first, sm_1), second ? launch(l[1], second, sm_2) : "",
		 third ? launch(l[2], third, sm_3) : "");
	return run(kernels, all, "");
}

static double number(const json_t *j, const char *name)
{
	return json_number_value(json_object_get(json_object_get(j, "stats"), name));
}

/* Mean latency of the loads, core cycles. */
static double latency(const char *kernels, unsigned first, unsigned second)
{
	json_t *j = run_three(kernels, "load", first, second < 80 ? "load" : NULL, second, NULL, 0);
	double l = number(j, "load.latency.mean");

	json_decref(j);
	return l;
}

static const unsigned NOBODY = 80;

Test(halves, are_a_crossing_apart)
{
	double crossing = 2 * FAR_LATENCY + 1, miss = latency(HERE, NEAR, NOBODY), hit = 2 * latency(HERE, NEAR, NEAR) - miss;

	cr_assert_eq(latency(HERE, OTHER, NOBODY), miss + crossing, "a miss of the other half: %f beside %f",
		     latency(HERE, OTHER, NOBODY), miss);
	cr_assert_eq(latency(THERE, OTHER, NOBODY), miss);
	cr_assert_eq(latency(THERE, NEAR, NOBODY), miss + crossing);
	cr_assert_eq(2 * latency(HERE, NEAR, OTHER) - miss, hit + crossing, "a hit there");
	cr_assert_eq(2 * latency(HERE, OTHER, OTHER) - miss - crossing, hit, "a hit on its copy");
	cr_assert_eq(2 * latency(HERE, OTHER, NEAR) - miss - crossing, hit, "at home, where the copy's read has left it");
}

static void expect_counts(json_t *j, double reads, double hits, double writes, double dropped)
{
	cr_assert_eq(number(j, "l2.far.reads"), reads);
	cr_assert_eq(number(j, "l2.far.hits"), hits);
	cr_assert_eq(number(j, "l2.far.writes"), writes);
	cr_assert_eq(number(j, "l2.far.dropped"), dropped);
	json_decref(j);
}

Test(halves, drop_copies_of_what_is_written)
{
	expect_counts(run_three(HERE, "load", OTHER, "load", OTHER, "load", NEAR), 1, 0, 0, 0);
	expect_counts(run_three(HERE, "load", OTHER, "store", NEAR, "load", OTHER), 2, 1, 0, 1);
	expect_counts(run_three(HERE, "load", OTHER, "add", NEAR, "load", OTHER), 2, 1, 0, 1);
	expect_counts(run_three(HERE, "load", OTHER, "store", OTHER, "load", OTHER), 2, 1, 1, 1);
	expect_counts(run_three(HERE, "load", OTHER, "add", OTHER, "load", OTHER), 2, 1, 1, 1);
	expect_counts(run_three(THERE, "load", OTHER, "store", OTHER, "load", OTHER), 0, 0, 0, 0);
	expect_counts(run_three(THERE, "load", NEAR, "store", NEAR, "load", NEAR), 2, 1, 1, 1);
}

/* With two MSHR entries and two ways a slice, and queues of one, each half waits for the other all the time. With a
 * bypass, a lookup waits for a period to end while the other pipe has the port. */
Test(halves, never_block_each_other)
{
	static const char *const program[] = {"bfs", "spmv", "histogram", "backprop"};
	static const char *const shortage[] = {
		"l2.mshr_entries=2 --set l2.mshr_merges=1 --set l2.assoc=2 --set l2.bytes=8K",
		"l2.mshr_entries=3 --set l2.assoc=2 --set l2.bytes=8K --set l2.miss_queue=1 --set l2.in_queue=1 --set "
		"l2.far_latency=1",
		"l2.in_queue=1 --set l2.far_latency=500 --set l2.write_allocate=fetch-partial --set net.in_queue=1 --set "
		"net.out_queue=1",
		"l2.mshr_entries=2 --set l2.assoc=2 --set l2.bytes=8K --l2-bypass streaming:rate=30,period=500",
	};

	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = 0; k < 4; k++) {
			struct program p = program_run("locus run %s --size test --machine qv100 --set l2.halves=2 --set %s",
						       program[i], shortage[k]);

			cr_assert_eq(p.status, 0, "%s, %s: %s%s", program[i], shortage[k], p.out, p.err);
			program_free(&p);
		}
}

Test(halves, are_of_one_module_with_an_l2_at_memory)
{
	static const char *const refused[][2] = {
		{"mcm4 --set l2.halves=2", "l2.halves: 2 needs one module with its L2 on the memory side"},
		{"qv100 --set l2.halves=2 --set l2.enabled=false", "l2.halves: 2 needs one module with its L2 on the memory side"},
		{"qv100 --set l2.halves=2 --set dram.channels=1 --set l2.slices=1 --set map.hash_channel=false",
		 "l2.halves: 1 slices, or 80 SMs, cannot be divided in two"},
		{"qv100 --set l2.halves=2 --set l2.far_latency=4096 --set clock.core=1 --set clock.l2=1000",
		 "l2.far_latency: 4096000 L2 cycles (clock.l2, clock.core) between the halves of 64 slices need"},
		{"qv100 --set l2.halves=2 --set l2.mshr_entries=1", "l2.halves: 2 needs at least two MSHR entries"},
		{"qv100 --set l2.halves=3", "l2.halves: 3 is not in 1..2"},
	};

	for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		struct program p = program_run("locus run vectoradd --size test --machine %s", refused[i][0]);

		cr_assert_eq(p.status, 2, "%s: %s", refused[i][0], p.out);
		cr_assert(strstr(p.err, refused[i][1]), "%s: %s", refused[i][0], p.err);
		program_free(&p);
	}
}
