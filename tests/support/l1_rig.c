#include "hw/twins/pric.h"
#include "support/l1_rig.h"

#include <criterion/criterion.h>

#include "support/at_tick.h"

void l1_rig_open(struct l1_rig *r, const char *const *keys)
{
	struct hw_binder b = hw_golden_binder(&r->arena);
	struct err e = {""};

	*r = (struct l1_rig){.arena = {0}};
	cr_assert_eq(machine_load(&r->m, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	for (; keys && *keys; keys++)
		cr_assert_eq(machine_set(&r->m, *keys, &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&r->m, &e), 0, "%s", e.text);
	net_init(&r->net, &r->arena,
		 &(struct net_params){NET_TO_SLICE, 1, r->m.dram.channels * r->m.l2.slices, r->m.clock.period[CLOCK_NET],
				      r->m.net.hop, r->m.net.flit_bytes, r->m.net.header_bytes, r->m.net.in_queue,
				      r->m.net.out_queue});
	r->link = net_link(&r->net, 0);
	cr_assert_eq(route_init_above(&r->route, &r->m, &b, "sm0", 0, 0, &e), 0, "%s", e.text);
	if (r->m.l1.c.index == INDEX_PRIC) {
		struct pric_params p =
			pric_params_of(r->m.l1.c.poly, machine_cache_sets(&r->m.l1.c), r->m.l1.c.line, r->m.l1.c.addr_bits);

		cr_assert_eq(pric_bind(&b, "sm0.l1", &p, &r->pric, &e), 0, "%s", e.text);
	}
	l1_init(&r->l1, &r->arena, &r->m, 0, &r->route, r->m.l1.c.index == INDEX_PRIC ? &r->pric : NULL, L1_RIG_BUFFERS);
	cr_assert_eq(l1_bind_policy(&r->l1, "sm0.l1", &b, &e), 0, "%s", e.text);
}

void l1_rig_close(struct l1_rig *r)
{
	arena_free(&r->arena);
}

static struct l1_access access_of(uint64_t addr, uint32_t token, uint8_t kind)
{
	struct l1_access a = {.line = addr & ~UINT64_C(127),
			      .token = token,
			      .kind = kind,
			      .client = kind == REQ_WRITE ? REQ_CLIENT_STORE : REQ_CLIENT_LOAD};

	a.mask[addr / 64 % 2] = UINT64_C(0xf) << addr % 64;
	return a;
}

struct l1_access l1_rig_load(uint64_t addr, uint32_t token)
{
	return access_of(addr, token, REQ_READ);
}

struct l1_access l1_rig_store(uint64_t addr, uint32_t token)
{
	return access_of(addr, token, REQ_WRITE);
}

struct l1_access l1_rig_local_store(uint64_t addr, uint32_t token)
{
	struct l1_access a = access_of(addr, token, REQ_WRITE);

	a.local = true;
	return a;
}

struct mem_req l1_rig_take(struct l1_rig *r)
{
	struct mem_req m;
	struct ticks when = {0}, at = at_tick(r->l1.stats.sent * 66);
	struct mem_req_queue *q = r->link.q;

	cr_assert(l1_send(&r->l1, at, &r->link, &when), "there is no packet");
	m = *queue_front(q, TIME_NEVER);
	queue_pop(q, queue_next_arrival(q));
	return m;
}

const struct mshr_waiter *l1_rig_reply(struct l1_rig *r, struct mem_req request, uint32_t *n)
{
	return l1_reply(&r->l1, &request, n);
}

void l1_rig_bring(struct l1_rig *r, uint64_t cycle, uint64_t addr)
{
	struct l1_access a = l1_rig_load(addr, 1);
	uint32_t n;

	cr_assert_eq(l1_access(&r->l1, cycle, &a), L1_MISS);
	l1_rig_reply(r, l1_rig_take(r), &n);
	cr_assert_eq(n, 1);
}
