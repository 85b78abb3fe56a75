/* What is no PTX: one line with file, line and column. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/ptx.h"
#include "support/program.h"

static void refuse(const char *text, const char *want)
{
	struct err e = {""};
	struct ptx_module *m = ptx_parse(text, strlen(text), "x.ptx", &e);

	cr_assert_null(m, "taken: %s", text);
	cr_assert_eq(strncmp(e.text, want, strlen(want)), 0, "%s\n  gives \"%s\", want \"%s...\"", text, e.text, want);
	cr_assert_null(strchr(e.text, '\n'));
}

#define V ".version 6.0\n"
#define K V ".entry k(.param .u64 p)\n{\n.reg .b32 %r<4>;\n.reg .pred %p;\n"

Test(ptx_errors, each_names_line_and_column)
{
	refuse("", "x.ptx:1:1: PTX begins with .version, found the end of the file");
	refuse("hello", "x.ptx:1:1: PTX begins with .version, found \"hello\"");
	refuse(V "nonsense", "x.ptx:2:1: expected a directive");
	refuse(V "/* never\nends", "x.ptx:2:1: this comment has no end");
	refuse(V ".file 1 \"x.cu\n.entry k() {ret;}", "x.ptx:2:9: this string has no end");
	refuse(K ".loc 1 \"2 3\nret;\n}", "x.ptx:6:8: this string has no end");
	refuse(V ".global .u32 x[2] = {1, 2, 3};", "x.ptx:2:28: more initial values");
	refuse(V ".global .u33 x;", "x.ptx:2:9: expected a type");
	refuse(V ".global .align 3 .u32 x;", "x.ptx:2:16: expected an alignment");
	refuse(V ".global .u32 x\n.global .u32 y;", "x.ptx:3:1: expected \";\"");
	refuse(V ".global .b8 x[1099511627777];", "x.ptx:2:28: this variable is larger");
	refuse(V ".global .u32 x; .global .u32 x;", "x.ptx:2:30: x is declared twice");
	refuse(V ".entry k(.param .u32 a, .param .u32 a)\n{\nret;\n}", "x.ptx:2:37: parameter a is there twice");
	refuse(K "mov.u32 %r1, 0f12;\n}", "x.ptx:6:18: a 0f literal needs 8 hexadecimal digits");
	refuse(K "mov.u32 %r1, 99999999999999999999;\n}", "x.ptx:6:33: this number does not fit in 64 bits");
	refuse(K "mov.u32 %r1, 09;\n}", "x.ptx:6:15: not a digit");
	refuse(K "mov.u32 %r1, \x01;\n}", "x.ptx:6:14: a character that has no place");
	refuse(K "ret;\n", "x.ptx:7:1: expected an instruction, a label or a directive, found the end of the file");
	refuse(V ".entry k()\n{ret;}\n.entry k()\n{ret;}", "x.ptx:4:8: a second function of this name");
	refuse(V ".entry k(.param .b8 big[40000])\n{ret;}", "x.ptx:2:21: parameter big");
}

/* What one function has that is no PTX refuses the kernels that have it, with its line; the file's others run. */
static void confine(const char *body, unsigned line, const char *want)
{
	static const char after[] = ".entry good()\n{\nret;\n}\n";
	char text[1024], said[256];
	struct err e = {""};
	struct memory mem = {0};
	const uint32_t one[3] = {1, 1, 1};
	struct ptx_launch l = {.grid = {1, 1, 1}, .block = {1, 1, 1}, .params = one};
	struct ptx_module *m;

	snprintf(text, sizeof text, "%s%s", body, after);
	m = ptx_parse(text, strlen(text), "x.ptx", &e);
	cr_assert_not_null(m, "%s: %s", body, e.text);
	cr_assert_eq(ptx_bind(m, &mem, &e), 0);
	cr_assert_eq(ptx_run(ptx_kernel_named(m, "good"), &l, &mem, NULL, 0, &e), 0, "%s", e.text);
	cr_assert_eq(ptx_run(ptx_kernel_at(m, 0), &l, &mem, NULL, 0, &e), -1, "%s", body);
	snprintf(said, sizeof said, "x.ptx:%u: kernel k is not supported: %s", line, want);
	cr_assert_eq(strncmp(e.text, said, strlen(said)), 0, "%s\n  gives \"%s\", want \"%s...\"", body, e.text, said);
	ptx_close(m);
	memory_free(&mem);
}

