/* One CTA as bytes: the frame before compression. Layout: docs/reference/trace-format.md, "Frames".
 *
 * A warp is a list of runs, each followed by the address records of its memory instructions. A record is encoded
 * against the last one of the same instruction in this CTA, so that a loop's loads, and the same load of the next warp,
 * cost a byte.
 */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/panic.h"
#include "base/pool.h"
#include "trace/trace_impl.h"
#include "trace/varint.h"

enum record_kind {
	RECORD_AGAIN = 0, /* shape and step as the last time */
	RECORD_STEP = 1,  /* shape as the last time; the step follows */
	RECORD_SHAPE = 2, /* with the shift in bits 2..4: sx, sy and the step follow */
	RECORD_LIST = 3	  /* the step to the first active lane, then from lane to lane */
};
/* Most bytes of a run, of an affine record, of a list record. */
enum { MAX_RUN = 20, MAX_AFFINE = 24, MAX_LIST = 1 + 10 * TRACE_WARP_SIZE };

/* ---- writing ---- */

static uint8_t *put_record(uint8_t *p, const struct trace_addr *a, uint32_t mask, const uint64_t *lanes, struct pc_state *s)
{
	if (a->list != TRACE_AFFINE) {
		uint64_t last = s->base;

		*p++ = RECORD_LIST;
		for (unsigned i = 0, n = (unsigned)__builtin_popcount(mask); i < n; i++) {
			p = varint_put(p, zigzag(lanes[a->list + i] - last));
			last = lanes[a->list + i];
		}
		s->delta = lanes[a->list] - s->base;
		s->base = lanes[a->list];
		return p;
	}
	if (a->sx != s->sx || a->sy != s->sy || a->shift != s->shift) {
		*p++ = (uint8_t)(RECORD_SHAPE | a->shift << 2);
		p = varint_put(p, zigzag((uint64_t)(int64_t)a->sx));
		p = varint_put(p, zigzag((uint64_t)(int64_t)a->sy));
		p = varint_put(p, zigzag(a->base - s->base));
	} else if (a->base - s->base != s->delta) {
		*p++ = RECORD_STEP;
		p = varint_put(p, zigzag(a->base - s->base));
	} else {
		*p++ = RECORD_AGAIN;
	}
	*s = (struct pc_state){.base = a->base, .delta = a->base - s->base, .sx = a->sx, .sy = a->sy, .shift = a->shift};
	return p;
}

static void encode_warp(const struct trace_kernel *k, const uint32_t *mem_before, struct trace_launch *l, uint32_t warp,
			const struct warp_log *log, const uint64_t *lanes, struct pc_state *state, struct bytes *out)
{
	const uint32_t exist = trace_warp_lanes(l, warp);
	uint32_t mask = exist, expect = 0;
	uint64_t next = 0;

	PANIC_UNLESS(log->n_runs > 0, "trace: a warp that executes nothing", 0);
	bytes_reserve(out, 10);
	out->n = (size_t)(varint_put(out->data + out->n, log->n_runs) - out->data);
	for (uint64_t i = 0; i < log->n_runs; i++) {
		const struct trace_run r = log->run[i];
		uint8_t *p;

		if (!r.len || r.pc >= k->n_inst || r.len > k->n_inst - r.pc || (r.mask & ~exist))
			panic("trace", 0, "kernel %s: run of %u instructions from %u on, mask %08x", k->name, r.len, r.pc, r.mask);
		l->warp_insts += r.len;
		l->thread_insts += (uint64_t)r.len * (unsigned)__builtin_popcount(r.mask);
		bytes_reserve(out, MAX_RUN);
		p = varint_put(out->data + out->n, zigzag((uint64_t)r.pc - expect) << 1 | (r.mask != mask));
		p = varint_put(p, r.len - 1);
		if (r.mask != mask)
			p = varint_put(p, r.mask);
		out->n = (size_t)(p - out->data);
		mask = r.mask;
		expect = r.pc + r.len;
		for (uint32_t m = mem_before[r.pc], end = mem_before[expect]; mask && m < end; m++) {
			const struct log_addr *a = &log->addr[next++];

			if (next > log->n_addrs || a->mask != mask)
				panic("trace", 0, "kernel %s: memory instructions and their address records disagree in warp %u",
				      k->name, warp);
			bytes_reserve(out, a->a.list == TRACE_AFFINE ? MAX_AFFINE : MAX_LIST);
			out->n = (size_t)(put_record(out->data + out->n, &a->a, mask, lanes, &state[m]) - out->data);
		}
	}
	if (next != log->n_addrs)
		panic("trace", 0, "kernel %s: warp %u has more address records than memory instructions", k->name, warp);
}

