/* 348: TAFE's hardware as a CPU core's store hook: a store a cycle, what a miss costs, commands at fences, its
 * memory. */
#include <criterion/criterion.h>
#include <string.h>

#include "base/arena.h"
#include "cpu/store_tracker.h"
#include "hw/tafe/tafe.h"
#include "support/cpu_bench.h"
#include "support/taf_made.h"

#define BASE UINT64_C(0x1000)
enum { MISS = 240, N = 512, THREADS = 16 };

/* Numbers of the commands. NOTHING is one in which the hardware has no part. */
enum { SETUP = 1, ENTER, READY, NOTHING, COMMANDS };

struct rig {
	struct store_tracker_commands commands;
	struct cpu_bench *b;
	struct store_tracker t;
	struct arena arena;
	struct taf taf;
	struct taf_memory memory;
	struct tafe_in command[COMMANDS];
	uint32_t taken[8], n_taken;
};

static const struct tafe_in *find(const struct store_tracker_commands *c, uint32_t number)
{
	return number == NOTHING ? NULL : &((const struct rig *)c)->command[number];
}

static void taken(struct store_tracker_commands *c, uint32_t number)
{
	struct rig *r = (struct rig *)c;

	cr_assert_lt(r->n_taken, sizeof r->taken / sizeof r->taken[0]);
	r->taken[r->n_taken++] = number;
}

/* An array of N elements of 4 bytes, THREADS a CTA, and the lines of the L1 that hold them. */
static void open_rig(struct rig *r, uint32_t latency, bool every_cycle)
{
	const struct taf_array a = {.type = TAF_TID_DEP, .primary = true, .m = {1, 0, 0, THREADS}};
	struct hw_binder golden = hw_golden_binder(&r->arena);
	struct err e = {""};
	unsigned i;

	memset(r, 0, sizeof *r);
	r->commands = (struct store_tracker_commands){find, taken};
	r->b = cpu_bench_new(NULL);
	r->b->m.store_tracker.latency = latency;
	r->taf = taf_made((const uint32_t[3]){THREADS, 1, 1}, (const uint32_t[3]){N / THREADS, 1, 1}, (struct taf_options){0});
	i = taf_made_add(&r->taf, a, BASE, N, 4, 0, 0);
	taf_memory_init(&r->memory, &r->taf);
	for (uint64_t c = 0; c < r->taf.n_calls; c++)
		taf_memory_call(&r->memory, &r->taf, &r->taf.call[c]);
	golden.ctx = &r->arena;
	cr_assert_eq(store_tracker_init(&r->t, &r->b->m, "cpu.store_tracker", &golden, &r->commands, &r->memory, &e), 0, "%s",
		     e.text);
	r->t.clock.every_cycle = every_cycle;
	r->b->hook = &r->t.hook;
	r->command[SETUP] =
		(struct tafe_in){.cmd_op = TAFE_SETUP, .cmd_ctas = N / THREADS, .cmd_grid_x = N / THREADS, .cmd_grid_y = 1};
	r->command[SETUP].cmd_block[0] = THREADS - 1;
	r->command[ENTER] = (struct tafe_in){.cmd_op = TAFE_REGISTER,
					     .cmd_base = BASE,
					     .cmd_limit = BASE + 4 * N,
					     .cmd_size = 2,
					     .cmd_type = TAFE_TID_DEP,
					     .cmd_extents = r->taf.array[i].extents / TAF_LINE,
					     .cmd_source = taf_entry_address(i) / TAF_LINE};
	r->command[READY] = (struct tafe_in){.cmd_op = TAFE_READY};
}

static void close_rig(struct rig *r)
{
	cpu_bench_free(r->b);
	taf_memory_free(&r->memory);
	taf_free(&r->taf);
	arena_free(&r->arena);
}

static void store(struct rig *r, uint64_t addr, uint64_t value)
{
	cpu_bench_store_value(r->b, (struct cpu_store){addr, value, 4}, 0);
}

/* Cycles of n stores to the array's elements in order, all in the L1 already. */
static uint64_t stores(struct rig *r, unsigned n)
{
	for (unsigned round = 0; round < 2; round++) {
		cpu_bench_clear(r->b);
		for (unsigned i = 0; i < n; i++)
			store(r, BASE + 4 * i, 1000 + i);
		if (round == 0)
			r->b->hook = NULL; /* to warm the caches */
		cpu_bench_play(r->b);
		r->b->hook = &r->t.hook;
	}
	return r->b->cycles[0];
}

static void command(struct rig *r, uint32_t number)
{
	cpu_bench_clear(r->b);
	cpu_bench_fence(r->b, number);
	cpu_bench_play(r->b);
}

/* Store i retires in 1 + i / 4. Four a cycle are looked up, so the last one in N / 4, and is done a cycle later. The
 * hardware, which tracks nothing, takes store i in 1 + i. */
Test(store_tracker, a_store_a_cycle_passes)
{
	struct rig r;

	open_rig(&r, 14, false);
	cr_assert_eq(stores(&r, N), N + 1);
	cr_assert_eq(r.t.stats.stores, N);
	cr_assert_eq(r.t.stats.stalls, 0);
	cr_assert_eq(r.t.stats.tracked + r.t.stats.unmatched, 0);
	r.b->hook = NULL;
	cpu_bench_play(r.b);
	cr_assert_eq(r.b->cycles[0], N / 4 + 1);
	close_rig(&r);
}

/* docs/studies/tafe.md: the array's first element waits for its directory entry and three cycles in which dimensions
 * are added, 6 cycles and the line in all; each further CTA 3; a line of extents that is not in the buffer, of which
 * another store is taken first, 1 and the line. Seven CTAs share one. */
