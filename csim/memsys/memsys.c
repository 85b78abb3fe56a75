#include "memsys/memsys_impl.h"

struct net_link memsys_port(struct memsys *s, uint32_t requester, struct queue_end own)
{
	struct memsys_module *d;
	uint32_t port;

	PANIC_UNLESS(requester < memsys_all_requesters(s), "memsys", 0);
	d = memsys_module_of(s, requester, &port);
	d->at_sms->request.in[port].q.ring.producer = own;
	return net_link(&d->at_sms->request, port);
}

struct mem_req_queue *memsys_replies(struct memsys *s, uint32_t requester, struct queue_end own)
{
	struct memsys_module *d;
	struct mem_req_queue *q;
	uint32_t port;

	PANIC_UNLESS(requester < memsys_all_requesters(s), "memsys", 0);
	d = memsys_module_of(s, requester, &port);
	q = net_output(&d->at_sms->reply, port);
	q->ring.consumer = own;
	return q;
}

uint16_t memsys_mover_requester(const struct memsys *s, uint32_t module)
{
	uint32_t walkers = s->m.module.walkers ? s->m.module.count : 0;

	return (uint16_t)((memsys_at_sms(s) ? s->slices : s->sms + walkers) + module);
}

struct net_link memsys_mover_port(struct memsys *s, uint32_t module, struct queue_end own)
{
	struct memsys_module *d = &s->module[module];
	uint32_t port = memsys_mover_port_of(s, d);

	PANIC_UNLESS(s->m.module.movers, "memsys", 0);
	d->memory->request.in[port].q.ring.producer = own;
	return net_link(&d->memory->request, port);
}

struct mem_req_queue *memsys_mover_replies(struct memsys *s, uint32_t module, struct queue_end own)
{
	struct memsys_module *d = &s->module[module];
	struct mem_req_queue *q = net_output(&d->memory->reply, memsys_mover_port_of(s, d));

	PANIC_UNLESS(s->m.module.movers, "memsys", 0);
	q->ring.consumer = own;
	return q;
}

void memsys_use_sync(struct memsys *s, const struct sync_board *b)
{
	for (uint32_t i = 0; i < s->slices; i++)
		s->pipe[i]->sync = b;
}

/* Elsewhere all accesses to a word are answered in one place. */
struct ticks memsys_sync_margin(const struct memsys *s)
{
	return memsys_at_sms(s) || s->half ? memsys_quantum(s) : (struct ticks){0};
}

uint16_t memsys_destination(const struct memsys *s, struct ticks now, uint32_t requester, uint64_t addr, uint32_t mode)
{
	struct route route = s->route;
	uint32_t port;

	if (memsys_at_sms(s) && requester < s->sms + s->m.module.count)
		route.shared = memsys_module_of(s, requester, &port)->slices;
	if (s->half && requester < s->sms + s->m.module.walkers)
		route_set_half(&route, &s->m, requester < s->sms ? machine_l2_half_of_sm(&s->m, requester) : 0);
	return route_destination(&route, cycles_in(now, s->m.clock.period[CLOCK_CORE]), addr, mode);
}

uint32_t memsys_cpu_port_of(const struct memsys *s, uint16_t dest)
{
	const struct topology *t = &s->topology;
	uint32_t port = 0, link = t->next[t->cpu * t->nodes + s->nodes.of_dest[dest]];

	while (s->cpu_link[port] != link)
		port++;
	return port;
}

struct net_link memsys_cpu_port(struct memsys *s, uint32_t port, struct queue_end own)
{
	PANIC_UNLESS(port < s->cpu_ports, "memsys", 0);
	s->cpu_out[port].ring.producer = own;
	return (struct net_link){&s->cpu_out[port], s->m.clock.period[CLOCK_NET], ticks_of(1, s->m.clock.period[CLOCK_NET])};
}

struct mem_req_queue *memsys_cpu_replies(struct memsys *s, uint32_t port, struct queue_end own)
{
	PANIC_UNLESS(port < s->cpu_ports, "memsys", 0);
	s->cpu_in[port].ring.consumer = own;
	return &s->cpu_in[port];
}

uint32_t memsys_flushes(const struct memsys *s)
{
	return memsys_at_sms(s) ? s->slices : 0;
}

