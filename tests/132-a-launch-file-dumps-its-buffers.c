/* 132: a launch file's buffers go into files as bytes, text or NumPy arrays; a file appears only when it is whole, and
 * nowhere but below the current folder. */
#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "support/program.h"

static const char kernels[] = ".version 6.0\n.target sm_60\n.address_size 64\n"
			      ".visible .entry nothing()\n{\nret;\n}\n"
			      ".visible .entry wild()\n{\n.reg .b64 %rd<2>; .reg .b32 %r<2>;\n"
			      "mov.u64 %rd1, 64; mov.u32 %r1, 1; st.global.u32 [%rd1], %r1; ret;\n}\n";

/* Runs `locus COMMAND` on a launch file of these buffers and keys in the temporary folder. */
static struct program run(const char *command, const char *kernel, const char *rest)
{
	char text[4096];

	snprintf(text, sizeof text, "ptx: k.ptx\nlaunches: [{kernel: %s, grid: 1, block: 1}]\n%s", kernel, rest);
	program_file("k.ptx", kernels);
	program_file("my.yaml", text);
	return program_run("cd %s && locus %s", program_tmp(), command);
}

/* The bytes of a file of the temporary folder; NULL if it is not there. */
static unsigned char *bytes_of(const char *name, size_t *n)
{
	char path[4200];
	unsigned char *bytes = malloc(1 << 16);
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	f = fopen(path, "rb");
	*n = f ? fread(bytes, 1, 1 << 16, f) : 0;
	if (f)
		fclose(f);
	else
		free(bytes);
	return f ? bytes : NULL;
}

static void expect_file(const char *name, const void *want, size_t n)
{
	size_t got;
	unsigned char *bytes = bytes_of(name, &got);

	cr_assert(bytes, "%s is not there", name);
	cr_expect_eq(got, n, "%s: %zu bytes", name, got);
	cr_expect(got == n && !memcmp(bytes, want, n), "%s: %.*s", name, (int)got, (const char *)bytes);
	free(bytes);
}

#define BUFFERS                                                                                                                    \
	"buffers:\n  a: {type: s16, values: [1, -2, 32767]}\n  d: {type: f64, values: [0.1, 1e300]}\n  b: {type: u8, value: 200, " \
	"count: 3}\n  f: {type: f32, values: [0.1, -3]}\n  raw: {size: 4}\n"

Test(dump, bytes_are_the_buffers_own)
{
	struct program p =
		run("run my.yaml", "nothing", BUFFERS "dump:\n  a: {file: a.bin}\n  raw: {file: raw.dat, format: binary}\n");

	cr_assert_eq(p.status, 0, "%s", p.err);
	expect_file("a.bin", "\x01\x00\xfe\xff\xff\x7f", 6);
	expect_file("raw.dat", "\0\0\0\0", 4);
	program_free(&p);
}

/* The digits that bring the same double back: IEEE 754 wants 17 of a double and 9 of a float. */
Test(dump, text_has_an_element_a_line)
{
	struct program p = run("run my.yaml", "nothing",
			       BUFFERS "dump:\n  a: {file: a.txt}\n  d: {file: d, format: text}\n  b: {file: b.txt, type: s8}\n"
				       "  f: {file: f.txt}\n  raw: {file: raw.txt, type: u32}\n");

	cr_assert_eq(p.status, 0, "%s", p.err);
	expect_file("a.txt", "1\n-2\n32767\n", 11);
	expect_file("d", "0.10000000000000001\n1.0000000000000001e+300\n", 44);
	expect_file("b.txt", "-56\n-56\n-56\n", 12); /* 200 - 256 */
	expect_file("f.txt", "0.100000001\n-3\n", 15);
	expect_file("raw.txt", "0\n", 2);
	program_free(&p);
}

/* NPY format 1.0 (numpy.lib.format): \x93NUMPY, version 1 0, the length of the header in two bytes, little endian, the
 * header: a Python dictionary with the keys descr, fortran_order and shape, padded with spaces and ended by a newline
 * so that what comes before the elements is a multiple of 64 bytes. */
static void expect_npy(const char *name, const char *dictionary, const void *elements, size_t n)
{
	size_t got, header, at = 10 + strlen(dictionary);
	unsigned char *b = bytes_of(name, &got);

	cr_assert(b, "%s is not there", name);
	cr_assert_gt(got, 10);
	cr_expect_eq(memcmp(b, "\x93NUMPY\x01\x00", 8), 0);
	header = b[8] + 256u * b[9];
	cr_expect_eq((10 + header) % 64, 0);
	cr_assert_eq(got, 10 + header + n, "%s: %zu bytes", name, got);
	cr_expect_eq(memcmp(b + 10, dictionary, strlen(dictionary)), 0, "%.*s", (int)header, (const char *)b + 10);
	for (; at < 10 + header - 1; at++)
		cr_expect_eq(b[at], ' ');
	cr_expect_eq(b[at], '\n');
	cr_expect_eq(memcmp(b + 10 + header, elements, n), 0);
	free(b);
}

