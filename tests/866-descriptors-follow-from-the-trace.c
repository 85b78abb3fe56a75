/* 866: --plan ldesc:source=profile derives descriptors from the addresses that a trace holds: those worked out by hand
 * for small kernels, among them some of which the PTX does not tell; those that programs of the paper state; and from
 * a trace file alone. */
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

static const struct rule {
	const char *what, *body, *grid, *block, *want;
} rules[] = {
	{"a stream: each thread its own element, once", LINE LOAD, "8", "32",
	 "a: no-reuse; 8 D-tiles of (32,1,1), C-tiles of (1,1,1) CTAs, map (1,0,0)"},
	{"a matrix: 16 x 4 threads in 4 x 4 CTAs",
	 MAD("r5", "r3", "16", "r1") MAD("r6", "r4", "4", "r2") MAD("r9", "r6", "64", "r5") LOAD, "[4, 4]", "[16, 4]",
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

static void write_program(const struct rule *r)
{
	char ptx[4096], yaml[1024];

	snprintf(ptx, sizeof ptx, "%s%s%s", BEGIN, r->body, END);
	snprintf(yaml, sizeof yaml,
		 "ptx: k.ptx\nbuffers: {a: {count: 1024, type: u32}, b: {count: 1024, type: u32, fill: value, value: 4}}\n"
		 "launches: [{kernel: k, grid: %s, block: %s, args: [a, b]}]\n",
		 r->grid, r->block);
	program_file("k.ptx", ptx);
	program_file("k.yaml", yaml);
}

Test(profile, derives_what_was_worked_out_by_hand)
{
	for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++) {
		struct program p;

		write_program(&rules[i]);
		p = program_run("locus plan %s/k.yaml --machine gtx480 --plan ldesc:source=profile", program_tmp());
		cr_expect_eq(p.status, 0, "%s: %s", rules[i].what, p.err);
		cr_expect_not_null(strstr(p.out, rules[i].want), "%s: wants \"%s\":\n%s", rules[i].what, rules[i].want, p.out);
		program_free(&p);
	}
}

/* What the annotations of these programs say, the paper's own example among them. */
Test(profile, finds_annotations_again)
{
	static const struct {
		const char *run, *want[2];
	} known[] = {
		{"histo --arg n=1035840 --arg bins=100000",
		 {"mapping: inter-thread, coaccessed, regular; 14 D-tiles of (768,97,1), C-tiles of (1,16,1) CTAs, map (1,0,0), "
		  "stride 10752",
		  "28 clusters of (1,8,1)"}},
		{"transpose",
		 {"in: no-reuse; 64 D-tiles of (16,16,1), C-tiles of (1,1,1) CTAs, map (1,2,0)",
		  "out: no-reuse; 64 D-tiles of (16,16,1), C-tiles of (1,1,1) CTAs, map (2,1,0)"}},
		{"kmeans", {"by_feature: intra-thread; 16 D-tiles of", "nearest: no-reuse"}},
		{"vectoradd", {"a: no-reuse; 64 D-tiles of (256,1,1)", "c: no-reuse; 64 D-tiles of (256,1,1)"}},
	};

	for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
		struct program p = program_run("locus plan %s --size test --plan ldesc,source=profile", known[i].run);

		cr_expect_eq(p.status, 0, "%s", p.err);
		cr_expect_not_null(strstr(p.out, "descriptors from the trace"));
		for (unsigned k = 0; k < 2; k++)
			cr_expect_not_null(strstr(p.out, known[i].want[k]), "%s: wants \"%s\":\n%s", known[i].run, known[i].want[k],
					   p.out);
		program_free(&p);
	}
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
