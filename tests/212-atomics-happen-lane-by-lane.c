/* atom and red: each lane works on what the one before left, and gets the old value. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/ptx.h"

/* One lane's atomic on the 64-bit cell at in, operands %rd4 and %rd5 (or their halves); out = old value. */
static void one(const char *op, uint64_t cell, uint64_t b, uint64_t c, bool wide, uint64_t want_old, uint64_t want_new)
{
	uint64_t in[3] = {cell, b, c}, mask = wide ? UINT64_MAX : UINT32_MAX, old, now;
	char body[1024];
	struct ptx_try t;

	snprintf(body, sizeof body,
		 "ld.param.u64 %%rd1, [in];\nld.param.u64 %%rd2, [out];\nld.global.u64 %%rd4, [%%rd1+8];\nld.global.u64 %%rd5, "
		 "[%%rd1+16];\n"
		 "cvt.u32.u64 %%r4, %%rd4;\ncvt.u32.u64 %%r5, %%rd5;\nmov.b32 %%f4, %%r4;\nmov.b64 %%fd4, %%rd4;\nmov.u64 %%rd3, "
		 "0;\n%s;\n"
		 "mov.b32 %%r6, %%f3;\nst.global.u64 [%%rd2], %%rd3;\n%s",
		 op, wide ? "" : "st.global.u32 [%rd2], %r3;\n");
	ptx_try_threads(&t, body, 1, in, 6);
	cr_assert_eq(t.result, 0, "%s: %s", op, t.e.text);
	memcpy(&old, ptx_try_out(&t), 8);
	memcpy(&now, t.mem.buffer[1].bytes, 8);
	cr_assert_eq(old & mask, want_old, "%s: old value %#llx, want %#llx", op, (unsigned long long)old,
		     (unsigned long long)want_old);
	cr_assert_eq(now & mask, want_new, "%s: leaves %#llx, want %#llx", op, (unsigned long long)now,
		     (unsigned long long)want_new);
	ptx_try_free(&t);
}

