#include "plan/expected_traffic.h"

#include "plan/cta_modules.h"

struct expect {
	const struct plan *plan;
	const struct planner_request *req;
	struct plan_modules modules;
	struct plan_expected *by;
	uint64_t **toucher; /* by buffer and page: launch << 32 | CTA of the first touch, plus 1; first touch only */
};

/* The stack of an address; n_stacks if that depends on who touches it first, or on its frame. */
static uint32_t stack_of(const struct plan *p, const struct planner_request *req, uint32_t buffer, uint64_t addr)
{
	const struct topology_view *s = req->topology;
	const struct plan_buffer *b = p->buffer ? &p->buffer[buffer] : NULL;
	uint64_t base = trace_buffer(req->trace, buffer)->base;

	switch (b ? b->placement : PLACE_DEFAULT) {
	case PLACE_PAGES:
		return topology_view_cgp(s, addr);
	case PLACE_FIRST_TOUCH:
	case PLACE_XOR:
		return s->n_stacks;
	case PLACE_STATIC:
		return b->stack[addr / s->page - base / s->page];
	case PLACE_BASE_BIT:
		return (uint32_t)(addr >> b->base_bit) & (s->n_stacks - 1);
	default:
		return topology_view_fgp(s, addr);
	}
}

/* Expected share of remote ones among the accesses that a CTA makes to something at `module`. */
static double remote_from(const struct expect *x, const struct scanned_access *e, uint32_t module)
{
	const struct topology_view *s = x->req->topology;
	struct plan_program program = plan_program_of_launch(x->req, e->launch);
	uint32_t sms = 0, own = plan_modules_at(&x->modules, e->launch, e->cta);

	if (module >= s->n_modules)
		return 1;
	if (own != PLAN_NO_MODULE)
		return own != module;
	for (uint32_t h = program.first_module; h < program.first_module + program.n_modules; h++)
		sms += s->sms[h];
	return 1 - (double)(module - program.first_module < program.n_modules ? s->sms[module] : 0) / sms;
}

/* All stacks are as likely. */
static double hashed(const struct expect *x, const struct scanned_access *e)
{
	const struct topology_view *s = x->req->topology;
	double sum = 0;

	for (uint32_t k = 0; k < s->n_stacks; k++)
		sum += remote_from(x, e, s->module_of_stack[k]);
	return sum / s->n_stacks;
}

static double first_touch(struct expect *x, const struct scanned_access *e)
{
	uint64_t base = trace_buffer(x->req->trace, e->buffer)->base, page = x->req->topology->page;
	uint64_t together = x->plan->buffer[e->buffer].together, block = together > page ? together : page;
	uint64_t *by = &x->toucher[e->buffer][e->addr / block - base / block], self = ((uint64_t)e->launch << 32 | e->cta) + 1;
	uint32_t launch, cta, module;

	if (!*by)
		*by = self;
	if (*by == self)
		return 0;
	launch = (uint32_t)((*by - 1) >> 32);
	cta = (uint32_t)(*by - 1);
	module = plan_modules_at(&x->modules, launch, cta);
	if (module != PLAN_NO_MODULE)
		return remote_from(x, e, module);
	return 1 - 1.0 / plan_program_of_launch(x->req, e->launch).n_modules;
}

static void count(void *ctx, const struct scanned_access *e)
{
	struct expect *x = ctx;
	uint32_t stack = stack_of(x->plan, x->req, e->buffer, e->addr);
	const struct topology_view *s = x->req->topology;

	x->by[e->buffer].lines++;
	if (stack < s->n_stacks)
		x->by[e->buffer].remote += remote_from(x, e, s->module_of_stack[stack]);
	else
		x->by[e->buffer].remote += x->plan->buffer[e->buffer].placement == PLACE_XOR ? hashed(x, e) : first_touch(x, e);
}

static uint64_t pages_of(const struct planner_request *req, uint32_t buffer)
{
	const struct trace_buffer *t = trace_buffer(req->trace, buffer);

	return (t->base + t->size - 1) / req->topology->page - t->base / req->topology->page + 1;
}

int plan_expect(const struct plan *p, const struct planner_request *req, struct plan_expected *by, struct plan_expected *sum,
		struct err *e)
{
	struct arena tmp = {0};
	struct expect x = {.plan = p, .req = req, .by = by, .toucher = arena_array(&tmp, p->n_buffers, sizeof *x.toucher)};
	int rc;

