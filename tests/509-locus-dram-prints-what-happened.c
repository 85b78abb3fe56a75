/* 509: the command: what it prints for a small trace, what it tolerates, and how it refuses. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

enum { PATH = 512 };

/* Writes a file of its own; its path in `path`, which is returned. */
static const char *file(char path[PATH], const char *name, const char *text)
{
	FILE *f;

	snprintf(path, PATH, "%s/%s", program_tmp(), name);
	f = fopen(path, "w");
	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

/* The value in the row of that name. */
static double row(const struct program *p, const char *name)
{
	char start[64], digits[32];
	const char *at;
	unsigned n = 0;

	snprintf(start, sizeof start, "\n  %s ", name);
	at = strstr(p->out, start);
	cr_assert_not_null(at, "no row \"%s\" in\n%s", name, p->out);
	for (at += strlen(start); *at == ' ';)
		at++;
	for (; (*at >= '0' && *at <= '9') || *at == ',' || *at == '.'; at++)
		if (*at != ',' && n + 1 < sizeof digits)
			digits[n++] = *at;
	digits[n] = '\0';
	return strtod(digits, NULL);
}

/* gtx480: tCL 12, burst 2, tRCD 12, tRP 12, tRC 40, tCCDL 3; a row of a bank is 64 KB from the next one. */
Test(locus_dram, prints_cycles_latency_hits_and_bandwidth)
{
	const char *path = file((char[PATH]){""}, "a.txt", "0x0 R 100\n0x40 R\n0x10000 R\n");
	struct program p = program_run("locus dram %s --no-refresh", path);

	/* 26; 3 behind it; the activate is tRC after the first: 40 + 12 + 14 */
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(row(&p, "cycles"), 166);
	cr_assert_eq(row(&p, "reads"), 3);
	cr_assert_eq(row(&p, "read_latency"), 40.333); /* (26 + 29 + 66) / 3 */
	cr_assert_eq(row(&p, "read_latency_most"), 66);
	cr_assert_eq(row(&p, "row_hits"), 1);
	cr_assert_eq(row(&p, "row_misses"), 1);
	cr_assert_eq(row(&p, "row_conflicts"), 1);
	cr_assert_eq(row(&p, "bytes"), 192);
	cr_assert_eq(row(&p, "bandwidth"), 2.688); /* 192 bytes in 66 cycles of 924 MHz */
	cr_assert_eq(row(&p, "of_peak"), 9.1);	   /* 6 of 66 cycles */
	program_free(&p);
}

Test(locus_dram, prints_each_request_in_the_order_of_the_trace)
{
	/* the second goes after the third: another row */
	const char *path = file((char[PATH]){""}, "b.txt", "0x0 R\n0x10000 W\n0x40 R # of the open row\n");
	struct program p = program_run("locus dram %s --no-refresh --each", path);
	const struct {
		unsigned long line, arrived, accepted, done;
		const char *addr, *kind, *outcome;
	} list[] = {
		{1, 0, 0, 26, "0x0", "R", "miss"},
		{2, 0, 0, 58, "0x10000", "W", "conflict"}, /* activate at tRC 40, tRCD 12, tWL 4, burst 2 */
		{3, 0, 0, 29, "0x40", "R", "hit"},
	};
	const char *at = strstr(p.out, "line");

	cr_assert_eq(p.status, 0, "%s", p.err);
	for (unsigned i = 0; i < 3; i++) {
		unsigned long line, arrived, accepted, done, latency;
		char addr[32], kind[8], outcome[16];

		at = strchr(at, '\n') + 1;
		cr_assert_eq(sscanf(at, "%lu %31s %7s %lu %lu %lu %lu %15s", &line, addr, kind, &arrived, &accepted, &done,
				    &latency, outcome),
			     8, "%s", at);
		cr_assert(line == list[i].line && arrived == list[i].arrived && accepted == list[i].accepted &&
				  done == list[i].done && latency == done - accepted,
			  "%.100s", at);
		cr_assert(!strcmp(addr, list[i].addr) && !strcmp(kind, list[i].kind) && !strcmp(outcome, list[i].outcome), "%.100s",
			  at);
	}
	program_free(&p);
}

Test(locus_dram, takes_comments_blanks_small_letters_and_standard_input)
{
	const char *path = file((char[PATH]){""}, "c.txt", "# a trace\n\n\t0X1F80 r 5 # first\r\n 0xffffffffffffffff w\n0x0 R#");
	struct program p = program_run("locus dram %s", path), q = program_run("locus dram - <%s", path);

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(row(&p, "reads"), 2);
	cr_assert_eq(row(&p, "writes"), 1);
	cr_assert_str_eq(strstr(p.out, "\n"), strstr(q.out, "\n"), "standard input is the same");
	program_free(&p);
	program_free(&q);
}

Test(locus_dram, refreshes_unless_told_otherwise)
{
	/* due at 3604, takes 102 */
	const char *path = file((char[PATH]){""}, "d.txt", "0x0 R 3604\n");
	struct program with = program_run("locus dram %s", path), without = program_run("locus dram %s --no-refresh", path);

	cr_assert_eq(row(&with, "cycles"), 3604 + 102 + 26);
	cr_assert_eq(row(&with, "refreshes"), 1);
	cr_assert_eq(row(&without, "cycles"), 3604 + 26);
	program_free(&with);
	program_free(&without);
}

Test(locus_dram, a_window_of_one_keeps_requests_in_order)
{
	const char *path = file((char[PATH]){""}, "e.txt", "0x0 R\n0x10000 R\n0x40 R\n");
	struct program p = program_run("locus dram %s --no-refresh --window 1", path);

	/* three rows of one bank in turn: 2 tRC + tRCD + tCL + burst */
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(row(&p, "row_hits"), 0);
	cr_assert_eq(row(&p, "cycles"), 2 * 40 + 26);
	program_free(&p);
}

Test(locus_dram, knows_hbm2_and_requests_of_a_line)
{
	char machine[PATH], trace[PATH];
	struct program p, q;

	file(machine, "hbm2.yaml",
	     "name: hbm2\nbase: gtx480\nclock: { dram: 1000 }\n"
	     "dram: { command_bus: dual, group_bits: low, burst_bytes: 32, burst: 1, row_bytes: 1K, map: BBCCCBBCCSSSSS, cl: 12, "
	     "wl: 2, rcd: 12, rp: 12, ras: 28, rc: 40, rrd: 3, ccd: 1, ccdl: 2, rtp: 3, cdlr: 3, wr: 10, faw: 12, refi: 3315, "
	     "rfc: 221 }\n");
	file(trace, "f.txt", "0x0 R 0\n");
	p = program_run("locus dram %s --machine %s", trace, machine);
	q = program_run("locus dram %s --machine %s --bytes 128", trace, machine);
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(row(&p, "cycles"), 12 + 12 + 1);
	cr_assert_eq(row(&q, "cycles"), 12 + 3 * 2 + 12 + 1, "four bursts of one row, tCCDL apart");
	cr_assert_eq(row(&q, "bandwidth"), 4.129, "128 bytes in 31 ns");
	program_free(&p);
	program_free(&q);
}

Test(locus_dram, json_has_the_same_figures_and_the_machine)
{
	const char *path = file((char[PATH]){""}, "g.txt", "0x0 R\n");
	struct program p =
		program_run("locus dram %s --json %s/g.json --set dram.cl=20 && cat %s/g.json", path, program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "\"cycles\": 34") && strstr(p.out, "\"dram.cl\": 20") && strstr(p.out, "\"version\""), "%s", p.out);
	program_free(&p);
}

