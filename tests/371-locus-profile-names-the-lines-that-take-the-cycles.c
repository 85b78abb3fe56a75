/* 371: locus profile: which line of syrk its cycles go to, as the paper has it (dwt-pric, Figure 6: the column read); a
 * kernel whose accesses are counted by hand; and PTX whose names of files are not to be believed. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "support/program.h"

static json_t *json_of(const char *path)
{
	char *text = program_text(path);
	json_t *j = json_loads(text, 0, NULL);

	cr_assert_not_null(j, "%s", text);
	free(text);
	return j;
}

static const char *in_tmp(const char *name)
{
	static char path[4200];

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	return path;
}

static json_t *instructions(const json_t *result)
{
	json_t *kernels = json_object_get(json_object_get(result, "profile"), "kernels");

	return json_object_get(json_array_get(kernels, 0), "instructions");
}

static long long number(const json_t *o, const char *name)
{
	return (long long)json_integer_value(json_object_get(o, name));
}

/* ---- syrk ---- */

Test(locus_profile, names_the_column_load_of_syrk_as_what_is_waited_for)
{
	struct program p = program_run("locus profile syrk --size test");
	char *table = strstr(p.out, "\n    took"), *first = table ? strchr(table + 1, '\n') : NULL, *end;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_not_null(first);
	end = strchr(first + 1, '\n');
	cr_assert_not_null(end);
	*end = '\0';
	cr_assert_not_null(strstr(first, " mem_line "), "the cause: no way of the set is free: %s", first);
	cr_assert_not_null(strstr(first, "kernel.cu:18  sum += row_i[k] * row_j[k];"), "%s", first);
	program_free(&p);
}

/* The line reads a row, a word for all lanes, and a column, a line a lane: the second it is. */
Test(locus_profile, tells_the_column_load_from_the_row_load_of_its_line)
{
	struct program p = program_run("locus profile syrk --size test --json %s", in_tmp("syrk.json"));
	json_t *result = json_of(in_tmp("syrk.json")), *inst;
	long long column = 0, others = 0;
	size_t i;

	cr_assert_eq(p.status, 0, "%s", p.err);
	json_array_foreach(instructions(result), i, inst)
	{
		long long held = number(json_object_get(inst, "holds"), "mem_line"), accesses = number(inst, "accesses");

		if (accesses && number(inst, "transactions") == 32 * accesses)
			column += held;
		else
			others += held;
	}
	cr_assert_gt(column, 20 * others, "%lld of the column, %lld of all else", column, others);
	json_decref(result);
	program_free(&p);
}

Test(locus_profile, prints_the_ptx_under_its_source)
{
	struct program p = program_run("locus profile syrk --size test --annotate");
	char *line = strstr(p.out, "kernel.cu:18 "), *load;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_not_null(line);
	load = strstr(line, "ld.global.f32");
	cr_assert_not_null(load);
	cr_assert_lt(load, strstr(line, "kernel.cu:19 "));
	program_free(&p);
}

Test(locus_profile, changes_no_metric)
{
	struct program p = program_run("locus profile histo --size test --json %s/a && locus run histo --size test --json %s/b",
				       program_tmp(), program_tmp());
	json_t *a, *b;

	cr_assert_eq(p.status, 0, "%s", p.err);
	a = json_of(in_tmp("a"));
	b = json_of(in_tmp("b"));
	cr_assert(json_equal(json_object_get(a, "stats"), json_object_get(b, "stats")));
	cr_assert(json_equal(json_object_get(a, "trace_hash"), json_object_get(b, "trace_hash")));
	json_decref(a);
	json_decref(b);
	program_free(&p);
}

/* ---- a kernel counted by hand ---- */

