#include "tracking/software_tracker.h"

#include <string.h>

#include "base/panic.h"

enum { WORD = 8 };

void software_tracker_init(struct software_tracker *r, struct arena *a, const struct taf *t, const struct taf_memory *memory,
			   uint64_t scratch)
{
	*r = (struct software_tracker){.taf = t, .memory = memory, .scratch = scratch};
	r->seen = arena_array(a, t->n_sets ? t->n_sets : 1, sizeof *r->seen);
}

void software_tracker_begin(struct software_tracker *r, const struct taf_array *array)
{
	r->array = *array;
	r->cta = 0;
	r->walking = r->in_range = false;
	r->n_queue = r->at_queue = 0;
	memset(r->seen, 0, r->taf->n_sets * sizeof *r->seen);
}

static void push(struct software_tracker *r, struct stream_step step)
{
	PANIC_UNLESS(r->n_queue < sizeof r->queue / sizeof r->queue[0], "software_tracker", r->cta);
	step.non_memory = (uint16_t)(step.non_memory + r->carry);
	r->carry = 0;
	r->queue[r->n_queue++] = step;
}

static uint64_t line_of(const struct software_tracker *r, uint64_t table, uint64_t extent)
{
	return r->scratch + (table - TAF_BASE) + extent / TAF_EXTENTS_A_LINE * TAF_LINE;
}

static void load_extent(struct software_tracker *r, uint32_t primary)
{
	uint64_t extent = (uint64_t)taf_set_of(r->taf, r->cta) * taf_extents_a_set(r->taf);

	push(r, (struct stream_step){.addr = line_of(r, r->taf->array[primary].extents, extent), .bytes = WORD, .non_memory = 2});
}

static void begin_cta(struct software_tracker *r)
{
	bool *seen = &r->seen[taf_set_of(r->taf, r->cta)];

	r->carry = r->carry < UINT16_MAX / 2 ? (uint16_t)(r->carry + SOFTWARE_TRACKER_CTA_INSTS) : r->carry;
	r->walking = true;
	if (r->array.type != TAF_TID_DEP) {
		load_extent(r, r->array.start);
		if (r->array.end != r->array.start)
			load_extent(r, r->array.end);
	}
	if (r->array.type == TAF_TID_DEP || !*seen)
		taf_walk_begin(&r->walk, r->taf, r->memory, &r->array, r->cta);
	else
		memset(&r->walk, 0, sizeof r->walk);
	*seen = true;
}

/* The lines of the set's extents, if the next CTA's are in others. */
static void end_cta(struct software_tracker *r)
{
	uint64_t k = taf_extents_a_set(r->taf), first = taf_set_of(r->taf, r->cta) * k;
	uint64_t from = line_of(r, r->array.extents, first), to = line_of(r, r->array.extents, first + k - 1);

	r->walking = false;
	if (++r->cta < r->taf->n_ctas && line_of(r, r->array.extents, taf_set_of(r->taf, r->cta) * k) == from)
		return;
	for (uint64_t at = from; at < to + TAF_LINE; at += WORD)
		push(r, (struct stream_step){.addr = at, .bytes = WORD, .non_memory = 1, .store = true});
}

static void read_element(struct software_tracker *r)
{
	push(r, (struct stream_step){.addr = r->array.base + r->element * r->array.size,
				     .bytes = r->array.size,
				     .non_memory = SOFTWARE_TRACKER_INSTS,
				     .uses = 2});
	r->elements++;
	r->in_range = r->element++ < r->range.last;
}

static void advance(struct software_tracker *r)
{
	if (!r->walking) {
		begin_cta(r);
	} else if (r->in_range) {
		read_element(r);
	} else if (taf_walk_next(&r->walk, &r->range)) {
		r->in_range = true;
		r->element = r->range.first;
	} else {
		end_cta(r);
	}
}

bool software_tracker_next(struct software_tracker *r, struct stream_step *out)
{
	while (r->at_queue == r->n_queue) {
		r->at_queue = r->n_queue = 0;
		if (r->cta == r->taf->n_ctas)
			return false;
		advance(r);
	}
	*out = r->queue[r->at_queue++];
	return true;
}
