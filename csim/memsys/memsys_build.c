/* Joins the parts of the memory system: who sends into whose queue, and whom a push or a pop wakes. */
#include "memsys/memsys_impl.h"

/* ---- modules and their numbers ---- */

static void number_modules(struct memsys *s)
{
	for (uint32_t i = 0; i < s->m.module.count; i++) {
		struct memsys_module *d = &s->module[i];

		d->first_sm = s->sms;
		d->sms = machine_list_at(&s->m.sm.of_module, i);
		d->first_slice = s->slices;
		d->slices = machine_slices(&s->m, i);
		d->memory = &s->pair[i * s->pairs / s->m.module.count];
		d->at_sms = d->memory + memsys_at_sms(s);
		s->sms += d->sms;
		s->slices += d->slices;
	}
	s->channels = s->slices / s->m.l2.slices;
}

/* Of the crossbars with links: the node of each requester and each destination. */
static void number_nodes(struct memsys *s, struct arena *a)
{
	bool at_sms = memsys_at_sms(s);
	uint32_t walkers = s->m.module.walkers ? s->m.module.count : 0;
	uint32_t n = (at_sms ? s->slices : memsys_all_requesters(s)) + (s->m.module.movers ? s->m.module.count : 0);
	uint16_t *of_dest = arena_array(a, s->slices, sizeof *of_dest), *of_requester = arena_array(a, n + 1, sizeof *of_requester);

	for (uint32_t i = 0; i < s->m.module.count; i++) {
		const struct memsys_module *d = &s->module[i];

		for (uint32_t k = 0; k < d->slices; k++)
			of_dest[d->first_slice + k] = (uint16_t)i;
		for (uint32_t k = 0; !at_sms && k < d->sms; k++)
			of_requester[d->first_sm + k] = (uint16_t)i;
		for (uint32_t k = 0; at_sms && k < d->slices; k++)
			of_requester[d->first_slice + k] = (uint16_t)i;
		if (!at_sms && walkers)
			of_requester[s->sms + i] = (uint16_t)i;
		if (s->m.module.movers)
			of_requester[memsys_mover_requester(s, i)] = (uint16_t)i;
	}
	if (s->topology.cpu != TOPOLOGY_NONE)
		of_requester[n++] = s->topology.cpu;
	s->requesters = n;
	s->nodes = (struct link_nodes){
		.nodes = s->topology.nodes,
		.layers = s->topology.layers,
		.of_requester = of_requester,
		.of_dest = of_dest,
		.layer = s->topology.layer,
	};
}

/* ---- crossbars ---- */

/* links: ports of links, as many of those that leave as of those that enter. */
static void pair_init(struct memsys *s, struct arena *a, struct memsys_pair *p, uint32_t requesters, uint32_t slices,
		      uint32_t links)
{
	const struct machine *m = &s->m;
	struct net_params n = {
		.direction = NET_TO_SLICE,
		.inputs = requesters + links,
		.outputs = slices + links,
		.period = m->clock.period[CLOCK_NET],
		.hop = m->net.hop,
		.flit = m->net.flit_bytes,
		.header = m->net.header_bytes,
		.in_queue = m->net.in_queue,
		.out_queue = m->net.out_queue,
	};

	net_init(&p->request, a, &n);
	n.direction = NET_TO_SM;
	n.inputs = slices + links;
	n.outputs = requesters + links;
	net_init(&p->reply, a, &n);
}

/* The output of a module's crossbar for a packet to `node`: its own, or a port of the link that leads there. */
static uint16_t output_to(const struct memsys *s, uint32_t module, uint32_t node, uint32_t own, uint32_t outputs, uint32_t number)
{
	const struct topology_link *l;

	if (node == module)
		return (uint16_t)own;
	l = topology_next(&s->topology, module, node);
	return (uint16_t)(outputs + l->leave + number % l->ports);
}

/* With one module every packet's output has its own number already. */
static void route_memory(struct memsys *s, struct arena *a, struct memsys_module *d)
{
	uint32_t module = (uint32_t)(d - s->module), requesters = memsys_requesters(s, d);
	uint16_t *dest = arena_array(a, s->slices, sizeof *dest), *requester = arena_array(a, s->requesters, sizeof *requester);

	for (uint32_t i = 0; i < s->slices; i++)
		dest[i] = output_to(s, module, s->nodes.of_dest[i], i - d->first_slice, d->slices, i);
	for (uint32_t i = 0; i < s->requesters; i++) {
		uint32_t own = i - (memsys_at_sms(s) ? d->first_slice : d->first_sm);

		if (!memsys_at_sms(s) && i == s->sms + module)
			own = d->sms;
		if (s->m.module.movers && i == memsys_mover_requester(s, module))
			own = memsys_mover_port_of(s, d);
		requester[i] = output_to(s, module, s->nodes.of_requester[i], own, requesters, i);
	}
	d->memory->request.output = dest;
	d->memory->reply.output = requester;
}

