/* 832: TAFE's plans on the cycle model: what is a module's own stays there, all invariants hold on every machine, and
 * page placement composes with what places CTAs. Requests are counted with translation without time (vm.tlb=false). */
#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "support/program.h"

static double stat_of(const char *command, const char *key)
{
	json_t *stats = program_stats("%s", command);
	double x = program_stat(stats, key);

	json_decref(stats);
	return x;
}

/* 256 CTAs of 256 threads: 4 an SM, a page of each array. */
Test(tafe_on_the_model, keeps_in_its_module_what_one_module_reads)
{
	const char *on = "locus run vectoradd --arg n=65536 --machine multichip8 --set vm.tlb=false --tracker none --plan";
	char command[256];

	snprintf(command, sizeof command, "%s tafe", on);
	cr_expect_eq(stat_of(command, "memory.remote_share"), 0);
	snprintf(command, sizeof command, "%s tafe-tid", on);
	cr_expect_eq(stat_of(command, "memory.remote_share"), 0);
	snprintf(command, sizeof command, "%s cgp-only", on);
	cr_expect_eq(stat_of(command, "memory.remote_share"), 0.875);
}

/* What `locus plan` expects by the trace is what an L2 at the memory is asked for where the L1s keep nothing. */
Test(tafe_on_the_model, the_expected_share_is_what_the_model_counts)
{
	double expected = stat_of("locus plan vectoradd --arg n=24576 --machine exascale25 --plan tafe", "expected.remote_share");

	cr_expect_gt(expected, 0);
	cr_expect_lt(expected, 1);
	cr_expect_float_eq(
		stat_of("locus run vectoradd --arg n=24576 --machine exascale25 --set vm.tlb=false --tracker none --plan tafe",
			"memory.remote_share"),
		expected, 1e-12);
}

Test(tafe_on_the_model, keeps_all_invariants_on_every_machine)
{
	static const char *const machines[] = {"gtx480", "ndp4", "mcm4", "multichip8", "exascale25"},
				 *const plans[] = {"tafe", "tafe,extents=4,per=module,shared=turn", "tafe-tid",
						   "affinity+tafe-pages"};

	for (unsigned m = 0; m < sizeof machines / sizeof machines[0]; m++)
		for (unsigned k = 0; k < sizeof plans / sizeof plans[0]; k++) {
			struct program p = program_run("locus run bfs --size test --machine %s --tracker none --plan %s",
						       machines[m], plans[k]);

			/* gtx480 is one module, which has all CTAs and pages. */
			if (m == 0 && !strncmp(plans[k], "affinity", 8)) {
				cr_expect(program_is_clean_error(&p));
				program_free(&p);
				continue;
			}
			cr_expect_eq(p.status, 0, "%s, %s: %s", machines[m], plans[k], p.err);
			cr_expect(strstr(p.out, "invariants hold"));
			program_free(&p);
		}
}
