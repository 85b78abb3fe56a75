/* 704: a user's own Verilog runs in a block's place if its ports fit; if not, the port is named with both widths. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* Writes a Verilog file and returns its path. */
static const char *verilog(char path[256], const char *name, const char *text)
{
	FILE *f;

	snprintf(path, 256, "%s/%s", program_tmp(), name);
	f = fopen(path, "w");
	cr_assert(f && fputs(text, f) >= 0);
	fclose(f);
	return path;
}

static void refused(const char *path, const char *complaint)
{
	struct program p = program_run("locus blocks pric --rtl %s", path);

	cr_assert(program_is_clean_error(&p));
	cr_assert(strstr(p.err, complaint), "expected \"%s\" in \"%s\"", complaint, p.err);
	program_free(&p);
}

/* The exact remainder for 128-byte lines, 32 sets and x^5+x^2+1, as a row of shifts and XORs: nothing like our RTL
 * inside. */
static const char by_division[] = "module my_index (input wire [31:0] addr_i, output wire [4:0] set_o, output wire [19:0] tag_o);\n"
				  "    reg [24:0] r;\n"
				  "    integer i;\n"
				  "    always @* begin\n"
				  "        r = addr_i[31:7];\n"
				  "        for (i = 24; i >= 5; i = i - 1)\n"
				  "            if (r[i]) r = r ^ (25'd37 << (i - 5));\n"
				  "    end\n"
				  "    assign set_o = r[4:0];\n"
				  "    assign tag_o = addr_i[31:12];\n"
				  "endmodule\n";

Test(your_rtl, another_design_with_the_same_ports_agrees_and_needs_no_parameters)
{
	char path[256];
	struct program p = program_run("locus cosim vectoradd --size test --l1-index pric --rtl pric=%s",
				       verilog(path, "my_index.v", by_division));

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_assert(strstr(p.out, "my_index.v"), "the table says whose RTL ran");
	program_free(&p);
}

Test(your_rtl, a_module_and_a_header_beside_the_file_are_found)
{
	char top[256], other[256];
	struct program p;

	verilog(other, "consts.vh", "`define LINE 31:7\n");
	verilog(other, "rest.v",
		"module rest (input wire [24:0] a, output reg [4:0] r);\n    integer i;\n    reg [24:0] x;\n    always @* begin\n"
		"        x = a;\n        for (i = 24; i >= 5; i = i - 1) if (x[i]) x = x ^ (25'd37 << (i - 5));\n"
		"        r = x[4:0];\n    end\nendmodule\n");
	verilog(top, "parts.v",
		"`include \"consts.vh\"\nmodule pric_index (input wire [31:0] addr_i, output wire [4:0] set_o, output wire [19:0] "
		"tag_o);\n"
		"    rest u (.a(addr_i[`LINE]), .r(set_o));\n    assign tag_o = addr_i[31:12];\nendmodule\n");
	p = program_run("locus cosim vectoradd --size test --l1-index pric --rtl pric=%s", top);
	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

Test(your_rtl, a_port_that_does_not_fit_is_named_with_both_widths)
{
	char path[256];

	refused(verilog(path, "a.v",
			"module pric_index (input wire [31:0] addr_i, output wire [5:0] set_o, output wire [19:0] tag_o);\n"
			"assign set_o = addr_i[12:7], tag_o = addr_i[31:12]; endmodule\n"),
		"output set_o of module pric_index: expected 5 bits, found 6");
	refused(verilog(path, "b.v",
			"module pric_index (input wire [31:0] addr_i, output wire [4:0] set_o);\nassign set_o = addr_i[11:7]; "
			"endmodule\n"),
		"output tag_o of 20 bits is missing in module pric_index");
	refused(verilog(path, "c.v",
			"module pric_index (input wire [31:0] addr_i, input wire mode_i, output wire [4:0] set_o, output wire "
			"[19:0] tag_o);\n"
			"assign set_o = addr_i[11:7], tag_o = addr_i[31:12] ^ {20{mode_i}}; endmodule\n"),
		"input mode_i (1 bit) of module pric_index is missing from the golden twin");
	refused(verilog(path, "d.v",
			"module pric_index (input wire clk_i, input wire [31:0] addr_i, output reg [4:0] set_o, output wire [19:0] "
			"tag_o);\n"
			"always @(posedge clk_i) set_o <= addr_i[11:7]; assign tag_o = addr_i[31:12]; endmodule\n"),
		"input clk_i of module pric_index: expected none (the block is combinational)");
}

Test(your_rtl, what_verilator_says_comes_with_file_and_line)
{
	char path[256], line[300];

	verilog(path, "syntax.v",
		"module pric_index (\n    input wire [31:0] addr_i\n    output wire [4:0] set_o\n);\nendmodule\n");
	snprintf(line, sizeof line, "%s:3:", path);
	refused(path, line);
	refused("/nonexistent/x.v", "/nonexistent/x.v: no such file");
}

Test(your_rtl, a_failed_assertion_in_it_is_counted_and_ends_with_status_1)
{
	char path[256], text[2000];
	struct program p;

	/* vectoradd reads its first array from its first line on: some line address is even, some is odd. */
	snprintf(text, sizeof text, "%.*s    always @* assert (!addr_i[7]);\nendmodule\n",
		 (int)(strstr(by_division, "endmodule") - by_division), by_division);
	p = program_run("locus cosim vectoradd --size test --l1-index pric --rtl pric=%s", verilog(path, "asserts.v", text));
	cr_assert_eq(p.status, 1, "%s%s", p.out, p.err);
	cr_assert(strstr(p.out, "assertions in its Verilog failed "), "%s", p.out);
	cr_assert(strstr(p.err, "Assertion failed in ") && !strstr(p.out, "Assertion failed in "), "%s", p.out);
	cr_assert(strstr(p.out, "lockstep          15 "), "%s", p.out);
	program_free(&p);
}

Test(your_rtl, a_wave_that_nobody_can_write_is_refused)
{
	struct program p =
		program_run("cd %s && locus cosim vectoradd --size test --hw all=golden --wave w.fst >/dev/null", program_tmp());

	cr_assert(program_is_clean_error(&p));
	program_free(&p);
	p = program_run("cd %s && locus cosim vectoradd --size test --l1-index pric --wave w.fst --wave-owner sm99.l1 >/dev/null",
			program_tmp());
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
}

Test(your_rtl, options_that_make_no_sense_get_one_line)
{
	static const char *const option[] = {"--hw pric=verilog", "--hw nothing=rtl",	 "--hw pric",	      "--rtl pric",
					     "--rtl none=x.v",	  "--compare sometimes", "--wave-window 5:2", "--wave-window x"};

	for (unsigned i = 0; i < sizeof option / sizeof option[0]; i++) {
		struct program p = program_run("locus cosim vectoradd --size test %s", option[i]);

		cr_assert(program_is_clean_error(&p), "%s", option[i]);
		program_free(&p);
	}
}

/* ---- registers: those of a changed copy of ours are compared, another design's are its own business ---- */

Test(your_rtl, a_different_design_of_a_clocked_block_is_compared_by_its_ports)
{
	struct program p = program_run("cd %s && { sed 's/_q\\b/_r/g' \"$OLDPWD/rtl/set_monitor/set_monitor.v\" >renamed.v; } && "
				       "locus blocks set_monitor --rtl "
				       "renamed.v",
				       program_tmp());

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}
