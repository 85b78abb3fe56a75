/* 781: Verilog of each kind that a user brings in place of set_monitor runs as it is meant, or its fault is named:
 * registers that nothing resets, delays, arrays. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "support/program.h"

#define RUN "locus cosim vectoradd --size test --set l1.monitor=true --rtl set_monitor="

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

/* Runs a command in the folder of my.v; locus is the built one. */
static struct program in_folder(const char *command)
{
	return program_run("cd %s && %s", program_tmp(), command);
}

static void expect(const char *command, int status, const char *text)
{
	struct program p = in_folder(command);

	cr_expect_eq(p.status, status, "%s: %d: %s", command, p.status, p.err);
	cr_expect(strstr(status == 2 ? p.err : p.out, text), "%s: no \"%s\" in %s%s", command, text, p.out, p.err);
	if (status == 2)
		cr_expect(program_is_clean_error(&p), "%s", p.err);
	program_free(&p);
}

static void agrees(const char *command)
{
	expect(command, 0, "  results                                     right");
}

/* ---- initial values ---- */

Test(users_verilog, a_register_without_reset_differs_in_the_first_step)
{
	my_rtl("/acc_tag_q   <= .TAG_W/d; /rsp_count_q <= .COUNT_W/d");
	expect(RUN "my.v", 1, "MISMATCH set_monitor of sm0.l1, cycle 0 (step 0): register acc_tag_q\n");
}

Test(users_verilog, an_unknown_value_in_reset_differs_in_the_first_step)
{
	my_rtl("s/rsp_count_q <= .COUNT_W.1.b0../rsp_count_q <= {COUNT_W{1'\"'\"'bx}}/");
	expect(RUN "my.v", 1, "MISMATCH set_monitor of sm0.l1, cycle 0 (step 0): register rsp_count_q\n");
}

/* The line of the report that has the RTL's value. */
static char *value_of(const char *command)
{
	struct program p = in_folder(command);
	char *at = strstr(p.out, "\n  rtl    "), *value;

	cr_assert(at, "%s: %s%s", command, p.out, p.err);
	value = strndup(at + 1, strcspn(at + 1, "\n"));
	program_free(&p);
	return value;
}

Test(users_verilog, initial_values_are_those_of_a_seed_that_the_report_names)
{
	char *first, *again, *other, *replayed;

	my_rtl("/acc_tag_q   <= .TAG_W/d");
	first = value_of(RUN "my.v --bundle a");
	again = value_of(RUN "my.v --bundle a");
	other = value_of(RUN "my.v --bundle b --x-init 2");
	replayed = value_of("locus replay b-set_monitor-0");
	cr_expect_str_eq(first, again);
	cr_expect_str_neq(first, other);
	cr_expect_str_eq(other, replayed);
	free(replayed);
	replayed = value_of("locus replay b-set_monitor-0 --x-init 1");
	cr_expect_str_eq(first, replayed);
	expect("locus replay b-set_monitor-0", 1, "  initial values: bits that nothing resets are those of --x-init 2\n");
	expect("locus replay b-set_monitor-0 --x-init 0", 0, "nothing differs");
	expect("locus replay b-set_monitor-0 --rtl own.v", 0, "nothing differs");
	free(first);
	free(again);
	free(other);
	free(replayed);
}

/* Ahead of the reset, when a register has any value, no assertion holds. */
Test(users_verilog, an_assertion_counts_from_the_reset_on)
{
	my_rtl("s/^endmodule/always @* assert (!rsp_valid_q || !seen_q[0] || busy_o); "
	       "always @* assert (acc_set_q == 0 || seen_q != 0 || busy_o);\\nendmodule/");
	agrees(RUN "my.v --x-init 3");
}

Test(users_verilog, initial_values_need_verilog_that_has_them)
{
	expect("locus cosim vectoradd --size test --x-init 3", 2, "--x-init: needs --rtl");
	expect(RUN "own.v --x-init 2147483647", 2, "--x-init: \"2147483647\" is not a whole number from 0 to 2147483646");
}

/* ---- ways to write it ---- */

Test(users_verilog, a_delay_is_left_out)
{
	my_rtl("s/assign rsp_count_o/assign #1 rsp_count_o/");
	agrees(RUN "my.v");
}

Test(users_verilog, tables_may_be_arrays_and_parameters_its_own)
{
	my_rtl("s/reg .SETS.COUNT_W-1:0. count_q;/reg [COUNT_W-1:0] count_q [0:SETS-1]; integer ii;/; "
	       "s/count_q\\[entry.COUNT_W \\+: COUNT_W\\]/count_q[entry]/; s/count_q\\[acc_set_q.COUNT_W \\+: COUNT_W\\]/"
	       "count_q[acc_set_q]/; s/count_q     <= .d0;/for (ii = 0; ii < SETS; ii = ii + 1) count_q[ii] <= 0;/; "
	       "s/parameter COUNT_W = 16/parameter DEPTH = 3, parameter [7:0] SEED = 90, &/");
	agrees(RUN "my.v");
}