	*sum = (struct plan_expected){0};
	plan_modules_init(&x.modules, p, req, &tmp);
	for (uint32_t b = 0; b < p->n_buffers; b++) {
		by[b] = (struct plan_expected){0};
		if (p->buffer && p->buffer[b].placement == PLACE_FIRST_TOUCH)
			x.toucher[b] = arena_array(&tmp, pages_of(req, b), sizeof *x.toucher[b]);
	}
	rc = access_scan_walk(req->trace, count, &x, e);
	for (uint32_t b = 0; b < p->n_buffers; b++) {
		sum->lines += by[b].lines;
		sum->remote += by[b].remote;
	}
	arena_free(&tmp);
	return rc;
}

bool plan_pages_on(const struct plan *p, const struct planner_request *req, uint32_t buffer, double *count_of)
{
	const struct topology_view *s = req->topology;
	uint64_t first = trace_buffer(req->trace, buffer)->base / s->page, n = pages_of(req, buffer);
	enum plan_placement placement = p->buffer ? p->buffer[buffer].placement : PLACE_DEFAULT;

	for (uint32_t k = 0; k < s->n_stacks; k++)
		count_of[k] = placement == PLACE_STATIC || placement == PLACE_PAGES ? 0 : (double)n / s->n_stacks;
	if (placement == PLACE_STATIC || placement == PLACE_PAGES)
		for (uint64_t i = 0; i < n; i++)
			count_of[placement == PLACE_STATIC ? p->buffer[buffer].stack[i]
							   : topology_view_cgp(s, (first + i) * s->page)]++;
	return placement != PLACE_FIRST_TOUCH;
}

/* ---- pages by who touches them ---- */

struct toll { /* of a page */
	uint32_t n, cta[PAGES_MAX_CTAS];
	uint32_t module;
	bool modules; /* touched from more than one module */
};

struct pages {
	const struct plan *plan;
	const struct planner_request *req;
	struct toll **page; /* by buffer */
};

static void touch(void *ctx, const struct scanned_access *e)
{
	struct pages *x = ctx;
	uint64_t page = x->req->topology->page, base = trace_buffer(x->req->trace, e->buffer)->base;
	struct toll *t = &x->page[e->buffer][e->addr / page - base / page];
	uint32_t module = plan_module_of(&x->plan->launch[e->launch], x->plan->n_modules, e->cta);

	if (!t->n)
		t->module = module;
	t->modules |= t->module != module;
	for (uint32_t i = 0; i < t->n && i < PAGES_MAX_CTAS; i++)
		if (t->cta[i] == e->cta)
			return;
	if (t->n < PAGES_MAX_CTAS)
		t->cta[t->n] = e->cta;
	t->n += t->n <= PAGES_MAX_CTAS;
}

static unsigned bin_of(uint32_t ctas)
{
	unsigned bin = 0;

	for (uint32_t most = 1; bin + 1 < PAGES_BINS && ctas > most; most *= 2)
		bin++;
	return bin;
}

static void add_pages(struct plan_pages *to, const struct toll *t)
{
	if (!t->n) {
		to->untouched++;
		return;
	}
	to->touched++;
	to->by_ctas[bin_of(t->n)]++;
	to->one_module += !t->modules;
}

int plan_pages(const struct plan *p, const struct planner_request *req, struct plan_pages *by, struct plan_pages *sum,
	       struct err *e)
{
	struct arena tmp = {0};
	struct pages x = {.plan = p, .req = req, .page = arena_array(&tmp, p->n_buffers, sizeof *x.page)};
	int rc;

	*sum = (struct plan_pages){0};
	for (uint32_t b = 0; b < p->n_buffers; b++)
		x.page[b] = arena_array(&tmp, pages_of(req, b), sizeof *x.page[b]);
	rc = access_scan_walk(req->trace, touch, &x, e);
	for (uint32_t b = 0; b < p->n_buffers && !rc; b++) {
		by[b] = (struct plan_pages){0};
		for (uint64_t i = 0; i < pages_of(req, b); i++) {
			add_pages(&by[b], &x.page[b][i]);
			add_pages(sum, &x.page[b][i]);
		}
	}
	arena_free(&tmp);
	return rc;
}

const char *plan_pages_category(const struct plan_pages *sum)
{
	double n = sum->touched ? (double)sum->touched : 1, one_cta = (double)sum->by_ctas[0] / n,
	       one_module = (double)sum->one_module / n;

	return one_cta > 0.9	  ? "block exclusive"
	       : one_module > 0.9 ? "core exclusive"
	       : one_cta > 0.6	  ? "block majority"
	       : one_module > 0.6 ? "core majority"
				  : "sharing";
}
