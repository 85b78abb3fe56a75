/* Recursion, calls through registers, the stack: against the same functions in C, and numbers from tables. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

/* fib(n) = n < 2 ? n : fib(n - 1) + fib(n - 2); two calls, so that registers and parameters must come back as they
 * were */
#define FIB                                                                                                                        \
	".func (.param .b32 r) fib(.param .b32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<8>;\nld.param.u32 %r1, [n];\n"               \
	"setp.lt.u32 %p1, %r1, 2;\nmov.u32 %r5, %r1;\n@%p1 bra DONE;\nsub.u32 %r2, %r1, 1;\n"                                      \
	"{\n.param .b32 a;\nst.param.b32 [a], %r2;\n.param .b32 b;\ncall.uni (b), fib, (a);\nld.param.b32 %r3, [b];\n}\n"          \
	"sub.u32 %r2, %r1, 2;\n"                                                                                                   \
	"{\n.param .b32 a;\nst.param.b32 [a], %r2;\n.param .b32 b;\ncall.uni (b), fib, (a);\nld.param.b32 %r4, [b];\n}\n"          \
	"add.u32 %r5, %r3, %r4;\nDONE:\nst.param.b32 [r], %r5;\nret;\n}\n"
#define LANE "mov.u32 %r1, %tid.x;\nld.param.u64 %rd2, [out];\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd2, %rd3;\n"
#define CALL(name, value)                                                                                                          \
	"{\n.param .b32 a;\nst.param.b32 [a], " value ";\n.param .b32 b;\ncall.uni (b), " name ", (a);\nld.param.b32 %r2, "        \
	"[b];\n}\n"
#define STORE "st.global.u32 [%rd2], %r2;\n"

static const uint32_t one[3] = {1, 1, 1};

static void run(struct ptx_try *t, const char *head, const char *body, uint32_t threads)
{
	const uint32_t block[3] = {threads, 1, 1};

	ptx_try_run(t, head, body, one, block, NULL, 0, NULL);
}

Test(ptx_frames, lanes_recurse_each_to_its_own_depth)
{
	static const uint32_t fib[] = {0, 1, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144};
	struct ptx_try t;

	run(&t, FIB, LANE "rem.u32 %r3, %r1, 13;\n" CALL("fib", "%r3") STORE, 70);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 70; i++)
		cr_assert_eq(ptx_try_out(&t)[i], fib[i % 13], "thread %u", i);
	ptx_try_free(&t);
}

/* even(n) = n == 0 ? 1 : odd(n - 1); odd(n) = n == 0 ? 0 : even(n - 1) */
#define PARITY(name, other, zero)                                                                                                  \
	".func (.param .b32 r) " name "(.param .b32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\nld.param.u32 %r1, [n];\n"          \
	"st.param.b32 [r], " zero ";\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 ret;\nsub.u32 %r1, %r1, 1;\n"                                 \
	"{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 b;\ncall.uni (b), " other ", (a);\nld.param.b32 %r2, [b];\n}\n"    \
	"st.param.b32 [r], %r2;\n}\n"

Test(ptx_frames, functions_call_each_other)
{
	static const char head[] =
		".func (.param .b32 r) odd(.param .b32 n);\n" PARITY("even", "odd", "1") PARITY("odd", "even", "0");
	struct ptx_try t;

	run(&t, head, LANE CALL("even", "%r1") STORE, 64);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(ptx_try_out(&t)[i], i % 2 == 0);
	ptx_try_free(&t);
}

