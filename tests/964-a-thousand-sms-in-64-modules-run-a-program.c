/* 964: a machine of 1,000 SMs in 64 modules runs a program, right and within its invariants, each CTA on an SM of its
 * own; several host threads change nothing. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/program.h"

enum { SMS = 1000, MODULES = 64, WARPS = 8 /* of a CTA */, ACCESSES = 3 /* of a warp: two loads, a store */ };

/* 40 modules of 16 SMs, 24 of 15. */
static void write_machine(void)
{
	char text[1024];
	int n = snprintf(text, sizeof text,
			 "name: thousand\nbase: mcm4\nmodule: { count: %d }\nlink: { topology: tree }\nsm: { count: [", MODULES);

	for (unsigned i = 0; i < 40; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, "16, ");
	snprintf(text + n, sizeof text - (size_t)n, "15] }\n");
	program_file("thousand.yaml", text);
}

static json_t *run(unsigned threads)
{
	return program_stats("locus run vectoradd --arg n=%d --machine %s/thousand.yaml --threads %u", SMS * WARPS * 32,
			     program_tmp(), threads);
}

/* As many CTAs as SMs: each SM translates what one CTA accesses, 128 bytes of a page with each access. */
Test(thousand, sms_in_64_modules_run_a_program, .init = write_machine)
{
	json_t *stats = run(1), *by_threads = run(4);
	char name[64];

	cr_assert_eq(program_stat(stats, "ctas"), SMS);
	for (unsigned i = 0; i < SMS; i++) {
		snprintf(name, sizeof name, "sm.%u.tlb.lookups", i);
		cr_expect_eq(program_stat(stats, name), WARPS * ACCESSES, "%s", name);
	}
	snprintf(name, sizeof name, "sm.%u.tlb.lookups", (unsigned)SMS);
	cr_assert_null(json_object_get(stats, name));
	cr_assert(json_object_get(stats, "module.63.tlb.lookups") && !json_object_get(stats, "module.64.tlb.lookups"));
	cr_assert(json_equal(stats, by_threads));
	json_decref(stats);
	json_decref(by_threads);
}
