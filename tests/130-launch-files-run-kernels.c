/* 130: launch files run kernels without any C; whatever is wrong in one is reported with file, line, column and key. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "workload/program.h"
#include "workload/launchfile.h"
#include "ptx/memory.h"
#include "support/program.h"

static const char *file_in_tmp(const char *name, const char *text)
{
	char *path = NULL;
	FILE *f;

	cr_assert(asprintf(&path, "%s/%s", program_tmp(), name) > 0);
	f = fopen(path, "w");
	fputs(text, f);
	fclose(f);
	return path;
}

static const char kernels[] = ".version 6.0\n.target sm_60\n.address_size 64\n"
			      ".visible .entry store(.param .u64 out, .param .u32 n, .param .f32 v)\n{\n"
			      ".reg .b32 %r<2>; .reg .f32 %f<2>; .reg .b64 %rd<2>;\n"
			      "ld.param.u64 %rd1, [out]; ld.param.f32 %f1, [v]; st.global.f32 [%rd1], %f1; ret;\n}\n"
			      ".visible .entry pair(.param .u64 out, .param .align 4 .b8 two[8])\n{\n"
			      ".reg .b32 %r<3>; .reg .b64 %rd<2>;\n"
			      "ld.param.u64 %rd1, [out]; ld.param.u32 %r1, [two]; ld.param.u32 %r2, [two+4];\n"
			      "st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; ret;\n}\n";

/* Runs a launch file's text against fresh memory. */
static struct host *run(const char *text, int *status, struct err *e)
{
	struct host *h = host_new(&(struct host_options){0}, e);
	bool expects;

	cr_assert(h, "%s", e->text);
	file_in_tmp("k.ptx", kernels);
	*status = launchfile_run(h, file_in_tmp("my.yaml", text), &expects, e);
	return h;
}

static const void *bytes_of(struct host *h, const char *name, uint64_t size)
{
	int i = memory_named(host_memory(h), name);

	cr_assert(i >= 0, "%s", name);
	cr_assert_eq(host_memory(h)->buffer[i].size, size, "%s has %d bytes", name, (int)host_memory(h)->buffer[i].size);
	return host_memory(h)->buffer[i].bytes;
}

static struct host *run_well(const char *text)
{
	struct err e = {""};
	int status;
	struct host *h = run(text, &status, &e);

	cr_assert_eq(status, 0, "%s", e.text);
	return h;
}

#define ONE_LAUNCH "launches: [{kernel: store, grid: 1, block: 1, args: [a, 1, 2.5]}]\n"

Test(launch_file, buffers_are_filled_as_it_says)
{
	struct host *h = run_well("ptx: k.ptx\nbuffers:\n"
				  "  a: {size: 2K}\n"
				  "  i: {type: s16, count: 5, fill: iota, start: -2, step: 3}\n"
				  "  d: {type: f64, count: 3, fill: iota, start: 0.5, step: -0.25}\n"
				  "  v: {type: u8, size: 3, value: 0xab}\n"
				  "  raw: {file: raw.bin, size: 6}\n" ONE_LAUNCH);
	static const int16_t iota[] = {-2, 1, 4, 7, 10};
	static const double down[] = {0.5, 0.25, 0};
	float first;

	cr_assert_eq(memcmp(bytes_of(h, "i", 10), iota, 10), 0);
	cr_assert_eq(memcmp(bytes_of(h, "d", 24), down, 24), 0);
	cr_assert_eq(memcmp(bytes_of(h, "v", 3), "\xab\xab\xab", 3), 0);
	cr_assert_eq(memcmp(bytes_of(h, "raw", 6), "abcd\0\0", 6), 0);
	memcpy(&first, bytes_of(h, "a", 2048), 4);
	cr_assert_eq(first, 2.5f); /* the kernel ran */
	host_free(h);
}

static void make_raw(void)
{
	file_in_tmp("raw.bin", "abcd");
}
TestSuite(launch_file, .init = make_raw);

