#include "sm/lsu.h"

#include <stdlib.h>
#include <string.h>

#include "base/metrics.h"
#include "base/panic.h"
#include "sm/sm_impl.h"

#define NO_LOAD UINT32_MAX
enum { FIRST_LOADS = 256 };

int lsu_init(struct sm *sm, struct arena *a, uint64_t local_base, const struct hw_binder *binder, struct err *e)
{
	uint32_t buffers = trace_counted_buffers(sm->trace);
	struct pric_port port;
	struct route route;
	bool hashed = sm->m->l1.c.index == INDEX_PRIC;

	if (hashed) {
		const struct machine_cache *c = &sm->m->l1.c;
		struct pric_params p = pric_params_of(c->poly, machine_cache_sets(c), c->line, c->addr_bits);

		if (pric_bind(binder, arena_printf(a, "sm%u.l1", sm->id), &p, &port, e) != 0)
			return -1;
	}
	if (route_init_above(&route, sm->m, binder, arena_printf(a, "sm%u", sm->id), machine_module_of_sm(sm->m, sm->id), e) != 0)
		return -1;
	l1_init(&sm->l1, a, sm->m, sm->id, &route, hashed ? &port : NULL, buffers);
	cst_init(&sm->cst, a, sm->m, sm->id, &route, buffers);
	if (sm->m->l1.monitor && monitor_init(&sm->monitor, sm->m, arena_printf(a, "sm%u.l1", sm->id), binder, e) != 0)
		return -1;
	if (sm->monitor.on)
		sm->l1.watch = (struct l1_watch){&sm->monitor, monitor_lookup};
	translate_init(&sm->lsu.translate, a, sm->m, &sm->port.translate);
	sm->lsu.local_base = local_base;
	sm->lsu.buffers = buffers;
	sm->lsu.latency = arena_array(a, (size_t)buffers + 1, sizeof *sm->lsu.latency);
	sm->lsu.free_load = NO_LOAD;
	return 0;
}

void lsu_free(struct sm *sm)
{
	free(sm->lsu.load);
	sm->lsu.load = NULL;
}

void lsu_begin_launch(struct sm *sm)
{
	PANIC_UNLESS(sm->lsu.in_flight == 0, "lsu", sm->now);
	l1_invalidate(&sm->l1);
	l1_invalidate(&sm->cst);
}

/* Bank cycles that lie beyond the end were counted at issue; the first one of an access stays, as the access does. */
void lsu_finish(struct sm *sm, uint64_t cycles)
{
	if (sm->lsu.head == LSU_BANKS && sm->lsu.until > cycles)
		sm->lsu.stats.shared_cycles -= sm->lsu.until - cycles;
	l1_finish(&sm->l1, cycles);
	l1_finish(&sm->cst, cycles);
	translate_finish(&sm->lsu.translate, cycles);
}

/* ---- records of loads ---- */

static uint32_t load_new(struct lsu *l)
{
	uint32_t i = l->free_load;

	if (i == NO_LOAD) {
		uint32_t n = l->n_loads ? 2 * l->n_loads : FIRST_LOADS;

		PANIC_UNLESS(n > l->n_loads, "lsu", n);
		l->load = xrealloc(l->load, n * sizeof *l->load);
		memset(l->load + l->n_loads, 0, (n - l->n_loads) * sizeof *l->load);
		for (uint32_t k = n; k-- > l->n_loads;) {
			l->load[k].next_free = i;
			i = k;
		}
		l->n_loads = n;
	}
	l->free_load = l->load[i].next_free;
	return i;
}

static inline void set_results(struct sm *sm, unsigned slot, const uint16_t *reg, unsigned n, uint64_t stamp)
{
	uint64_t *regs = warp_regs(sm, slot);

	for (unsigned i = 0; i < n; i++)
		regs[reg[i]] = stamp;
}

struct load_counts lsu_load_total(const struct lsu *l)
{
	struct load_counts t = {0};

	for (uint32_t b = 0; b <= l->buffers; b++)
		METRICS_ADD(&t, &l->latency[b]);
	return t;
}

/* at: stamps of its last line, NULL: a hit. */
static void count_latency(struct sm *sm, const struct lsu_load *d, uint64_t readable, uint32_t buffer, const struct stamp *at)
{
	struct load_counts *c = &sm->lsu.latency[buffer < sm->lsu.buffers ? buffer : sm->lsu.buffers];

	load_latency_count(c, readable - d->issued);
	load_latency_split(c, ticks_of(d->issued, sm->period), ticks_of(sm->now, sm->period), ticks_of(readable, sm->period), at);
}

