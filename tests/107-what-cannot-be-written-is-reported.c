/* 107: a result that did not reach its file, its pipe or its terminal is an error, whatever was to be written; and what
 * is made in a file is made by each program for itself. */
#include <criterion/criterion.h>
#include <stdbool.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/files/newfile.h"
#include "support/program.h"

Test(outputs, a_full_standard_output_is_an_error_of_every_command)
{
	static const char *const command[] = {
		"--help",
		"run --help",
		"list",
		"list machines",
		"run vectoradd --size test",
		"cosim vectoradd --size test",
		"mix vectoradd syrk --size test --machine ndp4 --plan own-stacks",
		"ptx traces/syrk/kernel.ptx",
		"decode 0x1000",
		"index 0x1000",
		"plan vectoradd --size test --machine ndp4 --plan coda",
		"graph matmul --size test",
		"footprint bfs --size test --machine ndp4",
		"blocks pric",
		"bench cache.din --repeat 1",
		"record vectoradd --size test -o %s/v.ltrace",
		"trace info %s/v.ltrace",
		"trace dump %s/v.ltrace",
		"diff %s/a.json %s/b.json",
		"cache %s/c.din",
		"dram %s/d.txt",
	};
	struct program p =
		program_run("locus run vectoradd --size test --json %s/a.json && locus run syrk --size test --json %s/b.json",
			    program_tmp(), program_tmp());

	program_free(&p);
	program_file("c.din", "0 1000\n");
	program_file("d.txt", "0x1000 R 0\n");
	for (unsigned i = 0; i < sizeof command / sizeof command[0]; i++) {
		char line[512];

		snprintf(line, sizeof line, command[i], program_tmp(), program_tmp());
		p = program_run("locus %s >/dev/full", line);
		cr_assert_eq(p.status, 2, "%s: %d", command[i], p.status);
		cr_assert_str_eq(p.err, "locus: standard output: cannot write: No space left on device\n", "%s: %s", command[i],
				 p.err);
		program_free(&p);
	}
}

Test(outputs, a_closed_standard_output_is_one_too_and_no_file_takes_its_place)
{
	struct program p = program_run("locus list >&-");

	cr_assert(program_is_clean_error(&p));
	program_free(&p);
	p = program_run("locus run vectoradd --size test --json %s/r.json >&-; head -c 2 %s/r.json", program_tmp(), program_tmp());
	cr_assert_str_eq(p.out, "{\n");
	program_free(&p);
}

/* As with any program of Unix: the reader has what it wants, and nobody complains. 141 is 128 + SIGPIPE. */
Test(outputs, a_reader_that_goes_away_ends_the_program_without_a_word)
{
	struct program p = program_run("{ locus trace dump %s/none.ltrace; locus list; echo $? >%s/status; } 2>%s/said | head -0",
				       program_tmp(), program_tmp(), program_tmp());

	program_free(&p);
	p = program_run("locus record syrk --size test -o %s/s.ltrace >/dev/null && "
			"{ locus trace dump %s/s.ltrace; echo $? >&2; } | head -1",
			program_tmp(), program_tmp());
	cr_assert_str_eq(p.out, "warp     pc   line     mask  instruction\n");
	cr_assert(!strcmp(p.err, "141\n") || !strcmp(p.err, "0\n"), "%s", p.err);
	program_free(&p);
}

