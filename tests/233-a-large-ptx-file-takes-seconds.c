/* 233: parsing and lowering cost about as much for each line of a long text as of a short one, however its names and branches lie.
 * Most of these took minutes when each line was compared with all others. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/cputime.h"
#include "ptx/ptx.h"

enum { MANY = 200000, SECONDS = 20 /* one or two are needed; a sanitizer's build takes some times as many */ };

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

/* Ends the text and parses it, which must not take long. */
static void takes_seconds(FILE *f, char **text, size_t *bytes, unsigned kernels)
{
	double before = cpu_seconds();
	struct err e = {""};
	struct ptx_module *m;

	fclose(f);
	m = ptx_parse(*text, *bytes, "long.ptx", &e);
	cr_assert(m, "%s", e.text);
	cr_assert_eq(ptx_n_kernels(m), kernels);
	cr_assert_lt(cpu_seconds() - before, SECONDS);
	ptx_close(m);
	free(*text);
}

Test(long_ptx, with_a_label_and_a_branch_on_each_line, .timeout = 120)
{
	char *text;
	size_t bytes;
	FILE *f = begin(&text, &bytes);

	open_kernel(f);
	for (unsigned i = 0; i < 2 * MANY; i++)
		fprintf(f, "@%%p1 bra L%u;\nL%u:\n", i, i);
	fputs("ret;\n}\n", f);
	takes_seconds(f, &text, &bytes, 1);
}

Test(long_ptx, with_loops_inside_loops, .timeout = 120)
{
	char *text;
	size_t bytes;
	FILE *f = begin(&text, &bytes);

	open_kernel(f);
	for (unsigned i = 0; i < MANY; i++)
		fprintf(f, "L%u:\nadd.s32 %%r1, %%r1, 1;\n", i);
	for (unsigned i = MANY; i-- > 0;)
		fprintf(f, "@%%p1 bra L%u;\n", i);
	fputs("ret;\n}\n", f);
	takes_seconds(f, &text, &bytes, 1);
}

/* What is alive goes from the first line, which comes last, through all blocks, which lie in the wrong order. */
Test(long_ptx, with_its_blocks_in_reverse, .timeout = 120)
{
	char *text;
	size_t bytes;
	FILE *f = begin(&text, &bytes);

	open_kernel(f);
	fprintf(f, "bra L%u;\nL0:\nadd.s32 %%r1, %%r2, %%r3;\nret;\n", MANY - 1);
	for (unsigned i = 1; i < MANY; i++)
		fprintf(f, "L%u:\nbra L%u;\n", i, i - 1);
	fputs("}\n", f);
	takes_seconds(f, &text, &bytes, 1);
}

Test(long_ptx, with_many_kernels_and_functions, .timeout = 120)
{
	char *text;
	size_t bytes;
	FILE *f = begin(&text, &bytes);

	for (unsigned i = 0; i < MANY; i++)
		fprintf(f, ".func f%u()\n{\nret;\n}\n.visible .entry k%u()\n{\nret;\n}\n", i, i);
	takes_seconds(f, &text, &bytes, MANY);
}

Test(long_ptx, with_many_variables_constants_and_opcodes, .timeout = 120)
{
	char *text;
	size_t bytes;
	FILE *f = begin(&text, &bytes);

	for (unsigned i = 0; i < MANY; i++)
		fprintf(f, ".global .u32 g%u;\n", i);
	open_kernel(f);
	for (unsigned i = 0; i < MANY; i++)
		fprintf(f,
			".local .u8 l%u;\nld.global.u32 %%r1, [g%u];\nld.local.u8 %%r1, [l%u];\nadd.s32 %%r1, %%r1, %u;\nop%u;\n",
			i, i, i, i, i % 60000);
	fputs("ret;\n}\n", f);
	takes_seconds(f, &text, &bytes, 1);
}

/* A name is sought in each scope outwards, so their depth is bounded. */
Test(long_ptx, is_refused_where_blocks_are_nested_beyond_measure)
{
	char *text;
	size_t bytes;
	FILE *f = begin(&text, &bytes);
	struct err e = {""};

	open_kernel(f);
	for (unsigned i = 0; i < MANY; i++)
		fputs("{\n", f);
	fclose(f);
	cr_assert_null(ptx_parse(text, bytes, "long.ptx", &e));
	cr_assert_str_eq(e.text, "long.ptx:71:1: blocks are nested more than 64 deep, found \"{\"");
	free(text);
}
