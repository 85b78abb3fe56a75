/* 828: `locus mix` gives each program a module of its own. Programs that are too many are refused before any is
 * executed. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

/* gtx480 has one module. The launch file's one launch is wrong, which only shows when it is executed. */
Test(mix, refuses_too_many_programs_before_it_executes_any)
{
	struct program p;

	program_file("k.ptx", ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k()\n{\n"
			      ".reg .b64 %rd<2>;\nmov.u64 %rd1, 0;\nst.global.u32 [%rd1], 1;\nret;\n}\n");
	program_file("k.yaml", "ptx: k.ptx\nbuffers:\n  b: {size: 4}\nlaunches:\n  - {kernel: k, grid: 1, block: 1}\n");
	p = program_run("locus mix %s/k.yaml %s/k.yaml --machine gtx480", program_tmp(), program_tmp());
	cr_assert(program_is_clean_error(&p));
	cr_assert(strstr(p.err, "2 programs need as many modules; the machine has 1"), "%s", p.err);
	program_free(&p);
}
