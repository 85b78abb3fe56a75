/* 333: the instruction cache of a GPC (gpc/gcc.h). Cycles follow from its rules: what an SM asks in cycle c is looked
 * up in c + 1, one request a cycle; a line that is there is at the SM LATENCY cycles later; one that is not leaves in
 * the cycle of its lookup and comes MEMORY cycles behind it. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "gpc/gcc.h"
#include "machine/machine.h"
#include "support/any_machine.h"
#include "support/at_tick.h"
#include "support/program.h"

enum { MEMORY = 100, LATENCY = 40, SMS = 4, LINE = 128, CODE = 1 << 20, MOST = 64 };

struct rig {
	struct arena arena;
	struct machine m;
	struct gcc g;
	struct mem_req_queue out, in;
	struct code_begin_queue begin;
	struct gcc_code code[2];
	struct ticks next; /* when the cache must be stepped; lowered by its queues */
	uint64_t period, cycle;
	struct net_link port[SMS];
	unsigned n_sent, n_answers;
	struct {
		uint64_t cycle, line;
		uint32_t sm, token;
	} answer[MOST];
};

static struct rig *rig_new(const char *const *set)
{
	struct rig *r = xcalloc(1, sizeof *r);
	struct hw_binder golden = hw_golden_binder(&r->arena);
	struct route route;
	struct err e = {""};
	struct ticks cycle;

	r->m = any_machine_with("gtx480", set);
	r->period = r->m.clock.period[CLOCK_CORE];
	cycle = ticks_of(1, r->period);
	cr_assert_eq(route_init(&route, &r->m, &golden, "gcc", 0, &e), 0, "%s", e.text);
	queue_init(&r->out, &r->arena, 8, cycle);
	queue_init(&r->in, &r->arena, MOST, cycle);
	queue_init(&r->begin, &r->arena, GCC_LAUNCHES, cycle);
	gcc_init(&r->g, &r->arena, &r->m, SMS,
		 &(struct gcc_ports){
			 .out = {&r->out, r->period, cycle}, .in = &r->in, .requester = 15, .begin = &r->begin, .code = r->code},
		 &route);
	r->out.ring.producer.wake = r->in.ring.consumer.wake = r->begin.ring.consumer.wake = &r->next;
	for (uint32_t i = 0; i < SMS; i++) {
		gcc_join(&r->g, i, (struct queue_end){0}, (struct queue_end){&r->next, NULL});
		r->port[i] = gcc_port(&r->g, i);
	}
	return r;
}

static void rig_free(struct rig *r)
{
	cr_expect_eq(gcc_in_flight(&r->g), 0);
	arena_free(&r->arena);
	free(r);
}

/* The SM asks for the n-th line in this cycle. */
static void ask(struct rig *r, uint32_t sm, uint32_t n, uint32_t token)
{
	net_send(&r->port[sm], ticks_of(r->cycle, r->period),
		 &(struct mem_req){.addr = CODE + (uint64_t)n * LINE, .token = token, .bytes = LINE, .cache = REQ_OF_CODE});
}

static void serve(struct rig *r, struct ticks now)
{
	const struct mem_req *q;

	while ((q = queue_front(&r->out, now))) {
		*queue_push(&r->in, ticks_after(now, MEMORY - 1, r->period)) = *q; /* it left a cycle ago */
		queue_pop(&r->out, now);
		r->n_sent++;
	}
}

static void note_answers(struct rig *r, struct ticks now)
{
	for (uint32_t i = 0; i < SMS; i++) {
		const struct mem_req *q;

		while ((q = queue_front(&r->g.answers[i], now))) {
			cr_assert_lt(r->n_answers, MOST);
			r->answer[r->n_answers].cycle = r->cycle;
			r->answer[r->n_answers].line = (q->addr - CODE) / LINE;
			r->answer[r->n_answers].sm = i;
			r->answer[r->n_answers++].token = q->token;
			queue_pop(&r->g.answers[i], now);
		}
	}
}

/* Up to the cycle, which is not stepped. */
static void run_to(struct rig *r, uint64_t cycle)
{
	for (; r->cycle < cycle; r->cycle++) {
		struct ticks now = ticks_of(r->cycle, r->period);

		serve(r, now);
		if (ticks_by(r->next, now)) {
			r->next = TIME_NEVER;
			r->next = ticks_earlier(gcc_step(&r->g, now), r->next);
		}
		note_answers(r, now);
	}
}

