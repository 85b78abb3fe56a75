/* Directives, debug sections and initialisers as nvcc, its ancestors and clang write them; nothing of it changes what
 * runs. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/ptx.h"

static uint64_t one_thread(const char *head, const char *body)
{
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
	struct ptx_try t;
	uint64_t out;

	ptx_try_run(&t, head, body, grid, block, NULL, 0, NULL);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	memcpy(&out, ptx_try_out(&t), 8);
	ptx_try_free(&t);
	return out;
}

#define STORE(reg) "ld.param.u64 %rd1, [out]; st.global.u64 [%rd1], " reg "; ret;\n"

Test(ptx_syntax, debug_information_is_passed_over)
{
	static const char head[] =
		".file 1 \"/tmp/a \\\\ b.cu\", 1700000000, 1234\n"
		"\t.file\t2\t\"/usr/include/x.h\"\n"
		".section\t.debug_str\n{\n$L__info_string0:\n\t.b8 95,90,49,107,0\n}\n"
		".section .debug_abbrev {\n.b8 1 // Abbreviation Code\n.b8 17\n.b8 0 }\n"
		".section .debug_info\n{\n.b32 $L__info_end - $L__info_begin\n$L__info_begin:\n"
		".b32 .debug_abbrev\n.b64 $L__func_begin0\n.b64 .debug_str+5\n.b8 0xff, -1\n$L__info_end:\n}\n"
		".section .debug_macinfo { }\n"
		"\t@@DWARF .section .debug_info, \"\",@progbits\n\t@@DWARF .byte\t0x95, 0x02\n@@DWARF .4byte .debug_abbrev\n";
	static const char body[] =
		".loc 1 3 5\n$L__func_begin0:\n.loc 1 12 3, function_name $L__info_string0+3, inlined_at 1 10 5\n"
		"mov.u64 %rd2, 7; .loc 2 1 0\n" STORE("%rd2") "$L__tmp0:\n$L__func_end0:\n@@DWARF .byte 1\n";

	cr_assert_eq(one_thread(head, body), 7);
}

Test(ptx_syntax, directives_around_kernels_and_branches_are_passed_over)
{
	static const char head[] =
		".pragma \"nounroll\";\n.extern .func abort\n(.param .b64 a)\n.noreturn;\n"
		".weak .func (.param .b32 r) helper(.param .align 8 .b8 s[16]) { ret; }\n"
		".visible .entry other() .maxntid 256, 1, 1 .minnctapersm 2 .pragma \"x\"; { ret; }\n"
		".entry bare\n{\nexit;\n}\n"
		".global .attribute(.managed) .align 4 .u32 m = 3;\n"
		".global .surfref surface;\n.global .samplerref s = { addr_mode_0 = clamp_to_border, filter_mode = nearest };\n"
		".extern .shared .align 16 .b8 a[];\n.extern .shared .align 4 .b8 b[];\n";
	static const char body[] =
		"{ // callseq 0, 0\n.reg .b32 temp_param_reg;\n} // callseq 0\n"
		".reg.b64 %glued; .local.align 8 .b8 %local[8];\n{ .reg .b32 %x; mov.b32 %x, 1; { .reg .b32 %x; mov.b32 %x, 2; } "
		"cvt.u64.u32 %rd2, %x; }\n"
		"targets: .branchtargets L0, L1;\nprototype_0 : .callprototype (.param .b32 _) _ (.param .b64 _, .param .b8 "
		"_[4]);\n"
		"callees: .calltargets helper;\n.pragma \"nounroll\";\nbra.uni L1;\nL0:\ntrap;\nL1:\n" STORE("%rd2");

	cr_assert_eq(one_thread(head, body), 1);
}

Test(ptx_syntax, initialisers_hold_addresses_whole_and_in_bytes)
{
	static const char head[] =
		".global .align 4 .u32 g[4] = {1, 2, 3, 4};\n.func f() { ret; }\n.func g2() { ret; }\n"
		".global .align 8 .u64 plain = g;\n.global .align 8 .u64 far = generic(g)+12;\n"
		".global .align 8 .b8 bytes[10] = {0xFF(g), 0xFF00(g), 0xFF0000(g), 0xFF000000(g), 0xFF00000000(g),\n"
		"  0xFF0000000000(g), 0xFF000000000000(g), 0xFF00000000000000(generic(g)+4), 5, 6};\n"
		".global .align 8 .u64 table[3] = {f, g2, 0};\n";

	cr_assert_eq(one_thread(head, "ld.global.u64 %rd3, [plain]; mov.u64 %rd4, g; sub.u64 %rd2, %rd3, %rd4;" STORE("%rd2")), 0);
	cr_assert_eq(one_thread(head, "ld.global.u64 %rd3, [far]; ld.u32 %r1, [%rd3]; cvt.u64.u32 %rd2, %r1;" STORE("%rd2")), 4);
	cr_assert_eq(one_thread(head, "ld.global.u64 %rd3, [bytes]; ld.global.u32 %r1, [%rd3]; ld.global.u8 %r2, [bytes+9];\n"
				      "mad.lo.u32 %r1, %r2, 256, %r1; cvt.u64.u32 %rd2, %r1;" STORE("%rd2")),
		     6 * 256 + 1);
	/* functions differ from one another and from none */
	cr_assert_eq(one_thread(head, "ld.global.u64 %rd3, [table]; ld.global.u64 %rd4, [table+8]; setp.ne.u64 %p1, %rd3, %rd4;\n"
				      "setp.ne.and.u64 %p1, %rd3, 0, %p1; selp.u64 %rd2, 1, 0, %p1;" STORE("%rd2")),
		     1);
}

