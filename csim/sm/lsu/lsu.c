#include "sm/lsu/lsu.h"

#include "base/panic.h"
#include "base/queue.h"
#include "cache/l1_classes.h"
#include "sm/lsu/lsu_mrpb.h"
#include "sm/lsu/lsu_queue.h"

_Static_assert(L1_HINT_PAST == TRACE_PAST_L1 >> TRACE_OPERATORS_SHIFT &&
		       L1_HINT_STREAMS == TRACE_STREAMS >> TRACE_OPERATORS_SHIFT &&
		       L1_HINT_NO_ALLOCATE == TRACE_NO_ALLOCATE >> TRACE_OPERATORS_SHIFT,
	       "an access has its instruction's operators");

static int init_pins(struct lsu *l, struct arena *a, const struct lsu_config *c, uint32_t buffers, struct err *e)
{
	const char **name = arena_array(a, (size_t)buffers + 1, sizeof *name);
	struct buffer_pins pins;

	for (uint32_t i = 0; i < buffers; i++)
		name[i] = trace_buffer(c->trace, i)->name;
	if (buffer_pins_init(&pins, a, c->machine, name, buffers, e) != 0)
		return -1;
	return l1_init_pins(&l->l1, c->machine, &pins, arena_printf(a, "sm%u.l1", c->sm), c->binder, e);
}

/* ---- locality classes ---- */

/* A store's token has its warp's slot, and the slot is not free while an access is out. */
static struct accessor accessor_of(void *lsu, const struct l1_access *a)
{
	const struct lsu *l = lsu;
	uint32_t slot = a->client == REQ_CLIENT_STORE ? lsu_slot_of_store(a->token) : l->loads.load[a->token].slot;
	struct accessor who = l->warps[slot];

	who.lanes = a->lanes;
	return who;
}

static void init_classes(struct lsu *l, struct arena *a)
{
	const struct l1_accessors accessors = {l, accessor_of};

	l->warps = arena_array(a, l->m->sm.warps, sizeof *l->warps);
	l1_classes_init(&l->l1, a, &accessors);
	l1_classes_init(&l->const_cache, a, &accessors);
}

int lsu_init(struct lsu *l, struct arena *a, const struct lsu_config *c, struct err *e)
{
	uint32_t buffers = trace_counted_buffers(c->trace);
	const struct machine *m = c->machine;
	struct pric_port port;
	struct route route;
	bool hashed = m->l1.c.index == INDEX_PRIC;

	*l = (struct lsu){
		.m = m, .trace = c->trace, .sm = c->sm, .period = m->clock.period[CLOCK_CORE], .local_base = c->local_base};
	if (hashed) {
		const struct machine_cache *l1 = &m->l1.c;
		struct pric_params p = pric_params_of(l1->poly, machine_cache_sets(l1), l1->line, l1->addr_bits);

		if (pric_bind(c->binder, arena_printf(a, "sm%u.l1", c->sm), &p, &port, e) != 0)
			return -1;
	}
	if (route_init_above(&route, m, c->binder, arena_printf(a, "sm%u", c->sm), machine_module_of_sm(m, c->sm),
			     machine_l2_half_of_sm(m, c->sm), e) != 0)
		return -1;
	l1_init(&l->l1, a, m, c->sm, &route, hashed ? &port : NULL, buffers);
	if (l1_bind_policy(&l->l1, arena_printf(a, "sm%u.l1", c->sm), c->binder, e) != 0)
		return -1;
	if (m->l1.replacement == REPLACE_PIN && init_pins(l, a, c, buffers, e) != 0)
		return -1;
	const_cache_init(&l->const_cache, a, m, c->sm, &route, buffers);
	if (m->l1.monitor && monitor_init(&l->monitor, m, arena_printf(a, "sm%u.l1", c->sm), c->binder, e) != 0)
		return -1;
	if (l->monitor.on) {
		l->monitored = (struct l1_observer){.ctx = &l->monitor, .lookup = monitor_lookup};
		l1_observe(&l->l1, &l->monitored);
	}
	if (m->caches.locality_classes)
		init_classes(l, a);
	translate_init(&l->translate, a, m, &c->translate);
	if (m->sm.lsu_queue) {
		l->queue = lsu_queue_new(a, m);
		l->l1.needs_step = true;
	}
	l->operators = m->caches.operators ? TRACE_OPERATORS : 0;
	loads_init(&l->loads, a, buffers, l->period);
	mrpb_init(&l->mrpb, a, m);
	lsu_ports_init(&l->ports, m);
	l->l1.needs_step |= l->ports.on;
	return 0;
}

