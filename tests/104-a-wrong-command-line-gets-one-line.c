/* 104: what is wrong with a command line is said in one line on stderr, with status 2. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

Test(command_line, complaints_are_one_line_and_name_the_option)
{
	static const struct {
		const char *command, *names;
	} bad[] = {
		{"", "needs a command"},
		{"''", "no command"},
		{"rnu syrk", "did you mean \"run\"?"},
		{"'one\ntwo'", "no command \"one?two\""},
		{"run $(head -c 65536 /dev/zero | tr '\\0' a)", "aaa\" (see locus list)"},
		{"run ''", "no workload"},
		{"run syrk --machine gtx48", "did you mean \"gtx480\"?"},
		{"run syrk --arg ptich=4K", "did you mean \"pitch\"?"},
		{"run syrk --set l1.assoc=", "whole number"},
		{"run syrk --set l1.assoc=1e3", "whole number"},
		{"run syrk --set l1.assoc=99999999999999999999", "whole number"},
		{"run syrk --max-cycles -1", "--max-cycles"},
		{"run syrk --threads 0", "--threads"},
		{"list skyr", "did you mean \"syrk\"?"},
		{"blocks prc", "did you mean \"pric\"?"},
		{"blocks pric --params set=32", "did you mean \"sets\"?"},
		{"cosim syrk --hw prick=rtl", "did you mean \"pric\"?"},
		{"cosim syrk --hw ''", "--hw"},
		{"cosim syrk --wave-window 0:5", "--wave "},
		{"trace dump x.ltrace --cta -1", "--cta"},
		{"cache x.din --size 1e3", "--size"},
		{"index --line 99999999999999999999 0", "--line"},
		{"bench --repeat 1e1", "--repeat"},
		{"graph", "workload"},
		{"graph matmul syrk", "a second one"},
		{"graph matmul --launch -1", "--launch"},
		{"graph matmul --source ptx", "neither static nor trace"},
		{"graph matmul --unit page", "neither element nor line"},
		{"graph matmul --cap 0", "--cap"},
		{"bench nothing", "nothing"},
		{"diff . .", ".: Is a directory"},
		{"diff onlyone.json", "two JSON files"},
		{"diff --nonsense a b", "--nonsense"},
		{"bench --repeat", "--repeat"},
		{"footprint --nonsense", "--nonsense"}, /* the longest name */
		{"bench --repeat 0", "--repeat"},
		{"run", "workload"},
		{"run syrk --machine", "--machine"},
		{"run syrk --s=1", "--set"},
		{"help rnu", "did you mean \"run\"?"},
		{"help run cosim", "one command"},
		{"run syrk --machine GTX480", "did you mean \"gtx480\"?"},
		{"run syrk --scheduler GTO",
		 "--scheduler: sm.scheduler: \"GTO\" is not one of gto | lrr | gty (did you mean \"gto\"?)"},
		{"run syrk --throttle DWT-CS", "did you mean \"dwt-cs\"?"},
		{"run syrk --plan CODA", "did you mean \"coda\"?"},
		{"run MATMULL", "did you mean \"matmul\"?"},
		{"run syrk --set L1.ASSOC=8", "did you mean \"l1.assoc\"?"},
		{"run vectoradd --size test --json - --interval 9 --interval-metrics IPC.WARP", "did you mean \"ipc.warp\"?"},
		{"list METRICS", "did you mean \"metrics\"?"},
		{"RUN syrk", "did you mean \"run\"?"},
		{"run syrk --set l1.bytes=16KB", "l1.bytes: \"16KB\" is not a whole number (digits, then K, M or G)"},
		{"run syrk --arg n=16KB", "not a whole number (digits, then K, M or G)"},
		{"run syrk --max-cycles 16KB", "(digits, then K, M or G)"},
		/* 16384 / 128 / 7 is no power of two; the file of gtx480 is sound */
		{"run syrk --set l1.assoc=7", "locus: --set l1.assoc=7: l1.bytes: 16384 bytes"},
		{"run syrk --set l2.assoc=4 --set l1.assoc=7 --set sm.count=3", "locus: --set l1.assoc=7: l1.bytes: 16384 bytes"},
		{"run syrk --set l1.bytes=15K", "locus: --set l1.bytes: 15360 bytes"},
		{"run syrk --l1-index pric:36", "locus: --l1-index pric:36: l1.poly: polynomial 36 is reducible"},
		{"decode 0 --set l1.assoc=7", "locus: --set l1.assoc=7: "},
		{"dram x --set l1.assoc=7", "locus: --set l1.assoc=7: "},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = program_run("locus %s", bad[i].command);
		const char *newline = strchr(p.err, '\n');

		cr_assert_eq(p.status, 2, "%s", bad[i].command);
		cr_assert(newline && !newline[1] && !strncmp(p.err, "locus", 5), "%s: %s", bad[i].command, p.err);
		cr_assert(strstr(p.err, bad[i].names), "%s: %s", bad[i].command, p.err);
		cr_assert_str_empty(p.out);
		program_free(&p);
	}
}

Test(command_line, the_environment_is_told_what_is_wrong_with_it_too)
{
	struct program p = program_run("LOCUS_THREADS=17 locus run syrk --size test");

	cr_assert_eq(p.status, 2);
	cr_assert_str_eq(p.err, "locus run: LOCUS_THREADS: \"17\" is not a whole number from 1 to 16\n");
	program_free(&p);
}

/* A variable of somebody else is none of ours. */
Test(command_line, a_mistyped_variable_of_the_environment_is_refused)
{
	struct program p = program_run("LOCUS_THREAD=2 locus list machines");

	cr_assert_eq(p.status, 2);
	cr_assert_str_eq(p.err, "locus: environment variable LOCUS_THREAD is not known (did you mean LOCUS_THREADS?)\n");
	program_free(&p);
	p = program_run("LOCUS_HOME=/ LOCUST_THREAD=2 LOCUS_THREADS=2 LOCUS_CUDA_MEMORY=1 locus list machines");
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(command_line, help_goes_to_stdout_in_80_columns_and_ends_with_examples)
{
	static const char *const commands[] = {"run",	"diff",	 "bench",  "record", "trace",	  "ptx",  "list",   "cache", "dram",
					       "index", "cosim", "replay", "graph",  "footprint", "plan", "report", "cuda"};

	for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		struct program p = program_run("locus %s --help", commands[i]);
		size_t widest = 0;

		for (const char *c = p.out; *c; c += strcspn(c, "\n") + 1)
			widest = strcspn(c, "\n") > widest ? strcspn(c, "\n") : widest;
		cr_assert_eq(p.status, 0, "%s: %s", commands[i], p.err);
		cr_assert_leq(widest, 80, "%s: %zu columns", commands[i], widest);
		cr_assert(strstr(p.out, "xamples:\n"), "%s", commands[i]);
		cr_assert_str_empty(p.err);
		program_free(&p);
	}
}
