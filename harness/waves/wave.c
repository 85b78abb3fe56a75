#include "waves/wave.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "process/lost_pages.h"
#include "waves/fst.h"

enum { UNITS = 10, EDGE = 5 };		      /* time units of a cycle; from its begin to the edge */
enum { FIRST_FEW = 6, WITHIN = 200 * UNITS }; /* texts that a wave without a difference opens on */

int wave_open(struct wave *w, const struct wave_source *s, const char *path, uint64_t from, uint64_t to, struct err *e)
{
	memset(w, 0, sizeof *w);
	if (fst_check_path(path, e))
		return -1;
	w->pages_lost = lost_pages_hold(); /* the writer maps its files, whether or not it could write them */
	errno = 0;
	if (s->abi->wave_open(s->rtl, path)) {
		err_set(e, "%s: cannot be written: %s", path, strerror(errno ? errno : EIO));
		lost_pages_release(w->pages_lost);
		return -1;
	}
	w->abi = s->abi;
	w->path = xstrdup(path);
	w->rtl = s->rtl;
	w->out_scratch = xcalloc(s->layout->side[HW_OUTPUT].words + 1, sizeof(uint64_t));
	w->from = from;
	w->to = to;
	track_init(&w->track, s->block, s->params, s->layout);
	return 0;
}

/* The first text of what the block is there for, or else the first one of all, and the few behind it. */
static void note_text(struct wave *w, uint64_t time)
{
	bool first = w->track.text.main && !w->main;

	w->main |= first;
	w->n_texts = first ? 1 : w->n_texts + 1;
	if (w->n_texts == 1)
		w->begins = time;
	if (w->n_texts <= FIRST_FEW && time - w->begins <= WITHIN)
		w->busy_until = time;
}

static void dump(struct wave *w, uint64_t time, uint64_t cycle)
{
	w->abi->wave_dump(w->rtl, time, cycle);
	w->time = time + 1;
	if (w->told)
		note_text(w, time);
	w->told = false;
}

static bool in_window(const struct wave *w, uint64_t cycle)
{
	return cycle >= w->from && cycle <= w->to;
}

void wave_look(struct wave *w, uint64_t cycle, const uint64_t *in, const uint64_t *out, const uint64_t *reg)
{
	w->looked = in_window(w, cycle);
	if (w->looked)
		track_before(&w->track, in, out, reg);
}

void wave_tell(struct wave *w, const uint64_t *reg)
{
	if (!w->looked)
		return;
	w->looked = false;
	if (!track_after(&w->track, reg))
		return;
	w->told = true;
	w->abi->wave_text(w->rtl, w->track.text.at);
}

bool wave_needs_idle(const struct wave *w, uint64_t cycle)
{
	return w->steps && w->idle_done != w->steps && cycle > w->cycle + 1;
}

void wave_idle(struct wave *w, const uint64_t *no_input, const uint64_t *out_golden, bool differs)
{
	uint64_t time = (w->cycle + 1) * UNITS;

	w->abi->eval(w->rtl, no_input, w->out_scratch);
	w->abi->wave_golden(w->rtl, out_golden, NULL, differs);
	dump(w, time > w->time ? time : w->time, w->cycle + 1);
	w->idle_done = w->steps;
}

void wave_view(const struct wave *w, struct gtkw *g)
{
	uint64_t before = w->marker ? 20 * UNITS : 10 * UNITS, after = w->marker ? 10 * UNITS : 20 * UNITS;

	g->differs = w->differs;
	g->marker = w->marker ? w->marker : w->begins;
	g->from = g->marker > w->first_time + before ? g->marker - before : w->first_time;
	g->to = (g->marker > g->from ? g->marker : g->from) + after;
	if (!w->marker && w->n_texts && w->busy_until + before > g->to)
		g->to = w->busy_until + before;
	if (g->to > w->time)
		g->to = w->time;
}

int wave_close(struct wave *w, struct err *e)
{
	int rc;

	if (!w->abi)
		return 0;
	w->abi->wave_close(w->rtl);
	rc = lost_pages_release(w->pages_lost) ? fst_cut_short(w->path, e) : fst_check(w->path, w->steps != 0, e);
	free(w->path);
	free(w->out_scratch);
	track_free(&w->track);
	w->abi = NULL;
	w->path = NULL;
	w->out_scratch = NULL;
	return rc;
}

void wave_before_edge(struct wave *w, uint64_t cycle, const uint64_t *out_golden, const uint64_t *reg_golden, bool differs)
{
	uint64_t time = cycle * UNITS;

	w->in_step = in_window(w, cycle);
	if (!w->in_step)
		return;
	time = time > w->time ? time : w->time;
	if (differs && !w->marker)
		w->marker = time;
	w->cycle = cycle;
	if (w->steps++ == 0)
		w->first_time = time;
	w->abi->wave_golden(w->rtl, out_golden, reg_golden, differs);
	dump(w, time, cycle);
}

void wave_after_edge(struct wave *w, const uint64_t *out_golden, const uint64_t *reg_golden, bool differs)
{
	uint64_t time = w->cycle * UNITS + EDGE;

	if (!w->in_step)
		return;
	time = time > w->time ? time : w->time;
	if (differs && !w->marker)
		w->marker = time;
	w->abi->wave_golden(w->rtl, out_golden, reg_golden, differs);
	dump(w, time, w->cycle);
}
