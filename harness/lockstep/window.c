#include "lockstep/window.h"

#include <jansson.h>

#include "lockstep/report.h"
#include "process/output.h"

struct window {
	const struct scenario *s;
	const struct history *h;
	uint64_t first; /* step of the history */
};

struct signal {
	enum hw_side side;
	unsigned slot;
	uint32_t element;
};

enum who { GOLDEN, RTL };

static const struct bind_slot *slot_of(const struct window *w, const struct signal *g)
{
	return &w->s->layout.side[g->side].slot[g->slot];
}

static uint64_t value_at(const struct window *w, const struct signal *g, enum who who, uint64_t i)
{
	const struct history_step *at = history_at(w->h, i);
	const uint64_t *const of[HW_SIDES][2] = {[HW_INPUT] = {at->in, at->in},
						 [HW_OUTPUT] = {at->out_golden, at->out_rtl},
						 [HW_REG] = {at->reg_golden, at->reg_rtl}};

	return bind_element(slot_of(w, g), of[g->side][who], g->element);
}

static bool is_open(const struct window *w, const struct signal *g, uint64_t i)
{
	return history_at(w->h, i)->reset && g->side != HW_REG;
}

static bool differs(const struct window *w, const struct signal *g)
{
	for (uint64_t i = w->first; i < w->h->n; i++)
		if (!is_open(w, g, i) && value_at(w, g, GOLDEN, i) != value_at(w, g, RTL, i))
			return true;
	return false;
}

/* Not an element of many that holds still. */
static bool is_of_interest(const struct window *w, const struct signal *g)
{
	for (uint64_t i = w->first + 1; i < w->h->n && slot_of(w, g)->f.count > 1; i++)
		if (value_at(w, g, RTL, i) != value_at(w, g, RTL, i - 1))
			return true;
	return slot_of(w, g)->f.count == 1;
}

/* ---- as JSON ---- */

static json_t *name_of(const struct window *w, const struct signal *g)
{
	char name[80];

	return json_string(report_field(slot_of(w, g), g->side, g->element, name));
}

static json_t *values_of(const struct window *w, const struct signal *g, enum who who)
{
	json_t *all = json_array();
	char text[REPORT_VALUE];

	for (uint64_t i = w->first; i < w->h->n; i++)
		json_array_append_new(
			all, json_string(is_open(w, g, i) ? "-" : report_value(slot_of(w, g), value_at(w, g, who, i), text)));
	return all;
}

/* Adds the elements of a side that `fits` says, up to so many in all, without the one that is there. */
static void add_signals(const struct window *w, enum hw_side side, bool (*fits)(const struct window *, const struct signal *),
			const struct signal *but, struct signal *to, unsigned *n, unsigned most)
{
	const struct bind_side *of = &w->s->layout.side[side];

	for (unsigned i = 0; i < of->n; i++)
		for (uint32_t k = 0; k < of->slot[i].f.count && *n < most; k++) {
			struct signal g = {side, i, k};

			if (!(but && but->side == side && but->slot == i && but->element == k) && fits(w, &g))
				to[(*n)++] = g;
		}
}

static bool agrees(const struct window *w, const struct signal *g)
{
	return is_of_interest(w, g) && !differs(w, g);
}

static json_t *pairs_of(const struct window *w, const struct mismatch *m)
{
	struct signal of[WINDOW_PAIRS] = {{m->side, m->slot, m->element}};
	json_t *all = json_array();
	unsigned n = 1;

	add_signals(w, HW_OUTPUT, differs, &of[0], of, &n, WINDOW_PAIRS);
	if (w->h->regs)
		add_signals(w, HW_REG, differs, &of[0], of, &n, WINDOW_PAIRS);
	add_signals(w, HW_OUTPUT, agrees, &of[0], of, &n, WINDOW_PAIRS);
	for (unsigned i = 0; i < n; i++)
		json_array_append_new(all, json_pack("{s:o, s:o, s:o}", "name", name_of(w, &of[i]), "golden",
						     values_of(w, &of[i], GOLDEN), "rtl", values_of(w, &of[i], RTL)));
	return all;
}

static json_t *inputs_of(const struct window *w)
{
	struct signal of[WINDOW_INPUTS];
	json_t *all = json_array();
	unsigned n = 0;

	add_signals(w, HW_INPUT, is_of_interest, NULL, of, &n, WINDOW_INPUTS);
	for (unsigned i = 0; i < n; i++)
		json_array_append_new(all,
				      json_pack("{s:o, s:o}", "name", name_of(w, &of[i]), "values", values_of(w, &of[i], RTL)));
	return all;
}

static json_t *steps_of(const struct window *w)
{
	json_t *all = json_array();

	for (uint64_t i = w->first; i < w->h->n; i++) {
		const struct history_step *at = history_at(w->h, i);

		json_array_append_new(all, json_pack("{s:I, s:I, s:b}", "step", (json_int_t)at->step, "cycle",
						     (json_int_t)at->cycle, "reset", (int)at->reset));
	}
	return all;
}

static uint64_t first_step(const struct history *h, uint64_t from)
{
	uint64_t i = h->n > h->room ? h->n - h->room : 0;

	while (i < h->n && history_at(h, i)->cycle < from)
		i++;
	return i;
}

int window_write(const struct scenario *s, const struct outcome *o, const struct history *h, uint64_t from, const char *path,
		 struct err *e)
{
	const struct window w = {s, h, first_step(h, from)};
	struct output to;
	json_t *json;

	if (output_open(&to, path, e))
		return -1;
	json = json_pack("{s:s, s:I, s:I, s:o, s:o, s:o}", "block", s->block->name, "cycle", (json_int_t)o->cycle, "step",
			 (json_int_t)o->step, "steps", steps_of(&w), "inputs", inputs_of(&w), "pairs", pairs_of(&w, &o->m));
	if (json_dumpf(json, to.f, JSON_COMPACT) == 0)
		fputc('\n', to.f);
	json_decref(json);
	return output_keep(&to, e);
}
