#include "plan/accuracy.h"

#include "plan/access_scan.h"
#include "plan/tafe.h"
#include "taf/footprint.h"

/* ---- as it is ---- */

struct real {
	const struct plan_ask *ask;
	struct plan_homes homes;
	struct plan_touched *by;
};

static void touch(void *ctx, const struct census_event *e)
{
	struct real *x = ctx;
	uint32_t page = x->ask->site->page, home = plan_homes_at(&x->homes, e->launch, e->cta);
	uint64_t first = trace_buffer(x->ask->trace, e->buffer)->base / page;

	if (home != PLAN_NO_HOME)
		x->by[e->buffer].real[e->addr / page - first] |= UINT64_C(1) << home;
}

/* ---- as it was estimated ---- */

static void estimate(const struct plan_ask *ask, const struct plan_home_maps *homes, const struct trace_buffer *b,
		     struct plan_touched *t)
{
	uint32_t page = ask->site->page;

	t->patterns = tafe_patterns(ask->taf, b);
	if (!t->patterns)
		return;
	t->estimated = arena_array(ask->arena, t->n_pages, sizeof *t->estimated);
	for (int i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &ask->taf->array[i];

		if (!taf_is_first_entry(ask->taf, i) || a->base < b->base || a->base >= b->base + b->size)
			continue;
		t->data |= tafe_by_data(ask->taf, a->base);
		tafe_page_users(ask, a->base, homes, &t->estimated[a->base / page - b->base / page]);
	}
}

int plan_touched(const struct plan *p, const struct plan_ask *ask, struct plan_touched *by, struct err *e)
{
	struct real x = {.ask = ask, .by = by};
	struct plan_home_maps homes;
	uint32_t page = ask->site->page;

	if (plan_homes_of_grid(&homes, p, ask, ask->taf->grid, e) != 0)
		return -1;
	for (uint32_t b = 0; b < p->n_buffers; b++) {
		const struct trace_buffer *t = trace_buffer(ask->trace, b);

		by[b] = (struct plan_touched){.n_pages = (uint32_t)((t->base + t->size - 1) / page - t->base / page + 1)};
		by[b].real = arena_array(ask->arena, by[b].n_pages, sizeof *by[b].real);
		estimate(ask, &homes, t, &by[b]);
	}
	plan_homes_init(&x.homes, p, ask, ask->arena);
	return census_walk(ask->trace, touch, &x, e);
}

/* ---- both ---- */

static uint64_t bits(uint64_t x)
{
	return (uint64_t)__builtin_popcountll(x);
}

void plan_accuracy_add(struct plan_accuracy *to, const struct plan_touched *t, uint32_t n_homes)
{
	for (uint32_t i = 0; t->estimated && i < t->n_pages; i++) {
		to->pages++;
		to->true_pos += bits(t->estimated[i] & t->real[i]);
		to->false_pos += bits(t->estimated[i] & ~t->real[i]);
		to->false_neg += bits(~t->estimated[i] & t->real[i]);
		to->true_neg += n_homes - bits(t->estimated[i] | t->real[i]);
	}
}

double plan_accuracy_share(const struct plan_accuracy *a)
{
	uint64_t right = a->true_pos + a->true_neg, all = right + a->false_pos + a->false_neg;

	return all ? (double)right / (double)all : 1;
}
