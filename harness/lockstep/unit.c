#include "lockstep/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/panic.h"
#include "lockstep/bundle.h"

enum {
	SNAPSHOT = 1 << 20, /* steps between common states; the log holds up to so many and SETTLED more */
	SETTLED = 1 << 10,  /* steps that the log keeps before a mismatch in any case */
	BEFORE = UNIT_BATCH /* of a combinational block */
};

/* ---- the log ---- */

/* Takes a common state now and then, and forgets what came before it once enough steps follow it. */
static void shorten_log(struct unit *u)
{
	struct stim *log = &u->s.stim;
	uint64_t since;

	if (u->from_reset || u->failed || u->driver || !u->c.compare_regs || !u->c.abi->same_state)
		return;
	since = log->first_step + log->steps - u->mark.step;
	if (u->has_mark && since >= SETTLED) {
		stim_drop_before(log, u->mark);
		u->has_mark = false;
		if (!u->s.state)
			u->s.state = xcalloc(u->s.layout.side[HW_REG].words + 1, sizeof(uint64_t));
		memcpy(u->s.state, u->mark_state, u->s.layout.side[HW_REG].words * sizeof(uint64_t));
	} else if (!u->has_mark && log->steps >= SNAPSHOT) {
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
	if (__builtin_expect(u->has_mark || u->s.stim.steps >= SNAPSHOT, 0))
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

/* A combinational block has no state: what came before says nothing of a mismatch, and is logged only if there is one,
 * for the waves. The last steps that agreed are kept until the next batch has been checked. */
static void keep_agreed(struct unit *u, const struct unit_batch *b)
{
	unsigned n = b->n < BEFORE ? b->n : BEFORE, from = b->n - n;

	u->agreed.n = n;
	memcpy(u->agreed.cycle, b->cycle + from, n * sizeof *b->cycle);
	memcpy(u->agreed.in, b->in + from * u->in_row, n * u->in_row);
	u->steps += b->n;
}

/* A log that begins BEFORE steps ahead of the first that differs, but for those of this batch. Returns how many steps
 * of it are left out. */
static unsigned log_agreed(struct unit *u, const struct unit_batch *b, unsigned differs)
{
	unsigned skipped = differs > BEFORE ? differs - BEFORE : 0, wanted = BEFORE - (differs - skipped);
	unsigned first = u->agreed.n > wanted ? u->agreed.n - wanted : 0;

	u->steps += skipped;
	stim_restart(&u->s.stim, u->steps - (u->agreed.n - first),
		     first < u->agreed.n ? u->agreed.cycle[first] : b->cycle[skipped]);
	for (unsigned i = first; i < u->agreed.n; i++)
		stim_append(&u->s.stim, u->agreed.cycle[i], false, (const uint64_t *)(const void *)(u->agreed.in + i * u->in_row));
	return skipped;
}

/* The golden outputs, once more: the model has called the twin itself, whose state never changes (same_twins). */
static void find_outputs(struct unit *u, struct unit_batch *b)
{
	const struct bind_side *in = &u->s.layout.side[HW_INPUT], *out = &u->s.layout.side[HW_OUTPUT];

	if (u->driver)
		u->c.golden_abi->bulk(u->c.golden, b->n, (const uint64_t *)(const void *)b->in, u->out_golden);
	for (unsigned i = 0; i < b->n && !u->driver; i++) {
		bind_unpack(in, (const uint64_t *)(const void *)b->in + i * in->words, u->c.in);
		u->s.block->eval(u->c.state, u->c.in, u->c.out);
		u->excess[i] = bind_pack(out, u->c.out, u->out_golden + i * out->words) != 0;
		u->any_excess |= u->excess[i];
	}
}

static bool row_agrees(const struct unit *u, unsigned i)
{
	uint32_t words = u->s.layout.side[HW_OUTPUT].words;

	return !u->excess[i] && memcmp(u->out_golden + i * words, u->out_rtl + i * words, u->out_row) == 0;
}

static void log_batch(struct unit *u, const struct unit_batch *b, bool agree)
{
	uint32_t words = u->s.layout.side[HW_INPUT].words;
	const uint64_t *in = (const uint64_t *)(const void *)b->in;
	unsigned first = 0;

	if (!u->failed && !u->from_reset) {
		while (row_agrees(u, first))
			first++;
		first = log_agreed(u, b, first);
	}
	for (unsigned i = first; i < b->n; i++)
		log_step(u, b->cycle[i], in + i * words, agree || row_agrees(u, i));
}

static void check_combinational(struct check *check)
{
	struct unit_batch *b = (struct unit_batch *)check;
	struct unit *u = b->u;
	uint32_t in_words = u->s.layout.side[HW_INPUT].words;
	const uint64_t *in = (const uint64_t *)(void *)b->in;
	bool agree;

	u->any_excess = false;
	find_outputs(u, b);
	u->c.assertions.cycle = b->cycle;
	u->c.abi->bulk(u->c.rtl, b->n, in, u->out_rtl);
	u->c.assertions.cycle = &u->c.cycle;
	agree = !u->any_excess && !memcmp(u->out_golden, u->out_rtl, b->n * u->out_row); /* all, as a rule */
	if (u->failed || u->from_reset || !agree)
		log_batch(u, b, agree);
	else
		keep_agreed(u, b);
	for (unsigned i = 0; u->c.wave && i < b->n; i++)
		show(u, b->cycle[i], in + i * in_words);
	b->n = 0;
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
	if (u->s.golden_abi) {
		u->driver = u->s.golden_abi->create(scenario_seed(&u->s));
		u->s.golden_abi->reset(u->driver);
		u->driver_in = xcalloc(u->s.layout.side[HW_INPUT].words + 1, sizeof(uint64_t));
		u->driver_out = xcalloc(u->s.layout.side[HW_OUTPUT].words + 1, sizeof(uint64_t));
	}
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
	}
	u->out_golden = xcalloc(UNIT_BATCH, u->out_row + 1);
	u->excess = xcalloc(UNIT_BATCH, sizeof *u->excess);
	u->out_rtl = xcalloc(UNIT_BATCH, u->out_row + 1);
	u->agreed.cycle = xcalloc(BEFORE, sizeof *u->agreed.cycle);
	u->agreed.in = xcalloc(BEFORE, u->in_row);
	if (b->tick)
		log_reset(u);
}

/* ---- outputs that the model does not read ---- */

static bool is_named(const char *names, const char *name)
{
	size_t n = strlen(name);

	for (const char *at = strstr(names, name); at; at = strstr(at + 1, name))
		if ((at == names || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
			return true;
	return false;
}

static void find_unread(struct unit *u)
{
	const struct bind_side *out = &u->s.layout.side[HW_OUTPUT];
	char name[160];

	if (!u->s.block->unread || u->s.block->tick)
		return;
	u->unread.mask = xcalloc(out->words + 1, sizeof(uint64_t));
	for (unsigned i = 0; i < out->n; i++) {
		const struct bind_slot *slot = &out->slot[i];

		for (uint32_t bit = 0;
		     bit < slot->bits && is_named(u->s.block->unread, bind_rtl_name(name, slot->f.name, HW_OUTPUT)); bit++)
			u->unread.mask[slot->word + bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

/* In mode rtl nobody would notice a wrong value in them. */
static void check_unread(struct unit *u, uint64_t cycle)
{
	const struct bind_side *out = &u->s.layout.side[HW_OUTPUT];
	struct checker *c = &u->c;
	uint64_t differs = 0;

	u->s.block->eval(c->state, c->in, c->out);
	bind_pack(out, c->out, c->out_golden);
	for (uint32_t i = 0; i < out->words; i++) {
		c->out_golden[i] = (c->out_golden[i] & u->unread.mask[i]) | (c->out_rtl[i] & ~u->unread.mask[i]);
		differs |= c->out_golden[i] ^ c->out_rtl[i];
	}
	if (!differs || u->unread.differs++)
		return;
	u->unread.first_cycle = cycle;
	checker_compare(out, c->out_golden, c->out_rtl, &u->unread.first);
}

void unit_init(struct unit *u, const struct unit_config *c)
{
	memset(u, 0, sizeof *u);
	u->mode = c->mode;
	scenario_init(&u->s, c->block, c->params);
	strncat(u->s.owner, c->owner, sizeof u->s.owner - 1);
	if (c->rtl) {
		strncat(u->s.rtl, c->rtl, sizeof u->s.rtl - 1);
		u->s.unique_x = true;
		if (c->fit)
			u->s.fit = *c->fit;
		u->s.seed = c->x_init;
	}
	checker_init(&u->c, c->block, c->params, c->abi, scenario_seed(&u->s));
	if (c->golden) {
		strncat(u->s.golden, c->golden, sizeof u->s.golden - 1);
		u->s.golden_abi = c->golden_abi;
		checker_set_golden(&u->c, c->golden_abi, scenario_seed(&u->s));
	}
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
	else
		find_unread(u);
}

void unit_free(struct unit *u)
{
	if (u->c.wave)
		checker_wave_end(&u->c, NULL);
	if (u->driver)
		u->s.golden_abi->destroy(u->driver);
	transact_free(u->transact);
	checker_free(&u->c);
	scenario_free(&u->s);
	free(u->mark_state);
	free(u->unread.mask);
	for (unsigned i = 0; i < u->n_batches; i++) {
		free(u->batch[i].cycle);
		free(u->batch[i].in);
	}
	free(u->driver_in);
	free(u->driver_out);
	free(u->golden);
	free(u->out_golden);
	free(u->excess);
	free(u->out_rtl);
	free(u->agreed.cycle);
	free(u->agreed.in);
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

void unit_watch(struct unit *u, uint64_t cycle, const void *in)
{
	const struct bind_side *side = &u->s.layout.side[HW_INPUT];
	unsigned i = keep(u, cycle);

	u->last_cycle = cycle;
	bind_pack(side, in, (uint64_t *)(void *)u->filling->in + i * side->words);
	if (u->filling->n == UNIT_BATCH)
		hand_on(u);
}

static void driver_eval(struct unit *u, const void *in)
{
	bind_pack(&u->s.layout.side[HW_INPUT], in, u->driver_in);
	u->s.golden_abi->eval(u->driver, u->driver_in, u->driver_out);
}

void unit_eval(struct unit *u, uint64_t cycle, const void *in, void *out)
{
	u->last_cycle = cycle;
	if (u->mode == UNIT_RTL) {
		rtl_eval(u, cycle, in);
		bind_unpack(&u->s.layout.side[HW_OUTPUT], u->c.out_rtl, out);
		if (u->unread.mask)
			check_unread(u, cycle);
		u->steps += u->s.block->tick == NULL;
		return;
	}
	if (!u->driver) {
		u->s.block->eval(u->golden, in, out);
		return;
	}
	if (!u->s.block->tick)
		unit_watch(u, cycle, in);
	driver_eval(u, in);
	bind_unpack(&u->s.layout.side[HW_OUTPUT], u->driver_out, out);
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
	if (u->driver) {
		driver_eval(u, in); /* the inputs at the edge may be others than those before */
		u->s.golden_abi->edge(u->driver, NULL);
	} else {
		u->s.block->tick(u->golden, in);
	}
	if (u->filling->n == UNIT_BATCH)
		hand_on(u);
}

/* What was compared is what drove the model. */
static void same_twins(const struct unit *u)
{
	const struct bind_side *regs = &u->s.layout.side[HW_REG];
	uint64_t *words = xcalloc(2 * regs->words + 1, sizeof *words);

	if (!u->s.block->tick && !u->driver)
		PANIC_UNLESS(!memcmp(u->golden, u->c.state, u->s.block->state_size), u->s.owner, u->last_cycle);
	if (u->driver) {
		u->s.golden_abi->get_regs(u->driver, words);
		u->s.golden_abi->get_regs(u->c.golden, words + regs->words);
	} else {
		bind_pack(regs, u->golden, words);
		bind_pack(regs, u->c.state, words + regs->words);
	}
	PANIC_UNLESS(!memcmp(words, words + regs->words, regs->words * sizeof *words), u->s.owner, u->last_cycle);
	free(words);
}

static void finish_checks(struct unit *u)
{
	struct unit_batch *last = u->filling;

	checks_submit(u->checks, &last->check);
	checks_wait(u->checks, &last->check);
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

struct unit *unit_earliest(struct unit *const *unit, unsigned n, const struct hw_block *b)
{
	struct unit *first = NULL;

	for (unsigned i = 0; i < n; i++)
		if (unit[i]->s.block == b && unit[i]->failed && (!first || unit[i]->failed_cycle < first->failed_cycle))
			first = unit[i];
	return first;
}

int unit_wave(struct unit *u, const char *path, uint64_t from, uint64_t to, struct err *e)
{
	return checker_wave(&u->c, &u->wave, path, from, to, e);
}
