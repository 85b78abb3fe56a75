/* 974: sentences of docs/ that say what the program takes, refuses or lists are true of the program. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* Whether a file says so; a space of the words is any space, or the end of a line and the spaces after it. */
static void says(const char *file, const char *words)
{
	char *text = program_text(file), *to = text;

	for (const char *at = text; *at; at++)
		if (*at != '\n' && !(*at == ' ' && to > text && to[-1] == ' '))
			*to++ = *at;
		else if (to > text && to[-1] != ' ')
			*to++ = ' ';
	*to = '\0';
	cr_expect(strstr(text, words), "%s does not say \"%s\"", file, words);
	free(text);
}

/* docs/reference/machines.md: channels are 2^k times an odd number up to 15. */
Test(docs, channels_are_a_power_of_two_times_a_small_odd_number)
{
	static const struct {
		unsigned channels;
		bool run;
	} cases[] = {{5, true}, {7, true}, {9, true}, {10, true}, {20, true}, {22, true}, {40, true}, {17, false}, {34, false}};

	says("docs/reference/machines.md", "channels that are no 2^k times an odd number up to 15 (17 or 34)");
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct program p =
			program_run("locus run vectoradd --size test --max-cycles 1 --set dram.channels=%u", cases[i].channels);

		cr_expect_eq(p.status, cases[i].run ? 0 : 2, "%u channels: %s", cases[i].channels, p.err);
		program_free(&p);
	}
}

/* docs/reference/ptx-support.md's row of integer instructions. */
Test(docs, integer_instructions_are_those_of_the_page)
{
	static const struct {
		const char *instruction;
		bool supported;
	} cases[] = {
		{"mul24.lo.s32 %r1, %r2, %r3;", true},
		{"mul24.hi.u32 %r1, %r2, %r3;", true},
		{"mad24.lo.s32 %r1, %r2, %r3, %r4;", true},
		{"mad24.hi.s32 %r1, %r2, %r3, %r4;", false},
		{"mad24.hi.sat.s32 %r1, %r2, %r3, %r4;", false},
		{"add.sat.s32 %r1, %r2, %r3;", true},
		{"sub.sat.s32 %r1, %r2, %r3;", true},
		{"mad.hi.sat.s32 %r1, %r2, %r3, %r4;", true},
		{"sad.s32 %r1, %r2, %r3, %r4;", true},
		{"min.relu.s32 %r1, %r2, %r3;", true},
		{"madc.hi.u32 %r1, %r2, %r3, %r4;", true},
		{"subc.u32 %r1, %r2, %r3;", true},
	};
	char text[500];

	says("docs/reference/ptx-support.md",
	     "mul24(.lo .hi) mad24.lo sad div rem abs neg min max; .sat of add, sub and mad.hi of s32;");
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct program p;

		snprintf(text, sizeof text,
			 ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n.reg .b32 %%r<8>;\n%s\nret;\n}\n",
			 cases[i].instruction);
		program_file("k.ptx", text);
		p = program_run("locus ptx %s/k.ptx", program_tmp());
		cr_expect_eq(!strstr(p.out, "not supported") && !strstr(p.err, "not supported") && p.status == 0,
			     cases[i].supported, "%s %s%s", cases[i].instruction, p.out, p.err);
		program_free(&p);
	}
}

/* A page names the options of locus run that another command does not take, and these alone, between two texts. */
static void names_what_is_lacking(const char *command, const char *page, const char *begin, const char *end)
{
	struct program p = program_run("for c in run %s; do build/locus $c --help | grep -oE '^ +(-., )?--[a-z0-9-]+' | "
				       "grep -oE -- '--[a-z0-9-]+' | LC_ALL=C sort -u >%s/$c; done; LC_ALL=C comm -23 %s/run %s/%s",
				       command, program_tmp(), program_tmp(), program_tmp(), command);
	char *text = program_text(page), *from = strstr(text, begin), *to = from ? strstr(from, end) : NULL, *save = NULL,
	     quoted[100];
	unsigned lacks = 0, named = 0;

	cr_assert_not_null(to, "%s", page);
	*to = '\0';
	for (char *option = strtok_r(p.out, "\n", &save); option; option = strtok_r(NULL, "\n", &save), lacks++) {
		snprintf(quoted, sizeof quoted, "`%s`", option);
		cr_expect(strstr(from, quoted), "%s does not name %s", page, option);
	}
	for (const char *at = from; (at = strstr(at, "`--")) != NULL; at++)
		named++;
	cr_expect_eq(named, lacks, "%s names %u options, %s lacks %u", page, named, command, lacks);
	cr_expect_gt(lacks, 5);
	program_free(&p);
	free(text);
}

