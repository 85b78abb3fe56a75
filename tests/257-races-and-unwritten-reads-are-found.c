/* 257: locus check and what it asks of the executor: races of warps in shared memory, lanes of a store at odds, reads
 * of what nothing has written. Kernels of two warps of 32 threads; of each it is known which pairs of its instructions
 * race, by what barriers guarantee, in whatever order the warps run. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "ptx/exec/findings.h"
#include "support/program.h"
#include "support/ptx.h"

/* %r1: thread; %r2: its own word of s; %r3: that of the thread of the other warp; %p1: the first warp; %p2: the first
 * thread. From line 1 of the body on there are no other lines. */
#define FRAME                                                                                                                      \
	".shared .align 8 .b8 s[256]; .shared .align 8 .b8 l[8]; .local .align 4 .b8 m[8]; mov.u32 %r1, %tid.x; mov.u32 %r4, s; "  \
	"shl.b32 %r5, %r1, 2; add.u32 %r2, %r4, %r5; xor.b32 %r6, %r5, 128; add.u32 %r3, %r4, %r6; setp.lt.u32 %p1, %r1, 32; "     \
	"setp.eq.u32 %p2, %r1, 0;\n"

struct expected {
	enum finding_kind kind;
	const char *first, *second; /* what each line begins with; a race's two in any order */
};

struct check {
	const char *name, *body;
	struct expected finding[3]; /* ends with a NULL second */
};

static struct findings findings_of(const char *body, uint32_t ctas, unsigned what)
{
	struct findings f = {.what = what};
	struct ptx_launch l = {{ctas, 1, 1}, {64, 1, 1}, 0, NULL};
	struct {
		uint64_t out, in;
		uint32_t n;
	} params = {0, 0, 0};
	struct ptx_try t;
	char text[4096];

	snprintf(text, sizeof text, "%s%s", FRAME, body);
	ptx_try_parse(&t, "", text);
	cr_assert(t.m, "%s", t.e.text);
	params.out = memory_add(&t.mem, "out", 1024, &t.e) < 0 ? 0 : t.mem.buffer[0].base;
	l.params = &params;
	ptx_set_findings(t.m, &f);
	t.result = ptx_run(ptx_kernel_at(t.m, 0), &l, &t.mem, NULL, 0, &t.e);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	ptx_try_free(&t);
	return f;
}

/* The line of the body that an access is at: the frame is one line behind the kernel's head. */
static const char *line_of(const char *body, uint32_t ptx_line)
{
	static uint32_t head; /* of support/ptx.c, found once */
	const char *at = body;

	if (!head) {
		struct findings f = findings_of("ld.shared.u32 %r7, [%r2];\n", 1, FINDINGS_ALL);

		head = findings_next(&f, NULL)->second.ptx_line;
		findings_free(&f);
	}
	for (uint32_t i = head; i < ptx_line && at; i++)
		at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
	return at && ptx_line >= head ? at : "";
}

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

static bool fits(const struct check *c, const struct finding *f, const struct expected *x)
{
	const char *first = f->kind == FINDING_UNWRITTEN ? "" : line_of(c->body, f->first.ptx_line),
		   *second = line_of(c->body, f->second.ptx_line);

	if (f->kind != x->kind)
		return false;
	if (f->kind == FINDING_UNWRITTEN)
		return begins(second, x->second);
	return (begins(first, x->first) && begins(second, x->second)) || (begins(first, x->second) && begins(second, x->first));
}

/* Each finding is expected, and each that is expected is found. */
static void expect(const struct check *c, unsigned what)
{
	struct findings all = findings_of(c->body, 1, what);
	bool seen[3] = {false};

	for (const struct finding *f = findings_next(&all, NULL); f; f = findings_next(&all, f)) {
		bool known = false;

		for (unsigned i = 0; i < 3 && c->finding[i].second; i++) {
			seen[i] |= fits(c, f, &c->finding[i]);
			known |= fits(c, f, &c->finding[i]);
		}
		cr_expect(known, "%s: kind %d, lines %u and %u", c->name, (int)f->kind, f->first.ptx_line, f->second.ptx_line);
	}
	for (unsigned i = 0; i < 3 && c->finding[i].second; i++)
		cr_expect(seen[i], "%s: finding %u is missing", c->name, i);
	findings_free(&all);
}

