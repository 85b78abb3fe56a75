#include "lockstep/checker.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/panic.h"

static uint64_t *words(const struct bind_side *s)
{
	return xcalloc(s->words + 1, sizeof(uint64_t));
}

void checker_init(struct checker *c, const struct hw_block *block, const void *params, const struct bind_abi *abi, uint64_t seed)
{
	memset(c, 0, sizeof *c);
	c->block = block;
	memcpy(c->params, params, block->params_size);
	bind_layout_of(&c->layout, block, params);
	c->abi = abi;
	c->compare_regs = block->tick && abi->regs > 0;
	c->some_missing = abi->regs < c->layout.side[HW_REG].n;
	c->state = xcalloc(1, block->state_size);
	c->in = xcalloc(1, block->in_size);
	c->out = xcalloc(1, block->out_size);
	c->in_words = words(&c->layout.side[HW_INPUT]);
	c->out_golden = words(&c->layout.side[HW_OUTPUT]);
	c->out_after = words(&c->layout.side[HW_OUTPUT]);
	c->out_rtl = words(&c->layout.side[HW_OUTPUT]);
	c->reg_rtl = words(&c->layout.side[HW_REG]);
	c->golden_regs = words(&c->layout.side[HW_REG]);
	c->reg_mask = words(&c->layout.side[HW_REG]);
	memcpy(c->reg_mask, abi->reg_mask, c->layout.side[HW_REG].words * sizeof *c->reg_mask);
	bind_packer_init(&c->regs, &c->layout.side[HW_REG]);
	checker_power_up(c, seed);
	checker_reset(c);
}

void checker_power_up(struct checker *c, uint64_t seed)
{
	if (c->rtl)
		c->abi->destroy(c->rtl);
	c->rtl = c->abi->create(seed);
	c->assertions.cycle = &c->cycle;
	c->abi->watch(c->rtl, &c->assertions);
}

void checker_set_golden(struct checker *c, const struct bind_abi *golden, uint64_t seed)
{
	const struct bind_side *regs = &c->layout.side[HW_REG];

	c->golden_abi = golden;
	c->golden = golden->create(seed);
	for (unsigned i = 0; i < regs->n; i++) {
		uint32_t word = regs->slot[i].word;

		for (uint32_t k = word; k < word + regs->slot[i].words; k++)
			c->reg_mask[k] &= golden->reg_mask[k];
		c->n_regs += c->reg_mask[word] != 0;
	}
	c->compare_regs = c->n_regs > 0;
	c->some_missing = c->n_regs < regs->n;
	checker_power_up(c, seed);
	checker_reset(c);
}

void checker_free(struct checker *c)
{
	if (c->golden)
		c->golden_abi->destroy(c->golden);
	free(c->golden_regs);
	free(c->reg_mask);
	if (c->rtl)
		c->abi->destroy(c->rtl);
	free(c->state);
	free(c->in);
	free(c->out);
	free(c->in_words);
	free(c->out_golden);
	free(c->out_after);
	free(c->out_rtl);
	free(c->reg_rtl);
	bind_packer_free(&c->regs);
	memset(c, 0, sizeof *c);
}

static bool same(const struct bind_side *side, const uint64_t *a, const uint64_t *b)
{
	uint64_t differs = 0;

	for (uint32_t i = 0; i < side->words; i++)
		differs |= a[i] ^ b[i];
	return differs == 0;
}

static bool regs_differ(struct checker *c)
{
	const struct bind_side *side = &c->layout.side[HW_REG];

	if (__builtin_expect(c->some_missing, 0))
		for (uint32_t i = 0; i < side->words; i++)
			c->reg_rtl[i] = (c->reg_rtl[i] & c->reg_mask[i]) | (c->reg_golden[i] & ~c->reg_mask[i]);
	return c->regs.excess || !same(side, c->reg_golden, c->reg_rtl);
}

/* ---- the golden side ---- */

static void golden_reset(struct checker *c)
{
	if (c->golden_abi) {
		c->golden_abi->reset(c->golden);
		c->golden_abi->get_regs(c->golden, c->golden_regs);
		c->reg_golden = c->golden_regs;
		return;
	}
	c->block->reset(c->state, c->params);
	c->reg_golden = bind_packer_update(&c->regs, c->state);
}

/* Returns whether a value does not fit its field. */
static bool golden_eval(struct checker *c, const uint64_t *in_words, const void *in, uint64_t *out)
{
	if (c->golden_abi) {
		c->golden_abi->eval(c->golden, in_words, out);
		return false;
	}
	c->block->eval(c->state, in, c->out);
	return bind_pack(&c->layout.side[HW_OUTPUT], c->out, out) != 0;
}

static void golden_tick(struct checker *c)
{
	if (c->golden_abi) {
		c->golden_abi->edge(c->golden, c->golden_regs);
		return;
	}
	c->block->tick(c->state, c->in);
	if (c->compare_regs || c->wave)
		c->reg_golden = bind_packer_update(&c->regs, c->state);
}

bool checker_reset(struct checker *c)
{
	golden_reset(c);
	c->abi->reset(c->rtl);
	c->outputs_differ = false;
	if (c->compare_regs) {
		c->abi->get_regs(c->rtl, c->reg_rtl);
		c->regs_differ = regs_differ(c);
	}
	return !c->regs_differ;
}

