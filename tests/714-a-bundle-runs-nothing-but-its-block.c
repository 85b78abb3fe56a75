/* 714: a mismatch bundle may come from anybody: its Verilog is refused if it could do more than compute, its names lead
 * nowhere else, what never ends is ended, and its script interprets nothing. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

#include "bind/vet.h"
#include "support/program.h"

/* A bundle `b` of a wrong pric_index in program_tmp(), which replays with status 1. In its RTL, MORE stands for a line
 * of its own.
 */
static void make_bundle(void)
{
	struct program p =
		program_run("sed 's/assign tag_o = addr_i/assign tag_o = 1 ^ addr_i/; s/^endmodule/\\/\\/ MORE\\nendmodule/' "
			    "rtl/pric/pric_index.v >%s/pric_index.v; cd %s; locus cosim vectoradd --size test --l1-index "
			    "pric --hw pric=lockstep --rtl pric=pric_index.v >/dev/null; mv mismatch-pric-* b; locus replay b",
			    program_tmp(), program_tmp());

	cr_assert_eq(p.status, 1, "%s%s", p.out, p.err);
	program_free(&p);
}

/* Replays the bundle with that line of Verilog in it. */
static struct program replay_with(const char *line, const char *options)
{
	char text[1024];

	snprintf(text, sizeof text, "%s\n", line);
	program_file("more", text);
	return program_run(
		"cd %s && cp b/rtl/pric_index.v kept.v && sed -i -e '/MORE/r more' b/rtl/pric_index.v && "
		"timeout -k 1 60 \"${LOCUS_BUILD:-$OLDPWD/build}/locus\" replay b %s; status=$?; mv kept.v b/rtl/pric_index.v; "
		"exit $status",
		program_tmp(), options);
}

static int is_there(const char *name)
{
	char path[256];

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	return access(path, F_OK) == 0;
}

Test(foreign, what_runs_a_command_or_writes_a_file_is_refused_and_does_nothing)
{
	static const char *const lines[] = {
		"initial $system(\"touch ran\");",
		"initial begin $c(\"system(\\\"touch ran\\\");\"); end",
		"initial $writememh(\"ran\", x);  reg [1:0] x [0:1];",
		"integer f; initial begin f = $fopen(\"ran\"); end",
		"initial $dumpfile(\"ran\");",
		"initial $readmemh(\"/etc/passwd\", x);  reg [1:0] x [0:1];",
		"initial $display(\"\\033]0;title\\007\");",
	};

	make_bundle();
	for (unsigned i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		struct program p = replay_with(lines[i], "");

		cr_expect(program_is_clean_error(&p), "%s", lines[i]);
		cr_expect(strstr(p.err, "b/rtl/pric_index.v:") && strstr(p.err, "--trust"), "%s", p.err);
		cr_expect(!is_there("ran"), "%s", lines[i]);
		program_free(&p);
	}
}

Test(foreign, trust_runs_it)
{
	struct program p;

	make_bundle();
	p = replay_with("initial $system(\"touch ran\");", "--trust");
	cr_expect_eq(p.status, 1, "%s", p.err);
	cr_expect(is_there("ran"));
	program_free(&p);
}

/* A module that the bundle does not hold, beside where the user happens to be; a header that it leads to. */
Test(foreign, verilog_from_outside_of_the_bundle_is_refused)
{
	struct program p;

	make_bundle();
	program_file("beside.v", "module beside; initial $system(\"touch ran\"); endmodule\n");
	p = replay_with("beside u_beside ();", "");
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "beside.v: the bundle's Verilog reads this file"), "%s", p.err);
	program_free(&p);
	program_file("header.vh", "initial $system(\"touch ran\");\n");
	p = replay_with("`include \"../../header.vh\"", "");
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "header.vh: the bundle's Verilog reads this file"), "%s", p.err);
	cr_expect(!is_there("ran"));
	program_free(&p);

	/* Nor when the library has been built before. */
	p = replay_with("`include \"../../header.vh\"", "--trust");
	cr_expect_eq(p.status, 1, "%s", p.err);
	program_free(&p);
	p = replay_with("`include \"../../header.vh\"", "");
	cr_expect(program_is_clean_error(&p));
	program_free(&p);
}

