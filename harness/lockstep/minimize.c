#include "lockstep/minimize.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

#define BUDGET UINT64_C(50000000) /* steps run in all: some ten seconds */

/* The steps, loose: a row of words each. */
struct work {
	const struct scenario *s;
	const struct bind_abi *abi;
	struct outcome want; /* what must go on differing: side and field */
	uint32_t words;
	size_t n;
	uint64_t *cycle;
	bool *reset;
	uint64_t *in; /* n rows */
	bool from_reset;
	uint64_t spent, runs;
};

static uint64_t *row(const struct work *w, size_t i)
{
	return w->in + i * w->words;
}

/* The scenario of those steps for which keep is set (NULL: all). */
static void assemble(const struct work *w, const bool *keep, struct scenario *out)
{
	scenario_init(out, w->s->block, w->s->params);
	memcpy(out->owner, w->s->owner, sizeof out->owner);
	memcpy(out->rtl, w->s->rtl, sizeof out->rtl);
	memcpy(out->poke, w->s->poke, sizeof out->poke);
	out->fit = w->s->fit;
	memcpy(out->golden, w->s->golden, sizeof out->golden);
	out->golden_abi = w->s->golden_abi;
	out->foreign = w->s->foreign;
	out->golden_foreign = w->s->golden_foreign;
	memcpy(out->within, w->s->within, sizeof out->within);
	out->seed = w->s->seed;
	out->unique_x = w->s->unique_x;
	out->transactions = w->s->transactions;
	out->n_pokes = w->s->n_pokes;
	if (w->s->state && !w->from_reset) {
		out->state = xcalloc(out->layout.side[HW_REG].words + 1, sizeof *out->state);
		memcpy(out->state, w->s->state, out->layout.side[HW_REG].words * sizeof *out->state);
	}
	for (size_t i = 0; i < w->n; i++)
		if (!keep || keep[i])
			stim_append(&out->stim, w->cycle[i], w->reset[i], row(w, i));
}

/* Whether those steps still show a difference in the wanted field. */
static bool shows(struct work *w, const bool *keep)
{
	struct scenario s;
	struct outcome o;

	if (w->spent > BUDGET)
		return false;
	assemble(w, keep, &s);
	o = scenario_run(&s, w->abi, NULL);
	w->spent += o.steps + 20; /* making a model costs about as much as so many steps */
	w->runs++;
	scenario_free(&s);
	return o.failed && o.m.side == w->want.m.side && o.m.slot == w->want.m.slot;
}

static void keep_only(struct work *w, const bool *keep)
{
	size_t to = 0;

	for (size_t i = 0; i < w->n; i++) {
		if (!keep[i])
			continue;
		w->cycle[to] = w->cycle[i];
		w->reset[to] = w->reset[i];
		memmove(row(w, to), row(w, i), w->words * sizeof(uint64_t));
		to++;
	}
	w->n = to;
}

/* Leaves out each run of `chunk` steps in turn, from the end. True if any could go. */
static bool leave_out(struct work *w, size_t chunk, bool *keep)
{
	size_t before = w->n;

	memset(keep, 1, w->n);
	for (size_t end = w->n; end > 0; end -= end < chunk ? end : chunk) {
		size_t from = end > chunk ? end - chunk : 0;

		memset(keep + from, 0, end - from);
		if (end - from == w->n || !shows(w, keep))
			memset(keep + from, 1, end - from);
	}
	keep_only(w, keep);
	return w->n < before;
}

static void fewer_steps(struct work *w)
{
	bool *keep = xmalloc(w->n + 1);
	size_t chunk = w->n / 2;

	while (chunk >= 1 && w->n > 1) {
		bool smaller = leave_out(w, chunk, keep);

		if (chunk == 1 && !smaller)
			break;
		chunk = chunk > 1 ? chunk / 2 : 1;
	}
	free(keep);
}

/* A field of one step: zero if that will do, else every bit that can go. */
static void smaller_field(struct work *w, uint64_t *at, const struct bind_slot *slot)
{
	for (uint32_t k = 0; k < slot->words; k++) {
		uint64_t *word = at + slot->word + k, old = *word;

		if (!old)
			continue;
		*word = 0;
		if (shows(w, NULL))
			continue;
		*word = old;
		for (int bit = 63; bit >= 0; bit--) {
			if (!(*word >> bit & 1))
				continue;
			*word ^= UINT64_C(1) << bit;
			if (!shows(w, NULL))
				*word ^= UINT64_C(1) << bit;
		}
	}
}

/* Flips a bit to zero, or the other way around, in the steps for which `had` is set. */
static void flip(struct work *w, uint32_t word, uint64_t bit, const bool *had)
{
	for (size_t i = 0; i < w->n; i++)
		if (had[i])
			row(w, i)[word] ^= bit;
}

/* A bit of a field in all steps at once: the same set number or tag in several steps has to change in all of them. */
static void smaller_together(struct work *w, uint32_t words)
{
	bool *had = xmalloc(w->n + 1);

	for (uint32_t word = 0; word < words; word++)
		for (int b = 63; b >= 0; b--) {
			uint64_t bit = UINT64_C(1) << b;
			bool any = false;

			for (size_t i = 0; i < w->n; i++) {
				had[i] = row(w, i)[word] & bit;
				any |= had[i];
			}
			if (!any)
				continue;
			flip(w, word, bit, had);
			if (!shows(w, NULL))
				flip(w, word, bit, had);
		}
	free(had);
}

static void smaller_inputs(struct work *w)
{
	const struct bind_side *in = &w->s->layout.side[HW_INPUT];

	smaller_together(w, in->words);
	for (size_t i = 0; i < w->n; i++)
		for (unsigned f = 0; f < in->n && !w->reset[i]; f++)
			smaller_field(w, row(w, i), &in->slot[f]);
}

/* Close together in time, as nothing but their order counts. */
static void close_gaps(struct work *w)
{
	for (size_t i = 1; i < w->n; i++)
		w->cycle[i] = w->cycle[0] + i;
}

static uint64_t ones(const struct work *w)
{
	uint64_t n = 0;

	for (size_t i = 0; i < w->n * w->words; i++)
		n += (uint64_t)__builtin_popcountll(w->in[i]);
	return n;
}

/* Steps up to and with the first difference. */
static void load(struct work *w, uint64_t steps)
{
	struct stim_reader r;

	w->cycle = xcalloc(steps + 1, sizeof *w->cycle);
	w->reset = xcalloc(steps + 1, sizeof *w->reset);
	w->in = xcalloc((steps + 1) * (w->words + 1), sizeof *w->in);
	stim_read(&r, &w->s->stim);
	while (w->n < steps && stim_next(&r, row(w, w->n))) {
		w->cycle[w->n] = r.cycle;
		w->reset[w->n++] = r.reset;
	}
}

int scenario_minimize(const struct scenario *s, const struct bind_abi *abi, struct scenario *out, struct minimized *stats)
{
	struct work w = {.s = s, .abi = abi, .words = s->layout.side[HW_INPUT].words};

	w.want = scenario_run(s, abi, NULL);
	if (!w.want.failed)
		return -1;
	load(&w, w.want.steps);
	stats->bits_before = ones(&w);
	w.from_reset = s->state != NULL;
	if (w.from_reset && !shows(&w, NULL))
		w.from_reset = false;
	fewer_steps(&w);
	smaller_inputs(&w);
	fewer_steps(&w);
	close_gaps(&w);
	assemble(&w, NULL, out);
	stats->bits_after = ones(&w);
	stats->runs = w.runs;
	free(w.cycle);
	free(w.reset);
	free(w.in);
	return 0;
}