int lsu_use_localities(struct lsu *l, struct arena *a, const struct plan_launch *of, const struct hw_binder *binder, struct err *e)
{
	const char *owner = arena_printf(a, "sm%u.l1", l->sm);

	if (l->m->l1.prefetch.policy == PREFETCH_LOCALITY && l1_init_prefetch_unit(&l->l1, a, l->m, owner, binder, e) != 0)
		return -1;
	if (translate_on(&l->translate))
		l->l1.prefetch.translator = (struct l1_translator){&l->translate, translate_without_wait};
	return locality_init(&l->locality, of, owner, binder, e);
}

void lsu_free(struct lsu *l)
{
	loads_free(&l->loads);
}

void lsu_begin_launch(struct lsu *l, uint64_t now, uint32_t launch, uint32_t local_words)
{
	PANIC_UNLESS(l->in_flight == 0, "lsu", now);
	l1_at(&l->l1, now);
	l1_invalidate(&l->l1);
	l1_invalidate(&l->const_cache);
	if (l->l1_ways)
		l1_set_ways(&l->l1, l->l1_ways[launch]);
	l->local_words = local_words;
	if (l->locality.on)
		locality_begin_launch(&l->locality, now, launch);
	if (l->l1.prefetch.unit)
		prefetch_begin_launch(l->l1.prefetch.unit, now, &l->locality.of[launch], trace_launch(l->trace, launch)->grid);
}

void lsu_begin_beside(struct lsu *l, uint64_t now)
{
	l1_at(&l->l1, now);
	l1_invalidate_beside(&l->l1);
	l1_invalidate_beside(&l->const_cache);
}

void lsu_begin_cta(struct lsu *l, uint64_t now, uint32_t cta)
{
	if (l->l1.prefetch.unit)
		prefetch_begin_cta(l->l1.prefetch.unit, now, cta);
}

void lsu_begin_warps(struct lsu *l, uint32_t launch, uint32_t cta, uint64_t slots)
{
	for (uint32_t warp = 0; slots; slots &= slots - 1, warp++)
		l->warps[__builtin_ctzll(slots)] = (struct accessor){.launch = launch, .cta = cta, .warp = warp, .is_thread = true};
}

void lsu_end_cta(struct lsu *l, uint64_t now, uint32_t cta)
{
	if (l->l1.prefetch.unit)
		prefetch_end_cta(l->l1.prefetch.unit, now, cta);
}

/* Bank cycles that are beyond the end were counted at issue; the first one of an access stays, as the access does. */
void lsu_finish(struct lsu *l, uint64_t cycles)
{
	if (l->queue)
		lsu_queue_finish(l, cycles);
	else if (l->head.server == LSU_BANKS && l->head.until > cycles)
		l->stats.shared_cycles -= l->head.until - cycles;
	l1_finish(&l->l1, cycles);
	load_policy_finish(&l->l1.policy, cycles);
	if (l->l1.tags.replacement)
		replacement_finish(l->l1.tags.replacement);
	l1_finish(&l->const_cache, cycles);
	translate_finish(&l->translate, cycles);
	mrpb_finish(&l->mrpb, cycles);
	locality_finish(&l->locality, cycles);
	if (l->l1.prefetch.unit)
		prefetch_finish(l->l1.prefetch.unit, cycles);
}

/* ---- issue ---- */

uint64_t lsu_issue_shared(struct lsu *l, uint64_t now, const struct lsu_inst *i, unsigned slot, unsigned cta)
{
	uint32_t cycles = lsu_bank_cycles(i, l->m->shared.banks);

	l->stats.shared_accesses++;
	l->stats.shared_cycles += cycles;
	return lsu_hold_banks(l, now, i->in, slot, cta, l->m->shared.latency, cycles);
}

