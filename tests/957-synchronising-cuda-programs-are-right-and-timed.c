/* 957: CUDA programs whose warps wait for one another (tests/cuda/sync): locks, barriers over the grid, a pipeline,
 * flags between CTAs. Each checks its own results, by its exit status. Their times on qv100 are bounded on both sides,
 * by the longest chain of accesses of which each needs the one before; a trip to the L2 and back takes 200 to 250
 * cycles. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

enum { TRIP = 200, SLOW_TRIP = 250 };

static void build(const char *name, const char *options)
{
	struct program p = program_run("locus nvcc %s tests/cuda/sync/%s.cu -o %s/%s", options, name, program_tmp(), name);

	cr_assert_eq(p.status, 0, "%s: %s", name, p.err);
	program_free(&p);
}

/* The "stats" of a run of the program with these arguments; ends the test if a result is wrong. */
static json_t *stats_of(const char *options, const char *program)
{
	struct program p = program_run("locus cuda %s --json %s/stats.json %s/%s", options, program_tmp(), program_tmp(), program);
	json_t *all, *stats;

	cr_assert_eq(p.status, 0, "%s %s: %s%s", options, program, p.out, p.err);
	program_free(&p);
	all = json_load_file(program_path("stats.json"), 0, NULL);
	cr_assert_not_null(all);
	stats = json_incref(json_object_get(all, "stats"));
	json_decref(all);
	return stats;
}

static double cycles_of(const char *program)
{
	json_t *s = stats_of("--machine qv100 --threads=1", program);
	double cycles = program_stat(s, "cycles");

	json_decref(s);
	return cycles;
}

static void expect_between(const char *what, double cycles, double least, double most)
{
	cr_expect(cycles >= least && cycles <= most, "%s: %.0f cycles, not %.0f to %.0f", what, cycles, least, most);
}

/* Instructions that are not issued, since an assembler folds them, count as the others do. */
static double insts_of(const json_t *s)
{
	return program_stat(s, "warp_insts") + (json_object_get(s, "folded_insts") ? program_stat(s, "folded_insts") : 0);
}

static double insts_on(const char *options, const char *program)
{
	json_t *s = stats_of(options, program);
	double insts = insts_of(s);

	json_decref(s);
	return insts;
}

/* The results are right however long an access takes and wherever CTAs go, and no attempt that fails is counted as an
 * instruction of the program; several host threads change nothing. */
static void runs_anywhere(const char *program)
{
	json_t *one = stats_of("--machine qv100 --threads=1", program), *two = stats_of("--machine qv100 --threads=2", program);
	double insts = insts_of(one);

	cr_expect(json_equal(one, two), "%s: host threads change its stats", program);
	cr_expect_eq(insts_on("--machine gtx480 --threads=1", program), insts, "%s on gtx480", program);
	cr_expect_eq(insts_on("--machine gtx480 --threads=1 --plan paver-rb", program), insts, "%s by paver-rb", program);
	cr_expect_eq(insts_on("--machine ndp4 --threads=1 --plan affinity", program), insts, "%s by affinity", program);
	json_decref(one);
	json_decref(two);
}

/* ---- locks ---- */

/* Critical sections exclude one another: 40 of T cycles take 40 T, and what it takes to hand the lock on is at most
 * T / 2: a load and a store of the sum, a fence, the next ticket's store and the load that sees it, five trips. T is
 * what 1,000 multiply-adds take one CTA. */
Test(synchronising_programs, a_ticket_lock_lets_one_in_at_a_time)
{
	double t;

	build("ticket", "");
	t = cycles_of("ticket 1 1000") - cycles_of("ticket 1 0");
	cr_assert_leq(5 * SLOW_TRIP, t / 2);
	expect_between("40 CTAs", cycles_of("ticket 40 1000") - cycles_of("ticket 0"), 40 * t, 60 * t);
	runs_anywhere("ticket 40 20");
}

/* Likewise; a lock changes hands by an exchange and a CAS, or for a reader by a load and a CAS that see it. Readers
 * alone might share the lock: one of them takes T. But they were executed one after the other, each CAS needs the
 * change before it, and so they are granted the lock in turn. */