Test(launch_file, random_contents_keep_to_their_range_and_seed)
{
	struct host *h = run_well("ptx: k.ptx\nbuffers:\n  a: {size: 4}\n"
				  "  r: {type: s32, count: 4K, fill: random, range: [-3, 3], seed: 7}\n"
				  "  s: {type: s32, count: 4K, fill: random, range: [-3, 3], seed: 7}\n"
				  "  t: {type: s32, count: 4K, fill: random, range: [-3, 3], seed: 8}\n"
				  "  f: {type: f32, count: 4K, fill: random, range: [10, 11]}\n" ONE_LAUNCH);
	const int32_t *r = bytes_of(h, "r", 16384);
	const float *f = bytes_of(h, "f", 16384);
	unsigned seen[7] = {0};

	for (int i = 0; i < 4096; i++) {
		cr_assert(r[i] >= -3 && r[i] <= 3, "%d", r[i]);
		cr_assert(f[i] >= 10 && f[i] < 11, "%f", (double)f[i]);
		seen[r[i] + 3]++;
	}
	for (int i = 0; i < 7; i++) /* 585 expected; 6 sigma is 134 */
		cr_assert(seen[i] > 451 && seen[i] < 719, "%d: %u", i - 3, seen[i]);
	cr_assert_eq(memcmp(r, bytes_of(h, "s", 16384), 16384), 0);
	cr_assert_neq(memcmp(r, bytes_of(h, "t", 16384), 16384), 0);
	host_free(h);
}

Test(launch_file, parts_of_a_graph_become_buffers_and_scalars)
{
	struct host *h;
	const uint32_t *row, *col;
	float x;

	file_in_tmp("path.graph", "3 2\n2\n1 3\n2\n");
	h = run_well(
		"ptx: k.ptx\nbuffers:\n  a: {size: 64}\n  row: {graph: path.graph, part: rowptr}\n"
		"  col: {graph: path.graph, part: col, size: 32}\nscalars: {n: {graph: path.graph, part: entries}, half: 0.5}\n"
		"launches: [{kernel: store, grid: 1, block: 1, args: [a+4, n, half]}, {kernel: store, grid: 1, block: 1, args: "
		"[a+8, 1, n]}]\n");
	row = bytes_of(h, "row", 16);
	col = bytes_of(h, "col", 32);
	cr_assert(row[0] == 0 && row[1] == 1 && row[2] == 3 && row[3] == 4);
	cr_assert(col[0] == 1 && col[1] == 0 && col[2] == 2 && col[3] == 1 && col[4] == 0);
	memcpy(&x, (const char *)bytes_of(h, "a", 64) + 4, 4);
	cr_assert_eq(x, 0.5f);
	memcpy(&x, (const char *)bytes_of(h, "a", 64) + 8, 4);
	cr_assert_eq(x, 4.0f);
	host_free(h);
}

Test(launch_file, structures_stores_and_groups)
{
	struct host *h =
		run_well("ptx: k.ptx\nbuffers: {a: {size: 16}, b: {size: 8}}\nlaunches:\n"
			 "  - {kernel: pair, grid: 1, block: 1, args: [a, {hex: 0102030405060708}]}\n"
			 "  - repeat: 2\n    launches:\n"
			 "      - {kernel: pair, grid: [1, 1, 1], block: [1], args: [a+8, {hex: a1a2a3a4a5a6a7a8}], repeat: 3}\n"
			 "      - store: {buffer: b, offset: 4, type: u16, value: 0x4241}\n");

	cr_assert_eq(memcmp(bytes_of(h, "a", 16), "\1\2\3\4\5\6\7\10\xa1\xa2\xa3\xa4\xa5\xa6\xa7\xa8", 16), 0);
	cr_assert_eq(memcmp(bytes_of(h, "b", 8), "\0\0\0\0AB\0\0", 8), 0);
	host_free(h);
}

