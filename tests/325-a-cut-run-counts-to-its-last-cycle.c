/* 325: a limit cuts a run at the cycle that it names, and the figures are those of the cycles before: waits that are
 * still going on are counted up to there. A run cut a cycle later differs by what one cycle can do. And a run that gets
 * stuck is reported. */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#include "run/gpu.h"
#include "run/gpu_impl.h"
#include "support/made_up.h"
#include "support/machine.h"

static struct trace *program(uint64_t seed)
{
	struct trace_options o = {.name = "made up"};
	struct made_up p;
	struct trace *t;

	made_up_init(&p, seed, 40);
	t = made_up_record(&p, &o);
	made_up_free(&p);
	return t;
}

static struct gpu_result run(const struct gpu_config *c)
{
	struct gpu_result r;
	struct err e = {""};

	cr_assert_eq(gpu_run(c, &r, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < r.audit.n; i++)
		cr_assert(r.audit.invariant[i].holds, "%s", r.audit.invariant[i].name);
	return r;
}

Test(cut, a_limit_of_instructions_ends_the_run_with_the_cycle_that_reaches_it)
{
	struct machine m = machine_with((const char *const[]){"sm.count=3", NULL});
	struct trace *t = program(7);

	for (uint64_t n = 1; n < 400; n += 37) {
		struct gpu_config c = {.machine = &m, .trace = t, .max_insts = n};
		struct gpu_result r = run(&c), before;

		cr_assert(r.cut);
		cr_assert_geq(r.warp_insts, n);
		c = (struct gpu_config){.machine = &m, .trace = t, .max_cycles = r.cycles - 1};
		before = run(&c);
		cr_assert_eq(before.cycles, r.cycles - 1);
		cr_assert_lt(before.warp_insts, n, "%lu instructions were reached a cycle earlier", n);
		gpu_result_free(&before);
		gpu_result_free(&r);
	}
	trace_close(t);
}

/* What a cycle of core, L2 and network (one clock here) and one of DRAM can add to a figure. */
static const struct {
	const char *first, *last; /* names of rows */
	uint64_t most;
} grows[] = {
	{"l1.fail.line", "l1.fail.miss_queue", 2},		 /* one SM with a port; the access may fail, go and the
								  * next one
						       * fail */
	{"shared.conflicts", "shared.conflicts", 31},		 /* counted at issue */
	{"l2.stall.line", "l2.stall.port", 1},			 /* one slice */
	{"net.request.stall.busy", "net.request.stall.full", 1}, /* one input */
	{"net.reply.stall.busy", "net.reply.stall.full", 1},
	{"dram.queue_full", "dram.queue_full", 1}, /* one channel */
};
enum { N_GROWS = sizeof grows / sizeof grows[0] };

static void figures(const struct stats *s, uint64_t sum[N_GROWS])
{
	for (unsigned i = 0; i < N_GROWS; i++) {
		const struct stat_row *r = stats_find(s, grows[i].first), *last = stats_find(s, grows[i].last);

		cr_assert(r && last, "%s", grows[i].first);
		for (sum[i] = 0; r <= last; r++)
			sum[i] += r->count;
	}
}

Test(cut, a_run_cut_a_cycle_later_has_waited_a_cycle_longer_and_no_more)
{
	struct machine m = machine_with((const char *const[]){
		"sm.count=1",	   "dram.channels=1",	"clock.net=700",     "clock.dram=700",	 "l1.bytes=1K",
		"l1.assoc=2",	   "l1.mshr_entries=2", "l1.mshr_merges=1",  "l1.miss_queue=1",	 "net.in_queue=1",
		"net.out_queue=1", "l2.mshr_entries=2", "l2.miss_queue=1",   "l2.in_queue=1",	 "l2.latency=1",
		"dram.latency=1",  "dram.queue=1",	"dram.write_high=1", "dram.write_low=0", NULL});
	struct trace *t = program(11);
	uint64_t was[N_GROWS], is[N_GROWS], grown[N_GROWS] = {0};

	for (uint64_t cycle = 100; cycle < 900; cycle++) {
		struct gpu_config c = {.machine = &m, .trace = t, .max_cycles = cycle};
		struct gpu_result r = run(&c);

		cr_assert(r.cut);
		figures(&r.stats, is);
		for (unsigned i = 0; i < N_GROWS && cycle > 100; i++) {
			cr_assert(is[i] + 32 >= was[i] && is[i] <= was[i] + grows[i].most, "%s at cycle %lu: %lu after %lu",
				  grows[i].first, cycle, is[i], was[i]);
			grown[i] += is[i] > was[i];
		}
		memcpy(was, is, sizeof was);
		gpu_result_free(&r);
	}
	cr_assert(grown[0] && grown[2] && grown[3] && grown[5], "the machine is narrow enough to be seen waiting");
	trace_close(t);
}

/* ---- a run that gets stuck ---- */

static struct ticks spin(void *period, struct ticks now)
{
	return ticks_after(now, 1, *(const uint64_t *)period);
}

/* An SM whose first packet is never taken over by the network. With `spinning`, something goes on being stepped. */
static void get_stuck(bool spinning)
{
	struct machine m = machine_with((const char *const[]){"sm.count=1", NULL});
	struct trace *t = program(7);
	struct gpu_config c = {.machine = &m, .trace = t};
	struct ticks nowhere;
	uint64_t period = m.clock.period[CLOCK_CORE];
	struct err e = {""};
	struct gpu g;

	cr_assert_eq(gpu_build(&g, &c, &e), 0, "%s", e.text);
	g.memsys->module[0].at_sms->request.in[0].q.ring.consumer.wake = &nowhere;
	if (spinning) {
		loop_add(&g.loop, 0, spin, &period, "spin");
	}
	gpu_simulate(&g, &e);
}

Test(stuck, a_run_in_which_nothing_is_left_to_do_before_its_end_stops, .signal = SIGABRT)
{
	get_stuck(false);
}

Test(stuck, a_run_in_which_parts_are_busy_and_nothing_moves_stops, .signal = SIGABRT)
{
	get_stuck(true);
}
