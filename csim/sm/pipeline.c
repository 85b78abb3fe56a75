#include "sm/pipeline.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/panic.h"
#include "sm/sm_impl.h"

enum { MOST_COLLECTED = UNIT_COUNT * 2 * OPERANDS_MAX_WIDTH + OPERANDS_MAX_COLLECTORS };

struct issue { /* of this cycle */
	uint32_t row, pc, mask;
	uint8_t slot, scheduler;
	uint64_t number; /* in the operand collectors */
};

struct sm_pipeline {
	const struct pipeline_filter *filter;
	struct pipeline_log *log;

	void (*issue)(struct sm *sm); /* the schedulers' part of a cycle, without a log */
	void (*watch)(void *ctx, uint64_t cycle, unsigned scheduler, unsigned slot, uint32_t pc); /* who else looks */
	void *watch_ctx;

	uint32_t open[SM_MAX_WARPS]; /* by slot: the row of the warp's next instruction */
	unsigned n_issues;
	struct issue issued[SM_MAX_SCHEDULERS];
	uint32_t *writer;   /* by slot and register: the row that wrote it last, or will */
	uint32_t in_unit;   /* the row that is in the load/store unit, at its entrance if it has a queue */
	bool comes_back;    /* it is a load, which the memory ends */
	uint32_t *by_token; /* rows of loads on their way */
	uint32_t n_tokens;
	unsigned n_collected;
	struct {
		uint64_t number;
		uint32_t row;
	} collected[MOST_COLLECTED];
};

static void stage(struct sm *sm, uint32_t row, uint32_t which, uint64_t from)
{
	pipeline_log_stage(sm->pipeline->log, row, which, from);
}

static struct pipeline_row *row_at(struct sm *sm, uint32_t row)
{
	return &sm->pipeline->log->row[row];
}

/* ---- which warps ---- */

static bool within(uint64_t first, uint64_t x, uint64_t last)
{
	return first <= x && x <= last;
}

static uint32_t open_row(struct sm *sm, unsigned slot, uint64_t begin)
{
	const struct pipeline_filter *f = sm->pipeline->filter;
	const struct sm_warp *w = &sm->warp[slot];
	const struct sm_cta *cta = &sm->cta[w->cta];
	uint32_t warp = sm_warp_in_cta(sm, slot);

	if (!within(f->first_cta, cta->id, f->last_cta) || !within(f->first_warp, warp, f->last_warp) ||
	    !within(f->first_cycle, begin, f->last_cycle))
		return PIPELINE_NONE;
	return pipeline_log_open(sm->pipeline->log, &(struct pipeline_row){.begin = begin,
									   .launch = cta->launch,
									   .cta = cta->id,
									   .pc = w->pc,
									   .lanes = w->mask,
									   .slot = slot,
									   .warp = (uint16_t)warp});
}

/* ---- what a warp waits for ---- */

static uint32_t wait_for_collector(const struct sm *sm, const struct core_inst *in)
{
	const struct operands *o = &sm->operands;
	enum core_unit u = operands_way(in);

	if (operands_has_room(o, u))
		return PIPELINE_NOT_CHOSEN;
	if (!operands_wait_for_unit(o, u))
		return STALL_OPERANDS;
	return u == UNIT_LDST ? lsu_cause(&sm->lsu) : STALL_PIPELINE;
}

/* Of a warp that could issue, if its scheduler and its unit took it. */
static uint32_t wait_for_unit(const struct sm *sm, unsigned slot, bool scheduler_issued)
{
	const struct core_inst *in = sm_next_inst(sm, slot);

	if (!(sm->throttle.active & warp_bit(slot)))
		return STALL_THROTTLED;
	if (scheduler_issued)
		return PIPELINE_NOT_CHOSEN;
	if (sm->operands.on)
		return wait_for_collector(sm, in);
	if (sm->queued[in->unit] && subcores_has_room(&sm->subcores, sm_scheduler_of(sm, slot)))
		return PIPELINE_NOT_CHOSEN;
	switch (in->unit) {
	case UNIT_SP:
	case UNIT_SFU:
	case UNIT_TENSOR:
	case UNIT_INT:
	case UNIT_DP:
		return !sm->queued[in->unit] && sm_unit_is_free(sm, in->unit, sm_units_of(sm, sm_scheduler_of(sm, slot), in->unit))
			       ? PIPELINE_NOT_CHOSEN
			       : STALL_PIPELINE;
	case UNIT_LDST:
		return !sm->subcores.on && lsu_is_free(&sm->lsu) ? PIPELINE_NOT_CHOSEN : lsu_cause(&sm->lsu);
	default:
		return PIPELINE_NOT_CHOSEN;
	}
}

