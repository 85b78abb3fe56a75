/* 848: with --plan ldesc:source=static every workload, annotated or not, runs to right results on a machine of one
 * module and on one of several. */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"
#include "workload/program.h"

struct one {
	char workload[32], machine[16];
};

ParameterizedTestParameters(derived, runs_to_right_results)
{
	static const char *const machines[] = {"gtx480", "mcm4"};
	static struct one all[2 * 128];
	size_t n = 0;

	for (unsigned i = 0; workloads[i]; i++)
		for (unsigned m = 0; m < 2; m++, n++) {
			snprintf(all[n].workload, sizeof all[n].workload, "%s", workloads[i]->name);
			snprintf(all[n].machine, sizeof all[n].machine, "%s", machines[m]);
		}
	return cr_make_param_array(struct one, all, n);
}

ParameterizedTest(struct one *of, derived, runs_to_right_results)
{
	struct program p =
		program_run("locus run %s --size test --machine %s --plan ldesc:source=static", of->workload, of->machine);

	cr_expect_eq(p.status, 0, "%s on %s: %s", of->workload, of->machine, p.err);
	cr_expect_null(strstr(p.err, "differs"), "%s", p.err);
	program_free(&p);
}
