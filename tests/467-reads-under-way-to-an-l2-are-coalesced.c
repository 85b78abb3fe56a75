/* 467: l2.coalescer: a read that is for no other sectors than one under way to a slice waits for that one's reply, of
 * which it gets a copy; it costs the slice nothing. On gtx480: an L2 cycle of 66 ticks, two of the network; a reply
 * of a line, 136 bytes, takes 5 flits, so 5 network cycles of 33 ticks, at the slice's port and at an SM's.
 */
#include <criterion/criterion.h>
#include <string.h>

#include "memsys/memsys_metrics.h"
#include "support/at_tick.h"
#include "support/mem_rig.h"
#include "support/program.h"

enum { L2 = 66, NET = 33, LINE = 128, FLITS = 5, OTHER = 256 * 6 /* the next line of slice 0 */ };

static struct mem_rig *rig(const char *const *set)
{
	const char *all[8] = {"l2.coalescer=8"};
	unsigned n = 1;

	while (set && *set)
		all[n++] = *set++;
	return mem_rig_new(all);
}

static struct memsys_counts count(const struct mem_rig *r)
{
	return memsys_count(r->s, at_tick(0));
}

/* The L2 has two lines of slice 0. Returns an edge of all clocks after that. */
static uint64_t warm(struct mem_rig *r)
{
	struct mem_req reply;

	for (uint32_t i = 0; i < 2; i++) {
		mem_rig_send(r, i * 66000, 0, REQ_READ, i * OTHER, LINE, 0);
		cr_assert(mem_rig_reply(r, i * 66000 + 33000, 0, &reply));
	}
	return 132000;
}

static void expect_counts(const struct mem_rig *r, uint64_t accesses, uint64_t joined, uint64_t sectors, uint64_t full)
{
	struct memsys_counts c = count(r);

	cr_expect_eq(c.l2.accesses, accesses, "%lu accesses", c.l2.accesses);
	cr_expect_eq(c.coalescers.reads, joined, "%lu reads joined", c.coalescers.reads);
	cr_expect_eq(c.coalescers.sectors, sectors, "%lu sectors", c.coalescers.sectors);
	cr_expect_eq(c.coalescers.full, full, "%lu found no entry", c.coalescers.full);
}

static void audit(struct mem_rig *r, uint64_t tick)
{
	struct err e = {""};

	for (uint32_t i = 0; i < r->m.sm.count; i++) {
		struct mem_req reply;

		while (mem_rig_reply(r, tick, i, &reply))
			;
	}
	cr_assert_eq(memsys_audit(r->s, at_tick(tick), &e), 0, "%s", e.text);
	mem_rig_free(r);
}

/* One lookup for three reads, and each SM has its reply when the first has. */
Test(coalescer, replies_are_copied_on_the_way_out)
{
	struct mem_rig *r = rig(NULL);
	uint64_t sent = warm(r), back = mem_rig_back_at(&r->m, mem_rig_lookup_at(&r->m, sent, 0), LINE);

	for (uint32_t i = 1; i <= 3; i++)
		mem_rig_send(r, sent, i, REQ_READ, 0, LINE, i);
	mem_rig_run(r, back - 1);
	for (uint32_t i = 1; i <= 3; i++) {
		struct mem_req reply = {.token = 0};

		cr_assert_not(queue_front(r->replies[i], at_tick(back - 1)));
		cr_assert(mem_rig_reply(r, back, i, &reply), "SM %u", i);
		cr_assert_eq(reply.token, i);
		cr_assert_eq(reply.found, i == 1 ? REQ_FOUND : REQ_COALESCED);
		cr_assert_eq(reply.dest, memsys_destination(r->s, at_tick(back), i, 0, 0));
	}
	expect_counts(r, 2 + 1, 2, 2 * 4, 0);
	audit(r, back + 100000);
}

/* Five reads, two an entry: three lookups, every second cycle. The slice's port sends a pair's line for 5 network
 * cycles, longer than the 4 from lookup to lookup, so that pairs are as far apart. */