Test(ptx_syntax, what_only_resembles_them_is_refused)
{
	static const struct {
		const char *head, *want;
	} cases[] = {
		{".global .u32 g;\n.global .b8 b[4] = {0xF0(g)};\n", "only single bytes"},
		{".global .u32 g;\n.global .b8 b[4] = {g};\n", "an address does not fit"},
		{".global .u32 g;\n.global .u32 b[4] = {0xFF(g)};\n", "only single bytes"},
		{".global .u32 b[4] = {0xFF(nobody)};\n", "only single bytes"},
		{".global .b8 b[4] = {0xFF(nobody)};\n", "expected a number or the name"},
		{".global .texref t = { addr_mode_0 = wrap", "end of the file"},
		{".section .debug_str { .b8 1", "expected \"}\""},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct ptx_try t;
		char text[300];

		snprintf(text, sizeof text, "%s", cases[i].head);
		if (strstr(cases[i].want, "end of the file") || strstr(cases[i].want, "}")) {
			struct err e = {""};
			char all[400];

			snprintf(all, sizeof all, ".version 6.0\n.target sm_60\n%s", text);
			cr_assert_null(ptx_parse(all, strlen(all), "t.ptx", &e));
			cr_assert(strstr(e.text, cases[i].want), "%u: %s", i, e.text);
			continue;
		}
		ptx_try_parse(&t, text, "ret;");
		cr_assert_null(t.m);
		cr_assert(strstr(t.e.text, cases[i].want), "%u: %s", i, t.e.text);
		ptx_try_free(&t);
	}
}

Test(ptx_syntax, a_texture_with_modes_of_its_own_is_not_executed_as_if_it_had_none)
{
	FILE *nowhere = fopen("/dev/null", "w");
	struct ptx_try t;

	ptx_try_parse(&t, ".global .texref t = { addr_mode_0 = wrap };\n",
		      "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [t, {%r1}]; ret;");
	cr_assert(t.m, "%s", t.e.text);
	cr_assert_eq(ptx_print(t.m, nowhere), 1);
	fclose(nowhere);
	ptx_try_free(&t);
}