Test(docs, options_that_commands_lack_are_named)
{
	names_what_is_lacking("cuda", "docs/how-to/run-cuda-programs.md", "`--arg`, `--size`, `--printf`", "record the");
	names_what_is_lacking("cosim", "docs/how-to/cosimulate-your-rtl.md", "The options of `locus run` hold for", "Exit status:");
}

/* docs/how-to/install.md: locus(1) has exit status, environment and files; the page of a command has its options,
 * each as an item of its own. */
Test(docs, manual_pages_have_what_the_page_on_installing_says)
{
	struct program p = program_run("scripts/man build/locus %s/man && cat %s/man/locus.1", program_tmp(), program_tmp());

	says("docs/how-to/install.md",
	     "`man locus` has exit status, environment and files; `man locus-run` and so on have what `--help` "
	     "of that command says.");
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, ".SH EXIT STATUS\n") && strstr(p.out, ".SH ENVIRONMENT\n") && strstr(p.out, ".SH FILES\n"));
	program_free(&p);
	p = program_run("cd %s/man && grep -n -- '\\\\-\\\\-[a-z-]*,.*\\\\-\\\\-' locus-*.1", program_tmp());
	cr_expect_str_empty(p.out, "options in one line: %s", p.out);
	program_free(&p);
	p = program_run("for c in run cuda cosim; do for o in $(build/locus $c --help | grep -oE '^ +(-., )?--[a-z0-9-]+' | "
			"grep -oE -- '--[a-z0-9-]+'); do o=$(echo \"$o\" | sed 's/-/\\\\\\\\-/g'); "
			"grep -qE \"^\\.B .*$o\" %s/man/locus-$c.1 || echo $c $o; done; done",
			program_tmp());
	cr_expect_str_empty(p.out, "no item: %s", p.out);
	program_free(&p);
}

/* docs/explanation/architecture.md names the machines whose launches overlap. */
Test(docs, machines_whose_launches_overlap_are_named)
{
	struct program p =
		program_run("for m in csim/machines/*.yaml; do m=$(basename $m .yaml); build/locus list keys --machine $m | "
			    "awk -v m=$m '$1 == \"launch.concurrent\" && $2 > 1 { print m }'; done");
	char *text = program_text("docs/explanation/architecture.md"), *at = strstr(text, "- A launch takes `launch.latency`"),
	     *save = NULL;
	unsigned n = 0;

	cr_assert_not_null(at);
	*strstr(at, "; elsewhere a launch") = '\0';
	for (char *m = strtok_r(p.out, "\n", &save); m; m = strtok_r(NULL, "\n", &save), n++)
		cr_expect(strstr(at, m), "docs/explanation/architecture.md does not name %s", m);
	cr_expect_eq(n, 6, "machines with several launches at a time");
	program_free(&p);
	free(text);
}

/* Each list of the schedulers has all that the key takes. */
Test(docs, every_list_of_schedulers_is_whole)
{
	static const char *const commands[] = {
		"locus list keys | grep '^ *sm.scheduler '",
		"locus run --help | grep -- --scheduler",
		"locus cosim --help | grep -- --scheduler",
	};

	struct program p;

	for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		p = program_run("%s", commands[i]);
		cr_expect(strstr(p.out, "gto") && strstr(p.out, "gty") && strstr(p.out, "lrr"), "%s: %s", commands[i], p.out);
		program_free(&p);
	}
	program_file("s.yaml", "name: s\naxes:\n  scheduler: [none]\ncommon: {workload: vectoradd, size: test}\n");
	p = program_run("locus sweep %s/s.yaml", program_tmp());
	cr_expect_eq(p.status, 2);
	cr_expect(strstr(p.err, "gto|gty|lrr"), "%s", p.err);
	program_free(&p);
}

