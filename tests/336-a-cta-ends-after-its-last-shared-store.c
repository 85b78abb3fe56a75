/* 336: a CTA's slot is free only when the banks have served its last store, although its warps have ended before. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>

#include "support/program.h"

/* 32 warps, each with one store whose 32 lanes want 32 words of one bank: 1,024 cycles of the banks, and nothing after
 * them. */
Test(shared, a_last_store_in_conflict_is_served_before_its_cta_ends)
{
	struct program p;
	json_t *o, *stats;
	json_int_t cycles;

	program_file("k.ptx", ".version 6.0\n.target sm_60\n.address_size 64\n"
			      ".visible .entry k(.param .u64 out)\n{\n.reg .b32 %r<5>;\n.shared .align 4 .b8 s[4096];\n"
			      "mov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 7;\nand.b32 %r2, %r2, 4095;\nmov.u32 %r3, s;\n"
			      "add.u32 %r3, %r3, %r2;\nst.shared.u32 [%r3], %r1;\nret;\n}\n");
	program_file("k.yaml", "ptx: k.ptx\nbuffers: {a: {size: 4}}\nlaunches: [{kernel: k, grid: 15, block: 1024, args: [a]}]\n");
	p = program_run("locus run %s/k.yaml --json %s/k.json >/dev/null && cat %s/k.json", program_tmp(), program_tmp(),
			program_tmp());
	cr_assert_eq(p.status, 0, "%s: an invariant is broken", p.err);
	o = json_loads(p.out, 0, NULL);
	stats = json_object_get(o, "stats");
	cr_assert_eq(json_integer_value(json_object_get(stats, "shared.conflicts")), 15 * 32 * 31);
	cycles = json_integer_value(json_object_get(stats, "cycles"));
	cr_assert(cycles > 1024 && cycles < 1024 + 64, "%lld cycles: 1,024 of the banks and a warp's start", (long long)cycles);
	json_decref(o);
	program_free(&p);
}