Test(races, are_what_no_barrier_puts_in_order)
{
	static const struct check checks[] = {
		{"no barrier", "st.shared.u32 [%r2], 1;\nld.shared.u32 %r7, [%r3];\n", {{FINDING_RACE, "st.", "ld."}}},
		{"a barrier", "st.shared.u32 [%r2], 1;\nbar.sync 0;\nld.shared.u32 %r7, [%r3];\n", {{0}}},
		{"own words", "st.shared.u32 [%r2], 1;\nld.shared.u32 %r7, [%r2];\nst.shared.u32 [%r2], 2;\n", {{0}}},
		{"reads alone", "ld.shared.u32 %r7, [%r2];\nld.shared.u32 %r8, [%r3];\n", {{0}}},
		{"write after read",
		 "st.shared.u32 [%r2], 1;\nbar.sync 0;\nld.shared.u32 %r7, [%r3];\nst.shared.u16 [%r2], 2;\n",
		 {{FINDING_RACE, "ld.", "st.shared.u16"}}},
		{"two barriers",
		 "st.shared.u32 [%r2], 1;\nbar.sync 0;\nld.shared.u32 %r7, [%r3];\nbar.sync 0;\nst.shared.u16 [%r2], 2;\n",
		 {{0}}},
		{"write after write, of other widths",
		 "st.shared.u8 [%r2+3], 1;\nst.shared.u32 [%r3], 2;\n",
		 {{FINDING_RACE, "st.shared.u8", "st.shared.u32"}, {FINDING_RACE, "st.shared.u32", "st.shared.u8"}}},
		{"bytes side by side", "st.shared.u8 [%r2], 1;\nst.shared.u8 [%r3+1], 1;\n", {{0}}},
		{"a barrier of some warps", "st.shared.u32 [%r2], 1;\nbar.sync 3, 64;\nld.shared.u32 %r7, [%r3];\n", {{0}}},
		{"arrive and sync",
		 "@%p1 bra A;\nbar.sync 1, 64;\nld.shared.u32 %r7, [%r3];\nbra END;\nA: st.shared.u32 [%r2], 1;\nbar.arrive 1, "
		 "64;\nEND: exit;\n",
		 {{0}}},
		{"after the arrival",
		 "@%p1 bra A;\nbar.sync 1, 64;\nld.shared.u32 %r7, [%r3];\nbra END;\nA: bar.arrive 1, 64;\nst.shared.u32 [%r2], "
		 "1;\nEND: exit;\n",
		 {{FINDING_RACE, "ld.", "st."}}},
		{"an arrival does not wait",
		 "@%p1 bra A;\nst.shared.u32 [%r2], 1;\nbar.sync 1, 64;\nbra END;\nA: bar.arrive 1, 64;\nld.shared.u32 %r7, "
		 "[%r3];\nEND: exit;\n",
		 {{FINDING_RACE, "ld.", "st."}}},
		{"a warp that has ended",
		 "@%p1 bra A;\nbar.sync 0;\nld.shared.u32 %r7, [%r3];\nbra END;\nA: st.shared.u32 [%r2], 1;\nEND: exit;\n",
		 {{0}}},
		{"atomics alone", "atom.shared.add.u32 %r7, [s], 1;\nred.shared.max.u32 [s], %r1;\n", {{0}}},
		{"an atomic and a store",
		 "@%p1 atom.shared.add.u32 %r7, [s], 1;\n@!%p1 st.shared.u32 [s], 5;\n",
		 {{FINDING_RACE, "@%p1 atom", "@!%p1 st"}}},
		{"handed over by an atomic",
		 "@!%p1 bra B;\nst.shared.u32 [%r2], 1;\natom.shared.exch.b32 %r7, [l], 1;\nexit;\nB: atom.shared.or.b32 %r7, "
		 "[l], 0;\nld.shared.u32 %r8, [%r3];\n",
		 {{0}}},
		{"written after it was handed over",
		 "@!%p1 bra B;\natom.shared.exch.b32 %r7, [l], 1;\nst.shared.u32 [%r2], 1;\nexit;\nB: atom.shared.or.b32 %r7, "
		 "[l], 0;\nld.shared.u32 %r8, [%r3];\n",
		 {{FINDING_RACE, "st.", "ld."}}},
		{"arrivals at an mbarrier",
		 "@%p2 mbarrier.init.shared.b64 [l], 64;\nbar.sync 0;\nst.shared.u32 [%r2], 1;\nmbarrier.arrive.shared.b64 %rd1, "
		 "[l];\nW: mbarrier.test_wait.shared.b64 %p3, [l], %rd1;\n@!%p3 bra W;\nld.shared.u32 %r7, [%r3];\n",
		 {{0}}},
		{"lanes at odds", "st.shared.u32 [%r4], %r1;\n", {{FINDING_STORE, "st.", "st."}, {FINDING_RACE, "st.", "st."}}},
		{"lanes of one mind", "@%p1 st.shared.u32 [%r4], 7;\n", {{0}}},
	};

	for (unsigned i = 0; i < sizeof checks / sizeof checks[0]; i++)
		expect(&checks[i], FINDINGS_RACES);
}