Test(store_tracker, a_miss_holds_the_store_buffer_up)
{
	for (uint32_t latency = 1; latency <= 40; latency += 13)
		for (unsigned ctas = 1; ctas <= 6; ctas++) {
			uint64_t want = (6 + latency) + (1 + latency) + 3 * (ctas - 1);
			struct rig r;

			open_rig(&r, latency, false);
			command(&r, SETUP);
			command(&r, ENTER);
			cr_assert_eq(stores(&r, ctas * THREADS), ctas * THREADS + 1 + want, "latency %u, %u CTAs: %lu", latency,
				     ctas, r.b->cycles[0]);
			cr_assert_eq(r.t.stats.stalls, want);
			command(&r, READY);
			cr_assert_eq(r.t.stats.misses, ctas);
			cr_assert_eq(r.t.stats.tracked, ctas * THREADS);
			close_rig(&r);
		}
}

/* With the machine's default the first miss costs the 20 cycles of the paper's evaluation (section 6.2). */
Test(store_tracker, the_first_miss_costs_twenty_cycles)
{
	struct rig r;
	struct cpu_bench *b = cpu_bench_new(NULL);
	uint32_t latency = b->m.store_tracker.latency;

	cpu_bench_free(b);
	open_rig(&r, latency, false);
	command(&r, SETUP);
	command(&r, ENTER);
	stores(&r, THREADS);
	cr_assert_eq(r.t.stats.stalls, 20 + (1 + latency), "the miss, and the line of its extent");
	cr_assert_eq(latency, r.b->m.cpu.l2.latency, "the line is in the CPU's L2");
	close_rig(&r);
}

static struct taf_extent extent(const struct rig *r, uint32_t cta)
{
	return taf_extent_get(&r->memory, r->taf.array[0].extents, cta);
}

Test(store_tracker, a_command_waits_for_the_stores_before_it_and_leaves_the_extents_in_memory)
{
	struct rig r;

	open_rig(&r, 14, false);
	command(&r, SETUP);
	command(&r, ENTER);
	cpu_bench_clear(r.b);
	for (unsigned i = 0; i < N; i++)
		store(&r, BASE + 4 * i, 1000 + i);
	cpu_bench_fence(r.b, READY);
	store(&r, BASE, 5);
	cpu_bench_play(r.b);
	cr_assert_geq(r.b->cycles[0], MISS);
	cr_assert_eq(r.t.stats.tracked, N, "the store behind READY is not tracked");
	for (uint32_t cta = 0; cta < N / THREADS; cta++) {
		struct taf_extent x = extent(&r, cta);

		cr_assert(x.valid && x.min == 1000 + cta * THREADS && x.max == 1000 + cta * THREADS + THREADS - 1, "CTA %u", cta);
	}
	close_rig(&r);
}

/* Fences may leave the reorder buffer in one cycle; commands are taken one a cycle. One in which the hardware has no
 * part is taken in its turn, too. */
Test(store_tracker, commands_one_after_the_other_are_all_taken)
{
	const uint32_t order[] = {SETUP, NOTHING, ENTER, NOTHING, READY, READY};
	struct rig r;

	open_rig(&r, 14, false);
	cpu_bench_clear(r.b);
	cpu_bench_fence(r.b, SETUP);
	cpu_bench_fence(r.b, NOTHING);
	cpu_bench_fence(r.b, ENTER);
	for (unsigned i = 0; i < THREADS; i++)
		store(&r, BASE + 4 * i, i);
	cpu_bench_fence(r.b, NOTHING);
	cpu_bench_fence(r.b, READY);
	cpu_bench_fence(r.b, READY);
	cpu_bench_play(r.b);
	cr_assert_eq(r.t.stats.commands, 4);
	cr_assert_eq(r.n_taken, 6);
	cr_assert_arr_eq(r.taken, order, sizeof order);
	cr_assert_eq(r.t.stats.tracked, THREADS);
	cr_assert(extent(&r, 0).valid && extent(&r, 0).max == THREADS - 1);
	close_rig(&r);
}

Test(store_tracker, stepping_every_cycle_changes_no_figure)
{
	struct rig r[2];

	for (unsigned i = 0; i < 2; i++) {
		open_rig(&r[i], 14, i == 1);
		command(&r[i], SETUP);
		command(&r[i], ENTER);
		stores(&r[i], N);
		command(&r[i], READY);
	}
	cr_assert_lt(r[0].t.stats.steps, r[1].t.stats.steps);
	r[0].t.stats.steps = r[1].t.stats.steps;
	cr_assert_eq(memcmp(&r[0].t.stats, &r[1].t.stats, sizeof r[0].t.stats), 0);
	cr_assert_eq(memcmp(r[0].memory.byte, r[1].memory.byte, r[0].memory.bytes), 0);
	for (unsigned i = 0; i < 2; i++)
		close_rig(&r[i]);
}

/* Hardware that asks for what is no metadata gets zeros, and changes nothing. */
Test(store_tracker, requests_outside_the_metadata_are_counted)
{
	struct rig r;

	open_rig(&r, 14, false);
	r.command[ENTER].cmd_extents = 0x1234;
	command(&r, SETUP);
	command(&r, ENTER);
	stores(&r, THREADS);
	command(&r, READY);
	cr_assert_eq(r.t.stats.out_of_range, 2, "a read and a write");
	cr_assert_eq(r.t.stats.tracked, THREADS);
	cr_assert_not(extent(&r, 0).valid);
	close_rig(&r);
}
