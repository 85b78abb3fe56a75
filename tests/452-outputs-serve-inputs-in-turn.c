/* 452: many ports: fair turns, no interference between disjoint pairs, head-of-line blocking. */
#include <criterion/criterion.h>

#include "noc/crossbar.h"
#include "support/at_tick.h"

enum { PERIOD = 33 };

struct rig {
	struct arena arena;
	struct net net;
	struct ticks wake;
};

static void rig_open(struct rig *r, uint32_t inputs, uint32_t outputs)
{
	*r = (struct rig){.wake = TIME_NEVER};
	net_init(&r->net, &r->arena,
		 &(struct net_params){NET_TO_SM, inputs, outputs, PERIOD, .hop = 1, .flit = 32, .header = 8, .in_queue = 8,
				      .out_queue = 8});
	for (uint32_t i = 0; i < inputs; i++)
		r->net.in[i].q.ring.consumer.wake = &r->wake;
	for (uint32_t o = 0; o < outputs; o++)
		r->net.out[o].q.ring.producer.wake = &r->wake;
}

static void rig_run(struct rig *r, uint64_t until)
{
	while (ticks_by(r->wake, at_tick(until))) {
		struct ticks now = r->wake;

		r->wake = TIME_NEVER;
		r->wake = net_step(&r->net, now);
	}
}

/* Keeps input i's queue full of packets from i to `to`. */
static void feed(struct rig *r, uint32_t i, uint32_t to, uint64_t t)
{
	struct net_link link = net_link(&r->net, i);
	struct ticks when;

	while (net_can_send(&link, at_tick(t), &when))
		net_send(&link, at_tick(t),
			 &(struct mem_req){.kind = REQ_READ, .bytes = 128, .requester = (uint16_t)to, .token = i});
}

/* Takes whatever has arrived at an output; returns the sender of the last, or -1. */
static int take(struct rig *r, uint32_t o, uint64_t t, unsigned *n)
{
	int from = -1;
	const struct mem_req *m;

	while ((m = queue_front(net_output(&r->net, o), at_tick(t)))) {
		from = (int)m->token;
		queue_pop(net_output(&r->net, o), at_tick(t));
		++*n;
	}
	return from;
}

/* Any number of inputs, above and below a machine word's bits: packet k comes from input k mod inputs, every 5 cycles
 * one. */
Test(turns, inputs_that_always_have_a_packet_for_one_output_are_served_one_after_another)
{
	for (uint32_t inputs = 1; inputs <= 200; inputs += inputs < 16 ? 1 : 61) {
		struct rig r;
		unsigned n = 0;

		rig_open(&r, inputs, 1);
		for (uint64_t c = 0; n < 3 * inputs; c++) {
			unsigned before = n;
			int from;

			rig_run(&r, c * PERIOD);
			from = take(&r, 0, c * PERIOD, &n);
			cr_assert_leq(n - before, 1);
			cr_assert_eq(n, c < 6 ? 0 : (c - 6) / 5 + 1, "one packet of five flits every five cycles");
			if (n > before)
				cr_assert_eq((uint32_t)from, (n - 1) % inputs);
			for (uint32_t i = 0; i < inputs; i++)
				feed(&r, i, 0, c * PERIOD);
		}
		arena_free(&r.arena);
	}
}

Test(turns, every_pair_of_a_permutation_runs_at_full_rate)
{
	struct rig r;
	unsigned n[15] = {0};

	rig_open(&r, 15, 15);
	for (uint64_t c = 0; c < 1001; c++) {
		rig_run(&r, c * PERIOD);
		for (uint32_t i = 0; i < 15; i++) {
			take(&r, (i * 4 + 3) % 15, c * PERIOD, &n[i]);
			feed(&r, i, (i * 4 + 3) % 15, c * PERIOD);
		}
	}
	for (uint32_t i = 0; i < 15; i++)
		cr_assert_eq(n[i], (1000 - 1) / 5, "input %u: the first is whole after 6 cycles, then one every 5", i);
	cr_assert_eq(net_count(&r.net).waited, 0);
	arena_free(&r.arena);
}

/* Inputs 0 and 1 both have packets for output 0; behind its first one, input 1 has one for output 1, which nobody else
 * uses. Input 0's packet passes in cycles 1..5, input 1's in 6..10, so the packet for the free output passes in
 * 11..15. */
Test(turns, a_packet_waits_behind_one_that_waits_for_another_output)
{
	struct rig r;
	struct net_link a, b;
	struct mem_req m = {.kind = REQ_READ, .bytes = 128};

	rig_open(&r, 2, 2);
	a = net_link(&r.net, 0);
	b = net_link(&r.net, 1);
	net_send(&a, at_tick(0), &m);
	net_send(&b, at_tick(0), &m);
	m.requester = 1;
	net_send(&b, at_tick(0), &m);
	rig_run(&r, 100 * PERIOD);
	cr_assert_null(queue_front(net_output(&r.net, 1), at_tick(16 * PERIOD - 1)));
	cr_assert_not_null(queue_front(net_output(&r.net, 1), at_tick(16 * PERIOD)));
	arena_free(&r.arena);
}
