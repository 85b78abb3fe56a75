#include "plan/access_scan.h"

#include <stdlib.h>

#include "trace/walk.h"

struct access_scan {
	struct trace *t;
	access_scan_visit *visit;
	void *ctx;
	struct scanned_access event;
	struct trace_cta cta;
	int last; /* the buffer that was found last */
};

static int by_address(const void *x, const void *y)
{
	uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;

	return a < b ? -1 : a > b;
}

static int buffer_of(struct access_scan *c, uint64_t addr)
{
	const struct trace_buffer *b = c->last < 0 ? NULL : trace_buffer(c->t, (uint32_t)c->last);

	if (!b || addr < b->base || addr - b->base >= b->size)
		c->last = trace_buffer_of(c->t, addr);
	return c->last;
}

static void report(struct access_scan *c, uint64_t addr)
{
	int b = buffer_of(c, addr);

	if (b < 0)
		return;
	c->event.buffer = (uint32_t)b;
	c->event.addr = addr;
	c->visit(c->ctx, &c->event);
}

static void report_access(struct access_scan *c, uint32_t addr, uint32_t mask, const struct trace_inst *i)
{
	uint64_t lane[TRACE_WARP_SIZE], first[2 * TRACE_WARP_SIZE];
	unsigned n = 0;

	trace_addr_expand(&c->cta, addr, mask, lane);
	for (; mask; mask &= mask - 1) {
		uint64_t at = lane[__builtin_ctz(mask)], end = at + i->width - 1;

		first[n++] = at;
		if (end / ACCESS_SCAN_LINE != at / ACCESS_SCAN_LINE)
			first[n++] = end / ACCESS_SCAN_LINE * ACCESS_SCAN_LINE;
	}
	for (unsigned k = 1; k < n; k++) { /* as a rule they ascend */
		if (first[k] < first[k - 1]) {
			qsort(first, n, sizeof *first, by_address);
			break;
		}
	}
	c->event.write = i->op == OP_STORE;
	for (unsigned k = 0; k < n; k++)
		if (!k || first[k] / ACCESS_SCAN_LINE != first[k - 1] / ACCESS_SCAN_LINE)
			report(c, first[k]);
}

static void see(void *ctx, const struct trace_access *a)
{
	struct access_scan *c = ctx;

	if (a->inst->space == SPACE_GLOBAL || a->inst->space == SPACE_TEX)
		report_access(c, a->addr, a->mask, a->inst);
}

int access_scan_walk(struct trace *t, access_scan_visit *visit, void *ctx, struct err *e)
{
	struct access_scan c = {.t = t, .visit = visit, .ctx = ctx, .last = -1};
	int rc = 0;

	for (uint32_t l = 0; l < trace_n_launches(t) && !rc; l++) {
		const struct trace_launch *launch = trace_launch(t, l);

		for (uint32_t i = 0; i < launch->n_ctas && !rc; i++) {
			rc = trace_read_cta(t, l, i, &c.cta, e);
			c.event.launch = l;
			c.event.cta = i;
			if (!rc)
				trace_walk_cta(trace_kernel(t, launch->kernel), &c.cta, see, &c);
		}
	}
	trace_cta_free(&c.cta);
	return rc;
}