struct l2_flush_queue *memsys_flush(struct memsys *s, uint32_t i, struct queue_end own)
{
	PANIC_UNLESS(i < memsys_flushes(s), "memsys", 0);
	s->flusher[i].asked.ring.producer = own;
	return &s->flusher[i].asked;
}

struct l2_flush_queue *memsys_flushed(struct memsys *s, uint32_t i, struct queue_end own)
{
	PANIC_UNLESS(i < memsys_flushes(s), "memsys", 0);
	s->flusher[i].done.ring.consumer = own;
	return &s->flusher[i].done;
}

/* ---- stepping ---- */

static struct ticks step_slice(struct memsys *s, uint32_t i, struct ticks now)
{
	struct ticks next = l2_step(&s->slice[i], now);

	return s->flusher ? ticks_earlier(next, l2_flusher_step(&s->flusher[i], now)) : next;
}

static struct ticks step_net(struct memsys *s, uint32_t i, struct ticks now)
{
	struct memsys_pair *p = &s->pair[i / 2];

	return net_step(i % 2 == NET_TO_SLICE ? &p->request : &p->reply, now);
}

/* Of part i of s->next. */
static const char *name_of(const struct memsys *s, uint32_t i)
{
	if (i < s->next_slices)
		return "DRAM"; /* and the ports to it */
	if (i < s->next_nets)
		return "L2";
	return i < s->next_links ? "network" : "links";
}

/* Part i of s->next. */
static inline struct ticks step_part(struct memsys *s, uint32_t i, struct ticks now)
{
	if (i < s->next_ports)
		return dram_step(&s->channel[i], now);
	if (i < s->next_slices)
		return memory_port_step(&s->port[i - s->next_ports], now);
	if (i < s->next_nets)
		return step_slice(s, i - s->next_slices, now);
	if (i < s->next_links)
		return step_net(s, i - s->next_nets, now);
	return link_step(&s->link[i - s->next_links], now);
}

static void step_due(struct memsys *s, struct ticks *next, uint32_t from, struct ticks now)
{
	uint64_t due = due_set(next, from, s->room, now);

	while (due) {
		uint32_t i = from + due_take(&due, s->reverse);

		if (__builtin_expect(s->stepped != NULL, 0))
			stepped_set(s->stepped, name_of(s, i));
		next[i] = step_part(s, i, now);
	}
	stepped_set(s->stepped, NULL);
}

void memsys_step(struct memsys *s, uint32_t share, struct ticks now)
{
	uint32_t words = (s->room + DUE_WORD - 1) / DUE_WORD;

	for (uint32_t w = 0; w < words; w++)
		step_due(s, s->next[share], (s->reverse ? words - 1 - w : w) * DUE_WORD, now);
}

struct ticks memsys_quantum(const struct memsys *s)
{
	const uint32_t *period = s->m.clock.period;
	struct ticks net = ticks_of(s->m.net.hop, period[CLOCK_NET]);

	return ticks_earlier(net, ticks_earlier(ticks_of(1, period[CLOCK_L2]), ticks_of(1, period[CLOCK_CORE])));
}

void memsys_finish(struct memsys *s, struct ticks now)
{
	for (uint32_t c = 0; c < s->channels; c++)
		dram_finish(&s->channel[c], now);
	for (uint32_t i = 0; s->slice && i < s->slices; i++) {
		l2_pipe_finish(&s->slice[i].pipe, now);
		if (s->half)
			l2_pipe_finish(&s->half[i].pipe, now);
		load_policy_finish(&s->slice[i].policy, cycles_up(now, s->slice[i].pipe.period));
	}
	for (uint32_t i = 0; s->port && i < s->slices; i++)
		l2_pipe_finish(&s->port[i].pipe, now);
	for (uint32_t i = 0; i < s->pairs; i++) {
		net_finish(&s->pair[i].request, now);
		net_finish(&s->pair[i].reply, now);
	}
}

/* The channels are the first parts. */
void memsys_change(struct memsys *s, const struct machine *m, struct ticks now)
{
	s->m = *m;
	for (uint32_t i = 0; i < s->channels; i++) {
		struct ticks *next = &s->next[s->share_of ? s->share_of[i] : 0][i];

		if (dram_change(&s->channel[i], m, now))
			*next = ticks_earlier(*next, now);
	}
	for (uint32_t i = 0; s->slice && i < s->slices; i++)
		load_policy_change(&s->slice[i].policy, &m->l2.bypass, cycles_up(now, m->clock.period[CLOCK_L2]));
}
