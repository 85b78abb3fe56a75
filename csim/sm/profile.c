#include "sm/profile.h"

#include "base/panic.h"
#include "sm/sm_impl.h"

#define UNKNOWN UINT32_MAX

/* ---- whose an access is ---- */

static struct profile_row *row(struct sm *sm, uint32_t i)
{
	struct sm_profile *p = sm->profile;

	return &p->row[i < p->n ? i : p->n];
}

static uint32_t row_of_waiter(const struct sm *sm, enum req_client client, uint32_t token)
{
	if (client == REQ_CLIENT_LOAD || client == REQ_CLIENT_STORE)
		return lsu_row_of(&sm->lsu, client, token);
	return UINT32_MAX;
}

static void count_access(void *ctx, uint64_t cycle, const struct l1_access *a, enum l1_result r)
{
	struct sm *sm = ctx;
	struct profile_row *x;

	(void)cycle;
	if (r >= L1_FAIL_LINE)
		return;
	x = row(sm, row_of_waiter(sm, a->client, a->token));
	if (r == L1_SENT)
		x->l1_past++;
	else if (a->kind == REQ_WRITE)
		x->l1_writes++;
	else if (r == L1_HIT)
		x->l1_hits++;
	else if (r == L1_MERGED)
		x->l1_reserved++;
	else
		x->l1_misses++;
}

/* A line comes for those that wait for it, of whom the first has asked. */
static uint32_t row_of_reply(const struct sm *sm, const struct mem_req *reply)
{
	const struct l1 *cache = reply->cache == REQ_OF_CONST ? &sm->lsu.const_cache : &sm->lsu.l1;
	const struct mshr_waiter *first;
	uint32_t n;

	if (reply->cache == REQ_OF_CODE)
		return UINT32_MAX;
	if (reply->client != REQ_CLIENT_MSHR)
		return row_of_waiter(sm, reply->client, reply->token);
	first = mshr_waiters(&cache->mshr, reply->token, &n);
	return n ? row_of_waiter(sm, first->client, first->token) : UINT32_MAX;
}

void profile_reply(struct sm *sm, const struct mem_req *reply)
{
	struct profile_row *x = row(sm, row_of_reply(sm, reply));

	if (reply->cache == REQ_OF_CODE && sm->port.code_in)
		return; /* no access of the L2 */
	x->l2_accesses++;
	x->l2_hits += reply->found == REQ_FOUND;
	x->l2_reserved += reply->found == REQ_FOUND_RESERVED;
	x->l2_misses += reply->found == REQ_MISSED || reply->found == REQ_FETCHED;
	x->l2_bypasses += reply->found == REQ_PAST || reply->found == REQ_PAST_TO_HALF;
	x->dram_reads += reply->found == REQ_FETCHED || reply->found == REQ_PAST;
}

void profile_load(struct sm *sm, uint32_t i, uint64_t cycles)
{
	struct profile_row *x = row(sm, i);

	x->loads++;
	x->load_cycles += cycles;
}

/* ---- issue ---- */

static uint32_t *writers(const struct sm *sm, unsigned slot)
{
	return sm->profile->writer + (size_t)slot * sm->scoreboard.stride;
}

void profile_warp_begins(struct sm *sm, unsigned slot)
{
	struct sm_profile *p = sm->profile;

	p->last_issue[slot] = p->last_store[slot] = p->n;
	p->producer[slot] = UNKNOWN;
}

void profile_takes_unit(struct sm *sm, const struct core_inst *in, unsigned i)
{
	sm->profile->holder[in->unit == UNIT_NONE ? UNIT_SP : in->unit][i] = in->row;
}

void profile_transactions(struct sm *sm, const struct core_inst *in, uint64_t n)
{
	sm->profile->row[in->row].transactions += n;
}

static struct sm_units units_of(const struct sm *sm, unsigned slot, enum core_unit u)
{
	return sm_units_of(sm, sm_scheduler_of(sm, slot), u);
}

static unsigned first_free(const uint64_t *free_at, struct sm_units of)
{
	unsigned first = of.first;

	for (unsigned i = of.first + 1; i < of.first + of.n; i++)
		if (free_at[i] < free_at[first])
			first = i;
	return first;
}

/* The one that issue takes: the first that is free. */
static unsigned unit_taken(const uint64_t *free_at, struct sm_units of, uint64_t now)
{
	unsigned i = of.first;

	while (free_at[i] > now)
		i++;
	return i;
}

static void count_cycles(struct sm_profile *p, enum stalls why, uint32_t waits, uint32_t holds, uint64_t n)
{
	size_t first = (size_t)why * (p->n + 1);

	p->waits[first + waits] += n;
	p->holds[first + holds] += n;
}

