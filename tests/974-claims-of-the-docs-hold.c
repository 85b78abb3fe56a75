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

/* docs/how-to/run-cuda-programs.md names the options of locus run that locus cuda does not take, and these alone. */
Test(docs, options_that_locus_cuda_lacks_are_named)
{
	struct program p =
		program_run("for c in run cuda; do build/locus $c --help | grep -oE '^ +(-., )?--[a-z0-9-]+' | "
			    "grep -oE -- '--[a-z0-9-]+' | LC_ALL=C sort -u >%s/$c; done; LC_ALL=C comm -23 %s/run %s/cuda",
			    program_tmp(), program_tmp(), program_tmp());
	char *text = program_text("docs/how-to/run-cuda-programs.md"), *from = strstr(text, "Not there are `--arg`"), *end = NULL,
	     *save = NULL, quoted[100];
	unsigned lacks = 0, named = 0;

	end = from ? strstr(from, "record the program") : NULL;
	cr_assert_not_null(end);
	*end = '\0';
	for (char *option = strtok_r(p.out, "\n", &save); option; option = strtok_r(NULL, "\n", &save), lacks++) {
		snprintf(quoted, sizeof quoted, "`%s`", option);
		cr_expect(strstr(from, quoted), "docs/how-to/run-cuda-programs.md does not name %s", option);
	}
	for (const char *at = from; (at = strstr(at, "`--")) != NULL; at++)
		named++;
	cr_expect_eq(named, lacks);
	cr_expect_gt(lacks, 5);
	program_free(&p);
	free(text);
}

/* docs/how-to/install.md: locus(1) has exit status, environment and files; the page of a command has its options, each
 * as an item of its own. */
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
