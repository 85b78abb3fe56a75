/* 522: several modules, unloaded and loaded: an access over no, one, two links costs its crossbars, links, L2 and DRAM
 * to the tick, on both sides of which it may be; a chain of dependent loads the sum; a link under load moves its GB/s;
 * slices at the SMs keep the mode of their lines, and a flush takes what its write-backs take. Formulas of
 * docs/explanation/memory.md and docs/explanation/network.md. */
#include <criterion/criterion.h>
#include <string.h>

#include "vm/page_mode.h"
#include "support/at_tick.h"
#include "support/mem_rig.h"

#define SET(...) ((const char *const[]){__VA_ARGS__, NULL})
#define RING	 "module.count=4", "sm.count=2", "dram.channels=2", "link.topology=ring", "link.gbps=48", "link.latency=21"
#define AT_SMS	 RING, "l2.side=sm"

enum { STACK = 1 << 10 /* pages of 4 KB, four stacks: bits 11..10 name the stack of a fine-grained page */, AGES = 1 << 20 };

static uint64_t edge(const struct machine *m, enum machine_clock clock, uint64_t tick)
{
	return (tick + m->clock.period[clock] - 1) / m->clock.period[clock] * m->clock.period[clock];
}

/* From SM 0 to the stack of a module: in a ring of four, module 2 is two links away. */
static const uint32_t links_to[] = {0, 1, 2, 1};

/* ---- L2 at the channels ---- */

static uint64_t lookup_at(const struct machine *m, uint64_t sent, uint32_t payload, uint32_t links)
{
	return edge(m, CLOCK_L2, mem_rig_over(m, sent, payload, links)) + (uint64_t)m->l2.latency * m->clock.period[CLOCK_L2];
}

Test(modules, an_l2_hit_costs_crossbars_and_links)
{
	for (uint32_t module = 0; module < 4; module++) {
		struct mem_rig *r = mem_rig_new(SET(RING));
		uint32_t links = links_to[module];

		mem_rig_send(r, 0, 0, REQ_READ, module * STACK, 128, 0);
		mem_rig_expect(r, mem_rig_over(&r->m, mem_rig_data_at(&r->m, lookup_at(&r->m, 0, 0, links), 2), 128, links), 0, 0);
		for (uint64_t phase = 0; phase < 140; phase += 7) {
			uint64_t sent = (1 + phase) * AGES + phase, read = lookup_at(&r->m, sent, 0, links), written;

			mem_rig_send(r, sent, 0, REQ_READ, module * STACK, 128, 1);
			mem_rig_expect(r, mem_rig_over(&r->m, read, 128, links), 0, 1);
			sent += AGES / 2;
			written = lookup_at(&r->m, sent, 32, links);
			mem_rig_send(r, sent, 0, REQ_WRITE, module * STACK, 32, 2);
			mem_rig_expect(r, mem_rig_over(&r->m, written, 0, links), 0, 2);
		}
		mem_rig_free(r);
	}
}

/* Each load is sent in the tick in which the one before is there, round the modules; each meets a closed bank. */
Test(modules, a_chain_of_loads_over_links_costs_the_sum)
{
	struct mem_rig *r = mem_rig_new(SET(RING));
	uint64_t t = 0;

	for (uint32_t i = 0; i < 32; i++) {
		uint32_t module = i % 4, bank = i / 4, links = links_to[module];

		/* Two stack bits and a channel bit below them: address bits 18..16 are bits 15..13 of the channel. */
		mem_rig_send(r, t, 0, REQ_READ, (uint64_t)bank << 16 | module * STACK, 128, i);
		t = mem_rig_over(&r->m, mem_rig_data_at(&r->m, lookup_at(&r->m, t, 0, links), 2), 128, links);
		mem_rig_expect(r, t, 0, i);
	}
	mem_rig_free(r);
}

/* A switch in the middle is two links; a p2p network one, to everybody. */
Test(modules, other_topologies_cost_their_links)
{
	static const struct {
		const char *topology;
		uint32_t links[4];
	} known[] = {
		{"link.topology=full", {0, 2, 2, 2}}, {"link.topology=p2p", {0, 1, 1, 1}}, {"link.topology=tree", {0, 1, 1, 2}}};

	for (unsigned k = 0; k < 3; k++) {
		struct mem_rig *r = mem_rig_new(SET(RING, known[k].topology));

		for (uint32_t module = 0; module < 4; module++) {
			uint64_t sent = module * AGES, read = lookup_at(&r->m, sent, 0, known[k].links[module]);

			mem_rig_send(r, sent, 0, REQ_READ, module * STACK, 128, module);
			mem_rig_expect(r, mem_rig_over(&r->m, mem_rig_data_at(&r->m, read, 2), 128, known[k].links[module]), 0,
				       module);
		}
		mem_rig_free(r);
	}
}

