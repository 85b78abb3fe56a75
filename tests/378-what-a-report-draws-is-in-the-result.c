/* 378: --report-data: counts by set of an L1 as worked out by hand, and what it adds to a result: sets, CTAs and lines
 * that sum to the run's metrics, in bounded room; no metric depends on it. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "cache/l1_sets.h"
#include "support/l1_rig.h"
#include "support/program.h"

/* ---- an L1 of 32 sets, lines of 128 bytes ---- */

enum { SETS = 32, SET = 128, WAY = SETS * SET };

struct rig {
	struct l1_rig l1;
	struct l1_sets sets;
	struct l1_set_counts count[SETS + 1];
};

static void rig_open(struct rig *r, const char *const *keys)
{
	memset(r, 0, sizeof *r);
	l1_rig_open(&r->l1, keys);
	l1_sets_observe(&r->sets, &r->l1.l1, r->count);
}

static void load(struct rig *r, uint64_t cycle, uint64_t addr, enum l1_result expected)
{
	struct l1_access a = l1_rig_load(addr, 0);

	cr_assert_eq(l1_access(&r->l1.l1, cycle, &a), expected, "cycle %d", (int)cycle);
}

static void counts_are(const struct rig *r, uint32_t set, struct l1_set_counts c)
{
	const struct l1_set_counts *is = &r->count[set];

	cr_expect_eq(is->accesses, c.accesses, "set %u: %d accesses", set, (int)is->accesses);
	cr_expect_eq(is->hits, c.hits, "set %u: %d hits", set, (int)is->hits);
	cr_expect_eq(is->misses, c.misses, "set %u: %d misses", set, (int)is->misses);
	cr_expect_eq(is->fail_line, c.fail_line, "set %u: %d cycles of fails", set, (int)is->fail_line);
}

Test(sets, count_accesses_hits_and_misses_where_their_lines_go)
{
	struct rig r;

	rig_open(&r, (const char *[]){NULL});
	l1_rig_bring(&r.l1, 1, 3 * SET);
	load(&r, 2, 3 * SET, L1_HIT);
	load(&r, 3, 7 * SET, L1_MISS);
	load(&r, 4, 7 * SET, L1_MERGED);
	counts_are(&r, 3, (struct l1_set_counts){.accesses = 2, .hits = 1, .misses = 1});
	counts_are(&r, 7, (struct l1_set_counts){.accesses = 2, .hits = 1, .misses = 1});
	for (uint32_t s = 0; s <= SETS; s++)
		if (s != 3 && s != 7)
			counts_are(&r, s, (struct l1_set_counts){0});
	l1_rig_close(&r.l1);
}

/* Four ways wait: the fifth line of set 5 fails from cycle 14 on, until a reply in cycle 24. */
Test(sets, count_the_cycles_for_which_all_ways_wait)
{
	struct rig r;
	struct mem_req first;
	uint32_t n;

	rig_open(&r, (const char *[]){NULL});
	for (unsigned i = 0; i < 4; i++)
		load(&r, 10 + i, 5 * SET + i * WAY, L1_MISS);
	load(&r, 14, 5 * SET + 4 * WAY, L1_FAIL_LINE);
	load(&r, 17, 5 * SET + 4 * WAY, L1_FAIL_LINE);
	first = l1_rig_take(&r.l1);
	l1_rig_reply(&r.l1, first, &n);
	load(&r, 24, 5 * SET + 4 * WAY, L1_MISS);
	counts_are(&r, 5, (struct l1_set_counts){.accesses = 5, .misses = 5, .fail_line = 24 - 14});
	l1_rig_close(&r.l1);
}

Test(sets, count_a_wait_that_a_cut_ends)
{
	struct rig r;

	rig_open(&r, (const char *[]){NULL});
	for (unsigned i = 0; i < 4; i++)
		load(&r, 10 + i, 5 * SET + i * WAY, L1_MISS);
	load(&r, 14, 5 * SET + 4 * WAY, L1_FAIL_LINE);
	l1_sets_finish(&r.sets, 20);
	l1_sets_finish(&r.sets, 30);
	counts_are(&r, 5, (struct l1_set_counts){.accesses = 4, .misses = 4, .fail_line = 6});
	l1_rig_close(&r.l1);
}

Test(sets, count_behind_the_last_one_what_looks_nothing_up)
{
	struct rig r;

	rig_open(&r, (const char *[]){"l1.enabled=false", NULL});
	load(&r, 1, 3 * SET, L1_SENT);
	counts_are(&r, SETS, (struct l1_set_counts){.accesses = 1});
	counts_are(&r, 3, (struct l1_set_counts){0});
	l1_rig_close(&r.l1);
}

