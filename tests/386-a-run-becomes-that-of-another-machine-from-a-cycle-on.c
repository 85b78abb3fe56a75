/* 386: keys that may change while a machine runs (machine/live.h). Known answers: a run in which a key changes ahead of
 * its first cycle is that of a machine which always had the new value; up to the cycle of a change it is that of one
 * which never has it; and a change to what is so already changes nothing. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "machine/live.h"
#include "machine/schema.h"
#include "support/all_ops.h"
#include "support/any_machine.h"

/* A machine on which the key matters for the program of support/all_ops.h. */
struct change {
	const char *change, *machine;
	const char *set[8];
};

#define SWT  "throttle.policy=swt", "throttle.warps=2"
#define DWT  "throttle.policy=dwt-cs", "throttle.period=600", "throttle.n=1", "throttle.m=2", "throttle.unit=warp"
#define FULL "dram.queue=4", "dram.write_high=3", "dram.write_low=1", "l2.bytes=4K" /* DRAM has much to do */

static const struct change all[] = {
	{"sm.scheduler=lrr", "gtx480", {NULL}},
	{"sm.scheduler=gty", "gtx480", {"sm.scheduler=lrr"}},
	{"throttle.policy=swt,throttle.warps=1", "gtx480", {NULL}},
	{"throttle.policy=cta,throttle.ctas=1", "titanv", {NULL}},
	{"throttle.policy=none", "gtx480", {SWT}},
	{"throttle.policy=swt", "gtx480", {"throttle.policy=cta", "throttle.ctas=1", "throttle.warps=3"}},
	{"throttle.warps=1", "gtx480", {SWT}},
	{"throttle.kernels=first:1", "gtx480", {SWT}},
	{"throttle.ctas=1", "gtx480", {"throttle.policy=cta", "throttle.ctas=3"}},
	{"throttle.tokens=1", "gtx480", {"throttle.policy=pcal", "throttle.warps=8", "throttle.tokens=8"}},
	{"throttle.k=100", "gtx480", {"throttle.policy=ccws", "throttle.k=1", "l1.bytes=2K"}},
	{"throttle.threshold=5", "gtx480", {DWT, "throttle.threshold=60000"}},
	{"latency.int=900,900,900,900,900", "gtx480", {NULL}},
	{"latency.int_interval=90,90,90,90,90", "gtx480", {NULL}},
	{"latency.fp32=900,900,900,900,900", "gtx480", {NULL}},
	{"latency.fp32_interval=200,200,200,200,200", "gtx480", {NULL}},
	{"latency.fp64=999,999,999,999,999", "gtx480", {NULL}},
	{"latency.fp64_interval=200,200,200,200,200", "gtx480", {NULL}},
	{"latency.sfu=900", "gtx480", {NULL}},
	{"latency.sfu_interval=500", "gtx480", {NULL}},
	{"latency.tensor=999", "titanv", {NULL}},
	{"latency.branch=900", "gtx480", {NULL}},
	{"shared.latency=900", "gtx480", {NULL}},
	{"l1.latency=3", "qv100", {NULL}},
	{"l1.bypass.rate=20", "gtx480", {"l1.bypass.policy=streaming", "l1.bypass.rate=99", "l1.bypass.period=100"}},
	{"l1.prefetch.mshrs=30", "gtx480", {"l1.prefetch.policy=next-line", "l1.prefetch.mshrs=0"}},
	{"l1.prefetch.queue=7", "gtx480", {"l1.prefetch.policy=next-line", "l1.prefetch.queue=0"}},
	{"const.latency=90", "gtx480", {NULL}},
	{"l2.bypass.rate=20", "gtx480", {"l2.bypass.policy=streaming", "l2.bypass.rate=99", "l2.bypass.period=100"}},
	{"dram.sched=fcfs", "gtx480", {FULL}},
	{"dram.first=activate", "gtx480", {FULL, "dram.first=column"}},
	{"dram.cl=3", "gtx480", {FULL}},
	{"dram.rp=30", "gtx480", {FULL}},
	{"dram.rc=90", "gtx480", {FULL}},
	{"dram.ras=39,dram.rc=80", "gtx480", {FULL}},
	{"dram.rcd=30", "gtx480", {FULL}},
	{"dram.rrd=20", "gtx480", {FULL}},
	{"dram.rrdl=60", "gtx480", {FULL}},
	{"dram.ccd=20", "gtx480", {FULL}},
	{"dram.ccdl=40", "gtx480", {FULL}},
	{"dram.wl=12", "gtx480", {FULL}},
	{"dram.cdlr=50", "gtx480", {FULL}},
	{"dram.wr=60", "gtx480", {FULL}},
	{"dram.rtp=40", "gtx480", {FULL}},
	{"dram.faw=300", "gtx480", {FULL}},
	{"dram.drain=watermarks", "gtx480", {FULL, "dram.drain=turns"}},
	{"dram.write_high=2", "gtx480", {FULL}},
	{"dram.write_low=2", "gtx480", {FULL}},
	{"dram.age_cap=2", "gtx480", {FULL}},
};

