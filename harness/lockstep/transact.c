#include "lockstep/transact.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "lockstep/scenario.h"

enum { MAX_GROUPS = 16, DRAIN = 100000 };

/* Transactions on their way: rows of the side's words, and the step in which they were accepted. */
struct fifo {
	uint32_t words;
	size_t head, tail, cap; /* counts; the slot is count % cap */
	uint64_t *data, *step;
};

struct group {
	char name[64];
	bool is_output;
	const struct bind_slot *valid, *ready; /* on opposite sides */
	uint64_t *mask;			       /* of the side's words: the payload */
	struct fifo golden, rtl;	       /* input group: golden's not yet taken by the RTL; output group: not yet
					        * compared */
	uint64_t accepted_golden, accepted_rtl;
	uint64_t compared;
	int64_t least, greatest, sum; /* latency difference */
};

struct transact {
	struct bind_layout layout;
	struct group group[MAX_GROUPS];
	unsigned n;
	uint64_t step;
	uint64_t *in; /* what the RTL gets */
	bool loose_input[HW_MAX_FIELDS];
};

/* ---- queues ---- */

static void fifo_push(struct fifo *f, const uint64_t *words, uint64_t step)
{
	if (f->tail - f->head == f->cap) {
		size_t cap = f->cap ? 2 * f->cap : 16, n = f->tail - f->head;
		uint64_t *data = xcalloc(cap * f->words, sizeof *data), *steps = xcalloc(cap, sizeof *steps);

		for (size_t i = 0; i < n; i++) {
			size_t at = (f->head + i) % f->cap;

			memcpy(data + i * f->words, f->data + at * f->words, f->words * sizeof *data);
			steps[i] = f->step[at];
		}
		free(f->data);
		free(f->step);
		*f = (struct fifo){f->words, 0, n, cap, data, steps};
	}
	memcpy(f->data + f->tail % f->cap * f->words, words, f->words * sizeof *words);
	f->step[f->tail++ % f->cap] = step;
}

static bool fifo_empty(const struct fifo *f)
{
	return f->head == f->tail;
}

static const uint64_t *fifo_front(const struct fifo *f)
{
	return f->data + f->head % f->cap * f->words;
}

static uint64_t fifo_step(const struct fifo *f)
{
	return f->step[f->head % f->cap];
}

/* ---- groups, from the names of the ports ---- */

static const struct bind_slot *find(const struct bind_side *side, const char *prefix, size_t n, const char *tail)
{
	for (unsigned i = 0; i < side->n; i++) {
		const char *name = side->slot[i].f.name;

		if (!strncmp(name, prefix, n) && !strcmp(name + n, tail))
			return &side->slot[i];
	}
	return NULL;
}

static void set_mask(struct group *g, const struct bind_side *side)
{
	size_t n = strlen(g->name);

	g->mask = xcalloc(side->words + 1, sizeof *g->mask);
	g->golden.words = g->rtl.words = side->words;
	for (unsigned i = 0; i < side->n; i++) {
		const struct bind_slot *s = &side->slot[i];

		if (s != g->valid && !strncmp(s->f.name, g->name, n) && s->f.name[n] == '_')
			memset(g->mask + s->word, 0xff, s->words * sizeof *g->mask);
	}
}

static void find_groups(struct transact *t, enum hw_side side)
{
	const struct bind_side *here = &t->layout.side[side], *there = &t->layout.side[side == HW_INPUT ? HW_OUTPUT : HW_INPUT];

	for (unsigned i = 0; i < here->n && t->n < MAX_GROUPS; i++) {
		const char *name = here->slot[i].f.name;
		size_t len = strlen(name), n = len > 6 ? len - 6 : 0;
		struct group *g = &t->group[t->n];
		const struct bind_slot *ready;

		if (!n || n >= sizeof g->name || strcmp(name + n, "_valid") != 0)
			continue;
		ready = find(there, name, n, "_ready");
		if (!ready)
			continue;
		memset(g, 0, sizeof *g);
		memcpy(g->name, name, n);
		g->is_output = side == HW_OUTPUT;
		g->valid = &here->slot[i];
		g->ready = ready;
		set_mask(g, here);
		t->n++;
	}
}

