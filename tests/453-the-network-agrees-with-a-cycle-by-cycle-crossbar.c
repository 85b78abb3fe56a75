/* 453: random traffic and random back-pressure: nothing is lost, pairs stay in order, every packet arrives in exactly
 * the cycle that a crossbar written cycle by cycle says, and the stalls by cause sum up to the packets' waits; with
 * copies of packets, which leave together with them, too. */
#include <criterion/criterion.h>
#include <string.h>

#include "noc/crossbar.h"
#include "support/random.h"

enum { PORTS = 9, PACKETS = 4000, PERIOD = 10, HOP = 2, IN_ROOM = 3, OUT_ROOM = 2, CYCLES_MAX = 400000 };

struct sent { /* a packet in the reference */
	uint32_t from, to, flits;
	bool copy;
	uint64_t sent, arrived; /* network cycles */
};

/* The receiver takes a packet in cycle c only if this says so; the sender sends likewise. */
static bool coin(uint64_t c, uint32_t port, uint32_t seed, unsigned of)
{
	uint64_t s = c * 1000003 + port * 7919 + seed + 1;

	for (int i = 0; i < 3; i++)
		random_u64(&s);
	return s % 16 < of;
}

/* ---- the reference: everything is done in every cycle; FIFOs are arrays of packet numbers ---- */

struct fifo {
	uint32_t at[PACKETS], head, tail;
};

struct reference {
	struct sent *p;
	struct fifo to_send[PORTS], in[PORTS], out[PORTS];
	int in_credits[PORTS], out_credits[PORTS];
	uint64_t in_busy[PORTS], out_busy[PORTS]; /* until */
	uint32_t shown[PORTS];			  /* packets that ask together; 0: it is to be found out */
	bool gone[PORTS][PORTS];		  /* by input: of these, the one to that output */
	uint32_t turn[PORTS];
	uint64_t in_back[CYCLES_MAX + 64][PORTS], out_back[CYCLES_MAX + 64][PORTS]; /* credits that return in a cycle */
	uint64_t left;
};

static bool is_at(const struct reference *r, uint32_t i, uint32_t k, uint64_t c)
{
	return r->in[i].head + k < r->in[i].tail && r->p[r->in[i].at[r->in[i].head + k]].sent + HOP <= c;
}

/* The packet at the head of an input, and the copies that have come with it, each for another output. */
static void show(struct reference *r, uint32_t i, uint64_t c)
{
	bool to[PORTS] = {false};

	if (r->shown[i] || r->in_busy[i] > c)
		return;
	for (uint32_t k = 0; is_at(r, i, k, c); k++) {
		const struct sent *p = &r->p[r->in[i].at[r->in[i].head + k]];

		if (k && (!p->copy || to[p->to]))
			return;
		to[p->to] = true;
		r->gone[i][p->to] = false;
		r->shown[i]++;
	}
}

/* The packet that an input shows for an output; NULL: none, or it has gone. */
static struct sent *shown_for(struct reference *r, uint32_t i, uint32_t o, uint32_t *number)
{
	for (uint32_t k = 0; k < r->shown[i]; k++) {
		*number = r->in[i].at[r->in[i].head + k];
		if (r->p[*number].to == o)
			return r->gone[i][o] ? NULL : &r->p[*number];
	}
	return NULL;
}

/* The packet has left; when all have, the next one is shown. */
static void leave(struct reference *r, uint32_t i, uint32_t o, uint64_t until)
{
	uint32_t left = 0;

	r->gone[i][o] = true;
	r->in_busy[i] = r->in_busy[i] > until ? r->in_busy[i] : until;
	for (uint32_t k = 0; k < r->shown[i]; k++)
		left += r->gone[i][r->p[r->in[i].at[r->in[i].head + k]].to];
	if (left < r->shown[i])
		return;
	r->in[i].head += left;
	r->in_back[r->in_busy[i] + HOP][i] += left;
	r->shown[i] = 0;
}

static void reference_cycle(struct reference *r, uint64_t c, unsigned take_of, unsigned send_of, uint32_t seed)
{
	for (uint32_t i = 0; i < PORTS; i++) {
		r->in_credits[i] += (int)r->in_back[c][i];
		r->out_credits[i] += (int)r->out_back[c][i];
	}
	for (uint32_t i = 0; i < PORTS; i++)
		show(r, i, c);
	for (uint32_t o = 0; o < PORTS; o++) {
		if (r->out_busy[o] > c || r->out_credits[o] == 0)
			continue;
		for (uint32_t k = 0; k < PORTS; k++) {
			uint32_t i = (r->turn[o] + k) % PORTS, number;
			struct sent *p = shown_for(r, i, o, &number);

			if (!p)
				continue;
			r->out_busy[o] = p->arrived = c + p->flits;
			r->out_credits[o]--;
			r->out[o].at[r->out[o].tail++] = number;
			leave(r, i, o, p->arrived);
			r->turn[o] = (i + 1) % PORTS;
			break;
		}
	}
	for (uint32_t o = 0; o < PORTS; o++) {
		struct fifo *f = &r->out[o];

		if (f->head != f->tail && r->p[f->at[f->head]].arrived <= c && coin(c, o, seed, take_of)) {
			f->head++;
			r->out_back[c + HOP][o]++;
			r->left--;
		}
	}
	for (uint32_t i = 0; i < PORTS; i++) {
		struct fifo *f = &r->to_send[i];

		if (f->head != f->tail && r->in_credits[i] && coin(c, i, seed + 77, send_of)) {
			r->in_credits[i]--;
			r->p[f->at[f->head]].sent = c;
			r->in[i].at[r->in[i].tail++] = f->at[f->head++];
		}
	}
}

