/* The tables of a trace as bytes: the content section, whose hash is the trace's, and the storage section, which says
 * how this file keeps it (name, compressed sizes). Layout: docs/reference/trace-format.md. Reading: tables_read.c. */
#include <string.h>

#include "trace/folds.h"
#include "trace/table_bytes.h"

static void put_text(struct bytes *b, const char *s)
{
	size_t n = strlen(s);

	n = n > TRACE_MAX_NAME ? TRACE_MAX_NAME : n;
	put(b, n, 4);
	bytes_reserve(b, n);
	memcpy(b->data + b->n, s, n);
	b->n += n;
}

static void put_inst(struct bytes *b, const struct trace_inst *i)
{
	put(b, i->op, 1);
	put(b, i->space, 1);
	put(b, i->width, 1);
	put(b, i->flags, 1);
	put(b, i->ndst, 1);
	put(b, i->nsrc, 1);
	put(b, i->name, 2);
	put(b, i->line, 4);
	for (int r = 0; r < i->ndst + i->nsrc; r++)
		put(b, i->reg[r], 2);
}

static void put_kernel(struct bytes *b, const struct trace_kernel *k)
{
	put_text(b, k->name);
	put(b, k->n_regs, 4);
	put(b, k->regs_per_thread, 4);
	put(b, k->shared_bytes, 4);
	put(b, k->local_bytes, 4);
	put(b, k->n_names, 4);
	for (uint32_t i = 0; i < k->n_names; i++)
		put_text(b, k->names[i]);
	put(b, k->n_inst, 4);
	for (uint32_t i = 0; i < k->n_inst; i++)
		put_inst(b, &k->inst[i]);
}

enum { AT_ONCE = 256 /* frames' entries */ };

static void put_frames(struct table_out *o, const struct trace *t, uint64_t first, uint32_t n)
{
	struct frame f[AT_ONCE];

	for (uint32_t done = 0, more; done < n && !o->failed; done += more) {
		more = n - done < AT_ONCE ? n - done : AT_ONCE;
		o->failed = frame_index_read(&t->frames, first + done, more, f, o->e) != 0;
		for (uint32_t i = 0; i < more && !o->failed; i++) {
			put(&o->b, f[i].raw, 4);
			put(&o->b, f[i].hash, 8);
		}
		table_out_some(o);
	}
}

static void put_launch(struct bytes *b, const struct trace_launch *l)
{
	put(b, l->kernel, 4);
	for (int d = 0; d < 3; d++)
		put(b, l->grid[d], 4);
	for (int d = 0; d < 3; d++)
		put(b, l->block[d], 4);
	put(b, l->dynamic_shared_bytes, 4);
	put(b, l->warp_insts, 8);
	put(b, l->thread_insts, 8);
}

static void put_copies(struct bytes *b, const struct trace *t)
{
	put(b, t->n_copies, 8);
	for (uint64_t i = 0; i < t->n_copies; i++) {
		put(b, t->copy[i].to, 8);
		put(b, t->copy[i].from, 8);
		put(b, t->copy[i].bytes, 8);
		put(b, t->copy[i].kind, 4);
		put(b, t->copy[i].before_launch, 4);
	}
}

static void put_waits(struct bytes *b, const struct trace *t)
{
	for (uint32_t i = 0; i < t->n_launches; i++) {
		const struct trace_launch *l = &t->launch[i];

		put(b, l->below, 4);
		put(b, l->n_waits, 4);
		for (uint32_t n = 0; n < l->n_waits; n++)
			put(b, trace_waits(t, l)[n], 4);
	}
}

int tables_write_content(const struct trace *t, struct table_out *o)
{
	const uint32_t version = tables_version(t);
	struct bytes *b = &o->b;

	put(b, t->n_kernels, 4);
	for (uint32_t i = 0; i < t->n_kernels; i++)
		put_kernel(b, &t->kernel[i]);
	put(b, t->n_buffers, 4);
	for (uint32_t i = 0; i < t->n_buffers; i++) {
		put_text(b, t->buffer[i].name);
		put(b, t->buffer[i].base, 8);
		put(b, t->buffer[i].size, 8);
	}
	put(b, t->const_base, 8);
	put(b, t->n_stores, 8);
	for (uint64_t i = 0; i < t->n_stores; i++) {
		put(b, t->store[i].addr, 8);
		put(b, t->store[i].value, 8);
		put(b, t->store[i].bytes, 4);
		put(b, t->store[i].before_launch, 4);
	}
	put(b, t->n_launches, 4);
	for (uint32_t i = 0; i < t->n_launches; i++) {
		put_launch(b, &t->launch[i]);
		put_frames(o, t, t->first_frame[i], t->launch[i].n_ctas);
	}
	if (t->n_copies || version >= TRACE_VERSION_WAITS)
		put_copies(b, t);
	if (version >= TRACE_VERSION_WAITS)
		put_waits(b, t);
	if (version >= TRACE_VERSION_SMS)
		put(b, t->sms, 4);
	if (version >= TRACE_VERSION_SYNC) {
		put(b, t->independent_lanes, 1);
		tables_put_sync(o, t);
	}
	return table_out_end(o);
}