static uint32_t wait_of(const struct sm *sm, unsigned slot, bool scheduler_issued)
{
	uint64_t bit = warp_bit(slot);

	if (sm->fetch.waiting & bit)
		return STALL_FETCH;
	if (sm->at_barrier & bit)
		return STALL_BARRIER;
	if (sm_any_ready(sm) & bit)
		return wait_for_unit(sm, slot, scheduler_issued);
	if (sm_waiting(sm) & bit)
		return STALL_WAIT;
	if (sm->waits_memory & bit)
		return STALL_MEMORY;
	return sm->operands.on && (sm->blocked & bit) ? STALL_OPERANDS : STALL_ARITHMETIC;
}

/* ---- issue ---- */

/* The value that came last, if it came after the row began: who wrote it. */
static uint32_t producer_of(const struct sm *sm, unsigned slot, const struct core_inst *in, uint64_t begin)
{
	const uint32_t *regs = scoreboard_of(&sm->scoreboard, slot);
	uint32_t latest = 0;
	unsigned by = 0;

	for (unsigned i = 0; i < in->n_regs; i++)
		if (regs[in->reg[i]] > latest) {
			latest = regs[in->reg[i]];
			by = in->reg[i];
		}
	return scoreboard_stamp(&sm->scoreboard, latest) >> 1 > begin
		       ? sm->pipeline->writer[(size_t)slot * sm->scoreboard.stride + by]
		       : PIPELINE_NONE;
}

/* It issues now, ahead of what that changes. */
static void sees(void *ctx, uint64_t cycle, unsigned scheduler, unsigned slot, uint32_t pc)
{
	struct sm *sm = ctx;
	struct sm_pipeline *p = sm->pipeline;
	struct issue *i = &p->issued[p->n_issues++];

	if (p->watch)
		p->watch(p->watch_ctx, cycle, scheduler, slot, pc);
	if (p->open[slot] == PIPELINE_NONE)
		p->open[slot] = open_row(sm, slot, cycle);
	*i = (struct issue){.row = p->open[slot],
			    .pc = pc,
			    .mask = sm->warp[slot].mask,
			    .slot = (uint8_t)slot,
			    .scheduler = (uint8_t)scheduler,
			    .number = sm->operands.on ? sm->operands.issued : sm->subcores.issued};
	if (i->row == PIPELINE_NONE)
		return;
	row_at(sm, i->row)->issued = true;
	row_at(sm, i->row)->producer = producer_of(sm, slot, &sm->warp[slot].inst[pc], row_at(sm, i->row)->begin);
	stage(sm, i->row, STALL_ISSUED, cycle);
}

static void note_token(struct sm_pipeline *p, uint32_t token, uint32_t row)
{
	if (token >= p->n_tokens) {
		uint32_t n = token + token / 2 + 64;

		p->by_token = xrealloc(p->by_token, n * sizeof *p->by_token);
		for (uint32_t i = p->n_tokens; i < n; i++)
			p->by_token[i] = PIPELINE_NONE;
		p->n_tokens = n;
	}
	p->by_token[token] = row;
}

/* The cycle from which on its first result can be read. */
static uint64_t result_at(const struct sm *sm, unsigned slot, const struct core_inst *in)
{
	const struct scoreboard *s = &sm->scoreboard;

	return scoreboard_stamp(s, scoreboard_of(s, slot)[in->reg[0]]) >> 1;
}