/* A packet to a slice at the SMs names it by its number in the module. */
static void route_cache(struct memsys *s, struct arena *a, struct memsys_module *d)
{
	uint16_t *requester = arena_array(a, s->sms + s->m.module.count + s->m.module.gccs, sizeof *requester);

	for (uint32_t i = 0; i < d->sms; i++)
		requester[d->first_sm + i] = (uint16_t)i;
	requester[s->sms + (d - s->module)] = (uint16_t)d->sms;
	for (uint32_t i = 0; i < s->m.module.gccs; i++)
		requester[s->sms + i] = (uint16_t)(d->sms + i);
	d->at_sms->reply.output = requester;
}

/* Who sends into input i and is answered by output i. */
static void join_source(struct memsys *s, struct memsys_pair *p, uint32_t i)
{
	p->request.in[i].q.ring.consumer = memsys_end_of_net(s, p, NET_TO_SLICE);
	p->reply.out[i].q.ring.producer = memsys_end_of_net(s, p, NET_TO_SM);
}

static void crossbars_init(struct memsys *s, struct arena *a, struct memsys_module *d)
{
	uint32_t ports = memsys_sm_ports(s, d);

	pair_init(s, a, d->memory, memsys_requesters(s, d), d->slices, s->topology.ports[d - s->module]);
	if (s->topology.nodes > 1)
		route_memory(s, a, d);
	if (memsys_at_sms(s)) {
		pair_init(s, a, d->at_sms, ports, d->slices, 0);
		route_cache(s, a, d);
	}
	for (uint32_t i = 0; i < ports; i++)
		join_source(s, d->at_sms, i);
	if (s->m.module.movers)
		join_source(s, d->memory, memsys_mover_port_of(s, d));
}

/* ---- slices, ports, channels ---- */

static int set_index(struct memsys *s, const char *name, const struct hw_binder *binder, struct pric_port *out, struct err *e)
{
	const struct machine_cache *c = &s->m.l2.c;
	struct pric_params p = pric_params_of(c->poly, machine_cache_sets(c), c->line, c->addr_bits);

	PANIC_UNLESS(binder, "memsys", 0);
	return pric_bind(binder, name, &p, out, e);
}

/* Between a pair of crossbars and what serves its requests, at the module's position k. */
static void join_server(struct memsys *s, struct memsys_pair *p, uint32_t k, struct queue_end server)
{
	queue_ring_join(&net_output(&p->request, k)->ring, memsys_end_of_net(s, p, NET_TO_SLICE), server);
	queue_ring_join(&p->reply.in[k].q.ring, server, memsys_end_of_net(s, p, NET_TO_SM));
}

/* Between a slice at the SMs and the crossbars below it. */
static void join_requester(struct memsys *s, const struct memsys_pair *p, struct l2_lower *l, struct queue_end slice)
{
	queue_ring_join(l->down, slice, memsys_end_of_net(s, p, NET_TO_SLICE));
	queue_ring_join(l->up, memsys_end_of_net(s, p, NET_TO_SM), slice);
}

/* Between the slice or port i and its channel. */
static struct channel_link *join_channel(struct memsys *s, struct arena *a, uint32_t i, struct queue_end asker)
{
	struct queue_end channel = memsys_end_of_channel(s, i / s->m.l2.slices);
	struct channel_link *c = &s->channel_link[i];

	channel_link_init(c, a, &s->m);
	queue_ring_join(&c->down.ring, asker, channel);
	queue_ring_join(&c->up.ring, channel, asker);
	return c;
}

static struct l2_lower *lower_at_channel(struct memsys *s, struct arena *a, uint32_t i, struct l2_lower_shape *shape)
{
	shape->slice = i % s->m.l2.slices;
	return l2_channel_new(a, &s->m, shape, join_channel(s, a, i, memsys_end_of_slice(s, i)));
}

/* A miss and its victim go down together: the way down has room for two at least. */
static struct l2_lower *lower_at_sms(struct memsys *s, struct arena *a, uint32_t i, struct l2_lower_shape *shape)
{
	struct memsys_module *d = memsys_module_of_slice(s, i);
	uint32_t k = i - d->first_slice;
	struct l2_lower *l;

	net_widen_input(&d->memory->request, a, k, s->m.l2.c.miss_queue + 1, ticks_of(s->m.net.hop, s->m.clock.period[CLOCK_NET]));
	shape->slice = k;
	shape->slices = d->slices;
	l = l2_network_new(a, &s->m, shape, net_link(&d->memory->request, k), net_output(&d->memory->reply, k), (uint16_t)i);
	join_requester(s, d->memory, l, memsys_end_of_slice(s, i));
	return l;
}

