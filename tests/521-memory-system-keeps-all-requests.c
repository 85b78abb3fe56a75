/* 521: the whole below the SMs under load: nothing lost or answered twice however small the queues, bandwidth between
 * bounds. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/at_tick.h"
#include "support/dram_rig.h"
#include "support/mem_rig.h"
#include "support/random.h"

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})

enum { REQUESTS = 6000 };

/* Replies of all SMs that are there at `tick`; each must be an answer to its sender, once. Returns how many. */
static uint32_t take_replies(struct mem_rig *r, uint64_t tick, uint8_t *answered, uint16_t *sender)
{
	struct mem_req q;
	uint32_t n = 0;

	for (uint32_t sm = 0; sm < r->m.sm.count; sm++)
		while (mem_rig_reply(r, tick, sm, &q)) {
			cr_assert_eq(q.requester, sm);
			cr_assert_eq(sender[q.token], sm);
			cr_assert_eq(answered[q.token]++, 0, "request %u is answered twice", q.token);
			n++;
		}
	return n;
}

/* Random requests of all kinds from all SMs, replies taken only now and then; ends with everything answered. */
static uint64_t hammer_in_order(const char *const *set, uint64_t seed, bool reverse, uint64_t *end)
{
	static uint8_t answered[REQUESTS];
	static uint16_t sender[REQUESTS];
	struct mem_rig *r = mem_rig_new(set);
	uint64_t s = seed, t = 0, hash = 0;
	uint32_t sent = 0, got = 0, lines = 32u << (uint32_t)random_below(&s, 8), gap = 1 + (uint32_t)random_below(&s, 200);
	struct err e = {""};

	r->s->reverse = reverse;
	memset(answered, 0, sizeof answered);
	for (; got < REQUESTS; t += 1 + (uint32_t)random_below(&s, gap)) {
		uint32_t sm = (uint32_t)random_below(&s, r->m.sm.count), what = (uint32_t)random_below(&s, 8);

		if (sent < REQUESTS && mem_rig_can_send(r, t, sm)) {
			enum req_kind kind = what < 4 ? REQ_READ : what < 6 ? REQ_WRITE : what < 7 ? REQ_ATOMIC : REQ_REDUCTION;
			uint16_t bytes = (uint16_t)((uint32_t)random_below(&s, 2) ? 128 : 4 << (uint32_t)random_below(&s, 5));
			uint64_t addr =
				(uint64_t)(uint32_t)random_below(&s, lines) * 128 * ((uint32_t)random_below(&s, 4) ? 1 : 193) +
				(uint32_t)random_below(&s, 128 / bytes) * bytes;

			sender[sent] = (uint16_t)sm;
			mem_rig_send(r, t, sm, kind, addr, bytes, sent++);
		}
		if ((uint32_t)random_below(&s, 8) == 0)
			got += take_replies(r, t, answered, sender);
		cr_assert(t < UINT64_C(1) << 34, "%u of %u requests are never answered", REQUESTS - got, REQUESTS);
	}
	mem_rig_run(r, t + (UINT64_C(1) << 24));
	cr_assert(ticks_is_never(memsys_next(r->s, 0)), "idle, but it wants to be called");
	memsys_finish(r->s, at_tick(t));
	cr_assert_eq(memsys_audit(r->s, at_tick(t + (UINT64_C(1) << 24)), &e), 0, "seed %lu: %s", (unsigned long)seed, e.text);
	for (uint32_t c = 0; c < r->s->channels; c++)
		hash = hash * 31 + r->s->channel[c].stats.row_hits * 7 + r->s->channel[c].stats.bytes;
	*end = t;
	mem_rig_free(r);
	return hash;
}

static uint64_t hammer(const char *const *set, uint64_t seed, uint64_t *end)
{
	return hammer_in_order(set, seed, false, end);
}

Test(memsys, random_traffic_is_answered_once_each)
{
	uint64_t end;

	for (uint64_t seed = 1; seed <= 6; seed++)
		hammer(SET("dram.refresh=true"), seed, &end);
}

Test(memsys, queues_of_one_lose_and_duplicate_nothing)
{
	uint64_t end;

	for (uint64_t seed = 1; seed <= 6; seed++)
		hammer(SET("net.in_queue=1", "net.out_queue=1", "l2.mshr_entries=1", "l2.mshr_merges=1", "l2.miss_queue=1",
			   "l2.latency=1", "dram.queue=1", "dram.write_high=1", "dram.write_low=0", "dram.latency=1",
			   "dram.age_cap=1", "l2.bytes=8K", "l2.assoc=1"),
		       seed, &end);
}

Test(memsys, any_combination_of_parts_keeps_all_requests)
{
	uint64_t end;

	for (uint64_t seed = 1; seed <= 3; seed++) {
		hammer(SET("l2.enabled=false"), seed, &end);
		hammer(SET("l2.enabled=false", "dram.queue=1", "dram.write_high=1", "dram.write_low=0", "l2.miss_queue=1"), seed,
		       &end);
		hammer(SET("l2.slices=4", "dram.channels=2", "l2.bytes=16K"), seed, &end);
		hammer(SET("dram.channels=1", "l2.mshr_entries=4", "l2.bytes=8K", "l2.assoc=2"), seed, &end);
		hammer(SET("dram.sched=fcfs", "l2.write_allocate=fetch-always", "l2.index=pric", "l2.bytes=16K", "l2.poly=11"),
		       seed, &end);
		hammer(SET("clock.net=700", "clock.l2=650", "clock.dram=925", "net.flit_bytes=40"), seed, &end);
	}
}

