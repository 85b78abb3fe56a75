/* 242: .loc and .file say where an instruction comes from; a trace's hash does not change by them, nor by the lines
 * that they take in the PTX. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ptx/ptx.h"
#include "support/program.h"

#define HEAD ".version 6.0\n.target sm_60\n.address_size 64\n" /* lines 1 to 3 */

static const char plain[] = HEAD ".visible .entry k()\n{\n.reg .b32 %r<3>;\n" /* lines 4 to 6 */
				 "mov.u32 %r1, 1;\nLBB0_1:\nadd.s32 %r2, %r1, 1;\nret;\n}\n";
/* As clang writes it with -gline-tables-only; the declarations of files follow. */
static const char debug[] = HEAD ".visible .entry k()\n{\n.reg .b32 %r<3>;\n"
				 "\t.loc\t1 9 0\nLfunc_begin0:\n\t.loc\t1 10 3\nmov.u32 %r1, 1;\nLBB0_1:\n"
				 "$Ltmp0:\n\t.loc\t22 77 1, function_name $L__info_string0, inlined_at 1 10 3\n"
				 "add.s32 %r2, %r1, 1;\n\t.loc 1 0 3\nret;\nLtmp1:\nLfunc_end0:\n}\n"
				 "\t.section\t.debug_loc\n{\n.b8 1\n}\n"
				 "\t.file\t22 \"include/device.h\"\n\t.file 1 \"./k\x1b[2J.cu\", 170000, 12\n";

static struct ptx_module *parse(const char *text)
{
	struct err e = {""};
	struct ptx_module *m = ptx_parse(text, strlen(text), "k.ptx", &e);

	cr_assert(m != NULL, "%s", e.text);
	return m;
}

static const struct trace_kernel *kernel(const struct ptx_module *m)
{
	return ptx_trace_kernel(ptx_kernel_at(m, 0));
}

Test(debug_lines, name_the_file_and_the_line_of_the_loc_ahead)
{
	struct ptx_module *m = parse(debug);
	const struct trace_lines *l = kernel(m)->lines;

	cr_assert_eq(kernel(m)->n_inst, 3);
	cr_assert_eq(l->at[0].line, 10);
	cr_assert_str_eq(l->file[l->at[0].file - 1], "./k?[2J.cu"); /* it may be printed */
	cr_assert_eq(l->at[1].line, 77);
	cr_assert_str_eq(l->file[l->at[1].file - 1], "include/device.h");
	cr_assert_eq(l->at[2].line, 0, "a .loc of line 0 names no line");
	cr_assert_eq(l->at[2].file, 0);
	ptx_close(m);
}

Test(debug_lines, are_in_the_file_but_not_in_the_numbers_that_are_hashed)
{
	static const uint32_t in_file[] = {10, 14, 16}, without[] = {7, 9, 10};
	struct ptx_module *m = parse(debug), *p = parse(plain);

	for (int i = 0; i < 3; i++) {
		cr_assert_eq(kernel(m)->lines->at[i].text, in_file[i]);
		cr_assert_eq(kernel(m)->inst[i].line, without[i]);
		cr_assert_eq(kernel(p)->inst[i].line, without[i]);
		cr_assert_eq(kernel(p)->lines->at[i].text, without[i]);
		cr_assert_eq(kernel(p)->lines->at[i].line, 0);
	}
	ptx_close(m);
	ptx_close(p);
}

static struct trace *trace_of(const struct ptx_module *m)
{
	const struct trace_options o = {.name = "k"};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);

	trace_add_kernel(w, kernel(m));
	return trace_writer_finish(w, &e);
}

Test(debug_lines, leave_the_hash_of_a_trace_alone)
{
	struct ptx_module *m = parse(debug), *p = parse(plain);
	struct trace *with = trace_of(m), *without = trace_of(p);
	const struct trace_lines *l = trace_kernel(with, 0)->lines;

	cr_assert_eq(trace_hash(with), trace_hash(without));
	cr_assert_eq(l->at[1].line, 77, "it keeps them beside");
	cr_assert_str_eq(l->file[l->at[1].file - 1], "include/device.h");
	cr_assert_not(trace_lines_has_source(trace_kernel(without, 0)->lines, 3));
	trace_close(with);
	trace_close(without);
	ptx_close(m);
	ptx_close(p);
}

