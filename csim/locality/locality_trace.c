/* Reader sets from what was executed. */
#include "locality/locality_collect.h"
#include "locality/locality_reads.h"

static void see(void *ctx, const struct locality_read *r)
{
	collect_read(ctx, r->buffer, r->offset, r->bytes, r->width);
}

static void cta_end(void *ctx, uint32_t cta)
{
	collect_cta_end(ctx, cta);
}

int locality_readers_trace(struct locality_readers *r, const struct locality_source *from, uint32_t launch, bool lines,
			   struct err *e)
{
	const struct trace_launch *l = trace_launch(from->trace, launch);
	const struct trace_kernel *k = trace_kernel(from->trace, l->kernel);
	struct collect *c;
	int rc;

	*r = (struct locality_readers){0};
	if (l->n_ctas > COLLECT_MAX_CTAS)
		return err_set(e, "launch %u has %u CTAs; a locality graph has at most %u", launch, l->n_ctas, COLLECT_MAX_CTAS);
	c = collect_new(l->n_ctas, trace_n_buffers(from->trace), lines ? LOCALITY_LINE : locality_narrowest(k), lines);
	rc = locality_reads(from->trace, launch, see, cta_end, c, e);
	collect_finish(c, r);
	r->loads.exact = locality_count_loads(k);
	if (rc)
		locality_readers_free(r);
	return rc;
}
