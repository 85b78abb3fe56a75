/* The level below a slice that is at its channel. */
#include "cache/l2/l2_lower.h"

struct l2_channel {
	struct l2_lower lower;
	struct route route;
	uint32_t period, slice, line_bytes, burst_bytes;
	struct channel_link *to;
};

static uint64_t line_of(const struct l2_lower *l, const struct mem_req *r, struct ticks now)
{
	const struct l2_channel *c = (const struct l2_channel *)l;

	return route_slice_line(&c->route, route_location(&c->route, cycles_in(now, c->period), r->addr, r->mode).channel_local);
}

static struct dram_req request_for(const struct l2_channel *c, const struct l2_part *p, bool *whole)
{
	return (struct dram_req){.local = route_line_local(&c->route, c->slice, p->line),
				 .bursts = channel_link_bursts(c->line_bytes, c->burst_bytes, p->mask, whole)};
}

static void fetch(struct l2_lower *l, const struct l2_part *p, uint32_t token, struct ticks now)
{
	struct l2_channel *c = (struct l2_channel *)l;
	bool whole;
	struct dram_req q = request_for(c, p, &whole);

	q.token = token;
	channel_link_send(c->to, &q, now);
}

static void write_back(struct l2_lower *l, const struct l2_part *p, bool whole, struct ticks now)
{
	struct l2_channel *c = (struct l2_channel *)l;
	bool all;
	struct dram_req q = request_for(c, p, &all);

	q.write = 1;
	q.whole = whole || all;
	channel_link_send(c->to, &q, now);
}

static uint32_t take(struct l2_lower *l, struct stamp at[REQ_STAMPS], struct ticks now)
{
	return channel_link_take(((struct l2_channel *)l)->to, at, now);
}

struct l2_lower *l2_channel_new(struct arena *a, const struct machine *m, const struct l2_lower_shape *s, struct channel_link *to)
{
	static const struct l2_lower_ops ops = {line_of, fetch, write_back, take, NULL};
	struct l2_channel *c = arena_alloc(a, sizeof *c);

	*c = (struct l2_channel){
		.lower = {.ops = &ops, .down = &to->down.ring, .up = &to->up.ring},
		.route = s->route,
		.period = m->clock.period[CLOCK_L2],
		.slice = s->slice,
		.line_bytes = m->l2.c.line,
		.burst_bytes = m->dram.burst_bytes,
		.to = to,
	};
	return &c->lower;
}
