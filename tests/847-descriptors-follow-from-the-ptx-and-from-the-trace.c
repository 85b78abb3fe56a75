/* 847: --plan ldesc:source=static derives descriptors from addresses as linear forms, source=profile from the addresses
 * that a trace holds. For each source: small kernels whose descriptors were worked out by hand by the rules of
 * docs/studies/ldesc.md, of source=profile also kernels of which the PTX does not tell enough; and programs whose
 * annotations are found again. A trace file alone is enough for source=profile. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

/* r1, r2: thread x, y; r3, r4: CTA x, y; rd1: the buffer; b holds 4, 4, 4, .. Bodies leave an index in r9. */
#define BEGIN                                                                                                                      \
	".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 a, .param .u64 b)\n{\n"                      \
	".reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<4>;\n"                                                                  \
	"ld.param.u64 %rd1, [a]; ld.param.u64 %rd5, [b];\n"                                                                        \
	"mov.u32 %r1, %tid.x; mov.u32 %r2, %tid.y; mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y; mov.u32 %r10, 0;\n"
#define MAD(to, a, b, c) "mad.lo.u32 %" to ", %" a ", " b ", %" c ";\n"
#define AT		 "mul.wide.u32 %rd2, %r9, 4; add.u64 %rd3, %rd1, %rd2;\n"
#define LOAD		 AT "ld.global.u32 %r11, [%rd3];\n"
#define STORE		 AT "st.global.u32 [%rd3], %r10;\n"
#define END		 "ret;\n}\n"
#define LOOP(n, body)	 "mov.u32 %r12, 0;\nL:\n" body "add.u32 %r12, %r12, 1; setp.lt.u32 %p1, %r12, " n "; @%p1 bra L;\n"
#define LINE		 MAD("r9", "r3", "32", "r1")

/* Of 4 * 16 x 4 * 4 elements: 16 x 4 threads in 4 x 4 CTAs. */
#define TILED MAD("r5", "r3", "16", "r1") MAD("r6", "r4", "4", "r2") MAD("r9", "r6", "64", "r5")

struct rule {
	const char *what, *body, *grid, *block, *want;
};