Test(synchronising_programs, a_lock_has_a_writer_or_readers)
{
	double t, none;

	build("rwlock", "");
	none = cycles_of("rwlock 0");
	t = cycles_of("rwlock 1 1 1000") - cycles_of("rwlock 1 1 0");
	cr_assert_leq(5 * SLOW_TRIP, t / 2);
	expect_between("40 writers", cycles_of("rwlock 40 40 1000") - none, 40 * t, 60 * t);
	expect_between("40 readers", cycles_of("rwlock 40 0 1000") - none, t, 60 * t);
	expect_between("8 writers, 32 readers", cycles_of("rwlock 40 8 1000") - none, 9 * t, 60 * t);
	runs_anywhere("rwlock 24 6 20");
}

/* An insertion is a chain of at least three trips to the L2: a CAS; a load of the head; stores and a fence, and then
 * the exchange that gives the lock back is half of a trip, as is the answer to the next CAS. At most each of its
 * accesses takes one for itself, and the next warp's CAS comes one too late: a CAS, two loads, three stores and a
 * fence, an exchange. With one bucket 8 * 32 insertions are such a chain, with many those of a warp. */
Test(synchronising_programs, a_hash_table_has_a_lock_for_each_bucket)
{
	double none, one, many;

	build("hash", "");
	none = cycles_of("hash 0");
	one = cycles_of("hash 8 1");
	many = cycles_of("hash 8 64");
	expect_between("one bucket", one - none, 8 * 32 * 3 * TRIP, 8 * 32 * 9 * SLOW_TRIP);
	expect_between("64 buckets", many - none, 32 * 3 * TRIP, (one - none) / 2);
	runs_anywhere("hash 8 16");
}

/* ---- CTAs in turn ---- */

/* The last tile's sum needs at least one other tile's, a trip; at most each tile waits for the one before it: its store
 * takes half of a trip, the load that sees it a trip and may come one too late. That is linear in the tiles. */
Test(synchronising_programs, a_scan_looks_back_over_its_tiles)
{
	double alone, of_80, of_160;

	build("lookback", "");
	alone = cycles_of("lookback 80 1");
	of_80 = cycles_of("lookback 80");
	of_160 = cycles_of("lookback 160");
	expect_between("80 tiles", of_80, alone + TRIP, alone + 80 * 2.5 * SLOW_TRIP);
	expect_between("80 more", of_160 - of_80, 0, 80 * 2.5 * SLOW_TRIP);
	runs_anywhere("lookback 50");
}

/* The parts of a tile are multiplied side by side, then added in turn. Between two turns are at least a trip (the fence
 * ends before the semaphore is stored), at most five: the semaphore's store, its load, which may come one too late, the
 * load of C, and its store and fence. */
Test(synchronising_programs, parts_of_a_product_are_added_in_turn)
{
	double apart_4, apart_8;

	build("splitk", "");
	apart_4 = cycles_of("splitk 4 1");
	apart_8 = cycles_of("splitk 8 1");
	expect_between("4 parts", cycles_of("splitk 4"), apart_4 + 3 * TRIP, apart_4 + 4 * 5 * SLOW_TRIP);
	expect_between("8 parts", cycles_of("splitk 8"), apart_8 + 7 * TRIP, apart_8 + 8 * 5 * SLOW_TRIP);
	runs_anywhere("splitk 4");
}

/* From 4 x 4 to 8 x 8 tiles the longest path has 8 tiles more. Each takes at least as long as a tile alone, and at most
 * six trips longer: its neighbour's fence and flag, the load that sees it, which may come one too late, and those of
 * the edges of both neighbours. */
Test(synchronising_programs, a_wavefront_goes_from_tile_to_tile)
{
	double tile, side_4, side_8;

	build("wavefront", "");
	tile = cycles_of("wavefront 1") - cycles_of("wavefront 0");
	side_4 = cycles_of("wavefront 4");
	side_8 = cycles_of("wavefront 8");
	expect_between("8 tiles", side_8 - side_4, 8 * tile, 8 * (tile + 6 * SLOW_TRIP));
	runs_anywhere("wavefront 5");
}

