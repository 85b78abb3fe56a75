/* vprintf: the text is what C's printf makes of the same format and values; the result is the number of arguments. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"
#include "support/ptx.h"

#define DECLARE ".extern .func (.param .b32 r) vprintf(.param .b64 format, .param .b64 args);\n"
/* Buffer `in` holds the packed arguments in its first 256 bytes and the format behind them; out[0] gets the result. */
#define CALL                                                                                                                       \
	"ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; add.u64 %rd3, %rd1, 256;\n"                                            \
	"{ .param .b64 p0; .param .b64 p1; .param .b32 ret; st.param.b64 [p0], %rd3; st.param.b64 [p1], %rd1;\n"                   \
	"call.uni (ret), vprintf, (p0, p1);\nld.param.b32 %r1, [ret]; }\n st.global.u32 [%rd2], %r1; ret;\n"

/* What a run prints; it ends well if `result` is 0. */
static char *printed(const char *body, const void *in, uint32_t n_words, uint32_t threads, struct ptx_try *t, int result)
{
	struct {
		uint64_t out, in;
		uint32_t n;
	} params;
	struct ptx_launch l = {{1, 1, 1}, {threads, 1, 1}, 0, &params};
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	ptx_try_parse(t, DECLARE, body);
	cr_assert(t->m, "%s", t->e.text);
	memory_add(&t->mem, "out", 4096, &t->e);
	memory_add(&t->mem, "in", 4096, &t->e);
	memcpy(t->mem.buffer[1].bytes, in, 4u * n_words);
	params.out = t->mem.buffer[0].base;
	params.in = t->mem.buffer[1].base;
	params.n = 0;
	cr_assert_eq(ptx_bind(t->m, &t->mem, &t->e), 0);
	ptx_print_to(t->m, f);
	cr_assert_eq(ptx_run(ptx_kernel_named(t->m, "k"), &l, &t->mem, NULL, 0, &t->e), result, "%s", t->e.text);
	fclose(f);
	return text;
}

static void prints(const char *format, const void *args, size_t bytes, unsigned n_args, const char *want)
{
	char in[1024] = "";
	struct ptx_try t;
	char *text;

	memcpy(in, args, bytes);
	snprintf(in + 256, sizeof in - 256, "%s", format);
	text = printed(CALL, in, sizeof in / 4, 1, &t, 0);
	cr_assert_str_eq(text, want, "%s: \"%s\", not \"%s\"", format, text, want);
	cr_assert_eq(*ptx_try_out(&t), n_args, "%s: %u arguments", format, *ptx_try_out(&t));
	free(text);
	ptx_try_free(&t);
}

Test(ptx_printf, integers_have_the_size_that_the_directive_says)
{
	static const struct {
		int32_t d;
		uint32_t u;
		int64_t ld;
		uint32_t x;
		uint32_t pad;
		uint64_t lx;
	} a = {-5, 4000000000u, INT64_MIN, 0xbeef, 0, 0xfedcba9876543210};
	static const int32_t small[] = {-1, -1, 0x1ff, 300, 65};
	char want[400];

	snprintf(want, sizeof want, "%d %u %ld 0x%x %lx\n", a.d, a.u, (long)a.ld, a.x, (unsigned long)a.lx);
	prints("%d %u %ld 0x%x %lx\n", &a, sizeof a, 5, want);
	prints("%i %u %lld 0x%X %llX\n", &a, sizeof a, 5, "-5 4000000000 -9223372036854775808 0xBEEF FEDCBA9876543210\n");
	prints("%hd %hu %hhu %hhd %c", small, sizeof small, 5, "-1 65535 255 44 A");
	prints("%zu%%", &(uint64_t){1}, 8, 1, "1%");
	prints("no arguments, 100%%", small, 0, 0, "no arguments, 100%");
}

Test(ptx_printf, floats_widths_and_precisions_are_those_of_c)
{
	static const struct {
		int32_t width;
		uint32_t pad;
		double f[5];
	} a = {9, 0, {3.14159265, -1e300, 0.5, 1234567.0, -0.0}};
	char want[400];

	snprintf(want, sizeof want, "%*.3f|%e|%g|%G|%+.1f|", a.width, a.f[0], a.f[1], a.f[2], a.f[3], a.f[4]);
	prints("%*.3f|%e|%g|%G|%+.1f|", &a, sizeof a, 6, want);
	prints("%-8d|%08d|% d|%#x|%5c|", (int32_t[]){1, 2, 3, 255, 'z'}, 20, 5, "1       |00000002| 3|0xff|    z|");
	prints("%d %f %d", (struct {
		       int32_t a;
		       double b;
		       int32_t c;
	       }[]){{1, 2.5, 3}},
	       24, 3, "1 2.500000 3");
}

Test(ptx_printf, strings_lie_in_device_memory_and_pointers_print_in_hexadecimal)
{
	uint64_t in[32] = {MEMORY_FIRST_BASE + 2 * 4096 + 512, 0x12345678};
	char all[1024] = "";
	struct ptx_try t;
	char *text;

	memcpy(all, in, sizeof in);
	strcpy(all + 256, "[%s] [%4.2s] %p");
	((uint64_t *)(void *)all)[1] = in[0];
	((uint64_t *)(void *)all)[2] = 0x12345678;
	strcpy(all + 512, "text");
	text = printed(CALL, all, sizeof all / 4, 1, &t, 0);
	cr_assert_str_eq(text, "[text] [  te] 0x12345678");
	cr_assert_eq(*ptx_try_out(&t), 3);
	free(text);
	ptx_try_free(&t);
}

