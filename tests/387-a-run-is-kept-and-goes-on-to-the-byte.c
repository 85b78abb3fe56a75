/* 387: a run that is kept at a cycle and resumed (run/checkpoint.h) is, to the byte, the one that was not interrupted:
 * on every machine, with every policy, in shares; and one memory for all of it (base/region.h). */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/outside.h"
#include "base/panic.h"
#include "base/region.h"
#include "run/checkpoint.h"
#include "run/intervals.h"
#include "support/any_machine.h"
#include "support/program.h"

/* ---- memory ---- */

Test(region, has_one_address_and_is_given_back_as_a_whole)
{
	struct region r, second;
	struct err e = {""};

	for (unsigned i = 0; i < 2; i++) {
		char *p;

		cr_assert_eq(region_open(&r, &e), 0, "%s", e.text);
		p = region_alloc(&r, 100);
		cr_assert_eq((uintptr_t)p, REGION_AT);
		cr_assert_eq(p[0] | p[99], 0, "fresh each time");
		memset(p, 7, 100);
		cr_assert_eq((uintptr_t)region_alloc(&r, 1), REGION_AT + 128);
		cr_assert_eq(region_open(&second, &e), -1, "a process has one");
		e.text[0] = '\0';
		region_close(&r);
	}
}

Test(region, keeps_what_grows)
{
	struct region r;
	struct err e = {""};
	char *p, *more;

	cr_assert_eq(region_open(&r, &e), 0, "%s", e.text);
	p = strcpy(region_alloc(&r, 6), "seven");
	more = region_grow(&r, p, 6, 1000);
	cr_assert_str_eq(more, "seven");
	cr_assert_neq(more, p);
	region_drop(&r, more);
	region_close(&r);
	p = strcpy(xmalloc(6), "eight");
	p = region_grow(NULL, p, 6, 1000);
	cr_assert_str_eq(p, "eight");
	region_drop(NULL, p);
}

Test(region, is_told_from_what_is_outside)
{
	struct region r;
	struct outside o;
	struct err e = {""};
	void *heap = malloc(10);
	int here;

	cr_assert_eq(region_open(&r, &e), 0, "%s", e.text);
	cr_assert_eq(outside_read(&o, &e), 0, "%s", e.text);
	cr_assert(outside_has(&o, (uintptr_t)heap));
	cr_assert(outside_has(&o, (uintptr_t)&here));
	cr_assert(outside_has(&o, (uintptr_t)outside_read));
	cr_assert(outside_has(&o, (uintptr_t)fopen), "a library");
	cr_assert_not(outside_has(&o, (uintptr_t)region_alloc(&r, 10)));
	for (uint64_t n = 0; n < 40; n++)
		cr_assert_not(outside_has(&o, UINT64_C(1) << n), "2^%u", (unsigned)n);
	cr_assert_not(outside_has(&o, UINT64_MAX));
	outside_free(&o);
	region_close(&r);
	free(heap);
}

/* ---- runs ---- */

struct kept {
	struct region region;
	struct gpu_checkpoints checkpoints;
	struct checkpoint_file from;
	struct intervals intervals;
	struct arena arena;
};

static const char *path(void)
{
	static char out[512];

	snprintf(out, sizeof out, "%s/checkpoint", program_tmp());
	return out;
}

static void open_kept(struct kept *k, struct gpu_config *c, uint64_t every, bool resumes)
{
	struct err e = {""};

	memset(k, 0, sizeof *k);
	cr_assert_eq(region_open(&k->region, &e), 0, "%s", e.text);
	if (resumes)
		cr_assert_eq(checkpoint_open(&k->from, path(), &e), 0, "%s", e.text);
	k->arena.region = &k->region;
	k->checkpoints =
		(struct gpu_checkpoints){.region = &k->region, .every = every, .path = path(), .from = resumes ? &k->from : NULL};
	k->intervals = (struct intervals){.asked = 100, .arena = &k->arena};
	k->checkpoints.beside[k->checkpoints.n_beside++] =
		(struct checkpoint_part){&k->intervals.samples, sizeof k->intervals.samples};
	c->checkpoints = &k->checkpoints;
	c->intervals = &k->intervals;
}

