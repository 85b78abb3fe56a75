#include "session/plan_json.h"

#include <jansson.h>
#include <string.h>

const char *const plan_placement_names[PLACE_COUNT] = {"default", "fine", "pages", "first touch", "static", "base bit", "xor hash"};
const char *const plan_caching_names[LOCALITY_CACHINGS] = {"as is", "bypass", "soft pin", "hard pin"};
const char *const plan_prefetch_names[LOCALITY_PREFETCHES] = {"none", "next line", "stride"};
const char *const plan_dispatch_names[DISPATCH_COUNT] = {"round robin", "affinity", "pair-wait", "lists", "groups"};

static json_t *array_json(const struct plan_buffer *b)
{
	json_t *o = json_pack("{s:s}", "placement", plan_placement_names[b->placement]);

	if (b->placement == PLACE_BASE_BIT)
		json_object_set_new(o, "base_bit", json_integer(b->base_bit));
	if (b->placement == PLACE_FIRST_TOUCH && b->together)
		json_object_set_new(o, "together", json_integer(b->together));
	if (!b->found.verdict)
		return o;
	json_object_set_new(o, "verdict", json_string(b->found.verdict));
	if (b->found.stride > 0)
		json_object_set_new(o, "stride", json_real(b->found.stride));
	if (b->found.chunk > 0)
		json_object_set_new(o, "chunk", json_real(b->found.chunk));
	if (b->found.line)
		json_object_set_new(o, "line", json_integer(b->found.line));
	if (b->found.why && b->found.why[0])
		json_object_set_new(o, "why", json_string(b->found.why));
	return o;
}

static bool same_lists(const struct plan_lists *a, const struct plan_lists *b)
{
	return a == b ||
	       (a && b && a->n == b->n && a->steal == b->steal && !memcmp(a->first, b->first, (a->n + 1) * sizeof *a->first) &&
		!memcmp(a->cta, b->cta, a->first[a->n] * sizeof *a->cta));
}

static bool same_localities(const struct plan_launch *a, const struct plan_launch *b)
{
	if (a->n_localities != b->n_localities)
		return false;
	for (uint32_t i = 0; i < a->n_localities; i++) {
		const struct locality_entry *x = &a->locality[i], *y = &b->locality[i];

		if (x->base != y->base || x->bound != y->bound || x->distance != y->distance || x->priority != y->priority ||
		    x->caching != y->caching || x->prefetch != y->prefetch)
			return false;
	}
	return true;
}

bool plan_launches_alike(const struct plan *p, uint32_t x, uint32_t y)
{
	const struct plan_launch *a = &p->launch[x], *b = &p->launch[y];

	return a->dispatch == b->dispatch && same_lists(a->lists, b->lists) && same_localities(a, b) &&
	       (a->dispatch != DISPATCH_AFFINITY || !memcmp(a->blocks, b->blocks, p->n_modules * sizeof *a->blocks));
}

struct plan_list_sizes plan_list_sizes(const struct plan_lists *l)
{
	struct plan_list_sizes s = {.least = l->n ? UINT32_MAX : 0};

	for (uint32_t i = 0; i < l->n; i++) {
		uint32_t n = l->first[i + 1] - l->first[i];

		s.least = n < s.least ? n : s.least;
		s.most = n > s.most ? n : s.most;
	}
	return s;
}

static json_t *lists_json(const struct plan_lists *l)
{
	struct plan_list_sizes s = plan_list_sizes(l);
	json_t *o = json_pack("{s:i, s:i, s:i, s:b}", "lists", (int)l->n, "least", (int)s.least, "most", (int)s.most, "steal",
			      l->steal);

	if (l->weight) {
		json_object_set_new(o, "weight", json_integer((json_int_t)l->weight));
		json_object_set_new(o, "cut", json_integer((json_int_t)l->cut));
	}
	return o;
}

static json_t *localities_json(const struct plan_launch *l)
{
	json_t *o = json_array();

	for (uint32_t i = 0; i < l->n_localities; i++) {
		const struct locality_entry *e = &l->locality[i];

		json_array_append_new(o, json_pack("{s:s, s:I, s:I, s:i, s:s, s:s, s:I}", "structure", l->locality_name[i], "base",
						   (json_int_t)e->base, "bytes", (json_int_t)(e->bound - e->base), "priority",
						   e->priority, "caching", plan_caching_names[e->caching], "prefetch",
						   plan_prefetch_names[e->prefetch], "distance", (json_int_t)e->distance));
	}
	return o;
}

static json_t *launch_json(const struct plan *p, uint32_t first, uint32_t n)
{
	json_t *o = json_pack("{s:i, s:i, s:s}", "first", (int)first, "launches", (int)n, "dispatch",
			      plan_dispatch_names[p->launch[first].dispatch]);

	if (p->launch[first].dispatch == DISPATCH_AFFINITY) {
		json_t *blocks = json_array();

		for (uint32_t h = 0; h < p->n_modules; h++)
			json_array_append_new(blocks, json_integer(p->launch[first].blocks[h]));
		json_object_set_new(o, "blocks", blocks);
	}
	if (p->launch[first].lists)
		json_object_set_new(o, "ctas", lists_json(p->launch[first].lists));
	if (p->launch[first].n_localities)
		json_object_set_new(o, "localities", localities_json(&p->launch[first]));
	return o;
}

json_t *plan_json(const struct plan *p, const struct trace *t)
{
	json_t *o = json_pack("{s:s}", "planner", p->name);

	if (p->buffer) {
		json_t *arrays = json_object();

		for (uint32_t b = 0; b < p->n_buffers; b++)
			json_object_set_new(arrays, trace_buffer(t, b)->name, array_json(&p->buffer[b]));
		json_object_set_new(o, "arrays", arrays);
	}
	if (p->launch) {
		json_t *launches = json_array();

		for (uint32_t i = 0, n; i < p->n_launches; i += n) {
			for (n = 1; i + n < p->n_launches && plan_launches_alike(p, i, i + n);)
				n++;
			json_array_append_new(launches, launch_json(p, i, n));
		}
		json_object_set_new(o, "launches", launches);
	}
	return o;
}
