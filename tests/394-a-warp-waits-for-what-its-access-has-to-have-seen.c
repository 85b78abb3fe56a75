/* 394: a warp that waits for a value in memory (struct trace_sync) goes on with the first attempt that comes behind the
 * modifications it needs, to the cycle; it repeats its loop until then, and none of that is counted as the
 * program's. */
#include <criterion/criterion.h>
#include <stdlib.h>

#include "support/chase.h"
#include "support/waits_rig.h"

#define FLAGS (UINT64_C(1) << 28)

/* ---- what issues ---- */

enum { ISSUES = 1 << 14, SMS = 4 };

struct issues { /* of an SM */
	unsigned n;
	struct {
		uint64_t cycle;
		uint32_t slot, pc;
	} of[ISSUES];
};

static void note(void *ctx, uint64_t cycle, unsigned scheduler, unsigned slot, uint32_t pc)
{
	struct issues *x = ctx;

	(void)scheduler;
	cr_assert_lt(x->n, (unsigned)ISSUES);
	x->of[x->n].cycle = cycle;
	x->of[x->n].slot = slot;
	x->of[x->n++].pc = pc;
}

struct played {
	struct issues sm[SMS];
	struct sm_stats stats;
	uint64_t cycles;
};

static struct played *play(const struct machine *m, struct trace *t)
{
	struct gpu_config config = {.machine = m, .trace = t};
	struct played *p = calloc(1, sizeof *p);
	struct audit a = {0};
	struct err e = {""};
	struct gpu g;

	cr_assert_eq(gpu_build(&g, &config, &e), 0, "%s", e.text);
	for (unsigned s = 0; s < SMS && s < m->sm.count; s++) {
		g.sm[s].watch = note;
		g.sm[s].watch_ctx = &p->sm[s];
	}
	cr_assert_eq(gpu_simulate(&g, &e), 0, "%s", e.text);
	gpu_audit(&g, &a);
	if (a.failed)
		audit_print(&a, stderr);
	cr_assert_eq(a.failed, 0);
	p->stats = gpu_count(&g, GPU_ALL, g.cycles, g.end).sm.sm;
	p->cycles = g.cycles;
	gpu_free(&g);
	return p;
}

/* The n-th time, from 0, that the slot's warp issues it. */
static uint64_t issued(const struct issues *x, uint32_t slot, uint32_t pc, unsigned n)
{
	for (unsigned i = 0; i < x->n; i++)
		if (x->of[i].slot == slot && x->of[i].pc == pc && n-- == 0)
			return x->of[i].cycle;
	cr_assert_fail("slot %u issues %u less often", slot, pc);
	return 0;
}

static unsigned times(const struct issues *x, uint32_t slot, uint32_t pc)
{
	unsigned n = 0;

	for (unsigned i = 0; i < x->n; i++)
		n += x->of[i].slot == slot && x->of[i].pc == pc;
	return n;
}

/* ---- two warps and a flag in shared memory ---- */

/* The store is in the banks in the cycle behind its issue, and so is a load: the first load that issues behind the
 * store sees it. What a load reads is there shared.latency later, TEST takes an integer's latency and BRANCH a
 * branch's. */
Test(waits, two_warps_share_a_flag_of_their_cta)
{
	for (unsigned work = 1; work < 60; work += 7) {
		struct machine m = chase_machine(NULL);
		struct waits_rig *r = waits_rig_new(1, 2);
		uint32_t flag = waits_rig_word(r, 64, 0);
		struct trace *t;
		struct played *p;
		const struct issues *x;
		uint64_t store;
		unsigned polls;

		waits_rig_work(r, 0, 1, work);
		waits_rig_store(r, 0, 1, flag);
		waits_rig_wait(r, 0, 0, flag);
		p = play(&m, t = waits_rig_end(r));
		x = &p->sm[0];
		store = issued(x, 1, RIG_STORE_SHARED, 0);
		polls = times(x, 0, RIG_LOAD_SHARED);
		cr_assert_gt(issued(x, 0, RIG_LOAD_SHARED, polls - 1), store);
		if (polls > 1)
			cr_assert_lt(issued(x, 0, RIG_LOAD_SHARED, polls - 2), store);
		for (unsigned i = 0; i < polls; i++) {
			uint64_t load = issued(x, 0, RIG_LOAD_SHARED, i), test = issued(x, 0, RIG_TEST_SHARED, i);

			cr_expect_eq(test - load, m.shared.latency);
			cr_expect_eq(issued(x, 0, RIG_BRANCH_SHARED, i) - test, m.op.int32.latency[0]);
		}
		cr_expect_eq(p->stats.warp_insts, work + 1 + 3 + 2);
		cr_expect_eq(p->stats.wait.insts, 3 * (polls - 1));
		free(p);
		trace_close(t);
	}
}

