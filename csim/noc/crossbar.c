#include "noc/crossbar.h"

#include "base/panic.h"

static inline void set_add(struct net_set *s, uint32_t i)
{
	s->word[i / 64] |= UINT64_C(1) << i % 64;
}

static inline void set_remove(struct net_set *s, uint32_t i)
{
	s->word[i / 64] &= ~(UINT64_C(1) << i % 64);
}

/* The first member at or after `from`, in cyclic order. The set is not empty. */
static uint32_t set_next(const struct net_set *s, uint32_t from)
{
	uint32_t w = from / 64;
	uint64_t bits = s->word[w] & (UINT64_MAX << from % 64);

	while (!bits) {
		w = (w + 1) % NET_WORDS;
		bits = s->word[w];
	}
	return w * 64 + (uint32_t)__builtin_ctzll(bits);
}

static void init_input(struct net *n, struct arena *a, uint32_t i, uint32_t cap, struct ticks credit)
{
	struct mem_req_queue *q = &n->in[i].q;

	queue_init(q, a, cap, credit);
	q->ring.filled = &n->filled.word[i / 64];
	q->ring.filled_bit = UINT64_C(1) << i % 64;
}

void net_init(struct net *n, struct arena *a, const struct net_params *p)
{
	struct ticks credit = ticks_of(p->hop, p->period);

	PANIC_UNLESS(p->inputs && p->inputs <= NET_MAX_PORTS && p->outputs && p->outputs <= NET_MAX_PORTS, "net", 0);
	PANIC_UNLESS(p->period && p->hop && p->flit && p->header && p->in_queue && p->out_queue, "net", 0);
	*n = (struct net){.p = *p};
	n->in = arena_array(a, p->inputs, sizeof *n->in);
	n->ready = arena_array(a, p->inputs, sizeof *n->ready);
	n->out = arena_array(a, p->outputs, sizeof *n->out);
	for (uint32_t i = 0; i < p->inputs; i++) {
		init_input(n, a, i, p->in_queue, credit);
		set_add(&n->unseen, i);
	}
	for (uint32_t o = 0; o < p->outputs; o++)
		queue_init(&n->out[o].q, a, p->out_queue, credit);
}

void net_widen_input(struct net *n, struct arena *a, uint32_t input, uint32_t cap, struct ticks credit)
{
	init_input(n, a, input, cap, credit);
}

uint32_t net_flits(const struct net_params *p, const struct mem_req *r)
{
	return (p->header + net_payload(r, p->direction) + p->flit - 1) / p->flit;
}

/* What has waited for output o since anything there last changed. */
static void count_waits(struct net_out *out, struct ticks now)
{
	out->stall[out->why] += out->waiting * ticks_between(out->since, now).n;
	out->since = now;
}

static uint32_t output_of(const struct net *n, const struct mem_req *r)
{
	uint32_t o = n->p.direction == NET_TO_SLICE ? r->dest : r->requester;

	if (n->output)
		o = n->output[o];
	PANIC_UNLESS(o < n->p.outputs, "net", 0);
	return o;
}

/* Position k of an input's queue: its packet, and when that arrives. */
static uint64_t slot_at(const struct net_in *in, uint32_t k)
{
	return (in->q.ring.head + k) & in->q.ring.mask;
}
static const struct mem_req *packet_at(const struct net_in *in, uint32_t k)
{
	return &in->q.sent[slot_at(in, k)];
}

static bool is_wanted_by(const struct net_out *out, uint32_t i)
{
	return out->want.word[i / 64] >> i % 64 & 1;
}

/* Input i asks for output o. */
static void request_output(struct net *n, uint32_t i, uint32_t o, struct ticks now)
{
	count_waits(&n->out[o], now);
	n->out[o].waiting++;
	set_add(&n->out[o].want, i);
	set_add(&n->wanted, o);
}

/* Copies that have come with the packet at the head of input i ask with it. */
static void ask_for_copies(struct net *n, uint32_t i, struct ticks now)
{
	struct net_in *in = &n->in[i];

	for (; in->shown < queue_count(&in->q); in->shown++) {
		const struct mem_req *r = packet_at(in, in->shown);
		uint32_t o;

		if (!r->copy || ticks_before(now, in->q.ring.arrival[slot_at(in, in->shown)]))
			return;
		o = output_of(n, r);
		if (is_wanted_by(&n->out[o], i))
			return;
		request_output(n, i, o, now);
	}
}

/* Lets input i ask for its output if its oldest packet is there and the one before has left. Returns when it will
 * be, else. */
static struct ticks look_at_input(struct net *n, uint32_t i, struct ticks now)
{
	struct net_in *in = &n->in[i];
	struct ticks arrival = queue_next_arrival(&in->q), ready;

	if (ticks_is_never(arrival)) {
		set_remove(&n->filled, i);
		return TIME_NEVER;
	}
	ready = ticks_later(arrival, in->free_at);
	if (ticks_before(now, ready))
		return n->ready[i] = ticks_edge(ready, n->p.period);
	in->ready_at = now;
	set_remove(&n->unseen, i);
	request_output(n, i, output_of(n, queue_front(&in->q, now)), now);
	in->shown = 1;
	in->left = 0;
	ask_for_copies(n, i, now);
	return TIME_NEVER;
}