Test(ptx_errors, of_one_function_refuse_only_its_kernels)
{
	confine(K "add.u32 %r1, %r2, %r9;\n}", 6, "no register of this name, found \"%r9\"");
	confine(K "bra NOWHERE;\n}", 6, "no register, variable or label is named NOWHERE");
	confine(K "L: L: ret;\n}", 6, "label L is there twice");
	confine(K "@%r1 ret;\n}", 6, "a guard must be a predicate register");
	confine(K "ld.param.u32 %r1, [p\n;}", 7, "expected \"]\"");
	confine(K "mov.u32 %r1, %r2\n}", 7, "expected \";\"");
	confine(K "frob %r1, <%r2>, {%r1, {%r2}};\nret;\n}", 6, "expected an operand");
	confine(K ".frobnicate 3, {4; 5};\nret;\n}", 6, "a directive that cannot be here");
	confine(K ".reg .v4 .f32 %v;\nmov.f32 %v.x, 0f00000000;\nret;\n}", 6, "registers of vectors");
	confine(V ".entry k()\n{\n.reg .b32 %r<60001>;\n}", 4, "expected a number of registers");
	confine(V ".entry k()\n{\n.reg .b32 %a<50000>;\n.reg .b32 %b<50000>;\n}", 5, "too many registers");
	confine(V ".func f()\n{\nnonsense ::;\n}\n.entry k()\n{\ncall f;\nret;\n}", 4, "expected an instruction");
}

/* Opcodes cut short, or with operands of the wrong kind and number, parse: they are complaints, not crashes. */
Test(ptx_errors, an_opcode_that_is_not_whole_is_reported_with_its_line)
{
	static const char *const opcodes[] = {
		"set",	"setp",		  "set.lt", "setp.lt", "cvt",  "cvt.rn", "mov", "ld",	  "ld.global", "st",
		"atom", "red.global.add", "cvta",   "bar",     "shfl", "vote",	 "add", "mad.lo", "addc",      "call"};
	static const char *const operands[] = {
		"", " %r1", " %r1, %p", " {%r1, %r2}, [%r1]", " %r1, %r2, %r3, %r1, %r2, %r3", " 1, 2", " (%r1), _, %r1|%p"};
	FILE *sink = fopen("/dev/null", "w");

	for (unsigned i = 0; i < sizeof opcodes / sizeof opcodes[0]; i++) {
		for (unsigned k = 0; k < sizeof operands / sizeof operands[0]; k++) {
			char text[512];
			struct err e = {""};
			struct ptx_module *m;
			int n = snprintf(text, sizeof text, "%s%s%s;\nret;\n}\n", K, opcodes[i], operands[k]);

			m = ptx_parse(text, (size_t)n, "x.ptx", &e);
			cr_assert_not_null(m, "%s", e.text);
			cr_assert_eq(ptx_print(m, sink), 1, "%s%s is taken", opcodes[i], operands[k]);
			ptx_close(m);
		}
	}
	fclose(sink);
}

/* Any prefix, and any single damaged character, of a real file: an answer, never a crash. */
Test(ptx_errors, no_damage_to_a_file_does_harm)
{
	FILE *f = fopen("traces/reduction/kernel.ptx", "rb");
	char *text = malloc(1 << 20), *copy = malloc(1 << 20);
	size_t n;
	unsigned refused = 0;

	cr_assert_not_null(f);
	n = fread(text, 1, 1 << 20, f);
	fclose(f);
	for (size_t i = 0; i < n; i += 7) {
		static const char damage[] = {'{', '}', ';', '%', '[', ',', '0', '"', '\n', '.'};
		struct err e = {""};
		struct ptx_module *m;

		memcpy(copy, text, n);
		m = ptx_parse(copy, i, "x.ptx", &e);
		cr_assert((m != NULL) == (e.text[0] == 0));
		refused += m == NULL;
		ptx_close(m);
		e.text[0] = 0;
		copy[i] = damage[i % sizeof damage];
		m = ptx_parse(copy, n, "x.ptx", &e);
		cr_assert((m != NULL) == (e.text[0] == 0));
		ptx_close(m);
	}
	cr_assert_gt(refused, n / 7 / 2);
	free(text);
	free(copy);
}

