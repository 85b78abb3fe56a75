#include "mem/memsys.h"

#include "base/panic.h"

static uint32_t requesters(const struct machine *m)
{
	return m->sm.count + (m->vm.enabled && m->vm.tlb);
}

static struct net_params net_params_of(const struct machine *m, enum net_direction direction)
{
	uint32_t slices = m->dram.channels * m->l2.slices;
	bool down = direction == NET_TO_SLICE;

	return (struct net_params){
		.direction = direction,
		.inputs = down ? requesters(m) : slices,
		.outputs = down ? slices : requesters(m),
		.period = m->clock.period[CLOCK_NET],
		.hop = m->net.hop,
		.flit = m->net.flit_bytes,
		.header = m->net.header_bytes,
		.in_queue = m->net.in_queue,
		.out_queue = m->net.out_queue,
	};
}

static uint64_t *next_of_slice(struct memsys *s, uint32_t slice)
{
	return &s->next[s->channels + slice];
}

static uint64_t *next_of_net(struct memsys *s, enum net_direction direction)
{
	return &s->next[s->channels + s->slices + direction];
}

static int slice_init(struct memsys *s, struct arena *a, uint32_t i, const struct hw_binder *binder, struct err *e)
{
	struct l2 *l = &s->slice[i];
	struct pric_port port;
	bool hashed = s->m.l2.enabled && s->m.l2.c.index == INDEX_PRIC;

	if (hashed) {
		struct pric_params p =
			pric_params_of(s->m.l2.c.poly, machine_cache_sets(&s->m.l2.c), s->m.l2.c.line, s->m.l2.c.addr_bits);

		PANIC_UNLESS(binder, "memsys", 0);
		if (binder->pric(binder->ctx, arena_printf(a, "l2.%u", i), &p, &port, e))
			return -1;
	}
	l2_init(l, a, &s->m, i % s->m.l2.slices, net_output(&s->request, i), net_link(&s->reply, i), hashed ? &port : NULL,
		s->buffers);
	net_output(&s->request, i)->consumer_wake = next_of_slice(s, i);
	net_output(&s->request, i)->producer_wake = next_of_net(s, NET_TO_SLICE);
	s->reply.in[i].q.consumer_wake = next_of_net(s, NET_TO_SM);
	s->reply.in[i].q.producer_wake = next_of_slice(s, i);
	l->down.producer_wake = l->up.consumer_wake = next_of_slice(s, i);
	l->down.consumer_wake = l->up.producer_wake = &s->next[i / s->m.l2.slices];
	return 0;
}

static void channel_init(struct memsys *s, struct arena *a, uint32_t c)
{
	uint32_t ports = s->m.l2.slices;
	struct queue **in = arena_array(a, ports, sizeof *in), **out = arena_array(a, ports, sizeof *out);

	for (uint32_t p = 0; p < ports; p++) {
		in[p] = &s->slice[c * ports + p].down;
		out[p] = &s->slice[c * ports + p].up;
	}
	dram_init(&s->channel[c], a, &s->m, ports, in, out);
}

struct memsys *memsys_new(struct arena *a, const struct machine *m, const struct hw_binder *binder, uint32_t buffers, struct err *e)
{
	struct memsys *s = arena_alloc(a, sizeof *s);
	struct net_params down = net_params_of(m, NET_TO_SLICE), up = net_params_of(m, NET_TO_SM);
	uint32_t parts;

	s->m = *m;
	s->sms = requesters(m);
	s->channels = m->dram.channels;
	s->slices = s->channels * m->l2.slices;
	s->buffers = buffers;
	s->soonest = TIME_NEVER;
	addrmap_init(&s->map, m);
	parts = s->channels + s->slices + 2;
	s->next = arena_array(a, parts, sizeof *s->next);
	for (uint32_t i = 0; i < parts; i++)
		s->next[i] = TIME_NEVER;
	net_init(&s->request, a, &down);
	net_init(&s->reply, a, &up);
	for (uint32_t i = 0; i < s->sms; i++) {
		s->request.in[i].q.consumer_wake = next_of_net(s, NET_TO_SLICE);
		s->reply.out[i].q.producer_wake = next_of_net(s, NET_TO_SM);
	}
	s->slice = arena_array(a, s->slices, sizeof *s->slice);
	s->channel = arena_array(a, s->channels, sizeof *s->channel);
	for (uint32_t i = 0; i < s->slices; i++)
		if (slice_init(s, a, i, binder, e))
			return NULL;
	for (uint32_t c = 0; c < s->channels; c++)
		channel_init(s, a, c);
	return s;
}

struct net_link memsys_port(struct memsys *s, uint32_t sm, uint64_t *wake)
{
	PANIC_UNLESS(sm < s->sms, "memsys", 0);
	s->request.in[sm].q.producer_wake = wake;
	return net_link(&s->request, sm);
}

struct queue *memsys_replies(struct memsys *s, uint32_t sm, uint64_t *wake)
{
	PANIC_UNLESS(sm < s->sms, "memsys", 0);
	net_output(&s->reply, sm)->consumer_wake = wake;
	return net_output(&s->reply, sm);
}

static void step_nets(struct memsys *s, uint64_t now)
{
	uint64_t *request = next_of_net(s, NET_TO_SLICE), *reply = next_of_net(s, NET_TO_SM);

	if (*request <= now)
		*request = net_step(&s->request, now);
	if (*reply <= now)
		*reply = net_step(&s->reply, now);
}

static void step_slices(struct memsys *s, uint64_t now)
{
	uint64_t *next = s->next + s->channels;

	for (uint32_t i = 0; i < s->slices; i++)
		if (next[i] <= now)
			next[i] = l2_step(&s->slice[i], now);
}

static void step_channels(struct memsys *s, uint64_t now)
{
	for (uint32_t i = 0; i < s->channels; i++)
		if (s->next[i] <= now)
			s->next[i] = dram_step(&s->channel[i], now);
}

uint64_t memsys_step(struct memsys *s, uint64_t now)
{
	uint64_t soonest = TIME_NEVER;

	if (s->reverse) {
		step_nets(s, now);
		step_slices(s, now);
		step_channels(s, now);
	} else {
		step_channels(s, now);
		step_slices(s, now);
		step_nets(s, now);
	}
	for (uint32_t i = 0; i < s->channels + s->slices; i++)
		soonest = s->next[i] < soonest ? s->next[i] : soonest;
	s->soonest = soonest;
	return memsys_next(s);
}

void memsys_finish(struct memsys *s, uint64_t now)
{
	for (uint32_t c = 0; c < s->channels; c++)
		dram_finish(&s->channel[c], now);
	for (uint32_t i = 0; i < s->slices; i++)
		l2_finish(&s->slice[i], now);
	net_finish(&s->request, now);
	net_finish(&s->reply, now);
}
