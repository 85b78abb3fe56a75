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
		{"index --polys --poly 37", "--poly: "},
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
