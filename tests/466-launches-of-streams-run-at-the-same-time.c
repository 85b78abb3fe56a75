/* 466: launches of a program that uses streams run at the same time (csim/dispatch/concurrent.h): when each of their
 * CTAs begins and ends, worked out by hand; what the order of a trace makes of it; invariants, and the same results in
 * whichever order components are stepped and by how many threads, for programs made up at random. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>

#include "run/gpu.h"
#include "support/machine.h"
#include "support/random.h"

enum { MAX_LAUNCHES = 64, MAX_WAITS = 4, WARP = TRACE_WARP_SIZE };

struct made_launch {
	uint32_t ctas, warps, nops; /* of each warp, ahead of its exit */
	uint32_t loads;		    /* and loads with a store each, ahead of these */
	uint32_t shared;	    /* bytes */
	uint32_t below, n_waits, waits[MAX_WAITS];
	uint32_t kernel; /* 1: with local memory */
};

struct made {
	struct machine m;
	struct trace *trace;
	struct arena arena;
	struct timeline timeline;
	struct gpu_result r;
};

enum { NOP, LOAD, STORE, LOCAL, EXIT, INSTS };

static void add_kernels(struct trace_writer *w)
{
	static char nop[] = "nop";
	char *names[] = {nop};
	struct trace_inst inst[INSTS] = {
		[NOP] = {.op = OP_NOP, .line = 1},
		[LOAD] = {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .nsrc = 1, .line = 2},
		[STORE] = {.op = OP_STORE, .space = SPACE_GLOBAL, .width = 4, .nsrc = 1, .line = 3},
		[LOCAL] = {.op = OP_STORE, .space = SPACE_LOCAL, .width = 4, .nsrc = 1, .line = 4},
		[EXIT] = {.op = OP_EXIT, .line = 5},
	};
	struct trace_kernel k = {.name = (char *)"plain",
				 .n_inst = INSTS,
				 .inst = inst,
				 .n_names = 1,
				 .names = names,
				 .n_regs = 1,
				 .regs_per_thread = 8};

	trace_add_kernel(w, &k);
	k.name = (char *)"local";
	k.local_bytes = 64;
	trace_add_kernel(w, &k);
}

static void put(struct trace_writer *w, uint32_t warp, uint32_t pc, uint64_t base)
{
	uint64_t addr[WARP];

	for (unsigned l = 0; l < WARP; l++)
		addr[l] = base + (pc == LOCAL ? 0 : 4 * l);
	trace_put_run(w, warp, pc, 1, UINT32_MAX);
	trace_put_addrs(w, warp, UINT32_MAX, addr);
}

static void add_warp(struct trace_writer *w, const struct made_launch *l, uint32_t cta, uint32_t warp)
{
	for (uint32_t i = 0; i < l->loads; i++) {
		put(w, warp, LOAD, 0x10000000 + (cta * 7 + warp * 3 + i) % 256 * 128);
		put(w, warp, l->kernel ? LOCAL : STORE, l->kernel ? i % 16 * 4 : 0x10000000 + (cta + i) % 256 * 128);
	}
	for (uint32_t i = 0; i < l->nops; i++)
		trace_put_run(w, warp, NOP, 1, UINT32_MAX);
	trace_put_run(w, warp, EXIT, 1, UINT32_MAX);
}

static struct trace *record(const struct made_launch *l, unsigned n)
{
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "streams"}, &e);

	cr_assert_not_null(w, "%s", e.text);
	add_kernels(w);
	cr_assert_eq(trace_add_buffer(w, "all", 0x10000000, 256 * 128, &e), 0);
	for (unsigned i = 0; i < n; i++, l++) {
		trace_set_waits(w, l->below, l->n_waits, l->waits);
		cr_assert_eq(trace_launch_begin(w, l->kernel, (uint32_t[]){l->ctas, 1, 1}, (uint32_t[]){32 * l->warps, 1, 1},
						l->shared, &e),
			     0, "%s", e.text);
		for (uint32_t c = 0; c < l->ctas; c++) {
			trace_cta_begin(w, c);
			for (uint32_t warp = 0; warp < l->warps; warp++)
				add_warp(w, l, c, warp);
			cr_assert_eq(trace_cta_end(w, &e), 0);
		}
		cr_assert_eq(trace_launch_end(w, &e), 0);
	}
	return trace_writer_finish(w, &e);
}

