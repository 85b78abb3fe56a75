/* 341: locus run --on cpu: what it prints, what it refuses; keys of the CPU that cannot work. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

#define CPU "--set cpu.count=8 --set link.cpu=128 "

Test(locus_run_on_cpu, prints_a_title_the_table_and_the_audit)
{
	struct program p = program_run("locus run vectoradd --size test --on cpu " CPU "--set cpu.simd=8");
	const char *audit = strstr(p.out, "\n  audit ");
	unsigned hold = 0, invariants = 1;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_eq(p.err, "");
	cr_assert(strstr(p.out, "vectoradd 16384 on the CPU of gtx480: 8 cores at 4000 MHz, 8 lanes per instruction\n\n"), "%s",
		  p.out);
	cr_assert(strstr(p.out, "\n  cpu.l3.misses "), "%s", p.out);
	cr_assert_null(strstr(p.out, "\n  sched."), "an SM's figures mean nothing here");
	cr_assert_not_null(audit);
	cr_assert_eq(sscanf(audit, " audit %u/%u invariants hold", &hold, &invariants), 2);
	cr_assert_eq(hold, invariants);
	program_free(&p);
}

/* Each float of three arrays of 16384 is one element of a line of 16, and no line is touched twice. */
Test(locus_run_on_cpu, vectoradd_misses_each_line_once)
{
	struct program p = program_run("locus run vectoradd --size test --on cpu " CPU "--json %s/v.json && "
				       "grep -E '\"cpu.(insts|loads|stores|l3.misses)\"' %s/v.json",
				       program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "\"cpu.loads\": 32768,"), "%s", p.out);
	cr_assert(strstr(p.out, "\"cpu.stores\": 16384,"), "%s", p.out);
	cr_assert(strstr(p.out, "\"cpu.l3.misses\": 3072,"), "%s", p.out);
	program_free(&p);
}

Test(locus_run_on_cpu, refuses_with_one_line)
{
	static const struct {
		const char *args, *says;
	} wrong[] = {
		{"--on cpu", "machine gtx480 has no CPU cores (cpu.count is 0)"},
		{"--on cpu --set cpu.count=1", "machine gtx480 has no links to its CPU (link.cpu is 0)"},
		{"--on host", "--on: \"host\" is neither gpu nor cpu"},
		{"--on cpu --max-insts 5 " CPU, "--max-insts: describes SMs, and --on cpu runs the kernels on CPU cores"},
		{CPU "--set cpu.simd=3", "cpu.simd: 3 is not a power of two"},
		{CPU "--set cpu.line=96", "cpu.line: 96 bytes: must be a power of two, at most l2.line (128 bytes)"},
		{CPU "--set cpu.l1.bytes=48K",
		 "cpu.l1.bytes: 49152 bytes in lines of 64 (cpu.line) and 8 ways (cpu.l1.ways) do not "
		 "make a power of two of sets"},
		{CPU "--set cpu.l2.bytes=16K", "cpu.l2.bytes: 16384 bytes cannot hold what the L1 holds (32768)"},
		{CPU "--set cpu.l2.latency=4", "cpu.l2.latency: 4 cycles; must be more than cpu.l1.latency (4)"},
		{CPU "--set cpu.l3.latency=14", "cpu.l3.latency: 14 cycles; must be more than cpu.l2.latency (14)"},
	};

	for (unsigned i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
		struct program p = program_run("locus run vectoradd --size test %s", wrong[i].args);

		cr_assert_eq(p.status, 2, "%s: %s", wrong[i].args, p.err);
		cr_assert_eq(strchr(p.err, '\n') + 1, p.err + strlen(p.err), "%s: one line: %s", wrong[i].args, p.err);
		cr_assert(strstr(p.err, wrong[i].says), "%s: %s", wrong[i].args, p.err);
		program_free(&p);
	}
}
