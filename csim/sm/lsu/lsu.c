#include "sm/lsu/lsu.h"

#include "base/panic.h"
#include "base/queue.h"
#include "cache/l1_classes.h"
#include "sm/lsu/lsu_queue.h"

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

/* A store's token is its warp's slot, and the slot is not free while an access is out. */
static struct accessor accessor_of(void *lsu, const struct l1_access *a)
{
	const struct lsu *l = lsu;
	uint32_t slot = a->client == REQ_CLIENT_STORE ? a->token : l->loads.load[a->token].slot;
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
	if (route_init_above(&route, m, c->binder, arena_printf(a, "sm%u", c->sm), machine_module_of_sm(m, c->sm), e) != 0)
		return -1;
	l1_init(&l->l1, a, m, c->sm, &route, hashed ? &port : NULL, buffers);
	if (l1_bind_policy(&l->l1, arena_printf(a, "sm%u.l1", c->sm), c->binder, e) != 0)
		return -1;
	if (m->l1.pin.policy != PIN_NOTHING && init_pins(l, a, c, buffers, e) != 0)
		return -1;
	const_cache_init(&l->const_cache, a, m, c->sm, &route, buffers);
	if (m->l1.monitor && monitor_init(&l->monitor, m, arena_printf(a, "sm%u.l1", c->sm), c->binder, e) != 0)
		return -1;
	if (l->monitor.on)
		l->l1.watch = (struct l1_watch){&l->monitor, monitor_lookup};
	if (m->caches.locality_classes)
		init_classes(l, a);
	translate_init(&l->translate, a, m, &c->translate);
	if (m->sm.lsu_queue) {
		l->queue = lsu_queue_new(a, m);
		l->l1.on_its_own = true;
	}
	loads_init(&l->loads, a, buffers, l->period);
	mrpb_init(&l->mrpb, a, m);
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
	l->local_words = local_words;
	if (l->locality.on)
		locality_begin_launch(&l->locality, now, launch);
	if (l->l1.prefetch.unit)
		prefetch_begin_launch(l->l1.prefetch.unit, now, &l->locality.of[launch], trace_launch(l->trace, launch)->grid);
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
	else if (l->head == LSU_BANKS && l->until > cycles)
		l->stats.shared_cycles -= l->until - cycles;
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

/* A step in which the L1 has more to it than its accesses: through the MRPB, if there is one. */
static struct lsu_done step_mrpb(struct lsu *l, uint64_t now);
static struct lsu_done step_port(struct lsu *l, uint64_t now)
{
	return l->mrpb.on ? step_mrpb(l, now) : lsu_step_head(l, now);
}

/* ---- the locality table ---- */

static bool goes_by_locality(const struct lsu *l)
{
	return lsu_goes_by_locality(l->head, &l->access);
}

static inline uint64_t first_byte(const struct coalesce_tx *t)
{
	return t->line + (uint32_t)(t->mask[0] ? __builtin_ctzll(t->mask[0]) : 64 + __builtin_ctzll(t->mask[1]));
}

void lsu_ask_locality(struct lsu *l, uint64_t now, const struct coalesce_tx *t)
{
	locality_ask(&l->locality, now, first_byte(t));
}

/* For the transaction at l->pos, if there is one: the answer is there in the next cycle, the earliest in which it
 * is served. */
static void ask_locality(struct lsu *l, uint64_t now)
{
	if (l->pos < l->n && goes_by_locality(l))
		lsu_ask_locality(l, now, &l->tx[l->pos]);
}

/* A step in which the head's transaction has its answer, which goes when the transaction does. An L1 that goes by
 * localities has policies, so all steps come here. */
static struct lsu_done step_by_locality(struct lsu *l, uint64_t now)
{
	uint32_t pos = l->pos;
	struct lsu_done done;

	if (!goes_by_locality(l))
		return step_port(l, now);
	locality_answer(&l->locality, now, &l->access.locality);
	done = step_port(l, now);
	if (l->pos != pos) {
		locality_take(&l->locality, now);
		ask_locality(l, now);
	}
	return done;
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