Test(dump, an_npy_file_says_type_and_shape)
{
	struct program p = run("run my.yaml", "nothing",
			       BUFFERS "dump:\n  a: {file: a.npy}\n  d: {file: d.npy}\n  b: {file: b.npy}\n  f: {file: f.npy}\n"
				       "  raw: {file: raw.npy, type: u32}\n");
	static const double d[] = {0.1, 1e300};
	static const float f[] = {0.1f, -3};

	cr_assert_eq(p.status, 0, "%s", p.err);
	expect_npy("a.npy", "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }", "\x01\x00\xfe\xff\xff\x7f", 6);
	expect_npy("d.npy", "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", d, sizeof d);
	expect_npy("b.npy", "{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", "\xc8\xc8\xc8", 3);
	expect_npy("f.npy", "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", f, sizeof f);
	expect_npy("raw.npy", "{'descr': '<u4', 'fortran_order': False, 'shape': (1,), }", "\0\0\0\0", 4);
	program_free(&p);
}

Test(dump, every_command_that_executes_the_program_writes_it)
{
	static const char *const commands[] = {"run my.yaml", "run my.yaml --machine ndp4 --on cpu", "record my.yaml -o my.ltrace",
					       "mix my.yaml my.yaml --machine ndp4 --plan fgp-only",
					       "plan my.yaml --machine ndp4 --plan coda"};

	for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		struct program p = run(commands[i], "nothing", BUFFERS "dump: {b: {file: b.bin}}\n");

		cr_assert_eq(p.status, 0, "%s: %s", commands[i], p.err);
		program_free(&p);
		expect_file("b.bin", "\xc8\xc8\xc8", 3);
		p = program_run("rm %s/b.bin; ls -A %s | grep -c 'b.bin'", program_tmp(), program_tmp());
		cr_expect_str_eq(p.out, "0\n", "something is left");
		program_free(&p);
	}
}

Test(dump, what_was_computed_is_written_when_it_is_wrong_too)
{
	struct program p = run("run my.yaml", "nothing", BUFFERS "dump: {b: {file: b.bin}}\nexpect: {b: {value: 1}}\n");

	cr_expect_eq(p.status, 1, "%s", p.err);
	expect_file("b.bin", "\xc8\xc8\xc8", 3);
	program_free(&p);
}

Test(dump, a_program_that_fails_leaves_an_older_file_as_it_was)
{
	struct program p;

	program_file("b.bin", "old");
	p = run("run my.yaml", "wild", BUFFERS "dump: {b: {file: b.bin}, a: {file: a.npy}}\n");
	cr_expect(program_is_clean_error(&p));
	program_free(&p);
	expect_file("b.bin", "old", 3);
	p = program_run("ls -A %s | grep -c 'npy\\|partial'", program_tmp());
	cr_expect_str_eq(p.out, "0\n");
	program_free(&p);
}

Test(dump, what_cannot_be_written_is_reported_before_the_work)
{
	static const struct {
		const char *dump, *says;
	} cases[] = {
		{"c: {file: c.bin}", "dump: no buffer \"c\""},
		{"a: {format: text}", "dump.a.file: is missing"},
		{"a: {file: a.dat}", "dump.a.file: does not end in .bin, .txt or .npy: needs the key \"format\""},
		{"a: {file: a.npy, format: numpy}", "dump.a.format: \"numpy\" is not one of binary, text, npy"},
		{"a: {file: a.bin, type: s16}", "dump.a.type: has no meaning with format: binary"},
		{"raw: {file: raw.npy}", "dump.raw.type: is missing (u8 u16 u32 u64 s8 s16 s32 s64 f32 f64)"},
		{"a: {file: a.txt, type: u32}", "dump.a.type: the buffer's 6 bytes are not a whole number of u32"},
		{"a: {file: a.txt, type: f16}", "dump.a.type: \"f16\" is not one of"},
		{"a: {file: a.npy}\n  d: {file: a.npy}", "dump.d.file: dump.a goes there already"},
		{"a: {file: none/a.npy}", "none/a.npy: cannot write: No such file or directory"},
		{"a: {file: /tmp/a.npy}", "is not a path below the current folder"},
		{"a: {file: ../a.npy}", "is not a path below the current folder"},
		{"a: {file: x/../../a.npy}", "is not a path below the current folder"},
		{"a: {file: .bashrc, format: text}", "is not a path below the current folder"},
		{"a: {file: '', format: text}", "is not a path below the current folder"},
		{"a: {file: x/, format: text}", "is not a path below the current folder"},
		{"a: a.npy", "dump.a: must be a mapping"},
		{"a: {file: a.npy, fmt: text}", "dump.a.fmt: unknown key"},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char text[1000];
		struct program p;

		snprintf(text, sizeof text, BUFFERS "dump:\n  %s\n", cases[i].dump);
		p = run("run my.yaml", "wild", text);
		cr_expect(program_is_clean_error(&p), "%s", cases[i].dump);
		cr_expect(strstr(p.err, cases[i].says), "%s: %s", cases[i].dump, p.err);
		program_free(&p);
	}
}

