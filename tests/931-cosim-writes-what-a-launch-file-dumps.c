/* 931: a launch file's dumps are written beside Verilog blocks too, and are the same bytes: blocks change no program's
 * values. */
#include <criterion/criterion.h>

#include "support/program.h"

Test(dump_in_cosim, has_the_bytes_of_a_run)
{
	struct program p;

	p = program_run(
		"cd traces/examples && sed 's|kernel.ptx|'$PWD/kernel.ptx'|; $ a dump: {y: {file: y.bin}}' saxpy.yaml >%s/my.yaml",
		program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run("cd %s && locus run my.yaml >/dev/null && mv y.bin run.bin && locus cosim my.yaml >/dev/null && cmp y.bin "
			"run.bin && "
			"wc -c <y.bin",
			program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_str_eq(p.out, "262144\n"); /* 64 K floats */
	program_free(&p);
}
