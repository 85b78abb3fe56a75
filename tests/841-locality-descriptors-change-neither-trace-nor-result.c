/* 841: host programs and launch files describe the locality of their launches. A descriptor is a hint: trace, results
 * and memory stay what they are. It holds for a kernel until it is replaced; a wrong one gets one line. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/files/root.h"
#include "support/program.h"
#include "workload/source.h"

static const char kernels[] =
	".version 6.0\n.target sm_60\n.address_size 64\n"
	".visible .entry one(.param .u64 out)\n{\n.reg .b32 %r<2>; .reg .b64 %rd<3>;\n"
	"ld.param.u64 %rd1, [out]; mov.u32 %r1, %ctaid.x; mul.wide.u32 %rd2, %r1, 4; add.u64 %rd1, %rd1, %rd2;\n"
	"st.global.u32 [%rd1], %r1; ret;\n}\n"
	".visible .entry two(.param .u64 out)\n{\nret;\n}\n";

#define HEAD  "ptx: k.ptx\nbuffers: {x: {count: 64, type: u32}, y: {count: 64, type: u32}, z: {size: 64}}\n"
#define Z8    ", 0, 0, 0, 0, 0, 0, 0, 0"
#define PLAIN "kernel: one, grid: 8, block: 32, args: [x]"
#define LDESC "{buffer: x, length: [64], type: no-reuse, d_tile: [8], c_tile: [1], map: [1], priority: 1}"

static int opened(struct source *s, const char *text, struct err *e)
{
	char path[512], root[4096];
	struct source_options o = {.what = path, .root = root_path("", root)};

	program_file("k.ptx", kernels);
	program_file("my.yaml", text);
	snprintf(path, sizeof path, "%s/my.yaml", program_tmp());
	return source_open(s, &o, e);
}

static void open_well(struct source *s, const char *text)
{
	struct err e = {""};

	cr_assert_eq(opened(s, text, &e), 0, "%s", e.text);
	cr_assert_not(s->differs, "%s", s->difference.text);
}

Test(locality, of_a_launch_file_changes_no_trace)
{
	struct source with, without;

	open_well(&without, HEAD "launches: [{" PLAIN
				 "}]\nexpect: {x: {type: u32, values: [0, 1, 2, 3, 4, 5, 6, 7" Z8 Z8 Z8 Z8 Z8 Z8 Z8 "]}}\n");
	open_well(&with, HEAD "launches: [{" PLAIN ", locality: [" LDESC "]}]\n"
			      "expect: {x: {type: u32, values: [0, 1, 2, 3, 4, 5, 6, 7" Z8 Z8 Z8 Z8 Z8 Z8 Z8 "]}}\n");
	cr_expect_eq(trace_hash(with.trace), trace_hash(without.trace));
	cr_expect_null(without.descriptors);
	cr_assert_not_null(with.descriptors);
	cr_expect_eq(with.descriptors[0]->n, 1);
	source_close(&with);
	source_close(&without);
}

Test(locality, of_a_launch_is_read_field_by_field)
{
	struct source s;
	const struct ldesc *l;

	open_well(&s, HEAD "launches: [{" PLAIN ", locality: [{buffer: y, offset: 16, bytes: 200, element: 2, length: [10, 4, 2],"
			   "type: inter-thread, d_tile: [5, 4, 1], c_tile: [64, 1], c_tile_of: threads, map: [1],"
			   "sharing: nearby, access: irregular, stride: 3, priority: 7}]}]\n");
	l = s.descriptors[0]->d;
	cr_expect_str_eq(l->name, "y");
	cr_expect(l->base == trace_buffer(s.trace, 1)->base + 16 && l->bytes == 200 && l->element == 2);
	cr_expect(l->len[0] == 10 && l->len[1] == 4 && l->len[2] == 2);
	cr_expect(l->d_tile[0] == 5 && l->d_tile[1] == 4 && l->d_tile[2] == 1);
	cr_expect(l->c_tile[0] == 64 && l->c_tile[1] == 1 && l->c_tile[2] == 1 && l->c_unit == LDESC_THREADS);
	cr_expect(l->rank[0] == 1 && l->rank[1] == 0 && l->rank[2] == 0);
	cr_expect(l->type == LDESC_INTER_THREAD && l->sharing == LDESC_NEARBY && l->access == LDESC_IRREGULAR);
	cr_expect(l->stride == 3 && l->priority == 7);
	source_close(&s);
}

/* Each launch has its own: highest priority first, none for one that gives none. */
Test(locality, may_change_from_launch_to_launch)
{
	struct source s;

	open_well(&s, HEAD "launches:\n"
			   "  - {kernel: two, grid: 8, block: 32, args: [x]}\n"
			   "  - {" PLAIN
			   ", repeat: 2, locality: [{buffer: y, length: [64], type: no-reuse, d_tile: [8], c_tile: [1], map: [1],"
			   " priority: 2}, " LDESC "]}\n"
			   "  - {" PLAIN ", locality: [" LDESC "]}\n"
			   "  - {kernel: two, grid: 8, block: 32, args: [x]}\n"
			   "  - {" PLAIN "}\n");
	cr_expect_null(s.descriptors[0]);
	cr_assert_eq(s.descriptors[1]->n, 2);
	cr_expect_str_eq(s.descriptors[1]->d[0].name, "x");
	cr_expect_str_eq(s.descriptors[1]->d[1].name, "y");
	cr_expect_eq(s.descriptors[2], s.descriptors[1], "the same launch twice");
	cr_expect_eq(s.descriptors[3]->n, 1);
	cr_expect_null(s.descriptors[4]);
	cr_expect_null(s.descriptors[5]);
	source_close(&s);
}

