#include "sm/sm.h"

#include "base/panic.h"
#include "sm/sm_impl.h"

/* What has fewer pipelines than there are sub-cores is shared, through queues if the machine has them. */
static void find_owners(struct sm *sm)
{
	const struct machine *m = sm->m;

	for (unsigned w = 0; w < SM_MAX_WARPS; w++)
		sm->scheduler_of[w] = (uint8_t)(w % m->sm.schedulers);
	for (enum core_unit u = UNIT_SP; u < UNIT_LDST; u++) {
		unsigned own = sm->units[u] / m->sm.subcores;

		for (unsigned s = 0; s < m->sm.schedulers; s++)
			sm->units_of[u][s] =
				own ? (struct sm_units){(uint8_t)(s % m->sm.subcores * own), (uint8_t)own} : sm_all_units(sm, u);
		sm->queued[u] = m->subcore.queue && !own;
	}
	sm->queued[UNIT_LDST] = m->subcore.queue;
}

/* Of a kernel, with the spare one. */
static uint32_t most_registers(const struct core_kernel *kernels, uint32_t n)
{
	uint32_t most = 0;

	for (uint32_t k = 0; k < n; k++)
		if (most < kernels[k].n_regs + 1)
			most = kernels[k].n_regs + 1;
	return most;
}

int sm_init(struct sm *sm, struct arena *a, const struct machine *m, struct trace *t, const struct core_kernel *kernels,
	    uint32_t id, uint64_t local_base, struct sm_ports port, const struct hw_binder *binder, struct err *e)
{
	const struct lsu_config lsu = {
		.machine = m, .trace = t, .sm = id, .local_base = local_base, .binder = binder, .translate = port.translate};

	*sm = (struct sm){.m = m, .trace = t, .kernels = kernels, .port = port, .id = id, .period = m->clock.period[CLOCK_CORE]};
	scoreboard_init(&sm->scoreboard, a, m->sm.warps, most_registers(kernels, trace_n_kernels(t)));
	sm->units[UNIT_SP] = m->pipe.sp;
	sm->units[UNIT_SFU] = m->pipe.sfu;
	sm->units[UNIT_TENSOR] = m->pipe.tensor;
	sm->units[UNIT_INT] = m->pipe.integer;
	sm->units[UNIT_DP] = m->pipe.dp;
	find_owners(sm);
	sm->free_slots = m->sm.warps == 64 ? ~UINT64_C(0) : warp_bit(m->sm.warps) - 1;
	for (unsigned w = 0; w < m->sm.warps; w++)
		sm->own[sm_scheduler_of(sm, w)] |= warp_bit(w);
	sm->launch = UINT32_MAX;
	if (lsu_init(&sm->lsu, a, &lsu, e) != 0)
		return -1;
	if (m->fetch.width)
		fetch_init(&sm->fetch, a, m, id, &sm->lsu.l1.route);
	if (m->operands.banks)
		operands_init(&sm->operands, a, m, core_kernels_product(kernels, trace_n_kernels(t)));
	if (m->subcore.queue)
		subcores_init(&sm->subcores, m);
	sm->ahead = sm->fetch.on || sm->operands.on || sm->subcores.on;
	sm->parted = machine_has_subcores(m);
	sm->load_depth = m->pipe.depth - (sm->operands.on ? OPERANDS_CYCLES_LDST : 0);
	return sm_throttle_init(sm, a, e);
}

void sm_read_into(struct sm *sm, struct pool *pool)
{
	for (unsigned i = 0; i < SM_MAX_CTAS; i++)
		sm->cta[i].trace.pool = pool;
}

void sm_free(struct sm *sm)
{
	for (unsigned i = 0; i < SM_MAX_CTAS; i++)
		trace_cta_free(&sm->cta[i].trace);
	lsu_free(&sm->lsu);
	path_free(sm);
	pipeline_free(sm);
}

/* Counts the cycles [sm->counted, until), in which nothing changed. */
static void count_skipped(struct sm *sm, uint64_t until)
{
	uint64_t n = until - sm->counted;

	if (n == 0)
		return;
	for (unsigned s = 0; s < sm->m->sm.schedulers; s++) {
		enum stalls why = issue_cause(sm, s);

		sm->stats.stalls[why][s] += n;
		if (__builtin_expect(sm->profile != NULL, 0))
			profile_stall(sm, s, why, n);
	}
	sm->stats.warp_cycles += n * (unsigned)__builtin_popcountll(sm->running);
	sm->stats.busy_cycles += sm->running ? n : 0;
	sm->counted = until;
}

/* ---- memory instructions that are done: what that means for their warp and CTA ---- */

