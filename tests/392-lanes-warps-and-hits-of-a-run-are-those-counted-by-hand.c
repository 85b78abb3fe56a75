/* 392: SIMD efficiency, the histogram of active lanes, diverged branches, achieved occupancy and hit rates, against
 * kernels in which they can be counted by hand. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* Runs the kernel's text in CTAs of `block` threads over a buffer of 4096 words, twice if `twice`. */
static json_t *run(const char *body, unsigned ctas, unsigned block, bool twice, const char *options)
{
	char text[4096];

	snprintf(text, sizeof text,
		 ".version 6.0\n.target sm_20\n.address_size 64\n.visible .entry k(.param .u64 x)\n{\n"
		 ".reg .pred %%p<8>;\n.reg .b32 %%r<16>;\n.reg .b64 %%rd<8>;\n%s}\n",
		 body);
	program_file("k.ptx", text);
	snprintf(text, sizeof text,
		 "name: by hand\nptx: k.ptx\nbuffers:\n  x: {count: 4096, type: s32, value: 0}\nlaunches:\n"
		 "  - {kernel: k, grid: %u, block: %u, args: [x], repeat: %u}\n",
		 ctas, block, twice ? 2 : 1);
	program_file("k.yaml", text);
	return program_stats("locus run %s/k.yaml %s", program_tmp(), options);
}

static double width(const json_t *s, unsigned lanes)
{
	char name[32];

	snprintf(name, sizeof name, "simd.w%u", lanes);
	return program_stat(s, name);
}

static void expect_widths(const json_t *s, const unsigned expected[33])
{
	for (unsigned n = 0; n <= 32; n++)
		cr_assert_eq(width(s, n), expected[n], "%u lanes: %g, not %u", n, width(s, n), expected[n]);
}

/* 5 instructions of a whole warp and 4 of half of it: (5 * 32 + 4 * 16) / (9 * 32); the four alone have 50 %. */
Test(lanes, half_a_warp_is_half_efficient)
{
	json_t *s = run("mov.u32 %r1, %tid.x;\nand.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra EVEN;\n"
			"add.u32 %r3, %r1, 1;\nadd.u32 %r3, %r3, 1;\nbra DONE;\nEVEN:\nadd.u32 %r3, %r1, 5;\nDONE:\nret;\n",
			6, 64, false, "");

	expect_widths(s, (const unsigned[33]){[16] = 12 * 4, [32] = 12 * 5});
	cr_assert_float_eq(program_stat(s, "simd.efficiency"), 224. / 288, 1e-9);
	cr_assert_eq(program_stat(s, "branch.diverged"), 12);
	json_decref(s);
}

/* Lane l goes round l + 1 times: the loop's three instructions once with each number of lanes from 32 down to 1, and
 * lanes part at each of its branches but the last. */
Test(lanes, a_loop_loses_a_lane_each_time_round)
{
	unsigned expected[33] = {[32] = 3 + 3};
	json_t *s = run("mov.u32 %r1, %laneid;\nmov.u32 %r2, 0;\nLOOP:\nadd.u32 %r2, %r2, 1;\nsetp.le.u32 %p1, %r2, %r1;\n"
			"@%p1 bra LOOP;\nret;\n",
			1, 32, false, "");

	for (unsigned n = 1; n < 32; n++)
		expected[n] = 3;
	expect_widths(s, expected);
	cr_assert_float_eq(program_stat(s, "simd.efficiency"), (3 * 32 + 3 * (32 * 33 / 2)) / (32. * (3 + 3 * 32)), 1e-9);
	cr_assert_eq(program_stat(s, "branch.diverged"), 31);
	json_decref(s);
}

/* After branches that all lanes take or none takes: instructions for some lanes or for none, the end of some, lanes
 * that meet others. At no branch do lanes part but at the first, where 8 of 32 go. */
