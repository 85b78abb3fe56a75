/* 636: what the calls of TAFE's API refuse, and that the message says what and which array. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/files/root.h"
#include "workload/taf_api.h"
#include "taf/taf.h"

static struct {
	struct host *h;
	struct taf taf;
	uint64_t a, b, c; /* three arrays of 16 words */
	struct err e;
} t;

static void open_all(void)
{
	char path[ROOT_PATH_MAX];
	struct host_options o = {.taf = &t.taf, .ptx_path = root_path("traces/vectoradd/kernel.ptx", path)};

	t.h = host_new(&o, &t.e);
	cr_assert(t.h, "%s", t.e.text);
	t.a = host_alloc(t.h, "row", 64, &t.e);
	t.b = host_alloc(t.h, "edge", 64, &t.e);
	t.c = host_alloc(t.h, "level", 64, &t.e);
	cr_assert_eq(taf_paramSetup(t.h, (struct host_dim){4, 1, 1}, (struct host_dim){4, 1, 1}, &t.e), 0, "%s", t.e.text);
}

static void close_all(void)
{
	host_free(t.h);
	taf_free(&t.taf);
}

TestSuite(taf_misuse, .init = open_all, .fini = close_all);

static void expect_refused(int rc, const char *text)
{
	cr_expect_eq(rc, -1, "not refused: %s", text);
	cr_expect_str_eq(t.e.text, text);
	t.e.text[0] = '\0';
}

static int own(uint64_t base, uint64_t n, bool primary)
{
	return taf_register_tid_dep(t.h, base, n, 4, (struct taf_tid){.m = {1, 0, 0, 4}}, primary, &t.e);
}

static void fill(uint64_t base, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		host_store(t.h, base + UINT64_C(4) * i, 4, i);
}

Test(taf_misuse, the_launch_comes_first_and_once)
{
	struct taf fresh = {.o = {.group = 2}};
	struct host_options o = {.taf = &fresh};
	struct host *h = host_new(&o, &t.e);
	uint64_t a = host_alloc(h, "x", 64, &t.e);
	const struct host_dim one = {1, 1, 1};

	expect_refused(taf_tid_array(h, a, 16, 4, (struct taf_tid){0}, &t.e), "taf_register: x: taf_paramSetup comes first");
	expect_refused(taf_paramSetup(h, (struct host_dim){32, 33, 1}, one, &t.e),
		       "taf_paramSetup: a block of 32x33x1: 1 to 1024 threads");
	expect_refused(taf_paramSetup(h, one, (struct host_dim){1 << 16, 1 << 15, 1}, &t.e),
		       "taf_paramSetup: a grid of 65536x32768x1: 1 to 2^31 - 1 CTAs");
	expect_refused(taf_paramSetup(h, one, (struct host_dim){0, 1, 1}, &t.e),
		       "taf_paramSetup: a grid of 0x1x1: 1 to 2^31 - 1 CTAs");
	cr_expect_eq(taf_paramSetup(h, one, one, &t.e), 0, "%s", t.e.text);
	expect_refused(taf_paramSetup(h, one, one, &t.e), "taf_paramSetup: called twice");
	host_free(h);
	taf_free(&fresh);
}

Test(taf_misuse, wishes_for_extents_are_checked)
{
	static const uint16_t module[3] = {0, 1, 4};
	static const struct {
		struct taf_options o;
		const char *text;
	} vector[] = {{{.extents = 65}, "taf_paramSetup: 65 extents a CTA: at most 64"},
		      {{.group = 2, .modules = 4}, "taf_paramSetup: extents are kept by groups of CTAs or by modules, not both"},
		      {{.modules = 4, .sms = 3, .module_of_sm = module}, "taf_paramSetup: SM 2 belongs to module 4 of 4"}};

	for (unsigned i = 0; i < sizeof vector / sizeof vector[0]; i++) {
		struct taf fresh = {.o = vector[i].o};

		expect_refused(taf_setup(&fresh, (const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){1, 1, 1}, &t.e), vector[i].text);
		taf_free(&fresh);
	}
}

Test(taf_misuse, a_17th_array)
{
	for (int i = 0; i < TAF_ARRAYS; i++)
		cr_assert_eq(own(t.a, 16, false), 0, "%s", t.e.text);
	expect_refused(own(t.b, 16, false), "taf_register: edge: the directory has 16 entries, and all are taken");
	cr_expect_eq(taf_reset(t.h, t.a, &t.e), 0, "%s", t.e.text);
	cr_expect_eq(own(t.b, 16, false), 0, "taf_reset makes room: %s", t.e.text);
}

