#include "lockstep/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/panic.h"
#include "lockstep/bundle.h"

enum {
	SNAPSHOT = 1 << 20,	      /* steps between common states of a clocked block; the log holds up to so many and
				       * SETTLED more */
	SNAPSHOT_STATELESS = 1 << 12, /* of a combinational one */
	SETTLED = 1 << 10	      /* steps that the log keeps before a mismatch in any case */
};

/* ---- the log ---- */

/* Takes a common state now and then, and forgets what came before it once enough steps follow it. */
static void shorten_log(struct unit *u)
{
	struct stim *log = &u->s.stim;
	uint64_t limit = u->s.block->tick ? SNAPSHOT : SNAPSHOT_STATELESS, since;

	if (u->from_reset || u->failed || (u->s.block->tick && !(u->c.compare_regs && u->c.abi->same_state)))
		return;
	since = log->first_step + log->steps - u->mark.step;
	if (u->has_mark && since >= SETTLED) {
		stim_drop_before(log, u->mark);
		u->has_mark = false;
		if (!u->s.block->tick)
			return;
		if (!u->s.state)
			u->s.state = xcalloc(u->s.layout.side[HW_REG].words + 1, sizeof(uint64_t));
		memcpy(u->s.state, u->mark_state, u->s.layout.side[HW_REG].words * sizeof(uint64_t));
	} else if (!u->has_mark && log->steps >= limit) {
		u->has_mark = true;
		u->mark = stim_mark(log);
		memcpy(u->mark_state, u->c.reg_golden, u->s.layout.side[HW_REG].words * sizeof(uint64_t));
	}
}

static void end_of_window(struct unit *u)
{
	u->done = true;
	u->found(u->found_ctx, u);
}

static void log_step(struct unit *u, uint64_t cycle, const uint64_t *in, bool agrees)
{
	u->steps++;
	u->mismatches += !agrees;
	if (u->done)
		return;
	if (u->failed && cycle > u->failed_cycle + BUNDLE_AFTER) {
		end_of_window(u);
		return;
	}
	stim_append(&u->s.stim, cycle, false, in);
	if (!agrees && !u->failed) {
		u->failed = true;
		u->failed_cycle = cycle;
	}
	if (__builtin_expect(u->has_mark || u->s.stim.steps >= SNAPSHOT_STATELESS, 0))
		shorten_log(u);
}

/* The reset is the first step: registers that it does not reach show in it. */
static void log_reset(struct unit *u)
{
	stim_append(&u->s.stim, 0, true, u->c.in_words);
	u->steps++;
	u->failed = u->c.regs_differ;
	u->mismatches = u->failed;
}

/* ---- checks ---- */

static void check_clocked(struct check *check)
{
	struct unit_batch *b = (struct unit_batch *)check;
	struct unit *u = b->u;

	for (unsigned i = 0; i < b->n; i++) {
		bool agrees;

		memcpy(u->c.in, b->in + i * u->in_row, u->in_row);
		u->c.cycle = b->cycle[i];
		agrees = u->transact ? transact_step(u->transact, &u->c) : checker_step(&u->c);
		log_step(u, b->cycle[i], u->c.in_words, agrees);
	}
	b->n = 0;
}

static void show(struct unit *u, uint64_t cycle, const uint64_t *in)
{
	memcpy(u->c.in_words, in, u->in_row);
	u->c.cycle = cycle;
	checker_step_words(&u->c);
}

static bool row_agrees(const struct unit_batch *b, unsigned i, const uint64_t *rtl, size_t row)
{
	return !b->excess[i] && memcmp((const unsigned char *)b->out + i * row, rtl, row) == 0;
}

static void check_combinational(struct check *check)
{
	struct unit_batch *b = (struct unit_batch *)check;
	struct unit *u = b->u;
	uint32_t in_words = u->s.layout.side[HW_INPUT].words, out_words = u->s.layout.side[HW_OUTPUT].words;
	const uint64_t *in = (const uint64_t *)(void *)b->in;
	bool agree;

	u->c.assertions.cycle = b->cycle;
	u->c.abi->bulk(u->c.rtl, b->n, in, u->out_rtl);
	u->c.assertions.cycle = &u->c.cycle;
	agree = !b->any_excess && memcmp(b->out, u->out_rtl, b->n * u->out_row) == 0; /* all of them, as a rule */
	for (unsigned i = 0; i < b->n; i++, in += in_words) {
		log_step(u, b->cycle[i], in, agree || row_agrees(b, i, u->out_rtl + i * out_words, u->out_row));
		if (u->c.wave)
			show(u, b->cycle[i], in);
	}
	b->n = 0;
	b->any_excess = false;
}