/* The slice of the other half that a slice is paired with. */
static uint32_t pair_of(const struct memsys *s, uint32_t slice)
{
	return (slice + s->slices / 2) % s->slices;
}

static void halves_init(struct memsys *s, struct arena *a)
{
	s->half = arena_array(a, s->slices, sizeof *s->half);
	for (uint32_t i = 0; i < s->slices; i++)
		l2_half_init(&s->half[i], a, &s->m);
	for (uint32_t i = 0; i < s->slices; i++)
		l2_half_join(&s->half[i], &s->half[pair_of(s, i)], a, &s->m, memsys_end_of_slice(s, i),
			     memsys_end_of_slice(s, pair_of(s, i)));
}

/* The channel, and across it the other half. */
static struct l2_lower *lower_of_half(struct memsys *s, struct arena *a, uint32_t i, struct l2_lower_shape *shape)
{
	struct l2_half *h = &s->half[i];

	return l2_across_new(a, &s->m, shape, lower_at_channel(s, a, i, shape), i, h->to_pair, &h->came);
}

static void flusher_init(struct memsys *s, struct arena *a, uint32_t i)
{
	struct l2_flusher *f = &s->flusher[i];

	l2_flusher_init(f, a, &s->slice[i]);
	f->asked.ring.consumer = f->done.ring.producer = memsys_end_of_slice(s, i);
}

static int slice_init(struct memsys *s, struct arena *a, uint32_t i, const struct hw_binder *binder, struct err *e)
{
	struct memsys_module *d = memsys_module_of_slice(s, i);
	uint32_t k = i - d->first_slice;
	bool hashed = s->m.l2.c.index == INDEX_PRIC;
	struct pric_port index;
	struct l2_lower_shape below = {0};
	struct l2_shape shape = {
		.in = net_output(&d->at_sms->request, k),
		.out = net_link(&d->at_sms->reply, k),
		.pric = hashed ? &index : NULL,
		.buffers = s->buffers,
		.number = i,
	};

	if (route_init(&below.route, &s->m, binder, arena_printf(a, "l2.%u", i), 0, e) != 0)
		return -1;
	if (hashed && set_index(s, arena_printf(a, "l2.%u", i), binder, &index, e) != 0)
		return -1;
	shape.half = s->half ? &s->half[i] : NULL;
	shape.lower = (memsys_at_sms(s) ? lower_at_sms : s->half ? lower_of_half : lower_at_channel)(s, a, i, &below);
	l2_init(&s->slice[i], a, &s->m, &shape);
	if (load_policy_bind(&s->slice[i].policy, arena_printf(a, "l2.%u", i), binder, e) != 0)
		return err_prefix(e, "l2.bypass");
	s->pipe[i] = &s->slice[i].pipe;
	join_server(s, d->at_sms, k, memsys_end_of_slice(s, i));
	if (s->flusher)
		flusher_init(s, a, i);
	return 0;
}

static int port_init(struct memsys *s, struct arena *a, uint32_t i, const struct hw_binder *binder, struct err *e)
{
	struct memsys_module *d = memsys_module_of_slice(s, i);
	uint32_t k = i - d->first_slice;
	struct channel_link *to = join_channel(s, a, i, memsys_end_of_port(s, i));
	struct route route;

	if (route_init(&route, &s->m, binder, arena_printf(a, s->slice ? "port.%u" : "l2.%u", i), 0, e) != 0)
		return -1;
	memory_port_init(&s->port[i], a, &s->m, &route, net_output(&d->memory->request, k), net_link(&d->memory->reply, k), to);
	if (!s->slice)
		s->pipe[i] = &s->port[i].pipe;
	join_server(s, d->memory, k, memsys_end_of_port(s, i));
	return 0;
}

static int channel_init(struct memsys *s, struct arena *a, uint32_t c, const struct hw_binder *binder, struct err *e)
{
	uint32_t ports = s->m.l2.slices;
	struct dram_req_queue **in = arena_array(a, ports, sizeof *in);
	struct dram_done_queue **out = arena_array(a, ports, sizeof *out);
	struct addr_decoder_port decoder;

	for (uint32_t p = 0; p < ports; p++) {
		in[p] = &s->channel_link[c * ports + p].down;
		out[p] = &s->channel_link[c * ports + p].up;
	}
	if (route_bind_channel(&decoder, &s->m, binder, arena_printf(a, "dram.%u", c), e) != 0)
		return -1;
	dram_init(&s->channel[c], a, &s->m, &decoder, ports, in, out);
	return 0;
}