Test(lanes, a_guard_or_a_join_after_a_branch_is_no_divergence)
{
	json_t *s = run("mov.u32 %r1, %laneid;\nsetp.lt.u32 %p1, %r1, 8;\nsetp.lt.u32 %p2, %r1, 40;\nsetp.gt.u32 %p3, %r1, 40;\n"
			"@%p1 bra FEW;\n"		    /* 32: lanes part */
			"bra REST;\nREST:\n"		    /* 24: to the next instruction */
			"@%p3 add.u32 %r2, %r1, 1;\n"	    /* none */
			"bra MEET;\n"			    /* 24: then come the 8 */
			"FEW:\nadd.u32 %r2, %r1, 2;\n"	    /* 8 */
			"MEET:\n@%p2 bra ALL;\n"	    /* 32, all take it */
			"add.u32 %r2, %r2, 3;\n"	    /* is never executed */
			"ALL:\n@%p1 add.u32 %r2, %r2, 4;\n" /* 8 */
			"@%p3 bra ALL;\n"		    /* 32, none takes it */
			"@%p2 bra OVER;\n"		    /* 32 */
			"OVER:\n@%p1 ret;\n"		    /* 8 end */
			"add.u32 %r2, %r2, 5;\nret;\n",	    /* 24 */
			1, 32, false, "");

	expect_widths(s, (const unsigned[33]){[0] = 1, [8] = 3, [24] = 4, [32] = 4 + 4});
	cr_assert_eq(program_stat(s, "branch.diverged"), 1);
	json_decref(s);
}

/* A warp on each of two SMs of 48 warp slots: 1/48 while they have it, however long the other 13 SMs have none. */
Test(occupancy, is_of_the_slots_of_an_sm_that_has_a_warp)
{
	json_t *s = run("mov.u32 %r1, 0;\nLOOP:\nadd.u32 %r1, %r1, 1;\nsetp.lt.u32 %p1, %r1, 500;\n@%p1 bra LOOP;\nret;\n", 2, 32,
			false, "");

	cr_assert_float_eq(program_stat(s, "occupancy.achieved"), 1. / 48, 1e-9);
	cr_assert_lt(program_stat(s, "occupancy"), 2. / 15);
	json_decref(s);
}

/* A line is read, and again once it is present. L1 and L1 TLB begin each launch empty, L2 and L2 TLB keep the line and
 * the page: of each one's accesses half are hits. */
Test(hits, are_half_of_two_loads_and_of_two_launches)
{
	json_t *s = run("ld.param.u64 %rd1, [x];\nld.global.u32 %r1, [%rd1];\nadd.u64 %rd2, %rd1, 64;\n"
			"setp.eq.u32 %p1, %r1, 0;\n@%p1 ld.global.u32 %r2, [%rd2];\nret;\n",
			1, 1, true, "--set vm.enabled=true");

	cr_assert_eq(program_stat(s, "l1.hit_rate"), 0.5);
	cr_assert_eq(program_stat(s, "l1.miss_rate"), 0.5);
	cr_assert_eq(program_stat(s, "tlb.l1.hit_rate"), 0.5);
	cr_assert_eq(program_stat(s, "tlb.l2.hit_rate"), 0.5);
	json_decref(s);
	s = run("ld.param.u64 %rd1, [x];\nld.global.u32 %r1, [%rd1];\nret;\n", 1, 1, true, "");
	cr_assert_eq(program_stat(s, "l1.hit_rate"), 0);
	cr_assert_eq(program_stat(s, "l2.hit_rate"), 0.5);
	json_decref(s);
}

/* 60 instructions of 8 bytes are 4 lines of 128 bytes, of which each is fetched once. */
Test(hits, of_instruction_caches_are_all_but_the_first_fetch_of_a_line)
{
	char body[2048] = "mov.u32 %r1, 0;\n";
	json_t *s;
	double fetches;

	for (unsigned i = 0; i < 58; i++)
		strcat(body, "add.u32 %r1, %r1, 1;\n");
	s = run(strcat(body, "ret;\n"), 1, 32, false, "--machine gtx480-gs4");
	fetches = program_stat(s, "icache.accesses");
	cr_assert_eq(program_stat(s, "icache.misses"), 4);
	cr_assert_float_eq(program_stat(s, "icache.hit_rate"), (fetches - 4) / fetches, 1e-9);
	json_decref(s);
}