/* The years and venues of the headline page are those of CITATION.cff, which names the venue of a conference. */
Test(docs, papers_are_of_the_years_that_the_citation_has)
{
	struct program p = program_run(
		"sed -n 's/^## \\([A-Za-z-]*\\).*(\\([A-Za-z0-9-]*\\),* \\([0-9]*\\))$/\\1 \\2 \\3/p' docs/results/README.md");

	cr_expect(strstr(p.out, "TAFE PACT 2020\n"), "%s", p.out);
	cr_expect(strstr(p.out, "dwt-pric GPGPU-8 2015\n"), "%s", p.out);
	cr_expect(strstr(p.out, "PAVER TACO 2021\n"), "%s", p.out);
	program_free(&p);
	p = program_run(
		"awk '/title: \"TAFE/ { on = 1 } on && /year:/ { print $2 } on && /conference:/ { print; exit }' CITATION.cff");
	cr_expect(strstr(p.out, "2020\n") && strstr(p.out, "(PACT)"), "%s", p.out);
	program_free(&p);
}

/* docs/reference/ptx-support.md, "Supported instructions" and "Limits": one instruction of each name in its rows, as
 * the PTX ISA manual writes it. */
Test(docs, instructions_of_the_table_are_executed)
{
	static const char *const instruction[] = {
		"add.cc.u32 %r1, %r2, %r3",
		"and.b32 %r1, %r2, %r3",
		"or.b32 %r1, %r2, %r3",
		"xor.b32 %r1, %r2, %r3",
		"not.b32 %r1, %r2",
		"cnot.b32 %r1, %r2",
		"shl.b32 %r1, %r2, %r3",
		"shr.u32 %r1, %r2, %r3",
		"shf.l.wrap.b32 %r1, %r2, %r3, %r4",
		"lop3.b32 %r1, %r2, %r3, %r4, 0x1e",
		"bfe.u32 %r1, %r2, %r3, %r4",
		"bfi.b32 %r1, %r2, %r3, %r4, %r5",
		"brev.b32 %r1, %r2",
		"bfind.u32 %r1, %r2",
		"popc.b32 %r1, %r2",
		"clz.b32 %r1, %r2",
		"prmt.b32 %r1, %r2, %r3, %r4",
		"bmsk.clamp.b32 %r1, %r2, %r3",
		"szext.clamp.s32 %r1, %r2, %r3",
		"fns.b32 %r1, %r2, %r3, %r4",
		"dp4a.s32.s32 %r1, %r2, %r3, %r4",
		"dp2a.lo.s32.s32 %r1, %r2, %r3, %r4",
		"vadd.s32.s32.s32 %r1, %r2, %r3",
		"vsub.s32.s32.s32 %r1, %r2, %r3",
		"vabsdiff.s32.s32.s32 %r1, %r2, %r3",
		"vmin.s32.s32.s32 %r1, %r2, %r3",
		"vmax.s32.s32.s32 %r1, %r2, %r3",
		"vshl.u32.u32.u32.clamp %r1, %r2, %r3",
		"vshr.u32.u32.u32.clamp %r1, %r2, %r3",
		"vmad.s32.s32.s32 %r1, %r2, %r3, %r4",
		"vset.u32.u32.lt %r1, %r2, %r3",
		"vadd2.s32.s32.s32 %r1, %r2, %r3, %r4",
		"vadd4.s32.s32.s32 %r1, %r2, %r3, %r4",
		"vsub2.s32.s32.s32 %r1, %r2, %r3, %r4",
		"vsub4.s32.s32.s32 %r1, %r2, %r3, %r4",
		"vabsdiff2.s32.s32.s32 %r1, %r2, %r3, %r4",
		"vabsdiff4.s32.s32.s32 %r1, %r2, %r3, %r4",
		"vmin2.s32.s32.s32 %r1, %r2, %r3, %r4",
		"vmax4.s32.s32.s32 %r1, %r2, %r3, %r4",
		"vavrg2.s32.s32.s32 %r1, %r2, %r3, %r4",
		"vavrg4.s32.s32.s32 %r1, %r2, %r3, %r4",
		"vset2.s32.s32.lt %r1, %r2, %r3, %r4",
		"vset4.s32.s32.lt %r1, %r2, %r3, %r4",
		"add.rz.f32 %f1, %f2, %f3",
		"sub.rm.f32 %f1, %f2, %f3",
		"mul.rp.ftz.f32 %f1, %f2, %f3",
		"fma.rn.sat.f32 %f1, %f2, %f3, %f4",
		"mad.rn.f32 %f1, %f2, %f3, %f4",
		"div.rn.f64 %d1, %d2, %d3",
		"div.rp.f32 %f1, %f2, %f3",
		"rcp.rn.f64 %d1, %d2",
		"sqrt.rm.f64 %d1, %d2",
		"abs.f64 %d1, %d2",
		"neg.f64 %d1, %d2",
		"min.NaN.f32 %f1, %f2, %f3",
		"max.f64 %d1, %d2, %d3",
		"copysign.f64 %d1, %d2, %d3",
		"testp.finite.f32 %p1, %f2",
		"add.f16x2 %r1, %r2, %r3",
		"fma.rn.relu.f16x2 %r1, %r2, %r3, %r4",
		"fma.rn.relu.bf16x2 %r1, %r2, %r3, %r4",
		"neg.bf16x2 %r1, %r2",
		"abs.bf16 %h1, %h2",
		"min.NaN.xorsign.abs.bf16x2 %r1, %r2, %r3",
		"max.NaN.xorsign.abs.f16x2 %r1, %r2, %r3",
		"tanh.approx.f16x2 %r1, %r2",
		"ex2.approx.f16x2 %r1, %r2",
		"ex2.approx.ftz.bf16x2 %r1, %r2",
		"tanh.approx.bf16x2 %r1, %r2",
		"set.lt.f16x2.f16x2 %r1, %r2, %r3",
		"setp.lt.f16x2 %p1|%p2, %r2, %r3",
		"setp.lt.bf16x2 %p1|%p2, %r2, %r3",
		"cvt.rn.f16x2.f32 %r1, %f2, %f3",
		"cvt.rn.bf16x2.f32 %r1, %f2, %f3",
		"cvt.rna.tf32.f32 %r1, %f2",
		"cvt.rn.satfinite.e4m3x2.f32 %h1, %f2, %f3",
		"cvt.rn.satfinite.e5m2x2.f32 %h1, %f2, %f3",
		"cvt.rn.f16x2.e4m3x2 %r1, %h2",
		"ex2.approx.f32 %f1, %f2",
		"lg2.approx.f32 %f1, %f2",
		"sin.approx.f32 %f1, %f2",
		"cos.approx.f32 %f1, %f2",
		"tanh.approx.f32 %f1, %f2",
		"rsqrt.approx.f32 %f1, %f2",
		"rsqrt.approx.f64 %d1, %d2",
		"rcp.approx.f32 %f1, %f2",
		"rcp.approx.ftz.f64 %d1, %d2",
		"sqrt.approx.f32 %f1, %f2",
		"div.approx.f32 %f1, %f2, %f3",
		"div.full.f32 %f1, %f2, %f3",
		"setp.lt.and.s32 %p1|%p2, %r2, %r3, %p3",
		"set.lt.u32.s32 %r1, %r2, %r3",
		"selp.b32 %r1, %r2, %r3, %p1",
		"slct.s32.f32 %r1, %r2, %r3, %f1",
		"mov.b64 %l1, {%r1, %r2}",
		"mov.b64 {%r1, %r2}, %l1",
		"cvt.rzi.s64.f64 %l1, %d2",
		"cvt.sat.u8.s32 %h1, %r2",
		"cvt.rp.f32.s64 %f1, %l2",
		"cvta.to.global.u64 %l1, %l2",
		"isspacep.global %p1, %l1",
		"isspacep.shared %p1, %l1",
		"isspacep.local %p1, %l1",
		"ld.volatile.global.v4.u32 {%r1, %r2, %r3, %r4}, [%l1]",
		"ldu.global.u32 %r1, [%l1]",
		"ld.global.nc.v2.f32 {%f1, %f2}, [%l1]",
		"ld.global.cg.u32 %r1, [%l1]",
		"st.global.wt.v2.b64 [%l1], {%l2, %l3}",
		"cp.async.ca.shared.global [%r1], [%l1], 16",
		"cp.async.cg.shared.global [%r1], [%l1], 16, %r2",
		"cp.async.commit_group",
		"cp.async.wait_group 1",
		"cp.async.wait_all",
		"cp.async.mbarrier.arrive.shared.b64 [%r1]",
		"mbarrier.init.shared.b64 [%r1], %r2",
		"mbarrier.inval.shared.b64 [%r1]",
		"mbarrier.arrive.shared.b64 %l1, [%r1]",
		"mbarrier.arrive_drop.shared.b64 %l1, [%r1]",
		"mbarrier.test_wait.shared.b64 %p1, [%r1], %l2",
		"mbarrier.try_wait.parity.shared.b64 %p1, [%r1], %r2",
		"mbarrier.pending_count.b64 %r1, %l2",
		"atom.global.add.u32 %r1, [%l1], %r2",
		"atom.global.min.s64 %l2, [%l1], %l3",
		"atom.global.inc.u32 %r1, [%l1], %r2",
		"atom.global.dec.u32 %r1, [%l1], %r2",
		"atom.global.exch.b64 %l2, [%l1], %l3",
		"atom.global.cas.b16 %h1, [%l1], %h2, %h3",
		"atom.global.add.f64 %d1, [%l1], %d2",
		"atom.global.add.noftz.f16x2 %r1, [%l1], %r2",
		"atom.global.add.noftz.bf16x2 %r1, [%l1], %r2",
		"atom.global.v4.f32.add {%f1, %f2, %f3, %f4}, [%l1], {%f1, %f2, %f3, %f4}",
		"red.global.xor.b32 [%l1], %r2",
		"tex.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%l1, {%f1, %f2}]",
		"tld4.r.2d.v4.f32.f32 {%f1, %f2, %f3, %f4}, [%l1, {%f1, %f2}]",
		"txq.width.b32 %r1, [%l1]",
		"suld.b.2d.v2.b32.trap {%r1, %r2}, [%l1, {%r3, %r4}]",
		"sust.b.1d.b64.zero [%l1, {%r3}], {%l2}",
		"suq.width.b32 %r1, [%l1]",
		"bar.sync 0",
		"barrier.sync 0",
		"barrier.arrive 0, %r1",
		"bar.red.popc.u32 %r1, 0, %p1",
		"membar.gl",
		"fence.acq_rel.gpu",
		"trap",
		"shfl.sync.idx.b32 %r1|%p1, %r2, %r3, %r4, %r5",
		"vote.sync.ballot.b32 %r1, %p1, %r2",
		"match.any.sync.b32 %r1, %r2, %r3",
		"redux.sync.add.u32 %r1, %r2, %r3",
		"activemask.b32 %r1",
		"elect.sync %r1|%p1, %r2",
		"nanosleep.u32 %r1",
		"prefetch.global.L2 [%l1]",
		"applypriority.global.L2::evict_normal [%l1], 128",
		"discard.global.L2 [%l1], 128",
		"brkpt",
		"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1, %r2, %r3, %r4}, [%r5]",
		"stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r5], {%r1}",
		"movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2",
		"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32 {%f1, %f2, %f3, %f4}, {%r1, %r2}, {%r3}, {%f1, %f2, %f3, %f4}",
	};
	FILE *f;
	struct program p;

	program_file("k.ptx", ".version 8.0\n.target sm_90\n.address_size 64\n");
	cr_assert_not_null(f = fopen(program_path("k.ptx"), "a"));
	for (unsigned i = 0; i < sizeof instruction / sizeof instruction[0]; i++)
		fprintf(f,
			".visible .entry k%u() {.reg .pred %%p<8>; .reg .b16 %%h<8>; .reg .b32 %%r<8>; .reg .b64 %%l<8>; .reg .f32 "
			"%%f<8>; "
			".reg .f64 %%d<8>;\n%s;\nret;}\n",
			i, instruction[i]);
	fclose(f);
	p = program_run("locus ptx %s/k.ptx >%s/out; s=$?; grep 'not supported' %s/out; exit $s", program_tmp(), program_tmp(),
			program_tmp());
	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

Test(docs, limits_of_kernels_are_those_of_the_page)
{
	static const struct {
		const char *parameter, *body;
		bool fits;
	} cases[] = {
		{"", ".shared .align 4 .b8 s[49152]; mov.u32 %r1, s;", true},
		{"", ".shared .align 4 .b8 s[49153]; mov.u32 %r1, s;", false},
		{"", ".local .align 4 .b8 s[524280]; mov.u32 %r1, s;", true},
		{"", ".local .align 4 .b8 s[524289]; mov.u32 %r1, s;", false},
		{".param .align 8 .b8 p[32768]", "", true},
		{".param .align 8 .b8 p[32769]", "", false},
	};
	static const struct {
		unsigned bytes;
		bool fits;
	} dynamic[] = {{227 * 1024, true}, {227 * 1024 + 1, false}};
	char text[500];
	struct program p;

	says("docs/reference/ptx-support.md",
	     "48 KiB of shared memory that a kernel declares, 227 KiB together with the dynamic part of a launch; 512 "
	     "KiB of local memory a thread; 32 KiB of parameters;");
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		snprintf(text, sizeof text,
			 ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(%s) {.reg .b32 %%r<8>;\n%s\nret;}\n",
			 cases[i].parameter, cases[i].body);
		program_file("k.ptx", text);
		p = program_run("locus ptx %s/k.ptx", program_tmp());
		cr_expect_eq(p.status, cases[i].fits ? 0 : 2, "%s%s: %s", cases[i].parameter, cases[i].body, p.err);
		program_free(&p);
	}
	program_file("k.ptx", ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k() { ret; }\n");
	for (unsigned i = 0; i < sizeof dynamic / sizeof dynamic[0]; i++) {
		snprintf(text, sizeof text, "ptx: k.ptx\nlaunches: [{kernel: k, grid: 1, block: 1, dynamic_shared: %u}]\n",
			 dynamic[i].bytes);
		program_file("f.yaml", text);
		p = program_run("locus run %s/f.yaml --machine h100", program_tmp());
		cr_expect_eq(p.status, dynamic[i].fits ? 0 : 2, "%u bytes: %s", dynamic[i].bytes, p.err);
		program_free(&p);
	}
}

/* docs/how-to/sweep-and-cluster.md lists what an axis can set: each name of the program's table, and the bounds of a
 * plan. */
Test(docs, axes_of_sweeps_are_those_of_the_page)
{
	struct program p =
		program_run("sed -n 's/^\t{\"\\([a-z0-9-]*\\)\", SETTING_.*/`\\1`/p' harness/sweep/settings.c | while read n; do "
			    "sed -n '/^What an axis can set/,/^The value/p' docs/how-to/sweep-and-cluster.md | grep -qF \"$n\" || "
			    "echo \"$n\"; done; "
			    "grep -c 'SETTING_[A-Z]*,' harness/sweep/settings.c");

	cr_expect(strtoul(p.out, NULL, 10) > 20, "docs/how-to/sweep-and-cluster.md does not name: %s", p.out);
	program_free(&p);
	says("docs/how-to/sweep-and-cluster.md", "A plan has at most 32 axes, 4,096 values an axis, and 100,000 runs.");
	p = program_run(
		"for n in 4096 4097; do { echo 'name: s'; echo 'axes: {workload: [vectoradd], seed: 1..'$n'}'; } >%s/s.yaml; "
		"locus sweep %s/s.yaml --runs >/dev/null; echo $?; done; "
		"for n in 250 251; do { echo 'name: s'; echo 'axes: {workload: [vectoradd], seed: 1..400, max-cycles: 1..'$n'}'; "
		"} >%s/s.yaml; locus sweep %s/s.yaml --runs >/dev/null; echo $?; done",
		program_tmp(), program_tmp(), program_tmp(), program_tmp());
	cr_expect_str_eq(p.out, "0\n2\n0\n2\n", "%s%s", p.out, p.err);
	program_free(&p);
}

/* docs/reference/ptx-support.md names the commands that have --printf, and no others. */
Test(docs, commands_with_printf_are_those_of_the_page)
{
	struct program p = program_run(
		"for c in $(build/locus --help | grep -oE '^ +[a-z]+ ' | sort -u); do "
		"build/locus $c --help 2>/dev/null | grep -q -- --printf && echo $c; done >%s/have; "
		"tr '\\n' ' ' <docs/reference/ptx-support.md | grep -o 'with `--printf` (commands [^)]*)' | grep -o '`[a-z]*`' | "
		"tr -d '`' >%s/named; diff %s/have %s/named && wc -l <%s/named",
		program_tmp(), program_tmp(), program_tmp(), program_tmp(), program_tmp());

	cr_expect_str_eq(p.out, "9\n", "%s%s", p.out, p.err);
	program_free(&p);
}

/* The last line of a page of results, which the study printed: its runs and minutes. */
static double minutes_of(const char *study, unsigned *runs)
{
	struct program p = program_run(
		"sed -n 's/^`locus study .*: \\([0-9]*\\) runs, \\([0-9.]*\\) minutes.*/\\1 \\2/p' docs/results/%s.md", study);
	double minutes = 0;

	cr_assert_eq(sscanf(p.out, "%u %lf", runs, &minutes), 2, "%s", study);
	program_free(&p);
	return minutes;
}

Test(docs, durations_of_studies_are_those_that_they_printed)
{
	static const char *const study[] = {"cache", "coda", "gpus", "ldesc", "modern", "paver", "placement", "tafe"};
	char words[200];
	unsigned runs;

	snprintf(words, sizeof words, "Whole studies took from %.0f minutes (gpus) to %.0f (coda) of one processor",
		 minutes_of("gpus", &runs), minutes_of("coda", &runs));
	says("docs/tutorial/usage.md", words);
	for (unsigned i = 0; i < sizeof study / sizeof study[0]; i++)
		cr_expect(minutes_of(study[i], &runs) >= minutes_of("gpus", &runs) &&
				  minutes_of(study[i], &runs) <= minutes_of("coda", &runs),
			  "%s", study[i]);
	snprintf(words, sizeof words, "%.0f minutes of one processor", minutes_of("cache", &runs));
	says("docs/studies/dwt-pric.md", words);
	snprintf(words, sizeof words, "%u runs, ", runs);
	says("docs/studies/dwt-pric.md", words);
	snprintf(words, sizeof words, "`make study-modern`, %.0f minutes of one processor", minutes_of("modern", &runs));
	says("docs/studies/modern-gpus.md", words);
}

/* The table of speeds has the cost of lockstep that docs/how-to/cosimulate-your-rtl.md has, which says how it is
 * measured. */
Test(docs, the_cost_of_lockstep_is_one_figure)
{
	char *text = program_text("docs/how-to/cosimulate-your-rtl.md"), words[100];
	const char *matmul = strstr(text, "| matmul | "), *vectoradd = strstr(text, "| vectoradd | ");

	cr_assert(matmul && vectoradd);
	snprintf(words, sizeof words, "matmul / vectoradd | %.4s / %.4s times the golden run's CPU time", matmul + 11,
		 vectoradd + 14);
	says("docs/explanation/scaling.md", words);
	free(text);
}

/* docs/reference/command-line.md: how much is read of each kind of file, as the program says of one of 2 TiB without
 * content. */
Test(docs, bounds_of_input_files_are_those_of_the_page)
{
	static const char *const row[][3] = {
		{"run %s/big.yaml", "16 MiB", "YAML 16 MiB"},
		{"run vectoradd --size test --machine %s/big.yaml", "16 MiB", "YAML 16 MiB"},
		{"sweep %s/big.yaml", "16 MiB", "YAML 16 MiB"},
		{"ptx %s/big", "256 MiB", "PTX and results 256 MiB"},
		{"diff %s/big %s/big", "256 MiB", "PTX and results 256 MiB"},
		{"report %s/big", "256 MiB", "PTX and results 256 MiB"},
		{"machine import %s/big", "1 MiB", "options of GPGPU-Sim 1 MiB"},
		{"cache %s/big", "64 GiB", "No file of more than 64 GiB is read"},
		{"dram %s/big", "64 GiB", "No file of more than 64 GiB is read"},
		{"run %s/big.ltrace", "64 GiB", "No file of more than 64 GiB is read"},
	};

	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		char command[1000], words[100];
		struct program p;

		snprintf(command, sizeof command, row[i][0], program_tmp(), program_tmp());
		snprintf(words, sizeof words, "larger than %s, the most that is read", row[i][1]);
		p = program_run("truncate -s 2T %s/big %s/big.yaml %s/big.ltrace && locus %s", program_tmp(), program_tmp(),
				program_tmp(), command);
		cr_expect(program_is_clean_error(&p));
		cr_expect(strstr(p.err, words), "%s: %s", command, p.err);
		says("docs/reference/command-line.md", row[i][2]);
		program_free(&p);
	}
}