Test(memsys, hbm2_behind_it_keeps_all_requests_too)
{
	uint64_t end;

	for (uint64_t seed = 1; seed <= 6; seed++)
		hammer(rig_hbm2, seed, &end);
}

/* Small queues everywhere, on graphs with circles; with the L2 on either side. */
Test(memsys, several_modules_keep_all_requests)
{
	static const char *const topology[] = {"link.topology=tree", "link.topology=ring", "link.topology=full",
					       "link.topology=p2p"};
	static const char *const side[] = {"l2.side=memory", "l2.side=sm"};
	uint64_t end;

	for (uint64_t seed = 1; seed <= 16; seed++) {
		const char *graph = topology[seed % 4], *l2 = side[seed / 4 % 2];

		hammer(SET("module.count=8", "sm.count=2", "dram.channels=1", "link.queue=1", "link.latency=3", graph, l2), seed,
		       &end);
		hammer(SET("module.count=4", "sm.count=3,1", "dram.channels=2", "link.queue=1", "net.in_queue=1", "net.out_queue=1",
			   "l2.mshr_entries=1", "l2.mshr_merges=1", "l2.bytes=8K", "l2.assoc=1", "dram.queue=1",
			   "dram.write_high=1", "dram.write_low=0", "link.gbps=2", graph, l2),
		       seed, &end);
		hammer(SET("module.count=6", "sm.count=2", "dram.stacks=3,1", "dram.channels=3", "link.gbps=400", graph, l2), seed,
		       &end);
	}
}

/* The third time the parts are stepped in the opposite order within a tick. */
Test(memsys, the_same_traffic_takes_the_same_time_again_in_any_order_of_stepping)
{
	uint64_t end[3], hash[3];

	const char *const *const machine[] = {
		SET("dram.refresh=true", "net.out_queue=2"),
		SET("module.count=8", "sm.count=2", "dram.channels=2", "link.topology=ring", "link.queue=3"),
		SET("module.count=4", "sm.count=4", "dram.channels=2", "link.topology=full", "link.queue=2", "l2.side=sm"),
	};

	for (uint64_t seed = 9; seed < 18; seed++) {
		for (uint32_t i = 0; i < 3; i++)
			hash[i] = hammer_in_order(machine[seed % 3], seed, i == 2, &end[i]);
		cr_assert(end[0] == end[1] && hash[0] == hash[1], "seed %lu differs from itself", (unsigned long)seed);
		cr_assert(end[0] == end[2] && hash[0] == hash[2], "seed %lu differs in reverse", (unsigned long)seed);
	}
}

/* All SMs read consecutive lines as fast as they can; returns the DRAM bytes a DRAM cycle of a channel over a long
 * middle part. */
static double streaming(const char *const *set, double *pins)
{
	static uint8_t answered[120000];
	static uint16_t sender[120000];
	struct mem_rig *r = mem_rig_new(set);
	uint64_t t = 0, net = r->m.clock.period[CLOCK_NET], bytes[2] = {0}, at[2] = {0};
	uint32_t sent = 0, got = 0, total = 120000, channels = r->m.dram.channels;

	memset(answered, 0, sizeof answered);
	for (; got < total; t += net) {
		for (uint32_t sm = 0; sm < r->m.sm.count && sent < total; sm++)
			if (mem_rig_can_send(r, t, sm)) {
				sender[sent] = (uint16_t)sm;
				mem_rig_send(r, t, sm, REQ_READ, sent * UINT64_C(128), 128, sent);
				sent++;
			}
		got += take_replies(r, t, answered, sender);
		for (uint32_t i = 0; i < 2; i++)
			if (!at[i] && got >= (i ? total * 9 / 10 : total / 10)) {
				at[i] = t;
				for (uint32_t c = 0; c < r->s->channels; c++)
					bytes[i] += r->s->channel[c].stats.bytes;
			}
	}
	*pins = (double)r->m.dram.burst_bytes / r->m.dram.burst;
	t = (at[1] - at[0]) / r->m.clock.period[CLOCK_DRAM];
	mem_rig_free(r);
	return (double)(bytes[1] - bytes[0]) / (double)t / channels;
}

/* Enough lines in flight for latency x bandwidth, so that only the command timings bound the stream. */
#define DEEP "l2.mshr_entries=128", "net.out_queue=64", "l2.miss_queue=64"

Test(memsys, a_stream_within_bank_groups_reaches_burst_over_tccdl)
{
	double pins, rate = streaming(SET(DEEP), &pins);

	/* neighbouring banks are of one group: a burst of 2 cycles every tCCDL = 3, now and then better at a row's
	 * end */
	cr_assert_geq(rate, 0.98 * pins * 2 / 3, "%.2f of %.2f bytes a cycle", rate, pins);
	cr_assert_leq(rate, pins);
}

Test(memsys, a_stream_over_two_bank_groups_reaches_the_pins)
{
	double pins, rate = streaming(SET(DEEP, "dram.group_bits=low"), &pins);

	cr_assert_geq(rate, 0.95 * pins, "%.2f of %.2f bytes a cycle", rate, pins);
	cr_assert_leq(rate, pins);
}