/* ---- the whole ---- */

static void init_wake_times(struct memsys *s, struct arena *a)
{
	s->next_ports = s->channels;
	s->next_slices = s->next_ports + (s->port ? s->slices : 0);
	s->next_nets = s->next_slices + (s->slice ? s->slices : 0);
	s->next_links = s->next_nets + 2 * s->pairs;
	s->parts = s->next_links + s->topology.links;
	s->room = due_room(s->parts);
	for (uint32_t k = 0; k < s->shares.n; k++) {
		s->next[k] = arena_array(a, s->room, sizeof *s->next[k]);
		for (uint32_t i = 0; i < s->room; i++)
			s->next[k][i] = TIME_NEVER;
	}
}

static uint8_t share_of(const struct memsys *s, uint32_t module, uint32_t i, uint32_t of)
{
	uint32_t n = s->shares.n;

	return (uint8_t)(s->m.module.count < n ? (uint64_t)i * n / of : memsys_share_of_module(&s->m, module, n));
}

/* The links of the CPU, and of switches, are in the first one. */
static void assign_shares(struct memsys *s, struct arena *a)
{
	uint32_t modules = s->m.module.count;
	uint8_t *to = s->share_of = arena_array(a, s->parts, sizeof *to);

	for (uint32_t c = 0; c < s->channels; c++)
		to[c] = share_of(s, (uint32_t)(memsys_module_of_slice(s, c * s->m.l2.slices) - s->module), c, s->channels);
	for (uint32_t i = 0; s->port && i < s->slices; i++)
		to[s->next_ports + i] = to[i / s->m.l2.slices];
	for (uint32_t i = 0; s->slice && i < s->slices; i++)
		to[s->next_slices + i] = to[i / s->m.l2.slices];
	for (uint32_t i = 0; i < 2 * s->pairs; i++)
		to[s->next_nets + i] = share_of(s, i / 2 / (s->pairs / modules), i, 2 * s->pairs);
	for (uint32_t i = 0; i < s->topology.links; i++)
		if (s->topology.link[i].from < modules)
			to[s->next_links + i] = share_of(s, s->topology.link[i].from, i, s->topology.links);
}

/* Without a CPU nobody's requests take this way, and no RTL needs to be beside it. */
static int cpu_route(struct memsys *s, struct arena *a, const struct hw_binder *binder, struct err *e)
{
	struct hw_binder golden = hw_golden_binder(a);

	return route_init(&s->route, &s->m, s->topology.cpu == TOPOLOGY_NONE ? &golden : binder, "cpu", 0, e);
}

struct memsys *memsys_new(struct arena *a, const struct machine *m, const struct hw_binder *binder, uint32_t buffers,
			  const struct shares *shares, struct err *e)
{
	struct memsys *s = arena_alloc(a, sizeof *s);

	s->m = *m;
	s->shares = shares ? *shares : (struct shares){.n = 1};
	s->buffers = buffers;
	if (topology_init(&s->topology, a, m, e) != 0 || cpu_route(s, a, binder, e) != 0)
		return NULL;
	s->module = arena_array(a, m->module.count, sizeof *s->module);
	s->pairs = m->module.count * (memsys_at_sms(s) ? 2 : 1);
	s->pair = arena_array(a, s->pairs, sizeof *s->pair);
	number_modules(s);
	s->channel_link = arena_array(a, s->slices, sizeof *s->channel_link);
	s->pipe = arena_array(a, s->slices, sizeof(struct l2_pipe *));
	if (m->l2.enabled)
		s->slice = arena_array(a, s->slices, sizeof *s->slice);
	if (memsys_at_sms(s))
		s->flusher = arena_array(a, s->slices, sizeof *s->flusher);
	if (memsys_at_sms(s) || !m->l2.enabled)
		s->port = arena_array(a, s->slices, sizeof *s->port);
	s->channel = arena_array(a, s->channels, sizeof *s->channel);
	s->link = arena_array(a, s->topology.links, sizeof *s->link);
	number_nodes(s, a);
	init_wake_times(s, a);
	assign_shares(s, a);
	for (uint32_t i = 0; i < m->module.count; i++)
		crossbars_init(s, a, &s->module[i]);
	memsys_build_links(s, a);
	if (m->l2.halves > 1)
		halves_init(s, a);
	for (uint32_t i = 0; i < s->slices; i++) {
		if (s->slice && slice_init(s, a, i, binder, e) != 0)
			return NULL;
		if (s->port && port_init(s, a, i, binder, e) != 0)
			return NULL;
	}
	for (uint32_t c = 0; c < s->channels; c++)
		if (channel_init(s, a, c, binder, e) != 0)
			return NULL;
	return s;
}
