/* Loads and stores: widths, signs, vectors; shared, local, constant and parameter space; generic addresses. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/ptx.h"

/* Each thread's word of `in` is at %rd1, its two words of `out` at %rd2; %r1 is the thread. */
#define FRAME                                                                                                                      \
	"ld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\nmov.u32 %r1, %tid.x;\n"                                              \
	"mul.wide.u32 %rd3, %r1, 4;\nadd.s64 %rd1, %rd1, %rd3;\n"                                                                  \
	"mul.wide.u32 %rd3, %r1, 8;\nadd.s64 %rd2, %rd2, %rd3;\n"

static uint64_t one_thread(const char *head, const char *body, uint32_t in0, uint32_t in1)
{
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1}, in[2] = {in0, in1};
	struct ptx_try t;
	char text[4096];
	uint64_t out;

	snprintf(text, sizeof text, "%s%s", FRAME, body);
	ptx_try_run(&t, head, text, grid, block, in, 2, NULL);
	cr_assert_eq(t.result, 0, "%s: %s", body, t.e.text);
	memcpy(&out, ptx_try_out(&t), 8);
	ptx_try_free(&t);
	return out;
}

Test(ptx_memory, a_load_extends_as_its_type_says)
{
	static const struct {
		const char *body;
		uint64_t want;
	} cases[] = {
		{"ld.global.u8 %r3, [%rd1]; st.global.u32 [%rd2], %r3;", 0x84},
		{"ld.global.s8 %r3, [%rd1]; st.global.u32 [%rd2], %r3;", 0xffffff84},
		{"ld.global.b8 %h3, [%rd1+1]; st.global.u16 [%rd2], %h3;", 0x83},
		{"ld.global.s8 %h3, [%rd1+1]; st.global.u16 [%rd2], %h3;", 0xff83},
		{"ld.global.s8 %rd3, [%rd1+3]; st.global.u64 [%rd2], %rd3;", 0xffffffffffffff81},
		{"ld.global.u16 %r3, [%rd1+2]; st.global.u32 [%rd2], %r3;", 0x8182},
		{"ld.global.s16 %r3, [%rd1+2]; st.global.u32 [%rd2], %r3;", 0xffff8182},
		{"ld.global.s16 %rd3, [%rd1]; st.global.u64 [%rd2], %rd3;", 0xffffffffffff8384},
		{"ld.global.u32 %rd3, [%rd1]; st.global.u64 [%rd2], %rd3;", 0x81828384},
		{"ld.global.s32 %rd3, [%rd1]; st.global.u64 [%rd2], %rd3;", 0xffffffff81828384},
		{"ld.global.u64 %rd3, [%rd1]; st.global.u64 [%rd2], %rd3;", 0x0506070881828384},
		{"ld.global.f32 %f1, [%rd1+4]; st.global.f32 [%rd2], %f1;", 0x05060708},
		{"ld.global.nc.u32 %r3, [%rd1]; st.volatile.global.u8 [%rd2+1], %r3;", 0x8400},
		{"ld.global.L1::evict_last.u32 %r3, [%rd1]; st.global.wb.u16 [%rd2+2], %r3;", 0x83840000},
		{"ld.global.u32 %r3, [%rd1]; st.global.u64 [%rd2], 5;", 5},
		{"ld.global.v2.u32 {%r3, %r4}, [%rd1]; st.global.v2.u32 [%rd2], {%r4, %r3};", 0x8182838405060708},
		{"ld.global.v2.u16 {%h3, %h4}, [%rd1+4]; st.global.v4.u16 [%rd2], {%h4, %h3, 7, %h4};", 0x0506000707080506},
		{"ld.global.v4.u8 {%r3, %r4, %r5, %r6}, [%rd1]; st.global.v4.u8 [%rd2+4], {%r6, %r5, %r4, %r3};",
		 0x8483828100000000},
		{"ld.u32 %r3, [%rd1]; st.u32 [%rd2+4], %r3;", 0x8182838400000000},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		uint64_t got = one_thread("", cases[i].body, 0x81828384, 0x05060708);

		cr_assert_eq(got, cases[i].want, "%s: got %#llx", cases[i].body, (unsigned long long)got);
	}
}

