#include "support/mem_rig.h"

#include <criterion/criterion.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "support/at_tick.h"

struct mem_rig *mem_rig_new(const char *const *set)
{
	return mem_rig_of("gtx480", set);
}

struct mem_rig *mem_rig_of(const char *machine, const char *const *set)
{
	struct mem_rig *r = xcalloc(1, sizeof *r);
	struct err e = {""};
	struct hw_binder binder = hw_golden_binder(&r->arena);

	cr_assert_eq(machine_load(&r->m, machine, "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(machine_set(&r->m, "dram.refresh=false", &e), 0, "%s", e.text);
	for (; set && *set; set++)
		cr_assert_eq(machine_set(&r->m, *set, &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&r->m, &e), 0, "%s", e.text);
	r->s = memsys_new(&r->arena, &r->m, &binder, MEM_RIG_BUFFERS, NULL, &e);
	cr_assert(r->s, "%s", e.text);
	for (uint32_t i = 0; i < r->m.sm.count; i++) {
		r->port[i] = memsys_port(r->s, i, (struct queue_end){&r->wake[i], NULL});
		r->replies[i] = memsys_replies(r->s, i, (struct queue_end){&r->wake[i], NULL});
	}
	return r;
}

void mem_rig_free(struct mem_rig *r)
{
	arena_free(&r->arena);
	free(r);
}

void mem_rig_run(struct mem_rig *r, uint64_t tick)
{
	while (ticks_by(memsys_next(r->s, 0), at_tick(tick))) {
		struct ticks now = memsys_next(r->s, 0);

		memsys_step(r->s, 0, now);
		cr_assert(ticks_before(now, memsys_next(r->s, 0)), "asks for the same tick %lu again", (unsigned long)now.n);
	}
}

bool mem_rig_can_send(struct mem_rig *r, uint64_t tick, uint32_t sm)
{
	struct ticks when;

	mem_rig_run(r, tick);
	return net_can_send(&r->port[sm], at_tick(tick), &when);
}

void mem_rig_send(struct mem_rig *r, uint64_t tick, uint32_t sm, enum req_kind kind, uint64_t addr, uint16_t bytes, uint32_t token)
{
	struct mem_req q = {.addr = addr, .token = token, .requester = (uint16_t)sm, .bytes = bytes, .kind = (uint8_t)kind};

	cr_assert(mem_rig_can_send(r, tick, sm));
	for (uint64_t b = addr % 128; kind != REQ_READ && b < addr % 128 + bytes; b++)
		q.mask[b / 64] |= UINT64_C(1) << b % 64;
	q.dest = memsys_destination(r->s, at_tick(tick), sm, addr, r->mode);
	q.mode = r->mode;
	q.streams = r->streams;
	q.buffer = (uint16_t)(addr >> 24);
	net_send(&r->port[sm], at_tick(tick), &q);
}

bool mem_rig_reply(struct mem_rig *r, uint64_t tick, uint32_t sm, struct mem_req *reply)
{
	const struct mem_req *q;

	mem_rig_run(r, tick);
	q = queue_front(r->replies[sm], at_tick(tick));
	if (!q)
		return false;
	*reply = *q;
	queue_pop(r->replies[sm], at_tick(tick));
	return true;
}

void mem_rig_expect(struct mem_rig *r, uint64_t tick, uint32_t sm, uint32_t token)
{
	struct mem_req q = {.token = UINT32_MAX};

	cr_assert_not(mem_rig_reply(r, tick - 1, sm, &q), "reply %u is there before tick %lu", q.token, (unsigned long)tick);
	cr_assert(mem_rig_reply(r, tick, sm, &q), "no reply at tick %lu", (unsigned long)tick);
	cr_assert_eq(q.token, token, "reply %u instead of %u", q.token, token);
}

static uint64_t edge(const struct machine *m, enum machine_clock clock, uint64_t tick)
{
	return (tick + m->clock.period[clock] - 1) / m->clock.period[clock] * m->clock.period[clock];
}

/* Through a network: the next edge, the hop, a cycle a flit. */
static uint64_t through(const struct machine *m, uint64_t tick, uint32_t payload)
{
	uint64_t flits = (m->net.header_bytes + payload + m->net.flit_bytes - 1) / m->net.flit_bytes;

	return edge(m, CLOCK_NET, tick) + (m->net.hop + flits) * m->clock.period[CLOCK_NET];
}

/* A link: the packet's bytes at link.gbps, in whole ticks, and its latency. */
uint64_t mem_rig_over(const struct machine *m, uint64_t sent, uint32_t payload, uint32_t links)
{
	uint64_t t = through(m, sent, payload), bytes = m->net.header_bytes + payload, per_us = m->link.mbps;

	for (uint32_t i = 0; i < links; i++)
		t += (bytes * m->clock.ticks_per_us + per_us - 1) / per_us +
		     (uint64_t)m->link.latency * m->clock.period[CLOCK_CORE];
	return links ? through(m, t, payload) : t;
}

uint64_t mem_rig_lookup_at(const struct machine *m, uint64_t sent, uint32_t payload)
{
	return edge(m, CLOCK_L2, through(m, sent, payload)) + (uint64_t)m->l2.latency * m->clock.period[CLOCK_L2];
}

uint64_t mem_rig_back_at(const struct machine *m, uint64_t looked_up, uint32_t payload)
{
	return through(m, looked_up, payload);
}

uint64_t mem_rig_data_at(const struct machine *m, uint64_t sent_down, uint32_t bursts)
{
	uint64_t arrival = edge(m, CLOCK_DRAM, sent_down + (uint64_t)m->dram.latency * m->clock.period[CLOCK_CORE]);
	uint64_t cycles = m->dram.rcd + (bursts - 1) * m->dram.ccdl + m->dram.cl + m->dram.burst;

	return edge(m, CLOCK_L2, arrival + cycles * m->clock.period[CLOCK_DRAM]);
}