/* The mode says which bits name the stack: CGP those above the page offset, a base bit those from it on. */
Test(modules, the_mode_of_a_page_names_its_stack)
{
	static const struct {
		uint8_t mode;
		uint32_t bit;
	} known[] = {{MODE_FGP, 10}, {MODE_CGP, 12}, {PAGE_BASE_LOW, 7}, {13, 13}, {MODE_BIT_16, 16}};

	for (unsigned k = 0; k < sizeof known / sizeof known[0]; k++) {
		struct mem_rig *r = mem_rig_new(SET(RING));

		r->mode = known[k].mode;
		for (uint32_t module = 0; module < 4; module++) {
			uint64_t sent = module * AGES, addr = (uint64_t)module << known[k].bit;
			uint32_t links = links_to[module];

			mem_rig_send(r, sent, 0, REQ_READ, addr, 128, module);
			mem_rig_expect(r,
				       mem_rig_over(&r->m, mem_rig_data_at(&r->m, lookup_at(&r->m, sent, 0, links), 2), 128, links),
				       0, module);
			cr_assert_eq(r->s->channel[2 * module].stats.requests[DRAM_READ], 1, "mode %u, stack %u", known[k].mode,
				     module);
		}
		mem_rig_free(r);
	}
}

/* ---- L2 at the SMs ---- */

/* Lookup in the own module's slice; then over the lower crossbars and links to the channel's port and back. */
static uint64_t fill_at(const struct machine *m, uint64_t lookup, uint32_t links)
{
	uint64_t port = edge(m, CLOCK_L2, mem_rig_over(m, lookup, 0, links));

	return edge(m, CLOCK_L2, mem_rig_over(m, mem_rig_data_at(m, port, 2), 128, links));
}

Test(modules, a_miss_of_a_slice_at_the_sms_goes_over_the_links)
{
	struct mem_rig *r = mem_rig_new(SET(AT_SMS));

	for (uint32_t module = 0; module < 4; module++)
		for (uint64_t phase = 0; phase < 100; phase += 33) {
			uint64_t sent = module * 16 * AGES + phase * AGES / 50 + phase, lookup = mem_rig_lookup_at(&r->m, sent, 0);
			uint64_t addr = module * STACK;

			mem_rig_send(r, sent, 0, REQ_READ, addr, 128, 1);
			if (phase == 0) {
				uint64_t fill = fill_at(&r->m, lookup, links_to[module]);

				mem_rig_expect(r, mem_rig_back_at(&r->m, fill, 128), 0, 1);
			} else {
				mem_rig_expect(r, mem_rig_back_at(&r->m, lookup, 128), 0, 1);
			}
		}
	cr_assert_eq(memsys_facts(r->s).fetches, 4);
	cr_assert_eq(memsys_facts(r->s).dram_reads, 4);
	mem_rig_free(r);
}

static uint64_t flush(struct mem_rig *r, uint32_t slice, uint64_t at)
{
	struct queue_end nobody = {0};
	struct l2_flush_queue *ask = memsys_flush(r->s, slice, nobody), *answer = memsys_flushed(r->s, slice, nobody);
	struct ticks arrival;

	mem_rig_run(r, at - 1);
	*queue_push(ask, at_tick(at)) = (struct l2_flush){0};
	mem_rig_run(r, at + AGES);
	arrival = queue_next_arrival(answer);
	cr_assert_not(ticks_is_never(arrival), "the flush does not end");
	queue_pop(answer, arrival);
	return arrival.n;
}

/* A dirty line of a coarse page of stack 1: its write-back finds it by the mode that the line kept, and the flush lasts
 * until the port's acknowledgement is back and an L2 cycle more. Then nothing is in the slice. */
Test(modules, a_flush_writes_back_to_where_the_lines_mode_says_and_drops_all)
{
	struct mem_rig *r = mem_rig_new(SET(AT_SMS));
	uint64_t at = 64 * AGES, addr = 1 << 12, l2 = r->m.clock.period[CLOCK_L2], written, back;
	uint32_t slice = addr / 128 % 2;

	r->mode = MODE_CGP;
	mem_rig_send(r, 0, 0, REQ_WRITE, addr, 128, 0);
	mem_rig_run(r, AGES);
	cr_assert_eq(memsys_facts(r->s).dirty_lines, 1);
	written = flush(r, slice, at);
	back = mem_rig_over(&r->m, edge(&r->m, CLOCK_L2, mem_rig_over(&r->m, at, 128, 1)), 0, 1);
	cr_assert_eq(written, edge(&r->m, CLOCK_L2, back) + l2);
	cr_assert_eq(memsys_facts(r->s).dirty_lines, 0);
	cr_assert_eq(r->s->channel[2].stats.requests[DRAM_WRITE], 1, "stack 1, channel 0");
	cr_assert_eq(memsys_facts(r->s).dram_writes, 1);
	/* It was dropped: the next read of it is a miss. A flush of nothing takes an L2 cycle. */
	mem_rig_run(r, 70 * AGES);
	mem_rig_send(r, 71 * AGES, 0, REQ_READ, addr, 128, 1);
	mem_rig_run(r, 72 * AGES);
	cr_assert_eq(memsys_facts(r->s).fetches, 1);
	cr_assert_eq(flush(r, slice, 80 * AGES / l2 * l2), 80 * AGES / l2 * l2 + l2);
	mem_rig_free(r);
}