Test(ptx_memory, variables_of_the_module_hold_their_initial_values)
{
	static const char head[] = ".global .align 4 .u32 g[4] = {1, 2, 3};\n"
				   ".const .align 8 .f64 c = 0d3FF0000000000000;\n"
				   ".global .align 1 .b8 bytes[6] = {72, 101, 0xff};\n"
				   ".global .align 8 .u64 to_g[2] = {g, generic(g)+8};\n"
				   ".const .f32 half = 0.5;\n.global .s32 minus = -7;\n"
				   ".visible .global .align 8 .b8 big[64];\n";

	cr_assert_eq(one_thread(head, "ld.global.u32 %r2, [g+8]; st.global.u32 [%rd2], %r2;", 0, 0), 3);
	cr_assert_eq(one_thread(head, "ld.global.u32 %r2, [g+12]; st.global.u32 [%rd2], %r2;", 0, 0), 0);
	cr_assert_eq(one_thread(head, "ld.const.f64 %fd1, [c]; st.global.f64 [%rd2], %fd1;", 0, 0), 0x3ff0000000000000);
	cr_assert_eq(one_thread(head, "ld.global.u16 %h1, [bytes]; st.global.u16 [%rd2], %h1;", 0, 0), 0x6548);
	cr_assert_eq(one_thread(head, "mov.u64 %rd4, bytes; ld.global.u16 %h1, [%rd4+2]; st.global.u16 [%rd2], %h1;", 0, 0), 0xff);
	cr_assert_eq(one_thread(head, "ld.global.u64 %rd4, [to_g+8]; ld.global.u32 %r2, [%rd4]; st.global.u32 [%rd2], %r2;", 0, 0),
		     3);
	cr_assert_eq(one_thread(head, "ld.const.f32 %f1, [half]; st.global.f32 [%rd2], %f1;", 0, 0), 0x3f000000);
	cr_assert_eq(one_thread(head, "ld.global.s32 %r2, [minus]; st.global.u32 [%rd2], %r2;", 0, 0), 0xfffffff9);
	cr_assert_eq(one_thread(head,
				"mov.u64 %rd4, g; cvta.global.u64 %rd5, g; sub.u64 %rd4, %rd4, %rd5; st.global.u64 [%rd2], %rd4;",
				0, 0),
		     0);
	cr_assert_eq(one_thread(head, "mov.u64 %rd4, g+4; ld.u32 %r2, [%rd4]; st.u32 [%rd2], %r2;", 0, 0), 2);
}

/* Each thread keeps its own local memory, and all share the shared one, by plain and by generic addresses. */
Test(ptx_memory, local_memory_is_private_and_shared_memory_is_not)
{
	static const char body[] = FRAME ".local .align 8 .b8 depot[16];\n.shared .align 4 .b8 tile[256];\n"
					 "mov.u64 %rd4, depot;\ncvta.local.u64 %rd5, %rd4;\n"
					 "st.local.u32 [%rd4+8], %r1;\n" /* own number, by its local address */
					 "ld.u32 %r2, [%rd5+8];\n"	 /* and by the generic one */
					 "st.local.u32 [depot+4], 9;\nld.local.u32 %r7, [%rd4+4];\nadd.u32 %r2, %r2, %r7;\n"
					 "mov.u32 %r3, tile;\nshl.b32 %r4, %r1, 2;\nadd.u32 %r3, %r3, %r4;\n"
					 "st.shared.u32 [%r3], %r2;\nbar.sync 0;\n"
					 "mov.u64 %rd6, tile;\ncvta.shared.u64 %rd6, %rd6;\n"
					 "sub.u32 %r5, 252, %r4;\ncvt.u64.u32 %rd7, %r5;\nadd.u64 %rd6, %rd6, %rd7;\n"
					 "ld.u32 %r6, [%rd6];\n" /* the mirror thread's */
					 "st.global.u32 [%rd2], %r6;\ncvta.to.shared.u64 %rd6, %rd6;\ncvt.u32.u64 %r6, %rd6;\n"
					 "st.global.u32 [%rd2+4], %r6;\n";
	struct ptx_try t;

	ptx_try_threads(&t, body, 64, NULL, 0);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 64; i++) {
		cr_assert_eq(ptx_try_out(&t)[2 * i], 63 - i + 9, "thread %u", i);
		cr_assert_eq(ptx_try_out(&t)[2 * i + 1], 252 - 4 * i, "thread %u", i);
	}
	ptx_try_free(&t);
}