static void load_done(struct sm *sm, uint32_t token, uint32_t buffer, const struct stamp *at)
{
	struct lsu_load *d = &sm->lsu.load[token];
	uint32_t latency = d->constant ? sm->m->cst.latency : sm->m->l1.latency;
	unsigned cta = sm->warp[d->slot].cta;

	set_results(sm, d->slot, d->reg, d->n_dst, sm_stamp(sm->now + latency - 1, true));
	if (d->timed)
		count_latency(sm, d, sm->now + latency - 1, buffer, at);
	d->next_free = sm->lsu.free_load;
	sm->lsu.free_load = token;
	sm->lsu.in_flight--;
	sm->cta[cta].outstanding--;
	if (sm->blocked & warp_bit(d->slot))
		warp_unblock(sm, d->slot);
	cta_retire_if_done(sm, cta);
}

static void store_done(struct sm *sm, unsigned slot)
{
	struct sm_warp *w = &sm->warp[slot];

	PANIC_UNLESS(w->stores > 0, "lsu", sm->now);
	w->stores--;
	sm->lsu.in_flight--;
	sm->cta[w->cta].outstanding--;
	if (w->stores == 0 && w->at_fence && (sm->blocked & warp_bit(slot)))
		warp_unblock(sm, slot);
	cta_retire_if_done(sm, w->cta);
}

/* One transaction has been served, of that buffer: of a load, by its number, or of a warp's stores and reductions, by its slot. at:
 * as of count_latency. */
static inline void served(struct sm *sm, enum req_client client, uint32_t token, uint32_t buffer, const struct stamp *at)
{
	if (client == REQ_CLIENT_STORE)
		store_done(sm, token);
	else if (--sm->lsu.load[token].left == 0)
		load_done(sm, token, buffer, at);
}

/* ---- issue ---- */

/* The CTA stays until the banks have served the access, though its warp may end before. */
static void hold_banks(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t latency, uint32_t cycles)
{
	sm->lsu.head = LSU_BANKS;
	sm->lsu.cta = sm->warp[slot].cta;
	sm->cta[sm->lsu.cta].outstanding++;
	sm->lsu.until = sm->now + cycles;
	set_results(sm, slot, in->reg, in->n_dst, sm_stamp(sm->now + latency + cycles - 1, true));
}

static void new_store(struct sm *sm, unsigned slot, uint32_t n)
{
	sm->warp[slot].stores += n;
	sm->cta[sm->warp[slot].cta].outstanding += n;
	sm->lsu.in_flight += n;
}

static uint32_t new_load(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t n)
{
	uint32_t token = load_new(&sm->lsu);
	struct lsu_load *d = &sm->lsu.load[token];

	d->left = n;
	d->slot = (uint8_t)slot;
	d->n_dst = in->n_dst;
	d->constant = in->act == ACT_CONST;
	d->timed = in->op == OP_LOAD && !d->constant && in->act != ACT_LOCAL;
	d->issued = sm->now;
	for (unsigned i = 0; i < in->n_dst; i++)
		d->reg[i] = in->reg[i];
	set_results(sm, slot, in->reg, in->n_dst, SM_STAMP_NEVER);
	sm->cta[sm->warp[slot].cta].outstanding++;
	sm->lsu.in_flight++;
	return token;
}

static void issue_lines(struct sm *sm, unsigned slot, const struct core_inst *in, const struct trace_addr *a, uint32_t mask)
{
	struct lsu *l = &sm->lsu;
	enum req_kind atomic = in->n_dst ? REQ_ATOMIC : REQ_REDUCTION;
	enum req_kind kind = in->op == OP_ATOM ? atomic : in->op == OP_STORE ? REQ_WRITE : REQ_READ;
	bool counted = kind == REQ_WRITE || kind == REQ_REDUCTION;

	l->n = lsu_lines(sm, slot, in, a, mask);
	l->pos = 0;
	l->head = in->act == ACT_CONST ? LSU_CONST : LSU_L1;
	l->stuck = L1_HIT;
	l->width = in->width;
	l->access = (struct l1_access){
		.kind = kind,
		.local = in->act == ACT_LOCAL,
		.bypass = (in->flags & TRACE_VOLATILE) != 0,
		.client = counted ? REQ_CLIENT_STORE : REQ_CLIENT_LOAD,
		.token = counted ? slot : new_load(sm, slot, in, l->n),
	};
	if (counted)
		new_store(sm, slot, l->n);
	l->stats.instructions++;
	l->stats.transactions += l->n;
}

