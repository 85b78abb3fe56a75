/* 984: a kernel that never ends: the log of a CTA has a limit, and a run with a limit executes as much as it needs. Its
 * metrics are those of the same kernel with an end. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* Each warp counts to n, which is never if n is 0 (until 2^32), and stores each count. */
#define KERNEL                                                                                                                     \
	".version 7.8\n.target sm_80\n.address_size 64\n.visible .entry counts(.param .u64 p, .param .u32 n)\n{\n"                 \
	".reg .pred %p;\n.reg .u32 %r, %n, %t;\n.reg .u64 %d, %e;\nld.param.u64 %d, [p];\nld.param.u32 %n, [n];\n"                 \
	"mov.u32 %t, %tid.x;\nmul.wide.u32 %e, %t, 4;\nadd.u64 %d, %d, %e;\n"                                                      \
	"L:\nadd.u32 %r, %r, 1;\nst.global.u32 [%d], %r;\n%ssetp.ne.u32 %p, %r, %n;\n@%p bra L;\nret;\n}\n"

enum { ENDS = 3000, NEVER = 0 };

/* The path of a launch file, good for a few calls. */
static const char *launch(const char *name, bool waits, unsigned n, unsigned ctas)
{
	char text[400], file[64], *whole;
	const char *mark = strstr(KERNEL, "%ssetp");

	cr_assert_not_null(mark);
	cr_assert_gt(asprintf(&whole, "%.*s%s%s", (int)(mark - KERNEL), KERNEL, waits ? "bar.sync 0;\n" : "", mark + 2), 0);
	program_file(waits ? "waits.ptx" : "runs.ptx", whole);
	free(whole);
	snprintf(text, sizeof text,
		 "name: counts\nptx: %s.ptx\nbuffers: {x: {count: 64, type: u32}}\n"
		 "launches: [{kernel: counts, grid: %u, block: 64, args: [x, %u]}]\n",
		 waits ? "waits" : "runs", ctas, n);
	snprintf(file, sizeof file, "%s.yaml", name);
	program_file(file, text);
	return program_path(file);
}

static json_t *stats_of(const char *path, const char *limit)
{
	return program_stats("locus run %s --machine gtx480 %s", path, limit);
}

static void expect_same(bool waits, const char *limit)
{
	json_t *ends = stats_of(launch("ends", waits, ENDS, 3), limit), *never = stats_of(launch("never", waits, NEVER, 3), limit);

	cr_expect_gt(program_stat(ends, "cycles"), 500);
	cr_expect(json_equal(ends, never), "%s%s: %s\n%s", limit, waits ? ", barriers" : "", json_dumps(ends, JSON_COMPACT),
		  json_dumps(never, JSON_COMPACT));
	json_decref(ends);
	json_decref(never);
}

Test(endless_kernel, is_simulated_up_to_a_limit_as_one_that_ends)
{
	expect_same(false, "--max-insts 3000");
	expect_same(true, "--max-insts 3000");
	expect_same(true, "--max-cycles 2000");
	expect_same(false, "--max-thread-insts 70000");
}

static void expect_line(const char *command)
{
	struct program p = program_run("%s", command);

	cr_expect_eq(p.status, 2, "%s: status %d\n%s%s", command, p.status, p.out, p.err);
	cr_expect_eq(program_is_clean_error(&p), 1, "%s: %s", command, p.err);
	cr_expect(strstr(p.err, "kernel counts, ") && strstr(p.err, "CTA 0 (0,0,0)") && strstr(p.err, " warp instructions ") &&
			  strstr(p.err, "--max-cta-log"),
		  "%s: %s", command, p.err);
	program_free(&p);
}

Test(endless_kernel, ends_with_one_line_when_its_log_is_full)
{
	static const char *const how[] = {"run", "check", "profile", "plan --plan coda", "record -o"};
	char command[4096];

	for (unsigned i = 0; i < sizeof how / sizeof *how; i++) {
		snprintf(command, sizeof command, "locus %s %s %s --max-cta-log 2M", how[i],
			 strstr(how[i], "-o") ? program_path("never.ltrace") : "", launch("never", i % 2, NEVER, 1));
		expect_line(command);
	}
}

Test(endless_kernel, says_that_its_results_are_not_compared)
{
	struct program p = program_run("locus run %s --max-insts 500", launch("never", false, NEVER, 1));

	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "executed only up to the run's limit"), "%s", p.out);
	program_free(&p);
	p = program_run("locus run %s --max-insts 500", launch("ends", false, ENDS, 1));
	cr_expect_eq(p.status, 0, "%s", p.err);
	cr_expect(!strstr(p.out, "executed only up to the run's limit"), "%s", p.out);
	program_free(&p);
}

Test(endless_kernel, a_recorded_trace_has_no_log)
{
	struct program p = program_run("locus record vectoradd --size test -o %s && locus run %s --max-cta-log 2M",
				       program_path("v.ltrace"), program_path("v.ltrace"));

	cr_expect_eq(p.status, 2, "%s", p.err);
	cr_expect(strstr(p.err, "--max-cta-log is for programs that are"), "%s", p.err);
	program_free(&p);
}