/* ---- ports ---- */

Test(users_verilog, clock_and_reset_have_the_names_that_others_give_them)
{
	my_rtl("s/\\bclk_i\\b/clock/; s/\\brst_i\\b/reset/"); /* Chisel's */
	agrees(RUN "my.v");
	my_rtl("s/\\bclk_i\\b/clk/; s/posedge clk\\)/posedge clk or negedge rst_ni)/; s/if \\(rst_i\\)/if (!rst_ni)/; "
	       "s/\\brst_i\\b/rst_ni/");
	agrees(RUN "my.v");
	my_rtl("s/posedge clk_i\\)/posedge clk_i or posedge rst_i)/");
	agrees(RUN "my.v");
}

Test(users_verilog, a_negative_edge_is_named_as_such)
{
	my_rtl("s/posedge clk_i/negedge clk_i/");
	expect(RUN "my.v", 2, "my.v: registers of module set_monitor move at the negative edge of clk_i");
	agrees(RUN "my.v --port clk_i=~clk_i");
}

Test(users_verilog, ports_are_renamed_tied_and_left)
{
	my_rtl("s/\\bacc_valid_i\\b/acc_valid/; s/\\bbusy_o\\b/idle/; s/output wire +idle/output wire idle, inout wire pad, "
	       "input wire clk2_i, input wire [3:0] scan_i, output wire dbg_o/; s/assign idle/assign dbg_o = clk2_i; &/; "
	       "s/if \\(rst_i\\)/if (rst_i || scan_i != 9)/");
	expect(RUN "my.v", 2, "inout pad of module set_monitor: a block has inputs and outputs alone (--leave pad ");
	expect(RUN "my.v --leave pad", 2,
	       "input acc_valid_i of 1 bit is missing in module set_monitor (the golden twin has it; --port THEIRS=acc_valid_i");
	expect(RUN "my.v --leave pad --port acc_valid=acc_valid_i", 2,
	       "input clk2_i (1 bit) of module set_monitor is missing from the "
	       "golden twin of set_monitor (--tie clk2_i=0)");
	expect(RUN "my.v --leave pad --port acc_valid=acc_valid_i --port clk2_i=clk_i --tie scan_i=9", 2, "--port THEIRS=busy_o");
	expect(RUN "my.v --leave pad --port acc_valid=acc_valid_i --port clk2_i=clk_i --tie scan_i=9 --port idle=busy_o", 2,
	       "output dbg_o (1 bit) of module set_monitor is missing from the golden twin of set_monitor (--leave dbg_o)");
#define FIT "--leave pad --port acc_valid=acc_valid_i --port clk2_i=clk_i --port idle=busy_o --leave dbg_o --tie scan_i="
	agrees(RUN "my.v " FIT "9");
	expect(RUN "my.v --bundle tied " FIT "0x8", 1, "MISMATCH set_monitor of ");
	expect("locus replay tied-set_monitor-*[0-9]", 1, "MISMATCH set_monitor of ");
	expect("locus replay tied-set_monitor-*[0-9] --rtl my.v " FIT "9", 0, "nothing differs");
	expect("locus blocks set_monitor --params \"tag_w=20\" --rtl my.v " FIT "9", 0, "set_monitor  my.v");
}

Test(users_verilog, a_connection_that_cannot_be_is_refused)
{
	static const char *const bad[][2] = {
		{"--port x=acc_valid_i", "--port x: module set_monitor has no such port"},
		{"--port acc_valid_i=nothing", "is missing in module set_monitor"},
		{"--port busy_o=~busy_o", "--port busy_o=~busy_o: ~ is for inputs, and busy_o is an output"},
		{"--port acc_set_i=~acc_set_i", "~ is for inputs of 1 bit, and acc_set_i has 5"},
		{"--port 'x;y=z'", "--port: \"x;y=z\" is not THEIRS=OURS or THEIRS=~OURS"},
		{"--port clk_i", "--port: \"clk_i\" is not "},
		{"--port a=b --port a=c", "--port: port a is connected twice"},
		{"--tie acc_valid_i=2", "--tie acc_valid_i=2: the input has 1 bit"},
		{"--tie busy_o=0", "--tie busy_o: is an output"},
		{"--tie acc_valid_i=`x`", "--tie: \"acc_valid_i=`x`\" is not INPUT=VALUE"},
		{"--leave acc_valid_i", "--leave acc_valid_i: is an input, which needs a value (--tie acc_valid_i=0)"},
		{"--leave '$(x)'", "--leave: \"$(x)\" is not the name of a port"},
		{"--incdir nowhere", "--incdir: nowhere: no such folder"},
		{"--rtl pric=own.v --port a=b", "--port, --tie, --leave and --incdir: need one --rtl"},
	};
	char command[400];

	my_rtl("s/reg/& /");
	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		char quoted[200] = "";

		/* a shell's word, where it is not one already */
		snprintf(quoted, sizeof quoted, strchr(bad[i][0], '`') ? "'%s'" : "%s", bad[i][0]);
		if (strchr(bad[i][0], '`'))
			snprintf(quoted, sizeof quoted, "--tie 'acc_valid_i=`x`'");
		snprintf(command, sizeof command, RUN "own.v %s", quoted);
		expect(command, 2, bad[i][1]);
	}
	expect("locus cosim vectoradd --size test --tie a=0", 2, "need one --rtl, whose ports they connect; there is none");
}