void lsu_issue(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask)
{
	struct lsu *l = &sm->lsu;
	const struct trace_addr *a;
	uint32_t cycles;

	if (in->act == ACT_PARAM) {
		l->stats.params++;
		hold_banks(sm, slot, in, sm->m->cst.latency, 1);
		return;
	}
	a = &sm->cta[sm->warp[slot].cta].trace.addrs[sm->warp[slot].addr++];
	__builtin_prefetch(a + 2); /* of the warp's next accesses: by then other warps have displaced it */
	if (in->act != ACT_SHARED) {
		issue_lines(sm, slot, in, a, mask);
		return;
	}
	cycles = lsu_bank_cycles(sm, slot, in, a, mask);
	l->stats.shared_accesses++;
	l->stats.shared_cycles += cycles;
	hold_banks(sm, slot, in, sm->m->shared.latency, cycles);
}

/* ---- service ---- */

static uint16_t buffer_of(struct sm *sm, uint64_t addr)
{
	struct lsu *l = &sm->lsu;
	int b;

	if (addr - l->buffer_base < l->buffer_size)
		return l->buffer;
	b = trace_buffer_of(sm->trace, addr);
	if (b < 0 || b >= UINT16_MAX)
		return UINT16_MAX;
	l->buffer_base = trace_buffer(sm->trace, (uint32_t)b)->base;
	l->buffer_size = trace_buffer(sm->trace, (uint32_t)b)->size;
	l->buffer = (uint16_t)b;
	return l->buffer;
}

/* The head's next transaction, in virtual addresses. */
static void head_access(struct sm *sm)
{
	struct lsu *l = &sm->lsu;
	const struct coalesce_tx *t = &l->tx[l->pos];
	uint64_t first = t->line + (uint32_t)(t->mask[0] ? __builtin_ctzll(t->mask[0]) : 64 + __builtin_ctzll(t->mask[1]));

	l->access.line = t->line;
	l->access.mask[0] = t->mask[0];
	l->access.mask[1] = t->mask[1];
	l->access.buffer = l->access.local ? UINT16_MAX : buffer_of(sm, first);
	l->access.bytes = (uint16_t)((uint32_t)__builtin_popcount(t->lanes) * l->width);
}

/* The head's transaction is out of the unit. */
static inline void head_done(struct lsu *l)
{
	if (++l->pos == l->n)
		l->head = LSU_EMPTY;
}

/* Hands a transaction to its cache; false: it is stuck there. */
static inline bool serve(struct sm *sm, struct l1 *cache, const struct l1_access *a, enum l1_result *r)
{
	struct lsu *l = &sm->lsu;

	*r = l1_access(cache, sm->now, a);
	l->retry = false;
	l->stuck = *r >= L1_FAIL_LINE ? *r : L1_HIT;
	return !l->stuck;
}

static void serve_line(struct sm *sm, struct l1 *cache)
{
	struct lsu *l = &sm->lsu;
	enum l1_result r;

	if (!serve(sm, cache, &l->access, &r))
		return;
	head_done(l);
	if (r == L1_HIT)
		served(sm, l->access.client, l->access.token, l->access.buffer, NULL);
}

/* ---- service with virtual memory ---- */

/* The oldest transaction that is due gets the L1. */
static void serve_due(struct sm *sm)
{
	struct lsu *l = &sm->lsu;
	const struct translate_item *d = translate_front(&l->translate);
	enum req_client client = d->access.client;
	uint32_t token = d->access.token, buffer = d->access.buffer;
	enum l1_result r;

	l->stuck_due = !serve(sm, d->constant ? &sm->cst : &sm->l1, &d->access, &r);
	if (l->stuck_due)
		return;
	translate_pop_due(&l->translate);
	if (r == L1_HIT)
		served(sm, client, token, buffer, NULL);
}

/* Looks the head's next transaction up; `port`: the L1 is free for it. */
static void translate_head(struct sm *sm, bool port)
{
	struct lsu *l = &sm->lsu;
	struct translate *t = &l->translate;
	bool constant = l->head == LSU_CONST;

	/* What hits takes its turn behind other hits; without a latency there is no place between the TLB and the L1. */
	if (t->full || (t->latency ? translate_n_due(t) > t->latency : !port))
		return;
	head_access(sm);
	switch (translate_look_up(t, sm->now, &l->access, constant)) {
	case TRANSLATE_HIT:
		if (t->latency == 0) {
			serve_line(sm, constant ? &sm->cst : &sm->l1);
			return;
		}
		translate_push_due(t, sm->now, &l->access, constant);
		head_done(l);
		return;
	case TRANSLATE_WAITS:
		head_done(l);
		return;
	case TRANSLATE_FULL:
		return;
	}
}