/* One warp. Lane i reads the word at 128 i, twice, the second time when the first is there, and writes it at 4 i. */
#define KERNEL(file)                                                                                                               \
	".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u64 out)\n{\n"                   \
	".reg .b32 %r<4>;\n.reg .b64 %rd<8>;\n.loc 1 2 1\nld.param.u64 %rd1, [in];\nld.param.u64 %rd2, [out];\n"                   \
	"mov.u32 %r1, %tid.x;\nmul.wide.u32 %rd3, %r1, 128;\nadd.s64 %rd4, %rd1, %rd3;\n.loc 1 3 1\n"                              \
	"ld.global.u32 %r2, [%rd4];\n.loc 1 4 1\nmul.wide.u32 %rd5, %r2, 0;\nadd.s64 %rd6, %rd4, %rd5;\n"                          \
	"ld.global.u32 %r3, [%rd6];\nmul.wide.u32 %rd7, %r1, 4;\nadd.s64 %rd7, %rd7, %rd2;\n.loc 1 5 1\n"                          \
	"st.global.u32 [%rd7], %r3;\nret;\n}\n.file 1 \"" file "\"\n"

static const char launch[] = "ptx: k.ptx\nbuffers:\n  in: {count: 1024, type: u32, value: 7}\n"
			     "  out: {count: 32, type: u32}\nlaunches:\n  - {kernel: k, grid: 1, block: 32, args: [in, out]}\n"
			     "expect:\n  out: {type: u32, value: 7}\n";

static const json_t *access_at(const json_t *result, long long line, const char *opcode)
{
	const json_t *inst;
	size_t i;

	json_array_foreach(instructions(result), i,
			   inst) if (number(inst, "line") == line &&
				     !strcmp(json_string_value(json_object_get(inst, "opcode")), opcode)) return inst;
	cr_assert_fail("no %s in line %lld", opcode, line);
	return NULL;
}

