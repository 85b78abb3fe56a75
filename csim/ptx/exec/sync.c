#include "ptx/exec/sync.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/hash_map.h"

struct writer {
	uint32_t cta, warp, epoch; /* epoch: at its latest modification */
};

struct change {		       /* by an access, which may be several modifications */
	uint32_t after, value; /* modifications so far */
};

struct word {
	uint64_t key; /* address, and NARROW */
	uint32_t n;   /* modifications so far */
	uint32_t n_changes;
	struct change *change;
	struct writer last, other; /* of the last one; of the last one by another warp than that. Warp NOBODY: none */
	bool orders;		   /* a warp has read it after another one's modification */
};
#define NARROW (UINT64_C(1) << 63)
#define NOBODY UINT32_MAX

struct entry { /* an access, and one of its words */
	uint32_t cta, warp, record, word;
	uint32_t need, first, n;
	uint32_t insts, records, first_tail, n_tail, first_sleep, n_sleeps; /* if it decides */
};

/* 1.6 GB of them. A launch with more is written without its order. */
enum { MOST_ENTRIES = 1 << 25 };

struct sync_log {
	struct word *word;
	struct entry *entry;
	struct trace_run *tail;
	uint32_t *sleep;
	uint32_t *slot; /* of a table of words by key: the word's number + 1, or 0 */
	uint32_t n_words, n_slots, n_tails, n_sleeps;
	size_t n_entries, decides /* an entry's number + 1; 0: none */;
	bool orders, full;
};

struct sync_log *sync_log_new(void)
{
	struct sync_log *l = xcalloc(1, sizeof *l);

	l->n_slots = 64;
	l->slot = xcalloc(l->n_slots, sizeof *l->slot);
	return l;
}

void sync_log_free(struct sync_log *l)
{
	if (!l)
		return;
	for (uint32_t i = 0; i < l->n_words; i++)
		free(l->word[i].change);
	free(l->word);
	free(l->entry);
	free(l->tail);
	free(l->sleep);
	free(l->slot);
	free(l);
}

/* ---- words by key ---- */

static uint32_t *slot_of(const struct sync_log *l, uint64_t key)
{
	uint32_t mask = l->n_slots - 1, i = (uint32_t)(hash_multiply(key) >> 32) & mask;

	while (l->slot[i] && l->word[l->slot[i] - 1].key != key)
		i = (i + 1) & mask;
	return &l->slot[i];
}

static void grow_table(struct sync_log *l)
{
	free(l->slot);
	l->n_slots *= 2;
	l->slot = xcalloc(l->n_slots, sizeof *l->slot);
	for (uint32_t i = 0; i < l->n_words; i++)
		*slot_of(l, l->word[i].key) = i + 1;
}

static uint32_t word_of(struct sync_log *l, uint64_t key)
{
	uint32_t *slot = slot_of(l, key);

	if (*slot)
		return *slot - 1;
	l->word = xgrow(l->word, l->n_words, sizeof *l->word);
	l->word[l->n_words] = (struct word){.key = key, .last.warp = NOBODY, .other.warp = NOBODY};
	*slot = ++l->n_words;
	if (2 * l->n_words > l->n_slots)
		grow_table(l);
	return l->n_words - 1;
}

static uint32_t words_of(uint32_t bytes)
{
	return bytes < 4 ? 1 : bytes / 4;
}

static uint64_t key_of(uint64_t address, uint32_t bytes, uint32_t i)
{
	return bytes < 4 ? address | NARROW : (address & ~UINT64_C(3)) + 4 * i;
}

bool sync_log_knows(const struct sync_log *l, uint32_t mask, uint32_t bytes, const uint64_t address[TRACE_WARP_SIZE])
{
	if (!l->n_words)
		return false;
	for (; mask; mask &= mask - 1)
		for (uint32_t i = 0; i < words_of(bytes); i++)
			if (*slot_of(l, key_of(address[__builtin_ctz(mask)], bytes, i)))
				return true;
	return false;
}

/* ---- accesses ---- */

uint32_t sync_log_word(struct sync_log *l, uint64_t address, uint32_t bytes)
{
	return word_of(l, key_of(address, bytes, 0));
}

uint32_t sync_log_count(const struct sync_log *l, uint32_t word)
{
	return l->word[word].n;
}

bool sync_log_next(const struct sync_log *l, uint32_t word, uint32_t saw, uint32_t *after, uint32_t *value)
{
	const struct word *w = &l->word[word];
	uint32_t low = 0, high = w->n_changes;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (w->change[middle].after > saw)
			high = middle;
		else
			low = middle + 1;
	}
	if (low == w->n_changes)
		return false;
	*after = w->change[low].after;
	*value = w->change[low].value;
	return true;
}

static bool is_same(const struct writer *w, const struct sync_access *a)
{
	return w->cta == a->cta && w->warp == a->warp;
}

