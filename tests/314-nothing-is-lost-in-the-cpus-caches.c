/* 314: random programs on several CPU cores with small caches, few MSHR entries and a short store buffer: all
 * invariants hold (cpu_bench checks them after each round), the order in which cores and L3 are stepped changes
 * nothing, and the same again gives the same. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/cpu_bench.h"
#include "support/made_up.h"
#include "support/random.h"

static const char *const machines[][12] = {
	{"cpu.count=1", NULL},
	{"cpu.count=4", "cpu.l1.bytes=1K", "cpu.l2.bytes=4K", "cpu.l3.bytes=16K", NULL},
	{"cpu.count=8", "cpu.l1.bytes=512", "cpu.l1.ways=1", "cpu.l2.bytes=1K", "cpu.l2.ways=2", "cpu.l3.bytes=2K", "cpu.l3.ways=4",
	 "cpu.mshr=2", "cpu.l3.mshr=3", "cpu.store_buffer=1", NULL},
	{"cpu.count=3", "cpu.l1.bytes=1K", "cpu.l2.bytes=1K", "cpu.l3.bytes=1K", "cpu.l3.latency=15", "cpu.ports=1", "cpu.rob=7",
	 "cpu.in_order=true", NULL},
	{"cpu.count=2", "cpu.l1.bytes=2K", "cpu.l2.bytes=4K", "cpu.l3.bytes=8K", "cpu.line=128", "cpu.rob=1", "cpu.width=1", NULL},
};
enum { MACHINES = sizeof machines / sizeof machines[0], INSTS = 4000, ROUNDS = 3 };

static void fill(struct cpu_bench *b, uint64_t *seed)
{
	for (unsigned c = 0; c < b->m.cpu.count; c++)
		for (unsigned i = 0; i < INSTS; i++) {
			uint64_t r = random_u64(seed), addr = (r >> 8) % 600 * 64 * (r & 64 ? 1 : 16) + (r >> 32) % 64;
			uint32_t back = r & 128 ? (uint32_t)(r >> 40) % 40 : 0;

			if (r % 5 == 0)
				cpu_bench_load(b, c, addr, back < i ? back : 0);
			else if (r % 5 == 1)
				cpu_bench_store(b, c, addr, back < i ? back : 0);
			else
				cpu_bench_compute(b, c, 1 + (r >> 50) % 9, back < i ? back : 0);
		}
}

struct outcome {
	uint64_t cycles[ROUNDS][CPU_BENCH_CORES];
	struct cpu_core_stats core[CPU_BENCH_CORES];
	struct private_caches_stats cache[CPU_BENCH_CORES];
	struct cpu_l3_stats l3;
	uint64_t last_sent;
};

static void play(struct outcome *o, const char *const *set, uint64_t seed, bool reverse)
{
	struct cpu_bench *b = cpu_bench_new(set);

	memset(o, 0, sizeof *o);
	b->reverse = reverse;
	for (unsigned r = 0; r < ROUNDS; r++) {
		fill(b, &seed);
		cpu_bench_play(b);
		cpu_bench_clear(b);
		memcpy(o->cycles[r], b->cycles, sizeof b->cycles);
	}
	for (unsigned c = 0; c < b->m.cpu.count; c++) {
		o->core[c] = b->core[c].stats;
		o->cache[c] = b->core[c].cache.stats;
		cr_assert_eq(o->core[c].insts, ROUNDS * INSTS);
	}
	o->l3 = b->l3.stats;
	o->last_sent = b->sent_at[b->n_sent - 1];
	cpu_bench_free(b);
}

Test(cpu_invariants, hold_for_random_programs_and_neither_repetition_nor_order_changes_a_figure)
{
	static struct outcome first, second, reverse;

	for (unsigned i = 0; i < MACHINES; i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			play(&first, machines[i], seed, false);
			play(&second, machines[i], seed, false);
			play(&reverse, machines[i], seed, true);
			cr_assert_eq(memcmp(&first, &second, sizeof first), 0, "machine %u, seed %lu: a second run", i, seed);
			cr_assert_eq(memcmp(&first, &reverse, sizeof first), 0, "machine %u, seed %lu: reverse order", i, seed);
			cr_assert_gt(first.l3.misses, 0);
			if (i > 0) /* the first one's L3 holds everything */
				cr_assert_gt(first.l3.write_backs, 0);
		}
}
