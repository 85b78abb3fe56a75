/* The accesses that order a launch's warps, in the content section: all numbers are varints. */
#include "base/alloc.h"
#include "trace/table_bytes.h"
#include "trace/varint.h"

/* Least bytes of each in a file. */
enum { LEAST_WORD = 3, LEAST_ITEM = 4, LEAST_TAIL = 3, LEAST_SLEEP = 1, LEAST_ACCESS = 10 };

/* ---- writing ---- */

static void put_u(struct table_out *o, uint64_t v)
{
	bytes_reserve(&o->b, VARINT_MAX);
	o->b.n = (size_t)(varint_put(o->b.data + o->b.n, v) - o->b.data);
}

static void put_s(struct table_out *o, uint64_t v)
{
	put_u(o, zigzag(v));
}

static void put_words(struct table_out *o, const struct trace_sync *s)
{
	uint64_t addr = 0;

	put_u(o, s->n_words);
	for (uint32_t i = 0; i < s->n_words; i++, table_out_some(o)) {
		const struct trace_sync_word *w = &s->word[i];

		put_u(o, w->cta == TRACE_SYNC_GLOBAL ? 0 : w->cta + 1);
		put_s(o, w->addr - addr);
		put_u(o, w->n);
		addr = w->addr;
	}
}

static void put_items(struct table_out *o, const struct trace_sync *s)
{
	uint64_t word = 0;

	put_u(o, s->n_items);
	for (uint32_t i = 0; i < s->n_items; i++, table_out_some(o)) {
		const struct trace_sync_item *it = &s->item[i];

		put_s(o, it->word - word);
		put_u(o, it->need);
		put_s(o, (uint64_t)it->first - it->need);
		put_u(o, it->n);
		word = it->word;
	}
}

static void put_tails(struct table_out *o, const struct trace_sync *s)
{
	uint64_t expect = 0;

	put_u(o, s->n_tails);
	for (uint32_t i = 0; i < s->n_tails; i++, table_out_some(o)) {
		const struct trace_run *r = &s->tail[i];

		put_s(o, r->pc - expect);
		put_u(o, r->len);
		put_u(o, r->mask);
		expect = (uint64_t)r->pc + r->len;
	}
}

static void put_sleeps(struct table_out *o, const struct trace_sync *s)
{
	uint64_t last = 0;

	put_u(o, s->n_sleeps);
	for (uint32_t i = 0; i < s->n_sleeps; i++, table_out_some(o)) {
		put_s(o, s->sleep[i] - last);
		last = s->sleep[i];
	}
}

static void put_access(struct table_out *o, const struct trace_sync_access *a, const struct trace_sync_access *last)
{
	put_u(o, a->warp);
	put_s(o, (uint64_t)a->access - last->access);
	put_s(o, (uint64_t)a->first_item - last->first_item - last->n_items);
	put_u(o, a->n_items);
	put_u(o, a->insts);
	put_u(o, a->records);
	put_s(o, (uint64_t)a->first_tail - last->first_tail);
	put_u(o, a->n_tail);
	put_s(o, (uint64_t)a->first_sleep - last->first_sleep - last->n_sleeps);
	put_u(o, a->n_sleeps);
	table_out_some(o);
}

static void put_sync(struct table_out *o, const struct trace_sync *s, uint32_t n_ctas)
{
	struct trace_sync_access last = {0};

	put_u(o, s ? s->n_accesses : 0);
	if (!s)
		return;
	put_words(o, s);
	put_items(o, s);
	put_tails(o, s);
	put_sleeps(o, s);
	for (uint32_t c = 0; c < n_ctas; c++, table_out_some(o)) {
		put_u(o, s->first_access[c + 1] - s->first_access[c]);
		for (uint32_t i = s->first_access[c]; i < s->first_access[c + 1]; i++) {
			put_access(o, &s->access[i], &last);
			last = s->access[i];
		}
	}
}

void tables_put_sync(struct table_out *o, const struct trace *t)
{
	for (uint32_t i = 0; i < t->n_launches; i++)
		put_sync(o, t->sync[i], t->launch[i].n_ctas);
}

/* ---- reading ---- */

static const char out_of_range[] = "a number is out of range";

static uint64_t get_u(struct reader *r)
{
	uint64_t v = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		uint64_t b = get(r, 1);

		v |= (b & 0x7f) << shift;
		if (!(b & 0x80)) {
			bad(r, shift == 63 && b > 1 ? out_of_range : NULL);
			return v;
		}
	}
	bad(r, out_of_range);
	return 0;
}

static uint32_t narrow(struct reader *r, uint64_t v)
{
	bad(r, v > UINT32_MAX ? out_of_range : NULL);
	return (uint32_t)v;
}

static uint32_t get_u32(struct reader *r)
{
	return narrow(r, get_u(r));
}