/* ---- the CPU ---- */

/* From the CPU's port: a network cycle to the link, the link, the crossbar of the module; back the same way, and it is
 * there. A packet for the stack of module 2 leaves by the link to module 2: a CPU has a link to each, and nothing else
 * is nearer. */
Test(modules, a_read_of_the_cpu_costs_its_link_and_the_crossbars)
{
	struct mem_rig *r = mem_rig_new(SET(RING, "link.cpu=25", "link.cpu_latency=30"));
	const struct machine *m = &r->m;
	uint64_t net = m->clock.period[CLOCK_NET], latency = 30 * (uint64_t)m->clock.period[CLOCK_CORE];
	uint64_t request = (8 * m->clock.ticks_per_us + 24999) / 25000, reply = (136 * m->clock.ticks_per_us + 24999) / 25000;
	struct queue_end nobody = {0};

	cr_assert_eq(r->s->cpu_ports, 4);
	for (uint32_t module = 0; module < 4; module++) {
		uint64_t sent = module * AGES + 5 * module, t;
		struct mem_req q = {.addr = module * STACK, .bytes = 128, .requester = (uint16_t)memsys_cpu_requester(r->s)};
		struct net_link port;
		struct mem_req_queue *replies;

		q.dest = memsys_destination(r->s, at_tick(sent), q.requester, q.addr, q.mode);
		cr_assert_eq(memsys_cpu_port_of(r->s, q.dest), module);
		port = memsys_cpu_port(r->s, module, nobody);
		replies = memsys_cpu_replies(r->s, module, nobody);
		mem_rig_run(r, sent);
		net_send(&port, at_tick(sent), &q);
		t = edge(m, CLOCK_NET, sent) + net + request + latency;
		t = mem_rig_data_at(m, lookup_at(m, t, 0, 0), 2);
		t = mem_rig_over(m, t, 128, 0) + reply + latency;
		mem_rig_run(r, t + 100);
		cr_assert_eq(queue_next_arrival(replies).n, t, "module %u", module);
		cr_assert(queue_front(replies, at_tick(t)));
		queue_pop(replies, at_tick(t));
	}
	mem_rig_free(r);
}

/* ---- bandwidth ---- */

/* SMs of module 0 read lines that the L2 of module 1 has, as fast as they can: replies of 136 bytes fill the link. */
static void saturate(const char *const *set, uint32_t mbps)
{
	struct mem_rig *r = mem_rig_new(set);
	const struct link *l = &r->s->link[r->s->topology.next[1 * r->s->topology.nodes + 0]];
	uint64_t begin = 4 * AGES, end = 24 * AGES, before = 0, bytes, want;
	uint32_t next = 0;
	struct mem_req q;

	for (uint64_t t = 0; t < end; t += 33) {
		for (uint32_t sm = 0; sm < r->m.sm.count / 4; sm++) {
			while (mem_rig_reply(r, t, sm, &q))
				;
			if (mem_rig_can_send(r, t, sm))
				mem_rig_send(r, t, sm, REQ_READ, STACK + next % 32 * 4096 + next % 8 * 128, 128, 0);
			next++;
		}
		if (t <= begin)
			before = l->bytes[LINK_REPLY];
	}
	bytes = l->bytes[LINK_REPLY] - before;
	want = (end - begin) * mbps / r->m.clock.ticks_per_us;
	cr_assert_leq(bytes, want + 136, "%u MB/s: %lu bytes are more than %lu", mbps, bytes, want);
	cr_assert_geq(bytes * 100, want * 99, "%u MB/s: %lu bytes of %lu", mbps, bytes, want);
	mem_rig_free(r);
}

Test(modules, a_saturated_link_moves_its_bandwidth)
{
	saturate(SET(RING, "sm.count=8", "link.gbps=16"), 16000);
	saturate(SET(RING, "sm.count=8", "link.gbps=48"), 48000);
	saturate(SET(RING, "sm.count=8", "link.gbps=31", "link.topology=p2p"), 31000);
	saturate(SET(RING, "sm.count=8", "link.gbps=1.333"), 1333);
}
