/* 713: the cache of built blocks: a library that was damaged is built again, not loaded; so is one of which a header
 * elsewhere has changed; what a build that was killed left behind is removed, what one that is still at work has is
 * not. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

/* A checkout with a cache of its own, in program_tmp()/root; commands run in program_tmp(). */
#define OWN_CACHE                                                                                                                  \
	"here=$PWD; cd %s && mkdir -p root/build/blocks && ln -sfn \"$here\"/csim \"$here\"/harness \"$here\"/rtl root && "        \
	"ln -sfn \"$here/build/verilated\" root/build && export LOCUS_ROOT=$PWD/root && "

static void succeeds(const char *script)
{
	struct program p = program_run(OWN_CACHE "%s", program_tmp(), script);

	cr_assert_eq(p.status, 0, "status %d\n%s%s", p.status, p.out, p.err);
	program_free(&p);
}

/* Damages the library as a shell command on $so says, and asks for it again: it must be one of the old size, and not
 * the damaged one. */
static void damaged(const char *how)
{
	char script[1024];

	snprintf(script, sizeof script,
		 "locus blocks pric --params sets=32 && so=$(ls root/build/blocks/pric-*/block.so) && size=$(stat -c %%s $so) && "
		 "test $(echo $so | wc -w) = 1 && { %s; } && cp $so damaged.so && "
		 "locus blocks pric --params sets=32 && ! cmp -s $so damaged.so && test $(stat -c %%s $so) = $size",
		 how);
	succeeds(script);
}

Test(cache, a_library_that_was_cut_short_is_built_again)
{
	damaged("truncate -s 5000 $so");
	damaged("truncate -s 0 $so");
	damaged("truncate -s +1 $so");
}

Test(cache, a_library_with_a_wrong_byte_is_built_again)
{
	damaged("at=$(($(stat -c %s $so) / 2)) && byte=$(od -An -tu1 -j $at -N 1 $so) && "
		"printf \"\\\\$(printf %o $((255 - byte)))\" | dd of=$so bs=1 seek=$at conv=notrunc 2>/dev/null");
}

Test(cache, a_library_without_its_sum_or_without_itself_is_built_again)
{
	succeeds("locus blocks pric --params sets=32 && rm root/build/blocks/pric-*/block.sum && "
		 "locus blocks pric --params sets=32 && ls root/build/blocks/pric-*/block.sum && "
		 "rm root/build/blocks/pric-*/block.so && locus blocks pric --params sets=32");
}

/* The set that the index gives to address 0 is a constant of a header in the folder above. */
Test(cache, a_header_in_another_folder_counts_too)
{
	struct program p;

	program_file("set.vh", "`define SET 0\n");
	p = program_run(OWN_CACHE
			"mkdir -p mine && printf '`include \"../set.vh\"\\nmodule pric_index (input wire [31:0] addr_i, "
			"output wire [4:0] set_o, output wire [19:0] tag_o);\\n"
			"assign set_o = `SET ^ addr_i[11:7] ^ addr_i[16:12]; assign tag_o = addr_i[31:12];\\nendmodule\\n' "
			">mine/pric_index.v; for set in 0 1; do echo \"\\`define SET $set\" >set.vh; "
			"locus blocks pric --rtl mine/pric_index.v >/dev/null; cat "
			"root/build/blocks/pric-*/Vcosim___024root__DepSet_*__0.cpp | md5sum; "
			"done | uniq | wc -l",
			program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_eq(p.out, "2\n", "two headers, two libraries: %s", p.out);
	program_free(&p);
}

/* A compiler that waits as long as the file `hold` is there. */
#define SLOW                                                                                                                       \
	"printf '#!/bin/sh\\nwhile [ -e %%s/hold ]; do sleep 0.05; done\\nexec g++ \"$@\"\\n' $PWD >slow; chmod +x slow; >hold; "  \
	"CXX=$PWD/slow \"${LOCUS_BUILD:-$here/build}/locus\" blocks pric --params sets=32 & pid=$!; "                              \
	"for i in $(seq 400); do [ -n \"$(find root/build/blocks -name all.cpp)\" ] && break; sleep 0.05; done; "

Test(cache, what_a_killed_build_left_is_removed_by_the_next)
{
	struct program p =
		program_run(OWN_CACHE SLOW "kill -9 $pid; wait; ls -A root/build/blocks | wc -l; locus blocks set_monitor "
					   "--quiet; rm hold; ls -A root/build/blocks",
			    program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(strncmp(p.out, "1\nset_monitor-", 14), 0, "%s", p.out);
	cr_assert_null(strchr(strstr(p.out, "set_monitor-"), '.'), "%s", p.out);
	program_free(&p);
}

Test(cache, a_build_at_work_keeps_its_folder_and_ends_well)
{
	struct program p = program_run(OWN_CACHE SLOW
				       "locus blocks set_monitor --quiet; ls -d root/build/blocks/.locus-work-* | wc -l; rm hold; "
				       "wait $pid; echo status $?; ls -A root/build/blocks",
				       program_tmp());

	cr_assert_eq(strncmp(p.out, "1\n", 2), 0, "%s", p.out);
	cr_assert(strstr(p.out, "status 0\npric-"), "%s", p.out);
	cr_assert_null(strstr(strstr(p.out, "status 0"), ".locus-work-"), "%s", p.out);
	program_free(&p);
}

/* All of them find the block missing and build it. */
Test(cache, four_programs_may_build_one_block)
{
	struct program p = program_run(
		OWN_CACHE "for i in 1 2 3 4; do { locus blocks pric --params sets=32 --quiet || echo failed; } & done; wait; "
			  "ls -A root/build/blocks | wc -l",
		program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_eq(p.out, "1\n", "%s", p.err);
	program_free(&p);
}

/* A block in the cache is loaded into the program: whoever can write there could have it do anything. */
Test(cache, that_others_may_write_is_refused)
{
	static const char *const modes[] = {"0777", "0702"};

	for (unsigned i = 0; i < sizeof modes / sizeof modes[0]; i++) {
		struct program p =
			program_run("here=$PWD; cd %s && mkdir -p root x/locus/blocks && chmod %s x/locus/blocks && "
				    "ln -sfn \"$here\"/csim \"$here\"/harness \"$here\"/rtl root && "
				    "export LOCUS_ROOT=$PWD/root XDG_CACHE_HOME=$PWD/x && locus blocks pric --params sets=32",
				    program_tmp(), modes[i]);

		cr_expect_eq(p.status, 2, "status %d", p.status);
		cr_expect(strstr(p.err, "x/locus/blocks: may be written by others, who could make this program do anything"), "%s",
			  p.err);
		program_free(&p);
	}
}