/* Whether the word has a modification by another warp that no barrier of both puts ahead of the access anyway. */
static bool is_of_another(const struct word *w, const struct sync_access *a)
{
	const struct writer *by = is_same(&w->last, a) ? &w->other : &w->last;

	return by->warp != NOBODY && (by->cta != a->cta || by->epoch >= a->epoch);
}

static void modify(struct word *w, const struct sync_access *a, uint32_t changes, const uint8_t *bytes)
{
	w->n += changes;
	w->change = xgrow(w->change, w->n_changes, sizeof *w->change);
	w->change[w->n_changes] = (struct change){.after = w->n};
	memcpy(&w->change[w->n_changes++].value, bytes, a->bytes < 4 ? a->bytes : 4);
	if (!is_same(&w->last, a))
		w->other = w->last;
	w->last = (struct writer){a->cta, a->warp, a->epoch};
}

static void add(struct sync_log *l, const struct sync_access *a, uint32_t number, uint32_t changes, const uint8_t *bytes)
{
	struct word *w = &l->word[number];
	bool orders = a->waits || (a->reads && is_of_another(w, a));

	if (!orders && !changes)
		return;
	if (l->n_entries == MOST_ENTRIES) {
		l->full = true;
		return;
	}
	l->entry = xgrow(l->entry, l->n_entries, sizeof *l->entry);
	l->entry[l->n_entries++] = (struct entry){.cta = a->cta,
						  .warp = a->warp,
						  .record = a->record,
						  .word = number,
						  .need = !orders		  ? 0
							  : a->saw == SYNC_LATEST ? w->n
										  : a->saw,
						  .first = changes ? w->n : 0,
						  .n = changes,
						  .insts = orders && !a->waits,
						  .records = orders && !a->waits};
	w->orders |= orders;
	l->orders |= orders;
	if (changes)
		modify(w, a, changes, bytes);
}

void sync_log_access(struct sync_log *l, const struct sync_access *a, const uint64_t address[TRACE_WARP_SIZE])
{
	uint64_t key[4 * TRACE_WARP_SIZE];
	uint32_t changes[4 * TRACE_WARP_SIZE], n = 0;
	const uint8_t *bytes[4 * TRACE_WARP_SIZE];

	if (l->full)
		return;
	for (uint32_t mask = a->mask; mask; mask &= mask - 1) {
		unsigned lane = (unsigned)__builtin_ctz(mask);

		for (uint32_t i = 0; i < words_of(a->bytes); i++) {
			uint64_t k = key_of(address[lane], a->bytes, i);
			uint32_t at = n;

			while (at > 0 && key[at - 1] != k)
				at--;
			if (!at) {
				key[n] = k;
				bytes[n] = a->bytes_of[lane] + (size_t)4 * i;
				changes[n++] = 0;
				at = n;
			}
			changes[at - 1] += a->changed >> lane & 1;
		}
	}
	for (uint32_t i = 0; i < n; i++)
		add(l, a, word_of(l, key[i]), changes[i], bytes[i]);
}

/* The first entry of the access that came last. */
static size_t last_access(const struct sync_log *l)
{
	size_t i = l->n_entries - 1;
	const struct entry *e = &l->entry[i];

	while (i > 0 && e[-1].record == e->record && e[-1].warp == e->warp && e[-1].cta == e->cta) {
		i--;
		e--;
	}
	return i;
}

void sync_log_decides(struct sync_log *l, const struct sync_attempt *a)
{
	size_t i = last_access(l);
	struct entry *e = &l->entry[i];

	if (l->full)
		return;
	l->decides = i + 1;
	e->insts = a->insts;
	e->records = a->records;
	e->first_tail = l->n_tails;
	e->n_tail = a->n_tail;
	for (uint32_t t = 0; t < a->n_tail; t++) {
		l->tail = xgrow(l->tail, l->n_tails, sizeof *l->tail);
		l->tail[l->n_tails++] = a->tail[t];
	}
	e->first_sleep = l->n_sleeps;
	e->n_sleeps = a->n_sleeps;
	for (uint32_t t = 0; t < a->n_sleeps; t++) {
		l->sleep = xgrow(l->sleep, l->n_sleeps, sizeof *l->sleep);
		l->sleep[l->n_sleeps++] = a->sleep[t];
	}
}

void sync_log_takes_back(struct sync_log *l)
{
	struct entry *e;

	if (!l->decides) /* the log was full by then */
		return;
	e = &l->entry[l->decides - 1];
	l->n_tails = e->first_tail;
	l->n_sleeps = e->first_sleep;
	e->insts = e->records = e->first_tail = e->n_tail = e->first_sleep = e->n_sleeps = 0;
	l->decides = 0;
}

void sync_log_cut(struct sync_log *l, uint32_t cta, uint32_t warp, uint32_t record)
{
	while (l->n_entries) {
		const struct entry *e = &l->entry[l->n_entries - 1];

		if (e->cta != cta || e->warp != warp || e->record < record)
			break;
		if (e->n_tail)
			l->n_tails = e->first_tail;
		if (e->n_sleeps)
			l->n_sleeps = e->first_sleep;
		l->n_entries--;
	}
	l->decides = 0;
}