/* Streams 1 and 2 beside each other; what names none comes after all and ahead of all; so does a store. */
Test(launch_file, launches_of_streams_wait_for_what_they_must)
{
	static const struct {
		uint32_t below, n_waits, waits;
	} want[] = {{0, 0, 0}, {0, 0, 0}, {0, 1, 1}, {3, 0, 0}, {4, 0, 0}, {4, 0, 0}, {6, 0, 0}};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "streams"}, &e);
	struct host *h = host_new(&(struct host_options){.w = w}, &e);
	struct trace *t;
	bool expects;

	cr_assert(w && h, "%s", e.text);
	file_in_tmp("k.ptx", kernels);
	cr_assert_eq(launchfile_run(h,
				    file_in_tmp("my.yaml", "ptx: k.ptx\nbuffers: {a: {size: 64}}\nlaunches:\n"
							   "  - {kernel: store, grid: 1, block: 1, args: [a, 1, 2], stream: 1}\n"
							   "  - {kernel: store, grid: 1, block: 1, args: [a+4, 1, 2], stream: 2, "
							   "repeat: 2}\n"
							   "  - {kernel: store, grid: 1, block: 1, args: [a, 1, 2]}\n"
							   "  - {kernel: store, grid: 1, block: 1, args: [a, 1, 2], stream: 1}\n"
							   "  - {kernel: store, grid: 1, block: 1, args: [a+4, 1, 2], stream: 2}\n"
							   "  - store: {buffer: a, offset: 8, type: u16, value: 1}\n"
							   "  - {kernel: store, grid: 1, block: 1, args: [a, 1, 2], stream: 3}\n"),
				    &expects, &e),
		     0, "%s", e.text);
	t = trace_writer_so_far(w, &e);
	cr_assert_eq(trace_n_launches(t), 7);
	for (uint32_t i = 0; i < 7; i++) {
		const struct trace_launch *l = trace_launch(t, i);

		cr_expect(l->below == want[i].below && l->n_waits == want[i].n_waits, "launch %u", i);
		cr_expect(!l->n_waits || trace_waits(t, l)[0] == want[i].waits, "launch %u", i);
	}
	host_free(h);
	trace_writer_drop(w);
}

Test(launch_file, a_wrong_result_is_not_a_wrong_file)
{
	struct err e = {""};
	int status;
	struct host *h =
		run("ptx: k.ptx\nbuffers: {a: {size: 8}}\n" ONE_LAUNCH "expect: {a: {type: f32, value: 2.5}}\n", &status, &e);

	cr_assert_eq(status, -1);
	cr_assert(host_differs(h));
	cr_assert_str_eq(e.text, "my.yaml: a[1] is 0, the reference says 2.5");
	host_free(h);
}

struct broken {
	const char *text, *says; /* "LINE:COLUMN: ..." */
};

#define TOP "ptx: k.ptx\nbuffers: {a: {size: 64}}\n"

