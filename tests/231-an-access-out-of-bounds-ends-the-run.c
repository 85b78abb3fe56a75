/* Accesses that may not be: kernel, line, CTA, thread, address and what is around it, in one line; other refusals of a
 * run. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/ptx.h"

#define FRAME                                                                                                                      \
	"ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, "         \
	"%ntid.x;\n"                                                                                                               \
	"mad.lo.u32 %r1, %r2, %r3, %r1;\nmul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd1, %rd1, %rd3;\nadd.s64 %rd2, %rd2, %rd3;\n"

/* The head takes 4 lines, the declarations 8, FRAME 9: the body begins at line 22. */
static void fails(const char *body, uint32_t ctas, uint32_t threads, const char *const *want)
{
	const uint32_t grid[3] = {ctas, 1, 1}, block[3] = {threads, 1, 1};
	char text[2048];
	struct ptx_try t;

	snprintf(text, sizeof text, "%s%s", FRAME, body);
	ptx_try_run(&t, "", text, grid, block, NULL, 0, NULL);
	cr_assert_eq(t.result, -1, "%s", body);
	cr_assert_null(strchr(t.e.text, '\n'));
	for (; *want; want++)
		cr_assert(strstr(t.e.text, *want), "\"%s\" is not in: %s", *want, t.e.text);
	ptx_try_free(&t);
}

/* The buffers: out at 0x10000000, 16384 bytes; in at 0x10005000. */
Test(ptx_bounds, a_read_behind_a_buffer_names_all_there_is_to_know)
{
	static const char *const want[] = {"test.ptx:23:",
					   "kernel k",
					   "ld.global.f32",
					   "CTA 2 (2,0,0)",
					   "thread 5 (5,0,0)",
					   "reads 4 bytes at 0x10009000",
					   "below it: in 0x10005000..0x10009000 (16384 bytes)",
					   NULL};

	/* thread 5 of CTA 2, at 4 x 133 bytes + 0x3dec, is the first at the end */
	fails("mov.u32 %r9, 0;\nld.global.f32 %f1, [%rd1+15852];\n", 4, 64, want);
}

Test(ptx_bounds, a_write_between_two_buffers_names_both)
{
	static const char *const want[] = {"writes 8 bytes at 0x10004000", "below it: out", "above it: in", NULL};

	fails("st.global.u64 [%rd2+16384], %rd1;\n", 1, 1, want);
}

Test(ptx_bounds, an_access_must_be_aligned)
{
	static const char *const global[] = {"misaligned address 0x10005002, in in", "thread 0", NULL};
	static const char *const shared[] = {"misaligned offset 0x4 of the CTA's shared memory", NULL};

	fails("ld.global.u32 %r4, [%rd1+2];\n", 1, 1, global);
	fails(".shared .align 8 .b8 s[64];\nld.shared.u64 %rd4, [s+4];\n", 1, 1, shared);
}

Test(ptx_bounds, shared_local_and_parameter_space_have_ends_too)
{
	static const char *const shared[] = {"offset 0x40 of the CTA's shared memory, which has 64 bytes", "thread 16 (16,0,0)",
					     NULL};
	static const char *const local[] = {"offset 0x10 of the thread's local memory, which has 16 bytes", NULL};
	static const char *const param[] = {"offset 0x14 of the parameters, which has 20 bytes", NULL};
	static const char *const atomic[] = {"updates 4 bytes at 0x0, which are not in one buffer; above it: out", NULL};
	static const char *const generic[] = {"offset 0x50 of the CTA's shared memory", NULL};

	fails(".shared .align 8 .b8 s[64];\nmov.u32 %r4, s;\nmad.lo.u32 %r4, %r1, 4, %r4;\nst.shared.u32 [%r4], 1;\n", 1, 64,
	      shared);
	fails(".local .align 8 .b8 d[16];\nld.local.u32 %r4, [d+16];\n", 1, 1, local);
	fails("ld.param.u32 %r4, [n+4];\n", 1, 1, param);
	fails("mov.u64 %rd4, 0;\natom.global.add.u32 %r4, [%rd4], 1;\n", 1, 1, atomic);
	fails(".shared .align 8 .b8 s[64];\nmov.u64 %rd4, s;\ncvta.shared.u64 %rd4, %rd4;\nld.u32 %r4, [%rd4+80];\n", 1, 1,
	      generic);
}

Test(ptx_bounds, lanes_that_are_not_active_may_hold_any_address)
{
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {40, 1, 1};
	struct ptx_try t;

	ptx_try_run(&t, "",
		    FRAME
		    "mul.wide.u32 %rd4, %r1, 1000000;\nadd.s64 %rd4, %rd4, %rd1;\nsetp.eq.u32 %p1, %r1, 0;\n"
		    "@%p1 ld.global.u32 %r4, [%rd4];\n@!%p1 bra OUT;\nst.global.u32 [%rd4], 5;\nOUT: st.global.u32 [%rd2], 6;\n",
		    grid, block, NULL, 0, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	cr_assert_eq(*(uint32_t *)(void *)t.mem.buffer[1].bytes, 5);
	ptx_try_free(&t);
}

static void refuses(struct ptx_launch l, const char *body, const char *want)
{
	struct ptx_try t;
	struct {
		uint64_t out, in;
		uint32_t n;
	} params = {0};

	ptx_try_parse(&t, "", body);
	cr_assert_not_null(t.m, "%s", t.e.text);
	l.params = l.params ? l.params : &params;
	cr_assert_eq(ptx_run(ptx_kernel_at(t.m, 0), &l, &t.mem, NULL, 0, &t.e), -1);
	cr_assert(strstr(t.e.text, want), "%s", t.e.text);
	ptx_try_free(&t);
}

Test(ptx_bounds, a_launch_that_fits_no_machine_is_refused)
{
	refuses((struct ptx_launch){{1, 1, 1}, {1025, 1, 1}, 0, NULL}, "ret;", "at most 1024");
	refuses((struct ptx_launch){{1, 1, 1}, {32, 32, 2}, 0, NULL}, "ret;", "at most 1024");
	refuses((struct ptx_launch){{1, 1, 1}, {65536, 65536, 1}, 0, NULL}, "ret;", "at most 1024");
	refuses((struct ptx_launch){{0, 1, 1}, {32, 1, 1}, 0, NULL}, "ret;", "grid");
	refuses((struct ptx_launch){{65536, 65536, 2}, {32, 1, 1}, 0, NULL}, "ret;", "2^32");
	refuses((struct ptx_launch){{1, 1, 1}, {32, 1, 1}, 227 * 1024 + 1, NULL}, "ret;", "shared memory");
	refuses((struct ptx_launch){{1, 1, 1}, {32, 1, 1}, 0, NULL}, "mov.u32 %r1, 1;\nmov.u32 %r2, %clusterid.x;\nret;",
		"test.ptx:14: kernel k: mov.u32 is not supported");
	refuses((struct ptx_launch){{1, 1, 1}, {32, 1, 1}, 0, NULL}, "trap;", "trap");
}