Test(coalescer, a_full_entry_is_joined_by_nobody)
{
	static const char *const two[] = {"l2.coalescer_merges=2", NULL};
	struct mem_rig *r = rig(two);
	uint64_t sent = warm(r), back = mem_rig_back_at(&r->m, mem_rig_lookup_at(&r->m, sent, 0), LINE);

	for (uint32_t i = 1; i <= 5; i++)
		mem_rig_send(r, sent, i, REQ_READ, 0, LINE, i);
	for (uint32_t i = 1; i <= 5; i += 2)
		mem_rig_expect(r, back + (i - 1) / 2 * FLITS * NET, i, i);
	for (uint32_t i = 2; i <= 4; i += 2) {
		struct mem_req reply;

		cr_assert(mem_rig_reply(r, back + 2 * FLITS * NET, i, &reply));
	}
	expect_counts(r, 2 + 3, 2, 2 * 4, 0);
	audit(r, back + 100000);
}

/* Sector 0 leads, sector 1 leads, 0 joins the first; 0 and 1 lead, 1 joins one of those that have it. */
Test(coalescer, a_read_joins_who_reads_its_sectors)
{
	static const struct {
		uint64_t addr;
		uint16_t bytes;
	} reads[] = {{0, 32}, {32, 32}, {4, 8}, {0, 64}, {60, 4}};
	struct mem_rig *r = rig(NULL);
	uint64_t sent = warm(r);

	for (uint32_t i = 0; i < 5; i++)
		mem_rig_send(r, sent + i * L2, i + 1, REQ_READ, reads[i].addr, reads[i].bytes, i);
	mem_rig_run(r, sent + 10000);
	expect_counts(r, 2 + 3, 2, 2, 0);
	for (uint32_t i = 0; i < 5; i++) {
		struct mem_req reply;

		cr_assert(mem_rig_reply(r, sent + 100000, i + 1, &reply));
		cr_assert_eq(reply.bytes, reads[i].bytes);
	}
	audit(r, sent + 200000);
}

/* Read, write, read, read: the third is looked up two cycles after the first, and the fourth joins it. At the slice's
 * port the first reply's 5 flits, the acknowledgement's, and the third's follow one another. */
Test(coalescer, no_read_overtakes_a_write)
{
	struct mem_rig *r = rig(NULL);
	uint64_t sent = warm(r), back = mem_rig_back_at(&r->m, mem_rig_lookup_at(&r->m, sent, 0), LINE);

	mem_rig_send(r, sent, 1, REQ_READ, 0, LINE, 1);
	mem_rig_send(r, sent + 1, 2, REQ_WRITE, 96, 4, 2);
	mem_rig_send(r, sent + NET + 1, 3, REQ_READ, 0, LINE, 3);
	mem_rig_send(r, sent + 2 * NET + 1, 4, REQ_READ, 0, LINE, 4);
	mem_rig_expect(r, back, 1, 1);
	mem_rig_expect(r, back + NET, 2, 2);
	mem_rig_run(r, back + NET + FLITS * NET - 1);
	cr_assert_not(queue_front(r->replies[4], at_tick(back + NET + FLITS * NET - 1)));
	mem_rig_expect(r, back + NET + FLITS * NET, 3, 3);
	expect_counts(r, 2 + 3, 1, 4, 0);
	audit(r, back + 100000);
}

/* Of a read, something else and a read, all of slice 0, the second read joins the first unless the line was changed. */
Test(coalescer, only_changes_of_its_line_close_an_entry)
{
	static const struct {
		enum req_kind kind;
		uint64_t addr, joined;
	} known[] = {{REQ_WRITE, 64, 0}, {REQ_ATOMIC, 0, 0}, {REQ_REDUCTION, 124, 0}, {REQ_WRITE, OTHER, 1}, {REQ_READ, OTHER, 1}};

	for (unsigned k = 0; k < sizeof known / sizeof known[0]; k++) {
		struct mem_rig *r = rig(NULL);
		uint64_t sent = warm(r);

		mem_rig_send(r, sent, 1, REQ_READ, 0, 32, 1);
		mem_rig_send(r, sent + L2, 2, known[k].kind, known[k].addr, 4, 2);
		mem_rig_send(r, sent + 2 * L2, 3, REQ_READ, 0, 32, 3);
		mem_rig_run(r, sent + 100000);
		cr_expect_eq(count(r).coalescers.reads, known[k].joined, "case %u", k);
		audit(r, sent + 200000);
	}
}

/* The line is on its way from memory when a second SM asks: it has it when the first has. Its lookup is no earlier than
 * its coming. The tick after, the entry has ended. */