static void expect(const struct rig *r, unsigned n, uint64_t cycle, uint32_t sm, uint64_t line, uint32_t token)
{
	cr_assert_lt(n, r->n_answers);
	cr_expect_eq(r->answer[n].cycle, cycle, "answer %u: %lu, not %lu", n, r->answer[n].cycle, cycle);
	cr_expect_eq(r->answer[n].sm, sm);
	cr_expect_eq(r->answer[n].line, line);
	cr_expect_eq(r->answer[n].token, token);
}

static const char *const small[] = {"fetch.width=2", "gcc.bytes=1K", "gcc.assoc=4", "gcc.latency=40", NULL};

/* Of three SMs that want a line the second asks while it is on its way, and the third when it is there. */
Test(gcc, a_line_comes_once_for_all_sms)
{
	struct rig *r = rig_new(small);
	struct gcc_counts c;

	ask(r, 0, 7, 3);
	run_to(r, 50);
	ask(r, 2, 7, 9);
	run_to(r, 200);
	ask(r, 1, 7, 0);
	run_to(r, 300);
	cr_assert_eq(r->n_answers, 3);
	expect(r, 0, 1 + MEMORY + LATENCY, 0, 7, 3);
	expect(r, 1, 1 + MEMORY + LATENCY, 2, 7, 9);
	expect(r, 2, 201 + LATENCY, 1, 7, 0);
	cr_expect_eq(r->n_sent, 1);
	c = gcc_count(&r->g);
	cr_expect_eq(c.cache.accesses, 3);
	cr_expect_eq(c.cache.misses, 1);
	cr_expect_eq(c.cache.reserved, 1);
	cr_expect_eq(c.cache.hits, 1);
	rig_free(r);
}

/* Four SMs ask at once, each for two lines: one lookup a cycle, in turn, from the SM behind the one that was served
 * last, which was SM 1. */
Test(gcc, serves_one_request_a_cycle_in_turn)
{
	static const uint32_t order[] = {2, 3, 0, 1};
	struct rig *r = rig_new(small);

	ask(r, 1, 0, 0);
	run_to(r, 1);
	ask(r, 1, 1, 1);
	run_to(r, 200);
	cr_assert_eq(r->n_answers, 2);
	for (uint32_t i = 0; i < SMS; i++) {
		ask(r, i, 0, 2 * i);
		ask(r, i, 1, 2 * i + 1);
	}
	run_to(r, 300);
	cr_assert_eq(r->n_answers, 2 + 2 * SMS);
	for (unsigned k = 0; k < 2 * SMS; k++)
		expect(r, 2 + k, 201 + k + LATENCY, order[k % SMS], k / SMS, 2 * order[k % SMS] + k / SMS);
	cr_expect_eq(r->n_sent, 2);
	rig_free(r);
}

/* One MSHR entry: SM 1's line cannot be asked for until SM 0's has come, in whose cycle it is looked up again. What SM
 * 2 wants came with SM 0's, but is behind. */
Test(gcc, what_it_cannot_take_holds_up_those_behind)
{
	static const char *const one_entry[] = {"fetch.width=2",  "gcc.bytes=1K",	"gcc.assoc=4",
						"gcc.latency=40", "gcc.mshr_entries=1", NULL};
	struct rig *r = rig_new(one_entry);

	for (uint32_t i = 0; i < 3; i++)
		ask(r, i, i % 2, i);
	run_to(r, 400);
	cr_assert_eq(r->n_answers, 3);
	expect(r, 0, 1 + MEMORY + LATENCY, 0, 0, 0);
	expect(r, 1, 2 + MEMORY + LATENCY, 2, 0, 2);
	expect(r, 2, 1 + 2 * MEMORY + LATENCY, 1, 1, 1);
	rig_free(r);
}

