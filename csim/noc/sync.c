#include "noc/sync.h"

#include <string.h>

#include "base/panic.h"
#include "base/region.h"

#define NO_ENTRY UINT32_MAX

static bool has_any(const struct trace *t)
{
	for (uint32_t i = 0; i < trace_n_launches(t); i++)
		if (trace_sync(t, i))
			return true;
	for (uint32_t k = 0; k < trace_n_kernels(t); k++)
		for (uint32_t i = 0; i < trace_kernel(t, k)->n_inst; i++)
			if (trace_kernel(t, k)->inst[i].space == SPACE_SLEEP)
				return true;
	return false;
}

static void init_launch(struct sync_launch *l, struct arena *a, const struct trace_sync *s)
{
	l->trace = s;
	l->word = arena_array(a, (size_t)s->n_words + 1, sizeof *l->word);
	for (uint32_t i = 0; i < s->n_words; i++)
		l->word[i].performed = arena_array(a, (size_t)s->word[i].n + 1, sizeof *l->word[i].performed);
}

struct sync_board *sync_board_new(struct arena *a, const struct trace *t, uint32_t sms, uint32_t line, struct ticks margin)
{
	struct sync_board *b;

	if (!has_any(t))
		return NULL;
	b = arena_alloc(a, sizeof *b);
	*b = (struct sync_board){.launches = trace_n_launches(t), .sms = sms, .line_mask = ~((uint64_t)line - 1), .margin = margin};
	b->launch = arena_array(a, b->launches, sizeof *b->launch);
	for (uint32_t i = 0; i < b->launches; i++)
		if (trace_sync(t, i))
			init_launch(&b->launch[i], a, trace_sync(t, i));
	b->table = arena_array(a, sms, sizeof *b->table);
	for (uint32_t s = 0; s < sms; s++) {
		b->table[s].region = a->region;
		b->table[s].free = NO_ENTRY;
	}
	return b;
}

void sync_board_free(struct sync_board *b)
{
	for (uint32_t s = 0; b && s < b->sms; s++)
		for (uint32_t c = 0; c < b->table[s].chunks; c++)
			region_drop(b->table[s].region, b->table[s].chunk[c]);
}

/* ---- entries ---- */

static void grow(struct sync_table *t)
{
	uint32_t n = SYNC_FIRST_CHUNK << t->chunks, first = n - SYNC_FIRST_CHUNK;
	struct sync_entry *chunk;

	PANIC_UNLESS(t->chunks < SYNC_CHUNKS, "sync", t->chunks);
	chunk = region_grow(t->region, NULL, 0, n * sizeof *chunk);
	memset(chunk, 0, n * sizeof *chunk);
	for (uint32_t i = n; i-- > 0;) {
		chunk[i].next_free = t->free;
		t->free = first + i;
	}
	t->chunk[t->chunks++] = chunk;
}

uint32_t sync_take(struct sync_table *t)
{
	uint32_t number;

	if (t->free == NO_ENTRY)
		grow(t);
	number = t->free;
	t->free = sync_entry(t, number)->next_free;
	return number;
}

void sync_give(struct sync_table *t, uint32_t number)
{
	sync_entry(t, number)->next_free = t->free;
	t->free = number;
}

/* ---- words ---- */

/* Several threads may be here for a word at a time: they find the same ticks and write the same latest ones, and a
 * prefix that another one has got further is only shorter than it could be. */
static bool is_seen(struct sync_word *w, uint32_t need, struct ticks now, struct ticks margin)
{
	uint32_t prefix = atomic_load_explicit(&w->prefix, memory_order_acquire), known = prefix;
	uint64_t latest;

	if (need == 0)
		return true;
	if (prefix >= need)
		prefix = need;
	latest = prefix ? atomic_load_explicit(&w->performed[prefix - 1], memory_order_relaxed) : 0;
	for (; prefix < need; prefix++) {
		uint64_t at = atomic_load_explicit(&w->performed[prefix], memory_order_relaxed);

		if (!at)
			break;
		if (at < latest)
			atomic_store_explicit(&w->performed[prefix], latest, memory_order_relaxed);
		else
			latest = at;
	}
	if (prefix > known)
		atomic_store_explicit(&w->prefix, prefix, memory_order_release);
	return prefix == need && latest - 1 + margin.n <= now.n;
}

static uint32_t modify(struct sync_word *w, const struct trace_sync_item *i, struct ticks now)
{
	uint32_t performed = 0;

	for (uint32_t m = i->first; m < i->first + i->n; m++) {
		/* by an attempt that failed elsewhere */
		if (atomic_load_explicit(&w->performed[m], memory_order_relaxed))
			continue;
		atomic_store_explicit(&w->performed[m], now.n + 1, memory_order_relaxed);
		performed++;
	}
	return performed;
}

struct place { /* a line of global memory, or a CTA's shared memory */
	uint32_t cta;
	uint64_t mask, line;
};

static bool is_at(const struct trace_sync_word *w, const struct place *p)
{
	return w->cta == p->cta && (w->addr & p->mask) == p->line;
}

/* What the access does there; *performed: modifications. */
static bool perform(const struct sync_launch *l, uint32_t access, const struct place *p, struct ticks now, struct ticks margin,
		    uint32_t *performed)
{
	const struct trace_sync *s = l->trace;
	const struct trace_sync_access *a = &s->access[access];
	const struct trace_sync_item *first = &s->item[a->first_item], *end = first + a->n_items;

	*performed = 0;
	for (const struct trace_sync_item *i = first; i < end; i++)
		if (is_at(&s->word[i->word], p) && !is_seen(&l->word[i->word], i->need, now, margin))
			return false;
	for (const struct trace_sync_item *i = first; i < end; i++)
		if (is_at(&s->word[i->word], p))
			*performed += modify(&l->word[i->word], i, now);
	return true;
}

void sync_perform(const struct sync_board *b, const struct mem_req *r, struct ticks now)
{
	struct sync_entry *e = sync_entry(&b->table[r->requester], r->token);
	const struct place at = {TRACE_SYNC_GLOBAL, b->line_mask, e->line};

	e->held = perform(e->of, e->access, &at, now, b->margin, &e->performed);
}

bool sync_perform_shared(const struct sync_launch *l, uint32_t access, uint32_t cta, struct ticks now, uint64_t *performed)
{
	const struct place at = {.cta = cta};
	uint32_t n;
	bool held = perform(l, access, &at, now, (struct ticks){0}, &n);

	*performed += n;
	return held;
}

uint32_t sync_missing(const struct sync_board *b, const struct sync_launch *l, uint32_t access, struct ticks now,
		      uint32_t *modification)
{
	const struct trace_sync_access *a = &l->trace->access[access];

	for (uint32_t i = a->first_item; i < a->first_item + a->n_items; i++) {
		const struct trace_sync_item *item = &l->trace->item[i];
		struct sync_word *w = &l->word[item->word];

		if (is_seen(w, item->need, now, b->margin))
			continue;
		*modification = 0;
		while (*modification < item->need && atomic_load_explicit(&w->performed[*modification], memory_order_relaxed))
			++*modification;
		return i;
	}
	return UINT32_MAX;
}