void profile_issue(struct sm *sm, unsigned slot, const struct core_inst *in, uint32_t mask, bool repeats)
{
	struct profile_row *x = &sm->profile->row[in->row];
	uint32_t *writer = writers(sm, slot);

	if (repeats) {
		count_cycles(sm->profile, STALL_WAIT, in->row, in->row, 1);
	} else {
		x->issued++;
		x->lanes += (unsigned)__builtin_popcount(mask);
	}
	sm->profile->last_issue[slot] = in->row;
	sm->profile->producer[slot] = UNKNOWN;
	for (unsigned i = 0; i < in->n_dst; i++)
		writer[in->reg[i]] = in->row;
	if (in->unit == UNIT_LDST && mask) {
		x->accesses++;
		if (in->op != OP_LOAD)
			sm->profile->last_store[slot] = in->row;
	} else if (!sm->operands.on && core_unit_is_arithmetic(in->unit) && !sm->queued[in->unit]) {
		profile_takes_unit(sm, in, unit_taken(sm->unit_free[in->unit], units_of(sm, slot, in->unit), sm->now));
	}
}

/* ---- stalls ---- */

static uint32_t find_producer(const struct sm *sm, unsigned slot)
{
	const struct core_inst *in = sm_next_inst(sm, slot);
	const uint32_t *regs = scoreboard_of(&sm->scoreboard, slot);
	uint32_t latest = 0;
	unsigned by = 0;

	for (unsigned i = 0; i < in->n_regs; i++)
		if (regs[in->reg[i]] > latest) {
			latest = regs[in->reg[i]];
			by = in->reg[i];
		}
	return latest && scoreboard_stamp(&sm->scoreboard, latest) >= sm->warp[slot].stamp ? writers(sm, slot)[by]
											   : sm->profile->last_issue[slot];
}

/* What the warp's next instruction waits for. It stays the same until the warp issues or one of its values gets a
 * time. */
static inline uint32_t producer(const struct sm *sm, unsigned slot)
{
	uint32_t *known = &sm->profile->producer[slot];

	if (*known == UNKNOWN)
		*known = find_producer(sm, slot);
	PANIC_UNLESS_COSTLY(*known == find_producer(sm, slot), "profile", sm->now);
	return *known;
}

void profile_value_is_known(struct sm *sm, unsigned slot)
{
	sm->profile->producer[slot] = UNKNOWN;
}

static uint32_t unit_holder(const struct sm *sm, unsigned slot, enum core_unit u)
{
	if (!core_unit_is_arithmetic(u))
		u = UNIT_SP;
	return sm->profile->holder[u][first_free(sm->unit_free[u], units_of(sm, slot, u))];
}

/* Warps that are ready but whose arithmetic unit is taken. */
static uint64_t wait_for_unit(const struct sm *sm)
{
	const struct operands *o = &sm->operands;

	if (!o->on)
		return sm->ready[UNIT_SP] | sm->ready[UNIT_SFU] | sm->ready[UNIT_TENSOR] | sm->ready[UNIT_INT] | sm->ready[UNIT_DP];
	return (operands_wait_for_unit(o, UNIT_SP) ? sm->ready[UNIT_NONE] | sm->ready[UNIT_SP] : 0) |
	       (operands_wait_for_unit(o, UNIT_SFU) ? sm->ready[UNIT_SFU] : 0) |
	       (operands_wait_for_unit(o, UNIT_TENSOR) ? sm->ready[UNIT_TENSOR] : 0);
}

static uint32_t first_on_its_way(const struct sm *sm, const struct core_inst *in)
{
	const struct operands_list *ahead = &sm->operands.unit[operands_way(in)].in;

	return ahead->n ? ahead->inst[0].in->row : sm->profile->n;
}

static uint32_t ahead_in_lsu(const struct sm *sm)
{
	uint32_t i = lsu_row_ahead(&sm->lsu);

	return i < sm->profile->n ? i : sm->profile->n;
}

/* Of warps that are in no repeated wait, nor asleep. */
static inline uint64_t warps_beside_waits(const struct sm *sm, unsigned s, enum stalls why)
{
	uint64_t own = sm->own[s], active = sm->throttle.own[s], live = sm->running & own;

	switch (why) {
	case STALL_MEMORY:
		return live & sm->waits_memory;
	case STALL_OPERANDS:
		if (sm_any_ready(sm) & active & ~sm_waiting(sm))
			return sm_any_ready(sm) & active;
		/* fall through */
	case STALL_ARITHMETIC:
		return live & ~(sm->waits_memory | sm->at_barrier | sm->fetch.waiting);
	case STALL_PIPELINE:
		return wait_for_unit(sm) & active;
	case STALL_THROTTLED:
		return sm_any_ready(sm) & own;
	case STALL_FETCH:
		return live & sm->fetch.waiting;
	case STALL_BARRIER:
		return live & sm->at_barrier;
	default: /* of the load/store unit */
		return sm->ready[UNIT_LDST] & active;
	}
}