/* ---- runs ---- */

static int become(void *machine, const struct gpu *g, struct gpu_turn *turn, struct err *e)
{
	turn->machine = machine;
	return gpu_may_change(g, machine, e);
}

struct rig {
	struct machine before, after;
	struct trace *trace;
	struct gpu_pause_hook pause_hook;
};

static void rig_init(struct rig *r, const struct change *c, uint64_t seed, uint32_t ctas)
{
	struct err e = {""};

	const char *set[12] = {"sm.count=4"}; /* fewer do: less to build */

	for (unsigned i = 0; c->set[i]; i++)
		set[1 + i] = c->set[i];
	r->before = any_machine_with(c->machine, strcmp(c->machine, "gtx480") ? c->set : set);
	r->after = r->before;
	cr_assert_eq(machine_change(&r->after, c->change, &e), 0, "%s: %s", c->change, e.text);
	r->trace = all_ops_program(seed, ctas);
	r->pause_hook = (struct gpu_pause_hook){.pause = become, .ctx = &r->after};
}

/* UINT64_MAX: no change. */
static struct gpu_config config(struct rig *r, const struct machine *m, uint64_t at)
{
	r->pause_hook.cycle = at;
	return (struct gpu_config){.machine = m, .trace = r->trace, .pause_hook = at == UINT64_MAX ? NULL : &r->pause_hook};
}

static char *metrics(struct rig *r, const struct machine *m, uint64_t at, uint64_t max_cycles)
{
	struct gpu_config c = config(r, m, at);

	c.max_cycles = max_cycles;
	return any_machine_metrics(&c, m->name);
}

static bool same(char *one, char *other)
{
	bool is = !strcmp(one, other);

	free(one);
	free(other);
	return is;
}

enum { CTAS = 64, MIDDLE = 700 };

static void check_from_the_begin_on(const struct change *c, uint64_t seed)
{
	struct rig r;

	rig_init(&r, c, seed, CTAS);
	cr_expect(same(metrics(&r, &r.before, 0, 0), metrics(&r, &r.after, UINT64_MAX, 0)), "%s", c->change);
	cr_expect(!same(metrics(&r, &r.before, UINT64_MAX, 0), metrics(&r, &r.after, UINT64_MAX, 0)), "%s changes nothing",
		  c->change);
	trace_close(r.trace);
}

Test(live_keys, change_a_run_from_its_begin_on_into_that_of_the_other_machine)
{
	for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
		check_from_the_begin_on(&all[i], 11);
}

Test(live_keys, all_have_an_example)
{
	for (const char *const *k = machine_live_keys; *k; k++) {
		size_t n = strlen(*k);
		bool found = false;

		cr_assert(schema_find(*k), "%s", *k);
		for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
			const char *at = strstr(all[i].change, *k);

			found = found || (at && at[n] == '=');
		}
		cr_expect(found, "%s", *k);
	}
}

/* ---- in the middle ---- */

static void check_in_the_middle(const struct change *c, uint64_t seed)
{
	struct rig r;
	struct gpu_config run;

	rig_init(&r, c, seed, CTAS);
	if (strncmp(c->change, "throttle.policy", 15) != 0) /* which has metrics of its own */
		cr_expect(same(metrics(&r, &r.before, MIDDLE, MIDDLE), metrics(&r, &r.before, UINT64_MAX, MIDDLE)), "%s, up to it",
			  c->change);
	run = config(&r, &r.before, MIDDLE);
	free(any_machine_expect_order_free(&run, c->change));
	trace_close(r.trace);
}