static void run_as(struct made *x, const struct made_launch *l, unsigned n, struct gpu_config c)
{
	struct err e = {""};

	x->trace = record(l, n);
	timeline_init(&x->timeline, &x->arena, x->trace);
	c.machine = &x->m;
	c.trace = x->trace;
	c.timeline = &x->timeline;
	cr_assert_eq(gpu_run(&c, &x->r, &e), 0, "%s", e.text);
	cr_assert_eq(x->r.audit.failed, 0);
}

static void run(struct made *x, const struct made_launch *l, unsigned n)
{
	run_as(x, l, n, (struct gpu_config){0});
}

static void drop(struct made *x)
{
	gpu_result_free(&x->r);
	trace_close(x->trace);
	arena_free(&x->arena);
}

static void expect_cta(const struct made *x, uint32_t launch, uint32_t cta, uint64_t start, uint64_t end)
{
	const struct timeline_cta *c = timeline_cta(&x->timeline, launch, cta);

	cr_expect_eq(c->start, start, "launch %u, CTA %u starts in %lu, not %lu", launch, cta, c->start, start);
	cr_expect_eq(c->end, end, "launch %u, CTA %u ends in %lu, not %lu", launch, cta, c->end, end);
}

/* A CTA of one warp that is sent in cycle c starts in c + 1, issues its n nops and its exit one a cycle, the last in
 * c + 1 + n, and the dispatcher hears of its end in c + 2 + n, in which it may send another. */

static struct made_launch nops(uint32_t ctas, uint32_t n, uint32_t below)
{
	return (struct made_launch){.ctas = ctas, .warps = 1, .nops = n, .below = below};
}

/* Four SMs of one CTA each: two launches that fill half of them take the time of one, 11 cycles and the one in which
 * the end is heard; that take turns, twice that. */
Test(concurrent, halves_of_a_gpu_take_the_time_of_one)
{
	static const char *const set[] = {"sm.count=4", "sm.ctas=1", "launch.concurrent=2", NULL};
	struct made beside = {.m = machine_with(set)}, behind = {.m = machine_with(set)}, alone = {.m = machine_with(set)};

	run(&beside, (struct made_launch[]){nops(2, 9, 0), nops(2, 9, 0)}, 2);
	run(&behind, (struct made_launch[]){nops(2, 9, 0), nops(2, 9, 1)}, 2);
	alone.m.launch.concurrent = 1;
	run(&alone, (struct made_launch[]){nops(2, 9, 0), nops(2, 9, 0)}, 2);
	for (uint32_t c = 0; c < 2; c++) {
		expect_cta(&beside, 0, c, 1, 11);
		expect_cta(&beside, 1, c, 1, 11);
		expect_cta(&behind, 1, c, 12, 22);
		expect_cta(&alone, 1, c, 12, 22);
	}
	cr_expect_eq(beside.r.cycles, 12);
	cr_expect_eq(behind.r.cycles, 23);
	cr_expect_eq(alone.r.cycles, 23);
	drop(&beside);
	drop(&behind);
	drop(&alone);
}

/* Launch 2 waits for launch 1 alone, launch 3 for both, launch 4 for launch 0. */
Test(concurrent, a_launch_begins_when_what_it_waits_for_has_ended)
{
	static const char *const set[] = {"sm.count=4", "sm.ctas=1", "launch.concurrent=128", NULL};
	struct made x = {.m = machine_with(set)};
	struct made_launch l[] = {nops(1, 9, 0), nops(1, 4, 0), nops(1, 4, 0), nops(1, 2, 2), nops(1, 2, 1)};

	l[2].n_waits = 1;
	l[2].waits[0] = 1;
	run(&x, l, 5);
	expect_cta(&x, 0, 0, 1, 11);
	expect_cta(&x, 1, 0, 1, 6);
	expect_cta(&x, 2, 0, 7, 12);
	expect_cta(&x, 3, 0, 12, 15);
	expect_cta(&x, 4, 0, 12, 15);
	cr_expect_eq(x.r.cycles, 16);
	drop(&x);
}

/* Two at a time: the third begins with the end of the shorter one. 40 cycles from each begin to the first CTA. */
Test(concurrent, no_more_launches_begin_than_the_machine_has)
{
	static const char *const set[] = {"sm.count=4", "sm.ctas=1", "launch.concurrent=2", "launch.latency=40", NULL};
	struct made x = {.m = machine_with(set)};
	struct made_launch l[] = {nops(1, 9, 0), nops(1, 4, 0), nops(1, 4, 0)};

	run(&x, l, 3);
	expect_cta(&x, 0, 0, 41, 51);
	expect_cta(&x, 1, 0, 41, 46);
	expect_cta(&x, 2, 0, 87, 92);
	drop(&x);
}

