/* Strides from a trace: what static analysis cannot know because the input decides it.
 *
 * The trace shows how often CTAs of each module touch each page. Three strides are tried: the slope of the line through
 * (CTA, offset) over all accesses; the part of the buffer that is used, and all of the buffer, divided by the CTAs. The
 * one under which most accesses find their page in their CTA's module is taken. The buffer counts as regular if these
 * are more than half of all; otherwise it is shared if even the best placement page by page would not get there.
 */
#include <string.h>

#include "plan/stride.h"

struct use { /* of one buffer by the launches of the first kernel that touches it */
	uint32_t kernel, launch, n_pages;
	bool seen;
	uint32_t *count; /* by page and module */
	uint64_t total, least, most;
	double n, x, y, xx, xy; /* sums for the slope; x: CTA, y: offset */
};

struct profile {
	const struct plan *plan;
	const struct planner_request *req;
	struct use *use;
};

static void note(void *ctx, const struct scanned_access *e)
{
	struct profile *p = ctx;
	struct use *u = &p->use[e->buffer];
	const struct trace_launch *l = trace_launch(p->req->trace, e->launch);
	uint64_t base = trace_buffer(p->req->trace, e->buffer)->base, offset = e->addr - base;
	uint32_t module = plan_module_of(&p->plan->launch[e->launch], p->plan->n_modules, e->cta);

	if (!u->seen) {
		u->seen = true;
		u->kernel = l->kernel;
		u->launch = e->launch;
		u->least = UINT64_MAX;
	}
	if (l->kernel != u->kernel)
		return;
	if (trace_launch(p->req->trace, u->launch)->n_ctas < l->n_ctas)
		u->launch = e->launch;
	u->count[(e->addr / p->req->topology->page - base / p->req->topology->page) * p->plan->n_modules + module]++;
	u->total++;
	u->least = offset < u->least ? offset : u->least;
	u->most = offset > u->most ? offset : u->most;
	u->n++;
	u->x += e->cta;
	u->y += (double)offset;
	u->xx += (double)e->cta * e->cta;
	u->xy += (double)e->cta * (double)offset;
}

static double slope(const struct use *u)
{
	double spread = u->n * u->xx - u->x * u->x;

	return spread > 0 ? (u->n * u->xy - u->x * u->y) / spread : 0;
}

/* The share of the accesses that find their page in the module of its CTA with that stride; 0 if a chunk is less than a
 * page. */
static double local_share(const struct profile *p, uint32_t buffer, uint64_t stride)
{
	const struct use *u = &p->use[buffer];
	const uint32_t *blocks = p->plan->launch[u->launch].blocks;
	uint32_t n = p->plan->n_modules, page = p->req->topology->page;
	uint64_t *bytes = arena_array(p->req->arena, n, sizeof *bytes), local = 0;
	struct stride_map m = {.base = trace_buffer(p->req->trace, buffer)->base, .den = 1, .n_modules = n, .bytes = bytes};

	for (uint32_t h = 0; h < n; h++) {
		bytes[h] = stride * blocks[h];
		m.turn += bytes[h];
		if (blocks[h] && bytes[h] < page)
			return 0;
	}
	for (uint32_t i = 0; i < u->n_pages; i++)
		local += u->count[(size_t)i * n + stride_module(&m, (m.base / page + i) * page + page / 2)];
	return (double)local / (double)u->total;
}

/* What the best placement of each page would keep local. */
static double best_share(const struct profile *p, const struct use *u)
{
	uint32_t n = p->plan->n_modules;
	uint64_t local = 0;

	for (uint32_t i = 0; i < u->n_pages; i++) {
		uint32_t most = 0;

		for (uint32_t h = 0; h < n; h++)
			most = u->count[(size_t)i * n + h] > most ? u->count[(size_t)i * n + h] : most;
		local += most;
	}
	return (double)local / (double)u->total;
}

static struct stride judge(const struct profile *p, uint32_t buffer)
{
	const struct use *u = &p->use[buffer];
	struct arena *a = p->req->arena;
	struct stride s = {.den = 1, .launch = u->launch};
	double share = 0, fits;
	uint64_t ctas;

	if (!u->seen)
		return (struct stride){.why = ""};
	ctas = trace_launch(p->req->trace, u->launch)->n_ctas;
	uint64_t reach = (u->most + ACCESS_SCAN_LINE - u->least) / ctas, part = trace_buffer(p->req->trace, buffer)->size / ctas;
	const double tried[] = {slope(u) + 0.5, (double)reach, (double)part};

	for (unsigned i = 0; i < sizeof tried / sizeof tried[0]; i++) {
		uint64_t stride = tried[i] >= 1 ? (uint64_t)tried[i] : 0;
		double got = stride ? local_share(p, buffer, stride) : 0;

		if (got > share) {
			share = got;
			s.num = stride;
		}
	}
	fits = best_share(p, u);
	s.verdict = share > 0.5 ? STRIDE_REGULAR : fits > 0.5 ? STRIDE_IRREGULAR : STRIDE_SHARED;
	s.why = s.verdict == STRIDE_REGULAR
			? arena_printf(a, "%.0f %% of its accesses find their page in their CTA's module", 100 * share)
		: s.verdict == STRIDE_SHARED
			? arena_printf(a, "at best %.0f %% of its accesses would find their page in their CTA's module", 100 * fits)
			: arena_printf(a, "with no stride more than %.0f %% of its accesses find their page in their CTA's module",
				       100 * share);
	return s;
}

int stride_profile(const struct plan *p, const struct planner_request *req, struct stride *by, struct err *e)
{
	struct arena tmp = {0};
	struct profile f = {.plan = p, .req = req, .use = arena_array(&tmp, p->n_buffers, sizeof *f.use)};
	uint64_t page = req->topology->page;
	int rc;

	for (uint32_t b = 0; b < p->n_buffers; b++) {
		const struct trace_buffer *t = trace_buffer(req->trace, b);

		f.use[b].n_pages = (uint32_t)((t->base + t->size - 1) / page - t->base / page + 1);
		f.use[b].count = arena_array(&tmp, (size_t)f.use[b].n_pages * p->n_modules, sizeof *f.use[b].count);
	}
	rc = access_scan_walk(req->trace, note, &f, e);
	for (uint32_t b = 0; b < p->n_buffers && !rc; b++)
		by[b] = judge(&f, b);
	arena_free(&tmp);
	return rc;
}