Test(live_keys, change_a_run_from_that_cycle_on)
{
	for (unsigned i = 0; i < sizeof all / sizeof *all; i += 5)
		check_in_the_middle(&all[i], 11);
}

static void check_without_a_change(const char *name, unsigned number)
{
	struct rig r;
	const struct change c = {"l1.latency=30", name, {NULL}};

	(void)number;
	rig_init(&r, &c, 5, 8);
	r.after = r.before;
	cr_expect(same(metrics(&r, &r.before, 311, 0), metrics(&r, &r.before, UINT64_MAX, 0)), "%s", name);
	trace_close(r.trace);
}

Test(live_keys, that_become_what_they_are_change_nothing)
{
	any_machine_each(check_without_a_change);
}

Test(live_keys, change_a_machine_in_shares)
{
	struct rig r;
	const struct change c = {"throttle.policy=swt,throttle.warps=1,l1.latency=90,dram.cl=30", "titanv", {NULL}};
	struct gpu_config run;
	char *text;

	rig_init(&r, &c, 11, 20);
	run = config(&r, &r.before, MIDDLE);
	text = any_machine_metrics(&run, "titanv");
	any_machine_expect_same_in_shares(&run, text, "titanv");
	free(text);
	trace_close(r.trace);
}

/* Of writes, say, that are on their way when the last CTA has ended. */
Test(live_keys, do_not_hold_up_a_run_that_is_over)
{
	const struct change c = {"l1.latency=30", "gtx480", {NULL}};
	struct gpu_result result;
	struct rig r;
	struct gpu_config run;

	rig_init(&r, &c, 11, CTAS);
	run = config(&r, &r.before, UINT64_MAX);
	any_machine_run(&run, &result, "gtx480");
	for (uint64_t beyond = 0; beyond < 60; beyond += 3)
		cr_expect(same(metrics(&r, &r.before, result.cycles + beyond, 0), metrics(&r, &r.before, UINT64_MAX, 0)), "%u",
			  (unsigned)beyond);
	gpu_result_free(&result);
	trace_close(r.trace);
}

/* ---- what is refused ---- */

static void expect_refusal(const char *changes, const char *text)
{
	struct machine m = any_machine_with("gtx480", NULL);
	struct err e = {""};

	cr_expect_eq(machine_change(&m, changes, &e), -1, "%s", changes);
	cr_expect(strstr(e.text, text), "%s: %s", changes, e.text);
}

Test(live_keys, are_the_only_ones_that_change)
{
	expect_refusal("l1.assoc=8", "l1.assoc cannot change while a machine runs");
	expect_refusal("l1.latency=30,l2.latency=4", "l2.latency cannot change");
	expect_refusal("l1.latency", "not of the form key=value");
	expect_refusal("=1", "not of the form");
	expect_refusal("", "not of the form");
	expect_refusal("l1.latency=0", "l1.latency");
	expect_refusal("l1.latency=30,", "l1.latency");
	expect_refusal("no.key=1", "unknown key \"no.key\"");
	expect_refusal("throttle.ways=5", "cannot change");
	expect_refusal("dram.write_low=40", "dram.write_low");
	expect_refusal("latency.int=1,2", "latency.int");
}

static void expect_not_there(const struct change *c, const char *text)
{
	struct rig r;
	struct gpu_config run;
	struct gpu_result result;
	struct err e = {""};

	rig_init(&r, c, 3, 20);
	run = config(&r, &r.before, 100);
	cr_expect_eq(gpu_run(&run, &result, &e), -1, "%s", c->change);
	cr_expect(strstr(e.text, text), "%s: %s", c->change, e.text);
	trace_close(r.trace);
}

Test(live_keys, do_not_change_what_a_run_cannot_become)
{
	expect_not_there(&(struct change){"throttle.policy=ccws", "gtx480", {NULL}}, "none, swt and cta only");
	expect_not_there(&(struct change){"throttle.policy=none", "gtx480", {"throttle.policy=ccws"}}, "none, swt and cta only");
	expect_not_there(&(struct change){"latency.sfu=4000", "titanv", {"operands.banks=8", "pipe.depth=8"}}, "operands.banks");
	expect_not_there(&(struct change){"throttle.kernels=nobody:2", "gtx480", {SWT}}, "nobody");
}