/* An SM of two CTAs. The first launch has three, of which the third goes ahead of the second launch's: that gets what
 * is left over. A CTA a cycle and SM. */
Test(concurrent, a_launch_gets_what_those_before_it_leave_over)
{
	static const char *const set[] = {"sm.count=1", "sm.ctas=2", "launch.concurrent=2", NULL};
	struct made x = {.m = machine_with(set)};
	struct made_launch l[] = {nops(3, 9, 0), nops(1, 4, 0)};

	run(&x, l, 2);
	expect_cta(&x, 0, 0, 1, 11);
	expect_cta(&x, 0, 1, 2, 12);
	expect_cta(&x, 0, 2, 12, 22);
	expect_cta(&x, 1, 0, 13, 18);
	drop(&x);
}

/* An SM of 48 KB. The second launch's CTA does not fit beside the first's; the third's would, and waits in turn. */
Test(concurrent, an_sm_holds_what_fits_in_it)
{
	static const char *const set[] = {"sm.count=1", "launch.concurrent=8", NULL};
	struct made x = {.m = machine_with(set)};
	struct made_launch l[] = {nops(1, 9, 0), nops(1, 4, 0), nops(1, 4, 0)};

	l[0].shared = 40 << 10;
	l[1].shared = 20 << 10;
	run(&x, l, 3);
	expect_cta(&x, 0, 0, 1, 11);
	expect_cta(&x, 1, 0, 12, 17);
	expect_cta(&x, 2, 0, 13, 18);
	drop(&x);
}

/* An array of 64 KB for both, of which shared memory has 16 or 48 KB, and nothing unless a launch has some: the second
 * launch's CTA waits until the SM is idle, and takes its carve-out, in which there is room for the third's. */
Test(concurrent, a_carve_out_changes_on_an_idle_sm)
{
	static const char *const set[] = {"sm.count=1",	      "sm.unified_bytes=64K", "sm.carveouts=0,16K,48K",
					  "l1.allocate=fill", "launch.concurrent=8",  NULL};
	struct made x = {.m = machine_with(set)};
	struct made_launch l[] = {nops(1, 9, 0), nops(1, 9, 0), nops(1, 2, 0)};

	l[1].shared = 8 << 10;
	run(&x, l, 3);
	expect_cta(&x, 0, 0, 1, 11);
	expect_cta(&x, 1, 0, 12, 22);
	expect_cta(&x, 2, 0, 13, 16);
	drop(&x);
}

/* Launches 0 and 1 follow one another, as do 2 and 3; both pairs begin at once. What is printed of each. */
Test(concurrent, launches_say_when_they_began_and_ended)
{
	static const char *const set[] = {"sm.count=4", "sm.ctas=1", "launch.concurrent=4", NULL};
	static const uint64_t launch[] = {2, 0, 3, 1}, began[] = {0, 0, 6, 11}, ended[] = {6, 11, 16, 22};
	struct made x = {.m = machine_with(set)};
	struct made_launch l[] = {nops(1, 9, 0), nops(1, 9, 1), nops(1, 4, 0), nops(1, 8, 0)};
	uint64_t cycles = 0;

	l[3].n_waits = 1;
	l[3].waits[0] = 2;
	run(&x, l, 4);
	cr_assert_eq(x.r.n_launches, 4);
	for (unsigned i = 0; i < 4; i++) {
		cr_expect_eq(x.r.launch[i].index, launch[i], "%u: %u", i, x.r.launch[i].index);
		cr_expect_eq(stats_find(&x.r.launch[i].stats, "launch.began")->count, began[i]);
		cr_expect_eq(stats_find(&x.r.launch[i].stats, "launch.ended")->count, ended[i]);
		cycles += stats_find(&x.r.launch[i].stats, "cycles")->count;
	}
	cr_expect_eq(cycles, x.r.cycles);
	drop(&x);
}

/* What holds an SM for one launch at a time: they take turns, whatever the trace says. */
static void expect_turns(const char *key, const char *more, const struct plan *plan)
{
	const char *const set[] = {"sm.count=4", "sm.ctas=2", "launch.concurrent=2", key, more, NULL};
	struct made x = {.m = machine_with(set)};

	run_as(&x, (struct made_launch[]){nops(2, 9, 0), nops(2, 9, 0)}, 2, (struct gpu_config){.plan = plan});
	cr_expect_null(stats_find(&x.r.launch[0].stats, "launch.began"));
	for (uint32_t c = 0; c < 2; c++)
		cr_expect_geq(timeline_cta(&x.timeline, 1, c)->start, timeline_cta(&x.timeline, 0, 1)->end);
	drop(&x);
}

