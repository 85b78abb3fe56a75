/* 906: what the exit status of a run says: 0 the result is right, 1 it is wrong, 2 the request cannot be met. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

Test(exit_status, is_0_when_the_device_agrees_with_the_reference)
{
	struct program p = program_run("locus run vectoradd --size test");

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_eq(strncmp(p.out, "vectoradd 16384", strlen("vectoradd 16384")), 0, "%s", p.out);
	program_free(&p);
}

Test(exit_status, is_1_when_the_kernel_computes_something_else)
{
	/* A checkout whose vectoradd subtracts. */
	struct program p =
		program_run("r='%s/checkout'; mkdir -p \"$r/traces/vectoradd\" && ln -s \"$PWD/csim\" \"$r/csim\" && "
			    "sed 's/add.f32/sub.f32/' traces/vectoradd/kernel.ptx >\"$r/traces/vectoradd/kernel.ptx\" && "
			    "export LOCUS_ROOT=\"$r\" && locus run vectoradd --size test",
			    program_tmp());

	cr_expect_eq(p.status, 1, "%s%s", p.out, p.err);
	cr_expect(strstr(p.out, "c[0] is ") || strstr(p.err, "c[0] is "), "%s%s", p.out, p.err);
	program_free(&p);
}

Test(exit_status, is_2_when_an_option_cannot_be)
{
	static const char *const vector[] = {
		"locus run vectoradd --arg n=0",   "locus run vectoradd --arg m=3", "locus run vectoradd --arg n=1T",
		"locus run vectoradd --size huge", "locus run no-such-workload",    "locus run bfs --arg graph=no/such.graph",
		"locus run matmul --arg n=100",
	};

	for (unsigned i = 0; i < sizeof vector / sizeof vector[0]; i++) {
		struct program p = program_run("%s", vector[i]);

		cr_expect(program_is_clean_error(&p), "%s", vector[i]);
		program_free(&p);
	}
}