/* ---- sleep ---- */

static uint64_t cycles_of(const struct machine *m, uint64_t ns)
{
	return (ns * m->clock.mhz[CLOCK_CORE] + 999) / 1000;
}

/* Until the lane that sleeps longest has; meanwhile nothing else is there to do, or another warp's work. */
Test(waits, a_warp_sleeps_its_nanoseconds)
{
	static const uint64_t ns[] = {0, 1, 100, 333, 1000, 12345};

	for (unsigned k = 0; k < CHASE_CLOCKS; k++)
		for (unsigned i = 0; i < sizeof ns / sizeof ns[0]; i++) {
			struct machine m = chase_machine(chase_clocks[k]);
			struct waits_rig *r = waits_rig_new(1, 1);
			uint64_t sleep = cycles_of(&m, ns[i]);
			struct trace *t;
			struct played *p;

			waits_rig_sleep(r, 0, 0, ns[i]);
			waits_rig_work(r, 0, 0, 1);
			p = play(&m, t = waits_rig_end(r));
			cr_expect_eq(issued(&p->sm[0], 0, RIG_WORK, 0) - issued(&p->sm[0], 0, RIG_SLEEP, 0), sleep ? sleep : 1);
			cr_expect_eq(p->stats.warp_insts, 3);
			cr_expect_eq(p->stats.wait.insts, 0);
			cr_expect_eq(p->stats.stalls[STALL_WAIT][0], sleep ? sleep - 1 : 0);
			free(p);
			trace_close(t);
		}
}

/* Between an attempt's last instruction and the next one's first: 100 ns, then 50, then 300 each time. */
Test(waits, failed_attempts_sleep_as_the_trace_says)
{
	static const uint32_t ns[] = {100, 50, 300};
	struct machine m = chase_machine(NULL);
	struct waits_rig *r = waits_rig_new(1, 2);
	uint32_t flag = waits_rig_word(r, 64, 0);
	struct trace *t;
	struct played *p;
	const struct issues *x;
	unsigned polls;

	waits_rig_work(r, 0, 1, 400);
	waits_rig_store(r, 0, 1, flag);
	waits_rig_wait(r, 0, 0, flag);
	waits_rig_back_off(r, ns, 3);
	p = play(&m, t = waits_rig_end(r));
	x = &p->sm[0];
	polls = times(x, 0, RIG_LOAD_SHARED);
	cr_assert_gt(polls, 5);
	for (unsigned i = 1; i < polls; i++)
		cr_expect_eq(issued(x, 0, RIG_LOAD_SHARED, i) - issued(x, 0, RIG_BRANCH_SHARED, i - 1),
			     m.op.branch + cycles_of(&m, ns[i < 3 ? i - 1 : 2]), "attempt %u", i);
	cr_expect_eq(p->stats.wait.insts, 3 * (polls - 1));
	free(p);
	trace_close(t);
}

/* ---- a flag between SMs ---- */

static uint64_t edge(uint64_t t, uint64_t period)
{
	return (t + period - 1) / period * period;
}

/* Ticks at which the L2 answers a request of one flit that issues in cycle c, nothing in the way, and core cycle in
 * which its reply is there: a flit of 32 bytes has 8 of header, and a load past the L1 32 of data. */
