#include "sm/waits.h"

#include "base/panic.h"
#include "sm/sm_impl.h"

_Static_assert((unsigned)WAITS_MAX_WARPS == (unsigned)SM_MAX_WARPS, "a wait of each slot");

/* ns, of a sleep in a hostile trace. */
enum { LONGEST_SLEEP = 1000000000 };

static inline struct sm_wait *wait_of(const struct sm *sm, unsigned slot)
{
	return &sm->waits->of[slot];
}

static const struct sync_launch *launch_of(const struct sm *sm, unsigned slot)
{
	return &sm->waits->board->launch[sm->cta[sm->warp[slot].cta].launch];
}

static const struct trace_run *runs_of(const struct sm *sm, unsigned slot)
{
	return sm->cta[sm->warp[slot].cta].trace.runs;
}

static void set_next(struct sm *sm, unsigned slot, uint32_t next)
{
	struct sm_wait *x = wait_of(sm, slot);

	x->next = next;
	sm->warp[slot].sync_at = next < x->end ? x->first_addr + launch_of(sm, slot)->trace->access[next].access : SM_NO_ACCESS;
}

/* ---- begin ---- */

void waits_use(struct sm *sm, struct arena *a, const struct sync_board *b)
{
	sm->waits = arena_alloc(a, sizeof *sm->waits);
	*sm->waits = (struct sm_waits){.board = b, .table = &b->table[sm->id]};
	sm->observed = true;
	sm_throttle_use_issue(sm);
}

void waits_begin_cta(struct sm *sm, unsigned cta)
{
	const struct sm_cta *c = &sm->cta[cta];
	const struct trace_sync *s = sm->waits->board->launch[c->launch].trace;
	uint32_t at, end;
	uint64_t slots = c->warps;

	if (!s)
		return;
	at = s->first_access[c->id];
	end = s->first_access[c->id + 1];
	for (uint32_t warp = 0; warp < c->trace.n_warps; warp++, slots &= slots - 1) {
		unsigned slot = (unsigned)__builtin_ctzll(slots);
		uint32_t first = at;

		while (at < end && s->access[at].warp == warp)
			at++;
		*wait_of(sm, slot) = (struct sm_wait){.first = first,
						      .end = at,
						      .first_addr = c->trace.warp[warp].first_addr,
						      .first_run = c->trace.warp[warp].first_run};
		set_next(sm, slot, first);
	}
}

/* ---- an access ---- */

/* Whether an attempt hangs on it. */
static bool is_awaited(const struct trace_sync *s, const struct trace_sync_access *a)
{
	bool needs = a->insts > 0;

	for (uint32_t i = 0; i < a->n_items; i++)
		needs |= s->item[a->first_item + i].need > 0;
	return needs;
}

/* The stream ends here until it is decided. */
static void hold(struct sm *sm, unsigned slot)
{
	struct sm_warp *w = &sm->warp[slot];
	struct sm_wait *x = wait_of(sm, slot);

	x->decides = true;
	x->deciding = x->next;
	x->begin = (struct sm_cursor){.pc = w->pc, .left = w->left, .run = w->run, .addr = w->addr};
	w->left = 1;
	w->run = w->run_end - 1;
}

void waits_issue(struct sm *sm, unsigned slot)
{
	const struct trace_sync *s = launch_of(sm, slot)->trace;
	struct sm_wait *x = wait_of(sm, slot);

	x->awaited += is_awaited(s, &s->access[x->next]);
	if (s->access[x->next].insts)
		hold(sm, slot);
	set_next(sm, slot, x->next + 1);
}

/* The access that has this record. */
static uint32_t access_at(const struct sm *sm, unsigned slot, uint32_t addr)
{
	const struct trace_sync_access *a = launch_of(sm, slot)->trace->access;
	const struct sm_wait *x = wait_of(sm, slot);
	uint32_t low = x->first, high = x->end;

	while (high - low > 1) {
		uint32_t mid = low + (high - low) / 2;

		if (a[mid].access <= addr - x->first_addr)
			low = mid;
		else
			high = mid;
	}
	return low;
}

static uint64_t access_shared(struct sm *sm, unsigned slot, const struct lsu_inst *i, uint32_t access, bool awaited)
{
	const struct sm_cta *c = &sm->cta[sm->warp[slot].cta];
	struct sm_wait *x = wait_of(sm, slot);
	bool held = sync_perform_shared(launch_of(sm, slot), access, c->id, sm->tick, &sm->waits->performed);
	uint64_t readable = lsu_issue_shared(&sm->lsu, sm->now, i, slot, sm->warp[slot].cta);

	if (!awaited)
		return readable;
	x->failed |= !held;
	if (readable == CYCLE_NEVER) {
		sm->lsu.loads.load[sm->lsu.head.access.token].awaited = true;
		return readable;
	}
	x->awaited--;
	if (x->served < sm->lsu.head.until)
		x->served = sm->lsu.head.until;
	return readable;
}