void frame_encode(const struct trace *t, struct trace_launch *l, const struct warp_log *warp, const uint64_t *lanes,
		  struct pc_state *state, struct bytes *out)
{
	const struct trace_kernel *k = &t->kernel[l->kernel];
	const uint32_t *mem_before = t->index[l->kernel].mem_before;

	memset(state, 0, mem_before[k->n_inst] * sizeof *state);
	for (uint32_t w = 0; w < l->warps_per_cta; w++)
		encode_warp(k, mem_before, l, w, &warp[w], lanes, state, out);
}

/* ---- reading ---- */

/* Where decoding is. The zero padding ends any varint that runs over the end, so only whole items are checked against
 * it. */
struct cursor {
	const uint8_t *p, *end;
	bool bad; /* a varint of more than 64 bits */
};

static uint64_t get_long(struct cursor *c, uint64_t v)
{
	for (unsigned shift = 7; shift < 64; shift += 7) {
		uint64_t b = *c->p++;

		v |= (b & 0x7f) << shift;
		if (!(b & 0x80)) {
			c->bad |= shift == 63 && b > 1;
			return v;
		}
	}
	c->bad = true;
	return 0;
}

static inline uint64_t get(struct cursor *c)
{
	uint64_t b = *c->p++;

	return __builtin_expect(b < 0x80, 1) ? b : get_long(c, b & 0x7f);
}

static void *grow(struct pool *p, void *array, size_t size, uint32_t *cap, uint32_t to)
{
	size_t had = *cap * size;

	*cap = to;
	return pool_grow(p, array, had, to * size);
}
/* An array of a CTA gets room for `to` elements. */
#define GROW(c, array, to) ((c)->array = grow((c)->pool, (c)->array, sizeof *(c)->array, &(c)->cap_##array, to))

/* Room for n addresses more, and the record of a list of them. */
static const char *new_list(struct trace_cta *out, unsigned n, trace_packed_addr *a)
{
	if (out->cap_lanes - out->n_lanes < n) {
		if (out->cap_lanes > UINT32_MAX / 4)
			return "it has more than 2^30 addresses in lists";
		GROW(out, lanes, out->cap_lanes ? out->cap_lanes * 2 : 1024);
	}
	*a = (uint64_t)out->n_lanes << TRACE_SHAPE_BITS | TRACE_LISTED;
	out->n_lanes += n;
	return NULL;
}

static const char *get_list(struct cursor *c, uint32_t mask, struct pc_state *s, struct trace_cta *out, trace_packed_addr *a)
{
	unsigned n = (unsigned)__builtin_popcount(mask);
	const char *wrong = new_list(out, n, a);
	uint64_t v = s->base, *to;

	if (wrong)
		return wrong;
	to = out->lanes + out->n_lanes - n;
	for (unsigned i = 0; i < n; i++)
		to[i] = v += unzigzag(get(c));
	s->delta = to[0] - s->base;
	s->base = to[0];
	return NULL;
}

/* An affine record that does not fit. */
static const char *as_list(const struct pc_state *s, uint32_t mask, struct trace_cta *out, trace_packed_addr *a)
{
	const struct trace_addr affine = {s->base, s->sx, s->sy, TRACE_AFFINE, s->shift};
	unsigned n = (unsigned)__builtin_popcount(mask);
	const char *wrong = new_list(out, n, a);
	uint64_t lane[TRACE_WARP_SIZE], *to;

	if (wrong)
		return wrong;
	trace_addr_spread(&affine, mask, lane);
	for (to = out->lanes + out->n_lanes - n; mask; mask &= mask - 1)
		*to++ = lane[__builtin_ctz(mask)];
	return NULL;
}

enum { LATEST_SHAPES = 8 };

/* The number of a shape: of one of the latest that is the same, or a new one. */
static uint32_t shape_of(struct trace_cta *out, const struct pc_state *s)
{
	for (uint32_t i = out->n_shapes; i > 0 && i + LATEST_SHAPES > out->n_shapes; i--) {
		const struct trace_shape *x = &out->shapes[i - 1];

		if (x->sx == s->sx && x->sy == s->sy && x->shift == s->shift)
			return i - 1;
	}
	if (out->n_shapes == TRACE_MAX_SHAPES)
		return TRACE_LISTED;
	if (out->n_shapes == out->cap_shapes)
		GROW(out, shapes, out->cap_shapes ? out->cap_shapes * 2 : LATEST_SHAPES);
	out->shapes[out->n_shapes] = (struct trace_shape){s->sx, s->sy, s->shift};
	return out->n_shapes++;
}

