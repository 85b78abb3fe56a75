/* The trace in memory: what it holds, and its end. */
#include "trace/trace.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/alloc.h"
#include "trace/trace_impl.h"

struct trace *trace_new(void)
{
	struct trace *t = xcalloc(1, sizeof *t);

	t->fd = -1;
	frame_index_init(&t->frames);
	return t;
}

void *trace_grow(void *array, uint64_t n, uint64_t *cap, size_t item)
{
	if (n < *cap)
		return array;
	*cap = *cap ? *cap * 2 : 8;
	return xrealloc(array, *cap * item);
}

void *trace_grow32(void *array, uint32_t n, uint32_t *cap, size_t item)
{
	uint64_t wide = *cap;

	array = trace_grow(array, n, &wide, item);
	*cap = (uint32_t)wide;
	return array;
}

void bytes_reserve(struct bytes *b, size_t more)
{
	if (b->cap - b->n >= more)
		return;
	b->cap = b->cap * 2 > b->n + more ? b->cap * 2 : b->n + more;
	b->data = xrealloc(b->data, b->cap);
}

static void free_kernel(struct trace_kernel *k)
{
	for (uint32_t i = 0; i < k->n_names; i++)
		free(k->names[i]);
	trace_lines_free(k->lines);
	free(k->folds);
	free(k->names);
	free(k->inst);
	free(k->name);
}

void trace_close(struct trace *t)
{
	if (!t)
		return;
	for (uint32_t i = 0; i < t->n_kernels; i++) {
		free_kernel(&t->kernel[i]);
		free(t->index[i].mem_before);
	}
	for (uint32_t i = 0; i < t->n_buffers; i++)
		free(t->buffer[i].name);
	for (uint32_t i = 0; i < t->n_launches; i++)
		trace_sync_free(t->sync[i]);
	while (t->chunks) {
		struct chunk *next = t->chunks->next;

		free(t->chunks);
		t->chunks = next;
	}
	if (t->fd >= 0)
		close(t->fd);
	free(t->kernel);
	free(t->index);
	free(t->buffer);
	free(t->by_base);
	free(t->store);
	free(t->copy);
	free(t->wait);
	free(t->launch);
	free(t->first_frame);
	free(t->sync);
	frame_index_free(&t->frames);
	free(t->name);
	free(t->path);
	free(t);
}

const char *trace_name(const struct trace *t)
{
	return t->name;
}

uint64_t trace_hash(const struct trace *t)
{
	return t->hash;
}

uint32_t trace_n_kernels(const struct trace *t)
{
	return t->n_kernels;
}

const struct trace_kernel *trace_kernel(const struct trace *t, uint32_t i)
{
	return &t->kernel[i];
}

uint32_t trace_n_launches(const struct trace *t)
{
	return t->n_launches;
}

const struct trace_launch *trace_launch(const struct trace *t, uint32_t i)
{
	return &t->launch[i];
}

uint32_t trace_n_buffers(const struct trace *t)
{
	return t->n_buffers;
}

const struct trace_buffer *trace_buffer(const struct trace *t, uint32_t i)
{
	return &t->buffer[i];
}

int trace_buffer_of(const struct trace *t, uint64_t addr)
{
	uint32_t lo = 0, hi = t->n_buffers;

	while (lo < hi) { /* the first buffer that starts above addr */
		uint32_t mid = lo + (hi - lo) / 2;

		if (t->buffer[t->by_base[mid]].base <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (lo == 0)
		return -1;
	lo = t->by_base[lo - 1];
	return addr - t->buffer[lo].base < t->buffer[lo].size ? (int)lo : -1;
}

uint64_t trace_n_stores(const struct trace *t)
{
	return t->n_stores;
}

const struct trace_store *trace_store(const struct trace *t, uint64_t i)
{
	return &t->store[i];
}

uint64_t trace_n_copies(const struct trace *t)
{
	return t->n_copies;
}

const uint32_t *trace_waits(const struct trace *t, const struct trace_launch *l)
{
	return t->wait ? t->wait + l->first_wait : NULL; /* none: no launch has any */
}

uint32_t trace_sms(const struct trace *t)
{
	return t->sms;
}

bool trace_independent_lanes(const struct trace *t)
{
	return t->independent_lanes;
}

int trace_check_machine(const struct trace *t, uint32_t sms, bool independent_lanes, struct err *e)
{
	if (t->independent_lanes && !independent_lanes)
		return err_set(e,
			       "%s: lanes of its warps wait for one another, which ends on machines with "
			       "sm.independent_lanes alone, Volta's and later",
			       t->path);
	if (!t->sms || t->sms == sms)
		return 0;
	return err_set(
		e,
		"%s: was recorded for %u SMs, not for the %u of this machine, and its kernels read %%smid or %%nsmid, or its "
		"CTAs wait for one another; record it with --machine",
		t->path, t->sms, sms);
}

bool trace_is_in_order(const struct trace *t)
{
	for (uint32_t i = 0; i < t->n_launches; i++)
		if (t->launch[i].below != i)
			return false;
	return true;
}

const struct trace_copy *trace_copy(const struct trace *t, uint64_t i)
{
	return &t->copy[i];
}

uint64_t trace_const_base(const struct trace *t)
{
	return t->const_base;
}

uint64_t trace_local_base(const struct trace *t, uint64_t page)
{
	const uint64_t least = UINT64_C(1) << 20, align = page > least ? page : least;
	uint64_t end = trace_const_base(t);

	for (uint32_t i = 0; i < trace_n_buffers(t); i++) {
		const struct trace_buffer *b = trace_buffer(t, i);

		if (end < b->base + b->size)
			end = b->base + b->size;
	}
	return (end + align) / align * align;
}

uint32_t trace_counted_buffers(const struct trace *t)
{
	uint32_t n = trace_n_buffers(t);

	return n < UINT16_MAX ? n : UINT16_MAX;
}

struct trace_sizes trace_sizes(const struct trace *t)
{
	return t->frames.sizes;
}
