/* 443: one warp reads a word a lane, so many bytes apart: lookups, packets, flits and bytes are counted by hand. On
 * titanv, whose bursts are 32 bytes, with flits of 32 bytes and headers of 8: a request for any number of sectors is 1
 * flit, a reply of one sector ceil(40 / 32) = 2, of a line ceil(136 / 32) = 5. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>

#include "support/program.h"

/* Lane i reads the word at `stride` i. */
#define KERNEL(stride)                                                                                                             \
	".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 in)\n{\n"                                    \
	".reg .b32 %r<3>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\n"                                    \
	"mul.wide.u32 %rd2, %r1, " stride ";\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r2, [%rd3];\nret;\n}\n"

static const char launch[] = "ptx: k.ptx\nbuffers:\n  in: {count: 1024, type: u32, value: 7}\n"
			     "launches:\n  - {kernel: k, grid: 1, block: 32, args: [in]}\n";

#define WHOLE	 ""
#define SECTORED "--set l1.sectors=4 --set l2.sectors=4"

struct moved {
	long long lookups, sectors, requests, request_flits, replies, reply_flits, l2, dram_reads, dram_bytes;
};

static long long number(const json_t *stats, const char *name)
{
	return (long long)json_integer_value(json_object_get(stats, name));
}

static struct moved run(const char *kernel, const char *options)
{
	struct program p;
	struct moved m;
	json_t *j, *s;

	program_file("k.ptx", kernel);
	program_file("k.yaml", launch);
	p = program_run("locus run %s/k.yaml --machine titanv --set net.flit_bytes=32 --set net.header_bytes=8 %s --json -",
			program_tmp(), options);
	cr_assert_eq(p.status, 0, "%s", p.err);
	j = json_loads(p.out, 0, NULL);
	cr_assert_not_null(j, "%s", p.out);
	s = json_object_get(j, "stats");
	m = (struct moved){number(s, "l1.accesses"),	   number(s, "l1.sectors"),	   number(s, "net.request.packets"),
			   number(s, "net.request.flits"), number(s, "net.reply.packets"), number(s, "net.reply.flits"),
			   number(s, "l2.accesses"),	   number(s, "dram.reads"),	   number(s, "dram.bytes")};
	json_decref(j);
	program_free(&p);
	return m;
}

static void expect(const char *kernel, const char *options, struct moved by_hand)
{
	struct moved m = run(kernel, options);

	cr_assert_eq(m.lookups, by_hand.lookups, "%lld lookups", m.lookups);
	cr_assert_eq(m.sectors, by_hand.sectors, "%lld sectors", m.sectors);
	cr_assert_eq(m.requests, by_hand.requests, "%lld requests", m.requests);
	cr_assert_eq(m.request_flits, by_hand.request_flits, "%lld flits of requests", m.request_flits);
	cr_assert_eq(m.replies, by_hand.replies, "%lld replies", m.replies);
	cr_assert_eq(m.reply_flits, by_hand.reply_flits, "%lld flits of replies", m.reply_flits);
	cr_assert_eq(m.l2, by_hand.l2, "%lld lookups in L2", m.l2);
	cr_assert_eq(m.dram_reads, by_hand.dram_reads, "%lld reads of DRAM", m.dram_reads);
	cr_assert_eq(m.dram_bytes, by_hand.dram_bytes, "%lld bytes of DRAM", m.dram_bytes);
}

/* 32 lanes x 32 bytes are 8 lines, all of whose sectors are touched. */
Test(stride, of_a_sector_fetches_all_of_its_lines)
{
	expect(KERNEL("32"), SECTORED, (struct moved){8, 32, 32, 32, 32, 64, 32, 32, 1024});
	expect(KERNEL("32"), SECTORED " --set l1.packet_sectors=4", (struct moved){8, 32, 8, 8, 8, 40, 8, 8, 1024});
	expect(KERNEL("32"), WHOLE, (struct moved){8, 0, 8, 8, 8, 40, 8, 8, 1024});
}

/* A line a lane, a sector of each: a quarter of the bytes that whole lines take. */
Test(stride, of_a_line_fetches_a_quarter_of_its_lines)
{
	expect(KERNEL("128"), SECTORED, (struct moved){32, 32, 32, 32, 32, 64, 32, 32, 1024});
	expect(KERNEL("128"), SECTORED " --set l1.allocate=fill --set l1.packet_sectors=4",
	       (struct moved){32, 32, 32, 32, 32, 64, 32, 32, 1024});
	expect(KERNEL("128"), WHOLE, (struct moved){32, 0, 32, 32, 32, 160, 32, 32, 4096});
}

