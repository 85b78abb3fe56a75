/* Writing a trace: what the executor reports is logged per warp, and a CTA's end makes a compressed frame of it. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/alloc.h"
#include "base/files/newfile.h"
#include "base/panic.h"
#include "base/utf8.h"
#include "trace/folds.h"
#include "trace/trace_impl.h"

#define DEFAULT_MEMORY (UINT64_C(256) << 20)
enum { CHUNK = 8 << 20, FILE_BUFFER = 1 << 20, MAX_LOG_LANES = 1 << 28 };

struct trace_writer {
	struct trace *t;
	struct trace_launch *launch; /* the open one, or NULL */
	struct warp_log warp[TRACE_MAX_WARPS];
	uint64_t *lanes; /* of list records, this CTA */
	uint64_t n_lanes, cap_lanes;
	struct pc_state *state;
	uint64_t cap_state;
	uint32_t next_cta, next_begin; /* in the open launch: to end, to begin */
	uint32_t cta;		       /* the open one */
	uint32_t below, n_waits;       /* of the next launch */
	uint32_t waits[TRACE_MAX_WAITS];
	bool waits_are_set;
	unsigned shift; /* of rows in the open launch's blocks */
	bool in_cta, too_long, full;
	uint64_t log_limit; /* bytes of the open CTA's log; 0: none */
	struct bytes raw, packed;
	ZSTD_CCtx *zstd;
	uint64_t memory_limit, in_memory, bytes;
	char *path;	      /* where the file goes once it is whole; NULL: no file is kept */
	struct bytes pending; /* bytes for the file that are not written yet; they belong at `written` */
	uint64_t written;
};

/* What the log of one CTA is, put aside. */
struct trace_parked {
	struct warp_log warp[TRACE_MAX_WARPS];
	uint64_t *lanes;
	uint64_t n_lanes, cap_lanes;
	uint32_t cta;
	bool too_long, full;
};

/* A copy without control characters, which a reader refuses: the names come from a user's files. */
static char *name_of(const char *s)
{
	return utf8_clean(xstrdup(s));
}

static int open_file(struct trace_writer *w, struct err *e)
{
	struct stat st;

	/* The finished file takes the name's place: a device or a folder must not be lost so. */
	if (stat(w->path, &st) == 0 && !S_ISREG(st.st_mode))
		return err_set(e, "%s: cannot write: %s", w->path, S_ISDIR(st.st_mode) ? "Is a directory" : "not a regular file");
	if (!*w->path)
		return err_set(e, "\"\": cannot write: %s", strerror(ENOENT));
	w->t->fd = newfile_open(w->path);
	if (w->t->fd < 0)
		return err_set(e, "%s: cannot write: %s", w->path, strerror(errno));
	w->written = TRACE_HEADER;
	return 0;
}

struct trace_writer *trace_writer_new(const struct trace_options *o, struct err *e)
{
	struct trace_writer *w = xcalloc(1, sizeof *w);

	w->t = trace_new();
	w->t->name = name_of(o->name ? o->name : "");
	w->t->path = xstrdup(o->path ? o->path : "trace");
	w->memory_limit = o->memory_limit ? o->memory_limit : DEFAULT_MEMORY;
	w->path = o->path ? xstrdup(o->path) : NULL;
	w->zstd = ZSTD_createCCtx();
	if (!w->zstd)
		err_set(e, "%s: not enough memory to compress a trace", w->t->path);
	else
		PANIC_UNLESS(!ZSTD_isError(ZSTD_CCtx_setParameter(w->zstd, ZSTD_c_compressionLevel, 1)), "trace", 0);
	if (!w->zstd || (w->path && open_file(w, e))) {
		trace_writer_drop(w);
		return NULL;
	}
	return w;
}

/* ---- tables ---- */

uint32_t trace_add_kernel(struct trace_writer *w, const struct trace_kernel *k)
{
	struct trace_kernel copy = *k;
	const char *wrong = trace_check_kernel(k);

	if (wrong)
		panic("trace", 0, "kernel %s: %s", k->name, wrong);
	copy.name = name_of(k->name);
	copy.inst = xmalloc(k->n_inst * sizeof *k->inst);
	memcpy(copy.inst, k->inst, k->n_inst * sizeof *k->inst);
	copy.names = xcalloc(k->n_names ? k->n_names : 1, sizeof *copy.names);
	for (uint32_t i = 0; i < k->n_names; i++)
		copy.names[i] = name_of(k->names[i]);
	copy.lines = trace_lines_copy(k->lines, k->n_inst);
	copy.folds = trace_folds_copy(k->folds, k->n_inst);
	trace_insert_kernel(w->t, copy);
	return w->t->n_kernels - 1;
}