static uint32_t new_load(struct lsu *l, uint64_t now, const struct core_inst *in, unsigned slot)
{
	uint32_t token = loads_new(&l->loads);
	struct load *d = &l->loads.load[token];
	bool constant = in->act == ACT_CONST;

	d->left = l->head.n;
	d->slot = (uint8_t)slot;
	d->n_dst = in->n_dst;
	d->timed = in->op == OP_LOAD && !constant && in->act != ACT_LOCAL;
	d->latency = constant ? l->m->const_cache.latency : l->m->l1.latency;
	d->row = in->row;
	d->issued = now;
	for (unsigned i = 0; i < in->n_dst; i++)
		d->reg[i] = in->reg[i];
	return token;
}

/* While the unit is free nothing is stuck, but for what is ahead of the instruction in a queue or in the MRPB. */
static void issued_with_policies(struct lsu *l, uint64_t now)
{
	bool waits = l->queue && lsu_queue_waits(l->queue);

	if (l->queue)
		lsu_queue_entered(l->queue);
	else
		l->stuck = L1_HIT; /* the MRPB's is tried again, behind this one if that is for the constant cache */
	if (l->locality.on && !waits)
		lsu_request_locality(l, now, &l->head);
}

uint64_t lsu_issue(struct lsu *l, uint64_t now, const struct lsu_inst *i, unsigned slot)
{
	const struct core_inst *in = i->in;
	enum req_kind atomic = in->n_dst ? REQ_ATOMIC : REQ_REDUCTION;
	enum req_kind kind = in->op == OP_ATOM ? atomic : in->op == OP_STORE ? REQ_WRITE : REQ_READ;
	bool counted = kind == REQ_WRITE || kind == REQ_REDUCTION;

	PANIC_UNLESS(lsu_is_free(l), "lsu", now);
	l->head.n = lsu_lines(l, i, slot);
	l->head.pos = 0;
	l->head.row = in->row;
	l->head.server = in->act == ACT_CONST ? LSU_CONST : LSU_L1;
	l->head.access = (struct l1_access){
		.kind = kind,
		.local = in->act == ACT_LOCAL,
		.bypass = ((in->flags & TRACE_VOLATILE) != 0) | i->past,
		.hints = (uint8_t)((in->flags & l->operators) >> TRACE_OPERATORS_SHIFT),
		.width = in->width,
		.client = counted ? REQ_CLIENT_STORE : REQ_CLIENT_LOAD,
		.token = counted ? lsu_store_token(slot, in->row) : new_load(l, now, i->in, slot),
	};
	l->in_flight += counted ? l->head.n : 1;
	l->stats.instructions++;
	l->stats.transactions += l->head.n;
	if (__builtin_expect(l->l1.needs_step, 0))
		issued_with_policies(l, now);
	return counted ? LSU_WRITES_NONE : CYCLE_NEVER;
}

/* ---- replies and packets ---- */

/* Apart, so that an SM without pins pays a comparison. */
static const struct mshr_waiter *__attribute__((noinline))
reply_at(struct lsu *l, uint64_t now, const struct mem_req *reply, uint32_t *n)
{
	l1_at(&l->l1, now);
	return l1_reply(reply->cache == REQ_OF_CONST ? &l->const_cache : &l->l1, reply, n);
}

const struct mshr_waiter *lsu_reply(struct lsu *l, uint64_t now, const struct mem_req *reply, uint32_t *n)
{
	l->retry = true;
	if (__builtin_expect(l->l1.tags.replacement != NULL, 0))
		return reply_at(l, now, reply, n);
	return l1_reply(reply->cache == REQ_OF_CONST ? &l->const_cache : &l->l1, reply, n);
}

