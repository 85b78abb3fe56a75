/* 511: an L2 slice: hits, misses, merges, writes, evictions, stalls, each at its tick or to its exact number. */
#include <criterion/criterion.h>

#include "support/at_tick.h"
#include "support/mem_rig.h"

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
#define L2_CYCLE (r->m.clock.period[CLOCK_L2])

enum {
	LATER = 1000000,	 /* ticks: everything before is over */
	CHANNEL_STRIDE = 256 * 6 /* next block of the same channel */
};

static struct l2_stats *stats(struct mem_rig *r, uint32_t slice)
{
	return &r->s->pipe[slice]->stats;
}

static void read_line(struct mem_rig *r, uint64_t tick, uint64_t addr)
{
	struct mem_req q;

	mem_rig_send(r, tick, 0, REQ_READ, addr, 128, 77);
	cr_assert(mem_rig_reply(r, tick + LATER - 1, 0, &q) && q.token == 77);
}

Test(l2, a_miss_is_answered_in_the_cycle_of_its_fill)
{
	struct mem_rig *r = mem_rig_new(NULL);
	uint64_t lookup = mem_rig_lookup_at(&r->m, 660, 0);

	mem_rig_send(r, 660, 3, REQ_READ, 0x12340080, 128, 5);
	mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_data_at(&r->m, lookup, 2), 128), 3, 5);
	mem_rig_free(r);
}

Test(l2, a_hit_is_answered_in_the_cycle_of_its_lookup)
{
	struct mem_rig *r = mem_rig_new(NULL);

	read_line(r, 0, 0x12340080);
	for (uint64_t t = 10 * LATER, i = 0; i < 40; i++, t += LATER + 7) { /* every phase against the clocks */
		mem_rig_send(r, t, 3, REQ_READ, 0x12340080, 128, 5);
		mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_lookup_at(&r->m, t, 0), 128), 3, 5);
	}
	cr_assert_eq(memsys_facts(r->s).l2.hits, 40);
	cr_assert_eq(memsys_facts(r->s).l2.misses, 1);
	mem_rig_free(r);
}

Test(l2, a_shorter_read_has_a_shorter_reply)
{
	struct mem_rig *r = mem_rig_new(NULL);

	read_line(r, 0, 0x12340080);
	mem_rig_send(r, LATER, 3, REQ_READ, 0x123400a0, 32, 5);
	mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_lookup_at(&r->m, LATER, 0), 32), 3, 5);
	mem_rig_free(r);
}

Test(l2, a_read_of_a_line_on_its_way_merges_and_is_answered_a_cycle_later)
{
	struct mem_rig *r = mem_rig_new(NULL);
	uint64_t lookup = mem_rig_lookup_at(&r->m, 660, 0), fill = mem_rig_data_at(&r->m, lookup, 2);

	mem_rig_send(r, 660, 3, REQ_READ, 0x12340080, 128, 5);
	mem_rig_send(r, 6600, 4, REQ_READ, 0x12340080, 128, 6);
	mem_rig_expect(r, mem_rig_back_at(&r->m, fill, 128), 3, 5);
	/* another output of the network, but the slice's input is busy with the five flits of the first reply */
	mem_rig_expect(r, mem_rig_back_at(&r->m, fill, 128) + 5 * r->m.clock.period[CLOCK_NET], 4, 6);
	cr_assert_eq(memsys_facts(r->s).l2.reserved, 1);
	cr_assert_eq(memsys_facts(r->s).dram_reads, 1);
	mem_rig_free(r);
}

Test(l2, a_write_of_a_whole_line_needs_no_fetch)
{
	struct mem_rig *r = mem_rig_new(NULL);

	mem_rig_send(r, 0, 3, REQ_WRITE, 0x80, 128, 5);
	mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_lookup_at(&r->m, 0, 128), 0), 3, 5);
	mem_rig_run(r, LATER);
	cr_assert_eq(memsys_facts(r->s).fetches, 0);
	cr_assert_eq(memsys_facts(r->s).dirty_lines, 1);
	mem_rig_free(r);
}

Test(l2, a_write_of_a_part_fetches_the_line_but_is_acknowledged_at_once)
{
	struct mem_rig *r = mem_rig_new(NULL);

	mem_rig_send(r, 0, 3, REQ_WRITE, 0x84, 4, 5);
	mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_lookup_at(&r->m, 0, 4), 0), 3, 5);
	mem_rig_run(r, LATER);
	cr_assert_eq(memsys_facts(r->s).fetches, 1);
	cr_assert_eq(memsys_facts(r->s).dirty_lines, 1, "dirty when the fill has come");
	cr_assert_eq(memsys_facts(r->s).in_flight, 0);
	mem_rig_free(r);
}