int trace_add_buffer(struct trace_writer *w, const char *name, uint64_t base, uint64_t size, struct err *e)
{
	return trace_insert_buffer(w->t, name_of(name), base, size, e);
}

void trace_set_const_base(struct trace_writer *w, uint64_t base)
{
	w->t->const_base = base;
}

void trace_set_independent_lanes(struct trace_writer *w)
{
	w->t->independent_lanes = true;
}

void trace_set_sms(struct trace_writer *w, uint32_t sms)
{
	w->t->sms = sms;
}

void trace_add_store(struct trace_writer *w, uint64_t addr, uint32_t bytes, uint64_t value)
{
	struct trace *t = w->t;
	struct trace_store s = {addr, value, bytes, t->n_launches};
	const char *wrong = trace_check_store(&s);

	if (wrong)
		panic("trace", 0, "%s", wrong);
	PANIC_UNLESS(!w->launch, "trace: a store of the host program within a launch", 0);
	t->store = trace_grow(t->store, t->n_stores, &t->cap_stores, sizeof *t->store);
	t->store[t->n_stores++] = s;
}

void trace_add_copy(struct trace_writer *w, const struct trace_copy *c)
{
	struct trace *t = w->t;
	const char *wrong = trace_check_copy(c);

	if (wrong)
		panic("trace", 0, "%s", wrong);
	PANIC_UNLESS(!w->launch, "trace: a copy of the host program within a launch", 0);
	t->copy = trace_grow(t->copy, t->n_copies, &t->cap_copies, sizeof *t->copy);
	t->copy[t->n_copies] = *c;
	t->copy[t->n_copies++].before_launch = t->n_launches;
}

void trace_set_name(struct trace_writer *w, const char *name)
{
	free(w->t->name);
	w->t->name = name_of(name);
}

/* ---- launches and CTAs ---- */

static unsigned row_shift(const uint32_t block[3])
{
	uint32_t x = block[0];

	return x < TRACE_WARP_SIZE && !(x & (x - 1)) ? (unsigned)__builtin_ctz(x) : 5;
}

void trace_set_waits(struct trace_writer *w, uint32_t below, uint32_t n, const uint32_t *launch)
{
	PANIC_UNLESS(!w->launch && n <= TRACE_MAX_WAITS, "trace: what a launch waits for", n);
	w->below = below;
	w->n_waits = n;
	memcpy(w->waits, launch, n * sizeof *launch);
	w->waits_are_set = true;
}

/* Of the launch that is the trace's next: those that were set, or all before it. */
static void take_waits(struct trace_writer *w, struct trace_launch *l)
{
	struct trace *t = w->t;
	const char *wrong;

	l->below = w->waits_are_set ? w->below : t->n_launches;
	l->n_waits = w->waits_are_set ? w->n_waits : 0;
	l->first_wait = t->n_waits;
	wrong = trace_check_waits(l, t->n_launches, w->waits);
	if (wrong)
		panic("trace", t->n_launches, "%s", wrong);
	for (uint32_t i = 0; i < l->n_waits; i++) {
		t->wait = trace_grow(t->wait, t->n_waits, &t->cap_waits, sizeof *t->wait);
		t->wait[t->n_waits++] = w->waits[i];
	}
	w->waits_are_set = false;
}

