/* 166: locus machine: a hostile file that is imported, and one that is no machine, get a line. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "support/program.h"

Test(machine_command, an_import_of_a_hostile_file_is_refused_or_does_no_harm)
{
	static const char *const make[] = {
		"head -c 5000 /dev/zero",
		"printf -- '-gpgpu_n_mem 6\\0 -x 7'",
		"printf -- '-x \\033[2J'",
		"printf -- '-x \\377\\376'",
		"head -c 2000000 /dev/zero | tr '\\0' a",		 /* above the limit */
		"printf '\"'; head -c 900000 /dev/zero | tr '\\0' '\"'", /* a line of quotes */
	};
	struct program p;

	for (unsigned k = 0; k < sizeof make / sizeof make[0]; k++) {
		p = program_run("{ %s; } >%s/h.config; locus machine import %s/h.config", make[k], program_tmp(), program_tmp());
		cr_expect(program_is_clean_error(&p), "%s", make[k]);
		program_free(&p);
	}
	p = program_run("{ printf -- '-x '; head -c 1000000 /dev/zero | tr '\\0' a; } >%s/h.config; "
			"locus machine import %s/h.config 2>&1 >/dev/null | wc -L",
			program_tmp(), program_tmp());
	cr_expect_lt(atoi(p.out), 400, "what is quoted of a line of a megabyte: %s", p.out);
	program_free(&p);
	p = program_run("yes -- '-x' | head -c 900000 >%s/h.config; locus machine import %s/h.config 2>/dev/null | head -c 1",
			program_tmp(), program_tmp());
	cr_expect_str_eq(p.out, "#", "300,000 options");
	program_free(&p);
}

Test(machine_command, show_checks_the_machine)
{
	struct program p = program_run("locus machine show gtx480 | grep -c .");

	cr_expect_gt(atoi(p.out), 158, "a line a key");
	program_free(&p);
	program_file("bad.yaml", "base: gtx480\nl1: { assoc: 3 }\n");
	p = program_run("locus machine show %s/bad.yaml", program_tmp());
	cr_expect(program_is_clean_error(&p));
	program_free(&p);
	p = program_run("locus machine import");
	cr_expect_eq(p.status, 2);
	cr_expect_str_eq(p.err, "locus machine: import needs a gpgpusim.config\n");
	program_free(&p);
}