Test(coalescer, a_miss_is_joined_until_its_line_has_come)
{
	struct mem_rig *r = rig(NULL);
	uint64_t looked_up = mem_rig_lookup_at(&r->m, 0, 0), data = mem_rig_data_at(&r->m, looked_up, 2);
	uint64_t back = mem_rig_back_at(&r->m, data, LINE);
	struct mem_req reply;

	mem_rig_send(r, 0, 1, REQ_READ, 0, LINE, 1);
	mem_rig_send(r, data - 3 * L2, 2, REQ_READ, 0, LINE, 2);
	mem_rig_send(r, data - L2, 3, REQ_READ, 0, LINE, 3); /* two network cycles on its way: it comes at `data` */
	mem_rig_expect(r, back, 1, 1);
	cr_assert(mem_rig_reply(r, back, 2, &reply));
	cr_assert_eq(reply.token, 2);
	cr_assert_eq(reply.found, REQ_COALESCED);
	cr_assert_eq(reply.at[REQ_AT_L2].low, data - 2 * L2);
	cr_assert_eq(reply.at[REQ_LOOKED_UP].low, data - 2 * L2);
	cr_assert_eq(reply.at[REQ_LEFT].low, data);
	mem_rig_expect(r, mem_rig_back_at(&r->m, data + (uint64_t)r->m.l2.latency * L2, LINE), 3, 3);
	expect_counts(r, 2, 1, 4, 0);
	audit(r, back + 100000);
}

/* With one entry, reads of a second line go on alone. */
Test(coalescer, a_read_without_an_entry_goes_on)
{
	static const char *const one[] = {"l2.coalescer=1", NULL};
	struct mem_rig *r = rig(one);
	uint64_t sent = warm(r);

	mem_rig_send(r, sent, 1, REQ_READ, 0, LINE, 1);
	mem_rig_send(r, sent + L2, 2, REQ_READ, OTHER, LINE, 2);
	mem_rig_send(r, sent + 2 * L2, 3, REQ_READ, OTHER, LINE, 3);
	mem_rig_run(r, sent + 100000);
	expect_counts(r, 2 + 3, 0, 0, 2);
	audit(r, sent + 200000);
}

/* A pipe of one stage, in which a read waits for the MSHR entry that the first one has: the third joins the first all
 * the same, and has its line with it. */
Test(coalescer, a_read_joins_past_a_full_pipe)
{
	static const char *const narrow[] = {"l2.latency=1", "l2.mshr_entries=1", NULL};
	struct mem_rig *r = rig(narrow);
	uint64_t data = mem_rig_data_at(&r->m, mem_rig_lookup_at(&r->m, 0, 0), 2), back = mem_rig_back_at(&r->m, data, LINE);
	struct mem_req reply;

	mem_rig_send(r, 0, 1, REQ_READ, 0, LINE, 1);
	mem_rig_send(r, 2 * L2, 2, REQ_READ, OTHER, LINE, 2);
	mem_rig_send(r, 4 * L2, 3, REQ_READ, 0, LINE, 3);
	mem_rig_expect(r, back, 1, 1);
	cr_assert(mem_rig_reply(r, back, 3, &reply));
	cr_assert_eq(reply.token, 3);
	expect_counts(r, 2, 1, 4, 0);
	audit(r, back + 100000);
}

/* The port to the reply network holds one packet. That has left 1 + 5 network cycles after it was pushed, and its
 * credit is back one later: after 7 of them, 3.5 L2 cycles, the next is pushed at the fourth L2 edge. So each copy is
 * a packet of its own; a hit that was looked up meanwhile goes last. */
Test(coalescer, copies_wait_for_room_and_go_first)
{
	static const char *const narrow[] = {"net.in_queue=1", NULL};
	struct mem_rig *r = rig(narrow);
	uint64_t sent = warm(r), looked_up = mem_rig_lookup_at(&r->m, sent, 0);

	for (uint32_t i = 1; i <= 3; i++)
		mem_rig_send(r, sent, i, REQ_READ, 0, LINE, i);
	mem_rig_send(r, sent, 4, REQ_READ, OTHER, LINE, 4);
	for (uint32_t i = 1; i <= 4; i++)
		mem_rig_expect(r, mem_rig_back_at(&r->m, looked_up + (i - 1) * 4 * L2, LINE), i, i);
	expect_counts(r, 2 + 2, 2, 8, 0);
	audit(r, sent + 100000);
}

