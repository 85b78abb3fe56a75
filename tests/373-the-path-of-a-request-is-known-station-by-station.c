/* 373: the path of a load's requests: an SM's waits counted by hand, for a way of a set and for whom; stations that sum
 * to what the metrics of load latency say of the same run; which loads a filter lets through; bounded memory. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "sm/path.h"
#include "support/program.h"
#include "support/sm_bench.h"

/* ---- an SM, by hand ---- */

static const struct path_filter all = {.last_sm = UINT32_MAX, .last = UINT64_MAX, .every = 1};

enum { LINE = 128, L1_SETS = 32, SAME_SET = LINE * L1_SETS, REGISTERS = 34 /* of 35 cycles of L1 */ };

/* One load of 32 lanes, each a line of one set of four ways. A line that the L1 takes in cycle t leaves in t, and is
 * there in t + 100. Four are taken in 1 to 4; the fifth is asked for in 5 and waits for the first one's way until 101,
 * 96 cycles; three more follow in 102 to 104, when the ways of the others come free; and so on: line 4 g + i is taken
 * in cycle 100 g + 1 + i. */
Test(paths, wait_for_a_way_of_their_set_and_for_their_own_lines)
{
	struct bench *b = bench_new();
	const struct path_load *l;
	uint64_t core;

	b->traced = &all;
	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, UINT32_MAX);
	bench_addrs(b, 0, UINT64_C(0x10000000), SAME_SET);
	bench_play(b, 1);
	core = b->m.clock.period[CLOCK_CORE];
	cr_assert_eq(b->sm.paths->log.n_sample, 1);
	l = b->sm.paths->log.sample[0];
	cr_assert_eq(l->n, 32);
	cr_assert_eq(l->issued, 0);
	for (unsigned k = 0; k < 32; k++) {
		const struct path_request *r = &l->request[k];
		uint64_t taken = 100 * (k / 4) + 1 + k % 4;
		bool waits = k >= 4 && k % 4 == 0;

		cr_expect_eq(r->line, 0x10000000 + k * SAME_SET);
		cr_expect_eq(r->end[PATH_SM], (taken - (waits ? 96 : 0)) * core, "%u", k);
		cr_expect_eq(r->end[PATH_L1], taken * core);
		cr_expect_eq(r->end[PATH_MISS_QUEUE], taken * core);
		cr_expect_eq(r->end[PATH_BACK], (taken + 100) * core);
		cr_expect_eq(r->end[PATH_REGISTERS], (taken + 100 + (k == 31 ? REGISTERS : 0)) * core, "of the last one");
		cr_expect_eq(r->wait[PATH_SERVED], 1 + k);
		cr_expect_eq(r->wait[PATH_LINE], k / 4 * 96);
		cr_expect_eq(r->wait[PATH_ELSE], 0);
		cr_expect_eq(r->failed, waits ? 96 : 0);
		cr_expect_eq(r->found, L1_MISS);
		cr_expect_eq(r->who.is, waits ? PATH_ITSELF : PATH_NOBODY);
	}
	cr_expect_eq(l->last, 31);
	cr_expect_eq(l->latency, 804 + REGISTERS);
	cr_expect_eq(b->sm.paths->log.blame[0].itself, 7 * 96);
	cr_expect_eq(b->sm.paths->log.blame[0].others, 0);
	bench_free(b);
}

/* Two warps: four of the first one's 32 lines fill a set. The second one issues in cycle 32, as the last of them is
 * taken; its line of that set is asked for in 33, and waits until the first one's first line is there, in 101. */
Test(paths, name_the_warp_whose_line_was_waited_for)
{
	struct bench *b = bench_new();
	const struct path_load *l = NULL;

	b->traced = &all;
	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_launch(b, 1, 2);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, UINT32_MAX);
	bench_addrs(b, 0, UINT64_C(0x10000000), SAME_SET / 8);
	bench_exec(b, 1, 0, 1, UINT32_MAX);
	bench_addrs(b, 1, UINT64_C(0x10000000) + 8 * SAME_SET, 0);
	bench_play(b, 1);
	for (uint32_t i = 0; i < b->sm.paths->log.n_sample; i++)
		if (b->sm.paths->log.sample[i]->warp == 1)
			l = b->sm.paths->log.sample[i];
	cr_assert_not_null(l);
	cr_assert_eq(l->n, 1);
	cr_expect_eq(l->issued, 32);
	cr_expect_eq(l->request[0].why, L1_FAIL_LINE);
	cr_expect_eq(l->request[0].failed, 101 - 33);
	cr_expect_eq(l->request[0].who.is, PATH_OTHER);
	cr_expect_eq(l->request[0].who.warp, 0);
	cr_expect_eq(l->request[0].who.cta, 0);
	cr_expect_eq(b->sm.paths->log.blame[0].others, 101 - 33);
	bench_free(b);
}

