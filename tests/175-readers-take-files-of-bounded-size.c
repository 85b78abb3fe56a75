/* 175: no reader of a user's file reads without end or waits: devices, sparse files of terabytes, files of /proc and
 * FIFOs are refused in one line, in each place where a command line or a user's file can name one. Readers that read
 * from front to back take pipes up to the same bound. */
#include <criterion/criterion.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/files/infile.h"
#include "base/files/lines.h"
#include "support/program.h"

/* A regular file of that many bytes that takes no space. */
static void sparse(const char *name, off_t bytes)
{
	int fd;

	program_file(name, "");
	fd = open(program_path(name), O_WRONLY);
	cr_assert(fd >= 0 && ftruncate(fd, bytes) == 0 && close(fd) == 0);
}

static void make_files(void)
{
	static const char *const links[][2] = {{"zero.yaml", "/dev/zero"},	 {"zero.g", "/dev/zero"},
					       {"zero.traceg", "/dev/zero"},	 {"zero.ltrace", "/dev/zero"},
					       {"zero.v", "/dev/zero"},		 {"bundle/stimulus.txt", "/dev/zero"},
					       {"proc.g", "/proc/self/pagemap"}, {"proc.ltrace", "/proc/self/pagemap"}};
	static const char *const big[] = {"big", "big.yaml", "big.g", "big.traceg", "big.ltrace", "big.json", "big.v"};

	program_file("k.ptx", ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n");
	cr_assert_eq(mkdir(program_path("bundle"), 0777), 0);
	for (unsigned i = 0; i < sizeof links / sizeof links[0]; i++)
		cr_assert_eq(symlink(links[i][1], program_path(links[i][0])), 0);
	for (unsigned i = 0; i < sizeof big / sizeof big[0]; i++)
		sparse(big[i], (off_t)2 << 40);
	cr_assert_eq(mkfifo(program_path("fifo"), 0600), 0);
	cr_assert_eq(mkfifo(program_path("fifo.v"), 0600), 0);
	cr_assert_eq(mkfifo(program_path("fifo.yaml"), 0600), 0);
}

/* The command runs in the folder of the files, for at most 20 seconds, and ends with one line that says so. */
static void refused(const char *arguments, const char *says)
{
	struct program p = program_run(
		"LOCUS_ROOT=$PWD; PATH=%s:$PATH; LOCUS=$(realpath \"${LOCUS_BUILD:-build}\"/locus); export LOCUS_ROOT; cd %s; "
		"timeout 20 $LOCUS %s",
		program_tmp(), program_tmp(), arguments);

	cr_expect(program_is_clean_error(&p), "locus %s", arguments);
	cr_expect(strstr(p.err, says), "%s: %s", arguments, p.err);
	program_free(&p);
}

static void refused_in(const char *file, const char *format, const char *name, const char *command, const char *says)
{
	char text[1000];

	snprintf(text, sizeof text, format, name);
	program_file(file, text);
	refused(command, says);
}

static const char fill[] = "ptx: k.ptx\nbuffers:\n  b: {file: %s}\nlaunches:\n  - {kernel: k, grid: 1, block: 1}\n",
		  graph[] = "ptx: k.ptx\nbuffers:\n  b: {graph: %s, part: col}\nlaunches:\n  - {kernel: k, grid: 1, block: 1}\n",
		  ptx[] = "ptx: %s\nlaunches:\n  - {kernel: k, grid: 1, block: 1}\n", plan[] = "axes: {workload: [%s]}\n",
		  base[] = "base: %s\n";

Test(bounded, a_device_is_no_input)
{
	static const char *const cases[][2] = {
		{"ptx /dev/zero", "/dev/zero: a device, which has no end"},
		{"ptx /dev/random", "/dev/random: a device, which has no end"},
		{"diff /dev/zero /dev/zero", "a device"},
		{"dram /dev/zero", "a device"},
		{"cache /dev/zero", "a device"},
		{"run bfs --arg graph=/dev/zero", "a device"},
		{"replay bundle", "bundle/stimulus.txt: a device"},
		{"run zero.yaml", "not a regular file"},
		{"run zero.g", "not a regular file"},
		{"run zero.traceg", "not a regular file"},
		{"run zero.ltrace", "not a regular file"},
		{"run syrk --machine zero.yaml", "not a regular file"},
		{"run syrk --resume /dev/zero", "not a regular file"},
		{"machine import /dev/zero", "not a regular file"},
	};

	make_files();
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
		refused(cases[i][0], cases[i][1]);
	refused_in("f.yaml", fill, "/dev/zero", "run f.yaml", "f.yaml:3:13: buffers.b.file: /dev/zero: not a regular file");
	refused_in("f.yaml", graph, "/dev/zero", "run f.yaml", "f.yaml:3:14: buffers.b.graph: /dev/zero: a device");
	refused_in("f.yaml", ptx, "/dev/zero", "run f.yaml", "f.yaml:1:6: ptx: /dev/zero: a device");
	refused_in("f.yaml", plan, "/dev/zero", "sweep f.yaml", "f.yaml:1:19: /dev/zero: neither a launch file");
	refused_in("f.yaml", plan, "zero.g", "sweep f.yaml", "f.yaml:1:19: zero.g: not a regular file");
	refused_in("f.yaml", base, "/dev/zero", "run syrk --machine ./f.yaml", "/dev/zero: not a regular file");
}

/* 2 TB: more than the 64 GiB that docs/reference/command-line.md states, and than each reader's smaller bound. */
Test(bounded, a_sparse_file_of_terabytes_is_refused_by_its_size)
{
	static const char *const cases[][2] = {
		{"ptx big", "big: larger than 256 MiB, the most that is read"},
		{"diff big.json big.json", "big.json: larger than 256 MiB, the most that is read"},
		{"dram big", "big: larger than 64 GiB, the most that is read"},
		{"cache big", "big: larger than 64 GiB, the most that is read"},
		{"run bfs --arg graph=./big", "./big: larger than 64 GiB, the most that is read"},
		{"run big.yaml", "big.yaml: larger than 16 MiB, the most that is read"},
		{"run big.g", "big.g: larger than 64 GiB, the most that is read"},
		{"run big.traceg", "big.traceg: larger than 64 GiB, the most that is read"},
		{"run big.ltrace", "big.ltrace: larger than 64 GiB, the most that is read"},
		{"run syrk --machine ./big.yaml", "big.yaml: larger than 16 MiB, the most that is read"},
		{"run syrk --resume big", "big: larger than 64 GiB, the most that is read"},
		{"machine import big", "big: larger than 1 MiB, the most that is read"},
	};

	make_files();
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++)
		refused(cases[i][0], cases[i][1]);
	refused_in("f.yaml", fill, "big", "run f.yaml", "buffers.b.file: big: larger than 64 GiB");
	refused_in("f.yaml", graph, "big", "run f.yaml", "buffers.b.graph: big: larger than 64 GiB");
	refused_in("f.yaml", ptx, "big", "run f.yaml", "ptx: big: larger than 256 MiB");
	refused_in("f.yaml", plan, "big.ltrace", "sweep f.yaml", "big.ltrace: larger than 64 GiB");
	refused_in("f.yaml", plan, "big.yaml", "sweep f.yaml", "big.yaml: larger than 16 MiB");
	refused_in("f.yaml", plan, "big", "sweep f.yaml", "big: neither a launch file");
}