int trace_launch_begin(struct trace_writer *w, uint32_t kernel, const uint32_t grid[3], const uint32_t block[3],
		       uint32_t dynamic_shared_bytes, struct err *e)
{
	struct trace *t = w->t;
	struct trace_launch l = {.kernel = kernel, .dynamic_shared_bytes = dynamic_shared_bytes};
	uint32_t cap = t->cap_launches, cap_sync = cap, n_mem;
	const char *wrong;

	PANIC_UNLESS(!w->launch, "trace: a launch within a launch", 0);
	memcpy(l.grid, grid, sizeof l.grid);
	memcpy(l.block, block, sizeof l.block);
	wrong = trace_check_launch(&l, t->n_kernels);
	if (wrong)
		return err_set(e, "%s", wrong);
	trace_launch_shape(&l);
	take_waits(w, &l);
	t->launch = trace_grow32(t->launch, t->n_launches, &t->cap_launches, sizeof *t->launch);
	t->first_frame = trace_grow32(t->first_frame, t->n_launches, &cap, sizeof *t->first_frame);
	t->first_frame[t->n_launches] = t->frames.n;
	t->sync = trace_grow32(t->sync, t->n_launches, &cap_sync, sizeof *t->sync);
	t->sync[t->n_launches] = NULL;
	w->launch = &t->launch[t->n_launches++];
	*w->launch = l;
	w->next_cta = w->next_begin = 0;
	w->shift = row_shift(block);
	n_mem = t->index[kernel].mem_before[t->kernel[kernel].n_inst];
	if (n_mem >= w->cap_state) { /* never an empty array */
		w->cap_state = n_mem + 1;
		w->state = xrealloc(w->state, w->cap_state * sizeof *w->state);
	}
	return 0;
}

void trace_cta_begin(struct trace_writer *w, uint32_t cta)
{
	PANIC_UNLESS(w->launch && !w->in_cta && cta == w->next_begin && cta < w->launch->n_ctas, "trace: CTA order", 0);
	w->cta = w->next_begin++;
	for (uint32_t i = 0; i < w->launch->warps_per_cta; i++)
		w->warp[i].n_runs = w->warp[i].n_addrs = 0;
	w->n_lanes = 0;
	w->in_cta = true;
	w->too_long = w->full = false;
}

static void clear_log(struct trace_writer *w)
{
	memset(w->warp, 0, sizeof w->warp);
	w->lanes = NULL;
	w->n_lanes = w->cap_lanes = 0;
	w->too_long = w->full = w->in_cta = false;
}

static void free_log(struct warp_log *warp, uint64_t *lanes)
{
	for (int i = 0; i < TRACE_MAX_WARPS; i++) {
		free(warp[i].run);
		free(warp[i].addr);
	}
	free(lanes);
}

struct trace_parked *trace_cta_park(struct trace_writer *w)
{
	struct trace_parked *p = xmalloc(sizeof *p);

	PANIC_UNLESS(w->in_cta, "trace: no CTA to park", 0);
	memcpy(p->warp, w->warp, sizeof p->warp);
	p->lanes = w->lanes;
	p->n_lanes = w->n_lanes;
	p->cap_lanes = w->cap_lanes;
	p->cta = w->cta;
	p->too_long = w->too_long;
	p->full = w->full;
	clear_log(w);
	return p;
}

void trace_cta_resume(struct trace_writer *w, struct trace_parked *p)
{
	PANIC_UNLESS(!w->in_cta, "trace: a CTA within a CTA", 0);
	free_log(w->warp, w->lanes);
	memcpy(w->warp, p->warp, sizeof w->warp);
	w->lanes = p->lanes;
	w->n_lanes = p->n_lanes;
	w->cap_lanes = p->cap_lanes;
	w->cta = p->cta;
	w->too_long = p->too_long;
	w->full = p->full;
	w->in_cta = true;
	free(p);
}

void trace_parked_drop(struct trace_parked *p)
{
	if (!p)
		return;
	free_log(p->warp, p->lanes);
	free(p);
}

/* Of the open CTA, without what arrays have room for. */
static uint64_t log_bytes(const struct trace_writer *w)
{
	uint64_t bytes = w->n_lanes * sizeof *w->lanes;

	for (unsigned i = 0; i < TRACE_MAX_WARPS; i++)
		bytes += w->warp[i].n_runs * sizeof *w->warp[i].run + w->warp[i].n_addrs * sizeof *w->warp[i].addr;
	return bytes;
}

/* When an array is to grow, which is seldom enough to count. */
static void look_at_log(struct trace_writer *w)
{
	w->full = w->log_limit && log_bytes(w) > w->log_limit;
}

void trace_set_log_limit(struct trace_writer *w, uint64_t bytes)
{
	w->log_limit = bytes;
	look_at_log(w);
}

bool trace_log_is_full(const struct trace_writer *w)
{
	return w->full;
}