/* Lines of the PTX alone are in the static table, but for those of debug information. */
static bool keeps_lines(const struct trace_kernel *k)
{
	return k->lines && (k->lines->is_sass || trace_lines_has_source(k->lines, k->n_inst));
}

static void put_lines(struct bytes *b, const struct trace_kernel *k)
{
	const struct trace_lines *l = k->lines;
	bool has = keeps_lines(k);

	put(b, has, 1);
	if (!has)
		return;
	put(b, l->is_sass, 1);
	put(b, l->n_files, 4);
	for (uint32_t i = 0; i < l->n_files; i++)
		put_text(b, l->file[i]);
	for (uint32_t i = 0; i < k->n_inst; i++) {
		put(b, l->at[i].text, 8);
		put(b, l->at[i].file, 4);
		put(b, l->at[i].line, 4);
	}
}

static void put_sizes(struct table_out *o, const struct trace *t)
{
	struct frame f[AT_ONCE];
	uint64_t more;

	for (uint64_t done = 0; done < t->frames.n && !o->failed; done += more) {
		more = t->frames.n - done < AT_ONCE ? t->frames.n - done : AT_ONCE;
		o->failed = frame_index_read(&t->frames, done, more, f, o->e) != 0;
		for (uint64_t i = 0; i < more && !o->failed; i++)
			put(&o->b, f[i].stored, 4);
		table_out_some(o);
	}
}

int tables_write_storage(const struct trace *t, struct table_out *o)
{
	uint32_t version = tables_version(t);
	struct bytes *b = &o->b;

	put_text(b, t->name);
	put_sizes(o, t);
	for (uint32_t i = 0; i < t->n_kernels && version >= TRACE_VERSION_LINES; i++)
		put_lines(b, &t->kernel[i]);
	for (uint32_t i = 0; i < t->n_kernels && version >= TRACE_VERSION_FOLDS; i++)
		tables_put_folds(b, &t->kernel[i]);
	return table_out_end(o);
}

/* Products of matrices, and more registers than version 2 has room for. */
static bool has_products(const struct trace_kernel *k)
{
	for (uint32_t i = 0; i < k->n_inst; i++)
		if (trace_op_is_tensor(k->inst[i].op) || k->inst[i].ndst + k->inst[i].nsrc > TRACE_2_MAX_REGS)
			return true;
	return false;
}

static bool has_operators(const struct trace_kernel *k)
{
	for (uint32_t i = 0; i < k->n_inst; i++)
		if (k->inst[i].flags & TRACE_OPERATORS)
			return true;
	return false;
}

static uint32_t version_of_folds(const struct trace_kernel *k)
{
	if (!k->folds)
		return 0;
	for (uint32_t i = 0; i < k->n_inst; i++)
		if (trace_is_widened(&k->inst[i], &k->folds[i]))
			return TRACE_VERSION_WIDENED;
	return TRACE_VERSION_FOLDS;
}

static bool has_sync(const struct trace *t)
{
	for (uint32_t i = 0; i < t->n_launches; i++)
		if (t->sync[i])
			return true;
	return false;
}

static bool sleeps(const struct trace *t)
{
	for (uint32_t k = 0; k < t->n_kernels; k++)
		for (uint32_t i = 0; i < t->kernel[k].n_inst; i++)
			if (t->kernel[k].inst[i].space == SPACE_SLEEP)
				return true;
	return false;
}

uint32_t tables_version(const struct trace *t)
{
	uint32_t version = 1, folds = 0;

	if (has_sync(t) || t->independent_lanes || sleeps(t))
		return TRACE_VERSION_SYNC;
	if (t->sms)
		return TRACE_VERSION_SMS;
	if (!trace_is_in_order(t))
		return TRACE_VERSION_WAITS;
	for (uint32_t i = 0; i < t->n_kernels; i++)
		if (version_of_folds(&t->kernel[i]) > folds)
			folds = version_of_folds(&t->kernel[i]);
	if (folds)
		return folds;
	for (uint32_t i = 0; i < t->n_kernels; i++)
		if (has_operators(&t->kernel[i]))
			return TRACE_VERSION_OPERATORS;
	if (t->n_copies)
		return TRACE_VERSION_COPIES;
	for (uint32_t i = 0; i < t->n_kernels; i++) {
		if (has_products(&t->kernel[i]))
			return TRACE_VERSION_PRODUCTS;
		if (keeps_lines(&t->kernel[i]))
			version = TRACE_VERSION_LINES;
	}
	return version;
}

int tables_hash(const struct trace *t, uint64_t *hash, struct err *e)
{
	struct table_out o;

	table_out_begin(&o, -1, "", 0, e);
	if (tables_write_content(t, &o))
		return -1;
	*hash = o.hash;
	return 0;
}