Test(debug_lines, end_with_their_function)
{
	struct ptx_module *m = parse(HEAD ".file 1 \"a.cu\"\n.entry a()\n{\n.loc 1 5 1\nret;\n}\n.entry b()\n{\nret;\n}\n");

	cr_assert_eq(ptx_trace_kernel(ptx_kernel_at(m, 0))->lines->at[0].line, 5);
	cr_assert_eq(ptx_trace_kernel(ptx_kernel_at(m, 1))->lines->at[0].line, 0);
	ptx_close(m);
}

Test(debug_lines, of_a_function_stay_its_own_where_it_is_called)
{
	struct ptx_module *m = parse(HEAD ".file 1 \"a.cu\"\n.func f()\n{\n.loc 1 3 1\nret;\n}\n"
					  ".entry k()\n{\n.loc 1 8 1\ncall f;\n.loc 1 9 1\nret;\n}\n");
	static const uint32_t line[] = {8, 3, 9};

	cr_assert_eq(kernel(m)->n_inst, 3);
	for (int i = 0; i < 3; i++)
		cr_assert_eq(kernel(m)->lines->at[i].line, line[i]);
	ptx_close(m);
}

Test(debug_lines, of_a_file_that_nothing_declares_have_no_name)
{
	struct ptx_module *m = parse(HEAD ".file 7 \"a.cu\"\n.entry k()\n{\n.loc 6 5 1\nret;\n}\n");

	cr_assert_eq(kernel(m)->lines->at[0].line, 5);
	cr_assert_eq(kernel(m)->lines->at[0].file, 0);
	ptx_close(m);
}

static void refuse(const char *text, const char *want)
{
	struct err e = {""};

	cr_assert_null(ptx_parse(text, strlen(text), "k.ptx", &e));
	cr_assert_str_eq(e.text, want);
}

Test(debug_lines, that_are_malformed_are_refused)
{
	refuse(HEAD ".entry k()\n{\n.loc one 5 1\nret;\n}\n",
	       "k.ptx:6:6: .loc needs the number of a file, a line and a column, found \"one\"");
	refuse(HEAD ".entry k()\n{\n.loc 1\nret;\n}\n",
	       "k.ptx:7:1: .loc needs the number of a file, a line and a column, found \"ret\"");
	refuse(HEAD ".file 1 a.cu\n", "k.ptx:4:9: .file needs a name in quotation marks behind its number, found \"a.cu\"");
}

/* What a file keeps of them comes back; one without is of version 1, as it always was. */
static struct trace *through_a_file(const struct ptx_module *m, uint8_t *version)
{
	char path[4200];
	const struct trace_options o = {.name = "k", .path = path};
	struct trace_writer *w;
	struct err e = {""};
	struct trace *t;
	FILE *f;

	snprintf(path, sizeof path, "%s/k.ltrace", program_tmp());
	w = trace_writer_new(&o, &e);

	cr_assert_not_null(w, "%s", e.text);
	trace_add_kernel(w, kernel(m));
	trace_close(trace_writer_finish(w, &e));
	f = fopen(path, "rb");
	cr_assert(f && fseek(f, 8, SEEK_SET) == 0 && fread(version, 1, 1, f) == 1);
	fclose(f);
	t = trace_open(path, &e);
	cr_assert_not_null(t, "%s", e.text);
	return t;
}

Test(debug_lines, are_kept_in_a_recorded_trace)
{
	struct ptx_module *m = parse(debug), *p = parse(plain);
	uint8_t v1, v2;
	struct trace *with = through_a_file(m, &v2), *without = through_a_file(p, &v1);
	const struct trace_lines *l = trace_kernel(with, 0)->lines;

	cr_assert_eq(v1, 6); /* what is folded is in every trace of PTX */
	cr_assert_eq(v2, 6);
	cr_assert_eq(trace_hash(with), trace_hash(without));
	cr_assert_null(trace_kernel(without, 0)->lines);
	cr_assert_eq(l->at[0].line, 10);
	cr_assert_eq(l->at[0].text, 10);
	cr_assert_eq(l->at[1].line, 77);
	cr_assert_eq(l->at[1].text, 14);
	cr_assert_str_eq(l->file[l->at[0].file - 1], "./k?[2J.cu");
	cr_assert_str_eq(l->file[l->at[1].file - 1], "include/device.h");
	cr_assert_eq(l->at[2].line, 0);
	trace_close(with);
	trace_close(without);
	ptx_close(m);
	ptx_close(p);
}