Test(ptx_errors, what_nvcc_writes_beside_instructions_is_read_over)
{
	static const char text[] =
		"//\n// Generated by NVIDIA NVVM Compiler\n//\n# 1 \"x.cu\"\n.version 7.8\n.target sm_52, debug\n.address_size 64\n"
		".file 1 \"/tmp/x.cu\", 123, 456\n.extern .shared .align 16 .b8 s[];\n"
		".weak .func (.param .b32 r) cudaMalloc(.param .b64 a, .param .b64 b)\n{\n.reg .b32 %r<2>;\nmov.u32 %r1, 999;\n"
		"st.param.b32 [r+0], %r1;\nret;\n}\n"
		".visible .entry k(\n\t.param .align 4 .b8 k_param_0[12],\n\t.param .u64 .ptr .global .align 4 k_param_1\n)\n"
		".maxntid 256, 1, 1\n.minnctapersm 2\n{\n\t.local .align 4 .b8 __local_depot0[4];\n\t.reg .b64 %SP;\n\t.reg .b64 "
		"%SPL;\n"
		"\t.reg .b32 %r<3>;\n\t.loc 1 5 3, function_name $L__info_string0, inlined_at 1 9 1\n$L__func_begin0:\n"
		"\tmov.u64 %SPL, __local_depot0;\n\tcvta.local.u64 %SP, %SPL;\n\t.pragma \"nounroll\";\n"
		"\t{ .reg .b32 tmp; mov.u32 tmp, 0x10; add.u32 %r1, tmp, 1U; }\n\t{ .reg .b16 tmp; mov.b16 tmp, -1; }\n"
		"\tbar.sync \t0;\n\tret;\n$L__func_end0:\n\n}\n"
		".section .debug_str\n{\n$L__info_string0:\n.b8 95,90\n}\n";
	struct err e = {""};
	struct ptx_module *m = ptx_parse(text, sizeof text - 1, "x.ptx", &e);
	FILE *sink = fopen("/dev/null", "w");

	cr_assert_not_null(m, "%s", e.text);
	cr_assert_eq(ptx_n_kernels(m), 1);
	cr_assert_eq(ptx_print(m, sink), 0);
	cr_assert_eq(ptx_trace_kernel(ptx_kernel_named(m, "k"))->local_bytes, 8); /* 4, rounded up */
	fclose(sink);
	ptx_close(m);
}

Test(ptx_errors, locus_ptx_answers_whether_a_kernel_runs)
{
	struct program p = program_run("locus ptx traces/syrk/kernel.ptx traces/matmul/kernel.ptx");
	char path[4200];
	FILE *f;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "kernel") && strstr(p.out, "shared"));
	cr_assert_null(strstr(p.out, "not supported"));
	program_free(&p);

	snprintf(path, sizeof path, "%s/k.ptx", program_tmp());
	f = fopen(path, "w");
	fputs(V ".entry k()\n{\n.reg .b32 %r<4>;\n.reg .b64 %rd<2>;\nmov.u32 %r1, %clusterid.x;\nfrobnicate.u32 %r1, %r2;\n"
		"add.u32 %r1, %r2, %rd1;\nret;\n}\n",
	      f);
	fclose(f);
	p = program_run("locus ptx %s", path);
	cr_assert_eq(p.status, 2);
	cr_assert(strstr(p.out, "k.ptx:6: not supported: mov.u32"), "%s", p.out);
	cr_assert(strstr(p.out, "k.ptx:7: not supported: frobnicate.u32"), "%s", p.out);
	cr_assert(strstr(p.out, "k.ptx:8: not supported: add.u32"), "%s", p.out);
	cr_assert(strchr(p.err, '\n') == p.err + strlen(p.err) - 1, "one line: %s", p.err);
	program_free(&p);

	p = program_run("locus ptx %s/none.ptx", program_tmp());
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
	p = program_run("locus ptx");
	cr_assert_eq(p.status, 2);
	cr_assert(strstr(p.err, "needs a PTX file"), "%s", p.err);
	program_free(&p);
	p = program_run("locus ptx --help");
	cr_assert_eq(p.status, 0);
	cr_assert(strstr(p.out, "Examples"));
	program_free(&p);
}