/* A number of 32 bits that was written as a difference from `from`. */
static uint32_t get_s32(struct reader *r, uint64_t from)
{
	return narrow(r, from + unzigzag(get_u(r)));
}

/* A count of things that take `least` bytes or more each. */
static uint32_t get_n(struct reader *r, unsigned least)
{
	uint32_t n = get_u32(r);

	if (!r->wrong && n > reader_left(r) / least)
		bad(r, "a count is larger than what follows");
	return r->wrong ? 0 : n;
}

static void get_words(struct reader *r, struct trace_sync *s)
{
	uint64_t addr = 0;

	s->n_words = get_n(r, LEAST_WORD);
	s->word = xcalloc((size_t)s->n_words + 1, sizeof *s->word);
	for (uint32_t i = 0; i < s->n_words && !r->wrong; i++) {
		struct trace_sync_word *w = &s->word[i];

		w->cta = get_u32(r) - 1; /* 0: TRACE_SYNC_GLOBAL */
		addr += unzigzag(get_u(r));
		w->addr = addr;
		w->n = get_u32(r);
	}
}

static void get_items(struct reader *r, struct trace_sync *s)
{
	uint32_t word = 0;

	s->n_items = get_n(r, LEAST_ITEM);
	s->item = xcalloc((size_t)s->n_items + 1, sizeof *s->item);
	for (uint32_t i = 0; i < s->n_items && !r->wrong; i++) {
		struct trace_sync_item *it = &s->item[i];

		it->word = word = get_s32(r, word);
		it->need = get_u32(r);
		it->first = get_s32(r, it->need);
		it->n = get_u32(r);
	}
}

static void get_tails(struct reader *r, struct trace_sync *s)
{
	uint64_t expect = 0;

	s->n_tails = get_n(r, LEAST_TAIL);
	s->tail = xcalloc((size_t)s->n_tails + 1, sizeof *s->tail);
	for (uint32_t i = 0; i < s->n_tails && !r->wrong; i++) {
		struct trace_run *run = &s->tail[i];

		run->pc = get_s32(r, expect);
		run->len = get_u32(r);
		run->mask = get_u32(r);
		expect = (uint64_t)run->pc + run->len;
	}
}

static void get_sleeps(struct reader *r, struct trace_sync *s)
{
	uint32_t last = 0;

	s->n_sleeps = get_n(r, LEAST_SLEEP);
	s->sleep = xcalloc((size_t)s->n_sleeps + 1, sizeof *s->sleep);
	for (uint32_t i = 0; i < s->n_sleeps && !r->wrong; i++)
		s->sleep[i] = last = get_s32(r, last);
}

static struct trace_sync_access get_access(struct reader *r, const struct trace_sync_access *last)
{
	struct trace_sync_access a = {.warp = get_u32(r)};

	a.access = get_s32(r, last->access);
	a.first_item = get_s32(r, (uint64_t)last->first_item + last->n_items);
	a.n_items = get_u32(r);
	a.insts = get_u32(r);
	a.records = get_u32(r);
	a.first_tail = get_s32(r, last->first_tail);
	a.n_tail = get_u32(r);
	a.first_sleep = get_s32(r, (uint64_t)last->first_sleep + last->n_sleeps);
	a.n_sleeps = get_u32(r);
	return a;
}

static void get_accesses(struct reader *r, struct trace_sync *s, uint32_t n_ctas)
{
	struct trace_sync_access last = {0};
	uint32_t next = 0;

	if (n_ctas > reader_left(r) || s->n_accesses > reader_left(r) / LEAST_ACCESS) {
		bad(r, "the ordering accesses of a launch are cut short");
		return;
	}
	s->access = xcalloc(s->n_accesses, sizeof *s->access);
	s->first_access = xcalloc((size_t)n_ctas + 1, sizeof *s->first_access);
	for (uint32_t c = 0; c < n_ctas && !r->wrong; c++) {
		uint32_t n = get_u32(r);

		if (n > s->n_accesses - next)
			bad(r, "CTAs have more ordering accesses than their launch");
		for (; n > 0 && !r->wrong; n--)
			last = s->access[next++] = get_access(r, &last);
		s->first_access[c + 1] = next;
	}
}

static void get_sync(struct reader *r, struct trace *t, uint32_t launch)
{
	const struct trace_launch *l = &t->launch[launch];
	uint32_t n = get_n(r, LEAST_ACCESS);
	struct trace_sync *s;

	if (!n)
		return;
	t->sync[launch] = s = xcalloc(1, sizeof *s);
	s->n_accesses = n;
	get_words(r, s);
	get_items(r, s);
	get_tails(r, s);
	get_sleeps(r, s);
	get_accesses(r, s, l->n_ctas);
	if (!r->wrong)
		bad(r, trace_check_sync(t, l, s));
}

void tables_get_sync(struct reader *r, struct trace *t)
{
	for (uint32_t i = 0; i < t->n_launches && !r->wrong; i++)
		get_sync(r, t, i);
}
