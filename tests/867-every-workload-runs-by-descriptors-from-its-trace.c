/* 867: with --plan ldesc:source=profile every workload runs to right results on a machine of several modules, where
 * descriptors decide on everything. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"
#include "workload/program.h"

struct one {
	char workload[32];
};

ParameterizedTestParameters(profiled, runs_to_right_results)
{
	static struct one all[128];
	size_t n = 0;

	for (; workloads[n]; n++)
		snprintf(all[n].workload, sizeof all[n].workload, "%s", workloads[n]->name);
	return cr_make_param_array(struct one, all, n);
}

ParameterizedTest(struct one *of, profiled, runs_to_right_results)
{
	struct program p = program_run("locus run %s --size test --machine mcm4 --plan ldesc:source=profile", of->workload);

	cr_expect_eq(p.status, 0, "%s: %s", of->workload, p.err);
	cr_expect_null(strstr(p.err, "differs"), "%s", p.err);
	program_free(&p);
}