static uint64_t access_global(struct sm *sm, unsigned slot, const struct lsu_inst *i, uint32_t access, bool awaited)
{
	struct lsu_inst past = *i;
	struct lsu_entry *head = &sm->lsu.head;
	uint64_t readable;

	past.past = i->in->op == OP_LOAD;
	readable = lsu_issue(&sm->lsu, sm->now, &past, slot);
	for (uint32_t k = 0; k < head->n; k++) {
		uint32_t number = sync_take(sm->waits->table);

		*sync_entry(sm->waits->table, number) = (struct sync_entry){.of = launch_of(sm, slot),
									    .line = head->tx[k].line,
									    .access = access,
									    .token = head->access.token,
									    .client = head->access.client,
									    .awaited = awaited,
									    .slot = (uint8_t)slot};
		head->tx[k].sync = number + 1;
	}
	wait_of(sm, slot)->awaited += awaited ? head->n - 1 : 0;
	return readable;
}

/* Other spaces than these two order nothing: what the access needs counts as there. */
uint64_t waits_access(struct sm *sm, unsigned slot, const struct lsu_inst *i)
{
	const struct trace_sync *s = launch_of(sm, slot)->trace;
	uint32_t access = access_at(sm, slot, i->addr);
	bool awaited = is_awaited(s, &s->access[access]);

	if (i->in->act == ACT_SHARED)
		return access_shared(sm, slot, i, access, awaited);
	if (i->in->act == ACT_GLOBAL)
		return access_global(sm, slot, i, access, awaited);
	wait_of(sm, slot)->awaited -= awaited;
	return lsu_issue(&sm->lsu, sm->now, i, slot);
}

/* ---- where an attempt begins ---- */

static bool has_record(const struct core_inst *in, uint32_t mask)
{
	return mask &&
	       ((in->unit == UNIT_LDST && in->act != ACT_PARAM) || in->act == ACT_SLEEP || (in->act == ACT_FOLDED && in->records));
}

/* From the access that decides, at x->begin, back. */
static void find_begin(const struct sm *sm, unsigned slot)
{
	const struct trace_sync_access *a = launch_of(sm, slot)->trace->access;
	const struct trace_run *runs = runs_of(sm, slot);
	struct sm_wait *x = wait_of(sm, slot);
	struct sm_cursor *b = &x->begin;
	uint32_t offset = b->pc - runs[b->run].pc;

	b->addr--;
	for (uint32_t n = a[x->deciding].insts - 1; n > 0; n--) {
		if (offset == 0 && b->run == x->first_run)
			break;
		if (offset == 0)
			offset = runs[--b->run].len;
		offset--;
		b->addr -= has_record(&sm->warp[slot].inst[runs[b->run].pc + offset], runs[b->run].mask);
	}
	b->pc = runs[b->run].pc + offset;
	b->left = runs[b->run].len - offset;
	for (b->next = x->deciding; b->next > x->first && x->first_addr + a[b->next - 1].access >= b->addr; b->next--)
		;
}

/* To the next run of the tail; that is the last one of the stream for as long. */
static void to_tail(struct sm *sm, unsigned slot)
{
	const struct trace_run *r = &launch_of(sm, slot)->trace->tail[wait_of(sm, slot)->tail++];
	struct sm_warp *w = &sm->warp[slot];

	w->pc = r->pc;
	w->left = r->len;
	w->mask = r->mask;
	w->run = w->run_end - 1;
}

static void to_begin(struct sm *sm, unsigned slot)
{
	struct sm_wait *x = wait_of(sm, slot);
	struct sm_warp *w = &sm->warp[slot];

	x->in_tail = false;
	w->pc = x->begin.pc;
	w->left = x->begin.left;
	w->run = x->begin.run;
	w->mask = runs_of(sm, slot)[w->run].mask;
	w->addr = x->begin.addr;
	set_next(sm, slot, x->begin.next);
}

uint64_t waits_sleep_cycles(const struct sm *sm, uint64_t ns)
{
	uint64_t ticks = ((ns < LONGEST_SLEEP ? ns : LONGEST_SLEEP) * sm->m->clock.ticks_per_us + 999) / 1000;

	return (ticks + sm->period - 1) / sm->period;
}

/* Between a failed attempt and the next one. */
static uint64_t sleep_between(const struct sm *sm, unsigned slot)
{
	const struct trace_sync *s = launch_of(sm, slot)->trace;
	struct sm_wait *x = wait_of(sm, slot);
	const struct trace_sync_access *a = &s->access[x->deciding];
	uint32_t n = x->failures < a->n_sleeps ? x->failures++ : a->n_sleeps - 1;

	return a->n_sleeps ? waits_sleep_cycles(sm, s->sleep[a->first_sleep + n]) : 0;
}