/* A memory instruction has come into the load/store unit. */
static void begins_access(struct sm *sm, uint32_t row, unsigned slot, const struct core_inst *in)
{
	struct sm_pipeline *p = sm->pipeline;
	const struct lsu_entry *head = &sm->lsu.head;
	bool banks = head->server == LSU_BANKS;

	p->comes_back = banks ? sm->lsu.queue != NULL : head->access.client == REQ_CLIENT_LOAD;
	if (p->comes_back)
		note_token(p, head->access.token, row);
	p->in_unit = row;
	if (row == PIPELINE_NONE)
		return;
	stage(sm, row, PIPELINE_IN_UNIT, sm->now + 1);
	if (banks && !p->comes_back && in->n_dst)
		row_at(sm, row)->end = result_at(sm, slot, in);
}

/* Its unit, if it has one, begins with it in this cycle. */
static void begins(struct sm *sm, uint32_t row, unsigned slot, const struct core_inst *in, uint32_t mask)
{
	uint64_t end = sm->now + 1;

	if (in->unit == UNIT_LDST && mask) {
		begins_access(sm, row, slot, in);
		return;
	}
	if (row == PIPELINE_NONE)
		return;
	if (in->n_dst && core_unit_is_arithmetic(in->unit))
		end = result_at(sm, slot, in);
	else if (in->unit != UNIT_LDST)
		end = sm->now + in->latency;
	row_at(sm, row)->end = end > sm->now ? end : sm->now + 1;
	stage(sm, row, PIPELINE_EXECUTED, sm->now + 1);
}

static void has_issued(struct sm *sm, const struct issue *i)
{
	struct sm_pipeline *p = sm->pipeline;
	const struct core_inst *in = &sm->warp[i->slot].inst[i->pc];

	for (unsigned r = 0; r < in->n_dst; r++)
		p->writer[(size_t)i->slot * sm->scoreboard.stride + in->reg[r]] = i->row;
	p->open[i->slot] = PIPELINE_NONE;
	if (!sm->operands.on && !sm->queued[in->unit]) {
		begins(sm, i->row, i->slot, in, i->mask);
		return;
	}
	if (i->row != PIPELINE_NONE)
		stage(sm, i->row, PIPELINE_COLLECTED, sm->now + 1);
	PANIC_UNLESS(p->n_collected < MOST_COLLECTED, "pipeline log", sm->now);
	p->collected[p->n_collected].number = i->number;
	p->collected[p->n_collected++].row = i->row;
}

void pipeline_taken(struct sm *sm, const struct operands_inst *i)
{
	struct sm_pipeline *p = sm->pipeline;
	unsigned n = 0;
	uint32_t row;

	while (n < p->n_collected && p->collected[n].number != i->number)
		n++;
	if (n == p->n_collected) /* it issued ahead of the log */
		return;
	row = p->collected[n].row;
	p->collected[n] = p->collected[--p->n_collected];
	begins(sm, row, i->slot, i->in, i->mask);
}

/* ---- the load/store unit ---- */

/* Its last transaction has been served, or has left, in this cycle. */
static void leaves_unit(struct sm *sm)
{
	struct sm_pipeline *p = sm->pipeline;
	uint32_t row = p->in_unit;
	uint64_t after = sm->now + 1;
	struct pipeline_row *r;

	if (row == PIPELINE_NONE || sm->lsu.head.server != LSU_EMPTY)
		return;
	p->in_unit = PIPELINE_NONE;
	r = row_at(sm, row);
	if (p->comes_back) {
		stage(sm, row, PIPELINE_IN_MEMORY, after);
		return;
	}
	if (r->end == PIPELINE_NEVER || r->end < after)
		r->end = after;
	if (r->end > after)
		stage(sm, row, PIPELINE_WRITTEN, after);
}

void pipeline_load_done(struct sm *sm, uint32_t token, uint64_t readable)
{
	struct sm_pipeline *p = sm->pipeline;
	uint64_t after = sm->now + 1;
	uint32_t row;

	if (token >= p->n_tokens || p->by_token[token] == PIPELINE_NONE)
		return;
	row = p->by_token[token];
	p->by_token[token] = PIPELINE_NONE;
	if (p->in_unit == row)
		p->in_unit = PIPELINE_NONE;
	row_at(sm, row)->end = readable > after ? readable : after;
	if (readable > after)
		stage(sm, row, PIPELINE_WRITTEN, after);
}

