#include "trace/walk.h"

static void walk_warp(const struct trace_kernel *k, const struct trace_cta *c, uint32_t warp, trace_visit *visit, void *ctx)
{
	const struct trace_warp *w = &c->warp[warp];
	const struct trace_addr *next = c->addrs + w->first_addr;

	for (uint32_t r = w->first_run; r < w->first_run + w->n_runs; r++) {
		const struct trace_run *run = &c->runs[r];

		for (uint32_t pc = run->pc; pc < run->pc + run->len && run->mask; pc++) {
			const struct trace_inst *i = &k->inst[pc];

			if (i->space != SPACE_NONE && i->space != SPACE_PARAM)
				visit(ctx, &(struct trace_access){warp, pc, i, next++, run->mask});
		}
	}
}

void trace_walk_cta(const struct trace_kernel *k, const struct trace_cta *c, trace_visit *visit, void *ctx)
{
	for (uint32_t w = 0; w < c->n_warps; w++)
		walk_warp(k, c, w, visit, ctx);
}
