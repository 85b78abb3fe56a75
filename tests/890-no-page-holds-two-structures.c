/* 890: a program's buffers begin at multiples of the pages of the machine that it is executed for, so that no page
 * holds two of them (ldesc, section 4.6: "we require that the GPU runtime align data structures at the page
 * granularity"); a recorded trace has the addresses that it was recorded with. */
#include <criterion/criterion.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "base/files/root.h"
#include "ptx/memory.h"
#include "support/program.h"
#include "workload/source.h"

enum { KB = 1 << 10, MB = 1 << 20 };

/* From 256 MB on, 4 KB at least of nothing behind each: sizes -> where each begins behind the first one's, in KB. */
Test(alignment, addresses_are_those_worked_out_by_hand)
{
	static const uint64_t size[] = {1, 4 * KB, 60 * KB, 60 * KB + 1, 64 * KB, 2 * MB, 1};
	static const struct {
		uint64_t align, at[7];
	} rows[] = {
		{0, {0, 8, 16, 80, 148, 216, 216 + 2052}}, /* 60 KB + 1: 61 KB and 4 KB are 65, to multiples of 4: 68 */
		{1, {0, 8, 16, 80, 148, 216, 216 + 2052}},
		{64 * KB, {0, 64, 128, 192, 320, 448, 448 + 2112}},
		{2 * MB, {0, 2048, 4096, 6144, 8192, 10240, 10240 + 4096}},
	};

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct memory m = {.align = rows[i].align};
		struct err e = {""};

		for (unsigned b = 0; b < 7; b++) {
			cr_assert_eq(memory_add(&m, "x", size[b], &e), (int)b, "%s", e.text);
			cr_expect_eq(m.buffer[b].base, MEMORY_FIRST_BASE + rows[i].at[b] * KB, "align %" PRIu64 ", %u: 0x%" PRIx64,
				     rows[i].align, b, m.buffer[b].base);
		}
		memory_free(&m);
	}
}

/* Buffers of the host program, variables of the PTX, and the model's own memory above them, of every workload. */
Test(alignment, holds_for_all_that_a_program_has)
{
	char root[4096];
	struct err e = {""};

	for (unsigned w = 0; workloads[w]; w++) {
		struct source_options o = {
			.what = workloads[w]->name, .root = root_path("", root), .size = "test", .align = 2 * MB};
		struct source s;
		uint64_t next = 0;

		cr_assert_eq(source_open(&s, &o, &e), 0, "%s: %s", o.what, e.text);
		cr_expect_not(s.differs, "%s", s.difference.text);
		for (uint32_t b = 0; b < trace_n_buffers(s.trace); b++) {
			const struct trace_buffer *t = trace_buffer(s.trace, b);

			cr_expect_geq(t->base / (2 * MB), next, "%s: %s", o.what, t->name);
			next = (t->base + t->size - 1) / (2 * MB) + 1;
		}
		cr_expect_geq(trace_local_base(s.trace, 2 * MB) / (2 * MB), next, "%s", o.what);
		source_close(&s);
	}
}

/* ---- on the command line ---- */

static void expect_pages(const char *what, int pages, int shared)
{
	json_t *stats = program_stats("locus run %s --machine mcm4", what);

	cr_expect_eq(json_integer_value(json_object_get(stats, "vm.pages")), pages, "%s", what);
	cr_expect_eq(json_integer_value(json_object_get(stats, "vm.pages.shared")), shared, "%s", what);
	json_decref(stats);
}

static void record(const char *align, const char *name)
{
	struct program p = program_run("locus record vectoradd --arg n=20480 %s -o %s/%s.ltrace", align, program_tmp(), name);

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

/* Three buffers of 80 KB: 20 pages of 4 KB each, 2 of 64 KB, 1 of 2 MB. */
Test(alignment, follows_the_machines_pages)
{
	expect_pages("vectoradd --arg n=20480 --set vm.page=4K", 60, 0);
	expect_pages("vectoradd --arg n=20480", 6, 0);
	expect_pages("vectoradd --arg n=20480 --set vm.page=2M", 3, 0);
	expect_pages("vectoradd --arg n=20480 --set vm.page=2M --plan firsttouch-distrib", 3, 0);
}

/* Recorded with multiples of 4 KB the buffers are at 0, 84 and 168 KB, in pages 0 and 1, 1 and 2, 2 and 3 of 64 KB: two
 * are shared; and all three in one of 2 MB. Recorded for the machine's pages they are where an execution has them, and
 * nothing differs from it. */
Test(alignment, of_a_trace_is_what_it_was_recorded_with)
{
	json_t *executed = program_stats("locus run %s --machine mcm4", "vectoradd --arg n=20480"), *replayed;
	char what[4096];

	record("", "for4");
	record("--align 64K", "for64");
	snprintf(what, sizeof what, "%s/for4.ltrace", program_tmp());
	expect_pages(what, 4, 2);
	snprintf(what, sizeof what, "%s/for4.ltrace --set vm.page=2M", program_tmp());
	expect_pages(what, 1, 2);
	snprintf(what, sizeof what, "%s/for64.ltrace", program_tmp());
	expect_pages(what, 6, 0);
	replayed = program_stats("locus run %s --machine mcm4", what);
	cr_expect(json_equal(executed, replayed));
	json_decref(executed);
	json_decref(replayed);
}

Test(alignment, of_a_recording_is_refused_in_one_line)
{
	static const char *const rows[][2] = {
		{"vectoradd --align 2K", "--align: \"2K\" is not a whole number from 4096 to 2097152"},
		{"vectoradd --align 4M", "--align: \"4M\" is not a whole number from 4096 to 2097152"},
		{"vectoradd --align 12K", "--align: 12K is not a power of two"},
		{"traces/accelsim-sample/kernelslist.g --align 64K", "is an Accel-Sim trace, whose addresses are fixed"},
	};

	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct program p = program_run("locus record %s -o %s/never.ltrace", rows[i][0], program_tmp());

		cr_expect(program_is_clean_error(&p), "%s", rows[i][0]);
		cr_expect(strstr(p.err, rows[i][1]), "%s: %s", rows[i][0], p.err);
		program_free(&p);
	}
}

/* ---- what Algorithm 2 makes of it ---- */

/* CTAs read the same rows of `value` and `col`, which are of one size, and anything of x. One choice of bits keeps
 * either whole in its CTAs' zones, with weights 3 and 2, and of x a quarter, with weight 1: 5.25. Where col begins at
 * any multiple of 4 KB, its zones are shifted against value's. */
Test(alignment, lets_structures_of_one_shape_have_one_map)
{
	struct program p = program_run("locus plan spmv --size test --machine mcm4 --plan ldesc");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "value: by bits from 13, utility 3.000 of 3\n"), "%s", p.out);
	cr_expect(strstr(p.out, "col: by bits from 13, utility 2.000 of 2\n"), "%s", p.out);
	cr_expect(strstr(p.out, "in all 5.250 of 6\n"), "%s", p.out);
	program_free(&p);
}
