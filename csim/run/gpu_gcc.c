#include "run/gpu_gcc.h"

#include "run/gpu_impl.h"

static struct ticks step_gcc(void *part, struct ticks now)
{
	return gcc_step(part, now);
}

static uint32_t sms_of(const struct gpu *g, uint32_t gpc)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < g->m->sm.count; s++)
		n += machine_gpc_of_sm(g->m, s) == gpc;
	return n;
}

/* The SM's number in its GPC. */
static uint32_t place_of(const struct gpu *g, uint32_t sm)
{
	return sm / 2 / g->m->gcc.count * 2 + sm % 2;
}

/* Each is in a share of its own turn, as SMs are. */
static int build_one(struct gpu *g, uint32_t gpc, const struct queue_end *sm, struct queue_end dispatch,
		     const struct hw_binder *binder, struct err *e)
{
	struct gcc *c = &g->gccs.gcc[gpc];
	struct queue_end own = loop_add(&g->loop, gpc % g->loop.shares.n, step_gcc, c, "gcc");
	uint16_t requester = memsys_gpc_requester(g->memsys, gpc);
	struct gcc_ports port = {.out = memsys_port(g->memsys, requester, own),
				 .in = memsys_replies(g->memsys, requester, own),
				 .requester = requester,
				 .begin = g->gccs.begin ? &g->gccs.begin[gpc] : NULL,
				 .code = g->gccs.code};
	struct route route;

	if (route_init_above(&route, g->m, binder, arena_printf(&g->arena, "gcc%u", gpc), 0, gpc * g->m->l2.halves / g->gccs.n,
			     e) != 0)
		return -1;
	if (port.begin)
		queue_ring_join(&port.begin->ring, dispatch, own);
	gcc_init(c, &g->arena, g->m, sms_of(g, gpc), &port, &route);
	for (uint32_t s = 0; s < g->m->sm.count; s++)
		if (machine_gpc_of_sm(g->m, s) == gpc)
			gcc_join(c, place_of(g, s), sm[s], own);
	return 0;
}

void gpu_gccs_prepare(struct gpu *g)
{
	struct gpu_gccs *v = &g->gccs;

	v->n = g->m->module.gccs;
	v->gcc = arena_array(&g->arena, v->n, sizeof *v->gcc);
	if (!v->n || !g->m->gcc.prefetch)
		return;
	v->code = arena_array(&g->arena, trace_n_kernels(g->trace), sizeof *v->code);
	v->begin = arena_array(&g->arena, v->n, sizeof *v->begin);
	for (uint32_t i = 0; i < v->n; i++)
		queue_init(&v->begin[i], &g->arena, GCC_LAUNCHES, ticks_of(1, g->m->clock.period[CLOCK_CORE]));
}

int gpu_gccs_build(struct gpu *g, const struct queue_end *own, struct queue_end dispatch, const struct hw_binder *binder,
		   struct err *e)
{
	for (uint32_t i = 0; i < g->gccs.n; i++)
		if (build_one(g, i, own, dispatch, binder, e) != 0)
			return -1;
	return 0;
}

void gpu_gccs_place(struct gpu *g, uint32_t kernel, uint64_t at, uint64_t bytes)
{
	if (g->gccs.code)
		g->gccs.code[kernel] = (struct gcc_code){at, bytes};
}

void gpu_gccs_ports(const struct gpu *g, uint32_t sm, struct sm_ports *port)
{
	struct gcc *c;

	if (!g->gccs.n)
		return;
	c = &g->gccs.gcc[machine_gpc_of_sm(g->m, sm)];
	port->code_out = gcc_port(c, place_of(g, sm));
	port->code_in = &c->answers[place_of(g, sm)];
}

/* ---- metrics ---- */

#define C(field) METRIC_OF(struct gcc_counts, field)
enum { RUN = OF_RUN | OF_LAUNCH };

static const struct metric rows[] = {
	{"gcc.accesses", "", "line lookups in the GPCs' instruction caches, by SMs' caches or for launches", METRIC_COUNT, RUN,
	 .a = C(cache.accesses)},
	{"gcc.hits", "", "lookups that found their line in a GPC's instruction cache", METRIC_COUNT, RUN, .a = C(cache.hits)},
	{"gcc.hits_reserved", "", "lookups that found their line in flight to a GPC's instruction cache", METRIC_COUNT, RUN,
	 .a = C(cache.reserved)},
	{"gcc.misses", "", "lines that the GPCs' instruction caches fetched", METRIC_COUNT, RUN, .a = C(cache.misses)},
	{"gcc.hit_rate", "%", "lookups that hit in the GPCs' instruction caches / all of them", METRIC_PERCENT, RUN,
	 .a = C(cache.hits), .b = C(cache.accesses)},
	{"gcc.prefetches", "", "lookups in the GPCs' instruction caches for launches that began", METRIC_COUNT, RUN,
	 .a = C(prefetches)},
};

const struct metric_table gpu_gcc_metrics = METRIC_TABLE(rows);

void gpu_gccs_count(const struct gpu *g, struct gpu_counts *c)
{
	for (uint32_t i = 0; i < g->gccs.n; i++) {
		struct gcc_counts one = gcc_count(&g->gccs.gcc[i]);

		METRICS_ADD(&c->gcc, &one);
	}
}

/* ---- invariants ---- */

static uint64_t most_accesses(const struct gpu *g)
{
	uint64_t most = 0;

	for (uint32_t i = 0; i < g->gccs.n; i++) {
		uint64_t n = gcc_count(&g->gccs.gcc[i]).cache.accesses;

		most = most > n ? most : n;
	}
	return most;
}

static uint64_t in_flight(const struct gpu *g)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < g->gccs.n; i++)
		n += gcc_in_flight(&g->gccs.gcc[i]);
	return n;
}

void gpu_gccs_audit(const struct gpu *g, const struct gpu_counts *c, bool ended, struct audit *a)
{
	const struct l1_counts *t = &c->gcc.cache;

	if (!g->gccs.n)
		return;
	audit_equal(a, "gcc: accesses = hits + hits reserved + misses", t->accesses, t->hits + t->reserved + t->misses);
	audit_at_most(a, "roofline: at most one lookup per cycle in a GPC's instruction cache", most_accesses(g),
		      cycles_in(g->end, g->m->clock.period[CLOCK_CORE]) + 1);
	if (!ended)
		return;
	audit_equal(a, "gcc: accesses = packets sent by the SMs' instruction caches + lines for launches", t->accesses,
		    c->sm.icache_stats.sent + c->gcc.prefetches);
	audit_equal(a, "gcc: packets sent = lines fetched", c->gcc.sent, t->misses);
	audit_equal(a, "gcc: replies = packets sent", c->gcc.replies, c->gcc.sent);
	audit_equal(a, "gcc: nothing in flight", in_flight(g), 0);
}
