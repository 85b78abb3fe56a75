/* 119: manual pages, made from --help. groff judges their form. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

static void make_pages(void)
{
	struct program p = program_run("DATE=2026-01-01 scripts/man \"${LOCUS_BUILD:-build}/locus\" %s/man", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(manual, groff_finds_nothing_to_complain_of)
{
	struct program p;

	make_pages();
	p = program_run("for f in %s/man/*.1; do groff -man -Tutf8 -ww -z \"$f\" || exit 1; done", program_tmp());
	cr_expect_eq(p.status, 0);
	cr_expect_str_empty(p.err, "%s", p.err);
	program_free(&p);
}

Test(manual, has_a_page_for_every_command_with_its_options_and_examples)
{
	struct program p, names = program_run("locus --help | sed -n 's/^  \\([a-z]*\\) .*/\\1/p'");
	char *save = NULL;
	unsigned n = 0;

	make_pages();
	for (char *name = strtok_r(names.out, "\n", &save); name; name = strtok_r(NULL, "\n", &save)) {
		p = program_run("groff -man -Tascii -P-cbou %s/man/locus-%s.1 >%s/page && "
				"locus %s --usage | grep -o -- '--[a-z0-9-]*' | while read -r o; do grep -qF -- \"$o\" %s/page || "
				"exit 1; done && "
				"grep -q '^EXAMPLES' %s/page && "
				"grep -qF 'locus\\-%s (1)' %s/man/locus.1",
				program_tmp(), name, program_tmp(), name, program_tmp(), program_tmp(), name, program_tmp());
		cr_expect_eq(p.status, 0, "%s: %s", name, p.err);
		program_free(&p);
		n++;
	}
	cr_expect_geq(n, 20, "%u commands", n);
	program_free(&names);
	p = program_run("cd %s/man && grep -q 'EXIT STATUS' locus.1 && grep -q LOCUS_ROOT locus.1 && "
			"groff -man -Tascii -P-cbou locus-cosim.1 | grep -F \"sed 's/= ^/= ~^/' rtl/pric/pric_index.v >my.v\"",
			program_tmp());
	cr_expect_eq(p.status, 0, "examples can be pasted: %s", p.err);
	program_free(&p);
}