/* The two caches share the port; the constant cache, which misses seldom, goes first. */
void lsu_send(struct lsu *l, uint64_t now, const struct net_link *to)
{
	struct ticks tick = ticks_of(now, l->period);
	struct l1 *cache = l1_has_packet(&l->const_cache) ? &l->const_cache : &l->l1;

	PANIC_UNLESS(l1_has_packet(cache), "lsu", now);
	l->send_at = ticks_after(tick, 1, l->period);
	l->net_full = !l1_send(cache, tick, to, &l->send_at);
	l->retry |= !l->net_full && l->stuck == L1_FAIL_QUEUE; /* all other fails end with a reply only */
}

/* ---- what comes next ---- */

static uint64_t next_translated(const struct lsu *l, uint64_t now)
{
	const struct translate *t = &l->translate;
	const struct translate_item *due = translate_front(t);
	bool blocked = l->stuck && !l->retry;
	uint64_t next = CYCLE_NEVER;

	if (due && !blocked)
		next = due->ready > now ? due->ready : now + 1;
	if (l->head.server != LSU_EMPTY && !t->full && (t->latency ? translate_n_due(t) <= t->latency : !blocked))
		next = now + 1;
	return next;
}

/* Apart, so that a unit without any of them needs no registers for calls. */
static uint64_t __attribute__((noinline)) sooner_by_policies(const struct lsu *l, uint64_t now, uint64_t next)
{
	if (l->queue) {
		uint64_t queue = lsu_queue_next(l, now);

		next = next < queue ? next : queue;
	}
	if (l1_would_prefetch(&l->l1) || (l->mrpb.on && lsu_mrpb_acts(l)))
		return now + 1;
	return l->stuck && l1_policy_due(&l->l1) < next ? l1_policy_due(&l->l1) : next;
}

uint64_t lsu_next(const struct lsu *l, uint64_t now)
{
	uint64_t next = CYCLE_NEVER;

	if (l->head.server == LSU_BANKS)
		next = l->head.until;
	else if (translate_on(&l->translate))
		next = next_translated(l, now);
	else if (l->head.server != LSU_EMPTY && (!l->stuck || l->retry))
		next = now + 1;
	if (lsu_has_packet(l) && !ticks_is_never(l->send_at)) {
		uint64_t send = cycles_up(l->send_at, l->period);

		if (send <= now)
			send = now + 1;
		next = next < send ? next : send;
	}
	return __builtin_expect(l->l1.needs_step, 0) ? sooner_by_policies(l, now, next) : next;
}

enum stalls lsu_cause(const struct lsu *l)
{
	if (l->translate.full)
		return STALL_MEM_TLB;
	if (l->stuck && l->queue && lsu_queue_has_entered(l->queue))
		return STALL_MEM_BUSY;
	switch (l->stuck) {
	case L1_FAIL_LINE:
		return STALL_MEM_LINE;
	case L1_FAIL_ENTRY:
		return STALL_MEM_ENTRY;
	case L1_FAIL_MERGE:
		return STALL_MEM_MERGE;
	case L1_FAIL_QUEUE:
		return l->net_full ? STALL_MEM_NET : STALL_MEM_QUEUE;
	default:
		return STALL_MEM_BUSY;
	}
}

/* The access that its cache has failed; with VM or an MRPB it need not be the head's. */
static uint32_t row_of_stuck(const struct lsu *l)
{
	const struct l1 *cache = l->l1.failing != L1_HIT ? &l->l1 : &l->const_cache;
	bool stores = cache->failed_kind == REQ_WRITE || cache->failed_kind == REQ_REDUCTION;

	return lsu_row_of(l, stores ? REQ_CLIENT_STORE : REQ_CLIENT_LOAD, cache->failed_token);
}

uint32_t lsu_row_ahead(const struct lsu *l)
{
	const struct translate_item *due = translate_on(&l->translate) ? translate_front(&l->translate) : NULL;

	if (l->stuck && !l->translate.full)
		return row_of_stuck(l);
	if (l->queue && lsu_queue_waits(l->queue))
		return lsu_queue_row(l->queue);
	if (l->head.server != LSU_EMPTY)
		return l->head.row;
	return due ? lsu_row_of(l, due->access.client, due->access.token) : UINT32_MAX;
}