/* The warps for which the cause stands: the sets are those by which issue.c finds it. */
static inline uint64_t warps_of(const struct sm *sm, unsigned s, enum stalls why)
{
	if (why == STALL_WAIT)
		return sm_waiting(sm) & sm->own[s];
	return warps_beside_waits(sm, s, why) & ~sm_waiting(sm);
}

static inline uint32_t holder_of(const struct sm *sm, unsigned s, unsigned slot, enum stalls why)
{
	switch (why) {
	case STALL_MEMORY:
		return sm->warp[slot].at_fence ? sm->profile->last_store[slot] : producer(sm, slot);
	case STALL_ARITHMETIC:
		return producer(sm, slot);
	case STALL_OPERANDS:
		return sm_any_ready(sm) & sm->throttle.own[s] & ~sm_waiting(sm) ? first_on_its_way(sm, sm_next_inst(sm, slot))
										: producer(sm, slot);
	case STALL_PIPELINE:
		return unit_holder(sm, slot, sm_next_inst(sm, slot)->unit);
	case STALL_THROTTLED:
		return sm->profile->n;
	case STALL_FETCH:
		return sm_next_inst(sm, slot)->row;
	case STALL_WAIT:
		return sm->repeats & warp_bit(slot) ? waits_row(sm, slot) : sm->profile->last_issue[slot];
	case STALL_BARRIER:
		return sm->profile->last_issue[slot];
	default: /* of the load/store unit */
		return ahead_in_lsu(sm);
	}
}

void profile_stall(struct sm *sm, unsigned s, enum stalls why, uint64_t n)
{
	struct sm_profile *p = sm->profile;
	uint32_t waits = p->n, holds = p->n;

	if (why != STALL_IDLE) {
		unsigned slot = issue_choice(sm, s, warps_of(sm, s, why));

		waits = sm_next_inst(sm, slot)->row;
		holds = holder_of(sm, s, slot, why);
	}
	count_cycles(p, why, waits, holds, n);
}

void profile_take_back_idle(struct sm *sm, uint64_t n)
{
	struct sm_profile *p = sm->profile;
	size_t none = (size_t)STALL_IDLE * (p->n + 1) + p->n;

	p->waits[none] -= n;
	p->holds[none] -= n;
}

void profile_finish(struct sm *sm)
{
	struct sm_profile *p = sm->profile;

	for (unsigned why = 0; why < STALL_COUNT; why++)
		for (uint32_t i = 0; i <= p->n; i++) {
			p->row[i].waits[why] = p->waits[(size_t)why * (p->n + 1) + i];
			p->row[i].holds[why] = p->holds[(size_t)why * (p->n + 1) + i];
		}
}

/* ---- its begin ---- */

static uint32_t *rows_of(struct arena *a, size_t n, uint32_t none)
{
	uint32_t *r = arena_array(a, n, sizeof *r);

	for (size_t i = 0; i < n; i++)
		r[i] = none;
	return r;
}

void profile_use(struct sm *sm, struct arena *a, uint32_t rows)
{
	struct sm_profile *p = arena_alloc(a, sizeof *p);

	*p = (struct sm_profile){.of_l1 = {.ctx = sm, .accessed = count_access},
				 .of_const = {.ctx = sm, .accessed = count_access},
				 .row = arena_array(a, (size_t)rows + 1, sizeof *p->row),
				 .n = rows,
				 .waits = arena_array(a, ((size_t)rows + 1) * STALL_COUNT, sizeof *p->waits),
				 .holds = arena_array(a, ((size_t)rows + 1) * STALL_COUNT, sizeof *p->holds),
				 .writer = rows_of(a, (size_t)sm->m->sm.warps * sm->scoreboard.stride, rows),
				 .last_issue = rows_of(a, SM_MAX_WARPS, rows),
				 .last_store = rows_of(a, SM_MAX_WARPS, rows),
				 .producer = rows_of(a, SM_MAX_WARPS, UNKNOWN)};
	for (unsigned u = UNIT_SP; u < UNIT_LDST; u++)
		p->holder[u] = rows_of(a, SM_MAX_UNITS, rows);
	sm->profile = p;
	sm->observed = true;
	l1_observe(&sm->lsu.l1, &p->of_l1);
	l1_observe(&sm->lsu.const_cache, &p->of_const);
	sm_throttle_use_issue(sm);
}