/* Pointers into three spaces in one warp: each lane goes where its own address says. */
Test(ptx_memory, lanes_of_a_generic_access_may_go_to_different_spaces)
{
	static const char body[] = FRAME ".local .align 8 .b8 depot[8];\n.shared .align 8 .b8 tile[256];\n"
					 "mov.u64 %rd4, depot;\nst.local.u32 [%rd4], 100;\ncvta.local.u64 %rd4, %rd4;\n"
					 "mov.u64 %rd5, tile;\nst.shared.u32 [tile], 200;\ncvta.shared.u64 %rd5, %rd5;\n"
					 "rem.u32 %r2, %r1, 3;\nsetp.eq.u32 %p1, %r2, 0;\nsetp.eq.u32 %p2, %r2, 1;\n"
					 "selp.b64 %rd6, %rd5, %rd1, %p2;\nselp.b64 %rd6, %rd4, %rd6, %p1;\n"
					 "ld.u32 %r3, [%rd6];\nst.global.u32 [%rd2], %r3;\n"
					 "add.u32 %r3, %r3, 1;\nst.u32 [%rd6], %r3;\n"
					 "ld.local.u32 %r4, [depot];\nst.global.u32 [%rd2+4], %r4;\n";
	uint32_t in[32];
	struct ptx_try t;

	for (uint32_t i = 0; i < 32; i++)
		in[i] = 300 + i;
	ptx_try_threads(&t, body, 32, in, 32);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 32; i++) {
		cr_assert_eq(ptx_try_out(&t)[2 * i], i % 3 == 0 ? 100 : i % 3 == 1 ? 200 : 300 + i, "thread %u", i);
		cr_assert_eq(ptx_try_out(&t)[2 * i + 1], i % 3 == 0 ? 101u : 100u, "thread %u", i);
		cr_assert_eq(((uint32_t *)(void *)t.mem.buffer[1].bytes)[i], 300 + i + (i % 3 == 2), "thread %u", i);
	}
	ptx_try_free(&t);
}

/* Lanes of one load in two buffers. */
Test(ptx_memory, lanes_of_an_access_may_go_to_different_buffers)
{
	static const char body[] =
		FRAME "and.b32 %r2, %r1, 1;\nsetp.eq.u32 %p1, %r2, 1;\nmov.u64 %rd4, g;\nmul.wide.u32 %rd5, %r1, 4;\n"
		      "add.u64 %rd4, %rd4, %rd5;\nselp.b64 %rd4, %rd4, %rd1, %p1;\n"
		      "ld.global.u32 %r3, [%rd4];\nst.global.u32 [%rd2], %r3;\nst.global.u32 [%rd4], 77;\n";
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {32, 1, 1};
	uint32_t in[32];
	struct ptx_try t;

	for (uint32_t i = 0; i < 32; i++)
		in[i] = 300 + i;
	ptx_try_run(&t, ".global .u32 g[32] = {5, 5, 5};\n", body, grid, block, in, 32, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 32; i++) {
		cr_assert_eq(ptx_try_out(&t)[2 * i], i % 2 ? (i < 3 ? 5 : 0) : 300 + i, "thread %u", i);
		cr_assert_eq(((uint32_t *)(void *)t.mem.buffer[1].bytes)[i], i % 2 ? 300 + i : 77);
		cr_assert_eq(((uint32_t *)(void *)t.mem.buffer[2].bytes)[i], i % 2 ? 77 : (i < 3 ? 5 : 0));
	}
	ptx_try_free(&t);
}