Test(taf_misuse, an_array_that_is_not_registered)
{
	expect_refused(taf_setRdy(t.h, t.a, &t.e), "taf_setRdy: row is not registered");
	expect_refused(taf_setRdy(t.h, t.a + 8, &t.e), "taf_setRdy: row+0x8 is not registered");
	expect_refused(taf_reset(t.h, t.b, &t.e), "taf_reset: edge is not registered");
	expect_refused(taf_register_indir(t.h, t.b, 16, 4, t.a, 1, 0, false, &t.e),
		       "taf_register: edge: its primary row is not registered");
	cr_assert_eq(own(t.a, 16, false), 0, "%s", t.e.text);
	expect_refused(taf_register_indir(t.h, t.b, 16, 4, t.a, 1, 0, false, &t.e),
		       "taf_register: edge: its primary row is not registered as a primary");
}

Test(taf_misuse, ready_before_the_primary_is_complete)
{
	cr_assert_eq(own(t.a, 16, true), 0, "%s", t.e.text);
	cr_assert_eq(taf_register_indir_range(t.h, t.b, 16, 4, t.a, 0, t.a, 0, true, &t.e), 0, "%s", t.e.text);
	expect_refused(taf_setRdy(t.h, t.b, &t.e), "taf_setRdy: edge: its primary row is not ready");
	cr_assert_eq(taf_setRdy(t.h, t.a, &t.e), 0, "%s", t.e.text);
	fill(t.a, 15);
	fill(t.a, 10); /* again is not more */
	expect_refused(taf_setRdy(t.h, t.b, &t.e),
		       "taf_setRdy: edge: its primary row is not complete: 15 of its 16 elements were stored");
	fill(t.a + 60, 1);
	cr_expect_eq(taf_setRdy(t.h, t.b, &t.e), 0, "%s", t.e.text);
}

Test(taf_misuse, the_second_primary_is_looked_at_as_well)
{
	cr_assert_eq(own(t.a, 16, true), 0, "%s", t.e.text);
	cr_assert_eq(own(t.b, 16, true), 0, "%s", t.e.text);
	cr_assert_eq(taf_setRdy(t.h, t.a, &t.e), 0, "%s", t.e.text);
	cr_assert_eq(taf_setRdy(t.h, t.b, &t.e), 0, "%s", t.e.text);
	cr_assert_eq(taf_register_indir_range(t.h, t.c, 16, 4, t.a, 0, t.b, 0, false, &t.e), 0, "%s", t.e.text);
	fill(t.a, 16);
	expect_refused(taf_setRdy(t.h, t.c, &t.e),
		       "taf_setRdy: level: its primary edge is not complete: 0 of its 16 elements were stored");
}

Test(taf_misuse, primaries_in_a_circle)
{
	cr_assert_eq(own(t.a, 16, true), 0, "%s", t.e.text);
	expect_refused(taf_register_indir(t.h, t.a, 16, 4, t.a, 1, 0, true, &t.e),
		       "taf_register: row and its primary row would depend on each other");
	cr_assert_eq(taf_register_indir(t.h, t.b, 16, 4, t.a, 1, 0, true, &t.e), 0, "%s", t.e.text);
	cr_assert_eq(taf_register_indir(t.h, t.c, 16, 4, t.b, 1, 0, true, &t.e), 0, "%s", t.e.text);
	expect_refused(taf_register_indir_range(t.h, t.a, 16, 4, t.a, 0, t.c, 0, true, &t.e),
		       "taf_register: row and its primary row would depend on each other");
	expect_refused(taf_register_indir(t.h, t.a, 16, 4, t.c, 1, 0, true, &t.e),
		       "taf_register: row and its primary level would depend on each other");
}

Test(taf_misuse, sizes_that_overflow)
{
	expect_refused(own(t.a, 17, false), "taf_register: row: 17 elements of 4 bytes run past the buffer's end");
	expect_refused(own(t.a, UINT64_C(1) << 62, false),
		       "taf_register: row: 4611686018427387904 elements of 4 bytes run past the buffer's end");
	expect_refused(own(t.a, (UINT64_C(1) << 62) + 1, false),
		       "taf_register: row: 4611686018427387905 elements of 4 bytes run past the buffer's end");
	expect_refused(own(UINT64_C(64), 1, false),
		       "taf_register: 0x40 (no buffer): 1 elements of 4 bytes run past the buffer's end");
}

Test(taf_misuse, arrays_that_are_none)
{
	struct taf_array a = {.name = "huge", .base = 64, .limit = 64 + (UINT64_C(1) << 32), .size = 1};

	expect_refused(own(t.a, 0, false),
		       "taf_register: row: an array has 1 to 2^32 - 1 elements, and ends within the address space");
	expect_refused(taf_register(&t.taf, &a, 0, 0, &t.e),
		       "taf_register: huge: an array has 1 to 2^32 - 1 elements, and ends within the address space");
	expect_refused(taf_tid_array(t.h, t.a, 4, 3, (struct taf_tid){0}, &t.e),
		       "taf_register: row: elements of 3 bytes: 1, 2, 4 or 8");
	expect_refused(own(t.a + 4, 1, false), "taf_register: row+0x4: its address 0x10000004 is not a multiple of 8");
}

