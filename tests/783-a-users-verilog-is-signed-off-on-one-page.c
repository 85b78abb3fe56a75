/* 783: locus signoff reads a user's Verilog with three front ends, runs it in lockstep from random initial values and
 * with four states, and prints each finding; each kind of fault is found by the check that is for it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* my.v is Locus's set monitor without its claims and assertions, changed by a sed expression (extended). */
static void my_rtl(const char *sed)
{
	struct program p = program_run(
		"sed '/^`ifdef ASSERTIONS/,/^endmodule/{/^endmodule/!d}' rtl/set_monitor/set_monitor.v >%s/own.v; cd %s; "
		"sed -E '%s' own.v >my.v; ! cmp -s own.v my.v",
		program_tmp(), program_tmp(), sed);

	cr_assert_eq(p.status, 0, "%s: changes nothing: %s", sed, p.err);
	program_free(&p);
}

static struct program sign_off(const char *words)
{
	return program_run("cd %s && locus signoff %s", program_tmp(), words);
}

enum { VERILATOR, ICARUS, YOSYS, LOCKSTEP, FOUR_STATES, CHECKS };

/* The numbers of findings on a page. */
static void read_page(const char *page, unsigned found[CHECKS])
{
	static const char *const row[CHECKS] = {"\n  Verilator ", "\n  Icarus ", "\n  Yosys ", "\n  lockstep, ",
						"\n  four states "};

	for (unsigned i = 0; i < CHECKS; i++) {
		const char *at = strstr(page, row[i]);

		cr_assert(at, "no row%s in %s", row[i], page);
		found[i] = (unsigned)strtoul(at + 49, NULL, 10);
	}
}

/* The change is found by those checks (a bit each), with that text, and by no others. */
static void found_by(const char *sed, unsigned checks, const char *text)
{
	unsigned found[CHECKS];
	struct program p;

	my_rtl(sed);
	p = sign_off("my.v --block set_monitor");
	cr_expect_eq(p.status, 1, "%s: %s%s", sed, p.out, p.err);
	read_page(p.out, found);
	for (unsigned i = 0; i < CHECKS; i++)
		cr_expect_eq(found[i] > 0, checks >> i & 1, "%s, check %u: %s", sed, i, p.out);
	cr_expect(strstr(p.out, text), "no \"%s\" in %s", text, p.out);
	cr_expect(strstr(p.out, "\n  NOT SIGNED OFF\n"), "%s", p.out);
	program_free(&p);
}

#define BY(check) (1u << (check))

Test(signoff, of_a_block_of_locus_has_no_finding_twice)
{
	struct program first = program_run("locus signoff rtl/set_monitor/set_monitor.v --block set_monitor"), again;
	unsigned found[CHECKS];

	cr_assert_eq(first.status, 0, "%s%s", first.out, first.err);
	read_page(first.out, found);
	for (unsigned i = 0; i < CHECKS; i++)
		cr_expect_eq(found[i], 0, "%s", first.out);
	cr_expect(strstr(first.out, ", as set_monitor sets=32 tag_w=20 count_w=16\n"), "%s", first.out);
	cr_expect(strstr(first.out, "\n  no finding\n"), "%s", first.out);
	again = program_run("locus signoff rtl/set_monitor/set_monitor.v --block set_monitor");
	cr_expect_str_eq(first.out, again.out);
	program_free(&first);
	program_free(&again);
}

/* Verilator takes the one driver, and the program's results are right. */
Test(signoff, finds_two_drivers_of_a_net)
{
	found_by("s/assign rsp_valid_o = .*/&\\nassign rsp_valid_o = req_valid_q;/", BY(YOSYS) | BY(FOUR_STATES),
		 "Warning: multiple conflicting drivers for ");
}

Test(signoff, finds_a_latch)
{
	found_by("s/assign rsp_count_o = .*/reg [COUNT_W-1:0] kept; always @* if (rsp_valid_q) kept = rsp_count_q; assign "
		 "rsp_count_o = "
		 "rsp_valid_q ? kept : rsp_count_q;/",
		 BY(VERILATOR) | BY(YOSYS), "Latch inferred for signal ");
}

Test(signoff, finds_a_net_without_a_driver)
{
	found_by("s/assign busy_o .*/wire open; assign busy_o = open || acc_valid_q || req_valid_q || rsp_valid_q;/",
		 BY(VERILATOR) | BY(YOSYS) | BY(FOUR_STATES), "is used but has no driver.");
}

/* The register is read when it has been written alone: no output is ever unknown. */
Test(signoff, finds_a_register_that_nothing_resets)
{
	found_by("/acc_tag_q   <= .TAG_W/d", BY(LOCKSTEP), "--x-init 1, step 0: register acc_tag_q, golden 0x00000, rtl 0x");
}

