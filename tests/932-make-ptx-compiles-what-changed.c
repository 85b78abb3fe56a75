/* 932: `make ptx` compiles side by side, only what changed, and leaves a kernel.ptx alone that is right already. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"

/* In place of clang-14: names its input in the file `compiled` and copies it. With WAIT set, it ends only when as many
 * others have begun. */
static const char compiler[] =
	"#!/bin/sh\n"
	"[ \"$1\" != --version ] || { echo fake; exit; }\n"
	"while [ $# -gt 0 ]; do case $1 in -o) out=$2; shift;; -MF) dep=$2; shift;; *.cu) in=$1;; esac; shift; done\n"
	"echo \"$in\" >>compiled\n"
	"i=0; while [ \"$(wc -l <compiled)\" -lt \"${WAIT:-0}\" ]; do\n"
	"i=$((i + 1)); [ $i -lt 100 ] || exit 1; sleep 0.05; done\n"
	"echo \"$out: $in traces/include/device.h\" >\"$dep\"; cat \"$in\" >\"$out\"\n";

/* A checkout with three kernels, of which one's kernel.ptx is up to date. Older than everything is the time of a
 * checkout. */
static void checkout(void)
{
	struct program p;

	program_file("clang", compiler);
	p = program_run(
		"cd %s && chmod +x clang && mkdir -p scripts build traces/include traces/a traces/b traces/c && "
		"touch scripts/setup build/.setup traces/include/device.h && for k in a b c; do echo $k >traces/$k/kernel.cu; done "
		"&& "
		"echo a >traces/a/kernel.ptx && echo old >traces/b/kernel.ptx && touch -d 2000-01-01 traces/*/kernel.ptx && "
		"cp $OLDPWD/Makefile . && cp $OLDPWD/traces/traces.mk traces/",
		program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}
TestSuite(ptx, .init = checkout);

/* Runs make there; what was compiled, sorted, in one line. */
static void make(const char *args, const char *compiled)
{
	struct program p = program_run("cd %s && rm -f compiled && touch compiled && unset MAKEFLAGS MAKELEVEL SAN && "
				       "%s make ptx CLANG=./clang >/dev/null && sort compiled | tr '\\n' ' '",
				       program_tmp(), args);

	cr_expect_eq(p.status, 0, "%s: %s", args, p.err);
	cr_expect_str_eq(p.out, compiled, "%s", args);
	program_free(&p);
}

static void change(const char *command)
{
	/* Make compares times: what is changed is changed later than what was made. */
	struct program p = program_run("cd %s && sleep 0.02 && %s", program_tmp(), command);

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

#define ALL "traces/a/kernel.cu traces/b/kernel.cu traces/c/kernel.cu "

Test(ptx, is_compiled_when_it_changed)
{
	make("", ALL);
	make("", "");
	change("echo more >>traces/b/kernel.cu");
	make("", "traces/b/kernel.cu ");
	make("", "");
	change("touch traces/include/device.h");
	make("", ALL);
	change("sed -i s/fake/other/ clang");
	make("", ALL); /* another compiler */
}

Test(ptx, that_is_right_is_left_as_it_was)
{
	struct program p;

	make("", ALL);
	p = program_run("cd %s && cat traces/*/kernel.ptx && find traces -name '*.ptx' ! -newermt 2001-01-01", program_tmp());
	cr_expect_str_eq(p.out, "a\nb\nc\ntraces/a/kernel.ptx\n");
	program_free(&p);
	/* What was spoilt comes back without a compiler. */
	change("echo spoilt >traces/c/kernel.ptx");
	make("", "");
	p = program_run("cat %s/traces/c/kernel.ptx", program_tmp());
	cr_expect_str_eq(p.out, "c\n");
	program_free(&p);
}

Test(ptx, goes_elsewhere_with_ptx_out)
{
	struct program p;

	make("PTX_OUT=out", ALL);
	p = program_run("cd %s && cat out/*/kernel.ptx && cat traces/b/kernel.ptx && ls traces/c", program_tmp());
	cr_expect_str_eq(p.out, "a\nb\nc\nold\nkernel.cu\n");
	program_free(&p);
}

Test(ptx, compiles_side_by_side)
{
	make("WAIT=3 MAKEFLAGS=-j3", ALL);
}

Test(ptx, that_does_not_compile_fails_and_is_tried_again)
{
	struct program p;

	change("mv clang good && echo 'exit 1' >clang && chmod +x clang");
	p = program_run(
		"cd %s && unset MAKEFLAGS MAKELEVEL && make ptx CLANG=./clang >/dev/null 2>&1; echo $?; cat traces/b/kernel.ptx",
		program_tmp());
	cr_expect_str_eq(p.out, "2\nold\n");
	program_free(&p);
	change("mv good clang");
	make("", ALL);
}