/* A second load of a line on its way has the rest of that way; a third one, of a line that is there, hits. */
Test(paths, of_merged_requests_and_hits_end_where_they_do)
{
	struct bench *b = bench_new();
	uint64_t core;
	const struct path_log *log;

	b->traced = &all;
	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_load(b, SPACE_GLOBAL, 4, 2, 0);
	bench_load(b, SPACE_GLOBAL, 4, 3, 1); /* its address is the first one's value */
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 3, UINT32_MAX);
	for (unsigned i = 0; i < 3; i++)
		bench_addrs(b, 0, UINT64_C(0x10000000), 0);
	bench_play(b, 1);
	core = b->m.clock.period[CLOCK_CORE];
	log = &b->sm.paths->log;
	cr_assert_eq(log->n_sample, 3);
	cr_expect_eq(log->sample[0]->request[0].end[PATH_BACK], 101 * core);
	cr_expect_eq(log->sample[1]->request[0].found, L1_MERGED);
	cr_expect_eq(log->sample[1]->request[0].end[PATH_BACK], (101 - log->sample[1]->issued) * core);
	cr_expect_eq(log->sample[2]->request[0].found, L1_HIT);
	cr_expect_eq(log->sample[2]->request[0].end[PATH_BACK], core);
	cr_expect_eq(log->sample[2]->latency, 1 + REGISTERS);
	bench_free(b);
}

/* An L1 of four banks takes the first two of four lines in cycle 1, and has two MSHR entries: the third waits from
 * cycle 2 to 100, and is taken in 101, when the first one's line is there. Each cycle is told once. */
Test(paths, tell_a_cycle_of_several_lines_once)
{
	struct bench *b = bench_new();
	const struct path_request *r;
	struct err e = {""};
	uint64_t core;

	cr_assert_eq(machine_set(&b->m, "l1.banks=4", &e) | machine_set(&b->m, "l1.mshr_entries=2", &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&b->m, &e), 0, "%s", e.text);
	b->traced = &all;
	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 1, UINT32_MAX);
	bench_addrs(b, 0, UINT64_C(0x10000000), LINE / 8);
	bench_play(b, 1);
	core = b->m.clock.period[CLOCK_CORE];
	cr_assert_eq(b->sm.paths->log.n_sample, 1);
	r = b->sm.paths->log.sample[0]->request;
	cr_assert_eq(b->sm.paths->log.sample[0]->n, 4);
	for (unsigned k = 0; k < 2; k++) {
		cr_expect_eq(r[k].end[PATH_L1], core);
		cr_expect_eq(r[k].wait[PATH_SERVED], 1);
		cr_expect_eq(r[k].wait[PATH_ELSE], 0);
	}
	cr_expect_eq(r[2].end[PATH_L1], 101 * core);
	cr_expect_eq(r[2].wait[PATH_SERVED], 2);
	cr_expect_eq(r[2].wait[PATH_ENTRY], 99);
	cr_expect_eq(r[2].wait[PATH_ELSE], 0);
	bench_free(b);
}

/* ---- runs ---- */

static json_t *run(const char *args)
{
	struct program p =
		program_run("locus run %s --json %s/p.json >/dev/null && cat %s/p.json", args, program_tmp(), program_tmp());
	json_t *r = json_loads(p.out, 0, NULL);

	cr_assert_not_null(r, "%s: %s", args, p.err);
	program_free(&p);
	return r;
}

static double stat(const json_t *result, const char *name)
{
	json_t *v = json_object_get(json_object_get(result, "stats"), name);

	cr_assert_not_null(v, "%s", name);
	return json_number_value(v);
}