static uint64_t answered(const struct machine *m, uint64_t c)
{
	const uint64_t core = m->clock.period[CLOCK_CORE], net = m->clock.period[CLOCK_NET], l2 = m->clock.period[CLOCK_L2];
	uint64_t t = edge((c + 1) * core, net) + (m->net.hop + 1) * net;

	return edge(t, l2) + m->l2.latency * l2;
}
static uint64_t back(const struct machine *m, uint64_t c)
{
	const uint64_t core = m->clock.period[CLOCK_CORE], net = m->clock.period[CLOCK_NET];

	return (edge(answered(m, c), net) + (m->net.hop + 2) * net + core - 1) / core;
}

/* From the waiter's second attempt on, when the flag's line is in the L2: each attempt is a trip to the L2, TEST and
 * BRANCH; the first one that is answered behind the store is the last. */
static void check_flag(const char *const *clocks, unsigned work)
{
	struct machine m = chase_machine(clocks);
	struct waits_rig *r = waits_rig_new(2, 1);
	uint32_t flag = waits_rig_word(r, FLAGS, TRACE_SYNC_GLOBAL);
	struct trace *t;
	struct played *p;
	uint64_t store, load;
	unsigned polls = 1;

	waits_rig_work(r, 1, 0, work);
	waits_rig_store(r, 1, 0, flag);
	waits_rig_wait(r, 0, 0, flag);
	p = play(&m, t = waits_rig_end(r));
	store = answered(&m, issued(&p->sm[1], 0, RIG_WORK, 0) + work * m.op.int32.latency[0]);
	load = issued(&p->sm[0], 0, RIG_LOAD, 1);
	for (;;) {
		uint64_t test = back(&m, load) + m.l1.latency - 1;

		cr_assert_eq(issued(&p->sm[0], 0, RIG_LOAD, polls), load, "attempt %u", polls);
		cr_assert_eq(issued(&p->sm[0], 0, RIG_TEST, polls), test);
		polls++;
		cr_assert_neq(answered(&m, load), store, "in one cycle of the slice one of them waits: choose another work");
		if (answered(&m, load) > store)
			break;
		load = test + m.op.int32.latency[0] + m.op.branch;
	}
	cr_expect_eq(times(&p->sm[0], 0, RIG_LOAD), polls);
	cr_expect_eq(issued(&p->sm[0], 0, RIG_EXIT, 0), back(&m, load) + m.l1.latency - 1 + m.op.int32.latency[0] + m.op.branch);
	cr_expect_eq(p->stats.warp_insts, work + 2 + 4);
	cr_expect_eq(p->stats.wait.insts, 3 * (polls - 1));
	free(p);
	trace_close(t);
}

Test(waits, a_flag_between_sms_is_seen_by_the_first_load_behind_its_store)
{
	for (unsigned k = 0; k < CHASE_CLOCKS; k++)
		for (unsigned work = 300; work < 330; work += 3)
			check_flag(chase_clocks[k], work);
}

/* ---- many CTAs ---- */

/* Each CTA arrives, then waits for all arrivals; the program ran them by their number, the model has CTA 0 come
 * last. */
Test(waits, nobody_leaves_a_barrier_before_the_last_has_come)
{
	enum { CTAS = 12, WORK = 400 };
	struct machine m = chase_machine((const char *const[]){"sm.count=4", NULL});
	struct waits_rig *r = waits_rig_new(CTAS, 1);
	uint32_t count = waits_rig_word(r, FLAGS + 4096, TRACE_SYNC_GLOBAL);
	uint64_t last;
	struct trace *t;
	struct played *p;

	waits_rig_work(r, 0, 0, WORK);
	for (uint32_t c = 0; c < CTAS; c++)
		waits_rig_add(r, c, 0, count);
	for (uint32_t c = 0; c < CTAS; c++)
		waits_rig_wait(r, c, 0, count);
	p = play(&m, t = waits_rig_end(r));
	last = issued(&p->sm[0], 0, RIG_ADD, 0); /* CTA 0's */
	cr_assert_geq(last, (uint64_t)WORK * m.op.int32.latency[0]);
	for (unsigned s = 0; s < 4; s++)
		for (uint32_t slot = 0; slot < CTAS / 4; slot++) {
			cr_expect_gt(issued(&p->sm[s], slot, RIG_EXIT, 0), last + m.l2.latency);
			cr_expect_lt(issued(&p->sm[s], slot, RIG_EXIT, 0), last + 1000, "and then soon");
		}
	cr_expect_eq(p->stats.warp_insts, WORK + CTAS * 5);
	cr_expect_eq(p->stats.wait.insts % 3, 0);
	free(p);
	trace_close(t);
}

