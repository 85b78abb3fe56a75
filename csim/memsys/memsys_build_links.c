/* Joins the links of the memory system: to the crossbars of modules, the CPU's ports, and one another. */
#include "memsys/memsys_impl.h"

static void link_start(struct memsys *s, struct arena *a, uint32_t i)
{
	const struct topology_link *t = &s->topology.link[i];
	struct link_params p = {
		.from = t->from,
		.to = t->to,
		.mbps = t->mbps,
		.header = s->m.net.header_bytes,
		.ports = t->ports,
		.latency = ticks_of(t->latency, s->m.clock.period[CLOCK_CORE]),
		.ticks_per_us = s->m.clock.ticks_per_us,
		.sources = LINK_CLASSES * t->ports,
	};

	for (uint32_t k = 0; k < s->topology.links; k++)
		if (s->topology.link[k].to == t->from)
			p.sources += LINK_CLASSES * s->topology.layers;
	link_init(&s->link[i], a, &p, &s->nodes);
}

/* The near end at a module: its crossbars' outputs for the link. */
static void link_leaves_module(struct memsys *s, uint32_t i)
{
	struct link *l = &s->link[i];
	struct memsys_module *d = &s->module[l->from];
	uint32_t at = s->topology.link[i].leave;

	for (uint32_t p = 0; p < l->ports; p++) {
		struct mem_req_queue *q[LINK_CLASSES] = {net_output(&d->memory->request, d->slices + at + p),
							 net_output(&d->memory->reply, memsys_requesters(s, d) + at + p)};

		for (unsigned c = 0; c < LINK_CLASSES; c++) {
			queue_ring_join(&q[c]->ring, memsys_end_of_net(s, d->memory, c), memsys_end_of_link(s, i));
			link_add_source(l, &(struct link_source){.q = q[c], .class = c, .enters = true});
		}
	}
}

/* The far end at a module: inputs of its crossbars. */
static void link_enters_module(struct memsys *s, struct arena *a, uint32_t i)
{
	struct link *l = &s->link[i];
	struct memsys_module *d = &s->module[l->to];
	uint32_t at = s->topology.link[i].enter;
	struct ticks credit = ticks_after(l->latency, s->m.net.hop, s->m.clock.period[CLOCK_NET]);

	for (uint32_t p = 0; p < l->ports; p++) {
		struct net *net[LINK_CLASSES] = {&d->memory->request, &d->memory->reply};
		uint32_t input[LINK_CLASSES] = {memsys_requesters(s, d) + at + p, d->slices + at + p};

		for (unsigned c = 0; c < LINK_CLASSES; c++) {
			net_widen_input(net[c], a, input[c], s->m.link.queue, credit);
			l->arrive[c][p] = net_link(net[c], input[c]);
			queue_ring_join(&net[c]->in[input[c]].q.ring, memsys_end_of_link(s, i), memsys_end_of_net(s, d->memory, c));
		}
	}
}

static void link_leaves_cpu(struct memsys *s, struct arena *a, uint32_t i)
{
	uint32_t port = s->cpu_ports++;

	s->cpu_link[port] = (uint16_t)i;
	queue_init(&s->cpu_out[port], a, s->m.net.in_queue, ticks_of(1, s->m.clock.period[CLOCK_NET]));
	s->cpu_out[port].ring.consumer = memsys_end_of_link(s, i);
	link_add_source(&s->link[i], &(struct link_source){.q = &s->cpu_out[port], .class = LINK_REQUEST, .enters = true});
}

/* The link that comes back from where the CPU's last link leads. */
static void link_enters_cpu(struct memsys *s, struct arena *a, uint32_t i)
{
	struct link *l = &s->link[i];
	uint32_t port = 0;

	while (s->topology.link[s->cpu_link[port]].to != l->from)
		port++;
	queue_init(&s->cpu_in[port], a, s->m.link.queue, l->latency);
	s->cpu_in[port].ring.producer = memsys_end_of_link(s, i);
	for (uint32_t p = 0; p < l->ports; p++)
		l->arrive[LINK_REPLY][p] = (struct net_link){&s->cpu_in[port], 1, {0}};
}

/* What link i brings to its far node for node `to` goes on by the next link, in a queue between the two. */
static void link_goes_on(struct memsys *s, struct arena *a, uint32_t i, enum link_class class, uint32_t layer, uint32_t to)
{
	struct link *l = &s->link[i];
	uint32_t next = s->topology.next[l->to * s->topology.nodes + to];
	struct mem_req_queue *q = NULL;

	if (s->topology.link[next].to == l->from)
		return; /* no shortest way turns back */
	for (uint32_t other = 0; other < s->topology.nodes && !q; other++)
		if (other != l->to && s->topology.next[l->to * s->topology.nodes + other] == next)
			q = *link_onward(l, class, layer, other);
	if (!q) {
		q = arena_alloc(a, sizeof *q);
		queue_init(q, a, s->m.link.queue, l->latency);
		queue_ring_join(&q->ring, memsys_end_of_link(s, i), memsys_end_of_link(s, next));
		link_add_source(&s->link[next], &(struct link_source){.q = q, .class = class, .layer = (uint8_t)layer});
	}
	*link_onward(l, class, layer, to) = q;
}

/* Nothing passes through the CPU. */
static void link_ends(struct memsys *s, struct arena *a, uint32_t i)
{
	struct link *l = &s->link[i];

	if (l->from < s->topology.modules)
		link_leaves_module(s, i);
	if (l->to < s->topology.modules)
		link_enters_module(s, a, i);
	if (l->to == s->topology.cpu)
		link_enters_cpu(s, a, i);
	for (uint32_t to = 0; l->to != s->topology.cpu && to < s->topology.nodes; to++)
		for (enum link_class class = 0; to != l->to && class < LINK_CLASSES; class ++)
			for (uint32_t layer = 0; layer < s->topology.layers; layer++)
				link_goes_on(s, a, i, class, layer, to);
}

void memsys_build_links(struct memsys *s, struct arena *a)
{
	uint32_t n = s->topology.links;

	s->cpu_out = arena_array(a, n, sizeof *s->cpu_out);
	s->cpu_in = arena_array(a, n, sizeof *s->cpu_in);
	s->cpu_link = arena_array(a, n, sizeof *s->cpu_link);
	for (uint32_t i = 0; i < n; i++)
		link_start(s, a, i);
	for (uint32_t i = 0; i < n; i++)
		if (s->link[i].from == s->topology.cpu)
			link_leaves_cpu(s, a, i);
	for (uint32_t i = 0; i < n; i++)
		link_ends(s, a, i);
}