/* ---- the text itself ---- */

static int vet(const char *text, struct err *e)
{
	char path[256];
	const char *file[] = {path};
	const struct bind_sources src = {.file = file, .n = 1};

	snprintf(path, sizeof path, "%s/vet.v", program_tmp());
	program_file("vet.v", text);
	e->text[0] = '\0';
	return bind_vet(&src, e);
}

Test(foreign, nothing_hides_from_the_look_at_the_text)
{
	static const struct {
		const char *text;
		int line;
	} refused[] = {
		{"`define S(a, b) $a``b\ninitial `S(sys, tem)(\"x\");\n", 1},
		{"`define S $sys``tem\n", 1},
		{"`define P(signed) $signed\ninitial `P(system)(\"x\");\n", 1},
		{"// \"\n`ifdef NEVER\n$system(\"x\")\n`endif // \"\n", 3},
		{"/*/ $system(\"x\"); /* */\n", 1},
		{"x \\\"esc $system(\"x\");\n", 1},
		{"wire w = \"\\\\\"; initial $system(\"x\");\n", 1},
		{"\n\n$ system(\"x\")\n", 3},
		{"$signed_(1)\n", 1},
		{"`systemc_header\n#include <stdlib.h>\n`verilog\n", 1},
		{"`define systemc_header 1\n`undef systemc_header\n`systemc_header\n", 3},
		{"`define verilator_config x\n`verilator_config\n", 2},
		{"`verilator_config\n", 1},
		{"`line 1 \"x\" 0\n", 1},
		{"`pragma protect begin\n", 1},
		{"` systemc_header\n", 1},
		{"`\"x`\"\n", 1},
		{"`nowhere\n", 1},
		{"import \"DPI-C\" function int system(input string s);\n", 1},
		{"import\n\"DPI-C\" function int system(input string s);\n", 1},
		{"import/**/\"DPI-C\" function int f();\n", 1},
		{"`define D \"DPI-C\"\nimport `D function int f();\n", 2},
		{"export \"DPI-C\" function f;\n", 1},
	};

	for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		char place[32];
		struct err e;

		snprintf(place, sizeof place, "vet.v:%d: ", refused[i].line);
		cr_expect_eq(vet(refused[i].text, &e), -1, "%s", refused[i].text);
		cr_expect(strstr(e.text, place), "%s: %s", refused[i].text, e.text);
	}
}

Test(foreign, what_computes_passes)
{
	struct err e;

	cr_expect_eq(vet("`default_nettype none\n`define WIDTH (8 - 1)\n`ifdef X\n`include \"x.vh\"\n`endif\n"
			 "wire [`WIDTH:0] w = $signed(a) + $clog2(9);\nimport pkg::*; // important exports\n",
			 &e),
		     0, "%s", e.text);
}

/* Bundles of our own blocks replay without a word. */
Test(foreign, all_of_our_rtl_passes)
{
	struct program p = program_run("ls rtl/*/*.v | grep -v _tb.v");
	char *save = NULL;
	unsigned n = 0;

	for (char *path = strtok_r(p.out, "\n", &save); path; path = strtok_r(NULL, "\n", &save), n++) {
		const char *file[] = {path};
		const struct bind_sources src = {.file = file, .n = 1};
		struct err e = {""};

		cr_expect_eq(bind_vet(&src, &e), 0, "%s", e.text);
	}
	cr_expect_gt(n, 10);
	program_free(&p);
}

/* ---- names ---- */

/* The bundle's stimulus with the line that begins with that word changed, and its checksum made right again. */
static struct program replay_edited(const char *word, const char *line)
{
	char path[256], old[4096], text[8192] = "", *save = NULL;
	FILE *f;