/* ---- a cycle ---- */

/* A barrier that opens in this cycle lets its warps go on in the next one, and has held them in this one. */
static bool is_released_now(const struct sm *sm, unsigned slot)
{
	const struct pipeline_log *l = sm->pipeline->log;
	const struct pipeline_row *r = &l->row[sm->pipeline->open[slot]];

	return r->last != PIPELINE_NONE && l->span[r->last].stage == STALL_BARRIER && sm->warp[slot].stamp >> 1 == sm->now + 1;
}

static void look_at(struct sm *sm, unsigned slot, unsigned schedulers_issued, bool has_issued_now)
{
	struct sm_pipeline *p = sm->pipeline;
	uint64_t from = sm->now + has_issued_now;
	bool taken = schedulers_issued >> (slot % sm->m->sm.schedulers) & 1;

	if (sm->waits && sm->waits->of[slot].decides) /* it may issue this one again, or another one */
		return;
	if (p->open[slot] == PIPELINE_NONE)
		p->open[slot] = open_row(sm, slot, from);
	if (p->open[slot] != PIPELINE_NONE && !is_released_now(sm, slot))
		stage(sm, p->open[slot], wait_of(sm, slot, taken && !has_issued_now), from);
}

static void end_log(struct sm *sm, uint64_t cycle)
{
	struct sm_pipeline *p = sm->pipeline;

	pipeline_log_close(p->log, cycle);
	sm->issue = p->issue;
	sm->watch = p->watch;
	sm->watch_ctx = p->watch_ctx;
	pipeline_free(sm);
}

static void issue_logged(struct sm *sm)
{
	struct sm_pipeline *p = sm->pipeline;
	unsigned schedulers = 0;
	uint64_t slots = 0;

	p->n_issues = 0;
	leaves_unit(sm);
	p->issue(sm);
	for (unsigned i = 0; i < p->n_issues; i++) {
		slots |= warp_bit(p->issued[i].slot);
		schedulers |= 1u << p->issued[i].scheduler;
		has_issued(sm, &p->issued[i]);
	}
	for (uint64_t live = sm->running; live; live &= live - 1) {
		unsigned slot = (unsigned)__builtin_ctzll(live);

		look_at(sm, slot, schedulers, (slots & warp_bit(slot)) != 0);
	}
	if (pipeline_log_is_full(p->log)) {
		p->log->cut = sm->now + 1;
		end_log(sm, sm->now + 1);
	}
}

/* ---- its begin and its end ---- */

void pipeline_use(struct sm *sm, struct arena *a, const struct pipeline_filter *f, struct pipeline_log *log)
{
	size_t registers = (size_t)sm->m->sm.warps * sm->scoreboard.stride;
	struct sm_pipeline *p;

	if (!within(f->first_sm, sm->id, f->last_sm))
		return;
	p = arena_alloc(a, sizeof *p);
	*p = (struct sm_pipeline){.filter = f,
				  .log = log,
				  .issue = sm->issue,
				  .watch = sm->watch,
				  .watch_ctx = sm->watch_ctx,
				  .writer = arena_array(a, registers, sizeof *p->writer),
				  .in_unit = PIPELINE_NONE};
	for (size_t i = 0; i < registers; i++)
		p->writer[i] = PIPELINE_NONE;
	for (unsigned i = 0; i < SM_MAX_WARPS; i++)
		p->open[i] = PIPELINE_NONE;
	sm->pipeline = p;
	sm->observed = true;
	sm->issue = issue_logged;
	sm->watch = sees;
	sm->watch_ctx = sm;
}

void pipeline_finish(struct sm *sm, uint64_t cycles)
{
	if (sm->pipeline)
		end_log(sm, cycles);
}

void pipeline_free(struct sm *sm)
{
	if (sm->pipeline)
		free(sm->pipeline->by_token);
	sm->pipeline = NULL;
}