Test(locus_profile, counts_accesses_as_one_does_by_hand)
{
	struct program p;
	const json_t *first, *second, *store;
	json_t *result;

	program_file("k.ptx", KERNEL("k.cu"));
	program_file("k.yaml", launch);
	p = program_run("locus profile %s/k.yaml --json %s/k.json", program_tmp(), program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	result = json_of(in_tmp("k.json"));
	first = access_at(result, 3, "ld.global.u32");
	second = access_at(result, 4, "ld.global.u32");
	store = access_at(result, 5, "st.global.u32");
	cr_assert_str_eq(json_string_value(json_object_get(first, "file")), "k.cu");
	cr_assert_eq(number(first, "issued"), 1);
	cr_assert_eq(number(first, "lanes"), 32);
	cr_assert_eq(number(first, "transactions"), 32, "a line a lane");
	cr_assert_eq(number(first, "l1_misses"), 32);
	cr_assert_eq(number(first, "l2_accesses"), 32);
	cr_assert_eq(number(first, "l2_misses"), 32);
	cr_assert_eq(number(first, "dram_reads"), 32);
	cr_assert_eq(number(first, "loads"), 1);
	cr_assert_eq(number(second, "transactions"), 32);
	cr_assert_eq(number(second, "l1_hits"), 32, "4 KB in a row fill 32 sets, a line each");
	cr_assert_eq(number(second, "l2_accesses"), 0);
	/* the last line is looked up in cycle 32 after the issue: docs/explanation/timing.md, l1.latency + n - 1 of n =
	 * 32 */
	cr_assert_eq(number(second, "load_cycles"), 35 + 31);
	cr_assert_eq(number(store, "transactions"), 1, "128 bytes");
	cr_assert_eq(number(store, "l1_past"), 1);
	cr_assert_eq(number(store, "l2_accesses"), 1);
	cr_assert_eq(number(store, "dram_reads"), 0, "a whole line is not fetched");
	json_decref(result);
	program_free(&p);
}

/* ---- source files ---- */

static struct program profile_of(const char *ptx, const char *options)
{
	program_file("k.ptx", ptx);
	program_file("k.yaml", launch);
	return program_run("locus profile %s/k.yaml --annotate %s", program_tmp(), options);
}

static void shows(const char *ptx, const char *options, const char *text)
{
	struct program p = profile_of(ptx, options);

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_not_null(strstr(p.out, text), "%s", p.out);
	program_free(&p);
}

static void does_not_show(const char *ptx, const char *text)
{
	struct program p = profile_of(ptx, "");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_null(strstr(p.out, text), "%s", p.out);
	cr_assert_not_null(strstr(p.out, ":3"), "the line's number is known all the same: %s", p.out);
	program_free(&p);
}

Test(locus_profile, shows_the_source_beside_the_ptx)
{
	program_file("k.cu", "one\ntwo\nthe third line\nfour\n");
	shows(KERNEL("k.cu"), "", "k.cu:3  the third line\n");
	shows(KERNEL("/home/somebody/project/k.cu"), "", "k.cu:3  the third line\n");
	shows(KERNEL("src/../k.cu"), "", "k.cu:3  the third line\n");
}

Test(locus_profile, runs_without_the_source)
{
	does_not_show(KERNEL("gone.cu"), "third");
	does_not_show(KERNEL(""), "third");
}

Test(locus_profile, finds_the_source_where_it_is_told)
{
	char options[4300];

	snprintf(options, sizeof options, "--source-dir %s/other", program_tmp());
	mkdir(in_tmp("other"), 0777);
	program_file("other/mine.cu", "one\ntwo\nanother third\n");
	shows(KERNEL("/build/mine.cu"), options, "mine.cu:3  another third\n");
}

/* The PTX may be somebody else's: it cannot have another file shown, by its path, by a link, or by a path out of the
 * folder, and what is no file does not hold the program up. */
Test(locus_profile, reads_no_file_outside_the_folders_that_it_may)
{
	char secret[] = "/tmp/locus-secret-XXXXXX", ptx[4096];
	int fd = mkstemp(secret);

	cr_assert(fd >= 0 && write(fd, "a\nb\nSECRET\n", 11) == 11);
	close(fd);
	snprintf(ptx, sizeof ptx, "%s.file 2 \"x\"\n", KERNEL("PATH"));
	for (int way = 0; way < 3; way++) {
		static const char *const format[] = {"%s", "../../../../../../../../..%s", "link.cu"};
		char name[256], text[8192], *at;

		snprintf(name, sizeof name, format[way], secret);
		if (way == 2)
			cr_assert_eq(symlink(secret, in_tmp("link.cu")), 0);
		at = strstr(ptx, "PATH");
		snprintf(text, sizeof text, "%.*s%s%s", (int)(at - ptx), ptx, name, at + 4);
		does_not_show(text, "SECRET");
	}
	unlink(secret);
	cr_assert_eq(mkfifo(in_tmp("fifo.cu"), 0600), 0);
	does_not_show(KERNEL("fifo.cu"), "third");
	does_not_show(KERNEL("/dev/zero"), "third");
	does_not_show(KERNEL("."), "third");
}

/* ESC [ 2 J clears a screen, U+202E turns the rest of a line around, a tab is blanks. */
Test(locus_profile, prints_no_control_character_of_a_source)
{
	program_file("evil.cu", "one\ntwo\n\x1b[2Jx\t\xe2\x80\xae y\r\nfour\x9b\n");
	shows(KERNEL("evil.cu"), "", "evil.cu:3  ?[2Jx   ? y\n");
	shows(KERNEL("evil.cu"), "", "evil.cu:4  four?\n");
	does_not_show(KERNEL("evil\x1b[31m.cu"), "\x1b");
}

/* ---- other programs ---- */

Test(locus_profile, shows_an_accel_sim_trace_by_pc)
{
	struct program p = program_run("locus profile traces/accelsim-sample/kernelslist.g");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_not_null(strstr(p.out, "pc 0x0090  LDG.E.SYS"), "%s", p.out);
	program_free(&p);
}

Test(locus_profile, knows_the_lines_of_a_recorded_trace)
{
	struct program p = program_run("locus record syrk --size test -o %s/s.ltrace && locus profile %s/s.ltrace", program_tmp(),
				       program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_not_null(strstr(p.out, "kernel.cu:18  sum += row_i[k] * row_j[k];"), "%s", p.out);
	program_free(&p);
}

Test(locus_profile, refuses_bad_options_in_one_line)
{
	static const char *const bad[] = {"", "nothing", "syrk --lines 0", "syrk --on cpu"};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct program p = program_run("locus profile %s", bad[i]);

		cr_assert_eq(p.status, 2, "%s", bad[i]);
		cr_assert_eq((size_t)(strchr(p.err, '\n') + 1 - p.err), strlen(p.err), "one line: %s", p.err);
		program_free(&p);
	}
}
