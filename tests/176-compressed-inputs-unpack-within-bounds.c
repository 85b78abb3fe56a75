/* 176: a compressed input unpacks to at most --max-unpacked bytes, and into seven eighths of the free space, whatever
 * its ratio is. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/fatbin.h"
#include "support/made_fatbin.h"
#include "support/program.h"

#define LOCUS "timeout 60 \"${LOCUS_BUILD:-build}\"/locus"

/* A trace that runs, and 4 MiB of empty lines after it, which .xz packs a hundredfold and more. */
static void make_trace(void)
{
	struct program p = program_run("cp traces/accelsim-sample/kernel-1.traceg %s/k.traceg && cd %s && "
				       "yes '' | head -c 4194304 >>k.traceg && xz -k k.traceg && "
				       "test $(($(wc -c <k.traceg) / $(wc -c <k.traceg.xz))) -ge 100",
				       program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(unpacked, an_xz_trace_of_a_great_ratio_runs_within_the_bound)
{
	struct program plain, packed, p;

	make_trace();
	plain = program_run(LOCUS " run %s/k.traceg --json - | grep -A400 '\"stats\"'", program_tmp());
	packed = program_run(LOCUS " run %s/k.traceg.xz --max-unpacked 8M --json - | grep -A400 '\"stats\"'", program_tmp());
	cr_assert_str_not_empty(plain.out);
	cr_expect_str_eq(plain.out, packed.out, "%s", packed.err);
	p = program_run(LOCUS " run %s/k.traceg.xz --max-unpacked 4M", program_tmp());
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "k.traceg.xz: unpacks to more than 4 MiB (--max-unpacked SIZE allows more)"), "%s", p.err);
	program_free(&p);
	p = program_run(LOCUS " record %s/k.traceg.xz --max-unpacked 100 -o %s/k.ltrace", program_tmp(), program_tmp());
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "unpacks to more than 100 bytes"), "%s", p.err);
	program_free(&p);
	program_free(&plain);
	program_free(&packed);
}

/* A disk of 4 MiB of our own: seven eighths of it are 3,670,016 bytes. */
Test(unpacked, an_xz_trace_leaves_an_eighth_of_the_free_space)
{
	struct program p = program_run("unshare -rm mount -t tmpfs none /mnt");

	if (p.status != 0) {
		program_free(&p);
		cr_skip_test("no disk of one's own here");
	}
	program_free(&p);
	make_trace();
	p = program_run("mkdir %s/disk && unshare -rm sh -c 'mount -t tmpfs -o size=4m none %s/disk && TMPDIR=%s/disk " LOCUS
			" run %s/k.traceg.xz'",
			program_tmp(), program_tmp(), program_tmp(), program_tmp());
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "unpacks to more than 3670016 bytes, seven eighths of the free space of "), "%s", p.err);
	program_free(&p);
}

/* A comment of 4,001 bytes, and a path of three vertices. */
Test(unpacked, a_gz_graph_stays_within_the_bound)
{
	struct program p;
	char text[4200];

	snprintf(text, sizeof text, "%%%04000d\n3 2\n2\n1 3\n2\n", 0);
	program_file("g.graph", text);
	program_file("k.ptx", ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k()\n{\nret;\n}\n");
	program_file("f.yaml", "ptx: k.ptx\nbuffers:\n  b: {graph: g.graph.gz, part: col}\nlaunches:\n"
			       "  - {kernel: k, grid: 1, block: 1}\nexpect:\n  b: {type: u32, values: [1, 0, 2, 1]}\n");
	p = program_run("gzip -k %s/g.graph && test $(wc -c <%s/g.graph.gz) -lt 100 && " LOCUS " run %s/f.yaml --max-unpacked 4014",
			program_tmp(), program_tmp(), program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run(LOCUS " run %s/f.yaml --max-unpacked 4000", program_tmp());
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "buffers.b.graph: "), "%s", p.err);
	cr_expect(strstr(p.err, "g.graph.gz: unpacks to more than 4000 bytes (--max-unpacked SIZE allows more)"), "%s", p.err);
	program_free(&p);
	p = program_run(LOCUS " run bfs --arg graph=%s/g.graph.gz --max-unpacked 10", program_tmp());
	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "unpacks to more than 10 bytes"), "%s", p.err);
	program_free(&p);
}

/* PTX of 1,000 bytes in a fat binary; the one that is not packed has no bound here. */
Test(unpacked, ptx_of_a_fat_binary_stays_within_the_bound)
{
	static char text[1001];
	static uint8_t bytes[1 << 14];

	memset(text, ' ', 1000);
	memcpy(text, ".version 7.0", 12);
	for (int how = MADE_PLAIN; how <= MADE_ZSTD; how++) {
		size_t n = made_fatbin(bytes, sizeof bytes,
				       &(struct made_entry){MADE_PTX, 70, (enum made_how)how, text, sizeof text}, 1);
		struct fatbin_ptx ptx;
		struct err e = {""};

		cr_assert_gt(n, 0);
		cr_assert_eq(fatbin_read(bytes, n, 80, sizeof text, &ptx, &e), 0, "%s", e.text);
		cr_expect_str_eq(ptx.text, text);
		free(ptx.text);
		cr_expect_eq(fatbin_read(bytes, n, 80, sizeof text - 1, &ptx, &e), how == MADE_PLAIN ? 0 : -1);
		cr_expect_str_eq(e.text, how == MADE_PLAIN ? ""
							   : "PTX of a fat binary: unpacks to more than 1000 bytes "
							     "(--max-unpacked SIZE allows more)");
		free(ptx.text);
	}
}

Test(unpacked, the_bound_is_refused_where_nothing_is_unpacked)
{
	struct program p = program_run(LOCUS " run syrk --size test --max-unpacked 1G");

	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "syrk: reads no compressed file; --max-unpacked is for .xz traces and .gz graphs"), "%s", p.err);
	program_free(&p);
	p = program_run(LOCUS " record vectoradd --size test -o %s/s.ltrace && " LOCUS " run %s/s.ltrace --max-unpacked 1G",
			program_tmp(), program_tmp());
	cr_expect_eq(p.status, 2);
	cr_expect(strstr(p.err, "a recorded trace is not unpacked"), "%s", p.err);
	program_free(&p);
}