/* Hands the batch on to be checked; the next one is as a rule long since over. */
static void hand_on(struct unit *u)
{
	struct unit_batch *next = u->filling + 1 < u->batch + u->n_batches ? u->filling + 1 : u->batch;

	checks_submit(u->checks, &u->filling->check);
	checks_wait(u->checks, &next->check);
	u->filling = next;
}

/* The place of a step in the batch. */
static inline unsigned keep(struct unit *u, uint64_t cycle)
{
	u->filling->cycle[u->filling->n] = cycle;
	return u->filling->n++;
}

static void lockstep_init(struct unit *u, struct checks *checks)
{
	const struct hw_block *b = u->s.block;

	u->golden = xcalloc(1, b->state_size);
	b->reset(u->golden, u->s.params);
	u->checks = checks;
	u->n_batches = checks_are_second(checks) ? UNIT_BATCHES : 1;
	u->filling = u->batch;
	u->in_row = b->tick ? b->in_size : u->s.layout.side[HW_INPUT].words * sizeof(uint64_t);
	u->out_row = b->tick ? 0 : u->s.layout.side[HW_OUTPUT].words * sizeof(uint64_t);
	for (unsigned i = 0; i < u->n_batches; i++) {
		struct unit_batch *batch = &u->batch[i];

		batch->check.run = b->tick ? check_clocked : check_combinational;
		batch->u = u;
		batch->cycle = xcalloc(UNIT_BATCH, sizeof *batch->cycle);
		batch->in = xcalloc(UNIT_BATCH, u->in_row);
		batch->out = xcalloc(UNIT_BATCH, u->out_row + 1);
		batch->excess = xcalloc(UNIT_BATCH, sizeof *batch->excess);
	}
	u->out_rtl = xcalloc(UNIT_BATCH, u->out_row + 1);
	if (b->tick)
		log_reset(u);
}

void unit_init(struct unit *u, const struct unit_config *c)
{
	memset(u, 0, sizeof *u);
	u->mode = c->mode;
	scenario_init(&u->s, c->block, c->params);
	strncat(u->s.owner, c->owner, sizeof u->s.owner - 1);
	if (c->rtl)
		strncat(u->s.rtl, c->rtl, sizeof u->s.rtl - 1);
	checker_init(&u->c, c->block, c->params, c->abi, 0);
	u->from_reset = c->from_reset;
	u->found = c->found;
	u->found_ctx = c->ctx;
	u->s.transactions = c->transactions;
	u->mark_state = xcalloc(u->s.layout.side[HW_REG].words + 1, sizeof(uint64_t));
	if (c->transactions) {
		u->transact = transact_new(&u->s);
		u->c.compare_regs = false;
	}
	if (c->mode == UNIT_LOCKSTEP)
		lockstep_init(u, c->checks);
}

void unit_free(struct unit *u)
{
	if (u->c.wave)
		checker_wave_end(&u->c, NULL);
	transact_free(u->transact);
	checker_free(&u->c);
	scenario_free(&u->s);
	free(u->mark_state);
	for (unsigned i = 0; i < u->n_batches; i++) {
		free(u->batch[i].cycle);
		free(u->batch[i].in);
		free(u->batch[i].out);
		free(u->batch[i].excess);
	}
	free(u->golden);
	free(u->out_rtl);
	memset(u, 0, sizeof *u);
}

/* ---- the port ---- */

/* The RTL's registers, for what a wave tells of it. */
static const uint64_t *rtl_regs(struct unit *u)
{
	u->c.abi->get_regs(u->c.rtl, u->c.reg_rtl);
	return u->c.reg_rtl;
}

static void show_rtl(struct unit *u, uint64_t cycle)
{
	if (!u->c.some_missing)
		wave_look(u->c.wave, cycle, u->c.in_words, u->c.out_rtl, rtl_regs(u));
	if (!u->s.block->tick)
		wave_tell(u->c.wave, NULL);
	wave_before_edge(u->c.wave, cycle, NULL, NULL, false);
}