/* Neighbouring words are one line: four sectors, in as many packets as l1.packet_sectors says. */
Test(stride, of_a_word_fetches_one_line)
{
	expect(KERNEL("4"), SECTORED, (struct moved){1, 4, 4, 4, 4, 8, 4, 4, 128});
	expect(KERNEL("4"), SECTORED " --set l1.packet_sectors=2", (struct moved){1, 4, 2, 2, 2, 6, 2, 2, 128});
	expect(KERNEL("4"), SECTORED " --set l1.packet_sectors=4", (struct moved){1, 4, 1, 1, 1, 5, 1, 1, 128});
}

/* Two sectors of each of 16 lines, since words are 64 bytes apart; the L1 alone has sectors: L2 and DRAM move lines. */
Test(stride, of_two_sectors_with_sectors_in_the_l1_alone)
{
	expect(KERNEL("64"), "--set l1.sectors=4", (struct moved){16, 32, 32, 32, 32, 64, 32, 16, 2048});
	expect(KERNEL("64"), SECTORED, (struct moved){16, 32, 32, 32, 32, 64, 32, 32, 1024});
	expect(KERNEL("64"), "--set l2.sectors=4", (struct moved){16, 0, 16, 16, 16, 80, 16, 16, 2048});
}

/* Reads the word at 64 i twice, and writes the one behind it: of 32 lanes two sectors of 16 lines. The second read
 * finds what the first brought; DRAM has nothing to write, since the lines stay in the L2. */
Test(stride, counts_the_sectors_that_loads_and_stores_touch)
{
	static const char kernel[] = ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 in)\n{\n"
				     ".reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [in];\nmov.u32 %r1, %tid.x;\n"
				     "mul.wide.u32 %rd2, %r1, 64;\nadd.s64 %rd3, %rd1, %rd2;\nld.global.u32 %r2, [%rd3];\n"
				     "add.u32 %r2, %r2, 1;\nld.global.u32 %r3, [%rd3];\nadd.u32 %r3, %r3, %r2;\n"
				     "st.global.u32 [%rd3+4], %r3;\nret;\n}\n";
	static const struct {
		const char *name;
		double by_hand;
	} is[] = {
		{"l1.load_sectors", 64},    {"l1.sectors", 32},	      {"l2.read_sectors", 32},
		{"l2.written_sectors", 32}, {"dram.read_bursts", 32}, {"dram.written_bursts", 0},
	};
	json_t *stats;

	program_file("k.ptx", kernel);
	program_file("k.yaml", launch);
	stats = program_stats("locus run %s/k.yaml --machine titanv %s", program_tmp(), SECTORED);
	for (unsigned i = 0; i < sizeof is / sizeof is[0]; i++)
		cr_expect_eq(program_stat(stats, is[i].name), is[i].by_hand, "%s %g", is[i].name, program_stat(stats, is[i].name));
	json_decref(stats);

	/* All in one page: an entry of each of the four levels is read, which is 8 bytes of a sector. */
	stats = program_stats("locus run %s/k.yaml --machine titanv %s --set vm.enabled=true", program_tmp(), SECTORED);
	cr_expect_eq(program_stat(stats, "walk.reads"), 4);
	cr_expect_eq(program_stat(stats, "l2.read_sectors"), 32 + 4, "%g", program_stat(stats, "l2.read_sectors"));
	json_decref(stats);
}

/* Everything at once, on programs whose results are known: the invariants hold (status 1 if not). */
Test(stride, sectors_keep_the_invariants_of_whole_programs)
{
	static const char *const option[] = {
		SECTORED,
		SECTORED
		" --set l1.allocate=fill --set l1.write_hit=update --set l2.write_allocate=fetch-on-read --set l1.mshr_entries=512",
		SECTORED " --set l1.packet_sectors=4 --set l2.write_allocate=fetch-always",
		SECTORED " --l1-index pric --l2-index pric --l2-bypass streaming --throttle dwt-cs",
		SECTORED " --set vm.enabled=true --set l2.enabled=false",
	};
	static const char *const workload[] = {"bfs", "histogram", "heartwall", "hybridsort"};

	for (unsigned i = 0; i < sizeof option / sizeof option[0]; i++)
		for (unsigned w = 0; w < sizeof workload / sizeof workload[0]; w++) {
			struct program p = program_run("locus run %s --size test --machine titanv %s", workload[w], option[i]);

			cr_assert_eq(p.status, 0, "%s %s: %s%s", workload[w], option[i], p.err, p.out);
			program_free(&p);
		}
}
