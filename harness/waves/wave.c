#include "waves/wave.h"

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "waves/fst.h"

enum { UNITS = 10, EDGE = 5 }; /* time units of a cycle; from its begin to the edge */

int wave_open(struct wave *w, const struct bind_abi *abi, void *rtl, const struct bind_layout *l, const char *path, uint64_t from,
	      uint64_t to, struct err *e)
{
	memset(w, 0, sizeof *w);
	if (fst_check_path(path, e))
		return -1;
	if (abi->wave_open(rtl, path))
		return err_set(e, "%s: cannot be written", path);
	w->abi = abi;
	w->path = xstrdup(path);
	w->rtl = rtl;
	w->out_scratch = xcalloc(l->side[HW_OUTPUT].words + 1, sizeof(uint64_t));
	w->from = from;
	w->to = to;
	return 0;
}

static void dump(struct wave *w, uint64_t time, uint64_t cycle)
{
	w->abi->wave_dump(w->rtl, time, cycle);
	w->time = time + 1;
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

int wave_close(struct wave *w, struct err *e)
{
	int rc;

	if (!w->abi)
		return 0;
	w->abi->wave_close(w->rtl);
	rc = fst_check(w->path, w->steps != 0, e);
	free(w->path);
	free(w->out_scratch);
	w->abi = NULL;
	w->path = NULL;
	w->out_scratch = NULL;
	return rc;
}

void wave_before_edge(struct wave *w, uint64_t cycle, const uint64_t *out_golden, const uint64_t *reg_golden, bool differs)
{
	uint64_t time = cycle * UNITS;

	w->in_step = cycle >= w->from && cycle <= w->to;
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
