/* 614: the row that `make synth` prints of a block has the flip-flops that its text has, whatever its outputs are made
 * of. */
#include <criterion/criterion.h>
#include <stdio.h>

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