/* Files whose size says nothing: /proc/kmsg waits for the kernel's next message, /proc/self/pagemap has 256 GiB. */
Test(bounded, files_of_proc_end_a_reader)
{
	make_files();
	refused("run proc.g", "proc.g:1: a byte of value 0: this is not text");
	refused("run proc.ltrace", "proc.ltrace: not a Locus trace");
	refused_in("f.yaml", plan, "proc.g", "sweep f.yaml", "proc.g: a line of more than 4094 bytes, or no text");
	refused_in("f.yaml", graph, "/proc/self/pagemap", "run f.yaml", "is longer than any number or name");
	refused_in("f.yaml", fill, "/proc/self/pagemap", "run f.yaml", "/proc/self/pagemap: empty");
	refused_in("f.yaml", ptx, "/proc/self/pagemap", "run f.yaml", "larger than 256 MiB, the most that is read");
	if (access("/proc/kmsg", R_OK) == 0)
		refused_in("f.yaml", ptx, "/proc/kmsg", "run f.yaml", "ptx: /proc/kmsg: ");
}

/* Beyond the readers that test 163 has. */
Test(bounded, no_fifo_holds_up_a_plan_or_a_block)
{
	make_files();
	refused_in("f.yaml", plan, "fifo.yaml", "sweep f.yaml", "fifo.yaml: not a regular file");
	refused_in("f.yaml", plan, "fifo", "sweep f.yaml", "fifo: neither a launch file");
	refused("run traces/accelsim-sample/kernelslist.g --opcode-map fifo", "fifo");
	refused("cosim syrk --size test --l1-index pric --rtl pric=fifo.v", "fifo.v");
	refused("cosim syrk --size test --l1-index pric --rtl pric=zero.v", "zero.v");
	refused("cosim syrk --size test --l1-index pric --rtl pric=big.v", "big.v: larger than 64 MiB, the most that is read");
}