/* Metrics, and those over time. */
static char *whole(struct gpu_config *c, const struct intervals *v, const char *name)
{
	char *text = any_machine_metrics(c, name), *all = NULL;
	size_t size = 0;
	FILE *f = open_memstream(&all, &size);

	fputs(text, f);
	for (uint32_t s = 0; s < v->n; s++)
		for (uint32_t i = 0; i < v->samples.n; i++)
			fprintf(f, "%llu ", (unsigned long long)series_at(&v->samples, i)[2 * s]);
	fclose(f);
	free(text);
	return all;
}

static char *run_kept(const struct gpu_config *config, uint64_t every, bool resumes, const char *name)
{
	struct gpu_config c = *config;
	struct kept k;
	char *text;

	open_kept(&k, &c, every, resumes);
	text = whole(&c, &k.intervals, name);
	cr_assert_str_empty(k.checkpoints.skipped.text, "%s", name);
	gpu_checkpoints_free(&k.checkpoints);
	if (resumes)
		checkpoint_close(&k.from);
	region_close(&k.region);
	return text;
}

/* Keeps it at cycle `at` alone, and resumes. */
static void expect_resumes(const struct gpu_config *c, uint64_t at, const char *text, const char *name)
{
	struct gpu_config cut = *c;
	char *resumed;

	cut.max_cycles = at + 1;
	free(run_kept(&cut, at, false, name));
	resumed = run_kept(c, 0, true, name);
	cr_expect_str_eq(resumed, text, "%s, resumed at %u", name, (unsigned)at);
	free(resumed);
}

static void check(const struct gpu_config *c, const char *name, unsigned number, unsigned points)
{
	struct gpu_config plain = *c;
	struct arena a = {0};
	struct intervals v = {.asked = 100, .arena = &a};
	char *text;

	plain.intervals = &v;
	text = whole(&plain, &v, name);
	for (unsigned i = 0; i < points; i++)
		expect_resumes(c, 1 + 97 * number % 400 + 300 * i, text, name);
	arena_free(&a);
	free(text);
}

static void check_machine(const char *name, unsigned number)
{
	struct machine m = any_machine_with(name, NULL);
	struct trace *t = any_machine_program(number, 6);
	struct gpu_config c = {.machine = &m, .trace = t};

	check(&c, name, number, 1);
	trace_close(t);
}

Test(checkpoint, of_any_machine_is_resumed_to_the_byte)
{
	any_machine_each(check_machine);
}

static void check_with(const char *name, const char *const *set, struct gpu_config how, unsigned points)
{
	struct machine m = any_machine_with(name, set);
	struct trace *t = any_machine_program(3, 24);

	how.machine = &m;
	how.trace = t;
	check(&how, name, 5, points);
	trace_close(t);
}

Test(checkpoint, keeps_what_policies_have_learned)
{
	static const char *const set[][16] = {
		{"throttle.policy=swt", "throttle.warps=2", "l2.bypass.policy=streaming", "l2.bypass.rate=30",
		 "l2.bypass.period=500", "l1.bypass.policy=streaming", "l1.bypass.rate=10", "l1.bypass.period=200",
		 "l1.prefetch.policy=next-line", "l1.prefetch.mshrs=4", "l1.replacement=pin", "l1.pin.hard=A", "l1.pin.timer=300"},
		{"throttle.policy=ccws"},
		{"throttle.policy=pcal", "throttle.tokens=1", "l1.front.policy=mrpb"},
		{"throttle.policy=dwt-cs", "throttle.period=600", "throttle.n=1", "throttle.m=2", "throttle.threshold=0"},
		{"l1.index=pric", "l1.poly=37", "l1.monitor=true", "caches.locality_classes=true"},
	};

	if (CHECK_COSTLY) /* a sanitizer's heap is where pairs of small numbers seem to point to */
		return;
	for (unsigned i = 0; i < sizeof set / sizeof *set; i++)
		check_with("gtx480", set[i], (struct gpu_config){.no_skip = i == 0}, 2);
}