	d->left = l->n;
	d->slot = (uint8_t)slot;
	d->n_dst = in->n_dst;
	d->timed = in->op == OP_LOAD && !constant && in->act != ACT_LOCAL;
	d->latency = constant ? l->m->const_cache.latency : l->m->l1.latency;
	d->issued = now;
	for (unsigned i = 0; i < in->n_dst; i++)
		d->reg[i] = in->reg[i];
	return token;
}

uint64_t lsu_issue(struct lsu *l, uint64_t now, const struct lsu_inst *i, unsigned slot)
{
	const struct core_inst *in = i->in;
	enum req_kind atomic = in->n_dst ? REQ_ATOMIC : REQ_REDUCTION;
	enum req_kind kind = in->op == OP_ATOM ? atomic : in->op == OP_STORE ? REQ_WRITE : REQ_READ;
	bool counted = kind == REQ_WRITE || kind == REQ_REDUCTION;

	PANIC_UNLESS(lsu_is_free(l), "lsu", now);
	l->n = lsu_lines(l, i, slot);
	l->pos = 0;
	l->head = in->act == ACT_CONST ? LSU_CONST : LSU_L1;
	l->stuck = L1_HIT;
	l->access = (struct l1_access){
		.kind = kind,
		.local = in->act == ACT_LOCAL,
		.bypass = (in->flags & TRACE_VOLATILE) != 0,
		.width = in->width,
		.client = counted ? REQ_CLIENT_STORE : REQ_CLIENT_LOAD,
		.token = counted ? slot : new_load(l, now, i->in, slot),
	};
	l->in_flight += counted ? l->n : 1;
	l->stats.instructions++;
	l->stats.transactions += l->n;
	if (__builtin_expect(l->locality.on, 0) && !(l->queue && lsu_queue_waits(l->queue)))
		ask_locality(l, now);
	return counted ? LSU_WRITES_NONE : CYCLE_NEVER;
}

/* ---- service ---- */

static uint16_t buffer_of(struct lsu *l, uint64_t addr)
{
	int b;

	if (addr - l->buffer_base < l->buffer_size)
		return l->buffer;
	b = trace_buffer_of(l->trace, addr);
	if (b < 0 || b >= UINT16_MAX)
		return UINT16_MAX;
	l->buffer_base = trace_buffer(l->trace, (uint32_t)b)->base;
	l->buffer_size = trace_buffer(l->trace, (uint32_t)b)->size;
	l->buffer = (uint16_t)b;
	return l->buffer;
}

static inline void set_access(struct lsu *l, const struct coalesce_tx *t, struct l1_access *a)
{
	a->line = t->line;
	a->mask[0] = t->mask[0];
	a->mask[1] = t->mask[1];
	a->buffer = a->local ? UINT16_MAX : buffer_of(l, first_byte(t));
	a->lanes = t->lanes;
}

void lsu_access_of(struct lsu *l, const struct coalesce_tx *t, struct l1_access *a)
{
	set_access(l, t, a);
}

/* The head's next transaction, in virtual addresses. */
static inline void head_access(struct lsu *l)
{
	set_access(l, &l->tx[l->pos], &l->access);
}

/* The head's transaction is out of the unit. */
static inline void head_done(struct lsu *l)
{
	if (++l->pos == l->n)
		l->head = LSU_EMPTY;
}

/* Hands a transaction to its cache; false: it is stuck there. */
static inline bool serve(struct lsu *l, uint64_t now, struct l1 *cache, const struct l1_access *a, enum l1_result *r)
{
	*r = l1_access(cache, now, a);
	l->retry = false;
	l->stuck = *r >= L1_FAIL_LINE ? *r : L1_HIT;
	return !l->stuck;
}

/* What is done with a transaction that its cache has taken. */
static inline struct lsu_done taken(struct lsu *l, uint64_t now, enum l1_result r, struct mshr_waiter w, uint32_t buffer)
{
	if (r != L1_HIT)
		return (struct lsu_done){LSU_DONE_NOTHING, 0};
	return lsu_serve(l, now, w, buffer, NULL);
}

static struct lsu_done serve_line(struct lsu *l, uint64_t now, struct l1 *cache)
{
	const struct l1_access *a = &l->access;
	enum l1_result r;

