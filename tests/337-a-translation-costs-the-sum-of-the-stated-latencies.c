/* 337: what a load costs whose page is in the SM's TLB, in the module's, in neither: the sums of
 * docs/explanation/virtual-memory.md, load by load and to the cycle, with the clocks of the GTX480 and with others. The
 * formulas below are written from that page and from docs/explanation/timing.md; they share nothing with the model. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "support/chase.h"
#include "support/machine.h"
#include "support/mem_rig.h"

#define BASE UINT64_C(0x10000000)
enum { PAGES = 16, L1_HIT_CYCLES = 35, MAX_SET = 20 };

static const char *const clocks[][4] = {
	{"clock.core=700", "clock.net=1400", "clock.l2=700", "clock.dram=924"},
	{"clock.core=1000", "clock.net=700", "clock.l2=650", "clock.dram=1111"},
	{"clock.core=600", "clock.net=1000", "clock.l2=900", "clock.dram=500"},
};
enum { N_CLOCKS = sizeof clocks / sizeof clocks[0] };

/* Virtual memory without refresh, with these clocks and keys. */
static struct machine machine_of(const char *const clock[4], const char *const *more)
{
	const char *set[MAX_SET + 1] = {"vm.enabled=true", "dram.refresh=false", clock[0], clock[1], clock[2], clock[3]};
	unsigned n = 6;

	for (; *more; more++)
		set[n++] = *more;
	cr_assert_leq(n, MAX_SET);
	return machine_with(set);
}
#define KEYS(...) ((const char *const[]){__VA_ARGS__, NULL})

static uint64_t edge(uint64_t t, uint64_t period)
{
	return (t + period - 1) / period * period;
}

/* Core cycles of a read of 8 bytes that leaves in core cycle s and finds its line in the L2: hop and one flit there,
 * 120 L2 cycles, hop and one flit back (8 bytes of header and 8 of data in flits of 32). */
static uint64_t read_cost(const struct machine *m, uint64_t s)
{
	const uint64_t core = m->clock.period[CLOCK_CORE], net = m->clock.period[CLOCK_NET], l2 = m->clock.period[CLOCK_L2];
	uint64_t t = edge(s * core, net) + (1 + 1) * net;

	t = edge(t, l2) + 120 * l2;
	t = edge(t, net) + (1 + 1) * net;
	return (t + core - 1) / core - s;
}

/* From issue in cycle c to the next: looked up in c + 1; the MMU's answer takes `l2` cycles, and a walk of `reads` in
 * between, the first of which leaves a cycle before the answer of a hit would come; then the L1 hit. l2 = 0: the SM's
 * TLB had it. */
static uint64_t cost(const struct machine *m, uint64_t c, uint64_t tlb, uint64_t l2, unsigned reads)
{
	uint64_t walk = 0;

	for (unsigned i = 0; i < reads; i++)
		walk += read_cost(m, c + l2 + walk);
	return L1_HIT_CYCLES + tlb + l2 + walk;
}

/* A line of each of 16 pages, in three rounds: from the second one on all lines are in the L1, all entries in the
 * L2. */
static struct chase rounds(uint64_t page)
{
	struct chase c = {.n = 3 * PAGES, .base = BASE, .bytes = PAGES * page};

	for (unsigned i = 0; i < c.n; i++)
		c.addr[i] = BASE + i % PAGES * (page + 128);
	return c;
}

static void expect(const struct chase *c, const struct machine *m, uint64_t tlb, uint64_t l2, unsigned reads)
{
	for (unsigned i = PAGES; i < c->n; i++) {
		uint64_t got = c->issued[i + 1] - c->issued[i], want = cost(m, c->issued[i], tlb, l2, reads);

		cr_assert_eq(got, want, "load %u: %lu cycles, the sum is %lu", i, got, want);
	}
}

Test(translation, that_the_sms_tlb_has_costs_its_latency)
{
	for (unsigned k = 0; k < N_CLOCKS; k++)
		for (unsigned latency = 0; latency < 9; latency += 4) {
			char text[40];
			struct machine m;
			struct chase c = rounds(4096);

			snprintf(text, sizeof text, "vm.l1_tlb.latency=%u", latency);
			m = machine_of(clocks[k], KEYS(text));
			chase_play(&c, &m);
			expect(&c, &m, latency, 0, 0);
			cr_assert_eq(c.tlb.misses, PAGES);
			cr_assert_eq(c.tlb.hits, 2 * PAGES);
		}
}