static inline bool is_overdue(const struct sm *sm)
{
	const struct translate_item *d = translate_front(&sm->lsu.translate);

	return d && d->ready <= sm->now;
}

/* A cycle of the L1's port: for what is stuck, else for what is due, else for the head. */
static void step_translated(struct sm *sm)
{
	struct lsu *l = &sm->lsu;
	bool port = false;

	if (l->stuck) {
		if (l->retry && l->stuck_due)
			serve_due(sm);
		else if (l->retry)
			serve_line(sm, l->head == LSU_CONST ? &sm->cst : &sm->l1);
	} else if (is_overdue(sm)) {
		serve_due(sm);
	} else {
		port = true;
	}
	if (l->head != LSU_EMPTY && (port || l->translate.latency))
		translate_head(sm, port);
	l->overdue = is_overdue(sm);
}

static void release_banks(struct sm *sm)
{
	sm->lsu.head = LSU_EMPTY;
	sm->lsu.overdue = translate_on(&sm->lsu.translate) && is_overdue(sm);
	sm->cta[sm->lsu.cta].outstanding--;
	cta_retire_if_done(sm, sm->lsu.cta);
}

void lsu_step(struct sm *sm)
{
	struct lsu *l = &sm->lsu;

	if (sm->now >= l1_policy_due(&sm->l1)) {
		l1_advance(&sm->l1, sm->now);
		l->retry = true;
	}
	if (l->head == LSU_BANKS) {
		if (sm->now >= l->until)
			release_banks(sm);
	} else if (translate_on(&l->translate)) {
		step_translated(sm);
	} else if (l->head != LSU_EMPTY && (!l->stuck || l->retry)) {
		if (!l->stuck)
			head_access(sm);
		serve_line(sm, l->head == LSU_CONST ? &sm->cst : &sm->l1);
	}
	if (l1_would_prefetch(&sm->l1))
		l1_prefetch(&sm->l1, sm->now);
}

void lsu_reply(struct sm *sm, const struct mem_req *reply)
{
	uint32_t n;
	const struct mshr_waiter *w = l1_reply(reply->constant ? &sm->cst : &sm->l1, reply, &n);

	sm->lsu.retry = true;
	for (uint32_t i = 0; i < n; i++)
		served(sm, w[i].client, w[i].token, reply->buffer, reply->at);
}

/* The two caches share the port; the constant cache, which misses seldom, goes first. */
void lsu_send(struct sm *sm)
{
	struct lsu *l = &sm->lsu;
	struct ticks tick = ticks_of(sm->now, sm->period);
	struct l1 *cache = l1_has_packet(&sm->cst) ? &sm->cst : &sm->l1;

	if (!l1_has_packet(cache))
		return;
	l->send_at = ticks_after(tick, 1, sm->period);
	l->net_full = !l1_send(cache, tick, &sm->port.out, &l->send_at);
	l->retry |= !l->net_full && l->stuck == L1_FAIL_QUEUE; /* all other fails end with a reply only */
}

static uint64_t next_translated(const struct sm *sm)
{
	const struct lsu *l = &sm->lsu;
	const struct translate *t = &l->translate;
	const struct translate_item *due = translate_front(t);
	bool blocked = l->stuck && !l->retry;
	uint64_t next = CYCLE_NEVER;

	if (due && !blocked)
		next = due->ready > sm->now ? due->ready : sm->now + 1;
	if (l->head != LSU_EMPTY && !t->full && (t->latency ? translate_n_due(t) <= t->latency : !blocked))
		next = sm->now + 1;
	return next;
}

uint64_t lsu_next(const struct sm *sm)
{
	const struct lsu *l = &sm->lsu;
	uint64_t next = CYCLE_NEVER;

	if (l->head == LSU_BANKS)
		next = l->until;
	else if (translate_on(&l->translate))
		next = next_translated(sm);
	else if (l->head != LSU_EMPTY && (!l->stuck || l->retry))
		next = sm->now + 1;
	if ((l1_has_packet(&sm->l1) || l1_has_packet(&sm->cst)) && !ticks_is_never(l->send_at)) {
		uint64_t send = cycles_up(l->send_at, sm->period);

		if (send <= sm->now)
			send = sm->now + 1;
		next = next < send ? next : send;
	}
	if (l1_would_prefetch(&sm->l1))
		next = sm->now + 1;
	if (l->stuck && l1_policy_due(&sm->l1) < next)
		next = l1_policy_due(&sm->l1);
	return next;
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
