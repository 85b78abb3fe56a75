/* 140: the cycle model takes any trace that the reader lets through, however senseless: random registers, spaces,
 * masks, addresses all over the 64-bit range. It comes to an end and every invariant of its audit holds. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/made_up.h"
#include "support/program.h"

Test(any_trace, runs_to_its_end_with_every_invariant_holding)
{
	for (uint64_t seed = 1; seed <= 12; seed++) {
		struct made_up m;
		struct program p;
		char path[4200], insts[64];
		uint64_t want = 0;

		snprintf(path, sizeof path, "%s/%d.ltrace", program_tmp(), (int)seed);
		made_up_init(&m, seed, 2 + 4 * (uint32_t)seed);
		trace_close(made_up_record(&m, &(struct trace_options){.name = "made up", .path = path}));
		for (int i = 0; i < 3; i++)
			want += m.launch[i].warp_insts;
		made_up_free(&m);
		p = program_run("locus run %s --json %s/out.json && grep -E -o '\"warp_insts\": *[0-9]+' %s/out.json", path,
				program_tmp(), program_tmp());
		cr_assert_eq(p.status, 0, "seed %d: %s%s", (int)seed, p.out, p.err);
		cr_assert_null(strstr(p.out, "BROKEN"), "seed %d: %s", (int)seed, p.out);
		snprintf(insts, sizeof insts, "\"warp_insts\": %llu\n", (unsigned long long)want);
		cr_assert(strstr(p.out, insts), "seed %d: not %s%s", (int)seed, insts, p.out);
		program_free(&p);
	}
}
