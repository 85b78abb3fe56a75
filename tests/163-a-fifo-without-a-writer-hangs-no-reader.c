/* 163: every reader of a user's file refuses a FIFO that nobody writes to within seconds; those that read from front to
 * end take one that somebody does write to, and a pipe. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"

#define LOCUS "timeout 20 \"${LOCUS_BUILD:-build}\"/locus" /* a reader that hangs ends with 124 */

static void make_files(void)
{
	static const char *const fifos[] = {"fifo", "fifo.yaml", "fifo.ltrace", "fifo.g", "fifo.traceg", "fifo.traceg.xz"};
	char path[256];

	for (unsigned i = 0; i < sizeof fifos / sizeof fifos[0]; i++) {
		snprintf(path, sizeof path, "%s/%s", program_tmp(), fifos[i]);
		cr_assert_eq(mkfifo(path, 0600), 0);
	}
	program_file("k.ptx", ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n");
	program_file("ptx.yaml", "ptx: fifo\nbuffers:\n  b: {size: 4}\nlaunches:\n  - {kernel: k, grid: 1, block: 1}\n");
	program_file("fill.yaml", "ptx: k.ptx\nbuffers:\n  b: {file: fifo}\nlaunches:\n  - {kernel: k, grid: 1, block: 1}\n");
	program_file("graph.yaml",
		     "ptx: k.ptx\nbuffers:\n  b: {graph: fifo, part: col}\nlaunches:\n  - {kernel: k, grid: 1, block: 1}\n");
	program_file("expect.yaml", "ptx: k.ptx\nbuffers:\n  b: {size: 4}\nlaunches:\n  - {kernel: k, grid: 1, block: 1}\n"
				    "expect:\n  b: {type: u32, file: fifo}\n");
	program_file("base.yaml", "base: ./fifo\n");
	program_file("a.json", "{\"stats\": {\"cycles\": 1}}");
	program_file("x.din", "0 0\n1 40\n0 0\n");
}

/* The command runs in the folder of the files. */
static void refused(const char *arguments)
{
	struct program p =
		program_run("LOCUS_ROOT=$PWD; LOCUS=$(realpath \"${LOCUS_BUILD:-build}\"/locus); export LOCUS_ROOT; cd %s; "
			    "timeout 20 $LOCUS %s",
			    program_tmp(), arguments);

	cr_assert(program_is_clean_error(&p), "locus %s", arguments);
	cr_assert(strstr(p.err, "fifo"), "%s: %s", arguments, p.err);
	program_free(&p);
}

Test(fifo, without_a_writer_is_refused)
{
	static const char *const readers[] = {"ptx fifo",
					      "run fifo.yaml",
					      "run fifo.ltrace",
					      "run fifo.g",
					      "run fifo.traceg",
					      "run fifo.traceg.xz",
					      "run ptx.yaml",
					      "run fill.yaml",
					      "run graph.yaml",
					      "run expect.yaml",
					      "run syrk --machine fifo.yaml",
					      "run syrk --machine base.yaml",
					      "diff fifo a.json",
					      "dram fifo",
					      "cache fifo",
					      "trace info fifo.ltrace",
					      "run bfs --arg graph=fifo"};

	make_files();
	for (unsigned i = 0; i < sizeof readers / sizeof readers[0]; i++)
		refused(readers[i]);
}

/* The counts of a cache that sees 0, 0x40, 0 with lines of 128 bytes: two hits. */
static void hits_twice(const char *command)
{
	struct program file = program_run(LOCUS " cache %s/x.din", program_tmp()),
		       p = program_run(command, program_tmp(), program_tmp(), program_tmp());
	const char *begin = strchr(file.out, '\n'), *same = strchr(p.out, '\n');

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(begin && same, "%s", p.out);
	cr_assert_str_eq(begin, same);
	program_free(&file);
	program_free(&p);
}

Test(fifo, with_a_writer_is_read_to_its_end)
{
	make_files();
	hits_twice("cat %s/x.din > %s/fifo & " LOCUS " cache %s/fifo");
	hits_twice("{ sleep 2; cat %s/x.din; } > %s/fifo & " LOCUS " cache %s/fifo");
	hits_twice("cat %s/x.din | " LOCUS " cache /dev/stdin");
}