static uint64_t chain_of(uint32_t n)
{
	struct machine m = chase_machine(NULL);
	struct waits_rig *r = waits_rig_new(n, 1);
	uint64_t cycles;
	uint32_t flag[128];
	struct trace *t;
	struct played *p;

	for (uint32_t c = 0; c < n; c++) {
		flag[c] = waits_rig_word(r, FLAGS + 128 * c, TRACE_SYNC_GLOBAL);
		if (c)
			waits_rig_wait(r, c, 0, flag[c - 1]);
		waits_rig_store(r, c, 0, flag[c]);
	}
	p = play(&m, t = waits_rig_end(r));
	cycles = p->cycles;
	free(p);
	trace_close(t);
	return cycles;
}

/* From a store to the next one at least the store's way to the L2, and a TEST; at most two attempts more, with the
 * traffic of all that wait in between. */
Test(waits, a_chain_of_ctas_takes_a_hop_for_each)
{
	struct machine m = chase_machine(NULL);
	uint64_t least = answered(&m, 0) / m.clock.period[CLOCK_CORE] + m.op.int32.latency[0],
		 attempt = back(&m, 0) + m.l1.latency + m.op.int32.latency[0] + m.op.branch;
	uint64_t of_20 = chain_of(20), of_40 = chain_of(40), of_80 = chain_of(80);

	cr_expect_geq(of_40 - of_20, 20 * least);
	cr_expect_leq(of_40 - of_20, 20 * (least + 2 * attempt));
	cr_expect_geq(of_80 - of_40, 40 * least);
	cr_expect_leq(of_80 - of_40, 40 * (least + 2 * attempt));
}

/* ---- several words of an access ---- */

/* Ten words in five lines, stored in the other order by another warp: the attempt fails until the last one has been. */
Test(waits, an_access_waits_for_all_its_words)
{
	enum { WORDS = 10 };
	struct machine m = chase_machine(NULL);
	struct waits_rig *r = waits_rig_new(2, 1);
	uint32_t word[WORDS];
	uint64_t last;
	unsigned polls;
	struct trace *t;
	struct played *p;

	for (unsigned i = 0; i < WORDS; i++)
		word[i] = waits_rig_word(r, FLAGS + 128 * (i / 2) + 16 * i, TRACE_SYNC_GLOBAL);
	for (unsigned i = WORDS; i-- > 0;) {
		waits_rig_work(r, 1, 0, 40);
		waits_rig_store(r, 1, 0, word[i]);
	}
	waits_rig_wait_for_all(r, 0, 0, word, WORDS);
	p = play(&m, t = waits_rig_end(r));
	last = issued(&p->sm[1], 0, RIG_STORE, WORDS - 1);
	polls = times(&p->sm[0], 0, RIG_LOAD);
	cr_assert_gt(polls, 2);
	cr_expect_lt(answered(&m, issued(&p->sm[0], 0, RIG_LOAD, polls - 2)), answered(&m, last));
	cr_expect_gt(issued(&p->sm[0], 0, RIG_EXIT, 0), last + m.l2.latency);
	cr_expect_lt(issued(&p->sm[0], 0, RIG_EXIT, 0), last + 1000);
	free(p);
	trace_close(t);
}