Test(l2, fetch_always_fetches_whole_lines_too)
{
	struct mem_rig *r = mem_rig_new(SET("l2.write_allocate=fetch-always"));

	mem_rig_send(r, 0, 3, REQ_WRITE, 0x80, 128, 5);
	mem_rig_run(r, LATER);
	cr_assert_eq(memsys_facts(r->s).fetches, 1);
	mem_rig_free(r);
}

/* 64 sets of one way a slice: lines 64 lines apart in a channel share a set. */
#define ONE_WAY	 "l2.bytes=8K", "l2.assoc=1"
#define SAME_SET (64 * 128 / 256 * (uint64_t)CHANNEL_STRIDE)

Test(l2, a_dirty_victim_is_written_back_by_its_dirty_bursts_alone)
{
	struct mem_rig *r = mem_rig_new(SET(ONE_WAY));
	uint64_t bytes;

	mem_rig_send(r, 0, 1, REQ_WRITE, 0x40, 4, 1); /* second burst of line 0 */
	mem_rig_run(r, LATER);
	bytes = r->s->channel[0].stats.bytes;
	cr_assert_eq(bytes, 128, "the fetch");
	read_line(r, LATER, SAME_SET);
	mem_rig_run(r, 3 * LATER);
	cr_assert_eq(stats(r, 0)->write_backs, 1);
	cr_assert_eq(r->s->channel[0].stats.bytes, bytes + 64 + 128);
	mem_rig_free(r);
}

Test(l2, a_clean_victim_just_goes)
{
	struct mem_rig *r = mem_rig_new(SET(ONE_WAY));

	read_line(r, 0, 0);
	read_line(r, LATER, SAME_SET);
	cr_assert_eq(stats(r, 0)->evictions, 1);
	cr_assert_eq(stats(r, 0)->write_backs, 0);
	mem_rig_free(r);
}

Test(l2, the_least_recently_used_line_of_a_set_goes)
{
	struct mem_rig *r = mem_rig_new(SET("l2.bytes=16K", "l2.assoc=2"));
	const uint64_t order[] = {0, SAME_SET, 0, 2 * SAME_SET, 0, SAME_SET};

	for (uint32_t i = 0; i < 6; i++)
		read_line(r, i * LATER, order[i]);
	cr_assert_eq(memsys_facts(r->s).l2.hits, 2, "line 0 twice; the third line took the second one's place");
	mem_rig_free(r);
}

/* Two reads looked up in neighbouring cycles, the second of which must wait for the first one's fill; returns the stall
 * cycles. */
static uint64_t stall_of(struct mem_rig *r, uint64_t second, enum l2_stall why)
{
	uint64_t lookup = mem_rig_lookup_at(&r->m, 0, 0), fill = mem_rig_data_at(&r->m, lookup, 2);

	mem_rig_send(r, 0, 0, REQ_READ, 0, 128, 1);
	mem_rig_send(r, L2_CYCLE, 1, REQ_READ, second, 128, 2);
	mem_rig_expect(r, mem_rig_back_at(&r->m, fill, 128), 0, 1);
	mem_rig_run(r, LATER);
	/* first looked up one cycle after the first, goes on one cycle after the fill, which has the port first */
	cr_assert_eq(stats(r, 0)->stall[why], (fill - lookup) / L2_CYCLE);
	return stats(r, 0)->stall[why];
}

Test(l2, without_a_free_mshr_entry_the_pipe_waits_for_a_fill)
{
	struct mem_rig *r = mem_rig_new(SET("l2.mshr_entries=1"));

	cr_assert_gt(stall_of(r, CHANNEL_STRIDE, L2_STALL_ENTRY), 100);
	mem_rig_free(r);
}

Test(l2, without_room_in_the_entry_the_pipe_waits_for_its_fill)
{
	struct mem_rig *r = mem_rig_new(SET("l2.mshr_merges=1"));

	stall_of(r, 0, L2_STALL_MERGE);
	cr_assert_eq(memsys_facts(r->s).l2.hits, 1, "then it hits");
	mem_rig_free(r);
}

Test(l2, without_a_line_in_the_set_the_pipe_waits_for_a_fill)
{
	struct mem_rig *r = mem_rig_new(SET(ONE_WAY));

	stall_of(r, SAME_SET, L2_STALL_LINE);
	mem_rig_free(r);
}