Test(dump, a_full_disk_is_reported)
{
	struct program p;

	program_file("k.ptx", kernels);
	program_file("my.yaml", "ptx: k.ptx\nlaunches: [{kernel: nothing, grid: 1, block: 1}]\n"
				"buffers: {b: {type: u8, count: 1M}}\ndump: {b: {file: b.bin}}\n");
	/* Files of at most 64 KB. */
	p = program_run("cd %s && (trap '' XFSZ; ulimit -f 64; locus run my.yaml >/dev/null)", program_tmp());
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "dump.b.file: b.bin: cannot write: "), "%s", p.err);
	program_free(&p);
	p = program_run("ls -A %s | grep -c b.bin", program_tmp());
	cr_expect_str_eq(p.out, "0\n");
	program_free(&p);
}

/* ---- links ---- */

/* From here on the kernel has no openat2(2), like Linux before 5.6. */
static void without_openat2(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog filter = {sizeof code / sizeof code[0], code};

	cr_assert_eq(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	cr_assert_eq(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter), 0);
	cr_assert(syscall(SYS_openat2, AT_FDCWD, ".", NULL, 0) == -1 && errno == ENOSYS);
}

/* `in` is the working folder, and `out` beside it is what no dump may change. */
static struct program run_within(const char *file)
{
	char text[1000];

	snprintf(text, sizeof text,
		 "ptx: k.ptx\nlaunches: [{kernel: nothing, grid: 1, block: 1}]\n" BUFFERS "dump: {b: {file: %s, format: binary}}\n",
		 file);
	program_file("k.ptx", kernels);
	program_file("my.yaml", text);
	return program_run("mkdir -p %s/in/a/b && cd %s/in && locus run ../my.yaml", program_tmp(), program_tmp());
}

static void keeps_dumps_below_the_folder(void)
{
	static const char *const refused[][2] = {
		{"link/secret", "dump.b.file: link/secret: leads through a symbolic link"},
		{"a/link/secret", "dump.b.file: a/link/secret: leads through a symbolic link"},
		{"inner/x", "dump.b.file: inner/x: leads through a symbolic link"},
		{"last", "dump.b.file: last: leads through a symbolic link"},
		{"nowhere", "dump.b.file: nowhere: leads through a symbolic link"},
		{"pipe", "dump.b.file: pipe: exists and is not a regular file"},
		{"a/b", "dump.b.file: a/b: exists and is not a regular file"},
		{"k.ptx/x", "dump.b.file: k.ptx/x: cannot write: Not a directory"},
	};
	struct program p =
		program_run("cd %s && mkdir -p out in/a/b && echo old >out/secret && touch in/k.ptx && ln -s ../out in/link && "
			    "ln -s ../../out in/a/link && ln -s a in/inner && ln -s ../out/secret in/last && "
			    "ln -s ../out/new in/nowhere && mkfifo in/pipe",
			    program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		p = run_within(refused[i][0]);
		cr_expect(program_is_clean_error(&p), "%s", refused[i][0]);
		cr_expect(strstr(p.err, refused[i][1]), "%s", p.err);
		program_free(&p);
	}
	expect_file("out/secret", "old\n", 4);
	p = run_within("a/b/c.bin");
	cr_expect_eq(p.status, 0, "%s", p.err);
	expect_file("in/a/b/c.bin", "\xc8\xc8\xc8", 3);
	program_free(&p);
	program_file("in/a/b/c.bin", "older");
	p = run_within("a/b/c.bin");
	cr_expect_eq(p.status, 0, "%s", p.err);
	expect_file("in/a/b/c.bin", "\xc8\xc8\xc8", 3);
	program_free(&p);
	p = program_run("cd %s && ls out; ls -A in in/a in/a/b | grep -c work", program_tmp());
	cr_expect_str_eq(p.out, "secret\n0\n");
	program_free(&p);
}

Test(dump, no_link_leads_a_dump_out_of_the_folder)
{
	keeps_dumps_below_the_folder();
}

Test(dump, no_link_leads_a_dump_out_of_the_folder_on_an_older_kernel)
{
	without_openat2();
	keeps_dumps_below_the_folder();
}