Test(outputs, a_dash_prints_the_result_and_nothing_else)
{
	struct program p = program_run(
		"locus run vectoradd --size test --json - >%s/printed && locus run vectoradd --size test --json %s/file "
		">/dev/null && cmp %s/printed %s/file",
		program_tmp(), program_tmp(), program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
	p = program_run("cd %s && locus graph matmul --size test --json - | head -c 2 && test ! -e ./-", program_tmp());
	cr_assert_str_eq(p.out, "{\n");
	cr_assert_eq(p.status, 0);
	program_free(&p);
	p = program_run("locus run vectoradd --size test --json - >/dev/full");
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
}

Test(outputs, a_dash_that_makes_no_sense_is_refused)
{
	static const char *const command[] = {
		"run vectoradd --size test --json - --timeline -",
		"record vectoradd --size test -o -",
		"cosim vectoradd --size test --wave -",
		"graph matmul --size test --picture -",
	};

	for (unsigned i = 0; i < sizeof command / sizeof command[0]; i++) {
		struct program p = program_run("cd %s && locus %s", program_tmp(), command[i]);

		cr_assert(program_is_clean_error(&p), "%s", command[i]);
		program_free(&p);
		p = program_run("ls -A %s | grep -v '^out\\|^err'", program_tmp());
		cr_assert_str_empty(p.out, "%s left %s", command[i], p.out);
		program_free(&p);
	}
}

Test(outputs, decode_offers_no_result)
{
	struct program p = program_run("locus decode --help");

	cr_assert_eq(p.status, 0);
	cr_assert_not(strstr(p.out, "--json"));
	cr_assert(strstr(p.out, "--machine"));
	program_free(&p);
}

/* A limit on the size of files is what a test can have of a full disk. */
Test(outputs, a_wave_that_is_cut_short_is_not_announced)
{
	struct program p = program_run("cd %s && locus cosim syrk --size test --l1-index pric >/dev/null && "
				       "ulimit -f 8 && { locus cosim syrk --size test --l1-index pric --wave w.fst; echo $?; } | "
				       "grep '^waves:\\|^[0-9]\\|^  cycles' | cut -c 1-8",
				       program_tmp());

	cr_assert_str_eq(p.out, "  cycles\n2\n", "%s%s", p.out, p.err);
	cr_assert(strstr(p.err, "w.fst: the wave could not be written in full"), "%s", p.err);
	program_free(&p);
	p = program_run("cd %s && mkdir x.fst && locus cosim vectoradd --size test --l1-index pric --wave x.fst >/dev/null",
			program_tmp());
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
	p = program_run("cd %s && locus cosim vectoradd --size test --wave nowhere/x.fst >/dev/null", program_tmp());
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
}

#define SMALL_WAVE "cosim gaussian --size test --plan paver-rb --hw paver=lockstep --max-cycles 3000 --wave "

/* Verilator's writer maps what it wrote, as long as it should be: a page that is not there is a SIGBUS. */
Test(outputs, a_wave_of_which_nothing_fits_is_reported_and_the_result_is_written)
{
	for (int kilobytes = 1; kilobytes <= 4; kilobytes *= 2) {
		struct program p = program_run("cd %s && mkdir -p full && (ulimit -f %d; cd full; locus " SMALL_WAVE
					       "w.fst >/dev/null); s=$?; ls -A full; exit $s",
					       program_tmp(), kilobytes);

		cr_expect_eq(p.status, 2, "%d KB: status %d", kilobytes, p.status);
		cr_expect_str_eq(p.err, "locus: w.fst: the wave could not be written in full: is the disk full?\n");
		cr_expect_str_empty(p.out, "nothing is left: %s", p.out);
		program_free(&p);
	}
}

/* The wave's disk is full, then that of the writer's temporary files. */
Test(outputs, a_wave_on_a_full_disk_is_reported)
{
	struct program may = program_run("unshare -rm true");
	bool skipped = may.status != 0;

	program_free(&may);
	if (skipped)
		cr_skip("no file system can be mounted here");
	for (int i = 0; i < 2; i++) {
		struct program p = program_run(
			"l=${LOCUS_BUILD:-build}/locus; d=%s/disk; w=$PWD/build/wave-of-107; mkdir -p $w $d && unshare -rm sh -c "
			"\"mount -t tmpfs -o size=4k none "
			"%s && "
			"$l " SMALL_WAVE "%s/w.fst --json $w/r.json >/dev/null\"; s=$?; tail -c 2 $w/r.json; rm -r $w; exit $s",
			program_tmp(), i ? "/tmp" : "$d", i ? "$w" : "$d");

		cr_expect_eq(p.status, 2, "status %d: %s", p.status, p.err);
		cr_expect(strstr(p.err, "w.fst: the wave could not be written in full: is the disk full?\n"), "%s", p.err);
		cr_expect_str_eq(p.out, "}\n", "the result is whole");
		program_free(&p);
	}
}

Test(outputs, runs_with_one_name_do_not_meet)
{
	struct program p = program_run(
		"cd %s && mkdir d && cd d && for i in 1 2 3 4; do { locus run matmul --size test --json r.json --timeline t.json "
		">/dev/null && locus record matmul --size test -o r.ltrace >/dev/null || echo failed; } & done; wait; ls; "
		"head -c 2 r.json; tail -c 2 r.json",
		program_tmp());

	cr_assert_str_eq(p.out, "r.json\nr.ltrace\nt.json\n{\n}\n", "%s%s", p.out, p.err);
	cr_assert_str_empty(p.err);
	program_free(&p);
}

Test(outputs, a_new_file_has_the_mode_that_the_umask_leaves)
{
	struct program p =
		program_run("cd %s && umask 027 && locus run vectoradd --size test --json r.json >/dev/null && stat -c %%a r.json",
			    program_tmp());

	cr_assert_str_eq(p.out, "640\n");
	program_free(&p);
}

static void expect_text(const char *path, const char *want)
{
	char text[64] = "";
	FILE *f = fopen(path, "r");

	cr_assert_not_null(f);
	cr_assert_neq(fread(text, 1, sizeof text - 1, f), 0);
	fclose(f);
	cr_assert_str_eq(text, want);
}

/* A file that lost its name, as on a file system without nameless files, can get none again: its bytes are copied. */
Test(outputs, a_nameless_file_gets_its_name_at_the_end)
{
	char path[128], other[128];
	struct program p;
	int fd;

	snprintf(path, sizeof path, "%s/d/new", program_tmp());
	snprintf(other, sizeof other, "%s/d/other", program_tmp());
	p = program_run("mkdir %s/d && echo older >%s", program_tmp(), path);
	program_free(&p);
	fd = newfile_open(path);
	cr_assert_geq(fd, 0);
	cr_assert_eq(write(fd, "whole", 5), 5);
	expect_text(path, "older\n");
	p = program_run("ls %s/d", program_tmp());
	cr_assert_str_eq(p.out, "new\n");
	program_free(&p);
	cr_assert_eq(newfile_keep(fd, path), 0);
	close(fd);
	expect_text(path, "whole");
	fd = open(other, O_RDWR | O_CREAT, 0666);
	cr_assert_eq(unlink(other), 0);
	cr_assert_eq(write(fd, "copied", 6), 6);
	cr_assert_eq(newfile_keep(fd, path), 0);
	close(fd);
	expect_text(path, "copied");
	p = program_run("ls %s/d", program_tmp());
	cr_assert_str_eq(p.out, "new\n");
	program_free(&p);
}

/* What a kill leaves between the making of a file and its name: a folder whose lock nobody holds. */
Test(outputs, what_a_kill_left_beside_a_file_goes_when_it_is_made_again)
{
	char path[128];
	struct program p =
		program_run("mkdir -p %s/d/.locus-work-1-0 && cd %s/d && echo older >new && echo half >.locus-work-1-0/new",
			    program_tmp(), program_tmp());
	int fd;

	program_free(&p);
	snprintf(path, sizeof path, "%s/d/new", program_tmp());
	fd = newfile_open(path);
	cr_assert_eq(write(fd, "whole", 5), 5);
	cr_assert_eq(newfile_keep(fd, path), 0);
	close(fd);
	expect_text(path, "whole");
	p = program_run("ls -A %s/d", program_tmp());
	cr_expect_str_eq(p.out, "new\n");
	program_free(&p);
}

/* A stream forgets why a write failed before the last one: files of at most 4 KiB, and more than that to write. */
Test(unwritable, a_file_without_room_has_its_reason)
{
	static const char *const commands[] = {
		"report %s/r.json -o %s/page",
		"run vectoradd --size test --json %s/x.json --perfetto %s/x.pftrace",
		"run vectoradd --size test --perfetto %s/x.pftrace --json %s/x.json",
		"run vectoradd --size test --timeline %s/x.json --json %s/y.json",
		"run vectoradd --size test --interval 1 --interval-csv %s/x.csv --json %s/y.json",
		"run vectoradd --size test --konata %s/x.konata --json %s/y.json",
	};

	struct program p = program_run("locus run vectoradd --size test --json %s/r.json", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	for (unsigned i = 0; i < sizeof commands / sizeof commands[0]; i++) {
		char words[600];

		snprintf(words, sizeof words, commands[i], program_tmp(), program_tmp());
		p = program_run("trap '' XFSZ; ulimit -f 4; \"${LOCUS_BUILD:-build}\"/locus %s >/dev/null", words);
		cr_expect_eq(p.status, 2, "%s", words);
		cr_expect(strstr(p.err, "cannot write: File too large"), "%s: %s", words, p.err);
		program_free(&p);
	}
}