Test(l2, an_atomic_holds_the_port_for_a_cycle_an_operand)
{
	struct mem_rig *r = mem_rig_new(NULL);
	uint64_t t = LATER, lookup = mem_rig_lookup_at(&r->m, t, 64);

	read_line(r, 0, 0);
	mem_rig_send(r, t, 0, REQ_ATOMIC, 0, 64, 1);
	mem_rig_send(r, t + 5 * L2_CYCLE, 1, REQ_READ, 0, 4, 2);
	mem_rig_expect(r, mem_rig_back_at(&r->m, lookup, 64), 0, 1);
	/* 64 bytes are 16 operands */
	mem_rig_expect(r, mem_rig_back_at(&r->m, lookup + 16 * L2_CYCLE, 4), 1, 2);
	cr_assert_eq(memsys_facts(r->s).dirty_lines, 1);
	mem_rig_free(r);
}

Test(l2, a_reduction_holds_the_port_as_long_as_the_machine_says)
{
	static const struct {
		const char *key;
		unsigned cycles; /* of 64 bytes */
	} known[] = {{"l2.atomic_bytes=4", 16}, {"l2.atomic_bytes=24", 3}, {"l2.atomic_bytes=64", 1}, {"l2.atomic_bytes=0", 1}};

	for (unsigned k = 0; k < sizeof known / sizeof known[0]; k++) {
		struct mem_rig *r = mem_rig_new(SET(known[k].key));
		uint64_t t = LATER, lookup = mem_rig_lookup_at(&r->m, t, 64);

		read_line(r, 0, 0);
		mem_rig_send(r, t, 0, REQ_REDUCTION, 0, 64, 1);
		mem_rig_send(r, t + 33, 1, REQ_READ, 0, 4, 2);
		mem_rig_expect(r, mem_rig_back_at(&r->m, lookup, 0), 0, 1);
		mem_rig_expect(r, mem_rig_back_at(&r->m, lookup + known[k].cycles * L2_CYCLE, 4), 1, 2);
		mem_rig_free(r);
	}
}

Test(l2, a_reduction_works_as_an_atomic_does_and_is_acknowledged)
{
	struct mem_rig *r = mem_rig_new(NULL);
	uint64_t t = LATER, lookup = mem_rig_lookup_at(&r->m, t, 64);

	read_line(r, 0, 0);
	mem_rig_send(r, t, 0, REQ_REDUCTION, 0, 64, 1);
	mem_rig_send(r, t + 5 * L2_CYCLE, 1, REQ_READ, 0, 4, 2);
	mem_rig_expect(r, mem_rig_back_at(&r->m, lookup, 0), 0, 1);
	mem_rig_expect(r, mem_rig_back_at(&r->m, lookup + 16 * L2_CYCLE, 4), 1, 2);
	cr_assert_eq(memsys_facts(r->s).dirty_lines, 1);
	cr_assert_eq(stats(r, 0)->atomics, 1);
	mem_rig_free(r);
}

Test(l2, an_atomic_that_misses_is_done_when_its_line_comes)
{
	struct mem_rig *r = mem_rig_new(NULL);
	uint64_t lookup = mem_rig_lookup_at(&r->m, 0, 4);

	mem_rig_send(r, 0, 0, REQ_ATOMIC, 0x200, 4, 1);
	mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_data_at(&r->m, lookup, 2), 4), 0, 1);
	cr_assert_eq(memsys_facts(r->s).dirty_lines, 1);
	mem_rig_free(r);
}

/* Without L2 a request goes down at the edge at which the slice takes it. */
static uint64_t taken_at(struct mem_rig *r, uint64_t sent, uint32_t payload)
{
	return mem_rig_lookup_at(&r->m, sent, payload) - (uint64_t)r->m.l2.latency * L2_CYCLE;
}

Test(l2, disabled_it_passes_requests_straight_down)
{
	struct mem_rig *r = mem_rig_new(SET("l2.enabled=false"));

	mem_rig_send(r, 0, 0, REQ_READ, 0, 128, 1);
	mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_data_at(&r->m, taken_at(r, 0, 0), 2), 128), 0, 1);
	mem_rig_send(r, LATER, 0, REQ_WRITE, 64, 4, 2);
	mem_rig_expect(r, mem_rig_back_at(&r->m, taken_at(r, LATER, 4), 0), 0, 2);
	mem_rig_run(r, 2 * LATER);
	cr_assert_eq(r->s->channel[0].stats.bytes, 128 + 64, "a line, then one burst");
	mem_rig_send(r, 3 * LATER, 1, REQ_READ, 96, 128, 3);
	mem_rig_run(r, 4 * LATER);
	cr_assert_eq(r->s->channel[0].stats.bytes, 192 + 128, "the whole line, wherever in it the access begins");
	mem_rig_send(r, 4 * LATER, 2, REQ_READ, 96, 32, 4);
	mem_rig_run(r, 5 * LATER);
	cr_assert_eq(r->s->channel[0].stats.bytes, 320 + 64, "a part");
	cr_assert_eq(stats(r, 0)->bypasses, 4);
	mem_rig_free(r);
}