/* paver-rb dispatches groups of CTAs in an order of its own. On a machine that does not hold all 256 the program ends,
 * or the run does with a line that names who waits. */
Test(synchronising_programs, a_wavefront_in_another_order_ends_or_says_why)
{
	struct program p;

	build("wavefront", "");
	p = program_run("locus cuda --machine gtx480 --plan paver-rb %s/wavefront 16", program_tmp());
	if (p.status) {
		cr_expect(program_is_clean_error(&p));
		cr_expect(strstr(p.err, "deadlock in launch 0") && strstr(p.err, "plan paver-rb"), "%s", p.err);
	}
	program_free(&p);
}

/* ---- barriers over the grid ---- */

/* A round takes at least two trips: the last arrival's, and that of a load that sees it; at most ten, with what a round
 * does and loads that come too late. The counter of 80 CTAs takes an arrival a cycle. */
static void expect_rounds(const char *of_4, const char *of_8)
{
	double round = (cycles_of(of_8) - cycles_of(of_4)) / 4;

	expect_between("a round", round, 2 * TRIP, 10 * SLOW_TRIP + 80);
}

Test(synchronising_programs, a_grid_meets_by_a_counter_and_a_generation)
{
	build("barrier", "");
	expect_rounds("barrier 80 4", "barrier 80 8");
	runs_anywhere("barrier 20 2");
}

Test(synchronising_programs, a_grid_meets_by_cooperative_groups)
{
	struct program p;

	build("barrier", "");
	expect_rounds("barrier 80 4 1", "barrier 80 8 1");
	runs_anywhere("barrier 20 2 1");
	p = program_run("locus cuda --machine qv100 --record=%s/b.ltrace %s/barrier 80 3 1 >&2 && "
			"locus trace dump %s/b.ltrace --cta 7 --warp 0 | grep 'ld.volatile.u32 ' | grep -o 'waits for [0-9]*'",
			program_tmp(), program_tmp(), program_tmp());
	cr_expect_str_eq(p.out, "waits for 80\nwaits for 160\nwaits for 240\n", "%s", p.err);
	program_free(&p);
}

/* ---- within a CTA ---- */

/* Both warps work T cycles on an item: 200 multiply-adds of 4 cycles. In a ring of one stage they do so in turn, in one
 * of four side by side; each item costs the loop around that and the barriers, at most T / 2 on either side. */
Test(synchronising_programs, a_pipeline_overlaps_producer_and_consumer)
{
	enum { T = 200 * 4 };
	double one, four;

	build("pipeline", "-arch=sm_80");
	one = (cycles_of("pipeline 1 48 200") - cycles_of("pipeline 1 16 200")) / 32;
	four = (cycles_of("pipeline 4 48 200") - cycles_of("pipeline 4 16 200")) / 32;
	expect_between("an item in one stage", one, 2 * T, 3 * T);
	expect_between("an item in four", four, T, 1.5 * T);
	runs_anywhere("pipeline 2 16 20");
}

/* ---- a limit of tries ---- */

/* The flag comes 2,000 multiply-adds of T cycles after the launch's begin, and a fence, in four trips and the first
 * touch of its page; it is seen at most a sleep, of 256 ns or twice as many, and a trip later. */
Test(synchronising_programs, a_wait_with_back_off_sees_its_flag_before_its_limit)
{
	double none, t, ns = 1.132; /* cycles */

	build("backoff", "");
	none = cycles_of("backoff 0");
	t = cycles_of("backoff 4000 1") - cycles_of("backoff 2000 1");
	expect_between("2,000 before the flag", cycles_of("backoff 2000") - none, t, t + 6 * SLOW_TRIP + 2 * 256 * ns);
	runs_anywhere("backoff 300");
}

/* ---- a queue ---- */

/* Each item is taken once, none of 80 CTAs takes more than twice its share, and the time is that of one CTA's work,
 * shared out: at most half as much more, and within 5 % not less. */