Test(taf_misuse, arrays_that_disagree)
{
	cr_assert_eq(own(t.a, 16, false), 0, "%s", t.e.text);
	expect_refused(own(t.a, 12, false), "taf_register: row: registered before with 16 elements of 4 bytes, now with 12 of 4");
	expect_refused(taf_tid_array(t.h, t.a, 8, 8, (struct taf_tid){0}, &t.e),
		       "taf_register: row: registered before with 16 elements of 4 bytes, now with 8 of 8");
	expect_refused(own(t.a + 8, 2, false), "taf_register: row+0x8 overlaps row, which is registered");
}

Test(taf_misuse, tables_beyond_all_memory)
{
	struct taf fresh = {.o = {.extents = 64}};
	struct taf_array a = {.name = "row", .base = 64, .limit = 128, .size = 4, .primary = true};

	cr_assert_eq(taf_setup(&fresh, (const uint32_t[3]){1, 1, 1}, (const uint32_t[3]){INT32_MAX, 1, 1}, &t.e), 0);
	expect_refused(
		taf_register(&fresh, &a, 0, 0, &t.e),
		"taf_register: row: 64 extents for each of 2147483647 sets of CTAs make the extent tables larger than 64 GiB");
	taf_free(&fresh);
}

Test(taf_misuse, a_reset_under_an_array_that_depends)
{
	cr_assert_eq(own(t.a, 16, true), 0, "%s", t.e.text);
	cr_assert_eq(taf_register_indir(t.h, t.b, 16, 4, t.a, 1, 0, false, &t.e), 0, "%s", t.e.text);
	expect_refused(taf_reset(t.h, t.a, &t.e), "taf_reset: row: edge has it as its primary");
	cr_expect_eq(taf_reset(t.h, t.b, &t.e), 0, "%s", t.e.text);
	cr_expect_eq(taf_reset(t.h, t.a, &t.e), 0, "%s", t.e.text);
}

/* ---- with a launch ---- */

static int launch(void)
{
	cr_assert_eq(host_args_done(t.h, &t.e), 0);
	return host_launch(t.h, "vectoradd", (struct host_dim){1, 1, 1}, (struct host_dim){16, 1, 1}, 0, 4,
			   (struct host_arg[]){host_u64(t.a), host_u64(t.b), host_u64(t.c), host_u32(16)}, &t.e);
}

Test(taf_misuse, calls_after_a_launch)
{
	cr_assert_eq(launch(), 0, "%s", t.e.text);
	expect_refused(taf_paramSetup(t.h, (struct host_dim){4, 1, 1}, (struct host_dim){4, 1, 1}, &t.e),
		       "taf_paramSetup: comes after the first launch");
	expect_refused(own(t.a, 16, false), "taf_register: row: comes after the first launch");
	expect_refused(taf_setRdy(t.h, t.a, &t.e), "taf_setRdy: row: comes after the first launch");
	expect_refused(taf_reset(t.h, t.a, &t.e), "taf_reset: row: comes after the first launch");
}

Test(taf_misuse, stores_that_nothing_tracks_any_more)
{
	cr_assert_eq(own(t.a, 16, true), 0, "%s", t.e.text);
	cr_assert_eq(taf_setRdy(t.h, t.a, &t.e), 0, "%s", t.e.text);
	fill(t.a, 16);
	cr_assert_eq(taf_register_indir(t.h, t.b, 16, 4, t.a, 1, 0, false, &t.e), 0, "%s", t.e.text);
	cr_assert_eq(taf_setRdy(t.h, t.b, &t.e), 0, "%s", t.e.text);
	host_store(t.h, t.a + 60, 4, 3);
	expect_refused(launch(), "row: stored into after taf_setRdy of edge, which depends on it");
}

Test(taf_misuse, more_instructions_for_a_value_than_there_may_be)
{
	cr_assert_eq(host_value_insts(t.h, HOST_MAX_VALUE_INSTS, &t.e), 0, "%s", t.e.text);
	expect_refused(host_value_insts(t.h, UINT64_C(65537), &t.e),
		       "host_value_insts: 65537 instructions for a value are not in 0..65536");
	expect_refused(host_value_insts(t.h, UINT64_MAX, &t.e),
		       "host_value_insts: 18446744073709551615 instructions for a value are not in 0..65536");
}