bool trace_put_run(struct trace_writer *w, uint32_t warp, uint32_t pc, uint32_t len, uint32_t mask)
{
	struct warp_log *log = &w->warp[warp];

	if (log->n_runs) {
		struct trace_run *last = &log->run[log->n_runs - 1];

		if (last->mask == mask && last->pc + last->len == pc) {
			last->len += len;
			return w->full;
		}
	}
	if (__builtin_expect(log->n_runs == log->cap_runs, 0)) {
		log->run = trace_grow(log->run, log->n_runs, &log->cap_runs, sizeof *log->run);
		look_at_log(w);
	}
	log->run[log->n_runs++] = (struct trace_run){pc, len, mask};
	return w->full;
}

struct trace_mark trace_log_end(const struct trace_writer *w, uint32_t warp)
{
	const struct warp_log *log = &w->warp[warp];

	return (struct trace_mark){log->n_runs, log->n_addrs, log->n_runs ? log->run[log->n_runs - 1].len : 0};
}

bool trace_log_since(const struct trace_writer *w, uint32_t warp, const struct trace_mark *from, struct trace_run *out,
		     uint32_t room, uint32_t *n)
{
	const struct warp_log *log = &w->warp[warp];

	*n = 0;
	for (uint64_t i = from->runs ? from->runs - 1 : 0; i < log->n_runs; i++) {
		struct trace_run r = log->run[i];

		if (i + 1 == from->runs) { /* the run that was the last one may have grown */
			r.pc += from->last;
			r.len -= from->last;
		}
		if (!r.len)
			continue;
		if (*n == room)
			return false;
		out[(*n)++] = r;
	}
	return true;
}

static bool same_addresses(const struct trace_writer *w, const struct log_addr *a, const struct log_addr *b)
{
	if (a->mask != b->mask || (a->a.list == TRACE_AFFINE) != (b->a.list == TRACE_AFFINE))
		return false;
	if (a->a.list == TRACE_AFFINE)
		return a->a.base == b->a.base && a->a.sx == b->a.sx && a->a.sy == b->a.sy && a->a.shift == b->a.shift;
	return !memcmp(w->lanes + a->a.list, w->lanes + b->a.list, (unsigned)__builtin_popcount(a->mask) * sizeof *w->lanes);
}

uint64_t trace_log_record(const struct trace_writer *w, uint32_t warp, uint64_t record)
{
	return w->warp[warp].addr[record].a.base;
}

/* Whether the records of the runs are the same from record `first` on as from record `again` on, but for sleeps. */
static bool same_records(const struct trace_writer *w, const struct warp_log *log, const struct trace_run *run, uint32_t n,
			 uint64_t first, uint64_t again)
{
	const struct trace_inst *inst = w->t->kernel[w->launch->kernel].inst;

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t pc = run[i].pc; pc < run[i].pc + run[i].len && run[i].mask; pc++) {
			if (!trace_has_record(&inst[pc]))
				continue;
			if (inst[pc].space != SPACE_SLEEP && !same_addresses(w, &log->addr[first], &log->addr[again]))
				return false;
			first++;
			again++;
		}
	}
	return true;
}

/* Run i of the log, as it was when the log ended at the mark. */
static struct trace_run run_at(const struct warp_log *log, const struct trace_mark *mark, uint64_t i)
{
	struct trace_run r = log->run[i];

	if (i + 1 == mark->runs)
		r.len = mark->last;
	return r;
}

bool trace_log_repeats(const struct trace_writer *w, uint32_t warp, const struct trace_mark *mark, const struct trace_run *run,
		       uint32_t n, struct trace_mark *from)
{
	const uint32_t *mem_before = w->t->index[w->launch->kernel].mem_before;
	const struct warp_log *log = &w->warp[warp];
	uint64_t records = 0, first = mark->runs - n;

	if (mark->runs < n)
		return false;
	for (uint32_t i = 0; i < n; i++) {
		struct trace_run a = run_at(log, mark, first + i);
		bool longer = i == 0 && a.len > run[i].len;

		if (a.mask != run[i].mask || a.pc + a.len != run[i].pc + run[i].len || (!longer && a.len != run[i].len))
			return false;
		records += run[i].mask ? mem_before[run[i].pc + run[i].len] - mem_before[run[i].pc] : 0;
	}
	if (records > mark->records || mark->records + records > log->n_addrs)
		return false;
	if (!same_records(w, log, run, n, mark->records - records, mark->records))
		return false;
	*from = (struct trace_mark){first, mark->records - records, first ? log->run[first - 1].len : 0};
	if (run_at(log, mark, first).len > run[0].len)
		*from = (struct trace_mark){first + 1, from->records, run_at(log, mark, first).len - run[0].len};
	return true;
}