static const struct broken all[] = {
	{TOP "launches: [{kernel: store, grid: 1, block: 1, args: [a, 1, 2], stream: -1}]\n",
	 "3:72: launches[0].stream: \"-1\" is not a whole number (digits, then K, M or G)"},
	{"ptx: k.ptx\nlaunch: []\n", "2:1: launch: unknown key (did you mean \"launches\"?)"},
	{"ptx: k.ptx\nzebra: 1\n",
	 "2:1: zebra: unknown key (legal ones: name ptx registers buffers textures surfaces scalars launches expect dump)"},
	{"name: x\nlaunches: []\n", "1:1: ptx: is missing"},
	{"ptx: gone.ptx\nlaunches: []\n", "1:6: ptx: "},
	{"- 1\n", "1:1: must be a mapping of keys to values"},
	{TOP "launches: []\n", "3:11: launches: is empty"},
	{TOP "launches: {kernel: store}\n", "3:11: launches: must be a list"},
	{"ptx: k.ptx\nbuffers: {a: {size: 0}}\nlaunches: []\n", "2:21: buffers.a.size: 0 is not in 1..1099511627776"},
	{"ptx: k.ptx\nbuffers: {a: {sise: 1}}\nlaunches: []\n", "2:15: buffers.a.sise: unknown key (did you mean \"size\"?)"},
	{"ptx: k.ptx\nbuffers: {2a: {size: 1}}\nlaunches: []\n",
	 "2:11: buffers: \"2a\" is not a name (letters, digits and _, not beginning with a digit)"},
	{"ptx: k.ptx\nbuffers: {a: {type: f32}}\nlaunches: []\n", "2:11: buffers.a.size: is missing"},
	{"ptx: k.ptx\nbuffers: {a: {count: 3}}\nlaunches: []\n",
	 "2:22: buffers.a.count: needs a type, to know how large an element is"},
	{"ptx: k.ptx\nbuffers: {a: {size: 6, type: f32, value: 1}}\nlaunches: []\n",
	 "2:21: buffers.a.size: is not a multiple of the element's bytes"},
	{"ptx: k.ptx\nbuffers: {a: {size: 4, type: f16}}\nlaunches: []\n",
	 "2:30: buffers.a.type: \"f16\" is not one of u8 u16 u32 u64 s8 s16 s32 s64 f32 f64"},
	{"ptx: k.ptx\nbuffers: {a: {size: 4, type: u8, value: 256}}\nlaunches: []\n", "2:41: buffers.a.value: 256 does not fit u8"},
	{"ptx: k.ptx\nbuffers: {a: {size: 4, type: s8, value: -129}}\nlaunches: []\n",
	 "2:41: buffers.a.value: -129 does not fit s8"},
	{"ptx: k.ptx\nbuffers: {a: {size: 4, fill: ones}}\nlaunches: []\n",
	 "2:30: buffers.a.fill: \"ones\" is not one of zeros, iota, random, value, values, file, graph"},
	{"ptx: k.ptx\nbuffers: {a: {size: 4, seed: 4}}\nlaunches: []\n", "2:30: buffers.a.seed: has no meaning with fill: zeros"},
	{"ptx: k.ptx\nbuffers: {a: {size: 4, fill: random}}\nlaunches: []\n",
	 "2:11: buffers.a.type: is missing (u8 u16 u32 u64 s8 s16 s32 s64 f32 f64)"},
	{"ptx: k.ptx\nbuffers: {a: {size: 4, type: u8, fill: random, range: [2, 1]}}\nlaunches: []\n",
	 "2:55: buffers.a.range: the lowest is above the highest"},
	{"ptx: k.ptx\nbuffers: {a: {size: 4, type: u8, fill: random, range: 5}}\nlaunches: []\n",
	 "2:55: buffers.a.range: must be two numbers: [lowest, highest]"},
	{"ptx: k.ptx\nbuffers: {a: {size: 3, file: raw.bin}}\nlaunches: []\n", "2:30: buffers.a.file: "},
	{"ptx: k.ptx\nbuffers: {a: {file: none.bin}}\nlaunches: []\n", "2:21: buffers.a.file: "},
	{"ptx: k.ptx\nbuffers: {a: {graph: bad.graph, part: col}}\nlaunches: []\n", "2:22: buffers.a.graph: "},
	{TOP "scalars: {a: 1}\nlaunches: []\n", "3:11: scalars.a: a buffer has this name"},
	{TOP "launches: [{kernel: stor, grid: 1, block: 1}]\n",
	 "3:21: launches[0].kernel: the PTX has no kernel \"stor\" (did you mean \"store\"?)"},
	{TOP "launches: [{kernel: store, block: 1}]\n", "3:12: launches[0].grid: is missing"},
	{TOP "launches: [{kernel: store, grid: 0, block: 1}]\n", "3:34: launches[0].grid: 0 is not in 1..2147483647"},
	{TOP "launches: [{kernel: store, grid: [1, 2, 3, 4], block: 1}]\n",
	 "3:44: launches[0].grid: has more than three dimensions"},
	{TOP "launches: [{kernel: store, grid: 1, block: [64, 32]}]\n",
	 "3:44: launches[0].block: 64 x 32 x 1 threads are more than 1024"},
	{TOP "launches: [{kernel: store, grid: 1, block: 1025}]\n", "3:44: launches[0].block: 1025 is not in 1..1024"},
	{TOP "launches: [{kernel: store, grid: 1, block: 1, args: [a, 1]}]\n",
	 "3:53: launches[0].args: kernel store takes 3 arguments, not 2"},
	{TOP "launches: [{kernel: store, grid: 1, block: 1}]\n", "3:12: launches[0].args: kernel store takes 3 arguments, not 0"},
	{TOP "launches: [{kernel: store, grid: 1, block: 1, args: [other, 1, 1]}]\n",
	 "3:54: launches[0].args[0]: no buffer or scalar \"other\""},
	{TOP "launches: [{kernel: store, grid: 1, block: 1, args: [a, a, 1]}]\n",
	 "3:57: launches[0].args[1]: the address of buffer a does not fit (parameter n of store, .u32)"},
	{TOP "launches: [{kernel: store, grid: 1, block: 1, args: [a, 2.5, 1]}]\n",
	 "3:57: launches[0].args[1]: \"2.5\" is not a whole number (parameter n of store, .u32)"},
	{TOP "launches: [{kernel: store, grid: 1, block: 1, args: [a, 4G, 1]}]\n",
	 "3:57: launches[0].args[1]: 4G does not fit u32 (parameter n of store, .u32)"},
	{TOP "launches: [{kernel: store, grid: 1, block: 1, args: [a+64, 1, 1]}]\n",
	 "3:54: launches[0].args[0]: offset \"64\" is not in buffer a of 64 bytes (parameter out of store, .u64)"},
	{TOP "launches: [{kernel: pair, grid: 1, block: 1, args: [a, 5]}]\n",
	 "3:56: launches[0].args[1]: a structure by value is written {hex: ...} (parameter two of pair, .b8)"},
	{TOP "launches: [{kernel: pair, grid: 1, block: 1, args: [a, {hex: 05}]}]\n",
	 "3:56: launches[0].args[1]: hex must have the 16 digits of 8 bytes (parameter two of pair, .b8)"},
	{TOP "launches: [{kernel: store, grid: 1, block: 1, args: [0x40, 1, 1]}]\n", "3:12: launches[0]: "},
	{TOP "launches: [{store: {buffer: a, offset: 63, type: u16, value: 1}}]\n",
	 "3:40: launches[0].store: 2 bytes at offset 63 are not in a or not aligned"},
	{"ptx:\nlaunches: []\n", "1:1: ptx: must be the path of a PTX file"},
	{"ptx: [k.ptx]\nlaunches: []\n", "1:6: ptx: must be the path of a PTX file"},
	{"ptx: k.ptx\nbuffers:\n  a:\nlaunches: []\n", "3:3: buffers.a: must be a mapping of keys to values"},
	{"ptx: k.ptx\nbuffers: {a: {size: [1]}}\nlaunches: []\n", "2:21: buffers.a.size: must be a whole number"},
	{"ptx: k.ptx\nbuffers: {a: {size: 4, type: f32, value: 1e39}}\nlaunches: []\n",
	 "2:42: buffers.a.value: 1e39 does not fit f32"},
	{"ptx: k.ptx\nbuffers: {a: {size: 8, type: f64, value: -1e999}}\nlaunches: []\n",
	 "2:42: buffers.a.value: -1e999 does not fit f64"},
	{"ptx: k.ptx\nbuffers: {a: {size: 4, fill: randon}}\nlaunches: []\n",
	 "2:30: buffers.a.fill: \"randon\" is not one of zeros, iota, random, value, values, file, graph (did you mean "
	 "\"random\"?)"},
	{TOP ONE_LAUNCH "expect: {a: {type: f32, value: 1, tolerance: -1}}\n", "4:46: expect.a.tolerance: must not be negative"},
	{TOP ONE_LAUNCH "expect: {a: {type: f32, value: 1, tolerance: nan}}\n", "4:46: expect.a.tolerance: must not be negative"},
	{TOP ONE_LAUNCH "expect: {a: {type: f32, value: 1, tolerance: 1}}\n",
	 "4:46: expect.a.tolerance: must be below 1, with which 0 agrees with any number"},
	{TOP ONE_LAUNCH "expect: {}\n", "4:9: expect: is empty"},
	{TOP ONE_LAUNCH "dump: {}\n", "4:7: dump: is empty"},
	{TOP ONE_LAUNCH "---\nptx: k.ptx\n", "4:1: a second document begins: only one is read"},
	{TOP ONE_LAUNCH "expect: {b: {type: f32, value: 1}}\n", "4:10: expect: no buffer \"b\""},
	{TOP ONE_LAUNCH "expect: {a: {type: f32}}\n", "4:10: expect.a: needs one of value, values, file, graph, fill"},
};