/* SM 1 asks for the lines of a set of four ways, and one more: the first has gone then. */
Test(gcc, forgets_what_it_has_no_room_for)
{
	struct rig *r = rig_new(small); /* two sets */

	for (uint32_t i = 0; i <= 4; i++) {
		ask(r, 1, 2 * i, 0);
		run_to(r, 200 * (i + 1));
	}
	ask(r, 3, 2, 0);
	run_to(r, 1200);
	ask(r, 3, 0, 0);
	run_to(r, 1400);
	expect(r, 5, 1001 + LATENCY, 3, 2, 0);
	expect(r, 6, 1201 + MEMORY + LATENCY, 3, 0, 0);
	cr_expect_eq(r->n_sent, 6);
	rig_free(r);
}

/* The dispatcher tells the cache in this cycle that a launch of the kernel begins, whose first line is line n. */
static void begin(struct rig *r, uint32_t kernel, uint32_t n, uint64_t bytes)
{
	r->code[kernel] = (struct gcc_code){CODE + (uint64_t)n * LINE, bytes};
	*queue_push(&r->begin, ticks_of(r->cycle + 1, r->period)) = (struct code_begin){kernel};
}

static const char *const prefetching[] = {"fetch.width=2",  "gcc.bytes=1K",	"gcc.assoc=4",
					  "gcc.latency=40", "gcc.prefetch=400", NULL};

/* Of a kernel of 3 lines and a byte, and of 400 bytes that are looked up, both 4 lines, in cycles 1 to 3 and 5, since
 * in cycle 4 an SM asks. That is the line of cycle 1, on its way. What was looked up in cycle 5 is there in cycle 105.
 */
Test(gcc, looks_up_a_launchs_lines_when_no_sm_asks)
{
	for (uint64_t bytes = 3 * LINE + 1; bytes <= 64 * LINE; bytes *= 4) {
		struct rig *r = rig_new(prefetching);
		struct gcc_counts c;

		begin(r, 1, 8, bytes);
		run_to(r, 3);
		ask(r, 0, 8, 5);
		run_to(r, 104);
		ask(r, 2, 11, 6);
		run_to(r, 400);
		cr_assert_eq(r->n_answers, 2);
		expect(r, 0, 1 + MEMORY + LATENCY, 0, 8, 5);
		expect(r, 1, 105 + LATENCY, 2, 11, 6);
		cr_expect_eq(r->n_sent, 4);
		c = gcc_count(&r->g);
		cr_expect_eq(c.prefetches, 4);
		cr_expect_eq(c.cache.accesses, 6);
		rig_free(r);
	}
}

/* Two launches: the lines of the second behind those of the first, of which two are the same. With one MSHR entry the
 * fourth line goes when the third has come. */
Test(gcc, takes_launches_one_after_the_other)
{
	static const char *const one_entry[] = {"fetch.width=2",    "gcc.bytes=1K",	  "gcc.assoc=4", "gcc.latency=40",
						"gcc.prefetch=16K", "gcc.mshr_entries=1", NULL};
	struct rig *r = rig_new(one_entry);

	begin(r, 0, 0, 3 * LINE);
	begin(r, 1, 1, 3 * LINE);
	run_to(r, 301);
	cr_expect_eq(r->n_sent, 3);
	cr_expect_eq(gcc_count(&r->g).prefetches, 5, "of the second launch one that is there, and one on its way");
	run_to(r, 600);
	cr_expect_eq(r->n_sent, 4);
	cr_expect_eq(gcc_count(&r->g).prefetches, 6);
	ask(r, 3, 3, 1);
	run_to(r, 700);
	expect(r, 0, 601 + LATENCY, 3, 3, 1);
	rig_free(r);
}

/* Which SMs are in which GPC: pairs, in turn; of 7 SMs in 2 GPCs the last one is alone. */
Test(gcc, sms_belong_to_gpcs_in_pairs)
{
	static const char *const set[] = {"sm.count=7", "fetch.width=2", "gcc.bytes=1K", "gcc.assoc=4", "gcc.count=2", NULL};
	static const uint32_t gpc[] = {0, 0, 1, 1, 0, 0, 1};
	struct machine m = any_machine_with("gtx480", set);

	for (uint32_t s = 0; s < 7; s++)
		cr_expect_eq(machine_gpc_of_sm(&m, s), gpc[s]);
}

static unsigned of_run(const char *set, const char *metric)
{
	json_t *stats = program_stats("locus run vectoradd --size test --machine qv100 --set fetch.width=3 %s", set);
	double value = program_stat(stats, metric);

	json_decref(stats);
	return (unsigned)value;
}

