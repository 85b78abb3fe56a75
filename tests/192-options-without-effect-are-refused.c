/* 192: an option that a command never reads, or that its other options leave without effect, is refused in one line. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

/* Options of a command that its other options leave without effect. */
Test(options, without_effect_are_refused)
{
	static const char *const bad[][2] = {
		{"plan syrk --plan coda --machine ndp4 --max-cycles 5", "--max-cycles"},
		{"plan syrk --plan coda --machine ndp4 --threads 3", "--threads"},
		{"plan syrk --plan coda --machine ndp4 --scheduler lrr", "--scheduler"},
		{"plan syrk --plan coda --machine ndp4 --throttle swt:1", "--throttle"},
		{"run syrk --machine ndp4 --on cpu --scheduler lrr", "--scheduler: "},
		{"run syrk --machine ndp4 --on cpu --l1-index pric", "--l1-index: "},
		{"run syrk --machine ndp4 --on cpu --threads 2", "--threads: "},
		{"run traces/accelsim-sample/kernelslist.g --oob zero", "--oob"},
		{"run traces/accelsim-sample/kernelslist.g --printf", "--printf"},
		{"cuda --only-execute --scheduler lrr ./x", "--scheduler: "},
		{"cuda --check --json x ./x", "--json: "},
		{"cuda --hw all=rtl ./x", "--hw: needs --cosim"},
		{"cuda --only-execute --check ./x", "--only-execute: "},
		{"trace info x.ltrace --cta 1", "--cta: "},
		{"run syrk --size test --interval 100", "--interval: needs --json FILE"},
		{"run syrk --size test --report-data", "--report-data: needs --json FILE"},
		{"run syrk --size test --trace-requests all", "--trace-requests: needs --json FILE"},
		{"cosim syrk --size test --l1-index pric --interval 100", "--interval: needs --json FILE"},
		{"cosim syrk --rtl pric=a.v --rtl pric=b.v", "--rtl: pric has two files, \"a.v\" and \"b.v\""},
		{"cosim syrk --hw pric=rtl,decoder=rtl,pric=lockstep", "--hw: pric has two modes"},
		{"profile syrk --annotate --lines 3", "--lines: has no effect with --annotate"},
		{"profile syrk --source-dir no/such", "--source-dir: no/such: No such file or directory"},
		{"why syrk --source-dir /dev/null", "--source-dir: /dev/null: is no folder"},
		{"index --polys --poly 37", "--poly: "},
		{"index --polys 0x1000", "--polys lists polynomials and takes no address"},
		{"index - </dev/null", "standard input: holds no address"},
		{"decode - </dev/null", "standard input: holds no address"},
		{"cache - </dev/null", "standard input: holds no access"},
		{"dram /dev/null", "/dev/null: holds no request"},
		{"cache x.din --addr-bits 20", "--addr-bits: needs --index pric"},
		{"replay x --output y", "--output: needs --minimize"},
		{"replay x --rtl y.v --trust", "--trust: "},
		{"study cache --runs --jobs 2", "--jobs: "},
		{"sweep x.yaml --rows a", "--rows: "},
		{"sweep table x.yaml --jobs 2", "--jobs: "},
		{"sweep x.yaml --partition a", "--partition: needs --slurm"},
		{"sweep x.yaml --slurm --jobs 2", "--jobs: "},
		{"sweep x.yaml --runs --dir a", "--dir: "},
	};

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = program_run("locus %s", bad[i][0]);

		cr_expect_eq(p.status, 2, "%s", bad[i][0]);
		cr_expect(strchr(p.err, '\n') && !strchr(p.err, '\n')[1] && strstr(p.err, bad[i][1]), "%s: %s", bad[i][0], p.err);
		program_free(&p);
	}
}

/* What a run does not have is known at its end. */
Test(options, that_select_nothing_of_a_run_say_so)
{
	static const char *const ask[][2] = {
		{"run vectoradd --size test --konata k --konata-filter cta=5000", "\nkonata: no instruction passed the filter\n"},
		{"cosim syrk --size test --l1-index pric --wave w.fst --wave-window 8000000:9000000",
		 "no step is in core cycles 8000000 to 9000000; "},
	};

	for (size_t i = 0; i < sizeof ask / sizeof ask[0]; i++) {
		struct program p = program_run("cd %s && locus %s", program_tmp(), ask[i][0]);

		cr_expect_eq(p.status, 0, "%s: %s", ask[i][0], p.err);
		cr_expect(strstr(p.out, ask[i][1]), "%s: %s", ask[i][0], p.out);
		program_free(&p);
	}
}