/* copies_of: of sixteen packets so many are copies of the one ahead of them at their input (if of other lengths). */
static void reference_run(struct reference *r, unsigned take_of, unsigned send_of, unsigned copies_of, uint32_t seed)
{
	uint64_t random = seed + 12345;

	r->left = PACKETS;
	for (uint32_t k = 0; k < PACKETS; k++) {
		r->p[k] = (struct sent){.from = (uint32_t)(random_u64(&random) % PORTS),
					.to = (uint32_t)(random_u64(&random) % (seed % 2 ? PORTS : 2)),
					.flits = random_u64(&random) % 2 ? 5 : 1,
					.copy = copies_of && random_below(&random, 16) < copies_of};
		r->to_send[r->p[k].from].at[r->to_send[r->p[k].from].tail++] = k;
	}
	for (uint32_t i = 0; i < PORTS; i++) {
		r->in_credits[i] = IN_ROOM;
		r->out_credits[i] = OUT_ROOM;
	}
	for (uint64_t c = 0; r->left; c++) {
		cr_assert_lt(c, CYCLES_MAX);
		reference_cycle(r, c, take_of, send_of, seed);
	}
}

/* ---- the network under the same sender and receivers ---- */

static void network_run(const struct reference *ref, unsigned take_of, unsigned send_of, uint32_t seed)
{
	struct arena a = {0};
	struct net n;
	struct ticks wake = TIME_NEVER, when;
	uint32_t head[PORTS] = {0}, left = PACKETS;
	struct net_link link[PORTS];
	bool *seen = arena_array(&a, PACKETS, sizeof *seen);
	struct net_counts counts;

	net_init(&n, &a, &(struct net_params){NET_TO_SM, PORTS, PORTS, PERIOD, HOP, 32, 8, IN_ROOM, OUT_ROOM});
	for (uint32_t i = 0; i < PORTS; i++) {
		link[i] = net_link(&n, i);
		n.in[i].q.ring.consumer.wake = n.out[i].q.ring.producer.wake = &wake;
	}
	for (uint64_t c = 0; left; c++) {
		struct ticks now = ticks_of(c, PERIOD);

		cr_assert_lt(c, CYCLES_MAX);
		cr_assert(ticks_by(now, wake));
		if (ticks_equal(wake, now))
			wake = net_step(&n, now);
		for (uint32_t o = 0; o < PORTS; o++) {
			const struct mem_req *m = queue_front(net_output(&n, o), now);

			if (!m || !coin(c, o, seed, take_of))
				continue;
			cr_assert_eq(ref->p[m->token].to, o);
			cr_assert_not(seen[m->token]);
			cr_assert_eq(ref->out[o].at[n.out[o].q.ring.head], m->token, "order");
			cr_assert_eq(queue_next_arrival(net_output(&n, o)).n, ref->p[m->token].arrived * PERIOD, "packet %u",
				     m->token);
			seen[m->token] = true;
			queue_pop(net_output(&n, o), now);
			left--;
		}
		for (uint32_t i = 0; i < PORTS; i++) {
			const struct fifo *f = &ref->to_send[i];
			uint32_t k;

			if (head[i] == f->tail || !coin(c, i, seed + 77, send_of) || !net_can_send(&link[i], now, &when))
				continue;
			k = f->at[head[i]++];
			cr_assert_eq(ref->p[k].sent, c, "packet %u is sent in the same cycle", k);
			net_send(&link[i], now,
				 &(struct mem_req){.kind = ref->p[k].flits == 5 ? REQ_READ : REQ_WRITE,
						   .bytes = 128,
						   .requester = (uint16_t)ref->p[k].to,
						   .copy = ref->p[k].copy,
						   .token = k});
		}
	}
	counts = net_count(&n);
	cr_assert_eq(counts.packets, PACKETS);
	cr_assert_eq(counts.stall[NET_STALL_BUSY] + counts.stall[NET_STALL_FULL], counts.waited);
	cr_assert_gt(counts.waited, 0);
	arena_free(&a);
}

static void compare(unsigned take_of, unsigned send_of, unsigned copies_of, uint32_t seed)
{
	struct arena a = {0};
	struct reference *r = arena_alloc(&a, sizeof *r);

	r->p = arena_array(&a, PACKETS, sizeof *r->p);
	reference_run(r, take_of, send_of, copies_of, seed);
	network_run(r, take_of, send_of, seed);
	arena_free(&a);
}

Test(crossbar, receivers_that_take_at_once)
{
	for (uint32_t seed = 1; seed <= 6; seed++)
		compare(16, 16, 0, seed);
}

Test(crossbar, receivers_that_dawdle)
{
	for (uint32_t seed = 1; seed <= 6; seed++)
		compare(2, 12, 0, seed);
}

Test(crossbar, senders_that_dawdle)
{
	for (uint32_t seed = 1; seed <= 6; seed++)
		compare(9, 3, 0, seed);
}

/* A sender sends a packet a cycle: a copy that comes while the packet ahead of it waits for the input leaves with it,
 * one that comes later on its own. */
Test(crossbar, copies_leave_with_their_packet)
{
	for (uint32_t seed = 1; seed <= 6; seed++) {
		compare(16, 16, 12, seed);
		compare(2, 12, 10, seed);
		compare(9, 3, 12, seed);
	}
}