Test(translation, that_the_modules_tlb_has_costs_both_latencies)
{
	for (unsigned k = 0; k < N_CLOCKS; k++)
		for (unsigned l2 = 2; l2 < 40; l2 += 9)
			for (unsigned l1 = 0; l1 < 4; l1 += 3) {
				char a[40], b[40];
				struct machine m;
				struct chase c = rounds(4096);

				snprintf(a, sizeof a, "vm.l1_tlb.latency=%u", l1);
				snprintf(b, sizeof b, "vm.l2_tlb.latency=%u", l2);
				m = machine_of(clocks[k], KEYS(a, b, "vm.l1_tlb.entries=1", "vm.l1_tlb.ways=1"));
				chase_play(&c, &m);
				expect(&c, &m, l1, l2, 0);
				cr_assert_eq(c.mmu.hits, 2 * PAGES);
				cr_assert_eq(c.mmu.walks, PAGES);
			}
}

/* Without a page-walk cache a read a level; with one that holds the upper levels' entries the last level's only. */
Test(translation, that_no_tlb_has_costs_a_read_a_level)
{
	static const struct {
		const char *page, *cache;
		uint64_t bytes;
		unsigned reads;
	} of[] = {{"vm.page=4K", "vm.walk_cache=0", 4096, 4},
		  {"vm.page=64K", "vm.walk_cache=0", 65536, 4},
		  {"vm.page=2M", "vm.walk_cache=0", 2 << 20, 3},
		  {"vm.page=4K", "vm.walk_cache=3", 4096, 1},
		  {"vm.page=2M", "vm.walk_cache=2", 2 << 20, 1},
		  {"vm.page=4K", "vm.walk_cache=1", 4096, 1} /* the lowest node's entry came last and is used alone */};

	for (unsigned k = 0; k < N_CLOCKS; k++)
		for (unsigned i = 0; i < sizeof of / sizeof of[0]; i++) {
			struct machine m =
				machine_of(clocks[k], KEYS(of[i].page, of[i].cache, "vm.l1_tlb.entries=1", "vm.l1_tlb.ways=1",
							   "vm.l2_tlb.entries=1", "vm.l2_tlb.ways=1"));
			struct chase c = rounds(of[i].bytes);

			chase_play(&c, &m);
			expect(&c, &m, 0, 20, of[i].reads);
			cr_assert_eq(c.mmu.walks, 3 * PAGES);
		}
}

/* The TLB's reach: as many pages as it has entries stay; one page more, round and round, and LRU never has the one that
 * comes. */
Test(translation, of_more_pages_than_a_tlb_has_entries_never_hits)
{
	for (unsigned entries = 8; entries <= 16; entries += 8) {
		struct machine m = machine_of(clocks[0], entries == 16 ? KEYS("vm.l1_tlb.entries=16", "vm.l1_tlb.ways=16")
								       : KEYS("vm.l1_tlb.entries=15", "vm.l1_tlb.ways=15"));
		struct chase c = rounds(4096);

		chase_play(&c, &m);
		expect(&c, &m, 0, entries == 16 ? 0 : 20, 0);
	}
}

/* A fault: the walk finds no entry; one cycle to the pager, its time, and the answer. With one clock for all the rest
 * is the same.
 */
Test(translation, of_a_page_that_is_touched_first_takes_the_pagers_time)
{
	static const char *const one[] = {"clock.core=700", "clock.net=700", "clock.l2=700", "clock.dram=700"};
	static const char *const late[] = {"vm.fault_latency=1", "vm.fault_latency=2", "vm.fault_latency=101"};
	struct chase mapped = rounds(4096), c;
	struct machine m = machine_of(one, KEYS("vm.placement=pages"));

	chase_play(&mapped, &m);
	for (unsigned i = 0; i < 3; i++) {
		const uint64_t fault[] = {1, 2, 101};

		c = rounds(4096);
		m = machine_of(one, KEYS("vm.placement=first-touch", late[i]));
		chase_play(&c, &m);
		cr_assert_eq(c.mmu.faults, PAGES);
		for (unsigned l = 3; l < PAGES; l++)
			cr_assert_eq(c.issued[l + 1] - c.issued[l], mapped.issued[l + 1] - mapped.issued[l] + 1 + fault[i],
				     "load %u: %lu, %lu without a fault", l, c.issued[l + 1] - c.issued[l],
				     mapped.issued[l + 1] - mapped.issued[l]);
	}
}