/* Inputs of no group. */
static void find_loose(struct transact *t)
{
	const struct bind_side *in = &t->layout.side[HW_INPUT];

	for (unsigned i = 0; i < in->n; i++) {
		t->loose_input[i] = true;
		for (unsigned k = 0; k < t->n; k++)
			if (&in->slot[i] == t->group[k].valid || &in->slot[i] == t->group[k].ready ||
			    (!t->group[k].is_output && t->group[k].mask[in->slot[i].word]))
				t->loose_input[i] = false;
	}
}

struct transact *transact_new(const struct scenario *s)
{
	struct transact *t = xcalloc(1, sizeof *t);

	t->layout = s->layout;
	find_groups(t, HW_INPUT);
	find_groups(t, HW_OUTPUT);
	find_loose(t);
	t->in = xcalloc(t->layout.side[HW_INPUT].words + 1, sizeof *t->in);
	return t;
}

void transact_free(struct transact *t)
{
	for (unsigned i = 0; t && i < t->n; i++) {
		free(t->group[i].mask);
		free(t->group[i].golden.data);
		free(t->group[i].golden.step);
		free(t->group[i].rtl.data);
		free(t->group[i].rtl.step);
	}
	if (t)
		free(t->in);
	free(t);
}

/* ---- a step ---- */

/* The golden twin's step; what it accepted goes into the queues. */
static void step_golden(struct transact *t, struct checker *c)
{
	bind_pack(&t->layout.side[HW_INPUT], c->in, c->in_words);
	c->block->eval(c->state, c->in, c->out);
	bind_pack(&t->layout.side[HW_OUTPUT], c->out, c->out_golden);
	if (c->wave)
		wave_look(c->wave, c->cycle, c->in_words, c->out_golden, c->reg_golden);
	c->block->tick(c->state, c->in);
	c->reg_golden = bind_packer_update(&c->regs, c->state);
	for (unsigned i = 0; i < t->n; i++) {
		struct group *g = &t->group[i];
		const uint64_t *valid_side = g->is_output ? c->out_golden : c->in_words;
		const uint64_t *ready_side = g->is_output ? c->in_words : c->out_golden;

		if (!(valid_side[g->valid->word] & ready_side[g->ready->word]))
			continue;
		fifo_push(&g->golden, valid_side, t->step);
		g->accepted_golden += g->is_output;
	}
}

/* The earliest step of which an accepted input still waits for the RTL. */
static uint64_t oldest_input(const struct transact *t)
{
	uint64_t oldest = UINT64_MAX;

	for (unsigned i = 0; i < t->n; i++) {
		const struct group *g = &t->group[i];

		if (!g->is_output && !fifo_empty(&g->golden) && fifo_step(&g->golden) < oldest)
			oldest = fifo_step(&g->golden);
	}
	return oldest;
}

/* What the RTL gets: loose inputs as they are (golden_in NULL: zeros), of each group the oldest transaction. */
static void offer(struct transact *t, const uint64_t *golden_in)
{
	const struct bind_side *in = &t->layout.side[HW_INPUT];
	uint64_t oldest = oldest_input(t);

	memset(t->in, 0, in->words * sizeof *t->in);
	for (unsigned i = 0; i < in->n; i++)
		if (golden_in && t->loose_input[i])
			memcpy(t->in + in->slot[i].word, golden_in + in->slot[i].word, in->slot[i].words * sizeof *t->in);
	for (unsigned i = 0; i < t->n; i++) {
		struct group *g = &t->group[i];

		if (g->is_output) {
			t->in[g->ready->word] = g->accepted_golden > g->accepted_rtl || (golden_in && golden_in[g->ready->word]);
		} else if (!fifo_empty(&g->golden) && fifo_step(&g->golden) == oldest) {
			const uint64_t *row = fifo_front(&g->golden);

			for (uint32_t k = 0; k < in->words; k++)
				t->in[k] |= row[k] & g->mask[k];
			t->in[g->valid->word] = 1;
		}
	}
}

