/* 368: --throttle swt:best tries every limit. The kernel's best one is known in closed form: each warp loads k lines of
 * its own, one after the other and round and round, so a fully associative L1 of 128 lines serves all loads of 128 / k
 * warps, 64 / k a scheduler, from the second round on, and none of them if there are more (the least recently used line
 * is the one that is needed next). With four MSHR entries misses are slower than hits of any number of warps. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* ring(out, data, lines, rounds): a warp sums its lines, lane by lane. */
static const char ring[] =
	".version 7.0\n"
	".target sm_35\n"
	".address_size 64\n"
	"\n"
	".visible .entry ring(.param .u64 p_out, .param .u64 p_data, .param .u32 p_lines, .param .u32 p_rounds)\n"
	"{\n"
	".reg .pred %p<3>;\n"
	".reg .b32 %r<16>;\n"
	".reg .b64 %rd<8>;\n"
	"\n"
	"ld.param.u64 %rd6, [p_out];\n"
	"ld.param.u64 %rd1, [p_data];\n"
	"ld.param.u32 %r1, [p_lines];\n"
	"ld.param.u32 %r2, [p_rounds];\n"
	"mov.u32 %r3, %tid.x;\n"
	"mov.u32 %r4, %ctaid.x;\n"
	"mov.u32 %r5, %ntid.x;\n"
	"mad.lo.s32 %r6, %r4, %r5, %r3;\n"
	"shr.u32 %r7, %r6, 5;\n"
	"and.b32 %r8, %r3, 31;\n"
	"mul.lo.s32 %r9, %r7, %r1;\n"
	"shl.b32 %r10, %r9, 5;\n"
	"add.s32 %r10, %r10, %r8;\n"
	"mul.wide.u32 %rd2, %r10, 4;\n"
	"add.s64 %rd3, %rd1, %rd2;\n"
	"mov.u32 %r11, 0;\n"
	"mov.u32 %r15, 0;\n"
	"ROUND:\n"
	"mov.u32 %r12, 0;\n"
	"mov.u64 %rd4, %rd3;\n"
	"LINE:\n"
	"ld.global.u32 %r13, [%rd4];\n"
	"add.s32 %r15, %r15, %r13;\n"
	"add.s64 %rd4, %rd4, 128;\n"
	"add.s32 %r12, %r12, 1;\n"
	"setp.lt.u32 %p1, %r12, %r1;\n"
	"@%p1 bra LINE;\n"
	"add.s32 %r11, %r11, 1;\n"
	"setp.lt.u32 %p2, %r11, %r2;\n"
	"@%p2 bra ROUND;\n"
	"mul.wide.u32 %rd5, %r6, 4;\n"
	"add.s64 %rd7, %rd6, %rd5;\n"
	"st.global.u32 [%rd7], %r15;\n"
	"ret;\n"
	"}\n";

enum { SCHEDULERS = 2, LINES = 128, WARPS = 48, ROUNDS = 20 };
#define MACHINE "--set sm.count=1 --set l1.assoc=full --set l1.mshr_entries=4"

static void write_file(const char *name, const char *text)
{
	char path[512];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	f = fopen(path, "w");
	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
}

/* Each warp loads `lines` lines, in ROUNDS rounds, all of whose words are 3. */
static void write_ring(unsigned lines)
{
	char text[1024];

	snprintf(text, sizeof text,
		 "name: ring\nptx: ring.ptx\nbuffers:\n  out: {count: %u, type: u32}\n  data: {count: %u, type: u32, value: 3}\n"
		 "scalars:\n  lines: %u\n  rounds: %u\nlaunches:\n  - {kernel: ring, grid: 6, block: 256, args: [out, data, lines, "
		 "rounds]}\nexpect:\n  out: {type: u32, value: %u}\n",
		 WARPS * 32, WARPS * lines * 32, lines, ROUNDS, 3 * lines * ROUNDS);
	write_file("ring.ptx", ring);
	write_file("ring.yaml", text);
}

static struct program search(void)
{
	return program_run("cd %s && locus run ring.yaml " MACHINE " --throttle swt:best=found --json ring.json", program_tmp());
}

/* Of "| ring | 4 | ..." after "best limit". */
static unsigned best(const struct program *p)
{
	const char *at = strstr(p->out, "best limit");

	cr_assert_eq(p->status, 0, "%s%s", p->out, p->err);
	cr_assert_not_null(at, "%s", p->out);
	at = strstr(at, "| ring");
	return at ? (unsigned)strtoul(strchr(at + 1, '|') + 1, NULL, 10) : 0;
}

Test(best_limit, is_that_with_which_the_warps_lines_fit)
{
	static const unsigned lines[] = {32, 16, 8};

	for (unsigned i = 0; i < 3; i++) {
		struct program p;
		char want[64];

		write_ring(lines[i]);
		p = search();
		cr_assert_eq(best(&p), LINES / lines[i] / SCHEDULERS, "%u lines a warp: %s", lines[i], p.out);
		cr_assert(strstr(p.out, "24 limits tried, 0 of them before"), "%s", p.out);
		snprintf(want, sizeof want, "--throttle swt:warps=24,kernels=ring:%u", LINES / lines[i] / SCHEDULERS);
		cr_assert(strstr(p.out, want), "%s", p.out);
		program_free(&p);
	}
}

/* The run that follows is the one with that limit; a second search has nothing to run; one on another machine has. */
Test(best_limit, is_what_the_run_has_and_is_kept)
{
	struct program p, q;

	write_ring(16);
	p = search();
	cr_assert_eq(best(&p), 4);
	program_free(&p);
	p = program_run("cd %s && grep -E 'throttle.(policy|warps|kernels)|\"cycles\"' ring.json | head -4; ls found | grep -c "
			"'limits-ring.\\(csv\\|json\\|svg\\)'",
			program_tmp());
	q = program_run("cd %s && locus run ring.yaml " MACHINE
			" --throttle swt:4 --json 4.json && grep '\"cycles\"' 4.json | head -1",
			program_tmp());
	cr_assert(strstr(p.out, "\"throttle.kernels\": \"ring:4\""), "%s", p.out);
	cr_assert(strstr(p.out, strstr(q.out, "\"cycles\"")), "%s, %s", p.out, q.out);
	cr_assert(strstr(p.out, "\n3\n"), "%s", p.out);
	program_free(&p);
	program_free(&q);
	p = search();
	cr_assert_eq(best(&p), 4);
	cr_assert(strstr(p.out, "24 limits tried, 24 of them before"), "%s", p.out);
	program_free(&p);
	p = program_run("cd %s && locus run ring.yaml " MACHINE " --set l1.bytes=8K --throttle=swt:best=found", program_tmp());
	cr_assert_eq(best(&p), 2);
	cr_assert(strstr(p.out, "24 limits tried, 0 of them before"), "%s", p.out);
	program_free(&p);
}

Test(best_limit, is_refused_where_there_is_none)
{
	struct program p = program_run("locus run kmeans --size test --on cpu --throttle swt:best");

	cr_assert_eq(p.status, 2);
	cr_assert_str_eq(p.err, "locus run: --throttle: describes SMs, and --on cpu runs the kernels on CPU cores\n", "%s", p.err);
	program_free(&p);
	p = program_run("cd %s && touch file && locus run kmeans --size test --throttle swt:best=file", program_tmp());
	cr_assert_eq(p.status, 2);
	cr_assert_eq(strchr(p.err, '\n'), p.err + strlen(p.err) - 1, "one line: %s", p.err);
	program_free(&p);
}
