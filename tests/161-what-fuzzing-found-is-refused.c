/* 161: a test for each input that `make fuzz` found, as small as it could be made; see
 * docs/explanation/verification.md. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "cuda/device.h"
#include "cuda/include/driver_types.h"
#include "lockstep/stim.h"
#include "base/files/yaml.h"
#include "workload/graph.h"
#include "support/program.h"
#include "support/sass.h"

/* A file of those bytes, zeros among them; the path stays valid until the next call. */
static const char *file_of(const char *name, const char *bytes, size_t n)
{
	static char path[4200];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	f = fopen(path, "wb");
	cr_assert(f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
	return path;
}

static void refuses_graph(const char *bytes, size_t n, const char *why)
{
	struct err e = {""};
	struct graph g;

	cr_assert_neq(graph_open(&g, file_of("g.graph", bytes, n), 0, &e), 0);
	cr_assert_not_null(strstr(e.text, why), "%s", e.text);
}

/* Found by graph: the byte before the token was read, since a zero byte made a word of no letters. */
Test(found_by_fuzzing, a_zero_byte_is_no_format_of_a_graph)
{
	refuses_graph("1 0 \0\n\n", 7, "g.graph:1: format \"?\" is not of three digits 0 or 1");
	refuses_graph("1 0 1\0\n\n", 8, "g.graph:1: format \"1?\"");
}

/* And a value of no digits was taken for 0. */
Test(found_by_fuzzing, a_zero_byte_is_no_value_of_a_matrix)
{
	static const char text[] = "%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 \0\n";

	refuses_graph(text, sizeof text - 1, "g.graph:3: \"?\" is not a number (a value)");
}

static void refuses_yaml(const char *text, const char *why)
{
	struct err e = {""};

	cr_assert_null(yaml_parse(text, "m.yaml", &e));
	cr_assert_str_eq(e.text, why);
}

/* Found by machine: libfyaml did not come back from a byte that is no UTF-8 in what looks like a directive. */
Test(found_by_fuzzing, yaml_that_is_no_text_is_reported_and_not_parsed)
{
	refuses_yaml("%a-\x87:\n", "m.yaml:1:4: byte 0x87 is not text in UTF-8");
	refuses_yaml("a: b\n\xc3\xa9: \xff\n", "m.yaml:2:4: byte 0xff is not text in UTF-8");
	refuses_yaml("a: \x1b[31m\n", "m.yaml:1:4: byte 0x1b is not text in UTF-8");
}

/* RFC 3629, section 4: the first and last letters of each length, and what is outside. */
/* Found by machine: libfyaml crashed over each of these (SIGSEGV in fy_indent_vacuum_internal). Comments, texts and
 * tabs elsewhere are nothing to it. */
Test(found_by_fuzzing, a_tab_behind_a_key_in_two_parts_is_refused)
{
	static const char *const good[] = {"? a\n: b\n", "a:\tb\n", "# what ? a:\tb\na: 1\n", "a: what ?\nb:\t1\n",
					   "a:\t1\n? b\n: c\n"};

	refuses_yaml(" ? ::\t  ? : s", "m.yaml:1:5: a tab follows this \":\", and a key with \"?\" is ahead of it");
	refuses_yaml("x: 1\n? a:\t:", "m.yaml:2:4: a tab follows this \":\", and a key with \"?\" is ahead of it");
	refuses_yaml("? a: \t-", "m.yaml:1:4: a tab follows this \":\", and a key with \"?\" is ahead of it");
	for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct err e = {""};
		struct yaml *y = yaml_parse(good[i], "m.yaml", &e);

		cr_expect(y, "%s: %s", good[i], e.text);
		yaml_close(y);
	}
}

