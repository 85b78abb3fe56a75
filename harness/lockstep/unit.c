#include "lockstep/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
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
	if (c->mode != UNIT_LOCKSTEP)
		return;
	if (c->block->tick) {
		log_reset(u);
		return;
	}
	u->lanes = c->lanes;
	u->lanes_rtl = c->lanes ? c->lanes->create(0) : NULL;
	u->cycle = xcalloc(UNIT_BATCH, sizeof(uint64_t));
	u->in = xcalloc(UNIT_BATCH, (u->s.layout.side[HW_INPUT].words + 1) * sizeof(uint64_t));
	u->out = xcalloc(UNIT_BATCH, (u->s.layout.side[HW_OUTPUT].words + 1) * sizeof(uint64_t));
	u->out_rtl = xcalloc(UNIT_BATCH, (u->s.layout.side[HW_OUTPUT].words + 1) * sizeof(uint64_t));
}

void unit_free(struct unit *u)
{
	if (u->c.wave)
		checker_wave_end(&u->c, NULL);
	if (u->lanes_rtl)
		u->lanes->destroy(u->lanes_rtl);
	transact_free(u->transact);
	checker_free(&u->c);
	scenario_free(&u->s);
	free(u->mark_state);
	free(u->cycle);
	free(u->in);
	free(u->out);
	free(u->out_rtl);
	memset(u, 0, sizeof *u);
}

/* ---- combinational: checked many at a time ---- */

static void show(struct unit *u, unsigned i)
{
	memcpy(u->c.in_words, u->in + i * u->s.layout.side[HW_INPUT].words, u->s.layout.side[HW_INPUT].words * sizeof(uint64_t));
	u->c.cycle = u->cycle[i];
	checker_step_words(&u->c);
}

static void flush(struct unit *u)
{
	const struct bind_abi *abi = u->lanes ? u->lanes : u->c.abi;
	void *rtl = u->lanes ? u->lanes_rtl : u->c.rtl;
	uint32_t in_words = u->s.layout.side[HW_INPUT].words, out_words = u->s.layout.side[HW_OUTPUT].words;

	for (unsigned i = 0; i < u->n; i += abi->lanes)
		abi->bulk(rtl, u->n - i < abi->lanes ? u->n - i : abi->lanes, u->in + i * in_words, u->out_rtl + i * out_words);
	for (unsigned i = 0; i < u->n; i++) {
		uint64_t differs = 0;

		for (uint32_t k = i * out_words; k < (i + 1) * out_words; k++)
			differs |= u->out[k] ^ u->out_rtl[k];
		log_step(u, u->cycle[i], u->in + i * in_words, differs == 0);
		if (u->c.wave)
			show(u, i);
	}
	u->n = 0;
}

/* ---- the port ---- */

static void rtl_eval(struct unit *u, uint64_t cycle, const void *in)
{
	memcpy(u->c.in, in, u->c.block->in_size);
	bind_pack(&u->s.layout.side[HW_INPUT], u->c.in, u->c.in_words);
	u->c.abi->eval(u->c.rtl, u->c.in_words, u->c.out_rtl);
	u->evaluated = true;
	if (u->c.wave)
		wave_before_edge(u->c.wave, cycle, NULL, NULL, false);
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
	u->c.block->eval(u->c.state, in, out);
	if (u->s.block->tick)
		return;
	u->cycle[u->n] = cycle;
	bind_pack(&u->s.layout.side[HW_INPUT], in, u->in + u->n * u->s.layout.side[HW_INPUT].words);
	bind_pack(&u->s.layout.side[HW_OUTPUT], out, u->out + u->n * u->s.layout.side[HW_OUTPUT].words);
	if (++u->n == UNIT_BATCH)
		flush(u);
}

static void rtl_tick(struct unit *u, uint64_t cycle, const void *in)
{
	/* The inputs at the edge may be others than those that eval was asked about. */
	if (!u->evaluated || memcmp(u->c.in, in, u->c.block->in_size) != 0)
		rtl_eval(u, cycle, in);
	u->c.abi->edge(u->c.rtl, NULL);
	u->evaluated = false;
	u->steps++;
	if (u->c.wave)
		wave_after_edge(u->c.wave, NULL, NULL, false);
}

void unit_tick(struct unit *u, uint64_t cycle, const void *in)
{
	bool agrees;

	u->last_cycle = cycle;
	if (u->mode == UNIT_RTL) {
		rtl_tick(u, cycle, in);
		return;
	}
	memcpy(u->c.in, in, u->c.block->in_size);
	u->c.cycle = cycle;
	agrees = u->transact ? transact_step(u->transact, &u->c) : checker_step(&u->c);
	log_step(u, cycle, u->c.in_words, agrees);
}

int unit_finish(struct unit *u, struct err *e)
{
	if (u->n)
		flush(u);
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
	if (wave_open(&u->wave, u->c.abi, u->c.rtl, &u->s.layout, path, from, to, e))
		return -1;
	u->c.wave = &u->wave;
	return 0;
}
