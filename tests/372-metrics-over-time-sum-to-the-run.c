/* 372: metrics over time: samples in fixed memory, joined as worked out by hand; intervals of a run that sum to its
 * metrics, and up to any cycle to those of a run that is cut there; levels as the machine's limits say. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/series.h"
#include "support/program.h"

/* ---- samples ---- */

Test(intervals, are_joined_in_pairs_when_there_is_no_room)
{
	static const bool level[2] = {false, true};
	struct arena a = {0};
	struct series s;

	series_init(&s, &a, 10, 4, 2, level);
	for (uint64_t i = 1; i <= 3; i++) {
		cr_assert_eq(series_due(&s), 10 * i);
		series_add(&s, (uint64_t[]){i, 100 * i});
	}
	cr_assert_eq(s.n, 3);
	series_add(&s, (uint64_t[]){4, 400}); /* [0,10) + [10,20), [20,30) + [30,40) */
	cr_assert_eq(s.n, 2);
	cr_assert_eq(s.every, 20);
	cr_assert_eq(series_due(&s), 60);
	cr_assert_eq(series_at(&s, 0)[0], 1 + 2);
	cr_assert_eq(series_at(&s, 1)[0], 3 + 4);
	cr_assert_eq(series_at(&s, 0)[1], 200, "a level is that of the interval's end");
	cr_assert_eq(series_at(&s, 1)[1], 400);
	series_close(&s, 45, (uint64_t[]){5, 500});
	cr_assert_eq(s.n, 3, "[0,20), [20,40), [40,45)");
	cr_assert_eq(series_at(&s, 2)[0], 5);
	arena_free(&a);
}

/* A machine may work on after the last cycle that is its run's. */
Test(intervals, end_with_the_last_cycle)
{
	static const bool level[1] = {false};
	static const struct {
		uint64_t cycles;
		uint32_t n;
		uint64_t last;
	} cases[] = {{25, 3, 3 + 9}, {20, 2, 2 + 3 + 9}, {21, 3, 3 + 9}, {31, 4, 9}, {5, 1, 1 + 2 + 3 + 9}, {0, 1, 15}};
	struct arena a = {0};

	for (unsigned i = 0; i < sizeof cases / sizeof *cases; i++) {
		struct series s;

		series_init(&s, &a, 10, 8, 1, level);
		for (uint64_t k = 1; k <= 3; k++)
			series_add(&s, &k);
		series_close(&s, cases[i].cycles, (uint64_t[]){9});
		cr_assert_eq(s.n, cases[i].n, "%u", i);
		cr_assert_eq(*series_at(&s, s.n - 1), cases[i].last, "%u", i);
	}
	arena_free(&a);
}

/* ---- runs ---- */

static json_t *run(const char *args)
{
	struct program p =
		program_run("locus run %s --json %s/i.json >/dev/null && cat %s/i.json", args, program_tmp(), program_tmp());
	json_t *r = json_loads(p.out, 0, NULL);

	cr_assert_not_null(r, "%s: %s", args, p.err);
	program_free(&p);
	return r;
}

static double stat(const json_t *result, const char *name)
{
	return json_number_value(json_object_get(json_object_get(result, "stats"), name));
}

static double sum_of_first(const json_t *series, size_t n)
{
	const json_t *values = json_object_get(series, "values");
	double sum = 0;

	for (size_t i = 0; i < n && i < json_array_size(values); i++)
		sum += json_number_value(json_array_get(values, i));
	return sum;
}

static const char *text(const json_t *o, const char *key)
{
	return json_string_value(json_object_get(o, key));
}

/* Each series that counts and that the result has a row for; how many. */
static unsigned check_sums(const json_t *result, const char *of)
{
	json_t *series = json_object_get(json_object_get(result, "intervals"), "series"), *s;
	unsigned checked = 0;
	size_t i;

	json_array_foreach(series, i, s)
	{
		double all = sum_of_first(s, SIZE_MAX), whole = stat(result, text(s, "path"));

		if (strcmp(text(s, "kind"), "count") != 0 || !json_object_get(json_object_get(result, "stats"), text(s, "path")))
			continue;
		cr_expect_float_eq(all, whole, 1e-9 * fabs(whole) + 1e-9, "%s: %s: %f, not %f", of, text(s, "path"), all, whole);
		checked++;
	}
	return checked;
}

static const char *const runs[] = {
	"atax --size test --interval 100 --interval-metrics '[!sdm]*,sched.*,shared.*,dram.*,sm.3.*'",
	"bfs --size test --machine mcm4 --interval 7 --interval-metrics '[!sdm]*,mem*,mod*,dram.1.*,sm.1?.l1.*'",
	"kmeans --size test --machine ndp4 --plan coda --throttle dwt-cs --interval 1000 --interval-metrics '[!sdm]*,sm.1.*'",
	"nw --size test --machine titanv --plan paver-rb --interval 1 --interval-metrics '[!sdm]*,shared.*,sm.7.*'",
	"histo --size test --l1-bypass streaming --max-cycles 5000 --interval 999 --interval-metrics '[!sdm]*,sm.*.l1.*'",
};

Test(intervals, sum_to_the_metrics_of_the_run_and_change_none)
{
	for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
		char without[256];
		json_t *with = run(runs[i]), *plain;

		cr_expect_gt(check_sums(with, runs[i]), 60, "%s", runs[i]);
		snprintf(without, sizeof without, "%.*s", (int)(strstr(runs[i], "--interval") - runs[i]), runs[i]);
		plain = run(without);
		json_object_del(with, "intervals");
		cr_expect(json_equal(with, plain), "%s", runs[i]);
		json_decref(with);
		json_decref(plain);
	}
}

