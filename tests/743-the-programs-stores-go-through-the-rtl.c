/* 743: locus run and locus cosim with a plan that wants extents: the host program's stores go through TAFE's Verilog
 * before the launches; the same figures in any mode, no difference, waves; a fault in the hardware is reported and
 * replayed. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

#define MODEL "bfs --size test --machine exascale25 --plan tafe"

Test(cosim_tafe, golden_rtl_and_lockstep_give_the_same_json_to_the_byte)
{
	struct program p =
		program_run("cd %s && for m in golden rtl lockstep; do locus cosim " MODEL
			    " --hw decoder=golden,tafe=$m --json $m.json || exit 3; done && locus run " MODEL
			    " --json run.json && locus run " MODEL " --no-skip --json every.json && " PROGRAM_WITHOUT_BLOCKS
			    " && cmp golden.json rtl.json && cmp golden.json lockstep.json && cmp golden.json run.json && "
			    "cmp golden.json every.json",
			    program_tmp());

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

/* The command of the design, on a small graph. */
Test(cosim_tafe, the_pipeline_in_lockstep_places_the_pages_of_bfs)
{
	struct program p =
		program_run("cd %s && locus cosim " MODEL
			    " --hw tafe=lockstep,decoder=lockstep --wave bfs.fst --wave-window 0:3000 && ls *.fst *.gtkw",
			    program_tmp());
	const char *tafe = strstr(p.out, "\n  tafe             lockstep "), *end;

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_assert_not_null(tafe, "%s", p.out);
	end = strchr(tafe + 1, '\n');
	cr_assert_eq(strncmp(end - 2, " 0", 2), 0, "no mismatch: %s", p.out);
	cr_assert(strstr(p.out, "\n  store_tracker.hit_rate "), "%s", p.out);
	cr_assert(strstr(p.out, "\n  store_tracker.stalls "), "%s", p.out);
	cr_assert(strstr(p.out, "\n  store_tracker.extents_differ                    0 "), "%s", p.out);
	cr_assert(strstr(p.out, "bfs.fst\nbfs.gtkw\n") || strstr(p.out, "bfs-tafe.fst"), "%s", p.out);
	program_free(&p);
}

/* The extent buffer keeps the first value as the maximum. */
Test(cosim_tafe, a_fault_in_the_hardware_is_reported_with_a_bundle_that_replays)
{
	struct program p = program_run("for f in rtl/tafe/tafe_comparator.v rtl/tafe/tafe_inverse.v rtl/tafe/tafe_extent.v "
				       "rtl/tafe/tafe_top.v; do sed 's/%s/%s/' $f >%s/$(basename $f); done; cd %s; "
				       "locus cosim " MODEL " --hw decoder=golden --rtl tafe=$(ls *.v | paste -sd,)",
				       "= !known || high > maximum", "= !known", program_tmp(), program_tmp());

	cr_assert_eq(p.status, 1, "%s%s", p.out, p.err);
	cr_assert(strstr(p.out, "MISMATCH tafe of cpu.store_tracker, cycle "), "%s", p.out);
	program_free(&p);
	p = program_run("cd %s; locus replay mismatch-tafe-*", program_tmp());
	cr_assert_eq(p.status, 1, "%s%s", p.out, p.err);
	program_free(&p);
}
