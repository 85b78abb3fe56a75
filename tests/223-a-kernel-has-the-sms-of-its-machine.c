/* 223: %smid and %nsmid are the machine's, which also bounds how many CTAs may wait for one another. A trace that
 * depends on them runs on machines with that many SMs alone. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

#define HEAD                                                                                                                       \
	".version 6.0\n.target sm_30\n.address_size 64\n.visible .entry k(.param .u64 x)\n{\n.reg .pred %p<4>;\n"                  \
	".reg .b32 %r<8>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [x];\n"

/* One slot for each SM, into which its CTAs store how many SMs there are. */
static const char slots[] = HEAD "mov.u32 %r1, %smid;\nmov.u32 %r2, %nsmid;\nmul.wide.u32 %rd2, %r1, 4;\n"
				 "add.u64 %rd1, %rd1, %rd2;\nst.global.u32 [%rd1], %r2;\nret;\n}\n";

/* Every CTA waits until all have come. */
static const char meeting[] = HEAD "mov.u32 %r3, %nctaid.x;\nmov.u32 %r1, %tid.x;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra END;\n"
				   "atom.global.add.u32 %r2, [%rd1], 1;\nWAIT: ld.volatile.global.u32 %r2, [%rd1];\n"
				   "setp.lt.u32 %p2, %r2, %r3;\n@%p2 bra WAIT;\nEND: ret;\n}\n";

static const char plain[] = HEAD "mov.u32 %r1, %tid.x;\nst.global.u32 [%rd1], %r1;\nret;\n}\n";

/* Writes k.yaml: `ctas` CTAs of 64 threads over a buffer of `words` words, which all have that value then. */
static void program_of(const char *ptx, unsigned ctas, unsigned words, unsigned value)
{
	char text[512];

	program_file("k.ptx", ptx);
	snprintf(text, sizeof text,
		 "name: k\nptx: k.ptx\nbuffers:\n  x: {count: %u, type: s32, value: 0}\nlaunches:\n"
		 "  - {kernel: k, grid: %u, block: 64, args: [x]}\nexpect:\n  x: {type: s32, value: %u}\n",
		 words, ctas, value);
	program_file("k.yaml", text);
}

static int status_of(const char *command, const char *options)
{
	struct program p = program_run("locus %s %s", command, options);
	int status = p.status;

	program_free(&p);
	return status;
}

static int run(const char *options)
{
	char command[4096];

	snprintf(command, sizeof command, "run %s", program_path("k.yaml"));
	return status_of(command, options);
}

static int record(const char *options)
{
	char command[8192];

	snprintf(command, sizeof command, "record %s -o %s/k.ltrace", program_path("k.yaml"), program_tmp());
	return status_of(command, options);
}

static struct program replay(const char *options)
{
	return program_run("locus run %s/k.ltrace %s", program_tmp(), options);
}

static void expect_replay(const char *options)
{
	struct program p = replay(options);

	cr_assert_eq(p.status, 0, "%s: %s", options, p.err);
	program_free(&p);
}

static void expect_refusal(const char *options, const char *why)
{
	struct program p = replay(options);

	cr_assert(program_is_clean_error(&p), "%s", options);
	cr_assert_not_null(strstr(p.err, why), "%s", p.err);
	program_free(&p);
}

static unsigned version_of_the_trace(void)
{
	FILE *f = fopen(program_path("k.ltrace"), "rb");
	unsigned char head[9];

	cr_assert_not_null(f);
	cr_assert_eq(fread(head, 1, sizeof head, f), sizeof head);
	fclose(f);
	return head[8];
}

/* A gtx480 has 15 SMs, a titanv 80. With a slot too few the CTAs of the last SM store beyond the end. */
Test(sms, are_those_of_the_machine)
{
	program_of(slots, 200, 15, 15);
	cr_assert_eq(run(""), 0);
	cr_assert_eq(run("--machine titanv"), 2);
	cr_assert_eq(run("--set sm.count=16"), 2);
	program_of(slots, 200, 80, 80);
	cr_assert_eq(run("--machine titanv"), 0);
	cr_assert_eq(run(""), 1);
	cr_assert_eq(record("--machine titanv"), 0);
	cr_assert_eq(record("--machine nosuch"), 2);
}

/* An SM holds 32 CTAs of 64 threads. */
Test(sms, bound_how_many_ctas_wait_for_one_another)
{
	program_of(meeting, 15 * 32, 1, 15 * 32);
	cr_assert_eq(record(""), 0);
	program_of(meeting, 15 * 32 + 1, 1, 15 * 32 + 1);
	cr_assert_eq(record(""), 2);
	cr_assert_eq(record("--machine titanv"), 0);
}

Test(sms, are_in_a_trace_that_depends_on_them)
{
	program_of(slots, 30, 15, 15);
	cr_assert_eq(record(""), 0);
	cr_assert_eq(version_of_the_trace(), 9);
	expect_replay("");
	expect_replay("--machine titanx --set sm.count=15");
	expect_refusal("--machine titanv", "recorded for 15 SMs, not for the 80 of this machine");
	program_of(meeting, 20, 1, 20);
	cr_assert_eq(record("--machine titanv"), 0);
	expect_replay("--machine qv100");
	expect_refusal("", "recorded for 80 SMs, not for the 15 of this machine");
}

Test(sms, are_in_no_other_trace)
{
	program_of(plain, 20, 1, 63);
	cr_assert_eq(record("--machine titanv"), 0);
	cr_assert_lt(version_of_the_trace(), 9);
	expect_replay("");
}