/* To what comes next of a failed attempt, or then of the new one. Returns for how many cycles the warp sleeps first. */
static uint64_t go_on(struct sm *sm, unsigned slot)
{
	struct sm_wait *x = wait_of(sm, slot);
	uint64_t sleep = 0;

	do
		if (x->tail < x->tail_end) {
			to_tail(sm, slot);
		} else {
			to_begin(sm, slot);
			sleep = sleep_between(sm, slot);
		}
	while (__builtin_expect(sm->folds, 0) && !warp_skip_folded(sm, slot));
	if (__builtin_expect(sm->fetch.l0s.n, 0))
		fetch_jumps(&sm->fetch, slot, sm_next_inst(sm, slot)->place);
	return sleep;
}

/* ---- decisions ---- */

/* Returns likewise. */
static uint64_t fail(struct sm *sm, unsigned slot)
{
	struct sm_wait *x = wait_of(sm, slot);
	const struct trace_sync_access *a = &launch_of(sm, slot)->trace->access[x->deciding];

	if (!(sm->repeats & warp_bit(slot))) {
		sm->repeats |= warp_bit(slot);
		x->since = sm->now;
		x->failures = 0;
		x->failed_at = x->deciding;
		x->row = sm_next_inst(sm, slot)->row;
	}
	find_begin(sm, slot);
	x->tail = a->first_tail;
	x->tail_end = a->first_tail + a->n_tail;
	x->in_tail = true;
	return go_on(sm, slot);
}

/* An access further up in the attempt succeeds again; the one that failed ends the wait. False: the stream ends. */
static bool succeed(struct sm *sm, unsigned slot)
{
	struct sm_wait *x = wait_of(sm, slot);

	if (sm->repeats & warp_bit(slot) && x->failed_at == x->deciding) {
		sm->repeats &= ~warp_bit(slot);
		sm->stats.wait.cycles += sm->now - x->since;
	}
	return warp_advance(sm, slot);
}

static void decide(struct sm *sm, unsigned slot, uint64_t earliest)
{
	struct sm_wait *x = wait_of(sm, slot);
	bool failed = x->failed;

	if (earliest < x->served)
		earliest = x->served;
	x->decides = x->failed = false;
	x->served = 0;
	sm->blocked &= ~warp_bit(slot);
	sm->waits_memory &= ~warp_bit(slot);
	if (sm->profile)
		profile_value_is_known(sm, slot);
	if (failed) {
		earliest += fail(sm, slot);
	} else if (!succeed(sm, slot)) {
		warp_exit(sm, slot);
		return;
	}
	warp_schedule(sm, slot, earliest);
}

static void block(struct sm *sm, unsigned slot)
{
	sm->blocked |= warp_bit(slot);
	sm->waits_memory |= warp_bit(slot);
}

bool waits_at_end(struct sm *sm, unsigned slot, uint64_t earliest)
{
	struct sm_wait *x = wait_of(sm, slot);
	struct sm_warp *w = &sm->warp[slot];

	if (x->decides) {
		w->pc = x->begin.pc;
		w->left = x->begin.left;
		w->run = x->begin.run;
		if (x->awaited)
			block(sm, slot);
		else
			decide(sm, slot, earliest);
		return true;
	}
	if (!x->in_tail)
		return false;
	earliest += go_on(sm, slot);
	if (w->at_fence)
		block(sm, slot);
	else
		warp_schedule(sm, slot, earliest);
	return true;
}

uint32_t waits_row(const struct sm *sm, unsigned slot)
{
	return wait_of(sm, slot)->row;
}

uint64_t waits_open_cycles(const struct sm *sm, uint64_t cycles)
{
	uint64_t n = 0;

	for (uint64_t open = sm->repeats; open; open &= open - 1) {
		uint64_t since = wait_of(sm, (unsigned)__builtin_ctzll(open))->since;

		n += cycles > since ? cycles - since : 0;
	}
	return n;
}

void waits_settle(struct sm *sm, unsigned slot)
{
	if (wait_of(sm, slot)->decides && !wait_of(sm, slot)->awaited)
		decide(sm, slot, sm->now);
}

void waits_reply(struct sm *sm, struct mem_req *reply)
{
	uint32_t number = reply->token;
	const struct sync_entry *e = sync_entry(sm->waits->table, number);
	struct sm_wait *x = wait_of(sm, e->slot);
	unsigned slot = e->slot;

	reply->client = e->client;
	reply->token = e->token;
	sm->waits->performed += e->performed;
	x->awaited -= e->awaited;
	x->failed |= e->awaited && !e->held;
	sync_give(sm->waits->table, number);
	waits_settle(sm, slot);
}

void waits_served(struct sm *sm, unsigned slot)
{
	wait_of(sm, slot)->awaited--;
	waits_settle(sm, slot);
}