static void notify_load_done(struct sm *sm, uint32_t token, uint64_t readable)
{
	const struct load *d = &sm->lsu.loads.load[token];

	if (sm->paths)
		path_load_done(sm, token);
	if (sm->pipeline)
		pipeline_load_done(sm, token, readable);
	if (sm->profile) {
		profile_value_is_known(sm, d->slot);
		if (d->timed)
			profile_load(sm, d->row, sm->now + d->latency - 1 - d->issued);
	}
	if (d->awaited) {
		sm->lsu.loads.load[token].awaited = false;
		waits_served(sm, d->slot);
	}
}

static void load_done(struct sm *sm, uint32_t token)
{
	const struct load *d = &sm->lsu.loads.load[token];
	unsigned cta = sm->warp[d->slot].cta;
	uint64_t readable = sm->now + d->latency - 1 + sm->load_depth;

	warp_set_results(sm, d->slot, d->reg, d->n_dst, sm_stamp(readable, true));
	if (__builtin_expect(sm->observed, 0))
		notify_load_done(sm, token, readable);
	if (__builtin_expect(sm->operands.on, 0))
		operands_write(&sm->operands, sm->now, readable, d->slot, d->reg, d->n_dst);
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
	sm->cta[w->cta].outstanding--;
	if (w->stores == 0 && w->at_fence && (sm->blocked & warp_bit(slot)))
		warp_unblock(sm, slot);
	cta_retire_if_done(sm, w->cta);
}

static inline void memory_done(struct sm *sm, struct lsu_done d)
{
	switch (d.kind) {
	case LSU_DONE_NOTHING:
		return;
	case LSU_DONE_LOAD:
		load_done(sm, d.which);
		return;
	case LSU_DONE_STORE:
		for (uint32_t i = 0; i <= d.more; i++)
			store_done(sm, d.which);
		return;
	case LSU_DONE_BANKS:
		sm->cta[d.which].outstanding--;
		cta_retire_if_done(sm, d.which);
		return;
	}
}

/* ---- a cycle ---- */

static void take_starts(struct sm *sm, struct ticks now)
{
	const struct cta_start *msg;

	while ((msg = queue_front(sm->port.start, now))) {
		cta_start(sm, msg);
		queue_pop(sm->port.start, now);
	}
}

static void take_reply(struct sm *sm, const struct mem_req *reply)
{
	uint32_t n;
	const struct mshr_waiter *w = lsu_reply(&sm->lsu, sm->now, reply, &n);

	for (uint32_t i = 0; i < n; i++)
		memory_done(sm, lsu_serve(&sm->lsu, sm->now, w[i], reply->buffer, reply->at));
}

/* Returns what the reply is for its client. */
static const struct mem_req *notify_reply(struct sm *sm, const struct mem_req *reply, struct mem_req *own)
{
	if (reply->client == REQ_CLIENT_SYNC) {
		*own = *reply;
		waits_reply(sm, own);
		reply = own;
	}
	if (sm->profile)
		profile_reply(sm, reply);
	if (sm->paths)
		path_reply(sm, reply);
	return reply;
}

static void take(struct sm *sm, const struct mem_req *reply)
{
	struct mem_req own;

	if (__builtin_expect(sm->observed, 0))
		reply = notify_reply(sm, reply, &own);
	if (__builtin_expect(reply->cache == REQ_OF_CODE, 0))
		fetch_reply(&sm->fetch, sm->now, reply);
	else
		take_reply(sm, reply);
}

static void take_replies(struct sm *sm, struct mem_req_queue *in, struct ticks now)
{
	const struct mem_req *reply;

	while ((reply = queue_front(in, now))) {
		take(sm, reply);
		queue_pop(in, now);
	}
}

static inline uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t next_ahead(const struct sm *sm, uint64_t cycle)
{
	if (sm->fetch.on)
		cycle = earlier(cycle, fetch_next(&sm->fetch, sm->now));
	if (sm->subcores.on)
		cycle = earlier(cycle, subcore_next(sm));
	return sm->operands.on ? earlier(cycle, collect_next(sm)) : cycle;
}

/* When something is due in the SM itself. Nothing comes before the next cycle, so that when one has something then the
 * others are not asked: first those who answer soonest. */
static inline uint64_t next_cycle(const struct sm *sm)
{
	uint64_t cycle = wheel_next(&sm->wheel, sm->now);

	if (cycle > sm->now + 1)
		cycle = earlier(cycle, lsu_next(&sm->lsu, sm->now));
	if (cycle > sm->now + 1)
		cycle = earlier(cycle, issue_next(sm));
	return cycle > sm->now + 1 && __builtin_expect(sm->ahead, 0) ? next_ahead(sm, cycle) : cycle;
}

static struct ticks next_event(const struct sm *sm)
{
	uint64_t cycle = next_cycle(sm);
	struct ticks tick = ticks_earlier(queue_next_arrival(sm->port.start), queue_next_arrival(sm->port.in));

