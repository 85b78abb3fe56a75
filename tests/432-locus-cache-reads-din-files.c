/* 432: the command: what it prints for a small trace, what it tolerates, and how it refuses. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

enum { PATH = 512 };

/* Writes a trace to a file of its own; its path in `path`, which is returned. */
static const char *trace(char path[PATH], const char *name, const char *text)
{
	FILE *f;

	snprintf(path, PATH, "%s/%s", program_tmp(), name);
	f = fopen(path, "w");
	cr_assert_not_null(f);
	fputs(text, f);
	fclose(f);
	return path;
}

/* The value in the row that begins with `name`. */
static unsigned long row(const char *out, const char *name)
{
	char digits[32];
	unsigned n = 0;
	const char *p = strstr(out, name);

	cr_assert_not_null(p, "no row \"%s\" in\n%s", name, out);
	for (p += strlen(name); *p == ' ';)
		p++;
	for (; (*p >= '0' && *p <= '9') || *p == ','; p++)
		if (*p != ',' && n + 1 < sizeof digits)
			digits[n++] = *p;
	digits[n] = '\0';
	cr_assert_gt(n, 0, "row \"%s\"", name);
	return strtoul(digits, NULL, 10);
}

Test(locus_cache, prints_accesses_misses_by_kind_and_write_backs)
{
	/* Direct-mapped, four lines of 16 bytes: 0x00 and 0x40 share set 0. */
	const char *path = trace((char[PATH]){""}, "a.din",
				 "0 0\n"    /* miss */
				 "2 4\n"    /* hit */
				 "1 8\n"    /* hit: dirty */
				 "1 40\n"   /* miss: 0x00 is written back */
				 "0 0\n"    /* miss: 0x40 is written back */
				 "2 10\n"   /* miss in set 1 */
				 "1 1f\n"); /* hit: dirty at the end */
	struct program p = program_run("locus cache %s --size 64 --line 16 --assoc 1 --classes", path);

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(row(p.out, "\n  accesses"), 7);
	cr_assert_eq(row(p.out, "\n  misses"), 4);
	cr_assert_eq(row(p.out, "\n  read misses"), 2);
	cr_assert_eq(row(p.out, "\n  write misses"), 1);
	cr_assert_eq(row(p.out, "\n  fetch misses"), 1);
	cr_assert_eq(row(p.out, "\n  compulsory"), 3);
	cr_assert_eq(row(p.out, "\n  capacity"), 0);
	cr_assert_eq(row(p.out, "\n  conflict"), 1);
	cr_assert_eq(row(p.out, "\n  write-backs"), 2);
	cr_assert_eq(row(p.out, "\n  dirty at end"), 1);
	program_free(&p);
}

Test(locus_cache, tolerates_what_dinero_tolerates)
{
	const char *path =
		trace((char[PATH]){""}, "b.din", "  0   0x1F80 4 some more\n\n\t1\t00000000000000001fFF\r\n \n2 ffffffffffffffff");
	struct program p = program_run("locus cache %s", path), q = program_run("locus cache - <%s", path);

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(row(p.out, "\n  accesses"), 3);
	cr_assert_eq(row(p.out, "\n  misses"), 2, "0x1f80 and 0x1fff are in one line");
	cr_assert_str_eq(strstr(p.out, "\n"), strstr(q.out, "\n"), "standard input is the same");
	program_free(&p);
	program_free(&q);
}

Test(locus_cache, long_traces_are_read_across_buffers)
{
	char path[PATH];
	struct program p;
	FILE *f;

	snprintf(path, sizeof path, "%s/long.din", program_tmp());
	f = fopen(path, "w");
	for (unsigned i = 0; i < 400000; i++)
		fprintf(f, "%u %x %.*s\n", i % 3, i * 64, (int)(i % 7), "xyzxyzx");
	fclose(f);
	p = program_run("locus cache %s", path);
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_eq(row(p.out, "\n  accesses"), 400000);
	cr_assert_eq(row(p.out, "\n  misses"), 200000, "two accesses a line of 128 bytes");
	cr_assert_eq(row(p.out, "\n  write misses"), 66666, "i even and 1 mod 3: i = 4, 10, ... 399994");
	program_free(&p);
}

static void refuses(const char *arguments, const char *says)
{
	struct program p = program_run("locus cache %s", arguments);

	cr_assert(program_is_clean_error(&p), "%s", arguments);
	cr_assert_not_null(strstr(p.err, says), "\"%s\" says: %s", arguments, p.err);
	program_free(&p);
}

Test(locus_cache, refuses_bad_lines_with_file_and_line)
{
	const struct {
		const char *text, *says;
	} bad[] = {
		{"0 10\n3 20\n", "x.din:2: access kind \"3\""},
		{"0 10\n\n0\n", "x.din:3: no address"},
		{"0 1g\n", "x.din:1: address \"1g\""},
		{"0 0x\n", "x.din:1: address \"0x\""},
		{"1 10000000000000000\n", "x.din:1: address \"10000000000000000\""},
		{"read 10\n", "x.din:1: access kind \"read\""},
		{"00 10\n", "x.din:1: access kind \"00\""},
		{"\177ELF\001\n", "x.din:1: not text"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
		refuses(trace((char[PATH]){""}, "x.din", bad[i].text), bad[i].says);
}

Test(locus_cache, refuses_a_file_that_is_not_there_or_not_a_trace)
{
	refuses("no/such/file.din", "no/such/file.din: No such file");
	refuses("csim", "csim: Is a directory");
	refuses("- </dev/zero", "standard input:1: line of more than");
}

Test(locus_cache, refuses_a_polynomial_that_cannot_index_the_cache)
{
	const char *path = trace((char[PATH]){""}, "y.din", "0 0\n");
	char arguments[600];
	const struct {
		const char *options, *says;
	} bad[] = {
		{"--index pric:0", "--index: polynomial 0"},
		{"--index pric:33", "reducible"},
		{"--index pric:67", "degree"},
		{"--index pric:x", "\"x\" is not a whole number"},
		{"--index hash", "\"hash\" is not one of"},
		{"--assoc full --index pric", "--index pric: there is no default polynomial for 1 sets"},
		{"--index pric:37 --addr-bits 11", "address bits"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		snprintf(arguments, sizeof arguments, "%s %s", path, bad[i].options);
		refuses(arguments, bad[i].says);
	}
}

Test(locus_cache, refuses_a_shape_that_is_none)
{
	const char *path = trace((char[PATH]){""}, "z.din", "0 0\n");
	char arguments[600];
	const char *const bad[] = {"--size 0",	"--size 12K",		"--line 100", "--assoc 3",
				   "--assoc 0", "--size 256G --line 1", "--size x"};

	for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		snprintf(arguments, sizeof arguments, "%s %s", path, bad[i]);
		refuses(arguments, "");
	}
}