bool sync_log_modifies(const struct sync_log *l, uint32_t cta, uint32_t warp, uint32_t record)
{
	for (size_t i = l->n_entries; i > 0; i--) {
		const struct entry *e = &l->entry[i - 1];

		if (e->cta != cta || e->warp != warp || e->record < record)
			return false;
		if (e->n)
			return true;
	}
	return false;
}

bool sync_log_orders(const struct sync_log *l)
{
	return l->orders && !l->full;
}

bool sync_log_is_full(const struct sync_log *l)
{
	return l->full;
}

/* ---- into the trace ---- */

struct row { /* an entry, as the launch has it */
	const struct sync_log *log;
	const struct entry *e;
	uint32_t word; /* of the launch */
};

static int by_access(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

#define COMPARE(p, q)                                                                                                              \
	if ((p) != (q))                                                                                                            \
	return (p) < (q) ? -1 : 1
	COMPARE(x->e->cta, y->e->cta);
	COMPARE(x->e->warp, y->e->warp);
	COMPARE(x->e->record, y->e->record);
	COMPARE(x->word, y->word);
#undef COMPARE
	return 0;
}

static bool same_access(const struct row *a, const struct row *b)
{
	return a->e->cta == b->e->cta && a->e->warp == b->e->warp && a->e->record == b->e->record;
}

/* The words that order warps, and the rows of accesses to them. */
static struct row *collect(const struct sync_part *part, uint32_t n, struct trace_sync *s, size_t *n_rows)
{
	struct row *row = NULL;

	*n_rows = 0;
	for (uint32_t p = 0; p < n; p++) {
		const struct sync_log *l = part[p].log;
		uint32_t *number = xcalloc(l->n_words + 1, sizeof *number);

		for (uint32_t i = 0; i < l->n_words; i++) {
			if (!l->word[i].orders)
				continue;
			s->word = xgrow(s->word, s->n_words, sizeof *s->word);
			s->word[s->n_words] = (struct trace_sync_word){l->word[i].key & ~NARROW, part[p].cta, l->word[i].n};
			number[i] = ++s->n_words;
		}
		for (size_t i = 0; i < l->n_entries; i++) {
			const struct entry *e = &l->entry[i];

			if (!number[e->word])
				continue;
			row = xgrow(row, *n_rows, sizeof *row);
			row[(*n_rows)++] = (struct row){l, e, number[e->word] - 1};
		}
		free(number);
	}
	if (row)
		qsort(row, *n_rows, sizeof *row, by_access);
	return row;
}

static void put_attempt(struct trace_sync *s, struct trace_sync_access *a, const struct row *r)
{
	a->insts = r->e->insts;
	a->records = r->e->records;
	a->first_tail = s->n_tails;
	a->n_tail = r->e->n_tail;
	for (uint32_t i = 0; i < a->n_tail; i++) {
		s->tail = xgrow(s->tail, s->n_tails, sizeof *s->tail);
		s->tail[s->n_tails++] = r->log->tail[r->e->first_tail + i];
	}
	a->first_sleep = s->n_sleeps;
	a->n_sleeps = r->e->n_sleeps;
	for (uint32_t i = 0; i < a->n_sleeps; i++) {
		s->sleep = xgrow(s->sleep, s->n_sleeps, sizeof *s->sleep);
		s->sleep[s->n_sleeps++] = r->log->sleep[r->e->first_sleep + i];
	}
}

void sync_write(struct trace_writer *w, const struct sync_part *part, uint32_t n, uint32_t n_ctas)
{
	struct trace_sync s = {.first_access = xcalloc(n_ctas + 1u, sizeof *s.first_access)};
	size_t n_rows;
	struct row *row = collect(part, n, &s, &n_rows);

	for (size_t i = 0; i < n_rows; i++) {
		const struct entry *e = row[i].e;

		if (!i || !same_access(&row[i], &row[i - 1])) {
			s.access = xgrow(s.access, s.n_accesses, sizeof *s.access);
			s.access[s.n_accesses++] =
				(struct trace_sync_access){.warp = e->warp, .access = e->record, .first_item = s.n_items};
			s.first_access[e->cta + 1] = s.n_accesses;
		}
		if (e->insts && !s.access[s.n_accesses - 1].insts)
			put_attempt(&s, &s.access[s.n_accesses - 1], &row[i]);
		s.access[s.n_accesses - 1].n_items++;
		s.item = xgrow(s.item, s.n_items, sizeof *s.item);
		s.item[s.n_items++] = (struct trace_sync_item){row[i].word, e->need, e->first, e->n};
	}
	for (uint32_t c = 0; c < n_ctas; c++) /* of CTAs without any */
		if (s.first_access[c + 1] < s.first_access[c])
			s.first_access[c + 1] = s.first_access[c];
	if (s.n_accesses)
		trace_set_sync(w, &s);
	free(row);
	free(s.word);
	free(s.item);
	free(s.tail);
	free(s.sleep);
	free(s.access);
	free(s.first_access);
}