Test(found_by_fuzzing, utf8_is_what_the_rfc_says)
{
	static const struct {
		const char *s;
		unsigned want;
	} v[] = {
		{" ", 1},
		{"~", 1},
		{"\x7f", 0},
		{"\n", 0},
		{"\x80", 0},
		{"\xc1\xbf", 0},
		{"\xc2\x9f", 0},
		{"\xc2\xa0", 2},
		{"\xdf\xbf", 2},
		{"\xc3", 0},
		{"\xc3(", 0},
		{"\xe0\x9f\xbf", 0},
		{"\xe0\xa0\x80", 3},
		{"\xed\x9f\xbf", 3},
		{"\xed\xa0\x80", 0},
		{"\xee\x80\x80", 3},
		{"\xef\xbf\xbf", 3},
		{"\xe2\x82", 0},
		{"\xf0\x8f\xbf\xbf", 0},
		{"\xf0\x90\x80\x80", 4},
		{"\xf4\x8f\xbf\xbf", 4},
		{"\xf4\x90\x80\x80", 0},
		{"\xf5\x80\x80\x80", 0},
	};

	for (size_t i = 0; i < sizeof v / sizeof *v; i++)
		cr_assert_eq(utf8_letter(v[i].s, strlen(v[i].s)), v[i].want, "%zu", i);
}

/* Found by accelsim: what was recorded could not be read again, since a reader refuses control characters in names. */
Test(found_by_fuzzing, names_with_control_characters_can_be_recorded)
{
	const struct accelsim_options o = {.unknown_alu = true};
	struct trace_options to = {.name = "a\tb", .path = "names.ltrace"};
	struct err e = {""};
	const char *path =
		sass_write("k.traceg", "-kernel name = x\x1b[31m\n-grid dim = (1,1,1)\n-block dim = (1,1,1)\n" SASS_V3 SASS_BLOCK(
					       2, "0000 00000001 0 NE\x01W 0 0 0\n0010 00000001 0 EXIT 0 0 0\n"));
	struct trace_writer *w;
	uint64_t n;
	struct trace *t;
	char file[4200];

	snprintf(file, sizeof file, "%s/names.ltrace", program_tmp());
	to.path = file;
	w = trace_writer_new(&to, &e);
	cr_assert(w && accelsim_import(path, &o, w, &n, &e) == 0, "%s", e.text);
	trace_close(trace_writer_finish(w, &e));
	t = trace_open(file, &e);
	cr_assert_not_null(t, "%s", e.text);
	cr_assert_str_eq(trace_name(t), "a?b");
	cr_assert_str_eq(trace_kernel(t, 0)->name, "x?[31m");
	cr_assert_str_eq(trace_kernel(t, 0)->names[0], "NE?W");
	trace_close(t);
}

/* Found by cuda: a program's moments, of which it may say anything, became a double too large to come back. */
Test(found_by_fuzzing, the_time_between_any_two_moments_is_their_difference)
{
	static const uint64_t to[] = {0, 1, INT64_MAX, UINT64_MAX, UINT64_C(1) << 63};
	struct cuda_program p = {.name = "p"};

	for (unsigned i = 0; i < sizeof to / sizeof to[0]; i++) {
		struct device d;
		struct device_call record = {.head = {.op = WIRE_ORDER, .a = {WIRE_RECORD, WIRE_DEFAULT_STREAM, 3}}};
		struct device_call c = {.head = {.op = WIRE_ELAPSED, .a = {7, 3, to[i], 3}}}, none = c;

		device_init(&d, &p, NULL);
		device_answer(&d, &record);
		cr_expect_eq(record.answer.error, 0);
		device_answer(&d, &c);
		cr_expect_eq(c.answer.error, 0);
		cr_expect_eq(c.answer.r[0], to[i] - 7, "%lu", c.answer.r[0]);
		none.head.a[1] = 4; /* not recorded */
		device_answer(&d, &none);
		cr_expect_eq(none.answer.error, cudaErrorInvalidResourceHandle);
		device_free(&d);
	}
}

/* Found by stimulus: one without steps has no bytes, and an address was made of none. */
Test(found_by_fuzzing, a_stimulus_without_steps_ends_at_once)
{
	const struct stim none = {0};
	struct stim_reader r;
	uint64_t words[1];

	stim_read(&r, &none);
	cr_expect_not(stim_next(&r, words));
}
