/* 359: a machine in shares (base/share.h): what one did another sees from the next quantum on, and no earlier; threads
 * that meet wait for one another, asleep if it takes long; several are left alone where one is faster; and launches,
 * limits and metrics over time are those of one share. */
#include <criterion/criterion.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/queue.h"
#include "memsys/crew.h"
#include "memsys/pace.h"
#include "run/intervals.h"
#include "support/any_machine.h"

struct parcel {
	int what;
};
QUEUE_OF(parcel);

static struct ticks at(uint64_t n)
{
	return (struct ticks){n};
}

/* ---- a queue between two shares ---- */

struct rig {
	struct arena arena;
	struct share share[2];
	struct shares shares;
	struct ticks producer, consumer; /* their next ticks */
	struct parcel_queue q;		 /* of two, with credits back after 10 ticks */
};

static struct rig *rig_new(void)
{
	struct rig *r = aligned_alloc(_Alignof(struct rig), sizeof *r);

	memset(r, 0, sizeof *r);
	r->shares = (struct shares){2, r->share};
	r->share[1].number = 1;
	r->share[0].watched = r->share[1].watched = &r->consumer;
	r->producer = r->consumer = TIME_NEVER;
	queue_init(&r->q, &r->arena, 2, at(10));
	queue_ring_join(&r->q.ring, (struct queue_end){&r->producer, &r->share[0]}, (struct queue_end){&r->consumer, &r->share[1]});
	return r;
}

static void rig_free(struct rig *r)
{
	arena_free(&r->arena);
	for (unsigned i = 0; i < 2; i++)
		free(r->share[i].out[0][1 - i].note), free(r->share[i].out[1][1 - i].note);
	free(r);
}

static void begin(struct rig *r, uint64_t end)
{
	share_begin(&r->share[0], at(end));
	share_begin(&r->share[1], at(end));
}

static void take_in(struct rig *r)
{
	share_take_in(&r->share[0], &r->shares);
	share_take_in(&r->share[1], &r->shares);
}

Test(shares, a_push_and_its_credit_are_seen_in_the_next_quantum)
{
	struct rig *r = rig_new();
	struct ticks when;

	begin(r, 10);
	queue_push(&r->q, at(12))->what = 1;
	queue_push(&r->q, at(13))->what = 2;
	cr_assert(ticks_is_never(r->consumer) && !queue_front(&r->q, at(20)), "seen in the quantum of the push");
	cr_assert_not(queue_has_space(&r->q, at(9), &when));
	cr_assert_eq(r->share[0].soonest.n, 12);
	cr_assert_eq(r->share[0].watched_at.n, 12, "the watched part's next tick");
	take_in(r);
	cr_assert_eq(r->consumer.n, 12, "woken at the first arrival");
	begin(r, 20);
	cr_assert_null(queue_front(&r->q, at(11)));
	cr_assert_eq(queue_front(&r->q, at(12))->what, 1);
	queue_pop(&r->q, at(12));
	cr_assert(ticks_is_never(r->producer) && !queue_has_space(&r->q, at(19), &when) && ticks_is_never(when));
	cr_assert_eq(r->share[1].soonest.n, 22);
	cr_assert(ticks_is_never(r->share[1].watched_at), "the producer is not watched");
	take_in(r);
	cr_assert_eq(r->producer.n, 22, "a full queue's credit wakes its producer");
	begin(r, 30);
	cr_assert(!queue_has_space(&r->q, at(21), &when) && when.n == 22);
	cr_assert(queue_has_space(&r->q, at(22), &when));
	rig_free(r);
}

Test(shares, an_arrival_in_the_quantum_of_its_push_breaks_the_contract, .signal = SIGABRT)
{
	struct rig *r = rig_new();

	begin(r, 10);
	queue_push(&r->q, at(9))->what = 1;
}

/* ---- threads that meet ---- */

enum { THREADS = 3, MEETINGS = 400 };

struct relay {
	struct crew *crew;
	_Atomic uint32_t sum;
	uint32_t seen[THREADS][MEETINGS];
};

/* All add, meet, read, and meet again ahead of the next addition; one of them is late now and then. */
static void run_relay(void *ctx, uint32_t k)
{
	struct relay *r = ctx;

	for (uint32_t i = 0; i < MEETINGS; i++) {
		if (k == i % (THREADS + 50))
			usleep(2000);
		atomic_fetch_add(&r->sum, k + 1);
		crew_barrier(r->crew, k);
		r->seen[k][i] = atomic_load(&r->sum);
		crew_barrier(r->crew, k);
	}
}

Test(crew, a_meeting_is_left_when_all_have_come)
{
	struct relay r = {.crew = crew_new(THREADS)};

	cr_assert(r.crew);
	for (unsigned times = 1; times <= 2; times++) {
		crew_run(r.crew, run_relay, &r);
		for (uint32_t k = 0; k < THREADS; k++)
			for (uint32_t i = 0; i < MEETINGS; i++)
				cr_assert_eq(r.seen[k][i], (1 + 2 + 3) * (i + 1 + (times - 1) * MEETINGS));
	}
	crew_free(r.crew);
}

