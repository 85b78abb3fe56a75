/* Reader sets from what was executed. */
#include "plan/locality_collect.h"
#include "trace/walk.h"

struct reading { /* of one launch */
	struct trace *t;
	struct collect *to;
	struct trace_cta cta;
	int last; /* the buffer that was found last; -1: none yet */
};

static int buffer_of(struct reading *r, uint64_t addr)
{
	const struct trace_buffer *b = r->last < 0 ? NULL : trace_buffer(r->t, (uint32_t)r->last);

	if (!b || addr < b->base || addr - b->base >= b->size)
		r->last = trace_buffer_of(r->t, addr);
	return r->last;
}

static void tell(struct reading *r, uint64_t addr, uint64_t bytes, uint32_t width)
{
	int b = buffer_of(r, addr);

	if (b >= 0)
		collect_read(r->to, (uint32_t)b, addr - trace_buffer(r->t, (uint32_t)b)->base, bytes, width);
}

static bool is_read(const struct trace_inst *i)
{
	return i->op == OP_LOAD && (i->space == SPACE_GLOBAL || i->space == SPACE_TEX);
}

static void see(void *ctx, const struct trace_access *a)
{
	struct reading *r = ctx;
	uint32_t width = a->inst->width, mask = a->mask, first = (uint32_t)__builtin_ctz(mask);
	uint64_t lane[TRACE_WARP_SIZE], begin, end;

	if (!is_read(a->inst))
		return;
	trace_addr_expand(&r->cta, a->addr, mask, lane);
	begin = lane[first];
	end = begin + width;
	for (mask &= mask - 1; mask; mask &= mask - 1) {
		uint64_t at = lane[__builtin_ctz(mask)];

		if (at >= begin && at <= end) { /* the same as the last one or beside it: told together */
			end = at + width > end ? at + width : end;
			continue;
		}
		tell(r, begin, end - begin, width);
		begin = at;
		end = at + width;
	}
	tell(r, begin, end - begin, width);
}

static uint32_t narrowest_load(const struct trace_kernel *k)
{
	uint32_t least = 16;

	for (uint32_t i = 0; i < k->n_inst; i++)
		if (is_read(&k->inst[i]) && k->inst[i].width && k->inst[i].width < least)
			least = k->inst[i].width;
	return least;
}

int locality_readers_trace(struct locality_readers *r, const struct plan_ask *ask, uint32_t launch, bool lines, struct err *e)
{
	const struct trace_launch *l = trace_launch(ask->trace, launch);
	const struct trace_kernel *k = trace_kernel(ask->trace, l->kernel);
	struct reading x = {.t = ask->trace, .last = -1};
	int rc = 0;

	*r = (struct locality_readers){0};
	if (l->n_ctas > COLLECT_MAX_CTAS)
		return err_set(e, "launch %u has %u CTAs; a locality graph has at most %u", launch, l->n_ctas, COLLECT_MAX_CTAS);
	x.to = collect_new(l->n_ctas, trace_n_buffers(ask->trace), lines ? LOCALITY_LINE : narrowest_load(k), lines);
	for (uint32_t i = 0; i < l->n_ctas && !rc; i++) {
		rc = trace_read_cta(ask->trace, launch, i, &x.cta, e);
		if (!rc) {
			trace_walk_cta(k, &x.cta, see, &x);
			collect_cta_end(x.to, i);
		}
	}
	trace_cta_free(&x.cta);
	collect_finish(x.to, r);
	for (uint32_t i = 0; i < k->n_inst; i++)
		r->loads.exact += is_read(&k->inst[i]);
	if (rc)
		locality_readers_free(r);
	return rc;
}
