#include "support/icarus.h"

#include <criterion/criterion.h>

FILE *icarus_vectors(char path[4096])
{
	FILE *f;

	snprintf(path, 4096, "%s/vectors", program_tmp());
	f = fopen(path, "w");
	cr_assert_not_null(f);
	return f;
}

struct program icarus_simulate(const char *top, const char *parameters, const char *vectors, const char *sources)
{
	struct program p = program_run("scripts/simulate %s '%s' %s %s", top, parameters, vectors, sources);

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_empty(p.err);
	return p;
}