Test(l2, disabled_it_reads_the_bursts_that_a_mask_names)
{
	struct mem_rig *r = mem_rig_new(SET("l2.enabled=false"));
	struct mem_req q = {.addr = 0, .bytes = 32, .mask = {0, 0xff}, .kind = REQ_READ};

	net_send(&r->port[0], at_tick(0), &q);
	mem_rig_run(r, LATER);
	cr_assert_eq(r->s->channel[0].stats.bytes, 64);
	q.mask[0] = 1;
	net_send(&r->port[1], at_tick(LATER), &q);
	mem_rig_run(r, 2 * LATER);
	cr_assert_eq(r->s->channel[0].stats.bytes, 64 + 128);
	mem_rig_free(r);
}

static void note_column(void *column, const struct dram_command_event *e)
{
	if (e->command == DRAM_RD)
		*(uint32_t *)column = e->column;
}

/* A line of the constant cache is half of one of the L2: its second half is the second burst. */
Test(l2, disabled_it_reads_the_half_of_a_line_that_a_constant_cache_wants)
{
	struct mem_rig *r = mem_rig_new(SET("l2.enabled=false"));
	uint32_t column = UINT32_MAX;

	r->s->channel[0].watch = note_column;
	r->s->channel[0].watch_context = &column;
	mem_rig_send(r, 0, 0, REQ_READ, 64, 64, 1);
	mem_rig_run(r, LATER);
	cr_assert_eq(column, 1);
	cr_assert_eq(r->s->channel[0].stats.bytes, 64);
	mem_rig_free(r);
}

Test(l2, disabled_an_atomic_reads_then_writes)
{
	struct mem_rig *r = mem_rig_new(SET("l2.enabled=false"));

	mem_rig_send(r, 0, 0, REQ_ATOMIC, 0, 4, 1);
	mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_data_at(&r->m, taken_at(r, 0, 4), 1), 4), 0, 1);
	mem_rig_run(r, LATER);
	cr_assert_eq(r->s->channel[0].stats.command[DRAM_RD], 1);
	cr_assert_eq(r->s->channel[0].stats.command[DRAM_WR], 1);
	mem_rig_free(r);
}

Test(l2, writes_get_through_a_narrow_way_down_without_anything_else_moving)
{
	struct mem_rig *r = mem_rig_new(SET("l2.enabled=false", "l2.miss_queue=1", "dram.latency=1", "dram.queue=1",
					    "dram.write_high=1", "dram.write_low=0"));
	struct mem_req q;

	for (uint32_t i = 0; i < 12; i++)
		mem_rig_send(r, 0, i, REQ_WRITE, (uint64_t)i * SAME_SET, 128, i);
	mem_rig_run(r, LATER);
	for (uint32_t i = 0; i < 12; i++)
		cr_assert(mem_rig_reply(r, LATER, i, &q), "write %u is not acknowledged", i);
	cr_assert_eq(memsys_facts(r->s).in_flight, 0);
	cr_assert_eq(memsys_facts(r->s).dram_writes, 12);
	cr_assert_gt(stats(r, 0)->stall[L2_STALL_DOWN], 0);
	mem_rig_free(r);
}

Test(l2, accesses_are_counted_by_the_buffer_they_belong_to)
{
	struct mem_rig *r = mem_rig_new(NULL);

	read_line(r, 0, UINT64_C(1) << 24); /* the rig takes the buffer from bits 24 and up */
	read_line(r, LATER, UINT64_C(1) << 24);
	read_line(r, 2 * LATER, UINT64_C(9) << 24);
	cr_assert_eq(memsys_buffer(r->s, 1).accesses, 2);
	cr_assert_eq(memsys_buffer(r->s, 1).hits, 1);
	cr_assert_eq(memsys_buffer(r->s, 1).misses, 1);
	cr_assert_eq(memsys_buffer(r->s, MEM_RIG_BUFFERS).accesses, 1, "of no buffer");
	mem_rig_free(r);
}

/* Reads 32 lines that are 64 lines apart in the slice, twice; returns the hits of the second time. */
static uint64_t second_time_hits(const char *index)
{
	struct mem_rig *r = mem_rig_new(SET(index));
	uint64_t hits, t = 0;

	for (uint32_t i = 0; i < 64; i++, t += LATER)
		read_line(r, t, i % 32 * SAME_SET);
	hits = memsys_facts(r->s).l2.hits;
	mem_rig_free(r);
	return hits;
}

Test(l2, pric_spreads_lines_that_share_a_linear_set)
{
	cr_assert_eq(second_time_hits("l2.index=linear"), 0, "32 lines in 16 ways, read in turn under LRU");
	cr_assert_eq(second_time_hits("l2.index=pric"), 32, "a power-of-two stride goes to different sets");
}