/* Each of eight SMs has CTAs and runs all of the code. What one SM's instruction cache misses is the code's lines; so a
 * GPC misses as many, once for its SMs, and is asked for them by each. */
Test(gcc, misses_the_code_once_a_gpc)
{
	unsigned lines = of_run("--set sm.count=1 --set gcc.bytes=0", "icache.misses");

	cr_assert_gt(lines, 1);
	for (unsigned gpcs = 1; gpcs <= 4; gpcs *= 2) {
		char set[96];

		snprintf(set, sizeof set, "--set sm.count=8 --set gcc.bytes=16K --set gcc.count=%u", gpcs);
		cr_expect_eq(of_run(set, "gcc.misses"), gpcs * lines, "%u GPCs", gpcs);
		cr_expect_eq(of_run(set, "gcc.accesses"), 8 * lines, "%u GPCs", gpcs);
	}
}

/* After the 5,000 cycles of a launch's begin its code is there: SMs find it, and each GPC has asked for it once, by
 * itself. */
Test(gcc, has_a_launchs_code_when_its_ctas_come)
{
	const char *set = "--set sm.count=8 --set gcc.bytes=16K --set gcc.count=2 --set gcc.prefetch=16K";
	unsigned lines = of_run("--set sm.count=1 --set gcc.bytes=0", "icache.misses");

	cr_expect_eq(of_run(set, "gcc.prefetches"), 2 * lines);
	cr_expect_eq(of_run(set, "gcc.misses"), 2 * lines);
	cr_expect_eq(of_run(set, "gcc.hits"), 8 * lines);
}

/* Neither the order of stepping nor skipping nor shares change a byte, with room for much and for next to nothing, and
 * beside halves of the L2 and slices at the SMs. */
Test(gcc, changes_nothing_by_the_order_of_stepping)
{
	static const struct {
		const char *machine, *set[8];
	} all[] = {
		{"qv100", {"fetch.width=3", "gcc.bytes=8K", "gcc.count=6"}},
		{"qv100",
		 {"fetch.width=3", "gcc.bytes=512", "gcc.assoc=2", "gcc.count=3", "gcc.mshr_entries=1", "gcc.miss_queue=1"}},
		{"qv100",
		 {"fetch.width=3", "gcc.bytes=8K", "gcc.count=4", "gcc.prefetch=4K", "gcc.mshr_entries=2", "launch.latency=20"}},
		{"a100",
		 {"fetch.width=3", "gcc.bytes=8K", "gcc.count=7", "icache.mshr_entries=1", "icache.bytes=128", "icache.assoc=1"}},
		{"gtx480-gs4", {"fetch.width=2", "gcc.bytes=2K", "gcc.count=4", "gcc.mshr_merges=1", "l2.side=sm"}},
	};

	for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
		struct machine m = any_machine_with(all[i].machine, all[i].set);
		struct trace *t = any_machine_program(i + 1, 40);
		struct gpu_config c = {.machine = &m, .trace = t};
		char *text = any_machine_expect_order_free(&c, all[i].machine);

		any_machine_expect_same_in_shares(&c, text, all[i].machine);
		cr_expect(strstr(text, "\"gcc.accesses\""));
		free(text);
		trace_close(t);
	}
}

Test(gcc, refuses_what_cannot_be)
{
	static const struct {
		const char *set, *err;
	} bad[] = {
		{"module.count=2", "gcc.bytes: GPCs need a machine of one module, not 2 (module.count)"},
		{"gcc.count=9", "gcc.count: 9 GPCs are more than 15 SMs (sm.count) make pairs"},
		{"sm.count=80", "gcc.count: 80 SMs (sm.count) in 1 GPCs are more than 64 in one"},
		{"gcc.assoc=3", "gcc.bytes: 8192 bytes in lines of 128 and 3 ways do not make a power of two of sets"},
		{"gcc.latency=0", "gcc.latency"},
	};

	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct program p =
			program_run("locus run vectoradd --size test --set fetch.width=2 --set gcc.bytes=8K --set %s", bad[i].set);

		cr_assert_eq(p.status, 2, "%s", bad[i].set);
		cr_assert(strstr(p.err, bad[i].err), "%s: %s", bad[i].set, p.err);
		program_free(&p);
	}
}
