/* The level below a slice at the SMs: any channel, over the network. */
#include "cache/l2/l2_lower.h"

struct l2_network {
	struct l2_lower lower;
	struct route route;
	uint32_t period, slice, slices, line_bytes, burst_bytes;
	uint16_t requester;
	struct net_link below;
	struct mem_req_queue *replies;
};

static uint64_t line_of(const struct l2_lower *l, const struct mem_req *r, struct ticks now)
{
	const struct l2_network *n = (const struct l2_network *)l;

	(void)now;
	return (r->addr >> n->route.line_bits) / n->slices;
}

static void send(struct l2_network *n, struct mem_req *r, uint64_t line, struct ticks now)
{
	r->addr |= (line * n->slices + n->slice) << n->route.line_bits;
	r->requester = n->requester;
	r->dest = route_destination(&n->route, cycles_in(now, n->period), r->addr, r->mode);
	r->buffer = UINT16_MAX;
	net_send(&n->below, now, r);
}

static void fetch(struct l2_lower *l, const struct l2_part *p, uint32_t token, struct ticks now)
{
	struct l2_network *n = (struct l2_network *)l;
	struct mem_req r = l2_read_of(p, 0, n->line_bytes, token);

	send(n, &r, p->line, now);
}

static void write_back(struct l2_lower *l, const struct l2_part *p, bool whole, struct ticks now)
{
	struct l2_network *n = (struct l2_network *)l;
	struct mem_req r = {.kind = REQ_WRITE, .client = REQ_CLIENT_NOBODY, .mode = p->mode, .mask = {p->mask[0], p->mask[1]}};
	bool all;
	uint8_t bursts = channel_link_bursts(n->line_bytes, n->burst_bytes, p->mask, &all);

	for (uint32_t b = 0; whole && b < n->line_bytes; b++)
		if (bursts >> b / n->burst_bytes & 1)
			r.mask[b / 64] |= UINT64_C(1) << b % 64;
	r.bytes = (uint16_t)req_mask_bytes(r.mask);
	send(n, &r, p->line, now);
	l->unacknowledged++;
}

static uint32_t take(struct l2_lower *l, struct stamp at[REQ_STAMPS], struct ticks now)
{
	return l2_take_reply(((struct l2_network *)l)->replies, at, now);
}

static void take_acknowledgements(struct l2_lower *l, struct ticks now)
{
	struct mem_req_queue *replies = ((struct l2_network *)l)->replies;
	const struct mem_req *r;

	while ((r = queue_front(replies, now)) && r->client == REQ_CLIENT_NOBODY) {
		l->unacknowledged--;
		queue_pop(replies, now);
	}
}

struct l2_lower *l2_network_new(struct arena *a, const struct machine *m, const struct l2_lower_shape *s, struct net_link below,
				struct mem_req_queue *replies, uint16_t requester)
{
	static const struct l2_lower_ops ops = {line_of, fetch, write_back, take, take_acknowledgements};
	struct l2_network *n = arena_alloc(a, sizeof *n);

	*n = (struct l2_network){
		.lower = {.ops = &ops, .down = &below.q->ring, .up = &replies->ring},
		.route = s->route,
		.period = m->clock.period[CLOCK_L2],
		.slice = s->slice,
		.slices = s->slices,
		.line_bytes = m->l2.c.line,
		.burst_bytes = m->dram.burst_bytes,
		.requester = requester,
		.below = below,
		.replies = replies,
	};
	return &n->lower;
}
