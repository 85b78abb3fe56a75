#include "lockstep/scenario.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/alloc.h"
#include "lockstep/transact.h"

void scenario_init(struct scenario *s, const struct hw_block *block, const void *params)
{
	memset(s, 0, sizeof *s);
	s->block = block;
	memcpy(s->params, params, block->params_size);
	bind_layout_of(&s->layout, block, params);
	stim_init(&s->stim, &s->layout.side[HW_INPUT]);
}

void scenario_free(struct scenario *s)
{
	free(s->state);
	stim_free(&s->stim);
	s->state = NULL;
}

uint64_t scenario_seed(const struct scenario *s)
{
	return s->seed && s->owner[0] ? 1 + XXH64(s->owner, strlen(s->owner), s->seed) % SCENARIO_X_INIT_MAX : s->seed;
}

static int check_pokes(const struct scenario *s, const struct bind_rtl *rtl, struct err *e)
{
	void *m = s->n_pokes ? rtl->abi->create(0) : NULL;
	int rc = 0;

	for (unsigned i = 0; i < s->n_pokes && !rc; i++)
		if (rtl->abi->poke(m, s->poke[i].port, s->poke[i].value))
			rc = err_set(e, "%s: the RTL has no input %s beside the block's own", s->block->name, s->poke[i].port);
	if (m)
		rtl->abi->destroy(m);
	return rc;
}

int scenario_open(const struct scenario *s, struct bind_rtl *rtl, struct err *e)
{
	struct bind_request q = {.block = s->block,
				 .params = s->params,
				 .lanes = 1,
				 .rtl = s->rtl[0] ? s->rtl : NULL,
				 .unique_x = s->unique_x,
				 .foreign = s->foreign,
				 .within = s->within,
				 .fit = &s->fit,
				 .extra_inputs = s->n_pokes > 0};

	if (bind_open(rtl, &q, e))
		return -1;
	if (s->state && !rtl->abi->same_state)
		err_set(e, "%s: the steps begin with a state of all registers, but %.*s", s->block->name,
			(int)strcspn(rtl->abi->alone, "\n"), rtl->abi->alone);
	else if (check_pokes(s, rtl, e) == 0)
		return 0;
	bind_close(rtl);
	return -1;
}

int scenario_open_golden(struct scenario *s, struct bind_rtl *rtl, struct err *e)
{
	struct bind_request q = {.block = s->block,
				 .params = s->params,
				 .lanes = 1,
				 .rtl = s->golden,
				 .unique_x = true,
				 .foreign = s->golden_foreign,
				 .within = s->within,
				 .fit = &s->fit};

	memset(rtl, 0, sizeof *rtl);
	if (!s->golden[0])
		return 0;
	if (bind_open(rtl, &q, e))
		return -1;
	s->golden_abi = rtl->abi;
	return 0;
}

void scenario_start(const struct scenario *s, struct checker *c, const struct bind_abi *abi)
{
	checker_init(c, s->block, s->params, abi, scenario_seed(s));
	if (s->n_pokes) { /* they hold from the start: the reset above may not have left what theirs would not */
		checker_power_up(c, scenario_seed(s));
		for (unsigned i = 0; i < s->n_pokes; i++)
			abi->poke(c->rtl, s->poke[i].port, s->poke[i].value);
		checker_reset(c);
	}
	if (s->golden_abi)
		checker_set_golden(c, s->golden_abi, scenario_seed(s));
	c->compare_regs &= !s->transactions;
	if (s->state)
		checker_restore(c, s->state);
}

static void remember(struct history *h, const struct checker *c, const struct stim_reader *r)
{
	struct history_step *to = &h->at[h->n++ % h->room];
	const struct bind_layout *l = &c->layout;

	h->regs = c->compare_regs;
	to->step = r->step;
	to->cycle = r->cycle;
	to->reset = r->reset;
	memcpy(to->in, c->in_words, l->side[HW_INPUT].words * sizeof(uint64_t));
	memcpy(to->out_golden, c->out_golden, l->side[HW_OUTPUT].words * sizeof(uint64_t));
	memcpy(to->out_rtl, c->out_rtl, l->side[HW_OUTPUT].words * sizeof(uint64_t));
	memcpy(to->reg_golden, c->reg_golden, l->side[HW_REG].words * sizeof(uint64_t));
	memcpy(to->reg_rtl, c->reg_rtl, l->side[HW_REG].words * sizeof(uint64_t));
}

/* One step of either kind. */
static bool run_step(struct checker *c, const struct stim_reader *r, struct transact *t)
{
	c->cycle = r->cycle;
	if (r->reset)
		return checker_reset(c);
	if (!t)
		return checker_step_words(c);
	bind_unpack(&c->layout.side[HW_INPUT], c->in_words, c->in);
	return transact_step(t, c);
}

struct outcome scenario_run(const struct scenario *s, const struct bind_abi *abi, struct history *h)
{
	struct outcome o = {.abi = abi};
	struct transact *t = s->transactions ? transact_new(s) : NULL;
	struct stim_reader r;
	struct checker c;

	scenario_start(s, &c, abi);
	stim_read(&r, &s->stim);
	while (!o.failed && stim_next(&r, c.in_words)) {
		o.failed = !run_step(&c, &r, t);
		o.steps++;
		if (h)
			remember(h, &c, &r);
	}
	if (t && !o.failed)
		o.failed = !transact_finish(t, &c);
	transact_free(t);
	if (o.failed) {
		o.step = r.step;
		o.cycle = r.cycle;
		o.m = checker_mismatch(&c);
	}
	o.n_regs = c.n_regs;
	o.assertions = c.assertions;
	o.assertions.cycle = NULL;
	checker_free(&c);
	return o;
}

int scenario_wave(const struct scenario *s, const struct bind_abi *abi, const char *path, uint64_t from, uint64_t to,
		  struct gtkw *view, struct history *h, struct err *e)
{
	struct transact *t = s->transactions ? transact_new(s) : NULL;
	struct stim_reader r;
	struct checker c;
	struct wave w;
	int rc;

	scenario_start(s, &c, abi);
	if (checker_wave(&c, &w, path, from, to, e)) {
		checker_free(&c);
		transact_free(t);
		return -1;
	}
	stim_read(&r, &s->stim);
	while (stim_next(&r, c.in_words)) {
		run_step(&c, &r, t);
		if (h && r.cycle <= to)
			remember(h, &c, &r);
	}
	transact_free(t);
	wave_view(&w, view);
	rc = checker_wave_end(&c, e);
	checker_free(&c);
	return rc;
}

static uint64_t *words(const struct bind_side *s)
{
	return xcalloc(s->words + 1, sizeof(uint64_t));
}

void history_init(struct history *h, const struct bind_layout *l, unsigned room)
{
	*h = (struct history){.at = xcalloc(room, sizeof *h->at), .room = room};
	for (unsigned i = 0; i < room; i++) {
		h->at[i].in = words(&l->side[HW_INPUT]);
		h->at[i].out_golden = words(&l->side[HW_OUTPUT]);
		h->at[i].out_rtl = words(&l->side[HW_OUTPUT]);
		h->at[i].reg_golden = words(&l->side[HW_REG]);
		h->at[i].reg_rtl = words(&l->side[HW_REG]);
	}
}

void history_free(struct history *h)
{
	for (unsigned i = 0; i < h->room; i++) {
		free(h->at[i].in);
		free(h->at[i].out_golden);
		free(h->at[i].out_rtl);
		free(h->at[i].reg_golden);
		free(h->at[i].reg_rtl);
	}
	free(h->at);
}