Test(ptx_atomic, each_operation_updates_its_cell_and_returns_the_old_value)
{
	static const struct {
		const char *op;
		uint64_t cell, b, c, want;
		bool wide;
	} cases[] = {
		{"atom.global.add.u32 %r3, [%rd1], %r4", 0xffffffff, 2, 0, 1, false},
		{"atom.global.add.u64 %rd3, [%rd1], %rd4", 0xffffffff, 2, 0, 0x100000001, true},
		{"atom.global.min.s32 %r3, [%rd1], %r4", 5, 0xffffffff, 0, 0xffffffff, false},
		{"atom.global.min.u32 %r3, [%rd1], %r4", 5, 0xffffffff, 0, 5, false},
		{"atom.global.max.s32 %r3, [%rd1], %r4", 5, 0xffffffff, 0, 5, false},
		{"atom.global.max.u32 %r3, [%rd1], %r4", 5, 0xffffffff, 0, 0xffffffff, false},
		{"atom.global.max.s64 %rd3, [%rd1], %rd4", UINT64_MAX, 3, 0, 3, true},
		{"atom.global.min.u64 %rd3, [%rd1], %rd4", UINT64_MAX, 3, 0, 3, true},
		/* inc: old >= b ? 0 : old + 1; dec: old == 0 or old > b ? b : old - 1 */
		{"atom.global.inc.u32 %r3, [%rd1], %r4", 6, 7, 0, 7, false},
		{"atom.global.inc.u32 %r3, [%rd1], %r4", 7, 7, 0, 0, false},
		{"atom.global.dec.u32 %r3, [%rd1], %r4", 0, 7, 0, 7, false},
		{"atom.global.dec.u32 %r3, [%rd1], %r4", 9, 7, 0, 7, false},
		{"atom.global.dec.u32 %r3, [%rd1], %r4", 7, 7, 0, 6, false},
		{"atom.global.exch.b32 %r3, [%rd1], %r4", 6, 7, 0, 7, false},
		{"atom.global.exch.b64 %rd3, [%rd1], %rd4", 6, 1ull << 40, 0, 1ull << 40, true},
		{"atom.global.cas.b32 %r3, [%rd1], %r4, %r5", 6, 6, 9, 9, false},
		{"atom.global.cas.b32 %r3, [%rd1], %r4, %r5", 6, 5, 9, 6, false},
		{"atom.global.cas.b64 %rd3, [%rd1], %rd4, %rd5", 1ull << 40, 1ull << 40, 9, 9, true},
		{"atom.global.and.b32 %r3, [%rd1], %r4", 0xff, 0x1f0, 0, 0xf0, false},
		{"atom.global.or.b32 %r3, [%rd1], %r4", 0xff, 0x1f0, 0, 0x1ff, false},
		{"atom.global.xor.b32 %r3, [%rd1], %r4", 0xff, 0x1f0, 0, 0x10f, false},
		{"atom.relaxed.gpu.global.or.b64 %rd3, [%rd1], %rd4", 1, 1ull << 63, 0, 1ull << 63 | 1, true},
		{"atom.add.u32 %r3, [%rd1], 5", 1, 0, 0, 6, false},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
		one(cases[i].op, cases[i].cell, cases[i].b, cases[i].c, cases[i].wide, cases[i].cell, cases[i].want);
	/* floats: 1.5 + 2.25 = 3.75 */
	one("atom.global.add.f32 %f3, [%rd1], %f4;\nmov.b32 %r3, %f3", 0x3fc00000, 0x40100000, 0, false, 0x3fc00000, 0x40700000);
	one("atom.global.add.f64 %fd3, [%rd1], %fd4;\nmov.b64 %rd3, %fd3", 0x3ff8000000000000, 0x4002000000000000, 0, true,
	    0x3ff8000000000000, 0x400e000000000000);
	/* red gives nothing back */
	one("red.global.add.u32 [%rd1], %r4;\nmov.u32 %r3, 77", 5, 6, 0, false, 77, 11);
}

#define FRAME                                                                                                                      \
	"ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"                                              \
	"mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd2, %rd2, %rd3;\n.shared .align 4 .b8 count[64];\n"

/* Tickets: every thread draws another number, lower lanes first. */
Test(ptx_atomic, lanes_on_one_cell_go_in_lane_order)
{
	struct ptx_try t;

	ptx_try_threads(&t, FRAME "atom.global.add.u32 %r2, [%rd1], 3;\nst.global.u32 [%rd2], %r2;\n", 100, NULL, 0);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 100; i++)
		cr_assert_eq(ptx_try_out(&t)[i], 3 * i);
	cr_assert_eq(*(uint32_t *)(void *)t.mem.buffer[1].bytes, 300);
	ptx_try_free(&t);
}

/* A histogram modulo 10 in shared memory, generic and shared atomics mixed. */
Test(ptx_atomic, a_shared_histogram_counts_everything)
{
	struct ptx_try t;

	ptx_try_threads(&t,
			FRAME
			"rem.u32 %r2, %r1, 10;\nshl.b32 %r2, %r2, 2;\nmov.u32 %r3, count;\nadd.u32 %r3, %r3, %r2;\n"
			"red.shared.add.u32 [%r3], 1;\ncvt.u64.u32 %rd4, %r3;\ncvta.shared.u64 %rd4, %rd4;\n"
			"atom.add.u32 %r4, [%rd4], 1;\nbar.sync 0;\nsetp.ge.u32 %p1, %r1, 10;\n@%p1 exit;\nshl.b32 %r2, %r1, 2;\n"
			"mov.u32 %r3, count;\nadd.u32 %r3, %r3, %r2;\nld.shared.u32 %r5, [%r3];\nst.global.u32 [%rd2], %r5;\n",
			1003 - 3, NULL, 0);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 10; i++)
		cr_assert_eq(ptx_try_out(&t)[i], 200);
	ptx_try_free(&t);
}