/* The bound itself, of a stream that has no size: with 64 KiB in place of 64 GiB. */
Test(bounded, a_pipe_is_read_up_to_the_bound)
{
	static char text[1 << 16];
	const char *begin, *end;
	struct err e = {""};
	struct lines l;
	FILE *f = tmpfile();

	for (size_t i = 0; i < sizeof text; i++)
		text[i] = i % 16 == 15 ? '\n' : 'x';
	cr_assert(f && fwrite(text, 1, sizeof text, f) == sizeof text && fflush(f) == 0);
	rewind(f);
	lines_open(&l, f, sizeof text, "pipe");
	cr_assert_eq(lines_more(&l, &begin, &end, &e), 1, "%s", e.text);
	cr_expect_eq(end - begin, sizeof text);
	cr_expect_eq(lines_more(&l, &begin, &end, &e), 0, "%s", e.text);
	lines_close(&l);
	rewind(f);
	lines_open(&l, f, sizeof text - 1, "pipe");
	cr_expect_eq(lines_more(&l, &begin, &end, &e), -1);
	cr_expect_str_eq(e.text, "pipe: larger than 65535 bytes, the most that is read");
	lines_close(&l);
	fclose(f);
	e = (struct err){""};
	infile_too_large("x", INFILE_MOST, &e);
	cr_expect_str_eq(e.text, "x: larger than 64 GiB, the most that is read");
}

/* A graph from a pipe: the program used to read its first bytes twice. */
Test(bounded, a_graph_comes_through_a_pipe)
{
	struct program p;

	make_files();
	program_file("g.graph", "3 2\n2\n1 3\n2\n");
	program_file("f.yaml",
		     "ptx: k.ptx\nbuffers:\n  b: {graph: fifo, part: col}\nlaunches:\n  - {kernel: k, grid: 1, block: 1}\n"
		     "expect:\n  b: {type: u32, values: [1, 0, 2, 1]}\n");
	p = program_run("cat %s/g.graph >%s/fifo & timeout 20 \"${LOCUS_BUILD:-build}\"/locus run %s/f.yaml", program_tmp(),
			program_tmp(), program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

/* CUDA's driver interface as a program calls it: the file of a module. 301: CUDA_ERROR_FILE_NOT_FOUND of cuda.h. */
Test(bounded, a_cuda_module_is_a_regular_file)
{
	static const char *const none[] = {"/dev/zero", "fifo", "big", "."};
	void *library = dlopen("build/cuda/libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *module = NULL;
	int (*load)(void **, const char *);

	make_files();
	cr_assert_not_null(library, "%s", dlerror());
	*(void **)&load = dlsym(library, "cuModuleLoad");
	cr_assert_not_null(load, "%s", dlerror());
	for (unsigned i = 0; i < sizeof none / sizeof none[0]; i++)
		cr_expect_eq(load(&module, none[i][0] == '/' ? none[i] : program_path(none[i])), 301, "%s", none[i]);
	dlclose(library);
}

/* A sweep's folder may have been made by somebody else: the number of its Slurm job is read from a regular file. */
Test(bounded, a_sweeps_job_is_a_regular_file)
{
	make_files();
	program_file("slurm.yaml", "name: s\ncommon: {size: test}\naxes:\n  workload: [vectoradd]\n  seed: [1, 2]\n");
	cr_assert_eq(mkdir(program_path("d"), 0777), 0);
	cr_assert_eq(mkdir(program_path("d/shards"), 0777), 0);
	cr_assert_eq(mkfifo(program_path("d/shards/job"), 0600), 0);
	program_file("sbatch", "#!/bin/sh\necho no partition >&2\nexit 1\n");
	cr_assert_eq(chmod(program_path("sbatch"), 0777), 0);
	refused("sweep --slurm --dir d slurm.yaml", "no partition");
}
