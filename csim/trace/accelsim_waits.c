/* The waits of a recorded launch, as the accesses that order its warps: accelsim_waits.h. */
#include "trace/accelsim_waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int by_place(const void *a, const void *b)
{
	const struct mark *x = a, *y = b;
	int order = compare(x->cta, y->cta);

	if (!order)
		order = compare(x->warp, y->warp);
	if (!order)
		order = compare(x->at, y->at);
	if (!order)
		order = compare(y->waits, x->waits);
	return order ? order : compare(x->of, y->of);
}

static struct modifier *modifier_of(struct sass_waits *w, uint32_t word, uint32_t actor)
{
	struct word *x = &w->word[word];

	return &x->by[x->by[0].actor != actor];
}

static void mark(struct sass_waits *w, struct mark m)
{
	w->mark = xgrow(w->mark, w->n_marks, sizeof *w->mark);
	w->mark[w->n_marks++] = m;
}

/* A word of struct trace_sync is what one warp modifies at an address, as far as it releases waits. */
static void number_modifications(struct sass_waits *w)
{
	for (uint32_t i = 0; i < w->n_actors; i++) {
		const struct actor *a = &w->actor[i];

		for (uint32_t k = a->first; k < a->end; k++) {
			struct event *e = &w->event[k];
			struct modifier *m = e->releases ? modifier_of(w, e->of, i) : NULL;

			if (!m)
				continue;
			if (!m->n) {
				w->sync.word = xgrow(w->sync.word, w->sync.n_words, sizeof *w->sync.word);
				m->number = w->sync.n_words++;
			}
			e->number = m->n++;
			w->sync.word[m->number] = (struct trace_sync_word){w->word[e->of].addr, TRACE_SYNC_GLOBAL, m->n};
			mark(w, (struct mark){.cta = a->cta, .warp = a->warp, .actor = i, .at = e->at, .of = k});
		}
	}
}

/* The last poll of an attempt that reads the word decides for it. */
static void mark_wait(struct sass_waits *w, uint32_t number)
{
	struct loop *l = &w->loop[number];
	uint32_t i = l->first_poll;

	while (w->polled[i].word != w->event[l->event].of)
		i++;
	l->offset = w->polled[i].offset;
	mark(w, (struct mark){.cta = l->cta, .warp = l->warp, .at = l->attempt + l->offset, .of = number, .waits = true});
}

void sass_waits_write_open(struct sass_waits *w, uint32_t n_ctas)
{
	for (uint32_t i = 0; i < w->n_loops; i++)
		if (w->loop[i].state == LOOP_RELEASED) {
			w->event[w->loop[i].event].releases = true;
			mark_wait(w, i);
		}
	if (!w->n_marks)
		return;
	number_modifications(w);
	qsort(w->mark, w->n_marks, sizeof *w->mark, by_place);
	w->sync.first_access = xcalloc((size_t)n_ctas + 1, sizeof *w->sync.first_access);
}

/* ---- a warp ---- */

