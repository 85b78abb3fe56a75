#include <inttypes.h>

#include "perfetto/parts.h"
#include "perfetto/rows.h"

static void describe_warp(const void *ctx, uint64_t a, uint32_t warp, struct packets_slice *s)
{
	const struct perfetto_warps *w = ctx;
	const struct timeline_ran *ran = &w->ctas->ran[a];

	snprintf(s->name, sizeof s->name, "warp %" PRIu32 " of CTA %" PRIu32, warp, ran->cta);
	s->category[0] = "warp";
	packets_number(s, "launch", ran->launch);
	packets_number(s, "cta", ran->cta);
	packets_number(s, "warp", warp);
	if (warp_ends_of(w->ends, ran->launch, ran->cta, warp) == WARP_ENDS_NEVER)
		packets_number(s, "cut", 1);
}

static void add_cta(struct perfetto_warps *w, struct perfetto_trace *t, struct rows *rows, uint64_t i)
{
	const struct timeline_ran *ran = &w->ctas->ran[i];

	for (uint32_t warp = 0; warp < w->ends->warps[ran->launch]; warp++) {
		uint64_t end = warp_ends_of(w->ends, ran->launch, ran->cta, warp);

		if (end == WARP_ENDS_NEVER && !ran->cut)
			continue; /* it had no instruction */
		end = end == WARP_ENDS_NEVER ? ran->end : end;
		slices_add(&t->slices, &(struct slice){.begin = ran->start * PERFETTO_CYCLE,
						       .end = end * PERFETTO_CYCLE,
						       .track = rows_track(rows, &t->packets, ran->start, end),
						       .from = &w->of_warps,
						       .a = i,
						       .b = warp});
	}
}

void perfetto_warps_add(struct perfetto_warps *w, const struct perfetto_ctas *c, struct perfetto_trace *t)
{
	*w = (struct perfetto_warps){.ctas = c, .ends = &t->session->warp_ends, .of_warps = {describe_warp, w}};
	if (t->session->options->on_cpu)
		return;
	for (uint64_t i = 0; i < c->n;) {
		uint32_t sm = c->ran[i].sm;
		struct rows rows = {.of = &t->sm[sm], .name = "warps"};

		for (; i < c->n && c->ran[i].sm == sm; i++)
			add_cta(w, t, &rows, i);
		rows_free(&rows);
	}
}
