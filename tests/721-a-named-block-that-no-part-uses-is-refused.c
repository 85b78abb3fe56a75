/* 721: a hardware block that is asked for by name and that no part of the run uses is an error before the run, which
 * names the option that the block needs; so is an option about a compare where nothing is compared. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* Each block, a program that does not use it, a word of the message, and options with which the program uses it. */
static const struct use {
	const char *block, *rtl, *program, *needs, *options;
} uses[] = {
	{"pric", "rtl/pric/pric_index.v", "vectoradd", "--l1-index pric", "--l1-index pric"},
	{"pric", "rtl/pric/pric_index.v", "vectoradd", "--l2-index pric", "--l2-index pric"},
	{"set_monitor", "rtl/set_monitor/set_monitor.v", "vectoradd", "--set l1.monitor=true", "--set l1.monitor=true"},
	{"tafe", "rtl/tafe/tafe_top.v", "bfs", "--plan tafe", "--machine ndp4 --plan tafe"},
	{"paver", "rtl/paver/paver_top.v", "vectoradd", "--plan paver-rb", "--plan paver-rb"},
	{"pin_replacement", "rtl/pin_replacement/pin_replacement.v", "bfs", "--l1-pin buffers", "--l1-pin buffers:hard=edge"},
	{"locality_table", "rtl/locality_table/locality_table.v", "histo", "--plan ldesc", "--plan ldesc-cache"},
	{"prefetch_unit", "rtl/prefetch_unit/prefetch_unit.v", "histo", "--plan ldesc-pref", "--plan ldesc-pref"},
	{"bypass_monitor", "rtl/bypass_monitor/bypass_monitor.v", "vectoradd", "--l1-bypass streaming", "--l1-bypass streaming"},
	{"throttle", "rtl/throttle/throttle.v", "vectoradd", "--throttle dwt-cs", "--throttle dwt-cs"},
	/* vectoradd is over before the coordinator has a message */
	{"coordinator", "rtl/throttle/throttle_coordinator.v", "syrk", "--throttle dwt-cs", "--throttle dwt-cs:period=1000"},
};
enum { USES = sizeof uses / sizeof uses[0] };

/* Status 2, one line, and nothing was run: no table of figures, and an older wave is as it was. */
static void is_refused(const char *arguments, const char *said)
{
	struct program p = program_run("mkdir -p %s/w && cd %s/w && echo old >w.fst && locus cosim %s --wave w.fst; s=$?; "
				       "cat w.fst; ls -A | grep -v '^w.fst$'; exit $s",
				       program_tmp(), program_tmp(), arguments);

	cr_expect_eq(p.status, 2, "%s: %d", arguments, p.status);
	cr_expect(!strncmp(p.err, "locus: ", 7) && strchr(p.err, '\n') == p.err + strlen(p.err) - 1, "%s: %s", arguments, p.err);
	cr_expect(strstr(p.err, said), "%s: %s", arguments, p.err);
	cr_expect_str_eq(p.out, "old\n", "%s: %s", arguments, p.out);
	program_free(&p);
}

Test(named_blocks, that_no_part_uses_are_refused_with_the_option_that_they_need)
{
	char arguments[400];

	for (unsigned i = 0; i < USES; i++) {
		snprintf(arguments, sizeof arguments, "%s --size test --hw %s=lockstep", uses[i].program, uses[i].block);
		is_refused(arguments, uses[i].needs);
		snprintf(arguments, sizeof arguments, "%s --size test --rtl %s=$OLDPWD/%s", uses[i].program, uses[i].block,
			 uses[i].rtl);
		is_refused(arguments, uses[i].needs);
	}
	is_refused("vectoradd --size test --hw decoder_pipe=rtl", "--hw decoder_pipe: no run uses this block");
}

Test(named_blocks, run_with_the_option_that_the_message_names)
{
	for (unsigned i = 0; i < USES; i++) {
		struct program p = program_run("locus cosim %s --size test %s --hw %s=lockstep", uses[i].program, uses[i].options,
					       uses[i].block);
		char line[64];

		snprintf(line, sizeof line, "\n  %-16s lockstep ", uses[i].block);
		cr_expect_eq(p.status, 0, "%s: %s", uses[i].options, p.err);
		cr_expect(strstr(p.out, line), "%s: %s", uses[i].options, p.out);
		program_free(&p);
	}
}

/* The table above, the decoder, which every run has, and the piped decoder, which none has: all that are listed. */
Test(named_blocks, are_all_tried_here)
{
	struct program p = program_run("locus list blocks | grep -c rtl/");
	unsigned known = 1; /* pric is there twice */
	char wanted[16];

	for (unsigned i = 1; i < USES; i++)
		known += strcmp(uses[i].block, uses[i - 1].block) != 0;
	snprintf(wanted, sizeof wanted, "%u\n", known + 2);
	cr_assert_str_eq(p.out, wanted);
	program_free(&p);
}

Test(named_blocks, are_not_asked_for_by_all_or_as_golden_twins)
{
	static const char *const options[] = {"", "--hw all=lockstep", "--hw all=rtl", "--hw all=lockstep,paver=golden"};

	for (unsigned i = 0; i < sizeof options / sizeof options[0]; i++) {
		struct program p = program_run("locus cosim vectoradd --size test %s", options[i]);

		cr_expect_eq(p.status, 0, "%s: %s", options[i], p.err);
		program_free(&p);
	}
}

Test(named_blocks, and_options_that_nothing_can_follow_are_refused)
{
	is_refused("vectoradd --size test --hw all=golden", "--wave: no hardware block runs as rtl or in lockstep");
	is_refused("vectoradd --size test --wave-owner sm99.l1", "--wave-owner: no Verilog block belongs to \"sm99.l1\"");
	is_refused("vectoradd --size test --hw all=rtl --bundle b", "--bundle: no block of this run is in lockstep");
	is_refused("vectoradd --size test --hw all=rtl --from-reset", "--from-reset: no block of this run is in lockstep");
	is_refused("vectoradd --size test --hw all=rtl --check-threads 1", "--check-threads: no block of this run is in lockstep");
	is_refused("vectoradd --size test --compare transaction", "--compare transaction: no clocked block of this run");
}