/* Each call has a .local array, whose generic address goes to the next one: sum of the arrays of all depths. */
Test(ptx_frames, each_call_has_local_memory_of_its_own)
{
	static const char head[] =
		".func (.param .b32 r) chain(.param .b32 n, .param .b64 up)\n{\n.local .align 8 .b8 here[16];\n.reg .pred %p<2>;\n"
		".reg .b32 %r<8>;\n.reg .b64 %rd<8>;\nld.param.u32 %r1, [n];\nld.param.u64 %rd1, [up];\nmov.u64 %rd2, here;\n"
		"ld.u32 %r2, [%rd1+8];\nadd.u32 %r3, %r2, %r1;\nst.local.u32 [%rd2+8], %r3;\ncvta.local.u64 %rd3, %rd2;\n"
		"mov.u32 %r4, %r3;\nsetp.eq.u32 %p1, %r1, 0;\n@%p1 bra END;\nsub.u32 %r5, %r1, 1;\n"
		"{\n.param .b32 a;\nst.param.b32 [a], %r5;\n.param .b64 b;\nst.param.b64 [b], %rd3;\n.param .b32 c;\n"
		"call.uni (c), chain, (a, b);\nld.param.b32 %r4, [c];\n}\n"
		"ld.local.u32 %r6, [%rd2+8];\nxor.b32 %r6, %r6, %r3;\nadd.u32 %r4, %r4, %r6;\nEND:\nst.param.b32 [r], "
		"%r4;\nret;\n}\n";
	static const char body[] =
		".local .align 8 .b8 first[16];\nmov.u64 %rd5, first;\ncvta.local.u64 %rd4, %rd5;\n"
		"st.local.u32 [%rd5+8], 1000;\n" LANE
		"{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b64 b;\nst.param.b64 [b], %rd4;\n.param .b32 c;\n"
		"call.uni (c), chain, (a, b);\nld.param.b32 %r2, [c];\n}\n" STORE;
	struct ptx_try t;

	run(&t, head, body, 40);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 40; i++)
		cr_assert_eq(ptx_try_out(&t)[i], 1000 + i * (i + 1) / 2, "thread %u", i);
	ptx_try_free(&t);
}

#define UNARY(name, op)                                                                                                            \
	".func (.param .b32 r) " name "(.param .b32 n)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [n];\n" op                          \
	"st.param.b32 [r], %r1;\nret;\n}\n"
#define FUNCTIONS                                                                                                                  \
	UNARY("twice", "add.u32 %r1, %r1, %r1;\n")                                                                                 \
	UNARY("square", "mul.lo.u32 %r1, %r1, %r1;\n") UNARY("next", "add.u32 %r1, %r1, 1;\n")
#define TABLE ".global .align 8 .u64 table[3] = {twice, square, next};\n"
static uint32_t by(uint32_t which, uint32_t v)
{
	return which == 0 ? v + v : which == 1 ? v * v : v + 1;
}

Test(ptx_frames, lanes_call_different_functions_and_meet_again)
{
	static const char body[] =
		LANE "mov.u64 %rd4, table;\nrem.u32 %r3, %r1, 3;\nmul.wide.u32 %rd5, %r3, 8;\nadd.s64 %rd4, %rd4, %rd5;\n"
		     "ld.global.u64 %rd7, [%rd4];\n{\n.param .b32 a;\nst.param.b32 [a], %r1;\n.param .b32 b;\n"
		     "proto: .callprototype (.param .b32 _) _ (.param .b32 _);\ncall (b), %rd7, (a), proto;\n"
		     "ld.param.b32 %r2, [b];\n}\nactivemask.b32 %r4;\npopc.b32 %r4, %r4;\nmad.lo.u32 %r2, %r4, 10000, %r2;\n" STORE;
	struct ptx_try t;

	run(&t, FUNCTIONS TABLE, body, 64);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 64; i++)
		cr_assert_eq(ptx_try_out(&t)[i], 320000 + by(i % 3, i), "thread %u: %u", i, ptx_try_out(&t)[i]);
	ptx_try_free(&t);
}

Test(ptx_frames, a_call_by_a_name_that_was_moved_may_be_guarded)
{
	static const char body[] =
		LANE "mov.u64 %rd7, square;\nsetp.lt.u32 %p1, %r1, 5;\n{\n.param .b32 a;\nst.param.b32 [a], %r1;\n"
		     ".param .b32 b;\nst.param.b32 [b], 77;\n@%p1 call (b), %rd7, (a);\nld.param.b32 %r2, [b];\n}\n" STORE;
	struct ptx_try t;

	run(&t, FUNCTIONS, body, 32);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(ptx_try_out(&t)[i], i < 5 ? i * i : 77, "thread %u", i);
	ptx_try_free(&t);
}