Test(synchronising_programs, a_queue_of_work_is_shared_out)
{
	double none, work;
	struct program p;
	unsigned most = 0;

	build("queue", "");
	none = cycles_of("queue 1 1 0");
	work = cycles_of("queue 1 800 200") - none;
	expect_between("80 CTAs", cycles_of("queue 80 800 200") - none, 0.95 * work / 80, 1.5 * work / 80);
	p = program_run("locus cuda --only-execute --machine qv100 %s/queue 80 800 200", program_tmp());
	cr_assert_eq(sscanf(p.out, "queue: %u items", &most), 1, "%s", p.out);
	cr_expect(most >= 10 && most <= 20, "%u items", most);
	program_free(&p);
	runs_anywhere("queue 40 200 20");
}

/* ---- lanes of a warp ---- */

/* The kinds of lanes.cu but that with the barrier. */
static const unsigned locks[] = {0, 1, 2, 4};

/* On Volta and later they end with the right results, whoever of a warp's lanes has to go first. */
Test(synchronising_programs, lanes_of_a_warp_wait_for_one_another)
{
	char program[16];

	build("lanes", "");
	for (unsigned i = 0; i < sizeof locks / sizeof locks[0]; i++) {
		json_t *one, *two;

		snprintf(program, sizeof program, "lanes %u", locks[i]);
		one = stats_of("--machine qv100 --threads=1", program);
		two = stats_of("--machine qv100 --threads=2", program);
		cr_expect(json_equal(one, two), "%s: host threads change its stats", program);
		cr_expect_lt(program_stat(one, "cycles"), 300000, "%s", program);
		json_decref(one);
		json_decref(two);
	}
}

/* Before Volta lanes that wait outside for the lock that one of them has never end; nor does a trace run there whose
 * lanes took turns. */
Test(synchronising_programs, lanes_need_a_machine_on_which_they_are_independent)
{
	struct program p;

	build("lanes", "");
	p = program_run("locus cuda --machine gtx480 %s/lanes 2", program_tmp());
	cr_expect_eq(p.status, 2);
	cr_expect(strstr(p.err, "no progress"), "%s", p.err);
	program_free(&p);
	p = program_run("locus cuda --machine qv100 --record=%s/lanes.ltrace %s/lanes 2", program_tmp(), program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run("locus run %s/lanes.ltrace --machine gtx480 --set sm.count=80", program_tmp());
	cr_expect_eq(p.status, 2);
	cr_expect(strstr(p.err,
			 "lanes.ltrace: lanes of its warps wait for one another, which ends on machines with sm.independent_lanes"),
		  "%s", p.err);
	program_free(&p);
	p = program_run("locus run %s/lanes.ltrace --machine qv100", program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

/* In CSV, JSON and Perfetto; of programs whose warps wait, and of no other. */
Test(synchronising_programs, metrics_over_time_have_their_waits)
{
	struct program p;

	build("ticket", "");
	p = program_run("locus cuda --machine qv100 --interval=1000 --interval-csv=%s/wait.csv %s/ticket 40 200 >/dev/null && "
			"locus run vectoradd --size test --interval=1000 --interval-csv=%s/none.csv >/dev/null && cd %s && "
			"grep -c sched.wait wait.csv && ! grep sched.wait none.csv && grep -c sched.issued none.csv",
			program_tmp(), program_tmp(), program_tmp(), program_tmp());
	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

/* PTX leaves a divergent barrier undefined: a run warns once. Where lanes are independent, all threads are waited for;
 * checking names the two barriers. */
Test(synchronising_programs, a_divergent_barrier_counts_threads_and_is_reported)
{
	struct program p;
	const char *first;

	build("lanes", "-lineinfo");
	p = program_run("locus cuda --machine qv100 %s/lanes 3", program_tmp());
	cr_expect_eq(p.status, 0, "%s", p.err);
	first = strstr(p.err, "a divergent barrier: lanes 0x");
	cr_assert(first, "%s", p.err);
	cr_expect(strstr(p.err, "lanes.cu:") && !strstr(first + 20, "divergent barrier"), "%s", p.err);
	program_free(&p);
	p = program_run("locus cuda --check %s/lanes 3", program_tmp());
	cr_expect_eq(p.status, 1, "%s", p.err);
	cr_expect(strstr(p.out, "divergent barriers: 2\n"), "%s", p.out);
	program_free(&p);
}