Test(ptx_printf, lanes_print_one_after_another_from_local_memory)
{
	static const char body[] =
		".local .align 8 .b8 depot[16];\nmov.u32 %r2, %tid.x; setp.ne.u32 %p1, %r2, 1;\n"
		"mov.u64 %rd4, depot; st.local.u32 [depot+8], %r2; cvta.local.u64 %rd5, %rd4; add.u64 %rd5, %rd5, 8;\n"
		"ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; add.u64 %rd3, %rd1, 256;\n"
		"{ .param .b64 p0; .param .b64 p1; .param .b32 ret; st.param.b64 [p0], %rd3; st.param.b64 [p1], %rd5;\n"
		"@%p1 call.uni (ret), vprintf, (p0, p1);\n} ret;\n";
	char in[512] = "";
	struct ptx_try t;
	char *text;

	strcpy(in + 256, "thread %d\n");
	text = printed(body, in, sizeof in / 4, 4, &t, 0);
	cr_assert_str_eq(text, "thread 0\nthread 2\nthread 3\n");
	free(text);
	ptx_try_free(&t);
}

static void fails(const char *format, const char *want)
{
	char in[4096] = "";
	struct ptx_try t;
	char *text;

	memset(in, 1, 256);
	snprintf(in + 256, sizeof in - 256, "%s", format);
	text = printed(CALL, in, sizeof in / 4, 1, &t, -1);
	cr_assert(strstr(t.e.text, want), "%s: %s", format, t.e.text);
	free(text);
	ptx_try_free(&t);
}

Test(ptx_printf, a_format_that_cannot_be_followed_ends_the_run)
{
	char many[200] = "";

	for (unsigned i = 0; i < 33; i++)
		strcat(many, "%d");
	fails("%n", "does not know the directive \"%n\"");
	fails("%", "does not know the directive");
	fails("%00000000000000000000d", "is too long");
	fails("%s", "reads its string at 0x101010101010101, where no memory is");
	fails(many, "more than 32 arguments");
}

Test(ptx_printf, a_format_without_end_and_arguments_without_memory_end_the_run)
{
	char in[4096];
	struct ptx_try t;

	memset(in, 'x', sizeof in);
	free(printed(CALL, in, sizeof in / 4, 1, &t, -1));
	cr_assert(strstr(t.e.text, "reads its format at"), "%s", t.e.text);
	ptx_try_free(&t);
}

Test(ptx_printf, a_failed_assertion_ends_the_run_with_its_location)
{
	static const char head[] =
		".extern .func __assertfail(.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);\n"
		".global .align 1 .b8 what[6] = {110, 32, 62, 32, 48, 0};\n"
		".global .align 1 .b8 file[5] = {97, 46, 99, 117, 0};\n.global .align 1 .b8 func[2] = {102, 0};\n";
	static const char body[] =
		"mov.u32 %r1, %tid.x; setp.eq.u32 %p1, %r1, 2; mov.u64 %rd1, what; mov.u64 %rd2, file; mov.u64 %rd3, func;\n"
		"{ .param .b64 p0; st.param.b64 [p0], %rd1; .param .b64 p1; st.param.b64 [p1], %rd2;\n"
		".param .b32 p2; st.param.b32 [p2], 12; .param .b64 p3; st.param.b64 [p3], %rd3; .param .b64 p4; st.param.b64 "
		"[p4], 1;\n"
		"@%p1 call.uni __assertfail, (p0, p1, p2, p3, p4); } ret;\n";
	const uint32_t one[3] = {1, 1, 1}, two[3] = {2, 1, 1}, four[3] = {4, 1, 1};
	struct ptx_try t;

	ptx_try_run(&t, head, body, one, two, NULL, 0, NULL); /* no thread 2: nothing fails */
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	ptx_try_free(&t);
	ptx_try_run(&t, head, body, one, four, NULL, 0, NULL);
	cr_assert_eq(t.result, -1);
	cr_assert(strstr(t.e.text, "thread 2 (2,0,0): assertion \"n > 0\" failed in f, a.cu:12"), "%s", t.e.text);
	ptx_try_free(&t);
}

Test(ptx_printf, the_command_line_decides_whether_it_is_shown)
{
	static const char ptx[] =
		".version 6.0\n.target sm_60\n.address_size 64\n" DECLARE ".global .align 1 .b8 $str[4] = {104, 105, 10, 0};\n"
		".visible .entry k()\n{ .reg .b64 %rd<2>; mov.u64 %rd1, $str;\n"
		"{ .param .b64 p0; .param .b64 p1; .param .b32 ret; st.param.b64 [p0], %rd1; st.param.b64 [p1], 0;\n"
		"call.uni (ret), vprintf, (p0, p1); } ret; }\n";
	const char *dir = program_tmp();
	struct program p;
	char path[4096];
	FILE *f;

	snprintf(path, sizeof path, "%s/k.ptx", dir);
	f = fopen(path, "w");
	fputs(ptx, f);
	fclose(f);
	snprintf(path, sizeof path, "%s/k.yaml", dir);
	f = fopen(path, "w");
	fputs("ptx: k.ptx\nlaunches: [{kernel: k, grid: 2, block: 1}]\n", f);
	fclose(f);
	p = program_run("locus run %s --max-cycles 100000", path);
	cr_assert(p.status == 0 && !strstr(p.err, "hi"), "%d: %s", p.status, p.err);
	program_free(&p);
	p = program_run("locus run --printf %s", path);
	cr_assert(p.status == 0 && !strcmp(p.err, "hi\nhi\n"), "%d: %s", p.status, p.err);
	program_free(&p);
	p = program_run("locus record --printf %s -o %s/k.ltrace", path, dir);
	cr_assert(p.status == 0 && !strcmp(p.err, "hi\nhi\n"), "%d: %s", p.status, p.err);
	program_free(&p);
	p = program_run("locus run --printf %s/k.ltrace", dir);
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
}