Test(unwritten, is_what_no_store_of_the_cta_or_the_thread_has_been_to)
{
	static const struct check checks[] = {
		{"nothing", "ld.shared.u32 %r7, [%r2];\n", {{FINDING_UNWRITTEN, NULL, "ld."}}},
		{"its own", "st.shared.u32 [%r2], 1;\nld.shared.u32 %r7, [%r2];\n", {{0}}},
		{"in part", "st.shared.u16 [%r2], 1;\nld.shared.u32 %r7, [%r2];\n", {{FINDING_UNWRITTEN, NULL, "ld."}}},
		{"in two parts", "st.shared.u16 [%r2], 1;\nst.shared.u16 [%r2+2], 1;\nld.shared.u32 %r7, [%r2];\n", {{0}}},
		{"an atomic",
		 "atom.shared.add.u32 %r7, [%r2], 1;\nld.shared.u32 %r8, [%r2];\n",
		 {{FINDING_UNWRITTEN, NULL, "atom."}}},
		{"a vector", "st.shared.u32 [s], 1;\nld.shared.v2.u32 {%r7, %r8}, [s];\n", {{FINDING_UNWRITTEN, NULL, "ld."}}},
		{"local", "@%p2 st.local.u32 [m], 1;\nld.local.u32 %r7, [m];\n", {{FINDING_UNWRITTEN, NULL, "ld.local"}}},
		{"all of local", "st.local.u32 [m+4], 1;\nld.local.u32 %r7, [m+4];\n", {{0}}},
		{"generic",
		 "cvta.shared.u32 %r9, %r2;\ncvt.u64.u32 %rd1, %r2;\ncvta.shared.u64 %rd2, %rd1;\nld.u32 %r7, [%rd2];\n",
		 {{FINDING_UNWRITTEN, NULL, "ld.u32"}}},
	};

	for (unsigned i = 0; i < sizeof checks / sizeof checks[0]; i++)
		expect(&checks[i], FINDINGS_UNWRITTEN);
}

/* What one CTA did is nothing to the next: its shared memory is another one. */
Test(findings, are_of_a_cta)
{
	static const char body[] = "mov.u32 %r7, %ctaid.x;\nsetp.eq.u32 %p3, %r7, 0;\n@%p3 st.shared.u32 [%r2], 1;\n"
				   "ld.shared.u32 %r8, [%r2];\n";
	struct findings f = findings_of(body, 3, FINDINGS_ALL);
	const struct finding *x = findings_next(&f, NULL);

	cr_assert_eq(findings_count(&f), 1);
	cr_expect_eq(x->kind, FINDING_UNWRITTEN);
	cr_expect_eq(x->cta, 1);
	cr_expect_eq(x->times, 128, "two CTAs of 64 threads");
	cr_expect_eq(x->second.thread, 0);
	findings_free(&f);
}

/* Each is checked with what it asks for alone. */
Test(findings, are_those_that_are_asked_for)
{
	static const char body[] = "ld.shared.u32 %r7, [%r3];\nst.shared.u32 [%r2], 1;\n";
	static const unsigned what[] = {FINDINGS_RACES, FINDINGS_UNWRITTEN, FINDINGS_ALL, 0}, many[] = {1, 1, 2, 0};

	for (unsigned i = 0; i < 4; i++) {
		struct findings f = findings_of(body, 1, what[i]);

		cr_expect_eq(findings_count(&f), many[i], "%u: %u", what[i], findings_count(&f));
		findings_free(&f);
	}
}

/* CTAs that wait for one another are put aside with what they have done: CTA 0 spins until CTA 1 has set a word. */
Test(findings, stay_apart_where_ctas_wait_for_one_another)
{
	static const char body[] =
		"ld.param.u64 %rd1, [out];\nmov.u32 %r7, %ctaid.x;\nst.shared.u32 [%r2], 1;\nsetp.eq.u32 %p3, %r7, 0;\n@%p3 bra "
		"WAIT;\nst.global.u32 [%rd1], 1;\nbra ON;\nWAIT: ld.volatile.global.u32 %r8, [%rd1];\nsetp.eq.u32 %p4, %r8, 0;\n"
		"@%p4 bra WAIT;\nON: bar.sync 0;\nld.shared.u32 %r9, [%r3];\n";
	struct findings f = findings_of(body, 2, FINDINGS_ALL);

	cr_expect_eq(findings_count(&f), 0);
	findings_free(&f);
}

