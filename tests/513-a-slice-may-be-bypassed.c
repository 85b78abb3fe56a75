/* 513: the policy of an L2 slice: a bypassed read fetches its line and leaves nothing but a tag, a write does not
 * bypass, and a request that found no way goes on when the slice is bypassed. */
#include <criterion/criterion.h>

#include "support/mem_rig.h"

#define SET(...)  ((const char *const[]){__VA_ARGS__, NULL})
#define PERIOD	  1000 /* L2 cycles */
#define STREAMING "l2.bypass.policy=streaming", "l2.bypass.period=1000"

enum { CHANNEL_STRIDE = 256 * 6, LINE = 0x80, OTHER = LINE + 100 * CHANNEL_STRIDE /* of the same slice */ };

static uint64_t period_at(const struct mem_rig *r, uint64_t n)
{
	return n * PERIOD * r->m.clock.period[CLOCK_L2];
}

static void read_line(struct mem_rig *r, uint64_t tick, uint64_t addr)
{
	struct mem_req q;

	mem_rig_send(r, tick, 0, REQ_READ, addr, 128, 77);
	cr_assert(mem_rig_reply(r, tick + period_at(r, 1) - 1, 0, &q) && q.token == 77);
}

static struct l2_counts counts(const struct mem_rig *r)
{
	return memsys_facts(r->s).l2;
}

Test(l2_policy, a_bypassed_read_is_answered_as_a_miss_is_and_leaves_no_data)
{
	struct mem_rig *r = mem_rig_new(SET(STREAMING));
	uint64_t lookup;

	read_line(r, 0, LINE); /* misses: the next periods are bypassed */
	lookup = mem_rig_lookup_at(&r->m, period_at(r, 2), 0);
	mem_rig_send(r, period_at(r, 2), 3, REQ_READ, OTHER, 128, 5);
	mem_rig_expect(r, mem_rig_back_at(&r->m, mem_rig_data_at(&r->m, lookup, 2), 128), 3, 5);
	read_line(r, period_at(r, 4), OTHER);
	cr_assert_eq(counts(r).bypasses, 2, "the second one found a tag and no data");
	cr_assert_eq(counts(r).misses, 1);
	cr_assert_eq(memsys_facts(r->s).fetches, 3);
	read_line(r, period_at(r, 6), OTHER); /* the only load of its period met its tag: the slice is open again */
	cr_assert_eq(counts(r).misses, 2);
	read_line(r, period_at(r, 8), OTHER);
	cr_assert_eq(counts(r).hits, 1, "bypassed again after that miss; but the line has its data now");
	mem_rig_free(r);
}

Test(l2_policy, a_line_with_data_hits_while_the_slice_is_bypassed)
{
	struct mem_rig *r = mem_rig_new(SET(STREAMING));

	read_line(r, 0, LINE);
	read_line(r, period_at(r, 2), LINE);
	cr_assert_eq(counts(r).hits, 1);
	cr_assert_eq(counts(r).bypasses, 0);
	mem_rig_free(r);
}

Test(l2_policy, a_write_to_a_line_without_data_fetches_it)
{
	struct mem_rig *r = mem_rig_new(SET(STREAMING));
	struct mem_req q;

	read_line(r, 0, LINE);
	read_line(r, period_at(r, 2), OTHER);
	cr_assert_eq(counts(r).bypasses, 1);
	mem_rig_send(r, period_at(r, 4), 0, REQ_WRITE, OTHER + 4, 4, 5);
	cr_assert(mem_rig_reply(r, period_at(r, 5), 0, &q) && q.token == 5);
	mem_rig_run(r, period_at(r, 6));
	cr_assert_eq(memsys_facts(r->s).fetches, 3);
	cr_assert_eq(memsys_facts(r->s).dirty_lines, 1);
	read_line(r, period_at(r, 6) + 1, OTHER);
	cr_assert_eq(counts(r).hits, 1, "now its data is there");
	mem_rig_free(r);
}

/* A slice of one way a set: two lines of one set on their way at once. The second waits for the way; when the slice is
 * bypassed in the meantime it goes past, at the first edge of the period. */
Test(l2_policy, a_read_that_found_no_way_goes_past_once_the_slice_is_bypassed)
{
	const uint64_t same_set = 64 * 128 / 256 * (uint64_t)CHANNEL_STRIDE;
	struct mem_rig *r =
		mem_rig_new(SET(STREAMING, "l2.bytes=8K", "l2.assoc=1", "dram.rcd=900", "dram.ras=950", "dram.rc=1000"));
	uint64_t late = period_at(r, 1) - 300 * r->m.clock.period[CLOCK_L2];

	mem_rig_send(r, late, 3, REQ_READ, LINE, 128, 5);
	mem_rig_send(r, late, 4, REQ_READ, LINE + same_set, 128, 6);
	mem_rig_run(r, period_at(r, 1) - 1);
	cr_assert_eq(counts(r).bypasses, 0);
	mem_rig_run(r, period_at(r, 1));
	cr_assert_eq(counts(r).bypasses, 1);
	cr_assert_gt(memsys_facts(r->s).in_flight, 0);
	mem_rig_free(r);
}