Test(launch_file, whatever_is_wrong_is_reported_with_its_location)
{
	char want[4400];

	file_in_tmp("bad.graph", "2 1\n3\n1\n");
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		struct err e = {""};
		int status;
		struct host *h = run(all[i].text, &status, &e);

		snprintf(want, sizeof want, "%s/my.yaml:%s", program_tmp(), all[i].says);
		cr_expect_eq(status, -1, "%s", all[i].text);
		cr_expect_not(host_differs(h));
		/* A text that ends in ": " goes on with the name of a file of this machine's, or with the executor's
		 * own words. */
		if (want[strlen(want) - 1] == ' ')
			cr_expect(!strncmp(e.text, want, strlen(want)) && e.text[strlen(want)], "%s\n%s\n%s", all[i].text, e.text,
				  want);
		else
			cr_expect_str_eq(e.text, want, "%s\n%s\n%s", all[i].text, e.text, want);
		cr_expect_null(strchr(e.text, '\n'));
		host_free(h);
	}
}

/* ---- textures ---- */

#define TEXTURE_PTX                                                                                                                \
	".version 6.0\n.target sm_60\n.address_size 64\n.global .texref byname;\n"                                                 \
	".visible .entry both(.param .u64 out, .param .u64 t)\n{\n.reg .b32 %r<2>; .reg .f32 %f<9>; .reg .b64 %rd<3>;\n"           \
	"ld.param.u64 %rd1, [out]; ld.param.u64 %rd2, [t]; mov.u32 %r1, 1;\n"                                                      \
	"tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [byname, {%r1}]; tex.2d.v4.f32.s32 {%f5, %f6, %f7, %f8}, [%rd2, {%r1, %r1}];\n"   \
	"st.global.f32 [%rd1], %f1; st.global.f32 [%rd1+4], %f5; ret;\n}\n"
