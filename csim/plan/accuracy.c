#include "plan/accuracy.h"

#include "plan/access_scan.h"
#include "plan/tafe.h"
#include "taf/footprint.h"

/* ---- as it is ---- */

struct real {
	const struct planner_request *req;
	struct plan_modules modules;
	struct plan_touched *by;
};

static void touch(void *ctx, const struct scanned_access *e)
{
	struct real *x = ctx;
	uint32_t page = x->req->topology->page, module = plan_modules_at(&x->modules, e->launch, e->cta);
	uint64_t first = trace_buffer(x->req->trace, e->buffer)->base / page;

	if (module != PLAN_NO_MODULE)
		x->by[e->buffer].real[e->addr / page - first] |= UINT64_C(1) << module;
}

/* ---- as it was estimated ---- */

static void estimate(const struct planner_request *req, const struct plan_module_maps *modules, const struct trace_buffer *b,
		     struct plan_touched *t)
{
	uint32_t page = req->topology->page;

	t->patterns = tafe_patterns(req->taf, b);
	if (!t->patterns)
		return;
	t->estimated = arena_array(req->arena, t->n_pages, sizeof *t->estimated);
	for (int i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &req->taf->array[i];

		if (!taf_is_first_entry(req->taf, i) || a->base < b->base || a->base >= b->base + b->size)
			continue;
		t->data |= tafe_by_data(req->taf, a->base);
		tafe_page_users(req, a->base, modules, &t->estimated[a->base / page - b->base / page]);
	}
}

int plan_touched(const struct plan *p, const struct planner_request *req, struct plan_touched *by, struct err *e)
{
	struct real x = {.req = req, .by = by};
	struct plan_module_maps modules;
	uint32_t page = req->topology->page;

	if (plan_modules_of_grid(&modules, p, req, req->taf->grid, e) != 0)
		return -1;
	for (uint32_t b = 0; b < p->n_buffers; b++) {
		const struct trace_buffer *t = trace_buffer(req->trace, b);

		by[b] = (struct plan_touched){.n_pages = (uint32_t)((t->base + t->size - 1) / page - t->base / page + 1)};
		by[b].real = arena_array(req->arena, by[b].n_pages, sizeof *by[b].real);
		estimate(req, &modules, t, &by[b]);
	}
	plan_modules_init(&x.modules, p, req, req->arena);
	return access_scan_walk(req->trace, touch, &x, e);
}

/* ---- both ---- */

static uint64_t bits(uint64_t x)
{
	return (uint64_t)__builtin_popcountll(x);
}

void plan_accuracy_add(struct plan_accuracy *to, const struct plan_touched *t, uint32_t n_modules)
{
	for (uint32_t i = 0; t->estimated && i < t->n_pages; i++) {
		to->pages++;
		to->true_pos += bits(t->estimated[i] & t->real[i]);
		to->false_pos += bits(t->estimated[i] & ~t->real[i]);
		to->false_neg += bits(~t->estimated[i] & t->real[i]);
		to->true_neg += n_modules - bits(t->estimated[i] | t->real[i]);
	}
}

double plan_accuracy_share(const struct plan_accuracy *a)
{
	uint64_t right = a->true_pos + a->true_neg, all = right + a->false_pos + a->false_neg;

	return all ? (double)right / (double)all : 1;
}