/* ---- SystemVerilog ---- */

static const char members[] = "s/reg +acc_valid_q;.*/typedef struct packed { logic [SET_W-1:0] set; logic [TAG_W-1:0] tag; } at_t; "
			      "struct packed { logic valid; at_t at; logic [2:0] more; } acc_q; always @(posedge clk_i) "
			      "acc_q.more <= 3;/; /reg .*acc_(set|tag)_q;/d; "
			      "s/acc_valid_q/acc_q.valid/g; s/acc_set_q/acc_q.at.set/g; s/acc_tag_q/acc_q.at.tag/g";

static const char members_alone[] = "    registers compared, by name and width: 8 of 10; not compared:\n"
				    "      acc_set_q (5 bits) is in the golden twin alone\n"
				    "      acc_tag_q (20 bits) is in the golden twin alone\n"
				    "      acc_q.at.set (5 bits) is in the RTL alone\n"
				    "      acc_q.at.tag (20 bits) is in the RTL alone\n"
				    "      acc_q.more (3 bits) is in the RTL alone\n";

/* The twin has acc_valid, acc_set and acc_tag: a struct within the struct is named apart. */
Test(users_verilog, packed_structs_are_compared_by_their_members)
{
	char sed[1000];
	struct program p;

	my_rtl(members);
	p = in_folder("mv my.v my.sv && " RUN "my.sv");
	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_expect(strstr(p.out, members_alone), "%s", p.out);
	program_free(&p);
	snprintf(sed, sizeof sed,
		 "%s; s/acc_q.at/acc_q/g; s/at_t at;/logic [SET_W-1:0] set; logic [TAG_W-1:0] tag;/; "
		 "s/acc_q.tag <= acc_tag_i;/acc_q.tag <= acc_tag_i ^ (acc_set_i == 3);/",
		 members);
	my_rtl(sed);
	p = in_folder("mv my.v my.sv && " RUN "my.sv");
	cr_expect_eq(p.status, 1, "%s", p.err);
	cr_expect(strstr(p.out, ": register acc_tag_q\n") && strstr(p.out, "differs in bit 0\n"), "%s", p.out);
	cr_expect(strstr(p.out, "by name and width: 10 of 10; not compared:\n      acc_q.more (3 bits) is in the RTL alone\n"),
		  "%s", p.out);
	program_free(&p);
}

Test(users_verilog, what_an_initial_block_prints_is_printed_once_and_commands_no_terminal)
{
	struct program p;
	json_error_t why;
	json_t *j;

	my_rtl("s/^endmodule/initial $display(\"hello \\\\033]0;title\\\\007\"); final $display(\"bye\");\\nendmodule/");
	p = in_folder("mv my.v my.sv && " RUN "my.sv --json - 2>said >out.json; cat said");
	j = json_load_file(program_path("out.json"), 0, &why);
	cr_expect(j, "%s", why.text);
	json_decref(j);
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect_str_eq(p.out, "hello ?]0;title?\nbye\n");
	program_free(&p);
}

/* ---- other files ---- */