	snprintf(path, sizeof path, "%s/b/stimulus.txt", program_tmp());
	f = fopen(path, "r");
	cr_assert(f);
	old[fread(old, 1, sizeof old - 1, f)] = '\0';
	fclose(f);
	program_file("kept", old);
	for (char *l = strtok_r(old, "\n", &save); l && strncmp(l, "end ", 4) != 0; l = strtok_r(NULL, "\n", &save)) {
		strcat(text, !strncmp(l, word, strlen(word)) ? line : l);
		strcat(text, "\n");
	}
	snprintf(text + strlen(text), 32, "end %016llx\n", (unsigned long long)XXH64(text, strlen(text), 0));
	program_file("b/stimulus.txt", text);
	return program_run("cd %s && locus replay b; status=$?; mv kept b/stimulus.txt; exit $status", program_tmp());
}

Test(foreign, names_in_a_bundle_lead_nowhere_else)
{
	static const char *const edits[][2] = {{"rtl ", "rtl ../../outside.v"},
					       {"rtl ", "rtl pric_index.v;touch ran"},
					       {"rtl ", "rtl $(touch ran).v"},
					       {"block ", "block ../pric"},
					       {"owner ", "owner \x1b]0;title\x07"}};
	struct program p;

	make_bundle();
	p = replay_edited("none", "");
	cr_assert_eq(p.status, 1, "an unchanged one replays: %s", p.err);
	program_free(&p);
	p = program_run("cp rtl/pric/pric_index.v %s/outside.v", program_tmp());
	program_free(&p);
	for (unsigned i = 0; i < sizeof edits / sizeof edits[0]; i++) {
		p = replay_edited(edits[i][0], edits[i][1]);
		cr_expect(program_is_clean_error(&p), "%s", edits[i][1]);
		cr_expect_null(strchr(p.err, '\x1b'), "%s", edits[i][1]);
		cr_expect(!is_there("ran"), "%s", edits[i][1]);
		program_free(&p);
	}
}

/* What is at the names that the minimiser writes to may be links. */
Test(foreign, what_is_written_goes_through_no_link)
{
	struct program p;

	make_bundle();
	p = program_run("cd %s && mkdir b-min && echo kept >precious && ln -s ../precious b-min/report.txt && "
			"ln -s ../precious b-min/rerun.sh && locus replay b --minimize >/dev/null; cat precious",
			program_tmp());
	cr_expect_str_eq(p.out, "kept\n", "%s", p.err);
	program_free(&p);
	p = program_run("cd %s && rm -r b-min && mkdir elsewhere && ln -s elsewhere b-min && locus replay b --minimize >/dev/null",
			program_tmp());
	cr_expect(program_is_clean_error(&p));
	program_free(&p);
}

/* The checkout's path and the bundle's are text, whatever is in them. */
Test(foreign, a_bundles_script_interprets_nothing)
{
	struct program p;

	make_bundle();
	p = program_run(
		"cd %s && here=$OLDPWD && root='it'\"'\"'s $(touch ran) `touch ran` \"x\"' && mkdir -p \"$root/build\" && "
		"ln -s $here/csim $here/harness $here/rtl $here/traces \"$root\" && ln -s $here/build/verilated $here/build/blocks "
		"\"$root/build\" && printf '#!/bin/sh\\nprintf \"<%%%%s>\" \"$@\"\\n' >\"$root/build/locus\" && "
		"chmod +x \"$root/build/locus\" && LOCUS_ROOT=\"$PWD/$root\" locus replay b --minimize -o 'm $(touch ran)' "
		">/dev/null; \"./m \\$(touch ran)/rerun.sh\" --trust",
		program_tmp());
	cr_expect_str_eq(p.out, "<replay><--trust><--><./m $(touch ran)>", "%s", p.err);
	cr_expect(!is_there("ran"));
	program_free(&p);
}

/* ---- no end ---- */

Test(foreign, a_replay_that_never_ends_is_ended)
{
	struct program p;

	make_bundle();
	p = replay_with("integer i; always @* begin i = 0; while (addr_i >= 0) i = i + 1; end", "--limit 2");
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "no end within --limit"), "%s", p.err);
	program_free(&p);
}

Test(foreign, a_loop_of_gates_is_reported)
{
	struct program p;

	make_bundle();
	p = replay_with("wire a = ~a;  always @* assert (a || !addr_i[7]);", "");
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "converge"), "%s", p.err);
	program_free(&p);
}
