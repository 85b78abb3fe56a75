/* 134: the launch files that docs/reference/launch-file.md shows do what is beside them. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

/* The n-th block of the page between ```yaml and ```, as a file of the temporary folder. */
static void from_docs(unsigned n, const char *name)
{
	struct program p = program_run(
		"awk '/^```yaml$/ { k++; inside = k == %u; next } /^```$/ { inside = 0 } inside' docs/reference/launch-file.md "
		">%s/%s && [ -s %s/%s ] && ln -s $PWD/traces %s",
		n, program_tmp(), name, program_tmp(), name, program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(docs, the_first_one_is_the_example_in_traces)
{
	struct program p;

	from_docs(1, "my.yaml");
	p = program_run("diff %s/my.yaml traces/examples/saxpy.yaml | grep '^[<>]'", program_tmp());
	cr_expect_eq(strncmp(p.out, "> # ", 4), 0, "the file's own comment alone differs: %s", p.out);
	cr_expect_eq(strchr(p.out, '\n'), p.out + strlen(p.out) - 1, "%s", p.out);
	program_free(&p);
}

Test(docs, the_second_one_dumps_the_sums)
{
	struct program p;

	from_docs(2, "my.yaml");
	p = program_run("cd %s && locus run my.yaml", program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	/* 1 4 9 16 as floats behind a header of whole 64 bytes; 1 2 3 4 as text. */
	p = program_run("cd %s && tail -c 16 sums.npy | od -An -tx4 && cat x.txt", program_tmp());
	cr_expect_str_eq(p.out, " 3f800000 40800000 41100000 41800000\n1\n2\n3\n4\n");
	program_free(&p);
}
