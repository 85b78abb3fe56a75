/* 451: the network alone: latency without load, throughput under load, credits; all to the cycle, from closed
 * formulas. */
#include <criterion/criterion.h>

#include "noc/crossbar.h"
#include "support/at_tick.h"

struct rig {
	struct arena arena;
	struct net net;
	struct ticks wake; /* when the network wants to be stepped */
};

static void rig_open(struct rig *r, struct net_params p)
{
	*r = (struct rig){.wake = TIME_NEVER};
	net_init(&r->net, &r->arena, &p);
	for (uint32_t i = 0; i < p.inputs; i++)
		r->net.in[i].q.ring.consumer.wake = &r->wake;
	for (uint32_t o = 0; o < p.outputs; o++)
		r->net.out[o].q.ring.producer.wake = &r->wake;
}

/* Steps the network at its own times, up to and including `until`. */
static void rig_run(struct rig *r, uint64_t until)
{
	while (ticks_by(r->wake, at_tick(until))) {
		struct ticks now = r->wake;

		r->wake = TIME_NEVER;
		r->wake = net_step(&r->net, now);
		cr_assert(ticks_before(now, r->wake));
	}
}

static struct net_params params(uint32_t direction, uint32_t inputs, uint32_t outputs)
{
	return (struct net_params){direction,  inputs,	    outputs,	   .period = 33,  .hop = 1,
				   .flit = 32, .header = 8, .in_queue = 8, .out_queue = 8};
}

static struct mem_req packet(uint8_t kind, uint16_t bytes, uint8_t to)
{
	return (struct mem_req){.kind = kind, .bytes = bytes, .dest = to, .requester = to};
}

/* When a lone packet sent at `at` can be seen at output 0, found by asking at every tick. */
static uint64_t arrival_of(struct net_params p, struct mem_req m, uint64_t at)
{
	struct rig r;
	struct net_link link;
	uint64_t t = at;

	rig_open(&r, p);
	link = net_link(&r.net, 0);
	net_send(&link, at_tick(at), &m);
	while (rig_run(&r, t), !queue_front(net_output(&r.net, 0), at_tick(t)))
		t++;
	arena_free(&r.arena);
	return t;
}

Test(net, a_read_request_is_one_flit_and_takes_hop_plus_one_network_cycles)
{
	cr_assert_eq(arrival_of(params(NET_TO_SLICE, 1, 1), packet(REQ_READ, 128, 0), 66 * 10), 66 * 10 + 2 * 33);
}

Test(net, a_reply_of_128_bytes_is_five_flits)
{
	cr_assert_eq(arrival_of(params(NET_TO_SM, 1, 1), packet(REQ_READ, 128, 0), 66 * 10), 66 * 10 + (1 + 5) * 33);
	cr_assert_eq(arrival_of(params(NET_TO_SM, 1, 1), packet(REQ_WRITE, 128, 0), 66 * 10), 66 * 10 + (1 + 1) * 33,
		     "an acknowledgement has no payload");
}

Test(net, a_packet_takes_its_header_and_payload_in_whole_flits)
{
	const struct {
		uint32_t direction, kind, bytes, flits;
	} row[] = {
		{NET_TO_SLICE, REQ_READ, 128, 1},      {NET_TO_SLICE, REQ_WRITE, 24, 1},   {NET_TO_SLICE, REQ_WRITE, 25, 2},
		{NET_TO_SLICE, REQ_WRITE, 128, 5},     {NET_TO_SLICE, REQ_ATOMIC, 128, 5}, {NET_TO_SM, REQ_READ, 24, 1},
		{NET_TO_SM, REQ_READ, 25, 2},	       {NET_TO_SM, REQ_WRITE, 128, 1},	   {NET_TO_SM, REQ_ATOMIC, 64, 3},
		{NET_TO_SLICE, REQ_REDUCTION, 128, 5}, {NET_TO_SM, REQ_REDUCTION, 128, 1},
	};

	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++)
		cr_assert_eq(arrival_of(params(row[i].direction, 1, 1), packet((uint8_t)row[i].kind, (uint16_t)row[i].bytes, 0), 0),
			     (1 + row[i].flits) * 33, "row %u", i);
}