#define TEXTURE_BUFFERS                                                                                                            \
	"ptx: tex.ptx\nbuffers:\n  out: {size: 8}\n  texels: {count: 16, type: f32, fill: iota}\n"                                 \
	"launches: [{kernel: both, grid: 1, block: 1, args: [out, image]}]\n"

Test(launch_file, textures_are_bound_by_name_and_passed_by_handle)
{
	struct host *h;
	const float *out;

	file_in_tmp("tex.ptx", TEXTURE_PTX);
	h = run_well(TEXTURE_BUFFERS "textures:\n  byname: {buffer: texels, format: f32, width: 4, offset: 8}\n"
				     "  image: {buffer: texels, format: f32, channels: 2, width: 2, height: 2, pitch: 32}\n");
	out = bytes_of(h, "out", 8);
	cr_assert(out[0] == 3 && out[1] == 10, "%f %f", (double)out[0], (double)out[1]);
	host_free(h);
}

Test(launch_file, a_texture_that_cannot_be_is_reported)
{
	static const struct {
		const char *textures, *want;
	} cases[] = {
		{"  image: {buffer: texels, width: 4}\n", "textures.image.format: is missing"},
		{"  image: {buffer: texel, format: f32, width: 4}\n", "textures.image.buffer: no buffer \"texel\""},
		{"  image: {buffer: texels, format: f64, width: 4}\n", "\"f64\" is not one of u8, s8, u16, s16, u32, s32, f32"},
		{"  image: {buffer: texels, format: f32, width: 17}\n", "are not in one buffer"},
		{"  byname: {buffer: texels, format: f32, width: 17}\n", "texture byname: the texture needs 68 bytes"},
		{"  image: {buffer: texels, format: f32, width: 0}\n", "textures.image.width"},
		{"  texels: {buffer: texels, format: f32, width: 4}\n", "a buffer has this name"},
		{"  imag: {buffer: texels, format: f32, width: 4}\n", "no buffer or scalar \"image\""},
		{"  image: {buffer: texels, format: f32, width: 4}\n", "nothing is bound to the texture byname"},
		{"  byname: {buffer: texels, format: f32, width: 4}\n  image: {buffer: texels, format: f32, width: 4, height: 2}\n"
		 "  more: {buffer: texels, format: f32, width: 4}\n",
		 "textures.more: neither a .texref of the PTX nor an argument"},
	};

	file_in_tmp("tex.ptx", TEXTURE_PTX);
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct err e = {""};
		char text[1000];
		int status;
		struct host *h;

		snprintf(text, sizeof text, TEXTURE_BUFFERS "textures:\n%s", cases[i].textures);
		h = run(text, &status, &e);
		cr_assert_eq(status, -1, "%u", i);
		cr_assert(strstr(e.text, cases[i].want), "%u: %s", i, e.text);
		host_free(h);
	}
}
