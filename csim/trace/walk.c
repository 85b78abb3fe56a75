#include "trace/walk.h"

struct trace_cursor trace_cursor_of(const struct trace_cta *c, uint32_t warp)
{
	return (struct trace_cursor){.warp = warp, .run = c->warp[warp].first_run, .addr = c->warp[warp].first_addr};
}

bool trace_next_access(const struct trace_kernel *k, const struct trace_cta *c, struct trace_cursor *at, struct trace_access *out)
{
	uint32_t end = c->warp[at->warp].first_run + c->warp[at->warp].n_runs;

	for (; at->run < end; at->run++, at->at = 0) {
		const struct trace_run *run = &c->runs[at->run];

		while (run->mask && at->at < run->len) {
			uint32_t pc = run->pc + at->at++;
			const struct trace_inst *i = &k->inst[pc];

			if (!trace_has_record(i))
				continue;
			*out = (struct trace_access){at->warp, pc, i, at->addr++, run->mask};
			return true;
		}
	}
	return false;
}

void trace_walk_cta(const struct trace_kernel *k, const struct trace_cta *c, trace_visit *visit, void *ctx)
{
	struct trace_access a;

	for (uint32_t w = 0; w < c->n_warps; w++)
		for (struct trace_cursor at = trace_cursor_of(c, w); trace_next_access(k, c, &at, &a);)
			visit(ctx, &a);
}