Test(concurrent, launches_take_turns_where_sms_are_for_one)
{
	struct plan_launch pairs[2] = {{.dispatch = DISPATCH_PAIR_WAIT}, {.dispatch = DISPATCH_ROUND_ROBIN}};
	const struct plan plan = {.n_launches = 2, .launch = pairs};

	expect_turns("throttle.policy=swt", NULL, NULL);
	expect_turns("l1.replacement=pin", "l1.pin.soft=all", NULL);
	expect_turns(NULL, NULL, &plan);
}

/* ---- any program ---- */

static struct made_launch any_launch(uint64_t *seed, uint32_t number)
{
	struct made_launch l = {.ctas = 1 + random_below(seed, 12),
				.warps = 1 + random_below(seed, 4),
				.nops = random_below(seed, 60),
				.loads = random_below(seed, 8),
				.shared = random_below(seed, 3) * (6 << 10),
				.kernel = random_below(seed, 2)};
	uint32_t at;

	l.below = at = random_below(seed, 3) ? (number > 6 ? number - 6 : 0) : random_below(seed, number + 1);
	while (l.n_waits < MAX_WAITS && at < number && (at += random_below(seed, 3)) < number)
		l.waits[l.n_waits++] = at++;
	return l;
}

/* The machine of the first name, with the keys behind it. */
static struct machine machine_of(const char *const *set)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, *set, "csim/machines", &e), 0, "%s", e.text);
	while (*++set)
		cr_assert_eq(machine_set(&m, *set, &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	return m;
}

static char *metrics(const struct gpu_result *r)
{
	json_t *all = json_array();
	char *text;

	json_array_append_new(all, stats_json(&r->stats));
	for (uint32_t i = 0; i < r->n_launches; i++)
		json_array_append_new(all, stats_json(&r->launch[i].stats));
	text = json_dumps(all, 0);
	json_decref(all);
	return text;
}

Test(concurrent, any_program_keeps_the_invariants_in_whichever_order_parts_are_stepped)
{
	static const char *const machines[][8] = {
		{"gtx480", "sm.count=3", "launch.concurrent=5"},
		{"gtx480", "sm.count=1", "launch.concurrent=128", "l1.allocate=fill", "sm.unified_bytes=64K",
		 "sm.carveouts=0,16K,48K"},
		{"gtx480", "sm.count=2", "sm.warps=8", "sm.threads=256", "launch.concurrent=3", "launch.latency=100"},
		{"gtx480", "sm.count=2", "launch.concurrent=16", "operands.banks=16", "pipe.depth=8", "fetch.width=2"},
		{"gtx480", "sm.count=2", "launch.concurrent=16", "caches.locality_classes=true", "l1.prefetch.policy=next-line"},
		{"gtx480", "sm.count=2", "launch.concurrent=16", "l1.bypass.policy=streaming", "l1.front.policy=mrpb"},
		{"qv100", "sm.count=1", "launch.concurrent=128", "launch.latency=20", "launch.cta_latency=5"},
	};

	for (unsigned i = 0; i < sizeof machines / sizeof *machines; i++)
		for (uint64_t round = 1; round <= 12; round++) {
			struct made x = {.m = machine_of(machines[i])}, back = {.m = x.m}, two = {.m = x.m};
			struct made_launch l[MAX_LAUNCHES];
			uint64_t seed = round;
			uint32_t n = 2 + random_below(&seed, 40);
			char *text[3];

			for (uint32_t k = 0; k < n; k++)
				l[k] = any_launch(&seed, k);
			run(&x, l, n);
			run_as(&back, l, n, (struct gpu_config){.reverse = true, .no_skip = true});
			run_as(&two, l, n, (struct gpu_config){.threads = 2, .always_threads = true});
			text[0] = metrics(&x.r);
			text[1] = metrics(&back.r);
			text[2] = metrics(&two.r);
			for (unsigned k = 1; k < 3; k++)
				cr_assert_str_eq(text[0], text[k], "machine %u, seed %lu: %u", i, round, k);
			for (unsigned k = 0; k < 3; k++)
				free(text[k]);
			drop(&two);
			drop(&x);
			drop(&back);
		}
}