static const struct rule of_ptx[] = {
	{"a line: tiles of 32 elements of 4 bytes", MAD("r9", "r3", "32", "r1") LOAD, "8", "32",
	 "a: no-reuse; 8 D-tiles of (32,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
	{"a matrix: the rows' pitch is the thread's step in y", TILED LOAD, "[4, 4]", "[16, 4]",
	 "a: no-reuse; 16 D-tiles of (16,4,1), C-tiles of (1,1,1) CTAs, map (1,2,0)"},
	{"transposed: CTAs in y are the faster ones",
	 MAD("r5", "r4", "4", "r2") MAD("r6", "r3", "16", "r1") MAD("r9", "r6", "16", "r5") STORE, "[4, 4]", "[16, 4]",
	 "a: no-reuse; 16 D-tiles of (4,16,1), C-tiles of (1,1,1) CTAs, map (2,1,0)"},
	{"columns: a loop goes down the rows of 256 elements, as in Figure 7",
	 LOOP("4", MAD("r9", "r3", "32", "r1") MAD("r9", "r12", "256", "r9") LOAD), "8", "32",
	 "a: no-reuse; 8 D-tiles of (32,4,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
	{"shared: the CTAs of a column read the same, as in Figure 7",
	 LOOP("4", MAD("r9", "r3", "32", "r1") MAD("r9", "r12", "256", "r9") LOAD), "[8, 2]", "32",
	 "a: inter-thread, coaccessed, regular; 8 D-tiles of (32,4,1), C-tiles of (1,2,1) CTAs, map (1,0,0), stride 256"},
	{"shared by all: the address does not go with the CTA", "mov.u32 %r9, %r1;\n" LOAD, "8", "32",
	 "a: inter-thread, coaccessed, regular; 1 D-tiles of (1024,1,1), C-tiles of (8,1,1) CTAs, map (0,0,0), stride 1"},
	{"stored by all: nobody comes back to it", "mov.u32 %r9, %r1;\n" STORE, "8", "32",
	 "a: no-reuse; 1 D-tiles of (1024,1,1), C-tiles of (8,1,1) CTAs, map (0,0,0)"},
	{"a halo: 32 elements and one on either side",
	 MAD("r9", "r3", "32", "r1") AT "ld.global.u32 %r11, [%rd3]; ld.global.u32 %r11, [%rd3+4]; ld.global.u32 %r11, [%rd3+8];\n",
	 "8", "32", "a: inter-thread, nearby, regular; 8 D-tiles of (32,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0), stride 1"},
	{"far beyond the neighbours: shared by all", LOOP("8", MAD("r9", "r3", "8", "r1") MAD("r9", "r12", "32", "r9") LOAD), "8",
	 "32", "a: inter-thread, coaccessed, regular; 1 D-tiles of (1024,1,1), C-tiles of (8,1,1) CTAs, map (0,0,0), stride 32"},
	{"threads of a CTA read one word: shared inside the CTA", "mov.u32 %r9, %r3;\n" LOAD, "8", "32",
	 "a: inter-thread, coaccessed, regular; 8 D-tiles of (1,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0), stride 1"},
	{"in each iteration the same address: the thread's own", LOOP("4", MAD("r9", "r3", "32", "r1") LOAD), "8", "32",
	 "a: intra-thread; 8 D-tiles of (32,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
	{"an address out of memory", "mul.wide.u32 %rd6, %r1, 4; add.u64 %rd6, %rd5, %rd6; ld.global.u32 %r9, [%rd6];\n" LOAD, "8",
	 "32", "a: inter-thread, coaccessed, irregular; 1 D-tiles of (1024,1,1), C-tiles of (8,1,1) CTAs, map (0,0,0)"},
	{"stored at an address out of memory",
	 "mul.wide.u32 %rd6, %r1, 4; add.u64 %rd6, %rd5, %rd6; ld.global.u32 %r9, [%rd6];\n" STORE, "8", "32",
	 "a: no-reuse; 1 D-tiles of (1024,1,1), C-tiles of (8,1,1) CTAs, map (0,0,0)"},
	{"padded rows, 64 elements of which 32 are used: rows of CTAs",
	 MAD("r5", "r3", "16", "r1") MAD("r6", "r4", "4", "r2") MAD("r9", "r6", "64", "r5") LOAD, "[2, 4]", "[16, 4]",
	 "a: no-reuse; 4 D-tiles of (256,1,1), C-tiles of (2,1,1) CTAs, map (0,1,0)"},
	{"arrays one behind the other in a buffer: a third dimension",
	 TILED AT "ld.global.u32 %r11, [%rd3]; ld.global.u32 %r11, [%rd3+1024];\n", "[4, 1]", "[16, 4]",
	 "a: no-reuse; 4 D-tiles of (16,16,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
};

static const struct rule of_trace[] = {
	{"a stream: each thread its own element, once", LINE LOAD, "8", "32",
	 "a: no-reuse; 8 D-tiles of (32,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
	{"a matrix: 16 x 4 threads in 4 x 4 CTAs", TILED LOAD, "[4, 4]", "[16, 4]",
	 "a: no-reuse; 16 D-tiles of (16,4,1), C-tiles of (1,1,1) CTAs, map (1,2,0)"},
	{"the CTAs of a column read the same rows of 256, one after the other", LOOP("4", LINE MAD("r9", "r12", "256", "r9") LOAD),
	 "[8, 2]", "32",
	 "a: inter-thread, coaccessed, regular; 8 D-tiles of (32,4,1), C-tiles of (1,2,1) CTAs, map (1,0,0), stride 256"},
	{"all CTAs the same", "mov.u32 %r9, %r1;\n" LOAD, "8", "32",
	 "a: inter-thread, coaccessed, regular; 1 D-tiles of (1024,1,1), C-tiles of (8,1,1) CTAs, map (0,0,0), stride 1"},
	{"an element on either side", LINE AT "ld.global.u32 %r11, [%rd3]; ld.global.u32 %r11, [%rd3+8];\n", "8", "32",
	 "a: inter-thread, nearby, regular; 8 D-tiles of (32,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0), stride 1"},
	{"each iteration the thread's own element", LOOP("4", LINE LOAD), "8", "32",
	 "a: intra-thread; 8 D-tiles of (32,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
	{"the same, in copies of an unrolled loop", LINE LOAD "ld.global.u32 %r11, [%rd3]; ld.global.u32 %r13, [%rd3];\n", "8",
	 "32", "a: intra-thread; 8 D-tiles of (32,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
	{"one thread of a CTA", "setp.ne.u32 %p2, %r1, 0; @%p2 ret; mov.u32 %r9, %r3;\n" LOAD, "8", "32",
	 "a: no-reuse; 8 D-tiles of (1,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
	/* what memory decides: nothing is known of it from the PTX */
	{"a loop as long as memory says", "ld.global.u32 %r14, [%rd5];\n" LOOP("%r14", LINE MAD("r9", "r12", "256", "r9") LOAD),
	 "8", "32", "a: no-reuse; 8 D-tiles of (32,4,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
	{"an address out of memory, which goes with the CTA all the same",
	 "mul.wide.u32 %rd6, %r1, 4; add.u64 %rd6, %rd5, %rd6; ld.global.u32 %r15, [%rd6]; sub.u32 %r15, %r15, 4;\n" LINE
	 "add.u32 %r9, %r9, %r15;\n" LOAD,
	 "8", "32", "a: no-reuse; 8 D-tiles of (32,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
	/* 8 of 256 elements, 1 in 32, are another one; 128 of them */
	{"the first thread of a CTA reads the last element", LINE "setp.eq.u32 %p2, %r1, 0; @%p2 mov.u32 %r9, 1000;\n" LOAD, "8",
	 "32", "a: no-reuse; 8 D-tiles of (32,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
	{"half of the threads do", LINE "setp.lt.u32 %p2, %r1, 16; @%p2 mov.u32 %r9, 1000;\n" LOAD, "8", "32",
	 "a: inter-thread, coaccessed, irregular; 1 D-tiles of (1024,1,1), C-tiles of (8,1,1) CTAs, map (0,0,0)"},
	{"stored without any order", LINE "mul.lo.u32 %r9, %r9, %r9; and.b32 %r9, %r9, 1023;\n" STORE, "8", "32",
	 "a: no-reuse; 1 D-tiles of (1024,1,1), C-tiles of (8,1,1) CTAs, map (0,0,0)"},
};

static void derives(const char *source, const struct rule *rules, size_t n)
{
	char ptx[4096], yaml[1024];

	for (const struct rule *r = rules; r < rules + n; r++) {
		struct program p;

		snprintf(ptx, sizeof ptx, "%s%s%s", BEGIN, r->body, END);
		snprintf(yaml, sizeof yaml,
			 "ptx: k.ptx\nbuffers: {a: {count: 1024, type: u32}, b: {count: 1024, type: u32, fill: value, value: 4}}\n"
			 "launches: [{kernel: k, grid: %s, block: %s, args: [a, b]}]\n",
			 r->grid, r->block);
		program_file("k.ptx", ptx);
		program_file("k.yaml", yaml);
		p = program_run("locus plan %s/k.yaml --machine gtx480 --plan ldesc:source=%s", program_tmp(), source);
		cr_expect_eq(p.status, 0, "%s: %s", r->what, p.err);
		cr_expect_not_null(strstr(p.out, r->want), "%s: wants \"%s\":\n%s", r->what, r->want, p.out);
		program_free(&p);
	}
}

Test(static_source, derives_what_was_worked_out_by_hand)
{
	derives("static", of_ptx, sizeof of_ptx / sizeof *of_ptx);
}

Test(profile, derives_what_was_worked_out_by_hand)
{
	derives("profile", of_trace, sizeof of_trace / sizeof *of_trace);
}

/* The annotations of these programs, the paper's own example among them. said: where descriptors come from. */
static void finds_again(const char *source, const char *said)
{
	static const struct {
		const char *of, *run, *want[2]; /* of: the source; NULL: both */
	} known[] = {
		{NULL,
		 "histo --arg n=1035840 --arg bins=100000",
		 {"mapping: inter-thread, coaccessed, regular; 14 D-tiles of (768,97,1), C-tiles of (1,16,1) CTAs, map (1,0,0), "
		  "stride 10752",
		  "28 clusters of (1,8,1)"}},
		{NULL,
		 "transpose",
		 {"in: no-reuse; 64 D-tiles of (16,16,1), C-tiles of (1,1,1) CTAs, map (1,2,0)",
		  "out: no-reuse; 64 D-tiles of (16,16,1), C-tiles of (1,1,1) CTAs, map (2,1,0)"}},
		{"static",
		 "doitgen",
		 {"C4: inter-thread, coaccessed, regular; 2 D-tiles of (32,64,1), C-tiles of (1,4,1) CTAs, map (1,0,0), stride 64",
		  "sum: no-reuse; 8 D-tiles of (32,8,1), C-tiles of (1,1,1) CTAs, map (1,2,0)"}},
		{"static",
		 "conv2d --arg pitch=256",
		 {"in: inter-thread, nearby, regular; 128 D-tiles of (32,8,1), C-tiles of (1,1,1) CTAs, map (1,2,0)",
		  "out: no-reuse"}},
		{"profile", "kmeans", {"by_feature: intra-thread; 16 D-tiles of", "nearest: no-reuse"}},
		{"profile", "vectoradd", {"a: no-reuse; 64 D-tiles of (256,1,1)", "c: no-reuse; 64 D-tiles of (256,1,1)"}},
	};

	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
		struct program p;

		if (known[i].of && strcmp(known[i].of, source) != 0)
			continue;
		p = program_run("locus plan %s --size test --plan ldesc,source=%s", known[i].run, source);
		cr_expect_eq(p.status, 0, "%s", p.err);
		cr_expect_not_null(strstr(p.out, said), "%s", p.out);
		for (unsigned w = 0; w < 2; w++)
			cr_expect_not_null(strstr(p.out, known[i].want[w]), "%s: wants \"%s\":\n%s", known[i].run, known[i].want[w],
					   p.out);
		program_free(&p);
	}
}

Test(static_source, finds_annotations_again)
{
	finds_again("static", "descriptors from the PTX");
}

Test(profile, finds_annotations_again)
{
	finds_again("profile", "descriptors from the trace");
}

/* "A: no-reuse; 8 D-tiles" and "C-tiles of (2,1,1) CTAs, map (0,1,0)" of a descriptor's line, without the shape of
 * the D-tiles: a derived one may be a line of elements where the annotation has whole rows. */
static bool has_counterpart(const char *line, const char *derived)
{
	const char *name = strstr(line, "  ") + strspn(strstr(line, "  "), " 0123456789"), *tiles = strstr(name, " D-tiles of"),
		   *grid = strstr(name, "C-tiles of"), *end = strstr(name, ": CTAs");
	char what[256], whose[128];

	cr_assert(tiles && grid && end, "%s", line);
	snprintf(what, sizeof what, "%.*s D-tiles of ", (int)(tiles - name), name);
	snprintf(whose, sizeof whose, "%.*s", (int)(end - grid), grid);
	for (const char *at = derived; (at = strstr(at, what)); at++) {
		const char *stop = strchr(at, '\n'), *found = strstr(at, whose);

		if (found && found < stop)
			return true;
	}
	return false;
}

Test(static_source, agrees_with_annotations)
{
	static const char *const runs[] = {"syrk",	 "syr2k",	 "2mm --arg n=128",
					   "matmul",	 "gesummv",	 "atax --arg rows=512 --arg cols=512 --arg pitch=512",
					   "srad",	 "hotspot",	 "histogram",
					   "montecarlo", "blackscholes", "vectoradd",
					   "nn",	 "scalarprod",	 "transpose"};

	for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct program a = program_run("locus plan %s --size test --plan ldesc", runs[i]);
		struct program d = program_run("locus plan %s --size test --plan ldesc:source=static", runs[i]);
		unsigned n = 0;

		cr_assert(a.status == 0 && d.status == 0, "%s%s", a.err, d.err);
		for (char *line = strtok(a.out, "\n"); line; line = strtok(NULL, "\n"))
			if (strstr(line, "D-tiles of")) {
				n++;
				cr_expect(has_counterpart(line, d.out), "%s: no counterpart of\n%s\nin\n%s", runs[i], line, d.out);
			}
		cr_expect_gt(n, 1);
		program_free(&a);
		program_free(&d);
	}
}

Test(static_source, is_an_option_with_known_words)
{
	struct program p = program_run("locus plan histo --size test --plan ldesc:source=guess");

	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "planner ldesc: source=guess: must be annotated|static|profile"), "%s", p.err);
	program_free(&p);
	p = program_run("locus plan histo --size test --plan ldesc:sauce=static");
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "did you mean"), "%s", p.err);
	program_free(&p);
	p = program_run("locus plan histo --size test --plan ldesc");
	cr_expect(strstr(p.out, "descriptors from the program's annotations"), "%s", p.out);
	program_free(&p);
	p = program_run("locus list planners");
	cr_expect(strstr(p.out, "  source=annotated|static|profile: source of the locality descriptors"), "%s", p.out);
	program_free(&p);
}

Test(static_source, wants_ptx)
{
	struct program p = program_run("locus record vectoradd --size test -o %s/v.ltrace", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run("locus plan %s/v.ltrace --plan ldesc:source=static", program_tmp());
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "source=static reads the PTX"), "%s", p.err);
	program_free(&p);
	p = program_run("locus plan pathfinder --size test --arg rows=1 --arg cols=7 --plan ldesc:source=static");
	cr_expect_eq(p.status, 0, "a program without a launch wants nothing: %s", p.err);
	program_free(&p);
}

/* A recorded trace has neither PTX nor annotations. */
Test(profile, wants_no_more_than_a_trace)
{
	const char *tmp = program_tmp();
	struct program p = program_run("locus record transpose --size test -o %s/t.ltrace && "
				       "locus plan %s/t.ltrace --plan ldesc:source=profile",
				       tmp, tmp);

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect_not_null(strstr(p.out, "out: no-reuse; 64 D-tiles of (16,16,1), C-tiles of (1,1,1) CTAs, map (2,1,0)"), "%s",
			   p.out);
	program_free(&p);
	p = program_run("locus plan %s/t.ltrace --plan ldesc:source=static", tmp);
	cr_assert(program_is_clean_error(&p), "%s", p.err);
	cr_expect_not_null(strstr(p.err, "source=profile"), "%s", p.err);
	program_free(&p);
}
