/* 357: the driver of a run, with one part that does an instruction a cycle for as long as the test says and then either
 * ends or idles on: the cycle of an end, a cut or a complaint follows from the numbers below alone. */
#include <criterion/criterion.h>
#include <string.h>

#include "memsys/driver.h"
#include "support/machine.h"

struct toy {
	struct machine m;
	struct arena arena;
	struct loop loop;
	uint64_t busy;	   /* cycles with an instruction */
	bool idles;	   /* it goes on without */
	uint64_t fails_at; /* instructions; 0: never */
	uint64_t steps, insts, shown, since;
};

static struct ticks step(void *part, struct ticks now)
{
	struct toy *t = part;

	t->steps++;
	if (t->insts < t->busy)
		t->insts++;
	else if (!t->idles)
		return TIME_NEVER;
	return ticks_after(now, 1, t->loop.period);
}

static int failed(const void *run, struct err *e)
{
	const struct toy *t = run;

	return t->fails_at && t->insts >= t->fails_at ? err_set(e, "at %llu", (unsigned long long)t->insts) : 0;
}

static uint64_t insts(const void *run)
{
	return ((const struct toy *)run)->insts;
}

enum { LANES = 32 };

/* Every third instruction with all lanes, the others with one. */
static uint64_t thread_insts(const void *run)
{
	uint64_t n = insts(run), full = n / 3;

	return full * LANES + (n - full);
}

static int stuck(const void *run, uint64_t since, struct err *e)
{
	(void)run;
	return err_set(e, "since %llu", (unsigned long long)since);
}

static void show(void *ctx, uint64_t cycles, uint64_t n, uint64_t total)
{
	struct toy *t = ctx;

	(void)cycles;
	cr_assert_eq(n, t->insts);
	cr_assert_eq(total, t->busy);
	t->shown++;
}

static struct driver driver_of(struct toy *t)
{
	struct hw_binder golden;
	struct err e = {""};

	t->m = machine_with(NULL);
	golden = hw_golden_binder(&t->arena);
	loop_init(&t->loop, &t->arena, 1, t->m.clock.period[CLOCK_CORE], 1);
	t->loop.memsys = memsys_new(&t->arena, &t->m, &golden, 0, NULL, &e);
	cr_assert(t->loop.memsys, "%s", e.text);
	loop_add(&t->loop, 0, step, t, "toy");
	return (struct driver){.loop = &t->loop,
			       .who = "toy",
			       .run = t,
			       .failed = failed,
			       .insts = insts,
			       .warp_insts = {0, 1, insts},
			       .thread_insts = {0, LANES, thread_insts},
			       .progress = show,
			       .watcher_ctx = t,
			       .total_insts = t->busy};
}

static void drive(struct toy *t, struct driver *d, const char *error)
{
	struct err e = {""};

	cr_assert_eq(driver_run(d, &e), error ? -1 : 0);
	if (error)
		cr_assert_str_eq(e.text, error);
	arena_free(&t->arena);
}

enum { LOOK = LOOP_CHECK_CYCLES };

Test(driver, goes_on_until_nothing_is_left_to_do)
{
	struct toy t = {.busy = LOOK + 7};
	struct driver d = driver_of(&t);

	drive(&t, &d, NULL);
	cr_assert_not(d.cut);
	cr_assert_eq(d.end.n, (LOOK + 7) * t.loop.period, "the part says in this cycle that it has ended");
	cr_assert_eq(t.shown, 2);
}

Test(driver, cuts_at_a_limit_to_the_cycle_and_to_the_instruction)
{
	static const uint64_t limit[] = {1, 5, LOOK - 1, LOOK, LOOK + 1, 3 * LOOK + 2};

	for (unsigned i = 0; i < sizeof limit / sizeof limit[0]; i++) {
		struct toy a = {.busy = 10 * LOOK}, b = a;
		struct driver cycles = driver_of(&a), count = driver_of(&b);

		cycles.max_cycles = count.warp_insts.most = limit[i];
		drive(&a, &cycles, NULL);
		drive(&b, &count, NULL);
		cr_assert(cycles.cut && count.cut);
		cr_assert_eq(a.insts, limit[i]);
		cr_assert_eq(b.insts, limit[i]);
		cr_assert_eq(cycles.end.n, limit[i] * a.loop.period);
		cr_assert_eq(count.cycle, limit[i]);
	}
}

/* Three instructions have 2 * 1 + 32 lanes: 34 n are reached with instruction 3 n, one less with it too, one more with
 * the next. The driver cannot know how many lanes a cycle will have, and must not go past the cycle all the same. */
Test(driver, cuts_at_a_limit_of_thread_instructions_to_the_cycle)
{
	static const struct {
		uint64_t limit, cycle;
	} cuts[] = {{1, 1}, {2, 2}, {3, 3}, {34, 3}, {35, 4}, {34 * LOOK, 3 * LOOK}, {34 * LOOK + 1, 3 * LOOK + 1}};

	for (unsigned i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
		struct toy t = {.busy = 10 * LOOK};
		struct driver d = driver_of(&t);

		d.thread_insts.most = cuts[i].limit;
		drive(&t, &d, NULL);
		cr_assert(d.cut);
		cr_assert_eq(d.cycle, cuts[i].cycle, "%lu thread instructions: cycle %lu", cuts[i].limit, d.cycle);
	}
}

Test(driver, a_limit_beyond_the_end_cuts_nothing)
{
	struct toy t = {.busy = 10};
	struct driver d = driver_of(&t);

	d.max_cycles = d.warp_insts.most = 12;
	d.thread_insts.most = 1000;
	drive(&t, &d, NULL);
	cr_assert_not(d.cut);
	cr_assert_eq(t.insts, 10);
}

Test(driver, stops_at_the_next_look)
{
	struct toy t = {.busy = 10 * LOOK};
	struct driver d = driver_of(&t);
	volatile sig_atomic_t stop = 1;

	d.stop = &stop;
	drive(&t, &d, NULL);
	cr_assert(d.cut);
	cr_assert_eq(t.steps, LOOK);
}

Test(driver, ends_with_the_runs_own_error)
{
	struct toy t = {.busy = 10 * LOOK, .fails_at = LOOK + 1};
	struct driver d = driver_of(&t);

	drive(&t, &d, "at 8192");
}

/* Its last instruction is in cycle LOOK: seen at the second look, whose last cycle is 2 LOOK - 1. */
Test(driver, complains_of_a_run_without_work_for_longer_than_it_has_patience)
{
	struct toy t = {.busy = LOOK + 1, .idles = true}, patient = t;
	struct driver d = driver_of(&t), p = driver_of(&patient);

	d.work = p.work = insts;
	d.stuck = p.stuck = stuck;
	d.patience = ticks_of(LOOK, t.loop.period);
	drive(&t, &d, "since 8191");
	cr_assert_eq(d.cycle, 3 * LOOK);
	p.patience = (struct ticks){d.patience.n + 1};
	drive(&patient, &p, "since 8191");
	cr_assert_eq(p.cycle, 4 * LOOK, "a tick more of patience: a look later");
}

Test(driver, without_anybody_to_report_to_a_stuck_run_is_a_broken_invariant, .signal = SIGABRT)
{
	struct toy t = {.busy = 1, .idles = true};
	struct driver d = driver_of(&t);

	d.work = insts;
	d.patience = ticks_of(LOOK, t.loop.period);
	drive(&t, &d, NULL);
}