/* Of all instructions. */
static double sum(const json_t *result, const char *part, const char *name)
{
	json_t *all_insts = json_object_get(json_object_get(result, "requests"), "instructions"), *inst;
	double n = 0;
	size_t i;

	json_array_foreach(all_insts, i, inst)
	{
		n += json_number_value(json_object_get(part ? json_object_get(inst, part) : inst, name));
	}
	return n;
}

static double loads(const json_t *result)
{
	return json_number_value(json_object_get(json_object_get(result, "requests"), "loads"));
}

/* Without an L1 nothing merges, and both splits of a load's latency are of the same request. */
Test(paths, have_the_parts_that_the_metrics_of_load_latency_have)
{
	static const char *const machines[] = {"--set l1.enabled=false", "--machine mcm4 --set l1.enabled=false",
					       "--machine titanv --set l1.enabled=false"};

	for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++) {
		char args[128];
		json_t *r;
		double ticks, n;

		snprintf(args, sizeof args, "bfs --size test %s --trace-requests all", machines[i]);
		r = run(args);
		n = stat(r, "load.count");
		ticks = json_number_value(json_object_get(json_object_get(r, "requests"), "ticks_per_core_cycle"));
		cr_expect_float_eq(loads(r), n, 0.5);
		cr_expect_float_eq(sum(r, NULL, "load_cycles"), stat(r, "load.latency.mean") * n, 1e-6 * n);
#define STATION(name) (sum(r, "stations", name) / ticks / n)
		cr_expect_float_eq(STATION("network"), stat(r, "load.latency.network"), 1e-6);
		cr_expect_float_eq(STATION("L2"), stat(r, "load.latency.l2"), 1e-6);
		cr_expect_float_eq(STATION("DRAM queue"), stat(r, "load.latency.dram_queue"), 1e-6);
		cr_expect_float_eq(STATION("to DRAM") + STATION("DRAM"), stat(r, "load.latency.dram"), 1e-6);
		cr_expect_float_eq(STATION("back"), stat(r, "load.latency.back"), 1e-6);
		cr_expect_float_eq(STATION("SM") + STATION("L1") + STATION("miss queue") + STATION("registers"),
				   stat(r, "load.latency.l1"), 1e-6);
		json_decref(r);
	}
}

static void check_load(const json_t *load, double ticks)
{
	json_t *requests = json_object_get(load, "requests"), *r, *end;
	double last = 0;
	size_t i, k;

	json_array_foreach(requests, i, r)
	{
		double before = 0;

		json_array_foreach(json_object_get(r, "ends"), k, end)
		{
			cr_assert_geq(json_number_value(end), before);
			before = json_number_value(end);
		}
		cr_assert_eq(k, PATH_STATIONS);
		last = fmax(last, before);
	}
	cr_assert_float_eq(last, ticks * json_number_value(json_object_get(load, "latency")), 0.5);
}

/* syrk has 270,592 of them; the sample has a power of two less. */
Test(paths, are_sampled_in_bounded_memory)
{
	json_t *r = run("syrk --size test --trace-requests all"), *paths = json_object_get(r, "requests"), *load;
	double ticks = json_number_value(json_object_get(paths, "ticks_per_core_cycle")), every, slowest = INFINITY;
	size_t requests = 0, i;

	json_array_foreach(json_object_get(paths, "sample"), i, load)
	{
		requests += json_array_size(json_object_get(load, "requests"));
		check_load(load, ticks);
	}
	every = json_number_value(json_object_get(paths, "every"));
	cr_assert_gt(every, 1);
	cr_assert_leq(requests, 65536);
	cr_assert_gt(requests, 65536 / 4);
	cr_assert_leq(fabs((double)i - loads(r) / every), 15, "of each of 15 SMs a load more or less");
	json_array_foreach(json_object_get(paths, "slowest"), i, load)
	{
		double latency = json_number_value(json_object_get(load, "latency"));

		check_load(load, ticks);
		cr_assert_leq(latency, slowest);
		slowest = latency;
	}
	cr_assert_eq(i, 64);
	json_decref(r);
}

static double loads_of(const char *args, const char *filter)
{
	char all_args[256];
	json_t *r;
	double n;

	snprintf(all_args, sizeof all_args, "%s --trace-requests '%s'", args, filter);
	r = run(all_args);
	n = loads(r);
	json_decref(r);
	return n;
}

