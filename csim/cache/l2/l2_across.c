/* The level below a slice of an L2 of two halves: its channel, or the slice that it is paired with. */
#include "cache/l2/l2_lower.h"

struct l2_across {
	struct l2_lower lower;
	struct l2_lower *own;
	struct route route;
	uint32_t period, slice, line_bytes;
	struct net_link asked;
	struct mem_req_queue *came;
};

static uint64_t line_of(const struct l2_lower *l, const struct mem_req *r, struct ticks now)
{
	const struct l2_across *c = (const struct l2_across *)l;
	struct addr_location at = route_location(&c->route, cycles_in(now, c->period), r->addr, r->mode);

	return route_slice_line(&c->route, at.channel_local) | (route_home(&c->route, &at) == c->slice ? 0 : L2_FAR);
}

static void ask_other_half(struct l2_across *c, const struct l2_part *p, uint32_t token, struct ticks now)
{
	struct mem_req r = l2_read_of(p, p->addr & ~((uint64_t)c->line_bytes - 1), c->line_bytes, token);

	r.requester = REQ_OTHER_HALF;
	net_send(&c->asked, now, &r);
}

static void fetch(struct l2_lower *l, const struct l2_part *p, uint32_t token, struct ticks now)
{
	struct l2_across *c = (struct l2_across *)l;

	if (l2_is_far(p->line))
		ask_other_half(c, p, token, now);
	else
		c->own->ops->fetch(c->own, p, token, now);
}

/* What is the other half's is never dirty here. */
static void write_back(struct l2_lower *l, const struct l2_part *p, bool whole, struct ticks now)
{
	struct l2_across *c = (struct l2_across *)l;

	PANIC_UNLESS(!l2_is_far(p->line), "l2", cycles_in(now, c->period));
	c->own->ops->write_back(c->own, p, whole, now);
}

/* What came first; of two at once the channel's. */
static uint32_t take(struct l2_lower *l, struct stamp at[REQ_STAMPS], struct ticks now)
{
	struct l2_across *c = (struct l2_across *)l;

	if (ticks_before(queue_next_arrival(c->came), queue_ring_next_arrival(l->up)))
		return l2_take_reply(c->came, at, now);
	return c->own->ops->take(c->own, at, now);
}

struct l2_lower *l2_across_new(struct arena *a, const struct machine *m, const struct l2_lower_shape *s, struct l2_lower *own,
			       uint32_t slice, struct net_link asked, struct mem_req_queue *came)
{
	static const struct l2_lower_ops ops = {line_of, fetch, write_back, take, NULL};
	struct l2_across *c = arena_alloc(a, sizeof *c);

	*c = (struct l2_across){
		.lower = {.ops = &ops, .down = own->down, .up = own->up, .across = &asked.q->ring, .crossed = &came->ring},
		.own = own,
		.route = s->route,
		.period = m->clock.period[CLOCK_L2],
		.slice = slice,
		.line_bytes = m->l2.c.line,
		.asked = asked,
		.came = came,
	};
	return &c->lower;
}
