/* 278: .maxntid and .reqntid. PTX ISA 9.0, 11.4: the product of the extents of .maxntid is never exceeded, those of
 * .reqntid are those of every launch, and one that is left out is 1; a launch that is otherwise fails. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ptx/memory.h"
#include "ptx/ptx.h"
#include "support/program.h"

static struct ptx_module *parse(const char *directives, struct err *e)
{
	char text[512];

	snprintf(text, sizeof text, ".version 7.0\n.target sm_70\n.address_size 64\n.entry k()\n%s\n{\nret;\n}\n", directives);
	return ptx_parse(text, strlen(text), "k.ptx", e);
}

static const struct bound {
	const char *directives;
	uint32_t most; /* that ptx_max_threads tells */
	uint32_t fits[3], not [3];
	const char *why;
} bounds[] = {
	{"", 1024, {1024, 1, 1}, {1025, 1, 1}, "kernel k: a block of 1025 x 1 x 1 threads; at most 1024 fit"},
	{".maxntid 256",
	 256,
	 {16, 4, 4},
	 {257, 1, 1},
	 "kernel k: a block of 257 x 1 x 1 threads is larger than its .maxntid allows (256)"},
	{".maxntid 16, 16",
	 256,
	 {256, 1, 1},
	 {16, 16, 2},
	 "kernel k: a block of 16 x 16 x 2 threads is larger than its .maxntid allows (256)"},
	{".maxntid 8, 8, 4 .minnctapersm 2",
	 256,
	 {1, 256, 1},
	 {17, 16, 1},
	 "kernel k: a block of 17 x 16 x 1 threads is larger than its .maxntid"},
	{".maxntid 4096, 1, 1", 1024, {1024, 1, 1}, {0, 1, 1}, "kernel k: a grid or a block of 0"},
	{".reqntid 32, 4",
	 128,
	 {32, 4, 1},
	 {128, 1, 1},
	 "kernel k: a block of 128 x 1 x 1 threads; its .reqntid requires 32 x 4 x 1"},
	{".reqntid 64 .maxnreg 32",
	 64,
	 {64, 1, 1},
	 {32, 1, 1},
	 "kernel k: a block of 32 x 1 x 1 threads; its .reqntid requires 64 x 1 x 1"},
};

Test(ptx_bounds, a_block_that_they_do_not_allow_is_refused_and_others_run)
{
	for (unsigned i = 0; i < sizeof bounds / sizeof bounds[0]; i++) {
		const struct bound *b = &bounds[i];
		struct err e = {""};
		struct ptx_module *m = parse(b->directives, &e);
		struct ptx_launch l = {.grid = {1, 1, 1}};
		struct memory mem = {.n = 0};
		const struct ptx_kernel *k;

		cr_assert_not_null(m, "%s", e.text);
		k = ptx_kernel_named(m, "k");
		cr_assert_eq(ptx_max_threads(k), b->most, "%s: %u", b->directives, ptx_max_threads(k));
		memcpy(l.block, b->fits, sizeof l.block);
		cr_assert_eq(ptx_run(k, &l, &mem, NULL, 0, &e), 0, "%s: %s", b->directives, e.text);
		memcpy(l.block, b->not, sizeof l.block);
		cr_assert_eq(ptx_run(k, &l, &mem, NULL, 0, &e), -1, "%s", b->directives);
		cr_assert_eq(strncmp(e.text, b->why, strlen(b->why)), 0, "%s: %s", b->directives, e.text);
		memory_free(&mem);
		ptx_close(m);
	}
}

Test(ptx_bounds, ones_that_are_none_are_refused_with_their_place)
{
	static const char *const bad[] = {".maxntid 0", ".maxntid 8, 8, 8, 8", ".reqntid", ".maxntid 16,", ".reqntid a"};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct err e = {""};

		cr_assert_null(parse(bad[i], &e), "%s", bad[i]);
		cr_assert(strstr(e.text, "k.ptx:") == e.text && strstr(e.text, "expected one to three numbers of threads"),
			  "%s: %s", bad[i], e.text);
	}
}

Test(ptx_bounds, a_launch_file_is_told_too)
{
	struct program p;

	program_file("k.ptx", ".version 7.0\n.target sm_70\n.address_size 64\n.entry k()\n.maxntid 64\n{\nret;\n}\n");
	program_file("k.yaml", "ptx: k.ptx\nlaunches:\n  - {kernel: k, grid: 1, block: 96, args: []}\n");
	p = program_run("locus run %s/k.yaml --machine gtx480", program_tmp());
	cr_assert_eq(program_is_clean_error(&p), 1);
	cr_assert(strstr(p.err, "kernel k: a block of 96 x 1 x 1 threads is larger than its .maxntid allows (64)"), "%s", p.err);
	program_free(&p);
}