	if (!serve(l, now, cache, a, &r))
		return (struct lsu_done){LSU_DONE_NOTHING, 0};
	head_done(l);
	return taken(l, now, r, (struct mshr_waiter){a->client, a->token}, a->buffer);
}

static inline struct l1 *head_cache(struct lsu *l)
{
	return l->head == LSU_CONST ? &l->const_cache : &l->l1;
}

/* ---- service through the MRPB ---- */

static struct lsu_done serve_mrpb(struct lsu *l, uint64_t now)
{
	const struct l1_access *a = mrpb_next(&l->mrpb);
	struct mshr_waiter who;
	uint32_t buffer;
	enum l1_result r;

	if (!a || (l->stuck && !l->retry) || !serve(l, now, &l->l1, a, &r))
		return (struct lsu_done){LSU_DONE_NOTHING, 0};
	who = (struct mshr_waiter){a->client, a->token};
	buffer = a->buffer;
	mrpb_take(&l->mrpb);
	return taken(l, now, r, who, buffer);
}

static unsigned head_warp(const struct lsu *l)
{
	return l->access.client == REQ_CLIENT_STORE ? l->access.token : l->loads.load[l->access.token].slot;
}

/* Shared memory's banks and the constant cache have the port ahead of the MRPB, but not of what is stuck. */
static struct lsu_done step_mrpb(struct lsu *l, uint64_t now)
{
	bool stuck_there = l->stuck && l->mrpb.tried;
	struct lsu_done done;

	if (l->head == LSU_BANKS || (l->head == LSU_CONST && !stuck_there))
		return lsu_step_head(l, now);
	done = serve_mrpb(l, now);
	if (l->head == LSU_L1) {
		head_access(l);
		if (mrpb_join(&l->mrpb, now, head_warp(l), &l->access))
			head_done(l);
	}
	return done;
}

/* ---- service with virtual memory ---- */

/* The oldest transaction that is due gets the L1. */
static struct lsu_done serve_due(struct lsu *l, uint64_t now)
{
	const struct translate_item *d = translate_front(&l->translate);
	struct mshr_waiter who = {d->access.client, d->access.token};
	uint32_t buffer = d->access.buffer;
	enum l1_result r;

	l->stuck_due = !serve(l, now, d->constant ? &l->const_cache : &l->l1, &d->access, &r);
	if (l->stuck_due)
		return (struct lsu_done){LSU_DONE_NOTHING, 0};
	translate_pop_due(&l->translate);
	return taken(l, now, r, who, buffer);
}

/* Looks the head's next transaction up; `port`: the L1 is free for it. */
static struct lsu_done translate_head(struct lsu *l, uint64_t now, bool port)
{
	struct translate *t = &l->translate;
	bool constant = l->head == LSU_CONST;

	/* What hits takes its turn behind other hits; without a latency there is no place between the TLB and the
	 * L1. */
	if (t->full || (t->latency ? translate_n_due(t) > t->latency : !port))
		return (struct lsu_done){LSU_DONE_NOTHING, 0};
	head_access(l);
	switch (translate_look_up(t, now, &l->access, constant)) {
	case TRANSLATE_HIT:
		if (t->latency == 0)
			return serve_line(l, now, head_cache(l));
		translate_push_due(t, now, &l->access, constant);
		head_done(l);
		break;
	case TRANSLATE_WAITS:
		head_done(l);
		break;
	case TRANSLATE_FULL:
		break;
	}
	return (struct lsu_done){LSU_DONE_NOTHING, 0};
}

/* A cycle of the L1's port: for what is stuck, else for what is due, else for the head. */
static struct lsu_done step_translated(struct lsu *l, uint64_t now)
{
	struct lsu_done done = {LSU_DONE_NOTHING, 0};
	bool port = false;