void checker_restore(struct checker *c, const uint64_t *regs)
{
	PANIC_UNLESS(c->abi->same_state && !c->golden_abi, c->block->name, 0);
	bind_unpack(&c->layout.side[HW_REG], regs, c->state);
	c->reg_golden = bind_packer_update(&c->regs, c->state);
	c->abi->set_regs(c->rtl, regs);
}

/* A cycle in which the block is not stepped, as the wave shows it. */
static void show_idle(struct checker *c)
{
	uint64_t *no_input = words(&c->layout.side[HW_INPUT]);
	void *in = xcalloc(1, c->block->in_size);

	golden_eval(c, no_input, in, c->out_golden);
	wave_idle(c->wave, no_input, c->out_golden, c->regs_differ);
	free(no_input);
	free(in);
}

static void show_begin(struct checker *c)
{
	wave_look(c->wave, c->cycle, c->in_words, c->out_golden, c->reg_golden);
	if (!c->block->tick)
		wave_tell(c->wave, NULL);
	wave_before_edge(c->wave, c->cycle, c->out_golden, c->reg_golden, c->outputs_differ || c->regs_differ);
}

/* After the edge the golden outputs are those of the new state, as a wave of the RTL shows its own. */
static void show_edge(struct checker *c)
{
	golden_eval(c, c->in_words, c->in, c->out_after);
	wave_tell(c->wave, c->reg_golden);
	wave_after_edge(c->wave, c->out_after, c->reg_golden, c->outputs_differ || c->regs_differ);
}

int checker_wave(struct checker *c, struct wave *w, const char *path, uint64_t from, uint64_t to, struct err *e)
{
	struct wave_source s = {c->block, c->params, &c->layout, c->abi, c->rtl};

	if (wave_open(w, &s, path, from, to, e))
		return -1;
	c->wave = w;
	return 0;
}

int checker_wave_end(struct checker *c, struct err *e)
{
	int rc;

	if (wave_needs_idle(c->wave, UINT64_MAX))
		show_idle(c);
	rc = wave_close(c->wave, e);
	c->wave = NULL;
	return rc;
}

/* Which element the marker of the wave stands for. */
static void note_difference(struct checker *c)
{
	struct mismatch m = checker_mismatch(c);

	c->wave->differs = (struct gtkw_element){true, m.side, m.slot, m.element};
}

static bool step(struct checker *c)
{
	const struct bind_side *out = &c->layout.side[HW_OUTPUT];
	bool excess;

	if (c->wave && wave_needs_idle(c->wave, c->cycle))
		show_idle(c);
	excess = golden_eval(c, c->in_words, c->in, c->out_golden);
	c->abi->eval(c->rtl, c->in_words, c->out_rtl);
	c->outputs_differ = excess || !same(out, c->out_golden, c->out_rtl);
	if (c->wave)
		show_begin(c);
	if (c->block->tick) {
		golden_tick(c);
		c->abi->edge(c->rtl, c->compare_regs ? c->reg_rtl : NULL);
		if (c->compare_regs)
			c->regs_differ = regs_differ(c);
		if (c->wave)
			show_edge(c);
	}
	if (c->wave && c->wave->marker && !c->wave->differs.any && (c->outputs_differ || c->regs_differ))
		note_difference(c);
	return !c->outputs_differ && !c->regs_differ;
}

bool checker_step(struct checker *c)
{
	bind_pack(&c->layout.side[HW_INPUT], c->in, c->in_words);
	return step(c);
}

bool checker_step_words(struct checker *c)
{
	bind_unpack(&c->layout.side[HW_INPUT], c->in_words, c->in);
	return step(c);
}

bool checker_compare(const struct bind_side *side, const uint64_t *golden, const uint64_t *rtl, struct mismatch *m)
{
	for (unsigned i = 0; i < side->n; i++)
		for (uint32_t k = 0; k < side->slot[i].f.count; k++) {
			uint64_t g = bind_element(&side->slot[i], golden, k), r = bind_element(&side->slot[i], rtl, k);

			if (g == r)
				continue;
			*m = (struct mismatch){.slot = i, .element = k, .golden = g, .rtl = r};
			return true;
		}
	return false;
}

/* The first difference of a side; where the words agree, the value of the golden twin that does not fit its field. */
static bool differs(const struct checker *c, enum hw_side side, const void *golden, const uint64_t *golden_words,
		    const uint64_t *rtl, struct mismatch *m)
{
	const struct bind_side *s = &c->layout.side[side];
	bool found = checker_compare(s, golden_words, rtl, m);

	if (!found && !c->golden_abi && bind_excess(s, golden, &m->slot, &m->element, &m->golden)) {
		m->rtl = bind_element(&s->slot[m->slot], rtl, m->element);
		found = true;
	}
	m->side = side;
	return found;
}

struct mismatch checker_mismatch(const struct checker *c)
{
	struct mismatch m = {0};

	if (c->transaction_differs)
		return c->transaction;
	if (c->outputs_differ && differs(c, HW_OUTPUT, c->out, c->out_golden, c->out_rtl, &m))
		return m;
	if (c->regs_differ && differs(c, HW_REG, c->state, c->reg_golden, c->reg_rtl, &m))
		return m;
	return (struct mismatch){0};
}