static void refuses(const char *arguments, const char *says)
{
	struct program p = program_run("locus dram %s", arguments);

	cr_assert(program_is_clean_error(&p), "%s", arguments);
	cr_assert_not_null(strstr(p.err, says), "\"%s\" says: %s", arguments, p.err);
	program_free(&p);
}

Test(locus_dram, refuses_bad_lines_with_file_and_line)
{
	const struct {
		const char *text, *says;
	} bad[] = {
		{"0x0 R\n1f80 R\n", "x.txt:2: address \"1f80\": must be 0x"},
		{"# c\n\n0x R\n", "x.txt:3: address \"0x\""},
		{"0x10000000000000000 R\n", "x.txt:1: address \"0x10000000000000000\""},
		{"0x1g R\n", "x.txt:1: address \"0x1g\""},
		{"0x10\n", "x.txt:1: no R or W"},
		{"0x10 # R\n", "x.txt:1: no R or W"},
		{"0x10 X\n", "x.txt:1: access \"X\": must be R or W"},
		{"0x10 RW\n", "x.txt:1: access \"RW\""},
		{"0x10 R ten\n", "x.txt:1: cycle \"ten\""},
		{"0x10 R -1\n", "x.txt:1: cycle \"-1\""},
		{"0x10 R 99999999999999999999999\n", "x.txt:1: cycle \"99999999999999999999999\""},
		{"0x10 R 10\n0x20 R 9\n", "x.txt:2: cycle 9 is before"},
		{"0x10 R 10 9\n", "x.txt:1: after the cycle \"9\""},
		{"\177ELF\001\n", "x.txt:1: not text"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
		refuses(file((char[PATH]){""}, "x.txt", bad[i].text), bad[i].says);
}

Test(locus_dram, refuses_files_options_and_machines_that_cannot_be)
{
	char arguments[PATH + 64];
	const char *path = file((char[PATH]){""}, "y.txt", "0x0 R\n");
	const struct {
		const char *options, *says;
	} bad[] = {
		{"--window 0", "--window: \"0\""},	   {"--window many", "--window: \"many\""},
		{"--bytes 32", "--bytes: 32 is not"},	   {"--bytes 96", "--bytes: 96 is not"},
		{"--machine none", "no machine \"none\""}, {"--set dram.cll=1", "unknown key \"dram.cll\""},
		{"--set dram.banks=8", "dram.map"},	   {"--json no/such/place", "no/such/place"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		snprintf(arguments, sizeof arguments, "%s %s", path, bad[i].options);
		refuses(arguments, bad[i].says);
	}
	refuses("no/such.txt", "no/such.txt: No such file");
	refuses("csim", "csim: Is a directory");
	refuses("- </dev/zero", "standard input:1: line of more than");
}