Test(ptx_memory, dynamic_shared_arrays_begin_behind_the_static_ones)
{
	static const char text[] =
		".version 6.0\n.target sm_60\n.address_size 64\n.extern .shared .align 16 .b8 dyn[];\n"
		".extern .shared .align 4 .f32 also[];\n.shared .align 4 .b8 fixed[20];\n"
		".entry k(.param .u64 out)\n{\n.reg .b64 %rd<4>; .reg .b32 %r<4>;\n"
		"ld.param.u64 %rd1, [out];\nmov.u32 %r1, dyn;\nmov.u32 %r2, also;\nmov.u32 %r3, fixed;\n"
		"st.global.u32 [%rd1], %r1;\nst.global.u32 [%rd1+4], %r2;\nst.global.u32 [%rd1+8], %r3;\n"
		"st.shared.u32 [dyn+96], 1;\nmov.u32 %r1, %dynamic_smem_size;\nst.global.u32 [%rd1+12], %r1;\nret;\n}\n";
	struct err e = {""};
	struct memory mem = {0};
	struct ptx_module *m = ptx_parse(text, sizeof text - 1, "t.ptx", &e);
	struct ptx_launch l = {{1, 1, 1}, {1, 1, 1}, 100, NULL};
	uint64_t out;
	const uint32_t *got;

	cr_assert_not_null(m, "%s", e.text);
	cr_assert_eq(memory_add(&mem, "out", 64, &e), 0);
	out = mem.buffer[0].base;
	l.params = &out;
	cr_assert_eq(ptx_bind(m, &mem, &e), 0);
	cr_assert_eq(ptx_run(ptx_kernel_at(m, 0), &l, &mem, NULL, 0, &e), 0, "%s", e.text);
	got = (const uint32_t *)(const void *)mem.buffer[0].bytes;
	cr_assert_eq(got[0], 32); /* 20 bytes, rounded up to 16 */
	cr_assert_eq(got[1], 32);
	cr_assert_eq(got[2], 0);
	cr_assert_eq(got[3], 100);
	l.dynamic_shared_bytes = 96;
	cr_assert_eq(ptx_run(ptx_kernel_at(m, 0), &l, &mem, NULL, 0, &e), -1, "an access behind the dynamic array's end");
	ptx_close(m);
	memory_free(&mem);
}

Test(ptx_memory, parameters_may_be_structures_by_value)
{
	static const char text[] =
		".version 6.0\n.target sm_60\n.address_size 64\n"
		".entry k(.param .u32 small, .param .align 8 .b8 s[24], .param .u8 byte, .param .u64 .ptr .global .align 4 out)\n"
		"{\n.reg .b64 %rd<9>; .reg .b32 %r<9>; .reg .f32 %f<4>;\n.reg .b16 %h<3>;\n"
		"ld.param.u64 %rd1, [out];\nld.param.v2.u32 {%r1, %r2}, [s+8];\nld.param.u64 %rd2, [s];\n"
		"mov.b64 %rd3, s;\nadd.s64 %rd3, %rd3, 16;\nld.param.f32 %f1, [%rd3];\nld.param.u8 %h1, [byte];\n"
		"st.global.u64 [%rd1], %rd2;\nst.global.v2.u32 [%rd1+8], {%r1, %r2};\nst.global.f32 [%rd1+16], %f1;\n"
		"st.global.u16 [%rd1+20], %h1;\nret;\n}\n";
	struct {
		uint32_t small, pad;
		uint64_t a;
		uint32_t b, c;
		float f;
		uint32_t pad2;
		uint8_t byte;
		uint64_t out;
	} params = {1, 0, 0x1122334455667788, 5, 6, 1.5f, 0, 200, 0};
	struct err e = {""};
	struct memory mem = {0};
	struct ptx_module *m = ptx_parse(text, sizeof text - 1, "t.ptx", &e);
	struct ptx_launch l = {{1, 1, 1}, {1, 1, 1}, 0, &params};
	struct ptx_param p;

	cr_assert_not_null(m, "%s", e.text);
	cr_assert_eq(memory_add(&mem, "out", 64, &e), 0);
	params.out = mem.buffer[0].base;
	cr_assert_eq(ptx_n_params(ptx_kernel_at(m, 0)), 4);
	p = ptx_param_at(ptx_kernel_at(m, 0), 1);
	cr_assert(p.offset == 8 && p.bytes == 24 && p.align == 8 && !strcmp(p.type, "b8") && !strcmp(p.name, "s"));
	p = ptx_param_at(ptx_kernel_at(m, 0), 3);
	cr_assert(p.offset == 40 && p.bytes == 8 && p.align == 8 && !strcmp(p.type, "u64"), "offset %u align %u", p.offset,
		  p.align);
	cr_assert_eq(ptx_param_bytes(ptx_kernel_at(m, 0)), sizeof params);
	cr_assert_eq(ptx_run(ptx_kernel_at(m, 0), &l, &mem, NULL, 0, &e), 0, "%s", e.text);
	cr_assert_eq(memcmp(mem.buffer[0].bytes, &params.a, 20), 0);
	cr_assert_eq(mem.buffer[0].bytes[20], 200);
	ptx_close(m);
	memory_free(&mem);
}