/* Of the packets that input i shows, that for output o. */
static const struct mem_req *shown_for(const struct net *n, uint32_t i, uint32_t o)
{
	const struct net_in *in = &n->in[i];
	uint32_t k = 0;

	while (in->shown > 1 && output_of(n, packet_at(in, k)) != o)
		k++;
	return packet_at(in, k);
}

/* All that input i showed has left. Returns when the packet behind could. */
static struct ticks show_next(struct net *n, uint32_t i)
{
	struct net_in *in = &n->in[i];

	for (uint32_t k = 0; k < in->shown; k++)
		queue_pop(&in->q, in->free_at);
	set_add(&n->unseen, i);
	if (ticks_is_never(queue_next_arrival(&in->q))) {
		set_remove(&n->filled, i);
		return TIME_NEVER;
	}
	return n->ready[i] = ticks_edge(ticks_later(queue_next_arrival(&in->q), in->free_at), n->p.period);
}

/* Input i's packet starts to pass through output o. Returns when the one behind it could. */
static struct ticks grant(struct net *n, uint32_t i, uint32_t o, struct ticks now)
{
	struct net_in *in = &n->in[i];
	struct net_out *out = &n->out[o];
	const struct mem_req *r = shown_for(n, i, o);
	uint32_t bytes = n->p.header + net_payload(r, n->p.direction), flits = (bytes + n->p.flit - 1) / n->p.flit;
	struct mem_req *passed;

	out->free_at = ticks_after(now, flits, n->p.period);
	in->free_at = ticks_later(in->free_at, out->free_at);
	passed = queue_push(&out->q, out->free_at);
	*passed = *r;
	passed->copy = false;
	n->waited += ticks_between(in->ready_at, now).n;
	out->waiting--;
	set_remove(&out->want, i);
	out->next = i + 1 < n->p.inputs ? i + 1 : 0;
	out->packets++;
	out->flits += flits;
	out->bytes += bytes;
	return ++in->left == in->shown ? show_next(n, i) : TIME_NEVER;
}

/* Output o, which somebody waits for: passes on one packet if it can. Returns when to look again. */
static struct ticks look_at_output(struct net *n, uint32_t o, struct ticks now)
{
	struct net_out *out = &n->out[o];
	struct ticks when = TIME_NEVER, next;

	if (ticks_before(now, out->free_at))
		return out->free_at;
	count_waits(out, now);
	out->why = NET_STALL_BUSY;
	if (!queue_has_space(&out->q, now, &when)) {
		out->why = NET_STALL_FULL;
		next = ticks_edge(when, n->p.period);
	} else {
		next = grant(n, set_next(&out->want, out->next), o, now);
	}
	if (!out->waiting) {
		set_remove(&n->wanted, o);
		return next;
	}
	return ticks_before(now, out->free_at) ? ticks_earlier(next, out->free_at) : next;
}

/* The inputs of a word of the sets whose head packet has not been looked at. */
static struct ticks look_at_inputs(struct net *n, uint32_t w, struct ticks now)
{
	struct ticks next = TIME_NEVER;

	for (uint64_t bits = n->filled.word[w] & n->unseen.word[w]; bits; bits &= bits - 1) {
		uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(bits);

		next = ticks_earlier(next, ticks_before(now, n->ready[i]) ? n->ready[i] : look_at_input(n, i, now));
	}
	return next;
}

struct ticks net_step(struct net *n, struct ticks now)
{
	struct ticks next = TIME_NEVER;

	if (!ticks_is_edge(now, n->p.period))
		return ticks_edge(now, n->p.period);
	for (uint32_t w = 0; w < NET_WORDS; w++)
		next = ticks_earlier(next, look_at_inputs(n, w, now));
	for (uint32_t w = 0; w < NET_WORDS; w++)
		for (uint64_t bits = n->wanted.word[w]; bits; bits &= bits - 1)
			next = ticks_earlier(next, look_at_output(n, w * 64 + (uint32_t)__builtin_ctzll(bits), now));
	return next;
}

void net_finish(struct net *n, struct ticks now)
{
	struct ticks end = ticks_edge(now, n->p.period);

	for (uint32_t o = 0; o < n->p.outputs; o++) {
		struct net_out *out = &n->out[o];

		if (!out->waiting)
			continue;
		out->stall[out->why] += out->waiting * ticks_between(out->since, end).n;
		out->since = end;
		for (uint32_t i = 0; i < n->p.inputs; i++) {
			if (is_wanted_by(out, i))
				n->waited += ticks_between(n->in[i].ready_at, end).n;
		}
	}
	for (uint32_t i = 0; i < n->p.inputs; i++)
		n->in[i].ready_at = end;
}

struct net_counts net_count(const struct net *n)
{
	struct net_counts c = {.waited = n->waited / n->p.period};

	for (uint32_t o = 0; o < n->p.outputs; o++) {
		const struct net_out *out = &n->out[o];

		c.packets += out->packets;
		c.flits += out->flits;
		c.bytes += out->bytes;
		c.most_flits = out->flits > c.most_flits ? out->flits : c.most_flits;
		for (unsigned s = 0; s < NET_STALLS; s++)
			c.stall[s] += out->stall[s] / n->p.period;
	}
	return c;
}