static void expect_refused(const char *locality, const char *words)
{
	struct source s;
	struct err e = {""};
	char text[2048];

	snprintf(text, sizeof text, HEAD "launches:\n  - {" PLAIN ",\n     locality: [%s]}\n", locality);
	cr_assert_eq(opened(&s, text, &e), -1, "%s", locality);
	cr_expect(strstr(e.text, "my.yaml:") && strstr(e.text, words), "\"%s\" wants \"%s\"", e.text, words);
	cr_expect_null(strchr(e.text, '\n'));
}

Test(locality, that_is_wrong_gets_one_line_with_its_location)
{
#define X(rest) "{buffer: x, length: [64], type: no-reuse, " rest "}"
	expect_refused(X("d_tile: [0], c_tile: [1], map: [1], priority: 1"), "the D-tile has a dimension of 0 along X");
	expect_refused(X("d_tile: [8], c_tile: [1], map: [2], priority: 1"), "ranks");
	expect_refused(X("d_tile: [9, 1, 1, 1], c_tile: [1], map: [1], priority: 1"), "more than three dimensions");
	expect_refused(X("d_tile: [16], c_tile: [1], map: [1], priority: 1"), "x: 4 D-tiles for 8 C-tiles");
	expect_refused(X("d_tile: [8], c_tile: [1], map: [1]"), "priority: is missing");
	expect_refused(X("d_tile: [8], c_tile: [1], map: [1], priority: 1, bytes: 300"), "300 bytes run past the buffer's end");
	expect_refused(X("d_tile: [8], c_tile: [1], map: [1], priority: 1, offset: 256"), "offset");
	expect_refused(X("d_tile: [8], c_tile: [1], map: [1], priority: 1, sharing: near"), "did you mean \"nearby\"");
	expect_refused("{buffer: z, length: [64], type: no-reuse, d_tile: [8], c_tile: [1], map: [1], priority: 1}",
		       "element: is missing: buffer z has no type");
	expect_refused("{buffer: q, length: [64], type: no-reuse, d_tile: [8], c_tile: [1], map: [1], priority: 1}",
		       "no buffer \"q\"");
	expect_refused(LDESC ", {buffer: x, length: [64], type: inter-thread, d_tile: [8], c_tile: [1], map: [1], priority: 1}",
		       "two descriptors of priority 1");
#undef X
}

/* ---- of a host program ---- */

static const struct ldesc plain = {.element = 4,
				   .len = {64, 1, 1},
				   .type = LDESC_NO_REUSE,
				   .d_tile = {8, 1, 1},
				   .c_tile = {1, 1, 1},
				   .rank = {1, 0, 0},
				   .priority = 3};

static int launch(struct host *h, uint64_t x, struct err *e)
{
	return host_launch(h, "one", (struct host_dim){8, 1, 1}, (struct host_dim){32, 1, 1}, 0, 1,
			   (struct host_arg[]){host_u64(x)}, e);
}

Test(api, replaces_a_structures_descriptor_of_the_same_type)
{
	struct arena kept = {0};
	struct err e = {""};
	struct ldesc l = plain, reuse = plain;
	struct host *h;
	uint64_t x;
	char path[512];

	program_file("k.ptx", kernels);
	snprintf(path, sizeof path, "%s/k.ptx", program_tmp());
	h = host_new(&(struct host_options){.ptx_path = path, .descriptors = &kept}, &e);
	cr_assert(h && host_args_done(h, &e) == 0, "%s", e.text);
	x = host_alloc(h, "x", 256, &e);
	reuse.type = LDESC_INTER_THREAD;
	reuse.stride = 1;
	reuse.priority = 1;
	cr_assert_eq(ldesc_describe(h, "one", x, &l, &e) || ldesc_describe(h, "one", x, &reuse, &e) || launch(h, x, &e), 0, "%s",
		     e.text);
	l.priority = 0;
	cr_assert_eq(ldesc_describe(h, "one", x, &l, &e) || launch(h, x, &e), 0, "%s", e.text);
	ldesc_forget(h, "one");
	cr_assert_eq(launch(h, x, &e), 0, "%s", e.text);
	cr_assert(host_descriptors(h)[0]->n == 2 && host_descriptors(h)[1]->n == 2);
	cr_expect(host_descriptors(h)[0]->d[0].priority == 1 && host_descriptors(h)[0]->d[1].priority == 3);
	cr_expect(host_descriptors(h)[1]->d[0].priority == 0 && host_descriptors(h)[1]->d[1].priority == 1);
	cr_expect_null(host_descriptors(h)[2]);

	cr_expect_eq(ldesc_describe(h, "none", x, &l, &e), -1);
	cr_expect(strstr(e.text, "no kernel \"none\""), "%s", e.text);
	e.text[0] = '\0';
	cr_expect_eq(ldesc_describe(h, "one", 12, &l, &e), -1);
	cr_expect(strstr(e.text, "0xc is in no buffer"), "%s", e.text);
	e.text[0] = '\0';
	l.c_tile[0] = 2;
	cr_assert_eq(ldesc_describe(h, "one", x, &l, &e), 0, "%s", e.text);
	cr_expect_eq(launch(h, x, &e), -1);
	cr_expect_str_eq(e.text, "locality of one: x: 8 D-tiles for 4 C-tiles (a grid of 8x1x1 CTAs); there must be as many");
	host_free(h);
	arena_free(&kept);
}
