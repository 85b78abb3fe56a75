/* 233: parsing and lowering cost about as much for each line of a long text as of a short one, wherever its names and
 * branches are. Most of these took minutes when each line was compared with all others. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cputime.h"
#include "ptx/ptx.h"

/* A text that is LONGER times as long may take SLOWER times as long: caches cost something, comparing all with all
 * costs LONGER^2. */
enum { SHORT = 10000, LONGER = 8, SLOWER = 3 * LONGER };

static FILE *begin(char **text, size_t *bytes)
{
	FILE *f = open_memstream(text, bytes);

	fputs(".version 6.0\n.target sm_60\n.address_size 64\n", f);
	return f;
}

static void open_kernel(FILE *f)
{
	fputs(".visible .entry k()\n{\n.reg .b32 %r<4>;\n.reg .pred %p<2>;\n", f);
}

/* The seconds that parsing takes for the text that write makes of n parts. */
static double seconds(void (*write)(FILE *f, unsigned n), unsigned n)
{
	struct err e = {""};
	struct ptx_module *m;
	double before, took;
	char *text;
	size_t bytes;
	FILE *f = begin(&text, &bytes);

	write(f, n);
	fclose(f);
	before = cpu_seconds();
	m = ptx_parse(text, bytes, "long.ptx", &e);
	took = cpu_seconds() - before;
	cr_assert(m, "%s", e.text);
	ptx_close(m);
	free(text);
	return took;
}

/* Where other programs run, too, a time may be long by chance: but not in each of five tries. */
static void costs_the_same_each_line(void (*write)(FILE *f, unsigned n))
{
	double few = 0, many = 0;

	for (unsigned i = 0; i < 5; i++) {
		few = seconds(write, SHORT);
		many = seconds(write, SHORT * LONGER);
		if (many < SLOWER * few)
			return;
	}
	cr_assert_fail("%.3f s, and %.3f s for a text %d times as long", few, many, LONGER);
}

static void branches(FILE *f, unsigned n)
{
	open_kernel(f);
	for (unsigned i = 0; i < 2 * n; i++)
		fprintf(f, "@%%p1 bra L%u;\nL%u:\n", i, i);
	fputs("ret;\n}\n", f);
}

Test(long_ptx, with_a_label_and_a_branch_on_each_line)
{
	costs_the_same_each_line(branches);
}

static void nested_loops(FILE *f, unsigned n)
{
	open_kernel(f);
	for (unsigned i = 0; i < n; i++)
		fprintf(f, "L%u:\nadd.s32 %%r1, %%r1, 1;\n", i);
	for (unsigned i = n; i-- > 0;)
		fprintf(f, "@%%p1 bra L%u;\n", i);
	fputs("ret;\n}\n", f);
}

Test(long_ptx, with_loops_inside_loops)
{
	costs_the_same_each_line(nested_loops);
}

/* What is alive goes from the first line, which comes last, through all blocks, which are in the wrong order. */
static void reverse_blocks(FILE *f, unsigned n)
{
	open_kernel(f);
	fprintf(f, "bra L%u;\nL0:\nadd.s32 %%r1, %%r2, %%r3;\nret;\n", n - 1);
	for (unsigned i = 1; i < n; i++)
		fprintf(f, "L%u:\nbra L%u;\n", i, i - 1);
	fputs("}\n", f);
}

Test(long_ptx, with_its_blocks_in_reverse)
{
	costs_the_same_each_line(reverse_blocks);
}

static void kernels_and_functions(FILE *f, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(f, ".func f%u()\n{\nret;\n}\n.visible .entry k%u()\n{\nret;\n}\n", i, i);
}

Test(long_ptx, with_many_kernels_and_functions)
{
	costs_the_same_each_line(kernels_and_functions);
}

static void variables_constants_and_opcodes(FILE *f, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		fprintf(f, ".global .u32 g%u;\n", i);
	open_kernel(f);
	for (unsigned i = 0; i < n; i++)
		fprintf(f,
			".local .u8 l%u;\nld.global.u32 %%r1, [g%u];\nld.local.u8 %%r1, [l%u];\nadd.s32 %%r1, %%r1, %u;\nop%u;\n",
			i, i, i, i, i % 60000);
	fputs("ret;\n}\n", f);
}

Test(long_ptx, with_many_variables_constants_and_opcodes)
{
	costs_the_same_each_line(variables_constants_and_opcodes);
}

/* A name is sought in each scope outwards, so their depth is bounded. */
Test(long_ptx, is_refused_where_blocks_are_nested_beyond_measure)
{
	char *text;
	size_t bytes;
	FILE *f = begin(&text, &bytes);
	struct err e = {""};

	open_kernel(f);
	for (unsigned i = 0; i < SHORT; i++)
		fputs("{\n", f);
	fclose(f);
	cr_assert_null(ptx_parse(text, bytes, "long.ptx", &e));
	cr_assert_str_eq(e.text, "long.ptx:71:1: blocks are nested more than 64 deep, found \"{\"");
	free(text);
}