/* ---- whole results ---- */

static json_t *run(const char *args)
{
	struct program p =
		program_run("locus run %s --json %s/r.json >/dev/null && cat %s/r.json", args, program_tmp(), program_tmp());
	json_t *r = json_loads(p.out, 0, NULL);

	cr_assert_not_null(r, "%s: %s", args, p.err);
	program_free(&p);
	return r;
}

static json_int_t stat(const json_t *result, const char *name)
{
	return json_integer_value(json_object_get(json_object_get(result, "stats"), name));
}

static json_int_t sum(const json_t *matrix, size_t rows, size_t columns)
{
	json_int_t n = 0;

	cr_assert_eq(json_array_size(matrix), rows);
	for (size_t i = 0; i < rows; i++) {
		const json_t *row = json_array_get(matrix, i);

		cr_assert_eq(json_array_size(row), columns);
		for (size_t k = 0; k < columns; k++)
			n += json_integer_value(json_array_get(row, k));
	}
	return n;
}

static json_int_t sets_in_use(const json_t *matrix)
{
	json_int_t n = 0;

	for (size_t s = 0; s < SETS; s++)
		for (size_t sm = 0; sm < json_array_size(matrix); sm++)
			if (json_integer_value(json_array_get(json_array_get(matrix, sm), s))) {
				n++;
				break;
			}
	return n;
}

Test(report_data, sums_to_the_runs_metrics_and_changes_none)
{
	json_t *plain = run("syrk --size test"), *r = run("syrk --size test --report-data");
	const json_t *sets = json_object_get(r, "l1_sets"), *t = json_object_get(r, "timeline");
	size_t sms = 15, bins = json_array_size(json_array_get(json_object_get(t, "cta_cycles"), 0));
	json_int_t ran = 0;

	cr_expect(json_equal(json_object_get(plain, "stats"), json_object_get(r, "stats")));
	cr_expect_eq(sum(json_object_get(sets, "accesses"), sms, SETS), stat(r, "l1.accesses"));
	cr_expect_eq(sum(json_object_get(sets, "misses"), sms, SETS), stat(r, "l1.misses"));
	cr_expect_eq(sum(json_object_get(sets, "hits"), sms, SETS), stat(r, "l1.hits") + stat(r, "l1.hits_reserved"));
	cr_expect_eq(sum(json_object_get(sets, "fail_line"), sms, SETS), stat(r, "l1.fail.line"));
	for (size_t i = 0; i < json_array_size(json_object_get(t, "ctas")); i++) {
		const json_t *c = json_array_get(json_object_get(t, "ctas"), i);

		ran += json_integer_value(json_array_get(c, 4)) - json_integer_value(json_array_get(c, 3));
	}
	cr_expect_eq((json_int_t)json_array_size(json_object_get(t, "ctas")), stat(r, "ctas"));
	cr_expect_eq(sum(json_object_get(t, "cta_cycles"), sms, bins), ran);
	cr_expect_leq(bins, 240);
	cr_expect_leq(json_integer_value(json_object_get(json_object_get(r, "intervals"), "samples")), 512);
	cr_expect(json_is_object(json_object_get(r, "profile")));
	json_decref(plain);
	json_decref(r);
}

/* A column of syrk's test input: rows are 1024 floats apart, which is a whole way of the L1, so a column of elements
 * k is in one set by the linear index. Elements 0 to 63 of a row are two lines: there are two such sets. PRIC is
 * there to take the conflict away. */
Test(report_data, shows_which_sets_a_column_waits_for)
{
	json_t *linear = run("syrk --size test --report-data"), *pric = run("syrk --size test --report-data --l1-index pric");
	const json_t *a = json_object_get(json_object_get(linear, "l1_sets"), "fail_line"),
		     *b = json_object_get(json_object_get(pric, "l1_sets"), "fail_line");

	cr_expect_eq(sets_in_use(a), 2);
	cr_expect_lt(sum(b, 15, SETS) * 100, sum(a, 15, SETS));
	json_decref(linear);
	json_decref(pric);
}

Test(report_data, is_of_sms)
{
	struct program p = program_run("locus run vectoradd --size test --on cpu --report-data");

	cr_expect_eq(p.status, 2);
	cr_expect_str_eq(p.err, "locus run: --report-data: describes SMs, and --on cpu runs the kernels on CPU cores\n");
	program_free(&p);
}