/* ---- two halves, on qv100, whose SMs, network and L2 have one clock: SMs below 40 are of the first half, at which
 * address 0 is at home. A far read takes l2.latency, a crossing, DRAM and a crossing back, more than 2 * 75 + 180 + 174
 * cycles, so that it is under way at all times below. ---- */

enum { NEAR = 3, FAR = 77 };

static uint64_t joined_of_halves(uint32_t first, uint32_t writer, uint32_t second)
{
	static const char *const halves[] = {"l2.halves=2", "l2.far_latency=75", "l2.coalescer=8", "map.hash_channel=false", NULL};
	struct mem_rig *r = mem_rig_of("qv100", halves);
	uint64_t cycle = r->m.clock.period[CLOCK_CORE], joined;

	mem_rig_send(r, 0, first, REQ_READ, 0, 32, 1);
	if (writer)
		mem_rig_send(r, 2 * cycle, writer, REQ_WRITE, 0, 4, 2);
	mem_rig_send(r, 300 * cycle, second, REQ_READ, 0, 32, 3);
	mem_rig_run(r, 5000 * cycle);
	joined = count(r).coalescers.reads;
	audit(r, 10000 * cycle);
	return joined;
}

/* A write of the near half is done after 180 cycles, and its notice is at the far half 75 later; one of the far half is
 * done in the near half then. Both are before the second read, 300 cycles after the first. */
Test(coalescer, a_write_of_the_other_half_closes_entries)
{
	cr_assert_eq(joined_of_halves(NEAR, 0, NEAR + 1), 1);
	cr_assert_eq(joined_of_halves(FAR, 0, FAR + 1), 1);
	cr_assert_eq(joined_of_halves(FAR, 0, NEAR), 0, "halves have coalescers of their own");
	cr_assert_eq(joined_of_halves(FAR, NEAR, FAR + 1), 0);
	cr_assert_eq(joined_of_halves(NEAR, FAR, NEAR + 1), 0);
}

/* ---- programs ---- */

/* Entries of one and of few, queues and MSHRs of one: nothing waits for ever, and every invariant holds (exit status
 * 0). */
Test(coalescer, never_blocks)
{
	static const char *const program[] = {"bfs", "spmv", "histogram", "backprop"};
	static const char *const shortage[] = {
		"qv100 --set l2.coalescer=1 --set net.in_queue=1 --set net.out_queue=1 --set l2.in_queue=1",
		("qv100 --set l2.coalescer=4 --set l2.halves=2 --set l2.mshr_entries=2 --set l2.mshr_merges=1 --set l2.assoc=2 "
		 "--set l2.bytes=8K"),
		"qv100 --set l2.coalescer=4 --set l2.coalescer_merges=1024 --l2-bypass streaming:rate=30,period=500",
		"mcm4 --set l2.coalescer=4 --set l2.mshr_entries=1 --set net.in_queue=1",
		"mcm4 --set l2.coalescer=4 --set l2.side=sm --set l2.coalescer_merges=2",
		"gtx480 --set l2.coalescer=3 --l1-prefetch next-line:mshrs=4 --set caches.locality_classes=true",
	};

	for (unsigned i = 0; i < 4; i++)
		for (unsigned k = 0; k < sizeof shortage / sizeof shortage[0]; k++) {
			struct program p = program_run("locus run %s --size test --machine %s", program[i], shortage[k]);

			cr_assert_eq(p.status, 0, "%s, %s: %s%s", program[i], shortage[k], p.out, p.err);
			program_free(&p);
		}
}

Test(coalescer, is_bounded)
{
	static const char *const refused[][2] = {
		{"l2.coalescer=4096 --set l2.coalescer_merges=1024",
		 "l2.coalescer: that many entries of l2.coalescer_merges reads"},
		{"l2.coalescer=4097", "l2.coalescer: 4097 is not in 0..4096"},
		{"l2.coalescer_merges=1", "l2.coalescer_merges: 1 is not in 2..1024"},
	};

	for (unsigned i = 0; i < sizeof refused / sizeof refused[0]; i++) {
		struct program p = program_run("locus run vectoradd --size test --machine qv100 --set %s", refused[i][0]);

		cr_assert_eq(p.status, 2, "%s: %s", refused[i][0], p.out);
		cr_assert(strstr(p.err, refused[i][1]), "%s: %s", refused[i][0], p.err);
		program_free(&p);
	}
}
