/* The tables of a trace from their bytes. Layout: docs/reference/trace-format.md. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "trace/folds.h"
#include "trace/table_bytes.h"

static const char not_as_launches[] = "the list of frame sizes does not match the launches";

static char *get_text(struct reader *r)
{
	size_t n = get_count(r, 4, 1);
	char *s;

	if (n > TRACE_MAX_NAME) {
		bad(r, "a name is longer than 4096 bytes");
		n = 0;
	}
	if (!reader_has(r, n))
		n = 0;
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

/* What content and storage section say of a launch's frames; they begin at *at of the file. */
static void get_frames(struct reader *r, struct reader *sizes, struct trace *t, uint32_t n_ctas, uint64_t *at)
{
	if (n_ctas > reader_left(r) / 12) {
		bad(r, "a launch has more CTAs than the file has frames");
		return;
	}
	if (n_ctas > reader_left(sizes) / 4) {
		bad(r, not_as_launches);
		return;
	}
	for (uint32_t c = 0; c < n_ctas && !r->wrong; c++) {
		struct frame f = {.offset = *at};

		f.raw = (uint32_t)get(r, 4);
		f.hash = get(r, 8);
		f.stored = (uint32_t)get(sizes, 4);
		*at += f.stored;
		if (f.raw > TRACE_MAX_FRAME)
			bad(r, "a frame says that it is longer than 256 MiB");
		if (frame_index_add(&t->frames, &f, r->e))
			bad(r, reader_error);
	}
}

static void get_launch(struct reader *r, struct reader *sizes, struct trace *t, uint64_t *at)
{
	struct trace_launch l = {.kernel = (uint32_t)get(r, 4)};
	uint32_t cap = t->cap_launches, cap_sync = cap;

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
	t->first_frame[t->n_launches] = t->frames.n;
	t->sync = trace_grow32(t->sync, t->n_launches, &cap_sync, sizeof *t->sync);
	t->sync[t->n_launches] = NULL;
	t->launch[t->n_launches++] = l;
	get_frames(r, sizes, t, l.n_ctas, at);
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
	if (r->wrong || k->n_inst > reader_left(r) / 16) {
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

static void get_content(struct reader *r, struct reader *sizes, struct trace *t, uint32_t version, uint64_t *at)
{
	for (uint64_t i = get_count(r, 4, 28); i > 0 && !r->wrong; i--)
		get_kernel(r, t);
	get_buffers(r, t);
	t->const_base = get(r, 8);
	get_stores(r, t);
	for (uint64_t i = get_count(r, 4, 48); i > 0 && !r->wrong; i--)
		get_launch(r, sizes, t, at);
	if (t->n_stores && t->store[t->n_stores - 1].before_launch > t->n_launches)
		bad(r, "a store of the host program comes after the last launch");
	if (version == TRACE_VERSION_COPIES || (version > TRACE_VERSION_COPIES && reader_left(r)))
		get_copies(r, t);
	if (version >= TRACE_VERSION_WAITS)
		get_waits(r, t);
	if (version >= TRACE_VERSION_SMS) {
		t->sms = (uint32_t)get(r, 4);
		bad(r, t->sms || version > TRACE_VERSION_SMS ? NULL : "it says that it was recorded for 0 SMs");
	}
	if (version >= TRACE_VERSION_SYNC) {
		uint64_t lanes = get(r, 1);

		bad(r, lanes > 1 ? "it does not say whether lanes are independent" : NULL);
		t->independent_lanes = lanes;
		tables_get_sync(r, t);
	}
	if (reader_left(r))
		bad(r, "bytes follow the last launch");
}

/* What follows the frames' sizes. */
static void get_rest(struct reader *r, struct trace *t, uint32_t version)
{
	if (version == 1 && reader_left(r))
		bad(r, not_as_launches);
	for (uint32_t i = 0; i < t->n_kernels && version >= TRACE_VERSION_LINES && !r->wrong; i++)
		get_lines(r, &t->kernel[i]);
	for (uint32_t i = 0; i < t->n_kernels && version >= TRACE_VERSION_FOLDS && !r->wrong; i++)
		tables_get_folds(r, &t->kernel[i]);
	if (reader_left(r))
		bad(r, "bytes follow its lines of the source");
}

int tables_read(struct trace *t, uint32_t version, struct reader *content, struct reader *storage, uint64_t frames_end,
		struct err *e)
{
	const char *wrong;
	uint64_t at = TRACE_HEADER;

	t->name = get_text(storage);
	get_content(content, storage, t, version, &at);
	if (!content->wrong && at != frames_end)
		bad(storage, "the frames' sizes do not add up");
	if (!content->wrong && !storage->wrong)
		get_rest(storage, t, version);
	wrong = content->wrong ? content->wrong : storage->wrong;
	if (wrong && wrong != reader_error)
		err_set(e, "%s: its tables are damaged: %s", t->path, wrong);
	return wrong ? -1 : 0;
}
