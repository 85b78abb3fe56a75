/* Functional warming: what CTAs that are passed over leave in the L2 (docs/how-to/sample-long-programs.md).
 *
 * Its accesses to global memory go through the slices' tags without time: those of as many CTAs as the SMs hold at once
 * side by side, an access of each warp in turn, then the next so many. L1s and constant caches need none of it: they
 * are emptied at the begin of each launch. Rows of DRAM stay as they were.
 */
#include <stdlib.h>

#include "base/alloc.h"
#include "run/gpu_impl.h"
#include "sm/lsu/coalesce.h"
#include "trace/walk.h"

enum { WAVE = 256 /* CTAs at most: their traces are in memory together */ };

struct warm_cta {
	struct trace_cta trace;
	struct trace_cursor at[TRACE_MAX_WARPS];
	uint16_t requester;
};

struct warming {
	struct gpu *g;
	const struct trace_kernel *kernel;
	struct sectors asked; /* by which L1s read */
	uint32_t line;
	struct warm_cta *cta;
	uint32_t n, room; /* of the wave; CTAs that there is memory for */
};

static enum req_kind kind_of(enum trace_op op)
{
	return op == OP_LOAD ? REQ_READ : op == OP_STORE ? REQ_WRITE : REQ_ATOMIC;
}

static void warm_line(const struct warming *w, uint16_t requester, enum req_kind kind, const struct coalesce_tx *t)
{
	struct mem_req r = {.addr = t->line,
			    .mask = {t->mask[0], t->mask[1]},
			    .kind = kind,
			    .requester = requester,
			    .bytes = (uint16_t)w->line,
			    .buffer = UINT16_MAX};

	if (kind == REQ_READ)
		sectors_bytes(&w->asked, sectors_touched(&w->asked, t->mask), r.mask);
	memsys_warm(w->g->memsys, &r, w->g->loop.now);
}

static void warm_access(const struct warming *w, const struct warm_cta *c, const struct trace_access *a)
{
	struct coalesce_tx tx[COALESCE_MAX];
	struct trace_addr addr = trace_addr_at(&c->trace, a->addr);
	uint32_t n = coalesce_lines(&addr, c->trace.lanes, a->mask, a->inst->width, w->line, tx);

	for (uint32_t i = 0; i < n; i++)
		warm_line(w, c->requester, kind_of(a->inst->op), &tx[i]);
}

/* The next access of a warp to global memory; false: it has none left. */
static bool step_warp(const struct warming *w, struct warm_cta *c, uint32_t warp)
{
	struct trace_access a;

	while (trace_next_access(w->kernel, &c->trace, &c->at[warp], &a))
		if (a.inst->space == SPACE_GLOBAL || a.inst->space == SPACE_TEX) {
			warm_access(w, c, &a);
			return true;
		}
	return false;
}

static void warm_wave(struct warming *w)
{
	bool more = true;

	while (more) {
		more = false;
		for (uint32_t c = 0; c < w->n; c++)
			for (uint32_t i = 0; i < w->cta[c].trace.n_warps; i++)
				more |= step_warp(w, &w->cta[c], i);
	}
}

static int read_wave(struct warming *w, uint32_t launch, uint32_t first, uint32_t end, struct err *e)
{
	uint32_t left = end - first;

	w->n = left < w->room ? left : w->room;
	for (uint32_t i = 0; i < w->n; i++) {
		struct warm_cta *c = &w->cta[i];

		if (trace_read_cta(w->g->trace, launch, first + i, &c->trace, e) != 0)
			return -1;
		for (uint32_t k = 0; k < c->trace.n_warps; k++)
			c->at[k] = trace_cursor_of(&c->trace, k);
		c->requester = (uint16_t)((first + i) % w->g->m->sm.count);
	}
	return 0;
}

static uint32_t wave_of(const struct gpu *g, uint32_t launch, uint32_t ctas)
{
	uint64_t n = (uint64_t)g->m->sm.count * g->limit[launch];

	n = n < WAVE ? n : WAVE;
	return n < ctas ? (uint32_t)n : ctas;
}

int gpu_warm_ctas(struct gpu *g, uint32_t launch, uint32_t first, uint32_t end, struct err *e)
{
	const struct trace_launch *l = trace_launch(g->trace, launch);
	struct warming w = {.g = g,
			    .kernel = trace_kernel(g->trace, l->kernel),
			    .line = g->m->l2.c.line,
			    .room = wave_of(g, launch, end - first)};
	int rc = 0;

	w.asked = sectors_of_lines(w.line, machine_cache_sectors(&g->m->l1.c));
	w.cta = xcalloc(w.room + 1, sizeof *w.cta);
	for (uint32_t c = first; c < end && !rc; c += w.n) {
		rc = read_wave(&w, launch, c, end, e);
		if (!rc)
			warm_wave(&w);
	}
	for (uint32_t i = 0; i < w.room; i++)
		trace_cta_free(&w.cta[i].trace);
	free(w.cta);
	return rc;
}
