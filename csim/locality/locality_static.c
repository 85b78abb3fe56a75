/* Reader sets from the PTX alone: every load whose addresses are known before the launch (affine/spans.h), CTA by
 * CTA. */
#include <stdlib.h>

#include "affine/spans.h"
#include "base/alloc.h"
#include "locality/locality_collect.h"

struct load {
	const struct affine_access *x;
	struct affine_spans *spans;
	struct collect *to;
	uint64_t size; /* of its buffer */
};

/* What an assumption of the analysis lets fall outside the buffer is not read. */
static void report(void *ctx, int64_t offset, uint64_t bytes)
{
	const struct load *r = ctx;
	int64_t end = offset + (int64_t)bytes;

	offset = offset < 0 ? 0 : offset;
	end = end > (int64_t)r->size ? (int64_t)r->size : end;
	if (end > offset)
		collect_read(r->to, (uint32_t)r->x->at.buffer, (uint64_t)offset, (uint64_t)(end - offset), r->x->width);
}

/* Whether one of the loads found so far takes it in. */
static bool is_joined(const struct load *load, uint32_t n, const struct affine_access *x)
{
	for (uint32_t i = 0; i < n; i++)
		if (affine_spans_join(load[i].spans, x))
			return true;
	return false;
}

/* Loads that make edges into load[], which has room for all; the others are only counted. */
static uint32_t find_loads(const struct locality_source *from, const struct affine_launch *l, struct load *load,
			   struct locality_loads *n)
{
	uint32_t found = 0;

	for (uint32_t i = 0; i < l->n_accesses; i++) {
		const struct affine_access *x = &l->access[i];
		enum affine_certainty c = affine_certainty_of(l, x);

		if (x->kind != AFFINE_LOAD)
			continue;
		*(c == AFFINE_EXACT ? &n->exact : c == AFFINE_POSSIBLE ? &n->possible : &n->open) += 1;
		if (c != AFFINE_OPEN && !is_joined(load, found, x))
			load[found++] = (struct load){.x = x,
						      .spans = affine_spans_new(l, x),
						      .size = trace_buffer(from->trace, (uint32_t)x->at.buffer)->size};
	}
	return found;
}

static uint32_t narrowest(const struct load *load, uint32_t n)
{
	uint32_t least = 16;

	for (uint32_t i = 0; i < n; i++)
		least = load[i].x->width < least ? load[i].x->width : least;
	return least;
}

/* The analysis does not follow textures. */
static uint32_t count_textures(const struct trace_kernel *k)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < k->n_inst; i++)
		n += k->inst[i].op == OP_LOAD && k->inst[i].space == SPACE_TEX;
	return n;
}

static struct collect *collect_all(const struct locality_source *from, const struct affine_launch *l, struct load *load, uint32_t n,
				   uint32_t n_ctas, bool lines)
{
	struct collect *c = collect_new(n_ctas, trace_n_buffers(from->trace), lines ? LOCALITY_LINE : narrowest(load, n), lines);

	for (uint32_t i = 0; i < n_ctas; i++) {
		const uint32_t at[3] = {i % l->grid[0], i / l->grid[0] % l->grid[1], i / l->grid[0] / l->grid[1]};

		for (uint32_t k = 0; k < n; k++) {
			load[k].to = c;
			affine_spans_of_cta(load[k].spans, at, report, &load[k]);
		}
		collect_cta_end(c, i);
	}
	return c;
}

int locality_readers_static(struct locality_readers *r, const struct locality_source *from, uint32_t launch, bool lines,
			    struct err *e)
{
	const struct trace_launch *t = trace_launch(from->trace, launch);
	struct locality_loads loads = {0};
	struct load *load;
	uint32_t n;

	*r = (struct locality_readers){0};
	if (!from->analysis)
		return err_set(e, "a recorded or imported trace has no PTX to analyse: its locality graph comes from source=trace");
	if (t->n_ctas > COLLECT_MAX_CTAS)
		return err_set(e, "launch %u has %u CTAs; a locality graph has at most %u", launch, t->n_ctas, COLLECT_MAX_CTAS);
	load = xcalloc(from->analysis[launch]->n_accesses + 1, sizeof *load);
	n = find_loads(from, from->analysis[launch], load, &loads);
	loads.open += count_textures(trace_kernel(from->trace, t->kernel));
	collect_finish(collect_all(from, from->analysis[launch], load, n, t->n_ctas, lines), r);
	r->loads = loads;
	for (uint32_t i = 0; i < n; i++)
		affine_spans_free(load[i].spans);
	free(load);
	return 0;
}
