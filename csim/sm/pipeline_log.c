#include "sm/pipeline_log.h"

#include "base/panic.h"

enum { MOST_ROWS = 128, MOST_SPANS = 512 /* that begin in a cycle, of all warps of an SM */ };

void pipeline_log_init(struct pipeline_log *l, struct arena *a, uint32_t sm, uint32_t rows)
{
	*l = (struct pipeline_log){.sm = sm, .cut = PIPELINE_NEVER};
	l->room = rows > 2 * MOST_ROWS ? rows : 2 * MOST_ROWS;
	l->spans_room = l->room * PIPELINE_SPANS;
	l->row = arena_array(a, l->room, sizeof *l->row);
	l->span = arena_array(a, l->spans_room, sizeof *l->span);
}

uint32_t pipeline_log_open(struct pipeline_log *l, const struct pipeline_row *row)
{
	struct pipeline_row *r = &l->row[l->n];

	PANIC_UNLESS(l->n < l->room, "pipeline log", row->begin);
	*r = *row;
	r->end = PIPELINE_NEVER;
	r->first = r->last = r->producer = PIPELINE_NONE;
	return l->n++;
}

void pipeline_log_stage(struct pipeline_log *l, uint32_t row, uint32_t stage, uint64_t from)
{
	struct pipeline_row *r = &l->row[row];
	struct pipeline_span *last = r->last == PIPELINE_NONE ? NULL : &l->span[r->last];

	if (last && (last->stage == stage || last->from >= from)) {
		last->stage = stage;
		return;
	}
	PANIC_UNLESS(l->n_spans < l->spans_room, "pipeline log", from);
	l->span[l->n_spans] = (struct pipeline_span){from, PIPELINE_NONE, stage};
	*(last ? &last->next : &r->first) = l->n_spans;
	r->last = l->n_spans++;
}

bool pipeline_log_is_full(const struct pipeline_log *l)
{
	return l->n + MOST_ROWS > l->room || l->n_spans + MOST_SPANS > l->spans_room;
}

void pipeline_log_close(struct pipeline_log *l, uint64_t cycle)
{
	for (uint32_t i = 0; i < l->n; i++)
		if (l->row[i].end == PIPELINE_NEVER) {
			l->row[i].end = cycle;
			l->row[i].cut = true;
		}
}
