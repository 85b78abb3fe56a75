/* Which modification releases each wait of a recorded launch: accelsim_waits.h. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "trace/accelsim_waits.h"

enum { MOST_EVENTS = 1 << 22, STEPS = 64 /* of the search, for each event and wait */ };

static int by_place(const void *a, const void *b)
{
	const struct loop *x = a, *y = b;

	if (x->cta != y->cta)
		return x->cta < y->cta ? -1 : 1;
	if (x->warp != y->warp)
		return x->warp < y->warp ? -1 : 1;
	return x->from < y->from ? -1 : x->from > y->from;
}

void sass_waits_order_open(struct sass_waits *w)
{
	qsort(w->loop, w->n_loops, sizeof *w->loop, by_place);
}

/* ---- events ---- */

uint32_t sass_waits_first_loop(const struct sass_waits *w, uint32_t cta, uint32_t warp)
{
	uint32_t low = 0, high = w->n_loops;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct loop *l = &w->loop[middle];

		if (l->cta < cta || (l->cta == cta && l->warp < warp))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void sass_waits_order_begin(struct sass_waits *w, uint32_t cta, uint32_t warp)
{
	w->cta = cta;
	w->warp = warp;
	w->at = 0;
	w->epoch = 0;
	w->held = w->n_events;
	w->now = WAITS_NONE;
	w->next_loop = sass_waits_first_loop(w, cta, warp);
}

/* The actor of the warp that is read. */
static uint32_t actor_now(struct sass_waits *w)
{
	if (w->now != WAITS_NONE)
		return w->now;
	w->actor = xgrow(w->actor, w->n_actors, sizeof *w->actor);
	w->actor[w->n_actors] =
		(struct actor){.cta = w->cta, .warp = w->warp, .first = w->n_events, .end = w->n_events, .next = w->n_events};
	w->now = w->n_actors;
	return w->n_actors++;
}

/* Returns its number; WAITS_NONE: there is no more room. */
static uint32_t add_event(struct sass_waits *w, struct event e)
{
	struct actor *a = &w->actor[actor_now(w)];

	w->full = w->n_events == MOST_EVENTS;
	if (w->full)
		return WAITS_NONE;
	w->event = xgrow(w->event, w->n_events, sizeof *w->event);
	w->event[w->n_events] = e;
	a->end = w->n_events + 1;
	return w->n_events++;
}

static struct modifier *modifier_of(struct word *word, uint32_t actor)
{
	for (uint32_t i = 0; i < word->n; i++)
		if (word->by[i].actor == actor)
			return &word->by[i];
	return NULL;
}

/* The warp modifies the word, by that lane. */
static void modify(struct sass_waits *w, uint32_t number, uint32_t lane)
{
	struct word *word = &w->word[number];
	uint32_t actor = actor_now(w);
	struct modifier *m = modifier_of(word, actor);

	if (!m && word->n == 2) {
		word->several = true;
		return;
	}
	if (!m) {
		m = &word->by[word->n++];
		*m = (struct modifier){.actor = actor, .last = WAITS_NONE, .made = WAITS_NONE};
	}
	m->lanes |= lane;
	if (m->last != WAITS_NONE && m->last >= w->held) {
		w->event[m->last].at = w->at;
		return;
	}
	m->last = add_event(w, (struct event){.at = w->at, .epoch = w->epoch, .of = number});
}

static void modify_words(struct sass_waits *w, const struct sass *i, uint32_t mask)
{
	for (; mask; mask &= mask - 1) {
		uint64_t addr = i->addr[__builtin_ctz(mask)] & ~UINT64_C(3);

		for (uint32_t k = 0; k < sass_words(i->width) && !w->full; k++) {
			uint32_t number = sass_waits_word(w, addr + (uint64_t)4 * k);

			if (number != WAITS_NONE && !w->word[number].several)
				modify(w, number, mask & -mask);
		}
	}
}

/* The wait that the warp is in, or comes to next. */
static struct loop *loop_now(const struct sass_waits *w)
{
	struct loop *l = &w->loop[w->next_loop];

	return w->next_loop < w->n_loops && l->cta == w->cta && l->warp == w->warp ? l : NULL;
}

void sass_waits_order(struct sass_waits *w, const struct sass *i, unsigned space, uint32_t mask)
{
	struct loop *l = loop_now(w);

	if (w->full)
		return;
	if (l && w->at == l->attempt) {
		l->epoch = w->epoch;
		l->of = actor_now(w);
		add_event(w, (struct event){.at = w->at, .epoch = w->epoch, .of = w->next_loop++, .waits = true});
		w->held = w->n_events;
		l = loop_now(w);
	}
	if (mask && i->code.op == OP_BARRIER) {
		w->epoch++;
		w->held = w->n_events;
	}
	/* An exchange of an attempt that failed modifies nothing. */
	if (space == SPACE_GLOBAL && (i->code.op == OP_STORE || i->code.op == OP_ATOM) && (!l || w->at < l->from))
		modify_words(w, i, mask);
	w->at++;
}

/* ---- the other warp ---- */

/* Of the words of a wait, what the other warp has last modified, or has modified so far; WAITS_NONE: nothing. */
static uint32_t latest(const struct sass_waits *w, const struct loop *l, bool made)
{
	uint32_t found = WAITS_NONE;

	for (uint32_t i = 0; i < l->n_polls; i++) {
		const struct modifier *m = modifier_of(&w->word[w->polled[l->first_poll + i].word], l->by);
		uint32_t e = !m ? WAITS_NONE : made ? m->made : m->last;

		if (e != WAITS_NONE && (found == WAITS_NONE || w->event[e].at > w->event[found].at))
			found = e;
	}
	return found;
}

static void find_other(const struct sass_waits *w, struct loop *l)
{
	l->by = WAITS_NONE;
	for (uint32_t i = 0; i < l->n_polls; i++) {
		const struct word *word = &w->word[w->polled[l->first_poll + i].word];

		if (word->several)
			l->state = LOOP_KEPT;
		for (uint32_t k = 0; k < word->n; k++) {
			const struct modifier *m = &word->by[k];

			if (m->actor == l->of ? m->lanes & ~l->lanes : l->by != WAITS_NONE && l->by != m->actor)
				l->state = LOOP_KEPT;
			if (m->actor != l->of)
				l->by = m->actor;
		}
	}
	if (l->by == WAITS_NONE)
		l->state = LOOP_KEPT;
}

/* ---- the order in which waits are released ---- */

/* Of the warps of its CTA the one that is the fewest barriers on: it has no barrier to wait for. */
static struct actor *hindmost(const struct sass_waits *w, uint32_t actor)
{
	const uint32_t cta = w->actor[actor].cta;
	uint32_t first = actor;
	struct actor *found = &w->actor[actor];

	while (first > 0 && w->actor[first - 1].cta == cta)
		first--;
	for (struct actor *a = &w->actor[first]; a < w->actor + w->n_actors && a->cta == cta; a++)
		if (a->next < a->end && w->event[a->next].epoch < w->event[found->next].epoch)
			found = a;
	return found;
}

/* Takes the warp past its event; returns the wait that holds it before, or WAITS_NONE. */
static uint32_t advance(struct sass_waits *w, uint32_t actor, uint32_t past)
{
	while (w->actor[actor].next <= past) {
		struct actor *a = hindmost(w, actor);
		const struct event *e = &w->event[a->next];

		if (e->waits && w->loop[e->of].state == LOOP_OPEN)
			return e->of;
		if (!e->waits)
			modifier_of(&w->word[e->of], (uint32_t)(a - w->actor))->made = a->next;
		a->next++;
	}
	return WAITS_NONE;
}

/* By the last of what the other warp has made. A barrier of a CTA orders its warps anyway. With again, the modification
 * may have released an earlier wait of the warp. */
static bool release(const struct sass_waits *w, struct loop *l, bool again)
{
	uint32_t event = latest(w, l, true);
	uint32_t seen = l->previous == WAITS_NONE ? 0 : w->loop[l->previous].seen;

	l->seen = seen;
	if (event == WAITS_NONE || (w->actor[l->by].cta == l->cta && w->event[event].epoch != l->epoch))
		return false;
	if (event < seen && !again)
		return false;
	l->event = event;
	l->seen = event < seen ? seen : event + 1;
	l->state = LOOP_RELEASED;
	return true;
}

static void release_circle(const struct sass_waits *w, const uint32_t *circle, uint32_t n)
{
	bool any = false;

	for (unsigned again = 0; again < 2 && !any; again++)
		for (uint32_t i = 0; i < n; i++)
			any |= release(w, &w->loop[circle[i]], again);
	for (uint32_t i = 0; i < n; i++) {
		w->loop[circle[i]].depth = 0;
		if (!any)
			w->loop[circle[i]].state = LOOP_KEPT;
	}
}

/* One step for the wait on top of those that hold one another. */
static uint32_t step(const struct sass_waits *w, uint32_t *stack, uint32_t n, uint32_t held)
{
	struct loop *top = &w->loop[stack[n - 1]];
	uint32_t begin;

	if (held == WAITS_NONE) {
		if (!release(w, top, true))
			top->state = LOOP_KEPT;
		top->depth = 0;
		return n - 1;
	}
	if (w->loop[held].depth) {
		begin = w->loop[held].depth - 1;
		release_circle(w, stack + begin, n - begin);
		return begin;
	}
	stack[n] = held;
	w->loop[held].depth = n + 1;
	return n + 1;
}

static void search(struct sass_waits *w, uint32_t *stack)
{
	uint64_t steps = (uint64_t)STEPS * ((uint64_t)w->n_events + w->n_loops);

	for (uint32_t i = 0; i < w->n_loops; i++) {
		uint32_t n = 0;

		while (w->loop[i].state == LOOP_OPEN && steps > 0) {
			if (!n) {
				stack[n++] = i;
				w->loop[i].depth = n;
			}
			n = step(w, stack, n, advance(w, w->loop[stack[n - 1]].by, w->loop[stack[n - 1]].last));
			steps--;
		}
	}
}

struct pair { /* a warp that waits, and the one for which it does */
	uint32_t of, by, loop;
};

static int by_pair(const void *a, const void *b)
{
	const struct pair *x = a, *y = b;

	if (x->of != y->of)
		return x->of < y->of ? -1 : 1;
	if (x->by != y->by)
		return x->by < y->by ? -1 : 1;
	return x->loop < y->loop ? -1 : 1;
}

/* For each wait the one before it of the same warps. */
static void find_previous(struct sass_waits *w)
{
	struct pair *pair = xcalloc((size_t)w->n_loops + 1, sizeof *pair);
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n_loops; i++)
		if (w->loop[i].state == LOOP_OPEN)
			pair[n++] = (struct pair){w->loop[i].of, w->loop[i].by, i};
	qsort(pair, n, sizeof *pair, by_pair);
	for (uint32_t i = 0; i < n; i++) {
		bool same = i > 0 && pair[i - 1].of == pair[i].of && pair[i - 1].by == pair[i].by;

		w->loop[pair[i].loop].previous = same ? pair[i - 1].loop : WAITS_NONE;
	}
	free(pair);
}

void sass_waits_decide(struct sass_waits *w)
{
	uint32_t *stack = xcalloc((size_t)w->n_loops + 1, sizeof *stack);

	for (uint32_t i = 0; i < w->n_loops && !w->full; i++) {
		find_other(w, &w->loop[i]);
		w->loop[i].last = latest(w, &w->loop[i], false);
	}
	find_previous(w);
	if (!w->full)
		search(w, stack);
	free(stack);
	for (uint32_t i = 0; i < w->n_loops; i++) {
		struct loop *l = &w->loop[i];

		if (l->state == LOOP_RELEASED)
			continue;
		l->state = LOOP_KEPT;
		w->kept += l->iterations;
		w->kept_loops++;
	}
}
