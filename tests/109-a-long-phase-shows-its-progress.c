/* 109: a phase that takes long says so on stderr, a line every ten seconds where that is no terminal; a short one says
 * nothing. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

/* Its input comes after eleven seconds: nothing here depends on how fast the machine is. */
Test(phases, a_line_comes_every_ten_seconds)
{
	struct program p = program_run("{ sleep 11; echo 0 1000; } | locus cache - 2>&1 >/dev/null");

	cr_assert_eq(p.status, 0);
	cr_assert_str_eq(p.out, "replaying standard input: 10 s\n", "%s", p.out);
	program_free(&p);
}

Test(phases, the_executor_shows_progress_too)
{
	struct program p =
		program_run("timeout 12 \"${LOCUS_BUILD:-build}/locus\" run matmul --size paper --arg n=4096 2>&1 >/dev/null");

	cr_assert_eq(p.status, 124);
	cr_assert_str_eq(p.out, "getting the trace of matmul: 10 s\n", "%s", p.out);
	program_free(&p);
}

/* script(1) gives a program a terminal: the third second rewrites a line, and the end clears it. */
Test(phases, on_a_terminal_a_line_is_rewritten_and_cleared)
{
	struct program p =
		program_run("script -qec \"sh -c '{ sleep 3.5; echo 0 1000; } | \\\"${LOCUS_BUILD:-build}/locus\\\" cache - "
			    ">/dev/null'\" /dev/null");

	cr_assert_str_eq(p.out, "\r\033[Kreplaying standard input: 2 s\r\033[Kreplaying standard input: 3 s\r\033[K", "%s", p.out);
	program_free(&p);
}

Test(phases, a_quick_run_says_nothing)
{
	struct program p = program_run("locus run vectoradd --size test");

	cr_assert_str_empty(p.err);
	program_free(&p);
	p = program_run(
		"script -qec \"sh -c '\\\"${LOCUS_BUILD:-build}/locus\\\" run vectoradd --size test >/dev/null'\" /dev/null");
	cr_assert_str_empty(p.out);
	program_free(&p);
}
