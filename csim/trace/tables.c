/* The tables of a trace as bytes: the content section, whose hash is the trace's, and the storage section, which says
 * how this file keeps it (name, compressed sizes). Layout: docs/trace-format.md. */
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "trace/folds.h"
#include "trace/table_bytes.h"

/* ---- writing ---- */

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

static void put_launch(struct bytes *b, const struct trace_launch *l, const struct frame *f)
{
	put(b, l->kernel, 4);
	for (int d = 0; d < 3; d++)
		put(b, l->grid[d], 4);
	for (int d = 0; d < 3; d++)
		put(b, l->block[d], 4);
	put(b, l->dynamic_shared_bytes, 4);
	put(b, l->warp_insts, 8);
	put(b, l->thread_insts, 8);
	for (uint32_t c = 0; c < l->n_ctas; c++) {
		put(b, f[c].raw, 4);
		put(b, f[c].hash, 8);
	}
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

void tables_write_content(const struct trace *t, struct bytes *b)
{
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
	for (uint32_t i = 0; i < t->n_launches; i++)
		put_launch(b, &t->launch[i], t->frame + t->first_frame[i]);
	if (t->n_copies || !trace_is_in_order(t))
		put_copies(b, t);
	if (!trace_is_in_order(t))
		put_waits(b, t);
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

void tables_write_storage(const struct trace *t, struct bytes *b)
{
	uint32_t version = tables_version(t);

	put_text(b, t->name);
	for (uint64_t i = 0; i < t->n_frames; i++)
		put(b, t->frame[i].stored, 4);
	for (uint32_t i = 0; i < t->n_kernels && version >= TRACE_VERSION_LINES; i++)
		put_lines(b, &t->kernel[i]);
	for (uint32_t i = 0; i < t->n_kernels && version >= TRACE_VERSION_FOLDS; i++)
		tables_put_folds(b, &t->kernel[i]);
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

uint32_t tables_version(const struct trace *t)
{
	uint32_t version = 1, folds = 0;

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

uint64_t tables_hash(const struct trace *t)
{
	struct bytes b = {0};
	uint64_t h;

	tables_write_content(t, &b);
	h = XXH64(b.data, b.n, 0);
	free(b.data);
	return h;
}

/* ---- reading ---- */

static char *get_text(struct reader *r)
{
	size_t n = get_count(r, 4, 1);
	char *s;

	if (n > TRACE_MAX_NAME) {
		bad(r, "a name is longer than 4096 bytes");
		n = 0;
	}
	for (size_t i = 0, letter; i < n; i += letter ? letter : 1) {
		letter = utf8_letter((const char *)r->p + i, n - i);
		if (!letter)
			bad(r, "a name holds control characters, or is not UTF-8");
	}
	s = xmalloc(n + 1);
	memcpy(s, r->p, n);
	s[n] = '\0';
	r->p += n;
	return s;
}

static struct trace_inst get_inst(struct reader *r)
{
	struct trace_inst i = {0};

	i.op = (uint8_t)get(r, 1);
	i.space = (uint8_t)get(r, 1);
	i.width = (uint8_t)get(r, 1);
	i.flags = (uint8_t)get(r, 1);
	i.ndst = (uint8_t)get(r, 1);
	i.nsrc = (uint8_t)get(r, 1);
	i.name = (uint16_t)get(r, 2);
	i.line = (uint32_t)get(r, 4);
	if (i.ndst + i.nsrc > TRACE_MAX_REGS)
		bad(r, "an instruction has too many registers");
	for (int n = 0; n < i.ndst + i.nsrc && !r->wrong; n++)
		i.reg[n] = (uint16_t)get(r, 2);
	return i;
}

static void get_kernel(struct reader *r, struct trace *t)
{
	struct trace_kernel k = {.name = get_text(r)};

	k.n_regs = (uint32_t)get(r, 4);
	k.regs_per_thread = (uint32_t)get(r, 4);
	k.shared_bytes = (uint32_t)get(r, 4);
	k.local_bytes = (uint32_t)get(r, 4);
	k.n_names = (uint32_t)get_count(r, 4, 4);
	k.names = xcalloc((size_t)k.n_names + 1, sizeof *k.names);
	for (uint32_t i = 0; i < k.n_names; i++)
		k.names[i] = get_text(r);
	k.n_inst = (uint32_t)get_count(r, 4, 12);
	k.inst = xcalloc((size_t)k.n_inst + 1, sizeof *k.inst);
	for (uint32_t i = 0; i < k.n_inst && !r->wrong; i++)
		k.inst[i] = get_inst(r);
	if (!r->wrong)
		bad(r, trace_check_kernel(&k));
	trace_insert_kernel(t, k);
}

static void get_buffers(struct reader *r, struct trace *t)
{
	struct err why = {""};

	for (uint64_t n = get_count(r, 4, 20); n > 0 && !r->wrong; n--) {
		char *name = get_text(r);
		uint64_t base = get(r, 8), size = get(r, 8);

		if (trace_insert_buffer(t, name, base, size, &why))
			bad(r, "two buffers overlap, or one is empty or wraps");
	}
}

static void get_stores(struct reader *r, struct trace *t)
{
	uint64_t n = get_count(r, 8, 24);
	uint32_t before = 0;

	t->store = xcalloc(n + 1, sizeof *t->store);
	for (; t->n_stores < n && !r->wrong; t->n_stores++) {
		struct trace_store *s = &t->store[t->n_stores];

		s->addr = get(r, 8);
		s->value = get(r, 8);
		s->bytes = (uint32_t)get(r, 4);
		s->before_launch = (uint32_t)get(r, 4);
		bad(r, trace_check_store(s));
		bad(r, s->before_launch < before ? "stores of the host program are out of order" : NULL);
		before = s->before_launch;
	}
}

static void get_copies(struct reader *r, struct trace *t)
{
	uint64_t n = get_count(r, 8, 32);
	uint32_t before = 0;

	t->copy = xcalloc(n + 1, sizeof *t->copy);
	for (; t->n_copies < n && !r->wrong; t->n_copies++) {
		struct trace_copy *c = &t->copy[t->n_copies];

		c->to = get(r, 8);
		c->from = get(r, 8);
		c->bytes = get(r, 8);
		c->kind = (enum trace_copy_kind)get(r, 4);
		c->before_launch = (uint32_t)get(r, 4);
		bad(r, trace_check_copy(c));
		bad(r, c->before_launch < before ? "copies of the host program are out of order" : NULL);
		before = c->before_launch;
	}
	bad(r, before > t->n_launches ? "a copy of the host program comes after the last launch" : NULL);
}

static void get_waits(struct reader *r, struct trace *t)
{
	for (uint32_t i = 0; i < t->n_launches && !r->wrong; i++) {
		struct trace_launch *l = &t->launch[i];

		l->below = (uint32_t)get(r, 4);
		l->n_waits = (uint32_t)get_count(r, 4, 4);
		l->first_wait = t->n_waits;
		for (uint32_t n = 0; n < l->n_waits; n++) {
			t->wait = trace_grow(t->wait, t->n_waits, &t->cap_waits, sizeof *t->wait);
			t->wait[t->n_waits++] = (uint32_t)get(r, 4);
		}
		bad(r, trace_check_waits(l, i, trace_waits(t, l)));
	}
}

static void get_frames(struct reader *r, struct trace *t, uint32_t n_ctas)
{
	if (n_ctas > (size_t)(r->end - r->p) / 12) {
		bad(r, "a launch has more CTAs than the file has frames");
		return;
	}
	for (uint32_t c = 0; c < n_ctas; c++) {
		struct frame f = {0};

		f.raw = (uint32_t)get(r, 4);
		f.hash = get(r, 8);
		if (f.raw > TRACE_MAX_FRAME)
			bad(r, "a frame says that it is longer than 256 MiB");
		t->frame = trace_grow(t->frame, t->n_frames, &t->cap_frames, sizeof *t->frame);
		t->frame[t->n_frames++] = f;
	}
}

static void get_launch(struct reader *r, struct trace *t)
{
	struct trace_launch l = {.kernel = (uint32_t)get(r, 4)};
	uint32_t cap = t->cap_launches;

	for (int d = 0; d < 3; d++)
		l.grid[d] = (uint32_t)get(r, 4);
	for (int d = 0; d < 3; d++)
		l.block[d] = (uint32_t)get(r, 4);
	l.dynamic_shared_bytes = (uint32_t)get(r, 4);
	l.warp_insts = get(r, 8);
	l.thread_insts = get(r, 8);
	if (!r->wrong)
		bad(r, trace_check_launch(&l, t->n_kernels));
	if (r->wrong)
		return;
	trace_launch_shape(&l);
	l.below = t->n_launches;
	t->launch = trace_grow32(t->launch, t->n_launches, &t->cap_launches, sizeof *t->launch);
	t->first_frame = trace_grow32(t->first_frame, t->n_launches, &cap, sizeof *t->first_frame);
	t->first_frame[t->n_launches] = t->n_frames;
	t->launch[t->n_launches++] = l;
	get_frames(r, t, l.n_ctas);
}

int tables_read_content(struct trace *t, uint32_t version, const uint8_t *p, size_t n, struct err *e)
{
	struct reader r = {p, p + n, NULL};

	for (uint64_t i = get_count(&r, 4, 28); i > 0 && !r.wrong; i--)
		get_kernel(&r, t);
	get_buffers(&r, t);
	t->const_base = get(&r, 8);
	get_stores(&r, t);
	for (uint64_t i = get_count(&r, 4, 48); i > 0 && !r.wrong; i--)
		get_launch(&r, t);
	if (t->n_stores && t->store[t->n_stores - 1].before_launch > t->n_launches)
		bad(&r, "a store of the host program comes after the last launch");
	if (version == TRACE_VERSION_COPIES || (version > TRACE_VERSION_COPIES && r.p != r.end))
		get_copies(&r, t);
	if (version >= TRACE_VERSION_WAITS)
		get_waits(&r, t);
	if (r.p != r.end)
		bad(&r, "bytes follow the last launch");
	t->hash = XXH64(p, n, 0);
	return r.wrong ? err_set(e, "its tables are damaged: %s", r.wrong) : 0;
}

static void get_lines(struct reader *r, struct trace_kernel *k)
{
	struct trace_lines *l;
	bool is_sass;
	uint32_t files;

	if (!get(r, 1))
		return;
	is_sass = get(r, 1) != 0;
	files = (uint32_t)get_count(r, 4, 4);
	if (r->wrong || k->n_inst > (size_t)(r->end - r->p) / 16) {
		bad(r, "its lines of the source are cut short");
		return;
	}
	k->lines = l = trace_lines_new(k->n_inst, files);
	l->is_sass = is_sass;
	for (uint32_t i = 0; i < files; i++)
		l->file[i] = get_text(r);
	for (uint32_t i = 0; i < k->n_inst && !r->wrong; i++) {
		l->at[i] = (struct trace_place){.text = get(r, 8)};
		l->at[i].file = (uint32_t)get(r, 4);
		l->at[i].line = (uint32_t)get(r, 4);
		if (l->at[i].file > files)
			bad(r, "an instruction is of a source file that is not there");
	}
}

int tables_read_storage(struct trace *t, uint32_t version, const uint8_t *p, size_t n, uint64_t frames_end, struct err *e)
{
	struct reader r = {p, p + n, NULL};
	uint64_t at = TRACE_HEADER;

	t->name = get_text(&r);
	if (!r.wrong && ((size_t)(r.end - r.p) < t->n_frames * 4 || (version == 1 && (size_t)(r.end - r.p) != t->n_frames * 4)))
		bad(&r, "the list of frame sizes does not match the launches");
	for (uint64_t i = 0; i < t->n_frames && !r.wrong; i++) {
		t->frame[i].stored = (uint32_t)get(&r, 4);
		t->frame[i].offset = at;
		at += t->frame[i].stored;
	}
	if (at != frames_end)
		bad(&r, "the frames' sizes do not add up");
	for (uint32_t i = 0; i < t->n_kernels && version >= TRACE_VERSION_LINES && !r.wrong; i++)
		get_lines(&r, &t->kernel[i]);
	for (uint32_t i = 0; i < t->n_kernels && version >= TRACE_VERSION_FOLDS && !r.wrong; i++)
		tables_get_folds(&r, &t->kernel[i]);
	if (r.p != r.end)
		bad(&r, "bytes follow its lines of the source");
	return r.wrong ? err_set(e, "its tables are damaged: %s", r.wrong) : 0;
}