	if (translate_on(&sm->lsu.translate))
		tick = ticks_earlier(tick, queue_next_arrival(sm->port.translate.answer));
	if (__builtin_expect(sm->port.code_in != NULL, 0))
		tick = ticks_earlier(tick, queue_next_arrival(sm->port.code_in));
	return cycle == CYCLE_NEVER ? tick : ticks_earlier(ticks_of(cycle, sm->period), tick);
}

static void fetch(struct sm *sm)
{
	int slot = fetch_step(&sm->fetch, sm->now);

	if (slot >= 0)
		warp_fetched(sm, (unsigned)slot);
}

static void fetch_ahead(struct sm *sm)
{
	struct fetch *f = &sm->fetch;

	if (f->l0s.head != f->l0s.tail)
		fetch_take_lines(f, sm->now, sm->own);
	for (unsigned s = 0; f->l0s.room && s < f->l0s.n; s++) {
		uint64_t can = f->l0s.room & sm->own[s];
		unsigned slot;

		if (!can)
			continue;
		slot = can & (can - 1) ? issue_choice(sm, s, can) : (unsigned)__builtin_ctzll(can);
		if (fetch_for(f, s, slot, sm->now))
			warp_fetched(sm, slot);
	}
	if (f->l0s.requesting || f->stuck)
		fetch_request(f, sm->now);
}

/* Apart, so that an SM without any of it needs no registers for calls. */
static void __attribute__((noinline)) behind_issue(struct sm *sm)
{
	if (sm->subcores.on)
		subcore_step(sm);
	if (sm->fetch.l0s.n)
		fetch_ahead(sm);
	else if (sm->fetch.on)
		fetch(sm);
}

/* One packet a cycle, the instruction cache's first: without it no warp goes on. What goes to the GPC's does not take
 * the network's port. */
static inline void send(struct sm *sm)
{
	bool code = fetch_has_packet(&sm->fetch);

	if (__builtin_expect(code, 0))
		fetch_send(&sm->fetch, sm->now, sm->port.code_in ? &sm->port.code_out : &sm->port.out);
	if (lsu_has_packet(&sm->lsu) && !(code && !sm->port.code_in))
		lsu_send(&sm->lsu, sm->now, &sm->port.out);
}

struct ticks sm_step(struct sm *sm, struct ticks now)
{
	/* mostly the next cycle: no division then */
	uint64_t cycle = ticks_equal(now, ticks_after(sm->tick, 1, sm->period)) ? sm->now + 1 : cycles_in(now, sm->period);

	sm->tick = now;
	count_skipped(sm, cycle);
	sm->now = cycle;
	take_starts(sm, now);
	take_replies(sm, sm->port.in, now);
	if (__builtin_expect(sm->port.code_in != NULL, 0))
		take_replies(sm, sm->port.code_in, now);
	if (translate_on(&sm->lsu.translate))
		translate_take_answers(&sm->lsu.translate, cycle);
	memory_done(sm, lsu_step(&sm->lsu, cycle));
	warp_wake(sm, wheel_take(&sm->wheel, cycle));
	sm->stats.warp_cycles += (unsigned)__builtin_popcountll(sm->running);
	sm->stats.busy_cycles += sm->running != 0;
	if (cycle >= sm->throttle.due)
		sm_throttle_update(sm);
	sm->issue(sm);
	if (__builtin_expect(sm->ahead, 0))
		behind_issue(sm);
	send(sm);
	sm->counted = cycle + 1;
	return next_event(sm);
}

void sm_count_up_to(struct sm *sm, uint64_t cycle)
{
	count_skipped(sm, cycle);
	l1_count_fails(&sm->lsu.l1, cycle);
	l1_count_fails(&sm->lsu.const_cache, cycle);
	if (sm->fetch.on)
		l1_count_fails(&sm->fetch.cache, cycle);
}

static void close_stalls(struct sm *sm, uint64_t cycles)
{
	if (sm->counted <= cycles) {
		count_skipped(sm, cycles);
		return;
	}
	for (unsigned s = 0; s < sm->m->sm.schedulers; s++) {
		sm->stats.stalls[STALL_IDLE][s] -= sm->counted - cycles;
		if (sm->profile)
			profile_take_back_idle(sm, sm->counted - cycles);
	}
	sm->counted = cycles;
}

void sm_finish(struct sm *sm, uint64_t cycles)
{
	if (sm->lsu.monitor.on)
		monitor_read(&sm->lsu.monitor, sm->now < cycles ? cycles : sm->now + 1);
	lsu_finish(&sm->lsu, cycles);
	if (sm->fetch.on)
		l1_finish(&sm->fetch.cache, cycles);
	close_stalls(sm, cycles);
	if (sm->profile)
		profile_finish(sm);
}
