/* 614: the row that `make synth` prints of a block has the flip-flops that its text has, whatever its outputs are made
 * of. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* Three registers; the upper outputs are constant, which Yosys writes as one number for all of them. */
Test(synth, flip_flops_are_counted_where_outputs_are_constant)
{
	struct program p;
	unsigned bits = 0;

	program_file("three.v", "module three (input wire clk_i, input wire [2:0] a_i, output wire [7:0] y_o);\n"
				"    reg [2:0] a_q;\n"
				"    always @(posedge clk_i) a_q <= a_i;\n"
				"    assign y_o = {5'd0, ~a_q};\n"
				"endmodule\n");
	p = program_run("scripts/synth %s three %s/three.v", program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(sscanf(p.out, "| `three` | as is | %u |", &bits), 1, "%s", p.out);
	cr_expect_eq(bits, 3);
	program_free(&p);
}

/* Cells of 24 um2 to a NAND: 240 um2 are ten. Of 125 mm2, 1.25 mm2 are one percent. */
Test(synth, tafe_stands_beside_its_paper_in_nands_and_shares_of_a_core)
{
	struct program p;

	program_file("cells.lib", "cell (INVX1) {\narea : 16;\n}\ncell (NAND2X1) {\narea : 24;\n}\n");
	program_file("rows", "| `tafe_comparator` | as is | 8 | 1 | 240 | 1.0 | 1 | 1 | 1.0 |\n"
			     "| `tafe_inverse` | as is | 16 | 1 | 480 | 1.0 | 1 | 1 | 1.0 |\n"
			     "| `tafe_inverse` | ENTRIES=4 | 99 | 1 | 999 | 1.0 | 1 | 1 | 1.0 |\n"
			     "| `tafe_extent` | as is | 12 | 1 | 24 | 1.0 | 1 | 1 | 1.0 |\n"
			     "| `tafe_top` | as is | 36 | 1 | 1250000 | 1.0 | 1 | 1 | 1.0 |\n");
	p = program_run("scripts/synth-tafe %s/cells.lib <%s/rows", program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "| comparator table | 68 | 4 CMP, 1 ADD, 1 SHFT | 8 | 1.0 | 0 | 10 | 0.000 | 0.00 % |"), "%s",
		  p.out);
	cr_expect(strstr(p.out, "| inverse relation | 133 | 2 MUL, 2 ADD, 1 counter, 1 CMP | 16 | 2.0 | 0 | 20 |"), "%s", p.out);
	cr_expect(strstr(p.out, "| 311 | - | 36 | 4.5 | 0 | 52083 | 1.250 | 1.00 % |"), "%s", p.out);
	program_free(&p);
	program_file("rows", "| `tafe_top` | as is | 36 | 1 | 1250000 | 1.0 | 1 | 1 | 1.0 |\n");
	p = program_run("scripts/synth-tafe %s/cells.lib <%s/rows", program_tmp(), program_tmp());
	cr_expect_neq(p.status, 0);
	cr_expect(strstr(p.err, "synth-tafe: no row of tafe_comparator"), "%s", p.err);
	program_free(&p);
}