/* With two states it is 0 where the seed is 0. */
Test(signoff, finds_an_unknown_value_of_an_output)
{
	struct program p;
	unsigned found[CHECKS];

	my_rtl("s/rsp_count_q <= .COUNT_W.1.b0../rsp_count_q <= {COUNT_W{1'\"'\"'bx}}/");
	p = sign_off("my.v --block set_monitor --x-init 0");
	cr_expect_eq(p.status, 1, "%s", p.err);
	read_page(p.out, found);
	cr_expect_eq(found[LOCKSTEP], 0, "%s", p.out);
	cr_expect_eq(found[FOUR_STATES], 1, "%s", p.out);
	cr_expect(strstr(p.out, "step 1: output rsp_count_o is 16'bx"), "%s", p.out);
	program_free(&p);
}

Test(signoff, finds_a_wrong_value_and_a_failed_assertion)
{
	found_by("s/count_up    = conflict \\&\\& /count_up    = conflict \\&\\& entry != 9 \\&\\& /",
		 BY(LOCKSTEP) | BY(FOUR_STATES), ": register count_q[9], golden 0x");
	found_by("s/^endmodule/always @(posedge clk_i) assert (!req_valid_q || rst_i);\\nendmodule/", BY(LOCKSTEP),
		 ": assertion failed, my.v:");
}

Test(signoff, connects_ports_and_quotes_what_a_file_says)
{
	struct program p;

	my_rtl("s/\\bacc_valid_i\\b/acc_valid/; s/output wire +busy_o/output wire dbg_o, &/; "
	       "s/assign busy_o/assign dbg_o = \\\\odd\\x1b[2J ; &/; s/^ +localparam SET_W.*/&\\n    wire \\\\odd\\x1b[2J ;/");
	p = sign_off("my.v --block set_monitor --steps 100 --port acc_valid=acc_valid_i --leave dbg_o");
	cr_expect(!strchr(p.out, '\x1b') && !strchr(p.err, '\x1b'), "%s%s", p.out, p.err);
	cr_expect_neq(p.status, 0);
	program_free(&p);
}

/* PRIC's rows as a table in a file beside the source, which Icarus and Yosys find too. */
Test(signoff, reads_data_beside_the_source)
{
	struct program p;

	p = program_run("mkdir -p %s/rom", program_tmp());
	program_free(&p);
	program_file("rom/rom.v",
		     "module pric_index (input wire [31:0] addr_i, output reg [4:0] set_o, output wire [19:0] tag_o);\n"
		     "    reg [4:0] rows [0:24];\n    initial $readmemb(\"rows.bin\", rows);\n    integer j;\n"
		     "    always @* begin\n        set_o = 5'd0;\n        for (j = 0; j < 25; j = j + 1) if (addr_i[j + 7]) set_o "
		     "= set_o ^ "
		     "rows[j];\n    end\n    assign tag_o = addr_i[31:12];\nendmodule\n");
	/* x^i mod x^5 + x^2 + 1 */
	p = program_run(
		"awk 'BEGIN { for (r = 1; n < 25; n++) { for (k = 16; k >= 1; k /= 2) printf \"%%d\", int(r / k) %% 2; print \"\"; "
		"r *= 2; if (r >= 32) { r -= 32; r = int(r / 8) * 8 + (int(r / 4) %% 2 ? 0 : 4) + r %% 4; "
		"r = r %% 2 ? r - 1 : r + 1 } } }' >%s/rom/rows.bin",
		program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = sign_off("rom/rom.v --block pric");
	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
	p = program_run("cd %s && sed -i '20,$d' rom/rows.bin && locus signoff rom/rom.v --block pric", program_tmp());
	cr_expect_eq(p.status, 1, "%s", p.err);
	cr_expect(strstr(p.out, ": output set_o is 5'bx"), "%s", p.out);
	program_free(&p);
}

Test(signoff, without_what_it_needs_is_one_line)
{
	static const char *const bad[][2] = {
		{"my.v", "needs FILE.v and --block NAME"},
		{"--block set_monitor", "needs FILE.v and --block NAME"},
		{"my.v --block set_monitr", "--block: no block \"set_monitr\""},
		{"nowhere.v --block set_monitor", "nowhere.v: no such file"},
		{"my.v --block set_monitor --steps 0", "--steps: \"0\" is not a whole number from 1 to 100000000"},
		{"my.v --block pric", "is missing in module"},
		{"my.v --block set_monitor --params sets=3", "sets"},
		{"my.v --block set_monitor --tie x=1", "--tie x: module set_monitor has no such port"},
	};

	my_rtl("s/reg/& /");
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = sign_off(bad[i][0]);

		cr_expect_eq(p.status, 2, "%s: %d", bad[i][0], p.status);
		cr_expect(strstr(p.err, bad[i][1]) && strchr(p.err, '\n') == strrchr(p.err, '\n') && !*p.out, "%s: %s%s", bad[i][0],
			  p.err, p.out);
		program_free(&p);
	}
}