	if (l->stuck) {
		if (l->retry)
			done = l->stuck_due ? serve_due(l, now) : serve_line(l, now, head_cache(l));
	} else if (translate_is_overdue(&l->translate, now)) {
		done = serve_due(l, now);
	} else {
		port = true;
	}
	if (l->head != LSU_EMPTY && port)
		done = translate_head(l, now, true);
	else if (l->head != LSU_EMPTY && l->translate.latency) /* it gets no further than behind the hits */
		translate_head(l, now, false);
	l->overdue = translate_is_overdue(&l->translate, now);
	return done;
}

struct lsu_done lsu_serve_next(struct lsu *l, uint64_t now)
{
	if (translate_on(&l->translate))
		return step_translated(l, now);
	if (l->stuck && !l->retry)
		return (struct lsu_done){LSU_DONE_NOTHING, 0};
	if (!l->stuck)
		head_access(l);
	return serve_line(l, now, head_cache(l));
}

struct lsu_done lsu_step_with_policies(struct lsu *l, uint64_t now)
{
	struct lsu_done done;

	if (now >= l1_policy_due(&l->l1)) {
		l1_advance(&l->l1, now);
		l->retry = true;
	}
	if (l->queue)
		done = lsu_queue_step(l, now);
	else
		done = l->locality.on ? step_by_locality(l, now) : step_port(l, now);
	if (l1_would_prefetch(&l->l1))
		l1_prefetch(&l->l1, now);
	return done;
}

/* Apart, so that an SM without pins pays a comparison. */
static const struct mshr_waiter *__attribute__((noinline))
reply_at(struct lsu *l, uint64_t now, const struct mem_req *reply, uint32_t *n)
{
	l1_at(&l->l1, now);
	return l1_reply(reply->constant ? &l->const_cache : &l->l1, reply, n);
}

const struct mshr_waiter *lsu_reply(struct lsu *l, uint64_t now, const struct mem_req *reply, uint32_t *n)
{
	l->retry = true;
	if (__builtin_expect(l->l1.tags.replacement != NULL, 0))
		return reply_at(l, now, reply, n);
	return l1_reply(reply->constant ? &l->const_cache : &l->l1, reply, n);
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

static uint64_t next_translated(const struct lsu *l, uint64_t now)
{
	const struct translate *t = &l->translate;
	const struct translate_item *due = translate_front(t);
	bool blocked = l->stuck && !l->retry;
	uint64_t next = CYCLE_NEVER;

	if (due && !blocked)
		next = due->ready > now ? due->ready : now + 1;
	if (l->head != LSU_EMPTY && !t->full && (t->latency ? translate_n_due(t) <= t->latency : !blocked))
		next = now + 1;
	return next;
}

static bool mrpb_acts(const struct lsu *l)
{
	bool joins = l->head == LSU_L1 && mrpb_has_room(&l->mrpb, head_warp(l));

	return joins || (l->mrpb.waiting && l->head != LSU_BANKS && (!l->stuck || l->retry));
}

/* Apart, so that a unit without any of them needs no registers for calls. */
static uint64_t __attribute__((noinline)) sooner_by_policies(const struct lsu *l, uint64_t now, uint64_t next)
{
	if (l->queue) {
		uint64_t queue = lsu_queue_next(l, now);

		next = next < queue ? next : queue;
	}
	if (l1_would_prefetch(&l->l1) || (l->mrpb.on && mrpb_acts(l)))
		return now + 1;
	return l->stuck && l1_policy_due(&l->l1) < next ? l1_policy_due(&l->l1) : next;
}

uint64_t lsu_next(const struct lsu *l, uint64_t now)
{
	uint64_t next = CYCLE_NEVER;

	if (l->head == LSU_BANKS)
		next = l->until;
	else if (translate_on(&l->translate))
		next = next_translated(l, now);
	else if (l->head != LSU_EMPTY && (!l->stuck || l->retry))
		next = now + 1;
	if (lsu_has_packet(l) && !ticks_is_never(l->send_at)) {
		uint64_t send = cycles_up(l->send_at, l->period);

		if (send <= now)
			send = now + 1;
		next = next < send ? next : send;
	}
	return __builtin_expect(l->l1.on_its_own, 0) ? sooner_by_policies(l, now, next) : next;
}

enum stalls lsu_cause(const struct lsu *l)
{
	if (l->translate.full)
		return STALL_MEM_TLB;
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