/* ---- which way is faster ---- */

/* So many quanta, each as long as `step`. */
static void quanta(struct pace *p, uint64_t *now, uint64_t n, uint64_t step)
{
	for (uint64_t i = 0; i < n; i++) {
		*now += step;
		if (pace_is_due(p, false))
			pace_look(p, *now);
	}
}

Test(pace, several_go_on_while_they_are_faster_and_are_left_alone_for_longer_and_longer)
{
	const uint64_t look = PACE_LOOK * 1000; /* nanoseconds of quanta of 1000 */
	struct pace p;
	uint64_t now = 1000000;

	pace_init(&p, now);
	quanta(&p, &now, PACE_ALONE / look * PACE_LOOK, 1000);
	cr_assert_not(p.crew, "one is timed first");
	quanta(&p, &now, PACE_LOOK, 1000);
	cr_assert(p.crew);
	cr_assert_float_eq(p.alone, 1000, 1e-9);
	quanta(&p, &now, PACE_CREW / 600 / PACE_LOOK * PACE_LOOK, 600);
	cr_assert(p.crew, "faster");
	quanta(&p, &now, PACE_LOOK, 600);
	cr_assert_not(p.crew, "one is timed again");
	quanta(&p, &now, PACE_ALONE / look * PACE_LOOK + PACE_LOOK, 1000);
	for (uint32_t doubles = 1; doubles <= PACE_MAX_DOUBLES + 2; doubles++) {
		uint64_t stay = (uint64_t)PACE_ALONE << (doubles < PACE_MAX_DOUBLES ? doubles : PACE_MAX_DOUBLES);

		cr_assert(p.crew);
		quanta(&p, &now, PACE_LEAST / look * PACE_LOOK, 1000);
		cr_assert(p.crew, "not judged yet");
		quanta(&p, &now, PACE_LOOK, 1000);
		cr_assert_not(p.crew, "not faster");
		quanta(&p, &now, (stay - 1) / look * PACE_LOOK, 1000);
		cr_assert_not(p.crew, "left alone for %lu ns", (unsigned long)stay);
		quanta(&p, &now, PACE_LOOK, 1000);
	}
}

Test(pace, a_long_wait_is_looked_at_at_once)
{
	struct pace p;
	uint64_t now = 0;

	pace_init(&p, now);
	quanta(&p, &now, (PACE_ALONE / 1000 / PACE_LOOK + 1) * PACE_LOOK, 1000);
	cr_assert(p.crew);
	cr_assert_not(pace_is_due(&p, false));
	cr_assert(pace_is_due(&p, true));
	pace_look(&p, now += 3000000);
	cr_assert_not(p.crew);
}

/* ---- runs ---- */

/* The metrics of the run, of each of its launches, and over time, as text; free() it. */
static char *told(struct gpu_config c, uint32_t threads, uint32_t shares)
{
	struct arena arena = {0};
	struct intervals v = {.asked = 700, .most = 64, .arena = &arena};
	struct gpu_result r;
	char *text = NULL;
	size_t n;
	FILE *f = open_memstream(&text, &n);

	c.threads = threads;
	c.shares = shares;
	c.always_threads = true;
	c.intervals = &v;
	any_machine_run(&c, &r, c.machine->name);
	stats_print(&r.stats, f);
	for (uint32_t i = 0; i < r.n_launches; i++)
		stats_print(&r.launch[i].stats, f);
	for (uint32_t i = 0; i < v.samples.n; i++)
		for (uint32_t k = 0; k < v.n; k++) {
			double value = -1;

			intervals_value(&v, k, i, &value);
			fprintf(f, "%s %u %a\n", v.series[k].path, i, value);
		}
	fprintf(f, "%lu %lu %d\n", (unsigned long)r.cycles, (unsigned long)r.warp_insts, r.cut);
	fclose(f);
	gpu_result_free(&r);
	arena_free(&arena);
	return text;
}

static void expect_same(const char *machine, struct gpu_config c, uint64_t seed)
{
	struct machine m = any_machine_with(machine, NULL);
	char *one, *turns, *threads;

	c.machine = &m;
	c.trace = any_machine_program(seed, 30);
	one = told(c, 1, 1);
	turns = told(c, 1, 4);
	threads = told(c, 3, 0);
	cr_assert_gt(strlen(one), 4000);
	cr_assert_str_eq(one, turns, "%s: in turn", machine);
	cr_assert_str_eq(one, threads, "%s: three threads", machine);
	free(one);
	free(turns);
	free(threads);
	trace_close(c.trace);
}

Test(shares, launches_limits_and_intervals_are_those_of_one_share)
{
	expect_same("gtx480", (struct gpu_config){0}, 11);
	expect_same("qv100", (struct gpu_config){0}, 12);
	expect_same("gtx480", (struct gpu_config){.max_insts = 1000}, 13);
	expect_same("multichip8", (struct gpu_config){.max_cycles = 5001}, 14);
}
