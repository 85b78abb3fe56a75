/* 318: random loads and stores, one after another, on a CPU core with small caches, against lists of lines in the order
 * of their use: which level has each line decides how many cycles it takes, and which dirty lines move where is
 * counted. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/cpu_bench.h"
#include "support/made_up.h"
#include "support/random.h"

enum { MAX_SETS = 64, MAX_WAYS = 16, ACCESSES = 20000, PAUSE = 400 };

struct list { /* a set: most recently used first */
	uint64_t line[MAX_WAYS];
	bool dirty[MAX_WAYS];
	unsigned n;
};
struct level {
	unsigned sets, ways;
	struct list set[MAX_SETS];
};
struct reference {
	struct level l1, l2, l3;
	uint64_t l1_backs, l2_backs, memory_writes, memory_reads;
};

static struct level level_of(uint32_t bytes, uint32_t ways)
{
	struct level l = {.sets = bytes / 64 / ways, .ways = ways};

	cr_assert_leq(l.sets, MAX_SETS);
	cr_assert_leq(ways, MAX_WAYS);
	return l;
}

static int find(const struct level *l, uint64_t line)
{
	const struct list *s = &l->set[line % l->sets];

	for (unsigned i = 0; i < s->n; i++)
		if (s->line[i] == line)
			return (int)i;
	return -1;
}

/* Takes a line out; says whether it was dirty. */
static bool take(struct level *l, uint64_t line)
{
	struct list *s = &l->set[line % l->sets];
	unsigned i = (unsigned)find(l, line);
	bool dirty = s->dirty[i];

	memmove(&s->line[i], &s->line[i + 1], (s->n - i - 1) * sizeof s->line[0]);
	memmove(&s->dirty[i], &s->dirty[i + 1], (s->n - i - 1) * sizeof s->dirty[0]);
	s->n--;
	return dirty;
}

static void put_first(struct level *l, uint64_t line, bool dirty)
{
	struct list *s = &l->set[line % l->sets];

	memmove(&s->line[1], &s->line[0], s->n * sizeof s->line[0]);
	memmove(&s->dirty[1], &s->dirty[0], s->n * sizeof s->dirty[0]);
	s->line[0] = line;
	s->dirty[0] = dirty;
	s->n++;
}

static bool touch(struct level *l, uint64_t line)
{
	if (find(l, line) < 0)
		return false;
	put_first(l, line, take(l, line));
	return true;
}

/* The line that has to go for another one to enter; false: there is room. */
static bool victim(const struct level *l, uint64_t line, uint64_t *out)
{
	const struct list *s = &l->set[line % l->sets];

	*out = s->n == l->ways ? s->line[s->n - 1] : 0;
	return s->n == l->ways;
}

static void room_in_l3(struct reference *r, uint64_t line)
{
	uint64_t old;

	if (victim(&r->l3, line, &old))
		r->memory_writes += take(&r->l3, old);
}

static void write_back(struct reference *r, uint64_t line)
{
	r->l2_backs++;
	if (find(&r->l3, line) >= 0)
		take(&r->l3, line);
	else
		room_in_l3(r, line);
	put_first(&r->l3, line, true);
}

static void room_in_l2(struct reference *r, uint64_t line)
{
	uint64_t old;
	bool dirty;

	if (!victim(&r->l2, line, &old))
		return;
	dirty = take(&r->l2, old);
	if (find(&r->l1, old) >= 0)
		dirty |= take(&r->l1, old);
	if (dirty)
		write_back(r, old);
}

static void into_l1(struct reference *r, uint64_t line)
{
	uint64_t old;

	if (victim(&r->l1, line, &old) && take(&r->l1, old)) {
		r->l1_backs++;
		r->l2.set[old % r->l2.sets].dirty[find(&r->l2, old)] = true;
	}
	put_first(&r->l1, line, false);
}

/* 1, 2, 3: the level that had the line; 4: memory. *wait: a cycle for each line that goes the same way ahead of it, to
 * the L3 or from there to memory, because one goes a cycle. */
