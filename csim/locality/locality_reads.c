#include "locality/locality_reads.h"

#include <stdlib.h>

#include "trace/walk.h"

struct reading {
	struct trace *t;
	locality_see *see;
	void *ctx;
	struct trace_cta cta;
	int last; /* the buffer that was found last; -1: none yet */
	struct locality_read read;
};

static bool is_read(const struct trace_inst *i)
{
	return i->op == OP_LOAD && (i->space == SPACE_GLOBAL || i->space == SPACE_TEX) && i->width;
}

uint32_t locality_narrowest(const struct trace_kernel *k)
{
	uint32_t least = 16;

	for (uint32_t i = 0; i < k->n_inst; i++)
		if (is_read(&k->inst[i]) && k->inst[i].width < least)
			least = k->inst[i].width;
	return least;
}

uint32_t locality_count_loads(const struct trace_kernel *k)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < k->n_inst; i++)
		n += is_read(&k->inst[i]);
	return n;
}

static int buffer_of(struct reading *r, uint64_t addr)
{
	const struct trace_buffer *b = r->last < 0 ? NULL : trace_buffer(r->t, (uint32_t)r->last);

	if (!b || addr < b->base || addr - b->base >= b->size)
		r->last = trace_buffer_of(r->t, addr);
	return r->last;
}

static void report(struct reading *r, uint64_t addr, uint64_t bytes)
{
	int b = buffer_of(r, addr);

	if (b < 0)
		return;
	r->read.buffer = (uint32_t)b;
	r->read.offset = addr - trace_buffer(r->t, (uint32_t)b)->base;
	r->read.bytes = bytes;
	r->see(r->ctx, &r->read);
}

static int ascending(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

/* The active lanes' addresses without gaps, ascending. */
static uint32_t sorted_lanes(const struct reading *r, const struct trace_access *a, uint64_t at[TRACE_WARP_SIZE])
{
	uint64_t lane[TRACE_WARP_SIZE];
	uint32_t n = 0;
	bool in_order = true;

	trace_addr_expand(&r->cta, a->addr, a->mask, lane);
	for (uint32_t mask = a->mask; mask; mask &= mask - 1) {
		at[n] = lane[__builtin_ctz(mask)];
		in_order &= !n || at[n] >= at[n - 1];
		n++;
	}
	if (!in_order)
		qsort(at, n, sizeof *at, ascending);
	return n;
}

static void see_access(void *ctx, const struct trace_access *a)
{
	struct reading *r = ctx;
	uint64_t at[TRACE_WARP_SIZE], begin, end;
	uint32_t n;

	if (!is_read(a->inst))
		return;
	r->read.warp = a->warp;
	r->read.width = a->inst->width;
	n = sorted_lanes(r, a, at);
	begin = at[0];
	end = begin + r->read.width;
	for (uint32_t i = 1; i < n; i++) {
		if (at[i] > end) {
			report(r, begin, end - begin);
			begin = at[i];
		}
		end = at[i] + r->read.width;
	}
	report(r, begin, end - begin);
}

int locality_reads(struct trace *t, uint32_t launch, locality_see *see, void (*cta_end)(void *ctx, uint32_t cta), void *ctx,
		   struct err *e)
{
	const struct trace_launch *l = trace_launch(t, launch);
	const struct trace_kernel *k = trace_kernel(t, l->kernel);
	struct reading r = {.t = t, .see = see, .ctx = ctx, .last = -1};
	int rc = 0;

	for (uint32_t i = 0; i < l->n_ctas && !rc; i++) {
		r.read.cta = i;
		rc = trace_read_cta(t, launch, i, &r.cta, e);
		if (rc)
			break;
		trace_walk_cta(k, &r.cta, see_access, &r);
		if (cta_end)
			cta_end(ctx, i);
	}
	trace_cta_free(&r.cta);
	return rc;
}
