/* 354: a store hook sees each store once, in program order, with its address and value, before the cache does,
 * whatever the core reorders or stalls; and a fence's command when all older stores are in the caches, to the cycle. */
#include <criterion/criterion.h>
#include <signal.h>
#include <string.h>

#include "support/cpu_bench.h"
#include "support/random.h"

#define LINE UINT64_C(64)
enum { MISS = 240, INSTS = 4000, EVENTS = INSTS, LINES = 512 };

struct event {		  /* a store or a command that was taken */
	uint32_t command; /* 0: a store */
	struct cpu_store store;
	uint64_t offered, taken; /* CPU cycles: first and last offered */
};

struct recorder {
	struct cpu_store_hook hook;
	const struct cpu_bench *b;
	uint64_t random;	     /* the state of its random numbers */
	uint32_t refuse;	     /* of 8 offers, at random; */
	uint32_t first, of_commands; /* or so many offers of each store, of each command */
	struct event event[EVENTS];
	uint32_t n, refused;	   /* taken; offers of the next one that were refused */
	uint64_t lines;		   /* of the stores taken */
	uint64_t edge, last_store; /* the last cycle that ended, + 1; in which a store was offered, + 1 */
	bool busy;
};

static bool same(const struct cpu_store *a, const struct cpu_store *b)
{
	return a->addr == b->addr && a->value == b->value && a->bytes == b->bytes;
}

/* What is offered is the event after those that were taken, and stays so until it is taken, too. */
static bool offer(struct recorder *r, struct event e, uint64_t cycle, uint32_t refusals)
{
	struct event *at = &r->event[r->n];
	bool taken = r->refuse ? random_below(&r->random, 8) >= r->refuse : r->refused >= refusals;

	cr_assert_lt(r->n, EVENTS);
	cr_assert_geq(cycle, r->edge, "a cycle that has ended");
	if (r->refused) {
		cr_assert(at->command == e.command && same(&at->store, &e.store), "event %u: another one is offered", r->n);
		cr_assert_eq(cycle, at->taken + 1, "event %u: offered in every cycle until it is taken", r->n);
	} else {
		*at = e;
		at->offered = cycle;
	}
	r->refused = taken ? 0 : r->refused + 1;
	at->taken = cycle;
	r->n += taken;
	return taken;
}

static uint32_t lines_of(const struct recorder *r, uint32_t store)
{
	const struct cpu_list *l = &r->b->list[0];

	for (uint32_t i = 0; i < l->n; i++)
		if (l->inst[i].kind == CPU_STORE && store-- == 0)
			return l->inst[i].n_lines;
	cr_assert_fail("more stores than there are");
	return 0;
}

static bool on_store(struct cpu_store_hook *hook, uint64_t cycle, const struct cpu_store *s)
{
	struct recorder *r = (struct recorder *)hook;
	uint32_t stores = 0;

	cr_assert_geq(cycle, r->last_store, "one a cycle");
	r->last_store = cycle + 1;
	cr_assert_eq(r->b->core[0].cache.stats.stores, r->lines, "the cache has seen the stores before, and no other");
	for (uint32_t i = 0; i < r->n; i++)
		stores += r->event[i].command == 0;
	if (!offer(r, (struct event){.store = *s}, cycle, r->first))
		return false;
	r->lines += lines_of(r, stores);
	return true;
}

static bool on_command(struct cpu_store_hook *hook, uint64_t cycle, uint32_t command)
{
	struct recorder *r = (struct recorder *)hook;

	cr_assert_gt(command, 0);
	cr_assert_eq(r->b->core[0].cache.stats.stores, r->lines);
	cr_assert_eq(r->b->core[0].sb_head, r->b->core[0].sb_tail, "a store before is on its way");
	return offer(r, (struct event){.command = command}, cycle, r->of_commands);
}

static void on_edge(struct cpu_store_hook *hook, uint64_t cycle)
{
	struct recorder *r = (struct recorder *)hook;

	cr_assert(r->busy ? cycle == r->edge : cycle >= r->edge, "busy: no cycle is left out");
	r->edge = cycle + 1;
	r->busy = r->refuse && random_below(&r->random, 4) == 0;
}

static bool is_busy(const struct cpu_store_hook *hook)
{
	return ((const struct recorder *)hook)->busy;
}

static void attach(struct recorder *r, struct cpu_bench *b)
{
	memset(r, 0, sizeof *r);
	r->hook = (struct cpu_store_hook){on_store, on_command, on_edge, is_busy};
	r->b = b;
	b->hook = &r->hook;
}

static void compare(const struct recorder *r, const char *what)
{
	const struct cpu_list *l = &r->b->list[0];
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->n; i++) {
		const struct cpu_inst *in = &l->inst[i];
		const struct event *e = &r->event[n];

		if (in->kind != CPU_STORE && !(in->kind == CPU_FENCE && in->command))
			continue;
		cr_assert_lt(n++, r->n, "%s: instruction %u was not seen", what, i);
		cr_assert_eq(e->command, in->kind == CPU_FENCE ? in->command : 0, "%s: instruction %u", what, i);
		cr_assert(in->kind == CPU_FENCE || same(&e->store, &in->store), "%s: instruction %u", what, i);
	}
	cr_assert_eq(r->n, n, "%s: something was seen twice", what);
}