Test(net, a_packet_sent_between_edges_starts_at_the_next_one)
{
	struct net_params p = params(NET_TO_SLICE, 1, 1);

	for (p.hop = 1; p.hop <= 9; p.hop += 4)
		for (uint64_t at = 330; at <= 330 + 66; at++)
			cr_assert_eq(arrival_of(p, packet(REQ_WRITE, 128, 0), at), (at + 32) / 33 * 33 + (p.hop + 5) * 33);
}

/* Sends `n` packets from input i to output `to` as fast as credits allow; the receiver takes all at once.
 * Returns the arrival of the last one. */
static uint64_t stream(struct net_params p, struct mem_req m, unsigned n)
{
	struct rig r;
	struct net_link link;
	struct ticks when = {0};
	uint64_t last = 0;
	unsigned sent = 0, got = 0;

	rig_open(&r, p);
	link = net_link(&r.net, 0);
	for (uint64_t t = 0; got < n; t += 33) {
		rig_run(&r, t);
		for (; queue_front(net_output(&r.net, 0), at_tick(t)); got++, last = t)
			queue_pop(net_output(&r.net, 0), at_tick(t));
		for (; sent < n && net_can_send(&link, at_tick(t), &when); sent++)
			net_send(&link, at_tick(t), &m);
	}
	cr_assert_eq(net_count(&r.net).packets, n);
	arena_free(&r.arena);
	return last;
}

Test(net, one_pair_of_ports_passes_a_flit_every_cycle)
{
	cr_assert_eq(stream(params(NET_TO_SM, 1, 1), packet(REQ_READ, 128, 0), 1000), (1 + 5 * 1000) * 33);
	cr_assert_eq(stream(params(NET_TO_SLICE, 1, 1), packet(REQ_READ, 128, 0), 1000), (1 + 1000) * 33);
}

/* With room for one packet the link idles until the credit is back: the packet is at the crossbar `hop` after it was
 * sent, has left F later, its credit is back `hop` after that. */
Test(net, a_queue_of_one_packet_makes_a_round_trip_of_each)
{
	struct net_params p = params(NET_TO_SM, 1, 1);

	p.in_queue = 1;
	for (p.hop = 1; p.hop <= 3; p.hop++)
		cr_assert_eq(stream(p, packet(REQ_READ, 128, 0), 100), (99 * (2 * p.hop + 5) + p.hop + 5) * 33);
}

Test(net, a_full_output_queue_holds_packets_back_until_a_credit_returns)
{
	struct net_params p = params(NET_TO_SLICE, 4, 1);
	struct rig r;
	uint64_t pop = 100 * 33, again;

	p.out_queue = 3;
	p.hop = 2;
	rig_open(&r, p);
	for (uint32_t i = 0; i < 4; i++) {
		struct net_link link = net_link(&r.net, i);

		net_send(&link, at_tick(0), &(struct mem_req){.kind = REQ_READ, .requester = (uint16_t)i});
	}
	rig_run(&r, pop);
	cr_assert_eq(r.net.out[0].packets, 3);
	queue_pop(net_output(&r.net, 0), at_tick(pop));
	again = pop + 2 * 33; /* the credit; the fourth packet passes then, and is whole one cycle later */
	rig_run(&r, again + 32);
	cr_assert_eq(r.net.out[0].packets, 4);
	for (int i = 0; i < 2; i++)
		queue_pop(net_output(&r.net, 0), at_tick(pop));
	cr_assert_null(queue_front(net_output(&r.net, 0), at_tick(again + 32)));
	cr_assert_not_null(queue_front(net_output(&r.net, 0), at_tick(again + 33)));
	/* Inputs 1 to 3 waited 0, 1, 2 cycles for their turn (input 0 none); input 3 then until the credit: it is at
	 * the crossbar at cycle 2, the third packet has passed at cycle 5, the credit is there at 102. */
	cr_assert_eq(net_count(&r.net).stall[NET_STALL_BUSY], 1 + 2 + 3);
	cr_assert_eq(net_count(&r.net).stall[NET_STALL_FULL], 102 - 5);
	arena_free(&r.arena);
}