/* A project of two folders beside each other, with a list; the header makes each conflict count twice. */
static void make_project(void)
{
	struct program p;

	my_rtl("s/entry_count \\+ 1.b1/entry_count + `STEP/; 1i `include \"step.vh\"\\n`include \"../common/more.vh\"");
	p = in_folder(
		"mkdir -p proj/rtl proj/common proj/inc && mv my.v proj/rtl && echo '`define STEP 2' >proj/inc/step.vh && "
		"echo '// more' >proj/common/more.vh && printf '// all\\n+incdir+../inc # headers\\nmy.v\\n' >proj/rtl/all.f");
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(users_verilog, headers_of_other_folders_belong_to_it)
{
	make_project();
	expect(RUN "proj/rtl/my.v", 2, "Cannot find include file: step.vh");
	expect(RUN "proj/rtl/my.v --incdir proj/inc --bundle a", 1, ": register count_q[");
	expect("find a-*/rtl -type f | sort | xargs", 0, "/rtl/common/more.vh");
	expect("mv proj gone; cd / && locus replay \"$OLDPWD\"/a-set_monitor-*[0-9] --minimize --output \"$OLDPWD\"/small", 1,
	       "minimised: ");
	expect("cd / && locus replay \"$OLDPWD\"/small", 1, ": register count_q[");
	expect("echo '`define STEP 1' >small/rtl/inc/step.vh; locus replay small", 0, "nothing differs");
}

Test(users_verilog, a_list_names_files_and_folders)
{
	make_project();
	expect(RUN "proj/rtl/all.f --bundle b", 1, ": register count_q[");
	expect("grep -h '^rtl \\|^incdir ' b-*/stimulus.txt", 0, "rtl rtl/my.v\nincdir inc\n");
	expect("printf -- '-f rtl/all.f\\n' >proj/outer.f; echo '`define STEP 1' >proj/inc/step.vh; " RUN "proj/outer.f", 0,
	       "  results                                     right");
	expect("printf 'my.v\\n+define+X=$(touch ran)\\n' >proj/rtl/odd.f; " RUN "proj/rtl/odd.f", 2,
	       "proj/rtl/odd.f:2: \"+define+X=$(touch\": a list holds files, -f LIST, +incdir+DIR and -IDIR alone");
	expect("printf -- '-f self.f' >self.f; " RUN "self.f", 2, "self.f: more than 4 lists within lists");
	expect("echo '+incdir+nowhere' >d.f; " RUN "d.f", 2, "d.f:1: nowhere: no such folder");
	expect("test ! -e ran -a ! -e proj/rtl/ran && echo clean", 0, "clean");
}

/* PRIC's rows as a table in a file, which is found beside the source wherever the program is called. */
static void make_rom(const char *file)
{
	char text[1200];
	struct program p;

	snprintf(text, sizeof text,
		 "module pric_index #(parameter string FILE = \"rows.hex\") (input wire [31:0] addr_i, output reg [4:0] set_o, "
		 "output wire [19:0] tag_o);\n    reg [31:0] rows [0:4];\n    initial $readmemh(%s, rows);\n    integer j;\n"
		 "    always @* for (j = 0; j < 5; j = j + 1) set_o[j] = ^(addr_i & rows[j]);\n"
		 "    assign tag_o = addr_i[31:12];\nendmodule\n",
		 file);
	p = in_folder("mkdir -p rom");
	program_free(&p);
	program_file("rom/rom.sv", text);
}

static uint64_t sum_of(const char *first, const char *second)
{
	char *a = program_text(program_path(first)), *b = program_text(program_path(second)), *both;
	uint64_t sum;

	cr_assert_gt(asprintf(&both, "%s%s", a, b), 0);
	sum = XXH64(both, strlen(both), 0);
	free(a);
	free(b);
	free(both);
	return sum;
}

#define ROM "locus cosim vectoradd --size test --l1-index pric --rtl pric=rom/rom.sv "

Test(users_verilog, data_that_it_reads_belongs_to_it)
{
	char sum[40];

	make_rom("FILE");
	program_file("rom/rows.hex", "0\n0\n0\n0\n0\n");
	expect(ROM "--bundle c", 1, "MISMATCH pric of ");
	snprintf(sum, sizeof sum, "XXH64 %016llx\n", (unsigned long long)sum_of("rom/rom.sv", "rom/rows.hex"));
	expect(ROM, 1, sum);
	expect("mv rom gone; cd / && locus replay \"$OLDPWD\"/c-pric-*[0-9]", 1, "MISMATCH pric of ");
	expect("mv gone rom; rm rom/rows.hex; " ROM, 2, "the Verilog reads \"rows.hex\": no string of its source names a file");
}

Test(users_verilog, data_of_a_bundle_is_the_bundles)
{
	make_rom("\"rows.hex\"");
	program_file("rom/rows.hex", "0\n0\n0\n0\n0\n");
	program_file("rows.hex", "1\n0\n0\n0\n0\n");
	expect(ROM "--bundle d", 1, "MISMATCH pric of ");
	expect("mv d-pric-*[0-9] d; sed -i 's:\"rows.hex\":\"../../rows.hex\":' d/rtl/rom.sv; locus replay d", 2,
	       "d/rtl/rom.sv:3: \"../../rows.hex\" is no file of the bundle (look at it; --trust runs it)");
	expect("sed -i 's:\"../../rows.hex\":\"/etc/passwd\":' d/rtl/rom.sv; locus replay d", 2,
	       "\"/etc/passwd\" is no file of the bundle");
	expect("rm d/rtl/rows.hex; ln -s /etc/passwd d/rtl/rows.hex; sed -i 's:\"/etc/passwd\":\"rows.hex\":' d/rtl/rom.sv; "
	       "locus replay d",
	       2, "\"rows.hex\" is no file of the bundle");
}
