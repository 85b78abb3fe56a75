#include "noc/link.h"

#include "base/panic.h"

static uint64_t gcd(uint64_t a, uint64_t b)
{
	return b ? gcd(b, a % b) : a;
}

void link_init(struct link *l, struct arena *a, const struct link_params *p, const struct link_nodes *at)
{
	uint64_t bytes_per_us = p->mbps, common = gcd(p->ticks_per_us, bytes_per_us);

	PANIC_UNLESS(p->mbps && p->latency.n && p->ports, "link", 0);
	*l = (struct link){
		.at = at,
		.from = p->from,
		.to = p->to,
		.bytes_num = p->ticks_per_us / common,
		.bytes_den = bytes_per_us / common,
		.latency = p->latency,
		.header = p->header,
		.cap = p->sources,
		.ports = p->ports,
	};
	l->source = arena_array(a, p->sources, sizeof *l->source);
	l->filled = arena_array(a, (p->sources + 63) / 64, sizeof *l->filled);
	l->onward = arena_array(a, (size_t)LINK_CLASSES * at->layers * at->nodes, sizeof *l->onward);
	for (unsigned c = 0; c < LINK_CLASSES; c++)
		l->arrive[c] = arena_array(a, p->ports, sizeof *l->arrive[c]);
	l->entered = arena_array(a, at->nodes, sizeof *l->entered);
	l->delivered = arena_array(a, at->nodes, sizeof *l->delivered);
}

void link_add_source(struct link *l, const struct link_source *s)
{
	uint32_t k = l->sources++;

	PANIC_UNLESS(k < l->cap, "link", 0);
	l->source[k] = *s;
	s->q->ring.filled = &l->filled[k / 64];
	s->q->ring.filled_bit = UINT64_C(1) << k % 64;
}

static inline struct ticks ready_at(const struct link *l)
{
	return (struct ticks){l->free_at.n + (l->free_rest != 0)};
}

/* The node that it goes to; that it came from. */
static uint32_t goes_to(const struct link *l, const struct mem_req *r, uint32_t class)
{
	return class == LINK_REQUEST ? l->at->of_dest[r->dest] : l->at->of_requester[r->requester];
}

static uint32_t came_from(const struct link *l, const struct mem_req *r, uint32_t class)
{
	return class == LINK_REQUEST ? l->at->of_requester[r->requester] : l->at->of_dest[r->dest];
}

/* The queue at the far end, and the time on its way there from the end of the wires. */
static struct net_link far_end(struct link *l, const struct link_source *s, const struct mem_req *r, uint32_t node)
{
	uint32_t layer = s->enters ? l->at->layer[l->from * l->at->nodes + node] : s->layer;
	uint32_t port = s->class == LINK_REQUEST ? r->dest : r->requester;

	if (node == l->to)
		return l->arrive[s->class][port % l->ports];
	return (struct net_link){*link_onward(l, s->class, layer, node), 1, {0}};
}

static void occupy(struct link *l, uint32_t bytes, struct ticks now)
{
	if (ticks_before(ready_at(l), now)) {
		l->free_at = now;
		l->free_rest = 0;
	}
	l->free_rest += bytes * l->bytes_num;
	l->free_at.n += l->free_rest / l->bytes_den;
	l->free_rest %= l->bytes_den;
}

static void count(struct link *l, const struct link_source *s, const struct mem_req *r, uint32_t node, uint32_t bytes)
{
	l->packets[s->class]++;
	l->bytes[s->class] += bytes;
	if (s->enters) {
		l->first[s->class]++;
		l->entered[node] += bytes;
	}
	if (node == l->to)
		l->delivered[came_from(l, r, s->class)] += bytes;
}

/* Takes the oldest packet of source k if it can; else *next is when to look again. */
static bool take(struct link *l, uint32_t k, struct ticks now, struct ticks *next)
{
	const struct link_source *s = &l->source[k];
	const struct mem_req *r = queue_front(s->q, now);
	struct net_link to;
	struct ticks when = TIME_NEVER;
	uint32_t node, bytes;

	if (!r) {
		if (!queue_count(s->q))
			l->filled[k / 64] &= ~s->q->ring.filled_bit;
		*next = ticks_earlier(*next, queue_next_arrival(s->q));
		return false;
	}
	node = goes_to(l, r, s->class);
	to = far_end(l, s, r, node);
	if (!net_can_send(&to, now, &when)) {
		*next = ticks_earlier(*next, when);
		return false;
	}
	bytes = l->header + net_payload(r, s->class == LINK_REQUEST ? NET_TO_SLICE : NET_TO_SM);
	occupy(l, bytes, now);
	net_send(&to, ticks_add(ready_at(l), l->latency), r);
	count(l, s, r, node, bytes);
	queue_pop(s->q, ready_at(l));
	l->turn = k + 1 < l->sources ? k + 1 : 0;
	return true;
}

/* Takes from the first that can give among sources `from` to `to` - 1. */
static bool take_among(struct link *l, uint32_t from, uint32_t to, struct ticks now, struct ticks *next)
{
	for (uint32_t first = from / 64 * 64; first < to; first += 64) {
		uint64_t bits = l->filled[first / 64];

		if (first < from)
			bits &= UINT64_MAX << from % 64;
		if (to - first < 64)
			bits &= ~(UINT64_MAX << (to - first));
		for (; bits; bits &= bits - 1)
			if (take(l, first + (uint32_t)__builtin_ctzll(bits), now, next))
				return true;
	}
	return false;
}

static bool take_one(struct link *l, struct ticks now, struct ticks *next)
{
	return take_among(l, l->turn, l->sources, now, next) || take_among(l, 0, l->turn, now, next);
}

struct ticks link_step(struct link *l, struct ticks now)
{
	struct ticks next = TIME_NEVER;

	/* Small packets on a fast link may take less than a tick. */
	while (ticks_by(ready_at(l), now))
		if (!take_one(l, now, &next))
			return next;
	return ready_at(l);
}

struct ticks link_busy(const struct link *l)
{
	return (struct ticks){((l->bytes[LINK_REQUEST] + l->bytes[LINK_REPLY]) * l->bytes_num + l->bytes_den - 1) / l->bytes_den};
}
