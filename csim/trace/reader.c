/* Reading one CTA: fetch its frame from memory or the file, decompress, check, decode. No allocation once buffers have
 * grown. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/alloc.h"
#include "base/panic.h"
#include "base/pool.h"
#include "trace/trace_impl.h"

struct decoder { /* trace_cta.scratch */
	ZSTD_DCtx *zstd;
	struct bytes packed, raw;
	struct pc_state *state;
	uint32_t cap_state;
	struct run_sums sums;
};

/* NULL: there is no memory. */
static struct decoder *decoder_of(struct trace_cta *c)
{
	struct decoder *d = c->scratch;

	if (!d) {
		c->scratch = d = xcalloc(1, sizeof *d);
		c->cap_scratch = sizeof *d;
	}
	if (!d->zstd)
		d->zstd = ZSTD_createDCtx();
	return d->zstd ? d : NULL;
}

void trace_cta_free(struct trace_cta *c)
{
	struct decoder *d = c->scratch;

	if (d) {
		ZSTD_freeDCtx(d->zstd);
		free(d->packed.data);
		free(d->raw.data);
		free(d->state);
		free(d->sums.before);
		free(d);
	}
	pool_drop(c->pool, c->runs);
	pool_drop(c->pool, c->addrs);
	pool_drop(c->pool, c->shapes);
	pool_drop(c->pool, c->lanes);
	*c = (struct trace_cta){0};
}

/* The bytes of a frame before compression, with the padding that the decoder wants behind them. */
static const char *unpack(const struct trace *t, const struct frame *f, struct decoder *d, struct err *e)
{
	const uint8_t *from = f->mem;
	size_t n;

	if (!from) {
		bytes_reserve(&d->packed, f->stored);
		if (file_read_at(t->fd, t->path, d->packed.data, f->stored, f->offset, e))
			return "";
		from = d->packed.data;
	}
	if (ZSTD_getFrameContentSize(from, f->stored) != f->raw)
		return "its size is not what the index says";
	bytes_reserve(&d->raw, (size_t)f->raw + FRAME_PAD);
	n = ZSTD_decompressDCtx(d->zstd, d->raw.data, f->raw, from, f->stored);
	if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation) {
		err_set(e, "%s: not enough memory to unpack a frame of %u bytes", t->path, f->raw);
		return "";
	}
	if (n != f->raw)
		return "it cannot be decompressed";
	if (XXH64(d->raw.data, f->raw, 0) != f->hash)
		return "its checksum is wrong";
	memset(d->raw.data + f->raw, 0, FRAME_PAD);
	return NULL;
}

int trace_read_cta(struct trace *t, uint32_t launch, uint32_t cta, struct trace_cta *out, struct err *e)
{
	struct decoder *d = decoder_of(out);
	const struct trace_launch *l;
	struct frame f;
	const char *wrong;
	uint32_t n_mem;

	PANIC_UNLESS(launch < t->n_launches && cta < t->launch[launch].n_ctas, "trace: read of a CTA that is not there", 0);
	if (!d)
		return err_set(e, "%s: not enough memory to unpack launch %u, CTA %u", t->path, launch, cta);
	l = &t->launch[launch];
	if (frame_index_read(&t->frames, t->first_frame[launch] + cta, 1, &f, e))
		return -1;
	n_mem = t->index[l->kernel].mem_before[t->kernel[l->kernel].n_inst];
	if (n_mem >= d->cap_state) { /* never an empty array */
		d->cap_state = n_mem + 1;
		d->state = xrealloc(d->state, d->cap_state * sizeof *d->state);
	}
	wrong = unpack(t, &f, d, e);
	if (!wrong)
		wrong = frame_decode(t, l, d->raw.data, f.raw, d->state, out);
	out->id = cta;
	if (!wrong)
		wrong = trace_check_cta_sync(t, launch, out, &d->sums);
	if (wrong && *wrong)
		err_set(e, "%s: the data of launch %u, CTA %u are damaged: %s", t->path, launch, cta, wrong);
	return wrong ? -1 : 0;
}