Test(checkpoint, keeps_pages_and_their_moves)
{
	static const char *const set[] = {"vm.enabled=true", "vm.placement=first-touch", "vm.migrate=pages", NULL};

	check_with("mcm4", set, (struct gpu_config){.reverse = true}, 2);
}

Test(checkpoint, of_a_machine_in_shares_goes_on_with_as_many)
{
	static const char *const few[] = {"sm.count=6", "dram.channels=2", NULL};

	check_with("titanv", few, (struct gpu_config){.shares = 3}, 2);
	check_with("titanv", few, (struct gpu_config){.shares = 2, .threads = 2}, 1);
}

/* The third checkpoint is written by a run that was resumed itself. Not with sanitizers, as above. */
Test(checkpoint, of_a_resumed_run_is_one_too, .disabled = CHECK_COSTLY)
{
	struct machine m = any_machine_with("gtx480", NULL);
	struct trace *t = any_machine_program(3, 40);
	struct gpu_config c = {.machine = &m, .trace = t}, cut = c;
	char *all = run_kept(&c, 0, false, "gtx480"), *resumed;

	cut.max_cycles = 301;
	free(run_kept(&cut, 300, false, "gtx480"));
	for (unsigned i = 2; i <= 3; i++) {
		cut.max_cycles = 300 * i + 1;
		free(run_kept(&cut, 300, true, "gtx480"));
	}
	resumed = run_kept(&c, 0, true, "gtx480");
	cr_expect_str_eq(all, resumed);
	free(all);
	free(resumed);
	trace_close(t);
}

/* Writes, say, are on their way when the last CTA has ended. */
Test(checkpoint, may_be_due_when_the_run_is_over)
{
	static const char *const small[] = {"sm.count=2", "dram.channels=1", "l2.bytes=4K", NULL};
	struct machine m = any_machine_with("gtx480", small);
	struct trace *t = any_machine_program(2, 2);
	struct gpu_config c = {.machine = &m, .trace = t};
	char *all = run_kept(&c, 0, false, "gtx480");
	struct gpu_result r;

	any_machine_run(&c, &r, "gtx480");
	for (uint64_t beyond = 0; beyond < 40; beyond += 8) {
		char *text = run_kept(&c, r.cycles + beyond, false, "gtx480");

		cr_expect_str_eq(text, all, "%u", (unsigned)beyond);
		free(text);
	}
	gpu_result_free(&r);
	free(all);
	trace_close(t);
}

/* ---- what is refused ---- */

static void expect_refusal(struct gpu_config c, const char *text)
{
	struct gpu_result r;
	struct kept k;
	struct err e = {""};

	open_kept(&k, &c, 0, true);
	cr_expect_eq(gpu_run(&c, &r, &e), -1, "%s", text);
	cr_expect(strstr(e.text, text), "%s: %s", text, e.text);
	gpu_checkpoints_free(&k.checkpoints);
	checkpoint_close(&k.from);
	region_close(&k.region);
}

Test(checkpoint, of_another_run_is_refused)
{
	static const char *const slower[] = {"l1.latency=77", NULL};
	struct machine m = any_machine_with("gtx480", NULL), other = any_machine_with("gtx480", slower);
	struct trace *t = any_machine_program(3, 20), *another = any_machine_program(4, 20);
	struct gpu_config c = {.machine = &m, .trace = t, .max_cycles = 301}, wrong;

	free(run_kept(&c, 300, false, "gtx480"));
	wrong = c;
	wrong.machine = &other;
	expect_refusal(wrong, "made with another machine");
	wrong = c;
	wrong.trace = another;
	expect_refusal(wrong, "made with another trace");
	wrong = c;
	wrong.no_skip = true;
	expect_refusal(wrong, "made with another choice of options");
	wrong = c;
	wrong.max_cycles = 299;
	expect_refusal(wrong, "past the limit of this run");
	wrong = c;
	wrong.max_insts = 1;
	expect_refusal(wrong, "past the limit of this run");
	trace_close(t);
	trace_close(another);
}
