/* 615: what scripts/rtl-lint asks of every Verilog file: each is held to it, and a file that does not keep it is
 * named. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* A file of this text is refused, with these words among what is said. */
static void complained(const char *name, const char *text, const char *about)
{
	struct program p;

	program_file(name, text);
	p = program_run("scripts/rtl-lint %s/%s", program_tmp(), name);
	cr_expect_eq(p.status, 1, "%s", text);
	cr_expect(strstr(p.err, name) && strstr(p.err, about), "expected %s in: %s", about, p.err);
	program_free(&p);
}

static void accepted(const char *name, const char *text)
{
	struct program p;

	program_file(name, text);
	p = program_run("scripts/rtl-lint %s/%s", program_tmp(), name);
	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(rtl_rules, all_files_declare_their_nets_and_leave_the_next_file_alone)
{
	struct program p = program_run("for f in rtl/*/*.v; do grep -qx '`default_nettype none' $f && "
				       "[ \"$(tail -n 1 $f)\" = '`default_nettype wire' ] || echo $f; done; "
				       "ls rtl/*/*.v | wc -l >&2");

	cr_expect_str_empty(p.out, "%s", p.out);
	cr_expect_geq(atoi(p.err), 27, "the files are looked at: %s", p.err);
	program_free(&p);
}

Test(rtl_rules, a_file_without_the_declaration_is_named)
{
	complained("f.v", "module f (input wire a_i, output wire b_o);\n    assign b_o = a_i;\nendmodule\n`default_nettype wire\n",
		   "`default_nettype none is not before the first module");
	complained("f.v",
		   "module f (input wire a_i, output wire b_o);\n    assign b_o = a_i;\nendmodule\n"
		   "`default_nettype none\n`default_nettype wire\n",
		   "`default_nettype none is not before the first module");
	complained("f.v", "`default_nettype none\nmodule f (input wire a_i, output wire b_o);\n    assign b_o = a_i;\nendmodule\n",
		   "`default_nettype wire is not the last line");
}

/* Icarus carries the setting on: b.v declares no net z, as a user's file may not. */
Test(rtl_rules, a_file_of_the_users_behind_ours_may_have_implicit_nets)
{
	struct program p;

	program_file("b.v", "module b (input a_i, output b_o);\n    assign z = a_i;\n    assign b_o = z;\nendmodule\n");
	p = program_run("iverilog -g2005 -s b -o %s/b rtl/pric/pric_index.v %s/b.v", program_tmp(), program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

/* A test bench: the width of what it assigns, which no shape of a block looks at. */
Test(rtl_rules, a_test_bench_with_a_wrong_width_is_named)
{
	static const char head[] =
		"`default_nettype none\nmodule f_tb;\n    reg [3:0] a;\n    reg [2:0] i;\n    initial begin\n        i = 3;\n";
	static const char tail[] = "        #1 $display(\"%d\", a);\n        $finish;\n    end\nendmodule\n`default_nettype wire\n";
	char text[500];

	snprintf(text, sizeof text, "%s        a = {1'b0, i};\n%s", head, tail);
	accepted("f_tb.v", text);
	snprintf(text, sizeof text, "%s        a = i;\n%s", head, tail);
	complained("f_tb.v", text, "expects 4 bits");
}

/* Claims see a block's registers by name. Yosys takes an unknown name for a free wire, of which nothing would be
 * proved. */
Test(rtl_rules, claims_of_a_register_that_does_not_exist_are_named)
{
	static const char block[] =
		"`default_nettype none\nmodule f (input wire clk_i, input wire a_i, output wire b_o);\n    reg a_q;\n"
		"    always @(posedge clk_i) a_q <= a_i;\n    assign b_o = a_q;\nendmodule\n`default_nettype wire\n";
	static const char claims[] = "`default_nettype none\nmodule f_claims (input wire clk_i, input wire a_i);\n    wire b;\n"
				     "    f dut (.clk_i(clk_i), .a_i(a_i), .b_o(b));\n`ifdef YOSYS\n"
				     "    (* hierconn *) wire \\dut.%s ;\n`endif\n"
				     "    always @* assert (b == dut.%s);\nendmodule\n`default_nettype wire\n";
	char text[600];

	program_file("f.v", block);
	snprintf(text, sizeof text, claims, "a_q", "a_q");
	accepted("f_claims.v", text);
	snprintf(text, sizeof text, claims, "c_q", "c_q");
	complained("f_claims.v", text, "c_q");
}

/* The head of a module is the same with FORMAL and without. */
Test(rtl_rules, no_port_or_parameter_is_there_for_a_proof)
{
	struct program p = program_run("for f in rtl/*/*.v; do awk '/^module/ {head = 1} head && /`ifdef FORMAL/ {print FILENAME} "
				       "/^\\);/ {head = 0}' $f; done");

	cr_expect_str_empty(p.out, "%s", p.out);
	program_free(&p);
}
