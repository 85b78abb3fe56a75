/* 234: what one kernel of a PTX file asks for and cannot have is reported, and refuses that kernel; the file's others
 * run. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* %clusterid.x: of PTX 7.8. A kernel can declare 48 KB of shared memory on all GPUs. */
static const char text[] = ".version 7.8\n.target sm_90\n.address_size 64\n"
			   ".visible .entry good(.param .u64 out)\n{\n.reg .b64 %rd<2>;\n"
			   "ld.param.u64 %rd1, [out];\nst.global.u32 [%rd1], 7;\nret;\n}\n"
			   ".visible .entry special()\n{\n.reg .b32 %r<4>;\nmov.u32 %r1, %clusterid.x;\nret;\n}\n"
			   ".visible .entry large()\n{\n.shared .b8 x[50000];\nst.shared.u8 [x], 1;\nret;\n}\n";

static struct program launch(const char *kernel, const char *args)
{
	char launches[512];

	snprintf(launches, sizeof launches,
		 "ptx: three.ptx\nbuffers:\n  out: {count: 1, type: u32}\nlaunches:\n  - {kernel: %s, grid: 1, block: 1%s}\n%s",
		 kernel, args, *args ? "expect:\n  out: {type: u32, value: 7}\n" : "");
	program_file("three.ptx", text);
	program_file("three.yaml", launches);
	return program_run("locus run %s/three.yaml", program_tmp());
}

Test(ptx_refusals, name_the_kernel_and_the_reason)
{
	struct program p;

	program_file("three.ptx", text);
	p = program_run("locus ptx %s/three.ptx", program_tmp());
	cr_assert_eq(p.status, 2);
	cr_assert(strstr(p.out, "kernel good") && strstr(p.out, "kernel special") && strstr(p.out, "kernel large"), "%s", p.out);
	cr_assert(strstr(p.out, "three.ptx:14: not supported: mov.u32: it uses %clusterid.x"), "%s", p.out);
	cr_assert(strstr(p.out, "three.ptx:17: not supported: 50000 bytes of shared memory; at most 49152 are available"), "%s",
		  p.out);
	program_free(&p);
}

Test(ptx_refusals, leave_the_files_other_kernels)
{
	struct program p = launch("good", ", args: [out]");

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(ptx_refusals, are_met_at_the_launch)
{
	struct program p = launch("special", "");

	cr_assert(program_is_clean_error(&p));
	cr_assert(strstr(p.err, "three.ptx:14: kernel special: mov.u32 is not supported: it uses %clusterid.x"), "%s", p.err);
	program_free(&p);
	p = launch("large", "");
	cr_assert(program_is_clean_error(&p));
	cr_assert(strstr(p.err, "three.ptx:17: kernel large is not supported: 50000 bytes of shared memory"), "%s", p.err);
	program_free(&p);
}