Test(paths, are_those_that_the_filter_lets_through)
{
	json_t *r = run("atax --size test");
	double slow = 0;
	char key[64];

	for (unsigned i = 8; i < 20; i++) { /* of 256 cycles and more */
		snprintf(key, sizeof key, "load.latency.p2.%u", i);
		slow += stat(r, key);
	}
	cr_assert_gt(slow, 0);
	cr_assert_lt(slow, stat(r, "load.count"));
	cr_expect_float_eq(loads_of("atax --size test", "latency=256"), slow, 0.5);
	cr_expect_float_eq(loads_of("atax --size test", "sm=3"), stat(r, "sm.3.load.count"), 0.5);
	cr_expect_float_eq(loads_of("atax --size test", "sm=3,every=5"), ceil(stat(r, "sm.3.load.count") / 5), 0.5);
	cr_expect_float_eq(loads_of("atax --size test", "sm=2-3"), stat(r, "sm.2.load.count") + stat(r, "sm.3.load.count"), 0.5);
	cr_expect_float_eq(loads_of("atax --size test", "addr=0-127"), 0, 0.5);
	cr_expect_float_eq(loads_of("atax --size test", "addr=0-0xffffffffffffffff"), stat(r, "load.count"), 0.5);
	json_decref(r);
}

Test(paths, change_no_metric)
{
	static const char *const runs[] = {"syrk --size test", "kmeans --size test --machine ndp4 --plan coda --throttle ccws"};

	for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
		char traced[128];
		json_t *r, *plain = run(runs[i]);

		snprintf(traced, sizeof traced, "%s --trace-requests all", runs[i]);
		r = run(traced);
		cr_expect(json_equal(json_object_get(r, "stats"), json_object_get(plain, "stats")), "%s", runs[i]);
		json_decref(r);
		json_decref(plain);
	}
}

Test(paths, of_what_is_not_there_are_refused)
{
	static const char *const wrong[] = {"nokernel:3", "syrk:99999", "syrk:0x12zz",	"syrk:",  ":3",
					    "load=syrk",  "sm=15",	"sm=3-2",	"bogus",  "",
					    "every=0",	  "latency=-1", "addr=0x1000-", "syrk:15"};

	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct program p = program_run("locus run syrk --size test --json /dev/null --trace-requests '%s'", wrong[i]);

		cr_expect_eq(program_is_clean_error(&p), 1, "%s", wrong[i]);
		program_free(&p);
	}
}

/* ---- locus why ---- */

/* As the paper has it (dwt-pric, Figure 6): the column's lines fall into few sets, and wait for their ways; under the
 * pseudo-random index they do not. */
static double share_of_line_waits(const char *index)
{
	struct program p = program_run("locus why syrk --size test --load syrk:18 %s --json %s/w.json && cat %s/w.json >&2", index,
				       program_tmp(), program_tmp());
	json_t *r = json_loads(p.err, 0, NULL), *inst;
	double waits = 0, cycles = 0;
	size_t i;

	cr_assert_eq(p.status, 0);
	json_array_foreach(json_object_get(json_object_get(r, "requests"), "instructions"), i, inst)
	{
		double n = json_number_value(json_object_get(inst, "loads"));

		if (json_number_value(json_object_get(inst, "requests")) != 32 * n) /* the row, a word for all lanes */
			continue;
		waits += json_number_value(json_object_get(json_object_get(inst, "waits"), "line"));
		cycles += json_number_value(json_object_get(inst, "load_cycles"));
	}
	cr_assert_gt(cycles, 0);
	json_decref(r);
	program_free(&p);
	return waits / cycles;
}

Test(locus_why, says_that_syrks_column_loads_wait_in_the_l1_for_line_allocation)
{
	struct program p = program_run("locus why syrk --size test --load kernel.cu:18");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect_not_null(strstr(p.out, "line allocation: all ways of a set wait for their lines"), "%s", p.out);
	cr_expect_not_null(strstr(p.out, "sum += row_i[k] * row_j[k];"), "%s", p.out);
	cr_expect_not_null(strstr(p.out, "for a line of its own"), "%s", p.out);
	program_free(&p);
	cr_expect_gt(share_of_line_waits(""), 0.5);
	cr_expect_lt(share_of_line_waits("--l1-index pric"), 0.05);
}