/* Gives the lanes of records that are dropped back, if nothing has come behind them. */
static void drop_lanes(struct trace_writer *w, const struct warp_log *log, uint64_t from)
{
	uint64_t first = w->n_lanes, n = 0;

	for (uint64_t i = from; i < log->n_addrs; i++) {
		const struct log_addr *a = &log->addr[i];

		if (a->a.list == TRACE_AFFINE)
			continue;
		first = a->a.list < first ? a->a.list : first;
		n += (unsigned)__builtin_popcount(a->mask);
	}
	if (first + n == w->n_lanes)
		w->n_lanes = first;
}

void trace_log_cut(struct trace_writer *w, uint32_t warp, const struct trace_mark *to)
{
	struct warp_log *log = &w->warp[warp];

	PANIC_UNLESS(to->runs <= log->n_runs && to->records <= log->n_addrs, "trace: a log is cut where it has not been", 0);
	drop_lanes(w, log, to->records);
	log->n_runs = to->runs;
	log->n_addrs = to->records;
	if (log->n_runs)
		log->run[log->n_runs - 1].len = to->last;
}

static void put_list(struct trace_writer *w, struct log_addr *to, uint32_t mask, const uint64_t *addr)
{
	uint64_t *lane;

	if (w->n_lanes + TRACE_WARP_SIZE > MAX_LOG_LANES) {
		w->too_long = true;
		w->n_lanes = 0;
	}
	while (w->cap_lanes - w->n_lanes < TRACE_WARP_SIZE) {
		w->lanes = trace_grow(w->lanes, w->cap_lanes, &w->cap_lanes, sizeof *w->lanes);
		look_at_log(w);
	}
	to->a = (struct trace_addr){0, 0, 0, (uint32_t)w->n_lanes, 0};
	lane = w->lanes + w->n_lanes;
	w->n_lanes += (unsigned)__builtin_popcount(mask);
	for (; mask; mask &= mask - 1)
		*lane++ = addr[__builtin_ctz(mask)];
}

void trace_put_addrs(struct trace_writer *w, uint32_t warp, uint32_t mask, const uint64_t addr[TRACE_WARP_SIZE])
{
	struct warp_log *log = &w->warp[warp];
	struct log_addr *to;

	if (__builtin_expect(log->n_addrs == log->cap_addrs, 0)) {
		log->addr = trace_grow(log->addr, log->n_addrs, &log->cap_addrs, sizeof *log->addr);
		look_at_log(w);
	}
	PANIC_UNLESS(mask, "trace: addresses of no lane", 0);
	to = &log->addr[log->n_addrs++];
	to->mask = mask;
	if (!trace_addr_fit(addr, mask, w->shift, &to->a))
		put_list(w, to, mask, addr);
}

/* ---- where frames go ---- */

static const uint8_t *keep_in_memory(struct trace *t, const uint8_t *bytes, size_t n)
{
	struct chunk *c = t->chunks;

	if (!c || c->cap - c->fill < n) {
		size_t cap = n > CHUNK ? n : CHUNK;

		c = xmalloc(sizeof *c + cap);
		c->next = t->chunks;
		c->fill = 0;
		c->cap = cap;
		t->chunks = c;
	}
	memcpy(c->bytes + c->fill, bytes, n);
	c->fill += n;
	return c->bytes + c->fill - n;
}

static int flush(struct trace_writer *w, struct err *e)
{
	if (file_write_at(w->t->fd, w->t->path, w->pending.data, w->pending.n, w->written, e))
		return -1;
	w->written += w->pending.n;
	w->pending.n = 0;
	return 0;
}

static int keep_in_file(struct trace_writer *w, const uint8_t *bytes, size_t n, uint64_t *offset, struct err *e)
{
	if (w->t->fd < 0 && (w->t->fd = file_nameless(e)) < 0)
		return -1;
	if (w->pending.n + n > FILE_BUFFER && w->pending.n > 0 && flush(w, e))
		return -1;
	*offset = w->written + w->pending.n;
	bytes_reserve(&w->pending, n);
	memcpy(w->pending.data + w->pending.n, bytes, n);
	w->pending.n += n;
	return 0;
}

