#include "plan/plan_hash.h"

#include <string.h>
#include <xxhash.h>

struct hasher {
	XXH64_state_t *state;
};

static void add(const struct hasher *h, const void *at, size_t bytes)
{
	XXH64_update(h->state, at, bytes);
}

static void add_number(const struct hasher *h, uint64_t n)
{
	add(h, &n, sizeof n);
}

static void add_buffer(const struct hasher *h, const struct plan_buffer *b)
{
	add_number(h, b->placement);
	add_number(h, b->base_bit);
	add_number(h, b->together);
	add_number(h, b->n_pages);
	if (b->placement == PLACE_STATIC)
		add(h, b->stack, b->n_pages * sizeof *b->stack);
}

static void add_lists(const struct hasher *h, const struct plan_lists *l)
{
	add_number(h, l->n);
	add_number(h, l->steal);
	add(h, l->first, ((size_t)l->n + 1) * sizeof *l->first);
	add(h, l->cta, l->first[l->n] * sizeof *l->cta);
}

static void add_locality(const struct hasher *h, const struct locality_entry *l)
{
	add_number(h, l->base);
	add_number(h, l->bound);
	add_number(h, l->distance);
	add_number(h, l->priority);
	add_number(h, l->caching);
	add_number(h, l->prefetch);
}

static void add_tiles(const struct hasher *h, const struct plan_tiles *t)
{
	add_number(h, t->n_distances);
	if (!t->n_distances)
		return;
	add(h, t->c_tile, sizeof t->c_tile);
	add(h, t->n, sizeof t->n);
	add(h, t->distance, t->n_distances * sizeof *t->distance);
}

static void add_launch(const struct hasher *h, const struct plan *p, const struct plan_launch *l)
{
	add_number(h, l->dispatch);
	if (l->dispatch == DISPATCH_AFFINITY)
		add(h, l->blocks, p->n_modules * sizeof *l->blocks);
	if (l->dispatch == DISPATCH_LISTS || l->dispatch == DISPATCH_GROUPS)
		add_lists(h, l->lists);
	add_number(h, l->n_localities);
	for (uint32_t i = 0; i < l->n_localities; i++) {
		add_locality(h, &l->locality[i]);
		if (l->tiles)
			add_tiles(h, &l->tiles[i]);
	}
}

static void add_all(const struct hasher *h, const struct plan *p)
{
	add(h, p->name, strlen(p->name));
	for (uint32_t i = 0; p->buffer && i < p->n_buffers; i++)
		add_buffer(h, &p->buffer[i]);
	for (uint32_t i = 0; p->launch && i < p->n_launches; i++)
		add_launch(h, p, &p->launch[i]);
	add_number(h, p->locality.caching);
	add_number(h, p->locality.prefetch);
	add_number(h, p->locality.bypass_l2);
	add_number(h, p->n_sms);
	add_number(h, p->n_modules);
	if (p->module_of_sm)
		add(h, p->module_of_sm, p->n_sms * sizeof *p->module_of_sm);
	add_number(h, p->n_programs);
	if (p->program_of_sm)
		add(h, p->program_of_sm, p->n_sms * sizeof *p->program_of_sm);
}

uint64_t plan_hash(const struct plan *p)
{
	struct hasher h = {XXH64_createState()};
	uint64_t hash;

	if (!p || !h.state) {
		XXH64_freeState(h.state);
		return 0;
	}
	XXH64_reset(h.state, 0);
	add_all(&h, p);
	hash = XXH64_digest(h.state);
	XXH64_freeState(h.state);
	return hash;
}