Test(ptx_frames, threads_may_end_in_a_function)
{
	static const char head[] =
		".func (.param .b32 r) down(.param .b32 n)\n{\n.reg .pred %p<3>;\n.reg .b32 %r<4>;\nld.param.u32 %r1, [n];\n"
		"setp.eq.u32 %p1, %r1, 7;\n@%p1 exit;\nsetp.eq.u32 %p2, %r1, 0;\n@%p2 bra END;\nsub.u32 %r2, %r1, 1;\n"
		"{\n.param .b32 a;\nst.param.b32 [a], %r2;\n.param .b32 b;\ncall.uni (b), down, (a);\n}\n"
		"END:\nst.param.b32 [r], %r1;\nret;\n}\n";
	struct ptx_try t;

	run(&t, head, LANE "mov.u32 %r2, 99;\n" CALL("down", "%r1") STORE, 32);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(ptx_try_out(&t)[i], i < 7 ? i : 0, "thread %u", i);
	ptx_try_free(&t);
}

/* A call without .local variables takes 32 of the 32,768 bytes: 1,024 of them fit. */
Test(ptx_frames, the_stack_ends_at_its_limit_and_not_before)
{
	static const char head[] =
		".func (.param .b32 r) depth(.param .b32 n)\n{\n.reg .pred %p<2>;\n.reg .b32 %r<4>;\nld.param.u32 %r1, [n];\n"
		"setp.le.u32 %p1, %r1, 1;\nmov.u32 %r2, 0;\n@%p1 bra END;\nsub.u32 %r2, %r1, 1;\n"
		"{\n.param .b32 a;\nst.param.b32 [a], %r2;\n.param .b32 b;\ncall.uni (b), depth, (a);\nld.param.b32 %r2, [b];\n}\n"
		"END:\nadd.u32 %r2, %r2, 1;\nst.param.b32 [r], %r2;\nret;\n}\n";
	struct ptx_try t;

	run(&t, head, LANE CALL("depth", "1024") STORE, 1);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	cr_assert_eq(ptx_try_out(&t)[0], 1024);
	ptx_try_free(&t);
	run(&t, head, LANE CALL("depth", "1025") STORE, 1);
	cr_assert_eq(t.result, -1);
	cr_assert(strstr(t.e.text, "the stack of 32768 bytes a thread is full") && strstr(t.e.text, "call.uni"), "%s", t.e.text);
	ptx_try_free(&t);
}

Test(ptx_frames, a_wrong_target_ends_the_run_with_its_line)
{
	static const char *const bodies[] = {"mov.u64 %rd7, 0;\ncall %rd7, ();\n",
					     "mov.u64 %rd7, square;\nadd.s64 %rd7, %rd7, 1;\ncall %rd7, ();\n",
					     "mov.u64 %rd7, square;\ncall %rd7;\n"};
	static const char *const wants[] = {"calls 0x0,", "address of no function", "calls square with 0 parameters and results"};

	for (int i = 0; i < 3; i++) {
		struct ptx_try t;

		run(&t, FUNCTIONS, bodies[i], 32);
		cr_assert_eq(t.result, -1);
		cr_assert(strstr(t.e.text, wants[i]) && strstr(t.e.text, "test.ptx:"), "%s", t.e.text);
		ptx_try_free(&t);
	}
}

/* Two blocks of a thread's own size, of which the first must stay as it is; what was taken last is given back. */
Test(ptx_frames, alloca_takes_from_the_stack)
{
	static const char body[] =
		LANE "stacksave.u64 %rd9;\nadd.u32 %r3, %r1, 1;\nmul.wide.u32 %rd4, %r3, 4;\nalloca.u64 %rd5, %rd4, 16;\n"
		     "st.local.u32 [%rd5], %r1;\nalloca.u64 %rd6, %rd4, 16;\nst.local.u32 [%rd6], 5;\nld.local.u32 %r4, [%rd5];\n"
		     "and.b64 %rd7, %rd6, 15;\ncvt.u32.u64 %r5, %rd7;\nadd.u32 %r2, %r4, %r5;\nstackrestore.u64 %rd9;\n"
		     "alloca.u64 %rd10, 8;\nsub.s64 %rd11, %rd10, %rd5;\ncvt.u32.u64 %r6, %rd11;\nmad.lo.u32 %r2, %r6, 1000, "
		     "%r2;\n" STORE;
	struct ptx_try t;

	run(&t, "", body, 32);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 32; i++)
		cr_assert_eq(ptx_try_out(&t)[i], i, "thread %u", i);
	ptx_try_free(&t);
}