static void rtl_eval(struct unit *u, uint64_t cycle, const void *in)
{
	u->c.cycle = cycle;
	memcpy(u->c.in, in, u->c.block->in_size);
	bind_pack(&u->s.layout.side[HW_INPUT], u->c.in, u->c.in_words);
	u->c.abi->eval(u->c.rtl, u->c.in_words, u->c.out_rtl);
	u->evaluated = true;
	if (u->c.wave)
		show_rtl(u, cycle);
}

static void keep_combinational(struct unit *u, uint64_t cycle, const void *in, const void *out)
{
	const struct bind_side *side = u->s.layout.side;
	struct unit_batch *b = u->filling;
	unsigned i = keep(u, cycle);

	bind_pack(&side[HW_INPUT], in, (uint64_t *)(void *)b->in + i * side[HW_INPUT].words);
	b->excess[i] = bind_pack(&side[HW_OUTPUT], out, b->out + i * side[HW_OUTPUT].words) != 0;
	b->any_excess |= b->excess[i];
	if (b->n == UNIT_BATCH)
		hand_on(u);
}

void unit_eval(struct unit *u, uint64_t cycle, const void *in, void *out)
{
	u->last_cycle = cycle;
	if (u->mode == UNIT_RTL) {
		rtl_eval(u, cycle, in);
		bind_unpack(&u->s.layout.side[HW_OUTPUT], u->c.out_rtl, out);
		u->steps += u->s.block->tick == NULL;
		return;
	}
	u->s.block->eval(u->golden, in, out);
	if (!u->s.block->tick)
		keep_combinational(u, cycle, in, out);
}

static void rtl_tick(struct unit *u, uint64_t cycle, const void *in)
{
	/* The inputs at the edge may be others than those that eval was asked about. */
	if (!u->evaluated || memcmp(u->c.in, in, u->c.block->in_size) != 0)
		rtl_eval(u, cycle, in);
	u->c.cycle = cycle;
	u->c.abi->edge(u->c.rtl, NULL);
	u->evaluated = false;
	u->steps++;
	if (u->c.wave) {
		wave_tell(u->c.wave, rtl_regs(u));
		wave_after_edge(u->c.wave, NULL, NULL, false);
	}
}

void unit_tick(struct unit *u, uint64_t cycle, const void *in)
{
	u->last_cycle = cycle;
	if (u->mode == UNIT_RTL) {
		rtl_tick(u, cycle, in);
		return;
	}
	memcpy(u->filling->in + keep(u, cycle) * u->in_row, in, u->in_row);
	u->s.block->tick(u->golden, in);
	if (u->filling->n == UNIT_BATCH)
		hand_on(u);
}

/* What was compared is what drove the model. */
static void same_twins(const struct unit *u)
{
	const struct bind_side *regs = &u->s.layout.side[HW_REG];
	uint64_t *words = xcalloc(2 * regs->words + 1, sizeof *words);

	bind_pack(regs, u->golden, words);
	bind_pack(regs, u->c.state, words + regs->words);
	PANIC_UNLESS(!memcmp(words, words + regs->words, regs->words * sizeof *words), u->s.owner, u->last_cycle);
	free(words);
}

static void finish_checks(struct unit *u)
{
	struct unit_batch *last = u->filling;

	checks_submit(u->checks, &last->check);
	checks_wait(u->checks, &last->check);
	if (u->s.block->tick)
		same_twins(u);
}

int unit_finish(struct unit *u, struct err *e)
{
	if (u->mode == UNIT_LOCKSTEP)
		finish_checks(u);
	if (u->transact && !transact_finish(u->transact, &u->c)) {
		u->mismatches++;
		u->failed_cycle = u->failed ? u->failed_cycle : u->last_cycle;
		u->failed = true;
	}
	if (u->failed && !u->done)
		end_of_window(u);
	return u->c.wave ? checker_wave_end(&u->c, e) : 0;
}

int unit_wave(struct unit *u, const char *path, uint64_t from, uint64_t to, struct err *e)
{
	return checker_wave(&u->c, &u->wave, path, from, to, e);
}