/* Stores of all sizes among loads that miss and chains of computation; some also touch a second line. */
static void random_program(struct cpu_bench *b, uint64_t *random)
{
	for (uint32_t i = 0; i < INSTS; i++) {
		uint32_t bytes = 1u << random_below(random, 4),
			 back = random_below(random, 3) ? 0 : 1 + (uint32_t)random_below(random, 9);
		uint64_t addr = random_below(random, LINES * LINE / bytes) * bytes;

		switch (random_below(random, 8)) {
		case 0:
		case 1:
			cpu_bench_load(b, 0, addr, back);
			break;
		case 2:
			cpu_bench_compute(b, 0, 1 + (uint32_t)random_below(random, 30), back);
			break;
		case 3:
			cpu_bench_fence(b, random_below(random, 2) ? i : 0);
			break;
		default:
			cpu_bench_store_value(b, (struct cpu_store){addr, random_u64(random), bytes}, back);
			if (random_below(random, 5) == 0)
				cpu_inst_add_line(&b->list[0].inst[b->list[0].n - 1], LINES + random_below(random, LINES));
		}
	}
}

Test(store_hook, sees_each_store_and_command_once_and_in_order)
{
	static const char *const machines[][4] = {
		{NULL},
		{"cpu.in_order=true", NULL},
		{"cpu.rob=8", "cpu.store_buffer=1", "cpu.ports=1", NULL},
		{"cpu.width=1", "cpu.mshr=2", "cpu.store_buffer=3", NULL},
		{"cpu.rob=256", "cpu.l1.bytes=1K", "cpu.l2.bytes=4K", NULL},
	};
	static struct recorder r;

	for (unsigned m = 0; m < sizeof machines / sizeof machines[0]; m++)
		for (uint32_t refuse = 0; refuse <= 7; refuse += 7) {
			struct cpu_bench *b = cpu_bench_new(machines[m]);
			char what[32];

			snprintf(what, sizeof what, "machine %u, refuses %u", m, refuse);
			attach(&r, b);
			r.refuse = refuse;
			r.random = m + 1;
			random_program(b, &r.random);
			cpu_bench_play(b);
			compare(&r, what);
			cpu_bench_free(b);
		}
}

/* The first store retires in 1 and is looked up in 1 + first, when the hook takes it; it is in the cache MISS later,
 * when the fence's command is offered. The store behind leaves with the fence. */
Test(store_hook, a_command_comes_in_the_cycle_in_which_the_last_store_before_it_is_in_the_cache)
{
	static struct recorder r;

	for (uint32_t first = 0; first < 3; first++)
		for (uint32_t of_commands = 0; of_commands < 3; of_commands++) {
			struct cpu_bench *b = cpu_bench_new(NULL);
			uint64_t there = 1 + first + MISS, left = there + of_commands;

			attach(&r, b);
			r.first = first;
			r.of_commands = of_commands;
			cpu_bench_store_value(b, (struct cpu_store){5 * LINE, 1, 8}, 0);
			cpu_bench_fence(b, 9);
			cpu_bench_store_value(b, (struct cpu_store){5 * LINE + 8, 2, 4}, 0);
			cpu_bench_play(b);
			cr_assert_eq(r.n, 3);
			cr_assert(r.event[0].offered == 1 && r.event[0].taken == 1 + first);
			cr_assert_eq(r.event[1].command, 9);
			cr_assert(r.event[1].offered == there && r.event[1].taken == left, "offered in %lu", r.event[1].offered);
			cr_assert(r.event[2].offered == left && r.event[2].taken == left + first);
			cr_assert_eq(b->cycles[0], left + first + 1);
			cpu_bench_free(b);
		}
}

/* A hook that takes all at once is in no one's way where the L1 takes one line a cycle anyway. */
Test(store_hook, costs_nothing_at_one_port_when_it_takes_all)
{
	static struct recorder r;
	uint64_t cycles[2];

	for (unsigned with = 0; with < 2; with++) {
		struct cpu_bench *b = cpu_bench_new((const char *const[]){"cpu.ports=1", NULL});
		uint64_t random = 7;

		if (with)
			attach(&r, b);
		random_program(b, &random);
		cpu_bench_play(b);
		cycles[with] = b->cycles[0];
		cpu_bench_free(b);
	}
	cr_assert_eq(cycles[0], cycles[1]);
}

/* A kernel's trace has no values: its stores cannot be tracked. */
Test(store_hook, a_store_of_unknown_value_is_a_defect, .signal = SIGABRT)
{
	static struct recorder r;
	struct cpu_bench *b = cpu_bench_new(NULL);

	attach(&r, b);
	cpu_bench_store(b, 0, 0, 0);
	cpu_bench_play(b);
}