static int keep(struct trace_writer *w, struct frame *f, struct err *e)
{
	if (w->path || w->in_memory + f->stored > w->memory_limit)
		return keep_in_file(w, w->packed.data, f->stored, &f->offset, e);
	f->mem = keep_in_memory(w->t, w->packed.data, f->stored);
	w->in_memory += f->stored;
	return 0;
}

int trace_cta_end(struct trace_writer *w, struct err *e)
{
	struct trace *t = w->t;
	struct frame f = {0};
	size_t n;

	PANIC_UNLESS(w->in_cta && w->cta == w->next_cta, "trace: the end of a CTA that was not begun, or out of order", 0);
	w->in_cta = false;
	w->raw.n = 0;
	if (!w->too_long)
		frame_encode(t, w->launch, w->warp, w->lanes, w->state, &w->raw);
	if (w->too_long || w->raw.n > TRACE_MAX_FRAME)
		return err_set(e, "launch %u, CTA %u: its trace is longer than %u MiB", t->n_launches - 1, w->next_cta,
			       TRACE_MAX_FRAME >> 20);
	w->packed.n = 0;
	bytes_reserve(&w->packed, ZSTD_compressBound(w->raw.n));
	n = ZSTD_compress2(w->zstd, w->packed.data, w->packed.cap, w->raw.data, w->raw.n);
	if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
		return err_set(e, "launch %u, CTA %u: not enough memory to compress %zu bytes", t->n_launches - 1, w->next_cta,
			       w->raw.n);
	PANIC_UNLESS(!ZSTD_isError(n), "trace: compression", 0);
	f.stored = (uint32_t)n;
	f.raw = (uint32_t)w->raw.n;
	f.hash = XXH64(w->raw.data, w->raw.n, 0);
	if (keep(w, &f, e) || frame_index_add(&t->frames, &f, e))
		return -1;
	w->bytes += f.stored;
	w->next_cta++;
	return 0;
}

void trace_set_sync(struct trace_writer *w, const struct trace_sync *s)
{
	struct trace_sync **to;
	const char *wrong;

	PANIC_UNLESS(w->launch, "trace: accesses that order warps, outside a launch", 0);
	wrong = s->n_accesses ? trace_check_sync(w->t, w->launch, s) : NULL;
	if (wrong)
		panic("trace", w->t->n_launches - 1, "%s", wrong);
	to = &w->t->sync[w->t->n_launches - 1];
	trace_sync_free(*to);
	*to = s->n_accesses ? trace_sync_copy(s, w->launch->n_ctas) : NULL;
}

int trace_launch_end(struct trace_writer *w, struct err *e)
{
	(void)e;
	PANIC_UNLESS(w->launch && !w->in_cta && w->next_cta == w->launch->n_ctas, "trace: a launch without all its CTAs", 0);
	w->launch = NULL;
	return 0;
}

struct trace *trace_writer_so_far(struct trace_writer *w, struct err *e)
{
	PANIC_UNLESS(!w->launch, "trace: read within a launch", 0);
	return w->pending.n && flush(w, e) ? NULL : w->t;
}

uint64_t trace_writer_bytes(const struct trace_writer *w)
{
	return w->bytes;
}

/* ---- the end ---- */

static void free_writer(struct trace_writer *w)
{
	free_log(w->warp, w->lanes);
	free(w->state);
	free(w->raw.data);
	free(w->packed.data);
	free(w->pending.data);
	free(w->path);
	ZSTD_freeCCtx(w->zstd);
	free(w);
}

struct trace *trace_writer_finish(struct trace_writer *w, struct err *e)
{
	struct trace *t = w->t;

	PANIC_UNLESS(!w->launch, "trace: the end within a launch", 0);
	if (w->pending.n && flush(w, e))
		goto fail;
	if (w->path ? file_finish(t, w->written, &t->hash, e) : tables_hash(t, &t->hash, e))
		goto fail;
	if (w->path && newfile_keep(t->fd, w->path)) {
		err_set(e, "%s: cannot write: %s", w->path, strerror(errno));
		goto fail;
	}
	free_writer(w);
	return t;
fail:
	trace_writer_drop(w);
	return NULL;
}

void trace_writer_drop(struct trace_writer *w)
{
	if (!w)
		return;
	trace_close(w->t);
	free_writer(w);
}