static uint32_t first_mark(const struct sass_waits *w, uint32_t cta, uint32_t warp)
{
	const struct mark key = {.cta = cta, .warp = warp, .waits = true};
	uint32_t low = 0, high = w->n_marks;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (by_place(&w->mark[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void sass_waits_write_begin(struct sass_waits *w, uint32_t cta, uint32_t warp)
{
	w->cta = cta;
	w->warp = warp;
	w->at = 0;
	w->records = 0;
	w->next_mark = first_mark(w, cta, warp);
	w->next_loop = sass_waits_first_loop(w, cta, warp);
}

static struct mark *mark_now(const struct sass_waits *w)
{
	struct mark *m = &w->mark[w->next_mark];

	return w->next_mark < w->n_marks && m->cta == w->cta && m->warp == w->warp ? m : NULL;
}

/* The next wait that is released. */
static struct loop *loop_now(struct sass_waits *w)
{
	while (w->next_loop < w->n_loops && w->loop[w->next_loop].state != LOOP_RELEASED)
		w->next_loop++;
	if (w->next_loop == w->n_loops || w->loop[w->next_loop].cta != w->cta || w->loop[w->next_loop].warp != w->warp)
		return NULL;
	return &w->loop[w->next_loop];
}

/* What an attempt that failed executes after the access that decides, without accesses. */
static void add_tail(struct sass_waits *w, struct loop *l, uint32_t number, bool accesses, uint32_t mask)
{
	struct trace_run *last = l->n_tail ? &w->sync.tail[w->sync.n_tails - 1] : NULL;

	mask = accesses ? 0 : mask;
	if (last && last->mask == mask && last->pc + last->len == number) {
		last->len++;
		return;
	}
	w->sync.tail = xgrow(w->sync.tail, w->sync.n_tails, sizeof *w->sync.tail);
	w->sync.tail[w->sync.n_tails] = (struct trace_run){number, 1, mask};
	if (!l->n_tail)
		l->first_tail = w->sync.n_tails;
	l->n_tail++;
	w->sync.n_tails++;
}

/* The access of the instruction, and one of its words. */
static void add_item(struct sass_waits *w, const struct mark *m)
{
	struct trace_sync *s = &w->sync;
	const struct loop *l = m->waits ? &w->loop[m->of] : NULL;
	const struct event *e = &w->event[l ? l->event : m->of];
	const struct modifier *by;
	struct trace_sync_access *a = s->n_accesses > w->begun ? &s->access[s->n_accesses - 1] : NULL;

	if (!a || a->warp != w->warp || a->access != w->records) {
		s->access = xgrow(s->access, s->n_accesses, sizeof *s->access);
		a = &s->access[s->n_accesses++];
		*a = (struct trace_sync_access){.warp = w->warp, .access = w->records, .first_item = s->n_items};
	}
	if (l) {
		by = modifier_of(w, e->of, l->by);
		a->insts = l->offset + 1;
		a->records = w->records + 1 - l->records;
		a->first_tail = l->first_tail;
		a->n_tail = l->n_tail;
	} else {
		by = modifier_of(w, e->of, m->actor);
	}
	s->item = xgrow(s->item, s->n_items, sizeof *s->item);
	s->item[s->n_items++] = (struct trace_sync_item){by->number, l ? e->number + 1 : 0, l ? 0 : e->number, !l};
	a->n_items++;
}

bool sass_waits_write(struct sass_waits *w, uint32_t number, unsigned space, uint32_t mask)
{
	bool accesses = space != SPACE_NONE && space != SPACE_PARAM;
	struct loop *l;
	struct mark *m;
	uint64_t at = w->at++;

	if (!w->n_marks)
		return true;
	l = loop_now(w);
	if (l && at >= l->from && at < l->attempt) {
		if (at - l->from < l->length && at - l->from > l->offset)
			add_tail(w, l, number, accesses, mask);
		return false;
	}
	if (l && at == l->attempt) {
		l->records = w->records;
		w->next_loop++;
	}
	for (m = mark_now(w); m && m->at == at; w->next_mark++, m = mark_now(w)) {
		w->changed |= space != SPACE_GLOBAL || !mask;
		add_item(w, m);
	}
	w->records += accesses && mask;
	return true;
}

bool sass_waits_write_end(struct sass_waits *w)
{
	return !w->n_marks || (!w->changed && !mark_now(w) && !loop_now(w));
}

static int by_warp(const void *a, const void *b)
{
	const struct trace_sync_access *x = a, *y = b;
	int order = compare(x->warp, y->warp);

	return order ? order : compare(x->access, y->access);
}

void sass_waits_cta_end(struct sass_waits *w, uint32_t cta)
{
	struct trace_sync *s = &w->sync;

	if (!w->n_marks)
		return;
	if (s->n_accesses > w->begun)
		qsort(s->access + w->begun, s->n_accesses - w->begun, sizeof *s->access, by_warp);
	w->begun = s->first_access[cta + 1] = s->n_accesses;
}

void sass_waits_put(struct sass_waits *w, struct trace_writer *to)
{
	if (w->n_marks)
		trace_set_sync(to, &w->sync);
}