static unsigned reference_access(struct reference *r, uint64_t line, bool store, unsigned *wait)
{
	uint64_t written = r->l2_backs;
	unsigned level = 1;

	*wait = 0;
	if (!touch(&r->l1, line)) {
		level = 2;
		if (!touch(&r->l2, line)) {
			room_in_l2(r, line);
			*wait = (unsigned)(r->l2_backs - written);
			level = touch(&r->l3, line) ? 3 : 4;
			if (level == 4) {
				written = r->memory_writes;
				room_in_l3(r, line);
				*wait += (unsigned)(r->memory_writes - written);
				put_first(&r->l3, line, false);
				r->memory_reads++;
			}
			put_first(&r->l2, line, false);
		}
		into_l1(r, line);
	}
	r->l1.set[line % r->l1.sets].dirty[0] |= store;
	return level;
}

static const char *const machines[][12] = {
	{"cpu.l1.bytes=512", "cpu.l1.ways=2", "cpu.l2.bytes=2K", "cpu.l2.ways=4", "cpu.l3.bytes=8K", "cpu.l3.ways=8", "cpu.rob=1",
	 "cpu.width=1", NULL},
	{"cpu.l1.bytes=1K", "cpu.l1.ways=16", "cpu.l2.bytes=1K", "cpu.l2.ways=1", "cpu.l3.bytes=1K", "cpu.l3.ways=16", "cpu.rob=1",
	 "cpu.width=1", NULL},
	{"cpu.l1.bytes=256", "cpu.l1.ways=1", "cpu.l2.bytes=4K", "cpu.l2.ways=16", "cpu.l3.bytes=512", "cpu.l3.ways=2", "cpu.rob=1",
	 "cpu.width=1", NULL},
};

/* An instruction at a time, and a pause after each, in which a store finds its way. */
Test(cpu_caches, each_access_finds_its_line_where_the_lists_have_it)
{
	static const unsigned latency[] = {0, 4, 14, 40, 240};
	static struct reference r;

	for (unsigned m = 0; m < 3; m++) {
		struct cpu_bench *b = cpu_bench_new(machines[m]);
		const struct private_caches_stats *p = &b->core[0].cache.stats;
		uint64_t seed = m, cycles = 0;

		memset(&r, 0, sizeof r);
		r.l1 = level_of(b->m.cpu.l1.bytes, b->m.cpu.l1.ways);
		r.l2 = level_of(b->m.cpu.l2.bytes, b->m.cpu.l2.ways);
		r.l3 = level_of(b->m.cpu.l3.bytes, b->m.cpu.l3.ways);
		for (unsigned i = 0; i < ACCESSES; i++) {
			uint64_t x = random_u64(&seed), line = x >> 20 & 1 ? x % 24 : x % 300;
			bool store = (x >> 30) % 3 == 0;
			unsigned wait, level = reference_access(&r, line, store, &wait);

			if (store)
				cpu_bench_store(b, 0, line * 64, 0);
			else
				cpu_bench_load(b, 0, line * 64, 0);
			cpu_bench_compute(b, 0, PAUSE, 0);
			cycles += PAUSE + (store ? 1 : latency[level] + wait);
		}
		cpu_bench_play(b);
		cr_assert_eq(b->cycles[0], cycles, "machine %u: %lu cycles, the lists say %lu", m, b->cycles[0], cycles);
		cr_assert_eq(p->l1_write_backs, r.l1_backs, "machine %u", m);
		cr_assert_eq(p->l2_write_backs, r.l2_backs, "machine %u", m);
		cr_assert_eq(b->l3.stats.write_backs, r.memory_writes, "machine %u", m);
		cr_assert_eq(b->l3.stats.misses, r.memory_reads, "machine %u", m);
		cr_assert_gt(r.l1_backs + r.l2_backs, 1000);
		cr_assert_gt(r.memory_writes, 1000);
		cpu_bench_free(b);
	}
}