static const char *get_record(struct cursor *c, uint32_t mask, struct pc_state *s, struct trace_cta *out, trace_packed_addr *a)
{
	unsigned head = *c->p++;

	if (__builtin_expect(head > RECORD_STEP, 0)) {
		if (head == RECORD_LIST)
			return get_list(c, mask, s, out, a);
		if ((head & 3) != RECORD_SHAPE || head >> 2 > 5)
			return "it has an address record of unknown kind";
		uint64_t sx = unzigzag(get(c)), sy = unzigzag(get(c));

		s->shift = head >> 2;
		s->sx = (int32_t)sx;
		s->sy = (int32_t)sy;
		c->bad |= (uint64_t)(int64_t)s->sx != sx || (uint64_t)(int64_t)s->sy != sy;
		s->shape = shape_of(out, s);
	}
	if (head != RECORD_AGAIN)
		s->delta = unzigzag(get(c));
	s->base += s->delta;
	*a = s->base << TRACE_SHAPE_BITS | s->shape;
	if (s->shape == TRACE_LISTED || (uint64_t)((int64_t)*a >> TRACE_SHAPE_BITS) != s->base)
		return as_list(s, mask, out, a);
	return NULL;
}

static const char *get_records(struct cursor *c, uint32_t first, uint32_t last, uint32_t mask, struct pc_state *state,
			       struct trace_cta *out)
{
	const char *wrong = NULL;

	if (last - first > (size_t)(c->end - c->p))
		return "its address records are cut short";
	if (out->cap_addrs - out->n_addrs < last - first) {
		uint32_t need = out->n_addrs + (last - first); /* at most the frame's bytes */

		GROW(out, addrs, out->cap_addrs * 2 > need ? out->cap_addrs * 2 : need);
	}
	for (uint32_t m = first; m < last && !wrong; m++) {
		wrong = get_record(c, mask, &state[m], out, &out->addrs[out->n_addrs++]);
		if (c->p > c->end)
			return "its address records are cut short";
	}
	return wrong;
}

static const char *decode_warp(const struct trace_kernel *k, const uint32_t *mem_before, uint32_t exist, struct cursor *c,
			       struct pc_state *state, struct trace_cta *out, struct trace_warp *w)
{
	uint64_t n_runs = get(c), expect = 0, insts = 0;
	uint32_t mask = exist;
	const char *wrong = NULL;

	/* A run takes two bytes or more. */
	if (c->bad || c->p > c->end || n_runs < 1 || n_runs > (size_t)(c->end - c->p) / 2)
		return "a warp's number of runs cannot be right";
	*w = (struct trace_warp){out->n_runs, (uint32_t)n_runs, out->n_addrs, 0, 0};
	for (; n_runs > 0 && !wrong; n_runs--) {
		uint64_t head = get(c), more = get(c), pc = expect + unzigzag(head >> 1);

		if (head & 1) {
			uint64_t m = get(c);

			mask = (uint32_t)m;
			c->bad |= (m & ~(uint64_t)exist) != 0;
		}
		if (c->bad || c->p > c->end || pc >= k->n_inst || more >= k->n_inst - pc)
			return c->p > c->end ? "its runs are cut short"
					     : "a run is outside the kernel or its lanes outside the warp";
		expect = pc + more + 1;
		if (out->n_runs == out->cap_runs)
			GROW(out, runs, out->cap_runs ? out->cap_runs * 2 : 64);
		out->runs[out->n_runs++] = (struct trace_run){(uint32_t)pc, (uint32_t)more + 1, mask};
		insts += more + 1;
		if (mask && mem_before[pc] != mem_before[expect])
			wrong = get_records(c, mem_before[pc], mem_before[expect], mask, state, out);
	}
	w->n_addrs = out->n_addrs - w->first_addr;
	w->insts = (uint32_t)insts;
	if (!wrong && insts > UINT32_MAX)
		wrong = "a warp has 2^32 instructions or more";
	return !wrong && c->bad ? "a number is out of range" : wrong;
}

const char *frame_decode(const struct trace *t, const struct trace_launch *l, const uint8_t *p, size_t n, struct pc_state *state,
			 struct trace_cta *out)
{
	const struct trace_kernel *k = &t->kernel[l->kernel];
	const uint32_t *mem_before = t->index[l->kernel].mem_before;
	struct cursor c = {p, p + n, false};
	const char *wrong = NULL;

	memset(state, 0, mem_before[k->n_inst] * sizeof *state);
	out->n_warps = l->warps_per_cta;
	out->n_runs = out->n_addrs = out->n_shapes = out->n_lanes = 0;
	shape_of(out, &(struct pc_state){0}); /* number 0: what instructions begin with */
	for (uint32_t w = 0; w < l->warps_per_cta && !wrong; w++)
		wrong = decode_warp(k, mem_before, trace_warp_lanes(l, w), &c, state, out, &out->warp[w]);
	return wrong ? wrong : c.p != c.end ? "it is longer than its last warp" : NULL;
}