/* One cycle of the RTL. */
static void step_rtl(struct transact *t, struct checker *c, const uint64_t *golden_in)
{
	offer(t, golden_in);
	c->abi->eval(c->rtl, t->in, c->out_rtl);
	if (c->wave)
		wave_before_edge(c->wave, c->cycle, c->out_golden, c->reg_golden, false);
	for (unsigned i = 0; i < t->n; i++) {
		struct group *g = &t->group[i];

		if (g->is_output && c->out_rtl[g->valid->word] && t->in[g->ready->word]) {
			fifo_push(&g->rtl, c->out_rtl, t->step);
			g->accepted_rtl++;
		} else if (!g->is_output && t->in[g->valid->word] && c->out_rtl[g->ready->word]) {
			g->golden.head++;
		}
	}
	c->abi->edge(c->rtl, NULL);
	if (c->wave) {
		wave_tell(c->wave, c->reg_golden);
		wave_after_edge(c->wave, NULL, c->reg_golden, c->transaction_differs);
	}
}

static void note_latency(struct group *g)
{
	int64_t later = (int64_t)(fifo_step(&g->rtl) - fifo_step(&g->golden));

	g->least = !g->compared || later < g->least ? later : g->least;
	g->greatest = !g->compared || later > g->greatest ? later : g->greatest;
	g->sum += later;
	g->compared++;
}

/* The oldest transactions of both sides, as long as both have one. False: they differ; c has the field. */
static bool compare_group(struct transact *t, struct checker *c, struct group *g)
{
	const struct bind_side *out = &t->layout.side[HW_OUTPUT];

	while (!fifo_empty(&g->golden) && !fifo_empty(&g->rtl)) {
		const uint64_t *golden = fifo_front(&g->golden), *rtl = fifo_front(&g->rtl);

		note_latency(g);
		g->golden.head++;
		g->rtl.head++;
		for (unsigned i = 0; i < out->n; i++) {
			const struct bind_slot *s = &out->slot[i];

			for (uint32_t k = 0; k < s->f.count && g->mask[s->word]; k++) {
				uint64_t x = bind_element(s, golden, k), y = bind_element(s, rtl, k);

				if (x == y)
					continue;
				c->transaction_differs = true;
				c->transaction = (struct mismatch){HW_OUTPUT, i, k, x, y};
				return false;
			}
		}
	}
	return true;
}

static bool compare(struct transact *t, struct checker *c)
{
	bool agrees = true;

	c->transaction_differs = false;
	for (unsigned i = 0; i < t->n; i++)
		if (t->group[i].is_output)
			agrees &= compare_group(t, c, &t->group[i]);
	return agrees;
}

bool transact_step(struct transact *t, struct checker *c)
{
	step_golden(t, c);
	step_rtl(t, c, c->in_words);
	t->step++;
	return compare(t, c);
}

/* Nothing waits for the RTL and nothing for the golden twin. */
static bool is_drained(const struct transact *t)
{
	for (unsigned i = 0; i < t->n; i++)
		if (!fifo_empty(&t->group[i].golden))
			return false;
	return true;
}

/* A transaction that only one side has shows as its valid: of an output group, or of an input group that the RTL
 * stopped taking. */
static bool check_group(struct transact *t, struct checker *c, const struct group *g)
{
	enum hw_side side = g->is_output ? HW_OUTPUT : HW_INPUT;

	if (fifo_empty(&g->golden) && (!g->is_output || fifo_empty(&g->rtl)))
		return true;
	c->transaction_differs = true;
	c->transaction = (struct mismatch){side, (unsigned)(g->valid - t->layout.side[side].slot), 0, !fifo_empty(&g->golden),
					   !fifo_empty(&g->rtl)};
	return false;
}

static bool check_left(struct transact *t, struct checker *c)
{
	for (int outputs = 1; outputs >= 0; outputs--)
		for (unsigned i = 0; i < t->n; i++)
			if (t->group[i].is_output == (outputs == 1) && !check_group(t, c, &t->group[i]))
				return false;
	return true;
}

bool transact_finish(struct transact *t, struct checker *c)
{
	for (int i = 0; i < DRAIN && !is_drained(t); i++) {
		step_rtl(t, c, NULL);
		t->step++;
		c->cycle++;
		if (!compare(t, c))
			return false;
	}
	return check_left(t, c);
}

void transact_print(const struct transact *t, const char *owner, FILE *to)
{
	for (unsigned i = 0; i < t->n; i++) {
		const struct group *g = &t->group[i];

		if (g->is_output)
			fprintf(to, "    %s %s: %llu transactions, the RTL's later by %lld to %lld steps, %.2f in the mean\n",
				owner, g->name, (unsigned long long)g->compared, (long long)g->least, (long long)g->greatest,
				g->compared ? (double)g->sum / (double)g->compared : 0);
	}
}