/* ---- many at once: a warp's lanes in 16 pages, then in 16 others, so that the SM's TLB of one entry never helps
 * ---- */

static void warp(const char *pending, uint64_t stride, uint64_t want, uint64_t merged)
{
	struct machine m = machine_of(clocks[0], KEYS("vm.l1_tlb.entries=1", "vm.l1_tlb.ways=1", pending));
	struct chase c = {.n = 6, .lanes = PAGES, .stride = stride, .base = BASE, .bytes = 4 * PAGES * 4096};

	for (unsigned i = 0; i < c.n; i++)
		c.addr[i] = BASE + i % 2 * (2 * PAGES * 4096 + 2048);
	chase_play(&c, &m);
	for (unsigned i = 2; i < c.n; i++)
		cr_assert_eq(c.issued[i + 1] - c.issued[i], want, "%s: load %u: %lu", pending, i, c.issued[i + 1] - c.issued[i]);
	cr_assert_eq(c.tlb.merged, merged);
}

/* 16 look-ups, one a cycle; the last one's answer 20 cycles later, then the L1: 16 + 20 + 34. With room for p the next
 * p begin when the last of these p has had its turn at the L1: 16 / p times 20 instead of once. */
Test(translation, of_several_pages_goes_on_side_by_side_as_far_as_there_is_room)
{
	warp("vm.l1_tlb.pending=32", 4096 + 128, 16 + 20 + 34, 0);
	warp("vm.l1_tlb.pending=16", 4096 + 128, 16 + 20 + 34, 0);
	warp("vm.l1_tlb.pending=8", 4096 + 128, 16 + 2 * 20 + 34, 0);
	warp("vm.l1_tlb.pending=4", 4096 + 128, 16 + 4 * 20 + 34, 0);
	warp("vm.l1_tlb.pending=1", 4096 + 128, 16 + 16 * 20 + 34, 0);
}

/* All in one page: one miss, the others merge; one after another to the L1 from the answer on. */
Test(translation, of_one_page_for_many_is_asked_for_once)
{
	warp("vm.l1_tlb.pending=16", 128, 16 + 20 + 34, 6 * 15);
}

/* ---- several modules: the table is spread finely, so the entries of a walk are here and there; SM 0 is of module 0
 * ---- */

/* Bits 11 and 10 of a physical address name the stack of a fine page; in a ring of four, module 2 is two links away. */
static uint32_t links_to(uint64_t physical)
{
	static const uint32_t links[] = {0, 1, 2, 1};

	return links[physical >> 10 & 3];
}

static uint64_t read_over_links(const struct machine *m, uint64_t s, uint64_t physical)
{
	const uint64_t core = m->clock.period[CLOCK_CORE], l2 = m->clock.period[CLOCK_L2];
	uint64_t t = mem_rig_over(m, s * core, 0, links_to(physical));

	t = edge(t, l2) + 120 * l2;
	t = mem_rig_over(m, t, 8, links_to(physical));
	return (t + core - 1) / core - s;
}

Test(translation, of_a_walk_over_links_costs_them)
{
	for (unsigned k = 0; k < N_CLOCKS; k++) {
		struct machine m =
			machine_of(clocks[k], KEYS("module.count=4", "sm.count=1", "dram.channels=2", "link.topology=ring",
						   "link.gbps=48", "vm.walk_cache=0", "vm.l1_tlb.entries=1", "vm.l1_tlb.ways=1",
						   "vm.l2_tlb.entries=1", "vm.l2_tlb.ways=1"));
		struct chase c = rounds(600 * 4096); /* each with a last node of its own: entries in all four stacks */
		bool seen[3] = {false};

		c.bytes = PAGES * 600 * 4096;
		chase_play(&c, &m);
		for (unsigned i = PAGES; i < c.n; i++) {
			uint64_t t = c.issued[i] + 20, got = c.issued[i + 1] - c.issued[i];

			for (unsigned l = 0; l < 4; l++) {
				seen[links_to(c.entry_at[i][l])] = true;
				t += read_over_links(&m, t, c.entry_at[i][l]);
			}
			cr_assert_eq(got, t - c.issued[i] + L1_HIT_CYCLES, "load %u: %lu cycles", i, got);
		}
		cr_assert(seen[0] && seen[1] && seen[2]);
	}
}