/* What the intervals up to a cycle have counted is what a run counts that is cut there. Waits in the memory system are
 * counted when they are over, and are left out. */
Test(intervals, are_exact_to_the_cycle)
{
	json_t *over = run("syrk --size test --interval 500 --interval-metrics "
			   "'warp_insts,thread_insts,ctas,mix.*,sched.*.cycles,l1.*,sm.*.warp_cycles,sm.*.l1.fail.line,load.count,"
			   "net.*.packets,l2.accesses,l2.misses,dram.reads,dram.bytes,dram.activates'");
	json_t *series = json_object_get(json_object_get(over, "intervals"), "series"), *s;
	unsigned compared = 0;

	for (unsigned k = 1; k <= 64; k *= 4) {
		char cut[64];
		json_t *r;
		size_t i;

		snprintf(cut, sizeof cut, "syrk --size test --max-cycles %u", 500 * k);
		r = run(cut);
		json_array_foreach(series, i, s)
		{
			if (strcmp(text(s, "kind"), "count") != 0 || !json_object_get(json_object_get(r, "stats"), text(s, "path")))
				continue;
			cr_expect_float_eq(sum_of_first(s, k), stat(r, text(s, "path")), 1e-9, "%s in cycle %u", text(s, "path"),
					   500 * k);
			compared++;
		}
		json_decref(r);
	}
	cr_assert_gt(compared, 4 * 60);
	json_decref(over);
}

static double value(const json_t *result, const char *path, size_t i)
{
	json_t *series = json_object_get(json_object_get(result, "intervals"), "series"), *s;
	size_t k;

	json_array_foreach(series, k, s)
	{
		if (!strcmp(text(s, "path"), path))
			return json_number_value(json_array_get(json_object_get(s, "values"), i));
	}
	cr_assert_fail("no %s", path);
	return 0;
}

/* A throttle of one warp a scheduler: gtx480 has 15 SMs of two schedulers, and 32 MSHRs an L1. */
Test(intervals, have_levels_within_the_machines_limits)
{
	json_t *r = run("syrk --size test --throttle swt:1 --interval 1000 --interval-metrics "
			"warps.running,warps.allowed,sm.0.l1.mshrs,ipc.warp,warp_insts");
	json_t *v = json_object_get(r, "intervals");
	double cycles = json_number_value(json_object_get(v, "cycles")), warps = 0, mshrs = 0;
	size_t n = (size_t)json_integer_value(json_object_get(v, "samples"));

	cr_assert_eq(json_array_size(json_object_get(v, "series")), 5);
	cr_assert_gt(n, 100);
	for (size_t i = 0; i + 1 < n; i++) {
		cr_assert_leq(value(r, "warps.allowed", i), 15 * 2);
		cr_assert_leq(value(r, "warps.allowed", i), value(r, "warps.running", i));
		cr_assert_leq(value(r, "sm.0.l1.mshrs", i), 32);
		cr_assert_float_eq(value(r, "ipc.warp", i), value(r, "warp_insts", i) / cycles, 1e-9);
		warps = fmax(warps, value(r, "warps.running", i));
		mshrs = fmax(mshrs, value(r, "sm.0.l1.mshrs", i));
	}
	cr_assert_gt(warps, 15 * 2, "more run than may issue");
	cr_assert_gt(mshrs, 0);
	json_decref(r);
}

Test(intervals, of_what_is_not_there_are_refused)
{
	static const char *const wrong[] = {
		"--interval 0",
		"--interval 10 --interval-metrics l1.hitz",
		"--interval 10 --interval-metrics sm.15.l1.hits",
		"--interval 10 --interval-metrics l1.index_conflicts",
		"--interval 10 --interval-metrics ''",
		"--interval 10 --interval-metrics ,,",
		"--interval 10 --interval-metrics '*'",
		"--interval-metrics l1.hits",
		"--interval-csv x.csv",
		"--interval 10 --on cpu",
	};

	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct program p = program_run("locus run atax --size test --json /dev/null %s", wrong[i]);

		cr_expect_eq(p.status, 2, "%s", wrong[i]);
		cr_expect(strchr(p.err, '\n') == p.err + strlen(p.err) - 1, "%s: %s", wrong[i], p.err);
		program_free(&p);
	}
}

Test(intervals, are_the_same_as_csv)
{
	struct program p = program_run("locus run atax --size test --interval 1000 --interval-metrics warp_insts,l1.miss_rate "
				       "--interval-csv %s/c.csv --json %s/c.json >/dev/null && cat %s/c.csv && cat %s/c.json >&2",
				       program_tmp(), program_tmp(), program_tmp(), program_tmp());
	json_t *r = json_loads(p.err, 0, NULL);
	char *save = NULL, *line = strtok_r(p.out, "\n", &save);
	size_t lines = 0;

	cr_assert_str_eq(line, "cycle,until,warp_insts,l1.miss_rate");
	while ((line = strtok_r(NULL, "\n", &save))) {
		double from, until, insts, rate = 0;

		cr_assert_geq(sscanf(line, "%lf,%lf,%lf,%lf", &from, &until, &insts, &rate), 3, "%s", line);
		cr_assert_float_eq(from, 1000.0 * (double)lines, 1e-9);
		cr_assert_float_eq(until, fmin(from + 1000, stat(r, "cycles")), 1e-9);
		cr_assert_float_eq(insts, value(r, "warp_insts", lines), 1e-9);
		cr_assert_float_eq(rate, value(r, "l1.miss_rate", lines), 1e-6);
		lines++;
	}
	cr_assert_eq(lines, ceil(stat(r, "cycles") / 1000));
	json_decref(r);
	program_free(&p);
}
