/* 712: --hw says which blocks run in Verilog: those that it names and no others, all with all=MODE, all in lockstep
 * without it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* The decoder is on every machine, the index and the monitor by these keys. */
#define MODEL "vectoradd --size test --l1-index pric --set l1.monitor=true"

/* What the table of blocks says of one: golden blocks have no line. */
static const char *mode_of(const char *out, const char *block, char mode[16])
{
	const char *table = strstr(out, "  rtl block ");
	char opening[32];
	const char *line;

	snprintf(opening, sizeof opening, "\n  %-16s ", block);
	line = table ? strstr(table, opening) : NULL;
	snprintf(mode, 16, "golden");
	if (line)
		cr_assert_eq(sscanf(line + strlen(opening), "%15s", mode), 1);
	return mode;
}

Test(hw, each_block_runs_as_the_options_say)
{
	static const struct {
		const char *options, *pric, *set_monitor, *decoder;
	} expected[] = {
		{"", "lockstep", "lockstep", "lockstep"},
		{"--hw pric=lockstep", "lockstep", "golden", "golden"},
		{"--hw pric=rtl,set_monitor=lockstep", "rtl", "lockstep", "golden"},
		{"--hw pric=rtl --hw set_monitor=lockstep", "rtl", "lockstep", "golden"},
		{"--hw pri=rtl,set=lockstep", "rtl", "lockstep", "golden"},
		{"--hw pric=golden", "golden", "golden", "golden"},
		{"--hw all=lockstep", "lockstep", "lockstep", "lockstep"},
		{"--hw all=lockstep,decoder=golden", "lockstep", "lockstep", "golden"},
		{"--hw decoder=golden,all=lockstep", "lockstep", "lockstep", "golden"},
		{"--hw all=golden,pric=rtl", "rtl", "golden", "golden"},
		{"--rtl pric=rtl/pric/pric_index.v", "lockstep", "lockstep", "lockstep"},
		{"--hw set_monitor=rtl --rtl pric=rtl/pric/pric_index.v", "lockstep", "rtl", "golden"},
		{"--rtl pric=rtl/pric/pric_index.v --hw set_monitor=rtl", "lockstep", "rtl", "golden"},
		{"--rtl pric=rtl/pric/pric_index.v --hw all=golden", "lockstep", "golden", "golden"},
		{"--hw all=golden --rtl pric=rtl/pric/pric_index.v", "lockstep", "golden", "golden"},
		{"--hw all=rtl --rtl pric=rtl/pric/pric_index.v", "rtl", "rtl", "rtl"},
		{"--hw pric=rtl --rtl pric=rtl/pric/pric_index.v", "rtl", "golden", "golden"},
	};

	for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		struct program p = program_run("locus cosim " MODEL " %s", expected[i].options);
		char mode[16];

		cr_assert_eq(p.status, 0, "%s: %s", expected[i].options, p.err);
		cr_expect_str_eq(mode_of(p.out, "pric", mode), expected[i].pric, "%s", expected[i].options);
		cr_expect_str_eq(mode_of(p.out, "set_monitor", mode), expected[i].set_monitor, "%s", expected[i].options);
		cr_expect_str_eq(mode_of(p.out, "decoder", mode), expected[i].decoder, "%s", expected[i].options);
		program_free(&p);
	}
}

Test(hw, a_file_that_nothing_would_run_is_refused)
{
	static const char *const options[] = {"--hw pric=golden --rtl pric=rtl/pric/pric_index.v",
					      "--rtl pric=rtl/pric/pric_index.v --hw pric=golden"};

	for (unsigned i = 0; i < 2; i++) {
		struct program p = program_run("locus cosim " MODEL " %s", options[i]);

		cr_expect(program_is_clean_error(&p), "%s", options[i]);
		cr_expect(strstr(p.err, "pric=golden would not run"), "%s", p.err);
		program_free(&p);
	}
}

Test(hw, a_short_name_that_several_blocks_have_is_refused)
{
	struct program p = program_run("locus cosim " MODEL " --hw pr=lockstep");

	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "--hw: \"pr\" may be short for pric, prefetch_unit"), "%s", p.err);
	program_free(&p);
	p = program_run("locus cosim " MODEL " --hw =lockstep");
	cr_expect(program_is_clean_error(&p) && strstr(p.err, "no block \"\""), "%s", p.err);
	program_free(&p);
}