/* ---- locus check ---- */

static const char HEAD[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
			   ".reg .b32 %r<9>;\n.shared .align 4 .b8 s[256];\nmov.u32 %r1, %tid.x;\nshl.b32 %r2, %r1, 2;\n"
			   "mov.u32 %r3, s;\nadd.u32 %r4, %r3, %r2;\nxor.b32 %r5, %r2, 128;\nadd.u32 %r6, %r3, %r5;\n"
			   "st.shared.u32 [%r4], %r1;\n",
		  TAIL[] = "\nld.shared.u32 %r7, [%r6];\nret;\n}\n";

static struct program check(const char *barrier, const char *args)
{
	char text[2048];

	snprintf(text, sizeof text, "%s%s%s", HEAD, barrier, TAIL);
	program_file("k.ptx", text);
	program_file("k.yaml", "name: two warps\nptx: k.ptx\nbuffers:\n  out: {count: 1, type: u32, value: 0}\nlaunches:\n"
			       "  - {kernel: k, grid: 2, block: 64, args: [out]}\n");
	return program_run("cd %s && locus check k.yaml %s", program_tmp(), args);
}

Test(locus_check, prints_both_accesses_and_ends_with_1)
{
	struct program p = check("", "--json k.json");
	char path[512];
	json_t *o, *first;

	cr_expect_eq(p.status, 1, "%s", p.err);
	cr_expect(strstr(p.out, "race: two warps, one of which writes, and no barrier between\n"), "%s", p.out);
	cr_expect(strstr(p.out, "st.shared.u32 of thread ") && strstr(p.out, "ld.shared.u32 of thread "), "%s", p.out);
	cr_expect(strstr(p.out, "k.ptx:14\n") && strstr(p.out, "k.ptx:16\n"), "%s", p.out);
	cr_expect(strstr(p.out, "races: "), "%s", p.out);
	program_free(&p);
	snprintf(path, sizeof path, "%s/k.json", program_tmp());
	o = json_load_file(path, 0, NULL);
	first = json_array_get(json_object_get(o, "findings"), 0);
	cr_expect_str_eq(json_string_value(json_object_get(first, "kind")), "race");
	cr_expect_str_eq(json_string_value(json_object_get(first, "kernel")), "k");
	cr_expect(json_object_get(first, "first") && json_object_get(first, "second"));
	json_decref(o);
	p = check("", "--most 0");
	cr_expect(!strstr(p.out, "thread") && strstr(p.out, "more (--most)"), "%s", p.out);
	program_free(&p);
}

Test(locus_check, of_a_sound_program_ends_with_0)
{
	struct program p = check("bar.sync 0;", "");

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_expect(strstr(p.out, "races: 0\nreads of what nothing has written: 0\n"), "%s", p.out);
	program_free(&p);
	p = program_run("locus check reduction --size test --races");
	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	cr_expect(strstr(p.out, "races: 0\nresults agree with the reference\n"), "%s", p.out);
	program_free(&p);
}

/* A run that ends in the middle says what it has found up to there, and why it ended. */
Test(locus_check, of_a_run_that_fails_has_what_was_found_before)
{
	struct program p = check("", "");

	program_free(&p);
	p = program_run("cd %s && sed -i 's/^ret;/ld.global.u32 %%r7, [64];\\nret;/' k.ptx && locus check k.yaml", program_tmp());
	cr_expect_eq(p.status, 2, "%s%s", p.out, p.err);
	cr_expect(strstr(p.out, "races: ") && strstr(p.out, "ld.shared.u32 of thread "), "%s", p.out);
	cr_expect(strstr(p.err, "which are not in one buffer"), "%s", p.err);
	program_free(&p);
}

Test(locus_check, refuses_what_is_not_executed)
{
	static const char *const bad[] = {"x.ltrace", "traces/accelsim-sample/kernelslist.g", "nosuch",
					  "syrk --size test --json /no/such/file"};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = program_run("locus check %s", bad[i]);

		cr_expect(program_is_clean_error(&p), "%s", bad[i]);
		program_free(&p);
	}
}
